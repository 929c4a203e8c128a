"""A case and what it expects, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from damspec import Outcome


@dataclass(frozen=True, slots=True)
class Expectation:
    """What to expect: the moves, each with the position after it, and perhaps the lapses; or the outcome.

    The reason of an outcome is a word of ours that no engine's is compared with.

    Or a `game`: actions one after another, each with the position after it, and how it ends.
    """

    moves: Mapping[str, str] | None = None
    lapses: Mapping[str, str] | None = None
    outcome: Outcome | None = None
    game: tuple[tuple[str, str], ...] = ()
    end: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One position with the answer to expect; `reached` are actions that lead there from the start, `file` has it.

    `history` are actions played from the position: the outcome expected is that after them.
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
    def setting(self) -> str:
        """The position, and what is played from there, in a line to be read."""
        return f"{self.position} after {', '.join(self.history)}" if self.history else self.position

    @property
    def question(self) -> str:
        """The question that an engine must answer for it: `moves`, `play` for a game, or `outcome`."""
        return "outcome" if self.expected.outcome is not None else "play" if self.expected.game else "moves"
