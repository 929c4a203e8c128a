"""Counting sequences of actions, and listing moves."""

from __future__ import annotations

from typing import Any

from ..sets import load, mix, row_of, word
from .moves import Record, actions, after, count_actions, legal_moves, pieces_of, store_pieces
from .rules import HAS_SPIN, NONE, both_sides, entry


@both_sides
def count_from(
    side: int, men: int, kings: int, enemy_men: int, enemy_kings: int, state: int, rules: Record, search: Record
) -> int:
    """Return the number of actions of a side to move."""
    return count_actions(men, kings, enemy_men, enemy_kings, side, state, rules, search)


@both_sides
def nodes(
    side: int, men: int, kings: int, enemy_men: int, enemy_kings: int, state: int, depth: int, rules: Record,
    search: Record,
) -> int:  # fmt: skip
    """Count the sequences of `depth` actions, the last ply in bulk."""
    if depth == 1:
        return count_actions(men, kings, enemy_men, enemy_kings, side, state, rules, search)
    first, total = search.found, 0
    actions(men, kings, enemy_men, enemy_kings, side, state, rules, search)
    for place in range(first, search.found):
        a, b, c, d, whose, then = after(place, men, kings, enemy_men, enemy_kings, side, state, rules, search)
        if not HAS_SPIN:  # which is known before the code runs
            whose = 1 - side
        if depth == 2:  # the most frequent call, which is not made through itself
            total += count_from(whose, a, b, c, d, then, rules, search)
        else:
            total += nodes(whose, a, b, c, d, then, depth - 1, rules, search)
        if search.gave_up:
            break
    search.found = first
    return total


@both_sides
def nodes_with_table(
    side: int, men: int, kings: int, enemy_men: int, enemy_kings: int, state: int, depth: int, rules: Record,
    search: Record, counts: Any,
) -> int:  # fmt: skip
    """Count as `nodes` does, with a hash table of a power of two rows.

    Each row has the whole position, so that two with the same hash are not confused.
    """
    if depth < 3:
        return nodes(side, men, kings, enemy_men, enemy_kings, state, depth, rules, search)
    key = word(state << 9 | depth << 1 | side)
    row = row_of(mix(men, mix(kings, mix(enemy_men, mix(enemy_kings, key)))), len(counts))
    if (
        counts[row].key == key
        and load(counts[row].pieces, 0, NONE) == men
        and load(counts[row].pieces, 1, NONE) == kings
        and load(counts[row].pieces, 2, NONE) == enemy_men
        and load(counts[row].pieces, 3, NONE) == enemy_kings
    ):
        return counts[row].nodes
    first, total = search.found, 0
    actions(men, kings, enemy_men, enemy_kings, side, state, rules, search)
    for place in range(first, search.found):
        a, b, c, d, whose, then = after(place, men, kings, enemy_men, enemy_kings, side, state, rules, search)
        total += nodes_with_table(whose, a, b, c, d, then, depth - 1, rules, search, counts)
        if search.gave_up:
            break
    search.found = first
    if not search.gave_up:
        counts[row].key, counts[row].nodes = key, total
        store_pieces(counts[row].pieces, men, kings, enemy_men, enemy_kings)
    return total


@entry
def perft(side: int, pieces: Any, state: int, depth: int, tables: Any, searches: Any) -> int:
    """Count the sequences of `depth` actions from a position."""
    men, kings, enemy_men, enemy_kings = pieces_of(pieces)
    return nodes(side, men, kings, enemy_men, enemy_kings, state, depth, tables[0], searches[0])


@entry
def perft_with_table(side: int, pieces: Any, state: int, depth: int, tables: Any, searches: Any, counts: Any) -> int:
    """Count the sequences of `depth` actions from a position with a hash table."""
    men, kings, enemy_men, enemy_kings = pieces_of(pieces)
    return nodes_with_table(side, men, kings, enemy_men, enemy_kings, state, depth, tables[0], searches[0], counts)


@both_sides
def list_moves(
    side: int, men: int, kings: int, enemy_men: int, enemy_kings: int, rules: Record, search: Record
) -> None:
    """Add every legal move of a position without a king run."""
    legal_moves(men, kings, enemy_men, enemy_kings, side, 0, rules, search)


@entry
def moves(side: int, pieces: Any, tables: Any, searches: Any) -> int:
    """Find every legal move with the doors open that the search has; return their number."""
    men, kings, enemy_men, enemy_kings = pieces_of(pieces)
    list_moves(side, men, kings, enemy_men, enemy_kings, tables[0], searches[0])
    return searches[0].found
