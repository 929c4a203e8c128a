"""Published perft counts with who published them and what is wrong: `docs/perft.md`, and `docs/perft.csv`."""

from __future__ import annotations

import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from damspec import data
from damspec.inheritance import ruleset_ids
from damspec.perft_counts import COUNTS
from damspec_runner.cases.perft_tables import OWN, PublishedCounts, PublishedTable, Publisher, published_rules

from .parts import csv_text, markdown_table

_HEAD = """\
# Perft

*Perft* is the number of sequences of legal moves of a length that begin in a position. Two programs
that count the same from the start to some depth make the same moves in everything that happens on
the way. This page has every count of draughts that could be found, of every game and under every
convention, with who published it and how deep it was counted again here; and of every game our own
count of unique moves from the start, to 100,000,000 and more. [perft.csv](perft.csv) has the same
for programs, a line for each depth.

{games}

It is made from [cases/published.yaml](../cases/published.yaml) and
[perft_counts.yaml](../cases/generated/perft_counts.yaml) by `python tools/record.py perft_counts`,
which counts the tables again; `damspec perft RULESET --depth N --count CONVENTION` counts by
itself.

With `pip install 'damspec[fast]'` compiled code counts, some fifty times as fast; the first count
compiles, later ones find the machine code on disk. `--hash 1G` keeps what was counted in a table of
that size and compares positions whole, so that numbers stay exact, and `-j 4` counts with four
processes. So every table was counted again to 10^8 and more, as far as it goes. Our own counts,
from the start of each game, were made with such a table, the last depth without one too.

## The conventions

Programs do not agree on what is one move where a piece can capture in several ways. The numbers
differ as soon as such a capture is possible, so a count means nothing without its convention.

| convention | moves are the same if they have | dctl calls it |
|---|---|---|
| *unique* | the same start, end and set of captured pieces | `drop_duplicates` |
| *sequences* | the same start and end, and the same pieces captured in the same order | `keep_duplicates` |
| *paths* | the same squares touched, one after another | |

In the rest of damspec moves are *unique*. Counts go on through every draw, by the position and by
what went before. No published count knows a limit of the moves that one king may make in a row
(`king.move.limit`), and from the start none is deep enough for it to matter. Where there is a
spinner, its outcomes are actions like moves; turns that break the duty to capture are not counted.
"""

_TABLES = """\
## The counts

For each position the numbers stand from depth 1 on. Those in italics are published and were not
counted again; those with † are disputed above.
"""


def page_path() -> Path:
    """Return where the page is."""
    return data.root() / "docs" / "perft.md"


def csv_path() -> Path:
    """Return where the counts for programs are."""
    return page_path().with_suffix(".csv")


def counts_csv(found: PublishedCounts) -> str:
    """Return all counts as CSV, a line for each depth."""
    rows: list[tuple[object, ...]] = [
        ("ruleset", "position", "moves", "depth", "nodes", "by", "counted again", "disputed")
    ]
    for each in found.tables:
        key = (each.ruleset, each.position, each.count)
        for depth, nodes in each.nodes.items():
            by = " ".join(one.by for one in each.published if depth <= one.to)
            again, disputed = depth <= each.counted, _is_disputed(each, depth)
            rows.append((*key, depth, nodes, by, *("yes" if one else "no" for one in (again, disputed))))
    return csv_text(rows)


def page(found: PublishedCounts) -> str:
    """Return the page as Markdown."""
    disputed = [table for table in found.tables if table.disputed]
    by_ruleset: dict[str, list[PublishedTable]] = defaultdict(list)
    for table in found.tables:
        by_ruleset[table.ruleset].append(table)
    known = [*ruleset_ids()]
    order = sorted(by_ruleset, key=lambda id: (known.index(id.partition("+")[0]), id))
    parts = [
        _HEAD.format(
            games="\n".join(_prose(" · ".join(f"[{published_rules(by_ruleset[id][0]).name}](#{id})" for id in order)))
        ),
        _disputes(disputed, found),
        _publishers(list(found.publishers.values()), found.tables),
        _TABLES,
    ]
    counted = {table.ruleset for table in found.tables if any(one.by != OWN for one in table.published)}
    parts += _only_ours([id for id in order if id not in counted])
    parts += ["\n".join(_section(by_ruleset[id])) for id in order]
    return "\n".join(parts)


def _disputes(tables: Sequence[PublishedTable], found: PublishedCounts) -> str:
    lines = ["## What does not agree", ""]
    lines += _prose(
        f"Of {len(found.tables)} tables {len(tables)} are not what the rules give. Where the numbers are small, the"
        " naive generator of the tests, which shares no code with the reference, counts the same as the reference."
    )
    for table in tables:
        assert table.disputed
        who = ", ".join(_name(found.publishers[one.by]) for one in table.published)
        nodes = f"{table.nodes[table.disputed.since]:,}"
        lines += ["", *_prose(f"**{_title(table)}, depth {table.disputed.since}: {nodes}** ({who}).")]
        lines += _prose(table.disputed.because)
        if table.disputed.plays:
            plays = ", ".join(f"`{rule}: {value}`" for rule, value in table.disputed.plays.items())
            lines += _prose(f"With {plays} the reference counts what was published.")
    return "\n".join([*lines, ""])


def _publishers(publishers: Sequence[Publisher], tables: Sequence[PublishedTable]) -> str:
    uses = Counter(published.by for table in tables for published in table.published)
    rows = [(f"`{one.id}`", one.name, one.where, uses[one.id]) for one in publishers]
    return "\n".join(["## Who has published", "", *markdown_table(["", "who", "where", "tables"], rows), ""])


def _only_ours(ids: Sequence[str]) -> Iterator[str]:
    """Yield the paragraph on the games that only damspec has counted."""
    if ids:
        found = "Of these games no count by a second program was found, though some move like one that was counted:"
        yield "\n".join([*_prose(f"{found} {', '.join(f'`{id}`' for id in ids)}."), ""])


def _section(tables: Sequence[PublishedTable]) -> Iterator[str]:
    yield f'<div id="{tables[0].ruleset}"></div>\n\n### {published_rules(tables[0]).name} (`{tables[0].ruleset}`)'
    yield ""
    places = [*dict.fromkeys(each.position for each in tables)]
    rows = []
    for each in sorted(
        tables, key=lambda one: (places.index(one.position), COUNTS.index(one.count), bool(one.disputed))
    ):
        where = "the start" if each.position == "start" else f"{each.name or 'a position'}: `{each.position}`"
        numbers = " · ".join(_number(each, depth) for depth in sorted(each.nodes))
        first = min(each.nodes)
        rows.append((where, each.count, f"{f'from depth {first}: ' if first > 1 else ''}{numbers}", _whose(each)))
    yield from markdown_table(["from", "moves", "numbers from depth 1 on", "who"], rows)
    yield ""


def _is_disputed(table: PublishedTable, depth: int) -> bool:
    return table.disputed is not None and depth >= table.disputed.since


def _number(table: PublishedTable, depth: int) -> str:
    number = f"{table.nodes[depth]:,}"
    if _is_disputed(table, depth):
        return f"{number} †"
    return number if depth <= table.counted else f"*{number}*"


def _whose(table: PublishedTable) -> str:
    who = [f"{one.by} to {one.to}" + (f" ({one.at})" if one.at else "") for one in table.published]
    again = f"counted again to {table.counted}" if table.counted else "not counted again"
    if table.twice:
        again += f", the number at {table.twice} with a table of what was counted and without"
    return f"{', '.join(who)}; {again}.{f' {table.note}' if table.note else ''}"


def _title(table: PublishedTable) -> str:
    return f"{published_rules(table).name}, {table.name or 'from the start'}, {table.count}"


def _name(publisher: Publisher) -> str:
    return publisher.name.partition(" (")[0]


def _prose(text: str, further: str = "") -> list[str]:
    return textwrap.wrap(text, 100, subsequent_indent=further, break_long_words=False, break_on_hyphens=False)
