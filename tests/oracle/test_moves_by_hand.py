"""Moves and outcomes worked out by hand, of the naive generator as of the reference."""

from __future__ import annotations

from typing import Any

from implementations import Implementation, each_implementation
from runs import for_each
from variants import BRAZILIAN, DIAGONAL, ENGLISH, FREE, FRISIAN, HUFF, ORTHOGONAL, POOL, RUSSIAN, STOPS, but

#: `22-17`, `22x8(11,18)`, and `=K` behind a move that crowns.
Moves = list[str]

MAN_OR_KING_FIRST = "W:W21,22:B10,K11,K17,18"  # 22 can take 18 and 11, 18 and 10, or 17; 21 can take 17 and 10
ONE_OR_TWO = "W:W16,22:B11,17,18"  # 22 can take 18 and 11, or 17; 16 can take 11
GOING_ROUND = "W:W22:B9,10,17,18"
TWICE = but(ENGLISH, king__move__slides="twice")
ROUND_AFTER_SLIDES = "W:WK29:B9,10,17,18"  # by b2 to a3, c3 or c1
FOR_MEN = but(ENGLISH, capture__duty="compulsory-for-men")
BEHIND = but(POOL, king__capture__landing="behind", king__capture__finish=None)
WITHIN_TWO = but(POOL, king__capture__landing="within-two", king__capture__finish=None)
PAST_THE_TOP = "W:W11:B6,7,8,14,15"  # either way round, over d8 and the square of origin, to h8

BY_HAND: dict[str, tuple[dict[str, Any], str, Moves]] = {
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
    "over its own": (
        but(ENGLISH, man__move__over_own=["forward-right", "backward-left"]),
        "W:W18,22:B4",
        ["18-14", "18-15", "18-25", "22-15", "22-17"],
    ),
    "over its own king, and onto the last row": (
        but(ENGLISH, man__move__over_own=["forward-right"], king__move__directions=["backward-right"]),
        "W:W9,K6:B4",
        ["9-2=K", "9-5", "6-10"],
    ),
    "compulsory": (ENGLISH, "W:W22:B18", ["22x15(18)"]),
    "optional": (but(ENGLISH, capture__duty="optional"), "W:W22:B18", ["22-17", "22x15(18)"]),
    "huffing": (HUFF, "W:W22:B18", ["22x15(18)"]),
    "men take men only": (but(ENGLISH, man__capture__takes="men"), "W:W22:BK18", ["22-17"]),
    "no jump over two in a row": (ENGLISH, "W:W22:B15,18", ["22-17"]),
    "whole": (ENGLISH, "W:W22:B11,18", ["22x8(11,18)"]),
    "may stop": (but(ENGLISH, capture__completion="may-stop"), "W:W22:B11,18", ["22x15(18)", "22x8(11,18)"]),
    "one jump": (but(ENGLISH, capture__completion="one"), "W:W22:B11,18", ["22x15(18)"]),
    "forward only": (ENGLISH, "W:W26:B23,24", ["26x19(23)"]),
    "forward first, then any": (but(ENGLISH, man__capture__later=DIAGONAL), "W:W26:B23,24", ["26x28(23,24)"]),
    "back to the empty origin": (BRAZILIAN, GOING_ROUND, ["22x22(9,10,17,18)"]),
    "the origin is occupied": (
        but(BRAZILIAN, capture__origin="occupied"),
        GOING_ROUND,
        ["22x13(9,10,18)", "22x15(9,10,17)"],
    ),
    "after two slides the origin is where they end": (
        but(TWICE, capture__origin="occupied"),
        ROUND_AFTER_SLIDES,
        ["29-25", "29-30", "29x5(9,17)", "29x7(10,17)", "29x23(17,18)", "29x13(9,10,18)", "29x15(9,10,17)"],
    ),
    "after two slides, back to the empty origin": (
        TWICE,
        ROUND_AFTER_SLIDES,
        ["29-25", "29-30", "29x5(9,17)", "29x7(10,17)", "29x23(17,18)", "29x22(9,10,17,18)"],
    ),
    "after two slides the square where they began is empty": (
        but(
            FRISIAN,
            king__move__slides="twice",
            king__move__directions=["backward-left", "backward-right"],
            king__capture__directions=["forward"],
            capture__origin="occupied",
        ),
        "W:WK28:B38",  # 28-37-48 and 28-39-48, then over 38 to the squares behind it
        [
            *(f"28-{end}" for end in (32, 33, 37, 39, 41, 42, 43, 44, 46, 47, 49, 50)),
            *(f"28x{end}(38)" for end in (8, 18, 28)),
        ],
    ),
    "a king at the limit slides only if it then captures": (
        but(TWICE, king__move__limit=1),
        "W:W12,K29:B17:+0+129",
        ["12-8", "29x13(17)", "29x14(17)"],
    ),
    "a king at the limit slides nowhere": (but(TWICE, king__move__limit=1), "W:W12,K29:B1:+0+129", ["12-8"]),
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
    "landing behind": (
        but(POOL, king__capture__landing="behind", king__capture__finish=None),
        "W:WK29:B16,18",
        ["29x15(18)"],
    ),
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
        but(ENGLISH, capture__choice=["most-pieces"], capture__king_weight=1.99, capture__binds="path"),
        "W:W22:B11,K17,18",
        ["22x8(11,18)"],
    ),
    "a king counts two men": (
        but(ENGLISH, capture__choice=["most-pieces"], capture__king_weight=2, capture__binds="path"),
        "W:W22:B11,K17,18",
        ["22x13(17)", "22x8(11,18)"],
    ),
    "multiple first, and a king counts two men": (
        but(ENGLISH, capture__choice=["multiple-before-single"], capture__king_weight=2, capture__binds="path"),
        "W:W16,22:B11,K17,18",
        ["22x13(17)", "22x8(11,18)"],
    ),
    "multiple first, and a king counts less than two": (
        but(ENGLISH, capture__choice=["multiple-before-single"], capture__king_weight=1.99, capture__binds="path"),
        "W:W16,22:B11,K17,18",
        ["22x8(11,18)"],
    ),
    "multiple when mixed, and a king counts two men": (
        but(ENGLISH, capture__choice=["multiple-when-mixed"], capture__king_weight=2, capture__binds="path"),
        "W:WK16,22:B11,K17,18",
        ["22x13(17)", "22x8(11,18)"],
    ),
    "a king may be spared": (FOR_MEN, "W:W22,32:BK18", ["22-17", "22x15(18)", "32-27", "32-28"]),
    "a man may not": (FOR_MEN, "W:W22,32:B18", ["22x15(18)"]),
    "nor a man behind a king": (FOR_MEN, "W:W22,32:B11,K18", ["22x8(11,18)"]),
    "a king is taken where a man could be": (FOR_MEN, "W:W22,23:BK17,19", ["22x13(17)", "23x16(19)"]),
    "landing on the second square at most": (WITHIN_TWO, "W:WK29:B18", ["29x11(18)", "29x15(18)"]),
    "landing before what stands on the second": (WITHIN_TWO, "W:WK29:B8,18", ["29x4(8,18)"]),
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
    "back on the promotion row, crowned": (BRAZILIAN, PAST_THE_TOP, ["11x4(6,7,8,14,15)=K"]),
    "back on the promotion row, not crowned": (
        but(BRAZILIAN, promotion__return="not-crowned"),
        PAST_THE_TOP,
        ["11x4(6,7,8,14,15)"],
    ),
    "two rows crown": (but(ENGLISH, promotion__rows=2), "B:W12:B17", ["17-21", "17-22"]),
    "two rows crown there": (but(ENGLISH, promotion__rows=2), "B:W12:B21", ["21-25=K"]),
}


@each_implementation
@for_each(("rules", "fen", "expected"), BY_HAND.values())
def test_moves(implementation: Implementation, rules: dict[str, Any], fen: str, expected: Moves) -> None:
    assert implementation.moves(rules, fen) == sorted(expected)


BLOCKED = "W:W5:BK1"


def drawn(by: str = "one-piece-each", first: str = "losses") -> dict[str, Any]:
    """English draughts with a draw."""
    return but(ENGLISH, ending__draws=[by], ending__order=f"{first}-first")


ENDS: dict[str, tuple[dict[str, Any], str, tuple[str, str | None]]] = {
    "pieces and moves on both sides": (ENGLISH, "W:W22:B18", ("ongoing", None)),
    "no pieces: loses": (ENGLISH, "W:W:B18", ("black", "no-pieces")),
    "no pieces: the other side has none": (ENGLISH, "W:W22:B", ("white", "no-pieces")),
    "no pieces: wins": (but(ENGLISH, ending__no_pieces="wins"), "W:W:B18", ("white", "no-pieces")),
    "no moves: loses": (ENGLISH, BLOCKED, ("black", "no-moves")),
    "no moves: wins": (but(ENGLISH, ending__no_moves="wins"), BLOCKED, ("white", "no-moves")),
    "no moves: draws": (but(ENGLISH, ending__no_moves="draws"), BLOCKED, ("draw", "no-moves")),
    "lost and drawn: losses first": (drawn(), BLOCKED, ("black", "no-moves")),
    "lost and drawn: draws first": (
        drawn(first="draws"),
        BLOCKED,
        ("draw", "one-piece-each"),
    ),
    "one piece each: drawn": (drawn(), "W:W22:B18", ("draw", "one-piece-each")),
    "one piece each: not two against one": (drawn(), "W:W22,30:B18", ("ongoing", None)),
    "one piece each, no capture: a capture": (
        drawn("one-piece-each-no-capture"),
        "W:W22:B18",
        ("ongoing", None),
    ),
    "one piece each, no capture: none": (
        drawn("one-piece-each-no-capture"),
        "W:W22:B14",
        ("draw", "one-piece-each-no-capture"),
    ),
    "one piece each, same kind: a man and a king": (
        drawn("one-piece-each-same-kind"),
        "W:W22:BK1",
        ("ongoing", None),
    ),
    "one piece each, same kind: two kings": (
        drawn("one-piece-each-same-kind"),
        "W:WK22:BK1",
        ("draw", "one-piece-each-same-kind"),
    ),
}


@each_implementation
@for_each(("rules", "fen", "expected"), ENDS.values())
def test_outcome(
    implementation: Implementation, rules: dict[str, Any], fen: str, expected: tuple[str, str | None]
) -> None:
    assert implementation.outcome(rules, fen) == expected
