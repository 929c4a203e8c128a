"""The rules of some well-known games as bare values, in full and apart from spec/rulesets."""

from __future__ import annotations

from typing import Any

AHEAD = ["forward-left", "forward-right"]
DIAGONAL = [*AHEAD, "backward-left", "backward-right"]
ORTHOGONAL = ["forward", "left", "right", "backward"]

INTERNATIONAL: dict[str, Any] = {
    "board.size": "10x10",
    "board.squares": "dark",
    "board.dark-corner": "left",
    "board.numbering": "top-left",
    "start.men": 4,
    "start.first": "white",
    "man.move.directions": AHEAD,
    "man.move.reach": 1,
    "man.capture.first": DIAGONAL,
    "man.capture.later": DIAGONAL,
    "man.capture.takes": "any",
    "king.move.directions": DIAGONAL,
    "king.move.reach": "any",
    "king.move.slides": "once",
    "king.capture.directions": DIAGONAL,
    "king.capture.reach": "any",
    "king.capture.landing": "any",
    "capture.duty": "compulsory",
    "capture.completion": "whole",
    "capture.choice": ["most-pieces"],
    "capture.binds": "path",
    "capture.removal": "at-end",
    "capture.origin": "empty",
    "promotion.rows": 1,
    "promotion.mid-capture": "as-man",
    "promotion.return": "crowned",
    "ending.no-pieces": "loses",
    "ending.no-moves": "loses",
    "ending.draws": [],
}


def but(rules: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The same rules with some replaced: `man__move__reach=2` is man.move.reach, one `_` is a hyphen."""
    named = {key.replace("__", ".").replace("_", "-"): value for key, value in changes.items()}
    return {name: value for name, value in {**rules, **named}.items() if value is not None}


FREE: dict[str, Any] = {"capture__choice": [], "capture__binds": None}
STOPS: dict[str, Any] = {"promotion__mid_capture": "stops", "promotion__return": None}
MEN_AHEAD: dict[str, Any] = {"man__capture__first": AHEAD, "man__capture__later": AHEAD}
SHORT: dict[str, Any] = {
    "king__move__reach": 1,
    "king__capture__reach": 1,
    "king__capture__landing": "behind",
}

BRAZILIAN = but(INTERNATIONAL, board__size="8x8", start__men=3)
POOL = but(BRAZILIAN, king__capture__finish="continuing", start__first="black", **FREE)
RUSSIAN = but(POOL, start__first="white", promotion__mid_capture="as-king", promotion__return=None)
ENGLISH = but(BRAZILIAN, start__first="black", **MEN_AHEAD, **SHORT, **FREE, **STOPS)
CZECH = but(POOL, start__first="white", capture__choice=["with-king"], capture__binds="path", **MEN_AHEAD, **STOPS)
SPANISH = but(
    BRAZILIAN,
    board__dark_corner="right",
    capture__choice=["most-pieces", "most-kings"],
    **MEN_AHEAD,
    **STOPS,
)
ITALIAN = but(
    SPANISH,
    man__capture__takes="men",
    capture__choice=["most-pieces", "with-king", "most-kings", "king-first"],
    **SHORT,
)
FRISIAN = but(
    INTERNATIONAL,
    man__capture__first=DIAGONAL + ORTHOGONAL,
    man__capture__later=DIAGONAL + ORTHOGONAL,
    king__capture__directions=DIAGONAL + ORTHOGONAL,
    capture__choice=["most-pieces", "with-king"],
    capture__king_weight=1.99,
    king__move__limit=3,
)
CANADIAN = but(INTERNATIONAL, board__size="12x12", start__men=5)
THAI = but(ENGLISH, king__move__reach="any", king__capture__reach="any", capture__removal="at-once")

#: Doors on 9, 11, 14, 16, 17, 19, 22 and 24.
LAYOUT: dict[str, Any] = {
    "damspec": 1,
    "id": "bare",
    "name": "Eight doors",
    "board": "8x8",
    "assumed": True,
    "sliders": [
        {"id": "O1", "colour": "orange", "left": 9, "right": 11},
        {"id": "G1", "colour": "green", "left": 14, "right": 16},
        {"id": "G2", "colour": "green", "left": 17, "right": 19},
        {"id": "O2", "colour": "orange", "left": 22, "right": 24},
    ],
}
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
HUFF = but(
    ENGLISH,
    capture__duty="huffing",
    ending__blocked="no-action",
    huff__offence="no-capture",
    huff__remedies=["huff", "retract"],
    huff__piece="able",
    huff__turn="kept",
    huff__retracted="must-capture",
)


def sized(columns: int, rows: int, start: int) -> dict[str, Any]:
    """International draughts on another board."""
    return but(INTERNATIONAL, board__size=f"{columns}x{rows}", start__men=start)


#: The draws by what went before, of the world federation and of the four games that have a rulebook here.
FMJD_DRAWS: dict[str, Any] = {
    "draws.repetition": 3,
    "draws.king-moves": 25,
    "draws.endings": {"KKKvK KKMvK KMMvK": 16, "KKvK KMvK KvK": 5},
}
ENGLISH_DRAWS: dict[str, Any] = {"draws.repetition": 3, "draws.king-moves": 40}
RUSSIAN_DRAWS: dict[str, Any] = {
    "draws.repetition": 3,
    "draws.king-moves": 15,
    "draws.endings": {"KKKvK": 15, "KKvK KMvK KvK": 5},
    "draws.balance": {"4-5": 30, "6-7": 60},
    "draws.main-road": {"KKKvK KKMvK KMMvK": 5},
    "draws.counted-side": "stronger",
}
BRAZILIAN_DRAWS: dict[str, Any] = {
    "draws.repetition": 3,
    "draws.king-moves": 20,
    "draws.endings": {"KKvKK KKvK KKvKM KMvK KvK": 5},
    "draws.main-road": {"KKKvK KKMvK KMMvK": 5},
}

VARIANTS: dict[str, dict[str, Any]] = {
    "english": {**ENGLISH, **ENGLISH_DRAWS},
    "pool": POOL,
    "russian": {**RUSSIAN, **RUSSIAN_DRAWS},
    "brazilian": {**BRAZILIAN, **BRAZILIAN_DRAWS},
    "czech": CZECH,
    "spanish": SPANISH,
    "italian": {**ITALIAN, "draws.repetition": 3, "draws.king-moves": 40},
    "international": {**INTERNATIONAL, **FMJD_DRAWS},
    "frisian": {**FRISIAN, "draws.endings": {"KKvK": 7, "KvK": 2}},
    "canadian": CANADIAN,
    "thai": THAI,
    "6x6": sized(6, 6, 2),
    "8x10": sized(8, 10, 4),
    "10x8": sized(10, 8, 3),
    "10x11": sized(10, 11, 4),
    "10x12": sized(10, 12, 5),
    "12x10": sized(12, 10, 4),
    "14x14": sized(14, 14, 6),
}
