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

from .faulty_turns import FaultyGenerator, renamed

#: What a position is taken for when it is read, or when it is written.
Reading = Callable[[Position], Position]
#: What an action is called in a position.
Naming = Callable[[Position, Action], Action]
#: Of how many positions is kept what they are taken for.
_KEPT = 20_000
#: The fewest characters that an engine has room for.
_ROOM = 16


@dataclass(frozen=True)
class Misreading:
    """A fault in reading positions, and perhaps in writing them, such as "reads every king as a man"."""

    name: str
    read: Reading
    written: Reading = lambda position: position

    def turns(self, right: ActionGenerator) -> ActionGenerator:
        """Return the right turns with this fault."""
        return Misread(right, self.read, self.written)


@dataclass(frozen=True)
class Misnaming:
    """A fault in how actions are named, such as "names a huff of the piece that moved by the square that it left"."""

    name: str
    named: Naming

    def turns(self, right: ActionGenerator) -> ActionGenerator:
        """Return the right turns with this fault."""
        return Misnamed(right, self.named)


class Misread(FaultyGenerator):
    """Takes each position for another one when it reads it, and perhaps when it writes it."""

    invents = in_text = True

    def __init__(self, right: ActionGenerator, read: Reading, written: Reading) -> None:
        super().__init__(right)
        self._taken_for, self._written = lru_cache(_KEPT)(read), written

    def read(self, position: Position) -> Position:
        """Return the position that is answered about instead."""
        return self._taken_for(super().read(position))

    def actions(self, position: Position) -> list[Action]:
        """Return what is listed as legal."""
        return self.right.actions(self._taken_for(position))

    def lapses(self, position: Position) -> list[Move]:
        """Return what is listed as lapses."""
        return self.right.lapses(self._taken_for(position))

    def after(self, position: Position, action: Action) -> Position:
        """Return the position after an action that is listed."""
        seen = self._taken_for(position)
        after, other = self.right.after(seen, action), opponent(seen.turn)
        run = seen.run(other)
        # A run of no king, which is read where there is none, is ended by nothing but a capture on its square.
        if run and find_run_invalidity(seen, other) and after.men(other) and isinstance(action, Move):
            after = after if run.square in action.captured else after.with_run(other, run)
        return self._written(after)


class Misnamed(FaultyGenerator):
    """Calls actions by other names, in what it lists and in what it is told to play."""

    invents = in_text = True

    def __init__(self, right: ActionGenerator, named: Naming) -> None:
        super().__init__(right)
        self._named = named

    def actions(self, position: Position) -> list[Action]:
        """Return what is listed as legal."""
        return [self._named(position, action) for action in self.right.actions(position)]

    def lapses(self, position: Position) -> list[Move]:
        """Return what is listed as lapses."""
        named = (self._named(position, move) for move in self.right.lapses(position))
        return [move for move in named if isinstance(move, Move)]

    def after(self, position: Position, action: Action) -> Position:
        """Return the position after an action that is listed."""
        known = (*self.right.actions(position), *self.right.lapses(position))
        meant = (one for one in known if self._named(position, one) == action)
        return self.right.after(position, next(meant, action))


def faults_in_form(ruleset: Ruleset) -> Iterator[Misreading | Misnaming]:
    """Yield every misreading, and every wrong name for actions, that can show in a game."""
    yield from _of_actions(ruleset)
    yield from _of_fields(ruleset)
    yield from _of_lists()
    start = Position.start(ruleset.rules)
    # Up to the length of the position at the start, with a crown for each piece.
    for most in range(_ROOM, len(start.fen()) + len(start)):
        cut = partial(_cut, closed=start.sliders, most=most)
        yield Misreading(f"reads no more than the first {most} characters of a position", cut)


# --- the names of actions


def _of_actions(ruleset: Ruleset) -> Iterator[Misnaming]:
    for side in SIDES:
        words = side.capitalize()
        says = f"numbers the squares in moves of {words} from the other side of the board"
        yield Misnaming(says, partial(_turned, side=side))
    if ruleset.rules.huff and "huff" in ruleset.rules.huff.remedies:
        yield Misnaming("names a huff of the piece that moved by the square that it left", _huff_by_start)


def _turned(position: Position, action: Action, side: Side) -> Action:
    """Return a side's action with the squares numbered from the other end of the board."""
    squares = len(position.board)
    return renamed(action, lambda square: squares + 1 - square) if position.turn == side else action


def _huff_by_start(position: Position, action: Action) -> Action:
    if not isinstance(action, Huff):
        return action
    lapse = HuffableOffence.of(position)
    return Huff(lapse.start) if action.square == lapse.end else action


# --- the lists of squares


class Listed(NamedTuple):
    """A piece as the list of its side has it."""

    crowned: bool
    square: int


def _listed(position: Position, side: Side) -> list[Listed]:
    kings, board = position.kings(side), position.board
    return [Listed(bool(board.bit(square) & kings), square) for square in board.numbers(position.occupied(side))]


def _standing(position: Position, lists: Sequence[Sequence[Listed]]) -> Position:
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


def _relisted(position: Position, change: Callable[[list[Listed]], list[Listed]], sides: Sequence[Side]) -> Position:
    lists = [_listed(position, side) for side in SIDES]
    return _standing(
        position, [change(listed) if side in sides else listed for side, listed in zip(SIDES, lists, strict=True)]
    )


def _of_lists() -> Iterator[Misreading]:
    """Squares and crowns that are read wrongly, in the list of either side or of one."""

    def one(says: str, change: Callable[[list[Listed]], list[Listed]], *sides: Side) -> Misreading:
        return Misreading(says, partial(_relisted, change=change, sides=sides or SIDES))

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


def _first_digit(piece: Listed) -> Listed:
    return piece._replace(square=int(str(piece.square)[0]))


def _crowned_on(listed: list[Listed]) -> list[Listed]:
    men = len([*takewhile(lambda each: not each.crowned, listed)])
    return [*listed[:men], *(each._replace(crowned=True) for each in listed[men:])]


# --- the fields


def _of_fields(ruleset: Ruleset) -> Iterator[Misreading]:
    """Yield what a position has beside its pieces: not read, or read as something else."""
    rules = ruleset.rules
    if rules.king.move_limit is not None:
        yield Misreading("does not read the runs of kings", without_runs)
        yield Misreading("reads each side's run of a king as the other side's", _exchanged)
        yield Misreading(
            "reads and writes the runs of both sides in the wrong order, one's for the other's", _exchanged, _exchanged
        )
    if rules.spin:
        yield Misreading("does not read the result of a spin", lambda position: replace(position, spin=None))
    if rules.trapdoors and rules.trapdoors.closing != "at-once":
        closed = rules.trapdoors.layout.closed
        yield Misreading("does not read where the sliders stand", lambda position: replace(position, sliders=closed))
        for how, mixed in _MIXED.items():
            yield Misreading(f"reads the sliders {how}", mixed)
            yield Misreading(f"reads and writes the sliders {how}", mixed, mixed)
    if rules.huff:
        yield Misreading(
            "does not read the lapse that can be huffed", lambda position: replace(position, huffable=None)
        )


def _exchanged(position: Position) -> Position:
    return replace(position, white_run=position.black_run, black_run=position.white_run)


_LEFT_FOR_RIGHT = str.maketrans("LR", "RL")
_MIXED: dict[str, Reading] = {
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


def _squares(text: str) -> list[Listed]:
    """Return the pieces of a list, which may break off anywhere."""
    tokens = [(token.startswith("K"), token.removeprefix("K")) for token in text.split(",")]
    return [Listed(crowned, int(square)) for crowned, square in tokens if square]
