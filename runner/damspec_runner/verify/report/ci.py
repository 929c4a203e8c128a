"""Reports for CI: Markdown, JUnit, TAP, annotations, and a badge."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from io import BytesIO

import yaml
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite
from junitparser.junitparser import FinalResult

from damspec.position import board_text

from ...engines import known
from ...engines.known import Colour
from ...engines.protocol import strip_control_characters
from ..result import Report, Result, by_topic
from . import wording
from .commands import ask_again, check_again


def as_markdown(reports: Sequence[Report], in_full: int) -> str:
    """Return the reports one below the other, the first `in_full` failures of each with their boards."""
    return "\n".join(line for report in reports for line in _report(report, in_full)) + "\n"


def _report(report: Report, in_full: int) -> Iterator[str]:
    fine = report.clean() or (report.unexpected == () and replace(report, results=()).clean())
    mark = "✅" if fine else "❌"
    yield f"## {mark} {code(report.ruleset.id)} by {code(wording.engine(report))}"
    yield ""
    interrupted = " The run was interrupted." if report.interrupted else ""
    yield f"**{wording.counts_line(report)}** of {len(report.results)} cases in {report.seconds:.1f} s.{interrupted}"
    yield ""
    if report.explanation:
        yield from ("### Explanation", "", *(f"- **{words(line)}**" for line in report.explanation), "")
    wrong = wording.clearest_first(report)
    if in_full and wrong:
        yield from _failure(report, wrong[0], "<details open>")
        yield from ("To check it again:", "", *_fence(check_again(report, wrong[0])))
    yield from (f"{words(line)}.\n" for line in wording.games(report))
    if report.results:
        yield from _table(report)
    yield from (f"{words(line)}.\n" for line in wording.remarks(report))
    if reasons := wording.not_asked(report):
        yield from (*(f"- {code(reason)}" for reason in reasons), "")
    if common := wording.in_common(report):
        yield from ("### What the failures have in common", "")
        yield from (f"- {number}: `{id}` {words(wording.clause(id))}" for number, id in common)
        yield ""
    if report.unexpected is not None:
        yield ("### " if report.unexpected else "") + wording.expectation(report)
        yield from ("", *(f"- {code(line)}" for line in report.unexpected), "")
    if wrong[1:] or (wrong and not in_full):
        yield from ("### Other failures" if in_full else "### Failures", "")
    for result in wrong[1:in_full]:
        yield from _failure(report, result, "<details>")
    if wrong[in_full:]:
        yield f"<details><summary>and {len(wrong) - in_full} more</summary>\n"
        yield from (f"- {result.status} `{result.case.id}`" for result in wrong[in_full:])
        yield from ("", "</details>", "")


def _table(report: Report) -> Iterator[str]:
    shown = wording.statuses_shown(report)
    yield f"| topic | {' | '.join(shown)} |"
    yield f"|:--|{'--:|' * len(shown)}"
    for topic, counts in by_topic(report.results):
        yield f"| {_cell(topic)} | {' | '.join(str(counts[status] or '·') for status in shown)} |"
    yield ""


def _failure(report: Report, result: Result, opening: str) -> Iterator[str]:
    case = result.case
    yield f"{opening}<summary><b>{result.status}</b> <code>{escape(case.id)}</code> {escape(case.why)}</summary>"
    yield ""
    yield from _fence(board_text(wording.position(report, result)))
    yield f"{code(case.setting)}"
    yield ""
    yield from (f"- {code(id)} {words(wording.clause(id))}" for id in case.clauses)
    if result.message:
        yield f"- {code(result.message)}"
    for word, moves, meaning in result.listings(report.hello.manner):
        yield f"- **{word}** {', '.join(map(code, moves))} ({meaning})"
    for what, mismatch in result.mismatches():
        yield f"- {code(what)}: expected {code(mismatch.expected)}, got {code(mismatch.got)}"
    if result.reading:
        yield f"- right under the reading {code(result.reading)} ({words(wording.reading(report, result))})"
    yield ""
    for title, text in (("To ask it again:", ask_again(report, result)), ("The answer:", result.reply)):
        if text:
            yield from (title, "", *_fence(text))
    yield from ("</details>", "")


def _fence(text: str) -> Iterator[str]:
    fence = "`" * max(3, _longest_run(text) + 1)
    yield from (fence, text, fence, "")


def code(text: str) -> str:
    """Return text as Markdown code, whatever is in it."""
    ticks = "`" * (_longest_run(text) + 1)
    space = " " if text[:1] in ("`", " ", "") or text[-1:] in ("`", " ") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def words(text: str) -> str:
    """Return text with its punctuation escaped for Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|~&!])", r"\\\1", text)


def _cell(text: str) -> str:
    return code(text.replace("|", "\\|")) if re.search(r"[^a-z-]", text) else text


def as_junit(reports: Sequence[Report]) -> str:
    """Return the reports as a JUnit document, in XML."""
    document = JUnitXml("damspec")
    for report in reports:
        suite = TestSuite(strip_control_characters(f"{report.ruleset.id} by {report.label}"))
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


def as_tap(reports: Sequence[Report]) -> str:
    """Return the reports as TAP 14: right under another open reading is a TODO, a case left out a SKIP."""
    lines = ["TAP version 14", f"1..{sum(len(_points(report)) for report in reports)}"]
    numbers = itertools.count(1)
    for report in reports:
        lines.append(f"# {report.ruleset.id} by {wording.engine(report)}")
        for result in _points(report):
            lines += _point(next(numbers), result)
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
        found = [_annotation("error", about, line) for line in report.unexpected]
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
