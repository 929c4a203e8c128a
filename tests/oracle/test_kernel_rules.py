"""Rules as the kernel takes them: a value that it does not know is refused, whichever rule it is of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import damspec
from damspec.board import Board
from damspec.errors import RulesetError
from damspec.rules import Rules

pytest.importorskip("numba", reason="the kernel is compiled by numba, which is not installed: damspec[fast]")

from damspec.kernel import compiled_rules
from damspec.kernel.perft import CompiledRules
from damspec.kernel.records import rule_table
from refusals import refusal
from runs import for_each

#: Every rule of a closed vocabulary that the kernel reads, as a group and a field; those of doors in a game with doors.
CLOSED = [
    ("man", "move_directions"),
    ("man", "move_reach"),
    ("man", "capture_first"),
    ("man", "capture_later"),
    ("man", "capture_takes"),
    ("king", "move_directions"),
    ("king", "move_reach"),
    ("king", "move_slides"),
    ("king", "capture_directions"),
    ("king", "capture_reach"),
    ("king", "capture_landing"),
    ("king", "capture_finish"),
    ("king", "capture_turning"),
    ("capture", "duty"),
    ("capture", "completion"),
    ("capture", "choice"),
    ("capture", "removal"),
    ("capture", "origin"),
    ("capture", "binds"),
    ("promotion", "mid_capture"),
    ("promotion", "return_"),
    ("trapdoors", "step"),
    ("trapdoors", "falls"),
    ("trapdoors", "quiet_landing"),
    ("trapdoors", "capture_landing"),
    ("trapdoors", "passing"),
    ("trapdoors", "closing"),
    ("spin", "outcomes"),
    ("spin", "when"),
    ("spin", "blocked"),
    ("spin", "slide"),
]


def changed(rules: Rules, group: str, field: str, value: object) -> Rules:
    """The rules with another value of one."""
    values: dict[str, Any] = {field: value}
    return replace(rules, **{group: replace(getattr(rules, group), **values)})


@for_each(("group", "field"), CLOSED)
def test_a_value_that_is_not_known(group: str, field: str) -> None:
    rules = damspec.load_ruleset("fr-trapdoor").rules
    value: object = "foreign"
    if isinstance(getattr(rules, group), object) and isinstance(getattr(getattr(rules, group), field), tuple):
        value = ("foreign",)
    if field == "outcomes":
        value = {"disc": "foreign"}
    rule_table(rules)
    assert "foreign" in refusal(RulesetError, rule_table, changed(rules, group, field, value))


def test_a_result_of_the_spinner_that_is_not_known() -> None:
    rules = damspec.load_ruleset("fr-trapdoor").rules
    assert "foreign" in refusal(RulesetError, rule_table, changed(rules, "spin", "outcomes", {"foreign": "piece"}))


def test_a_board_that_is_too_large() -> None:
    """The reference counts there."""
    rules = replace(damspec.load_ruleset("international").rules, board=Board(26, 26))
    assert compiled_rules(rules) is None
    assert "26x26" in refusal(RulesetError, CompiledRules, rules)
