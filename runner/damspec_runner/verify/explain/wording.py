"""What can be seen of a wrong move, and lists of moves and squares, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from damspec import Move, Position
from damspec.errors import list_some

from .symptoms import Occurrence

#: The most moves of a list.
_LISTED = 9


def move_list(moves: Sequence[str], most: int = _LISTED) -> str:
    """Return moves as text, the first few."""
    return list_some(moves, most) or "none"


def in_numbers(squares: Iterable[int]) -> str:
    """Return squares in short: 1-4, 7."""
    runs: list[list[int]] = []
    for square in sorted(squares):
        if runs and runs[-1][1] == square - 1:
            runs[-1][1] = square
        else:
            runs.append([square, square])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def describe_wrong(legal: Sequence[Move], position: Position, what: str, wrong: Occurrence) -> str:
    """Return what can be seen of a wrong move in brackets: what it takes, passes or leaves out."""
    path = wrong.path
    if not path or " (" in wrong.move:  # what is captured stands there already
        return ""
    board, start, is_capture = position.board, path[0], wrong.jumps > 0
    piece, seen = position[start], list[str]()
    over = [[square for square in line if position[square] and square != start] for line in crossed(position, path)]
    taken = [square for squares in over for square in squares]
    round_trip = ["ends where it began"] if path[-1] == start else []
    if what == "missing":
        return f" ({'; '.join([_takes(taken), *round_trip])})" if taken else ""
    if piece is None:
        seen.append(f"from {start}, which is empty")
    elif piece.side != position.turn:
        seen.append(f"with a piece of {piece.side.capitalize()}, who is not to move")
    for (one, other), squares in zip(pairwise(path), over, strict=True):
        line = board.between(one, other)
        if board.bit(start) in (line or ()):
            seen.append(f"crosses its own starting square {start}")
        if one == other:
            seen.append("goes nowhere")
        elif line is None:
            seen.append(f"{one} and {other} are on no line")
        elif own := [square for square in squares if board.bit(square) & position.occupied(position.turn)]:
            seen.append(f"over the own piece on {own[0]}")
        # Where a legal jump takes several, going over several is not what is wrong.
        elif len(squares) > 1 and not any(len(move.captured) >= len(move.path) for move in legal):
            seen.append(f"over {' and '.join(map(str, squares))} at once")
        elif squares and not is_capture:
            seen.append(f"over the piece on {squares[0]}")
        elif not squares and is_capture:
            seen.append(f"jumps nothing from {one} to {other}")
        if position[other] and other != start and "no line" not in "".join(seen):
            seen.append(f"to {other}, which is occupied")
    seen += [f"takes {square} twice" for square in sorted({each for each in taken if taken.count(each) > 1})]
    told = dict.fromkeys([*_beside(legal, wrong, taken), *seen, *(round_trip if is_capture else ())])
    return f" ({'; '.join(told)})" if told else ""


def crossed(position: Position, path: Sequence[int]) -> list[list[int]]:
    """Return the squares between each two of a path; none for two that are on no line."""
    board = position.board
    return [[board.number(bit) for bit in board.between(one, other) or ()] for one, other in pairwise(path)]


def _takes(squares: Sequence[int]) -> str:
    return f"takes {', '.join(map(str, squares))}"


def _beside(legal: Sequence[Move], wrong: Occurrence, taken: Sequence[int]) -> list[str]:
    """Return how a wrong move compares with the legal ones."""
    path, jumps = wrong.path, wrong.jumps
    told = [_takes(taken)] if taken and jumps else []
    longer = [one for one in legal if jumps and one.path[: len(path)] == path and len(one.path) > len(path)]
    best = max(legal, key=lambda one: len(one.captured), default=None)
    if longer:
        told.append(f"stops short of {longer[0]}")
    elif best and jumps and len(best.captured) > (number := len(taken) or jumps):
        told.append(f"takes {number} where {best} takes {len(best.captured)}")
    elif not jumps and (capture := next((one for one in legal if one.captured), None)):
        told.append(f"although {capture} is possible")
    return told
