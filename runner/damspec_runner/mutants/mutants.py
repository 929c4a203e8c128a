"""Rulesets with one or two rules changed or relaxed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from damspec import Ruleset, load_ruleset, ruleset_ids
from damspec.contradictions import PRESENCE, fill_dependent_rules, find_contradictions
from damspec.mutations import changed_values, entries_of, form_of, groups_of, whole_values
from damspec.rules import rule_names, shorten_directions

from .ruleset_diff import is_movement

#: Rules with the values that they are changed to.
Changes = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, eq=False)
class Mutant:
    """A ruleset changed: `changes` are the rules changed on purpose, `values` all rules after that.

    A change can make another rule meaningless, or need one; that is then taken away, or added with its first value.
    """

    of: str
    changes: Changes
    values: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The changes in words: `capture.duty = optional`."""
        return " and ".join(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """Each change in words."""
        return tuple(f"{rule} = {shorten_directions(value)}" for rule, value in self.changes)

    @property
    def rules_changed(self) -> tuple[str, ...]:
        """The names of the rules changed on purpose."""
        return tuple(rule for rule, _ in self.changes)

    @cached_property
    def ruleset(self) -> Ruleset:
        """The mutant as a ruleset; its values need no further check."""
        id = f"{self.of} with {self.name}"
        return Ruleset(id, id, id, (), self.values, dict.fromkeys(self.values, ()), (), Path(id))


def single_mutants(ruleset: Ruleset) -> list[Mutant]:
    """Every mutant with one change, in the order of the rules: small changes of a rule's value, then whole values."""
    return mutants(ruleset, single_changes(ruleset))


def single_changes(ruleset: Ruleset) -> list[Changes]:
    """The changes of these, and some that contradict the other rules."""
    return [
        ((rule, value),)
        for rule in rule_names()
        for values in (changed_values, whole_values)
        for value in values(rule, ruleset.values.get(rule))
    ]


def pair_mutants(ruleset: Ruleset) -> list[Mutant]:
    """Every mutant with two small changes, of two different rules of movement, capture or promotion.

    Then every one with the same group of directions for two rules: kings that neither move nor capture backwards.
    """
    return mutants(ruleset, pair_changes(ruleset))


def pair_changes(ruleset: Ruleset) -> list[Changes]:
    """The changes of these, and some that contradict each other or the other rules."""
    moving = [rule for rule in rule_names() if is_movement(rule)]
    small = [(rule, value) for rule in moving for value in changed_values(rule, ruleset.values.get(rule))]
    groups = [(rule, value) for rule in moving for value in groups_of(rule, ruleset.values.get(rule))]
    alike = [(first, second) for first, second in combinations(groups, 2) if first[1] == second[1]]
    both = [(first, second) for first, second in combinations(small, 2) if first[0] != second[0]]
    return [*both, *(pair for pair in alike if pair not in both)]


def groups(ruleset: Ruleset) -> Iterator[Mutant]:
    """Every mutant with all rules of movement of one group (men, kings, captures, promotion) as another game has them.

    Only where that is more than one change.
    """
    moving = [rule for rule in rule_names() if is_movement(rule)]
    taken: dict[Changes, None] = {}
    for other in (load_ruleset(id).values for id in ruleset_ids()):
        for group in dict.fromkeys(rule.partition(".")[0] for rule in moving):
            changes = tuple(
                (rule, other[rule])
                for rule in moving
                if rule.startswith(f"{group}.") and rule in other and other[rule] != ruleset.values.get(rule)
            )
            if len(changes) > 1:
                taken[changes] = None
    yield from mutants(ruleset, taken)


def further(ruleset: Ruleset) -> list[Mutant]:
    """Every mutant with one change that engines come with and that no case is measured with.

    The men start on another number of rows, the criteria of the choice stand in any other order, a rule is left out.
    """
    values = ruleset.values
    rows: list[Changes] = [(("start.men", number),) for number in range(1, ruleset.rules.board.rows // 2 + 1)]
    orders: list[Changes] = [(("capture.choice", order),) for order in permutations(ruleset.rules.capture.choice)]
    left_out: list[Changes] = [((rule, None),) for rule, there in PRESENCE.items() if there.free and rule in values]
    known = {mutant.name for mutant in single_mutants(ruleset)}
    found = mutants(ruleset, [*rows, *orders, *left_out])
    return [mutant for mutant in found if mutant.name not in known and mutant.values != values]


def mutants(ruleset: Ruleset, changes: Iterable[Changes]) -> list[Mutant]:
    """The mutants with some changes, without those that contradict each other or the rest."""
    made = (make_mutant(ruleset.base, ruleset.values, each) for each in changes)
    return [mutant for mutant in made if mutant]


def make_mutant(of: str, values: Mapping[str, Any], changes: Changes) -> Mutant | None:
    """The mutant with some changes; None if they contradict each other or the rest."""
    changed = {rule: value for rule, value in {**values, **dict(changes)}.items() if value is not None}
    if found := {rule for rule, _ in find_contradictions(changed)}:
        if not found.isdisjoint(rule for rule, _ in changes):
            return None
        changed = without_moot(changed)
        if any(find_contradictions(changed)):
            return None
    return Mutant(of, changes, changed)


def without_moot(values: Mapping[str, Any]) -> dict[str, Any]:
    """Rule values without those that the others make meaningless, and with those that the others need."""
    fitted = dict(values)
    for rule in dict.fromkeys(rule for rule, _ in find_contradictions(values)):
        if rule in fitted:
            del fitted[rule]
        else:
            fitted[rule] = _first(rule)
    return fitted


def _first(rule: str) -> Any:
    """The value of a rule that a change makes necessary: the first of its vocabulary; for a list, all entries."""
    form = form_of(rule)
    return form["enum"][0] if "enum" in form else entries_of(form)


#: What goes with a board: how large it is, and where the men start on it.
BOARD = ("board.size", "start.men")
#: What nobody who plays can tell: how the squares are numbered.
UNTOLD = "board.numbering"


def visible_changes(ruleset: Ruleset) -> list[Mutant]:
    """A game with each single rule changed that a player can tell."""
    return [mutant for mutant in single_mutants(ruleset) if UNTOLD not in mutant.rules_changed]


@cache
def boards() -> tuple[tuple[tuple[str, Any], ...], ...]:
    """The boards that rulesets are played on, with where their men start: some rows of so many squares."""
    pairs = (tuple((rule, load_ruleset(id).values[rule]) for rule in BOARD) for id in ruleset_ids())
    return tuple(board for board in dict.fromkeys(pairs) if _by_rows(dict(board)))


def on_other_boards(ruleset: Ruleset) -> list[Mutant]:
    """A ruleset on the board of every other; none for one whose board has doors, or men on squares of their own."""
    if "trapdoors.layout" in ruleset.values or not _by_rows(ruleset.values):
        return []
    made = (make_mutant(ruleset.base, ruleset.values, board) for board in boards())
    return [mutant for mutant in made if mutant and mutant.values != ruleset.values]


def essential(values: Mapping[str, Any], changes: Mapping[str, Any]) -> list[str]:
    """The rules that have to be said, of those changed from these values; None is that a rule is gone."""
    if len(changes) == 1:
        return [*changes]
    return [rule for rule in changes if not _follows(values, changes, rule)]


def _follows(values: Mapping[str, Any], changes: Mapping[str, Any], rule: str) -> bool:
    """Whether a change need not be said, since the rule depends on others and goes with them."""
    others = {name: value for name, value in changes.items() if name != rule}
    whole = {name: value for name, value in {**values, **others}.items() if value is not None}
    return bool(fill_dependent_rules(whole, others.keys()).get(rule) == changes[rule])


def _by_rows(values: Mapping[str, Any]) -> bool:
    return isinstance(values["start.men"], int)


def relaxed_mutants(ruleset: Ruleset) -> list[tuple[str, Mutant]]:
    """The ruleset with one rule changed, each with the name of that rule: first those that choose among moves."""
    every: list[tuple[str, Mutant | None]] = [
        ("capture.duty", _changed(ruleset, {"capture.duty": "optional"})),
        ("capture.choice", _changed(ruleset, {"capture.choice": ()})),
        ("capture.completion", _stopping(ruleset)),
        *(
            (mutant.rules_changed[0], mutant)
            for mutant in single_mutants(ruleset)
            if is_movement(mutant.rules_changed[0])
        ),
    ]
    return [(rule, mutant) for rule, mutant in every if mutant]


def _stopping(ruleset: Ruleset) -> Mutant | None:
    """The ruleset with captures that may stop; they need not be the best, or their being shorter would forbid them.

    Where that does not go with the squares on which a capturing king lands, it may land on others.
    """
    stopping: dict[str, object] = {"capture.completion": "may-stop", "capture.choice": ()}
    landing = "king.capture.landing"
    lands = ({landing: value} for value in changed_values(landing, ruleset.values[landing]))
    return next((found for more in ({}, *lands) if (found := _changed(ruleset, stopping | more))), None)


def _changed(ruleset: Ruleset, changes: Mapping[str, object]) -> Mutant | None:
    return make_mutant(ruleset.base, ruleset.values, tuple(changes.items()))
