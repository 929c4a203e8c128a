"""Differences between the answers of two rulesets, found as cheaply as their rules allow.

Where only the movement of pieces differs, answers are compared as bitboards; whole turns are worked out only for the
rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from damspec import Action, Move, Position, Ruleset
from damspec.king_runs import without_runs
from damspec.position import Pieces, open_doors, to_mover_view
from damspec.rules import TrapdoorRules
from damspec.validity import find_invalidity
from damspec.vocabulary import affects

from ..cases.answer import After, Answer, Positions
from ..mutants.mutants import differing_values
from ..mutants.ruleset_diff import begins_no_capture, changes_turns, ends
from .player import RulePlayer, list_actions

_NONE: frozenset[object] = frozenset()


@dataclass(frozen=True)
class PossibleDifferences:
    """What two rulesets can differ in: captures, other moves, the turn around them, the end of the game.

    `beginnings` is whether one may have a capture where the other has none, `phases` whether the playable moves depend
    on more than the pieces.
    """

    captures: bool
    quiet: bool
    turns: bool
    outcomes: bool
    beginnings: bool
    phases: bool

    @classmethod
    def between(cls, one: Ruleset, other: Ruleset) -> PossibleDifferences:
        """Return the possible differences of two rulesets."""
        changed = differing_values(one.values, other.values)
        about_captures = [rule for rule in changed if "captures" in affects(rule)]
        captures = bool(about_captures)
        ends_in_captures = any(each.values["king.move.slides"] != "once" for each in (one, other))
        return cls(
            captures=captures,
            quiet=(captures and ends_in_captures) or any("quiet" in affects(rule) for rule in changed),
            turns=any(map(changes_turns, changed)),
            outcomes=any(map(ends, changed)),
            beginnings=not all(map(begins_no_capture, about_captures)),
            phases=any(map(_has_phases, (one, other))),
        )

    def __bool__(self) -> bool:
        return self.captures or self.quiet or self.turns or self.outcomes


class MoverView:
    """The pieces from a player's point of view; its moves are worked out lazily."""

    def __init__(self, player: RulePlayer, pieces: Pieces, side: int, doors: int = 0) -> None:
        self.player = player
        self._seen = pieces, side, doors
        # A cached_property takes a lock, which costs as much as finding that there is no capture.
        self._captures: frozenset[object] | None = None
        self._quiet: frozenset[object] | None = None

    @property
    def captures(self) -> frozenset[object]:
        """The captures as bitboards."""
        if self._captures is None:
            steps = self.player.turns.movement.generator.captures(*self._seen)
            self._captures = frozenset([step[:4] for step in steps]) if steps else _NONE
        return self._captures

    @property
    def quiet(self) -> frozenset[object]:
        """The moves that begin without a capture, as bitboards."""
        if self._quiet is None:
            steps = self.player.turns.movement.generator.quiet(*self._seen)
            self._quiet = frozenset([step[:4] for step in steps])
        return self._quiet

    @property
    def must_capture(self) -> bool:
        """Whether only captures can be played, whatever the phase."""
        return self.player.ruleset.rules.capture.duty == "compulsory" and bool(self.captures)

    def may_differ(self, other: MoverView, differences: PossibleDifferences) -> bool:
        """Return whether answers may differ in a position with these pieces, whatever the phase; False is certain.

        Claims against a lapse are not compared.
        """
        return differences.turns or differences.outcomes or self._moves_differ(other, differences)

    def _moves_differ(self, other: MoverView, differences: PossibleDifferences) -> bool:
        """Return whether captures, or other playable moves, differ, working out only what can matter."""
        if differences.captures and (differences.beginnings or self.captures) and self.captures != other.captures:
            return True
        return differences.quiet and not (self.must_capture and other.must_capture) and self.quiet != other.quiet


class PositionView(MoverView):
    """A position from a player's point of view; its answers are worked out lazily."""

    def __init__(self, player: RulePlayer, position: Position) -> None:
        self.position = player.fit(position)
        super().__init__(player, *to_mover_view(self.position), open_doors(player.ruleset.rules, self.position))

    @cached_property
    def answer(self) -> Answer:
        """The moves and the lapses."""
        return list_actions(self.player, self.position)

    @cached_property
    def comparable(self) -> Answer:
        """The same, where sliders in the middle count as no sliders."""
        return self.answer if self._trapdoors is None else _map_after(self.answer, self._without_middle_sliders)

    def _without_middle_sliders(self, after: After) -> After:
        closed = self._trapdoors.layout.middle_letters if self._trapdoors else None
        return replace(after, sliders=None) if isinstance(after, Position) and after.sliders == closed else after

    def _answers_differ(self, other: PositionView) -> bool:
        """Return whether the answers differ, ignoring runs of kings if only one of the rulesets counts them."""
        mine, given = self.comparable, other.comparable
        limits = [view.player.ruleset.rules.king.move_limit for view in (self, other)]
        if (limits[0] is None) != (limits[1] is None):
            mine, given = _map_after(mine, _without_runs), _map_after(given, _without_runs)
        return not mine.agrees(given)

    @cached_property
    def claims(self) -> list[Action]:
        """The actions against a lapse."""
        if self.position.huffable is None:
            return []
        return [action for action in self.player.turns.actions(self.position) if not isinstance(action, Move)]

    @cached_property
    def outcome(self) -> str:
        """Whether the game is over, and who has won."""
        return self.player.outcome(self.position)

    @property
    def ongoing(self) -> bool:
        """Whether the game certainly goes on: enough pieces, no king that ends it, and a quiet move."""
        ending = self.player.ruleset.rules.ending
        if ending.first_king and (self.position.kings("white") | self.position.kings("black")):
            return False
        white, black = self.position.occupied("white"), self.position.occupied("black")
        several = [side & (side - 1) != 0 for side in (white, black)]
        enough = white and black and (all(several) if ending.one_piece else any(several))
        run = self.position.run(self.position.turn)
        return bool(enough and self._trapdoors is None and run is None and self.quiet)

    @property
    def goes_on(self) -> bool:
        """Whether the game goes on."""
        return self.ongoing or self.outcome == "ongoing"

    @cached_property
    def possible(self) -> bool:
        """Whether the position is valid by the player's rules."""
        return find_invalidity(self.player.turns, self.position) is None

    @cached_property
    def _trapdoors(self) -> TrapdoorRules | None:
        return self.player.ruleset.rules.trapdoors

    def differs(self, other: PositionView, differences: PossibleDifferences) -> bool:
        """Return whether the answers differ."""
        moves = differences.turns
        if not moves and (differences.captures or differences.quiet):
            moves = self._moves_differ(other, differences) or self.claims != other.claims
        if moves and (not (differences.phases or differences.turns) or self._answers_differ(other)):
            return True
        return differences.outcomes and not (self.ongoing and other.ongoing) and self.outcome != other.outcome


def fits(player: RulePlayer, position: Position) -> bool:
    """Return whether a player's game has the fields a position uses: open doors, a spin, a lapse to answer."""
    rules = player.ruleset.rules
    if position.board != rules.board:
        return False
    if rules.trapdoors is None:
        return position.spin is None and not (position.sliders or "").strip("M")
    if position.sliders is not None and len(position.sliders) != len(rules.trapdoors.layout.sliders):
        return False
    assert rules.spin is not None
    return position.spin in (None, "due") or position.spin in rules.spin.outcomes


def differing_view(view: PositionView, other: RulePlayer, differences: PossibleDifferences) -> PositionView | None:
    """Return another player's view of a view's position if it is valid there and answered differently."""
    if not fits(other, view.position):
        return None
    seen = PositionView(other, view.position)
    if differences.turns:  # the other may be unable to answer an invalid position
        return seen if seen.possible and view.differs(seen, differences) else None
    return seen if view.differs(seen, differences) and seen.possible else None


def _has_phases(ruleset: Ruleset) -> bool:
    """Return whether the playable moves depend on more than the pieces."""
    rules = ruleset.rules
    limited = rules.king.move_limit is not None
    return limited or rules.spin is not None or rules.capture.duty not in ("compulsory", "optional")


def _map_after(answer: Answer, change: Callable[[After], After]) -> Answer:
    """Return an answer with the positions after its actions changed."""
    return replace(answer, after=Positions(answer.after, change))


def _without_runs(after: After) -> After:
    return without_runs(after) if isinstance(after, Position) else after
