"""Collections of games in PDN, checked game by game: what is wrong with each, and how many by each ruleset are fine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import add
from typing import ClassVar, Literal

from damspec import Ruleset
from damspec.errors import DamspecError
from damspec.pdn.reading import Piece, Unread, pieces, records_in
from damspec.pdn.record import Record
from damspec.pdn.replay import Problem, replay, ruleset_for

from .reason import Reason, reason

#: What is wrong with a game: a move that breaks the rules, or a text that cannot be read as it stands.
Kind = Literal["illegal", "text"]


@dataclass(frozen=True)
class Fault:
    """Something wrong with a game: the line of the file, at which move, what, and for an illegal move why."""

    kind: Kind
    line: int
    at: str
    says: str
    position: str | None = None
    reason: Reason | None = None

    def __str__(self) -> str:
        if self.reason is None:
            return ": ".join(part for part in (self.at, self.says) if part)
        rule = f" ({self.reason.rule})" if self.reason.rule else ""
        nearest = f"; legal: {', '.join(self.reason.nearest)}" if self.reason.nearest else "; no move is legal"
        others = f"; legal by {', '.join(self.reason.legal_by)}" if self.reason.legal_by else ""
        return f"{self.at}: illegal: {self.reason.says}{rule}{nearest}{others}"


@dataclass(frozen=True)
class Checked:
    """A game of a file: its number there, who played, by which ruleset, how many moves were legal, what is wrong."""

    number: int
    players: str
    ruleset: str | None
    moves: int
    faults: tuple[Fault, ...]

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
    for piece in pieces(lines):
        text, wrong = _decoded(piece, encoding)
        found = records_in(Piece(text, piece.line))
        if isinstance(found, Unread):
            number += 1
            yield Checked(number, "", None, 0, (*wrong, Fault("text", found.line, "", found.says)))
            continue
        for record in found:
            number += 1
            yield _checked(number, record, ruleset, wrong)


def _decoded(piece: Piece, encoding: str | None) -> tuple[str, tuple[Fault, ...]]:
    """The text of a piece, and what is wrong with its bytes: those that are not UTF-8 are read as Latin-1."""
    content = piece.text.encode("latin-1")
    try:
        return content.decode(encoding or "utf-8"), ()
    except UnicodeDecodeError as error:
        line = piece.line + content[: error.start].count(b"\n")
        expected = f"{encoding}" if encoding else "UTF-8 (read as Latin-1; --encoding says what it is)"
        says = f"found the byte 0x{content[error.start]:02x}, expected {expected}"
        return piece.text, (Fault("text", line, "", says),)


def _checked(number: int, record: Record, ruleset: Ruleset | None, wrong: tuple[Fault, ...]) -> Checked:
    try:
        by = ruleset or ruleset_for(record)
    except DamspecError as error:
        return Checked(number, record.players, None, 0, (*wrong, Fault("text", record.line, "", str(error))))
    found = replay(record, by)
    faults = tuple(_fault(by, problem) for problem in found.problems)
    return Checked(number, record.players, by.id, found.moves, (*wrong, *faults))


def _fault(ruleset: Ruleset, problem: Problem) -> Fault:
    at = problem.at if problem.main else f"{problem.at} in a variation"
    if not problem.breaks or problem.position is None:
        return Fault("text", problem.line, at, problem.says)
    why = reason(ruleset, problem.position, problem.text)
    return Fault("illegal", problem.line, at, why.says, problem.position.fen(), why)
