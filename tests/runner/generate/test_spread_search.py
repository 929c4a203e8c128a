"""All positions there are, tried in shares: the same is found in the same order, however they are spread."""

from __future__ import annotations

import random

import pytest

import damspec
from damspec_runner.generate.exhaustive import LevelTask, search_level_task
from damspec_runner.generate.goal import Goal, SearchGoal
from damspec_runner.positions.enumeration import ScatteredOrder, choices, placements, promotion_rows
from runner_fixtures import damspec as command


@pytest.mark.parametrize("scattered", [False, True])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_parts_of_the_placements_are_the_whole(number: int, scattered: bool) -> None:
    board = damspec.load_ruleset("vl").rules.board
    heads = promotion_rows(damspec.load_ruleset("vl"))
    order = ScatteredOrder.by_chance(board, number, random.Random(5)) if scattered else None
    whole = [*placements(board, number, heads, order)]
    every, size = choices(board, number, order), 37
    parts = [(first, min(first + size, every)) for first in range(0, every, size)]
    assert [one for part in parts for one in placements(board, number, heads, order, part)] == whole
    assert sorted(whole) == sorted(placements(board, number, heads))
    assert len({*whole}) == len(whole)


@pytest.mark.thorough
def test_a_share_says_what_was_tried_and_which_is_wanted() -> None:
    """Half by half, and whole; what is wanted is told apart by the two rulesets."""
    vl, brazilian = damspec.load_ruleset("vl"), damspec.load_ruleset("brazilian")
    wanted = SearchGoal(vl, (Goal("brazilian", (brazilian,)),))
    every = choices(vl.rules.board, 2)
    halves = [
        search_level_task(LevelTask(wanted, 2, ("white",), None, None, part))
        for part in ((0, every // 2), (every // 2, every))
    ]
    whole = search_level_task(LevelTask(wanted, 2, ("white",), None, None, (0, every)))
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
    one, two = (command("generate", *words, "--format", "fen", "-j", jobs) for jobs in "12")
    assert (one.status, one.out, one.err) == (two.status, two.out, two.err)
    assert one.status == 0
