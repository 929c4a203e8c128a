"""All placements of so many pieces in which two rulesets move them differently, in shares that can be spread.

The compiled kernel compares them where it is installed; else the reference does, some hundred times slower.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
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
from ..variants.effects import moves_pieces
from .contrast import Contrast

if TYPE_CHECKING:
    from damspec.kernel.comparison import Comparison

#: About how many placements a share has.
_SHARE = 16_000_000
#: With how many pieces everything is compared, whatever the rules are about.
_FEW = 3

#: How many placements were compared, and those of them in which pieces move differently: White's men and kings first.
Compared = tuple[int, list[Pieces]]


@dataclass(frozen=True)
class MovementShare:
    """Some of the placements of `number` pieces on a board, by numbers of choices of squares: what is to be compared.

    The `doors` are open, and no piece stands on one; no man of a side stands on its one of the `heads`.
    """

    one: Ruleset
    other: Ruleset
    number: int
    choices: range
    heads: tuple[int, int]
    doors: int = 0
    side: Side = "white"


def movement(ruleset: Ruleset) -> str:
    """All rules that decide how pieces move, and the board, to be compared: equal ones move alike everywhere."""
    decides = {
        r: v for r, v in ruleset.values.items() if moves_pieces(r) or r.startswith(("board.", "trapdoors.layout"))
    }
    return json.dumps(decides, sort_keys=True, default=str)


def shares(
    one: Ruleset, other: Ruleset, number: int, heads: tuple[int, int], doors: int = 0, side: Side = "white"
) -> Iterator[MovementShare]:
    """All placements of a number of pieces, in shares of about the same size."""
    every, many = comb(len(one.rules.board), number), max(1, _SHARE >> 2 * number)
    for first in range(0, every, many):
        yield MovementShare(one, other, number, range(first, min(first + many, every)), heads, doors, side)


def compared(share: MovementShare) -> dict[str, Any]:
    """How many `positions` of a share were compared, and which one `differs`, the first that tells the two apart."""
    count = 0
    for more, found in differing(share):
        count += more
        if found:
            return {"positions": count, "differs": [*found[0]]}
    return {"positions": count, "differs": None}


def differing(share: MovementShare) -> Iterator[Compared]:
    """The same bit by bit, with every placement that tells the two apart.

    Captures are compared, and moves without capture whether or not they are open where there is one. With more than
    a few pieces it is relied on that rules change nothing else than what they are about (`spec/rules.yaml`).
    """
    if not installed():
        yield from _plainly(share)
        return
    comparison = _comparison(share.one, share.other, share.number <= _FEW)
    yield from comparison.differing(share.number, share.choices, SIDES.index(share.side), share.doors, share.heads)


@lru_cache(4)
def _comparison(one: Ruleset, other: Ruleset, few: bool) -> Comparison:
    from damspec.kernel.comparison import Comparison

    contrast = Contrast.between(one, other)
    return Comparison(one.rules, other.rules, begins=few or contrast.beginnings, quiet=few or contrast.quiet)


def _plainly(share: MovementShare) -> Iterator[Compared]:
    """What the kernel does, by the reference."""
    first, second = Generator(share.one.rules), Generator(share.other.rules)
    board, side = share.one.rules.board, SIDES.index(share.side)
    every = placements(board, share.number, share.heads, choices=(share.choices.start, share.choices.stop))
    free = (pieces for pieces in every if not share.doors & (pieces[0] | pieces[1] | pieces[2] | pieces[3]))
    while some := [*islice(free, 10_000)]:
        told = []
        for pieces in some:
            seen = pieces if side == 0 else (*pieces[2:], *pieces[:2])
            if _moves(first, seen, side, share.doors) != _moves(second, seen, side, share.doors):
                told.append(pieces)
        yield len(some), told


def _moves(generator: Generator, pieces: Pieces, side: int, doors: int) -> tuple[object, object]:
    captures = frozenset(step[:4] for step in generator.captures(pieces, side, doors))
    return captures, frozenset(step[:4] for step in generator.quiet(pieces, side, doors))
