"""Comparing two reports: which cases are fixed, which are broken, which fail differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from ..result import FAILING, Report, Result

#: The changes of a case. It is broken if it was right, by this reading or another, and fails now; one that was not
#: asked or not supported before is merely changed.
Change = Literal["fixed", "broken", "changed", "same", "added", "removed"]
CHANGES: tuple[Change, ...] = get_args(Change)


@dataclass(frozen=True)
class CaseProgress:
    """A case in both reports; None where it was not chosen."""

    id: str
    change: Change
    old: Result | None
    new: Result | None


@dataclass(frozen=True)
class ReportComparison:
    """An engine, by its label in the newer run, on a ruleset in both runs; `found` says in which run it is."""

    ruleset: str
    engine: str
    found: Literal["both", "old", "new"]
    cases: tuple[CaseProgress, ...]
    #: How many different disagreements games found in both runs; None where none were played.
    games: tuple[int | None, int | None] = (None, None)

    @property
    def worse(self) -> bool:
        """Whether a case is broken, or games find something where they found nothing before."""
        before, after = self.games
        return bool(self.of("broken") or (before == 0 and after))

    def of(self, change: Change) -> list[CaseProgress]:
        """Return the cases with a change."""
        return [case for case in self.cases if case.change == change]

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as plain data."""
        return {
            "ruleset": self.ruleset,
            "engine": self.engine,
            "found": self.found,
            "counts": {change: len(self.of(change)) for change in CHANGES},
            **({} if self.games == (None, None) else {"games": dict(zip(("old", "new"), self.games, strict=True))}),
            "cases": [
                {
                    "id": case.id,
                    "change": case.change,
                    **({"old": case.old.status} if case.old else {}),
                    **({"new": case.new.status} if case.new else {}),
                }
                for case in self.cases
            ],
        }


def compare_reports(old: Sequence[Report], new: Sequence[Report]) -> list[ReportComparison]:
    """Return the comparisons of two runs, by ruleset and engine.

    Where a ruleset has one engine left in each that is not in the other, the two are one engine under another name.
    """
    found = []
    for id in dict.fromkeys(report.ruleset.id for report in (*old, *new)):
        for before, after in _pairs(*([report for report in run if report.ruleset.id == id] for run in (old, new))):
            where: Literal["both", "old", "new"] = "new" if before is None else "old" if after is None else "both"
            label = next(report.label for report in (after, before) if report)
            found.append(
                ReportComparison(
                    id, label, where, tuple(_cases(before, after)), (_finding_count(before), _finding_count(after))
                )
            )
    return found


def _pairs(old: list[Report], new: list[Report]) -> Iterator[tuple[Report | None, Report | None]]:
    left = list(old)
    unknown = []
    for report in new:
        before = next((other for other in left if other.label == report.label), None)
        if before:
            left.remove(before)
            yield before, report
        else:
            unknown.append(report)
    if len(left) == len(unknown) == 1:
        yield left[0], unknown[0]
        return
    yield from ((report, None) for report in left)
    yield from ((None, report) for report in unknown)


def _finding_count(report: Report | None) -> int | None:
    return len(report.games.divergences) if report and report.games else None


def _cases(old: Report | None, new: Report | None) -> Iterator[CaseProgress]:
    before, after = ({result.case.id: result for result in report.results} if report else {} for report in (old, new))
    for id in dict.fromkeys([*after, *before]):
        yield CaseProgress(id, _change(before.get(id), after.get(id)), before.get(id), after.get(id))


def _change(old: Result | None, new: Result | None) -> Change:
    if old is None:
        return "added"
    if new is None:
        return "removed"
    if new.status in FAILING and old.status in ("passed", "reading"):
        return "broken"
    if new.status == "passed" and old.status in FAILING:
        return "fixed"
    return "same" if old.status == new.status and new.has_same_faults(old) else "changed"
