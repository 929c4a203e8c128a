"""What can be wrong with what a caller gives: one class each, every message one line that quotes the input."""

from __future__ import annotations


class DamspecError(ValueError):
    """The base of all errors about input."""


class RulesetError(DamspecError):
    """A ruleset, reading or source that is unknown, malformed or contradicts itself."""


class PositionError(DamspecError):
    """A position text that is malformed, or a position that the ruleset cannot have."""


class MoveError(DamspecError):
    """The base of the errors about moves."""


class InvalidMove(MoveError):
    """A text that is no move at all."""


class IllegalMove(MoveError):
    """A move that is not open to the side to move."""


class AmbiguousMove(MoveError):
    """A short form that can mean more than one legal move."""
