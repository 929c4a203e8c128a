"""Positions reached by moves from the start, for engines that cannot be given a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nsmallest
from typing import Any

from damspec import Action, DamspecError, Game, Position, Ruleset
from damspec.board import Side, each, opponent
from damspec.position import Pieces, to_mover_view
from damspec.rules import Rules, steps_of

from ..cases.answer import read_key, read_moves
from ..cases.cases import Case, cases_for
from ..engines.protocol import UnsupportedError
from .situation import MoveLister, Situation, words_of

#: The beam search: the most positions kept at each ply, and the most plies.
_WIDTH, _PLIES = 250, 90
#: Plies without coming nearer after which the search is given up.
_PATIENCE = 24

#: The pieces as the side to move sees them, and which side that is.
_Pieces = tuple[Pieces, int]


class LinePlanner:
    """Finds games that lead to a position: those of the cases, and a beam search."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._start = Position.start(ruleset.rules)
        #: The game that leads to each position; None where none was found.
        self._lines: dict[str, tuple[str, ...] | None] = {self._start.fen(): ()}
        self._has_read_cases = False

    def line(self, fen: str) -> tuple[str, ...] | None:
        """Return the actions of a game from the start that leads to a position; None if none is found."""
        if fen not in self._lines and not self._has_read_cases:
            self._has_read_cases = True
            for case in cases_for(self._ruleset):
                self._add_case(case)
        if fen not in self._lines:
            self._lines[fen] = self._search(fen)
        return self._lines[fen]

    def add_move(self, fen: str, action: str, after: str) -> None:
        """Note that an action leads from one position to another."""
        line = self._lines.get(fen)
        if line is not None and self._lines.get(after) is None:
            self._lines[after] = (*line, action)

    def _add_case(self, case: Case) -> None:
        """Add the games in a case: how its position is reached, and what is played from there."""
        if case.position != "start" and not case.reached:
            return
        game = Game(self._ruleset)
        played = [*case.reached, *(action for action, _ in case.expected.game), *case.history]
        try:
            for action in played:
                before = game.position.fen()
                self.add_move(before, action, game.push(action).fen())
        except DamspecError:
            return  # by these rules it is another game

    # --- the search ---------------------------------------------------------------------------

    def _search(self, fen: str) -> tuple[str, ...] | None:
        turns = self._ruleset.turns
        if not turns.plain:
            return None
        wanted = Position.from_fen(fen, self._ruleset.rules.board)
        goal = to_mover_view(wanted)
        before: dict[_Pieces, _Pieces | None] = {to_mover_view(self._start): None}
        kept: Sequence[_Pieces] = [*before]
        distance = _Distance(self._ruleset.rules, goal)
        best, since = distance(kept[0]), 0
        for _ in range(_PLIES):
            reached: dict[_Pieces, int] = {}
            for state in kept:
                for after in self._after(state):
                    if after not in before and (far := distance(after)) < _NEVER:
                        before[after], reached[after] = state, far
            if goal in reached:
                return self._actions_to(goal, before, wanted)
            kept = nsmallest(_WIDTH, reached, key=reached.__getitem__)
            if not kept:
                return None
            nearest = reached[kept[0]]
            best, since = (nearest, 0) if nearest < best else (best, since + 1)
            if since > _PATIENCE:
                return None
        return None

    def _after(self, state: _Pieces) -> Iterator[_Pieces]:
        generator = self._ruleset.turns.movement.generator
        pieces, side = state
        for step in generator.steps(pieces, side):
            yield generator.after(pieces, step), 1 - side

    def _actions_to(
        self, goal: _Pieces, before: dict[_Pieces, _Pieces | None], wanted: Position
    ) -> tuple[str, ...] | None:
        """The actions that lead through the states before a goal; None if they lead to something else than is wanted.

        States are pieces: a king's run can forbid a move between them, or be another one in the end.
        """
        states: list[_Pieces] = []
        state: _Pieces | None = goal
        while state is not None:
            states.append(state)
            state = before[state]
        game = Game(self._ruleset)
        turns = self._ruleset.turns
        for state in reversed(states[:-1]):
            actions: Sequence[Action] = turns.actions(game.position)
            leading = (one for one in actions if to_mover_view(turns.after(game.position, one)) == state)
            action = next(leading, None)
            if action is None:
                return None
            game.push(str(action))
        return tuple(map(str, game.history)) if game.position == wanted else None


def _both(state: _Pieces) -> Pieces:
    """Return the men and kings of White, then those of Black."""
    (men, kings, enemy_men, enemy_kings), side = state
    return (men, kings, enemy_men, enemy_kings) if side == 0 else (enemy_men, enemy_kings, men, kings)


#: The distance for each piece that is still to be captured, and for each man that is still to be crowned.
_TO_TAKE, _TO_CROWN = 5, 6
_NEVER = 10_000


class _Distance:
    """The distance of positions from a goal: pieces to be captured, and steps of men to the squares of the goal.

    There is no way from where pieces are too few: none comes back, and no king becomes a man.
    """

    def __init__(self, rules: Rules, goal: _Pieces) -> None:
        board = rules.board
        self._want = _both(goal)
        sides: tuple[Side, Side] = ("white", "black")
        reach = steps_of("man.move.reach", rules.man.move_reach, board)
        #: For each square of a man in the goal, the squares from which men reach it, by the number of steps.
        self._ways = []
        for place, side in zip((0, 2), sides, strict=True):
            ways = []
            for square in each(self._want[place]):
                rings, seen = [square], square
                while rings[-1]:
                    ring = 0
                    for bit in each(rings[-1]):
                        for direction in rules.man.move_directions:
                            ring |= sum(board.ray(bit, direction, opponent(side))[:reach])
                        for direction in rules.man.move_over_own or ():
                            ring |= sum(board.ray(bit, direction, opponent(side))[1:2])
                    rings.append(ring & ~seen)
                    seen |= ring
                ways.append(rings[:-1])
            self._ways.append(ways)

    def __call__(self, state: _Pieces) -> int:
        have, want = _both(state), self._want
        found = 0
        for place, ways in zip((0, 2), self._ways, strict=True):
            men, kings = have[place], have[place + 1]
            surplus = (men | kings).bit_count() - (want[place] | want[place + 1]).bit_count()
            if surplus < 0 or men.bit_count() < want[place].bit_count():
                return _NEVER
            found += _TO_TAKE * surplus + _TO_CROWN * max(want[place + 1].bit_count() - kings.bit_count(), 0)
            found += (want[place + 1] & ~kings).bit_count()
            free = men
            for rings in ways:
                for steps, ring in enumerate(rings):
                    if near := ring & free:
                        free ^= near & -near
                        found += steps
                        break
                else:
                    return _NEVER
        return found


NO_WAY = "cannot be given a position, and no game was found that leads there"


class LineFollower:
    """Leads an engine to positions by moves; keeps the engine's notations, since many games begin alike."""

    def __init__(self, engine: MoveLister, ruleset: Ruleset) -> None:
        self._engine, self._ruleset = engine, ruleset
        self._reaching = LinePlanner(ruleset)
        self._led: dict[tuple[str, ...], Situation] = {}

    def to(self, fen: str) -> Situation:
        """Return how the engine comes to a position. Raises UnsupportedError if it does not."""
        line = self._reaching.line(fen)
        if line is None:
            raise UnsupportedError(NO_WAY)
        start = Position.start(self._ruleset.rules).fen()
        known = next((at for at in range(len(line), 0, -1) if line[:at] in self._led), 0)
        about = self._led[line[:known]] if known else Situation(start, "start")
        turns = self._ruleset.turns
        for place, action in enumerate(line[known:], known + 1):
            position = self._ruleset.position(about.position)
            able = (*turns.actions(position), *turns.lapses(position))
            after = turns.after(position, next(one for one in able if str(one) == action))
            words = words_for(self._engine, self._ruleset, about, action)
            about = self._led[line[:place]] = about.after_turn(*words, to=after.fen())
        return about

    def add_move(self, fen: str, given: Any) -> None:
        """Note a move that was played: if it is legal, the position after it can be reached too."""
        position = self._ruleset.position(fen)
        for action in self._ruleset.turns.actions(position):
            if str(action) in words_of(given)[:1]:
                self._reaching.add_move(fen, str(action), self._ruleset.turns.after(position, action).fen())


def words_for(engine: MoveLister, ruleset: Ruleset, about: Situation, action: str) -> tuple[Any, ...]:
    """Return an engine's notation of an action, hop by hop. Raises UnsupportedError if it does not list it."""
    answer = engine.moves(about)
    listed = [*answer["moves"], *answer.get("lapses", ())]
    position = Position.from_fen(about.position, ruleset.rules.board)
    wanted = read_key(position, action)
    entries = read_moves(position, {wanted: action}, listed)
    given = next((one.given for one in entries if one.key == wanted), None)
    if given is None:
        raise UnsupportedError(f"cannot be led there: does not list {action} in {about.position}")
    return engine.words(about, given)
