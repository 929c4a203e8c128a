"""Faults in how a game stands: each on a position worked out by hand."""

from __future__ import annotations

import pytest

import damspec
from damspec import Ruleset
from damspec_runner.answers.player import RulePlayer
from damspec_runner.mutants.fault_catalogue import CachedGenerator, faults
from damspec_runner.mutants.mutants import diagnosis_mutants, single_mutants
from runs import ORIGINALS, for_each, usually

every_ruleset = pytest.mark.parametrize("name", usually(ORIGINALS, damspec.ruleset_ids(), ("frisian",)))


def player(ruleset: Ruleset, says: str) -> RulePlayer:
    """An engine with a fault."""
    wrong = next(each for each in faults(ruleset, "explained", "outcomes") if each.name == says)
    return RulePlayer(ruleset, wrong.turns(CachedGenerator(ruleset.turns)))


def test_a_limit_that_is_not_known() -> None:
    frisian = damspec.load_ruleset("frisian")
    position = frisian.position("W:W37,K46:B45:+0+346")
    assert " ".join(map(str, frisian.turns.actions(position))) == "37-31 37-32"
    engine = player(frisian, "knows no limit of a king's moves in a row")
    assert " ".join(map(str, engine.actions(position))) == "37-31 37-32 46-41"


# --- how a game stands


@pytest.mark.parametrize(
    ("name", "says", "position", "outcome"),
    [
        ("vl", "draws one piece on each side only if both are kings", "W:W30:BK1", "ongoing"),
        ("vl", "draws one piece on each side only if both are kings", "W:WK30:BK1", "draw"),
        ("vl", "draws one piece on each side only if both are men", "W:WK30:BK1", "ongoing"),
        ("frisian", "draws the endings that are drawn after some moves as soon as they arise", "W:WK46:BK4", "draw"),
        (
            "frisian", "draws the endings that are drawn after some moves as soon as they arise",
            "W:WK46:BK4,5,10", "ongoing",
        ),
        # Black's man on 5 is shut in, and White's on 5 and 13 are not; without a piece Black has lost all the same
        ("english", "ends the game when a side cannot move although it is not its turn", "W:W9,14:B5", "white"),
        ("english", "ends the game when a side cannot move although it is not its turn", "W:W9,14:B5,12", "ongoing"),
        ("poddavki", "ends the game when a side cannot move although it is not its turn", "W:W9,14:B5", "black"),
    ],
)  # fmt: skip
def test_how_a_game_stands_in_a_position(name: str, says: str, position: str, outcome: str) -> None:
    engine = player(damspec.load_ruleset(name), says)
    assert engine.outcome(engine.parse_position(position)) == outcome


def stands(engine: RulePlayer, position: str, moves: list[str]) -> str:
    game = damspec.Game(engine.ruleset, position)
    positions = [game.position, *map(game.push, moves)]
    return engine.outcome_after(positions, game.history)


#: Once round, and once round by another way.
ROUND, ROUND_AGAIN = ["29-25", "1-28", "25-29", "28-1"], ["29-22", "1-6", "22-25", "6-10", "25-29", "10-1"]


@for_each(
    ("says", "position", "moves", "right", "wrong"),
    [
        ("counts repetitions of the first position only", "W:WK29,K20:BK1,K3", 2 * ROUND, "draw", "draw"),
        # the position after 20-11 stands for the third time; a black king on 3 is not in the way
        ("counts repetitions of the first position only", "B:WK29,K20:BK1,K3", ["3-12", *2 * ROUND], "draw", "ongoing"),
        # ten moves
        ("looks for repetitions among the last eight moves only", "W:WK29,K20:BK1,K3", 2 * ROUND, "draw", "draw"),
        (
            "looks for repetitions among the last eight moves only",
            "W:WK29,K20:BK1,K3", [*ROUND, *ROUND_AGAIN], "draw", "ongoing",
        ),
        # the last time it is Black's turn
        (
            "takes a position for repeated when only the side to move differs",
            "W:WK29,K20:BK1,K3", [*ROUND, "29-25", "1-28", "25-22", "28-1", "22-29"], "ongoing", "draw",
        ),
        # the man on 5 is crowned on 1 and comes back to it
        (
            "takes a position for repeated when only the kind of a piece differs",
            "W:W5,K20:BK28,K3", ["5-1", "3-12", "1-5", "12-3", "5-1", "3-12", "1-5", "12-3"], "ongoing", "draw",
        ),
    ],
)  # fmt: skip
def test_repetitions(says: str, position: str, moves: list[str], right: str, wrong: str) -> None:
    russian = damspec.load_ruleset("russian")
    engines = RulePlayer(russian), player(russian, says)
    assert [stands(each, position, moves) for each in engines] == [right, wrong]


#: Draws after fewer moves than in any game, so that they can be counted here.
SHORT_DRAWS = (
    damspec.load_ruleset("international")
    .with_value("draws.repetition", 9)
    .with_value("draws.king-moves", 4)
    .with_value("draws.endings", {"KKvK KMvK": 2})
    .with_value("draws.main-road", {"KKKvK": 2})
)


@for_each(
    ("says", "position", "moves", "right", "wrong"),
    [
        # White's man moves on its second move: four moves with kings, and another one
        (
            "goes on counting moves of kings alone after a move of a man",
            "W:WK46,48:BK4,K15", "46-41 4-9 48-43 9-4 41-46 4-9 46-41 9-4 41-46 4-9", "ongoing", "draw",
        ),
        # four moves of White with that of the man
        (
            "counts moves of men among the moves of kings alone",
            "W:WK46,48:BK4,K15", "46-41 4-9 48-43 9-4 41-46 4-9 46-41 9-4", "ongoing", "draw",
        ),
        # two kings against one since 46x5: two moves of Black, one of White, which has made one before too
        (
            "goes on counting moves of an ending after a capture",
            "W:WK46,K6:B13,K4", "6-1 13-19 46x5 4-9 1-6 9-4", "ongoing", "draw",
        ),
        (
            "counts a capture itself among the moves of an ending that begin with it",
            "W:WK46,K6:B19,K4", "46x5 4-9 6-1 9-4", "ongoing", "draw",
        ),
        # a king and a man against a king since 7-1
        (
            "goes on counting moves of an ending after a promotion",
            "W:W12,48:BK15", "12-7 15-20 7-1 20-15 1-6 15-20", "ongoing", "draw",
        ),
        (
            "counts a promotion itself among the moves of an ending that begin with it",
            "W:W7,48:BK15", "7-1 15-20 1-6 20-15", "ongoing", "draw",
        ),
        # two moves of each side, White's second with the man; then its first, which crowns it
        (
            "begins to count moves of an ending again after a move of a man",
            "W:WK6,48:BK15", "6-1 15-20 48-43 20-15", "draw", "ongoing",
        ),
        (
            "begins to count moves of an ending again after a promotion",
            "W:WK6,7:BK15", "7-1 15-20 6-11 20-15", "draw", "ongoing",
        ),
        # four moves of White, three of Black
        (
            "counts moves of kings alone of white only",
            "W:WK46,48:BK4,K15", "46-41 4-9 41-46 9-4 46-41 4-9 41-46", "ongoing", "draw",
        ),
        (
            "counts moves of kings alone of black only",
            "W:WK46,48:BK4,K15", "46-41 4-9 41-46 9-4 46-41 4-9 41-46", "ongoing", "ongoing",
        ),
        (
            "counts moves of an ending only where white is the stronger side",
            "W:WK6,48:BK15", "6-1 15-20 1-6 20-15", "draw", "draw",
        ),
        (
            "counts moves of an ending only where black is the stronger side",
            "W:WK6,48:BK15", "6-1 15-20 1-6 20-15", "draw", "ongoing",
        ),
        # on 37 the king is on the main road: one move of Black since, and one before
        (
            "goes on counting moves on the main road after a move onto the main road",
            "B:WK6,K16,K35:BK47", "47-42 6-1 42-37 1-6 37-41 6-1", "ongoing", "draw",
        ),
    ],
)  # fmt: skip
def test_counts_of_moves(says: str, position: str, moves: str, right: str, wrong: str) -> None:
    engines = RulePlayer(SHORT_DRAWS), player(SHORT_DRAWS, says)
    assert [stands(each, position, moves.split()) for each in engines] == [right, wrong]


def test_a_repetition_that_leaves_out_the_first_position() -> None:
    says = "leaves out the first position where repetitions are counted"
    english = damspec.load_ruleset("english")
    engine, right = player(english, says), RulePlayer(english)
    cycle = ["32-28", "1-5", "28-32", "5-1"]
    assert [stands(each, "W:WK32:BK1", 2 * cycle) for each in (right, engine)] == ["draw", "ongoing"]
    assert stands(engine, "W:WK32:BK1", 3 * cycle) == "draw"
    assert stands(engine, "W:WK32:BK1", ["32-27", "1-6", *2 * ["27-32", "6-1", "32-27", "1-6"]]) == "draw"


# --- the whole list


@every_ruleset
def test_faults_of_all_parts_have_names_of_their_own(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    names = [each.name for each in faults(ruleset, "faults", "explained", "outcomes")]
    assert len(set(names)) == len(names)


@every_ruleset
def test_further_changes_are_none_of_the_others(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    found = diagnosis_mutants(ruleset)
    assert {mutant.name for mutant in found}.isdisjoint(mutant.name for mutant in single_mutants(ruleset))
    assert all(mutant.values != ruleset.values for mutant in found)
    assert ruleset.values["start.men"] == 1 or "start.men = 1" in {mutant.name for mutant in found}
