"""A run's report: on a terminal, as JSON, as JUnit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

import damspec
from damspec.drawing import text as board_text

from .result import STATUSES, Mismatch, Report, Result, by_topic

_COLOURS = {
    "passed": "green",
    "failed": "red",
    "reading": "yellow",
    "error": "magenta",
    "unsupported": "cyan",
}
#: Lines of an engine's standard error shown after a run with failures.
_NOISE_SHOWN = 10


def show(
    report: Report,
    console: Console,
    surprises: Sequence[str] | None = None,
    *,
    in_full: int = 10,
    diagnosis: Sequence[str] = (),
) -> None:
    """Print a report: failures with their boards, the table by topic, what failures have in common, the counts.

    The first `in_full` failures are shown in full, the others by their ids; `diagnosis` explains them in sentences.
    """
    wrong = [result for result in report.results if result.status in ("failed", "reading", "error")]
    for result in wrong[:in_full]:
        console.print(_failure(report, result), soft_wrap=True)
    if wrong[in_full:]:
        console.print(f"and {len(wrong) - in_full} more (`--show {len(wrong)}` shows all):", style="bold")
        for result in wrong[in_full:]:
            console.print(Text.assemble("  ", _title(result)), soft_wrap=True)
        console.print()
    console.print(_table(report))
    if report.duplicates:
        console.print(_duplicates(report))
    common = _in_common(wrong)
    if common is not None:
        console.print(common)
    if diagnosis:
        console.print("Explanation", style="bold")
        for line in diagnosis:
            console.print("  " + line, markup=False, soft_wrap=True)
    if report.noise and wrong:
        console.print(f"The engine's standard error, last {min(len(report.noise), _NOISE_SHOWN)} lines:", style="dim")
        for line in report.noise[-_NOISE_SHOWN:]:
            console.print("  " + line, style="dim", markup=False, highlight=False, soft_wrap=True)
    if surprises is not None:
        _show_surprises(surprises, console)
    console.print(summary(report), highlight=False, soft_wrap=True)


def summary(report: Report) -> str:
    """The last line: the counts; passed and failed are always there, others if they are not 0."""
    counts = report.counts
    parts = [
        f"[{_COLOURS[status]}]{counts[status]} {_WORDS[status]}[/]"
        for status in STATUSES
        if counts[status] or status in ("passed", "failed")
    ]
    if report.not_asked:
        parts.append(f"{report.not_asked} not asked")
    if report.duplicates:
        parts.append(f"{report.duplicates} duplicate move{'s' if report.duplicates > 1 else ''}")
    engine = escape(f"{report.hello.name} {report.hello.version}".strip())
    return (
        f"[bold]{escape(report.ruleset.id)}[/] by [bold]{engine}[/]: {', '.join(parts)}"
        f" of {len(report.results) + report.not_asked} cases in {report.seconds:.1f} s"
    )


_WORDS = {
    "passed": "passed",
    "failed": "failed",
    "reading": "explained by another reading",
    "error": "errors",
    "unsupported": "unsupported",
}


def _failure(report: Report, result: Result) -> Text:
    case = result.case
    lines = [Text(case.why)]
    lines += [_clause(id) for id in case.clauses]
    lines.append(Text(case.position, style="dim"))
    if result.message:
        lines.append(Text(f"engine {result.message}"))
    for word, moves, meaning in result.listings():
        lines.append(Text.assemble((f"{word} ", "bold"), ", ".join(moves), (f"  ({meaning})", "dim")))
    for what, mismatch in result.mismatches():
        lines.append(Text.assemble((f"{what}  ", "bold"), *_mismatch(mismatch)))
    if result.reading:
        about = ", ".join(
            f"{reading.id}: here {reading.chosen}, confidence {reading.confidence}"
            for reading, _ in report.ruleset.readings_in(result.reading)
        )
        lines.append(
            Text.assemble("right under the reading ", (result.reading, "bold yellow"), (f"  ({about})", "dim"))
        )
    position = report.ruleset.position(case.position)
    return Text("\n").join([_title(result), *_beside(board_text(position).splitlines(), lines), Text()])


def _title(result: Result) -> Text:
    return Text.assemble((result.status.upper(), f"bold {_COLOURS[result.status]}"), " ", (result.case.id, "bold"))


def _beside(board: Sequence[str], lines: Sequence[Text]) -> Iterator[Text]:
    """The board at the left, the lines beside it."""
    width = max(map(len, board)) + 4
    for left, right in zip_longest(board, lines, fillvalue=""):
        yield Text.assemble(f"  {left:<{width}}" if right else f"  {left}", right)


def _clause(id: str) -> Text:
    clause = damspec.load_clauses().get(id)
    return Text.assemble((f"{id} ", "cyan"), (clause.says if clause else "", "dim"))


def _mismatch(mismatch: Mismatch) -> list[str | tuple[str, str]]:
    return [("expected ", "dim"), mismatch.expected, ("  got ", "dim"), (mismatch.got, "red")]


def _table(report: Report) -> Table:
    shown = [s for s in STATUSES if report.counts[s] or s in ("passed", "failed")]
    table = Table("topic", *(f"[{_COLOURS[s]}]{s}[/]" for s in shown), box=None, header_style="bold", pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for topic, counts in by_topic(report.results):
        table.add_row(topic, *(f"[{_COLOURS[s]}]{counts[s]}[/]" if counts[s] else "[dim]·[/]" for s in shown))
    return table


def _duplicates(report: Report) -> Text:
    where = [result.case.id for result in report.results if result.duplicates]
    more = f" and {len(where) - 3} more" if len(where) > 3 else ""
    return Text(
        f"warning: {report.duplicates} moves were listed more than once, in {len(where)} cases"
        f" ({', '.join(where[:3])}{more}); a move wants one entry, by any of its paths",
        style="yellow",
    )


def _in_common(wrong: Sequence[Result]) -> Table | None:
    """The clauses that most failures show, with how many of their cases fail."""
    if len(wrong) < 2:
        return None
    found = Counter(clause for result in wrong for clause in result.case.clauses)
    table = Table(box=None, show_header=False, pad_edge=False, title="What the failures have in common")
    table.title_justify = "left"
    for id, number in found.most_common(5):
        table.add_row(f"{number} of {len(wrong)}", _clause(id))
    return table


def _show_surprises(surprises: Sequence[str], console: Console) -> None:
    if not surprises:
        console.print("Every failure is known and explained (known/).", style="green")
        return
    console.print(f"Not as known, {len(surprises)} times:", style="bold red")
    for line in surprises:
        console.print("  " + line, markup=False, highlight=False, soft_wrap=True)


def as_json(
    reports: Sequence[Report],
    surprises: Sequence[Sequence[str] | None],
    diagnoses: Sequence[dict[str, Any] | None],
) -> dict[str, Any]:
    """The reports as plain data (schemas/report.schema.json)."""
    return {
        "damspec": damspec.__version__,
        "ruleset": reports[0].ruleset.id,
        "reports": [_entry(*parts) for parts in zip(reports, surprises, diagnoses, strict=True)],
    }


def _entry(report: Report, surprises: Sequence[str] | None, diagnosis: dict[str, Any] | None) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "engine": {"label": report.label, "name": report.hello.name, "version": report.hello.version},
        "counts": report.counts,
        "topics": dict(by_topic(report.results)),
        "not_asked": report.not_asked,
        "duplicates": report.duplicates,
        "seconds": round(report.seconds, 3),
        "results": [_result(result) for result in report.results],
        "noise": list(report.noise),
    }
    if surprises is not None:
        entry["known"] = list(surprises)
    if diagnosis is not None:
        entry["diagnosis"] = diagnosis
    return entry


def _result(result: Result) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": result.case.id,
        "topic": result.case.topic,
        "clauses": list(result.case.clauses),
        "position": result.case.position,
        "status": result.status,
        **result.faults(),
    }
    if result.duplicates:
        entry["duplicates"] = list(result.duplicates)
    if result.reading:
        entry["reading"] = result.reading
    if result.start_told:
        entry["start_told"] = True
    return entry


def write_junit(reports: Sequence[Report], path: Path) -> None:
    """Write the reports as a JUnit file: a suite for each engine, a test for each case. Raises OSError."""
    from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

    document = JUnitXml("damspec")
    for report in reports:
        suite = TestSuite(f"{report.ruleset.id} by {report.label}")
        for result in report.results:
            test = TestCase(result.case.id, classname=f"{result.case.ruleset}.{result.case.topic}")
            lines = "; ".join(_plain(result))
            if result.status == "failed":
                test.result = [Failure(lines)]
            elif result.status == "error":
                test.result = [Error(lines)]
            elif result.status == "unsupported":
                test.result = [Skipped(lines)]
            elif result.status == "reading":
                test.result = [Skipped(f"right under the reading {result.reading}: {lines}")]
            suite.add_testcase(test)
        document.add_testsuite(suite)
    document.write(str(path), pretty=True)


def _plain(result: Result) -> list[str]:
    """What is wrong, in words without colour."""
    lines = [result.message] if result.message else []
    for word in ("missing", "extra", "unparsable"):
        if moves := getattr(result, word):
            lines.append(f"{word} {', '.join(moves)}")
    return lines + [f"{what}: expected {d.expected}, got {d.got}" for what, d in result.mismatches()]
