"""Which positions no game comes to, by what the rules make certain."""

from __future__ import annotations

import random

import pytest

import damspec
from damspec.validity import may_be_reached
from damspec_runner.positions.random_games import play_random_game
from runs import ORIGINALS, for_each, usually

#: The men of English draughts at the start, where Black begins.
WHITE, BLACK = ",".join(map(str, range(21, 33))), ",".join(map(str, range(1, 13)))


@for_each(
    ("name", "fen", "expected"),
    [
        ("english", f"B:W{WHITE}:B{BLACK}", True),
        ("english", f"W:W{WHITE}:B{BLACK}", False),  # no man of Black has moved
        ("english", f"W:W21:B{BLACK},13", False),  # thirteen men
        # Whoever moved last has a piece; the side to move may have lost its last one.
        ("english", "B:W:BK29", False),
        ("international", "W:W43:B", False),
        ("english", "W:W:BK29", True),
        # On its own first row a man has come from nowhere, but by capturing backward: over 42 or 43 to 48.
        ("english", "B:W29:B1", False),
        ("english", "B:W25:B1", True),
        ("english", "B:WK29:B1", True),
        ("international", "B:W48:B1", True),
        ("international", "B:W48:B1,42,43", False),
        ("international", "B:W48:B1,37,39", False),
        # A huff may take the last piece and keep the turn, and a door may swallow it.
        ("de", "B:W:BK29", True),
        ("de?huff-turn=spent", "B:W:BK29", False),
        ("nl-trapdoor", "B:W:BK29", True),
        # The first king has won: it is the last mover's, and the only one.
        ("english+breakthrough", "B:WK1,20:B21", True),
        ("english+breakthrough", "B:WK1,K2:B21", False),
        ("english+breakthrough", "W:WK1,20:B21", False),
        # One piece alone loses: so it did before it moved.
        ("ghanaian", "B:WK30:B5,6", False),
        ("ghanaian", "W:WK30:BK5,6", True),
    ],
)
def test_what_a_game_may_come_to(name: str, fen: str, expected: bool) -> None:
    ruleset = damspec.load_ruleset(name)
    assert may_be_reached(ruleset.turns, ruleset.position(fen)) is expected


@pytest.mark.parametrize("name", usually({*ORIGINALS, "ghanaian", "english+breakthrough"}, damspec.ruleset_ids()))
def test_every_position_of_a_game_may_be_reached(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    for seed in range(5):
        for ply in play_random_game(ruleset, random.Random(seed), ruleset.position(), 150):
            assert may_be_reached(ruleset.turns, ply.position), ply.position.fen()
