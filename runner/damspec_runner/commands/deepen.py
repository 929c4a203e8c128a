"""`damspec cases deepen`: the tables of perft from the start of each game, counted deeper."""

from __future__ import annotations

import sys
from contextlib import nullcontext

import click

from damspec import load_ruleset, ruleset_ids
from damspec.kernel import is_available

from ..cases import deepening
from ..cases import perft_tables as tables
from ..document.counts import page, page_path
from .output import OutputTarget, console, json_option, print_json

#: The size of the table of what was counted, in bytes.
_MEMORY = 1 << 28


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...")
@click.option(
    "--to",
    "enough",
    type=click.IntRange(1),
    default=1_000_000_000,
    show_default=True,
    metavar="NODES",
    help="Count each game to the first depth with N nodes.",
)
@json_option
def deepen(rulesets: tuple[str, ...], enough: int, as_json: bool) -> None:
    """Count RULESETs, or all, from the start, deeper than published.

    The compiled kernel counts with a table of what was counted before, and the last depth without one too. What is new
    is written to cases/published.yaml and docs/perft.md after each game. Exit status 1 if a number differs from the
    other, or from what is published.
    """
    if not is_available():
        raise click.UsageError("this is for the compiled kernel, which is not installed: pip install 'damspec[fast]'")
    chosen = [load_ruleset(id).id for id in rulesets] or ruleset_ids()
    data, shown = OutputTarget("cases deepen", tables.published_path()), OutputTarget("cases deepen", page_path())
    found, differing, entries = tables.load_published(), 0, []
    err = console(stderr=True)
    for id in chosen:
        before = deepening.own_table(found, id)
        by = deepening.Deepening(before, _MEMORY)
        with err.status(id) if err.is_terminal else nullcontext():
            for one in by.until(enough):
                differing += not one.agrees
                if not as_json:
                    click.echo(_line(id, one))
        entries.append({"ruleset": id, "nodes": {str(depth): number for depth, number in by.table.nodes.items()}})
        if by.table != before:
            found = deepening.with_table(found, before, by.table)
            data.write(tables.published_text(found))
            shown.write(page(found))
    if as_json:
        print_json({"to": enough, "differing": differing, "tables": entries})
    else:
        click.echo(f"{len(chosen)} games to {enough:,} nodes, {differing} numbers differ")
    sys.exit(1 if differing else 0)


def _line(id: str, one: deepening.Depth) -> str:
    said = f"{id}, depth {one.depth}: {one.hashed:,}"
    if one.plain is not None:
        said += ", without a table too" if one.plain == one.hashed else f", without a table {one.plain:,}"
    if one.published not in (None, one.hashed):
        said += f", published {one.published:,}"
    return said if one.agrees else f"{said}: differs"
