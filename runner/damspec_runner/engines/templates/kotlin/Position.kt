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

private val POSITION = Regex("[WB]:(W[^:]*:B|B[^:]*:W).*")
private val PIECE = Regex("(K?)([1-9][0-9]{0,2})(?:-([1-9][0-9]{0,2}))?")

/**
 * Read a position as damspec writes it: B:W21-32:BK5,9 is Black to move. Throws IllegalArgumentException if the text is
 * invalid.
 */
fun readPosition(text: String): Position {
    require(POSITION.matches(text)) { "no position: $text" }
    val parts = text.split(":")
    val found = Position(parts[0][0])
    for (part in parts.subList(1, 3)) {
        for (piece in part.drop(1).split(",").filter { it.isNotEmpty() }) {
            val read = PIECE.matchEntire(piece)
            val (king, first, last) = requireNotNull(read) { "no piece: $piece" }.destructured
            val squares = first.toInt()..last.ifEmpty { first }.toInt()
            require(!squares.isEmpty()) { "no piece: $piece" }
            for (square in squares) {
                found.on[square] = if (king.isEmpty()) Character.toLowerCase(part[0]) else part[0]
            }
        }
    }
    return found
}
