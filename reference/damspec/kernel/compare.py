"""Comparison of rules in compiled code, in all placements of some number of pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import comb
from typing import Any

import numpy as np

from ..position import Pieces
from ..rules import Rules
from . import cached, compiled, entry
from .bitset import Bits, bits_of, both, either, load, same, single, some, store
from .movegen import Record, captures, keep_distinct, open_doors, quiet_moves, second_slides
from .rule_table import Records, SquarePlaces, begin, fill, new_search, rule_dtype

#: Where quiet moves are compared.
_NOWHERE, _WITHOUT_CAPTURE, _EVERYWHERE = range(3)
#: Verdicts; the last where there are too many captures, or a piece stands on an open door.
_ALIKE, _UNLIKE, _UNKNOWN = range(3)
#: The approximate number of placements compared in one call, and the maximum number of verdicts.
_AT_ONCE, _MOST_VERDICTS = 1 << 15, 1 << 22
#: The maximum number of differences yielded at once, so that a caller with enough of them can stop.
_PART = 4096


class _Tables:
    """Records of rules and of others on the same board."""

    def __init__(self, rules: Sequence[Rules]) -> None:
        self.places = SquarePlaces(rules[0].board)
        words = self.places.words
        self.rules, self._searches = np.zeros(len(rules), rule_dtype(words)), new_search(words, 2)
        begin(self._searches)
        for table, each in zip(self.rules, rules, strict=True):
            fill(table, each, self.places)
        #: The rules for which doors are opened, and for each where quiet moves are compared.
        self.opens = np.ones(len(rules), np.bool_)
        self.quiet = np.full(len(rules), _EVERYWHERE)

    def verdicts(
        self, positions: Records, *, begins: bool = True, each: bool = True
    ) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return for each position a verdict on each of the others, compared with the first rules.

        Without `begins`, all are known to have a capture wherever the first rules have one; without `each`, a position
        is left at the first of the others that differs.
        """
        found = np.zeros((len(positions), len(self.rules) - 1), np.uint8)
        none = bits_of([0] * self.places.words)
        _compare(none, self.rules, self._searches, self.opens, self.quiet, positions, begins, each, found)
        return found


class RuleComparison:
    """Rules compared with others on the same board, in placements of some number of pieces.

    A placement has a number: that of its choice of squares, in the order of `itertools.combinations`, followed by two
    bits for each piece, the one on the first square first: White man, White king, Black man or Black king.
    """

    def __init__(self, one: Rules, others: Sequence[Rules], quiet: Sequence[bool], *, begins: bool = True) -> None:
        """Prepare a comparison; `quiet` says for each of the others whether quiet moves are compared too.

        Without `begins`, all are known to have a capture wherever the first rules have one.
        """
        self._tables, self._begins, self._rules = _Tables((one, *others)), begins, (one, *others)
        self._quiet = quiet
        board, places = one.board, self._tables.places
        self._squares = np.array([places.place(bit) for bit in board.bits], np.int64)

    def differing(
        self, number: int, choices: range, side: int, doors: int, rows: tuple[int, int]
    ) -> Iterator[tuple[int, list[tuple[int, Pieces]]]]:
        """Yield in parts the number of placements compared, and each difference: the index of the rules and the pieces.

        The placements are all those of `number` pieces on some choices of squares. The bitboards begin with White's men
        and kings. No man stands on its promotion row (`rows`), no piece on one of the `doors`, which are open.
        """
        tables = self._tables
        tables.opens[:] = True
        tables.quiet[1:] = [_EVERYWHERE if quiet else _NOWHERE for quiet in self._quiet]
        for positions in self._laid_out(range(choices.start << 2 * number, choices.stop << 2 * number), number, rows,
                                        (side,), doors, doors):  # fmt: skip
            found = tables.verdicts(positions, begins=self._begins)
            where = np.argwhere(found).tolist()
            for start in range(_PART, len(where) + 1, _PART):
                yield 0, [(other, self._pieces(positions[place])) for place, other in where[start - _PART : start]]
            rest = where[len(where) // _PART * _PART :]
            yield len(positions), [(other, self._pieces(positions[place])) for place, other in rest]

    def may_differ(
        self, number: int, placements: range, rows: tuple[int, int], sides: int, doors: int
    ) -> Iterator[tuple[Pieces | None, list[bool]]]:
        """Yield for each valid placement, and each side to move, whether one of the others may have different moves.

        Where one may, the pieces are given: White's men and kings, and Black's. `placements` wrap around. No man stands
        on its promotion row (`rows`); `doors` are open by the rules that have doors.
        """
        tables, (one, *others) = self._tables, self._rules
        tables.opens[:] = [each.trapdoors is not None for each in self._rules]
        for place, (other, quiet) in enumerate(zip(others, self._quiet, strict=True), 1):
            bound = all(each.capture.duty == "compulsory" for each in (one, other))
            tables.quiet[place] = (_WITHOUT_CAPTURE if bound else _EVERYWHERE) if quiet else _NOWHERE
        for positions in self._laid_out(placements, number, rows, range(sides), 0, doors):
            differing = tables.verdicts(positions, each=False).any(axis=1).reshape(-1, sides)
            for place, row in enumerate(differing.tolist()):
                yield self._pieces(positions[place * sides]) if any(row) else None, row

    def _laid_out(
        self, placements: range, number: int, rows: tuple[int, int], sides: Sequence[int], barred: int, doors: int
    ) -> Iterator[Records]:
        """Yield positions in parts, each placement with every side to move."""
        places, squares = self._tables.places, len(self._squares)
        count = comb(squares, number) << 2 * number
        many = max(1, min(_AT_ONCE, _MOST_VERDICTS // len(self._rules)))
        positions = np.zeros(many * len(sides), _position_dtype(places.words))
        positions["doors"] = places.row(doors)
        ways = np.array([[comb(n, k) for k in range(number + 1)] for n in range(squares + 1)], np.int64)
        kept_free = np.array([places.row(mask) for mask in (*rows, barred)], np.uint64)
        none, whose = bits_of([0] * places.words), np.array(sides, np.int64)
        for start in range(0, len(placements), many):
            part = placements[start : start + many]
            written = _lay_out(
                none, part.start % count, placements.step % count, count, len(part), number, self._squares, ways,
                kept_free, whose, positions,
            )  # fmt: skip
            yield positions[:written]

    def _pieces(self, position: Any) -> Pieces:
        masks = [self._tables.places.mask(row) for row in position["pieces"]]
        a, b, c, d = masks[2:] + masks[:2] if position["side"] else masks
        return a, b, c, d


@cache
def _position_dtype(words: int) -> np.dtype[np.void]:
    """Return the record type of a position: the side to move, the pieces as it sees them, the open doors."""
    fields: list[Any] = [("side", np.int64), ("pieces", np.uint64, (4, words)), ("doors", np.uint64, (words,))]
    return np.dtype(fields, align=True)


@entry
@cached
def _lay_out(
    like: Bits, place: int, step: int, count: int, many: int, number: int, squares: Any, ways: Any, kept_free: Any,
    sides: Any, positions: Records,
) -> int:  # fmt: skip
    """Write the valid ones of `many` placements, for each of some sides to move; return the number of positions.

    `ways` has the binomial coefficients; `kept_free` are the squares without a White man, without a Black man, and
    without any piece.
    """
    rows, other_rows, barred = load(kept_free[0], like), load(kept_free[1], like), load(kept_free[2], like)
    chosen, choice, written = np.zeros(number, np.int64), -1, 0
    for _ in range(many):
        if choice != place >> 2 * number:
            rest = choice = place >> 2 * number
            square = 0
            for piece in range(number):
                while rest >= ways[len(squares) - square - 1, number - piece - 1]:
                    rest -= ways[len(squares) - square - 1, number - piece - 1]
                    square += 1
                chosen[piece] = squares[square]
                square += 1
        men = kings = other_men = other_kings = like
        for piece in range(number):
            one, kind = single(chosen[piece], like), place >> 2 * (number - 1 - piece) & 3
            if kind == 0:
                men = either(men, one)
            elif kind == 1:
                kings = either(kings, one)
            elif kind == 2:
                other_men = either(other_men, one)
            else:
                other_kings = either(other_kings, one)
        taken = either(either(men, kings), either(other_men, other_kings))
        place += step
        if place >= count:
            place -= count
        if some(both(men, rows)) or some(both(other_men, other_rows)) or some(both(taken, barred)):
            continue
        for side in sides:
            position = positions[written]
            position.side = side
            store(position.pieces[2 * side], men)
            store(position.pieces[2 * side + 1], kings)
            store(position.pieces[2 - 2 * side], other_men)
            store(position.pieces[3 - 2 * side], other_kings)
            written += 1
    return written


@compiled
def _find_captures(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, rules: Record, search: Record
) -> None:
    """Find the captures, each once."""
    search.found, search.gave_up = 0, False
    captures(men, kings, enemy_men, enemy_kings, side, rules, search)
    if search.found > 1:
        keep_distinct(0, search, men)


@compiled
def _add_quiet(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, rules: Record, search: Record
) -> None:
    """Add the moves that do not begin with a capture, each once, to the captures."""
    first = search.found
    quiet_moves(men, kings, enemy_men, enemy_kings, side, rules, search)
    if rules.king_move_twice and first == 0:
        second_slides(first, men, kings, enemy_men, enemy_kings, side, rules, search)
        keep_distinct(first, search, men)


@compiled
def _same_moves(first: int, last: int, search: Record, other_last: int, other: Record, like: Bits) -> bool:
    """Return whether two searches have found the same moves from `first` on, each once."""
    if last != other_last:
        return False
    for place in range(first, last):
        captured = load(search.captured[place], like)
        there = place  # mostly both found them in the same order
        while search.move[place] != other.move[there] or not same(captured, load(other.captured[there], like)):
            there += 1
            if there >= last:
                there = first
            if there == place:
                return False
    return True


@entry
@cached
def _compare(
    like: Bits, tables: Records, searches: Records, opens: Any, quiet: Any, positions: Records, begins: bool,
    each: bool, verdicts: Any,
) -> None:  # fmt: skip
    """Write for each position the verdict on each of the others, compared with the first rules."""
    rules, search, other_search = tables[0], searches[0], searches[1]
    for place in range(len(positions)):
        position = positions[place]
        side, doors = position.side, load(position.doors, like)
        men, kings = load(position.pieces[0], like), load(position.pieces[1], like)
        enemy_men, enemy_kings = load(position.pieces[2], like), load(position.pieces[3], like)
        taken = either(either(men, kings), either(enemy_men, enemy_kings))
        if some(both(taken, doors)):
            verdicts[place, :] = _UNKNOWN
            continue
        open_doors(doors if opens[0] else like, rules, search)
        _find_captures(men, kings, enemy_men, enemy_kings, side, rules, search)
        captured, gave_up, last = search.found, search.gave_up, -1
        for number in range(1, len(tables)):
            other, verdict = tables[number], _ALIKE
            if gave_up:
                verdicts[place, number - 1] = _UNKNOWN
                continue
            with_quiet = quiet[number] == _EVERYWHERE or (quiet[number] == _WITHOUT_CAPTURE and captured == 0)
            if not (begins or with_quiet or captured > 0):
                continue
            open_doors(doors if opens[number] else like, other, other_search)
            other_search.found, other_search.gave_up = 0, False
            if begins or captured > 0:
                _find_captures(men, kings, enemy_men, enemy_kings, side, other, other_search)
            if other_search.gave_up:
                verdict = _UNKNOWN
            elif not _same_moves(0, captured, search, other_search.found, other_search, like):
                verdict = _UNLIKE
            elif with_quiet:
                if last < 0:
                    _add_quiet(men, kings, enemy_men, enemy_kings, side, rules, search)
                    last = search.found
                _add_quiet(men, kings, enemy_men, enemy_kings, side, other, other_search)
                if search.gave_up or other_search.gave_up:
                    verdict = _UNKNOWN
                elif not _same_moves(captured, last, search, other_search.found, other_search, like):
                    verdict = _UNLIKE
            verdicts[place, number - 1] = verdict
            if verdict != _ALIKE and not each:
                break
