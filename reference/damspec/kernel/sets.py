"""Sets of squares in compiled code: one 64-bit word, or a tuple of two or four, and what is done with them.

Each function stands for one that is compiled for the kind of set it is given, so that all other code is written once.
A set is a word where the board has room in it, which is as fast as a number.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

#: The numbers of words that a set can have.
WORDS = (1, 2, 4)

_WORD = np.uint64
_ONE = np.uint64(1)
_LAST = np.uint64(63)


@intrinsic
def _ones(typing, word):
    """How many bits of a word are set."""
    return types.int64(types.uint64), lambda context, builder, signature, given: builder.ctpop(given[0])


@intrinsic
def _zeros_below(typing, word):
    """How many bits of a word lie below its lowest that is set."""

    def code(context, builder, signature, given):
        return builder.cttz(given[0], ir.Constant(cgutils.bool_t, 0))

    return types.int64(types.uint64), code


def _words(kind) -> int:
    return len(kind) if isinstance(kind, types.UniTuple) else 1


def _by_words(one, two, four):
    """An overload that takes what is written for one word, two or four."""
    return lambda kind: {1: one, 2: two, 4: four}[_words(kind)]


def both(a, b):
    """The squares that are in both."""


@overload(both)
def _(a, b):
    return _by_words(
        lambda a, b: a & b,
        lambda a, b: (a[0] & b[0], a[1] & b[1]),
        lambda a, b: (a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]),
    )(a)


def either(a, b):
    """The squares that are in one or the other."""


@overload(either)
def _(a, b):
    return _by_words(
        lambda a, b: a | b,
        lambda a, b: (a[0] | b[0], a[1] | b[1]),
        lambda a, b: (a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]),
    )(a)


def without(a, b):
    """The squares of the first that are not in the second."""


@overload(without)
def _(a, b):
    return _by_words(
        lambda a, b: a & ~b,
        lambda a, b: (a[0] & ~b[0], a[1] & ~b[1]),
        lambda a, b: (a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3]),
    )(a)


def some(a):
    """Whether there is a square in it."""


@overload(some)
def _(a):
    return _by_words(
        lambda a: a != 0,
        lambda a: (a[0] | a[1]) != 0,
        lambda a: (a[0] | a[1] | a[2] | a[3]) != 0,
    )(a)


def same(a, b):
    """Whether the two have the same squares."""


@overload(same)
def _(a, b):
    return _by_words(
        lambda a, b: a == b,
        lambda a, b: a[0] == b[0] and a[1] == b[1],
        lambda a, b: a[0] == b[0] and a[1] == b[1] and a[2] == b[2] and a[3] == b[3],
    )(a)


def size(a):
    """How many squares are in it."""


@overload(size)
def _(a):
    return _by_words(
        lambda a: _ones(a),
        lambda a: _ones(a[0]) + _ones(a[1]),
        lambda a: _ones(a[0]) + _ones(a[1]) + _ones(a[2]) + _ones(a[3]),
    )(a)


def lowest(a):
    """The lowest square of a set that is not empty."""


@overload(lowest)
def _(a):
    def four(a):
        if a[0]:
            return _zeros_below(a[0])
        if a[1]:
            return 64 + _zeros_below(a[1])
        return 128 + _zeros_below(a[2]) if a[2] else 192 + _zeros_below(a[3])

    return _by_words(
        lambda a: _zeros_below(a),
        lambda a: _zeros_below(a[0]) if a[0] else 64 + _zeros_below(a[1]),
        four,
    )(a)


def has(a, square):
    """Whether a square is in it."""


@overload(has)
def _(a, square):
    def four(a, square):
        low = a[1] if square & 64 else a[0]
        high = a[3] if square & 64 else a[2]
        return ((high if square & 128 else low) >> _WORD(square & 63)) & _ONE != 0

    return _by_words(
        lambda a, square: (a >> _WORD(square)) & _ONE != 0,
        lambda a, square: ((a[1] if square & 64 else a[0]) >> _WORD(square & 63)) & _ONE != 0,
        four,
    )(a)


def single(square, like):
    """The set of one square; of the second only the kind counts."""


@overload(single)
def _(square, like):
    def two(square, like):
        bit = _ONE << _WORD(square & 63)
        none = _WORD(0)
        return (none if square & 64 else bit, bit if square & 64 else none)

    def four(square, like):
        bit, word = _ONE << _WORD(square & 63), square >> 6
        none = _WORD(0)
        return (
            bit if word == 0 else none,
            bit if word == 1 else none,
            bit if word == 2 else none,
            bit if word == 3 else none,
        )

    return _by_words(lambda square, like: _ONE << _WORD(square), two, four)(like)


def shifted(a, up, down):
    """Every square so many further up and then down; one of the two is 0, neither is 64 or more."""


@overload(shifted)
def _(a, up, down):
    def two(a, up, down):
        # A word shifted by 64 is undefined: what comes over from the next word is shifted by one and then the rest.
        if up:
            over = _LAST - up
            return (a[0] << up, a[1] << up | a[0] >> _ONE >> over)
        over = _LAST - down
        return (a[0] >> down | a[1] << _ONE << over, a[1] >> down)

    def four(a, up, down):
        if up:
            over = _LAST - up
            return (
                a[0] << up,
                a[1] << up | a[0] >> _ONE >> over,
                a[2] << up | a[1] >> _ONE >> over,
                a[3] << up | a[2] >> _ONE >> over,
            )
        over = _LAST - down
        return (
            a[0] >> down | a[1] << _ONE << over,
            a[1] >> down | a[2] << _ONE << over,
            a[2] >> down | a[3] << _ONE << over,
            a[3] >> down,
        )

    return _by_words(lambda a, up, down: (a << up) >> down, two, four)(a)


def load(words, place, like):
    """The set that stands in words from a place on; of the last only the kind counts."""


@overload(load)
def _(words, place, like):
    return _by_words(
        lambda words, place, like: words[place],
        lambda words, place, like: (words[place], words[place + 1]),
        lambda words, place, like: (words[place], words[place + 1], words[place + 2], words[place + 3]),
    )(like)


def store(words, place, a):
    """Writes a set there."""


@overload(store)
def _(words, place, a):
    def one(words, place, a):
        words[place] = a

    def two(words, place, a):
        words[place], words[place + 1] = a

    def four(words, place, a):
        words[place], words[place + 1], words[place + 2], words[place + 3] = a

    return _by_words(one, two, four)(a)


def breadth(a):
    """The number of its words."""


@overload(breadth)
def _(a):
    number = _words(a)
    return lambda a: number


def mixed(a, number):
    """A number that is very likely another for another set, or another number beside it."""


@overload(mixed)
def _(a, number):
    first, second = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)

    def one(a, number):
        found = (a ^ number * first) * second
        return (found ^ found >> _WORD(29)) * first ^ found >> _WORD(32)

    def two(a, number):
        found = (a[0] ^ number * first) * second
        found = (found ^ found >> _WORD(29) ^ a[1]) * first
        return (found ^ found >> _WORD(32)) * second

    def four(a, number):
        found = (a[0] ^ number * first) * second
        found = (found ^ found >> _WORD(29) ^ a[1]) * first
        found = (found ^ found >> _WORD(32) ^ a[2]) * second
        found = (found ^ found >> _WORD(29) ^ a[3]) * first
        return (found ^ found >> _WORD(32)) * second

    return _by_words(one, two, four)(a)
