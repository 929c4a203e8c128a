"""The search for the best action: compiled, or as plain Python where numba is not installed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from ..position import Position, to_mover_view
from ..rules import Rules
from .constants import CODE, MOST_PATH, SEARCH_FIELDS, places_of, spinner
from .load import compiled_functions, plain_functions
from .sets import mix
from .state import state_of

#: The number of positions in the hash table: compiled, and in Python.
_ROWS, _PLAIN_ROWS = 1 << 20, 1 << 16
#: How far ahead a state is recorded that only matters after some moves.
_FAR_AHEAD = 1000
#: The first and the last square of a move, and those of the pieces that it captures.
MoveSquares = tuple[int, int, tuple[int, ...]]


class PositionSearch:
    """Scores of positions by one set of rules, by alpha-beta with a hash table.

    A score is in hundredths of a man, as the side to move sees it; a won game has `MATE` less the plies to its end.
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
            self._table: Any = np.zeros(2 * _ROWS, np.uint64)
            self._search: Any = self._searches.view(np.recarray)[0]
        else:
            self._functions = plain_functions("search", rules)
            self._tables, self._searches = [SimpleNamespace(**spinner(rules))], [_plain_search()]
            self._table = [0] * 2 * _PLAIN_ROWS
            self._search = self._searches[0]
        self._search.follows_captures, self._search.counts_pieces = not counts_pieces, counts_pieces
        self._started = 0
        start = Position.start(rules)
        self.start([start])  # what is compiled when it is first called is compiled now
        self.score(start, 0, 0, 0, 1, 0)
        self._code(start, (1, 2, ()))

    @property
    def nodes(self) -> int:
        """The number of positions searched since the start."""
        return int(self._search.nodes)

    @property
    def has_stopped(self) -> bool:
        """Whether the last score was cut short by the limit of nodes, and says nothing."""
        return bool(self._search.stopped)

    def start(self, earlier: Iterable[Position] = ()) -> None:
        """Begin a search; a line that comes back to one of the `earlier` positions of the game is drawn."""
        search = self._search
        self._started += 1
        search.salt = mix(self._started, 0)
        search.before = search.nodes = 0
        for field in (search.killers, search.history, search.path):
            field[:] = 0 if self._is_compiled else [0] * len(field)
        for position in [*earlier][-MOST_PATH // 2 :]:
            key = self._key(position)
            if key is not None:
                search.path[search.before] = key
                search.before += 1

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
            *arguments, depth, ply, alpha, beta, self._tables, self._searches, self._table
        )
        return int(score)

    def best_move(self, position: Position, moves: Sequence[MoveSquares]) -> MoveSquares | None:
        """Return which of the moves of a position the hash table has for the best, if any."""
        key = self._key(position)
        row = 2 * (key % (len(self._table) // 2)) if key is not None else 0
        if key is None or int(self._table[row]) != key:
            return None
        code = int(self._table[row + 1]) & (1 << CODE) - 1
        return next((move for move in moves if self._code(position, move) == code), None)

    def _code(self, position: Position, move: MoveSquares) -> int:
        """Return a move as the hash table has it."""
        (start, end, captured), board = move, position.board
        return int(self._functions.code_move(self._sets(board.bit(start), board.bit(end), board.mask(captured))))

    def _key(self, position: Position) -> int | None:
        """Return the hash of a position in this search; None for what has no state."""
        arguments = self._arguments(position)
        return None if arguments is None else int(self._functions.hash_position(*arguments)) ^ int(self._search.salt)

    def _arguments(self, position: Position) -> tuple[int, Any, int] | None:
        """Return the side to move, the pieces as it sees them and the state; None for what has no state."""
        state = state_of(self._rules, position, _FAR_AHEAD)
        if state is None:
            return None
        pieces, side = to_mover_view(position)
        return side, self._sets(*pieces), state

    def _sets(self, *masks: int) -> Any:
        """Return bitboards as an array of sets."""
        if not self._is_compiled:
            return [*map(self._places.whole, masks)]
        from .records import rows

        return rows(self._places, masks)


def _plain_search() -> SimpleNamespace:
    """Return a search as an object of Python, whose sets are numbers."""
    return SimpleNamespace(**{name: [0] * length if length else 0 for name, (_, length) in SEARCH_FIELDS.items()})
