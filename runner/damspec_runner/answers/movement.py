"""All placements of so many pieces in which rulesets move them differently, in shares that can be spread.

The compiled kernel compares them where it is installed; else the reference does, some hundred times slower.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import comb
from typing import TYPE_CHECKING, Any

from damspec import Ruleset
from damspec.board import Side
from damspec.kernel.installed import installed
from damspec.moves import Generator
from damspec.tables import SIDES, Pieces

from ..positions.enumeration import placements
from ..variants.effects import decides_moves
from .contrast import Contrast

if TYPE_CHECKING:
    from damspec.kernel.comparison import CompiledComparison

#: About how many placements a share has.
_SHARE = 16_000_000
#: With how many pieces everything is compared, whatever the rules are about.
_FEW = 3

#: How many placements were compared, and where which of the others moves pieces differently: White's come first.
Compared = tuple[int, list[tuple[int, Pieces]]]


@dataclass(frozen=True)
class MovementShare:
    """Some of the placements of `number` pieces, by numbers of choices of squares: one ruleset is compared with others.

    The `doors` are open, and no piece stands on one; no man of a side stands on its one of the `heads`.
    """

    one: Ruleset
    others: tuple[Ruleset, ...]
    number: int
    choices: range
    heads: tuple[int, int]
    doors: int = 0
    side: Side = "white"


def movement(ruleset: Ruleset) -> str:
    """All rules that decide how pieces move, and the board, to be compared: equal ones move alike everywhere."""
    decides = {rule: value for rule, value in ruleset.values.items() if decides_moves(rule)}
    return json.dumps(decides, sort_keys=True, default=str)


def shares(
    one: Ruleset, others: Sequence[Ruleset], number: int, heads: tuple[int, int], doors: int = 0, side: Side = "white"
) -> Iterator[MovementShare]:
    """All placements of a number of pieces, in shares of about the same size."""
    every, many = comb(len(one.rules.board), number), max(1, _SHARE >> 2 * number)
    for first in range(0, every, many):
        yield MovementShare(one, (*others,), number, range(first, min(first + many, every)), heads, doors, side)


def compared(share: MovementShare) -> dict[str, Any]:
    """How many `positions` a share has, and the first one that `differs` for those of the others where one does."""
    count, differs = 0, dict[int, Pieces]()
    for more, found in differing(share):
        count += more
        for place, pieces in found:
            differs.setdefault(place, pieces)
    return {"positions": count, "differs": [[place, *pieces] for place, pieces in differs.items()]}


def differing(share: MovementShare) -> Iterator[Compared]:
    """The same bit by bit, with every placement in which one of the others moves pieces differently.

    Captures are compared, and moves without capture whether or not they are open where there is one. With more than
    a few pieces it is relied on that rules change nothing else than what they are about (`spec/rules.yaml`).
    """
    if not installed():
        yield from _plainly(share)
        return
    comparison = _comparison(share.one, share.others, share.number <= _FEW)
    yield from comparison.differing(share.number, share.choices, SIDES.index(share.side), share.doors, share.heads)


@lru_cache(2)
def _comparison(one: Ruleset, others: tuple[Ruleset, ...], few: bool) -> CompiledComparison:
    from damspec.kernel.comparison import CompiledComparison

    contrasts = [Contrast.between(one, other) for other in others]
    begins, quiet = any(each.beginnings for each in contrasts), any(each.quiet for each in contrasts)
    return CompiledComparison(one.rules, [other.rules for other in others], begins=few or begins, quiet=few or quiet)


def _plainly(share: MovementShare) -> Iterator[Compared]:
    """What the kernel does, by the reference."""
    first, *others = (Generator(each.rules) for each in (share.one, *share.others))
    board, side = share.one.rules.board, SIDES.index(share.side)
    every = placements(board, share.number, share.heads, choices=(share.choices.start, share.choices.stop))
    free = (pieces for pieces in every if not share.doors & (pieces[0] | pieces[1] | pieces[2] | pieces[3]))
    while some := [*islice(free, 10_000)]:
        told = list[tuple[int, Pieces]]()
        for pieces in some:
            seen = pieces if side == 0 else (*pieces[2:], *pieces[:2])
            right = _moves(first, seen, side, share.doors)
            told += [(n, pieces) for n, each in enumerate(others) if _moves(each, seen, side, share.doors) != right]
        yield len(some), told


def _moves(generator: Generator, pieces: Pieces, side: int, doors: int) -> tuple[object, object]:
    captures = frozenset(step[:4] for step in generator.captures(pieces, side, doors))
    return captures, frozenset(step[:4] for step in generator.quiet(pieces, side, doors))
