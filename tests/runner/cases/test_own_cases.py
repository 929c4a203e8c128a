"""The cases for a file of one's own: inherited ones stay, are answered anew or are set aside, as its rules want it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec
from damspec import Ruleset
from damspec_runner.answers.player import RulePlayer, passes
from damspec_runner.cases.answer import Question
from damspec_runner.cases.cases import Case, adapted_cases, cases_for, cases_of, inherited_cases
from refusals import refusal
from ruleset_files import load


def own(folder: Path, extends: str, rules: Mapping[str, Any]) -> Ruleset:
    """A file that extends a shipped ruleset and changes these rules."""
    content = {
        "damspec": 1,
        "id": "my",
        "name": "My game",
        "about": "Of the tests.",
        "extends": extends,
        "rules": {rule: {"value": value} for rule, value in rules.items()},
    }
    return load(folder, content)


def by_id(ruleset: Ruleset) -> dict[str, Case]:
    return {case.id: case for case in cases_for(ruleset)}


BEHIND = {"king.capture.landing": "behind"}


def test_what_the_rules_change_and_what_they_do_not(tmp_path: Path) -> None:
    my = own(tmp_path, "vl", BEHIND)
    cases = by_id(my)
    # A man's move has nothing to do with where a king lands.
    found = cases["vl.man-move.left-edge"]
    (shipped,) = [case for case in cases_of("vl") if case.id == found.id]
    assert (found.expected, found.why, found.clauses, found.generated) == (
        shipped.expected,
        shipped.why,
        shipped.clauses,
        None,
    )
    # King on 29, men on 13 and 18: directly behind 18 on that diagonal is 15, and from there it takes nothing.
    assert "vl.king-capture.lands-anywhere-behind" not in cases
    found = cases["vl.king-capture.lands-anywhere-behind@my"]
    assert found.position == "W:WK29:B13,18"
    assert found.expected.moves == {"29x15": "B:WK15:B13"}
    assert (found.ruleset, found.clauses) == ("vl", ())
    assert found.generated == f"damspec {damspec.__version__}"
    assert found.why == (
        "The reference's answer by the rules of my; vl.king-capture.lands-anywhere-behind has another."
    )
    # In this game a king lands two squares behind what it takes.
    assert adapted_cases(my).set_aside == ("vl.game.a-captured-man-saves-one-that-is-blocked",)


def test_a_position_that_cannot_be_is_set_aside(tmp_path: Path) -> None:
    """Its white man stands on 6; with a promotion row of two rows that is a king's square."""
    my = own(tmp_path, "vl", {"promotion.rows": 2})
    (shipped,) = [case for case in cases_of("vl") if case.id == "vl.promotion.step-to-the-king-line"]
    refusal(damspec.PositionError, my.position, shipped.position)
    assert shipped.id in adapted_cases(my).set_aside
    assert not [id for id in by_id(my) if id.startswith(shipped.id)]


CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("vl", BEHIND),
    ("vl", {"board.size": "10x10"}),
    ("nl-trapdoor", {"trapdoors.closing": "at-once"}),
    ("de", {"huff.piece": "moved"}),
    ("lb", {"start.first": "white"}),
    ("english", {"ending.no-pieces": "wins"}),
    (
        "lb",
        {"capture.duty": "huffing", "huff.offence": "no-capture", "huff.remedies": ["huff", "retract"]}
        | {"huff.piece": "able", "huff.turn": "kept", "huff.retracted": "free", "ending.blocked": "no-action"},
    ),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("parent", "rules"), CHANGES, ids=[" ".join([p, *r]) for p, r in CHANGES])
def test_the_rules_of_the_file_give_every_answer_and_those_of_the_parent_do_not(
    tmp_path: Path, parent: str, rules: dict[str, Any]
) -> None:
    """And every inherited case stays, is answered anew or is set aside."""
    my = own(tmp_path, parent, rules)
    adapted = adapted_cases(my)
    answered = {id.removesuffix(f"@{my.id}") for id in adapted.answered}
    kept = {case.id for case in adapted.cases} - set(adapted.answered)
    assert sorted([*answered, *kept, *adapted.set_aside]) == sorted(case.id for case in inherited_cases(my))
    assert answered
    asked = [Question(case, my) for case in cases_for(my)]
    assert [question.case.id for question in asked if not passes(RulePlayer(my), question)] == []
    if "board.size" in rules:
        return  # the parent's rules mean other squares by the same numbers
    other = RulePlayer(damspec.load_ruleset(parent))
    wrong = {question.case.id for question in asked if not passes(other, question)}
    assert wrong == set(adapted.answered)


def test_what_is_expected_under_another_reading_is_by_the_rules_of_the_file(tmp_path: Path) -> None:
    """With one piece each it is a draw, unless one can capture the other: so says vl?one-each=unless-capture."""
    my = own(tmp_path, "vl", BEHIND)
    query = "one-each=unless-capture"
    here = {case.id: case.otherwise[query] for case in cases_for(my) if query in case.otherwise}
    assert here
    for id, case in by_id(damspec.load_ruleset_file(f"{my.path}?{query}")).items():
        if id in here:
            assert case.expected == here[id]
            assert not case.otherwise


def test_a_file_has_its_cases_under_several_readings_at_once(tmp_path: Path) -> None:
    my = own(tmp_path, "vl", BEHIND)
    under = my.with_reading("one-each=unless-capture&removal=at-once")
    asked = [Question(case, under) for case in cases_for(under)]
    assert len(asked) > 100
    assert all(passes(RulePlayer(under), question) for question in asked)


def test_shipped_rulesets_are_never_asked_of_the_reference() -> None:
    assert [
        case.id for id in damspec.ruleset_ids() for case in cases_for(damspec.load_ruleset(id)) if "@" in case.id
    ] == []


def test_a_file_that_extends_nothing_has_no_cases(tmp_path: Path) -> None:
    shipped = damspec.load_ruleset("lb").path.read_text(encoding="utf-8").replace("id: lb\n", "id: my\n")
    content = yaml.safe_load(shipped)
    for entry in content["rules"].values():
        del entry["from"]
    del content["conduct"]
    assert "no cases for ruleset 'my' in cases/; a file of your own has those of" in refusal(
        damspec.RulesetError, cases_for, load(tmp_path, content)
    )
