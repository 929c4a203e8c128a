"""What is known of an engine: which cases it fails and why (`known/ENGINE/RULESET.yaml`), held strictly against a run.

A failure that is not listed, a listed case that passes, and a failure with other faults than those listed are all
reported: the file is right or the run fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from damspec import data, load_ruleset

from ..cases.cases import Case, cases_for
from ..engines.installed import Adapter
from ..engines.protocol import Hello
from .result import FAILING, Mismatch, Report, Result

#: The cause of a failure nobody has looked into; a known file that has one is not finished.
UNEXPLAINED = "unexplained"
#: What stands for its cause.
ABOUT_UNEXPLAINED = "Not looked into yet."


@dataclass(frozen=True)
class Known:
    """The known failures of an engine on a ruleset: the causes in words; for each failing case its cause and faults."""

    engine: str
    version: str
    ruleset: str
    causes: Mapping[str, str]
    failures: Mapping[str, Mapping[str, Any]]

    def surprises(self, report: Report) -> list[str]:
        """One line for each way in which a run is not as known."""
        found = []
        if report.hello.version != self.version:
            found.append(f"version {report.hello.version}, known is {self.version}")
        failing = {result.case.id: result.faults() for result in report.results if result.status in FAILING}
        asked = {result.case.id for result in report.results if result.status != "not-asked"}
        for id, faults in failing.items():
            if id not in self.failures:
                found.append(f"{id}: fails, not listed")
            elif faults != dict(self.failures[id]["faults"]):
                found.append(f"{id}: fails for another reason than listed")
        found += [f"{id}: listed, but passes" for id in self.failures if id in asked and id not in failing]
        return found


def path(engine: str, ruleset: str) -> Path:
    """Where the known failures of an engine on a ruleset are written down."""
    return data.root() / "known" / engine / f"{ruleset}.yaml"


def load(engine: str, ruleset: str) -> Known:
    """The known failures. Raises FileError for a file that is missing or malformed."""
    return read(path(engine, ruleset))


def read(file: Path) -> Known:
    """The known failures that a file has. Raises FileError if it is missing or malformed."""
    content = data.load_yaml(file)
    data.check(content, "known", data.shown(file))
    for id, failure in content["failures"].items():
        if failure["cause"] not in content["causes"]:
            causes = ", ".join(content["causes"])
            raise data.FileError(
                f"{data.shown(file)}: failures.{id}.cause: found {failure['cause']!r}, expected one of {causes}"
            )
    return Known(**content)


def as_reports(engine: Adapter) -> list[Report]:
    """The known failures of a named engine as reports of its runs, one for each ruleset that has some.

    Of the cases that are not listed they only say that nothing is wrong.
    """
    reports = []
    for id in engine.plays:
        if not path(engine.name, id).is_file():
            continue
        listed = load(engine.name, id)
        ruleset = load_ruleset(id)
        results = tuple(_result(case, listed.failures.get(case.id)) for case in cases_for(ruleset))
        if listed.failures:
            hello = Hello(engine.name, engine.version, None, frozenset(), False)
            reports.append(Report(ruleset, engine.name, hello, results))
    return reports


def _result(case: Case, failure: Mapping[str, Any] | None) -> Result:
    if failure is None:
        return Result(case, "passed")
    faults: Mapping[str, Any] = failure["faults"]
    missing, extra, unparsable = (tuple(faults.get(key, ())) for key in ("missing", "extra", "unparsable"))
    start, outcome = (Mismatch(**faults[key]) if key in faults else None for key in ("start", "outcome"))
    after = {move: Mismatch(**mismatch) for move, mismatch in faults.get("after", {}).items()}
    return Result(
        case,
        "failed",
        missing,
        extra,
        unparsable,
        start=start,
        after=after,
        outcome=outcome,
        message=faults.get("message"),
    )


def written(engine: str, report: Report, old: Known | None) -> str:
    """The failures of a run as a file has them, with the causes of those known of old as far as they still fail."""
    failures = {}
    for result in report.results:
        if result.status in FAILING:
            before = old.failures.get(result.case.id) if old else None
            failures[result.case.id] = {
                "cause": before["cause"] if before else UNEXPLAINED,
                "faults": result.faults(),
            }
    named = {failure["cause"] for failure in failures.values()}
    causes = {cause: about for cause, about in (old.causes.items() if old else ()) if cause in named}
    if UNEXPLAINED in named:
        causes.setdefault(UNEXPLAINED, ABOUT_UNEXPLAINED)
    content = {
        "engine": engine,
        "version": report.hello.version,
        "ruleset": report.ruleset.base,
        "causes": causes,
        "failures": failures,
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=110)
