"""The search for positions: they tell rulesets apart, none with fewer pieces is missed, a cheap comparison is right."""

from __future__ import annotations

import random
import time
from itertools import combinations, islice

import pytest

import damspec
from damspec import Move, Position, sampling
from damspec_runner.answers.answer_diff import PositionView, PossibleDifferences
from damspec_runner.answers.player import RulePlayer
from damspec_runner.generate.exhaustive import LevelTask, search_level_task
from damspec_runner.generate.goal import (
    Criteria,
    Goal,
    KingSides,
    NothingToFindError,
    SearchGoal,
    prove_nothing_to_find,
)
from damspec_runner.generate.search import PositionSearch
from damspec_runner.generate.suite import build_suite
from damspec_runner.mutants import mutants
from damspec_runner.positions.enumeration import ScatteredOrder, choices, placements, promotion_rows, same_turned_round
from damspec_runner.verify.explain.engine_under_test import filter_differing
from differences import shut, truly_differ
from refusals import refusal
from runner_fixtures import damspec as run
from runs import OFTEN, ORIGINALS, usually

BOARD = damspec.load_ruleset("english").rules.board
SMALL = [id for id in damspec.ruleset_ids() if damspec.load_ruleset(id).rules.board == BOARD]
#: Pairs of rulesets whose answers are the same in every position: by value, and because a piece that steps one square
#: and jumps two never comes near a square on which it has captured.
ALIKE = {
    ("english", "lb"),
    ("fr-trapdoor-american", "nl-trapdoor-american"),
    ("pool", "unified-pool"),
    ("pool", "zimbabwean"),
    ("unified-pool", "zimbabwean"),
}


def wanted(name: str, *others: str, pieces: tuple[int, int] = (1, 12)) -> SearchGoal:
    """Positions of a ruleset that tell it from others."""
    goals = tuple(Goal(other, (damspec.load_ruleset(other),)) for other in others)
    return SearchGoal(damspec.load_ruleset(name), goals, pieces)


# --- telling apart ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pair",
    [
        ("vl", "brazilian"), ("vl", "vl?removal=at-once"), ("vl", "vl?one-each=same-kind"), ("lb", "de"),
        ("de", "de?retracted=free"), ("de", "de?completion=may-stop"), ("vl", "nl-trapdoor"), ("nl-trapdoor", "vl"),
        ("nl-trapdoor", "nl-trapdoor?passing=blocked"), ("nl-trapdoor", "nl-trapdoor-autoclose"),
        ("nl-trapdoor", "nl-trapdoor?blocked=spins"), ("de", "de?king-range=flying-any"),
        ("vl", "vl?king-slides=twice"),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_cheap_comparison_is_right(pair: tuple[str, str]) -> None:
    one, other = map(damspec.load_ruleset, pair)
    players = [RulePlayer(one), RulePlayer(other)]
    drawn = list(islice(sampling.sample_positions(one, random.Random(8), (1, 8)), 250))
    found = set(filter_differing(players, drawn))
    assert found
    for position in drawn:
        fen = shut(position.fen())
        try:
            other.position(fen)
        except damspec.DamspecError:
            assert position not in found
            continue
        assert (position in found) == truly_differ(one, other, position), fen


def test_differing_needs_a_board_in_common() -> None:
    players = [RulePlayer(damspec.load_ruleset(name)) for name in ("vl", "international")]
    assert list(filter_differing(players, [Position.start(players[0].ruleset.rules)])) == []
    start = Position.start(players[0].ruleset.rules)
    assert list(filter_differing([players[0], players[0]], [start])) == []
    russian = RulePlayer(damspec.load_ruleset("russian"))
    assert list(filter_differing([players[0], players[0], russian], [start])) == []
    capture = players[0].ruleset.position("W:W14:BK9,K10,K17,K18")
    assert list(filter_differing([players[0], players[0], russian], [capture])) == [capture]


def test_what_rules_can_differ_in() -> None:
    vl, brazilian, lb, de = map(damspec.load_ruleset, ("vl", "brazilian", "lb", "de"))
    assert PossibleDifferences.between(vl, brazilian) == PossibleDifferences(
        captures=True, quiet=False, turns=False, outcomes=True, beginnings=True, phases=False
    )
    assert PossibleDifferences.between(lb, de).turns
    assert not PossibleDifferences.between(lb, damspec.load_ruleset("english"))
    slow = damspec.from_values({**vl.values, "king.move.reach": 1}, "slow kings")
    assert PossibleDifferences.between(vl, slow) == PossibleDifferences(
        captures=False, quiet=True, turns=False, outcomes=False, beginnings=False, phases=False
    )


#: Pairs of rulesets of every day; a usual run takes those of originals, a thorough one some more.
PAIRS = [pair for pair in combinations(SMALL, 2) if {*pair} <= {*OFTEN}]


@pytest.mark.parametrize(
    "pair", usually([pair for pair in PAIRS if {*pair} <= ORIGINALS], PAIRS, PAIRS[::6]), ids="/".join
)
def test_rulesets_are_told_apart(pair: tuple[str, str]) -> None:
    search = wanted(*pair, pieces=(3, 12) if pair in ALIKE else (1, 12))
    if pair in ALIKE:
        refusal(NothingToFindError, prove_nothing_to_find, search)
        return
    hunt = PositionSearch(search, number=20, seed=4, tries=3_000)
    found = hunt.search()
    assert len({one.position for one in found}) == 20
    one, other = map(damspec.load_ruleset, pair)
    assert all(truly_differ(one, other, position.position) for position in found)


@pytest.mark.slow
@pytest.mark.parametrize("pair", list(combinations(sorted({*SMALL} & ORIGINALS), 2)), ids="/".join)
def test_a_thousand_in_a_minute(pair: tuple[str, str]) -> None:
    if pair in ALIKE:
        return
    for search in (wanted(*pair), wanted(*reversed(pair))):
        began = time.process_time()
        assert len({one.position for one in PositionSearch(search, number=1000).search()}) == 1000
        assert time.process_time() - began < 60


@pytest.mark.slow
@pytest.mark.parametrize("id", ["vl", "de", "lb", "nl-trapdoor"])
def test_every_reading_is_told_apart_or_alike(id: str) -> None:
    """As many positions as wanted for each alternative reading, or none after a long search; seldom all there are."""
    for reading in damspec.load_readings():
        for word, alternative in reading.alternatives.items() if id in reading.rulesets else ():
            other = f"{id}?{reading.key}={word}"
            if not alternative.set or damspec.load_ruleset(other).rules.board != damspec.load_ruleset(id).rules.board:
                continue
            began = time.process_time()
            try:
                found = PositionSearch(prove_nothing_to_find(wanted(id, other, pieces=(0, 12))), number=200).search()
            except NothingToFindError:
                found = []
            assert len(found) in (0, 200) or alternative.set.keys() & {"ending.order"}, other
            assert time.process_time() - began < 60, other


# --- the fewest pieces ------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "other", "pieces"),
    [
        ("vl", "brazilian", 3),  # one piece each is a draw in vl, and the game is over
        ("vl", "vl?king-capture=directly-behind", 3),
        ("vl", "vl?binds=piece", 3),
        ("vl", "vl?arrival=goes-on", 3),
        pytest.param("de", "de?huffed-piece=moved", 3, marks=pytest.mark.slow),
    ],
)
def test_the_fewest_pieces(name: str, other: str, pieces: int) -> None:
    hunt = PositionSearch(wanted(name, other), number=3)
    found = hunt.fewest()
    assert [len(one.position) for one in found] == [pieces] * 3
    assert hunt.proved_below == pieces
    assert sum(one.positions for one in hunt.exhausted) < hunt.tried
    ruleset, changed = damspec.load_ruleset(name), damspec.load_ruleset(other)
    assert all(truly_differ(ruleset, changed, one.position) for one in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rule", "value"),
    [
        pytest.param("brazilian", "king.capture.landing", "behind", marks=pytest.mark.thorough),
        pytest.param("vl", "ending.order", "draws-first", marks=pytest.mark.thorough),
    ],
)
def test_exhausting_misses_nothing(name: str, rule: str, value: str) -> None:
    """All positions with one or two pieces, tried one by one without any cleverness."""
    values = {**damspec.load_ruleset(name).values, "board.size": "6x6", "start.men": 2}
    ruleset, other = (damspec.from_values(each, "small") for each in (values, {**values, rule: value}))
    board = ruleset.rules.board
    rows = board.nearest_rows(1, "black"), board.nearest_rows(1, "white")
    sides: tuple[damspec.Side, ...] = ("white", "black")
    every = [
        {Position(board, *pieces, side) for pieces in placements(board, number, rows) for side in sides}
        for number in (1, 2)
    ]
    over = rule.startswith("ending")
    expected = [
        {
            position
            for position in positions
            if truly_differ(ruleset, other, position) and (over or not damspec.outcome(ruleset, position).is_over)
        }
        for positions in every
    ]
    search = SearchGoal(ruleset, (Goal("", (other,)),), (1, 2))
    assert expected[0] == set() != expected[1]
    assert {one.position for one in PositionSearch(search, number=9_999).fewest()} == expected[1]
    everything = PositionSearch(search)
    assert {one.position for one in everything.enumerate()} == expected[1]
    assert everything.complete
    assert everything.tried == sum(map(len, every))


def test_fewest_found_by_search_alone() -> None:
    hunt = PositionSearch(wanted("vl", "vl?origin=occupied", pieces=(4, 12)), number=2, tries=4000)
    found = hunt.fewest()
    assert {len(one.position) for one in found} == {5}
    assert hunt.proved_below == 4
    assert hunt.exhausted == []


def test_which_games_are_the_same_turned_round() -> None:
    assert same_turned_round(damspec.load_ruleset("vl"))
    assert same_turned_round(damspec.load_ruleset("nl-trapdoor"))
    values = damspec.load_ruleset("vl").values
    assert not same_turned_round(damspec.from_values({**values, "board.size": "8x7", "start.men": 2}))
    trapdoors = damspec.load_ruleset("nl-trapdoor")
    layout = trapdoors.inline_values["trapdoors.layout"]
    moved = {**layout, "sliders": [{**layout["sliders"][0], "left": 13}, *layout["sliders"][1:]]}
    assert not same_turned_round(damspec.from_values({**trapdoors.values, "trapdoors.layout": moved}))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["vl", "nl-trapdoor", "de"])
def test_a_hopeless_placement_is_hopeless_in_every_phase(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    for mutant in islice(mutants.single_mutants(ruleset), 10, 60, 7):
        search = SearchGoal(ruleset, (Goal(mutant.name, (mutant.ruleset,)),), (0, 12))
        if not PossibleDifferences.between(ruleset, mutant.ruleset):
            continue
        for position in islice(sampling.sample_positions(ruleset, random.Random(3), (1, 5)), 150):
            if position.huffable is None and search.is_met(position):
                assert search.may_meet(position)


def test_goals_are_met_together() -> None:
    search = wanted("vl", "brazilian", "russian", "nl-trapdoor")
    for one in PositionSearch(search, number=10).search():
        for other in ("brazilian", "russian", "nl-trapdoor"):
            assert truly_differ(damspec.load_ruleset("vl"), damspec.load_ruleset(other), one.position)


def test_views_answer_alike_for_doors_that_are_shut() -> None:
    plain, doors = (RulePlayer(damspec.load_ruleset(name)) for name in ("brazilian", "nl-trapdoor"))
    position = plain.ruleset.position("W:W26:B23,K1")
    assert PositionView(plain, position).comparable.agrees(PositionView(doors, position).comparable)


# --- criteria ----------------------------------------------------------------------------------


VL = damspec.load_ruleset("vl")


@pytest.mark.parametrize(
    ("fen", "criteria", "expected"),
    [
        ("W:W22,32:B18,4", Criteria((1, 1)), True),  # 22x15
        ("W:W22,32:B18,4", Criteria((2, 9)), False),
        ("W:W22,32:B18,11", Criteria((2, 9)), True),  # 22x15x8
        ("W:W22,32:B18,4", Criteria(quiet=True), False),
        ("W:W22,32:B1,4", Criteria(quiet=True), True),
        ("W:W22,32:B1,4", Criteria(balanced=True), True),
        ("W:WK22,32:B1,4", Criteria(balanced=True), False),  # a king is no man
        ("W:W22,32:B18,4", Criteria(balanced=True), False),  # 22x15
        ("W:W22,32:B1,4", Criteria(best="quiet"), True),
        ("W:W22,32:B18,4", Criteria(best="quiet"), False),
        ("W:W22,32:B18,4", Criteria(best="capture"), True),
        ("W:W6,32:B4,20", Criteria(best="promotion"), True),  # nothing else wins so much as a king
        ("B:WK22,32:B1,4", Criteria(kings=KingSides.WHITE), True),
        ("B:WK22,32:BK1,4", Criteria(kings=KingSides.WHITE), False),
        ("B:WK22,32:BK1,4", Criteria(kings=KingSides.BOTH), True),
        ("B:W22,32:B1,4", Criteria(kings=KingSides.NONE), True),
    ],
)
def test_what_meets_criteria(fen: str, criteria: Criteria, expected: bool) -> None:
    assert SearchGoal(VL, criteria=criteria).is_met(VL.position(fen)) == expected


def test_long_captures_after_which_nobody_is_ahead() -> None:
    goal = SearchGoal(VL, pieces=(8, 12), criteria=Criteria((3, 12), balanced=True))
    search = PositionSearch(goal, number=3)
    assert len(search.search()) == search.apart == 3
    for found in search.positions:
        legal = damspec.legal_moves(VL, found.position)
        assert any(isinstance(move, Move) and len(move.captured) >= 3 for move in legal)
        assert abs(damspec.search(damspec.Game(VL, found.position), depth=4, may_compile=False).score) < 50


def test_huffing_is_asked_for_as_the_best_action() -> None:
    """The piece on 17 could have captured, Black has no capture, and to huff wins it for nothing."""
    ruleset = damspec.load_ruleset("de")
    position = damspec.play(ruleset, "W:W22,32:B1,18", "22-17")
    assert SearchGoal(ruleset, criteria=Criteria(best="huff")).is_met(position)
    assert not SearchGoal(ruleset, criteria=Criteria(best="retract")).is_met(position)


def test_openings_are_apart_and_games_come_to_kings() -> None:
    openings = PositionSearch(SearchGoal(VL, pieces=(1, 24)), number=30)
    assert len(openings.search_games((4, 10))) == openings.apart == 30
    endgames = PositionSearch(SearchGoal(VL, pieces=(1, 24), criteria=Criteria(kings=KingSides.BOTH)), number=3)
    assert len(endgames.search_games()) == 3
    assert all(one.position.kings("white") and one.position.kings("black") for one in endgames.positions)


def test_a_suite_has_every_kind() -> None:
    suite = build_suite(VL, 40)
    assert len(suite.positions) == 40
    assert suite.missing == []
    assert sum(suite.counts.values()) == 40


# --- in shares ---------------------------------------------------------------------------------


@pytest.mark.parametrize("scattered", [False, True])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_parts_of_the_placements_are_the_whole(number: int, scattered: bool) -> None:
    board = damspec.load_ruleset("vl").rules.board
    rows = promotion_rows(damspec.load_ruleset("vl"))
    order = ScatteredOrder.by_chance(board, number, random.Random(5)) if scattered else None
    whole = [*placements(board, number, rows, order)]
    every, size = choices(board, number, order), 37
    parts = [(first, min(first + size, every)) for first in range(0, every, size)]
    assert [one for part in parts for one in placements(board, number, rows, order, part)] == whole
    assert sorted(whole) == sorted(placements(board, number, rows))
    assert len({*whole}) == len(whole)


@pytest.mark.thorough
def test_a_share_says_what_was_tried_and_which_is_wanted() -> None:
    """Half by half, and whole; what is wanted is told apart by the two rulesets."""
    vl, brazilian = damspec.load_ruleset("vl"), damspec.load_ruleset("brazilian")
    goal = SearchGoal(vl, (Goal("brazilian", (brazilian,)),))
    every = choices(vl.rules.board, 2)
    halves = [
        search_level_task(LevelTask(goal, 2, ("white",), None, None, part))
        for part in ((0, every // 2), (every // 2, every))
    ]
    whole = search_level_task(LevelTask(goal, 2, ("white",), None, None, (0, every)))
    assert whole["tried"] == sum(half["tried"] for half in halves)
    later = [[place + halves[0]["tried"], fen] for place, fen in halves[1]["wanted"]]
    assert whole["wanted"] == [*halves[0]["wanted"], *later]
    for _, fen in whole["wanted"]:
        assert [*damspec.legal_moves(vl, fen)] != [*damspec.legal_moves(brazilian, fen)]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "words",
    [
        ("lb", "--exercise", "king.capture.reach", "--all", "--pieces", "2"),
        ("de", "--exercise", "huff.offence", "--minimal", "-n", "3"),
    ],
    ids=" ".join,
)
def test_processes_find_the_same(words: tuple[str, ...]) -> None:
    one, two = (run("generate", *words, "--format", "fen", "-j", jobs) for jobs in "12")
    assert (one.status, one.out, one.err) == (two.status, two.out, two.err)
    assert one.status == 0
