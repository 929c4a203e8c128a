"""Perft suites: at depth 3 or less they kill every mutant that perft can show, as the page says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import damspec
from damspec.mutations import equivalent_mutants
from damspec_runner.adequacy import suite as told
from damspec_runner.adequacy.measure import VoidRunError
from damspec_runner.adequacy.suite import DEEPEST, measure_suites
from damspec_runner.answers.mutant_perft import BEGINS, ENDS, LAPSES, perft_mutants
from damspec_runner.cases.perft_tables import suite_of
from damspec_runner.mutants.mutants import single_mutants
from runner_fixtures import printed, printed_json
from runs import SPREAD, usually

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "adequacy.md").read_text(encoding="utf-8")
RULESETS = damspec.ruleset_ids()
ENGLISH = damspec.load_ruleset("english")


@pytest.mark.thorough
@pytest.mark.parametrize("name", usually({"english"}, RULESETS, thorough=()))
def test_every_mutant_that_perft_can_show_is_told(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    (found,) = measure_suites([ruleset])
    assert [one.mutant for one in found.mutants] == [mutant.name for mutant in single_mutants(ruleset)]
    assert [one.mutant for one in found.mutants if one.is_uncovered] == []
    assert found.positions < 100
    numbers = [found.at(depth) for depth in range(1, DEEPEST + 1)]
    assert sum(numbers) + found.undetectable == len(found.mutants)
    row = [found.positions, len(found.mutants), *numbers, found.undetectable]
    assert f"| {name} | {' | '.join(map(str, row))} |" in PAGE
    because = {one.because for one in found.mutants if one.because}
    assert because <= {BEGINS, ENDS, LAPSES, *equivalent_mutants().values()}


@pytest.mark.thorough
@pytest.mark.parametrize("name", usually({"lb"}, SPREAD, thorough=("nl-trapdoor",)))
def test_what_a_suite_says_that_it_tells_it_tells(name: str) -> None:
    """Each name is told where the file says so, by no smaller depth anywhere and by no earlier position."""
    ruleset = damspec.load_ruleset(name)
    suite = suite_of(ruleset)
    wrong = {one.name: one for one in perft_mutants(ruleset)}
    named = [*suite.untold, *(name for one in suite.positions for names in one.tells.values() for name in names)]
    assert sorted(named) == sorted(wrong)
    for place, one in enumerate(suite.positions):
        for depth, names in one.tells.items():
            for each in names:
                assert wrong[each].nodes(one.position, depth) != one.nodes[depth - 1], each
                assert all(
                    wrong[each].nodes(before.position, depth) == before.nodes[depth - 1]
                    for before in suite.positions[:place]
                    if len(before.nodes) >= depth
                ), each


@pytest.mark.slow
def test_a_mutant_that_the_suite_has_no_position_for_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start alone shows nothing of kings."""
    suite = suite_of(ENGLISH)
    monkeypatch.setattr(told, "suite_of", lambda ruleset: replace(suite, positions=suite.positions[:1]))
    (found,) = measure_suites([ENGLISH])
    left = {one.mutant for one in found.mutants if one.is_uncovered}
    assert "king.move.reach = any" in left
    assert found.uncovered == len(left)
    assert "man.move.reach = any" not in left
    assert "ending.no-moves = draws" not in left


def test_a_suite_with_a_wrong_number_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = suite_of(ENGLISH)
    first = replace(suite.positions[0], nodes=(7, 48))
    monkeypatch.setattr(told, "suite_of", lambda ruleset: replace(suite, positions=(first,)))
    with pytest.raises(VoidRunError, match=r"english unchanged has 49 nodes at depth 2 in .*, not 48"):
        [*measure_suites([ENGLISH])]


@pytest.mark.thorough
def test_the_command() -> None:
    content = printed_json("adequacy", "adequacy", "--perft", "english", "--json", "-j", "1")
    (entry,) = content["perft"]
    by_name = {mutant["mutant"]: mutant for mutant in entry["mutants"]}
    assert by_name["ending.no-moves = draws"] == {
        "mutant": "ending.no-moves = draws", "depth": 0, "positions": 0, "because": ENDS,
    }  # fmt: skip
    assert by_name["capture.duty = optional"]["depth"] == 1


@pytest.mark.slow
def test_the_command_tells_it_in_words() -> None:
    out = printed("adequacy", "--perft", "english", "--matrix", "-j", "1")
    assert f"english: ending.no-moves = draws: told by none: {ENDS}" in out
    assert out.endswith(" in no perft, 0 left\n")


def test_the_page_sums_them_up() -> None:
    rows = [line.strip("| ").split(" | ") for line in PAGE.partition("| in no perft |")[2].splitlines()]
    numbers = [[int(cell) for cell in row[1:]] for row in rows if row[0] in RULESETS and len(row) == 7][: len(RULESETS)]
    assert len(numbers) == len(RULESETS)
    positions, mutants, *at, hidden = (sum(column) for column in zip(*numbers, strict=True))
    assert f"{mutants} mutants: {sum(at)} killed at depth {DEEPEST} or less, {hidden} in no perft, 0 left" in PAGE
    assert f"{positions} positions" in PAGE
