// An engine's side of damspec's line protocol: each question is a line, each answer is a line.
//
//     kotlinc -include-runtime -d adapter.jar Adapter.kt Position.kt
//     damspec check english --lines -- java -jar adapter.jar
//
// To fill in: NAME, RULESET and START below, and legalMoves(). The rest can stay as it is.
package damspecadapter

const val NAME = "my-engine 1.0"

/** The rulesets it plays, separated by commas; `damspec rulesets` lists them. */
const val RULESET = "english"

/** Numbered as the engine does; --rotate and --numbering translate it. */
const val START = "B:W21-32:B1-12"

/** True if it lists single jumps, one after another, and not whole captures. */
const val HOPS = false

/**
 * A legal move: with all the squares on its way, 9-14, or 9x18x27, and the position after it, where it is the other
 * side's turn, unless a jump has to be followed by another.
 */
class Move(val text: String, val after: Position)

/** A move of which the engine only knows where it begins and ends: what left the board was captured. */
fun moveBetween(from: Int, to: Int, before: Position, after: Position): Move {
    val captured = before.on.keys.filter { it != from && it !in after.on }
    return Move(if (captured.isEmpty()) "$from-$to" else "${from}x$to(${captured.joinToString(",")})", after)
}

/**
 * TO FILL IN: every legal move of the side position.turn. With HOPS, `hops` are the jumps already made from the
 * position in this turn, as they were listed; else there are none.
 */
fun legalMoves(ruleset: String, position: Position, hops: List<String>): List<Move>? {
    return null // not filled in yet
}

fun list(ruleset: String, fen: String, hops: List<String>): String {
    val position = try {
        readPosition(fen)
    } catch (error: IllegalArgumentException) {
        return "error ${error.message}"
    }
    val legal = legalMoves(ruleset, position, hops)
        ?: return "unsupported legalMoves() in Adapter.kt is not filled in yet"
    return "moves" + legal.joinToString("") { " ${it.text}>${it.after.write()}" }
}

fun answer(words: List<String>): String = when (words[0]) {
    "hello" -> "hello $NAME rulesets=$RULESET questions=start,moves,play" + if (HOPS) ",steps" else ""
    "start" -> START
    "moves" -> list(words[1], words[2], words.drop(3))
    else -> "unsupported ${words[0]}"
}

fun main() {
    generateSequence(::readLine).takeWhile { it != "quit" }.forEach { println(answer(it.split(" "))) }
}
