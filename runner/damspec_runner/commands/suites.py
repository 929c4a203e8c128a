"""Perft suites for `damspec generate --perft`: the search with its progress, and the writing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping

import click

from damspec import Ruleset

from ..cases.suites import Suite, suite_file, suite_lines
from ..generate.suite import Telling, suite
from . import files
from .arguments import check_fitting
from .output import console
from .writing import Writing

#: The options of `generate` that say something about a suite.
_FITTING = {"ruleset", "depth", "number", "seed", "form", "output", "as_json"}
_FORMS: Mapping[str, Callable[[Suite], str]] = {
    "cases": suite_file,
    "json": lambda made: json.dumps(made.as_json(), indent=2, ensure_ascii=False) + "\n",
    "epd": suite_lines,
    "fen": lambda made: "".join(f"{one.position}\n" for one in made.positions),
}


def make_suite(ruleset: Ruleset, depth: int, number: int | None, seed: int, writing: Writing) -> None:
    """Choose the positions of a suite, write it, and say on standard error what it tells. Raises UsageError."""
    check_fitting("--perft", _FITTING)
    if writing.form not in _FORMS:
        raise click.UsageError(f"--format {writing.form} does not go with --perft, expected {', '.join(_FORMS)}")
    target = files.target("-o", writing.output)
    telling = Telling(ruleset, depth, seed)
    err = console(stderr=True)
    if err.is_terminal:
        with err.status(ruleset.id) as status:
            telling.tell = lambda doing: status.update(f"{ruleset.id}: {doing}")
            telling.look()
    else:
        telling.look()
    made = suite(telling, number)
    text = _FORMS[writing.form](made)
    if target is None:
        click.echo(text, nl=False)
    else:
        target.write(text)
    click.echo(_summary(made), err=True)


def _summary(made: Suite) -> str:
    at: Counter[int] = Counter()
    for one in made.positions:
        at.update({depth: len(names) for depth, names in one.tells.items()})
    told = ", ".join(f"{at[depth]} at depth {depth}" for depth in sorted(at))
    return (
        f"{len(made.positions)} positions: of {at.total() + len(made.untold)} changes, games and faults"
        f" {at.total()} are told ({told}), {len(made.untold)} are not"
    )
