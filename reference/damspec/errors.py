"""What can be wrong with what a caller gives: one class each, every message one line that quotes the input."""

from __future__ import annotations

#: Characters of a message; what is beyond is cut.
LONGEST = 2000


class DamspecError(ValueError):
    """The base of all errors about input. Whatever the input holds, the message is one line and not too long."""

    def __init__(self, message: str = "") -> None:
        super().__init__(plain(message if len(message) <= LONGEST else message[: LONGEST - 3] + "..."))


class RulesetError(DamspecError):
    """A ruleset, reading or source that is unknown, malformed or contradicts itself."""


class PositionError(DamspecError):
    """A position text that is malformed, or a position that the ruleset cannot have."""


class NoPosition(DamspecError):
    """Positions are asked for of which there are none, or none was found."""


class MoveError(DamspecError):
    """The base of the errors about moves."""


class InvalidMove(MoveError):
    """A text that is no move at all."""


class IllegalMove(MoveError):
    """A move that is not open to the side to move."""


class AmbiguousMove(MoveError):
    """A short form that can mean more than one legal move."""


class PdnError(DamspecError):
    """A text that is no PDN, or a game in PDN that cannot be played by a ruleset's notation."""


class FileError(DamspecError):
    """A data file that cannot be read or has the wrong form."""


def quoted(text: str) -> str:
    """A text as a message quotes it, cut when long."""
    whole = repr(text[:100])
    return whole if len(text) <= 100 and len(whole) <= 80 else whole[:77] + "..."


def plain(text: str) -> str:
    """A text as it can be shown: characters that cannot are written as escapes."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
