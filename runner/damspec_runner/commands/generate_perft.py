"""`damspec generate --perft`: write a perft suite."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping

import click

from damspec import Ruleset

from ..cases.perft_tables import PerftSuite, suite_file, suite_lines
from ..generate.perft_suite import SuiteBuilder, build_suite
from .generate_output import Writing
from .options import check_fitting
from .output import console, output_target

#: The options of `generate` that say something about a suite.
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
    made = build_suite(telling, number)
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
