"""Faults of turns: each on a position worked out by hand; searches without a fault are right."""

from __future__ import annotations

import pytest

import damspec
from damspec_runner.answers.player import RulePlayer
from damspec_runner.cases.cases import cases_for
from damspec_runner.mutants.capture_faults import JumpSearch
from damspec_runner.mutants.fault_catalogue import CachedGenerator, Fault, FaultyGenerator, faults
from damspec_runner.mutants.mutants import further, single_mutants
from runs import ORIGINALS, for_each, usually

every_ruleset = pytest.mark.parametrize("name", usually(ORIGINALS, damspec.ruleset_ids(), ("frisian",)))


def fault(name: str, says: str) -> Fault:
    """The fault of a ruleset that goes by these words."""
    return next(each for each in faults(damspec.load_ruleset(name), "further", "outcomes") if each.name == says)


def player(name: str, says: str) -> RulePlayer:
    """An engine with a fault."""
    ruleset = damspec.load_ruleset(name)
    return RulePlayer(ruleset, fault(name, says).turns(CachedGenerator(ruleset.turns)))


@for_each(
    ("name", "says", "position", "right", "listed"),
    [
        # 32 takes two, 45 one
        (
            "international", "chooses the best captures of each piece by itself",
            "W:W32,45:B28,19,40", "32x23x14", "32x23x14 45x34",
        ),
        (
            "international", "chooses the best captures of each kind of piece by itself",
            "W:W32,K46:B28,19,41", "32x23x14", "32x23x14 46x37",
        ),
        (
            "international", "chooses the best captures of each kind of piece by itself",
            "W:W32,45:B28,19,40", "32x23x14", "32x23x14",
        ),
        # a king and a man, or a man
        (
            "international", "does not count captured kings where the number of captured pieces decides",
            "W:W32,45:BK28,19,40", "32x23x14", "32x23x14 45x34",
        ),
        (
            "international", "counts 2 captured pieces as none, and one more as one, where their number decides",
            "W:W32,45:B28,19,40", "32x23x14", "45x34",
        ),
        (
            "international", "counts more than 2 captured pieces as 2 where their number decides",
            "W:W32,48:B28,19,9,43,34", "32x23x14x3", "32x23x14x3 48x39x30",
        ),
        (
            "international", "prefers captures with the fewest pieces where the rules want the most",
            "W:W32,45:B28,19,40", "32x23x14", "45x34",
        ),
        # a king before a man, or after it
        (
            "italian", "prefers captures with the kings latest where the rules want them earliest",
            "W:WK22:B10,K12,K18,19", "22x13x6", "22x15x8",
        ),
        (
            "brazilian", "lets no jump of men and kings land on the edge of the board",
            "W:W12,22:B8,18", "12x3 22x15", "22x15",
        ),
        (
            "international", "ends a king's capture only directly behind the last piece",
            "W:WK46:B32", "46x5 46x10 46x14 46x19 46x23 46x28", "46x28",
        ),
        # from 14 the king takes 7, which is not next to it
        (
            "russian", "looks only at pieces next to a square for whether a king that lands there can go on",
            "B:W7,23:BK32", "32x14x3", "32x5 32x9 32x14x3 32x18",
        ),
        # 32 is three steps from 46: the king goes up to it as if there were nothing to capture
        (
            "international", "looks at most 2 steps away for pieces that a king can capture",
            "W:WK46:B32", "46x5 46x10 46x14 46x19 46x23 46x28", "46-37 46-41",
        ),
        (
            "international", "looks at most 3 steps behind a piece for squares where a king that captures it can land",
            "W:WK46:B41", "46x5 46x10 46x14 46x19 46x23 46x28 46x32 46x37", "46x28 46x32 46x37",
        ),
        # crowned on 3; 14 is far from there
        (
            "russian",
            "lets a man crowned within a capture go on only over pieces next to it, to the squares behind them",
            "W:W12:B8,14", "12x3x17 12x3x21", "12x3",
        ),
        (
            "turkish",
            "lets a capturing king turn straight back, and never go against the direction of its first jump",
            "W:WK4:B6,23,29", "4x7x31x25 4x7x31x26 4x7x31x27 4x7x31x28", "4x7x31 4x7x39 4x7x47 4x7x55 4x7x63",
        ),
        (
            "frisian", "knows no limit of a king's moves in a row",
            "W:W37,K46:B45:+0+346", "37-31 37-32", "37-31 37-32 46-41",
        ),
    ],
)  # fmt: skip
def test_what_is_listed(name: str, says: str, position: str, right: str, listed: str) -> None:
    ruleset = damspec.load_ruleset(name)
    assert " ".join(map(str, damspec.legal_moves(ruleset, position))) == right
    assert " ".join(map(str, player(name, says).actions(ruleset.position(position)))) == listed


def test_a_king_looks_in_one_direction() -> None:
    """Over 15 and over 14 it can capture: the one that comes first in the order is all that it finds."""
    for order, listed in (
        ("forward-left, forward-right, backward-left, backward-right", "18x5 18x9"),
        ("forward-right, forward-left, backward-left, backward-right", "18x4 18x8 18x11"),
    ):
        says = f"lets kings capture only in the first direction in which they can, by White's {order}"
        position = damspec.load_ruleset("brazilian").position("W:WK18:B14,15")
        assert " ".join(map(str, player("brazilian", says).actions(position))) == listed


@pytest.mark.parametrize(
    ("where", "position", "move", "after"),
    [
        # 32 is the third square from 46, 19 the sixth, 14 the seventh
        ("in the middle of the jump", "W:WK46:B32", "46x19", "B:WK19:B"),
        ("in the middle of the jump", "W:WK46:B32", "46x14", "B:WK14:B32"),
        ("next to where the jump begins", "W:WK46:B41", "46x14", "B:WK14:B"),
        ("next to where the jump begins", "W:WK46:B32", "46x14", "B:WK14:B32"),
        ("next to where the jump ends", "W:WK46:B32", "46x28", "B:WK28:B"),
        ("next to where the jump ends", "W:WK46:B32", "46x23", "B:WK23:B32"),
    ],
)
def test_where_a_captured_piece_is_looked_for(where: str, position: str, move: str, after: str) -> None:
    engine = player("international", f"takes a captured piece off the board only if it stands {where}")
    before = engine.parse_position(position)
    (found,) = [each for each in engine.actions(before) if str(each) == move]
    assert engine.turns.after(before, found).fen() == after


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
    engine = player(name, says)
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
    engines = RulePlayer(damspec.load_ruleset("russian")), player("russian", says)
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
    fault = next(each for each in faults(SHORT_DRAWS, "outcomes") if each.name == says)
    engines = RulePlayer(SHORT_DRAWS), RulePlayer(SHORT_DRAWS, fault.turns(SHORT_DRAWS.turns))
    assert [stands(each, position, moves.split()) for each in engines] == [right, wrong]


def test_a_repetition_that_leaves_out_the_first_position() -> None:
    says = "leaves out the first position where repetitions are counted"
    engine, right = player("english", says), RulePlayer(damspec.load_ruleset("english"))
    cycle = ["32-28", "1-5", "28-32", "5-1"]
    assert [stands(each, "W:WK32:BK1", 2 * cycle) for each in (right, engine)] == ["draw", "ongoing"]
    assert stands(engine, "W:WK32:BK1", 3 * cycle) == "draw"
    assert stands(engine, "W:WK32:BK1", ["32-27", "1-6", *2 * ["27-32", "6-1", "32-27", "1-6"]]) == "draw"


def test_moves_of_men_that_count_among_those_of_kings() -> None:
    says = "counts moves of men among the moves of kings alone"
    ruleset = damspec.load_ruleset("english").with_value("draws.king-moves", 3).with_value("draws.repetition", 9)
    says_so = next(each for each in faults(ruleset, "outcomes") if each.name == says)
    engine, right = RulePlayer(ruleset, says_so.turns(ruleset.turns)), RulePlayer(ruleset)
    moves = ["32-28", "1-5", "21-17", "5-1", "28-32", "1-5"]
    assert [stands(each, "W:WK32,21:BK1,2", moves) for each in (right, engine)] == ["ongoing", "draw"]
    assert stands(engine, "W:WK32,21:BK1,2", moves[:5]) == "ongoing"


# --- the whole list


@every_ruleset
def test_captures_found_anew_are_the_right_ones(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    other = FaultyGenerator(ruleset.turns, {"captures": lambda v, turns: JumpSearch(turns.rules).find})
    for position in dict.fromkeys(ruleset.position(case.position) for case in cases_for(ruleset)):
        assert other.actions(position) == ruleset.turns.actions(position), position.fen()


@every_ruleset
def test_further_faults_have_names_of_their_own(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    names = [each.name for each in faults(ruleset, "faults", "further", "outcomes")]
    assert len(set(names)) == len(names)


@every_ruleset
def test_further_changes_are_none_of_the_others(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    found = further(ruleset)
    assert {mutant.name for mutant in found}.isdisjoint(mutant.name for mutant in single_mutants(ruleset))
    assert all(mutant.values != ruleset.values for mutant in found)
    assert ruleset.values["start.men"] == 1 or "start.men = 1" in {mutant.name for mutant in found}
