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


def check_legible(case: Case) -> None:
    """Check that all positions and actions of a case can be read. Raises FileError, naming file, case and place."""
    place = ""
    try:
        ruleset = load_ruleset(case.ruleset) if is_shipped(case.ruleset) else None
        if ruleset is not None:
            ruleset.position(case.position)
        elif case.position != "start":
            Position.from_fen(case.position, _LARGEST_BOARD)
        for where, board, action, after in _texts(case, ruleset):
            place = f"{where[:100]}: "
            if action is not None and is_move_text(action):
                read_squares(action, board)
            if after is not None:
                Position.from_fen(after, board)
    except DamspecError as error:
        raise data.FileError(f"{data.path_text(case.file)}: {case.id}: {place}{error}") from None


def _texts(case: Case, ruleset: Ruleset | None) -> Iterator[tuple[str, Board, str | None, str | None]]:
    """Yield each place of a case, with its board, the action that is there and the position after it."""
    board = _LARGEST_BOARD if ruleset is None else board_of(ruleset.values)
    yield from _answer_texts(case.expected, board)
    for key, actions in (("reached", case.reached), ("history", case.history)):
        yield from ((f"{key}, {number}: {action}", board, action, None) for number, action in enumerate(actions, 1))
    for query, expected in case.otherwise.items():
        yield "otherwise", board, None, None  # where a reading may be unknown
        under = board if ruleset is None else board_of(ruleset.with_reading(query).values)
        for place, _, action, after in _answer_texts(expected, under):
            yield f"otherwise {query}: {place}", under, action, after


def _answer_texts(expected: Expectation, board: Board) -> Iterator[tuple[str, Board, str, str]]:
    for key, actions in (("moves", expected.moves), ("lapses", expected.lapses)):
        yield from ((f"{key}: {action}", board, action, after) for action, after in (actions or {}).items())
    for number, (action, after) in enumerate(expected.game, 1):
        yield f"game, {number}: {action}", board, action, after


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
