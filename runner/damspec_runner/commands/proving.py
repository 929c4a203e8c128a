"""Proving again that changes of rules show in no position, for `adequacy --proofs`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from time import perf_counter

import click

from damspec import Ruleset, data
from damspec.kernel import is_available
from damspec.mutations import equivalents_path

from ..adequacy.proofs import Proved, prove_again, recorded
from ..tasks.journal import digest
from .options import ExecutorOptions
from .output import OutputTarget, print_json

#: Up to how many pieces there is proof without being asked for more: with compiled code, and without.
_PIECES = (5, 3)


def proofs(
    rulesets: Sequence[Ruleset], pieces: int | None, record: bool, workers: ExecutorOptions, as_json: bool
) -> None:
    """Print each proof as soon as it is there; ends the command, with 1 if a position shows a change after all."""
    file = OutputTarget("--record", equivalents_path()) if record else None
    most = pieces or _PIECES[not is_available()]
    work = {"kinds": "proofs", "pieces": most, "rules": {each.id: digest(each) for each in rulesets}}
    found, begun = list[Proved](), perf_counter()
    with workers.task_runner("adequacy", work) as task_runner:
        for each in prove_again(rulesets, most, task_runner):
            found.append(each)
            if not as_json:
                click.echo(_line(each))
    wrong = [each for each in found if each.proof.difference]
    if file and not wrong:
        file.write(recorded(found))
    if as_json:
        print_json({"proofs": [_entry(each) for each in found]})
    else:
        click.echo(f"{_many(len(found), 'change')}: {len(wrong)} showing after all ({perf_counter() - begun:,.0f} s)")
        if file and not wrong:
            click.echo(f"{data.path_text(equivalents_path())}: written")
    sys.exit(1 if wrong else 0)


def _line(each: Proved) -> str:
    if each.proof.difference:
        return f"{each.ruleset}: {each.change}: shows in {each.proof.difference}"
    boards = []
    for size, extent in each.proof.compared.items():
        doors = f" ({extent['open']} with doors open)" if "open" in extent else ""
        boards.append(f"{size} up to {_many(extent['pieces'], 'piece')}{doors}, {extent['positions']:,} positions")
    return f"{each.ruleset}: {each.change}: {'; '.join(boards)}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _entry(each: Proved) -> dict[str, object]:
    return {
        "ruleset": each.ruleset,
        "change": each.change,
        "compared": each.proof.compared,
        "difference": each.proof.difference,
    }
