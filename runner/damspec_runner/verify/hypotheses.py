"""What an engine may play instead: rules with one change or two, under another reading, of another game; or the right
ones with a fault that is no rule.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import combinations

from damspec import Ruleset, load_ruleset, ruleset_ids
from damspec.turn import Turns

from ..answers.player import Player
from ..variants.faults import Fault, Faulty, Remembering, faults
from ..variants.mutants import Mutant, groups, mutant_of, pairs, single


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """What the engine may play, by the names it goes by, the plainest first."""

    names: tuple[str, ...]
    kind: str
    ruleset: Ruleset = field(repr=False)
    #: The changes, where it is one or two of those.
    mutant: Mutant | None = field(default=None, repr=False)
    #: The turns with a fault, made anew; None for rules without one.
    turns: Callable[[], Turns] | None = field(default=None, repr=False)
    #: The faults that these are.
    faults: tuple[Fault, ...] = field(default=(), repr=False)

    @cached_property
    def player(self) -> Player:
        """It, ready to answer."""
        return self.fresh()

    def fresh(self) -> Player:
        """It, ready to answer, and having been asked nothing."""
        return Player(self.ruleset, self.turns() if self.turns else None)

    @property
    def remembers(self) -> bool:
        """Whether what it answers depends on what it was asked before."""
        return isinstance(self.player.turns, Faulty) and self.player.turns.remembers

    def plays(self, ruleset: str, word: str = "plays") -> str:
        """What an engine plays then in the place of a ruleset; `word` says how sure that is."""
        match self.kind:
            case "ruleset":
                return f"{word} {self.name} in the place of {ruleset}"
            case "fault":
                return f"{word} {ruleset}, but {self.name}"
            case _:
                return f"{word} {ruleset} except {self.name}"

    def one_more(self, ruleset: Ruleset) -> Hypothesis | None:
        """The same with the numbers that it changes greater by one: what allows four may allow any number."""
        numbers = {rule for rule, value in (self.mutant.changes if self.mutant else ()) if type(value) is int}
        if not numbers or self.turns or not self.mutant:
            return None
        changes = tuple((rule, value + 1 if rule in numbers else value) for rule, value in self.mutant.changes)
        mutant = mutant_of(ruleset.base, ruleset.values, changes)
        return Hypothesis((mutant.name,), self.kind, mutant.ruleset, mutant) if mutant else None

    @property
    def name(self) -> str:
        """The names as a report gives them."""
        also = f" (the same as {', '.join(self.names[1:])})" if self.names[1:] else ""
        return self.names[0] + also


@cache
def plain_hypotheses(ruleset: Ruleset) -> tuple[Hypothesis, ...]:
    """One change, another reading, another ruleset."""
    changes = [Hypothesis((mutant.name,), "change", mutant.ruleset, mutant) for mutant in single(ruleset)]
    readings = [Hypothesis((f"the reading {name}",), "reading", other) for name, other in ruleset.alternatives.items()]
    others = [load_ruleset(id) for id in ruleset_ids() if id != ruleset.base or not ruleset.shipped]
    same_board = [
        Hypothesis((other.id,), "ruleset", other) for other in others if other.rules.board == ruleset.rules.board
    ]
    return tuple(merged([*changes, *readings, *same_board]))


def with_faults(ruleset: Ruleset) -> list[Hypothesis]:
    """The right rules with each fault of the catalogue."""
    right = Remembering(ruleset.turns)
    return [
        Hypothesis((fault.name,), "fault", ruleset, turns=partial(fault.turns, right), faults=(fault,))
        for fault in faults(ruleset)
    ]


def several_changes(ruleset: Ruleset, telling: Sequence[Mutant] = ()) -> list[Hypothesis]:
    """Every pair of changes that is tried, and every group of rules as another game has them.

    Pairs are two of movement, capture or promotion, who begins and anything else, any two of those that are `telling`.
    """
    alone = single(ruleset)
    begins = [mutant.changes[0] for mutant in alone if mutant.rules_changed == ("start.first",)]
    wanted = [(other.changes[0], first) for first in begins for other in alone]
    order = {mutant.name: (mutant.rules_changed == ("start.first",), place) for place, mutant in enumerate(alone)}
    wanted += combinations([one.changes[0] for one in sorted(telling, key=lambda one: order[one.name])], 2)
    found = {mutant.name: mutant for mutant in pairs(ruleset)}
    for first, second in wanted:
        mutant = mutant_of(ruleset.base, ruleset.values, (first, second)) if first[0] != second[0] else None
        if mutant:
            found.setdefault(mutant.name, mutant)
    for mutant in groups(ruleset):
        found.setdefault(mutant.name, mutant)
    return [
        Hypothesis((mutant.name,), "pair" if len(mutant.changes) == 2 else "group", mutant.ruleset, mutant)
        for mutant in found.values()
    ]


def together(ruleset: Ruleset, first: Hypothesis, second: Hypothesis) -> Hypothesis | None:
    """Two hypotheses at once: two changes, a change and a fault, or two faults; None for what does not go together."""
    both = first, second
    changes = {rule: value for one in both if one.mutant for rule, value in one.mutant.changes}
    number = sum(len(one.mutant.changes) for one in both if one.mutant)
    turned = [one for one in both if one.turns]
    if len(changes) < number or any(one.remembers for one in turned):
        return None
    if not all(one.mutant or one.turns for one in both):
        return None
    mutant = mutant_of(ruleset.base, ruleset.values, tuple(changes.items())) if changes else None
    if changes and mutant is None:
        return None
    if not turned:
        assert mutant is not None
        return Hypothesis((mutant.name,), "pair" if number == 2 else "group", mutant.ruleset, mutant)
    made = [fault for one in both for fault in one.faults]
    under = mutant.ruleset if mutant else ruleset
    name = " and ".join(fault.name for fault in made)
    if mutant is None:
        return _faulty(under, made, name, "fault")
    return replace(_faulty(under, made, f"{mutant.name}, and {name}", "change-and-fault"), mutant=mutant)


def _faulty(ruleset: Ruleset, made: Sequence[Fault], name: str, kind: str) -> Hypothesis:
    def turns() -> Turns:
        found: Turns = Remembering(ruleset.turns)
        for fault in made:
            found = fault.turns(found)
        return found

    return Hypothesis((name,), kind, ruleset, turns=turns, faults=tuple(made))


def merged(hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
    """Hypotheses, those with the same rules joined into one under all their names."""
    by_values: dict[str, Hypothesis] = {}
    for hypothesis in hypotheses:
        values = json.dumps(hypothesis.ruleset.values, sort_keys=True, default=str)
        known = by_values.get(values)
        names = (*known.names, *hypothesis.names) if known else hypothesis.names
        by_values[values] = replace(known or hypothesis, names=names)
    return list(by_values.values())
