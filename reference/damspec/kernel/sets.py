"""Sets of squares in compiled code: one 64-bit word, or a tuple of words, and what is done with them.

Each function is written once, for the words of whatever set it is given, and becomes a few instructions where it is
called. A set is a word where the board has room in it, so that it is as fast as a number.
"""

# mypy: ignore-errors
from __future__ import annotations

from functools import reduce

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_WORD, _TRUTH = ir.IntType(64), ir.IntType(1)


def _const(number):
    return ir.Constant(_WORD, number)


def _breadth(kind):
    return len(kind) if isinstance(kind, types.UniTuple) else 1


def _split(builder, kind, value):
    """The words of a set."""
    return cgutils.unpack_tuple(builder, value) if isinstance(kind, types.UniTuple) else [value]


def _joined(context, builder, kind, words):
    """A set of some words."""
    return context.make_tuple(builder, kind, words) if isinstance(kind, types.UniTuple) else words[0]


def _by_word(doc, code):
    """A function of two sets that makes a third, word by word."""

    @intrinsic
    def function(typing, a, b):
        def emit(context, builder, signature, given):
            pairs = zip(*(_split(builder, a, value) for value in given), strict=True)
            return _joined(context, builder, a, [code(builder, *pair) for pair in pairs])

        return a(a, a), emit

    function.__doc__ = doc
    return function


both = _by_word("The squares that are in both.", lambda builder, a, b: builder.and_(a, b))
either = _by_word("The squares that are in one or the other.", lambda builder, a, b: builder.or_(a, b))
without = _by_word(
    "The squares of the first that are not in the second.", lambda builder, a, b: builder.and_(a, builder.not_(b))
)


@intrinsic
def some(typing, a):
    """Whether there is a square in it."""

    def emit(context, builder, signature, given):
        return builder.icmp_unsigned("!=", reduce(builder.or_, _split(builder, a, given[0])), _const(0))

    return types.boolean(a), emit


@intrinsic
def same(typing, a, b):
    """Whether the two have the same squares."""

    def emit(context, builder, signature, given):
        pairs = zip(*(_split(builder, a, value) for value in given), strict=True)
        return reduce(builder.and_, [builder.icmp_unsigned("==", *pair) for pair in pairs])

    return types.boolean(a, a), emit


@intrinsic
def size(typing, a):
    """How many squares are in it."""

    def emit(context, builder, signature, given):
        return reduce(builder.add, [builder.ctpop(word) for word in _split(builder, a, given[0])])

    return types.int64(a), emit


@intrinsic
def lowest(typing, a):
    """The lowest square of a set that is not empty."""

    def emit(context, builder, signature, given):
        words = _split(builder, a, given[0])
        found = None
        for place, word in reversed([*enumerate(words)]):
            here = builder.add(builder.cttz(word, ir.Constant(_TRUTH, 0)), _const(64 * place))
            found = here if found is None else builder.select(builder.icmp_unsigned("!=", word, _const(0)), here, found)
        return found

    return types.int64(a), emit


@intrinsic
def has(typing, a, square):
    """Whether a square is in it."""

    def emit(context, builder, signature, given):
        words, place = _split(builder, a, given[0]), given[1]
        found = words[0]
        for number, word in enumerate(words[1:], 1):
            here = builder.icmp_unsigned("==", builder.lshr(place, _const(6)), _const(number))
            found = builder.select(here, word, found)
        bit = builder.lshr(found, builder.and_(place, _const(63)))
        return builder.trunc(bit, _TRUTH)

    return types.boolean(a, types.int64), emit


@intrinsic
def single(typing, square, like):
    """The set of one square; of the second only the kind counts."""

    def emit(context, builder, signature, given):
        place = given[0]
        bit = builder.shl(_const(1), builder.and_(place, _const(63)))
        if _breadth(like) == 1:
            return bit
        words = []
        for number in range(_breadth(like)):
            here = builder.icmp_unsigned("==", builder.lshr(place, _const(6)), _const(number))
            words.append(builder.select(here, bit, _const(0)))
        return _joined(context, builder, like, words)

    return like(types.int64, like), emit


@intrinsic
def shifted(typing, a, up, down):
    """Every square so many further up and then down; one of the two is 0, neither is 64 or more."""

    def emit(context, builder, signature, given):
        words, up, down = _split(builder, a, given[0]), *given[1:]
        # A word must not be shifted by 64: what comes over from the next one is shifted by one and then by the rest.
        raised = [builder.shl(word, up) for word in words]
        for place in range(1, len(words)):
            over = builder.lshr(builder.lshr(words[place - 1], _const(1)), builder.sub(_const(63), up))
            raised[place] = builder.or_(raised[place], over)
        lowered = [builder.lshr(word, down) for word in raised]
        for place in range(len(words) - 1):
            over = builder.shl(builder.shl(raised[place + 1], _const(1)), builder.sub(_const(63), down))
            lowered[place] = builder.or_(lowered[place], over)
        return _joined(context, builder, a, lowered)

    return a(a, types.int64, types.int64), emit


def _at(builder, words, place):
    return builder.gep(words, [place])


@intrinsic
def load(typing, words, place, like):
    """The set that stands in words from a place on; of the last only the kind counts."""

    def emit(context, builder, signature, given):
        places = [builder.add(given[1], _const(number)) for number in range(_breadth(like))]
        return _joined(context, builder, like, [builder.load(_at(builder, given[0], each)) for each in places])

    return like(words, types.int64, like), emit


@intrinsic
def store(typing, words, place, a):
    """Writes a set there."""

    def emit(context, builder, signature, given):
        for number, word in enumerate(_split(builder, a, given[2])):
            builder.store(word, _at(builder, given[0], builder.add(given[1], _const(number))))
        return context.get_dummy_value()

    return types.void(words, types.int64, a), emit


@intrinsic
def breadth(typing, a):
    """The number of its words."""
    return types.int64(a), lambda context, builder, signature, given: _const(_breadth(a))


@intrinsic
def mixed(typing, a, number):
    """A number that is very likely another for another set, or another number beside it."""

    def emit(context, builder, signature, given):
        found = given[1]
        for word in _split(builder, a, given[0]):
            found = builder.mul(
                builder.xor(builder.mul(found, _const(0x9E3779B97F4A7C15)), word), _const(0xBF58476D1CE4E5B9)
            )
            found = builder.xor(found, builder.lshr(found, _const(29)))
        return found

    return types.uint64(a, types.uint64), emit
