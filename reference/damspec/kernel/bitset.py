"""Sets of squares in compiled code: a 64-bit word, or a pair of sets where a board needs two words or four.

Each operation is written once for a word and once for a pair, and numba selects the one that fits. The set of a
small board is as fast as a number.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numba import types
from numba.extending import overload

from . import compiled

#: A set of squares in compiled code, which mypy cannot check.
Bits: TypeAlias = Any

_0, _1, _2, _4, _56, _63 = (np.uint64(number) for number in (0, 1, 2, 4, 56, 63))
_ODD, _PAIRS, _NIBBLES, _BYTES = (np.uint64(0x0101010101010101 * byte) for byte in (0x55, 0x33, 0x0F, 0x01))
_STIR, _MIX, _29 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(29)


def bits_of(words: list[int]) -> Bits:
    """Return one, two or four words, the lowest first, as a set for compiled code."""
    if len(words) == 1:
        return np.uint64(words[0])
    half = len(words) // 2
    return bits_of(words[:half]), bits_of(words[half:])


def _is_pair(kind: Any) -> bool:
    return isinstance(kind, types.BaseTuple)


def _capacity(kind: Any) -> int:
    """Return the number of squares that a type of set has room for."""
    return 2 * _capacity(kind[0]) if _is_pair(kind) else 64


def both(a: Bits, b: Bits) -> Bits:
    """Return the squares in both sets."""


def either(a: Bits, b: Bits) -> Bits:
    """Return the squares in one set or the other."""


def without(a: Bits, b: Bits) -> Bits:
    """Return the squares of the first set that are not in the second."""


def some(a: Bits) -> Any:
    """Return whether a set has a square."""


def same(a: Bits, b: Bits) -> Any:
    """Return whether two sets have the same squares."""


def size(a: Bits) -> Any:
    """Return the number of squares in a set."""


def lowest(a: Bits) -> Any:
    """Return the lowest square of a set that is not empty."""


def has(a: Bits, square: int) -> Any:
    """Return whether a square is in a set."""


def single(square: int, like: Bits) -> Bits:
    """Return the set of one square, of the same type as `like`."""


def shift(a: Bits, up: Any, down: Any) -> Bits:
    """Return a set with every square moved `up` and then `down`; one of them is 0, and both are below 64."""


def load(words: Any, like: Bits) -> Bits:
    """Return the set stored in an array of words, of the same type as `like`."""


def store(words: Any, a: Bits) -> None:
    """Write a set to an array of words."""


def mix_hash(a: Bits, number: Any) -> Any:
    """Return a hash of a set and a number."""


@overload(both, strict=False)
def _both(a: Any, b: Any) -> Any:
    return (lambda a, b: (both(a[0], b[0]), both(a[1], b[1]))) if _is_pair(a) else (lambda a, b: a & b)


@overload(either, strict=False)
def _either(a: Any, b: Any) -> Any:
    return (lambda a, b: (either(a[0], b[0]), either(a[1], b[1]))) if _is_pair(a) else (lambda a, b: a | b)


@overload(without, strict=False)
def _without(a: Any, b: Any) -> Any:
    return (lambda a, b: (without(a[0], b[0]), without(a[1], b[1]))) if _is_pair(a) else (lambda a, b: a & ~b)


@overload(some, strict=False)
def _some(a: Any) -> Any:
    return (lambda a: some(either(a[0], a[1]))) if _is_pair(a) else (lambda a: a != _0)


@overload(same, strict=False)
def _same(a: Any, b: Any) -> Any:
    return (lambda a, b: same(a[0], b[0]) and same(a[1], b[1])) if _is_pair(a) else (lambda a, b: a == b)


@compiled
def _count(word: Any) -> Any:
    """Return the number of bits of a word, in a form that LLVM turns into one instruction."""
    word = word - (word >> _1 & _ODD)
    word = (word & _PAIRS) + (word >> _2 & _PAIRS)
    return np.int64((word + (word >> _4) & _NIBBLES) * _BYTES >> _56)


@overload(size, strict=False)
def _size(a: Any) -> Any:
    return (lambda a: size(a[0]) + size(a[1])) if _is_pair(a) else (lambda a: _count(a))


@overload(lowest, strict=False)
def _lowest(a: Any) -> Any:
    if not _is_pair(a):
        return lambda a: _count(~a & (a - _1))
    half = _capacity(a[0])
    return lambda a: lowest(a[0]) if some(a[0]) else half + lowest(a[1])


@overload(has, strict=False)
def _has(a: Any, square: Any) -> Any:
    if not _is_pair(a):
        return lambda a, square: a >> (np.uint64(square) & _63) & _1 != _0
    half = _capacity(a[0])
    return lambda a, square: has(a[0] if square < half else a[1], square & half - 1)


@overload(single, strict=False)
def _single(square: Any, like: Any) -> Any:
    if not _is_pair(like):
        return lambda square, like: _1 << (np.uint64(square) & _63)
    half = _capacity(like[0])

    def pair(square: int, like: Any) -> Any:
        one = single(square & half - 1, like[0])
        none = without(one, one)
        return (one, none) if square < half else (none, one)

    return pair


@overload(shift, strict=False)
def _make_shift(a: Any, up: Any, down: Any) -> Any:
    if not _is_pair(a):
        return lambda a, up, down: a << up >> down

    def pair(a: Any, up: Any, down: Any) -> Any:
        # No word may be shifted by 64: bits from the next one are shifted by 1, and then by the rest.
        low = either(shift(a[0], up, down), _over_down(a[1], down))
        return low, either(shift(a[1], up, down), _over_up(a[0], up))

    return pair


def _over_up(a: Bits, up: Any) -> Bits:
    """Return the squares that leave a set at the top when it is shifted up."""


def _over_down(a: Bits, down: Any) -> Bits:
    """Return the squares that leave a set at the bottom when it is shifted down."""


@overload(_over_up, strict=False)
def _over_up_(a: Any, up: Any) -> Any:
    if not _is_pair(a):
        return lambda a, up: a >> _1 >> (_63 - up)
    return lambda a, up: (_over_up(a[1], up), without(a[1], a[1]))


@overload(_over_down, strict=False)
def _over_down_(a: Any, down: Any) -> Any:
    if not _is_pair(a):
        return lambda a, down: a << _1 << (_63 - down)
    return lambda a, down: (without(a[0], a[0]), _over_down(a[0], down))


@overload(load, strict=False)
def _load(words: Any, like: Any) -> Any:
    if not _is_pair(like):
        return lambda words, like: words[0]
    half = _capacity(like[0]) // 64
    return lambda words, like: (load(words[:half], like[0]), load(words[half:], like[1]))


@overload(store, strict=False)
def _store(words: Any, a: Any) -> Any:
    half = _capacity(a) // 128

    def word(words: Any, a: Any) -> None:
        words[0] = a

    def pair(words: Any, a: Any) -> None:
        store(words[:half], a[0])
        store(words[half:], a[1])

    return pair if _is_pair(a) else word


@overload(mix_hash, strict=False)
def _make_mix_hash(a: Any, number: Any) -> Any:
    def word(a: Any, number: Any) -> Any:
        number = (number * _STIR ^ a) * _MIX
        return number ^ number >> _29

    return (lambda a, number: mix_hash(a[1], mix_hash(a[0], number))) if _is_pair(a) else word
