"""Moves and perft in compiled code, with the bitboards of the reference."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ..board import SIDES
from ..position import Pieces, Position
from ..rules import Rules
from . import cached, entry
from .bitset import Bits, bits_of, load, mix_hash, same, store
from .movegen import (
    actions,
    after_action,
    count_actions,
    legal_moves,
    open_doors,
)
from .rule_table import (
    CONVENTIONS,
    PATHS,
    SEQUENCES,
    UNIQUE,
    Records,
    SquarePlaces,
    begin,
    new_search,
    rule_table,
    state_of,
)

#: Start, end, captured pieces as bitboards, and whether a man is crowned.
CompiledStep = tuple[int, int, int, bool]


@cache
def _count_dtype(words: int) -> np.dtype[np.void]:
    """Return the record type of a count in the hash table: the key has depth, side to move and state."""
    fields: list[Any] = [("key", np.uint64), ("nodes", np.int64), ("pieces", np.uint64, (4, words))]
    return np.dtype(fields, align=True)


class CompiledRules:
    """Moves and perft by one set of rules; pieces are four bitboards, as the side to move sees them.

    Raises RulesetError for a board that is too large for compiled code.
    """

    def __init__(self, rules: Rules) -> None:
        self._places = SquarePlaces(rules.board)
        self._rules = rules
        self._table, self._search = rule_table(rules, self._places), new_search(self._places.words)
        self._counts = np.zeros(0, _count_dtype(self._places.words))

    def remember(self, size: int) -> None:
        """Cache the counts of later perfts in a hash table of at most `size` bytes."""
        fit = size // self._counts.itemsize
        rows = 1 << fit.bit_length() - 1 if fit else 0
        if rows != len(self._counts):
            self._counts = np.zeros(rows, self._counts.dtype)

    def perft(self, pieces: Pieces, side: int, depth: int) -> int | None:
        """Return the number of sequences of moves with all doors shut; None where there are too many captures."""
        return self._count(pieces, side, depth, 0) if depth else 1

    def sequences(self, position: Position, depth: int, count: str = "unique") -> int | None:
        """Return the number of sequences of `depth` actions, including the results of a spin.

        None where huffing is pending, or there are too many sliders or captures; and by another convention than
        *unique* also where kings slide twice, or where they capture from afar and the order of captured kings counts.
        """
        rules, convention = self._rules, CONVENTIONS[count]
        if convention == SEQUENCES and rules.king.capture_reach == 1:
            convention = PATHS  # each sequence has one path
        if convention != UNIQUE and rules.king.move_slides == "twice":
            return None
        if convention == SEQUENCES and "king-first" in rules.capture.choice:
            return None
        state = state_of(rules, position, depth, self._places, convention)
        if not depth or state is None:
            return None if depth else 1
        own, enemy = SIDES if position.turn == SIDES[0] else SIDES[::-1]
        pieces = position.men(own), position.kings(own), position.men(enemy), position.kings(enemy)
        return self._count(pieces, SIDES.index(own), depth, state, convention)

    def steps(self, pieces: Pieces, side: int, doors: int = 0) -> list[CompiledStep] | None:
        """Return every legal move once, given the open `doors`; None where there are too many captures."""
        search = self._search[0]
        begin(self._search)
        found = _list_moves(*self._bits(*pieces, doors), side, self._table, self._search)
        if search["gave_up"]:
            return None
        rows = zip(search["move"][:found].tolist(), search["captured"][:found], strict=True)
        place, mask = self._places.bit, self._places.mask
        return [(place(move & 0xFF), place(move >> 8 & 0xFF), mask(row), bool(move >> 16)) for move, row in rows]

    def _count(self, pieces: Pieces, side: int, depth: int, state: int, convention: int = UNIQUE) -> int | None:
        begin(self._search, convention)
        nodes = _perft(*self._bits(*pieces), side, state, depth, self._table, self._search, self._counts)
        return None if self._search[0]["gave_up"] else int(nodes)

    def _bits(self, *masks: int) -> Any:
        return tuple(bits_of(self._places.row(mask)) for mask in masks)


@entry
@cached
def _list_moves(
    men: Bits,
    kings: Bits,
    enemy_men: Bits,
    enemy_kings: Bits,
    doors: Bits,
    side: int,
    tables: Records,
    searches: Records,
) -> int:
    """Find every legal move; return their number."""
    rules, search = tables[0], searches[0]
    open_doors(doors, rules, search)
    legal_moves(men, kings, enemy_men, enemy_kings, side, rules, search)
    found: int = search.found
    return found


@cached
def _nodes(
    men: Bits, kings: Bits, enemy_men: Bits, enemy_kings: Bits, side: int, state: int, depth: int, tables: Records,
    searches: Records, counts: Records,
) -> Any:  # fmt: skip
    """Count the sequences of `depth` actions, the last ply in bulk.

    `counts` is the hash table: a power of two rows, or none. Each row has the whole position, so that two with the same
    hash are not confused.
    """
    rules, search = tables[0], searches[0]
    if depth == 1:
        return count_actions(men, kings, enemy_men, enemy_kings, side, state, rules, search)
    here: Any = 0
    key = np.uint64(state << 9 | depth << 1 | side)
    known = len(counts) > 0 and depth > 2
    if known:
        here = np.int64(
            mix_hash(men, mix_hash(kings, mix_hash(enemy_men, mix_hash(enemy_kings, key)))) & np.uint64(len(counts) - 1)
        )
        row = counts[here]
        if (
            row.key == key
            and same(load(row.pieces[0], men), men)
            and same(load(row.pieces[1], men), kings)
            and same(load(row.pieces[2], men), enemy_men)
            and same(load(row.pieces[3], men), enemy_kings)
        ):
            return row.nodes
    first = search.found
    actions(men, kings, enemy_men, enemy_kings, side, state, rules, search)
    total = 0
    for place in range(first, search.found):
        a, b, c, d, whose, then = after_action(place, men, kings, enemy_men, enemy_kings, side, state, rules, search)
        total += _nodes(a, b, c, d, whose, then, depth - 1, tables, searches, counts)
        if search.gave_up:
            break
    search.found = first
    if known and not search.gave_up:
        row = counts[here]
        row.key, row.nodes = key, total
        store(row.pieces[0], men)
        store(row.pieces[1], kings)
        store(row.pieces[2], enemy_men)
        store(row.pieces[3], enemy_kings)
    return total


_perft = entry(_nodes)
