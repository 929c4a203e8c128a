"""Games prepared by compiled code: questions and expectations are the reference's."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

import pytest

import damspec
from damspec import Ruleset
from damspec_runner.engines.serve import HELLO
from damspec_runner.positions.random_games import PLIES
from damspec_runner.positions.sampling import sample_positions
from damspec_runner.verify.exchange import ask_params
from damspec_runner.verify.fuzz import GameSource, GameStart, Script
from runs import ORIGINALS, usually

pytest.importorskip("numba", reason="compiled by numba, which is not installed: damspec[fast]")

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kernel")]  # one process has it compiled


def by_reference(scripts: GameSource, beginning: GameStart) -> Script:
    """The script of a game, ply by ply."""
    game = scripts.play(beginning)
    return Script([exchange for _, exchange in scripts.exchanges(game)], len(game))


def agree(ruleset: Ruleset, number: int, seed: int, *, wants_rules: bool = False, without: str = "") -> int:
    """Compare the scripts of games from the start and from random positions; how many positions these have."""
    hello = replace(HELLO, questions=HELLO.questions - {without}, wants_rules=wants_rules)
    scripts = GameSource(ruleset, hello, ask_params(ruleset, hello), patience=0)
    chance = random.Random(seed)
    origins = [ruleset.position(), *islice(sample_positions(ruleset, chance), number)]
    compared = 0
    for place, position in enumerate(origins):
        beginning = GameStart(position, 20 if place else PLIES, chance.getrandbits(64))
        found = scripts.make_script(beginning)
        assert found[:2] == by_reference(scripts, beginning)[:2]
        compared += found.positions
    return compared


@pytest.mark.parametrize("name", usually((), damspec.ruleset_ids(), ORIGINALS))
def test_a_script_is_what_the_reference_says(name: str) -> None:
    assert agree(damspec.load_ruleset(name), 30, 1) > 200


@pytest.mark.parametrize(
    "values",
    [
        {"capture.duty": "optional"},
        {"capture.duty": "compulsory-for-men"},
        {"king.move.slides": "twice"},
        {"ending.no-moves": "draws", "ending.no-pieces": "wins", "ending.first-king": "wins"},
        {"ending.no-moves": "wins", "ending.draws": ["one-piece-each"], "ending.order": "losses-first"},
        # the code for boards of more than 64 squares takes a quarter of a minute to compile
        pytest.param({"board.squares": "all", "start.men": 3}, marks=pytest.mark.slow),
        pytest.param({"board.size": "14x14", "start.men": 6}, marks=pytest.mark.slow),
        {"king.move.limit": 3},
    ],
)
def test_of_other_rules_too(values: Mapping[str, object]) -> None:
    ruleset = damspec.from_values({**damspec.load_ruleset("international").values, **values})
    assert agree(ruleset, 15, 2) > 50


@pytest.mark.parametrize("without", ["moves", "play", "outcome"])
def test_only_what_is_answered_is_asked(without: str) -> None:
    assert agree(damspec.load_ruleset("english"), 10, 3, without=without) > 50


def test_rules_that_are_sent_whole() -> None:
    """More lines than there is room for at a time."""
    assert agree(damspec.load_ruleset("international"), 3, 4, wants_rules=True) > 50
