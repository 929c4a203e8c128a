"""Bare rule values of games with trapdoors and with huffing, one rule after another changed."""

from __future__ import annotations

from variants import DOORS, HUFF, LAYOUT, but

ON_THE_PROMOTION_ROW = {**LAYOUT, "sliders": [{"id": "T1", "colour": "green", "left": 1, "right": 2}]}
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
TOP = but(DOORS, trapdoors__layout=ON_THE_PROMOTION_ROW)
#: One rule of doors, sliders and spins changed.
OF_DOORS = {
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
}

MAN_FORWARD = but(HUFF, huff__offence="man-forward")
UNFINISHED = but(HUFF, huff__offence="no-capture-or-unfinished")
LESS = but(HUFF, huff__offence="no-capture-or-less", capture__choice=["most-pieces"], capture__binds="path")
NO_PIECE_MOVE = but(HUFF, ending__blocked="no-piece-move")
NO_STEP = but(HUFF, ending__blocked="no-step")
