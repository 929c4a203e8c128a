"""Comparing an engine's answers with a case: which moves are the same move, and what is missing, extra or double.

This knows the geometry of the board and nothing of the rules: what is right is what the case says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from damspec import MoveError, Position, PositionError
from damspec.action import is_move_text
from damspec.move import read_squares, shortens

from ..cases.notation import Key, trace
from ..engines.protocol import plain


@dataclass(frozen=True)
class MovesDifference:
    """How a list of moves differs from the expected one. Duplicates are a warning, the rest are faults."""

    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    unparsable: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    #: The engine's own value for each expected move that it listed.
    listed: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.missing or self.extra or self.unparsable)


def compare_moves(position: Position, expected: Iterable[str], answer: Sequence[Any]) -> MovesDifference:
    """An engine's list of moves (strings or objects, see docs/protocol.md) against the expected moves."""
    wanted: dict[str, Key | None] = {text: trace(position, text) for text in expected}
    in_full = _in_full(position, answer, wanted)
    shortened = {text: key for text, key in wanted.items() if key not in in_full}
    left = dict(wanted)
    listed: dict[str, Any] = {}
    extra: list[str] = []
    unparsable: list[str] = []
    duplicates: list[str] = []
    seen: Counter[Key] = Counter()
    for given in answer:
        text = move_text(given)
        try:
            key = _key(position, given, wanted, shortened)
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
    return MovesDifference(tuple(left), tuple(extra), tuple(unparsable), tuple(duplicates), listed)


def move_text(given: Any) -> str:
    """A move as an engine gives it, for a report: of an object its notation and what it captures."""
    if isinstance(given, dict):
        return f"{plain(given['move'])} (takes {', '.join(map(str, given['captured'])) or 'nothing'})"
    return plain(given)


def move_key(position: Position, given: Any) -> Key | None:
    """The move an engine means, where no expected move is known. Raises InvalidMove."""
    return _key(position, given, {}, {})


def _in_full(position: Position, answer: Sequence[Any], wanted: Mapping[str, Key | None]) -> set[Key | None]:
    """The expected moves that an engine lists without leaving out squares."""
    found = set()
    for given in answer:
        with suppress(MoveError, PositionError):
            found.add(_key(position, given, {}, {}))
    return found & set(wanted.values())


def _key(
    position: Position, given: Any, wanted: Mapping[str, Key | None], shortened: Mapping[str, Key | None]
) -> Key | None:
    """The move an engine means. A short form is the one expected move it can be short for, if there is one.

    What can be read as a whole capture of its own is no short form of a move that the engine lists in full besides.
    """
    notation = str(given["move"] if isinstance(given, dict) else given)
    if not is_move_text(notation):
        return notation
    squares, captures = read_squares(notation, position.board)
    if isinstance(given, dict):
        return squares[0], squares[-1], frozenset(given["captured"])
    key = trace(position, given)
    if not captures or key in wanted.values():
        return key
    moves = {text: other for text, other in (wanted if key is None else shortened).items() if is_move_text(text)}
    expected = ((other, read_squares(text, position.board)) for text, other in moves.items())
    short_for = {other for other, (path, jumps) in expected if jumps and shortens(squares, path)}
    return short_for.pop() if len(short_for) == 1 else key
