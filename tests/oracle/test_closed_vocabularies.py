"""A value of a closed rule that an interpreter does not know is an error in each of the three, never another rule."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import damspec
from damspec import data
from damspec.errors import RulesetError
from damspec.rules import Rules, field_of
from damspec.turn import ActionGenerator
from damspec.vocabulary import vocabulary
from refusals import refusal
from runner_fixtures import node

GAMES = ("fr-trapdoor", "de", "vl")
#: Rules of draws and endgames, of boards and where games begin, have tests of their own.
MECHANISMS = ("man.", "king.", "capture.", "promotion.", "huff.", "trapdoors.", "spin.")


def closed() -> Iterator[tuple[str, str]]:
    """Each rule with a closed vocabulary, and a game that has it."""
    for rule in vocabulary().values():
        words = rule.form.words if rule.form.kind == "choice" else ()
        if rule.name.startswith(MECHANISMS) and any(isinstance(word, str) for word in words):
            yield rule.name, next((id for id in GAMES if rule.name in damspec.load_ruleset(id).values), "vl")


def with_foreign(rules: Rules, rule: str) -> Rules:
    """The rules with a value that there is not."""
    group = rule.partition(".")[0]
    values: dict[str, Any] = {field_of(rule): "foreign"}
    return replace(rules, **{group: replace(getattr(rules, group), **values)})


def play(rules: Rules) -> None:
    """Play all that can follow a position with a capture for two turns, so that each mechanism is used."""
    game = ActionGenerator(rules)
    positions = [damspec.Position.start(rules), damspec.load_ruleset("vl").position("W:W22,26:B18,6")]
    for _ in range(3):
        following = []
        for position in positions:
            following += [game.after(position, each) for each in (*game.actions(position), *game.lapses(position))]
        positions = following[:100]


@pytest.mark.parametrize(("rule", "id"), [*closed()])
def test_the_reference_and_the_compiled_kernel(rule: str, id: str) -> None:
    foreign = with_foreign(damspec.load_ruleset(id).rules, rule)
    with pytest.raises((RulesetError, AssertionError), match="foreign"):
        play(foreign)
    if rule.startswith("huff."):
        return  # not compiled
    records = pytest.importorskip("damspec.kernel.records")
    assert "foreign" in refusal(RulesetError, records.rule_table, foreign)


def test_the_interpreter_in_javascript() -> None:
    asked = [[damspec.load_ruleset(id).inline_values | {rule: "foreign"}, rule] for rule, id in closed()]
    module = data.root() / "reference" / "javascript" / "damspec.js"
    program = f"""
        import {{ Game, RulesError }} from {json.dumps(module.as_uri())};
        for (const [values, rule] of {json.dumps(asked)}) {{
          let said = "";
          try {{ new Game(values); }} catch (error) {{ if (error instanceof RulesError) said = error.message; }}
          if (!said.startsWith(`${{rule}}: found "foreign"`)) console.log(rule, said);
        }}
    """
    command = [node(), "--input-type=module", "--eval", program]
    assert subprocess.run(command, capture_output=True, text=True, timeout=60).stdout == ""
