"""Generated positions with their answers, and the rules that would change them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import damspec
from damspec import Action, Outcome, Position, Ruleset
from damspec.king_runs import is_at_limit
from damspec.mutations import proof
from damspec.outcomes import outcome_of_position
from damspec.rules import rule_names

from ..answers.answer_diff import PositionView, PossibleDifferences, differing_view
from ..answers.player import RulePlayer
from ..cases.adapt import reference_answer
from ..cases.answer import LISTS, After, Answer, ListName
from ..cases.case import Expectation
from ..cases.notation import Key
from ..mutants.mutants import Mutant, make_mutant, single_mutants
from .goal import FoundPosition, SearchGoal, changed_rules

if TYPE_CHECKING:
    from ..solve.lookup import SolvedValue


@dataclass(frozen=True)
class OtherList:
    """A list of actions by other rules, each with the position after it.

    `lost` are actions of the reference that are missing, `gained` those that it has not, and `elsewhere` those that
    lead to another position.
    """

    actions: Mapping[str, str]
    lost: tuple[str, ...]
    gained: tuple[str, ...]
    elsewhere: tuple[str, ...]

    def in_words(self) -> Iterator[str]:
        """Yield the differences as text: `not 26x19`, `also 26-21, 26-22`."""
        if self.lost:
            yield f"not {', '.join(self.lost)}"
        if self.gained:
            yield f"also {', '.join(self.gained)}"
        yield from (f"{text} leads to {self.actions[text]}" for text in self.elsewhere)


@dataclass(frozen=True)
class Other:
    """Another answer to a position, as far as it differs, and the rule values that give it."""

    mutants: tuple[Mutant, ...]
    lists: Mapping[ListName, OtherList]
    outcome: Outcome | None

    @property
    def names(self) -> tuple[str, ...]:
        """The rule values as text, one for each rule: `capture.duty = huffing or optional`."""
        return values_by_rule(self.mutants)

    def in_words(self) -> str:
        """Return the difference as text: `not 26x19; also 26-21, 26-22`."""
        said = [
            part if among == "moves" else f"lapses: {part}"
            for among in self.lists
            for part in self.lists[among].in_words()
        ]
        if self.outcome is not None:
            said.append(f"outcome {self.outcome}")
        return "; ".join(said)


def values_by_rule(mutants: Iterable[Mutant]) -> tuple[str, ...]:
    """Return rule values as text, one for each rule: `capture.duty = huffing or optional`."""
    by_rule: dict[str, list[str]] = {}
    for mutant in mutants:
        rule, _, value = mutant.name.partition(" = ")
        by_rule.setdefault(rule, []).append(value)
    return tuple(f"{rule} = {' or '.join(values)}" for rule, values in by_rule.items())


class Values:
    """All alternative values of a ruleset's rules, changed one at a time."""

    def __init__(self, player: RulePlayer) -> None:
        self.player = player

    @cached_property
    def _players(self) -> list[tuple[Mutant, RulePlayer, PossibleDifferences]]:
        ruleset = self.player.ruleset
        mutants_with_differences = (
            (mutant, PossibleDifferences.between(ruleset, mutant.ruleset)) for mutant in single_mutants(ruleset)
        )
        return [
            (mutant, RulePlayer(mutant.ruleset), differences)
            for mutant, differences in mutants_with_differences
            if differences and mutant.ruleset.rules.board == ruleset.rules.board and not proof(ruleset, mutant.name)
        ]

    @property
    def mutants(self) -> list[Mutant]:
        """The rulesets with one value changed that may answer some position differently."""
        return [mutant for mutant, _, _ in self._players]

    def others(self, position: Position) -> tuple[Other, ...]:
        """Return the other answers to a position, in the order of the rules."""
        view = PositionView(self.player, position)
        groups: dict[tuple[object, ...], list[tuple[Mutant, PositionView]]] = {}
        for mutant, player, differences in self._players:
            seen = differing_view(view, player, differences)
            if seen is not None:
                groups.setdefault(_differing_parts(view, seen, differences), []).append((mutant, seen))
        return tuple(_other(view, kind, group) for kind, group in groups.items())


def _differing_parts(
    view: PositionView, seen: PositionView, differences: PossibleDifferences
) -> tuple[object, object, str | None]:
    """Return the moves, lapses and outcome under the other rules, None for those that are the same."""
    moves = lapses = None
    if differences.turns or differences.captures or differences.quiet:
        pairs = ([_pairs(each.comparable, among) for each in (view, seen)] for among in LISTS)
        moves, lapses = (there if there != here else None for here, there in pairs)
    outcome = seen.outcome if differences.outcomes and seen.outcome != view.outcome else None
    return moves, lapses, outcome


def _pairs(answer: Answer, among: ListName) -> frozenset[tuple[Key, After]]:
    """Return the actions of a list, each with the position after it."""
    return frozenset((one, answer.after[one]) for one in getattr(answer, among))


def _other(view: PositionView, kind: tuple[object, ...], group: list[tuple[Mutant, PositionView]]) -> Other:
    (_, seen), *_ = group
    *lists, outcome = kind
    return Other(
        tuple(mutant for mutant, _ in group),
        {among: _other_list(view, seen, among) for among, there in zip(LISTS, lists, strict=True) if there is not None},
        None if outcome is None else outcome_of_position(seen.player.turns, seen.position),
    )


def _other_list(view: PositionView, seen: PositionView, among: ListName) -> OtherList:
    here, there = (_afters_by_key(each, among) for each in (view, seen))
    return OtherList(
        dict(there.values()),
        tuple(text for one, (text, _) in here.items() if one not in there),
        tuple(text for one, (text, _) in there.items() if one not in here),
        tuple(text for one, (text, after) in there.items() if one in here and after != here[one][1]),
    )


def _afters_by_key(view: PositionView, among: ListName) -> dict[Key, tuple[str, str]]:
    """Return the actions of a list as text, each with the position after it."""
    after = {one: position.fen() for one, position in view.answer.after.items() if isinstance(position, Position)}
    return {one: (str(action), after[one]) for one, action in getattr(view.answer, among).items()}


#: The kinds of moves.
KINDS = ("man-moves", "man-captures", "king-moves", "king-captures")
_MOVES = Expectation(moves={})


class Annotator:
    """The search goal, with what is needed to say what the answers to positions depend on.

    `values` are the alternative rule values; None if no alternative answers are wanted.
    """

    def __init__(self, wanted: SearchGoal, *, otherwise: bool = True) -> None:
        self.wanted, self.ruleset = wanted, wanted.ruleset
        self.values = Values(wanted.player) if otherwise else None
        self._players: dict[Ruleset, tuple[RulePlayer, PossibleDifferences]] = {}
        self._by_rule: dict[Ruleset, list[tuple[str, Ruleset]]] = {}

    def annotate(self, found: FoundPosition) -> AnnotatedPosition:
        """Wrap a found position; its answers are computed on demand."""
        return AnnotatedPosition(self, found.position, found.game)

    def rules_shown(self, position: Position) -> list[str]:
        """Return the rules of the goals on which the answer depends, or, without goals, one rule it shows."""
        goals = self.wanted.goals
        if not goals:
            return [_rule_shown(self.ruleset, position)]
        named = {goal.rule for goal in goals if goal.rule}
        for goal in goals:
            if goal.rule is None:
                alone = {rule for rule, other in self._changes(goal.others[0]) if self._differs(position, other)}
                named |= alone or set(changed_rules(self.ruleset, goal.others[0]))
        return [rule for rule in rule_names() if rule in named]

    def under_readings(self, position: Position, *, only_outcome: bool) -> Iterator[tuple[str, str, Ruleset]]:
        """Yield the readings on which the answer, or only the outcome, depends: id, `key=alternative` and ruleset."""
        for id, query, other in self._readings:
            if self._differs(position, other):
                ends = {outcome_of_position(r.turns, RulePlayer(r).fit(position)).result for r in (self.ruleset, other)}
                if len(ends) == 2 or not only_outcome:
                    yield id, query, other

    def _changes(self, other: Ruleset) -> list[tuple[str, Ruleset]]:
        """Return the mutants of the ruleset that take over a single differing rule of `other`, by rule."""
        if other not in self._by_rule:
            both = [
                rule
                for rule in changed_rules(self.ruleset, other)
                if rule in other.values and rule in self.ruleset.values
            ]
            changes = [
                (rule, make_mutant(self.ruleset.base, self.ruleset.values, ((rule, other.values[rule]),)))
                for rule in both
            ]
            self._by_rule[other] = [(rule, change.ruleset) for rule, change in changes if change]
        return self._by_rule[other]

    @cached_property
    def _readings(self) -> list[tuple[str, str, Ruleset]]:
        ids = {reading.key: reading.id for reading in self.ruleset.readings}
        return [(ids[query.partition("=")[0]], query, other) for query, other in self.ruleset.alternatives.items()]

    def _differs(self, position: Position, other: Ruleset) -> bool:
        if other not in self._players:
            self._players[other] = RulePlayer(other), PossibleDifferences.between(self.ruleset, other)
        return differing_view(PositionView(self.wanted.player, position), *self._players[other]) is not None


@dataclass(frozen=True)
class SolvedLine:
    """What a position comes to, the moves that keep it, and the best moves of both sides up to the end.

    In a draw there is no end, and no such line.
    """

    value: SolvedValue
    keeping: tuple[str, ...]
    line: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {**self.value._asdict(), "keeping": list(self.keeping), "line": list(self.line)}


@dataclass(frozen=True)
class AnnotatedPosition:
    """A position, the game that leads to it from the start if there is one, and the reference's answers."""

    by: Annotator
    position: Position
    game: tuple[Action, ...] | None = None

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of the answers."""
        return self.by.ruleset

    @cached_property
    def fen(self) -> str:
        """The position as FEN."""
        return self.position.fen()

    @cached_property
    def digest(self) -> str:
        """A short, stable name for the position."""
        return hashlib.sha256(self.fen.encode()).hexdigest()[:10]

    @cached_property
    def rules(self) -> list[str]:
        """The rules of the goals on which the answer depends, or, without goals, one rule it shows."""
        return self.by.rules_shown(self.position)

    @cached_property
    def expected(self) -> Expectation:
        """The moves, and the lapses where there is huffing."""
        return reference_answer(self.ruleset, self.position, _MOVES)

    @property
    def moves(self) -> Mapping[str, str]:
        """The legal actions, each with the position after it."""
        return self.expected.moves or {}

    @property
    def lapses(self) -> Mapping[str, str]:
        """The lapses, each with the position after it."""
        return self.expected.lapses or {}

    @cached_property
    def outcome(self) -> Outcome:
        """Whether the game is over, and why."""
        return outcome_of_position(self.ruleset.turns, self.position)

    @cached_property
    def solved_line(self) -> SolvedLine | None:
        """What the position comes to, and the best moves up to the end, if that was asked for."""
        wanted = self.by.wanted
        if wanted.solved is None:
            return None
        value, moves = wanted.endgames.value(self.position), wanted.endgames.moves(self.position)
        return SolvedLine(
            value,
            tuple(str(action) for action, each in moves if each.value == value.value),
            tuple(map(str, wanted.endgames.line(self.position))),
        )

    @cached_property
    def others(self) -> tuple[Other, ...]:
        """The other answers, each with the rule values that give it; empty if they are not wanted."""
        return self.by.values.others(self.position) if self.by.values else ()

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of legal moves: man or king, moves or captures."""
        kings = self.position.kings(self.position.turn)
        return frozenset(
            f"{'king' if self.position.board.bit(move.start) & kings else 'man'}-"
            f"{'captures' if move.captured else 'moves'}"
            for move in damspec.legal_moves(self.ruleset, self.position).moves
        )

    @property
    def last(self) -> Action | None:
        """The last action of the game that leads to the position."""
        return self.game[-1] if self.game else None


def _rule_shown(ruleset: Ruleset, position: Position) -> str:
    """Return the rule that a position shows best."""
    if position.huffable:
        return "huff.remedies"
    if position.compelled:
        return "huff.retracted"
    legal = damspec.legal_moves(ruleset, position)
    if not legal:
        return "ending.no-moves"
    if is_at_limit(ruleset.rules.king.move_limit, position):
        return "king.move.limit"
    if not legal.moves:
        return "spin.outcomes"
    kings = position.kings(position.turn)
    by_king = any(position.board.bit(move.start) & kings for move in legal.moves)
    if any(len(move.captured) > 1 for move in legal.moves):
        return "capture.completion"
    if any(move.captured for move in legal.moves):
        return "king.capture.directions" if by_king else "man.capture.first"
    return "king.move.directions" if by_king else "man.move.directions"
