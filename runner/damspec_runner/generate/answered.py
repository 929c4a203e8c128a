"""Found positions with all that formats write of them: what the reference answers, and what the answer depends on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import damspec
from damspec import Action, Outcome, Position, Ruleset
from damspec.ending import ended
from damspec.rules import rule_names
from damspec.runs import at_limit

from ..answers.contrast import Contrast, View, told_apart
from ..answers.player import Player
from ..cases.case import Expectation
from ..cases.made import answer
from ..variants.effects import in_no_position
from ..variants.mutants import mutant_of
from .goal import Found, Wanted
from .otherwise import Other, Values

#: The ways in which a piece can be moved.
KINDS = ("man-moves", "man-captures", "king-moves", "king-captures")
_MOVES = Expectation(moves={})


class Answering:
    """What was looked for, and what it takes to say what the answers to positions depend on.

    `values` are those that rules can have instead; None if nobody asks which of them change an answer.
    """

    def __init__(self, wanted: Wanted, *, otherwise: bool = True) -> None:
        self.wanted, self.ruleset = wanted, wanted.ruleset
        self.values = Values(wanted.player) if otherwise else None
        self._players: dict[Ruleset, tuple[Player, Contrast]] = {}
        self._by_rule: dict[Ruleset, list[tuple[str, Ruleset]]] = {}

    def answered(self, found: Found) -> Answered:
        """A position, to be answered as far as is asked for."""
        return Answered(self, found.position, found.game)

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
                ends = {ended(r.turns, Player(r).fitted(position)).result for r in (self.ruleset, other)}
                if len(ends) == 2 or not only_outcome:
                    yield id, query, other

    def _changes(self, other: Ruleset) -> list[tuple[str, Ruleset]]:
        """The ruleset with each rule alone in which another differs."""
        if other not in self._by_rule:
            both = [
                rule for rule in _changed(self.ruleset, other) if rule in other.values and rule in self.ruleset.values
            ]
            changes = [
                (rule, mutant_of(self.ruleset.base, self.ruleset.values, ((rule, other.values[rule]),)))
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
            self._players[other] = Player(other), Contrast.between(self.ruleset, other)
        return told_apart(View(self.wanted.player, position), *self._players[other])


@dataclass(frozen=True)
class Answered:
    """A position, the game that leads to it from the start if there is one, and what the reference answers."""

    by: Answering
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
        return answer(self.ruleset, self.position, _MOVES)

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
        return ended(self.ruleset.turns, self.position)

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
    if at_limit(ruleset.rules.king.move_limit, position):
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
