"""Whether the positions and actions that a case is written in can be read: what the form of its file cannot say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from damspec import DamspecError, Position, Ruleset, data, load_ruleset
from damspec.action import is_move_text
from damspec.board import Board
from damspec.move import read_squares
from damspec.statements import is_shipped

#: The largest board there can be: for rules that are not known here.
_ANY = Board(26, 26, "all")


def check_legible(content: Mapping[str, Any], where: str) -> None:
    """Look at the cases in a file of the right form. Raises FileError, which names the file, the case and the place."""
    ruleset = load_ruleset(content["ruleset"]) if is_shipped(content["ruleset"]) else None
    for entry in content["cases"]:
        for place, error in _illegible(entry, ruleset):
            raise data.FileError(f"{where}: {entry['id']}: {place}{error}")


def _illegible(entry: Mapping[str, Any], ruleset: Ruleset | None) -> Iterator[tuple[str, DamspecError]]:
    try:
        if ruleset is not None:
            ruleset.position(entry["position"])
        elif entry["position"] != "start":
            Position.from_fen(entry["position"], _ANY)
    except DamspecError as error:
        yield "", error
    yield from _expectation(entry, ruleset, "")
    yield from _actions(entry, "reached", ruleset)
    yield from _actions(entry, "history", ruleset)
    for query, expected in entry.get("otherwise", {}).items():
        try:
            under = ruleset and ruleset.under(query)
        except DamspecError as error:
            yield "otherwise: ", error
        else:
            yield from _expectation(expected, under, f"otherwise {query}: ")


def _actions(entry: Mapping[str, Any], key: str, ruleset: Ruleset | None) -> Iterator[tuple[str, DamspecError]]:
    """What cannot be read of the actions that lead to a position, or from it."""
    board = _ANY if ruleset is None else ruleset.rules.board
    for number, text in enumerate(entry.get(key, ()), 1):
        try:
            if is_move_text(text):
                read_squares(text, board)
        except DamspecError as error:
            yield f"{key}, {number}: {text[:100]}: ", error


def _expectation(
    expected: Mapping[str, Any], ruleset: Ruleset | None, place: str
) -> Iterator[tuple[str, DamspecError]]:
    """What cannot be read of moves, lapses or a game."""
    board = _ANY if ruleset is None else ruleset.rules.board
    steps = [(f"{kind}: {text}", text, fen) for kind in ("moves", "lapses") for text, fen in _items(expected, kind)]
    for number, step in enumerate(expected.get("game", ()), 1):
        steps += [(f"game, {number}: {text}", text, fen) for text, fen in step.items()]
    for step_place, text, fen in steps:
        try:
            if is_move_text(text):
                read_squares(text, board)
            Position.from_fen(fen, board)
        except DamspecError as error:
            yield f"{place}{step_place[:100]}: ", error


def _items(expected: Mapping[str, Any], kind: str) -> Iterator[tuple[str, str]]:
    yield from expected.get(kind, {}).items()
