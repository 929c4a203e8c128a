"""`damspec generate`: find positions for a goal, or for a suite, and write them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

import click

import damspec
from damspec import Ruleset

from ..cases.perft_tables import PerftSuite, suite_file, suite_lines
from ..generate import formats, perft_suite
from ..generate.goal import NothingToFindError, SearchGoal, prove_nothing_to_find
from ..generate.perft_suite import SuiteBuilder
from ..generate.search import PositionSearch
from ..generate.suite import Suite, build_suite
from ..tasks.executor import TaskRunner
from ..tasks.journal import digest
from . import interruption
from .arguments import ruleset_argument
from .generate_goal import SearchOptions, goal_from_options
from .generate_output import Writing
from .options import ExecutorOptions
from .output import json_text, output_target, say, status_line, write_output
from .parameters import Command, check_fitting, with_options
from .solve import solved_folder


@click.command(cls=Command)
@ruleset_argument
@with_options
def generate(ruleset: Ruleset, *, options: SearchOptions, workers: ExecutorOptions, writing: Writing) -> None:
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
    if options.perft is not None:
        write_perft_suite(ruleset, options.perft, options.number, options.seed, writing)
        return
    if options.suite is not None:
        write_suite(ruleset, options.suite, options.seed, writing)
        return
    options.check()
    number = options.number or 1
    writing.check(ruleset, number)
    try:
        goal = prove_nothing_to_find(goal_from_options(ruleset, options))
    except NothingToFindError as why:
        say(f"nothing can be found: {why}")
        sys.exit(1)
    if goal.solved is not None:
        solved_folder("solving endgames", ruleset, goal.pieces[1])
    search = PositionSearch(goal, number, options.seed, options.tries)
    work = workers.task_runner("generate", _work(search, options))
    broken_off = _run(search, options, work)
    found = search.positions
    left_out = ""
    if broken_off == "interrupted" and found and writing.names_changes:
        writing = replace(writing, no_otherwise=True, coverage=False)  # it can take longer than the search
        left_out = "; which rule values change the answers was not worked out"
    if found or writing.form == "json":
        writing.write(goal, found, formats.summary_json(search))
    if broken_off == "interrupted":
        left = f": {len(found):,} of {number:,} found, {formats.tried_text(search)}{left_out}"
        sys.exit(interruption.report_interruption(left))
    late = f"{broken_off}: " if broken_off else ""
    if not found:
        say(f"nothing found: {late}{formats.tried_text(search)}")
        sys.exit(1)
    if said := formats.summary(search):
        click.echo(f"{late}{said}", err=True)


def _work(search: PositionSearch, options: SearchOptions) -> dict[str, object]:
    """Return what the search depends on, for its journal."""
    asked = search.goal
    return {
        "rules": digest(asked.ruleset),
        "goals": [[goal.says, *map(digest, goal.others)] for goal in asked.goals],
        "pieces": asked.pieces,
        "moves": asked.moves,
        "phase": asked.phase,
        "criteria": repr(asked.criteria),
        "solved": repr(asked.solved),
        "seed": search.seed,
        "number": search.number,
        "tries": search.tries,
        "every": options.every,
        "minimal": options.minimal,
        "reachable": options.reachable,
    }


def _run(search: PositionSearch, options: SearchOptions, work: AbstractContextManager[TaskRunner]) -> str | None:
    """Search, and return why the search was broken off, if it was; its tasks are not finished then."""
    with status_line(search.goal.ruleset.id) as tell:
        search.tell = lambda tried, found: tell(f"{tried:,} tried, {found:,} found")
        try:
            limited = interruption.limit_time(options.seconds) if options.seconds else nullcontext()
            with work as search.task_runner, limited:
                options.search(search)
        except interruption.TimeLimitError:
            return "time is up"
        except KeyboardInterrupt:
            return "interrupted"
    return None


_FORMS: Mapping[str, Callable[[PerftSuite], str]] = {
    "cases": suite_file,
    "json": lambda made: json_text(made.as_json()) + "\n",
    "epd": suite_lines,
    "fen": lambda made: "".join(f"{one.position}\n" for one in made.positions),
}


def write_perft_suite(ruleset: Ruleset, depth: int, number: int | None, seed: int, writing: Writing) -> None:
    """Choose the positions of a suite, write it, and print on standard error what it kills. Raises UsageError."""
    check_fitting("--perft", "perft", "number", "seed", "format", "output", "as_json")
    if writing.form not in _FORMS:
        raise click.UsageError(f"--format {writing.form} does not go with --perft, expected {', '.join(_FORMS)}")
    target = output_target("-o", writing.output)
    telling = SuiteBuilder(ruleset, depth, seed)
    with status_line(ruleset.id) as telling.tell:
        telling.look()
    made = perft_suite.build_suite(telling, number)
    write_output(target, _FORMS[writing.form](made))
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
    check_fitting("--suite", Writing, "suite", "seed")
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
