"""Overlays (spec/overlays/): options that go with any ruleset, `frisian+losing`."""

from __future__ import annotations

import pytest

import damspec
from damspec import DamspecError, data, endings
from damspec.inheritance import overlay, overlay_ids
from damspec_runner.cases.cases import adapted_cases, cases_for, cases_of
from damspec_runner.document.explain import explain


def test_what_an_overlay_states_replaces_what_the_ruleset_says() -> None:
    plain, losing = damspec.load_ruleset("frisian"), damspec.load_ruleset("frisian+losing")
    stated = {rule: entry["value"] for rule, entry in overlay("losing").content["rules"].items()}
    values = {**plain.values, **stated}
    assert losing.values == {rule: value for rule, value in values.items() if value is not None}
    assert losing.rests_on["ending.no-pieces"] == ("losing-aim",)
    assert (losing.id, losing.name) == ("frisian+losing", "Frisian draughts, losing")
    assert losing.documents == ("losing", "frisian")
    assert losing.gametype is None
    assert not losing.shipped


def test_draws_under_overlays() -> None:
    """Losing draughts have the third time and no number of moves, breakthrough has nothing."""
    moves = ["32-28", "1-5", "28-32", "5-1"]
    for name, expected in (("english", "draw (repetition)"), ("english+losing", "draw (repetition)")):
        assert str(damspec.outcome(name, "W:WK32:BK1", 2 * moves)) == expected
    assert damspec.load_ruleset("english+breakthrough").rules.draws is None
    losing = damspec.load_ruleset("russian+losing")
    assert {rule: value for rule, value in losing.values.items() if rule.startswith("draws.")} == {
        "draws.repetition": 3
    }


@pytest.mark.parametrize(
    ("name", "fen", "expected"),
    [
        ("english", "W:W:B1", "black (no-pieces)"),
        ("english+losing", "W:W:B1", "white (no-pieces)"),
        # the man on 5 is shut in by 1, which is backed by the edge
        ("english", "W:W5:B1", "black (no-moves)"),
        ("english+losing", "W:W5:B1", "white (no-moves)"),
        ("english", "B:WK1:B20", "ongoing"),
        ("english+breakthrough", "B:WK1:B20", "white (first-king)"),
        ("english+breakthrough", "W:W20:BK32", "black (first-king)"),
        ("english+breakthrough", "W:W20:B12", "ongoing"),
        # the last piece is taken by a man that is crowned: the king is asked first
        ("english+losing+breakthrough", "B:WK2:B", "white (first-king)"),
    ],
)
def test_how_games_end(name: str, fen: str, expected: str) -> None:
    assert str(damspec.outcome(name, fen)) == expected


def test_the_side_that_moved_last_is_asked_first() -> None:
    """Both have a king only in a position that no game has, since the first of them has ended it."""
    assert str(damspec.outcome("international+breakthrough", "B:WK1:BK50")) == "white (first-king)"
    assert str(damspec.outcome("international+breakthrough", "W:WK1:BK50")) == "black (first-king)"


def test_boards() -> None:
    small = damspec.load_ruleset("brazilian+on-6x6")
    assert len(small.rules.board) == 18
    assert small.position().fen() == "W:W13,14,15,16,17,18:B1,2,3,4,5,6"
    assert damspec.load_ruleset("english+on-12x12").position().fen().count(",") == 2 * 29


def test_overlays_combine_and_go_with_readings() -> None:
    found = damspec.load_ruleset("frisian+losing+on-6x6?king-value=one-man")
    assert found.id == "frisian+losing+on-6x6?king-value=one-man"
    assert "capture.king-weight" not in found.values
    assert (found.values["ending.no-moves"], found.values["board.size"]) == ("wins", "6x6")
    assert damspec.load_ruleset("frisian+losing+on-6x6").under("king-value=one-man") is found


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("frisian+losin", "unknown overlay 'losin'; did you mean 'losing'?"),
        ("frisian+", "unknown overlay ''; there is breakthrough, losing, on-12x12, on-14x14, on-6x6"),
        ("frisean+losing", "unknown ruleset 'frisean'; did you mean 'frisian'?"),
        ("frisian+losing+losing", "found 'losing+losing', which gives overlay 'losing' twice"),
        ("nl-trapdoor+on-6x6", "board: found 8x8, expected 6x6"),
    ],
)
def test_what_there_is_not(name: str, message: str) -> None:
    with pytest.raises(DamspecError) as error:
        _ = damspec.load_ruleset(name).rules
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_every_overlay_goes_with_a_plain_ruleset_and_says_so() -> None:
    for id in overlay_ids():
        assert data.schema_problem(data.load_yaml(data.root() / "spec" / "overlays" / f"{id}.yaml"), "ruleset") is None
        ruleset = damspec.load_ruleset(f"english+{id}")
        assert all(ruleset.rests_on.values())
        assert explain(ruleset.id).title == f"English draughts, {overlay(id).content['name']}"


def test_cases_are_those_of_the_ruleset_that_hold() -> None:
    """An engine for `english+losing` is asked the cases of English draughts; what ends otherwise is answered anew."""
    cases = {case.id: case for case in cases_for(damspec.load_ruleset("english+losing"))}
    assert {case.partition("@")[0] for case in cases} <= {
        case.id for case in cases_for(damspec.load_ruleset("english"))
    }
    assert any("@" in case for case in cases)


def test_a_ruleset_under_an_overlay_has_cases_of_its_own() -> None:
    """They stand in a folder of its name and expect what people derived; the inherited ones follow."""
    found = [case for case in cases_for(damspec.load_ruleset("international+losing")) if "@" not in case.id]
    (own,) = [case for case in found if case.id == "international+losing.ending.a-man-shut-in-has-won"]
    assert own.expected.outcome == damspec.Outcome("white", "no-moves")
    assert own.generated is None
    assert any(case.ruleset == "international" for case in found)


def test_a_wrong_reference_does_not_pass_the_cases_of_an_overlay(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a ruleset inherits is answered by the reference where it differs; its own cases are not."""
    ruleset = damspec.load_ruleset("international+breakthrough")
    own = {case.id: case.expected for case in cases_of(ruleset.id)}
    adapted_cases.cache_clear()
    monkeypatch.setattr(endings, "_verdict", lambda verb, side, reason: damspec.Outcome("draw", reason))
    found = {case.id: case.expected for case in cases_for(ruleset)}
    adapted_cases.cache_clear()
    assert {id: found[id] for id in own} == own
    assert own["international+breakthrough.ending.two-kings-black-moved-last"].outcome == damspec.Outcome(
        "black", "first-king"
    )


def test_a_case_of_an_overlay_is_explained() -> None:
    found = explain("international+losing.ending.a-king-shut-in-has-won")
    assert (found.kind, [clause.id for clause in found.clauses]) == ("case", ["losing-aim"])
