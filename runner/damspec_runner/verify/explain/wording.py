"""What can be seen of a wrong move, and lists of moves and squares, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from damspec import Position
from damspec.turn import ActionGenerator

from .lab import legal_moves, squares_of

#: The most moves of a list.
_LISTED = 9


def move_list(moves: Sequence[str], most: int = _LISTED) -> str:
    """Return moves as text, the first few."""
    more = f" and {len(moves) - most} more" if len(moves) > most else ""
    return (", ".join(moves[:most]) or "none") + more


def in_numbers(squares: Iterable[int]) -> str:
    """Return squares in short: 1-4, 7."""
    runs: list[list[int]] = []
    for square in sorted(squares):
        if runs and runs[-1][1] == square - 1:
            runs[-1][1] = square
        else:
            runs.append([square, square])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def many(number: int) -> str:
    """Return how many were tried, if it is not one."""
    return f" ({number} tried)" if number > 1 else ""


def look(turns: ActionGenerator, position: Position, what: str, move: str) -> str:
    """Return what can be seen of a wrong move: what it takes, passes or leaves out, in brackets."""
    path = squares_of(move, position)
    if not path or " (" in move:  # what is captured stands there already
        return ""
    board, start = position.board, path[0]
    piece, seen = position[start], list[str]()
    if what == "missing":
        takes = [number for line in _lines(position, path) for number in line if position[number] and number != start]
        return f" ({_takes(takes)}{'; ends where it began' if path[-1] == start else ''})" if takes else ""
    if piece is None:
        seen.append(f"from {start}, which is empty")
    elif piece.side != position.turn:
        seen.append(f"with a piece of {piece.side.capitalize()}, who is not to move")
    taken: list[int] = []
    for (one, other), numbers in zip(pairwise(path), _lines(position, path), strict=True):
        over = [square for square in numbers if position[square] and square != start]
        taken += over
        if start in numbers:
            seen.append(f"crosses its own starting square {start}")
        if one == other:
            seen.append("goes nowhere")
        elif board.between(one, other) is None:
            seen.append(f"{one} and {other} are on no line")
        elif own := [square for square in over if board.bit(square) & position.occupied(position.turn)]:
            seen.append(f"over the own piece on {own[0]}")
        elif len(over) > 1:
            seen.append(f"over {' and '.join(map(str, over))} at once")
        elif over and "-" in move:
            seen.append(f"over the piece on {over[0]}")
        elif not over and "x" in move:
            seen.append(f"jumps nothing from {one} to {other}")
        if position[other] and other != start and "no line" not in "".join(seen):
            seen.append(f"to {other}, which is occupied")
    seen += [f"takes {square} twice" for square in sorted({each for each in taken if taken.count(each) > 1})]
    if "x" in move and path[-1] == start:
        seen.append("ends where it began")
    told = dict.fromkeys([*_beside(legal_moves(turns, position), move, taken), *seen])
    return f" ({'; '.join(told)})" if told else ""


def _lines(position: Position, path: Sequence[int]) -> list[list[int]]:
    """Return the squares between each two of a path; none for two that are on no line."""
    board = position.board
    return [[board.number(bit) for bit in board.between(one, other) or ()] for one, other in pairwise(path)]


def _takes(squares: Sequence[int]) -> str:
    return f"takes {', '.join(map(str, squares))}"


def _beside(legal: Sequence[object], move: str, taken: Sequence[int]) -> list[str]:
    """Return how a wrong move compares with the legal ones."""
    told, texts, jumps = [], [str(each) for each in legal], move.partition(" (")[0].count("x")
    if taken and jumps:
        told.append(_takes(taken))
    if longer := [text for text in texts if text.startswith(f"{move}x")]:
        told.append(f"stops short of {longer[0]}")
    elif jumps and (best := max(texts, key=lambda text: text.count("x"), default="")).count("x") > jumps:
        told.append(f"takes {jumps} where {best} takes {best.count('x')}")
    elif not jumps and (capture := next((text for text in texts if "x" in text), None)):
        told.append(f"although {capture} is possible")
    return told
