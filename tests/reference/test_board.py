"""The geometry of boards: numbers, names, steps, lines; the shifts of bitboards agree with them."""

from __future__ import annotations

import itertools
import pickle

import pytest

import damspec
from damspec import DIRECTIONS, Board, Position, PositionError, Side
from damspec.board import each, opponent
from refusals import refusal
from runs import for_each

SMALL = Board(8, 8)
LARGE = Board(10, 10)
SIDES: tuple[Side, Side] = ("white", "black")
SIZES = [(8, 8), (10, 10), (3, 3), (7, 4), (4, 9), (26, 26)]
BOARDS = [
    board
    for size in SIZES
    for board in (
        Board(*size),
        Board(*size, dark_corner="right"),
        Board(*size, numbering="bottom-right"),
        Board(*size, dark_corner="right", numbering="top-right"),
        Board(*size, squares="all"),
        Board(*size, squares="all", numbering="bottom-left"),
        Board(*size, dark_corner="right", numbering="top-left-down"),
        Board(*size, numbering="bottom-right-up"),
    )
]


@for_each(
    ("board", "names"),
    [
        (SMALL, {1: "b8", 4: "h8", 5: "a7", 22: "c3", 29: "a1", 32: "g1"}),
        (LARGE, {1: "b10", 5: "j10", 6: "a9", 46: "a1", 50: "i1"}),
        (Board(8, 8, numbering="top-right"), {1: "h8", 4: "b8", 5: "g7", 32: "a1"}),
        (Board(8, 8, numbering="bottom-left"), {1: "a1", 4: "g1", 5: "b2", 32: "h8"}),
        (Board(8, 8, numbering="bottom-right"), {1: "g1", 4: "a1", 5: "h2", 32: "b8"}),
        (Board(8, 8, dark_corner="right"), {1: "a8", 5: "b7", 29: "b1", 32: "h1"}),
        (Board(8, 8, numbering="bottom-left-up"), {1: "a1", 2: "a3", 4: "a7", 5: "b2", 22: "f4", 32: "h8"}),
        (Board(8, 8, numbering="top-right-down"), {1: "a1", 2: "a3", 4: "a7", 5: "b2", 22: "f4", 32: "h8"}),
        (Board(8, 8, dark_corner="right", numbering="top-left-down"), {1: "a1", 2: "a3", 4: "a7", 5: "b2", 32: "h8"}),
        (Board(8, 8, numbering="top-left-down"), {1: "a2", 2: "a4", 4: "a8", 32: "h7"}),
        (Board(8, 8, dark_corner="right", numbering="bottom-right-up"), {1: "a1", 4: "a7", 5: "b2", 32: "h8"}),
        (Board(3, 4, squares="all", numbering="bottom-left-up"), {1: "a1", 2: "a2", 4: "a4", 5: "b1", 12: "c4"}),
        (Board(8, 8, squares="all"), {1: "a8", 8: "h8", 9: "a7", 64: "h1"}),
        (Board(7, 4), {1: "b4", 3: "f4", 4: "a3", 14: "g1"}),
        (Board(4, 3, dark_corner="right"), {1: "b3", 2: "d3", 3: "a2", 6: "d1"}),
    ],
)
def test_numbers_and_names(board: Board, names: dict[int, str]) -> None:
    assert {number: board.name(number) for number in names} == names
    assert {number: board.square(name) for number, name in names.items()} == {number: number for number in names}


@pytest.mark.parametrize(
    ("board", "squares"),
    [(SMALL, 32), (LARGE, 50), (Board(12, 12), 72), (Board(3, 3), 5), (Board(8, 8, "all"), 64), (Board(26, 26), 338)],
)
def test_how_many_squares(board: Board, squares: int) -> None:
    assert len(board) == squares == board.all.bit_count()


@pytest.mark.parametrize("text", ["22", "c3", "022"])
def test_a_square_by_number_and_by_name(text: str) -> None:
    assert SMALL.square(text) == 22


@for_each(
    ("text", "message"),
    [
        ("0", "no square 0: the board has squares 1 to 32"),
        ("33", "no square 33"),
        ("c4", "no playable square 'c4'"),
        ("i1", "no playable square 'i1'"),
        ("a9", "no playable square 'a9'"),
        ("z9", "no playable square 'z9'"),
        ("", "'' is no square"),
        ("C3", "'C3' is no square"),
        ("-1", "'-1' is no square"),
        ("12345", "'12345' is no square"),
        ("٣", "'٣' is no square"),
        ("c 3", "'c 3' is no square: expected a number from 1 to 32 or a name like 'b8'"),
    ],
)
def test_what_is_no_square(text: str, message: str) -> None:
    assert message in refusal(PositionError, SMALL.square, text)


@pytest.mark.parametrize("number", [0, -1, 33])
def test_a_number_off_the_board_has_no_name_and_no_bit(number: int) -> None:
    for ask in (SMALL.name, SMALL.bit):
        assert f"no square {number}" in refusal(PositionError, ask, number)


@for_each(
    ("number", "direction", "side", "expected"),
    [
        (22, "forward-left", "white", 17),
        (22, "forward-right", "white", 18),
        (22, "backward-left", "white", 25),
        (22, "forward-left", "black", 26),
        (22, "backward-right", "black", 17),
        (22, "forward", "white", 14),
        (22, "backward", "white", 30),
        (22, "left", "white", 21),
        (22, "left", "black", 23),
        (22, "forward", "black", 30),
        (21, "left", "white", None),
        (5, "forward-left", "white", None),
        (4, "forward-left", "white", None),
        (20, "forward-right", "white", None),
        (1, "forward", "white", None),
    ],
)
def test_one_step(number: int, direction: str, side: Side, expected: int | None) -> None:
    found = SMALL.step(SMALL.bit(number), direction, side)
    assert found == (SMALL.bit(expected) if expected else 0)


def test_one_step_where_all_squares_are_playable() -> None:
    board = Board(8, 8, "all")
    start = board.bit(board.square("c3"))
    steps = {direction: board.name(board.number(board.step(start, direction, "white"))) for direction in DIRECTIONS}
    assert steps == {
        "forward-left": "b4",
        "forward": "c4",
        "forward-right": "d4",
        "left": "b3",
        "right": "d3",
        "backward-left": "b2",
        "backward": "c2",
        "backward-right": "d2",
    }


def test_a_line_to_the_edge() -> None:
    line = SMALL.ray(SMALL.bit(29), "forward-right", "white")
    assert [SMALL.number(bit) for bit in line] == [25, 22, 18, 15, 11, 8, 4]
    assert SMALL.ray(SMALL.bit(4), "forward-right", "white") == ()


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (29, 4, [25, 22, 18, 15, 11, 8]),
        (4, 15, [8, 11]),
        (29, 25, []),
        (29, 30, []),
        (29, 31, [30]),
        (30, 14, [22]),
        (29, 26, None),
        (29, 29, None),
    ],
)
def test_squares_between_two(start: int, end: int, expected: list[int] | None) -> None:
    found = SMALL.between(start, end)
    assert (found and [SMALL.number(bit) for bit in found]) == (expected or (() if expected == [] else None))


def test_rows_of_a_side() -> None:
    assert SMALL.numbers(SMALL.nearest_rows(3, "white")) == list(range(21, 33))
    assert SMALL.numbers(SMALL.nearest_rows(1, "black")) == [1, 2, 3, 4]
    assert LARGE.numbers(LARGE.nearest_rows(4, "black")) == list(range(1, 21))


def test_masks() -> None:
    mask = SMALL.mask([1, 32, 7])
    assert SMALL.numbers(mask) == [1, 7, 32]
    assert sum(each(mask)) == mask
    assert [bit.bit_count() for bit in each(mask)] == [1, 1, 1]
    assert (opponent("white"), opponent("black")) == ("black", "white")


@for_each("board", BOARDS)
def test_a_shift_is_a_step_and_leaves_the_board_where_that_does(board: Board) -> None:
    for side, direction in itertools.product(SIDES, DIRECTIONS):
        shift = board.shift(direction, side)
        for bit in board.bits:
            shifted = bit << shift if shift > 0 else bit >> -shift
            assert shifted & board.all == board.step(bit, direction, side)


@for_each("board", BOARDS)
def test_every_square_has_its_own_name_number_and_bit(board: Board) -> None:
    numbers = range(1, len(board) + 1)
    assert [board.square(board.name(number)) for number in numbers] == list(numbers)
    assert [board.number(board.bit(number)) for number in numbers] == list(numbers)
    assert len(set(board.bits)) == len(board)


@for_each("board", BOARDS)
def test_there_and_back(board: Board) -> None:
    back = {"forward": "backward", "backward": "forward", "left": "right", "right": "left"}
    for side, direction in itertools.product(SIDES, DIRECTIONS):
        opposite = "-".join(back[part] for part in direction.split("-"))
        for bit in board.bits:
            if there := board.step(bit, direction, side):
                assert board.step(there, opposite, side) == bit
                assert board.step(there, direction, opponent(side)) == bit


def test_a_board_is_pickled_without_what_has_been_worked_out() -> None:
    board = Board(10, 10, dark_corner="right")
    written = pickle.dumps(board)
    damspec.svg(Position.from_fen("W:W31,32:B1", board))
    assert board.bits
    assert pickle.dumps(board) == written
    assert pickle.loads(written) == board
