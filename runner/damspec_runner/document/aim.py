"""Whether a position shows a rule in which two rulesets differ.

It does if the two answer differently, and one of them with that rule changed, and what comes with it, answers as the
other.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from damspec import Position

from ..answers.contrast import Contrast, View
from ..answers.player import Player
from ..positions.enumeration import count
from ..variants.differences import Part
from ..variants.effects import ends

Question = Literal["moves", "outcome"]


@dataclass(frozen=True)
class Shown:
    """A position that shows a rule: by which question, beside which other rules, and whether in both rulesets."""

    position: Position
    question: Question
    beside: tuple[str, ...]
    both_ways: bool


class Views(dict[Player, View]):
    """A position as each player sees it, looked at once."""

    def __init__(self, position: Position) -> None:
        super().__init__()
        self.position = position

    def __missing__(self, player: Player) -> View:
        spins = self.position.spin is None or player.ruleset.rules.spin is not None
        self[player] = view = View(player, self.position if spins else replace(self.position, spin=None))
        return view


class Trial:
    """A ruleset with a part changed: whether it then answers as the goal does, and not before."""

    def __init__(self, start: Player, changed: Player, goal: Player, question: Question) -> None:
        self.start, self.changed, self.goal, self.question = start, changed, goal, question
        self.by = _moves(Contrast.between(start.ruleset, changed.ruleset))
        self._apart = _moves(Contrast.between(start.ruleset, goal.ruleset))
        self._rest = _moves(Contrast.between(changed.ruleset, goal.ruleset))

    def shown(self, views: Views) -> bool:
        """Whether it is so in a position."""
        start, changed, goal = views[self.start], views[self.changed], views[self.goal]
        if self.question == "outcome":
            alike = start.outcome == goal.outcome or changed.outcome != goal.outcome
        else:
            alike = (
                not start.may_differ(changed, self.by)
                or not start.differs(goal, self._apart)
                or changed.differs(goal, self._rest)
            )
        return not alike and all(view.possible for view in (start, changed, goal))


@dataclass
class Aim:
    """A part to be shown, perhaps beside others: how, the best position found, and how far all were tried.

    All positions with fewer than `proved_below` pieces, and with all doors shut, fewer than `shut_below`.
    """

    part: Part
    beside: tuple[str, ...]
    trials: list[Trial]
    best: Shown | None = None
    proved_below: int = 0
    tried: int = 0
    shut_below: int = 0
    hits: list[Shown] = field(default_factory=list)

    @property
    def moves_pieces(self) -> bool:
        """Whether it is a matter of how pieces move only."""
        return not any(t.by.turns for t in self.trials) and self.question == "moves"

    @property
    def quiet(self) -> bool:
        """Whether moves without capture are part of the matter."""
        return any(trial.by.quiet for trial in self.trials)

    @property
    def question(self) -> Question:
        """The question whose answer shows it."""
        return "outcome" if ends(self.part.rule) else "moves"

    @property
    def pieces(self) -> int:
        """The pieces of the best; more than there are of anything if there is none."""
        return count(self.best.position) if self.best else 999

    def shown(self, views: Views) -> Shown | None:
        """How a position shows it."""
        by = [trial.shown(views) for trial in self.trials]
        return Shown(views.position, self.question, self.beside, len(by) == 2 and all(by)) if any(by) else None


def _moves(contrast: Contrast) -> Contrast:
    """A contrast without what is about the end of the game."""
    return replace(contrast, ending=False)
