"""Engines held against perft suites, for `damspec check --perft`: asked, shown, explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from damspec import Ruleset

from ..cases.suites import Suite, read_suite, suite_of
from ..engines.family import adopting
from ..engines.process import Engine
from ..engines.protocol import EngineError
from ..verify.counts import Counts, counts, explained
from . import interruption
from .arguments import check_fitting
from .explaining import FAILED, ExplainingError, complain, guarded
from .output import console, print_json
from .treatment import TREATING, Treatment

#: The options of `check` that go with it.
_FITTING = {"words", "names", "install", "sources", "show", "perft", "as_json", *TREATING}
#: An engine: its label, its command, and what is added to its environment.
Named = tuple[str, Sequence[str], Mapping[str, str]]


def check_only_counts() -> None:
    """Raise UsageError for an option of `check` that does not go with --perft."""
    check_fitting("--perft", _FITTING)


def check_counts(
    rulesets: Sequence[Ruleset],
    engines: Sequence[Named],
    treatment: Treatment,
    files: Sequence[Path],
    *,
    show: int,
    as_json: bool,
) -> int:
    """Have the suites of rulesets counted by engines and print what came out; the exit status.

    The suites are those in `files`, else those shipped. Raises FileError for a ruleset without one.
    """
    given = {suite.ruleset: suite for suite in map(read_suite, files)}
    suites = [(ruleset, given.get(ruleset.id) or suite_of(ruleset)) for ruleset in rulesets]
    click.get_current_context().with_resource(adopting())
    found: list[Counts] = []
    status = 0
    for ruleset, suite in suites:
        for label, words, environment in engines:
            engine = treatment.of(label).engine(words, environment, ruleset)
            try:
                done = _counted(ruleset, suite, engine, quiet=as_json)
            except EngineError as error:
                complain(label, str(error))
                status = 3
                continue
            finally:
                engine.close()
            if not as_json:
                _show(done, suite, show)
            if not done.interrupted:
                try:
                    with guarded("explaining"):
                        done = replace(done, explained=explained(ruleset, done))
                    if not as_json:
                        _show_explanation(done)
                except ExplainingError as error:
                    complain(label, str(error))
                    status = status or FAILED
                except KeyboardInterrupt:
                    done = replace(done, interrupted=True)
            found.append(done)
            if done.interrupted:
                break
    if as_json:
        print_json({"counts": [done.as_json() for done in found]})
    if any(done.interrupted for done in found):
        click.echo("damspec: interrupted", err=True)
        return interruption.status()
    if any(not done.numbers for done in found):
        return 3
    return status or int(any(done.wrong or done.unanswered for done in found))


def _counted(ruleset: Ruleset, suite: Suite, engine: Engine, *, quiet: bool) -> Counts:
    err = console(stderr=True)
    if quiet or not err.is_terminal:
        return counts(ruleset, suite, engine)
    with err.status(ruleset.id) as status:
        return counts(
            ruleset,
            suite,
            engine,
            lambda done: status.update(f"{ruleset.id}: {done} of {len(suite.positions)} positions"),
        )


def _show(done: Counts, suite: Suite, show: int) -> None:
    by_position: dict[str, list[str]] = {}
    for number in done.wrong:
        said = f"depth {number.depth}: found {number.found}, expected {number.expected}"
        by_position.setdefault(number.position, []).append(said)
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


def _show_explanation(done: Counts) -> None:
    if done.wrong:
        click.echo("Explanation")
        for line in done.explained:
            click.echo(f"  {line} (gives all {len(done.numbers)} numbers)")
        if not done.explained:
            click.echo("  no change of one or two rules, other game or fault of the catalogue gives all the numbers")
