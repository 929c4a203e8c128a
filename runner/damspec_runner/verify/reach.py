"""Positions reached by moves, for engines that take no position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from typing import Any

from damspec import Action, DamspecError, Game, Position, Ruleset
from damspec.board import Side, each, opponent
from damspec.position import to_mover_view
from damspec.rules import Rules
from damspec.tables import Pieces

from ..cases.cases import Case, cases_for
from ..engines.protocol import UnsupportedError
from .conventions import Askable, Situation, words_of
from .judge import compare_moves

#: How many positions the search keeps of those after so many plies, and how many plies it goes.
_WIDTH, _PLIES = 250, 90
#: Without coming nearer for so many plies it is given up.
_PATIENCE = 24

#: The pieces as the side to move sees them, and which side that is.
_Pieces = tuple[Pieces, int]


class LinePlanner:
    """The games that are known, by the position that they lead to as a FEN."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._start = Position.start(ruleset.rules)
        self._lines: dict[str, tuple[str, ...]] = {self._start.fen(): ()}
        self._unreached: set[str] = set()
        self._told = False

    def line(self, fen: str) -> tuple[str, ...] | None:
        """The actions of a game from the start that leads to a position; None if none is found."""
        if fen not in self._lines and not self._told:
            self._told = True
            for case in cases_for(self._ruleset):
                self._take(case)
        if fen not in self._lines and fen not in self._unreached:
            found = self._searched(fen)
            if found is None:
                self._unreached.add(fen)
            else:
                self._lines[fen] = found
        return self._lines.get(fen)

    def went_on(self, fen: str, action: str, after: str) -> None:
        """A position follows another by an action."""
        if fen in self._lines and after not in self._lines:
            self._lines[after] = (*self._lines[fen], action)
            self._unreached.discard(after)

    def _take(self, case: Case) -> None:
        """What a case tells of games: how it is reached, and what is played from there."""
        if case.position != "start" and not case.reached:
            return
        game = Game(self._ruleset)
        played = [*case.reached, *(action for action, _ in case.expected.game), *case.history]
        try:
            for action in played:
                before = game.position.fen()
                self.went_on(before, action, game.push(action).fen())
        except DamspecError:
            return  # by these rules it is another game

    # --- the search ---------------------------------------------------------------------------

    def _searched(self, fen: str) -> tuple[str, ...] | None:
        turns = self._ruleset.turns
        if not turns.plain:
            return None
        wanted = Position.from_fen(fen, self._ruleset.rules.board)
        goal = to_mover_view(wanted)
        if not _possible(to_mover_view(self._start), goal):
            return None
        before: dict[_Pieces, _Pieces | None] = {to_mover_view(self._start): None}
        kept: Sequence[_Pieces] = [*before]
        distance = _Nearness(self._ruleset.rules, goal)
        best, since = distance(kept[0]), 0
        for _ in range(_PLIES):
            reached: dict[_Pieces, int] = {}
            for state in kept:
                for after in self._after(state):
                    if after not in before and _possible(after, goal):
                        before[after] = state
                        if (far := distance(after)) < _NEVER:
                            reached[after] = far
            if goal in reached:
                return self._played(goal, before, wanted)
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

    def _played(self, goal: _Pieces, before: dict[_Pieces, _Pieces | None], wanted: Position) -> tuple[str, ...] | None:
        """The actions that lead through the states before a goal; None if they lead to something else than is wanted.

        States are pieces: a king's run can forbid a move between them, or be another one in the end.
        """
        states: list[_Pieces] = []
        state: _Pieces | None = goal
        while state is not None:
            states.append(state)
            state = before[state]
        game = Game(self._ruleset)
        for state in reversed(states[:-1]):
            action = _leading(self._ruleset, game.position, state)
            if action is None:
                return None
            game.push(action)
        return tuple(map(str, game.history)) if game.position == wanted else None


def _leading(ruleset: Ruleset, position: Position, to: _Pieces) -> str | None:
    """The legal action that leads to a state."""
    actions: Iterable[Action] = ruleset.turns.actions(position)
    return next((str(one) for one in actions if to_mover_view(ruleset.turns.after(position, one)) == to), None)


def _both(state: _Pieces) -> Pieces:
    """Men and kings of White, and those of Black."""
    (men, kings, enemy_men, enemy_kings), side = state
    return (men, kings, enemy_men, enemy_kings) if side == 0 else (enemy_men, enemy_kings, men, kings)


def _possible(state: _Pieces, goal: _Pieces) -> bool:
    """Whether there are pieces enough: none comes back, and no man comes from a king."""
    have, want = _both(state), _both(goal)
    for place in (0, 2):
        if have[place].bit_count() < want[place].bit_count():
            return False
        if (have[place] | have[place + 1]).bit_count() < (want[place] | want[place + 1]).bit_count():
            return False
    return True


#: What is added to a distance for each piece that is still to be taken, and for each king that is still to be crowned.
_TO_TAKE, _TO_CROWN = 5, 6
_NEVER = 10_000


class _Nearness:
    """How far positions are from a goal: pieces to be taken, and ways of men to the squares that are wanted."""

    def __init__(self, rules: Rules, goal: _Pieces) -> None:
        board = rules.board
        self._want = _both(goal)
        sides: tuple[Side, Side] = ("white", "black")
        #: For each wanted square of a man, the squares of men that come to it in so many steps, the nearest first.
        self._ways = []
        for place, side in zip((0, 2), sides, strict=True):
            ways = []
            for square in each(self._want[place]):
                rings, seen = [square], square
                while rings[-1]:
                    ring = 0
                    for bit in each(rings[-1]):
                        for direction in rules.man.move_directions:
                            ring |= board.step(bit, direction, opponent(side))
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


class Leading:
    """Leads an engine. What was said on the way is kept, since many games begin alike."""

    def __init__(self, engine: Askable, ruleset: Ruleset) -> None:
        self._engine, self._ruleset = engine, ruleset
        self._reaching = LinePlanner(ruleset)
        self._led: dict[tuple[str, ...], Situation] = {}

    def to(self, fen: str) -> Situation:
        """How the engine comes to a position. Raises UnsupportedError if it does not."""
        line = self._reaching.line(fen)
        if line is None:
            raise UnsupportedError(NO_WAY)
        start = Position.start(self._ruleset.rules).fen()
        known = next((at for at in range(len(line), 0, -1) if line[:at] in self._led), 0)
        about = self._led[line[:known]] if known else Situation(start, "start")
        for place in range(known, len(line)):
            about = self._led[line[: place + 1]] = self.after(about, line[place])
        return about

    def after(self, about: Situation, action: str) -> Situation:
        """The situation after an action. Raises UnsupportedError if the engine does not list it."""
        after = self._ruleset.position(about.position)
        after = self._ruleset.turns.after(after, _found(self._ruleset, after, action))
        return about.played(*words_for(self._engine, self._ruleset, about, action), to=after.fen())

    def went_on(self, fen: str, given: Any) -> None:
        """A move was played in a position: if it is a legal one, it is known how to come to where it leads."""
        position = self._ruleset.position(fen)
        for action in self._ruleset.turns.actions(position):
            if str(action) in words_of(given)[:1]:
                self._reaching.went_on(fen, str(action), self._ruleset.turns.after(position, action).fen())


def words_for(engine: Askable, ruleset: Ruleset, about: Situation, action: str) -> tuple[Any, ...]:
    """What an engine is to be told of an action. Raises UnsupportedError if it does not list it."""
    answer = engine.moves(about)
    listed = [*answer["moves"], *answer.get("lapses", ())]
    position = Position.from_fen(about.position, ruleset.rules.board)
    given = compare_moves(position, [action], listed).listed.get(action)
    if given is None:
        raise UnsupportedError(f"cannot be led there: does not list {action} in {about.position}")
    return engine.words(about, given)


def _found(ruleset: Ruleset, position: Position, action: str) -> Any:
    actions = [*ruleset.turns.actions(position), *ruleset.turns.lapses(position)]
    return next(one for one in actions if str(one) == action)
