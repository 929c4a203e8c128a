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

    /**
     * TO FILL IN: every legal move of the side position.turn, with the position after it, where it is the other side's
     * turn. A move is written with all the squares on its way: 9-14, or 9x18x27.
     */
    static Map<String, Position> legalMoves(Position position) {
        return null; // not filled in yet
    }

    static String moves(String fen) {
        Position position;
        try {
            position = Position.read(fen);
        } catch (IllegalArgumentException error) {
            return "error no position: " + fen;
        }
        Map<String, Position> legal = legalMoves(position);
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
                case "hello" -> "hello " + NAME + " rulesets=" + RULESET + " questions=start,moves,play";
                case "start" -> START;
                case "moves" -> moves(words[2]);
                default -> "unsupported " + words[0];
            };
            System.out.println(answer);
            System.out.flush();
        }
    }
}
