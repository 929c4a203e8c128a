"""What checking an engine gives: a result for each case, and the report of a whole run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from damspec import Ruleset

from ..cases.cases import Case
from ..engines.protocol import Hello

Status = Literal["passed", "failed", "reading", "error", "unsupported"]
STATUSES: tuple[Status, ...] = ("passed", "failed", "reading", "error", "unsupported")


@dataclass(frozen=True)
class Mismatch:
    """What was expected and what the engine said."""

    expected: str
    got: str


@dataclass(frozen=True)
class Result:
    """How an engine did in one case.

    `reading` is the reading, `key=alternative`, under which a wrong answer would be right: where that reading is open
    (chosen with low or medium confidence) the status is `reading`, else `failed` all the same. `message` is an
    error's line. `start` is how the start that the engine told is wrong, `start_told` whether it told one at all.
    """

    case: Case
    status: Status
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    unparsable: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    start: Mismatch | None = None
    after: Mapping[str, Mismatch] = field(default_factory=dict)
    outcome: Mismatch | None = None
    reading: str | None = None
    message: str | None = None
    start_told: bool = False

    def listings(self) -> list[tuple[str, tuple[str, ...], str]]:
        """What is wrong with the moves listed: a word, the moves it is about, and what the word means."""
        kinds = (
            ("missing", self.missing, "legal, not listed"),
            ("extra", self.extra, "listed, not legal"),
            ("unparsable", self.unparsable, "no move notation"),
            ("duplicate", self.duplicates, "the same move listed again"),
        )
        return [kind for kind in kinds if kind[1]]

    def mismatches(self) -> list[tuple[str, Mismatch]]:
        """What else is wrong: where the game starts, positions after moves, the outcome."""
        found = [
            ("start", self.start),
            *((f"after {move}", mismatch) for move, mismatch in self.after.items()),
            ("outcome", self.outcome),
        ]
        return [(what, mismatch) for what, mismatch in found if mismatch]

    def faults(self) -> dict[str, Any]:
        """What is wrong, as plain data; empty if nothing is. Runs with the same faults failed for the same reason."""
        found: dict[str, Any] = {
            "missing": sorted(self.missing),
            "extra": sorted(self.extra),
            "unparsable": sorted(self.unparsable),
            "start": asdict(self.start) if self.start else None,
            "after": {move: asdict(mismatch) for move, mismatch in sorted(self.after.items())},
            "outcome": asdict(self.outcome) if self.outcome else None,
            "message": self.message,
        }
        return {key: value for key, value in found.items() if value}


@dataclass(frozen=True)
class Report:
    """A whole run: what was checked, what the engine said of itself, each case's result in order."""

    ruleset: Ruleset
    label: str
    hello: Hello
    results: tuple[Result, ...]
    not_asked: int
    noise: tuple[str, ...]
    seconds: float

    @property
    def counts(self) -> dict[str, int]:
        """How many cases ended in each status."""
        found = Counter(result.status for result in self.results)
        return {status: found[status] for status in STATUSES}

    @property
    def duplicates(self) -> int:
        """How many moves were listed more than once, over all cases."""
        return sum(len(result.duplicates) for result in self.results)

    @property
    def clean(self) -> bool:
        """Whether nothing failed and every case was asked."""
        counts = self.counts
        return not (counts["failed"] or counts["error"] or self.not_asked)


def by_topic(results: Sequence[Result]) -> Iterator[tuple[str, dict[str, int]]]:
    """For each topic that occurs, how many cases ended in each status."""
    topics = dict.fromkeys(result.case.topic for result in results)
    for topic in topics:
        found = Counter(result.status for result in results if result.case.topic == topic)
        yield topic, {status: found[status] for status in STATUSES}
