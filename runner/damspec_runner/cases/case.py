"""A case: position, expectation and why, read from one entry of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from damspec import DamspecError, Outcome, Position, Ruleset, data, load_ruleset
from damspec.board import Board, board_of
from damspec.inheritance import is_shipped
from damspec.move import is_move_text, read_squares

#: The topics of cases, in the order of their files.
TOPICS: tuple[str, ...] = tuple(data.schema("cases")["$defs"]["topic"]["enum"])


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected answer: the moves and perhaps the lapses, each with the position after it; or the outcome.

    Or a `game`: a sequence of actions, each with the position after it, and the outcome at its `end`. The reason of an
    outcome is never compared with an engine's.
    """

    moves: Mapping[str, str] | None = None
    lapses: Mapping[str, str] | None = None
    outcome: Outcome | None = None
    game: tuple[tuple[str, str], ...] = ()
    end: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A position with the expected answer.

    `history` are actions played from the position; the expected outcome is that after them. `reached` are actions that
    lead to the position from the start. `file` is the file of the case.
    """

    id: str
    ruleset: str
    topic: str
    why: str
    clauses: tuple[str, ...]
    position: str
    expected: Expectation
    readings: tuple[str, ...] = ()
    otherwise: Mapping[str, Expectation] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    generated: str | None = None
    reached: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    file: Path = Path()

    @property
    def title(self) -> str:
        """The last part of its id, in words."""
        words = self.id.rpartition(".")[2].replace("-", " ")
        return words[0].upper() + words[1:]

    @property
    def setting(self) -> str:
        """The position and the actions played from there, as text."""
        return f"{self.position} after {', '.join(self.history)}" if self.history else self.position

    @property
    def question(self) -> str:
        """The question for an engine: `moves`, `play` for a game, or `outcome`."""
        return "outcome" if self.expected.outcome is not None else "play" if self.expected.game else "moves"


#: The largest possible board, for rulesets that are unknown here.
_LARGEST_BOARD = Board(26, 26, "all")


def check_legible(content: Mapping[str, Any], where: str) -> None:
    """Check that all positions and actions of a file can be read. Raises FileError, naming file, case and place."""
    ruleset = load_ruleset(content["ruleset"]) if is_shipped(content["ruleset"]) else None
    for entry in content["cases"]:
        for place, error in _unreadable_parts(entry, ruleset):
            raise data.FileError(f"{where}: {entry['id']}: {place}{error}")


def _unreadable_parts(entry: Mapping[str, Any], ruleset: Ruleset | None) -> Iterator[tuple[str, DamspecError]]:
    try:
        if ruleset is not None:
            ruleset.position(entry["position"])
        elif entry["position"] != "start":
            Position.from_fen(entry["position"], _LARGEST_BOARD)
    except DamspecError as error:
        yield "", error
    yield from _unreadable_expectation(entry, ruleset, "")
    yield from _unreadable_actions(entry, "reached", ruleset)
    yield from _unreadable_actions(entry, "history", ruleset)
    for query, expected in entry.get("otherwise", {}).items():
        try:
            under = ruleset and load_ruleset(f"{ruleset.id}?{query}")
        except DamspecError as error:
            yield "otherwise: ", error
        else:
            yield from _unreadable_expectation(expected, under, f"otherwise {query}: ")


def _unreadable_actions(
    entry: Mapping[str, Any], key: str, ruleset: Ruleset | None
) -> Iterator[tuple[str, DamspecError]]:
    """Yield the unreadable actions among those under `key`, with their errors."""
    board = _LARGEST_BOARD if ruleset is None else board_of(ruleset.values)
    for number, text in enumerate(entry.get(key, ()), 1):
        try:
            if is_move_text(text):
                read_squares(text, board)
        except DamspecError as error:
            yield f"{key}, {number}: {text[:100]}: ", error


def _unreadable_expectation(
    expected: Mapping[str, Any], ruleset: Ruleset | None, place: str
) -> Iterator[tuple[str, DamspecError]]:
    """Yield the unreadable moves, lapses and game steps, with their errors."""
    board = _LARGEST_BOARD if ruleset is None else board_of(ruleset.values)
    steps = [
        (f"{kind}: {text}", text, fen) for kind in ("moves", "lapses") for text, fen in expected.get(kind, {}).items()
    ]
    for number, step in enumerate(expected.get("game", ()), 1):
        steps += [(f"game, {number}: {text}", text, fen) for text, fen in step.items()]
    for step_place, text, fen in steps:
        try:
            if is_move_text(text):
                read_squares(text, board)
            Position.from_fen(fen, board)
        except DamspecError as error:
            yield f"{place}{step_place[:100]}: ", error


def case_of(entry: Mapping[str, Any], content: Mapping[str, Any], path: Path) -> Case:
    """Build a case from its entry; `content` has its ruleset, and its topic if its id does not."""
    return Case(
        id=entry["id"],
        ruleset=content["ruleset"],
        topic=content.get("topic") or entry["id"].split(".")[1],
        why=entry["why"],
        clauses=tuple(entry["clauses"]),
        position=entry["position"],
        expected=_expectation(entry),
        readings=tuple(entry.get("readings", ())),
        otherwise={pair: _expectation(given) for pair, given in entry.get("otherwise", {}).items()},
        tags=tuple(entry.get("tags", ())),
        generated=entry.get("generated"),
        reached=tuple(entry.get("reached", ())),
        history=tuple(entry.get("history", ())),
        file=path,
    )


def _expectation(entry: Mapping[str, Any]) -> Expectation:
    return Expectation(
        moves=entry.get("moves"),
        lapses=entry.get("lapses"),
        outcome=Outcome(**entry["outcome"]) if "outcome" in entry else None,
        game=tuple(next(iter(step.items())) for step in entry.get("game", ())),
        end=Outcome(**entry["end"]) if "end" in entry else None,
    )
