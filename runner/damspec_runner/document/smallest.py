"""Search for the smallest positions in which two rulesets answer differently."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, product
from typing import Any, Literal

from damspec import Position, Ruleset
from damspec.kernel import is_available
from damspec.king_runs import without_runs
from damspec.rules import rule_names
from damspec.sampling import PositionSampler
from damspec.validity import PLAIN, phase_of, phases

from ..answers.answer_diff import PositionView, PossibleDifferences
from ..answers.player import RulePlayer
from ..mutants.ruleset_diff import ChangedRule, difference_parts, ends, in_no_position, toward
from ..positions.enumeration import in_phases, minimise, same_turned_round, size, slider_positions
from .exhaustive import LevelSurvey, find_differing_placements, movement_rules, movement_tasks

QuestionName = Literal["moves", "outcome"]


@dataclass(frozen=True)
class ShownPart:
    """A position that shows a rule: by which question, beside which other rules, and whether both ways."""

    position: Position
    question: QuestionName
    beside: tuple[str, ...]
    both_ways: bool


class PositionViews(dict[RulePlayer, PositionView]):
    """A position from each player's point of view, computed once."""

    def __init__(self, position: Position) -> None:
        super().__init__()
        self.position = position

    def __missing__(self, player: RulePlayer) -> PositionView:
        spins = self.position.spin is None or player.ruleset.rules.spin is not None
        self[player] = view = PositionView(player, self.position if spins else replace(self.position, spin=None))
        return view


class Trial:
    """A ruleset with a part changed towards a goal.

    A position shows the part if the change, and nothing less, makes the answer that of the goal.
    """

    def __init__(self, start: RulePlayer, changed: RulePlayer, goal: RulePlayer, question: QuestionName) -> None:
        self.start, self.changed, self.goal, self.question = start, changed, goal, question
        self.by = _without_outcomes(PossibleDifferences.between(start.ruleset, changed.ruleset))
        self._apart = _without_outcomes(PossibleDifferences.between(start.ruleset, goal.ruleset))
        self._remaining = _without_outcomes(PossibleDifferences.between(changed.ruleset, goal.ruleset))

    def shown(self, views: PositionViews) -> bool:
        """Return whether a position shows the part."""
        start, changed, goal = views[self.start], views[self.changed], views[self.goal]
        if self.question == "outcome":
            alike = start.outcome == goal.outcome or changed.outcome != goal.outcome
        else:
            alike = (
                not start.may_differ(changed, self.by)
                or not start.differs(goal, self._apart)
                or changed.differs(goal, self._remaining)
            )
        return not alike and all(view.possible for view in (start, changed, goal))


@dataclass
class DifferenceGoal:
    """A part to be shown, perhaps together with others: its trials, and the best position found.

    All positions with fewer than `proved_below` pieces were tried, and with all doors shut those with fewer than
    `shut_below`; beside any other rules, as many as with the best, those with fewer than `beside_below`.
    """

    part: ChangedRule
    beside: tuple[str, ...]
    trials: list[Trial]
    best: ShownPart | None = None
    proved_below: int = 0
    tried: int = 0
    shut_below: int = 0
    beside_below: int = 0
    hits: list[ShownPart] = field(default_factory=list)

    @property
    def moves_pieces(self) -> bool:
        """Whether only the movement of pieces matters."""
        return not any(t.by.turns for t in self.trials) and self.question == "moves"

    @property
    def quiet(self) -> bool:
        """Whether quiet moves matter too."""
        return any(trial.by.quiet for trial in self.trials)

    @property
    def question(self) -> QuestionName:
        """The question whose answer shows the part."""
        return "outcome" if ends(self.part.rule) else "moves"

    @property
    def pieces(self) -> int:
        """The number of pieces of the best position, or a number larger than any if there is none."""
        return len(self.best.position) if self.best else 999

    def shown(self, views: PositionViews) -> ShownPart | None:
        """Return how a position shows the part, or None."""
        by = [trial.shown(views) for trial in self.trials]
        return ShownPart(views.position, self.question, self.beside, len(by) == 2 and all(by)) if any(by) else None


def _without_outcomes(differences: PossibleDifferences) -> PossibleDifferences:
    """Return possible differences without the end of the game."""
    return replace(differences, outcomes=False)


def common_sliders(one: Ruleset, other: Ruleset) -> tuple[list[str | None], bool]:
    """Return the slider states valid in both, all in the middle first, and whether these are all states."""
    layouts = [ruleset.rules.trapdoors.layout for ruleset in (one, other) if ruleset.rules.trapdoors]
    if len(layouts) < 2:
        return [None], True
    if layouts[0] != layouts[1]:
        return [None], False
    both = set(slider_positions(other))
    return [None if set(s or "") == {"M"} else s for s in slider_positions(one) if s in both], True


def common_phases(one: Ruleset, other: Ruleset) -> Iterator[str]:
    """Yield the phases of both rulesets.

    A spin that lets a piece move counts as no spin in a game without spinner, and a run of a king as none where runs
    are not limited.
    """
    mine, theirs = phases(one.rules), phases(other.rules)
    yield from (phase for phase in mine if phase in theirs)
    for ruleset, without in ((one, other), (other, one)):
        if ruleset.rules.spin and not without.rules.spin:
            yield from (f"spin={o}" for o, allows in ruleset.rules.spin.outcomes.items() if allows == "piece")
        if ruleset.rules.king.move_limit is not None and without.rules.king.move_limit is None:
            yield "run"


@dataclass(frozen=True)
class SearchLimits:
    """How far a search goes."""

    #: The number of pieces up to which whole turns, and moves, are compared in every position.
    whole_turns: int = 2
    moves: int = 3
    #: The number of pieces up to which every slider state is tried.
    sliders: int = 2
    #: The same for moves and sliders in compiled code, and the most positions of a level there.
    compiled_moves: int = 5
    compiled_sliders: int = 3
    compiled_positions: int = 300_000_000
    #: The most positions of a level in which a rule changes moves that are examined.
    changed_positions: int = 20_000
    #: The number of positions with the fewest pieces among which the plainest is chosen.
    hits: int = 60
    #: The number of random positions tried, and their most pieces.
    random_positions: int = 8_000
    random_pieces: int = 9


LIMITS = SearchLimits()


class SmallestSearch:
    """A search for two rulesets on one board. Each step can be interrupted, keeping what was found.

    `others` counts the positions tried beyond the exhausted ones.
    """

    def __init__(
        self, one: Ruleset, other: Ruleset, survey: LevelSurvey | None = None, limits: SearchLimits = LIMITS
    ) -> None:
        self.limits = limits
        self.one, self.other = RulePlayer(one), RulePlayer(other)
        self.survey = survey or LevelSurvey([one, other])
        self.phases = tuple(common_phases(one, other))
        self._turns = (self.one if other.rules.king.move_limit is None else self.other).turns
        self._sliders, self._all_sliders = common_sliders(one, other)
        self._is_symmetrical = same_turned_round(one) and same_turned_round(other)
        self._parts = [part for part in difference_parts(one, other) if not in_no_position(part.rule)]
        self._players: dict[tuple[str, ...], tuple[RulePlayer | None, RulePlayer | None]] = {}
        self.goals = {part.rule: self._goal(part, ()) for part in self._parts}
        self.others = 0
        self._apart = replace(PossibleDifferences.between(one, other), outcomes=False)

    # --- the steps ----------------------------------------------------------------------------

    def exhaust(self) -> None:
        """Try all positions, the fewest pieces first, while a part is left and the level is affordable."""
        over = any(ends(part.rule) for part in self._parts)
        doors = self.one.ruleset.rules.trapdoors and self.other.ruleset.rules.trapdoors
        for goal in self.goals.values():
            goal.proved_below = 0 if over and doors else 1
        for number in range(0 if over and doors else 1, self.limits.moves + 1):
            left = [goal for goal in self.goals.values() if not goal.best and goal.trials]
            left = [goal for goal in left if goal.moves_pieces or number <= self.limits.whole_turns]
            if not left or not self.survey.affordable(number):
                break
            self._level(number, left)
        for goal in self.goals.values():
            if goal.moves_pieces and goal.trials and not goal.best and is_available():
                for number in range(goal.proved_below, self.limits.compiled_moves + 1):
                    if not self._try_compiled_level(number, goal):
                        break

    def resume(self, entries: Mapping[str, Mapping[str, Any]]) -> None:
        """Resume from what an earlier search of these two has exhausted, as recorded."""
        for rule, entry in entries.items():
            goal = self.goals[rule]
            goal.proved_below, goal.tried = entry["proved-below"], entry["tried"]
            goal.shut_below = entry.get("shut-below", 0)
            if "position" in entry:
                goal.best = self._shown(goal, PositionViews(Position.from_fen(entry["position"], self.survey.board)))

    def try_positions(self, candidates: Iterable[Position]) -> None:
        """Try given positions for the parts whose smallest position is not proved, or that took the first found."""
        left = [
            goal
            for goal in self.goals.values()
            if goal.trials and goal.pieces > min(goal.proved_below, self.limits.moves)
        ]
        if left:
            for position in candidates:
                for one in self._fit(position):
                    self._try(one, left)

    def try_random(self, seed: int = 0) -> None:
        """Try random positions, some of them similar to the best found."""
        left = [goal for goal in self.goals.values() if goal.trials and goal.pieces > goal.proved_below]
        if not left:
            return
        for position in self._random(seed, left):
            for one in self._fit(position):
                self._try(one, left)

    def try_with_other_rules(self, candidates: Iterable[Position]) -> None:
        """Try each part that no position shows alone together with one or two other parts."""
        missed = [goal for goal in self.goals.values() if not goal.best]
        if not missed:
            return
        fitted = [one for position in (*candidates, *self._random(1, missed)) for one in self._fit(position)]
        for goal in missed:
            others = [part.rule for part in self._parts if part is not goal.part]
            deciding = list(self._deciding(goal.part, fitted))
            for number in (1, 2):
                together = (self._goal(goal.part, beside) for beside in combinations(others, number))
                companions = [one for one in together if one.trials]
                for position in deciding:
                    self._try(position, companions)
                found = [one for one in companions if one.best]
                if found:
                    goal.best = min(found, key=lambda one: one.pieces).best
                    self._with_fewer(goal, companions)
                    break

    # --- inside -------------------------------------------------------------------------------

    def _level(self, number: int, left: list[DifferenceGoal]) -> None:
        """Try all positions with `number` pieces, in every slider state if there are few pieces."""
        every = self._sliders if number <= self.limits.sliders else self._sliders[:1]
        whole = self._all_sliders and len(every) == len(self._sliders)
        tried = 0
        quiet = any(goal.quiet for goal in left)
        for sliders in every:
            try:
                tried += self._examine_level(number, sliders, left, quiet=quiet)
            finally:
                for goal in left:
                    goal.best = min(goal.hits, key=self._rank, default=None)
            left = [goal for goal in left if not goal.best]
            if not left:
                return
        for goal in left:
            goal.shut_below = number + 1
            if whole:
                goal.proved_below, goal.tried = number + 1, goal.tried + tried

    def _with_fewer(self, goal: DifferenceGoal, companions: list[DifferenceGoal]) -> None:
        """Try all positions with fewer pieces for a part that only shows beside others, beside any of them."""
        if not (is_available() and all(companion.moves_pieces for companion in companions)):
            return
        for companion in companions:
            companion.best, companion.proved_below = None, 1
        levels = product(range(1, goal.pieces), companions)
        last = next((each for number, each in levels if not self._try_compiled_level(number, each)), goal)
        goal.best = last.best or goal.best
        goal.beside_below = min(companion.proved_below for companion in companions)

    def _try_compiled_level(self, number: int, goal: DifferenceGoal) -> bool:
        """Try a level in compiled code; return whether that was possible and found nothing."""
        return self._compiled_level(number, goal) and not goal.best

    def _compiled_level(self, number: int, goal: DifferenceGoal) -> bool:
        """Try all positions with `number` pieces in which the rule changes moves; return whether that was possible.

        If there are many pieces, only positions with all doors shut are tried.
        """
        if size(self.survey.board, number, self.survey.sides) > self.limits.compiled_positions:
            return False
        every = self._sliders if number <= self.limits.compiled_sliders else self._sliders[:1]
        tried = 0
        for sliders in every:
            counts = [self._examine_changed_moves(number, sliders, goal, trial) for trial in goal.trials]
            if None in counts:
                return False
            tried += max(count or 0 for count in counts)
            goal.best = min(goal.hits, key=self._rank, default=None)
            if goal.best:
                return True
        goal.shut_below = number + 1
        if self._all_sliders and len(every) == len(self._sliders) and goal.proved_below == number:
            goal.proved_below, goal.tried = number + 1, goal.tried + tried
        return True

    def _examine_changed_moves(
        self, number: int, sliders: str | None, goal: DifferenceGoal, trial: Trial
    ) -> int | None:
        """Examine the positions in which a trial changes moves; return the number of positions of the level.

        None if there are too many such positions and they do not show the part.
        """
        one, other, survey = trial.start.ruleset, trial.changed.ruleset, self.survey
        doors = survey.doors(sliders)
        key = number, doors, movement_rules(one), movement_rules(other)
        if key in survey.found_alike:
            return survey.found_alike[key]
        tried = differ = 0
        for side in survey.sides:
            for task in movement_tasks(one, [other], number, survey.promotion_rows, doors, side):
                for count, found in find_differing_placements(task):
                    tried, differ = tried + count, differ + len(found)
                    for _, pieces in found:
                        self._examine(Position(survey.board, *pieces, side, sliders), [goal])
                    if len(goal.hits) >= self.limits.hits:
                        return tried
                    if differ > self.limits.changed_positions:
                        return None
        if not differ:
            survey.found_alike[key] = tried
        return tried

    def _examine_level(self, number: int, sliders: str | None, goals: list[DifferenceGoal], *, quiet: bool) -> int:
        """Examine the positions of a level, comparing whole turns only where they matter; return their number."""
        movement = [goal for goal in goals if goal.moves_pieces]
        turns = [goal for goal in goals if not goal.moves_pieces]
        level = self.survey.level(number, sliders, quiet=quiet)
        for position, seen in level.telling if movement else ():
            if not any(len(goal.hits) < self.limits.hits for goal in movement):
                break
            if not self.survey.alike(self.one.ruleset, self.other.ruleset, seen):
                self._examine(position, movement)
        for position in self.survey.all_positions(number, sliders) if turns else ():
            self._examine(position, turns)
            if not any(len(goal.hits) < self.limits.hits for goal in turns):
                break
        return level.positions

    def _examine(self, plain: Position, goals: list[DifferenceGoal]) -> None:
        goals = [goal for goal in goals if len(goal.hits) < self.limits.hits]
        for position in in_phases(plain, self.phases, self._turns) if goals else ():
            views = PositionViews(position)
            if position is not plain and not self._possible(views):
                continue
            for goal in goals:
                if shown := self._shown(goal, views):
                    goal.hits.append(shown)

    def _random(self, seed: int, goals: list[DifferenceGoal]) -> Iterator[Position]:
        """Yield random positions, many of them similar to the best found."""
        rng = random.Random(seed)
        samplers = [
            PositionSampler(player.ruleset, rng, (1, self.limits.random_pieces)) for player in (self.one, self.other)
        ]
        for turn in range(self.limits.random_positions):
            best = [goal.best.position for goal in goals if goal.best]
            near = best and rng.random() < 0.5
            found = samplers[turn % 2].near(rng.choice(best)) if near else samplers[turn % 2].draw()
            if found is not None:
                yield found

    def _try(self, position: Position, goals: list[DifferenceGoal]) -> None:
        """Examine a position, removing pieces while it still shows a part."""
        self.others += 1
        views = PositionViews(position)
        for goal in goals:
            if len(position) <= goal.pieces and self._shown(goal, views):
                few = minimise(position, partial(self._shows, goal))
                shown = self._shown(goal, PositionViews(few))
                if shown and (not goal.best or self._rank(shown) < self._rank(goal.best)):
                    goal.best = shown

    def _shows(self, goal: DifferenceGoal, position: Position) -> bool:
        return self._shown(goal, PositionViews(position)) is not None

    def _shown(self, goal: DifferenceGoal, views: PositionViews) -> ShownPart | None:
        """Return how a position shows the part, if it is valid in both rulesets and they answer it differently."""
        shown = goal.shown(views)
        return shown if shown and self._is_valid_difference(shown, views) else None

    def _rank(self, shown: ShownPart) -> tuple[Any, ...]:
        """Return the sort key for plain positions: few pieces, ongoing game, nothing pending, few moves."""
        views = PositionViews(shown.position)
        both = [views[self.one], views[self.other]]
        over = sum(view.outcome != "ongoing" for view in both) if shown.question == "moves" else 0
        moves = sum(len(view.answer.after) for view in both)
        position = shown.position
        pending = (phase_of(position) != PLAIN) + bool(position.sliders) + (position.turn != "white")
        return len(position), not shown.both_ways, over, pending, moves, position.fen()

    def _is_valid_difference(self, shown: ShownPart, views: PositionViews) -> bool:
        """Return whether a position is valid in both rulesets and they answer it differently."""
        one, other = views[self.one], views[self.other]
        differ = one.differs(other, self._apart) if shown.question == "moves" else one.outcome != other.outcome
        return differ and self._possible(views)

    def _possible(self, views: PositionViews) -> bool:
        return views[self.one].possible and views[self.other].possible

    def _fit(self, position: Position) -> Iterator[Position]:
        """Yield a position as valid in both rulesets, in its own phase, or in every phase if they lack that."""
        if position.board != self.one.ruleset.rules.board:
            return
        sliders = position.sliders if position.sliders in self._sliders else None
        if self._is_symmetrical and position.turn == "black" and not (sliders or position.huffable):
            position = position.mirrored()
        position = replace(position, sliders=sliders)
        if phase_of(position) != PLAIN and phase_of(position) in self.phases:
            yield position
            return
        plain = without_runs(replace(position, spin=None, huffable=None, compelled=False))
        yield from in_phases(plain, self.phases, self._turns)

    def _deciding(self, part: ChangedRule, positions: Iterable[Position]) -> Iterator[Position]:
        """Yield the positions in which the part changes an answer of one of the rulesets."""
        changed = self._with_parts((part.rule,))
        pairs = [
            (start, other, PossibleDifferences.between(start.ruleset, other.ruleset))
            for start, other in zip((self.one, self.other), changed, strict=True)
            if other is not None
        ]
        for position in positions:
            views = PositionViews(position)
            if self._possible(views) and any(views[one].differs(views[other], by) for one, other, by in pairs):
                yield position

    def _goal(self, part: ChangedRule, beside: tuple[str, ...]) -> DifferenceGoal:
        question: QuestionName = "outcome" if ends(part.rule) else "moves"
        starts = self._with_parts(beside) if beside else (self.one, self.other)
        changed = self._with_parts((*beside, part.rule))
        trials = [
            Trial(start, made, goal, question)
            for start, made, goal in zip(starts, changed, (self.other, self.one), strict=True)
            if start and made
        ]
        return DifferenceGoal(part, beside, trials)

    def _with_parts(self, leaders: tuple[str, ...]) -> tuple[RulePlayer | None, RulePlayer | None]:
        """Return each ruleset with the other's values for some parts."""
        key = tuple(sorted(leaders))
        if key not in self._players:
            rules = [rule for part in self._parts if part.rule in leaders for rule in part.rules]
            self._players[key] = (
                _player(self.one.ruleset, self.other.ruleset, rules),
                _player(self.other.ruleset, self.one.ruleset, rules),
            )
        return self._players[key]


def _player(ruleset: Ruleset, goal: Ruleset, changed: Sequence[str]) -> RulePlayer | None:
    """Return a ruleset with some rules as in another; None if that changes more rules, or gives no valid ruleset."""
    values = toward(ruleset, goal, changed)
    kept = (rule for rule in rule_names() if rule not in changed)
    if values is None or any(values.get(rule) != ruleset.values.get(rule) for rule in kept):
        return None
    return RulePlayer(replace(ruleset, values=values))
