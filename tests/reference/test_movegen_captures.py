"""Captures, each value of their rules on a small position, worked out by hand from the sentences of spec/rules.yaml.

The id names the rule, and what of its sentence decides. Positions are on the board of 32 squares: b8 is 1, a1 is 29.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from damspec import Move, Position, from_values
from damspec.turn import ActionGenerator
from move_texts import captures
from runs import for_each
from variants import AHEAD, BRAZILIAN, DOORS, FREE, SHORT, STOPS, but

Case = tuple[dict[str, Any], str, list[str]]

#: Men capture in all four diagonal directions, kings along them; no capture is better than another.
PLAIN = but(BRAZILIAN, **FREE)
SHORT_KING = but(PLAIN, **SHORT)

BACK = "W:W18:B23"  # the only piece stands behind the man: d4, e3 and f2
AHEAD_AND_BACK = "W:W22:B18,19"  # over d4 to e5, from there back over f4 to g3
MEN: dict[str, Case] = {
    "man.capture.first: a jump goes over a piece one step away, to the next square": (
        PLAIN,
        "W:W22:B18",
        ["22x15(18)"],
    ),
    "man.capture.first: not over a piece two steps away": (PLAIN, "W:W22:B15", []),
    "man.capture.first: not onto a piece": (PLAIN, "W:W22:B15,18", []),
    "man.capture.first: not over a piece of one's own": (PLAIN, "W:W18,22:B1", []),
    "man.capture.first: not over the edge": (PLAIN, "W:W17:B13,21", []),
    "man.capture.first: backward": (PLAIN, BACK, ["18x27(23)"]),
    "man.capture.first: only ahead": (but(PLAIN, man__capture__first=AHEAD), BACK, []),
    "man.capture.first: ahead is down the board for Black": (
        but(PLAIN, man__capture__first=AHEAD),
        "B:W10,18:B15",
        ["15x22(18)"],
    ),
    "man.capture.later: back after a jump ahead": (
        but(PLAIN, man__capture__first=AHEAD),
        AHEAD_AND_BACK,
        ["22x15x24(18,19)"],
    ),
    "man.capture.later: only ahead": (but(PLAIN, man__capture__later=AHEAD), AHEAD_AND_BACK, ["22x15(18)"]),
    "man.capture.later: says nothing about the first jump": (
        but(PLAIN, man__capture__later=AHEAD),
        BACK,
        ["18x27(23)"],
    ),
    "man.capture.takes any: a king too": (PLAIN, "W:W22:B18,K11", ["22x15x8(11,18)"]),
    "man.capture.takes men: no king, not as the second piece either": (
        but(PLAIN, man__capture__takes="men"),
        "W:W22:B18,K11",
        ["22x15(18)"],
    ),
    "man.capture.takes men: kings capture kings all the same": (
        but(SHORT_KING, man__capture__takes="men"),
        "W:WK22:BK18",
        ["22x15(18)"],
    ),
}

OVER_D4 = "W:WK29:B18"  # from a1 over d4, behind it e5, f6, g7 and h8
TURN_AT_F6 = "W:WK29:B16,18"  # the same, and from f6 over g5 to h4
TURN_AT_C3 = "B:W15,17:BK4"  # from h8 over e5, behind it d4, c3, b2 and a1; from c3 over b4 to a5
KINGS: dict[str, Case] = {
    "king.capture.reach any: over a piece far away": (
        PLAIN,
        OVER_D4,
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "king.capture.reach 1: not over a piece far away": (SHORT_KING, OVER_D4, []),
    "king.capture.reach 1: over a piece one step away": (SHORT_KING, "W:WK22:B18", ["22x15(18)"]),
    "king.capture.reach 1: says nothing about the landing": (
        but(PLAIN, king__capture__reach=1),
        "W:WK22:B18",
        ["22x15(18)", "22x11(18)", "22x8(18)", "22x4(18)"],
    ),
    "king.capture.reach: what lies between has to be empty": (PLAIN, "W:W25,K29:B18", []),
    "king.capture.directions: those of the king's own side": (
        but(SHORT_KING, king__capture__directions=["forward-left"]),
        "B:W17,18:BK14",  # for Black on c5 forward to the left is d4, and b4 to the right
        ["14x23(18)"],
    ),
    "king.capture.directions: for further jumps too": (
        but(SHORT_KING, king__capture__directions=AHEAD),
        "W:WK22:B18,19",
        ["22x15(18)"],
    ),
    "king.capture.landing behind: on the next square": (
        but(PLAIN, king__capture__landing="behind"),
        TURN_AT_C3,
        ["4x18(15)"],
    ),
    "king.capture.landing any: also where the capture then ends": (
        PLAIN,
        TURN_AT_C3,
        ["4x18(15)", "4x22x13(15,17)", "4x25(15)", "4x29(15)"],
    ),
    "king.capture.landing any: the next square has to be empty": (PLAIN, "W:WK29:B15,18", []),
    "king.capture.landing any: as far as they are empty": (PLAIN, "W:W8,K29:B18", ["29x15(18)", "29x11(18)"]),
    "king.capture.finish continuing: where a further jump is": (
        but(PLAIN, king__capture__finish="continuing"),
        TURN_AT_C3,
        ["4x22x13(15,17)"],
    ),
    "king.capture.finish continuing: anywhere if there is none": (
        but(PLAIN, king__capture__finish="continuing"),
        OVER_D4,
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "king.capture.finish behind-last-king: right behind a king": (
        but(PLAIN, king__capture__finish="behind-last-king"),
        "W:WK29:BK18",
        ["29x15(18)"],
    ),
    "king.capture.finish behind-last-king: anywhere behind a man": (
        but(PLAIN, king__capture__finish="behind-last-king"),
        OVER_D4,
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "king.capture.finish behind-last-king: farther behind a king to jump on": (
        but(PLAIN, king__capture__finish="behind-last-king"),
        "W:WK29:B16,K18",
        ["29x15(18)", "29x11x20(16,18)"],
    ),
}

THERE_AND_BACK = "W:WK10:B6,24"  # from d6 to b8 over c7, to h2 over g3: one line, and d6 in the middle of it
ROUND = "W:W22:B9,10,17,18"  # the man on c3 goes round the four and comes back
SHARED: dict[str, Case] = {
    "capture.removal at-once: the square is empty for the rest": (
        but(PLAIN, capture__removal="at-once"),
        THERE_AND_BACK,
        ["10x1x28(6,24)", "10x28x1(6,24)"],
    ),
    "capture.removal at-end: jumped pieces block": (PLAIN, THERE_AND_BACK, ["10x1(6)", "10x28(24)"]),
    "capture.removal at-end: none is jumped a second time": (
        but(PLAIN, king__capture__landing="behind"),
        OVER_D4,
        ["29x15(18)"],
    ),
    "capture.origin empty: passed again": (
        but(PLAIN, capture__removal="at-once", capture__origin="empty"),
        THERE_AND_BACK,
        ["10x1x28(6,24)", "10x28x1(6,24)"],
    ),
    "capture.origin occupied: not passed": (
        but(PLAIN, capture__removal="at-once", capture__origin="occupied"),
        THERE_AND_BACK,
        ["10x1(6)", "10x28(24)"],
    ),
    "capture.origin empty: landed on again": (
        PLAIN,
        ROUND,
        ["22x13x6x15x22(9,10,17,18)", "22x15x6x13x22(9,10,17,18)"],
    ),
    "capture.origin occupied: not landed on": (
        but(PLAIN, capture__origin="occupied"),
        ROUND,
        ["22x13x6x15(9,10,17)", "22x15x6x13(9,10,18)"],
    ),
    "capture.completion whole: goes on as long as it can": (PLAIN, "W:W22:B11,18", ["22x15x8(11,18)"]),
    "capture.completion may-stop: after any jump of a man": (
        but(PLAIN, capture__completion="may-stop"),
        "W:W22:B11,18",
        ["22x15(18)", "22x15x8(11,18)"],
    ),
    "capture.completion may-stop: after any jump of a king": (
        but(PLAIN, capture__completion="may-stop"),
        TURN_AT_C3,
        ["4x18(15)", "4x22(15)", "4x25(15)", "4x29(15)", "4x22x13(15,17)"],
    ),
}

ON_AS_A_MAN = (
    "W:W11:B6,7"  # over e7 to d8, on the promotion row; from there over c7, next to it, to b6 or, a king, a5 too
)
ON_AS_A_KING = "W:W11:B7,9"  # over e7 to d8; from there only over b6, two steps away, to a5
#: From f6 over e7, c7, c5 and e5 back to f6, touching d8, or the other way round; then over g7 to h8. Or that at once.
ROUND_AND_UP = "W:W11:B6,7,8,14,15"
CROWNING: dict[str, Case] = {
    "promotion.mid-capture stops: crowned, and no further": (but(PLAIN, **STOPS), ON_AS_A_MAN, ["11x2(7)=K"]),
    "promotion.mid-capture as-man: on as a man, not crowned": (PLAIN, ON_AS_A_MAN, ["11x2x9(6,7)"]),
    "promotion.mid-capture as-man: crowned where the capture ends": (PLAIN, ON_AS_A_KING, ["11x2(7)=K"]),
    "promotion.mid-capture as-man: crowned where the man stops": (
        but(PLAIN, capture__completion="may-stop"),
        ON_AS_A_MAN,
        ["11x2(7)=K", "11x2x9(6,7)"],
    ),
    "promotion.mid-capture as-king: on as a king, next to it": (
        but(PLAIN, promotion__mid_capture="as-king", promotion__return=None),
        ON_AS_A_MAN,
        ["11x2x9(6,7)=K", "11x2x13(6,7)=K"],
    ),
    "promotion.mid-capture as-king: on as a king, from afar": (
        but(PLAIN, promotion__mid_capture="as-king", promotion__return=None),
        ON_AS_A_KING,
        ["11x2x13(7,9)=K"],
    ),
    "promotion.mid-capture as-man-else-king: as a man if it can": (
        but(PLAIN, promotion__mid_capture="as-man-else-king"),
        ON_AS_A_MAN,
        ["11x2x9(6,7)"],
    ),
    "promotion.mid-capture as-man-else-king: if not, as a king": (
        but(PLAIN, promotion__mid_capture="as-man-else-king"),
        ON_AS_A_KING,
        ["11x2x13(7,9)=K"],
    ),
    "promotion.rows: two rows are the promotion row": (but(PLAIN, promotion__rows=2), "W:W15:B10", ["15x6(10)=K"]),
    "promotion.rows: the second row is none if one is": (PLAIN, "W:W15:B10", ["15x6(10)"]),
    "promotion.return crowned: after passing it": (
        PLAIN,
        ROUND_AND_UP,
        ["11x4(8)=K", "11x2x9x18x11x4(6,7,8,14,15)=K", "11x18x9x2x11x4(6,7,8,14,15)=K"],
    ),
    "promotion.return not-crowned: after passing it": (
        but(PLAIN, promotion__return="not-crowned"),
        ROUND_AND_UP,
        ["11x4(8)=K", "11x2x9x18x11x4(6,7,8,14,15)", "11x18x9x2x11x4(6,7,8,14,15)"],
    ),
    "promotion.return not-crowned: a jump within the promotion row does not pass it": (
        but(PLAIN, promotion__rows=3, promotion__return="not-crowned"),
        "W:W18:B6,14",  # over c5 to b6, in the third row, and on over c7 to d8
        ["18x9x2(6,14)=K"],
    ),
}


@for_each(("rules", "fen", "expected"), [*(MEN | KINGS | SHARED | CROWNING).values()])
def test_captures(rules: dict[str, Any], fen: str, expected: list[str]) -> None:
    assert captures(rules, fen) == sorted(expected)


FALLING = but(DOORS, **FREE)
ONLY_LAST = but(FALLING, trapdoors__capture_landing="only-last")
TWO_JUMPS = "W:W21:B10,17"  # over b4 to c5, and on over d6 to e7
THROUGH_DOORS: dict[str, tuple[dict[str, Any], str, Sequence[int], list[str]]] = {
    "trapdoors.capture-landing ends: the door shut": (FALLING, TWO_JUMPS, [], ["21x14x7(10,17)"]),
    "trapdoors.capture-landing ends: complete with the fall": (FALLING, TWO_JUMPS, [14], ["21x14(17)"]),
    "trapdoors.capture-landing only-last: on from the door": (ONLY_LAST, TWO_JUMPS, [14], ["21x14x7(10,17)"]),
    "trapdoors.capture-landing only-last: the capture ends there": (ONLY_LAST, "W:W21:B17", [14], ["21x14(17)"]),
    "trapdoors: no man is crowned by landing on an open door": (FALLING, "W:W11:B7", [2], ["11x2(7)"]),
    "trapdoors: on a shut one it is": (FALLING, "W:W11:B7", [], ["11x2(7)=K"]),
    "trapdoors.capture-landing ends: a king as well": (
        FALLING,
        TURN_AT_F6,
        [11],
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "trapdoors.capture-landing only-last: a king as well": (
        ONLY_LAST,
        TURN_AT_F6,
        [11],
        ["29x15(18)", "29x11x20(16,18)", "29x8(18)", "29x4(18)"],
    ),
    "king.capture.finish continuing: no jump follows a fall": (
        but(FALLING, king__capture__finish="continuing"),
        TURN_AT_F6,
        [11],
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "king.capture.finish continuing: one follows where the piece goes on": (
        but(ONLY_LAST, king__capture__finish="continuing"),
        TURN_AT_F6,
        [11],
        ["29x11x20(16,18)"],
    ),
    "trapdoors.passing over: behind the piece": (
        FALLING,
        OVER_D4,
        [11],
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "trapdoors.passing falls: onto the door and not beyond": (
        but(FALLING, trapdoors__passing="falls"),
        OVER_D4,
        [11],
        ["29x15(18)", "29x11(18)"],
    ),
    "trapdoors.passing blocked: neither passed nor landed on": (
        but(FALLING, trapdoors__passing="blocked"),
        OVER_D4,
        [11],
        ["29x15(18)"],
    ),
    "trapdoors.passing over: before the piece": (
        FALLING,
        OVER_D4,
        [22],
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "trapdoors.passing falls: no piece beyond the door is reached": (
        but(FALLING, trapdoors__passing="falls"),
        OVER_D4,
        [22],
        [],
    ),
    "trapdoors.passing blocked: no piece beyond the door is reached": (
        but(FALLING, trapdoors__passing="blocked"),
        OVER_D4,
        [22],
        [],
    ),
}


@for_each(("rules", "fen", "doors", "expected"), THROUGH_DOORS.values())
def test_captures_among_open_doors(rules: dict[str, Any], fen: str, doors: Sequence[int], expected: list[str]) -> None:
    assert captures(rules, fen, doors) == sorted(expected)


@pytest.mark.parametrize("removal", ["at-end", "at-once"])
def test_without_every_path_there_are_the_same_captures(removal: str) -> None:
    """A king on c3 takes b4, b6, d4 and d6 either way round: one capture, that has two paths."""
    rules = from_values(but(SHORT_KING, capture__removal=removal), "bare values").rules
    position = Position.from_fen("W:WK22:B9,10,17,18", rules.board)
    (every,), (some,) = (ActionGenerator(rules, every_path=which).actions(position) for which in (True, False))
    assert every == some
    assert isinstance(every, Move)
    assert isinstance(some, Move)
    assert every.paths == ((22, 13, 6, 15, 22), (22, 15, 6, 13, 22))
    assert some.paths in [(path,) for path in every.paths]
