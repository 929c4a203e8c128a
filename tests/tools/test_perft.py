"""`tools/perft.py`: a suite goes on from what there is when only other games, or their names, have changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tools.perft import with_mutants

import damspec
from damspec_runner.answers.mutant_perft import PerftMutant, perft_mutants
from damspec_runner.cases.perft_tables import PerftSuite, suite_of


@pytest.fixture(scope="module")
def mutants() -> list[PerftMutant]:
    return perft_mutants(damspec.load_ruleset("lb"))


@pytest.fixture(scope="module")
def suite(mutants: list[PerftMutant]) -> PerftSuite:
    """The suite on record, with the mutants of today."""
    suite = with_mutants(suite_of(damspec.load_ruleset("lb")), mutants, ())
    assert suite is not None
    return suite


def without(suite: PerftSuite, lacking: Callable[[str], bool]) -> PerftSuite:
    """A suite that says nothing of some mutants."""
    positions = [
        replace(
            one, tells={depth: tuple(name for name in names if not lacking(name)) for depth, names in one.tells.items()}
        )
        for one in suite.positions
    ]
    return replace(
        suite,
        positions=(*positions,),
        untold={name: why for name, why in suite.untold.items() if not lacking(name)},
    )


def test_a_suite_of_these_mutants_stays(suite: PerftSuite, mutants: list[PerftMutant]) -> None:
    assert with_mutants(suite, mutants, ()) == suite


def test_games_are_added_where_they_were(suite: PerftSuite, mutants: list[PerftMutant]) -> None:
    """English draughts begin and end in other ways, which no perft shows; most games have flying kings."""
    games = {"english", "brazilian", "czech", "diagonal", "german", "pool", "russian", "vl", "zimbabwean"}
    less = without(suite, games.__contains__)
    assert less != suite
    assert with_mutants(less, mutants, ()) == suite
    assert with_mutants(suite, mutants, games) == suite


def test_games_that_are_gone_are_left_out(suite: PerftSuite, mutants: list[PerftMutant]) -> None:
    left = [mutant for mutant in mutants if mutant.name not in ("russian", "english")]
    assert with_mutants(suite, left, ()) == without(suite, {"russian", "english"}.__contains__)


def test_none_where_no_position_kills_a_new_mutant_at_once(suite: PerftSuite, mutants: list[PerftMutant]) -> None:
    """`de` differs from `lb` in lapses alone, which perft does not count: only a whole search may say so."""
    assert with_mutants(without(suite, {"de"}.__contains__), mutants, ()) is None
