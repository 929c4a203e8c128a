"""Moves and perft in compiled code, with the bitboards of the reference."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from ..position import Pieces, Position, to_mover_view
from ..rules import Rules
from .constants import CONVENTIONS, places_of
from .load import compiled_functions, is_compiled
from .records import begin, mask_of, new_search, rows, rule_table, set_row, sets_shape
from .state import state_of

#: Start, end, captured pieces as bitboards, and whether a man is crowned.
CompiledStep = tuple[int, int, int, bool]


@cache
def _count_dtype(words: int) -> np.dtype[np.void]:
    """Return the record type of a count in the hash table: the key has depth, side to move and state."""
    fields: list[Any] = [("key", np.uint64), ("nodes", np.int64), ("pieces", np.uint64, sets_shape(4, words))]
    return np.dtype(fields, align=True)


class CompiledRules:
    """Moves and perft by one set of rules; pieces are four bitboards, as the side to move sees them.

    Raises RulesetError for a board that is too large for compiled code.
    """

    def __init__(self, rules: Rules) -> None:
        self._places = places_of(rules.board)
        self._rules = rules
        self._table, self._search = rule_table(rules), new_search(self._places.words)
        self._counts = np.zeros(0, _count_dtype(self._places.words))
        self._functions: Any = compiled_functions("perft", rules, filled_in=is_compiled("perft", "perft", rules))
        self._lock = Lock()  # threads share the records

    def specialise(self) -> None:
        """Use code in which these rules are filled in: several times faster, once it has been compiled."""
        self._functions = compiled_functions("perft", self._rules, filled_in=True)

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
        rules = self._rules
        if count == "sequences" and rules.king.capture_reach == 1:
            count = "paths"  # each sequence has one path
        if count != "unique" and rules.king.move_slides == "twice":
            return None
        if count == "sequences" and "king-first" in rules.capture.choice:
            return None
        state = state_of(rules, position, depth)
        if not depth or state is None:
            return None if depth else 1
        return self._count(*to_mover_view(position), depth, state, count)

    def steps(self, pieces: Pieces, side: int, doors: int = 0) -> list[CompiledStep] | None:
        """Return every legal move once, given the open `doors`; None where there are too many captures."""
        search, places = self._search[0], self._places
        with self._lock:
            begin(self._search)
            self._count_by("unique")
            set_row(search["doors"], 0, places.whole(doors), places.words)
            found = self._functions.moves(side, rows(places, pieces), self._table, self._search)
            if search["gave_up"]:
                return None
            moves = [search[name][:found].copy() for name in ("start", "end", "captured", "crowned")]
        return [
            (mask_of(places, start), mask_of(places, end), mask_of(places, captured), bool(crowned))
            for start, end, captured, crowned in zip(*moves, strict=True)
        ]

    def _count(self, pieces: Pieces, side: int, depth: int, state: int, count: str = "unique") -> int | None:
        functions = self._functions
        if count != "unique":
            functions = compiled_functions("perft", self._rules, filled_in=False)
        arguments = side, rows(self._places, pieces), state, depth, self._table, self._search
        with self._lock:
            begin(self._search)
            self._count_by(count)
            if len(self._counts) and count == "unique":
                nodes = functions.perft_with_table(*arguments, self._counts)
            else:
                nodes = functions.perft(*arguments)
            return None if self._search[0]["gave_up"] else int(nodes)

    def _count_by(self, count: str) -> None:
        """Tell the code that reads rules from records which moves it counts as the same."""
        for convention, name in CONVENTIONS.items():
            self._table[0][name] = convention == count
