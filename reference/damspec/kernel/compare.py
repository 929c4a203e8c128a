"""Comparison of rules in compiled code, in all placements of some number of pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import comb
from typing import Any

import numpy as np

from ..position import Pieces
from ..rules import Rules
from .constants import EVERYWHERE, NOWHERE, WITHOUT_CAPTURE, places_of
from .load import compiled_functions
from .records import Records, mask_of, new_search, rows, rule_table, sets_shape

#: The approximate number of placements compared in one call, and the maximum number of verdicts.
_AT_ONCE, _MOST_VERDICTS = 1 << 15, 1 << 22
#: The maximum number of differences yielded at once, so that a caller with enough of them can stop.
_PART = 4096


class RuleComparison:
    """Rules compared with others on the same board, in placements of some number of pieces.

    A placement has a number: that of its choice of squares, in the order of `itertools.combinations`, followed by two
    bits for each piece, the one on the first square first: White man, White king, Black man or Black king.
    """

    def __init__(self, one: Rules, others: Sequence[Rules], quiet: Sequence[bool], *, begins: bool = True) -> None:
        """Prepare a comparison; `quiet` says for each of the others whether quiet moves are compared too.

        Without `begins`, all are known to have a capture wherever the first rules have one.
        """
        self._begins, self._rules, self._quiet = begins, (one, *others), quiet
        board = one.board
        self._places = places = places_of(board)
        self._tables = np.concatenate([rule_table(each) for each in self._rules])
        self._searches = new_search(places.words, 2)
        #: For each set of rules, where quiet moves are compared.
        self._where_quiet = np.full(len(self._rules), EVERYWHERE)
        self._functions: Any = compiled_functions("compare", one, filled_in=False)
        self._squares = np.array([places.place[bit] for bit in board.bits], np.int64)

    def differing(
        self, number: int, choices: range, side: int, doors: int, top_rows: tuple[int, int]
    ) -> Iterator[tuple[int, list[tuple[int, Pieces]]]]:
        """Yield in parts the number of placements compared, and each difference: the index of the rules and the pieces.

        The placements are all those of `number` pieces on some choices of squares. The bitboards begin with White's men
        and kings. No man stands on its promotion row (`top_rows`), no piece on one of the `doors`, which are open.
        """
        self._where_quiet[1:] = [EVERYWHERE if quiet else NOWHERE for quiet in self._quiet]
        placements = range(choices.start << 2 * number, choices.stop << 2 * number)
        for positions in self._laid_out(placements, number, top_rows, (side,), doors, doors):
            found = self._verdicts(positions, begins=self._begins)
            where = np.argwhere(found).tolist()
            for start in range(_PART, len(where) + 1, _PART):
                yield 0, [(other, self._pieces(positions[place])) for place, other in where[start - _PART : start]]
            rest = where[len(where) // _PART * _PART :]
            yield len(positions), [(other, self._pieces(positions[place])) for place, other in rest]

    def may_differ(
        self, number: int, placements: range, top_rows: tuple[int, int], sides: int, doors: int
    ) -> Iterator[tuple[Pieces | None, list[bool]]]:
        """Yield for each valid placement, and each side to move, whether one of the others may have different moves.

        Where one may, the pieces are given: White's men and kings, and Black's. `placements` wrap around. No man stands
        on its promotion row (`top_rows`); `doors` are open by the rules that have doors.
        """
        one, *others = self._rules
        for place, (other, quiet) in enumerate(zip(others, self._quiet, strict=True), 1):
            bound = all(each.capture.duty == "compulsory" for each in (one, other))
            self._where_quiet[place] = (WITHOUT_CAPTURE if bound else EVERYWHERE) if quiet else NOWHERE
        for positions in self._laid_out(placements, number, top_rows, range(sides), 0, doors):
            differing = self._verdicts(positions, each=False).any(axis=1).reshape(-1, sides)
            for place, row in enumerate(differing.tolist()):
                yield self._pieces(positions[place * sides]) if any(row) else None, row

    def _verdicts(
        self, positions: Records, *, begins: bool = True, each: bool = True
    ) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return for each position a verdict on each of the others, compared with the first rules.

        Without `begins`, all are known to have a capture wherever the first rules have one; without `each`, a position
        is left at the first of the others that differs.
        """
        found = np.zeros((len(positions), len(self._rules) - 1), np.uint8)
        self._functions.compare(self._tables, self._searches, self._where_quiet, positions, begins, each, found)
        return found

    def _laid_out(
        self,
        placements: range,
        number: int,
        top_rows: tuple[int, int],
        sides: Sequence[int],
        barred: int,
        doors: int,
    ) -> Iterator[Records]:
        """Yield positions in parts, each placement with every side to move."""
        places, squares = self._places, len(self._squares)
        count = comb(squares, number) << 2 * number
        many = max(1, min(_AT_ONCE, _MOST_VERDICTS // len(self._rules)))
        positions = np.zeros(many * len(sides), _position_dtype(places.words))
        positions["doors"] = rows(places, [doors])
        ways = np.array([[comb(n, k) for k in range(number + 1)] for n in range(squares + 1)], np.int64)
        kept_free, whose = rows(places, (*top_rows, barred)), np.array(sides, np.int64)
        for start in range(0, len(placements), many):
            part = placements[start : start + many]
            written = self._functions.lay_out(
                part.start % count, placements.step % count, count, len(part), number, self._squares, ways,
                kept_free, whose, positions,
            )  # fmt: skip
            yield positions[:written]

    def _pieces(self, position: Any) -> Pieces:
        masks = [mask_of(self._places, row) for row in position["pieces"]]
        a, b, c, d = masks[2:] + masks[:2] if position["side"] else masks
        return a, b, c, d


@cache
def _position_dtype(words: int) -> np.dtype[np.void]:
    """Return the record type of a position: the side to move, the pieces as it sees them, the open doors."""
    fields: list[Any] = [
        ("side", np.int64),
        ("pieces", np.uint64, sets_shape(4, words)),
        ("doors", np.uint64, sets_shape(1, words)),
    ]
    return np.dtype(fields, align=True)
