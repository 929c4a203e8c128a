"""Errors about input: one class for each kind, every message one line that quotes the input."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from reprlib import Repr
from types import UnionType

#: The maximum length of a message in characters.
LONGEST = 2000


class DamspecError(ValueError):
    """The base of all errors about input. Its message is a single line of bounded length."""

    def __init__(self, message: object = "") -> None:
        text = message if isinstance(message, str) else quote_any(message)
        super().__init__(strip_control_characters(text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."))


class ArgumentError(DamspecError):
    """An argument that is not one of the expected values."""


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument of an unexpected type; also a `TypeError`."""


class RulesetError(DamspecError):
    """A ruleset, reading or source that is unknown, malformed or self-contradictory."""


class PositionError(DamspecError):
    """A malformed position text, or a position that cannot occur under the ruleset."""


class NoPositionError(DamspecError):
    """A request for positions that do not exist or could not be found."""


class MoveError(DamspecError):
    """The base of the errors about moves."""


class InvalidMoveError(MoveError):
    """A text that is not a move at all."""


class IllegalMoveError(MoveError):
    """A move that is not legal for the side to move."""


class AmbiguousMoveError(MoveError):
    """A short form that matches more than one legal move."""


class PdnError(DamspecError):
    """A text that is not PDN, or a PDN game that cannot be played in a ruleset's notation."""


class FileError(DamspecError):
    """A data file that cannot be read or has the wrong form."""


class MissingPackageError(DamspecError, ImportError):
    """An optional package that is not installed; also an `ImportError`."""


_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 80


def quote_value(text: str) -> str:
    """Return text as a message quotes it, truncated when long."""
    whole = repr(text[:100])
    return whole if len(text) <= 100 and len(whole) <= 80 else whole[:77] + "..."


def shorten(text: str) -> str:
    """Return text unquoted, truncated to 60 characters."""
    return text if len(text) <= 60 else text[:57] + "..."


def list_some(texts: Sequence[str], most: int) -> str:
    """Return the first `most` texts as a list, and how many more there are.

    >>> list_some(["21-17", "22-18", "23-19"], 2)
    '21-17, 22-18 and 1 more'
    """
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def quote_any(value: object) -> str:
    """Return a value of any type as a message quotes it, truncated when long."""
    if isinstance(value, str):
        return quote_value(value)
    if isinstance(value, int) and value.bit_length() > 200:
        return f"{'minus ' if value < 0 else ''}a number of {value.bit_length()} bits"
    try:
        whole = _SHORT.repr(value)
    except Exception:  # a foreign class's repr may raise anything
        whole = f"<{type(value).__name__}>"
    return whole if len(whole) <= 80 else whole[:77] + "..."


def expect(value: object, name: str, types: type | UnionType | tuple[type, ...], expected: str) -> None:
    """Raise ArgumentTypeError unless an argument has one of the types; `expected` says in words what it should be.

    >>> expect(5, "position", str, "a FEN")
    Traceback (most recent call last):
    damspec.errors.ArgumentTypeError: position: found 5, expected a FEN
    """
    if not isinstance(value, types):
        raise ArgumentTypeError(f"{name}: found {quote_any(value)}, expected {expected}")


def expect_word(value: object, name: str, words: tuple[str, ...]) -> None:
    """Raise ArgumentError unless a value is exactly one of `words`, ArgumentTypeError if it is not text."""
    expected = ", ".join(map(repr, words[:-1])) + f" or {words[-1]!r}"
    expect(value, name, str, expected)
    if value not in words:
        raise ArgumentError(f"{name}: found {quote_any(value)}, expected {expected}")


def expect_number(value: object, name: str, least: int, most: int | None = None) -> None:
    """Raise ArgumentError if a number is out of bounds, ArgumentTypeError if it is not a whole number."""
    expected = f"{least} or more" if most is None else f"{least} to {most}"
    expect(value, name, int, f"a whole number, {expected}")
    if not (isinstance(value, int) and least <= value and (most is None or value <= most)):
        raise ArgumentError(f"{name}: found {quote_any(value)}, expected {expected}")


def whole_number(value: object, name: str, least: int, most: int | None = None) -> int:
    """Return a whole number, of Python or of numpy, as one of Python. Raises as `expect_number` does."""
    number = as_index(value)
    expect_number(value if number is None else number, name, least, most)
    assert number is not None
    return number


def as_index(value: object) -> int | None:
    """Return a whole number, of Python or of numpy, as one of Python; None for anything else."""
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def strip_control_characters(text: str) -> str:
    """Return text with unprintable characters written as escapes."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
