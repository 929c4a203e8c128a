"""Baselines: the expected failures of an engine on a ruleset (`known/ENGINE/RULESET.yaml`), compared and written.

A failure that is not listed, a listed case that passes, and a failure with other faults than those listed are all
reported: the file is right or the run fails.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from damspec import load_ruleset

from ..cases.cases import Case, cases_for
from ..engines import known
from ..engines.known import ExpectedFailures
from ..engines.protocol import Hello
from ..engines.registry import Adapter
from .judge import are_same_faults
from .result import FAILING, Mismatch, Report, Result

#: The cause of a failure that nobody has looked into, and its description.
UNEXPLAINED = "unexplained"
ABOUT_UNEXPLAINED = "Not looked into yet."
#: The absolute folder before a file's name, and an address in memory.
_FOLDERS = re.compile(r"(?<![\w.:/\\])(?:[A-Za-z]:)?[/\\](?:[^\s/\\:'\"]+[/\\])+(?=[^\s/\\])")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")


def portable(faults: Any) -> Any:
    """Return faults without folders and addresses in error texts, which differ between machines."""
    if isinstance(faults, Mapping):
        return {key: portable(value) for key, value in faults.items()}
    if isinstance(faults, (list, tuple)):
        return [portable(value) for value in faults]
    return _ADDRESS.sub("0x...", _FOLDERS.sub("", faults)) if isinstance(faults, str) else faults


def unexpected_results(listed: ExpectedFailures, report: Report) -> list[str]:
    """Return one line for each difference of a run from its baseline."""
    found = []
    if report.hello.version != listed.version:
        found.append(f"version {report.hello.version}, known is {listed.version}")
    failing = {result.case.id: result for result in report.results if result.status in FAILING}
    asked = {result.case.id for result in report.results if result.status != "not-asked"}
    for id, result in failing.items():
        if id not in listed.failures:
            found.append(f"{id}: fails, not listed")
            continue
        known = portable(listed.failures[id]["faults"])
        if not are_same_faults(report.ruleset, result.case, portable(result.faults()), known):
            found.append(f"{id}: fails for another reason than listed")
    found += [f"{id}: listed, but passes" for id in listed.failures if id in asked and id not in failing]
    return found


def as_reports(engine: Adapter) -> list[Report]:
    """Return the known failures of a named engine as reports of its runs, one for each ruleset that has some.

    Of the cases that are not listed they only say that nothing is wrong.
    """
    reports = []
    for id in engine.plays:
        if not known.path(engine.name, id).is_file():
            continue
        listed = known.load(engine.name, id)
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


def baseline_text(engine: str, report: Report, old: ExpectedFailures | None) -> str:
    """Return the failures of a run as a baseline file, with the causes from the old one if they still fail.

    Failures that nobody has looked into have the explanation of the run, unless somebody has written another text.
    """
    failures = {}
    for result in report.results:
        if result.status in FAILING:
            before = old.failures.get(result.case.id) if old else None
            failures[result.case.id] = {
                "cause": before["cause"] if before else UNEXPLAINED,
                "faults": portable(result.faults()),
            }
    named = {failure["cause"] for failure in failures.values()}
    causes = {cause: about for cause, about in (old.causes.items() if old else ()) if cause in named}
    if UNEXPLAINED in named and causes.get(UNEXPLAINED, ABOUT_UNEXPLAINED).startswith(ABOUT_UNEXPLAINED):
        lines = f" Explanation by damspec: {'; '.join(report.explanation)}." if report.explanation else ""
        causes[UNEXPLAINED] = ABOUT_UNEXPLAINED + lines
    content = {
        "engine": engine,
        "version": report.hello.version,
        "ruleset": report.ruleset.base,
        "causes": causes,
        "failures": failures,
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=110)
