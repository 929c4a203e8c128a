"""The naive generator itself: its paths, boards and texts, and published move counts.

The counts are those of dctl (unique: same start, end and set of captured pieces).
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from naive import after, cells, moves, read, start, write
from naive_turns import actions, lapses, outcome, perft, possible
from refusals import refusal
from turn_variants import AT_ONCE, DUAL, LESS, MAN_FORWARD, OF_DOORS, UNFINISHED
from variants import BRAZILIAN, DOORS, ENGLISH, HUFF, POOL, STOPS, VARIANTS, but


def test_one_move_has_all_its_paths() -> None:
    (move,) = moves(BRAZILIAN, read("W:W22:B9,10,17,18"))
    assert move.paths == {(22, 15, 6, 13, 22), (22, 13, 6, 15, 22)}
    assert write(move.position) == "B:W22:B"


def test_of_the_paths_only_the_best() -> None:
    choosy = but(BRAZILIAN, capture__choice=["most-pieces", "king-first"])
    (move,) = moves(choosy, read("W:W22:B9,10,K17,18"))
    assert move.paths == {(22, 13, 6, 15, 22)}


def test_after_a_crowning_capture() -> None:
    position = read("W:W11,32:B6,7,K12")
    (move,) = moves(but(POOL, **STOPS), position)
    result = after(but(POOL, **STOPS), position, move)
    assert result == move.position
    assert write(result) == "B:WK2,32:B6,K12"


@pytest.mark.parametrize(
    ("numbering", "corner", "first", "last"),
    [
        ("top-left", "left", (1, 7), (6, 0)),
        ("top-right", "left", (7, 7), (0, 0)),
        ("bottom-left", "left", (0, 0), (7, 7)),
        ("bottom-right", "left", (6, 0), (1, 7)),
        ("top-left", "right", (0, 7), (7, 0)),
        ("bottom-right", "right", (7, 0), (0, 7)),
        ("top-left-down", "right", (0, 7), (7, 0)),
        ("bottom-left-up", "right", (0, 1), (7, 6)),
    ],
)
def test_numbers(numbering: str, corner: str, first: tuple[int, int], last: tuple[int, int]) -> None:
    order = cells(but(ENGLISH, board__numbering=numbering, board__dark_corner=corner))
    assert (len(order), order[0], order[-1]) == (32, first, last)


def test_start_by_rows_and_by_squares() -> None:
    assert start(ENGLISH) == read("B:W21-32:B1-12")
    assert start(but(ENGLISH, board__numbering="bottom-left")) == read("B:W1-12:B21-32")
    assert start(but(ENGLISH, start__men={"white": [30, 31], "black": [2]})) == read("B:W30,31:B2")
    assert start(but(ENGLISH, start__men={"white": [1, 31], "black": [2], "kings": [1, 2]})) == read("B:WK1,31:BK2")


def test_positions_in_text() -> None:
    assert write(read("B:B1,5,K2:WK30,21")) == "B:W21,K30:B1,K2,5"
    assert write(read("W:W21:B")) == "W:W21:B"
    assert "not a position" in refusal(ValueError, read, "W:W21:B1:slider=MMMM")


@pytest.mark.parametrize(
    "rules",
    [{**ENGLISH, "trapdoors.step": "one"}, {**ENGLISH, "capture.duty": "huffing", "spin.when": "no-capture"}],
    ids=["doors without a spinner", "huffing with a spinner"],
)
def test_games_it_refuses(rules: dict[str, Any]) -> None:
    assert "not covered" in refusal(ValueError, moves, rules, start(ENGLISH))


ALL_KINGS = "W:W{}:B{}".format(
    ",".join(f"K{square}" for square in range(31, 51)), ",".join(f"K{square}" for square in range(1, 21))
)
COUNTS: list[tuple[str, str, list[int]]] = [
    ("english", "B:W21-32:B1-12", [7, 49, 302, 1469, 7361]),
    ("pool", "B:W21-32:B1-12", [7, 49, 302, 1469, 7482]),
    ("russian", "W:W21-32:B1-12", [7, 49, 302, 1469, 7482]),
    ("brazilian", "W:W21-32:B1-12", [7, 49, 302, 1469, 7473]),
    ("international", "W:W31-50:B1-20", [9, 81, 658, 4265]),
    ("frisian", "W:W31-50:B1-20", [9, 81, 658, 3874]),
    ("canadian", "W:W43-72:B1-30", [11, 121, 1222]),
    ("italian", "W:W30,26,27,22,23,24,17,18,20:B14,15,16,9,11,5,6,1,3", [5, 13, 42, 107, 360, 1099]),
    ("italian", "B:W30,21,22,17,20,K6:B25,28,9,5,1,3", [6, 47, 271, 1916, 10810]),
    ("italian", "W:WK27,K28,17,20,9,K12,8:B21,24,K19,K13,14,K11,4", [13, 112, 828, 6756]),
    (
        "international",
        "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
        [14, 55, 1168, 5432],
    ),
    (
        "international",
        "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
        [6, 12, 30, 73, 215, 590, 1944],
    ),
    ("international", ALL_KINGS, [17, 79, 352, 1399, 7062]),
    ("international", "W:W6,7,8,9,10:B41,42,43,44,45", [9, 81, 795, 7578]),
]


#: How many moves to count at most, with what marks a test that counts so many.
LIMITS: list[tuple[int, Any]] = [(800, ()), (2_000, pytest.mark.thorough), (20_000, pytest.mark.slow)]


@pytest.mark.parametrize(
    ("variant", "fen", "counts"),
    [
        pytest.param(variant, fen, [number for number in counts if number <= most], marks=marks)
        for most, marks in LIMITS
        for variant, fen, counts in COUNTS
    ],
)
def test_published_counts(variant: str, fen: str, counts: list[int]) -> None:
    rules, position = VARIANTS[variant], read(fen)
    assert perft(rules, position, 2) == counts[1]
    assert perft(rules, position, len(counts)) == counts[-1]


@pytest.mark.parametrize(
    ("variant", "fen"),
    [("english", "B:W21-32:B1-12"), ("canadian", "W:W43-72:B1-30"), ("italian", "W:W21-32:B1-12")],
)
def test_start_of_a_variant(variant: str, fen: str) -> None:
    assert start(VARIANTS[variant]) == read(fen)


# --- The naive generator's turns with spinner, trapdoors and huffing: whole games, counts, and positions in text.


Rules = dict[str, Any]
Listed = dict[str, str]

GAMES: dict[str, Rules] = {
    "doors": DOORS,
    **OF_DOORS,
    "huff": HUFF,
    "man forward": MAN_FORWARD,
    "unfinished": UNFINISHED,
    "less": LESS,
    "less, moved": but(LESS, huff__piece="moved", capture__binds="piece"),
    "huff, choosy": but(
        HUFF,
        capture__choice=["most-pieces"],
        capture__binds="path",
        huff__piece="moved",
        huff__turn="spent",
        huff__retracted="free",
    ),
    "turn lost": but(HUFF, huff__remedies=["retract"], huff__retracted="turn-lost"),
    "english": ENGLISH,
}


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        (DOORS, [3, 15, 45, 217]),  # 7 moves and 8 slides; a slider that has moved has one step only
        (AT_ONCE, [3, 15, 45, 225]),
        (DUAL, [4, 23, 92, 497]),
        (HUFF, [7, 49, 302]),
    ],
    ids=["doors", "doors that close at once", "two colours at once", "huffing, lapses not counted"],
)
def test_counts_from_the_start(rules: Rules, counts: list[int]) -> None:
    assert [perft(rules, start(rules), depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.slow
def test_games_stay_possible(name: str) -> None:
    rules, chance = GAMES[name], random.Random(name)
    position = start(rules)
    for _ in range(60):
        if outcome(rules, position)[0] != "ongoing":
            break
        found = actions(rules, position) + lapses(rules, position)
        assert len({action.key for action in found}) == len(found)
        for action in found:
            assert possible(rules, action.after), (write(position), action.text, write(action.after))
            assert read(write(action.after)) == action.after
        position = chance.choice(found).after


def test_plain_games_have_only_moves() -> None:
    position = read("W:W16,22:B11,17,18")
    assert {action.text: write(action.after) for action in actions(ENGLISH, position)} == {
        "16x7": "B:W7,22:B17,18",
        "22x13": "B:W13,16:B11,18",
        "22x15x8": "B:W8,16:B17",
    }
    assert {action.key for action in actions(ENGLISH, position)} == {
        (move.start, move.end, move.captured, move.promotes) for move in moves(ENGLISH, position)
    }


@pytest.mark.parametrize(
    "fen",
    ["W:W1:B2:spin", "W:W1:B2:spin=", "W:W1:B2:compelled=yes", "W:W1:B2:spin=disc:spin=disc", "W:W1:B2:x=y"],
)
def test_fields_it_does_not_know(fen: str) -> None:
    assert "not a position" in refusal(ValueError, read, fen)


def test_the_order_of_fields() -> None:
    text = "W:W1:B2:sliders=MMMM:spin=disc:huffable=1-5:compelled"
    assert write(read("W:W1:B2:compelled:huffable=1-5:spin=disc:sliders=MMMM")) == text


def test_no_huffing_with_a_spinner() -> None:
    assert "not covered" in refusal(ValueError, actions, but(DOORS, capture__duty="huffing"), start(DOORS))
