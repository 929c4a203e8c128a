"""The search for the best action: compiled, or as plain Python where numba is not installed."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from ..board import SIDES
from ..position import Position
from ..rules import Rules
from .constants import MOST_PATH, SEARCH_FIELDS, places_of, spinner
from .load import compiled_functions, plain_functions
from .state import state_of

#: The number of positions in the hash table: compiled, and in Python.
_ROWS, _PLAIN_ROWS = 1 << 20, 1 << 16
#: How far ahead a state is recorded that only matters after some moves.
_FAR_AHEAD = 1000


class PositionSearch:
    """Scores of positions by one set of rules, with a hash table that later searches find filled.

    A score is in hundredths of a man, as the side to move sees it; from `MATE` - 1000 on the game is won.
    """

    def __init__(self, rules: Rules, *, compiled: bool, counts_pieces: bool = False) -> None:
        """Prepare; with `counts_pieces` a position is worth its pieces and captures are not followed to their end."""
        self._rules, self._places = rules, places_of(rules.board)
        self._is_compiled = compiled
        if compiled:
            import numpy as np

            from . import records

            self._functions: Any = compiled_functions("search", rules, filled_in=True)
            self._tables: Any = records.rule_table(rules)
            self._searches: Any = records.new_search(self._places.words)
            self._keys: Any
            self._data: Any
            self._keys, self._data = np.zeros(_ROWS, np.uint64), np.zeros(_ROWS, np.int64)
        else:
            self._functions = plain_functions("search", rules)
            self._tables, self._searches = [SimpleNamespace(**spinner(rules))], [_plain_search()]
            self._keys, self._data = [0] * _PLAIN_ROWS, [0] * _PLAIN_ROWS
        self._search: Any = self._searches.view(np.recarray)[0] if compiled else self._searches[0]
        self._search.follows_captures, self._search.counts_pieces = not counts_pieces, counts_pieces
        self._search.before = 0

    @property
    def nodes(self) -> int:
        """The number of positions searched so far."""
        return int(self._search.nodes)

    @property
    def has_stopped(self) -> bool:
        """Whether the last score was cut short by the limit of nodes, and says nothing."""
        return bool(self._search.stopped)

    def start(self, earlier: Sequence[Position] = ()) -> None:
        """Begin a search; a line that comes back to one of the `earlier` positions of the game is drawn."""
        self._search.before = self._search.nodes = 0
        self._search.gave_up = False
        for position in earlier[-MOST_PATH // 2 :]:
            arguments = self._arguments(position)
            if arguments is not None:
                self._search.path[self._search.before] = self._functions.hash_position(*arguments)
                self._search.before += 1

    def knows(self, position: Position) -> bool:
        """Return whether a position can be searched here: none that waits for a huff can."""
        return self._arguments(position) is not None

    def score(self, position: Position, depth: int, ply: int, alpha: int, beta: int, most_nodes: int) -> int:
        """Return the score of a position, searched `depth` plies ahead, `ply` plies from where the search began.

        A score that is not between `alpha` and `beta` is only a bound. The search stops at `most_nodes` nodes in all.
        """
        arguments = self._arguments(position)
        assert arguments is not None
        self._search.most_nodes, self._search.stopped, self._search.found = most_nodes, False, 0
        score = self._functions.search_position(
            *arguments, depth, ply, alpha, beta, self._tables, self._searches, self._keys, self._data
        )
        return int(score)

    def best_move(self, position: Position) -> tuple[int, int] | None:
        """Return the start and the end, as bits, of the best move that the hash table has for a position."""
        arguments = self._arguments(position)
        if arguments is None:
            return None
        key = int(self._functions.hash_position(*arguments))
        row = key & len(self._keys) - 1
        code = int(self._data[row]) & 0x1FFFF
        if int(self._keys[row]) != key or not code:
            return None
        return self._places.bit((code >> 8) - 1), self._places.bit(code & 0xFF)

    def _arguments(self, position: Position) -> tuple[int, Any, int] | None:
        """Return the side to move, the pieces as it sees them and the state; None for what has no state."""
        state = state_of(self._rules, position, _FAR_AHEAD)
        if state is None:
            return None
        own, enemy = SIDES if position.turn == SIDES[0] else SIDES[::-1]
        masks = position.men(own), position.kings(own), position.men(enemy), position.kings(enemy)
        if not self._is_compiled:
            return SIDES.index(own), [*map(self._places.whole, masks)], state
        from .records import rows

        return SIDES.index(own), rows(self._places, masks), state


def _plain_search() -> SimpleNamespace:
    """Return a search as an object of Python, whose sets are numbers."""
    return SimpleNamespace(**{name: [0] * length if length else 0 for name, (_, length) in SEARCH_FIELDS.items()})
