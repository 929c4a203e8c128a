"""What an engine may take every position for, and the same position elsewhere on the board."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from damspec import Action, Piece, Position
from damspec.board import SIDES, Side, opponent
from damspec.king_runs import drop_moot_runs
from damspec.turn import ActionGenerator

from ...answers.player import list_actions
from ...cases.answer import Answer
from ...cases.notation import Key
from ..result import Result, reported_key
from .engine_under_test import EngineUnderTest
from .symptoms import legal_moves

#: What an engine may take a position for.
Change = Callable[[Position], Position]
#: The most lists of a status that are needed; the most wrong ones that a change is tried on, and the fewest.
LISTS, _WRONG, _FEWEST = 60, 10, 3
#: How far positions are shifted.
_FAR = 9


def find_misreading(engine: EngineUnderTest, wrong: Sequence[Result], right: Sequence[Result]) -> list[str]:
    """Return in a sentence as what the engine takes all positions, if that gives all its lists, wrong and right."""
    wrong = [each for each in wrong if not any(one.what == "after" for one in each.differences)][:_WRONG]
    if len(wrong) < _FEWEST:
        return []
    for text, change in _changes():
        if all(_gives(engine, change, result) for result in (*wrong, *right)):
            told = f"in all {len(wrong)} wrong and {len(right)} right lists tried"
            return [f"{told}, it lists exactly what is right if {text}"]
    return []


def _gives(engine: EngineUnderTest, change: Change, result: Result) -> bool:
    """Return whether what is legal in a changed position is what the engine listed."""
    position, answer = change(result.question.position), result.said or Answer()
    listed = Answer(_read(position, answer.moves), _read(position, answer.lapses))
    return list_actions(engine.player, position).agrees(listed)


def _read(position: Position, listed: Mapping[Key, str | Action] | None) -> Mapping[Key, str | Action] | None:
    """Return a list as it is meant in a position; what was no move where it was given may be one there."""
    if listed is None:
        return None
    return {one if isinstance(one, tuple) else reported_key(position, str(text)): text for one, text in listed.items()}


def _changes() -> Iterator[tuple[str, Change]]:
    """Yield what a position may be taken for, each in words."""
    yield "it were the other side's turn", other_turn
    whose: dict[str, Sequence[Side]] = {"all kings": SIDES, "White's kings": ("white",), "Black's kings": ("black",)}
    for text, sides in whose.items():
        yield f"{text} were men", partial(_recast, sides=sides, stay=True)
        yield f"{text} were not there", partial(_recast, sides=sides, stay=False)
    for side in ("the mover's", "the opponent's", "White's", "Black's"):
        for which, place in (("highest", -1), ("lowest", 0)):
            text = f"{side} piece with the {which} number were not there"
            yield text, partial(_without_one, whose=side, place=place)


def other_turn(position: Position) -> Position:
    """Return the position with the other side to move."""
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
    return without_piece(position, numbers[place]) if numbers else position


def without_piece(position: Position, square: int) -> Position:
    """Return the position without the piece on a square."""
    return drop_moot_runs(position.without_piece_at(square))


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
