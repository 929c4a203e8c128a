"""Faults in outcomes: draws that come too early, too late or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from damspec import Action, Move, Outcome, Position
from damspec.board import SIDES, opponent
from damspec.king_runs import without_runs
from damspec.outcomes import REASONS, find_draw, outcome_of_position
from damspec.rules import Rules, endgames_named
from damspec.turn import ActionGenerator

from .faults import FaultyGenerator, Values, hook
from .turn_faults import without_part

hook("actions", "limit-unknown")(lambda v, turns, position, listed: turns.right.actions(without_runs(position)))
hook("outcome", "limit-unknown")(lambda v, turns, position: outcome_of_position(turns.right, without_runs(position)))


@hook("outcome", "one-each-only")
def one_each_only(v: Values, turns: FaultyGenerator, position: Position) -> Outcome:
    others = (position.men if v["piece"] == "kings" else position.kings)(position.turn)
    others |= (position.men if v["piece"] == "kings" else position.kings)(opponent(position.turn))
    return outcome_of_position(_without_one_each(turns.rules) if others else turns.right, position)


@lru_cache(maxsize=8)
def _without_one_each(rules: Rules) -> ActionGenerator:
    draws = tuple(draw for draw in rules.ending.draws if not draw.startswith("one-piece-each"))
    return ActionGenerator(replace(rules, ending=replace(rules.ending, draws=draws)))


@hook("outcome", "ending-at-once")
def ending_at_once(v: Values, turns: FaultyGenerator, position: Position) -> Outcome:
    now = outcome_of_position(turns.right, position)
    material = [(position.kings(side).bit_count(), position.men(side).bit_count()) for side in SIDES]
    endgames = (turns.rules.draws and turns.rules.draws.endings) or ()
    named = {force for key in endgames for force in endgames_named(key)}
    drawn = not now.is_over and not named.isdisjoint(((material[0], material[1]), (material[1], material[0])))
    return Outcome("draw", "ending") if drawn else now


@hook("outcome", "blocked-out-of-turn")
def blocked_out_of_turn(v: Values, turns: FaultyGenerator, position: Position) -> Outcome:
    now, turned = outcome_of_position(turns.right, position), replace(position, turn=opponent(position.turn))
    other = outcome_of_position(turns.right, turned)
    return other if not now.is_over and other.reason == "no-moves" else now


# --- draws by history

#: The positions that a game went through, and the actions between them.
History = tuple[Sequence[Position], Sequence[Action]]

#: The fields of `DrawRules` that count moves, in the words of the catalogue.
COUNTS = {
    "moves of kings alone": "king_moves",
    "moves without a capture": "no_capture",
    "moves of an ending": "endings",
    "moves at a balance": "balance",
    "moves on the main road": "main_road",
    "moves of the river": "river",
}
#: Those of classes of endgames. A class without a man is left by each of its moves but those of kings.
ENDGAME_COUNTS = ("moves of an ending", "moves on the main road", "moves of the river")


def misreads(*ids: str, rule: str = "") -> Callable[[Callable[[Values, History], History]], object]:
    """Register a function that returns the history which a rule of draws, a field of `DrawRules`, is applied to."""

    def register(function: Callable[[Values, History], History]) -> object:
        def draw_of(
            v: Values, turns: FaultyGenerator, positions: Sequence[Position], actions: Sequence[Action]
        ) -> Outcome:
            alone, others = _parted(turns.rules, rule or COUNTS[v["moves"]])
            found = find_draw(alone, *function(v, (positions, actions)))
            return found if found.is_over else find_draw(others, positions, actions)

        return hook("history", *ids)(draw_of)

    return register


@lru_cache(maxsize=64)
def _parted(rules: Rules, rule: str) -> tuple[Rules, Rules]:
    """Return rules with one rule of draws by history alone, and with all others."""
    others = {name.partition(".")[2].replace("-", "_") for name in REASONS} - {rule}
    alone, without = (
        replace(rules, draws=rules.draws and replace(rules.draws, **dict.fromkeys(left))) for left in (others, {rule})
    )
    return alone, without


misreads("first-left-out", rule="repetition")(lambda v, game: (game[0][1:], game[1][1:]))
misreads("first-only", rule="repetition")(lambda v, game: game if game[0][-1] == game[0][0] else (game[0][-1:], ()))
misreads("looks-back-short", rule="repetition")(lambda v, game: (game[0][-9:], game[1][-8:]))
misreads("repetition-blind", rule="repetition")(
    lambda v, game: ([without_part(each, v["what"]) for each in game[0]], game[1])
)
misreads("men-counted", rule="king_moves")(lambda v, game: _unchanged_by("a move of a man", game, counted=True))
misreads("count-goes-on")(lambda v, game: _unchanged_by(v["event"], game, counted=False))
misreads("count-too-early")(lambda v, game: _unchanged_by(v["event"], _since(v["event"], game, skip=0), counted=True))
misreads("count-restarts")(lambda v, game: _since(v["event"], game))


@misreads("count-one-side")
def count_one_side(v: Values, game: History) -> History:
    """As if the other side had answered the last move without changing the pieces."""
    (*before, last), actions = game
    return (
        game if last.turn == v["side"] else ([*before, last, replace(last, turn=v["side"])], [*actions, *actions[-1:]])
    )


@misreads("count-one-colour")
def count_one_colour(v: Values, game: History) -> History:
    last = game[0][-1]
    return game if 2 * last.occupied(v["side"]).bit_count() > len(last) else (game[0][-1:], ())


#: The moves that begin a count of moves again, by the rules or by a fault.
_EVENTS: dict[str, Callable[[Position, Move], bool]] = {
    "a move of a man": lambda position, move: (
        not move.captured and bool(position.men(position.turn) & position.board.bit(move.start))
    ),
    "a capture": lambda position, move: bool(move.captured),
    "a promotion": lambda position, move: move.promotes,
    "a move onto the main road": lambda position, move: (
        [bool(position.board.main_road & position.board.bit(square)) for square in (move.start, move.end)]
        == [False, True]
    ),
}


def _places(event: str, history: History) -> list[int]:
    """Return the places in a history of the moves of a kind."""
    moves = enumerate(zip(*history, strict=False))
    return [place for place, (before, move) in moves if isinstance(move, Move) and _EVENTS[event](before, move)]


def _since(event: str, history: History, skip: int = 1) -> History:
    """Return the history after the last move of a kind, or with `skip=0` with that move."""
    first = max(_places(event, history), default=-skip) + skip
    return history[0][first:], history[1][first:]


def _unchanged_by(event: str, history: History, *, counted: bool) -> History:
    """Return a history whose pieces stood all along as after the last move of a kind.

    Moves of that kind are left out unless `counted`.
    """
    (positions, actions), places = history, _places(event, history)
    last = max(places, default=-1) + 1
    kept = [place for place in range(last) if counted or place not in places]
    # The square that the last of them left is empty then, so that none of the moves is one of a man.
    return (
        [*(replace(positions[last], turn=positions[place].turn) for place in kept), *positions[last:]],
        [*(actions[last - 1] for _ in kept), *actions[last:]],
    )
