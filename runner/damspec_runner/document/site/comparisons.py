"""Two rulesets compared: each rule that differs, and the smallest position that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from damspec import Clause, Reading, Ruleset, load_ruleset
from damspec.vocabulary import Rule, vocabulary, worded

from ...variants.differences import Difference, board_differences, common, differences
from ..compared import compared
from ..witness import Reason, Witness, recorded
from .answers import Answers, Reply
from .library import Library
from .links import comparison, play
from .sides import Sides, side_by_side

Pair = tuple[str, str]


@dataclass(frozen=True)
class Stance:
    """One ruleset's part in a difference: its value in words, and what that rests on."""

    ruleset: Ruleset
    value: Any
    says: str
    clauses: list[Clause]
    readings: list[Reading]


@dataclass(frozen=True)
class Disagreement:
    """A position that two rulesets answer differently because of a rule, with both answers side by side."""

    witness: Witness
    rules: tuple[Ruleset, Ruleset]
    sides: Sides

    @property
    def tried(self) -> Mapping[str, str]:
        """Where the position can be played on by each of the two: the address of a board by the name of the game."""
        host = next(each for each in self.rules if each.rules.board == load_ruleset(each.id).rules.board)
        guests = {each.id for each in self.rules if each.rules.board != load_ruleset(each.id).rules.board}
        positions = {each: self.witness.position_for(each).fen() for each in self.rules}
        return {each.name: play(each.id, fen, host.id if each.id in guests else "") for each, fen in positions.items()}

    def turned(self) -> Disagreement:
        """The same with the second ruleset first."""
        one, other = self.sides.columns
        return replace(self, rules=(self.rules[1], self.rules[0]), sides=replace(self.sides, columns=(other, one)))


@dataclass(frozen=True)
class Differing:
    """A rule that differs between two rulesets, with the position that shows it or the reason why none does."""

    rule: Rule
    sides: tuple[Stance, Stance]
    disagreement: Disagreement | None = None
    reason: Reason | None = None


class Comparisons:
    """Two rulesets compared: some each with each other, every other with the nearest one."""

    def __init__(self, library: Library, answers: Answers) -> None:
        self.library, self.answers = library, answers
        self._answered: dict[tuple[str, str, str], Reply] = {}

    @cached_property
    def pairs(self) -> Mapping[Pair, list[Differing]]:
        """The pairs that are compared, with what differs between them."""
        rulesets = self.library.rulesets
        return {
            pair: [self._differing(pair, found) for found in differences([rulesets[id] for id in pair])]
            for pair in combinations(rulesets, 2)
            if compared(*pair)
        }

    def showing(self, rule: str) -> list[tuple[Disagreement, list[Pair]]]:
        """For every two values of a rule the smallest position that shows it, with all pairs that have these values."""
        found: dict[frozenset[str], list[tuple[Pair, Disagreement]]] = {}
        for pair, rules in self.pairs.items():
            for each in rules:
                if each.rule.name == rule and each.disagreement:
                    values = frozenset(str(side.value) for side in each.sides)
                    found.setdefault(values, []).append((pair, each.disagreement))
        return [
            (min((disagreement for _, disagreement in group), key=_plainness), [pair for pair, _ in group])
            for group in found.values()
        ]

    def boards(self, pair: Pair) -> list[Differing]:
        """What is different about their boards."""
        found = board_differences([self.library.rulesets[id] for id in pair])
        return [self._differing(pair, each, shown=False) for each in found]

    def _differing(self, pair: Pair, found: Difference, *, shown: bool = True) -> Differing:
        sides = [self._side(*each) for each in zip(pair, found.values, found.rests_on, [found.rule] * 2, strict=True)]
        witness = recorded(*pair, found.rule) if shown else None
        return Differing(
            vocabulary()[found.rule],
            (sides[0], sides[1]),
            self._disagreement(pair, witness) if isinstance(witness, Witness) else None,
            witness if isinstance(witness, Reason) else None,
        )

    def _side(self, ruleset: str, value: Any, rests_on: tuple[str, ...], rule: str) -> Stance:
        library = self.library
        return Stance(
            library.rulesets[ruleset],
            value,
            worded(rule, value),
            [library.clauses[id] for id in rests_on if id in library.clauses],
            [library.readings[id] for id in rests_on if id in library.readings],
        )

    def _disagreement(self, pair: Pair, witness: Witness) -> Disagreement:
        one, other = common([self.library.rulesets[id] for id in pair])
        where = f"{comparison(*pair)}: {witness.rule}"
        answers = [(ruleset.name, self._answer(ruleset, witness)) for ruleset in (one, other)]
        return Disagreement(witness, (one, other), side_by_side(self.answers.gallery, where, answers))

    def _answer(self, ruleset: Ruleset, witness: Witness) -> Reply:
        position = witness.position_for(ruleset)
        asked = (ruleset.id, f"{ruleset.values['board.size']} {position.fen()}", witness.question)
        if asked not in self._answered:
            trapdoors = ruleset.rules.trapdoors
            layout = trapdoors.layout if trapdoors else None
            self._answered[asked] = self.answers.by_rules(ruleset, position, witness.question, layout)
        return self._answered[asked]


def _plainness(disagreement: Disagreement) -> tuple[int, bool, int]:
    witness = disagreement.witness
    return witness.pieces, not witness.both_ways, len(witness.beside)
