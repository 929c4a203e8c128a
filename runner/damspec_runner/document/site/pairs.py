"""The pages of two games side by side: what only one has, then each rule that differs with a position that shows it."""

from __future__ import annotations

from collections.abc import Iterator

from ...variants.differences import common
from .. import apart
from ..family import families, root
from . import links
from .arranging import Arranged, often
from .comparisons import Comparisons, Pair
from .marks import of_games
from .pages import SECTIONS, Page


def pages(comparisons: Comparisons) -> Iterator[Page]:
    """The table of pairs, then each pair."""
    rulesets = comparisons.library.rulesets
    arranged = {
        (one, other): Arranged(rulesets[one], rulesets[other], found)
        for (one, other), found in comparisons.pairs.items()
    }
    boards = {pair: comparisons.boards(pair) for pair in arranged}
    counts = {pair: found.number + bool(boards[pair]) for pair, found in arranged.items()}
    yield Page(
        "compare/index.html",
        "comparisons.html",
        "Compare two games",
        "What differs between two games, and the smallest positions that show it.",
        "compare",
        scripts=("compare.js",),
        given={
            "rulesets": list(rulesets.values()),
            "families": families(),
            "counts": counts | {(other, one): number for (one, other), number in counts.items()},
        },
    )
    for pair, found in arranged.items():
        yield _page(comparisons, pair, found, counts[pair])


def _page(comparisons: Comparisons, pair: Pair, arranged: Arranged, number: int) -> Page:
    rulesets = comparisons.library.rulesets
    one, other = (rulesets[id] for id in pair)
    boards, told = comparisons.boards(pair), {each.rule.name for each in comparisons.pairs[pair]}
    share = apart.share(*pair)
    given = {
        "rulesets": list(rulesets.values()),
        "one": one,
        "other": other,
        "lines": arranged.lines,
        "differing": arranged.rules,
        "strongest": arranged.strongest,
        "boards": boards,
        "number": number,
        "board": common([one, other])[0].values["board.size"],
        "same": len(set(one.values) | set(other.values)) - len(told) - len(boards),
        "often": often(share) if share is not None else "",
        "family": links.family(root(one.id)) if root(one.id) == root(other.id) else "",
    }
    return Page(
        links.comparison(*pair),
        "comparison.html",
        f"{one.name} and {other.name}",
        f"What differs between {one.name} and {other.name}, with positions that show it.",
        "compare",
        (SECTIONS["compare"],),
        ("compare.js",),
        given,
        notation=of_games(one, other),
    )
