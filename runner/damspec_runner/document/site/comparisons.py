"""The pages of two rulesets side by side: each rule that differs, and the smallest position that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from damspec import Clause, Reading, Ruleset
from damspec.vocabulary import Rule, vocabulary, worded

from ...variants.differences import Difference, board_differences, common, differences
from ..compared import compared
from ..witness import Reason, Witness, recorded
from . import links
from .answers import Answers, Continuation, DrawnAnswer
from .library import Library
from .pages import SECTIONS, Page

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
    """A position that two rulesets answer differently because of a rule, with both answers."""

    witness: Witness
    rules: tuple[Ruleset, Ruleset]
    answers: tuple[DrawnAnswer, DrawnAnswer]

    def differs(self, place: int, step: Continuation) -> bool:
        """Whether an action of one ruleset is missing in the other, or leads to another position there."""
        other = self.answers[1 - place]
        return step not in (*(other.moves or ()), *other.lapses)

    def shared(self, place: int, step: Continuation) -> bool:
        """Whether the other ruleset has an action of the same name."""
        other = self.answers[1 - place]
        return step.action in (each.action for each in (*(other.moves or ()), *other.lapses))


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
        self._answered: dict[tuple[str, str, str], DrawnAnswer] = {}

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

    def pages(self) -> Iterator[Page]:
        """The table of pairs, then each pair."""
        rulesets = list(self.library.rulesets.values())
        counts = {pair: len(rules) for pair, rules in self.pairs.items()}
        yield Page(
            "compare/index.html",
            "comparisons.html",
            "Compare two games",
            "Which rules differ between two games, and the smallest positions that show it.",
            "compare",
            scripts=("compare.js",),
            given={
                "rulesets": rulesets,
                "counts": counts | {(other, one): number for (one, other), number in counts.items()},
            },
        )
        for pair, rules in self.pairs.items():
            yield self._page(pair, rules)

    def _page(self, pair: Pair, rules: list[Differing]) -> Page:
        one, other = (self.library.rulesets[id] for id in pair)
        boards = board_differences([one, other])
        given = {
            "rulesets": list(self.library.rulesets.values()),
            "one": one,
            "other": other,
            "differing": rules,
            "boards": [self._differing(pair, found, shown=False) for found in boards],
            "board": common([one, other])[0].values["board.size"],
            "same": len(set(one.values) | set(other.values)) - len({each.rule.name for each in rules}) - len(boards),
        }
        return Page(
            links.comparison(*pair),
            "comparison.html",
            f"{one.name} and {other.name}",
            f"What differs between {one.name} and {other.name}, with positions that show it.",
            "compare",
            (SECTIONS["compare"],),
            ("compare.js",),
            given,
        )

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
        answers = self._answer(one, witness), self._answer(other, witness)
        return Disagreement(witness, (one, other), answers)

    def _answer(self, ruleset: Ruleset, witness: Witness) -> DrawnAnswer:
        position = witness.position_for(ruleset)
        asked = (ruleset.id, f"{ruleset.values['board.size']} {position.fen()}", witness.question)
        if asked not in self._answered:
            trapdoors = ruleset.rules.trapdoors
            layout = trapdoors.layout if trapdoors else None
            self._answered[asked] = self.answers.of_rules(ruleset, position, witness.question, layout)
        return self._answered[asked]


def _plainness(disagreement: Disagreement) -> tuple[int, bool, int]:
    witness = disagreement.witness
    return witness.pieces, not witness.both_ways, len(witness.beside)
