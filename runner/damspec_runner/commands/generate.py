"""`damspec generate`: find positions for a goal, or for a suite, and write them."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import click

import damspec
from damspec import Ruleset

from ..cases.perft_tables import PerftSuite, suite_file, suite_lines
from ..generate import formats, perft_suite
from ..generate.goal import KingSides, NothingToFindError, SearchGoal, prove_nothing_to_find
from ..generate.perft_suite import SuiteBuilder
from ..generate.search import PositionSearch
from ..generate.suite import Suite, build_suite
from ..positions.random_games import PLIES
from ..tasks.executor import TaskRunner
from ..tasks.journal import digest
from . import interruption
from .arguments import Seconds, ruleset_argument
from .generate_goal import SearchOptions, goal_from_options
from .generate_output import Writing, writing_options
from .options import ExecutorOptions, add_executor_options, check_fitting
from .output import console, output_target, status_line
from .solve import solved_folder


@click.command()
@ruleset_argument
@click.option(
    "--exercise",
    multiple=True,
    metavar="RULE[=VALUE]",
    help="Positions whose answer changes if the rule has VALUE (any other value, if none is given); repeatable.",
)
@click.option(
    "--distinguish",
    multiple=True,
    metavar="OTHER[,OTHER...]",
    help="Positions that these rulesets answer differently; repeatable.",
)
@click.option("--pieces", metavar="MIN..MAX", help="How many pieces.  [default: 1..12]")
@click.option(
    "--phase", metavar="PHASE", help="Only in this phase of a turn: plain, spin=green, huffable, compelled, ..."
)
@click.option("--moves", metavar="MIN..MAX", help="How many legal actions.")
@click.option("--captures", metavar="MIN..MAX", help="A legal capture takes so many pieces.")
@click.option("--kings", type=click.Choice([side.value for side in KingSides]), help="The sides that have a king.")
@click.option("--balanced", is_flag=True, help="Both sides have as many men and as many kings.")
@click.option("--quiet", is_flag=True, help="The side to move has no capture.")
@click.option(
    "--result", type=click.Choice(["win", "draw", "loss"]), help="What it comes to for the side to move, played best."
)
@click.option("--in", "within", metavar="MIN..MAX", help="With --result win or loss, or --study: in so many plies.")
@click.option("--only-move", is_flag=True, help="With --result win or draw: one move of several keeps the result.")
@click.option("--zugzwang", is_flag=True, help="The side to move would do better if it could pass.")
@click.option("--study", is_flag=True, help="Won, by one move only at every turn up to the end.")
@click.option("--minimal", is_flag=True, help="With as few pieces as possible; says whether fewer were tried.")
@click.option("--all", "every", is_flag=True, help="Every position with up to that many --pieces, in order.")
@click.option("--reachable", is_flag=True, help="Only positions reached by legal play from the start, with the game.")
@click.option("--plies", metavar="MIN..MAX", help=f"With --reachable: after so many plies.  [default: 0..{PLIES}]")
@click.option(
    "--per-game",
    type=click.IntRange(1),
    metavar="K",
    help="With --reachable: at most K positions of a game.  [default: 1]",
)
@click.option(
    "--perft",
    "depth",
    type=click.IntRange(1, 20),
    metavar="D",
    help="A perft suite instead: few positions whose perft to depth D tells the ruleset from others; -n adds more.",
)
@click.option(
    "--suite",
    type=click.IntRange(1),
    metavar="N",
    help="N positions of every kind instead: for each rule, phase, length of capture and stage of a game.",
)
@click.option("-n", "number", type=click.IntRange(1), help="How many positions.  [default: 1]")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same positions.")
@click.option(
    "--tries",
    type=click.IntRange(1),
    default=30_000,
    show_default=True,
    help="Give up after N rejected positions in a row.",
)
@click.option("--time", "seconds", type=Seconds(), help="Give up after SECONDS.")
@add_executor_options(1)
@writing_options
def generate(
    ruleset: Ruleset,
    depth: int | None,
    suite: int | None,
    workers: ExecutorOptions,
    writing: Writing,
    **given: Any,
) -> None:
    """Find positions that depend on a rule or tell rulesets apart.

    \b
      damspec generate vl --exercise capture.choice -n 5
      damspec generate vl --distinguish brazilian,russian --minimal --format fen
      damspec generate vl --captures 6.. --balanced -n 5
      damspec generate vl --reachable --kings both -n 5
      damspec generate vl --result win --in 5..15 --only-move -n 5 --format fen
      damspec generate vl --suite 200 --format fen
      damspec generate vl --perft 5 --format epd

    They are as different from each other as can be found, and the game goes on in them unless a rule of its end is
    asked for. With `--format cases` the positions are written as cases with the reference's answers, for review. Exit
    status: 0 found, 1 nothing found, 2 usage, 130 interrupted. What was found before an interruption is still written.
    """
    options = SearchOptions(**given)
    if depth is not None:
        write_perft_suite(ruleset, depth, options.number, options.seed, writing)
        return
    if suite is not None:
        write_suite(ruleset, suite, options.seed, writing)
        return
    options.check()
    number = options.number or 1
    writing.check(ruleset, number)
    try:
        goal = prove_nothing_to_find(goal_from_options(ruleset, options))
    except NothingToFindError as why:
        click.echo(f"damspec: nothing can be found: {why}", err=True)
        sys.exit(1)
    if goal.solved is not None:
        solved_folder("solving endings", ruleset, goal.pieces[1])
    hunt = PositionSearch(goal, number, options.seed, options.tries)
    work = workers.task_runner("generate", _work(hunt, options))
    broken_off = _run(hunt, options, work)
    found = hunt.positions
    left_out = ""
    if broken_off == "interrupted" and found and writing.names_changes:
        writing = replace(writing, otherwise=False, coverage=False)  # it can take longer than the search
        left_out = "; which rule values change the answers was not worked out"
    if found or writing.form == "json":
        writing.write(goal, found, formats.summary_json(hunt))
    if broken_off == "interrupted":
        left = f": {len(found):,} of {number:,} found, {formats.tried_text(hunt)}{left_out}"
        sys.exit(interruption.report_interruption(left))
    late = f"{broken_off}: " if broken_off else ""
    if not found:
        click.echo(f"damspec: nothing found: {late}{formats.tried_text(hunt)}", err=True)
        sys.exit(1)
    if said := formats.summary(hunt):
        click.echo(f"{late}{said}", err=True)


def _work(hunt: PositionSearch, options: SearchOptions) -> dict[str, object]:
    """Return what the search depends on, for its journal."""
    asked = hunt.goal
    return {
        "rules": digest(asked.ruleset),
        "goals": [[goal.says, *map(digest, goal.others)] for goal in asked.goals],
        "pieces": asked.pieces,
        "moves": asked.moves,
        "phase": asked.phase,
        "criteria": repr(asked.criteria),
        "solved": repr(asked.solved),
        "seed": hunt.seed,
        "number": hunt.number,
        "tries": hunt.tries,
        "every": options.every,
        "minimal": options.minimal,
        "reachable": options.reachable,
    }


def _run(hunt: PositionSearch, options: SearchOptions, work: AbstractContextManager[TaskRunner]) -> str | None:
    """Search, and return why the search was broken off, if it was; its tasks are not finished then."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    err = console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(hunt.goal.ruleset.id)

        def tell(tried: int, found: int) -> None:
            progress.update(task, description=f"{hunt.goal.ruleset.id}: {tried:,} tried, {found:,} found")

        hunt.tell = tell
        try:
            limited = interruption.limit_time(options.seconds) if options.seconds else nullcontext()
            with work as hunt.task_runner, limited:
                options.search(hunt)
        except interruption.TimeLimitError:
            return "time is up"
        except KeyboardInterrupt:
            return "interrupted"
    return None


#: The options of `generate` that say something about a suite, and about a perft suite.
_FITTING_SUITE = {"ruleset", "suite", "seed", "form", "output", "no_otherwise", "coverage", "as_json"}
_FITTING = {"ruleset", "depth", "number", "seed", "form", "output", "as_json"}
_FORMS: Mapping[str, Callable[[PerftSuite], str]] = {
    "cases": suite_file,
    "json": lambda made: json.dumps(made.as_json(), indent=2, ensure_ascii=False) + "\n",
    "epd": suite_lines,
    "fen": lambda made: "".join(f"{one.position}\n" for one in made.positions),
}


def write_perft_suite(ruleset: Ruleset, depth: int, number: int | None, seed: int, writing: Writing) -> None:
    """Choose the positions of a suite, write it, and print on standard error what it kills. Raises UsageError."""
    check_fitting("--perft", _FITTING)
    if writing.form not in _FORMS:
        raise click.UsageError(f"--format {writing.form} does not go with --perft, expected {', '.join(_FORMS)}")
    target = output_target("-o", writing.output)
    telling = SuiteBuilder(ruleset, depth, seed)
    with status_line(ruleset.id) as telling.tell:
        telling.look()
    made = perft_suite.build_suite(telling, number)
    text = _FORMS[writing.form](made)
    if target is None:
        click.echo(text, nl=False)
    else:
        target.write(text)
    click.echo(_summary(made), err=True)


def _summary(made: PerftSuite) -> str:
    at: Counter[int] = Counter()
    for one in made.positions:
        at.update({depth: len(names) for depth, names in one.tells.items()})
    killed = ", ".join(f"{at[depth]} at depth {depth}" for depth in sorted(at))
    return (
        f"{len(made.positions)} positions: of {at.total() + len(made.untold)} changes, games and faults"
        f" {at.total()} are killed ({killed}), {len(made.untold)} survive"
    )


def write_suite(ruleset: Ruleset, number: int, seed: int, writing: Writing) -> None:
    """Search for positions that cover a ruleset, write them, and print on standard error what they cover."""
    check_fitting("--suite", _FITTING_SUITE)
    writing.check(ruleset, number)
    with status_line(ruleset.id) as tell:
        made = build_suite(ruleset, number, seed, tell)
    about = {
        "damspec": damspec.__version__,
        "ruleset": ruleset.id,
        "seed": seed,
        "goals": [],
        "tried": made.tried,
        "apart": len(made.found.apart),
        "complete": False,
        "suite": made.counts,
    }
    writing.write(SearchGoal(ruleset), made.positions, about)
    click.echo(_suite_summary(made), err=True)


def _suite_summary(made: Suite) -> str:
    found = len(made.counts) - len(made.missing)
    text = f"{len(made.positions)} positions, {len(made.found.apart)} apart, of {found} kinds"
    return text + (f"; none found of: {', '.join(made.missing)}" if made.missing else "")
