"""Which positions are distinct: by hand, and searches find such ones, in games too."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest

import damspec
from annotated_positions import played
from damspec import Position, Ruleset, sampling
from damspec.validity import material
from damspec_runner.commands.generate_goal import SearchOptions, goal_from_options
from damspec_runner.generate.diversity import DistinctPositions, count_changes, least_distance
from damspec_runner.generate.goal import FoundPosition, Goal, NothingToFindError, SearchGoal, prove_nothing_to_find
from damspec_runner.generate.search import PositionSearch
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.mutants.ruleset_diff import begins, places_pieces
from damspec_runner.positions.enumeration import same_reflected, same_turned_round
from damspec_runner.positions.random_games import TurnPlayout
from runner_fixtures import damspec as run
from runs import SPREAD, for_each

VL = damspec.load_ruleset("vl")
#: `vl` on a board of which every square is played on, numbered 1 to 64: it is the same with left and right exchanged.
EVERY_SQUARE = damspec.from_values({**VL.values, "board.squares": "all"}, "every square")
LEFT_HANDED = damspec.from_values({**EVERY_SQUARE.values, "man.move.directions": ["forward-left"]}, "left-handed")


def exercising(ruleset: Ruleset, *rules: str) -> SearchGoal:
    """Positions that depend on each of some rules."""
    mutants = single_mutants(ruleset)
    goals = (Goal(rule, tuple(one.ruleset for one in mutants if one.rules_changed == (rule,)), rule) for rule in rules)
    return SearchGoal(ruleset, tuple(goals))


def test_how_many_pieces_have_to_differ() -> None:
    # Three, and a third; all of fewer than three.
    numbers = {1: 1, 2: 2, 3: 3, 4: 3, 9: 3, 10: 4, 12: 4, 13: 5, 40: 14}
    assert {pieces: least_distance(pieces) for pieces in numbers} == numbers


@for_each(
    ("one", "other", "apart"),
    [
        ("W:W21,22,23:B5", "W:W21,22,23:B6", False),  # one piece elsewhere
        ("W:W21,22,23:B5", "W:W21,26,27:B6", True),  # three pieces elsewhere
        ("W:W21,22,23:B5", "W:WK21,K22,K23:B5", True),  # three pieces of another kind
        ("W:W21,22,23:B5", "W:W21,22:B", False),  # two taken off
        ("W:W21,22,23:B5", "W:W21:B", True),  # three taken off
        ("W:W21,22,23:B5", "B:W21,22,23:B5", False),  # only the side to move is another
        ("W:W21,22,23:B5", "B:W28:B10,11,12", False),  # the same, turned round
        ("W:W21,22,23:B5", "B:W27:B10,11,13", False),  # turned round, two pieces elsewhere
        ("W:WK1:BK9", "W:WK1:BK10", False),
        ("W:WK1:BK9", "W:WK2:BK10", True),  # all of two
        # of twelve, four have to differ: here three are elsewhere
        ("W:W21,22,23,24,25,26:B1,2,3,4,5,6", "W:W21,22,23,24,25,30:B1,2,3,4,9,10", False),
        ("W:W21,22,23,24,25,26:B1,2,3,4,5,6", "W:W21,22,23,24,29,30:B1,2,3,4,9,10", True),
    ],
)
def test_apart(one: str, other: str, apart: bool) -> None:
    for first, second in ((one, other), (other, one)):
        found = DistinctPositions(VL)
        assert found.add(FoundPosition(VL.position(first)))
        assert found.would_be_apart(VL.position(second)) == apart
        assert found.add(FoundPosition(VL.position(second))) == apart
        assert (len(found.apart), len(found)) == (1 + apart, 2)
        assert not found.add(FoundPosition(VL.position(second)))
        assert len(found) == 2


def test_left_and_right_are_the_same_where_the_rules_are() -> None:
    assert (same_reflected(EVERY_SQUARE), same_reflected(LEFT_HANDED), same_reflected(VL)) == (True, False, False)
    assert same_turned_round(EVERY_SQUARE)
    for ruleset, apart in ((EVERY_SQUARE, False), (LEFT_HANDED, True)):
        found = DistinctPositions(ruleset)
        found.add(FoundPosition(ruleset.position("W:W57,58,59:B9")))
        assert found.would_be_apart(ruleset.position("W:W62,63,64:B16")) == apart
        assert found.would_be_apart(ruleset.position("W:W49:B1,2,3")) == apart  # turned round as well: colours change
        assert not found.would_be_apart(ruleset.position("B:W56:B6,7,8"))  # turned round alone


@pytest.mark.thorough
@pytest.mark.parametrize("ruleset", [VL, EVERY_SQUARE, LEFT_HANDED], ids=lambda ruleset: ruleset.id)
def test_those_compared_are_all_that_can_be_near(ruleset: Ruleset) -> None:
    """Of 400 random positions with few pieces the same are apart as if each was compared with each."""

    def standing(position: Position, turned: bool, reflected: bool) -> set[tuple[object, ...]]:
        last = ruleset.rules.board.columns - 1

        def place(square: int) -> tuple[int, int]:
            column, row = ruleset.rules.board.places[square - 1]
            column = last - column if turned != reflected else column
            return column, last - row if turned else row

        return {(place(square), (piece.side == "white") != turned, piece.kind) for square, piece in position.pieces()}

    ways = [(turned, reflected) for turned in (False, True) for reflected in {False, same_reflected(ruleset)}]
    found, kept = DistinctPositions(ruleset), list[Position]()
    for position in islice(sampling.sample_positions(ruleset, random.Random(4), (1, 4)), 400):
        if position in found:
            continue
        apart = all(
            max(len(one), len(position)) - len(standing(one, False, False) & standing(position, *way))
            >= least_distance(max(len(one), len(position)))
            for one in kept
            for way in ways
        )
        assert found.add(FoundPosition(position)) == apart
        kept += [position] if apart else []
    assert 20 < len(kept) < 300


# --- the search -------------------------------------------------------------------------------


def test_positions_are_apart_ongoing_and_of_a_game() -> None:
    search = PositionSearch(exercising(VL, "man.move.directions"), number=60)
    assert len(search.search()) == search.apart == 60
    assert not any(damspec.outcome(VL, one.position).is_over for one in search.positions)
    few = damspec.from_values({**VL.values, "start.men": {"white": [29, 30, 31], "black": [1, 2]}}, "few")
    assert material(few.rules) == (3, 2)
    crowded = PositionSearch(SearchGoal(few, pieces=(4, 5)), number=30)
    positions = [one.position for one in crowded.search()]
    pieces = {(each.occupied("white").bit_count(), each.occupied("black").bit_count()) for each in positions}
    assert pieces == {(3, 1), (2, 2), (3, 2)}


@pytest.mark.parametrize("number", [12, pytest.param(50, marks=pytest.mark.thorough)])
def test_a_rare_goal_returns_no_near_copies(number: int) -> None:
    """Three rules at once: it was two clusters of fifty."""
    search = PositionSearch(
        exercising(VL, "capture.origin", "promotion.mid-capture", "promotion.return"), number=number
    )
    assert len(search.search()) == search.apart == number


@pytest.mark.thorough
def test_a_rare_rule_returns_few_near_copies() -> None:
    """It was 59 clusters of 300."""
    search = PositionSearch(exercising(damspec.load_ruleset("international"), "promotion.return"), number=300)
    assert len(search.search()) == 300
    assert search.apart > 250


@pytest.mark.thorough
def test_where_few_are_apart_the_others_follow_and_it_is_said() -> None:
    """One piece each is drawn in `vl`, and no more than a few dozen of such positions have nothing in common."""
    ran = run("generate", "vl", "--exercise", "ending.draws", "-n", "80", "--format", "fen")
    assert ran.status == 0
    apart = int(ran.err.removeprefix("80 positions, ").split()[0])
    assert 20 <= apart <= 64  # of 128 pieces on squares each takes two
    found = DistinctPositions(VL)
    assert [found.add(FoundPosition(VL.position(fen))) for fen in ran.out.splitlines()] == [True] * apart + [False] * (
        80 - apart
    )


def test_openings_with_a_spinner_are_apart_though_spins_are_plies() -> None:
    """A piece moves or a slider is pushed in every second ply, so a third of six plies can differ, not of twelve."""
    ruleset = damspec.load_ruleset("nl-trapdoor")
    assert count_changes([damspec.Spin("disc"), damspec.SliderPush("G1", "L"), damspec.Pass()]) == 2
    search = PositionSearch(SearchGoal(ruleset, pieces=(1, 24)), number=60)
    assert len(search.search_games((4, 12))) == search.apart == 60


def test_random_games_with_a_spinner_come_to_kings_on_both_sides() -> None:
    """With every result of the spinner as likely, none of thirty games does."""
    play = TurnPlayout(damspec.load_ruleset("nl-trapdoor"), random.Random(0))
    states = [state for _ in range(40) for state in play.line(150).states]
    assert any(state.white_kings and state.black_kings for state in states)


def test_the_smallest_are_seeded_and_apart() -> None:
    def smallest(seed: int) -> list[str]:
        search = PositionSearch(exercising(damspec.load_ruleset("lb"), "king.capture.reach"), number=6, seed=seed)
        found = [one.position.fen() for one in search.fewest()]
        assert (search.apart, search.proved_below) == (6, 2)
        return found

    assert smallest(3) == smallest(3) != smallest(4)


# --- games ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "each"), [("vl", 1), ("vl", 3), ("de", 1), ("nl-trapdoor", 2)])
def test_games_few_of_each_in_a_window(name: str, each: int) -> None:
    ruleset = damspec.load_ruleset(name)
    search = PositionSearch(SearchGoal(ruleset, pieces=(1, 24)), number=12)
    found = search.search_games((20, 70), each)
    assert len(found) == search.apart == 12
    for one in found:
        assert played(ruleset, *(one.game or ())).position == one.position
        assert 20 <= len(one.game or ()) <= 70
    # What games begin with is another in each.
    assert max(Counter((one.game or ())[:15] for one in found).values()) <= each
    plies = sorted(len(one.game or ()) for one in found)
    assert plies[-1] - plies[0] > 15


def test_games_that_reach_what_is_rare() -> None:
    search = PositionSearch(exercising(VL, "capture.binds"), number=5)
    for one in search.search_games():
        assert played(VL, *(one.game or ())).position == one.position
        assert search.goal.is_met(one.position)
    assert search.apart == 5


# --- of every rule -----------------------------------------------------------------------------


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
        search = PositionSearch(asked, number=1_000)
        found = [one.position for one in search.search()]
        assert len(set(found)) == len(found)
        if max(map(len, found)) <= 2:  # what shows with one piece each, or none: so few of these have nothing in common
            assert 1 <= search.apart < 64, rule
        else:
            assert len(found) == 1_000, rule
            assert search.apart >= 300, rule
        assert asked.wants_finished or not any(damspec.outcome(ruleset, one).is_over for one in found), rule
