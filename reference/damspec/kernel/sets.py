"""Sets of squares as whole numbers: the operations that a template needs besides Python's own `&`, `|`, `~` and shifts.

Here a set is a number of Python, of any size. In compiled code it is a number of 64, 128 or 256 bits (`wide`), for
which the same functions are compiled.
"""

from __future__ import annotations

from typing import Any

#: The multipliers of a hash: those of splitmix64.
MIX1, MIX2, MIX_SHIFT = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 29
_WORD = (1 << 64) - 1


def count(squares: int) -> int:
    """Return the number of squares."""
    return squares.bit_count()


def several(squares: int) -> bool:
    """Return whether there are two squares or more."""
    return squares & squares - 1 != 0


def lowest(squares: int) -> int:
    """Return the set of the first square."""
    return squares & -squares


def place_of(squares: int) -> int:
    """Return the place of the first square."""
    return (squares & -squares).bit_length() - 1


def single(place: int, like: int) -> int:
    """Return the set of one square, in the size of `like`."""
    return 1 << place


def load(sets: Any, index: int, like: int) -> int:
    """Return a set that is stored in an array, in the size of `like`."""
    return int(sets[index])


def store(sets: Any, index: int, squares: int) -> None:
    """Write a set to an array."""
    sets[index] = squares


def mix(squares: int, number: int) -> int:
    """Return a hash of a set and a number, of 64 bits."""
    while True:
        number = ((number ^ squares & _WORD) * MIX1) & _WORD
        number = ((number ^ number >> MIX_SHIFT) * MIX2) & _WORD
        squares >>= 64
        if not squares:
            return number


def row_of(number: int, rows: int) -> int:
    """Return the row of a hash in a table of a power of two rows."""
    return number & rows - 1


def word(number: int) -> int:
    """Return a number as a word of 64 bits."""
    return number & _WORD
