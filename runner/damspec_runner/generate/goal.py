"""What positions are searched for: criteria and goals; and proofs that there are none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from damspec import Action, Move, Position, Ruleset
from damspec.alphabeta import search_positions
from damspec.mutations import proof
from damspec.position import Pieces, to_mover_view
from damspec.rules import rule_names
from damspec.turn import ActionGenerator
from damspec.validity import material, may_be_reached, phase_of, within

from ..answers.answer_diff import MoverView, PositionView, PossibleDifferences, differing_view, fits
from ..answers.player import RulePlayer
from ..mutants.mutants import differing_values, make_mutant
from ..mutants.ruleset_diff import concerns_end, counts_history, in_no_position
from .solved import SolvedCriteria

if TYPE_CHECKING:
    from ..solve.lookup import Endgames


class KingSides(Enum):
    """The sides that have a king."""

    BOTH = "both"
    WHITE = "white"
    BLACK = "black"
    NONE = "none"


#: The sides that have a king, by whether White and whether Black has one.
_KING_SIDES = {
    (True, True): KingSides.BOTH,
    (True, False): KingSides.WHITE,
    (False, True): KingSides.BLACK,
    (False, False): KingSides.NONE,
}


@dataclass(frozen=True)
class Criteria:
    """Criteria that a position must meet; None or False is no criterion.

    `captures` are the fewest and the most pieces that some legal capture takes. A position is `balanced` if a search
    finds neither side ahead by half a man, `quiet` if the side to move has no capture; `best` is the kind of action
    that the search finds best, one of `BEST`.
    """

    captures: tuple[int, int] | None = None
    kings: KingSides | None = None
    balanced: bool = False
    quiet: bool = False
    best: str | None = None

    @property
    def fewest(self) -> int:
        """The fewest pieces with which a position can meet the criteria."""
        captured = self.captures[0] if self.captures else 0
        return max(2 if self.kings is KingSides.BOTH else 1, captured + 1)

    def meets_material(self, pieces: Pieces, side: int) -> bool:
        """Return whether the pieces, as the side to move sees them, meet the criterion of kings."""
        _, own_kings, _, kings = pieces
        white, black = (own_kings, kings) if side == 0 else (kings, own_kings)
        return self.kings in (None, _KING_SIDES[bool(white), bool(black)])

    def meets_captures(self, turns: ActionGenerator, position: Position) -> bool:
        """Return whether the captures of the side to move meet the criteria."""
        if self.quiet:
            return not turns.can_capture(position)
        if self.captures is None:
            return True
        fewest, most = self.captures
        return turns.can_capture(position) and any(
            isinstance(action, Move) and fewest <= len(action.captured) <= most for action in turns.actions(position)
        )

    def meets_search(self, turns: ActionGenerator, position: Position) -> bool:
        """Return whether what a search finds meets the criteria of balance and of the best action."""
        if not self.balanced and self.best is None:
            return True
        found = search_positions(turns, [position], depth=_PLIES, may_compile=False)
        if self.balanced and abs(found.score) >= _EVEN:
            return False
        return self.best is None or (found.action is not None and is_of_kind(found.action, self.best))


#: How many plies a search for criteria looks ahead, and the hundredths of a man by which neither side is ahead.
_PLIES, _EVEN = 4, 50
#: The kinds of actions that can be asked for as the best: moves by what they do, others by their own kind.
BEST = ("capture", "quiet", "promotion", "huff", "retract", "slider-push", "pass")


def is_of_kind(action: Action, kind: str) -> bool:
    """Return whether an action is of a kind, one of `BEST`."""
    if isinstance(action, Move):
        return {"capture": bool(action.captured), "quiet": not action.captured, "promotion": action.promotes}.get(
            kind, False
        )
    return action.kind == kind


#: Criteria that every position meets.
ANY = Criteria()


@dataclass(frozen=True)
class Goal:
    """The answer has to differ from that of one of these rulesets. `rule` is the one that they have changed, if it is
    one; `says` puts it in words.
    """

    says: str
    others: tuple[Ruleset, ...]
    rule: str | None = None

    def is_about_the_end(self, ruleset: Ruleset) -> bool:
        """Return whether the others differ from a ruleset in nothing but how a game ends."""
        differing = {rule for other in self.others for rule in differing_values(ruleset.values, other.values)}
        return bool(differing) and all(map(concerns_end, differing))


@dataclass(frozen=True)
class SearchGoal:
    """The positions to search for: `pieces` and `moves` are minimum and maximum, all `goals` have to be met.

    No side has more pieces than it begins with. The game goes on in them, unless a goal is about how it ends.
    """

    ruleset: Ruleset
    goals: tuple[Goal, ...] = ()
    pieces: tuple[int, int] = (1, 12)
    moves: tuple[int, int] | None = None
    phase: str | None = None
    criteria: Criteria = ANY
    #: What solved endgames decide; the endgames have been solved.
    solved: SolvedCriteria | None = None

    @cached_property
    def player(self) -> RulePlayer:
        """The rules as a player."""
        return RulePlayer(self.ruleset)

    @cached_property
    def endgames(self) -> Endgames:
        """The solved endgames, in the user's data folder."""
        from ..solve.lookup import Endgames
        from ..solve.solve import Folder

        return Endgames(Folder(self.ruleset))

    @cached_property
    def _others(self) -> list[list[tuple[RulePlayer, PossibleDifferences]]]:
        return [
            [
                (RulePlayer(other), differences)
                for other in goal.others
                if other.rules.board == self.ruleset.rules.board
                and (differences := PossibleDifferences.between(self.ruleset, other))
            ]
            for goal in self.goals
        ]

    @property
    def first_differences(self) -> list[tuple[RulePlayer, PossibleDifferences]]:
        """The players of whom one has to answer otherwise for the first goal, each with what it can differ in."""
        return self._others[0] if self._others else []

    @cached_property
    def _material(self) -> tuple[int, int]:
        return material(self.ruleset.rules)

    @cached_property
    def wants_finished(self) -> bool:
        """Whether positions in which the game is over are wanted too."""
        return any(goal.is_about_the_end(self.ruleset) for goal in self.goals)

    @property
    def whole_turns(self) -> bool:
        """Whether turns have to be compared in full."""
        return any(differences.turns for others in self._others for _, differences in others)

    def may_meet(self, position: Position) -> bool:
        """Return whether the goals may be met in the position, in any phase but after a lapse. A False is certain."""
        if not self.criteria.meets_material(*to_mover_view(position)):
            return False
        view = PositionView(self.player, position)
        return all(
            any(
                differences.turns
                or (fits(player, position) and view.may_differ(PositionView(player, position), differences))
                for player, differences in others
            )
            for others in self._others
        )

    def may_meet_with(self, seen: tuple[Pieces, int]) -> bool:
        """Return whether pieces, as the side to move sees them, may meet the goals, with all doors shut."""
        pieces, side = seen
        if not self.pieces[0] <= sum(pieces).bit_count() <= self.pieces[1]:
            return False
        if not self.criteria.meets_material(pieces, side):
            return False
        view = MoverView(self.player, pieces, side)
        return all(
            any(view.may_differ(MoverView(player, pieces, side), differences) for player, differences in others)
            for others in self._others
        )

    def is_met(self, position: Position) -> bool:
        """Return whether a position, which must be valid in the ruleset, meets the goal."""
        if self.phase is not None and phase_of(position) != self.phase:
            return False
        if not self.pieces[0] <= len(position) <= self.pieces[1] or not within(self._material, position):
            return False
        if not self.criteria.meets_material(*to_mover_view(position)):
            return False
        if not self.criteria.meets_captures(self.player.turns, position):
            return False
        view = PositionView(self.player, position)
        if not all(any(differing_view(view, *other) for other in others) for others in self._others):
            return False
        if not (may_be_reached(self.player.turns, position) if self.wants_finished else view.goes_on):
            return False
        if self.moves and not self.moves[0] <= len(self.player.turns.actions(position)) <= self.moves[1]:
            return False
        if not self.criteria.meets_search(self.player.turns, position):
            return False
        return self.solved is None or self.solved.are_met(self.endgames, self.player.turns, position)


@dataclass(frozen=True)
class FoundPosition:
    """A position, and the actions that lead to it from the start if that was asked for."""

    position: Position
    game: tuple[Action, ...] | None = None


class NothingToFindError(Exception):
    """A goal that no position can meet; `str()` is the reason in one line."""


def prove_nothing_to_find(wanted: SearchGoal) -> SearchGoal:
    """Return the goal without the rulesets proved to answer alike in every position. Raises NothingToFindError.

    Raises NothingToFindError where none is left.
    """
    return replace(wanted, goals=tuple(_possible(wanted.ruleset, goal) for goal in wanted.goals))


def _possible(ruleset: Ruleset, goal: Goal) -> Goal:
    reasons = {other: _why_unseen(ruleset, other) for other in goal.others}
    left = tuple(other for other, why in reasons.items() if why is None)
    if not left:
        why = " ".join(dict.fromkeys(why for why in reasons.values() if why))
        raise NothingToFindError(f"no position tells {ruleset.id} from {goal.says}: {why}")
    return replace(goal, others=left)


def _why_unseen(ruleset: Ruleset, other: Ruleset) -> str | None:
    """Return why no position shows the difference of two rulesets, if that is known."""
    if not PossibleDifferences.between(ruleset, other):
        changed = differing_values(ruleset.values, other.values)
        unseen = [rule for rule in rule_names() if rule in changed and counts_history(rule)]
        if unseen:
            show = "show" if unseen[1:] else "shows"
            return f"{', '.join(unseen)} {show} only in games, not in a position."
        return "it has the same rules in all that a position shows."
    differing = changed_rules(ruleset, other)
    in_both = [rule for rule in differing if rule in ruleset.values and rule in other.values]
    for rules in (in_both, differing):  # first without those that only follow from others
        mutant = make_mutant(ruleset.base, ruleset.values, tuple((rule, other.values.get(rule)) for rule in rules))
        if mutant is not None and not changed_rules(mutant.ruleset, other):
            return proof(ruleset, mutant.name)
    return None


def changed_rules(ruleset: Ruleset, other: Ruleset) -> list[str]:
    """Return the rules that another ruleset has changed, without those that no position shows."""
    changed = differing_values(ruleset.values, other.values)
    return [rule for rule in rule_names() if rule in changed and not in_no_position(rule)]
