"""The squares that words name: what is a square and what counts, in both notations, in every `why` that is shipped."""

from __future__ import annotations

import re

import damspec
from damspec import Board
from damspec_runner.cases.cases import cases_of
from damspec_runner.cases.notation import NamedSquares, in_both_notations, move_effect, split_squares, unknown_squares
from runs import for_each

SMALL, LARGE, JAMAICAN = Board(8, 8), Board(10, 10), Board(8, 8, "dark", "right", "top-left-down")


def marked(text: str, board: Board = SMALL) -> str:
    """Every square as both of its names."""
    return "".join(
        part if isinstance(part, str) else f"<{part.numbers} {part.letters}>" for part in split_squares(text, board)
    )


@for_each(
    ("text", "expected"),
    [
        ("On 15 the man has 11 ahead.", "On <15 e5> the man has <11 f6> ahead."),
        ("Over a5, b6 and on.", "Over <13 a5>, <9 b6> and on."),
        ("After 22-18 9-14 it takes 25x18x11.", "After <22-18 c3-d4> <9-14 b6-c5> it takes <25x18x11 b2xd4xf6>."),
        ("By c3:e5 or c3-d4.", "By <22:15 c3:e5> or <22-18 c3-d4>."),
        ("Each of 12 kings goes on, which makes 66 moves.", "Each of 12 kings goes on, which makes 66 moves."),
        ("A disc on the shut door of g5 moves on.", "A disc on the shut door of <16 g5> moves on."),
        ("Row 7 does not crown; the edge is row 1.", "Row 7 does not crown; the edge is row 1."),
        ("7 crowns on 3.", "<7 e7> crowns on <3 f8>."),
        ("See vl-013, fmjd-2.1 and the 8x8 board of 476,820.", "See vl-013, fmjd-2.1 and the 8x8 board of 476,820."),
        ("Of 33 and b1 the board has none.", "Of 33 and b1 the board has none."),
        ("G1=L, huff 12.", "G1=L, huff <12 h6>."),
        ("White takes 7 22 23", "White takes <7 e7> <22 c3> <23 e3>"),
        ("29 lies in the corner", "<29 a1> lies in the corner"),
    ],
)
def test_what_is_a_square(text: str, expected: str) -> None:
    """On the board of 32 squares: 1 is b8, 5 is a7, 13 is a5, 29 is a1."""
    assert marked(text) == expected


def test_letters_are_those_of_the_board() -> None:
    """International: 46 is a1. Jamaican: 1 is a1, at White's far left, 5 begins the second column, which is b."""
    assert in_both_notations("46x5", LARGE) == NamedSquares("46x5", "a1xj10")
    assert marked("5 and a3", JAMAICAN) == "<5 b2> and <2 a3>"


def test_what_reads_like_a_square_and_is_none() -> None:
    assert unknown_squares("From b6 over a6 to 33, 66 moves.", SMALL) == ["a6", "33"]


def test_every_shipped_reason_is_understood() -> None:
    """No number and no letter with one is left over but what counts, and rows; every name is one of the board's."""
    left = set()
    for id in damspec.ruleset_ids():
        board = damspec.load_ruleset(id).rules.board
        for case in cases_of(id):
            assert unknown_squares(case.why, board) == [], case.id
            rest = " ".join(part for part in split_squares(case.why, board) if isinstance(part, str))
            left |= {re.sub("[0-9]+", "", found[0]) for found in re.finditer(r"(?:[Rr]ow )?[a-z]?\d+(?: \w+)?", rest)}
    assert left <= {" kings", " men", " moves", " pieces", "Row  does", "row "}
    assert " moves" in left


def test_many_reasons_name_squares() -> None:
    """Those of `vl` do by letters, those of `international` by numbers: both are found."""
    for id in ("vl", "international"):
        board = damspec.load_ruleset(id).rules.board
        naming = [
            case
            for case in cases_of(id)
            if any(isinstance(part, NamedSquares) for part in split_squares(case.why, board))
        ]
        assert len(naming) > 60


@for_each(
    ("fen", "text", "effect"),
    [
        ("W:WK29:B18,22", "29x15", (29, 15, {18, 22})),  # c3 and d4, with nothing between
        ("W:WK29:B15,22", "29x11", None),  # c3 and e5: it leaves out d4
        ("W:WK29:B15,22", "29x18x11", (29, 11, {15, 22})),
    ],
)
def test_a_jump_passes_over_pieces_with_nothing_between(fen: str, text: str, effect: object) -> None:
    assert move_effect(damspec.load_ruleset("main-dam").position(fen), text) == effect
