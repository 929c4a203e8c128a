"""Turns in the compiled kernel against the reference, action by action: spins, sliders, doors, runs of kings; and
counts by every convention.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

import damspec
from damspec import DamspecError, Position, Ruleset
from damspec.perft_counts import count_in_python, count_nodes
from damspec.sampling import sample_positions
from damspec.turn import ActionGenerator
from damspec_runner.cases.cases import cases_for
from damspec_runner.mutants.mutants import single_mutants
from test_moves_by_hand import BY_HAND
from turn_variants import OF_DOORS
from variants import DOORS, FRISIAN, LAYOUT, but

pytest.importorskip("numba", reason="the kernel is compiled by numba, which is not installed: damspec[fast]")

from damspec.kernel.perft import CompiledRules

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kernel")]  # one process has it compiled

SHIPPED = [damspec.load_ruleset(id) for id in damspec.ruleset_ids()]
#: The rulesets whose turns are more than moves of pieces, or depend on more than pieces.
MORE = [ruleset for ruleset in SHIPPED if ruleset.rules.spin or ruleset.rules.king.move_limit]
CHANGED = {
    **OF_DOORS,
    "a limit": FRISIAN,
    "a limit of one": {**FRISIAN, "king.move.limit": 1},
    "a limit, and two slides": {**FRISIAN, "king.move.limit": 1, "king.move.slides": "twice"},
}


class Both:
    """The kernel and the reference by the same rules."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.turns, self.kernel = ruleset, ruleset.turns, CompiledRules(ruleset.rules)
        self.compared = 0

    def agree(self, position: Position, depths: Iterable[int], most: int = 2_000) -> None:
        """Fail where they differ, at the depths with about so many sequences at most."""
        if position.huffable is not None or position.compelled:
            assert self.kernel.sequences(position, 2) is None
            return
        last = 1
        for depth in depths:
            if last > most // 8:
                return
            last = count_in_python(self.turns, position, depth)
            where = self.ruleset.id, self.ruleset.values, position.fen(), depth
            assert self.kernel.sequences(position, depth) == last, where
            self.compared += 1


def by_chance(rulesets: Iterable[Ruleset], number: int, start: int, depths: tuple[int, ...] = (1, 2, 3)) -> int:
    """Random positions of each, in every phase of a turn; how often the two were compared."""
    chance, compared = random.Random(start), 0
    for ruleset in rulesets:
        both = Both(ruleset)
        for position, _ in zip(sample_positions(ruleset, chance), range(number), strict=False):
            both.agree(position, depths)
        compared += both.compared
    return compared


def test_every_position_of_a_case() -> None:
    compared = 0
    for ruleset in SHIPPED:
        both = Both(ruleset)
        for case in cases_for(ruleset):
            try:
                position = ruleset.position(case.position)
            except DamspecError:  # positions that cannot be read have cases too
                continue
            both.agree(position, (1, 2), 300)
        compared += both.compared
    assert compared > 2_000


def test_positions_worked_out_by_hand() -> None:
    for rules, fen, moves in BY_HAND.values():
        both = Both(damspec.from_values(rules, "by hand"))
        position = both.ruleset.position(fen)
        assert both.kernel.sequences(position, 1) == len(moves), fen
        both.agree(position, (1, 2))


def test_random_positions() -> None:
    assert by_chance(MORE, 150, 1) > 3_000


def test_unusual_rules() -> None:
    rulesets = [damspec.from_values(values, name) for name, values in CHANGED.items()]
    assert by_chance(rulesets, 60, 2) > 1_500


def test_runs_that_show_only_later() -> None:
    """A king comes to the limit of three moves after five plies, and goes on after another piece has moved."""
    both = Both(damspec.load_ruleset("frisian"))
    both.agree(both.ruleset.position("W:WK46,50:BK5,1"), range(1, 8), 10**6)
    both.agree(both.ruleset.position("W:WK46,50:BK5,1:+205+246"), range(1, 7), 10**6)
    assert both.compared >= 10


def test_more_sliders_than_there_is_room_for() -> None:
    """The reference counts them: five rows of men, a slider of three positions for each two squares of two rows."""
    sliders = [{"id": f"S{n}", "colour": "green", "left": 2 * n - 1, "right": 2 * n} for n in range(1, 22)]
    layout = {**LAYOUT, "board": "12x12", "sliders": sliders}
    ruleset = damspec.from_values(but(DOORS, board__size="12x12", start__men=2, trapdoors__layout=layout), "many")
    turns = ActionGenerator(ruleset.rules)
    position = replace(ruleset.position(), spin="green")
    assert turns.kernel
    assert turns.kernel.sequences(position, 4) is None
    assert count_nodes(turns, position, 4, much=0) == count_in_python(turns, position, 4)
    assert count_in_python(turns, position, 1) == 42


def by_conventions(rulesets: Iterable[Ruleset], number: int, start: int) -> tuple[int, int]:
    """Random positions with captures by each convention: how often the two were compared, and how often it matters."""
    chance, compared, different = random.Random(start), 0, 0
    for ruleset in rulesets:
        turns, kernel = ruleset.turns, CompiledRules(ruleset.rules)
        for position, _ in zip(sample_positions(ruleset, chance), range(number), strict=False):
            unique = count_in_python(turns, position, 1)
            for count in ("sequences", "paths") if unique > 1 else ():
                for depth in (1, 2):
                    found = kernel.sequences(position, depth, count)
                    if found is None:
                        continue
                    right = count_in_python(turns, position, depth, count)
                    assert found == right, (ruleset.id, position.fen(), count, depth)
                    compared += 1
                    different += depth == 1 and found != unique
    return compared, different


def test_every_convention() -> None:
    compared, different = by_conventions(SHIPPED, 60, 5)
    assert compared > 5_000
    assert different > 20


def test_what_conventions_it_leaves_to_the_reference() -> None:
    """Kings that slide twice, and long kings whose order decides a choice; short ones have one path to each order."""
    italian = damspec.load_ruleset("italian")
    twice, far = italian.with_value("king.move.slides", "twice"), italian.with_value("king.capture.reach", "any")
    for ruleset, known in ((italian, {"sequences", "paths"}), (twice, set()), (far, {"paths"})):
        kernel, start = CompiledRules(ruleset.rules), ruleset.position()
        assert kernel.sequences(start, 4) == 1469
        for count in ("sequences", "paths"):
            assert kernel.sequences(start, 4, count) == (1469 if count in known else None)


@pytest.mark.slow
def test_many_random_positions_by_every_convention() -> None:
    assert by_conventions(SHIPPED, 2_000, 6)[1] > 500


@pytest.mark.slow
def test_random_positions_under_every_change_of_a_rule() -> None:
    assert by_chance((mutant.ruleset for ruleset in MORE for mutant in single_mutants(ruleset)), 20, 3, (1, 2)) > 10_000


@pytest.mark.slow
def test_many_random_positions() -> None:
    assert by_chance(MORE, 3_000, 4) > 50_000
