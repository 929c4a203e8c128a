"""Where solved endgames are kept, which is known without compiled code."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from damspec import Ruleset, data

from ..tasks.journal import digest

#: The greatest number of pieces.
MOST = 8
#: What a position comes to for the side to move.
Value = Literal["win", "draw", "loss"]

_digest = lru_cache(8)(digest)


def endgames_path(ruleset: Ruleset) -> Path:
    """Return the folder for a ruleset's solved endgames in the user's data, by the digest of its rules."""
    import platformdirs  # every engine of damspec knows where endgames would be, but not all are asked for them

    # The folder keeps its first name, so that what took hours to solve is found.
    return platformdirs.user_data_path("damspec", appauthor=False) / "endings" / _digest(ruleset)[:16]


def recorded_endgames_path(ruleset: Ruleset) -> Path:
    """Return the folder of the solved endgames that come with damspec; it is there for few rulesets only."""
    return data.root() / "cases" / "generated" / "solved" / _digest(ruleset)[:16]
