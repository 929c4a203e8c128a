"""What a search for positions is after: rulesets that answer differently, numbers of pieces and moves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from damspec import Action, Position, Ruleset
from damspec.rules import rule_names
from damspec.scope import material, phase_of, within
from damspec.tables import Pieces

from ..answers.contrast import Contrast, Sight, View, fits, told_apart
from ..answers.player import Player
from ..variants.effects import concerns_end


@dataclass(frozen=True)
class Goal:
    """The answer has to differ from that of one of these rulesets. `rule` is the one that they have changed, if it is
    one; `says` puts it in words.
    """

    says: str
    others: tuple[Ruleset, ...]
    rule: str | None = None

    def is_about_the_end(self, ruleset: Ruleset) -> bool:
        """Whether the others differ from a ruleset in nothing but how a game ends."""
        differing = {
            rule for rule in rule_names() for other in self.others if other.values.get(rule) != ruleset.values.get(rule)
        }
        return bool(differing) and all(map(concerns_end, differing))


@dataclass(frozen=True)
class Wanted:
    """What positions are looked for; `pieces` and `moves` are the fewest and the most, `goals` are to be met all.

    No side has more pieces than it begins with. The game goes on in them, unless a goal is about how it ends.
    """

    ruleset: Ruleset
    goals: tuple[Goal, ...] = ()
    pieces: tuple[int, int] = (1, 12)
    moves: tuple[int, int] | None = None
    phase: str | None = None

    @cached_property
    def player(self) -> Player:
        """The rules as a player."""
        return Player(self.ruleset)

    @cached_property
    def _others(self) -> list[list[tuple[Player, Contrast]]]:
        return [
            [
                (Player(other), contrast)
                for other in goal.others
                if other.rules.board == self.ruleset.rules.board and (contrast := Contrast.between(self.ruleset, other))
            ]
            for goal in self.goals
        ]

    @property
    def first_contrasts(self) -> list[tuple[Player, Contrast]]:
        """The players of whom one has to answer otherwise for the first goal, each with what it can differ in."""
        return self._others[0] if self._others else []

    @cached_property
    def _material(self) -> tuple[int, int]:
        return material(self.ruleset)

    @cached_property
    def finished(self) -> bool:
        """Whether a position in which the game is over is wanted too."""
        return any(goal.is_about_the_end(self.ruleset) for goal in self.goals)

    @property
    def whole_turns(self) -> bool:
        """Whether turns have to be compared in full."""
        return any(contrast.turns for others in self._others for _, contrast in others)

    def may_meet(self, position: Position) -> bool:
        """Whether the goals may be met in the position, in any phase but after a lapse. A False is certain."""
        view = View(self.player, position)
        return all(
            any(
                contrast.turns or (fits(player, position) and view.may_differ(View(player, position), contrast))
                for player, contrast in others
            )
            for others in self._others
        )

    def may_meet_with(self, seen: tuple[Pieces, int]) -> bool:
        """The same of pieces as the side to move sees them, and that side; doors shut."""
        pieces, side = seen
        if not self.pieces[0] <= sum(pieces).bit_count() <= self.pieces[1]:
            return False
        sight = Sight(self.player, pieces, side)
        for others in self._others:
            for player, contrast in others:
                if sight.may_differ(Sight(player, pieces, side), contrast):
                    break
            else:
                return False
        return True

    def met(self, position: Position) -> bool:
        """Whether a position is wanted; it has to be possible in the ruleset."""
        if self.phase is not None and phase_of(position) != self.phase:
            return False
        if not self.pieces[0] <= len(position) <= self.pieces[1] or not within(self._material, position):
            return False
        view = View(self.player, position)
        for others in self._others:
            if not any(told_apart(view, player, contrast) for player, contrast in others):
                return False
        if not self.finished and not view.goes_on:
            return False
        return self.moves is None or self.moves[0] <= len(self.player.turns.actions(position)) <= self.moves[1]


@dataclass(frozen=True)
class Found:
    """A position, and the actions that lead to it from the start if that was asked for."""

    position: Position
    game: tuple[Action, ...] | None = None
