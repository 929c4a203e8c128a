"""Reports for CI: JUnit, TAP, annotations, and a badge."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from io import BytesIO

import yaml
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite
from junitparser.junitparser import FinalResult

import damspec

from ...engines import known
from ...engines.known import Colour
from ...engines.protocol import strip_control_characters
from ..result import Report, Result
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
        tests = [_test(result, explanation if result in clearest else ()) for result in _points(report)]
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
    lines = "; ".join(wording.faults(result))
    match result.status:
        case "failed":
            return [Failure(lines)]
        case "error" | "timeout" | "unstable":
            return [Error(lines, result.kind or result.status)]
        case "reading":
            return [Skipped(f"right under the reading {result.reading}: {lines}")]
        case "unsupported":
            return [Skipped(lines)]
        case "not-asked":
            return [Skipped(f"not asked: {lines}")]
        case "passed":
            return []


def as_tap(reports: Sequence[Report]) -> str:
    """Return the reports as TAP 14: right under another open reading is a TODO, a case left out a SKIP."""
    lines = ["TAP version 14", f"1..{sum(len(_points(report)) for report in reports)}"]
    numbers = itertools.count(1)
    for report in reports:
        lines.append(f"# {report.ruleset.id} by {wording.engine(report)}")
        for result in _points(report):
            lines += _point(next(numbers), result)
        lines += [f"# explanation: {line}" for line in report.explanation]
        lines += [f"# {line}" for line in wording.games(report) + wording.remarks(report)]
        lines.append(f"# {wording.counts_line(report)}")
    if any(report.interrupted for report in reports):
        lines.append("Bail out! interrupted")
    return "\n".join(lines) + "\n"


def _points(report: Report) -> list[Result]:
    return [*report.answers, *wording.nothing_found(report)]


def _point(number: int, result: Result) -> Iterator[str]:
    about = f"{number} - {result.case.id}"
    match result.status:
        case "passed":
            yield f"ok {about}"
            return
        case "unsupported":
            yield f"ok {about} # SKIP {_escape(result.message or '')}".rstrip()
            return
        case "not-asked":
            yield f"ok {about} # SKIP not asked: {_escape(result.message or '')}".rstrip()
            return
        case "reading":
            yield f"not ok {about} # TODO right under the reading {_escape(result.reading or '')}"
        case _:
            yield f"not ok {about}"
    found = {
        "status": result.status,
        "why": result.case.why,
        "clauses": list(result.case.clauses),
        "position": result.case.setting,
        "faults": wording.faults(result),
        "request": result.request,
        "answer": result.reply,
    }
    block = yaml.safe_dump({key: value for key, value in found.items() if value}, sort_keys=False, width=10_000)
    yield from ("  " + line for line in ("---", *block.splitlines(), "..."))


def _escape(text: str) -> str:
    return re.sub(r"([\\#])", r"\\\1", text)


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


_LABEL = "damspec"


def as_badge(reports: Sequence[Report]) -> str:
    """Return the badge as SVG."""
    return known.badge_svg(_label(reports), _message(reports), _colour(reports))


def as_badge_json(reports: Sequence[Report]) -> str:
    """Return the badge as data for shields.io's endpoint."""
    return known.badge_json(_label(reports), _message(reports), _colour(reports))


def _label(reports: Sequence[Report]) -> str:
    rulesets = {report.ruleset.id for report in reports}
    return f"{_LABEL} {rulesets.pop()}" if len(rulesets) == 1 else _LABEL


def _message(reports: Sequence[Report]) -> str:
    """Return how many cases are right: of all, or where whole kinds of them cannot be asked, of each other kind."""
    asked, left_out = _kinds(reports)
    if left_out and asked:
        return ", ".join(f"{kind} {passed}/{number}" for kind, (passed, number) in asked.items())
    passed = sum(report.counts["passed"] for report in reports)
    return f"{passed} of {sum(len(report.results) for report in reports)} cases"


def _colour(reports: Sequence[Report]) -> Colour:
    """Return red if anything failed, yellow if anything named is left open, green if every case of it passed."""
    if not all(report.clean() for report in reports):
        return "red"
    asked, left_out = _kinds(reports)
    every = all(passed == number for passed, number in asked.values())
    return "brightgreen" if every and (asked or not left_out) else "yellow"


def _kinds(reports: Sequence[Report]) -> tuple[dict[str, tuple[int, int]], bool]:
    """Return how many cases of each kind passed, and of how many, and whether kinds are left out.

    Those are kinds of which every case is unsupported.
    """
    by_kind: dict[str, list[Result]] = {kind: [] for kind in ("moves", "games", "outcomes", "draws")}
    for result in (result for report in reports for result in report.results):
        by_kind[_kind(result)].append(result)
    found = {kind: results for kind, results in by_kind.items() if results}
    asked = {
        kind: (sum(result.status == "passed" for result in results), len(results))
        for kind, results in found.items()
        if any(result.status != "unsupported" for result in results)
    }
    return asked, len(asked) < len(found)


def _kind(result: Result) -> str:
    """Return what a case is about: outcomes by what went before are mostly draws, and asked in a way of their own."""
    match result.case.question:
        case "outcome":
            return "draws" if result.case.history else "outcomes"
        case "play":
            return "games"
        case _:
            return "moves"
