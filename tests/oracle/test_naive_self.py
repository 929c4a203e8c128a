"""The naive generator itself, against positions worked out by hand and published move counts.

The counts are those of dctl (unique: same start, end and set of captured pieces).
"""

from __future__ import annotations

from typing import Any

import pytest

from naive import NaiveMove, after, cells, moves, read, start, write
from naive_turns import outcome, perft
from variants import BRAZILIAN, DIAGONAL, ENGLISH, FREE, FRISIAN, ORTHOGONAL, POOL, RUSSIAN, STOPS, VARIANTS, but


def text(move: NaiveMove) -> str:
    """`22-17`, `22x8(11,18)`, and `=K` behind a move that crowns."""
    taken = ",".join(str(number) for number in sorted(move.captured))
    shown = f"{move.start}x{move.end}({taken})" if taken else f"{move.start}-{move.end}"
    return shown + ("=K" if move.promotes else "")


def listed(rules: dict[str, Any], fen: str) -> list[str]:
    return sorted(text(move) for move in moves(rules, read(fen)))


MAN_OR_KING_FIRST = "W:W21,22:B10,K11,K17,18"  # 22 can take 18 and 11, 18 and 10, or 17; 21 can take 17 and 10
ONE_OR_TWO = "W:W16,22:B11,17,18"  # 22 can take 18 and 11, or 17; 16 can take 11
GOING_ROUND = "W:W22:B9,10,17,18"
PAST_THE_TOP = "W:W11:B6,7,8,14,15"  # either way round, over d8 and the square of origin, to h8

BY_HAND: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    "left and right are the mover's: white": (
        but(ENGLISH, man__move__directions=["forward-left"]),
        "W:W18:B4",
        ["18-14"],
    ),
    "left and right are the mover's: black": (
        but(ENGLISH, man__move__directions=["forward-left"]),
        "B:W32:B14",
        ["14-18"],
    ),
    "an orthogonal step crosses a light square": (
        but(ENGLISH, king__move__directions=ORTHOGONAL),
        "W:WK18:B4",
        ["18-10", "18-17", "18-19", "18-26"],
    ),
    "an orthogonal jump": (FRISIAN, "W:W28:B18", ["28x8(18)"]),
    "an orthogonal step where all squares are playable": (
        but(ENGLISH, board__squares="all", man__move__directions=["forward", "left", "right"]),
        "W:W36:B8",
        ["36-28", "36-35", "36-37"],
    ),
    "reach of two": (but(ENGLISH, king__move__reach=2), "W:WK29:B4", ["29-22", "29-25"]),
    "a man of reach any": (
        but(ENGLISH, man__move__reach="any"),
        "W:W29:B8",
        ["29-11", "29-15", "29-18", "29-22", "29-25"],
    ),
    "compulsory": (ENGLISH, "W:W22:B18", ["22x15(18)"]),
    "optional": (but(ENGLISH, capture__duty="optional"), "W:W22:B18", ["22-17", "22x15(18)"]),
    "huffing": (but(ENGLISH, capture__duty="huffing"), "W:W22:B18", ["22x15(18)"]),
    "men take men only": (but(ENGLISH, man__capture__takes="men"), "W:W22:BK18", ["22-17"]),
    "no jump over two in a row": (ENGLISH, "W:W22:B15,18", ["22-17"]),
    "whole": (ENGLISH, "W:W22:B11,18", ["22x8(11,18)"]),
    "may stop": (but(ENGLISH, capture__completion="may-stop"), "W:W22:B11,18", ["22x15(18)", "22x8(11,18)"]),
    "forward only": (ENGLISH, "W:W26:B23,24", ["26x19(23)"]),
    "forward first, then any": (but(ENGLISH, man__capture__later=DIAGONAL), "W:W26:B23,24", ["26x28(23,24)"]),
    "back to the empty origin": (BRAZILIAN, GOING_ROUND, ["22x22(9,10,17,18)"]),
    "the origin is occupied": (
        but(BRAZILIAN, capture__origin="occupied"),
        GOING_ROUND,
        ["22x13(9,10,18)", "22x15(9,10,17)"],
    ),
    "jumped pieces block": (BRAZILIAN, "W:WK25:B16,18,23,24", ["25x27(16,18,24)", "25x31(16,18,24)"]),
    "jumped pieces are gone": (
        but(BRAZILIAN, capture__removal="at-once"),
        "W:WK25:B16,18,23,24",
        ["25x14(16,18,23,24)", "25x18(16,18,23,24)", "25x5(16,18,23,24)", "25x9(16,18,23,24)"],
    ),
    "landing any": (
        but(BRAZILIAN, **FREE),
        "W:WK29:B16,18",
        ["29x15(18)", "29x20(16,18)", "29x4(18)", "29x8(18)"],
    ),
    "landing continuing": (POOL, "W:WK29:B16,18", ["29x20(16,18)"]),
    "landing behind": (but(POOL, king__capture__landing="behind"), "W:WK29:B16,18", ["29x15(18)"]),
    "free": (ENGLISH, ONE_OR_TWO, ["16x7(11)", "22x13(17)", "22x8(11,18)"]),
    "most pieces": (
        but(ENGLISH, capture__choice=["most-pieces"], capture__binds="path"),
        ONE_OR_TWO,
        ["22x8(11,18)"],
    ),
    "most pieces, of the piece": (
        but(ENGLISH, capture__choice=["most-pieces"], capture__binds="piece"),
        ONE_OR_TWO,
        ["22x13(17)", "22x8(11,18)"],
    ),
    "multiple before single": (
        but(ENGLISH, capture__choice=["multiple-before-single"], capture__binds="path"),
        ONE_OR_TWO,
        ["22x8(11,18)"],
    ),
    "multiple when mixed, men only": (
        but(ENGLISH, capture__choice=["multiple-when-mixed"], capture__binds="path"),
        ONE_OR_TWO,
        ["16x7(11)", "22x13(17)", "22x8(11,18)"],
    ),
    "multiple when mixed": (
        but(ENGLISH, capture__choice=["multiple-when-mixed"], capture__binds="path"),
        "W:WK16,22:B11,17,18",
        ["22x8(11,18)"],
    ),
    "with the king": (
        but(ENGLISH, capture__choice=["with-king"], capture__binds="path"),
        "W:WK16,22:B11,17,18",
        ["16x7(11)"],
    ),
    "a king counts less than two men": (
        but(ENGLISH, capture__choice=["weighted-count"], capture__king_weight=1.99, capture__binds="path"),
        "W:W22:B11,K17,18",
        ["22x8(11,18)"],
    ),
    "a king counts two men": (
        but(ENGLISH, capture__choice=["weighted-count"], capture__king_weight=2, capture__binds="path"),
        "W:W22:B11,K17,18",
        ["22x13(17)", "22x8(11,18)"],
    ),
    "most kings": (
        but(ENGLISH, capture__choice=["most-pieces", "most-kings"], capture__binds="path"),
        MAN_OR_KING_FIRST,
        ["21x7(10,17)", "22x8(11,18)"],
    ),
    "king first": (
        but(ENGLISH, capture__choice=["most-pieces", "most-kings", "king-first"], capture__binds="path"),
        MAN_OR_KING_FIRST,
        ["21x7(10,17)"],
    ),
    "crowned and stops": (but(POOL, **STOPS), "W:W11:B6,7", ["11x2(7)=K"]),
    "on as a man": (POOL, "W:W11:B6,7", ["11x9(6,7)"]),
    "not on as a king": (POOL, "W:W11:B7,9", ["11x2(7)=K"]),
    "on as a king": (RUSSIAN, "W:W11:B6,7", ["11x13(6,7)=K", "11x9(6,7)=K"]),
    "on as a king, as no man could": (
        but(POOL, promotion__mid_capture="as-man-else-king"),
        "W:W11:B7,9",
        ["11x13(7,9)=K"],
    ),
    "on as a man, although a king could": (
        but(POOL, promotion__mid_capture="as-man-else-king"),
        "W:W11:B6,7",
        ["11x9(6,7)"],
    ),
    "back on the crownhead, crowned": (BRAZILIAN, PAST_THE_TOP, ["11x4(6,7,8,14,15)=K"]),
    "back on the crownhead, not crowned": (
        but(BRAZILIAN, promotion__return="not-crowned"),
        PAST_THE_TOP,
        ["11x4(6,7,8,14,15)"],
    ),
    "two rows crown": (but(ENGLISH, promotion__rows=2), "B:W4:B17", ["17-21", "17-22"]),
    "two rows crown there": (but(ENGLISH, promotion__rows=2), "B:W4:B21", ["21-25=K"]),
}


@pytest.mark.parametrize(("rules", "fen", "expected"), BY_HAND.values(), ids=BY_HAND.keys())
def test_by_hand(rules: dict[str, Any], fen: str, expected: list[str]) -> None:
    assert listed(rules, fen) == sorted(expected)


def test_one_move_has_all_its_paths() -> None:
    (move,) = moves(BRAZILIAN, read(GOING_ROUND))
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
    ],
)
def test_numbers(numbering: str, corner: str, first: tuple[int, int], last: tuple[int, int]) -> None:
    order = cells(but(ENGLISH, board__numbering=numbering, board__dark_corner=corner))
    assert (len(order), order[0], order[-1]) == (32, first, last)


def test_start_by_rows_and_by_squares() -> None:
    assert start(ENGLISH) == read("B:W21-32:B1-12")
    assert start(but(ENGLISH, board__numbering="bottom-left")) == read("B:W1-12:B21-32")
    assert start(but(ENGLISH, start__men={"white": [30, 31], "black": [2]})) == read("B:W30,31:B2")


def test_positions_in_text() -> None:
    assert write(read("B:B1,5,K2:WK30,21")) == "B:W21,K30:B1,K2,5"
    assert write(read("W:W21:B")) == "W:W21:B"
    with pytest.raises(ValueError, match="not a position"):
        read("W:W21:B1:slider=MMMM")


BLOCKED = "W:W5:BK1"
EACH = {"ending__draws": ["one-piece-each"], "ending__order": "losses-first"}
ENDS: list[tuple[dict[str, Any], str, tuple[str, str | None]]] = [
    (ENGLISH, "W:W22:B18", ("ongoing", None)),
    (ENGLISH, "W:W:B18", ("black", "no-pieces")),
    (ENGLISH, "W:W22:B", ("white", "no-pieces")),
    (but(ENGLISH, ending__no_pieces="wins"), "W:W:B18", ("white", "no-pieces")),
    (ENGLISH, BLOCKED, ("black", "no-moves")),
    (but(ENGLISH, ending__no_moves="wins"), BLOCKED, ("white", "no-moves")),
    (but(ENGLISH, ending__no_moves="draws"), BLOCKED, ("draw", "no-moves")),
    (but(ENGLISH, **EACH), BLOCKED, ("black", "no-moves")),
    (but(ENGLISH, **EACH | {"ending__order": "draws-first"}), BLOCKED, ("draw", "one-piece-each")),
    (but(ENGLISH, **EACH), "W:W22:B18", ("draw", "one-piece-each")),
    (but(ENGLISH, **EACH), "W:W22,30:B18", ("ongoing", None)),
    (but(ENGLISH, **EACH | {"ending__draws": ["one-piece-each-no-capture"]}), "W:W22:B18", ("ongoing", None)),
    (
        but(ENGLISH, **EACH | {"ending__draws": ["one-piece-each-no-capture"]}),
        "W:W22:B14",
        ("draw", "one-piece-each-no-capture"),
    ),
    (but(ENGLISH, **EACH | {"ending__draws": ["one-piece-each-same-kind"]}), "W:W22:BK1", ("ongoing", None)),
    (
        but(ENGLISH, **EACH | {"ending__draws": ["one-piece-each-same-kind"]}),
        "W:WK22:BK1",
        ("draw", "one-piece-each-same-kind"),
    ),
]


@pytest.mark.parametrize(("rules", "fen", "expected"), ENDS)
def test_outcome(rules: dict[str, Any], fen: str, expected: tuple[str, str | None]) -> None:
    assert outcome(rules, read(fen)) == expected


@pytest.mark.parametrize(
    "rules", [{**ENGLISH, "trapdoors.step": "one"}, {**ENGLISH, "capture.duty": "huffing", "spin.when": "no-capture"}]
)
def test_games_it_refuses(rules: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not covered"):
        moves(rules, start(ENGLISH))


ALL_KINGS = "W:W{}:B{}".format(
    ",".join(f"K{square}" for square in range(31, 51)), ",".join(f"K{square}" for square in range(1, 21))
)
COUNTS: list[tuple[str, str, list[int]]] = [
    ("english", "B:W21-32:B1-12", [7, 49, 302, 1469, 7361]),
    ("pool", "B:W21-32:B1-12", [7, 49, 302, 1469, 7482]),
    ("russian", "W:W21-32:B1-12", [7, 49, 302, 1469, 7482]),
    ("brazilian", "W:W21-32:B1-12", [7, 49, 302, 1469, 7473]),
    ("czech", "W:W21-32:B1-12", [7, 49, 302, 1469, 7361]),
    ("spanish", "W:W21-32:B1-12", [7, 49, 302, 1469, 7361]),
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


@pytest.mark.parametrize(("variant", "fen", "counts"), COUNTS)
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
