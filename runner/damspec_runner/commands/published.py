"""`damspec cases perft`: the published perft counts, counted again."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import click

from damspec.data import nearest
from damspec.errors import quote_value

from ..cases import perft_tables as tables
from ..cases.agreement import Agreement, compare
from ..document.counts import page, page_path
from .output import OutputTarget, console, json_option, print_json


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...")
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=100_000,
    show_default=True,
    metavar="NODES",
    help="Count each table to the depth with at most so many nodes.",
)
@click.option("--record", is_flag=True, help="Write how deep it came to cases/published.yaml, and docs/perft.md.")
@json_option
def perft(rulesets: tuple[str, ...], limit: int, record: bool, as_json: bool) -> None:
    """Count published perft tables again, of RULESETs or all.

    Says table by table whether the reference agrees, and to which depth it was counted. Exit status 1 if a table
    differs and cases/published.yaml does not say why.
    """
    found = tables.load_published()
    chosen = [*_chosen(found, rulesets)]
    # Both can be written, or nothing is counted.
    targets = (
        [OutputTarget("--record", tables.published_path()), OutputTarget("--record", page_path())] if record else []
    )
    done = []
    for one in _counted(chosen, limit):
        done.append(one)
        if not as_json:
            click.echo(_line(one))
    if targets:
        reached = {one.table: one.reached for one in done if one.verdict != "differs"}
        deeper = tuple(replace(table, counted=max(table.counted, reached.get(table, 0))) for table in found.tables)
        found = replace(found, tables=deeper)
        for target, text in zip(targets, (tables.published_text(found), page(found)), strict=True):
            target.write(text)
    numbers = {verdict: sum(one.verdict == verdict for one in done) for verdict in ("agrees", "argued", "differs")}
    if as_json:
        print_json({"limit": limit, "tables": [_entry(one) for one in done]})
    else:
        agree, argued, differ = numbers.values()
        click.echo(f"{len(done)} tables to {limit:,} nodes: {agree} agree, {argued} argued, {differ} differ")
    sys.exit(1 if numbers["differs"] else 0)


def _chosen(found: tables.PublishedCounts, rulesets: Iterable[str]) -> Iterator[tables.PublishedTable]:
    """The tables of rulesets, with those that options are put on; all if none is named. Raises UsageError."""
    known = {id for table in found.tables for id in (table.ruleset, table.ruleset.partition("+")[0])}
    for id in rulesets:
        if id not in known:
            raise click.UsageError(f"no published table of {quote_value(id)}{nearest(id, sorted(known))}")
    for table in found.tables:
        if not rulesets or {table.ruleset, table.ruleset.partition("+")[0]} & {*rulesets}:
            yield table


def _counted(chosen: Iterable[tables.PublishedTable], limit: int) -> Iterator[Agreement]:
    """Each table compared, with its name on a terminal meanwhile."""
    err = console(stderr=True)
    for table in chosen:
        if err.is_terminal:
            with err.status(table.title):
                yield compare(table, limit)
        else:
            yield compare(table, limit)


def _line(one: Agreement) -> str:
    table = one.table
    who = ", ".join(each.by for each in table.published)
    if one.verdict == "unreached":
        return f"{table.title} ({who}): not reached"
    said = f"{table.title} ({who}): {one.verdict} to depth {one.reached} of {max(table.nodes)}"
    for depth, number in one.differing.items():
        said += f"; depth {depth}: published {table.nodes[depth]:,}, counted {number:,}"
    return said


def _entry(one: Agreement) -> dict[str, Any]:
    table = one.table
    return {
        "ruleset": table.ruleset,
        "position": table.position,
        "count": table.count,
        "published": [{"by": each.by, "to": each.to} for each in table.published],
        "verdict": one.verdict,
        "reached": one.reached,
        "differing": {
            str(depth): {"published": table.nodes[depth], "counted": number} for depth, number in one.differing.items()
        },
    }
