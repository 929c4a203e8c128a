"""Differences between rulesets, and what a changed rule affects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from damspec import Ruleset, RulesetError
from damspec.contradictions import find_contradictions
from damspec.data import freeze
from damspec.rules import rule_names
from damspec.vocabulary import affects, vocabulary

_MOVEMENT = frozenset(("quiet", "captures"))
#: The effects that no position shows, only the beginning of a game.
_BEGINNING = frozenset(("setup", "first"))


def begins(rule: str) -> bool:
    """Return whether a rule is only about how a game begins."""
    return affects(rule) <= _BEGINNING


def counts_history(rule: str) -> bool:
    """Return whether a rule is about earlier moves: it shows in games, but in no single position."""
    return affects(rule) <= {"history"}


def in_no_position(rule: str) -> bool:
    """Return whether no single position shows a change of a rule."""
    return begins(rule) or counts_history(rule)


def moves_pieces(rule: str) -> bool:
    """Return whether a rule affects only captures and quiet moves."""
    return affects(rule) <= {*_MOVEMENT, "doors"}


def decides_moves(rule: str) -> bool:
    """Return whether a rule affects how pieces move, including the board and its doors."""
    return moves_pieces(rule) or bool(affects(rule) & {"board", "doors"})


def is_movement(rule: str) -> bool:
    """Return whether a rule is about movement independent of doors; the duty to capture is included."""
    return bool(affects(rule) & _MOVEMENT) and "doors" not in affects(rule)


def changes_turns(rule: str) -> bool:
    """Return whether whole turns must be compared, and not only moves."""
    return bool(affects(rule) & {"board", "turn"})


def ends(rule: str) -> bool:
    """Return whether a rule says how a game ends: changing it changes outcomes and no moves."""
    return "outcome" in affects(rule)


def concerns_end(rule: str) -> bool:
    """Return whether a change of a rule shows only where the game is over by one of the two rulesets."""
    return ends(rule) or rule == "spin.blocked"


def begins_no_capture(rule: str) -> bool:
    """Return whether no change of a rule gives a side without captures one, or takes all from one that has some."""
    return vocabulary()[rule].goes_on


def places_pieces(rule: str) -> bool:
    """Return whether a rule is about the board's squares or the men's starting squares."""
    return bool(affects(rule) & {"board", "setup"})


@dataclass(frozen=True)
class RuleDifference:
    """A rule, its value in each ruleset (None: no such rule), and the clauses and readings behind each."""

    rule: str
    values: tuple[Any, ...]
    rests_on: tuple[tuple[str, ...], ...]

    @property
    def sides(self) -> list[list[int]]:
        """The indexes of the rulesets, grouped by equal values."""
        found: dict[Any, list[int]] = {}
        for place, value in enumerate(self.values):
            found.setdefault(freeze(value), []).append(place)
        return [*found.values()]


@dataclass(frozen=True)
class ChangedRule:
    """A rule in which two rulesets differ, with the rules that exist only because of it."""

    rule: str
    brings: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule and those that exist because of it."""
        return (self.rule, *self.brings)


def rule_differences(rulesets: Sequence[Ruleset]) -> list[RuleDifference]:
    """Return the rules in which rulesets differ on a common board, in the order of the rules."""
    return differing_rules(on_common_board(rulesets))


def board_differences(rulesets: Sequence[Ruleset]) -> list[RuleDifference]:
    """Return the rules that must change for a common board: its squares, and where the men start."""
    if len({ruleset.rules.board for ruleset in rulesets}) == 1:
        return []
    return [one for one in differing_rules(rulesets) if places_pieces(one.rule)]


def on_common_board(rulesets: Sequence[Ruleset]) -> list[Ruleset]:
    """Return the rulesets on one board, the first one's if it suits all. Raises RulesetError if none does."""
    wrong: RulesetError | None = None
    for host in rulesets:
        try:
            return [on_board_of(ruleset, host) for ruleset in rulesets]
        except RulesetError as error:
            wrong = wrong or error
    raise RulesetError(f"no common board for {' and '.join(r.id for r in rulesets)}: {wrong}")


@lru_cache(1 << 10)
def on_board_of(ruleset: Ruleset, host: Ruleset) -> Ruleset:
    """Return a ruleset on the board of another. Raises RulesetError if it cannot be played there."""
    if ruleset.rules.board == host.rules.board:
        return ruleset
    board = {rule: value for rule, value in host.values.items() if places_pieces(rule)}
    values = {**ruleset.values, **board}
    for rule, problem in find_contradictions(values, board):
        raise RulesetError(f"{ruleset.id} on the board of {host.id}: {rule}: {problem}")
    rests_on = {**ruleset.rests_on, **{rule: host.rests_on[rule] for rule in board}}
    return replace(ruleset, values=values, rests_on=rests_on).checked()


def difference_parts(one: Ruleset, other: Ruleset) -> list[ChangedRule]:
    """Return the rules in which two rulesets differ, with each the rules that exist only because of it."""
    differ = [rule for rule in rule_names() if one.values.get(rule) != other.values.get(rule)]
    two_sided = [rule for rule in differ if rule in one.values and rule in other.values]
    found: dict[str, list[str]] = {}
    taken: set[str] = set()
    for rule in [*two_sided, *(rule for rule in differ if rule not in two_sided)]:
        if rule in taken:
            continue
        changed = {
            name
            for start, goal in ((one, other), (other, one))
            if (values := toward(start, goal, (rule,))) is not None
            for name in differ
            if start.values.get(name) != values.get(name)
        }
        found[rule] = [name for name in differ if name in changed - taken - {rule} and name not in two_sided]
        taken |= {rule, *found[rule]}
    return [ChangedRule(rule, tuple(found[rule])) for rule in differ if rule in found]


def toward(one: Ruleset, other: Ruleset, rules: Iterable[str]) -> Mapping[str, Any] | None:
    """Return the values of one ruleset with those of another for some rules, and for the rules these need.

    None if the result is no valid ruleset.
    """
    values, wanted, changed = dict(one.values), list(rules), set[str]()
    while wanted:
        changed.update(wanted)
        for rule in wanted:
            if rule in other.values:
                values[rule] = other.values[rule]
            else:
                values.pop(rule, None)
        wrong = [rule for rule, _ in find_contradictions(values, changed)]
        if not wrong:
            return values
        wanted = [rule for rule in wrong if values.get(rule) != other.values.get(rule)]
    return None


def differing_rules(rulesets: Sequence[Ruleset]) -> list[RuleDifference]:
    """Return the rules in which rulesets differ as they are, in the order of the rules."""
    found = []
    for rule in rule_names():
        values = tuple(ruleset.values.get(rule) for ruleset in rulesets)
        if any(value != values[0] for value in values):
            found.append(RuleDifference(rule, values, tuple(ruleset.rests_on.get(rule, ()) for ruleset in rulesets)))
    return found
