"""`damspec check --perft`: an engine's perft counts against a perft suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from damspec import Ruleset

from ..cases.perft_tables import PerftSuite, read_suite, suite_of
from ..engines.process import Engine
from ..verify.perft_suite import Counts, counts, explain_counts
from .check_run import NamedEngine, judge_engines
from .explanation import FAILED, ExplainingError, guard_explaining, warn
from .options import EngineOptions
from .output import status_line


def check_perft(
    rulesets: Sequence[Ruleset],
    engines: Sequence[NamedEngine],
    engine_options: EngineOptions,
    files: Sequence[Path],
    *,
    show: int,
    as_json: bool,
) -> int:
    """Compare the engines' counts with the suites of the rulesets, print them, and return the exit status.

    The suites are those in `files`, else the shipped ones. Raises FileError for a ruleset without one.
    """
    given = {suite.ruleset: suite for suite in map(read_suite, files)}
    suites = {ruleset: given.get(ruleset.id) or suite_of(ruleset) for ruleset in rulesets}

    def ask(ruleset: Ruleset, named: NamedEngine, engine: Engine) -> Counts:
        suite = suites[ruleset]
        with status_line(ruleset.id, quiet=as_json) as tell:
            return counts(ruleset, suite, engine, lambda done: tell(f"{done} of {len(suite.positions)} positions"))

    def conclude(ruleset: Ruleset, named: NamedEngine, done: Counts) -> tuple[Counts, int]:
        if not as_json:
            _print_counts(done, suites[ruleset], show)
        failed = 0 if done.numbers else 3
        try:
            done = _explain(ruleset, done, quiet=as_json)
        except ExplainingError as error:
            warn(named.label, str(error))
            failed = failed or FAILED
        return done, failed or int(bool(done.wrong or done.unanswered))

    return judge_engines(rulesets, engines, engine_options, ask, conclude, json_key="counts", as_json=as_json)


def _print_counts(done: Counts, suite: PerftSuite, show: int) -> None:
    """Print the wrong counts of the first `show` positions, and a summary."""
    by_position: dict[str, list[str]] = {}
    for number in done.wrong:
        line = f"depth {number.depth}: found {number.found}, expected {number.expected}"
        by_position.setdefault(number.position, []).append(line)
    for position, message in done.unanswered:
        by_position.setdefault(position, []).append(f"engine {message}")
    for position, lines in list(by_position.items())[:show]:
        click.echo("\n".join([position, *(f"  {line}" for line in lines)]))
    if len(by_position) > show:
        click.echo(f"... and {len(by_position) - show} positions more")
    asked = "asked perft" if done.way == "perft" else "counted by its moves"
    wrong = f"{len(done.wrong)} wrong" if done.wrong else "all right"
    left = f", {len(done.unanswered)} of {len(suite.positions)} positions without a whole answer"
    click.echo(
        f"{done.ruleset} by {done.engine}, {asked}: {len(done.numbers)} numbers, {wrong}"
        f"{left if done.unanswered else ''}{' (interrupted)' if done.interrupted else ''}"
    )


def _explain(ruleset: Ruleset, done: Counts, *, quiet: bool) -> Counts:
    """Return the counts with what explains them, and print that. Raises ExplainingError."""
    if done.interrupted:
        return done
    try:
        with guard_explaining("explaining"):
            done = replace(done, explained=explain_counts(ruleset, done))
    except KeyboardInterrupt:
        return replace(done, interrupted=True)
    if done.wrong and not quiet:
        click.echo("Explanation")
        for line in done.explained:
            click.echo(f"  {line} (gives all {len(done.numbers)} numbers)")
        if not done.explained:
            click.echo("  no change of one or two rules, other game or known mistake of engines gives all the numbers")
    return done
