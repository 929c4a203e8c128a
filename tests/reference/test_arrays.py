"""Positions as arrays and moves as indices, as the side to move sees them."""

from __future__ import annotations

import random
import sys

import pytest

import damspec
from damspec import ArgumentError, Board, IllegalMoveError, MissingPackageError, Position, PositionError
from refusals import refusal
from runs import for_each

FEN = "W21,K30:B2,K10"  # a3, c1; d8, d6
DOORS = damspec.with_layout(damspec.load_ruleset("nl-trapdoor"), "goliath-assumed")


def cells(fen: str) -> list[list[list[int]]]:
    """The rows and columns that are set in the planes of the pieces."""
    array = Position.from_fen(fen, Board(8, 8)).to_array()
    return [[list(map(int, cell)) for cell in zip(*plane.nonzero(), strict=True)] for plane in array[:4]]


def test_planes_are_of_the_side_to_move() -> None:
    """Row 0 is the eighth for White. For Black the board is turned by half: d8 is row 7, column 4."""
    pytest.importorskip("numpy")
    assert cells(f"W:{FEN}") == [[[5, 0]], [[7, 2]], [[0, 3]], [[2, 3]]]
    assert cells(f"B:{FEN}") == [[[7, 4]], [[5, 4]], [[2, 7]], [[0, 5]]]


def test_planes_of_the_board_and_its_doors() -> None:
    """The slider O1 stands left, so the door on 9 is open, which is b6."""
    numpy = pytest.importorskip("numpy")
    array = DOORS.position("W:W21:B8:sliders=LMMM").to_array()
    assert (array.shape, array.dtype) == ((6, 8, 8), numpy.uint8)
    assert array[4].sum() == 32
    assert array[4, 7, 0] == array[4, 0, 1] == 1
    assert [list(map(int, cell)) for cell in zip(*array[5].nonzero(), strict=True)] == [[2, 1]]
    turned = DOORS.position("B:W21:B8:sliders=LMMM").to_array()
    assert numpy.array_equal(turned[4:], array[4:, ::-1, ::-1])
    assert Position.from_fen("W:W7:B3", Board(3, 3, "all")).to_array()[:, :, 0].tolist() == [
        [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 1, 1], [0, 0, 0],
    ]  # fmt: skip


def test_sliders_that_nobody_has_placed() -> None:
    pytest.importorskip("numpy")
    position = Position.from_fen("W:W21:B8:sliders=LMMM", Board(8, 8))
    assert "ruleset.position(fen)" in refusal(PositionError, position.to_array)
    assert (damspec.Game(DOORS, position).position.to_array() == DOORS.position(position.fen()).to_array()).all()


def test_without_numpy_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    said = refusal(MissingPackageError, Position.from_fen(f"W:{FEN}", Board(8, 8)).to_array)
    assert said == "to_array: needs a package that is not installed: pip install 'numpy'"


@for_each(
    ("ruleset", "position", "move", "index"),
    [
        ("lb", "W:W21:B1", "21-17", 20 * 32 + 16),
        ("lb", "B:W32:B12", "12-16", 20 * 32 + 16),  # the same from the other side
        ("international", "start", "32-28", 31 * 50 + 27),
        ("turkish", "W:W49:B8", "49-41", 48 * 64 + 40),
        ("de", "B:W17,23,32:B3,18:huffable=22-17", "huff 23", 1024 + 9),
        ("de", "B:W17,23,32:B3,18:huffable=22-17", "huff 17", 1024 + 15),
        ("nl-trapdoor", "W:W21:B8", "spin=disc", 1024),
        ("nl-trapdoor", "W:W21:B8", "spin=orange", 1024 + 2),
        ("nl-trapdoor", "W:W21:B8:sliders=MMMM:spin=orange", "O1=L", 1024 + 5),
    ],
)
def test_index(ruleset: str, position: str, move: str, index: int) -> None:
    legal = damspec.legal_moves(ruleset, position)
    assert legal.move_index(move) == legal.move_index(legal.find(move)) == index
    assert [str(each) for each in legal.with_move_index(index)] == [move]


def test_captures_of_different_pieces_share_an_index() -> None:
    """From e1, which is 31, by c3 or by g3 to e5, which is 15."""
    legal = damspec.legal_moves("english", "W:We1:Bd2,d4,f2,f4")
    assert [legal.move_index(move) for move in legal] == [30 * 32 + 14] * 2
    assert legal.with_move_index(30 * 32 + 14) == tuple(legal)
    assert legal.with_move_index(0) == ()


def test_what_has_no_index() -> None:
    legal = damspec.legal_moves("lb", "W:W21:B1")
    (other,) = damspec.legal_moves("lb", "B:W32:B12").with_move_index(656)
    assert "illegal move '12-16'" in refusal(IllegalMoveError, legal.move_index, other)
    assert "0 to 1023" in refusal(ArgumentError, legal.with_move_index, 1024)


@for_each("id", damspec.ruleset_ids())
def test_every_action_is_found_by_its_index(id: str) -> None:
    rng, game = random.Random(7), damspec.Game(id)
    for _ in range(30):
        legal = game.legal_moves
        for action in (*legal, *legal.lapses):
            index = legal.move_index(action)
            assert 0 <= index < legal.move_index_size
            same = legal.with_move_index(index)
            assert action in same
            assert len({(type(each), getattr(each, "start", None), getattr(each, "end", None)) for each in same}) == 1
        if not legal:
            break
        game.push(rng.choice(legal))


def test_whole_numbers_of_numpy_are_numbers() -> None:
    """What comes out of an array is as good as a number of Python: 22 is occupied, 21 is not."""
    np = pytest.importorskip("numpy")
    game = damspec.Game("lb", "W:W22:B18")
    legal = game.legal_moves
    place = legal.move_index(legal[0])
    assert legal[np.int64(0)] == legal[0]
    assert legal.with_move_index(np.int64(place)) == (legal[0],)
    assert np.int64(22) in game.position
    assert np.int64(21) not in game.position
    assert np.int64(0) not in game.position
    assert damspec.perft("lb", "start", np.int64(2)) == 49
    assert not game.is_repetition(np.int64(2))
