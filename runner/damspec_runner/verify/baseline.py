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

from ..cases.answer import Question
from ..cases.cases import cases_for
from ..engines import known
from ..engines.known import ExpectedFailures
from ..engines.protocol import Hello
from ..engines.registry import Adapter
from .result import FAILING, Deviation, Report, Result, is_about, map_texts, read_answer

#: The cause of a failure that nobody has looked into, and its description.
UNEXPLAINED = "unexplained"
ABOUT_UNEXPLAINED = "Not looked into yet."
#: The absolute folder before a file's name, and an address in memory.
_FOLDERS = re.compile(r"(?<![\w.:/\\])(?:[A-Za-z]:)?[/\\](?:[^\s/\\:'\"]+[/\\])+(?=[^\s/\\])")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")


def portable(faults: Any) -> Any:
    """Return faults without folders and addresses in error texts, which differ between machines."""
    return map_texts(lambda text: _ADDRESS.sub("0x...", _FOLDERS.sub("", text)), faults)


def is_as_known(result: Result, known: Mapping[str, Any]) -> bool:
    """Return whether a result has the faults that a baseline has."""
    before, now = portable(known), portable(result.faults())
    if before.get("message") != now.get("message") or not is_about(result.case.expected, before):
        return False
    return read_answer(result.question, before).agrees(read_answer(result.question, now))


def unexpected_results(listed: ExpectedFailures, report: Report) -> tuple[Deviation, ...]:
    """Return how a run differs from its baseline."""
    found = []
    if report.hello.version != listed.version:
        found.append(Deviation("", f"version {report.hello.version}, known is {listed.version}"))
    failing = {result.case.id: result for result in report.results if result.status in FAILING}
    asked = {result.case.id for result in report.results if result.status != "not-asked"}
    for id, result in failing.items():
        if id not in listed.failures:
            found.append(Deviation(id, "fails, not listed"))
        elif not is_as_known(result, listed.failures[id]["faults"]):
            found.append(Deviation(id, "fails for another reason than listed"))
    passing = (id for id in listed.failures if id in asked and id not in failing)
    return (*found, *(Deviation(id, "listed, but passes") for id in passing))


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
        questions = [Question(case, ruleset) for case in cases_for(ruleset)]
        results = tuple(_result(question, listed.failures.get(question.case.id)) for question in questions)
        if listed.failures:
            hello = Hello(engine.name, engine.version, None, frozenset(), False)
            reports.append(Report(ruleset, engine.name, hello, results))
    return reports


def _result(question: Question, failure: Mapping[str, Any] | None) -> Result:
    if failure is None:
        return Result(question, "passed", question.expected)
    faults = failure["faults"]
    return Result(question, "failed", read_answer(question, faults), message=faults.get("message"))


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
