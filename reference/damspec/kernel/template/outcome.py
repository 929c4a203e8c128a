"""How a position ends the game, as its side to move sees it."""

from __future__ import annotations

from ..sets import count
from .moves import Record, actions, captures, count_quiet, quiet_moves
from .rules import (
    DRAW,
    ENDING_BLOCKED,
    ENDING_BOTH_EMPTY,
    ENDING_DRAWS,
    ENDING_FIRST_KING,
    ENDING_KING_TO_MAN,
    ENDING_NO_MOVES,
    ENDING_NO_PIECES,
    ENDING_ONE_PIECE,
    ENDING_ORDER,
    LOSS,
    NO_VALUE,
    NONE,
    WIN,
    both_sides,
)


def other(value: int) -> int:
    """Return a value as the other side sees it."""
    return DRAW if value == DRAW else WIN + LOSS - value


@both_sides
def list_actions(
    side: int, men: int, kings: int, enemy_men: int, enemy_kings: int, state: int, rules: Record, search: Record
) -> None:
    """Add every action of a side to move that is known only when the code runs."""
    actions(men, kings, enemy_men, enemy_kings, side, state, rules, search)


@both_sides
def list_quiet(
    side: int, men: int, kings: int, enemy_men: int, enemy_kings: int, state: int, rules: Record, search: Record
) -> None:
    """Add every move of one slide."""
    quiet_moves(men, kings, enemy_men, enemy_kings, side, state, rules, search)


@both_sides
def has_capture(
    side: int, men: int, kings: int, enemy_men: int, enemy_kings: int, rules: Record, search: Record
) -> bool:
    """Return whether the side to move has a capture."""
    first = search.found
    captures(men, kings, enemy_men, enemy_kings, rules, search)
    found = search.found > first
    search.found = first
    return found


@both_sides
def has_quiet(
    side: int, men: int, kings: int, enemy_men: int, enemy_kings: int, state: int, rules: Record, search: Record
) -> bool:
    """Return whether the side to move has a move of one slide, whether or not it must capture."""
    return count_quiet(men, kings, enemy_men, enemy_kings, side, state, rules, search) > 0


def is_drawn(men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, rules: Record, search: Record) -> bool:
    """Return whether the pieces on the board draw the game: `ending.draws`."""
    if count(men | kings) != 1 or count(enemy_men | enemy_kings) != 1:
        return False
    drawn = False
    for draw in ENDING_DRAWS:
        if draw == "one-piece-each":
            drawn = True
        if draw == "one-piece-each-same-kind":
            drawn = drawn or (men != NONE) == (enemy_men != NONE)
        if draw == "one-piece-each-no-capture":
            drawn = drawn or not has_capture(side, men, kings, enemy_men, enemy_kings, rules, search)
    return drawn


def without_pieces(rules: Record) -> int:
    """Return the value of a side without pieces: `ending.no-pieces`."""
    return WIN if ENDING_NO_PIECES == "wins" else LOSS


def without_action(rules: Record) -> int:
    """Return the value of a side that is to move but cannot: `ending.no-moves`."""
    if ENDING_NO_MOVES == "draws":
        return DRAW
    return WIN if ENDING_NO_MOVES == "wins" else LOSS


def value_by_pieces(
    men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, rules: Record, search: Record
) -> int:
    """Return the value that the rules give a position before its moves are looked at; NO_VALUE if they give none."""
    if ENDING_FIRST_KING == "wins":
        if enemy_kings:
            return LOSS
        if kings:
            return WIN
    own, enemy = count(men | kings), count(enemy_men | enemy_kings)
    if own == 0 and enemy == 0:
        if ENDING_BOTH_EMPTY == "draw":
            return DRAW
        if ENDING_BOTH_EMPTY == "mover-loses":
            return WIN
        if ENDING_BOTH_EMPTY == "mover-wins":
            return LOSS
    if own == 0:
        return without_pieces(rules)
    if enemy == 0:
        return other(without_pieces(rules))
    if ENDING_ORDER == "draws-first" and is_drawn(men, kings, enemy_men, enemy_kings, side, rules, search):
        return DRAW
    if ENDING_ONE_PIECE == "loses":
        if own == 1:
            return LOSS
        if enemy == 1:
            return WIN
    if ENDING_KING_TO_MAN == "wins" and own == 1 and enemy == 1 and (kings != NONE) != (enemy_kings != NONE):
        if kings:
            return WIN
        if not has_capture(side, men, kings, enemy_men, enemy_kings, rules, search):
            return LOSS
    return NO_VALUE


def value_with_actions(
    men: int, kings: int, enemy_men: int, enemy_kings: int, side: int, state: int, rules: Record, search: Record
) -> int:
    """Add the actions of a position and return its value if the game is over, else NO_VALUE."""
    value = value_by_pieces(men, kings, enemy_men, enemy_kings, side, rules, search)
    if value != NO_VALUE:
        return value
    first = search.found
    list_actions(side, men, kings, enemy_men, enemy_kings, state, rules, search)
    blocked = search.found == first
    if ENDING_BLOCKED == "no-step":
        blocked = not has_quiet(side, men, kings, enemy_men, enemy_kings, state, rules, search)
    if blocked:
        return without_action(rules)
    if is_drawn(men, kings, enemy_men, enemy_kings, side, rules, search):
        return DRAW
    return NO_VALUE
