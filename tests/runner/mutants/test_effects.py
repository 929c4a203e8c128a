"""What a change of a rule can do, as spec/rules.yaml has it: held against the groups of rules and against positions."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import damspec
import damspec_runner
from damspec.vocabulary import affects, groups, vocabulary
from damspec_runner.answers.player import RulePlayer
from damspec_runner.cases.cases import TOPICS, cases_of
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.mutants.ruleset_diff import (
    begins,
    begins_no_capture,
    changes_turns,
    counts_history,
    ends,
    in_no_position,
    is_movement,
    moves_pieces,
    places_pieces,
)

RUNNER = Path(damspec_runner.__file__).parent
RULES = [rule for group in groups() for rule in group.rules]


def named(test: object) -> set[str]:
    """The rules of which something is true."""
    assert callable(test)
    return {rule.name for rule in RULES if test(rule.name)}


def of(*names: str) -> set[str]:
    """The rules of some groups."""
    return {rule.name for rule in RULES if rule.group in names}


def test_what_the_groups_are_about() -> None:
    over = {"trapdoors.quiet-landing", "trapdoors.capture-landing", "trapdoors.passing"}  # pieces meet doors on the way
    movement = of("man", "king", "capture", "promotion")
    whole_turns = {"capture.duty", "king.move.limit"}  # among the rules of movement
    assert named(begins) == of("start")
    assert named(places_pieces) == of("board") | {"start.men"}
    assert named(ends) == of("ending")
    assert named(counts_history) == of("draws")
    assert named(in_no_position) == of("start", "draws")
    assert named(is_movement) == movement
    assert named(moves_pieces) == movement - whole_turns | over
    assert named(changes_turns) == of("board", "huff", "spin", "trapdoors") - over | whole_turns


def test_every_rule_is_of_one_kind() -> None:
    """Whatever a rule affects, something compares it: the moves of pieces, whole turns, the end, the start, games."""
    for rule in RULES:
        assert sum(kind(rule.name) for kind in (moves_pieces, changes_turns, ends, begins, counts_history)) == 1, (
            rule.name
        )


def test_doors_are_where_the_optional_rules_say() -> None:
    present = {rule.name for rule in RULES if rule.group == "trapdoors" or rule.present == "there are trapdoors"}
    assert {rule.name for rule in RULES if "doors" in rule.affects} == present - of("spin")


def test_a_rule_of_movement_changes_what_it_affects_and_nothing_else() -> None:
    """In the positions of the cases the lists of captures and of other moves change only where it is said."""
    ruleset = damspec.load_ruleset("vl")
    player = RulePlayer(ruleset)
    positions = [player.parse_position(case.position) for case in cases_of("vl")]
    before = {position: listed(player, position) for position in positions}
    seen: dict[str, set[str]] = {}
    for mutant in single_mutants(ruleset):
        (rule,) = mutant.rules_changed
        if moves_pieces(rule):
            other = RulePlayer(mutant.ruleset)
            for position in positions:
                for kind, one, two in zip(
                    ("captures", "quiet"), before[position], listed(other, position), strict=True
                ):
                    if one != two:
                        seen.setdefault(rule, set()).add(kind)
    for rule, kinds in seen.items():
        assert kinds <= affects(rule), rule
    assert {"man.move.directions", "man.capture.first", "promotion.rows", "king.move.slides"} <= seen.keys()


def listed(player: RulePlayer, position: damspec.Position) -> tuple[frozenset[object], frozenset[object]]:
    """All captures and all other moves of pieces, as bitboards, the duty to capture left aside."""
    movement = player.turns.movement
    return (
        frozenset(step[:4] for step in movement.captures(position)),
        frozenset(step[:4] for step in movement.quiet(position)),
    )


@pytest.mark.parametrize("id", ["vl", "russian", "nl-trapdoor"])
def test_what_follows_a_first_jump_begins_no_capture_and_undoes_none(id: str) -> None:
    """Where these rules are changed a side can capture exactly where it could; of all others some change that."""
    ruleset = damspec.load_ruleset(id)
    player = RulePlayer(ruleset)
    positions = [player.parse_position(case.position) for case in cases_of(id)]
    before = [player.turns.can_capture(position) for position in positions]
    for mutant in single_mutants(ruleset):
        (rule,) = mutant.rules_changed
        if begins_no_capture(rule) and rule in ruleset.values:
            other = RulePlayer(mutant.ruleset)
            assert [other.turns.can_capture(position) for position in positions] == before, mutant.name
    others = {rule.name for rule in RULES if "captures" in rule.affects and not begins_no_capture(rule.name)}
    jumps = {
        "man.capture.first",
        "man.capture.gap",
        "man.capture.takes",
        "king.capture.directions",
        "king.capture.kings-only",
        "king.capture.pieces",
    }
    assert others == jumps | {"king.capture.reach", "king.move.slides", "trapdoors.passing", "capture.duty"}


def test_every_rule_has_a_topic_that_cases_have() -> None:
    assert {rule.topic for rule in vocabulary().values()} == {*TOPICS} - {
        "game"
    }  # games are about nothing in particular


def test_no_code_goes_by_how_the_name_of_a_rule_begins() -> None:
    beginning = re.compile(rf"({'|'.join(group.id for group in groups())})\.([a-z]+\.)?")
    for path in (path for path in sorted(RUNNER.rglob("*.py")) if "adapters" not in path.parts):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not beginning.fullmatch(node.value), f"{path.name}, line {node.lineno}: {node.value!r}"
