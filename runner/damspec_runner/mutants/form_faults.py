"""Faults in form: how a position is read and written, such as one that is cut short, and how an action is named.

They are about no rule, so that nearly every case tells them from the right rules: they are tried as explanations of
wrong answers, and are not in the catalogue that the cases are measured by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import takewhile
from typing import NamedTuple

from damspec import Action, Huff, Move, Position, Ruleset
from damspec.board import SIDES, Side, opponent
from damspec.huffing import HuffableOffence
from damspec.king_runs import find_run_invalidity, without_runs
from damspec.turn import ActionGenerator

from .faults import FaultyGenerator, Hooks, Values
from .turn_faults import renumber_action

#: A function that returns the position that one is read or written as.
ReadPosition = Callable[[Position], Position]
#: A function that returns the action under its other name.
NameAction = Callable[[Position, Action], Action]
#: The number of positions whose misreading is cached.
_KEPT = 20_000
#: The fewest characters that an engine has room for.
_ROOM = 16


@dataclass(frozen=True)
class ReadingFault:
    """A fault in reading positions, and perhaps in writing them, such as "reads every king as a man"."""

    name: str
    read: ReadPosition
    written: ReadPosition = lambda position: position

    def turns(self, right: ActionGenerator) -> FaultyGenerator:
        """Return the right turns with this fault."""
        read, written = lru_cache(_KEPT)(self.read), self.written
        hooks: Hooks = {
            "reads": lambda v, turns, position: read(position),
            "after": _with_run_of_no_king,
            "writes": lambda v, turns, position: written(position),
        }
        return FaultyGenerator(right, hooks, in_text=True)


def _with_run_of_no_king(
    v: Values, turns: FaultyGenerator, read: Position, action: Action, after: Position
) -> Position:
    """Return a position with a run of no king, which is ended by nothing but a capture on its square."""
    other = opponent(read.turn)
    run = read.run(other)
    if not run or not find_run_invalidity(read, other) or not after.men(other) or not isinstance(action, Move):
        return after
    return after if run.square in action.captured else after.with_run(other, run)


@dataclass(frozen=True)
class NamingFault:
    """A fault in how actions are named, such as "names a huff of the piece that moved by the square that it left"."""

    name: str
    named: NameAction

    def turns(self, right: ActionGenerator) -> FaultyGenerator:
        """Return the right turns with this fault."""
        hooks: Hooks = {"names": lambda v, turns, position, action: self.named(position, action)}
        return FaultyGenerator(right, hooks, in_text=True)


def faults_in_form(ruleset: Ruleset) -> Iterator[ReadingFault | NamingFault]:
    """Yield every misreading, and every wrong name for actions, that can show in a game."""
    yield from _of_actions(ruleset)
    yield from _of_fields(ruleset)
    yield from _of_lists()
    start = Position.start(ruleset.rules)
    # Up to the length of the position at the start, with a crown for each piece.
    for most in range(_ROOM, len(start.fen()) + len(start)):
        cut = partial(_cut, closed=start.sliders, most=most)
        yield ReadingFault(f"reads no more than the first {most} characters of a position", cut)


# --- the names of actions


def _of_actions(ruleset: Ruleset) -> Iterator[NamingFault]:
    for side in SIDES:
        words = side.capitalize()
        says = f"numbers the squares in moves of {words} from the other side of the board"
        yield NamingFault(says, partial(_renumber_side, side=side))
    if ruleset.rules.huff and "huff" in ruleset.rules.huff.remedies:
        yield NamingFault("names a huff of the piece that moved by the square that it left", _huff_by_start)


def _renumber_side(position: Position, action: Action, side: Side) -> Action:
    """Return a side's action with the squares numbered from the other end of the board."""
    squares = len(position.board)
    return renumber_action(action, lambda square: squares + 1 - square) if position.turn == side else action


def _huff_by_start(position: Position, action: Action) -> Action:
    if not isinstance(action, Huff):
        return action
    lapse = HuffableOffence.of(position)
    return Huff(lapse.start) if action.square == lapse.end else action


# --- the lists of squares


class ListedPiece(NamedTuple):
    """A piece in the list of its side."""

    crowned: bool
    square: int


ChangeList = Callable[[list[ListedPiece]], list[ListedPiece]]


def _piece_list(position: Position, side: Side) -> list[ListedPiece]:
    kings, board = position.kings(side), position.board
    return [ListedPiece(bool(board.bit(square) & kings), square) for square in board.numbers(position.occupied(side))]


def _standing(position: Position, lists: Sequence[Sequence[ListedPiece]]) -> Position:
    """Return the position with White's listed pieces and then Black's; the later of two on a square stands."""
    board, pieces = position.board, dict[int, tuple[Side, bool]]()
    for side, listed in zip(SIDES, lists, strict=True):
        pieces |= {one.square: (side, one.crowned) for one in listed if 1 <= one.square <= len(board)}

    def mask(side: Side, *, crowned: bool) -> int:
        return board.mask(square for square, piece in pieces.items() if piece == (side, crowned))

    return replace(
        position,
        white_men=mask("white", crowned=False),
        white_kings=mask("white", crowned=True),
        black_men=mask("black", crowned=False),
        black_kings=mask("black", crowned=True),
    )


def _change_lists(position: Position, change: ChangeList, sides: Sequence[Side]) -> Position:
    lists = [_piece_list(position, side) for side in SIDES]
    return _standing(
        position, [change(listed) if side in sides else listed for side, listed in zip(SIDES, lists, strict=True)]
    )


def _of_lists() -> Iterator[ReadingFault]:
    """Yield the misreadings of squares and crowns, in the lists of both sides or of one."""

    def one(says: str, change: ChangeList, *sides: Side) -> ReadingFault:
        return ReadingFault(says, partial(_change_lists, change=change, sides=sides or SIDES))

    yield one("reads every king as a man", lambda listed: [each._replace(crowned=False) for each in listed])
    for side in SIDES:
        yield one(
            f"reads every {side} king as a man", lambda listed: [each._replace(crowned=False) for each in listed], side
        )
    yield one(
        "reads a king as a man unless it is the first piece in the list of its side",
        lambda listed: [*listed[:1], *(each._replace(crowned=False) for each in listed[1:])],
    )
    yield one("reads the pieces that follow a king in the list of its side as kings too", _crowned_on)
    yield one(
        "reads only the first digit of a king's square",
        lambda listed: [_first_digit(each) if each.crowned else each for each in listed],
    )
    yield one("reads only the first digit of a square", lambda listed: [*map(_first_digit, listed)])
    yield one("does not read the last piece in the list of a side", lambda listed: listed[:-1])
    for side in SIDES:
        yield one(f"does not read the last piece in {side.capitalize()}'s list", lambda listed: listed[:-1], side)


def _first_digit(piece: ListedPiece) -> ListedPiece:
    return piece._replace(square=int(str(piece.square)[0]))


def _crowned_on(listed: list[ListedPiece]) -> list[ListedPiece]:
    men = len([*takewhile(lambda each: not each.crowned, listed)])
    return [*listed[:men], *(each._replace(crowned=True) for each in listed[men:])]


# --- the fields


def _of_fields(ruleset: Ruleset) -> Iterator[ReadingFault]:
    """Yield the misreadings of what a position has besides its pieces."""
    rules = ruleset.rules
    if rules.king.move_limit is not None:
        yield ReadingFault("does not read the runs of kings", without_runs)
        yield ReadingFault("reads each side's run of a king as the other side's", _swap_runs)
        yield ReadingFault(
            "reads and writes the runs of both sides in the wrong order, one's for the other's", _swap_runs, _swap_runs
        )
    if rules.spin:
        yield ReadingFault("does not read the result of a spin", lambda position: replace(position, spin=None))
    if rules.trapdoors and rules.trapdoors.closing != "at-once":
        closed = rules.trapdoors.layout.middle_letters
        yield ReadingFault("does not read where the sliders stand", lambda position: replace(position, sliders=closed))
        for how, mixed in _MIXED.items():
            yield ReadingFault(f"reads the sliders {how}", mixed)
            yield ReadingFault(f"reads and writes the sliders {how}", mixed, mixed)
    if rules.huff:
        yield ReadingFault(
            "does not read the lapse that can be huffed", lambda position: replace(position, huffable=None)
        )


def _swap_runs(position: Position) -> Position:
    return replace(position, white_run=position.black_run, black_run=position.white_run)


_LEFT_FOR_RIGHT = str.maketrans("LR", "RL")
_MIXED: dict[str, ReadPosition] = {
    "in the reverse order": lambda position: replace(position, sliders=(position.sliders or "")[::-1] or None),
    "with left and right mixed up": lambda position: replace(
        position, sliders=(position.sliders or "").translate(_LEFT_FOR_RIGHT) or None
    ),
}


# --- the text


def _cut(position: Position, closed: str | None, most: int) -> Position:
    """Return the position that the first characters of its text give; a number cut in two is read as it stands.

    A field that is not there in full is not read; sliders are `closed` then.
    """
    text = position.fen()
    if len(text) <= most:
        return position
    _, *parts = text[:most].split(":")
    fields = parts[2 : len(parts) if text[most] == ":" else -1]
    names = {field.partition("=")[0] for field in fields}
    read = replace(
        position if any(name.startswith("+") for name in names) else without_runs(position),
        sliders=position.sliders if "sliders" in names else closed,
        spin=position.spin if "spin" in names else None,
        huffable=position.huffable if "huffable" in names else None,
        compelled="compelled" in names,
    )
    return _standing(read, [_squares(part[1:]) for part in (*parts[:2], "", "")[:2]])


def _squares(text: str) -> list[ListedPiece]:
    """Return the pieces of a list, which may break off anywhere."""
    tokens = [(token.startswith("K"), token.removeprefix("K")) for token in text.split(",")]
    return [ListedPiece(crowned, int(square)) for crowned, square in tokens if square]
