"""The outcome of a game: wins and draws by the position, and draws that depend on its history.

A position does not show repetition or how long an endgame has lasted, so these draws need the game: its positions and
the actions between them. Counts are of moves that each side has made with a piece. Spins and slider pushes do not
count, and a retracted move was not made; but whatever changes the pieces on the board ends every count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple, NoReturn

from .board import SIDES, Side, opponent
from .errors import expect, expect_word
from .move import Action, Move, Retract
from .other_names import OtherNames
from .position import Position
from .rules import DrawRules, Force, Rules, endgames_named, totals_named
from .turn import ActionGenerator

#: What `ending.both-empty` means for the side that moved last.
_BOTH_EMPTY = {"mover-wins": "wins", "mover-loses": "loses", "draw": "draws"}


@dataclass(frozen=True)
class Outcome(metaclass=OtherNames):
    """The outcome of a game: `result` is `ongoing`, the side that has won, or `draw`; `reason` is the rule behind it.

    An outcome has no truth value, since an ongoing game has one too: use `is_over` or `winner`.

    >>> over = Outcome("white", "no-pieces")
    >>> over.is_over, over.winner, str(over)
    (True, 'white', 'white (no-pieces)')
    """

    result: Literal["ongoing", "white", "black", "draw"]
    reason: str | None = None

    def __post_init__(self) -> None:
        expect_word(self.result, "result", ("ongoing", "white", "black", "draw"))
        expect(self.reason, "reason", str | None, "a text or None")

    @property
    def is_over(self) -> bool:
        """Whether a side has won or the game is drawn."""
        return self.result != "ongoing"

    @property
    def winner(self) -> Side | None:
        """The side that has won; None for a draw or an ongoing game."""
        return self.result if self.result in ("white", "black") else None

    def as_json(self) -> dict[str, str]:
        """Return the outcome as cases and `--json` write it: the result, and the reason if there is one."""
        return {"result": self.result, **({"reason": self.reason} if self.reason else {})}

    def __bool__(self) -> NoReturn:
        raise TypeError("an Outcome is neither true nor false: ask is_over or winner")

    def __str__(self) -> str:
        return f"{self.result} ({self.reason})" if self.reason else self.result


def outcome_of_position(turns: ActionGenerator, position: Position, actions: Sequence[Action] | None = None) -> Outcome:
    """Return the outcome of a position without its history; `actions` are the legal ones, if already known."""
    return next(_decisions(turns, position, actions), Outcome("ongoing"))


def _decisions(turns: ActionGenerator, position: Position, actions: Sequence[Action] | None) -> Iterator[Outcome]:
    """Yield what ends the game, in the order at the head of the group `ending` in spec/rules.yaml; the first counts."""
    ending, mover = turns.rules.ending, opponent(position.turn)
    last = position.turn if position.spin == "due" else mover
    # ending.first-king
    if ending.first_king:
        for side in (last, opponent(last)):
            if position.kings(side):
                yield _verdict(ending.first_king, side, "first-king")
    empty = [side for side in (position.turn, mover) if not position.occupied(side)]
    # ending.both-empty
    if len(empty) == 2 and ending.both_empty:
        yield _verdict(_BOTH_EMPTY[ending.both_empty], last, "both-empty")
    # ending.no-pieces
    if empty:
        yield _verdict(ending.no_pieces, empty[0], "no-pieces")
    # ending.order
    if ending.order == "draws-first":
        yield from _material_draws(turns, position)
    # ending.one-piece
    if ending.one_piece:
        for side in (position.turn, mover):
            if position.occupied(side).bit_count() == 1:
                yield _verdict(ending.one_piece, side, "one-piece")
    # ending.king-to-man
    if ending.king_to_man and (king := _find_king_to_man(turns, position)):
        yield _verdict(ending.king_to_man, king, "king-to-man")
    # ending.no-moves
    if _is_blocked(turns, position, actions):
        yield _verdict(ending.no_moves, position.turn, "no-moves")
    yield from _material_draws(turns, position)


def _find_king_to_man(turns: ActionGenerator, position: Position) -> Side | None:
    """Return the side with a king if that is all it has against a man that cannot capture now."""
    for side in SIDES:
        if _force(position, side) == (1, 0) and _force(position, opponent(side)) == (0, 1):
            return None if position.turn != side and turns.can_capture(position) else side
    return None


def _is_blocked(turns: ActionGenerator, position: Position, actions: Sequence[Action] | None) -> bool:
    """Return whether the side to move, which has pieces, cannot move.

    `ending.blocked` says whether a huffing remedy counts as a move, or only a quiet move does.
    """
    blocked = turns.rules.ending.blocked
    if blocked == "no-step":
        return not turns.movement.quiet(position)
    if actions is None:
        actions = turns.actions(position)
    return not (any(isinstance(action, Move) for action in actions) if blocked == "no-piece-move" else actions)


def _verdict(verb: str, side: Side, reason: str) -> Outcome:
    match verb:
        case "loses":
            return Outcome(opponent(side), reason)
        case "wins":
            return Outcome(side, reason)
        case _:
            return Outcome("draw", reason)


def _material_draws(turns: ActionGenerator, position: Position) -> Iterator[Outcome]:
    """Yield each draw by the pieces on the board."""
    # ending.draws
    yield from (Outcome("draw", draw) for draw in turns.rules.ending.draws if _is_drawn(turns, position, draw))


def _is_drawn(turns: ActionGenerator, position: Position, draw: str) -> bool:
    white, black = position.occupied("white"), position.occupied("black")
    if white.bit_count() != 1 or black.bit_count() != 1:
        return False
    match draw:
        case "one-piece-each":
            return True
        case "one-piece-each-same-kind":
            return bool(position.white_men) == bool(position.black_men)
        case _:  # one-piece-each-no-capture
            return not turns.can_capture(position)


#: The reason of the outcome for each rule that draws a game.
REASONS = {
    "draws.repetition": "repetition",
    "draws.no-capture": "no-capture",
    "draws.king-moves": "king-moves",
    "draws.endings": "ending",
    "draws.balance": "balance",
    "draws.main-road": "main-road",
    "draws.river": "river",
}


class _Step(NamedTuple):
    """One action of a game with the positions around it; `move` is None where no piece was moved."""

    before: Position
    move: Move | None
    after: Position


def outcome_of_game(
    turns: ActionGenerator,
    positions: Sequence[Position],
    actions: Sequence[Action],
    legal: Sequence[Action] | None = None,
) -> Outcome:
    """Return the outcome of a game so far, its history included.

    `actions` led through `positions`, which has one more, the first before all of them. A win or draw by the position
    comes before any draw by history. `legal` are the actions open now, if already known.
    """
    now = outcome_of_position(turns, positions[-1], legal)
    return now if now.is_over else find_draw(turns.rules, positions, actions)


def find_draw(rules: Rules, positions: Sequence[Position], actions: Sequence[Action]) -> Outcome:
    """Return the draw by a game's history, the first in the order of the rules, or an ongoing outcome."""
    if rules.draws is None or not actions:
        return Outcome("ongoing")
    rule = next(_draw_rules_met(rules.draws, positions, _steps(positions, actions)), None)
    return Outcome("ongoing") if rule is None else Outcome("draw", REASONS[rule])


def _draw_rules_met(draws: DrawRules, positions: Sequence[Position], steps: Sequence[_Step]) -> Iterator[str]:
    """Yield each rule by which the game is drawn now."""
    now = positions[-1]
    # draws.repetition
    if draws.repetition is not None and positions.count(now) >= draws.repetition:
        yield "draws.repetition"
    # draws.no-capture
    if draws.no_capture is not None:
        made = _count_moves(_last_steps(steps, _is_without_loss))
        if min(made.values()) >= draws.no_capture:
            yield "draws.no-capture"
    river = _river_steps(draws.river, now, steps)
    # draws.king-moves
    if draws.king_moves is not None and not river and _is_few(draws.king_moves_pieces, now):
        made = _count_moves(_last_steps(steps, _is_no_progress))
        if min(made.values()) >= draws.king_moves:
            yield "draws.king-moves"
    # draws.endings
    if _has_lasted(draws.endings, now, steps, _is_endgame, draws.counted_side):
        yield "draws.endings"
    # draws.balance
    if _has_lasted(draws.balance, now, steps, lambda key, position: _is_balance(key, position, now)):
        yield "draws.balance"
    # draws.main-road
    if _has_lasted(draws.main_road, now, steps, _is_on_main_road, draws.counted_side):
        yield "draws.main-road"
    # draws.river
    if any(
        _is_enough(number, key, now, river[key], draws.counted_side)
        for key, number in (draws.river or {}).items()
        if key in river
    ):
        yield "draws.river"


def _is_few(most: int | None, position: Position) -> bool:
    """Return whether neither side has more pieces than `draws.king-moves-pieces` allows."""
    return most is None or all(position.occupied(side).bit_count() <= most for side in SIDES)


def _has_lasted(
    numbers: Mapping[str, int] | None,
    now: Position,
    steps: Sequence[_Step],
    names: Callable[[str, Position], bool],
    counted: str | None = None,
) -> bool:
    """Return whether a key names the present position and has applied for its number of moves."""
    for key, number in (numbers or {}).items():
        if names(key, now):
            lasting = _steps_named(names, key, steps)
            if _is_enough(number, key, now, lasting, counted):
                return True
    return False


def _steps_named(names: Callable[[str, Position], bool], key: str, steps: Sequence[_Step]) -> Sequence[_Step]:
    """Return the last steps that a key names by the positions before them."""
    return _last_steps(steps, lambda step: names(key, step.before))


def _river_steps(
    numbers: Mapping[str, int] | None, now: Position, steps: Sequence[_Step]
) -> Mapping[str, Sequence[_Step]]:
    """Return for each key of `draws.river` whose count has begun the steps since."""
    found = dict[str, Sequence[_Step]]()
    for key in numbers or ():
        if _is_endgame(key, now):
            lasting = _steps_named(_is_endgame, key, steps)
            positions = [*(step.before for step in lasting), now]
            begun = next((place for place, position in enumerate(positions) if _is_river_taken(key, position)), None)
            if begun is not None:
                found[key] = lasting[begun:]
    return found


def _is_enough(number: int, key: str, now: Position, steps: Sequence[_Step], counted: str | None) -> bool:
    """Return whether the side that `draws.counted-side` names has made so many moves."""
    made = _count_moves(steps)
    match counted:
        case "stronger":
            sides = [opponent(weak) for weak in _weaker_sides(key, now)]
        case "weaker":
            sides = _weaker_sides(key, now)
        case _:
            sides = [*SIDES]
    return min(made[side] for side in sides) >= number


def _last_steps(steps: Sequence[_Step], lasts: Callable[[_Step], bool]) -> Sequence[_Step]:
    """Return the last steps for which `lasts` holds."""
    first = len(steps)
    while first and lasts(steps[first - 1]):
        first -= 1
    return steps[first:]


def count_reversible_moves(positions: Sequence[Position], actions: Sequence[Action]) -> int:
    """Return the number of moves of both sides since the last move of a man or change of the pieces."""
    return sum(_count_moves(_last_steps(_steps(positions, actions), _is_no_progress)).values())


def _count_moves(steps: Sequence[_Step]) -> dict[Side, int]:
    """Return how many moves each side has made."""
    made = dict.fromkeys(SIDES, 0)
    for step in steps:
        if step.move is not None:
            made[step.before.turn] += 1
    return made


def _steps(positions: Sequence[Position], actions: Sequence[Action]) -> list[_Step]:
    steps: list[_Step] = []
    for (before, after), action in zip(pairwise(positions), actions, strict=True):
        if not isinstance(action, Retract):
            steps.append(_Step(before, action if isinstance(action, Move) else None, after))
        elif steps:
            steps.pop()
    return steps


def _is_without_loss(step: _Step) -> bool:
    return len(step.before) == len(step.after)


def _is_no_progress(step: _Step) -> bool:
    by_man = step.move is not None and step.before.men(step.before.turn) & step.before.board.bit(step.move.start)
    return not by_man and _forces(step.before) == _forces(step.after)


def _is_endgame(key: str, position: Position) -> bool:
    return bool(_weaker_sides(key, position))


def _weaker_sides(key: str, position: Position) -> list[Side]:
    """Return each side that is the weaker one of an endgame that a key names; both where the two are alike."""
    return [weak for weak in SIDES if (_force(position, opponent(weak)), _force(position, weak)) in endgames_named(key)]


def _is_balance(key: str, position: Position, now: Position) -> bool:
    (white, _), (black, _) = forces = _forces(position)
    return len(position) in totals_named(key) and white > 0 and black > 0 and forces == _forces(now)


def _is_on_main_road(key: str, position: Position) -> bool:
    """Return whether an endgame applies in which every piece of the weaker side stands on the main road."""
    road = position.board.main_road
    return any(not position.occupied(weak) & ~road for weak in _weaker_sides(key, position))


def _is_river_taken(key: str, position: Position) -> bool:
    """Return whether an endgame applies whose stronger side stands on the main road, and the weaker side does not."""
    road = position.board.main_road
    return any(
        position.occupied(opponent(weak)) & road and not position.occupied(weak) & road
        for weak in _weaker_sides(key, position)
    )


def _forces(position: Position) -> tuple[Force, Force]:
    return _force(position, "white"), _force(position, "black")


def _force(position: Position, side: Side) -> Force:
    return position.kings(side).bit_count(), position.men(side).bit_count()
