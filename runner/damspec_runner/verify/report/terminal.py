"""A report on a terminal: the counts, the explanation, a failure with its board and its command, then the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from damspec.errors import list_some
from damspec.position import board_text

from ..result import Report, Result, Status, by_topic
from . import IN_FULL, wording
from .commands import ask_again, check_again

_COLOURS: dict[Status, str] = {
    "passed": "green",
    "failed": "red",
    "reading": "yellow",
    "error": "magenta",
    "unsupported": "cyan",
    "timeout": "magenta",
    "unstable": "bright_red",
    "not-asked": "bright_black",
}
#: Lines of an engine's standard error shown after a run with failures.
_NOISE_SHOWN = 10
#: Failures shown by their ids.
_LISTED = 20


def show(report: Report, console: Console, *, in_full: int = IN_FULL) -> None:
    """Print a report: what is wrong first, in the order in which its author wants it, and the counts last.

    The first `in_full` failures are shown in full, others by their ids.
    """
    show_verdict(report, console)
    show_details(report, console, in_full=in_full)


def show_verdict(report: Report, console: Console) -> None:
    """Print the counts, if anything is wrong; else they are only the last line."""
    if wording.wrong(report):
        console.print(summary(report), highlight=False, soft_wrap=True)


def show_details(report: Report, console: Console, *, in_full: int = IN_FULL) -> None:
    """Print what explains the failures, the clearest of them with its board and the command that checks it again, the
    table by topic and what failures have in common, the other failures, and the counts.
    """
    if report.explanation:
        console.print("Explanation", style="bold")
        _print_lines(console, (f"  {line}" for line in report.explanation))
    wrong = wording.clearest_first(report)
    if in_full and wrong:
        console.print(_failure(report, wrong[0], check_again(report, wrong[0])), soft_wrap=True)
    if report.results and not report.expected:
        console.print(_table(report))
    if report.duplicates:
        console.print(_duplicates(report))
    if common := wording.in_common(report):
        console.print(_in_common(common))
    if wrong[1:] or (wrong and not in_full):
        _show_others(report, wrong, console, in_full)
    if noise := report.noise[-_NOISE_SHOWN:] if wrong else ():
        title = f"The engine's standard error, last {len(noise)} lines:"
        _print_lines(console, [title, *(f"  {line}" for line in noise)], "dim")
    _print_lines(console, wording.remarks(report), "dim")
    _print_lines(console, wording.not_asked(report), "yellow")
    if report.unexpected is not None:
        more = " Without --baseline they are shown." if report.expected and not report.unexpected else ""
        _print_lines(console, [wording.expectation(report) + more], "bold red" if report.unexpected else "green")
        _print_lines(console, (f"  {deviation}" for deviation in report.unexpected))
    _print_lines(console, wording.games(report), "red" if report.games and report.games.divergences else "")
    console.print(summary(report), highlight=False, soft_wrap=True)


def _print_lines(console: Console, lines: Iterable[str], style: str = "") -> None:
    for line in lines:
        console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)


def _show_others(report: Report, wrong: Sequence[Result], console: Console, in_full: int) -> None:
    """Print the failures after the first: some in full, then some by their ids."""
    console.print()
    for result in wrong[1:in_full]:
        console.print(_failure(report, result), soft_wrap=True)
    if rest := wrong[in_full:]:
        console.print(f"{'and ' if in_full else ''}{len(rest)} {'more' if in_full else 'failures'}:", style="bold")
        for result in rest[:_LISTED]:
            console.print(Text.assemble("  ", _title(result)), soft_wrap=True)
        if unlisted := rest[_LISTED:]:
            console.print(f"  {len(unlisted)} more (`--show {len(wrong)}` shows all)")
        console.print()


def summary(report: Report) -> str:
    """Return the verdict in a line: exact counts, those of nothing left out except passed and failed."""
    parts = [f"[{_COLOURS[status]}]{counted}[/]" for status, counted in wording.counts_in_words(report)]
    parts += wording.warnings(report)
    interrupted = " (interrupted)" if report.interrupted else ""
    compared = "" if report.unexpected is None else ": not as expected" if report.unexpected else ": as expected"
    return (
        f"[bold]{escape(report.ruleset.id)}[/] by [bold]{escape(wording.engine(report))}[/]: {', '.join(parts)}"
        f" of {len(report.results)} cases in {report.seconds:.1f} s{interrupted}{compared}"
    )


def _failure(report: Report, result: Result, command: str = "") -> Text:
    case, line = result.case, Text.assemble
    lines = [Text(case.why), *map(_clause, case.clauses), line((case.setting, "dim"))]
    lines += [Text(f"engine {result.message}")] if result.message else []
    lines += [
        line((f"{word} ", "bold"), ", ".join(moves), (f"  ({meaning})", "dim"))
        for word, moves, meaning in wording.listings(result, report.hello.manner)
    ]
    lines += [
        line((f"{what}  ", "bold"), ("expected ", "dim"), each.expected, ("  got ", "dim"), (each.got, "red"))
        for what, each in result.mismatches()
    ]
    if result.reading:
        about = wording.reading(report, result)
        lines.append(line("right under the reading ", (result.reading, "bold yellow"), (f"  ({about})", "dim")))
    again = ask_again(report, result)
    commands = {"ask again": again, "check again": command if command != again else ""}
    lines += [line((f"{what}  ", "bold"), (words, "dim")) for what, words in commands.items() if words]
    board = board_text(result.question.position)
    return Text("\n").join([_title(result), *_beside(board.splitlines(), lines), Text()])


def _title(result: Result) -> Text:
    return Text.assemble((result.status.upper(), f"bold {_COLOURS[result.status]}"), " ", (result.case.id, "bold"))


def _beside(board: Sequence[str], lines: Sequence[Text]) -> Iterator[Text]:
    width = max(map(len, board)) + 4
    for left, right in zip_longest(board, lines, fillvalue=""):
        yield Text.assemble(f"  {left:<{width}}" if right else f"  {left}", right)


def _clause(id: str) -> Text:
    return Text.assemble((f"{id} ", "cyan"), (wording.clause(id), "dim"))


def _table(report: Report) -> Table:
    shown = wording.statuses_shown(report)
    table = Table("topic", *(f"[{_COLOURS[s]}]{s}[/]" for s in shown), box=None, header_style="bold", pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for topic, counts in by_topic(report.results):
        table.add_row(topic, *(f"[{_COLOURS[s]}]{counts[s]}[/]" if counts[s] else "[dim]·[/]" for s in shown))
    return table


def _duplicates(report: Report) -> Text:
    where = [result.case.id for result in report.results if result.duplicates]
    return Text(
        f"warning: {report.duplicates} moves were listed more than once, in {len(where)} cases"
        f" ({list_some(where, 3)}); a move wants one entry, by any of its paths",
        style="yellow",
    )


def _in_common(common: Sequence[tuple[str, str]]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, title="What the failures have in common")
    table.title_justify = "left"
    for number, id in common:
        table.add_row(number, _clause(id))
    return table
