"""Solved positions against a solver in plain Python that shares nothing with it: the moves and the ends of games are
those of the naive generator, the values are found by going over a table of all positions again and again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, count, product
from pathlib import Path
from typing import Any

import pytest

import damspec
import naive
import naive_turns

pytest.importorskip("numba", reason="the kernel is compiled by numba, which is not installed: damspec[fast]")

from damspec_runner.solve.lookup import Endgames
from damspec_runner.solve.material import Materials
from damspec_runner.solve.solve import Folder, find_mistakes, solve

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kernel")]  # one process has it compiled

Solved = dict[str, tuple[str, int]]


def placements(rules: dict[str, Any], most: int) -> Iterator[naive.NaivePosition]:
    """Every position with a piece on each side and at most so many pieces; no man stands on its promotion row."""
    squares = range(1, len(naive.cells(rules)) + 1)
    kinds = [*product(("white", "black"), ("man", "king"))]
    for number in range(2, most + 1):
        for chosen in combinations(squares, number):
            for pieces in product(kinds, repeat=number):
                if len({colour for colour, _ in pieces}) == 2:
                    for turn in ("white", "black"):
                        position = naive.NaivePosition(dict(zip(chosen, pieces, strict=True)), turn)
                        if naive_turns.possible(rules, position) and not on_promotion_row(rules, position):
                            yield position


def on_promotion_row(rules: dict[str, Any], position: naive.NaivePosition) -> bool:
    """Whether a man stands where it would have been crowned; it can be there only if it has left and come back."""
    if rules.get("promotion.return") == "not-crowned":
        return False
    board = naive.board_of(rules, position)
    return any(kind == "man" and naive.on_promotion_row(rules, colour, cell) for cell, (colour, kind) in board.items())


def solved_by_hand(rules: dict[str, Any], positions: Iterable[naive.NaivePosition]) -> Solved:
    """The value for the side to move and the distance of positions and all that follow, by FEN; of draws it is 0."""
    after: dict[str, list[str]] = {}
    found: Solved = {}
    open_ = [*positions]
    while open_:
        position = open_.pop()
        fen = naive.write(position)
        if fen in after or fen in found:
            continue
        result, _ = naive_turns.outcome(rules, position)
        if result != "ongoing":
            found[fen] = {"draw": "draw", position.turn: "win"}.get(result, "loss"), 0
            continue
        following = [action.after for action in naive_turns.actions(rules, position)]
        after[fen] = [naive.write(each) for each in following]
        open_ += following
    for distance in count(1):
        new: Solved = {}
        for fen, fens in after.items():
            if fen in found:
                continue
            values = [found.get(each, ("open", 0)) for each in fens]
            if ("loss", distance - 1) in values:
                new[fen] = "win", distance
            elif all(value == "win" for value, _ in values):
                new[fen] = "loss", distance
        if not new:
            break
        found |= new
    return found | {fen: ("draw", 0) for fen in after if fen not in found}


#: Small boards, the first not the same when turned round.
SMALL = {"board.size": "5x4", "start.men": 1}
ROUND = {"board.size": "4x4", "start.men": 1}
#: The games, with what is changed, and how many pieces; and those that take long.
GAMES: list[tuple[str, dict[str, Any], int]] = [
    ("english", SMALL, 2),
    ("russian+losing", ROUND, 3),
    ("ghanaian", ROUND, 3),
    ("turkish", ROUND, 2),
]
LONG: list[tuple[str, dict[str, Any], int]] = [
    ("english", SMALL, 3),
    ("italian", SMALL, 3),
    ("frisian", {**SMALL, "king.move.limit": 2}, 3),
    *((f"{name}+on-6x6", {}, 3) for name in ("english", "italian", "russian", "frisian", "ghanaian", "vl")),
    ("international+on-6x6+losing", {}, 3),
    ("russian+on-6x6+breakthrough", {}, 3),
    *((name, {}, 2) for name in ("turkish+on-6x6", "turkish", "de", "frisian", "canadian", "croda", "dam-blas")),
]


@pytest.mark.parametrize(
    ("name", "changed", "most"),
    [*GAMES, *(pytest.param(*game, marks=pytest.mark.slow) for game in LONG)],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_position(name: str, changed: dict[str, Any], most: int, tmp_path: Path) -> None:
    ruleset = damspec.from_values({**damspec.load_ruleset(name).values, **changed}, name)
    folder = Folder(ruleset, tmp_path)
    summaries = solve(folder, most)
    endgames = Endgames(folder)
    rules = dict(ruleset.values)
    expected = solved_by_hand(rules, placements(rules, most))
    without_runs = 0
    for fen, value in expected.items():
        position = naive.read(fen)
        if len({colour for colour, _ in position.pieces.values()}) == 2:
            without_runs += not position.tired
            assert endgames.value(damspec.Position.from_fen(fen, ruleset.rules.board)) == value, fen
    sides = 3 - folder.retrograde.sides
    assert without_runs == sides * sum(section.positions for each in summaries for section in each.sections) > 100
    for material in Materials(folder.retrograde, most):
        assert not [*find_mistakes(folder, material, Materials(folder.retrograde, most))]


@pytest.mark.slow
def test_three_kings_against_one_by_the_flemish_leaflet() -> None:
    """What docs/endgames.md says of its reading on the end: as it is chosen, and while no capture is open."""
    for name, won in (("vl", 79_724), ("vl?one-each=unless-capture", 132_232)):
        rules = dict(damspec.load_ruleset(name).values)
        three = [
            naive.NaivePosition({**dict.fromkeys(kings, ("white", "king")), lone: ("black", "king")}, "white")
            for kings in combinations(range(1, 33), 3)
            for lone in {*range(1, 33)} - {*kings}
        ]
        assert len(three) == 143_840
        found = solved_by_hand(rules, three)
        assert sum(found[naive.write(position)][0] == "win" for position in three) == won
