"""The compiled kernel against the reference's generator, which it shares no code of moves with: every legal move, and
how many there are, in the positions of all cases, by every change of a rule, and in random positions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import pytest
from tools.perft_counts import compare

import damspec
from damspec import DamspecError, Position, Ruleset
from damspec.movegen import MoveGenerator
from damspec.perft_counts import count_nodes
from damspec.position import Pieces, open_doors, to_mover_view
from damspec.sampling import sample_positions
from damspec.turn import ActionGenerator
from damspec_runner.cases.cases import cases_for
from damspec_runner.cases.perft_tables import PublishedTable, load_published, published_rules
from damspec_runner.mutants.mutants import single_mutants
from runs import SPREAD
from test_agreement import TURN_UNDER_READINGS as READ_TURNS
from test_agreement import UNDER_READINGS as READ_PLAIN
from test_agreement import UNUSUAL
from variants import VARIANTS

pytest.importorskip("numba", reason="the kernel is compiled by numba, which is not installed: damspec[fast]")

from damspec.kernel.perft import CompiledRules

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kernel")]  # one process has it compiled

RULESETS = damspec.ruleset_ids()
READ = [*READ_PLAIN, *READ_TURNS]
BY_NAME = {**{f"{name} (unusual)": values for name, values in UNUSUAL.items()}, **VARIANTS}


class Both:
    """The kernel and the generator by the same rules."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.kernel, self.generator = CompiledRules(ruleset.rules), MoveGenerator(ruleset.rules)

    def agree(self, pieces: Pieces, side: int, doors: int) -> None:
        """Fail where they differ."""
        where = self.ruleset.id, self.ruleset.values, pieces, side, doors
        expected = {step[:4] for step in self.generator.steps(pieces, side, doors)}
        found = self.kernel.steps(pieces, side, doors)
        if found is None:  # it may give up where a search has to remember very much, and the reference answers
            assert max(step[2].bit_count() for step in expected) > 8, where
            assert self.kernel.perft(pieces, side, 1) is None
            return
        assert len(found) == len(expected), where
        assert {*found} == expected, where
        if not doors and self.ruleset.turns.plain:
            assert self.kernel.perft(pieces, side, 1) == len(expected), where

    def agree_in(self, position: Position) -> None:
        """The same in a position."""
        self.agree(*to_mover_view(position), open_doors(self.ruleset.rules, position))

    def agree_by_chance(self, chance: random.Random, number: int) -> None:
        """The same in random positions, many of which no game has, with doors open anywhere."""
        board, rules = self.ruleset.rules.board, self.ruleset.rules
        for _ in range(number):
            bits = chance.sample(board.bits, len(board))
            few, all_ = chance.randint(1, 8), chance.randint(1, min(22, len(bits) * 3 // 4))
            in_rows, kings = chance.random() < 0.5, chance.choice((0.0, 0.2, 0.5, 1.0))
            side = chance.randint(0, 1)
            pieces = [0, 0, 0, 0]
            for place, bit in enumerate(bits[:all_]):
                own = board.places[board.number(bit) - 1][1] % 2 == 0 if in_rows else place < few
                enemy_rows = board.nearest_rows(rules.promotion.rows, "black" if own == (side == 0) else "white")
                pieces[2 * (not own) + (chance.random() < kings or bit & enemy_rows != 0)] |= bit
            doors = sum(bits[all_ : all_ + chance.randint(0, 5)]) if rules.trapdoors else 0
            self.agree((pieces[0], pieces[1], pieces[2], pieces[3]), side, doors)


def by_chance(rulesets: Iterable[Ruleset], number: int, start: int) -> None:
    """Random positions of each, as a game can have them and as it cannot."""
    chance = random.Random(start)
    for ruleset in rulesets:
        both = Both(ruleset)
        both.agree_by_chance(chance, number)
        for position, _ in zip(sample_positions(ruleset, chance), range(number // 2), strict=False):
            both.agree_in(position)


def changed(chance: random.Random, ruleset: Ruleset, most: int | None) -> Sequence[Ruleset]:
    """The ruleset with one rule changed, in every way or so many."""
    mutants = [mutant.ruleset for mutant in single_mutants(ruleset)]
    return mutants if most is None else chance.sample(mutants, min(most, len(mutants)))


@pytest.mark.parametrize(
    "ids", [pytest.param(SPREAD, id="spread"), pytest.param(RULESETS, id="all", marks=pytest.mark.slow)]
)
def test_every_position_of_a_case(ids: Sequence[str]) -> None:
    asked = 0
    for ruleset in map(damspec.load_ruleset, ids):
        both = Both(ruleset)
        for case in cases_for(ruleset):
            try:
                both.agree_in(ruleset.position(case.position))
            except DamspecError:  # positions that cannot be read have cases too
                continue
            asked += 1
    assert asked > 1_000


@pytest.mark.parametrize("name", ["international", "lb", "turkish", "fr-trapdoor"])
def test_random_positions(name: str) -> None:
    by_chance([damspec.load_ruleset(name)], 500, 1)


def test_unusual_rules() -> None:
    by_chance([damspec.from_values(values, name) for name, values in BY_NAME.items()], 40, 2)


def test_a_changed_rule() -> None:
    chance = random.Random(3)
    for id in chance.sample(RULESETS, 10):
        by_chance(changed(chance, damspec.load_ruleset(id), 10), 20, chance.randrange(10**9))


@pytest.mark.slow
def test_random_positions_of_every_ruleset_and_reading() -> None:
    by_chance(map(damspec.load_ruleset, [*RULESETS, *READ]), 300, 4)


@pytest.mark.slow
def test_every_change_of_a_rule() -> None:
    chance = random.Random(5)
    for id in RULESETS:
        by_chance(changed(chance, damspec.load_ruleset(id), None), 2, chance.randrange(10**9))


def counted(least: int, most: int) -> None:
    """Published counts of so many nodes, of what the kernel counts, and every turn by it that it can."""
    compared = 0
    for table in load_published().tables:
        right = table.disputed.since if table.disputed else max(table.nodes) + 1
        depths = [depth for depth, nodes in table.nodes.items() if least < nodes <= most and depth < right]
        ruleset = published_rules(table)
        if table.count == "unique" and depths:
            turns = ActionGenerator(ruleset.rules)
            found = count_nodes(turns, ruleset.position(table.position), max(depths), much=0)
            assert found == table.nodes[max(depths)], table.title
            compared += 1
    assert compared > 5


def test_published_counts() -> None:
    counted(10_000, 1_000_000)


@pytest.mark.slow
@pytest.mark.parametrize("table", load_published().tables, ids=lambda table: table.title[:90])
def test_every_published_table_to_a_hundred_million(table: PublishedTable) -> None:
    limit = min((nodes for nodes in table.nodes.values() if nodes >= 10**8), default=10**8)
    assert compare(table, limit).verdict in ("agrees", "argued", "unreached")
