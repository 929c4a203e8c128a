"""What a side can do in a turn beside moving a piece: spin, move a slider, huff, take back, decline."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .board import MOST_SQUARES
from .errors import InvalidMove, expect, expect_number, expect_word, quoted
from .move import Move


@dataclass(frozen=True)
class Spin:
    """An outcome of the spinner: `disc`, `green`, `orange` or `both`. Chance chooses; it is written as an action."""

    outcome: str

    def __post_init__(self) -> None:
        expect_word(self.outcome, "outcome", ("disc", "green", "orange", "both"))

    def __str__(self) -> str:
        return f"spin={self.outcome}"


@dataclass(frozen=True)
class Slide:
    """A slider moved to `L`, `M` or `R`; `closes` where it is the mover's choice to close the door again at once."""

    slider: str
    to: str
    closes: bool = False

    def __post_init__(self) -> None:
        expect(self.slider, "slider", str, "the id of a slider")
        expect_word(self.to, "to", ("L", "M", "R"))
        expect(self.closes, "closes", bool, "True or False")

    def __str__(self) -> str:
        return f"{self.slider}={self.to}{'M' if self.closes else ''}"


@dataclass(frozen=True)
class Huff:
    """The opponent's piece on a square removed, because it could have captured."""

    square: int

    def __post_init__(self) -> None:
        expect_number(self.square, "square", 1, MOST_SQUARES)

    def __str__(self) -> str:
        return f"huff {self.square}"


@dataclass(frozen=True)
class Retract:
    """The opponent's move taken back."""

    def __str__(self) -> str:
        return "retract"


@dataclass(frozen=True)
class Pass:
    """Declining to do what the spinner allows."""

    def __str__(self) -> str:
        return "pass"


Action = Move | Spin | Slide | Huff | Retract | Pass

_OTHER = re.compile(r"spin=[a-z]+|[A-Z][0-9]+=[LMR]M?|huff [0-9]+|retract|pass")


def is_other_text(text: str) -> bool:
    """Whether a text is an action that moves no piece."""
    return _OTHER.fullmatch(text) is not None


def is_move_text(text: str) -> bool:
    """Whether a text is meant to move a piece; False for the other actions.

    Raises InvalidMove for a text that is neither.
    """
    if is_other_text(text):
        return False
    if text[:1].isalnum() and any(sign in text for sign in "-x:"):
        return True
    raise InvalidMove(
        f"{quoted(text)} is no action: expected one like '21-17', '21x14x7', 'spin=disc', 'G1=L', 'huff 18'"
    )
