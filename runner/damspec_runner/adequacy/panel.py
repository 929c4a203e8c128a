"""The cases of a ruleset as a panel that changed rules are put to: which of them notice.

Where nothing but the movement of pieces is changed, most of it is seen in the moves that compiled code lists for the
right rules and for the changed ones; they are asked as a player only what that leaves open.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from damspec import DamspecError, Position, Ruleset
from damspec.kernel.installed import installed
from damspec.pieces import seen_by_mover
from damspec.runs import at_limit
from damspec.trapdoors import open_doors

from ..answers.player import Player
from ..answers.question import Question, answers
from ..variants.effects import is_movement, moves_pieces

if TYPE_CHECKING:
    from damspec.kernel.asked import Positions


class _Sight(NamedTuple):
    """Which moves a question is about: where they are the same a change is not noticed; where they are not it is, if
    they decide that, or else a player has to be asked.
    """

    position: Position
    what: Literal["legal", "captures"]
    decide: bool


class Panel:
    """The questions of a ruleset's cases, all of which its own rules answer rightly."""

    def __init__(self, ruleset: Ruleset, asked: Iterable[Question], *, compiled: bool = True) -> None:
        """Where there is compiled code it is used, unless it is not to be `compiled`."""
        self.ruleset, self.asked = ruleset, tuple(asked)
        self._compiled = compiled and installed()
        self._sights = [_sight(ruleset, question) for question in self.asked]
        deciding, self._hinting, self._rest = (
            [place for place, sight in enumerate(self._sights) if (sight and sight.decide) is decides]
            for decides in (True, False, None)
        )
        #: Where a few are enough these come first, and of them those with few pieces, where no search is long.
        self._deciding = sorted(deciding, key=lambda place: len(self.asked[place].position))

    def noticing(self, changed: Ruleset, enough: int | None = None) -> list[Question]:
        """The questions that changed rules answer wrongly, in their order; only the first few, if that is enough."""
        most = len(self.asked) if enough is None else enough
        seen = self._seen(changed, most)
        noticed, left = seen if seen is not None else ([], [*self._deciding, *sorted([*self._hinting, *self._rest])])
        if left:
            player = Player(changed)
            wrong = (place for place in left if not answers(player, self.asked[place]))
            noticed += islice(wrong, most - len(noticed))
        return [self.asked[place] for place in sorted(noticed)]

    def _seen(self, changed: Ruleset, most: int) -> tuple[list[int], list[int]] | None:
        """The places of questions that moves alone show to notice it, and of those left to ask; None if moves show
        nothing.
        """
        if self._positions is None or not self._moves_alone(changed):
            return None
        rules = changed.rules
        noticed = self._positions.unlike(rules, self._deciding, most)
        if noticed is None or len(noticed) >= most:
            return None if noticed is None else (noticed, [])
        # What kings take after a first slide is not seen among the captures.
        one_slide = all(each.rules.king.move_slides == "once" for each in (self.ruleset, changed))
        unlike = self._positions.unlike(rules, self._hinting, len(self._hinting)) if one_slide else self._hinting
        return None if unlike is None else (noticed, sorted([*unlike, *self._rest]))

    def _moves_alone(self, changed: Ruleset) -> bool:
        """Whether nothing but the moves of pieces, and the duty to capture, is changed."""
        values, others = self.ruleset.values, changed.values
        unlike = [rule for rule in values.keys() | others.keys() if values.get(rule) != others.get(rule)]
        limits = [each.rules.king.move_limit for each in (self.ruleset, changed)]
        return limits[0] == limits[1] and all(moves_pieces(rule) or is_movement(rule) for rule in unlike)

    @cached_property
    def _positions(self) -> Positions | None:
        """The positions, ready to be asked in compiled code, where that is used."""
        if not self._compiled:
            return None
        from damspec.kernel.asked import AskedPosition, Positions

        rules = self.ruleset.rules
        nothing = AskedPosition((0, 0, 0, 0), 0, 0, "captures")
        return Positions(
            rules,
            [
                AskedPosition(*seen_by_mover(sight.position), open_doors(rules, sight.position), sight.what)
                if sight
                else nothing
                for sight in self._sights
            ],
        )


def _sight(ruleset: Ruleset, question: Question) -> _Sight | None:
    """What moves show of a question; None where they show nothing, or more is asked."""
    case, expected, rules = question.case, question.expected, ruleset.rules
    if rules.huff or case.history or expected.end is not None:
        return None
    try:
        position = question.reader.fitted(question.position)
    except DamspecError:
        return None
    about_moves = expected.outcome is None
    if rules.spin:
        if position.spin is None:
            spins = rules.spin.blocked == "spins"  # whether or not there is a move
            return _Sight(position, "captures", about_moves and not spins)
        if rules.spin.outcomes.get(position.spin) != "piece":
            return _Sight(position, "captures", False)
    return _Sight(position, "legal", about_moves and not at_limit(rules.king.move_limit, position))
