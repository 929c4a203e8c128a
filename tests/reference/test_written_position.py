"""Positions as people, sites and programs write them, and what stays an error."""

from __future__ import annotations

from damspec import Board, Game, Position, PositionError, load_ruleset
from damspec.written_position import read_position
from refusals import refusal
from runs import for_each

BOARD, WIDE = Board(8, 8), Board(12, 12)
START = load_ruleset("international").position()


@for_each(
    ("text", "fen"),
    [
        ("W:W21,K30:B1-3", "W:W21,K30:B1,2,3"),
        ("w:w21,k30:b1,2,3", "W:W21,K30:B1,2,3"),
        (" W: W21, K30 : B1 ,2,3. ", "W:W21,K30:B1,2,3"),
        ('[FEN "W:W21,K30:B1,2,3"]', "W:W21,K30:B1,2,3"),
        ("[fen 'B:B1:W21']", "B:W21:B1"),
        ("W:W:W21:B1", "W:W21:B1"),
        ("B:b:B1:w21", "B:W21:B1"),
        # no white piece at all, and the side to move only once
        ("W:W:B1", "W:W:B1"),
        ("W:WA1,KC3:BB2", "W:WK22,29:B25"),
        # 32 squares from the left of Black's first row
        ("W" + "b" + 19 * "e" + "w" + 8 * "e" + "W" + "e" + "B", "W:W21,K30:B1,K32"),
    ],
)
def test_a_position_in_another_form(text: str, fen: str) -> None:
    assert read_position(text, BOARD).fen() == fen


def test_hub_writes_every_square() -> None:
    assert read_position("W" + 20 * "b" + 10 * "e" + 20 * "w", START.board) == START


def test_where_there_is_a_column_k_a_small_k_is_no_king() -> None:
    square = WIDE.square("k1")
    assert read_position("w:wk1:b1", WIDE).fen() == f"W:W{square}:B1"
    assert read_position("w:wKk1:b1", WIDE).fen() == f"W:WK{square}:B1"


@for_each(
    ("text", "says"),
    [
        ("W:W21:W22", "expected the squares of W and of B once each"),
        ("W:W:W21:W22", "expected the squares of W and of B once each"),
        ("W:B:W21:B1", "found the field"),
        ("w:w21, 21:b1", "square 21 is used twice"),
        ("w:w99:b1", "no square 99: the board has squares 1 to 32"),
        ("W:W2 1:B1", "2 1"),
        ("W:W21:B1:foo", "found the field 'foo'"),
        ("W:W21", "expected a FEN like"),
        ("W" + 33 * "e", "expected W or B and 32 letters"),
        ('[FEN "W:W21:B1" [White "Ann"]', "expected a FEN like"),
        ("W:" + 5000 * "W21, ", "expected at most 4000"),
    ],
)
def test_what_no_reader_can_know_stays_an_error(text: str, says: str) -> None:
    assert says in refusal(PositionError, read_position, text, BOARD)


def test_the_library_reads_them_and_a_fen_is_still_a_fen() -> None:
    assert Game("lb", "w:w21, 22:b1.").fen() == "W:W21,22:B1"
    assert load_ruleset("lb").read_position(" Start ") == load_ruleset("lb").position()
    refusal(PositionError, Position.from_fen, "w:w21:b1", BOARD)
