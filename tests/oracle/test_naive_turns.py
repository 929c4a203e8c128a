"""The naive generator's turns with spinner, trapdoors and huffing, against positions worked out by hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

from naive import moves, read, start, write
from naive_turns import NaiveAction, actions, lapses, outcome, perft, possible
from variants import BRAZILIAN, ENGLISH, FREE, STOPS, but

Rules = dict[str, Any]
Listed = dict[str, str]

LAYOUT = {
    "sliders": [
        {"id": "O1", "colour": "orange", "left": 9, "right": 11},
        {"id": "G1", "colour": "green", "left": 14, "right": 16},
        {"id": "G2", "colour": "green", "left": 17, "right": 19},
        {"id": "O2", "colour": "orange", "left": 22, "right": 24},
    ]
}
ON_THE_CROWNHEAD = {"sliders": [{"id": "T", "colour": "green", "left": 1, "right": 2}]}
DOORS = but(
    BRAZILIAN,
    capture__removal="at-once",
    trapdoors__layout=LAYOUT,
    trapdoors__step="one",
    trapdoors__falls="any",
    trapdoors__quiet_landing="falls",
    trapdoors__capture_landing="ends",
    trapdoors__passing="over",
    trapdoors__closing="stays-open",
    spin__outcomes={"disc": "piece", "green": "green-slider", "orange": "orange-slider"},
    spin__when="no-capture",
    spin__blocked="loses",
    spin__slide="compulsory",
    ending__both_empty="mover-wins",
    **STOPS,
)
THROUGH = but(DOORS, trapdoors__step="through")
MEN_FALL = but(DOORS, trapdoors__falls="men")
OPPONENTS_FALL = but(DOORS, trapdoors__falls="opponents")
NOT_ONTO = but(DOORS, trapdoors__quiet_landing="forbidden")
ONLY_LAST = but(DOORS, trapdoors__capture_landing="only-last")
BLOCKED = but(DOORS, trapdoors__passing="blocked")
INTO = but(DOORS, trapdoors__passing="falls")
AT_ONCE = but(DOORS, trapdoors__closing="at-once")
OPTIONAL = but(DOORS, trapdoors__closing="optional")
DUAL = but(DOORS, spin__outcomes={**DOORS["spin.outcomes"], "both": "any-slider"})
DECLINE = but(DOORS, spin__slide="may-decline")
SPINS = but(DOORS, spin__blocked="spins")
CAPTURE_FIRST = but(DOORS, spin__when="after-capture")
TOP = but(DOORS, trapdoors__layout=ON_THE_CROWNHEAD)

HUFF = but(
    ENGLISH,
    capture__duty="huffing",
    huff__offence="no-capture",
    huff__remedies=["huff", "retract"],
    huff__piece="able",
    huff__turn="kept",
    huff__retracted="must-capture",
)
MAN_FORWARD = but(HUFF, huff__offence="man-forward")

GAMES: dict[str, Rules] = {
    "doors": DOORS,
    "through": THROUGH,
    "men fall": MEN_FALL,
    "opponents fall": OPPONENTS_FALL,
    "not onto": NOT_ONTO,
    "only last": ONLY_LAST,
    "blocked": BLOCKED,
    "into": INTO,
    "at once": AT_ONCE,
    "optional": OPTIONAL,
    "dual": DUAL,
    "decline": DECLINE,
    "spins": SPINS,
    "capture first": CAPTURE_FIRST,
    "top": TOP,
    "huff": HUFF,
    "man forward": MAN_FORWARD,
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


def listed(found: list[NaiveAction]) -> Listed:
    shown = {action.text: write(action.after) for action in found}
    assert len(shown) == len(found)
    return shown


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
        but(DOORS, king__capture__landing="continuing", **FREE),
        "W:WK29:B15,7:sliders=RMMM",  # from f6 it could take e7, but f6 is open
        {
            "29x11": "B:W:B7:sliders=RMMM",
            "29x8": "B:WK8:B7:sliders=RMMM",
            "29x4": "B:WK4:B7:sliders=RMMM",
        },
    ),
}

TAKE_BACK = "B:W15,32:B10,12:compelled"
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
}

ALL = {**SPIN, **DOOR, **HUFFING}


@pytest.mark.parametrize(("rules", "fen", "expected"), ALL.values(), ids=ALL.keys())
def test_actions(rules: Rules, fen: str, expected: Listed) -> None:
    assert possible(rules, read(fen))
    assert listed(actions(rules, read(fen))) == expected


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
    "none where captures are compulsory": (ENGLISH, "B:W15,32:B10,12", {}),
    "none where one spins": (DOORS, "W:W21:B17", {}),
}


@pytest.mark.parametrize(("rules", "fen", "expected"), LAPSES.values(), ids=LAPSES.keys())
def test_lapses(rules: Rules, fen: str, expected: Listed) -> None:
    assert listed(lapses(rules, read(fen))) == expected


ENDS: list[tuple[Rules, str, tuple[str, str | None]]] = [
    (DOORS, "W:W21:B1", ("ongoing", None)),
    (DOORS, ALONE, ("black", "no-moves")),
    (SPINS, ALONE, ("ongoing", None)),
    (SPINS, f"{ALONE}:spin=disc", ("black", "no-moves")),
    (SPINS, f"{ALONE}:spin=green", ("ongoing", None)),
    (NOT_ONTO, "W:W21:B1:sliders=MMLM", ("black", "no-moves")),
    (DOORS, "B:W:B1:sliders=MMLM", ("black", "no-pieces")),
    (DOORS, "B:W21:B:sliders=MLMM", ("white", "no-pieces")),
    (DOORS, "B:W:B:sliders=MLMM", ("white", "both-empty")),
    (but(DOORS, ending__both_empty="mover-loses"), "B:W:B:sliders=MLMM", ("black", "both-empty")),
    (but(DOORS, ending__both_empty="draw"), "B:W:B:sliders=MLMM", ("draw", "both-empty")),
    (CAPTURE_FIRST, "W:W:B:sliders=MLMM:spin=due", ("white", "both-empty")),
    (HUFF, "W:W15:B", ("white", "no-pieces")),
    (HUFF, "W:W5:BK1", ("black", "no-moves")),
    (HUFF, "W:W13,17:B6,9,10,14", ("black", "no-moves")),
    (HUFF, "W:W13,17:B6,9,10,14:huffable=2-6", ("ongoing", None)),  # 14 could have taken 17
]


@pytest.mark.parametrize(("rules", "fen", "expected"), ENDS)
def test_outcome(rules: Rules, fen: str, expected: tuple[str, str | None]) -> None:
    assert possible(rules, read(fen))
    assert outcome(rules, read(fen)) == expected


IMPOSSIBLE: list[tuple[Rules, str]] = [
    (DOORS, "W:W21:B33"),
    (DOORS, "W:W21:B1:sliders=MMM"),
    (DOORS, "W:W21:B1:sliders=MMXM"),
    (DOORS, "W:W17:B1:sliders=MMLM"),
    (DOORS, "W:WK17:B1:sliders=MMLM"),
    (MEN_FALL, "W:W17:B1:sliders=MMLM"),
    (AT_ONCE, "W:W21:B1:sliders=LMMM"),
    (DOORS, "W:W21:B1:spin=both"),
    (DOORS, "W:W21:B1:spin=due"),
    (DOORS, "W:W21:B17:spin=disc"),
    (DOORS, "W:W21:B17:spin=green"),
    (DOORS, f"{ALONE}:spin=green"),  # lost before it could spin
    (DOORS, f"{ALONE}:spin=disc"),
    (DOORS, "W:W21:B14,17:spin=green"),  # 17 is in the way, and 14 behind it
    (SPINS, "W:W:B17:spin=green"),  # no piece, no spin
    (NOT_ONTO, "W:W21:B1:sliders=MMLM:spin=green"),  # 17 is an open door, the only way on
    (DOORS, "W:W21:B1:huffable=22-21"),
    (DOORS, "W:W21:B17:compelled"),
    (ENGLISH, "W:W21:B1:sliders=MMMM"),
    (ENGLISH, "W:W21:B1:spin=disc"),
    (ENGLISH, "W:W21:B17:compelled"),
    (ENGLISH, "W:W15,32:B10,16:huffable=12-16"),
    (HUFF, "W:W21:B1:compelled"),
    (but(HUFF, huff__retracted="free"), TAKE_BACK),
    (HUFF, "W:W15,32:B10,16:huffable=12-16:compelled"),
    (HUFF, "W:W15,32:B10,16:huffable=12x16"),
    (HUFF, "W:W15,32:B10,16:huffable=12-17"),  # nothing stands on 17
    (HUFF, "W:W15,32:B10,16:huffable=20-16"),  # men do not move back
    (HUFF, "W:W15,32:B10,16:huffable=10-16"),  # 10 is taken
    (HUFF, "W:W15,32:B10,16:huffable=28-32"),  # White's own
    (HUFF, "W:W15,32:B10,16:huffable=12-16K"),  # no king
    (HUFF, "W:W15:B10,K16:huffable=12-16K"),  # no crownhead
    (HUFF, "W:W15:B10,29:huffable=25-29"),  # a man is crowned there
    (HUFF, "W:W19,32:B10,16:huffable=12-16"),  # no capture was left
    (HUFF, "W:W15,32:B10,16:huffable=33-16"),
    (MAN_FORWARD, "W:W15:B10,K27:huffable=32-27"),
]


@pytest.mark.parametrize(("rules", "fen"), IMPOSSIBLE)
def test_impossible(rules: Rules, fen: str) -> None:
    assert not possible(rules, read(fen))


@pytest.mark.parametrize(
    ("rules", "fen"),
    [
        (MEN_FALL, "W:WK17:B1:sliders=MMLM"),
        (OPPONENTS_FALL, "W:W17:B1:sliders=MMLM"),
        (CAPTURE_FIRST, "W:W21:B17:spin=disc"),
        (CAPTURE_FIRST, f"{ALONE}:spin=green"),  # spun after a capture that led here
        (SPINS, "W:W21:B14,17:spin=green"),
        (DOORS, "W:W21:B1:sliders=MMLM:spin=green"),  # it can move, to fall
        (HUFF, "W:W15:B10,K27:huffable=32-27"),
        (HUFF, "W:W15:B10,K29:huffable=25-29"),  # as a king, already crowned
    ],
)
def test_possible_all_the_same(rules: Rules, fen: str) -> None:
    assert possible(rules, read(fen))


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        (DOORS, [3, 15, 45, 217]),  # 7 moves and 8 slides; a slider that has moved has one step only
        (AT_ONCE, [3, 15, 45, 225]),
        (DUAL, [4, 23, 92, 497]),
        (HUFF, [7, 49, 302]),  # lapses are not counted
    ],
)
def test_counts_from_the_start(rules: Rules, counts: list[int]) -> None:
    assert [perft(rules, start(rules), depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("name", GAMES)
def test_a_game_stays_possible(name: str) -> None:
    rules, chance = GAMES[name], random.Random(name)
    for _ in range(4):
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
    assert listed(actions(ENGLISH, position)) == {
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
    with pytest.raises(ValueError, match="not a position"):
        read(fen)


def test_the_order_of_fields() -> None:
    text = "W:W1:B2:sliders=MMMM:spin=disc:huffable=1-5:compelled"
    assert write(read("W:W1:B2:compelled:huffable=1-5:spin=disc:sliders=MMMM")) == text


def test_no_huffing_with_a_spinner() -> None:
    with pytest.raises(ValueError, match="not covered"):
        actions(but(DOORS, capture__duty="huffing"), start(DOORS))
