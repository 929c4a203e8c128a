"""One measurement for `perft.py`, `play.py` or `search.py`: a library counts moves, or searches, for a while.

    python benchmarks/beside.py perft COUNTER RULESET DEPTH SECONDS
    python benchmarks/beside.py search BOARD RULESET DEPTH SECONDS
    python benchmarks/beside.py table BOARD|SEARCHER RULESET DEPTH SECONDS

It runs under the Python that has the library (two of them share the import name `draughts`), so it imports that
one and the standard library only. It prints `{"nodes": ..., "per_second": ...}`, by processor time, of the best of
as many times as fit. All libraries are used by `legal_moves`, `push` and `pop` as their manuals show them. In perft
nobody keeps counted subtrees, and everybody counts the last ply without making the moves. The search is alpha-beta,
with a count of the pieces at the end; with a table it goes deeper ply by ply.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from time import process_time
from typing import Any

#: The number of move sequences, or of nodes searched, to a depth from the start position.
Count = Callable[[int], int]
#: A board, its legal moves, the value of its pieces for the side to move.
Player = tuple[Any, Callable[[Any], Iterable[Any]], Callable[[Any], int]]


# --- boards


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


# --- perft


def perft(player: Player) -> Count:
    """Return what counts on a board."""
    board, moves_of, _ = player

    def count(depth: int) -> int:
        moves: Any = moves_of(board)
        if depth == 1:
            return len(moves)
        nodes = 0
        for move in moves:
            board.push(move)
            nodes += count(depth - 1)
            board.pop()
        return nodes

    return count


def reference(ruleset: str) -> Count:
    import damspec

    rules = damspec.load_ruleset(ruleset)
    return lambda depth: damspec.perft(rules, "start", depth)


def kernel(ruleset: str) -> Count:
    """Return the compiled kernel, which keeps nothing that it has counted unless it is told to."""
    import damspec
    from damspec.kernel.perft import CompiledRules
    from damspec.position import to_mover_view

    rules = damspec.load_ruleset(ruleset)
    made, start = CompiledRules(rules.rules), to_mover_view(rules.position())
    made.specialise()

    def perft(depth: int) -> int:
        nodes = made.perft(*start, depth)
        assert nodes is not None
        return nodes

    return perft


def py_draughts_turbo(ruleset: str) -> Count:
    """Return the generator inside py-draughts' search engine, of international draughts only and not documented."""
    from draughts import StandardBoard
    from draughts.engines.turbo import perft_from_board  # type: ignore[import-not-found]

    if ruleset != "international":
        raise ValueError(f"found {ruleset!r}, expected 'international'")
    return lambda depth: int(perft_from_board(StandardBoard(), depth))


COUNTERS: dict[str, Callable[[str], Count]] = {
    "damspec": reference,
    "kernel": kernel,
    "py-draughts-turbo": py_draughts_turbo,
}


# --- search


def search(player: Player) -> Count:
    """Return what searches with alpha-beta in the order of the moves, and counts the nodes."""
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

    def count(depth: int) -> int:
        nonlocal nodes
        nodes = 0
        best(depth, -1000, 1000)
        return nodes

    return count


def search_with_table(player: Player) -> Count:
    """Return what searches to each depth up to one with a table of positions, trying the best move known first."""
    board, moves_of, value = player
    table: dict[Any, tuple[int, int, int, Any]] = {}
    nodes = 0

    def best(depth: int, alpha: int, beta: int) -> int:
        nonlocal nodes
        nodes += 1
        if depth == 0:
            return value(board)
        key = board.white_men, board.white_kings, board.black_men, board.black_kings, board.turn
        floor, top, first, known = alpha, -1000, None, table.get(key)
        if known is not None:
            deep, bound, score, first = known
            if deep >= depth and (bound == 0 or (bound > 0 and score >= beta) or (bound < 0 and score <= alpha)):
                return score
        moves = list(moves_of(board))
        for place, move in enumerate(moves):
            if move.square_list == first:
                moves[0], moves[place] = moves[place], moves[0]
                break
        for move in moves:
            board.push(move)
            found = -best(depth - 1, -beta, -max(alpha, top))
            board.pop()
            if found > top:
                top, first = found, move.square_list
                if top >= beta:
                    break
        table[key] = depth, 1 if top >= beta else -1 if top <= floor else 0, top, first
        return top

    def count(depth: int) -> int:
        nonlocal nodes
        nodes = 0
        table.clear()
        for deeper in range(1, depth + 1):
            best(deeper, -1000, 1000)
        return nodes

    return count


def compiled_search(ruleset: str) -> Count:
    """Return the search of damspec, compiled, with nothing but a count of the pieces at the end."""
    import damspec
    from damspec.kernel.constants import MATE
    from damspec.kernel.search import PositionSearch

    rules = damspec.load_ruleset(ruleset)
    searching = PositionSearch(rules.rules, compiled=True, counts_pieces=True)

    def count(depth: int) -> int:
        searching.start()
        for deeper in range(1, depth + 1):
            searching.score(rules.position(), deeper, 0, -MATE, MATE, 1 << 60)
        return searching.nodes

    return count


#: What searches with a table itself.
SEARCHERS: dict[str, Callable[[str], Count]] = {"damspec": compiled_search}


def measure(count: Count, depth: int, seconds: float) -> dict[str, float]:
    """Count until the time is over, once at least, and return the best."""
    count(min(depth, 3))  # what is built or compiled on first use is not what is measured
    best, start, nodes = 0.0, process_time(), 0
    while process_time() - start < seconds or not nodes:
        before = process_time()
        nodes = count(depth)
        best = max(best, nodes / (process_time() - before))
    return {"nodes": nodes, "per_second": best}


if __name__ == "__main__":
    mode, name, ruleset, depth, seconds = sys.argv[1:]
    if mode == "perft" and name in COUNTERS:
        counted = COUNTERS[name](ruleset)
    elif mode == "table" and name in SEARCHERS:
        counted = SEARCHERS[name](ruleset)
    else:
        counted = {"perft": perft, "search": search, "table": search_with_table}[mode](BOARDS[name](ruleset))
    deep = min(int(depth), RECORDED) if name == "empty loop" else int(depth)
    print(json.dumps(measure(counted, deep, float(seconds))))
