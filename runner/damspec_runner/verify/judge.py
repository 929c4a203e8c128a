"""Comparing an engine's answers with a case: which notations denote the same move; what is missing, extra or double.

This knows the geometry of the board and nothing of the rules: what is right is what the case says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from damspec import MoveError, Position, PositionError, Ruleset
from damspec.move import is_move_text, read_squares, shortens
from damspec.position import with_sliders

from ..cases.case import Case
from ..cases.notation import Key, is_possible_capture, move_effect
from ..engines.protocol import strip_control_characters

#: Returns whether a listed move leads where an expected move does, by asking the engine.
LeadsTo = Callable[[Any, str], bool]


#: The prefix of a lapse in a result.
LAPSE = "lapse "
#: How many wrong entries of a list are kept: more than an engine lists that plays by any rules.
WRONG_KEPT = 200
#: A move with its captured squares, as reports write it.
_TAKING = re.compile(r"(\S+) \(takes ([0-9, ]+|nothing)\)")


@dataclass(frozen=True)
class MoveListDiff:
    """How a list of moves differs from the expected one. Duplicates are a warning, the rest are faults."""

    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    unparsable: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    #: The engine's notation of each expected move that it listed.
    listed: Mapping[str, Any] = field(default_factory=dict)
    #: Captures that were taken literally but may be short for an expected one.
    ambiguous: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.extra or self.unparsable)


def compare_moves(
    position: Position,
    expected: Iterable[str],
    answer: Sequence[Any],
    *,
    leads_to: LeadsTo | None = None,
    complete: bool = False,
) -> MoveListDiff:
    """Compare an engine's list of moves (strings or objects, see docs/protocol.md) with the expected moves.

    Squares left out of a notation are filled in where it can be short for one expected move only. A capture that is
    possible as it is written is that capture, unless `leads_to` says that the engine means the longer one by it. If
    `complete`, no notation leaves out squares.
    """
    wanted: dict[str, Key | None] = {text: move_effect(position, text) for text in expected}
    listing = _Listing(position, wanted, leads_to, complete)
    listing.find_full(answer)
    left = dict(wanted)
    listed: dict[str, Any] = {}
    extra: list[str] = []
    unparsable: list[str] = []
    duplicates: list[str] = []
    seen: Counter[Key] = Counter()
    for given in answer:
        text = move_text(given)
        try:
            key = listing.key(given)
        except (MoveError, PositionError):
            unparsable.append(text)
            continue
        known = next((move for move, other in left.items() if other == key and key is not None), None)
        if known is not None:
            listed[known] = given
            del left[known]
        elif seen[key or text]:
            duplicates.append(text)
        else:
            extra.append(text)
        seen[key or text] += 1
    for wrong in (extra, unparsable):
        if len(wrong) > WRONG_KEPT:
            wrong[WRONG_KEPT:] = [f"... and {len(wrong) - WRONG_KEPT} more"]
    return MoveListDiff(
        tuple(left), tuple(extra), tuple(unparsable), tuple(duplicates), listed, tuple(listing.ambiguous)
    )


def move_text(given: Any) -> str:
    """Return an engine's move as text for a report; for an object, with what it captures."""
    if isinstance(given, dict):
        return (
            f"{strip_control_characters(given['move'])} (takes {', '.join(map(str, given['captured'])) or 'nothing'})"
        )
    return strip_control_characters(given)


def move_key(position: Position, given: Any) -> Key | None:
    """Return the move an engine means, where no expected move is known. Raises InvalidMoveError."""
    notation = str(given["move"] if isinstance(given, dict) else given)
    if is_move_text(notation) and isinstance(given, dict):
        squares, _ = read_squares(notation, position.board)
        return squares[0], squares[-1], frozenset(given["captured"])
    return move_effect(position, notation)


def keys_or_texts(position: Position, answer: Iterable[Any]) -> frozenset[Key]:
    """Return a set of an engine's moves regardless of order and paths; of what is no move, the text."""
    found = set()
    for given in answer:
        key = None
        with suppress(MoveError, PositionError):
            key = move_key(position, given)
        found.add(key or move_text(given))
    return frozenset(found)


def reported_key(position: Position, text: str) -> Key | None:
    """The move that `move_text` wrote; None if its notation leaves open what it captures. Raises InvalidMoveError."""
    taking = _TAKING.fullmatch(text)
    if not taking:
        return move_effect(position, text)
    squares = re.split("[-x:]", taking[1])
    captured = frozenset(map(int, re.findall("[0-9]+", taking[2])))
    return position.board.square(squares[0]), position.board.square(squares[-1]), captured


def read_position(ruleset: Ruleset, fen: str) -> Position:
    """Return a position for comparison, even an impossible one. Raises PositionError."""
    return with_sliders(ruleset.rules, Position.from_fen(fen, ruleset.rules.board))


def are_same_faults(ruleset: Ruleset, case: Case, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two results of a case have the same faults, by `Result.faults`.

    Moves are the same by any of their paths and in any order, positions however they are written: an engine that lists
    from a set says the same each time in other words.
    """
    return one == other or _normalise(ruleset, case, one) == _normalise(ruleset, case, other)


def _normalise(ruleset: Ruleset, case: Case, faults: Mapping[str, Any]) -> dict[str, Any]:
    """Return faults in a form independent of notation and order."""
    try:
        position = ruleset.position(case.position)
    except PositionError:
        return dict(faults)

    def action_key(text: str) -> Any:
        lapse = text.startswith(LAPSE)
        try:
            return lapse, reported_key(position, text.removeprefix(LAPSE)) or text
        except (MoveError, PositionError):
            return lapse, text

    def position_key(mismatch: Mapping[str, str]) -> Any:
        try:
            return read_position(ruleset, mismatch["got"])
        except (MoveError, PositionError):
            return mismatch["got"]

    judged = dict(faults)
    for word in ("missing", "extra", "unparsable"):
        if word in faults:
            judged[word] = frozenset(map(action_key, faults[word]))
    if "start" in faults:
        judged["start"] = position_key(faults["start"])
    if "after" in faults:
        judged["after"] = {move: position_key(mismatch) for move, mismatch in faults["after"].items()}
    return judged


class _Listing:
    """Interprets the notations in an engine's list, given the expected moves."""

    def __init__(
        self, position: Position, wanted: Mapping[str, Key | None], leads_to: LeadsTo | None, complete: bool
    ) -> None:
        self._position, self._wanted, self._leads_to, self._complete = position, wanted, leads_to, complete
        #: The expected captures that are not listed in full.
        self._left: dict[str, Key | None] = {}
        #: Captures that may be short for a longer one, which cannot be decided.
        self.ambiguous: list[str] = []

    def find_full(self, answer: Sequence[Any]) -> None:
        """Find out which expected moves are listed with every square."""
        full = set()
        for given in answer:
            with suppress(MoveError, PositionError):
                full.add(move_key(self._position, given))
        self._left = {text: key for text, key in self._wanted.items() if key not in full}

    def key(self, given: Any) -> Key | None:
        """Return the move that is meant. Raises InvalidMoveError."""
        key = move_key(self._position, given)
        if self._complete or not isinstance(given, str) or not is_move_text(given) or key in self._wanted.values():
            return key
        board = self._position.board
        squares, captures = read_squares(given, board)
        moves = self._wanted if key is None else self._left
        paths = ((text, *read_squares(text, board)) for text in moves if is_move_text(text))
        longer = {moves[text]: text for text, path, jumps in paths if captures and jumps and shortens(squares, path)}
        if len(longer) != 1:
            return key
        ((meant, text),) = longer.items()
        if key is None or not is_possible_capture(self._position, given):
            return meant
        if self._leads_to is None:
            self.ambiguous.append(given)
            return key
        return meant if self._leads_to(given, text) else key
