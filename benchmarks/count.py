"""One measurement for `perft.py`: a library counts the moves from a start position, over and over for a while.

    python benchmarks/count.py COUNTER RULESET DEPTH SECONDS

It runs under the Python that has the library (two of them share the import name `draughts`), so it imports that
one and the standard library only. It prints `{"nodes": ..., "per_second": ...}`. Nobody keeps counted subtrees, and
everybody counts the last ply without making the moves.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

#: The number of move sequences of a length from the start position.
Perft = Callable[[int], int]


def damspec(ruleset: str) -> Perft:
    import damspec

    rules = damspec.load_ruleset(ruleset)
    return lambda depth: damspec.perft(rules, "start", depth)


def kernel(ruleset: str) -> Perft:
    """Return the compiled kernel, which keeps nothing that it has counted unless it is told to."""
    import damspec
    from damspec.kernel.perft import CompiledRules
    from damspec.position import to_mover_view

    rules = damspec.load_ruleset(ruleset)
    made, start = CompiledRules(rules.rules), to_mover_view(rules.position())

    def perft(depth: int) -> int:
        nodes = made.perft(*start, depth)
        assert nodes is not None
        return nodes

    return perft


def pydraughts(ruleset: str) -> Perft:
    """By its public `legal_moves`, `push` and `pop` (quicker than copying the board)."""
    from draughts import Board  # type: ignore[import-not-found]

    def perft(board: Any, depth: int) -> int:
        moves = board.legal_moves()
        if depth == 1:
            return len(moves)
        nodes = 0
        for move in moves:
            board.push(move)
            nodes += perft(board, depth - 1)
            board.pop()
        return nodes

    variant = "standard" if ruleset == "international" else ruleset
    return lambda depth: perft(Board(variant), depth)


def py_draughts(ruleset: str) -> Perft:
    """By its public `legal_moves`, `push` and `pop`, which is what its documentation offers."""
    import draughts

    def perft(board: Any, depth: int) -> int:
        moves = board.legal_moves
        if depth == 1:
            return len(moves)
        nodes = 0
        for move in moves:
            board.push(move)
            nodes += perft(board, depth - 1)
            board.pop()
        return nodes

    boards = {
        "english": draughts.AmericanBoard,
        "international": draughts.StandardBoard,
        "russian": draughts.RussianBoard,
    }
    return lambda depth: perft(boards[ruleset](), depth)


def py_draughts_turbo(ruleset: str) -> Perft:
    """By the generator inside its search engine, which plays international draughts only and is not documented."""
    from draughts import StandardBoard
    from draughts.engines.turbo import perft_from_board  # type: ignore[import-not-found]

    if ruleset != "international":
        raise ValueError(f"found {ruleset!r}, expected 'international'")
    return lambda depth: int(perft_from_board(StandardBoard(), depth))


COUNTERS: dict[str, Callable[[str], Perft]] = {
    "damspec": damspec,
    "kernel": kernel,
    "pydraughts": pydraughts,
    "py-draughts": py_draughts,
    "py-draughts-turbo": py_draughts_turbo,
}


def measure(perft: Perft, depth: int, seconds: float) -> dict[str, float]:
    """Count until the time is over, once at least."""
    perft(2)  # what is built or compiled on first use is not what is measured
    times, nodes, start = 0, 0, perf_counter()
    while (elapsed := perf_counter() - start) < seconds or not times:
        nodes = perft(depth)
        times += 1
    return {"nodes": nodes, "per_second": times * nodes / elapsed}


if __name__ == "__main__":
    counter, ruleset, depth, seconds = sys.argv[1:]
    print(json.dumps(measure(COUNTERS[counter](ruleset), int(depth), float(seconds))))
