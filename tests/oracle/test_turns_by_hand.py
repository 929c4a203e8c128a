"""Turns with spinner, trapdoors and huffing worked out by hand, of the naive generator as of the reference.

This is long because of its tables: a position for each value of these rules.
"""

from __future__ import annotations

from typing import Any

from implementations import Implementation, each_implementation
from runs import for_each
from turn_variants import (
    AT_ONCE,
    BLOCKED,
    CAPTURE_FIRST,
    DECLINE,
    DUAL,
    INTO,
    LESS,
    MAN_FORWARD,
    MEN_FALL,
    NO_PIECE_MOVE,
    NO_STEP,
    NOT_ONTO,
    ONLY_LAST,
    OPPONENTS_FALL,
    OPTIONAL,
    SPINS,
    THROUGH,
    TOP,
    UNFINISHED,
)
from variants import DOORS, ENGLISH, FREE, HUFF, but

Rules = dict[str, Any]
#: What can be done, and the position after each.
Listed = dict[str, str]

ALONE = "W:W5:BK1"  # the man on a7 has the king before it and no square behind that
LONG = "W:WK29:B1"  # the king has the whole of a1-h8
SPIN: dict[str, tuple[Rules, str, Listed]] = {
    "a quiet turn begins with a spin": (
        DOORS,
        "W:W21:B1",
        {
            "spin=disc": "W:W21:B1:sliders=MMMM:spin=disc",
            "spin=green": "W:W21:B1:sliders=MMMM:spin=green",
            "spin=orange": "W:W21:B1:sliders=MMMM:spin=orange",
        },
    ),
    "a capture needs none": (DOORS, "W:W21:B17", {"21x14": "B:W14:B:sliders=MMMM"}),
    "no move, no spin": (DOORS, ALONE, {}),
    "no move, yet a spin": (
        SPINS,
        ALONE,
        {f"spin={word}": f"W:W5:BK1:sliders=MMMM:spin={word}" for word in ("disc", "green", "orange")},
    ),
    "no move, and the disc": (SPINS, f"{ALONE}:spin=disc", {}),
    "the disc": (DOORS, "W:W21:B1:spin=disc", {"21-17": "B:W17:B1:sliders=MMMM"}),
    "green": (
        DOORS,
        "W:W21:B1:sliders=LMMM:spin=green",
        {
            "G1=L": "B:W21:B1:sliders=LLMM",
            "G1=R": "B:W21:B1:sliders=LRMM",
            "G2=L": "B:W21:B1:sliders=LMLM",
            "G2=R": "B:W21:B1:sliders=LMRM",
        },
    ),
    "orange": (
        DOORS,
        "B:W21:B1:sliders=LMMR:spin=orange",
        {"O1=M": "W:W21:B1:sliders=MMMR", "O2=M": "W:W21:B1:sliders=LMMM"},
    ),
    "both": (
        DUAL,
        "W:W21:B1:sliders=LRLR:spin=both",
        {
            "O1=M": "B:W21:B1:sliders=MRLR",
            "G1=M": "B:W21:B1:sliders=LMLR",
            "G2=M": "B:W21:B1:sliders=LRMR",
            "O2=M": "B:W21:B1:sliders=LRLM",
        },
    ),
    "through": (
        THROUGH,
        "W:W21:B16:sliders=LLRL:spin=green",
        {
            "G1=M": "B:W21:B16:sliders=LMRL",
            "G1=R": "B:W21:B:sliders=LRRL",
            "G2=M": "B:W21:B16:sliders=LLML",
            "G2=L": "B:W21:B16:sliders=LLLL",
        },
    ),
    "declining": (
        DECLINE,
        "W:W21:B1:sliders=RMMR:spin=orange",
        {
            "O1=M": "B:W21:B1:sliders=MMMR",
            "O2=M": "B:W21:B1:sliders=RMMM",
            "pass": "B:W21:B1:sliders=RMMR",
        },
    ),
    "the disc cannot be declined": (DECLINE, "W:W21:B1:spin=disc", {"21-17": "B:W17:B1:sliders=MMMM"}),
    "a capture, then a spin": (CAPTURE_FIRST, "W:W21:B1,17", {"21x14": "W:W14:B1:sliders=MMMM:spin=due"}),
    "the spin that is due": (
        CAPTURE_FIRST,
        "W:W14:B10:spin=due",
        {f"spin={word}": f"W:W14:B10:sliders=MMMM:spin={word}" for word in ("disc", "green", "orange")},
    ),
    "the spin that is due, although no piece can move": (
        CAPTURE_FIRST,
        "W:W12:B3,8:spin=due",
        {f"spin={word}": f"W:W12:B3,8:sliders=MMMM:spin={word}" for word in ("disc", "green", "orange")},
    ),
    "the spin that is due, although no piece is left": (
        CAPTURE_FIRST,
        "W:W:B3:sliders=MLMM:spin=due",
        {f"spin={word}": f"W:W:B3:sliders=MLMM:spin={word}" for word in ("disc", "green", "orange")},
    ),
    "a capture by the disc ends the turn": (
        CAPTURE_FIRST,
        "W:W14:B10:spin=disc",
        {"14x7": "B:W7:B:sliders=MMMM"},
    ),
    "a colour, although a capture is possible": (
        CAPTURE_FIRST,
        "W:W14:B10:sliders=LRLR:spin=green",
        {"G1=M": "B:W14:B10:sliders=LMLR", "G2=M": "B:W14:B10:sliders=LRMR"},
    ),
}

FALLING = "W:W17:B16,K19,20:sliders=LMMR:spin=green"
DOOR: dict[str, tuple[Rules, str, Listed]] = {
    "whatever stands there": (
        DOORS,
        FALLING,
        {
            "G1=L": "B:W17:B16,K19,20:sliders=LLMR",
            "G1=R": "B:W17:BK19,20:sliders=LRMR",
            "G2=L": "B:W:B16,K19,20:sliders=LMLR",
            "G2=R": "B:W17:B16,20:sliders=LMRR",
        },
    ),
    "only men": (
        MEN_FALL,
        FALLING,
        {
            "G1=L": "B:W17:B16,K19,20:sliders=LLMR",
            "G1=R": "B:W17:BK19,20:sliders=LRMR",
            "G2=L": "B:W:B16,K19,20:sliders=LMLR",
            "G2=R": "B:W17:B16,K19,20:sliders=LMRR",
        },
    ),
    "only the opponent's": (
        OPPONENTS_FALL,
        FALLING,
        {
            "G1=L": "B:W17:B16,K19,20:sliders=LLMR",
            "G1=R": "B:W17:BK19,20:sliders=LRMR",
            "G2=L": "B:W17:B16,K19,20:sliders=LMLR",
            "G2=R": "B:W17:B16,20:sliders=LMRR",
        },
    ),
    "closing drops nothing": (
        MEN_FALL,
        "W:W21:BK14:sliders=MLRM:spin=green",
        {"G1=M": "B:W21:BK14:sliders=MMRM", "G2=M": "B:W21:BK14:sliders=MLMM"},
    ),
    "closed again": (
        AT_ONCE,
        "W:W21:B16:spin=green",
        {
            "G1=L": "B:W21:B16:sliders=MMMM",
            "G1=R": "B:W21:B:sliders=MMMM",
            "G2=L": "B:W21:B16:sliders=MMMM",
            "G2=R": "B:W21:B16:sliders=MMMM",
        },
    ),
    "closed again or not": (
        OPTIONAL,
        "W:W21:B16:sliders=MMRM:spin=green",
        {
            "G1=L": "B:W21:B16:sliders=MLRM",
            "G1=LM": "B:W21:B16:sliders=MMRM",
            "G1=R": "B:W21:B:sliders=MRRM",
            "G1=RM": "B:W21:B:sliders=MMRM",
            "G2=M": "B:W21:B16:sliders=MMMM",
        },
    ),
    "closed again or not, from end to end": (
        but(OPTIONAL, trapdoors__step="through"),
        "W:W21:B16:sliders=MLRM:spin=green",
        {
            "G1=M": "B:W21:B16:sliders=MMRM",
            "G1=R": "B:W21:B:sliders=MRRM",
            "G1=RM": "B:W21:B:sliders=MMRM",
            "G2=M": "B:W21:B16:sliders=MLMM",
            "G2=L": "B:W21:B16:sliders=MLLM",
            "G2=LM": "B:W21:B16:sliders=MLMM",
        },
    ),
    "a quiet move onto a door": (DOORS, "W:W21:B1:sliders=MMLM:spin=disc", {"21-17": "B:W:B1:sliders=MMLM"}),
    "no quiet move onto a door": (NOT_ONTO, "W:W21:B1:sliders=MMLM", {}),
    "no crowning on a door": (TOP, "W:W5:B12:sliders=L:spin=disc", {"5-1": "B:W:B12:sliders=L"}),
    "no crowning by a capture either": (TOP, "W:W9:B6,12:sliders=R", {"9x2": "B:W:B12:sliders=R"}),
    "on from a crowning door": (
        but(TOP, trapdoors__capture_landing="only-last", promotion__mid_capture="as-king"),
        "W:W9:B6,7:sliders=R",
        {
            "9x2x11": "B:WK11:B:sliders=R",
            "9x2x16": "B:WK16:B:sliders=R",
            "9x2x20": "B:WK20:B:sliders=R",
        },
    ),
    "a capture ends on a door": (DOORS, "W:W21:B10,17:sliders=MLMM", {"21x14": "B:W:B10:sliders=MLMM"}),
    "from door to door": (ONLY_LAST, "W:W21:B10,17:sliders=MLMM", {"21x14x7": "B:W7:B:sliders=MLMM"}),
    "the last door": (ONLY_LAST, "W:W21:B17:sliders=MLMM", {"21x14": "B:W:B:sliders=MLMM"}),
    "most pieces without a door": (
        DOORS,
        "W:W21,32:B10,17,27",
        {"21x14x7": "B:W7,32:B27:sliders=MMMM"},
    ),
    "most pieces up to the door": (
        DOORS,
        "W:W21,32:B10,17,27:sliders=MLMM",
        {"21x14": "B:W32:B10,27:sliders=MLMM", "32x23": "B:W21,23:B10,17:sliders=MLMM"},
    ),
    "a king over a door": (
        DOORS,
        f"{LONG}:sliders=MMML:spin=disc",
        {"29-22": "B:W:B1:sliders=MMML"}
        | {f"29-{end}": f"B:WK{end}:B1:sliders=MMML" for end in (25, 18, 15, 11, 8, 4)},
    ),
    "over a door, not onto it": (
        NOT_ONTO,
        f"{LONG}:sliders=MMML:spin=disc",
        {f"29-{end}": f"B:WK{end}:B1:sliders=MMML" for end in (25, 18, 15, 11, 8, 4)},
    ),
    "a king before a door": (
        BLOCKED,
        f"{LONG}:sliders=MMML:spin=disc",
        {"29-25": "B:WK25:B1:sliders=MMML"},
    ),
    "a king before a door that it may not go onto": (
        but(INTO, trapdoors__quiet_landing="forbidden"),
        f"{LONG}:sliders=MMML:spin=disc",
        {"29-25": "B:WK25:B1:sliders=MMML"},
    ),
    "a king into a door": (
        INTO,
        f"{LONG}:sliders=MMML:spin=disc",
        {"29-25": "B:WK25:B1:sliders=MMML", "29-22": "B:W:B1:sliders=MMML"},
    ),
    "a capture over a door": (
        DOORS,
        "W:WK29:B15:sliders=MMML",
        {f"29x{end}": f"B:WK{end}:B:sliders=MMML" for end in (11, 8, 4)},
    ),
    "no capture behind a wall": (
        BLOCKED,
        "W:WK29:B15:sliders=MMML:spin=disc",
        {"29-25": "B:WK25:B15:sliders=MMML"},
    ),
    "no capture behind a hole": (
        INTO,
        "W:WK29:B15:sliders=MMML:spin=disc",
        {"29-25": "B:WK25:B15:sliders=MMML", "29-22": "B:W:B15:sliders=MMML"},
    ),
    "landing over a door": (
        DOORS,
        "W:WK29:B15:sliders=RMMM",
        {
            "29x11": "B:W:B:sliders=RMMM",
            "29x8": "B:WK8:B:sliders=RMMM",
            "29x4": "B:WK4:B:sliders=RMMM",
        },
    ),
    "no landing on a wall": (
        BLOCKED,
        "W:WK29:B15:sliders=RMMM:spin=disc",
        {f"29-{end}": f"B:WK{end}:B15:sliders=RMMM" for end in (25, 22, 18)},
    ),
    "landing in a hole": (INTO, "W:WK29:B15:sliders=RMMM", {"29x11": "B:W:B:sliders=RMMM"}),
    "doors do not go on": (
        but(DOORS, king__capture__finish="continuing", **FREE),
        "W:WK29:B15,7:sliders=RMMM",  # from f6 it could take e7, but f6 is open
        {
            "29x11": "B:W:B7:sliders=RMMM",
            "29x8": "B:WK8:B7:sliders=RMMM",
            "29x4": "B:WK4:B7:sliders=RMMM",
        },
    ),
}

TAKE_BACK = "B:W15,32:B10,12:compelled"
TWO_OR_ONE = "W:W21,24:B11,17,19"  # 24 can take 19 and 11, 21 can take 17
STOPPED = "B:W15,21:B11,17:huffable=24-15x19"
HUFFING: dict[str, tuple[Rules, str, Listed]] = {
    "a capture is to be made": (HUFF, "B:W15,32:B10,12", {"10x19": "W:W32:B12,19"}),
    "compelled": (HUFF, TAKE_BACK, {"10x19": "W:W32:B12,19"}),
    "the piece that could have, and a capture of one's own": (
        HUFF,
        "W:W15,32:B10,16:huffable=12-16",
        {"huff 10": "W:W15,32:B16", "retract": TAKE_BACK, "15x6": "B:W6,32:B16"},
    ),
    "the piece that could have is the one that moved": (
        HUFF,
        "W:W15,32:B12,14:huffable=10-14",
        {
            "huff 14": "W:W15,32:B12",
            "retract": TAKE_BACK,
            "15-10": "B:W10,32:B12,14",
            "15-11": "B:W11,32:B12,14",
            "32-27": "B:W15,27:B12,14",
            "32-28": "B:W15,28:B12,14",
        },
    ),
    "one of two": (
        HUFF,
        "W:W15,32:B8,10,11:huffable=4-8",
        {
            "huff 10": "W:W15,32:B8,11",
            "huff 11": "W:W15,32:B8,10",
            "retract": "B:W15,32:B4,10,11:compelled",
            "15x6": "B:W6,32:B8,11",
        },
    ),
    "a crowned man taken back": (
        HUFF,
        "W:W15:B10,K29:huffable=25-29K",
        {"huff 10": "W:W15:BK29", "retract": "B:W15:B10,25:compelled", "15x6": "B:W6:BK29"},
    ),
    "the piece that moved": (
        but(HUFF, huff__piece="moved", huff__turn="spent", huff__retracted="free"),
        "W:W15,32:B10,16:huffable=12-16",
        {"huff 16": "B:W15,32:B10", "retract": "B:W15,32:B10,12", "15x6": "B:W6,32:B16"},
    ),
    "the turn is lost": (
        but(HUFF, huff__remedies=["retract"], huff__retracted="turn-lost"),
        "W:W15,32:B10,16:huffable=12-16",
        {"retract": "W:W15,32:B10,12", "15x6": "B:W6,32:B16"},
    ),
    "the capture that was left unfinished": (
        UNFINISHED,
        STOPPED,
        {"huff 15": "B:W21:B11,17", "retract": f"{TWO_OR_ONE}:compelled", "11x18": "W:W21:B17,18"},
    ),
    "the piece that stopped is the one that moved": (
        but(UNFINISHED, huff__piece="moved", huff__turn="spent", huff__retracted="free"),
        STOPPED,
        {"huff 15": "W:W21:B11,17", "retract": TWO_OR_ONE, "11x18": "W:W21:B17,18"},
    ),
    "a king that was taken is back": (
        but(UNFINISHED, huff__remedies=["retract"], huff__retracted="turn-lost"),
        "B:W15,21:B11,17:huffable=24-15xK19",
        {"retract": "B:W21,24:B11,17,K19", "11x18": "W:W21:B17,18"},
    ),
    "another than the man that took too few": (
        LESS,
        "B:W14,24:B11,19:huffable=21-14x17",
        {"huff 24": "B:W14:B11,19", "retract": f"{TWO_OR_ONE}:compelled", "19x28": "W:W14:B11,28"},
    ),
    "either of two that could have taken the most": (
        LESS,
        "B:W16,24:B11:huffable=23-16x19",  # 23 and 24 could both have taken 19 and 11
        {
            "huff 16": "B:W24:B11",
            "huff 24": "B:W16:B11",
            "retract": "W:W23,24:B11,19:compelled",
            "11x20x27": "W:W:B27",
        },
    ),
    "compelled to the whole of it": (
        UNFINISHED,
        f"{TWO_OR_ONE}:compelled",
        {"21x14": "B:W14,24:B11,19", "24x15x8": "B:W8,21:B17"},
    ),
    "compelled to the most of it": (LESS, f"{TWO_OR_ONE}:compelled", {"24x15x8": "B:W8,21:B17"}),
}

ALL = {**SPIN, **DOOR, **HUFFING}


@each_implementation
@for_each(("rules", "fen", "expected"), ALL.values())
def test_actions(implementation: Implementation, rules: Rules, fen: str, expected: Listed) -> None:
    assert implementation.possible(rules, fen)
    assert implementation.actions(rules, fen) == expected


LAPSES: dict[str, tuple[Rules, str, Listed]] = {
    "every quiet move": (
        HUFF,
        "B:W15,32:B10,12",
        {"10-14": "W:W15,32:B12,14:huffable=10-14", "12-16": "W:W15,32:B10,16:huffable=12-16"},
    ),
    "one that crowns": (
        HUFF,
        "B:W15:B10,25",
        {
            "10-14": "W:W15:B14,25:huffable=10-14",
            "25-29": "W:W15:B10,K29:huffable=25-29K",
            "25-30": "W:W15:B10,K30:huffable=25-30K",
        },
    ),
    "a king's too": (
        HUFF,
        "B:W15:B10,K32",
        {
            "10-14": "W:W15:B14,K32:huffable=10-14",
            "32-27": "W:W15:B10,K27:huffable=32-27",
            "32-28": "W:W15:B10,K28:huffable=32-28",
        },
    ),
    "not a king's": (MAN_FORWARD, "B:W15:B10,K32", {"10-14": "W:W15:B14,K32:huffable=10-14"}),
    "none without a capture": (HUFF, "B:W15:B9", {}),
    "none when compelled": (HUFF, TAKE_BACK, {}),
    "a lapse after a lapse": (
        HUFF,
        "W:W15,32:B10,16:huffable=12-16",
        {
            "15-11": "B:W11,32:B10,16:huffable=15-11",
            "32-27": "B:W15,27:B10,16:huffable=32-27",
            "32-28": "B:W15,28:B10,16:huffable=32-28",
        },
    ),
    "captures ended too early": (
        UNFINISHED,
        TWO_OR_ONE,
        {"24-20": "B:W20,21:B11,17,19:huffable=24-20", "24x15": STOPPED},
    ),
    "after each jump but the last": (
        UNFINISHED,
        "W:W31:B11,K18,26",
        {
            "31-27": "B:W27:B11,K18,26:huffable=31-27",
            "31x22": "B:W22:B11,K18:huffable=31-22x26",
            "31x22x15": "B:W15:B11:huffable=31-15xK18,26",
        },
    ),
    "captures of too few": (
        LESS,
        TWO_OR_ONE,
        {
            "21x14": "B:W14,24:B11,19:huffable=21-14x17",
            "24-20": "B:W20,21:B11,17,19:huffable=24-20",
            "24x15": STOPPED,
        },
    ),
    "none behind a capture that crowns": (UNFINISHED, "W:W11:B6,7", {"11-8": "B:W8:B6,7:huffable=11-8"}),
    "none of a capture when compelled": (UNFINISHED, f"{TWO_OR_ONE}:compelled", {}),
    "none of too few when compelled": (LESS, f"{TWO_OR_ONE}:compelled", {}),
    "none where captures are compulsory": (ENGLISH, "B:W15,32:B10,12", {}),
    "none where one spins": (DOORS, "W:W21:B17", {}),
}


@each_implementation
@for_each(("rules", "fen", "expected"), LAPSES.values())
def test_lapses(implementation: Implementation, rules: Rules, fen: str, expected: Listed) -> None:
    assert implementation.lapses(rules, fen) == expected


ENDS: dict[str, tuple[Rules, str, tuple[str, str | None]]] = {
    "it can spin": (DOORS, "W:W21:B1", ("ongoing", None)),
    "no move, no spin": (DOORS, ALONE, ("black", "no-moves")),
    "no move, yet a spin": (SPINS, ALONE, ("ongoing", None)),
    "no move, and the disc": (SPINS, f"{ALONE}:spin=disc", ("black", "no-moves")),
    "no move, and a slider": (SPINS, f"{ALONE}:spin=green", ("ongoing", None)),
    "no move but onto a door": (NOT_ONTO, "W:W21:B1:sliders=MMLM", ("black", "no-moves")),
    "the last piece fell": (DOORS, "B:W:B1:sliders=MMLM", ("black", "no-pieces")),
    "the other side's last piece fell": (DOORS, "B:W21:B:sliders=MLMM", ("white", "no-pieces")),
    "both sides' last: the mover wins": (DOORS, "B:W:B:sliders=MLMM", ("white", "both-empty")),
    "both sides' last: the mover loses": (
        but(DOORS, ending__both_empty="mover-loses"),
        "B:W:B:sliders=MLMM",
        ("black", "both-empty"),
    ),
    "both sides' last: a draw": (
        but(DOORS, ending__both_empty="draw"),
        "B:W:B:sliders=MLMM",
        ("draw", "both-empty"),
    ),
    "both sides' last, the mover's spin due": (CAPTURE_FIRST, "W:W:B:sliders=MLMM:spin=due", ("white", "both-empty")),
    # White has captured and is still to spin, so White moved last; else Black did.
    "two kings, a spin due": (
        but(CAPTURE_FIRST, ending__first_king="wins"),
        "W:WK5:BK4:spin=due",
        ("white", "first-king"),
    ),
    "two kings": (but(CAPTURE_FIRST, ending__first_king="wins"), "W:WK5:BK4", ("black", "first-king")),
    "no pieces, with huffing": (HUFF, "W:W15:B", ("white", "no-pieces")),
    "no move, with huffing": (HUFF, "W:W5:BK1", ("black", "no-moves")),
    "no move and nothing to claim": (HUFF, "W:W13,17:B6,9,10,14", ("black", "no-moves")),
    "no move of a piece, whatever the claim": (
        NO_PIECE_MOVE,
        "W:W13,17:B6,9,10,14:huffable=2-6",
        ("black", "no-moves"),
    ),
    "no step, whatever the claim": (NO_STEP, "W:W13,17:B6,9,10,14:huffable=2-6", ("black", "no-moves")),
    "no step, but a capture": (HUFF, "W:W13:B9", ("ongoing", None)),
    "no step, but a capture, which is a move of a piece": (NO_PIECE_MOVE, "W:W13:B9", ("ongoing", None)),
    "no step, whatever can be captured": (NO_STEP, "W:W13:B9", ("black", "no-moves")),
    "a step that the duty forbids": (NO_STEP, "B:W15,32:B10,12", ("ongoing", None)),
    "a step, and compelled to capture": (NO_STEP, TAKE_BACK, ("ongoing", None)),
    "no move, but a claim": (HUFF, "W:W13,17:B6,9,10,14:huffable=2-6", ("ongoing", None)),  # 14 could have taken 17
}


@each_implementation
@for_each(("rules", "fen", "expected"), ENDS.values())
def test_outcome(implementation: Implementation, rules: Rules, fen: str, expected: tuple[str, str | None]) -> None:
    assert implementation.possible(rules, fen)
    assert implementation.outcome(rules, fen) == expected


IMPOSSIBLE: dict[str, tuple[Rules, str]] = {
    "green, and lost before it could spin": (DOORS, f"{ALONE}:spin=green"),
    "the disc, and lost before it could spin": (DOORS, f"{ALONE}:spin=disc"),
    "green, and 17 in the way with 14 behind it": (DOORS, "W:W21:B14,17:spin=green"),
    "green without a piece": (SPINS, "W:W:B17:spin=green"),
    "green, and 17 an open door, the only way on": (NOT_ONTO, "W:W21:B1:sliders=MMLM:spin=green"),
    "a square beyond the board": (DOORS, "W:W21:B33"),
    "a letter too few": (DOORS, "W:W21:B1:sliders=MMM"),
    "a letter that is none": (DOORS, "W:W21:B1:sliders=MMXM"),
    "a man on an open door": (DOORS, "W:W17:B1:sliders=MMLM"),
    "a king on an open door": (DOORS, "W:WK17:B1:sliders=MMLM"),
    "a man on an open door, where men fall": (MEN_FALL, "W:W17:B1:sliders=MMLM"),
    "an open door, where they close at once": (AT_ONCE, "W:W21:B1:sliders=LMMM"),
    "a result the spinner has not": (DOORS, "W:W21:B1:spin=both"),
    "a spin that is due, where none follows a capture": (DOORS, "W:W21:B1:spin=due"),
    "the disc, where a capture comes first": (DOORS, "W:W21:B17:spin=disc"),
    "a slider, where a capture comes first": (DOORS, "W:W21:B17:spin=green"),
    "a claim without huffing, doors": (DOORS, "W:W21:B1:huffable=22-21"),
    "compelled without huffing, doors": (DOORS, "W:W21:B17:compelled"),
    "sliders without doors": (ENGLISH, "W:W21:B1:sliders=MMMM"),
    "a spin without a spinner": (ENGLISH, "W:W21:B1:spin=disc"),
    "compelled without huffing": (ENGLISH, "W:W21:B17:compelled"),
    "a claim without huffing": (ENGLISH, "W:W15,32:B10,16:huffable=12-16"),
    "compelled without a capture": (HUFF, "W:W21:B1:compelled"),
    "compelled, where a retreat is free": (but(HUFF, huff__retracted="free"), TAKE_BACK),
    "a claim and compelled": (HUFF, "W:W15,32:B10,16:huffable=12-16:compelled"),
    "a claim that is no move": (HUFF, "W:W15,32:B10,16:huffable=12x16"),
    "nothing stands there": (HUFF, "W:W15,32:B10,16:huffable=12-17"),
    "men do not move back": (HUFF, "W:W15,32:B10,16:huffable=20-16"),
    "the square is taken": (HUFF, "W:W15,32:B10,16:huffable=10-16"),
    "a piece of one's own": (HUFF, "W:W15,32:B10,16:huffable=28-32"),
    "a man that the claim calls a king": (HUFF, "W:W15,32:B10,16:huffable=12-16K"),
    "a king, but no promotion row": (HUFF, "W:W15:B10,K16:huffable=12-16K"),
    "a man that should be crowned": (HUFF, "W:W15:B10,29:huffable=25-29"),
    "no capture was left": (HUFF, "W:W19,32:B10,16:huffable=12-16"),
    "a claim from beyond the board": (HUFF, "W:W15,32:B10,16:huffable=33-16"),
    "a capture is no lapse": (HUFF, STOPPED),
    "a capture that is complete": (UNFINISHED, "B:W8,21:B17:huffable=24-8x11,19"),
    "what was taken stands there": (UNFINISHED, "B:W15,21:B11,17,19:huffable=24-15x19"),
    "nothing lay on the way": (UNFINISHED, "B:W15,21:B11,17:huffable=24-15x18"),
    "taken beyond the board": (UNFINISHED, "B:W15,21:B11,17:huffable=24-15x33"),
    "taken twice": (UNFINISHED, "B:W15,21:B11,17:huffable=24-15x19,19"),
    "not in order": (UNFINISHED, "B:WK18:B23:huffable=18-18x7,6,14,15"),
    "taken where it began": (UNFINISHED, "B:W15,21:B11,17:huffable=24-15x24"),
    "nothing was left to take": (UNFINISHED, "B:W15,21:B17:huffable=24-15x19"),
    "a king's move, where only men lapse": (MAN_FORWARD, "W:W15:B10,K27:huffable=32-27"),
}


@each_implementation
@for_each(("rules", "fen"), IMPOSSIBLE.values())
def test_impossible(implementation: Implementation, rules: Rules, fen: str) -> None:
    assert not implementation.possible(rules, fen)


POSSIBLE: dict[str, tuple[Rules, str]] = {
    "a king on an open door, where men fall": (MEN_FALL, "W:WK17:B1:sliders=MMLM"),
    "a piece of the one who slid on an open door": (OPPONENTS_FALL, "W:W17:B1:sliders=MMLM"),
    "green after a capture that led to a blocked side": (CAPTURE_FIRST, f"{ALONE}:spin=green"),
    "green where a blocked side spins": (SPINS, "W:W21:B14,17:spin=green"),
    "green, and it can move to fall": (DOORS, "W:W21:B1:sliders=MMLM:spin=green"),
    "the disc and a capture, which came before": (CAPTURE_FIRST, "W:W21:B17:spin=disc"),
    "an unfinished capture": (UNFINISHED, STOPPED),
    "an unfinished capture of a king": (UNFINISHED, "B:W15,21:B11,17:huffable=24-15xK19"),
    "an unfinished capture back to where it began": (UNFINISHED, "B:WK18:B23:huffable=18-18x6,7,14,15"),
    "a quiet move, where captures can lapse too": (UNFINISHED, "B:W20,21:B11,17,19:huffable=24-20"),
    "a king's lapse": (HUFF, "W:W15:B10,K27:huffable=32-27"),
    "a king's move onto the promotion row": (HUFF, "W:W15:B10,K29:huffable=25-29"),
}


@each_implementation
@for_each(("rules", "fen"), POSSIBLE.values())
def test_possible_all_the_same(implementation: Implementation, rules: Rules, fen: str) -> None:
    assert implementation.possible(rules, fen)
