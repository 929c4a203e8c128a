import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Scanner;

/**
 * An engine's side of damspec's line protocol: each question is a line, each answer is a line.
 *
 * <pre>
 *     javac Adapter.java Position.java
 *     damspec check english --lines -- java Adapter
 * </pre>
 *
 * To fill in: NAME, RULESET and START below, and legalMoves(). The rest can stay as it is.
 */
public final class Adapter {
    static final String NAME = "my-engine 1.0";

    /** The rulesets it plays, separated by commas; `damspec rulesets` lists them. */
    static final String RULESET = "english";

    /** Numbered as the engine does; --rotate and --numbering translate it. */
    static final String START = "B:W21-32:B1-12";

    /** True if it lists single jumps, one after another, and not whole captures. */
    static final boolean HOPS = false;
    static final String QUESTIONS = "start,moves,play" + (HOPS ? ",steps" : "");

    /**
     * TO FILL IN: every legal move of the side position.turn, with the position after it, where it is the other side's
     * turn, unless a jump has to be followed by another. A move is written with all the squares on its way: 9-14, or
     * 9x18x27. With HOPS, `hops` are the jumps already made from the position in this turn, as they were listed; else
     * there are none.
     */
    static Map<String, Position> legalMoves(Position position, String[] hops) {
        return null; // not filled in yet
    }

    static String moves(String fen, String[] hops) {
        Position position;
        try {
            position = Position.read(fen);
        } catch (IllegalArgumentException error) {
            return "error " + error.getMessage();
        }
        Map<String, Position> legal = legalMoves(position, hops);
        if (legal == null) {
            return "unsupported legalMoves() in Adapter.java is not filled in yet";
        }
        StringBuilder answer = new StringBuilder("moves");
        new LinkedHashMap<>(legal).forEach((move, after) -> answer.append(" " + move + ">" + after.write()));
        return answer.toString();
    }

    public static void main(String[] arguments) {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().split(" ");
            if (words[0].equals("quit")) {
                break;
            }
            String answer = switch (words[0]) {
                case "hello" -> "hello " + NAME + " rulesets=" + RULESET + " questions=" + QUESTIONS;
                case "start" -> START;
                case "moves" -> moves(words[2], Arrays.copyOfRange(words, 3, words.length));
                default -> "unsupported " + words[0];
            };
            System.out.println(answer);
            System.out.flush();
        }
    }
}
