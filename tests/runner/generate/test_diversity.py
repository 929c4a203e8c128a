"""A thousand positions for every rule of every ruleset, three hundred of them apart (benchmarks/diversity.py)."""

from __future__ import annotations

import pytest

import damspec
from damspec_runner.commands.generate_goal import SearchOptions, goal_from_options
from damspec_runner.generate.goal import NothingToFindError, prove_nothing_to_find
from damspec_runner.generate.search import PositionSearch
from damspec_runner.mutants.ruleset_diff import begins, places_pieces
from runs import SPREAD


@pytest.mark.slow
@pytest.mark.parametrize("name", SPREAD)
def test_a_thousand_positions_of_which_three_hundred_are_apart(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    for rule in ruleset.values:
        if places_pieces(rule) or begins(rule):
            continue
        try:
            asked = prove_nothing_to_find(goal_from_options(ruleset, SearchOptions((rule,))))
        except NothingToFindError:
            continue
        hunt = PositionSearch(asked, number=1_000)
        found = [one.position for one in hunt.anywhere()]
        assert len(set(found)) == len(found)
        if max(map(len, found)) <= 2:  # what shows with one piece each, or none: so few of these have nothing in common
            assert 1 <= hunt.apart < 64, rule
        else:
            assert len(found) == 1_000, rule
            assert hunt.apart >= 300, rule
        assert asked.wants_finished or not any(damspec.outcome(ruleset, one).is_over for one in found), rule
