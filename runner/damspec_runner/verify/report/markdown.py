"""Reports as Markdown for a page of CI: a table by topic, the explanation, the failures folded away.

Whatever an engine said stands in code, where it can be no markup, no link and no mention of anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from damspec.drawing import text as board_text

from ..result import Report, Result, by_topic
from . import wording
from .commands import ask_again


def as_markdown(reports: Sequence[Report], in_full: int) -> str:
    """The reports one below the other, the first `in_full` failures of each with their boards."""
    return "\n".join(line for report in reports for line in _report(report, in_full)) + "\n"


def _report(report: Report, in_full: int) -> Iterator[str]:
    mark = "✅" if report.clean() else "❌"
    yield f"## {mark} {code(report.ruleset.id)} by {code(wording.engine(report))}"
    yield ""
    interrupted = " The run was interrupted." if report.interrupted else ""
    yield f"**{wording.counts_line(report)}** of {len(report.results)} cases in {report.seconds:.1f} s.{interrupted}"
    yield ""
    yield from (f"{words(line)}.\n" for line in wording.games(report))
    if report.results:
        yield from _table(report)
    yield from (f"{words(line)}.\n" for line in wording.remarks(report))
    if reasons := wording.not_asked(report):
        yield from (*(f"- {code(reason)}" for reason in reasons), "")
    if report.explanation:
        yield from ("### Explanation", "", *(f"- **{words(line)}**" for line in report.explanation), "")
    if common := wording.in_common(report):
        yield from ("### What the failures have in common", "")
        yield from (f"- {number}: `{id}` {words(wording.clause(id))}" for number, id in common)
        yield ""
    if report.known is not None:
        yield "Every failure is known." if not report.known else "### Not as known"
        yield from ("", *(f"- {code(line)}" for line in report.known), "")
    wrong = wording.wrong(report)
    if wrong:
        yield from ("### Failures", "")
    for result in wrong[:in_full]:
        yield from _failure(report, result)
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


def _failure(report: Report, result: Result) -> Iterator[str]:
    case = result.case
    yield f"<details><summary><b>{result.status}</b> <code>{escape(case.id)}</code> {escape(case.why)}</summary>"
    yield ""
    yield from _fenced(board_text(wording.position(report, result)))
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
    for title, text in (("To ask it again:", ask_again(report, result)), ("The answer:", result.answer)):
        if text:
            yield from (title, "", *_fenced(text))
    yield from ("</details>", "")


def _fenced(text: str) -> Iterator[str]:
    fence = "`" * max(3, _longest_run(text) + 1)
    yield from (fence, text, fence, "")


def code(text: str) -> str:
    """Text as code in a line, whatever is in it."""
    ticks = "`" * (_longest_run(text) + 1)
    space = " " if text[:1] in ("`", " ", "") or text[-1:] in ("`", " ") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def words(text: str) -> str:
    """Words of the catalogue, whose punctuation is no markup."""
    return re.sub(r"([\\`*_{}\[\]<>#|~&!])", r"\\\1", text)


def _cell(text: str) -> str:
    return code(text.replace("|", "\\|")) if re.search(r"[^a-z-]", text) else text
