"""`damspec generate --perft` and `--suite`: sets of positions that cover a whole ruleset."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping

import click

import damspec
from damspec import Ruleset

from ..cases.perft_tables import PerftSuite, suite_file, suite_lines
from ..generate import perft_suite
from ..generate.goal import SearchGoal
from ..generate.perft_suite import SuiteBuilder
from ..generate.suite import Suite, build_suite
from .generate_output import Writing
from .options import check_fitting
from .output import console, output_target

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
    err = console(stderr=True)
    if err.is_terminal:
        with err.status(ruleset.id) as status:
            telling.tell = lambda what: status.update(f"{ruleset.id}: {what}")
            telling.look()
    else:
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
    err = console(stderr=True)
    if err.is_terminal:
        with err.status(ruleset.id) as status:
            made = build_suite(ruleset, number, seed, lambda part: status.update(f"{ruleset.id}: {part}"))
    else:
        made = build_suite(ruleset, number, seed)
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
