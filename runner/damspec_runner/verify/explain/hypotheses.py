"""Hypotheses about an engine's mistakes: other rules, and a few mistakes that real engines were seen to make."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import combinations
from typing import Any

from damspec import Ruleset, load_ruleset, ruleset_ids
from damspec.mutations import next_larger
from damspec.rules import shorten_directions
from damspec.turn import ActionGenerator
from damspec.vocabulary import word_value

from ...answers.player import RulePlayer
from ...mutants.fault_catalogue import CachedGenerator, faults
from ...mutants.mutants import (
    Mutant,
    diagnosis_mutants,
    differing_values,
    essential,
    groups,
    make_mutant,
    pair_mutants,
    single_mutants,
)


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """Rules, perhaps with a mistake, that the engine may play; `names` has the plainest first."""

    names: tuple[str, ...]
    kind: str
    ruleset: Ruleset = field(repr=False)
    #: The changed rules, if it is a change of rules.
    mutant: Mutant | None = field(default=None, repr=False)
    #: Makes the action generator with a mistake; None for rules without one.
    turns: Callable[[], ActionGenerator] | None = field(default=None, repr=False)

    @cached_property
    def player(self) -> RulePlayer:
        """A player by these rules, which is kept."""
        return self.fresh()

    def fresh(self) -> RulePlayer:
        """Return a new player by these rules, which has been asked nothing."""
        return RulePlayer(self.ruleset, self.turns and self.turns())

    def describe(self, ruleset: Ruleset) -> str:
        """Return what an engine plays in the place of a ruleset, in the words of spec/rules.yaml."""
        match self.kind:
            case "ruleset":
                return f"plays {self.names[0]} in the place of {ruleset.id}"
            case "fault":
                return f"plays {ruleset.id}, but {self.names[0]}"
            case _:
                changes = [(rule, self.ruleset.values.get(rule)) for rule in self._changed(ruleset)]
                told = [_word_change(rule, ruleset.values.get(rule), value) for rule, value in changes]
                given = [f"{rule} = {shorten_directions(value)}" for rule, value in changes]
                also = [name for name in self.names if name not in (" and ".join(given), *given)]
                if self.kind in ("pair", "group"):
                    also = []
                return f"plays {ruleset.id}, but {'; '.join(told)} ({'; '.join([*given, *also])})"

    def _changed(self, ruleset: Ruleset) -> Sequence[str]:
        """Return the rules whose change makes the others change."""
        if self.mutant:
            return self.mutant.rules_changed
        return essential(ruleset.values, differing_values(ruleset.values, self.ruleset.values))

    def with_larger_numbers(self, ruleset: Ruleset) -> Hypothesis | None:
        """Return the same with the next larger value for each number: an engine that allows four may allow any number.

        None if no number is changed, or none to which the rule language has a larger value.
        """
        changes = self.mutant.changes if self.mutant else ()
        larger = {rule: next_larger(rule, value) for rule, value in changes if type(value) is int}
        if all(value is None for value in larger.values()):
            return None
        raised = tuple((rule, value if larger.get(rule) is None else larger[rule]) for rule, value in changes)
        mutant = make_mutant(ruleset.base, ruleset.values, raised)
        return of_mutant(mutant, self.kind) if mutant else None


def _word_change(rule: str, right: Any, value: Any) -> str:
    """Return a changed rule in a sentence; of a rule that is left out, the sentence that does not hold."""
    if value is None:
        return f"without this rule: {word_value(rule, right).removesuffix('.')}"
    return f"as if this held: {word_value(rule, value).removesuffix('.')}"


def of_mutant(mutant: Mutant, kind: str) -> Hypothesis:
    """Return a change of rules as a hypothesis."""
    return Hypothesis((mutant.name,), kind, mutant.ruleset, mutant)


@cache
def plain_hypotheses(ruleset: Ruleset) -> tuple[Hypothesis, ...]:
    """Return one change, another reading, another ruleset."""
    changes = [of_mutant(mutant, "change") for mutant in (*single_mutants(ruleset), *diagnosis_mutants(ruleset))]
    readings = [Hypothesis((f"the reading {name}",), "reading", other) for name, other in ruleset.alternatives.items()]
    others = [load_ruleset(id) for id in ruleset_ids() if id != ruleset.base or not ruleset.shipped]
    same_board = [
        Hypothesis((other.id,), "ruleset", other) for other in others if other.rules.board == ruleset.rules.board
    ]
    return tuple(merge_equal([*changes, *readings, *same_board]))


def seen_faults(ruleset: Ruleset) -> list[Hypothesis]:
    """Return the right rules with each mistake of the catalogue that was seen in a real engine."""
    right = CachedGenerator(ruleset.turns)
    return [
        Hypothesis((f"{fault.name} (seen in {fault.seen})",), "fault", ruleset, turns=partial(fault.turns, right))
        for fault in faults(ruleset, "faults", "explained", "outcomes")
        if fault.seen
    ]


def several_changes(ruleset: Ruleset, telling: Sequence[Mutant] = ()) -> Iterator[Hypothesis]:
    """Yield the pairs of changes that are tried, and each group of rules as another game has it.

    Pairs are any two of `telling`; who begins and anything else; two of movement, capture or promotion.
    """
    alone = [*single_mutants(ruleset), *diagnosis_mutants(ruleset)]
    begins = [mutant for mutant in alone if mutant.rules_changed == ("start.first",)]
    order = {mutant.name: place for place, mutant in enumerate(alone)}
    ordered = sorted(telling, key=lambda one: (one.rules_changed == ("start.first",), order[one.name]))
    wanted = [*combinations(ordered, 2), *((other, first) for first in begins for other in alone)]
    changes = [(one.changes[0], other.changes[0]) for one, other in wanted]
    made = (make_mutant(ruleset.base, ruleset.values, two) for two in changes if two[0][0] != two[1][0])
    tried: set[str] = set()
    for mutants in (made, groups(ruleset), pair_mutants(ruleset)):
        for mutant in mutants:
            if mutant and mutant.name not in tried:
                tried.add(mutant.name)
                yield of_mutant(mutant, "pair" if len(mutant.changes) == 2 else "group")


def combine(ruleset: Ruleset, hypotheses: Sequence[Hypothesis]) -> Hypothesis | None:
    """Return several changes of rules as one; None if they cannot be combined."""
    changes = [change for one in hypotheses for change in (one.mutant.changes if one.mutant else ())]
    if len(dict(changes)) < len(changes) or not all(one.mutant for one in hypotheses):
        return None
    mutant = make_mutant(ruleset.base, ruleset.values, tuple(changes))
    return of_mutant(mutant, "pair" if len(changes) == 2 else "group") if mutant else None


def merge_equal(hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
    """Join hypotheses with the same rules and without a mistake into one under all their names."""
    by_values: dict[object, Hypothesis] = {}
    for hypothesis in hypotheses:
        values = json.dumps(hypothesis.ruleset.values, sort_keys=True, default=str)
        same = hypothesis.names if hypothesis.turns else values
        known = by_values.get(same)
        names = (*known.names, *hypothesis.names) if known else hypothesis.names
        by_values[same] = replace(known or hypothesis, names=names)
    return list(by_values.values())
