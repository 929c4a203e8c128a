import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A position of draughts as text, as damspec writes it: B:W21-32:BK5,9 is Black to move. */
public final class Position {
    /** 'W' or 'B'. */
    public char turn = 'W';

    /** What stands on a square, from 1: 'w' 'b' a man, 'W' 'B' a king. */
    public final Map<Integer, Character> on = new TreeMap<>();

    /** Read a position; throws IllegalArgumentException if the text is invalid. */
    public static Position read(String text) {
        String[] parts = text.split(":");
        if (!parts[0].equals("W") && !parts[0].equals("B")) {
            throw new IllegalArgumentException("no position: " + text);
        }
        Position found = new Position();
        found.turn = parts[0].charAt(0);
        for (int place = 1; place < parts.length; place++) {
            String part = parts[place];
            if (!part.startsWith("W") && !part.startsWith("B")) {
                break;
            }
            char side = part.charAt(0);
            for (String piece : part.substring(1).split(",")) {
                if (piece.isEmpty()) {
                    continue;
                }
                boolean king = piece.startsWith("K");
                String[] ends = piece.substring(king ? 1 : 0).split("-");
                int last = Integer.parseInt(ends[ends.length - 1]);
                for (int square = Integer.parseInt(ends[0]); square <= last; square++) {
                    found.on.put(square, king ? side : Character.toLowerCase(side));
                }
            }
        }
        return found;
    }

    /** The position as text. */
    public String write() {
        return turn + ":W" + pieces('W') + ":B" + pieces('B');
    }

    private String pieces(char side) {
        return on.entrySet().stream()
            .filter(entry -> Character.toUpperCase(entry.getValue()) == side)
            .map(entry -> (entry.getValue() == side ? "K" : "") + entry.getKey())
            .collect(Collectors.joining(","));
    }
}
