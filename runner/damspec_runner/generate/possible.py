"""What is known before any search: which rules show their difference in no position, and why."""

from __future__ import annotations

from dataclasses import replace

from damspec import Ruleset
from damspec.equivalents import proof
from damspec.rules import rule_names

from ..answers.contrast import Contrast
from ..variants.effects import counts_history, in_no_position
from ..variants.mutants import mutant_of
from .goal import Goal, Wanted


class NothingToFind(Exception):
    """No position can be what is wanted; the text says why, in one line."""


def possible(wanted: Wanted) -> Wanted:
    """What is wanted, without those rulesets of a goal that are proved to answer alike in every position.

    Raises NothingToFind where none is left.
    """
    return replace(wanted, goals=tuple(_possible(wanted.ruleset, goal) for goal in wanted.goals))


def _possible(ruleset: Ruleset, goal: Goal) -> Goal:
    reasons = {other: _why_unseen(ruleset, other) for other in goal.others}
    left = tuple(other for other, why in reasons.items() if why is None)
    if not left:
        why = " ".join(dict.fromkeys(why for why in reasons.values() if why))
        raise NothingToFind(f"no position tells {ruleset.id} from {goal.says}: {why}")
    return replace(goal, others=left)


def _why_unseen(ruleset: Ruleset, other: Ruleset) -> str | None:
    """Why no position shows the difference of two rulesets, if that is known."""
    if not Contrast.between(ruleset, other):
        unseen = [rule for rule in rule_names() if counts_history(rule) and _unlike(ruleset, other, rule)]
        if unseen:
            show = "show" if unseen[1:] else "shows"
            return f"{', '.join(unseen)} {show} only in games, not in a position."
        return "it has the same rules in all that a position shows."
    changed = tuple(
        (rule, other.values[rule])
        for rule in rule_names()
        if rule in ruleset.values and rule in other.values and _differ(ruleset, other, rule)
    )
    mutant = mutant_of(ruleset.base, ruleset.values, changed)
    if mutant is None or any(_differ(mutant.ruleset, other, rule) for rule in rule_names()):
        return None
    return proof(ruleset, mutant.name)


def _differ(one: Ruleset, other: Ruleset, rule: str) -> bool:
    return _unlike(one, other, rule) and not in_no_position(rule)


def _unlike(one: Ruleset, other: Ruleset, rule: str) -> bool:
    return one.values.get(rule) != other.values.get(rule)
