"""Mutants: rulesets with one or more rules changed or relaxed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from damspec import Ruleset, load_ruleset, ruleset_ids
from damspec.contradictions import fill_dependent_rules, find_contradictions
from damspec.data import freeze
from damspec.mutations import changed_values, entries_of, form_of, groups_of, whole_values
from damspec.rules import rule_names, shorten_directions
from damspec.vocabulary import vocabulary

from .ruleset_diff import counts_history, is_movement

#: Rules with their new values.
Changes = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, eq=False)
class Mutant:
    """A changed ruleset: `changes` are the intended changes, `values` all rules after them.

    A change can make another rule meaningless, or need one; that rule is then removed, or added with its first value.
    """

    of: str
    changes: Changes
    values: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The changes as text: `capture.duty = optional`."""
        return " and ".join(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """Each change as text."""
        return tuple(f"{rule} = {shorten_directions(value)}" for rule, value in self.changes)

    @property
    def rules_changed(self) -> tuple[str, ...]:
        """The names of the intentionally changed rules."""
        return tuple(rule for rule, _ in self.changes)

    @cached_property
    def ruleset(self) -> Ruleset:
        """The mutant as a ruleset; its values need no further check."""
        id = f"{self.of} with {self.name}"
        return Ruleset(id, id, id, (), self.values, dict.fromkeys(self.values, ()), (), Path(id))


def single_mutants(ruleset: Ruleset) -> list[Mutant]:
    """Return every mutant with one change, in the order of the rules: small changes, then whole values."""
    return mutants(ruleset, single_changes(ruleset))


def single_changes(ruleset: Ruleset) -> list[Changes]:
    """Return the changes of single mutants, including some that contradict the other rules."""
    return [
        ((rule, value),)
        for rule in rule_names()
        for values in (changed_values, whole_values)
        for value in values(rule, ruleset.values.get(rule))
    ]


def pair_mutants(ruleset: Ruleset) -> list[Mutant]:
    """Return every mutant with two small changes, of two different rules of movement, capture or promotion.

    Then every one with the same group of directions for two rules: kings that neither move nor capture backwards.
    """
    return mutants(ruleset, pair_changes(ruleset))


def pair_changes(ruleset: Ruleset) -> list[Changes]:
    """Return the changes of pair mutants, including some that contradict each other or the other rules."""
    moving = [rule for rule in rule_names() if is_movement(rule)]
    small = [(rule, value) for rule in moving for value in changed_values(rule, ruleset.values.get(rule))]
    groups = [(rule, value) for rule in moving for value in groups_of(rule, ruleset.values.get(rule))]
    alike = [(first, second) for first, second in combinations(groups, 2) if first[1] == second[1]]
    both = [(first, second) for first, second in combinations(small, 2) if first[0] != second[0]]
    return [*both, *(pair for pair in alike if pair not in both)]


def groups(ruleset: Ruleset) -> Iterator[Mutant]:
    """Yield every mutant with the movement rules of one group (men, kings, captures, promotion) of another game.

    Groups in which only one rule differs are left out.
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


def diagnosis_mutants(ruleset: Ruleset) -> list[Mutant]:
    """Return every mutant with one change that engines come with and that no case is measured with.

    The men start on another number of rows, the criteria of the choice stand in any other order, a rule is left out.
    """
    values = ruleset.values
    rows: list[Changes] = [(("start.men", number),) for number in range(1, ruleset.rules.board.rows // 2 + 1)]
    orders: list[Changes] = [(("capture.choice", order),) for order in permutations(ruleset.rules.capture.choice)]
    free = [rule for rule in vocabulary().values() if rule.is_free and not counts_history(rule.name)]
    left_out: list[Changes] = [((rule.name, None),) for rule in free if rule.name in values]
    known = {mutant.name for mutant in single_mutants(ruleset)}
    found = mutants(ruleset, [*rows, *orders, *left_out])
    return [mutant for mutant in found if mutant.name not in known and mutant.values != values]


def mutants(ruleset: Ruleset, changes: Iterable[Changes]) -> list[Mutant]:
    """Return the mutants with given changes, without those that contradict each other or the other rules."""
    made = (make_mutant(ruleset.base, ruleset.values, each) for each in changes)
    return [mutant for mutant in made if mutant]


def make_mutant(of: str, values: Mapping[str, Any], changes: Changes) -> Mutant | None:
    """Return the mutant of a ruleset with some changes; None if they contradict each other or the other rules."""
    changed = {rule: value for rule, value in {**values, **dict(changes)}.items() if value is not None}
    rules = [rule for rule, _ in changes]
    if found := dict.fromkeys(rule for rule, _ in find_contradictions(changed, rules)):
        if not found.keys().isdisjoint(rules):
            return None
        changed = _fit(changed, found)
        if any(find_contradictions(changed, [*rules, *found])):
            return None
    return Mutant(of, changes, changed)


def without_moot(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return rule values without those that the others make meaningless, and with those they need."""
    fitted = dict(values)
    while wrong := dict.fromkeys(rule for rule, _ in find_contradictions(fitted)):
        fitted = _fit(fitted, wrong)
    return fitted


def _fit(values: Mapping[str, Any], wrong: Iterable[str]) -> dict[str, Any]:
    """Return rule values without the wrong rules that are there, and with those that are missing."""
    fitted = dict(values)
    for rule in wrong:
        if rule in fitted:
            del fitted[rule]
        else:
            fitted[rule] = _default(rule)
    return fitted


def _default(rule: str) -> Any:
    """Return the default of a rule that a change makes necessary: its first value, or all entries of a list."""
    form = form_of(rule)
    return form.words[0] if form.kind == "choice" else entries_of(rule)


#: The rules that go with a board: its size, and where the men start.
BOARD = ("board.size", "start.men")
#: The rule that no player can notice: the numbering of the squares.
UNTOLD = "board.numbering"


def visible_changes(ruleset: Ruleset) -> list[Mutant]:
    """Return the single mutants that a player can notice."""
    return [mutant for mutant in single_mutants(ruleset) if UNTOLD not in mutant.rules_changed]


@cache
def boards() -> tuple[tuple[tuple[str, Any], ...], ...]:
    """Return the boards of the shipped rulesets, with their rows of men at the start."""
    pairs = (tuple((rule, load_ruleset(id).values[rule]) for rule in BOARD) for id in ruleset_ids())
    return tuple(board for board in dict.fromkeys(pairs) if _by_rows(dict(board)))


def on_other_boards(ruleset: Ruleset) -> list[Mutant]:
    """Return a ruleset on every other board; none if it has trapdoors, or men not placed by rows."""
    if "trapdoors.layout" in ruleset.values or not _by_rows(ruleset.values):
        return []
    return [mutant for mutant in mutants(ruleset, boards()) if mutant.values != ruleset.values]


def as_elsewhere(ruleset: Ruleset) -> list[Mutant]:
    """Return a ruleset with each rule as another ruleset has it, but for its board."""
    pairs = {
        (rule, freeze(value)): value
        for id in ruleset_ids()
        for rule, value in load_ruleset(id).values.items()
        if rule not in (*BOARD, UNTOLD) and ruleset.values.get(rule) != value
    }
    return mutants(ruleset, [((rule, value),) for (rule, _), value in pairs.items()])


@cache
def changes(ruleset: str) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Return every single change of a ruleset that a player can notice, its rules as in others, and its other boards.

    Each is a rule and all values that change with it, None for a rule that is gone.
    """
    game = load_ruleset(ruleset)
    mutants = (*visible_changes(game), *as_elsewhere(game), *on_other_boards(game))
    found = {}
    for each in mutants:
        differing = differing_values(game.values, each.values)
        found[freeze(differing)] = each.rules_changed[0], differing
    return tuple(found.values())


def differing_values(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rule values that are not as before, None for those that are gone."""
    return {rule: after.get(rule) for rule in {**before, **after} if before.get(rule) != after.get(rule)}


def essential(values: Mapping[str, Any], changes: Mapping[str, Any]) -> list[str]:
    """Return the changed rules that must be stated, omitting those that follow from others; None means removed."""
    if len(changes) == 1:
        return [*changes]
    return [rule for rule in changes if not _follows(values, changes, rule)]


def _follows(values: Mapping[str, Any], changes: Mapping[str, Any], rule: str) -> bool:
    """Return whether a changed rule need not be stated, since it follows from the others."""
    others = {name: value for name, value in changes.items() if name != rule}
    whole = {name: value for name, value in {**values, **others}.items() if value is not None}
    return bool(fill_dependent_rules(whole, others.keys()).get(rule) == changes[rule])


def _by_rows(values: Mapping[str, Any]) -> bool:
    return isinstance(values["start.men"], int)


def relaxed_mutants(ruleset: Ruleset) -> list[tuple[str, Mutant]]:
    """Return mutants with one rule changed, each with that rule: first those that restrict the choice of moves."""
    every: list[tuple[str, Mutant | None]] = [
        ("capture.duty", _mutant(ruleset, {"capture.duty": "optional"})),
        ("capture.choice", _mutant(ruleset, {"capture.choice": ()})),
        # Without precedence, which would forbid captures that stop early.
        ("capture.completion", _mutant(ruleset, {"capture.completion": "may-stop", "capture.choice": ()})),
        *(
            (mutant.rules_changed[0], mutant)
            for mutant in mutants(ruleset, [each for each in single_changes(ruleset) if is_movement(each[0][0])])
        ),
    ]
    return [(rule, mutant) for rule, mutant in every if mutant]


def _mutant(ruleset: Ruleset, changes: Mapping[str, object]) -> Mutant | None:
    return make_mutant(ruleset.base, ruleset.values, tuple(changes.items()))
