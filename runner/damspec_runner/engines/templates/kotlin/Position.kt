package damspecadapter

/** Whose turn it is, 'W' or 'B', and what stands on a square, from 1: 'w' 'b' a man, 'W' 'B' a king. */
class Position(var turn: Char, val on: java.util.TreeMap<Int, Char> = java.util.TreeMap()) {
    /** A copy that can be changed. */
    fun copy() = Position(turn, java.util.TreeMap(on))

    /** The position as text. */
    fun write(): String = "$turn:W${pieces('W')}:B${pieces('B')}"

    private fun pieces(side: Char): String {
        val pieces = on.filterValues { Character.toUpperCase(it) == side }
        return pieces.map { (if (it.value == side) "K" else "") + it.key }.joinToString(",")
    }
}

/** Read a position as damspec writes it: B:W21-32:BK5,9 is Black to move. Null if the text is invalid. */
fun readPosition(text: String): Position? {
    val parts = text.split(":")
    if (parts[0] != "W" && parts[0] != "B") return null
    val found = Position(parts[0][0])
    for (part in parts.drop(1).takeWhile { it.startsWith("W") || it.startsWith("B") }) {
        for (piece in part.drop(1).split(",").filter { it.isNotEmpty() }) {
            val ends = piece.removePrefix("K").split("-").map { it.toIntOrNull() ?: return null }
            for (square in ends.first()..ends.last()) {
                found.on[square] = if (piece.startsWith("K")) part[0] else Character.toLowerCase(part[0])
            }
        }
    }
    return found
}
