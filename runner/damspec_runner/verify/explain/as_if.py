"""Positions as an engine may take them: changed as a whole, shifted or mirrored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial

from damspec import Piece, Position
from damspec.board import SIDES, Side, opponent
from damspec.king_runs import drop_moot_runs
from damspec.turn import ActionGenerator

from ..result import Result
from .lab import Laboratory, legal_moves, size_of, squares_of

#: A position and the engine's list of its moves.
AnsweredList = tuple[Position, Result]
#: What an engine may take a position for.
Change = Callable[[Position], Position]
#: The most lists of a status that are needed; the most wrong ones that a change is tried on, and the fewest.
LISTS, _WRONG, _FEWEST = 60, 10, 3
#: How far positions are shifted.
_FAR = 9


def as_if(lab: Laboratory, wrong: Sequence[AnsweredList], right: Sequence[AnsweredList]) -> list[str]:
    """Return in a sentence as what the engine takes all positions, if that gives all its lists, wrong and right."""
    wrong = [each for each in wrong if not each[1].after][:_WRONG]
    if len(wrong) < _FEWEST:
        return []
    for text, change in _changes():
        if all(_gives(lab, change, *each) for each in (*wrong, *right)):
            told = f"in all {len(wrong)} wrong and {len(right)} right lists tried"
            return [f"{told}, it lists exactly what is right if {text}"]
    return []


def _gives(lab: Laboratory, change: Change, position: Position, result: Result) -> bool:
    """Return whether the legal moves of a changed position are those that the engine listed."""
    listed = set(result.case.expected.moves or ()).difference(result.missing) | {*result.extra, *result.unparsable}
    return _ends(listed, position) == _ends(map(str, lab.turns.actions(change(position))), position)


def _ends(moves: Collection[str] | Iterator[str], position: Position) -> set[object]:
    """Return moves by their ends and how many pieces they take, since their ways may be written otherwise."""
    squares = ((squares_of(move, position), move) for move in moves)
    return {(path[0], path[-1], size_of(move)) if path else move for path, move in squares}


def _changes() -> Iterator[tuple[str, Change]]:
    """Yield what a position may be taken for, each in words."""
    yield "it were the other side's turn", _other_turn
    whose: dict[str, Sequence[Side]] = {"all kings": SIDES, "White's kings": ("white",), "Black's kings": ("black",)}
    for text, sides in whose.items():
        yield f"{text} were men", partial(_recast, sides=sides, stay=True)
        yield f"{text} were not there", partial(_recast, sides=sides, stay=False)
    for side in ("the mover's", "the opponent's", "White's", "Black's"):
        for which, place in (("highest", -1), ("lowest", 0)):
            text = f"{side} piece with the {which} number were not there"
            yield text, partial(_without_one, whose=side, place=place)


def _other_turn(position: Position) -> Position:
    return drop_moot_runs(replace(position, turn=opponent(position.turn)))


def _recast(position: Position, sides: Collection[Side], stay: bool) -> Position:
    """Return a position without the kings of some sides, or with men in their place."""
    for square, piece in position.pieces():
        if piece.kind == "king" and piece.side in sides:
            position = position.without_piece_at(square)
            position = position.with_piece_at(square, Piece(piece.side, "man")) if stay else position
    return drop_moot_runs(position)


def _without_one(position: Position, whose: str, place: int) -> Position:
    sides: dict[str, Side] = {"White's": "white", "Black's": "black", "the mover's": position.turn}
    numbers = position.board.numbers(position.occupied(sides.get(whose, opponent(position.turn))))
    return drop_moot_runs(position.without_piece_at(numbers[place])) if numbers else position


# --- the same elsewhere on the board

#: A position elsewhere on the board, and where each of its squares went.
Elsewhere = tuple[Position, dict[int, int]]


def shifted(position: Position, path: Collection[int], turns: ActionGenerator) -> Iterator[Elsewhere]:
    """Yield the position elsewhere on the board, with the same legal moves there."""
    for columns in range(-_FAR, _FAR + 1):
        for rows in range(-_FAR, _FAR + 1):
            if (columns or rows) and (found := _moved(position, path, turns, 1, columns, rows)):
                yield found


def mirrored_left_right(position: Position, path: Collection[int], turns: ActionGenerator) -> Elsewhere | None:
    """Return the position with left and right exchanged, if the board has it somewhere with the same legal moves."""
    axes = range(2 * position.board.columns - 1)
    return next((found for axis in axes if (found := _moved(position, path, turns, -1, axis, 0))), None)


def _moved(
    position: Position, path: Collection[int], turns: ActionGenerator, turn: int, columns: int, rows: int
) -> Elsewhere | None:
    board = position.board
    numbers = {place: number for number, place in enumerate(board.places, 1)}
    places = {square: board.places[square - 1] for square in {*position, *path}}
    goes = {square: numbers.get((turn * column + columns, row + rows)) for square, (column, row) in places.items()}
    went = {square: to for square, to in goes.items() if to is not None}
    if len(went) < len(goes):
        return None
    moved = replace(position, white_men=0, white_kings=0, black_men=0, black_kings=0, white_run=None, black_run=None)
    for square, piece in position.pieces():
        moved = moved.with_piece_at(went[square], piece)
    ends = {(went[move.start], went[move.end], len(move.captured)) for move in legal_moves(turns, position)}
    same = {(move.start, move.end, len(move.captured)) for move in legal_moves(turns, moved)} == ends
    return (moved, went) if same else None
