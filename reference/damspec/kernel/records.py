"""The records that compiled code works on: sets of rules, and searches with what they find."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from ..board import DIRECTIONS
from ..rules import Rules
from .constants import CONVENTIONS, NAMES, SEARCH_FIELDS, Squares, Ways, code_of, constants, places_of, spinner, steps
from .places import SquarePlaces, words_of

Records: TypeAlias = np.ndarray[Any, np.dtype[np.void]]

#: The most entries of a list of a rule.
MOST_CRITERIA = 8


def sets_shape(number: int, words: int) -> tuple[int, ...]:
    """Return the shape of an array of sets."""
    return (number,) if words == 1 else (number, words)


def set_row(field: Any, row: int, number: int, words: int) -> None:
    """Write a set, given as one number, to an array of sets."""
    field[row] = number if words == 1 else words_of(number, words)


def rows(places: SquarePlaces, masks: Iterable[int]) -> Any:
    """Return bitboards as an array of sets."""
    found = [words_of(places.whole(mask), places.words) for mask in masks]
    return np.array([row[0] for row in found] if places.words == 1 else found, np.uint64)


def mask_of(places: SquarePlaces, row: Any) -> int:
    """Return the bitboard of a set in an array."""
    return places.mask(sum(int(word) << 64 * place for place, word in enumerate(np.atleast_1d(row))))


def rule_table(rules: Rules) -> Records:
    """Return an array with one record: what differs between boards and layouts, and the `constants` of both sides.

    Code in which these rules are filled in reads only the former. Raises RulesetError for a value of a rule that
    compiled code does not know.
    """
    places, (white, black) = places_of(rules.board), [constants(rules, side) for side in range(2)]
    words, spin = places.words, spinner(rules)
    fields: list[Any] = [
        ("inside", np.uint64, sets_shape(len(DIRECTIONS), words)),
        ("shift_up", np.uint64, (len(DIRECTIONS),)),
        ("shift_down", np.uint64, (len(DIRECTIONS),)),
        ("sliders", np.int64),
        ("slider_colour", np.int64, (len(spin["slider_colour"]),)),
        ("slider_doors", np.uint64, sets_shape(len(spin["slider_doors"]), words)),
        ("phases", np.int64, (len(spin["phases"]),)),
        *((name, np.int64) for name in CONVENTIONS.values()),
        *((name, *_field_of(value, words)) for name, value in white.items()),
    ]
    table = np.zeros(1, np.dtype(fields, align=True))
    record = table[0]
    for way, (distance, inside) in enumerate(steps(rules.board)):
        record["shift_up"][way], record["shift_down"][way] = max(distance, 0), max(-distance, 0)
        set_row(record["inside"], way, inside, words)
    for name in ("sliders", "slider_colour", "phases"):
        record[name] = spin[name]
    for row, doors in enumerate(spin["slider_doors"]):
        set_row(record["slider_doors"], row, doors, words)
    for side, values in enumerate((white, black)):
        for name, value in values.items():
            if isinstance(value, Squares):
                set_row(record[name], side, value, words)
            elif isinstance(value, Ways):
                record[name][side, : 1 + len(value)] = len(value), *value
            elif isinstance(value, tuple):
                record[name][: 1 + len(value)] = len(value), *(code_of(name, each) for each in value)
            else:
                record[name] = code_of(name, value) if name in NAMES else value
    record["COUNTS_UNIQUE"] = True
    return table


def _field_of(value: Any, words: int) -> tuple[Any, tuple[int, ...]]:
    """Return the type and the shape of the field for a name's value: directions and lists begin with their number."""
    if isinstance(value, Squares):
        return np.uint64, sets_shape(2, words)
    if isinstance(value, Ways):
        return np.int64, (2, 1 + len(DIRECTIONS))
    return np.int64, (1 + MOST_CRITERIA,) if isinstance(value, tuple) else ()


@cache
def search_dtype(words: int) -> np.dtype[np.void]:
    """Return the record type of a search."""
    kinds = {"set": np.uint64, "word": np.uint64, "number": np.int64, "flag": np.bool_, "small": np.uint8}
    fields: list[Any] = []
    for name, (kind, number) in SEARCH_FIELDS.items():
        shape = sets_shape(number, words) if kind == "set" else (number,) if number else ()
        fields.append((name, kinds[kind], shape))
    return np.dtype(fields, align=True)


def new_search(words: int, number: int = 1) -> Records:
    """Return records for searches, in which nothing has been found."""
    return np.zeros(number, search_dtype(words))


def begin(searches: Records) -> None:
    """Reset searches: nothing found, all doors shut."""
    for field in ("found", "nodes", "gave_up", "doors"):
        searches[field] = 0
