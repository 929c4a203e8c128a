"""Generated positions with their answers, and the rules that would change them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import damspec
from damspec import Action, Outcome, Position, Ruleset
from damspec.endings import outcome_of_position
from damspec.king_runs import is_at_limit
from damspec.mutations import proof
from damspec.rules import rule_names

from ..answers.answer_diff import PossibleDifferences, View, is_seen_otherwise, is_told_apart
from ..answers.player import Answer, Played, RulePlayer, key
from ..cases.adapt import reference_answer
from ..cases.case import Expectation
from ..cases.notation import Key
from ..mutants.mutants import Mutant, make_mutant, single_mutants
from ..mutants.ruleset_diff import in_no_position
from .goal import Found, SearchGoal


@dataclass(frozen=True)
class AnswerChange:
    """What another answer changes in a list of actions: those it lacks, those it adds, those that lead elsewhere.

    Each is its text, with the position after it; those that it lacks have the position that they lead to otherwise.
    """

    lost: Mapping[str, str]
    gained: Mapping[str, str]
    elsewhere: Mapping[str, str]

    def __bool__(self) -> bool:
        return bool(self.lost or self.gained or self.elsewhere)


@dataclass(frozen=True)
class Other:
    """Another answer to a position, and the rule values that give it. What they leave as it is, is None."""

    mutants: tuple[Mutant, ...]
    moves: Mapping[str, str] | None
    lapses: Mapping[str, str] | None
    outcome: Outcome | None
    moved: AnswerChange
    lapsed: AnswerChange

    @property
    def names(self) -> tuple[str, ...]:
        """The rule values in words, a text for each rule: `capture.duty = huffing or optional`."""
        return named(self.mutants)

    def told(self) -> str:
        """What is another, in words: `not 26x19; also 26-21, 26-22`."""
        said = [*_told(self.moved), *(f"lapses: {part}" for part in _told(self.lapsed))]
        if self.outcome is not None:
            said.append(f"outcome {self.outcome}")
        return "; ".join(said)


def named(mutants: Iterable[Mutant]) -> tuple[str, ...]:
    """Rule values in words, a text for each rule: `capture.duty = huffing or optional`."""
    by_rule: dict[str, list[str]] = {}
    for mutant in mutants:
        rule, _, value = mutant.name.partition(" = ")
        by_rule.setdefault(rule, []).append(value)
    return tuple(f"{rule} = {' or '.join(values)}" for rule, values in by_rule.items())


class Values:
    """All values that the rules of a ruleset can have instead, one at a time."""

    def __init__(self, player: RulePlayer) -> None:
        self.player = player

    @cached_property
    def _players(self) -> list[tuple[Mutant, RulePlayer, PossibleDifferences]]:
        ruleset = self.player.ruleset
        contrasts = (
            (mutant, PossibleDifferences.between(ruleset, mutant.ruleset)) for mutant in single_mutants(ruleset)
        )
        return [
            (mutant, RulePlayer(mutant.ruleset), contrast)
            for mutant, contrast in contrasts
            if contrast and mutant.ruleset.rules.board == ruleset.rules.board and not proof(ruleset, mutant.name)
        ]

    @property
    def mutants(self) -> list[Mutant]:
        """The rulesets with one of these values that some position may show."""
        return [mutant for mutant, _, _ in self._players]

    def others(self, position: Position) -> tuple[Other, ...]:
        """The other answers to a position, in the order of the rules."""
        view = View(self.player, position)
        groups: dict[tuple[object, ...], list[tuple[Mutant, View]]] = {}
        for mutant, player, contrast in self._players:
            seen = is_seen_otherwise(view, player, contrast)
            if seen is not None:
                groups.setdefault(_kind(view, seen, contrast), []).append((mutant, seen))
        if not groups:
            return ()
        usual = [*map(_listed, view.played)]
        return tuple(_other(kind, group, usual) for kind, group in groups.items())


_Listed = dict[Key, tuple[str, str]]


def _kind(view: View, seen: View, contrast: PossibleDifferences) -> tuple[Answer | None, Answer | None, str | None]:
    """The moves, the lapses and the outcome, each if it is another than usual."""
    moves = lapses = None
    if contrast.turns or contrast.captures or contrast.quiet:
        moves, lapses = (there if there != here else None for here, there in zip(view.answer, seen.answer, strict=True))
    outcome = seen.outcome if contrast.ending and seen.outcome != view.outcome else None
    return moves, lapses, outcome


def _other(kind: tuple[object, ...], group: list[tuple[Mutant, View]], usual: list[_Listed]) -> Other:
    (_, seen), *_ = group
    there = [*map(_listed, seen.played)]
    moves, lapses = (
        dict(listed.values()) if changed is not None else None for changed, listed in zip(kind[:2], there, strict=True)
    )
    return Other(
        mutants=tuple(mutant for mutant, _ in group),
        moves=moves,
        lapses=lapses,
        outcome=None if kind[2] is None else outcome_of_position(seen.player.turns, seen.position),
        moved=_change(usual[0], there[0]),
        lapsed=_change(usual[1], there[1]),
    )


def _listed(played: Played) -> _Listed:
    return {key(action): (str(action), after.fen()) for action, after in played}


def _change(usual: _Listed, there: _Listed) -> AnswerChange:
    return AnswerChange(
        lost=dict(usual[one] for one in usual if one not in there),
        gained=dict(there[one] for one in there if one not in usual),
        elsewhere=dict(there[one] for one in there if one in usual and there[one][1] != usual[one][1]),
    )


def _told(change: AnswerChange) -> Iterator[str]:
    if change.lost:
        yield f"not {', '.join(change.lost)}"
    if change.gained:
        yield f"also {', '.join(change.gained)}"
    for text, fen in change.elsewhere.items():
        yield f"{text} leads to {fen}"


#: The ways in which a piece can be moved.
KINDS = ("man-moves", "man-captures", "king-moves", "king-captures")
_MOVES = Expectation(moves={})


class Annotator:
    """What was looked for, and what it takes to say what the answers to positions depend on.

    `values` are those that rules can have instead; None if nobody asks which of them change an answer.
    """

    def __init__(self, wanted: SearchGoal, *, otherwise: bool = True) -> None:
        self.wanted, self.ruleset = wanted, wanted.ruleset
        self.values = Values(wanted.player) if otherwise else None
        self._players: dict[Ruleset, tuple[RulePlayer, PossibleDifferences]] = {}
        self._by_rule: dict[Ruleset, list[tuple[str, Ruleset]]] = {}

    def answered(self, found: Found) -> AnnotatedPosition:
        """A position, to be answered as far as is asked for."""
        return AnnotatedPosition(self, found.position, found.game)

    def rules_shown(self, position: Position) -> list[str]:
        """The rules that the answer depends on, of those that were asked for; without any, one that it shows."""
        goals = self.wanted.goals
        if not goals:
            return [_shown_by(self.ruleset, position)]
        named = {goal.rule for goal in goals if goal.rule}
        for goal in goals:
            if goal.rule is None:
                alone = {rule for rule, other in self._changes(goal.others[0]) if self._differs(position, other)}
                named |= alone or set(_changed(self.ruleset, goal.others[0]))
        return [rule for rule in rule_names() if rule in named]

    def under_readings(self, position: Position, *, only_outcome: bool) -> Iterator[tuple[str, str, Ruleset]]:
        """The readings that the answer, or the outcome alone, depends on: id, `key=alternative`, and the ruleset."""
        for id, query, other in self._readings:
            if self._differs(position, other):
                ends = {
                    outcome_of_position(r.turns, RulePlayer(r).fitted(position)).result for r in (self.ruleset, other)
                }
                if len(ends) == 2 or not only_outcome:
                    yield id, query, other

    def _changes(self, other: Ruleset) -> list[tuple[str, Ruleset]]:
        """The ruleset with each rule alone in which another differs."""
        if other not in self._by_rule:
            both = [
                rule for rule in _changed(self.ruleset, other) if rule in other.values and rule in self.ruleset.values
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
        return is_told_apart(View(self.wanted.player, position), *self._players[other])


@dataclass(frozen=True)
class AnnotatedPosition:
    """A position, the game that leads to it from the start if there is one, and what the reference answers."""

    by: Annotator
    position: Position
    game: tuple[Action, ...] | None = None

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that answers."""
        return self.by.ruleset

    @cached_property
    def fen(self) -> str:
        """The position as FEN."""
        return self.position.fen()

    @cached_property
    def digest(self) -> str:
        """A short name for the position, always the same."""
        return hashlib.sha256(self.fen.encode()).hexdigest()[:10]

    @cached_property
    def rules(self) -> list[str]:
        """The rules that the answer depends on, of those that were asked for; without any, one that it shows."""
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
    def others(self) -> tuple[Other, ...]:
        """The other answers there are, each with the rule values that give it; none if nobody asks."""
        return self.by.values.others(self.position) if self.by.values else ()

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The ways in which the side to move can move its pieces."""
        kings = self.position.kings(self.position.turn)
        return frozenset(
            f"{'king' if self.position.board.bit(move.start) & kings else 'man'}-"
            f"{'captures' if move.captured else 'moves'}"
            for move in damspec.legal_moves(self.ruleset, self.position).moves
        )

    @property
    def last(self) -> Action | None:
        """What was done last in the game that leads there."""
        return self.game[-1] if self.game else None


def _shown_by(ruleset: Ruleset, position: Position) -> str:
    """The rule that a position shows best."""
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


def _changed(ruleset: Ruleset, other: Ruleset) -> list[str]:
    return [
        rule for rule in rule_names() if ruleset.values.get(rule) != other.values.get(rule) and not in_no_position(rule)
    ]
