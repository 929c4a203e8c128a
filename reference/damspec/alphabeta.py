"""The best action of a position by any rules: alpha-beta in compiled code, or by the same code in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING

from .errors import ArgumentError
from .game import Game
from .kernel import is_available
from .move import Action, Move, Spin
from .position import Position
from .rules import Rules
from .turn import ActionGenerator

if TYPE_CHECKING:
    from .kernel.search import PositionSearch

#: What is known of a position: who wins it for the side to move (1, 0 or -1), and in how many plies.
Probe = Callable[[Position], tuple[int, int] | None]

#: The greatest depth; the nodes searched before the clock is looked at, and how many of what time allows are tried.
DEEPEST, MOST_NODES, _FIRST_NODES, _SHARE, _WORTHWHILE = 99, 1 << 62, 500, 0.9, 0.6


@dataclass(frozen=True)
class SearchResult:
    """What a search has found.

    `score` is in hundredths of a man as the side to move sees it, with `WIN` for a game won; `line` has the actions
    that are expected, the best one first. It is empty where chance has the turn.
    """

    line: tuple[Action, ...]
    score: int
    depth: int
    nodes: int

    @property
    def action(self) -> Action | None:
        """The best action; None where the game is over or chance has the turn."""
        return self.line[0] if self.line else None

    @property
    def plies_to_win(self) -> int | None:
        """After how many plies the side to move wins or, negative, loses; None where neither has been found."""
        if abs(self.score) <= WIN - DEEPEST - 1:
            return None
        return WIN - self.score if self.score > 0 else -WIN - self.score


#: The score of a game that is won.
WIN = 30_000


def search(
    game: Game,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    probe: Probe | None = None,
) -> SearchResult:
    """Search the best action of a game, as deep as `depth`, or for some `seconds` or `nodes`, whichever ends first.

    Results of a spin count by their mean. Where huffing is pending, every remedy is tried; further on, both sides are
    taken to capture. What `probe` knows of a position after the next action counts as its score: an endgame that is
    solved. Raises ArgumentError without a limit.

    >>> print(search(Game("english", "W:W22:B18"), depth=3).action)
    22x15
    """
    if depth is None and seconds is None and nodes is None:
        raise ArgumentError("search: found no limit, expected depth, seconds or nodes")
    return _Search(game, probe).run(depth or DEEPEST, seconds, nodes)


@lru_cache(maxsize=4)
def _position_search(rules: Rules) -> PositionSearch:
    """Return the search of positions by some rules, whose hash table is kept for a few of them."""
    from .kernel.places import fits
    from .kernel.search import PositionSearch

    return PositionSearch(rules, compiled=is_available() and fits(rules.board))


class _OutOfNodesError(Exception):
    """The search has used the nodes that it may."""


class _Search:
    """One search: by iterative deepening, the first plies in the reference, those below by `PositionSearch`."""

    def __init__(self, game: Game, probe: Probe | None) -> None:
        self._turns: ActionGenerator = game.ruleset.turns
        self._game, self._probe = game, probe
        self._below = _position_search(game.ruleset.rules)
        self._below.start(game.positions)
        self._most_nodes = 0

    def run(self, depth: int, seconds: float | None, nodes: int | None) -> SearchResult:
        """Search deeper and deeper within the limits."""
        start, position, actions = perf_counter(), self._game.position, [*self._game.legal_moves]
        best = SearchResult((), 0, 0, 0)
        if self._game.is_over:
            return best
        for deeper in range(1, depth + 1):
            finished = False
            while not finished:
                elapsed = perf_counter() - start
                rate = self._below.nodes / elapsed if self._below.nodes else 0
                spare = _FIRST_NODES if seconds is None else max(_FIRST_NODES, rate * (seconds - elapsed) * _SHARE)
                self._most_nodes = self._below.nodes + int(spare) if seconds is not None else MOST_NODES
                if nodes is not None:
                    self._most_nodes = min(self._most_nodes, nodes)
                scores, finished = self._scores(position, actions, deeper)
                if scores:
                    first = max(scores, key=scores.__getitem__)
                    line = () if isinstance(actions[first], Spin) else self._line(position, actions[first], deeper)
                    score = sum(scores.values()) // len(scores) if not line else scores[first]
                    best = SearchResult(line, score, deeper, self._below.nodes)
                if (nodes is not None and self._below.nodes >= nodes) or (
                    seconds is not None and perf_counter() - start >= seconds * (_WORTHWHILE if finished else 1)
                ):
                    return best
            order = sorted(scores, key=scores.__getitem__, reverse=True)
            actions = [actions[place] for place in order]
            if best.plies_to_win is not None or (seconds is not None and len(actions) == 1):
                break
        return best

    def _scores(self, position: Position, actions: Sequence[Action], depth: int) -> tuple[dict[int, int], bool]:
        """Return the scores of the actions that were searched, by their places, and whether all were.

        The score of an action that is not better than an earlier one is only known not to be.
        """
        scores = dict[int, int]()
        alpha = -WIN
        try:
            for place, action in enumerate(actions):
                after = self._turns.after(position, action)
                score = None
                if place and depth > 1 and not isinstance(action, Spin):
                    score = self._after(position, after, depth - 1, 1, alpha, alpha + 1)
                if score is None or score > alpha:
                    low = -WIN if isinstance(action, Spin) else alpha
                    score = self._after(position, after, depth - 1, 1, low, WIN)
                scores[place] = score
                alpha = max(alpha, score)
        except _OutOfNodesError:
            return scores, False
        return scores, True

    def _after(self, position: Position, after: Position, depth: int, ply: int, alpha: int, beta: int) -> int:
        """Return the score of a position after an action, as the side sees it that made the action."""
        if after.turn == position.turn:
            return self._score(after, depth, ply, alpha, beta)
        return -self._score(after, depth, ply, -beta, -alpha)

    def _score(self, position: Position, depth: int, ply: int, alpha: int, beta: int) -> int:
        """Return the score of a position for its side to move."""
        known = self._probe(position) if self._probe else None
        if known is not None:
            value, plies = known
            return value * (WIN - ply - plies)
        if self._below.knows(position):
            score = self._below.score(position, depth, ply, alpha, beta, self._most_nodes)
            if self._below.has_stopped:
                raise _OutOfNodesError
            return score
        best = -WIN
        for action in self._turns.actions(position):
            best = max(
                best, self._after(position, self._turns.after(position, action), depth - 1, ply + 1, alpha, beta)
            )
            alpha = max(alpha, best)
            if best >= beta:
                break
        return best

    def _line(self, position: Position, action: Action, depth: int) -> tuple[Action, ...]:
        """Return an action and what is expected after it, as far as the hash table knows."""
        line = [action]
        while len(line) < depth:
            position = self._turns.after(position, line[-1])
            best = self._below.best_move(position)
            moves = [move for move in self._turns.actions(position) if isinstance(move, Move)]
            bit = position.board.bit
            matching = [move for move in moves if (bit(move.start), bit(move.end)) == best]
            if not matching:
                break
            line.append(matching[0])
        return tuple(line)
