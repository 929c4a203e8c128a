"""Reports as JUnit, which most CI systems show: a suite for each engine and ruleset, a test for each case."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite
from junitparser.junitparser import FinalResult

from ...engines.protocol import plain
from ..result import Report, Result
from . import wording


def as_junit(reports: Sequence[Report]) -> str:
    """The reports as a JUnit document, in XML."""
    document = JUnitXml("damspec")
    for report in reports:
        suite = TestSuite(plain(f"{report.ruleset.id} by {report.label}"))
        tests = []
        for result in [*report.answers, *wording.nothing_found(report)]:
            test = TestCase(result.case.id, classname=f"{result.case.ruleset}.{result.case.topic}")
            test.result = _ending(result)
            tests.append(test)
        suite.add_testcases(tests)  # at once: after each addition it counts them all
        document.add_testsuite(suite)
    written = BytesIO()
    document.write(written, pretty=True)
    return written.getvalue().decode("utf-8")


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
