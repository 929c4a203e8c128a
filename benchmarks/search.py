"""One measurement for `play.py`: a library plays the moves of an alpha-beta search from a start position.

    python benchmarks/search.py BOARD RULESET DEPTH SECONDS

It runs under the Python that has the library (two of them share the import name `draughts`), so it imports that
one and the standard library only. It prints `{"nodes": ..., "per_second": ...}`, by processor time. The search is the
same for all: `legal_moves`, `push` and `pop` as their manuals show them, and a count of the pieces at the end.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from time import process_time
from typing import Any

#: A board, its legal moves, the value of its pieces for the side to move.
Player = tuple[Any, Callable[[Any], Iterable[Any]], Callable[[Any], int]]


def by_game(ruleset: str) -> Player:
    import damspec

    def value(game: damspec.Game) -> int:
        now = game.position
        white = now.white_men.bit_count() + 3 * now.white_kings.bit_count()
        black = now.black_men.bit_count() + 3 * now.black_kings.bit_count()
        return white - black if now.turn == "white" else black - white

    return damspec.Game(ruleset), lambda game: game.legal_moves, value


def by_position(ruleset: str) -> Player:
    """Return damspec without push and pop: every move is played by `damspec.play`, which checks the position too."""
    import damspec

    class Played:
        def __init__(self) -> None:
            self.positions = [damspec.load_ruleset(ruleset).position()]
            self.ruleset = damspec.load_ruleset(ruleset)

        @property
        def position(self) -> damspec.Position:
            return self.positions[-1]

        def push(self, move: damspec.Action) -> None:
            self.positions.append(damspec.play(self.ruleset, self.positions[-1], move))

        def pop(self) -> None:
            self.positions.pop()

    _, _, value = by_game(ruleset)
    return Played(), lambda game: damspec.legal_moves(game.ruleset, game.position), value


def py_draughts(ruleset: str) -> Player:
    import draughts  # type: ignore[import-not-found]
    from loguru import logger  # type: ignore[import-not-found]

    logger.remove()
    boards = {
        "english": "AmericanBoard", "frisian": "FrisianBoard", "international": "StandardBoard",
        "russian": "RussianBoard",
    }  # fmt: skip
    white_to_move = draughts.Color.WHITE

    def value(board: Any) -> int:
        white = board.white_men.bit_count() + 3 * board.white_kings.bit_count()
        black = board.black_men.bit_count() + 3 * board.black_kings.bit_count()
        return int(white - black if board.turn == white_to_move else black - white)

    return getattr(draughts, boards[ruleset])(), lambda board: board.legal_moves, value


def py_draughts_forced(ruleset: str) -> Player:
    """Return py-draughts without the quiet moves that its American board offers beside captures."""
    board, moves_of, value = py_draughts(ruleset)

    def forced(board: Any) -> Iterable[Any]:
        moves = moves_of(board)
        return [move for move in moves if move.captured_list] or moves

    return board, forced, value


def pydraughts(ruleset: str) -> Player:
    from draughts import WHITE, Board

    def value(board: Any) -> int:
        counts = {part[0]: part.count(",") + 3 * part.count("K") for part in board.fen.split(":")[1:3]}
        white = int(counts["W"] - counts["B"])
        return white if board.turn == WHITE else -white

    return Board("standard" if ruleset == "international" else ruleset), lambda board: board.legal_moves(), value


def recorded(ruleset: str) -> Player:
    """Return the empty loop: the tree of damspec, with moves and values written down beforehand.

    No library that is searched like this, in Python, can be quicker.
    """

    class Node:
        def __init__(self, value: int) -> None:
            self.value = value
            self.moves: list[Node] = []

    class Recorded:
        def __init__(self, root: Node) -> None:
            self.stack = [root]

        def push(self, node: Node) -> None:
            self.stack.append(node)

        def pop(self) -> Node:
            return self.stack.pop()

    game, moves_of, value = by_game(ruleset)

    def record(depth: int) -> Node:
        node = Node(value(game))
        for move in moves_of(game) if depth else ():
            game.push(move)
            node.moves.append(record(depth - 1))
            game.pop()
        return node

    return Recorded(record(RECORDED)), lambda board: board.stack[-1].moves, lambda board: board.stack[-1].value


#: The depth of a recorded tree; a million nodes would fill the memory.
RECORDED = 5
BOARDS: dict[str, Callable[[str], Player]] = {
    "damspec": by_game,
    "damspec.play": by_position,
    "py-draughts": py_draughts,
    "py-draughts, forced": py_draughts_forced,
    "pydraughts": pydraughts,
    "empty loop": recorded,
}


def search(player: Player, depth: int) -> int:
    """Search with alpha-beta in the order of the moves; return the number of nodes."""
    board, moves_of, value = player
    nodes = 0

    def best(depth: int, alpha: int, beta: int) -> int:
        nonlocal nodes
        nodes += 1
        if depth == 0:
            return value(board)
        top = -1000
        for move in moves_of(board):
            board.push(move)
            found = -best(depth - 1, -beta, -alpha)
            board.pop()
            if found > top:
                top = found
                if top > alpha:
                    alpha = top
                    if alpha >= beta:
                        break
        return top

    best(depth, -1000, 1000)
    return nodes


def measure(player: Player, depth: int, seconds: float) -> dict[str, float]:
    """Search until the time is over, three times at least, and count the best."""
    search(player, min(depth, 4))  # what is made on first use is not what is measured
    most, start, times = 0.0, process_time(), 0
    while process_time() - start < seconds or times < 3:
        before = process_time()
        nodes = search(player, depth)
        most, times = max(most, nodes / (process_time() - before)), times + 1
    return {"nodes": nodes, "per_second": most}


if __name__ == "__main__":
    name, ruleset, depth, seconds = sys.argv[1:]
    deep = min(int(depth), RECORDED) if name == "empty loop" else int(depth)
    print(json.dumps(measure(BOARDS[name](ruleset), deep, float(seconds))))
