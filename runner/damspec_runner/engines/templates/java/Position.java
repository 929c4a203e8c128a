import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A position of draughts as text, as damspec writes it: B:W21-32:BK5,9 is Black to move. */
public final class Position {
    private static final Pattern PIECE = Pattern.compile("(K?)([1-9][0-9]{0,2})(?:-([1-9][0-9]{0,2}))?");

    /** 'W' or 'B'. */
    public char turn = 'W';

    /** What stands on a square, from 1: 'w' 'b' a man, 'W' 'B' a king. */
    public final Map<Integer, Character> on = new TreeMap<>();

    /** Read a position; throws IllegalArgumentException if the text is invalid. */
    public static Position read(String text) {
        if (!text.matches("[WB]:(W[^:]*:B|B[^:]*:W).*")) {
            throw new IllegalArgumentException("no position: " + text);
        }
        String[] parts = text.split(":");
        Position found = new Position();
        found.turn = parts[0].charAt(0);
        for (String part : new String[] {parts[1], parts[2]}) {
            char side = part.charAt(0);
            for (String piece : part.substring(1).split(",")) {
                if (!piece.isEmpty()) {
                    found.put(piece, side);
                }
            }
        }
        return found;
    }

    private void put(String piece, char side) {
        Matcher read = PIECE.matcher(piece);
        int first = read.matches() ? Integer.parseInt(read.group(2)) : 1;
        int last = read.matches() ? Integer.parseInt(read.group(read.group(3) == null ? 2 : 3)) : 0;
        if (last < first) {
            throw new IllegalArgumentException("no piece: " + piece);
        }
        for (int square = first; square <= last; square++) {
            on.put(square, read.group(1).isEmpty() ? Character.toLowerCase(side) : side);
        }
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
