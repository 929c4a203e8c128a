"""Reports for CI: JUnit, annotations, and a badge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite
from junitparser.junitparser import FinalResult

import damspec

from ...engines import known
from ...engines.known import Colour
from ...engines.protocol import strip_control_characters
from ..result import FAILING, Report, Result
from . import wording


def as_junit(reports: Sequence[Report]) -> str:
    """Return the reports as a JUnit document, in XML."""
    document = JUnitXml("damspec")
    for report in reports:
        suite = TestSuite(strip_control_characters(f"{report.ruleset.id} by {report.label}"))
        hello = report.hello
        for name, value in (("engine", hello.name), ("version", hello.version), ("damspec", damspec.__version__)):
            suite.add_property(name, value)
        explanation = [*map(strip_control_characters, report.explanation)]
        if explanation:
            suite.add_property("explanation", "; ".join(explanation))
        clearest = wording.clearest_first(report)[:1]
        tests = [_test(result, explanation if result in clearest else ()) for result in wording.points(report)]
        suite.add_testcases(tests)  # at once: after each addition it counts them all
        document.add_testsuite(suite)
    written = BytesIO()
    document.write(written, pretty=True)
    return written.getvalue().decode("utf-8")


def _test(result: Result, explanation: Sequence[str]) -> TestCase:
    """Return a result as a test; what is wrong is followed by an explanation, as few viewers show that of a suite."""
    seconds = None if result.seconds is None else round(result.seconds, 3)
    test = TestCase(result.case.id, classname=f"{result.case.ruleset}.{result.case.topic}", time=seconds)
    test.result = _ending(result)
    if explanation:
        test.result[0].text = "\n".join(explanation)
    return test


def _ending(result: Result) -> list[FinalResult]:
    lines, reason = "; ".join(wording.faults(result)), wording.reason(result)
    if reason is not None:
        return [Skipped(f"{reason}: {lines}" if result.status == "reading" else reason)]
    if result.status == "failed":
        return [Failure(lines)]
    return [Error(lines, result.kind or result.status)] if result.status in FAILING else []


#: Annotations of one report; GitHub shows ten of a step.
_ANNOTATIONS = 10


def as_annotations(reports: Sequence[Report]) -> str:
    """Return the failures as annotations of GitHub Actions, a line each, the explanation first.

    With a baseline only what is not expected is one.
    """
    return "".join(line for report in reports for line in _annotations(report))


def _annotations(report: Report) -> Iterator[str]:
    about = f"damspec {report.ruleset.id}"
    wrong = wording.wrong(report)
    if report.unexpected is None:
        found = [_annotation("error", f"{about}, explanation", line) for line in report.explanation]
    else:
        found = [_annotation("error", about, str(deviation)) for deviation in report.unexpected]
        wrong = [result for result in wrong if result not in report.results]
    for result in wrong:
        level = "warning" if result.status == "reading" else "error"
        found.append(_annotation(level, result.case.id, "\n".join([result.case.why, *wording.faults(result)])))
    shown = found if len(found) <= _ANNOTATIONS else found[: _ANNOTATIONS - 1]
    yield from shown
    if found[len(shown) :]:
        yield _annotation("error", about, f"{len(found) - len(shown)} more: see the summary of the job")


def _annotation(level: str, title: str, text: str) -> str:
    escaped, title = (part.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A") for part in (text, title))
    return f"::{level} title={title.replace(':', '%3A').replace(',', '%2C')}::{escaped}\n"


def as_badge(reports: Sequence[Report]) -> str:
    """Return the badge as SVG."""
    return known.badge_svg(*_badge(reports))


def as_badge_json(reports: Sequence[Report]) -> str:
    """Return the badge as data for shields.io's endpoint."""
    return known.badge_json(*_badge(reports))


def _badge(reports: Sequence[Report]) -> tuple[str, str, Colour]:
    """Return the label, the message and the colour of a badge.

    The message says how many cases are right: of all, or where whole kinds of them cannot be asked, of each other kind.
    It is red if anything failed, yellow if anything named is left open, green if every case of it passed.
    """
    rulesets = {report.ruleset.id for report in reports}
    label = f"damspec {rulesets.pop()}" if len(rulesets) == 1 else "damspec"
    by_kind: dict[str, list[Result]] = {kind: [] for kind in ("moves", "games", "outcomes", "draws")}
    for result in (result for report in reports for result in report.results):
        by_kind[_kind(result)].append(result)
    found = {kind: [result.status for result in results] for kind, results in by_kind.items() if results}
    asked = {kind: statuses for kind, statuses in found.items() if {*statuses} != {"unsupported"}}
    passed = sum(report.counts["passed"] for report in reports)
    message = f"{passed} of {sum(len(report.results) for report in reports)} cases"
    if asked and len(asked) < len(found):
        numbers = ((kind, statuses.count("passed"), len(statuses)) for kind, statuses in asked.items())
        message = ", ".join(f"{kind} {passed}/{number}" for kind, passed, number in numbers)
    if not all(report.clean() for report in reports):
        return label, message, "red"
    every = {status for statuses in asked.values() for status in statuses} <= {"passed"}
    return label, message, "brightgreen" if every and (asked or not found) else "yellow"


def _kind(result: Result) -> str:
    """Return what a case is about: outcomes by what went before are mostly draws, and asked in a way of their own."""
    match result.case.question:
        case "outcome":
            return "draws" if result.case.history else "outcomes"
        case "play":
            return "games"
        case _:
            return "moves"
