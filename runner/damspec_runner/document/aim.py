"""Whether a position shows a rule in which two rulesets differ.

It does if the two answer differently in it, and one of them answers like the other once that rule is changed, together
with the rules that exist only because of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from damspec import Position

from ..answers.contrast import Contrast, View
from ..answers.player import Player
from ..variants.differences import Part
from ..variants.effects import ends

QuestionName = Literal["moves", "outcome"]


@dataclass(frozen=True)
class Shown:
    """A position that shows a rule: by which question, beside which other rules, and whether in both rulesets."""

    position: Position
    question: QuestionName
    beside: tuple[str, ...]
    both_ways: bool


class Views(dict[Player, View]):
    """A position as each player sees it, worked out once."""

    def __init__(self, position: Position) -> None:
        super().__init__()
        self.position = position

    def __missing__(self, player: Player) -> View:
        spins = self.position.spin is None or player.ruleset.rules.spin is not None
        self[player] = view = View(player, self.position if spins else replace(self.position, spin=None))
        return view


class Trial:
    """A ruleset with a part changed: whether it then answers as the goal does, and not before."""

    def __init__(self, start: Player, changed: Player, goal: Player, question: QuestionName) -> None:
        self.start, self.changed, self.goal, self.question = start, changed, goal, question
        self.by = _moves(Contrast.between(start.ruleset, changed.ruleset))
        self._apart = _moves(Contrast.between(start.ruleset, goal.ruleset))
        self._rest = _moves(Contrast.between(changed.ruleset, goal.ruleset))

    def shown(self, views: Views) -> bool:
        """Whether the part shows in a position."""
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
    """A part to be shown, perhaps together with others: the ways to try it, and the best position found.

    All positions with fewer than `proved_below` pieces were tried, and with all doors shut those with fewer than
    `shut_below`; beside any other rules, as many as with the best, those with fewer than `beside_below`.
    """

    part: Part
    beside: tuple[str, ...]
    trials: list[Trial]
    best: Shown | None = None
    proved_below: int = 0
    tried: int = 0
    shut_below: int = 0
    beside_below: int = 0
    hits: list[Shown] = field(default_factory=list)

    @property
    def moves_pieces(self) -> bool:
        """Whether only the movement of pieces matters."""
        return not any(t.by.turns for t in self.trials) and self.question == "moves"

    @property
    def quiet(self) -> bool:
        """Whether moves without capture matter too."""
        return any(trial.by.quiet for trial in self.trials)

    @property
    def question(self) -> QuestionName:
        """The question whose answer shows it."""
        return "outcome" if ends(self.part.rule) else "moves"

    @property
    def pieces(self) -> int:
        """The number of pieces of the best; a number larger than any if there is none."""
        return len(self.best.position) if self.best else 999

    def shown(self, views: Views) -> Shown | None:
        """How a position shows it."""
        by = [trial.shown(views) for trial in self.trials]
        return Shown(views.position, self.question, self.beside, len(by) == 2 and all(by)) if any(by) else None


def _moves(contrast: Contrast) -> Contrast:
    """A contrast without the end of the game."""
    return replace(contrast, ending=False)
