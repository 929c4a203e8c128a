"""Collections of games in PDN, checked game by game: what is wrong with each, and how many by each ruleset are fine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import add
from typing import ClassVar, Literal

from damspec import Ruleset
from damspec.errors import DamspecError
from damspec.pdn.reading import Chunk, Unread, chunks, records_in
from damspec.pdn.record import GameRecord
from damspec.pdn.replay import Problem, replay, ruleset_for

from .reason import Refusal, reason

#: Rulesets that a line names; all are in the JSON.
_SHOWN = 8


@dataclass(frozen=True)
class Complaint:
    """Something wrong with a game: the line of the file, at which move, what, and for an illegal move why.

    The kind is `illegal` for a move that breaks the rules, `text` for what cannot be read as it stands.
    """

    kind: Literal["illegal", "text"]
    line: int
    at: str
    says: str
    position: str | None = None
    reason: Refusal | None = None

    def __str__(self) -> str:
        if self.reason is None:
            return ": ".join(part for part in (self.at, self.says) if part)
        rule = f" ({self.reason.rule})" if self.reason.rule else ""
        nearest = f"; legal: {', '.join(self.reason.nearest)}" if self.reason.nearest else "; no move is legal"
        others = f"; legal by {_listed(self.reason.legal_by)}" if self.reason.legal_by else ""
        return f"{self.at}: illegal: {self.reason.says}{rule}{nearest}{others}"


def _listed(ids: Sequence[str]) -> str:
    more = len(ids) - _SHOWN
    return ", ".join(ids[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


@dataclass(frozen=True)
class Checked:
    """A game of a file: its number there, who played, by which ruleset, how many moves were legal, what is wrong."""

    number: int
    players: str
    ruleset: str | None
    moves: int
    faults: tuple[Complaint, ...]

    @property
    def verdict(self) -> Literal["legal", "illegal", "text"]:
        """What is said of the whole game."""
        kinds = {fault.kind for fault in self.faults}
        return "illegal" if "illegal" in kinds else "text" if kinds else "legal"


@dataclass
class Tally:
    """How many games of a file there were by one ruleset, and how many were right."""

    games: int = 0
    moves: int = 0
    legal: int = 0
    illegal: int = 0
    text: int = 0

    #: The counts in words, in their order.
    COUNTS: ClassVar = ("games", "moves", "legal", "illegal", "bad text")

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts in the order of their words."""
        return (self.games, self.moves, self.legal, self.illegal, self.text)

    def __add__(self, other: Tally) -> Tally:
        return Tally(*map(add, self.counts, other.counts))

    def count(self, checked: Checked) -> None:
        """Add a game."""
        self.games += 1
        self.moves += checked.moves
        setattr(self, checked.verdict, getattr(self, checked.verdict) + 1)

    def as_json(self) -> dict[str, int]:
        """As plain data."""
        return dict(vars(self))


def games(lines: Iterable[str], ruleset: Ruleset | None, encoding: str | None) -> Iterator[Checked]:
    """Check the games of a file, whose bytes are the characters of its lines (Latin-1).

    `ruleset` is by what all are played, if not by what their tags say; `encoding` what the bytes are, if not UTF-8.
    """
    number = 0
    for chunk in chunks(lines):
        text, wrong = _decoded(chunk, encoding)
        found = records_in(Chunk(text, chunk.line))
        if isinstance(found, Unread):
            number += 1
            yield Checked(number, "", None, 0, (*wrong, Complaint("text", found.line, "", found.says)))
            continue
        for record in found:
            number += 1
            yield _checked(number, record, ruleset, wrong)


def _decoded(chunk: Chunk, encoding: str | None) -> tuple[str, tuple[Complaint, ...]]:
    """The text of a chunk, and what is wrong with its bytes: those that are not UTF-8 are read as Latin-1."""
    content = chunk.text.encode("latin-1")
    try:
        return content.decode(encoding or "utf-8"), ()
    except UnicodeDecodeError as error:
        line = chunk.line + content[: error.start].count(b"\n")
        expected = f"{encoding}" if encoding else "UTF-8 (read as Latin-1; --encoding says what it is)"
        says = f"found the byte 0x{content[error.start]:02x}, expected {expected}"
        return chunk.text, (Complaint("text", line, "", says),)


def _checked(number: int, record: GameRecord, ruleset: Ruleset | None, wrong: tuple[Complaint, ...]) -> Checked:
    try:
        by = ruleset or ruleset_for(record)
    except DamspecError as error:
        return Checked(number, record.players, None, 0, (*wrong, Complaint("text", record.line, "", str(error))))
    found = replay(record, by)
    faults = tuple(_fault(by, problem) for problem in found.problems)
    return Checked(number, record.players, by.id, found.moves, (*wrong, *faults))


def _fault(ruleset: Ruleset, problem: Problem) -> Complaint:
    at = problem.at if problem.main else f"{problem.at} in a variation"
    if not problem.breaks or problem.position is None:
        return Complaint("text", problem.line, at, problem.says)
    why = reason(ruleset, problem.position, problem.text)
    return Complaint("illegal", problem.line, at, why.says, problem.position.fen(), why)
