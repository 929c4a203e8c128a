"""A report as the text of an issue for the engine's author: for each cause a position that shows it.

The causes are those of the engine's known failures (`known/`) as far as they are listed; what is not is shown case by
case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from damspec import data
from damspec.position import board_text

from ...engines import known, registry
from ...engines.known import ExpectedFailures
from ..baseline import is_as_known
from ..result import FAILING, Report, Result
from . import wording
from .ci import code, words
from .commands import check_again

_NEW = "Not looked into yet"
#: Failures without a known cause that are shown in full.
_UNEXPLAINED_SHOWN = 3


def as_issue(reports: Sequence[Report]) -> str:
    """Return the text, in Markdown; reports in which nothing is wrong are left out."""
    wrong = [report for report in reports if report.with_status(*FAILING)]
    if not wrong:
        return "Nothing is wrong.\n"
    return "\n".join(line for report in wrong for line in _report(report)) + "\n"


def _report(report: Report) -> Iterator[str]:
    failing = report.with_status(*FAILING)
    yield f"## {report.ruleset.name} (`{report.ruleset.id}`) by {_name(wording.engine(report))}"
    yield ""
    yield (
        f"{len(failing)} of {len(report.results)} cases fail. The rules are those of damspec's ruleset"
        f" `{report.ruleset.id}`; `damspec explain ID` says what a clause means and where it stands."
    )
    yield ""
    listed = _known_failures(report)
    by_cause: dict[str, list[Result]] = {}
    for result in failing:
        failure = listed.failures.get(result.case.id) if listed else None
        same = failure is not None and is_as_known(result, failure["faults"])
        cause = str(failure["cause"]) if failure is not None and same else ""
        by_cause.setdefault(cause, []).append(result)
    for cause, results in by_cause.items():
        about = listed.causes[cause] if listed and cause else ""
        yield from _cause(report, cause, about, results)


def _name(text: str) -> str:
    """Return an engine's name, as code where it could be more than a name."""
    return text if re.fullmatch(r"[\w .,()+-]*", text) else code(text)


def _known_failures(report: Report) -> ExpectedFailures | None:
    """Return the known failures of the engine, if it is a named one."""
    if report.label not in registry.adapters():
        return None
    try:
        return known.load(report.label, report.ruleset.base)
    except data.FileError:
        return None


def _cause(report: Report, cause: str, about: str, results: Sequence[Result]) -> Iterator[str]:
    yield f"### {cause.replace('-', ' ').capitalize() if about else _NEW}"
    yield ""
    if about:
        yield from (about, "")
    rest = list(results)
    for _ in range(min(1 if about else _UNEXPLAINED_SHOWN, len(rest))):
        clearest = wording.clearest(rest)
        rest.remove(clearest)
        yield from _case_lines(report, clearest)
    if rest:
        yield f"Also in {', '.join(f'`{result.case.id}`' for result in rest)}."
        yield ""


def _case_lines(report: Report, result: Result) -> Iterator[str]:
    case = result.case
    yield f"`{case.setting}`"
    yield from ("", "```", *board_text(wording.position(report, result)).splitlines(), "```", "")
    yield case.why
    yield ""
    if result.missing or result.extra or result.unparsable:
        expected = list(case.expected.moves or {})
        found = [move for move in expected if move not in result.missing] + [*result.extra, *result.unparsable]
        yield f"- expected: {_moves(expected)}"
        yield f"- found: {_moves(found)}"
    for what, mismatch in result.mismatches():
        yield f"- {words(what)}: expected {code(mismatch.expected)}, found {code(mismatch.got)}"
    if result.message:
        yield f"- found: {words(result.message)}"
    yield from (f"- by clause `{id}`: {wording.clause(id)}" for id in case.clauses)
    yield ""
    yield from ("To see it:", "", f"    {check_again(report, result)}", "")


def _moves(moves: Sequence[str]) -> str:
    return ", ".join(map(code, moves)) or "no move"
