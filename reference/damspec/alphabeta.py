"""The best action of a position by any rules: alpha-beta in compiled code, or by the same code in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import get_ident
from time import perf_counter
from typing import TYPE_CHECKING

from .errors import ArgumentError, ArgumentTypeError, expect, expect_number, quote_any
from .game import Game
from .kernel import is_available
from .kernel.constants import MATE
from .move import Action, Move, Spin
from .outcomes import outcome_of_position
from .position import Position
from .rules import Rules
from .turn import ActionGenerator

if TYPE_CHECKING:
    from .kernel.search import PositionSearch

#: What is known of a position: who wins it for the side to move (1, 0 or -1), and in how many plies.
Probe = Callable[[Position], tuple[int, int] | None]

#: The greatest depth, and the most plies in which a win is counted.
DEEPEST, _FARTHEST = 99, 10_000
#: The nodes searched before limits are looked at: the first time, and without a clock; and the proportions of the time
#: left that they may take, and of the whole time after which no deeper search is begun.
_FEW_NODES, _MANY_NODES, _SHARE, _WORTHWHILE = 500, 1 << 20, 0.5, 0.6


@dataclass(frozen=True)
class SearchResult:
    """What a search has found.

    `line` has the actions that are expected, the best one first; it is empty where the position ends the game or chance
    has the turn. `score` is in hundredths of a man as the side to move sees it. `depth` is how many plies were looked
    ahead, captures at their end aside, `nodes` how many positions were looked at.
    """

    line: tuple[Action, ...]
    score: int
    depth: int
    nodes: int

    @property
    def action(self) -> Action | None:
        """The best action; None where the position ends the game or chance has the turn."""
        return self.line[0] if self.line else None

    @property
    def plies_to_win(self) -> int | None:
        """After how many plies the side to move wins or, negative, loses; None where neither has been found."""
        if abs(self.score) < MATE - _FARTHEST:
            return None
        return MATE - self.score if self.score > 0 else -MATE - self.score


def search(
    game: Game,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    probe: Probe | None = None,
    may_compile: bool | None = None,
) -> SearchResult:
    """Search the best action of a game, as deep as `depth`, or for some `seconds` or `nodes`, whichever ends first.

    With `damspec[fast]` it is compiled, once for a ruleset on a machine, which takes some seconds more: by default
    where it may look more than 5 plies ahead, at more than 10,000 positions, and for 2 seconds or more. Without
    `may_compile` what was compiled before is used, or plain Python. What `probe` knows of a position after the next
    action is taken for certain: an endgame that is solved. The results of a spin have equal chances. A line that comes
    back to an earlier position is drawn; counts of moves draw nothing. Where a huff is pending, every remedy is tried;
    further on, both sides are taken to capture. Raises ArgumentError without a limit.

    >>> print(search(Game("english", "W:W22:B18"), depth=3).action)
    22x15
    """
    expect(game, "game", Game, "a Game")
    if depth is None and seconds is None and nodes is None:
        raise ArgumentError("search: found no limit, expected depth, seconds or nodes")
    if probe is not None and not callable(probe):
        raise ArgumentTypeError(f"probe: found {quote_any(probe)}, expected a function of a position")
    for value, name, most in ((depth, "depth", DEEPEST), (nodes, "nodes", None)):
        if value is not None:
            expect_number(value, name, 1, most)
    if seconds is not None:
        expect(seconds, "seconds", int | float, "a number of seconds")
        if not seconds > 0:
            raise ArgumentError(f"seconds: found {quote_any(seconds)}, expected more than 0")
    return search_positions(
        game.ruleset.turns,
        game.positions,
        depth=depth,
        seconds=seconds,
        nodes=nodes,
        probe=probe,
        may_compile=may_compile,
    )


def search_positions(
    turns: ActionGenerator,
    positions: Sequence[Position],
    *,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    probe: Probe | None = None,
    may_compile: bool | None = None,
) -> SearchResult:
    """Search the best action of the last position of a game, as `search` does."""
    from .kernel.load import is_compiled
    from .kernel.places import fits

    rules = turns.rules
    over = _final_score(turns, positions[-1], turns.actions(positions[-1]), 0)
    if over is not None:
        return SearchResult((), over, 0, 0)
    if may_compile is None:
        may_compile = (depth or DEEPEST) > 5 and (seconds is None or seconds >= 2) and (nodes is None or nodes > 10_000)
    compiled = is_available() and fits(rules.board) and (may_compile or is_compiled("search", "search_position", rules))
    below = _position_search(rules, compiled, get_ident())
    below.start(_reversible(positions))
    return _Search(turns, positions[-1], below, probe).run(min(depth or DEEPEST, DEEPEST), seconds, nodes)


@lru_cache(maxsize=4)
def _position_search(rules: Rules, compiled: bool, thread: int) -> PositionSearch:
    """Return the search that a thread has for a set of rules; its hash table lasts from one search to the next."""
    from .kernel.search import PositionSearch

    return PositionSearch(rules, compiled=compiled)


def _final_score(turns: ActionGenerator, position: Position, actions: Sequence[Action], ply: int) -> int | None:
    """Return the score for the side to move of a position in which the game is over; None if it goes on."""
    outcome = outcome_of_position(turns, position, actions)
    if not outcome.is_over:
        return None
    if outcome.winner is None:
        return 0
    return MATE - ply if outcome.winner == position.turn else ply - MATE


class _OutOfNodesError(Exception):
    """The search has used the nodes that it may."""


class _Search:
    """One search: by iterative deepening, the first plies in the reference, those below by `PositionSearch`."""

    def __init__(self, turns: ActionGenerator, position: Position, below: PositionSearch, probe: Probe | None) -> None:
        self._turns, self._position, self._below, self._probe = turns, position, below, probe
        self._most_nodes = 0

    def run(self, depth: int, seconds: float | None, nodes: int | None) -> SearchResult:
        """Search deeper and deeper within the limits."""
        begun, actions = perf_counter(), self._turns.actions(self._position)
        best = SearchResult(() if isinstance(actions[0], Spin) else (actions[0],), 0, 0, 0)
        deeper, elapsed = 1, 0.0
        while True:
            self._most_nodes = self._below.nodes + self._nodes_at_once(seconds, elapsed)
            if nodes is not None:
                self._most_nodes = min(self._most_nodes, nodes)
            scores, finished = self._scores(actions, deeper)
            best = self._result(actions, scores, deeper, finished) or best
            elapsed = perf_counter() - begun
            if nodes is not None and self._below.nodes >= nodes:
                return best
            if seconds is not None and elapsed >= seconds * (_WORTHWHILE if finished else 1):
                return best
            if finished:
                is_forced = seconds is not None and len(actions) == 1
                if deeper == depth or best.plies_to_win is not None or is_forced:
                    return best
                order = sorted(scores, key=scores.__getitem__, reverse=True)
                actions = [actions[place] for place in order]
                deeper += 1

    def _nodes_at_once(self, seconds: float | None, elapsed: float) -> int:
        """Return how many nodes may be searched before limits are looked at again."""
        if seconds is None:
            return _MANY_NODES
        rate = self._below.nodes / elapsed if elapsed else 0
        return max(_FEW_NODES, int(rate * (seconds - elapsed) * _SHARE))

    def _result(
        self, actions: Sequence[Action], scores: dict[int, int], depth: int, finished: bool
    ) -> SearchResult | None:
        """Return the result of the scores found so far, by place of the action; None if they do not suffice for one."""
        if isinstance(actions[0], Spin):
            mean = sum(scores.values()) // len(actions)
            return SearchResult((), mean, depth, self._below.nodes) if finished else None
        if not scores:
            return None
        first = max(scores, key=scores.__getitem__)
        return SearchResult(self._line(actions[first], depth), scores[first], depth, self._below.nodes)

    def _scores(self, actions: Sequence[Action], depth: int) -> tuple[dict[int, int], bool]:
        """Return the scores of the actions that were searched, by their places, and whether all were.

        The score of an action that is not better than an earlier one is only known not to be.
        """
        scores, alpha, position = dict[int, int](), -MATE, self._position
        try:
            for place, action in enumerate(actions):
                after = self._turns.after(position, action)
                score = None
                if place and depth > 1 and not isinstance(action, Spin):
                    score = self._after(position, after, depth - 1, 1, alpha, alpha + 1)
                if score is None or score > alpha:
                    low = -MATE if isinstance(action, Spin) else alpha
                    score = self._after(position, after, depth - 1, 1, low, MATE)
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
            expect(known, "probe", tuple, "a function that returns a value and plies, or None")
            value, plies = known
            return value * (MATE - ply - plies)
        if self._below.knows(position):
            score = self._below.score(position, depth, ply, alpha, beta, self._most_nodes)
            if self._below.has_stopped:
                raise _OutOfNodesError
            return score
        actions = self._turns.actions(position)
        over = _final_score(self._turns, position, actions, ply)
        if over is not None:
            return over
        best = -MATE
        for action in actions:
            after = self._turns.after(position, action)
            best = max(best, self._after(position, after, depth - 1, ply + 1, max(alpha, best), beta))
            if best >= beta:
                break
        return best

    def _line(self, action: Action, depth: int) -> tuple[Action, ...]:
        """Return an action and what is expected after it, as far as the hash table or a lack of choice says."""
        line, position = [action], self._position
        while len(line) < DEEPEST:
            position = self._turns.after(position, line[-1])
            actions = self._turns.actions(position)
            moves = {(move.start, move.end, move.captured): move for move in actions if isinstance(move, Move)}
            best = next(iter(moves)) if moves and len(actions) == 1 else None
            if len(line) < depth and best is None:
                best = self._below.best_move(position, [*moves])
            if best is None:
                break
            line.append(moves[best])
        return tuple(line)


def _reversible(positions: Sequence[Position]) -> list[Position]:
    """Return the last positions of a game, to which it can come back: those with the men where they are now."""
    found, last = list[Position](), positions[-1]
    for position in reversed(positions):
        if _without_kings(position) != _without_kings(last):
            break
        found.append(position)
    return found[::-1]


def _without_kings(position: Position) -> tuple[int, ...]:
    """Return what no king move changes: the men of both sides, and their numbers of kings."""
    return (
        position.men("white"), position.men("black"),
        position.kings("white").bit_count(), position.kings("black").bit_count(),
    )  # fmt: skip
