"""A ruleset with one rule lifted: what is legal without it shows what the rule forbids."""

from __future__ import annotations

from collections.abc import Mapping

from damspec import Ruleset
from damspec.neighbours import changed_values

from .effects import is_movement
from .mutants import Mutant, mutant_of, single


def lifted(ruleset: Ruleset) -> list[tuple[str, Mutant]]:
    """The ruleset with one rule changed, each with the name of that rule: first those that choose among moves."""
    every: list[tuple[str, Mutant | None]] = [
        ("capture.duty", _changed(ruleset, {"capture.duty": "optional"})),
        ("capture.choice", _changed(ruleset, {"capture.choice": ()})),
        ("capture.completion", _stopping(ruleset)),
        *((mutant.rules_changed[0], mutant) for mutant in single(ruleset) if is_movement(mutant.rules_changed[0])),
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
    return mutant_of(ruleset.base, ruleset.values, tuple(changes.items()))
