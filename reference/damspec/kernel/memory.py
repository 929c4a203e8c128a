"""Memory in compiled code: numbers, words and bytes at an address, without the care that numba takes of an array, and
what is packed in a word.
"""

# mypy: ignore-errors
from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .table import NEIGHBOURS, SQUARES


def _pointer_to(kind):
    @intrinsic
    def pointer(typing, address):
        def code(context, builder, signature, given):
            return builder.inttoptr(given[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(types.int64), code

    return pointer


def _const(number):
    return ir.Constant(ir.IntType(64), number)


numbers_at = _pointer_to(types.int64)
words_at = _pointer_to(types.uint64)
bytes_at = _pointer_to(types.uint8)


@intrinsic
def neighbour(typing, table, way, square):
    """The square next to a square in a direction; -1 if there is none."""

    def emit(context, builder, signature, given):
        numbers, way, square = given
        line = builder.add(builder.mul(way, _const(SQUARES)), _const(NEIGHBOURS))
        return builder.load(builder.gep(numbers, [builder.add(line, square)]))

    return types.int64(table, types.int64, types.int64), emit


@intrinsic
def packed(typing, start, end, crowned):
    """A move without what it captures, in one word."""

    def emit(context, builder, signature, given):
        start, end, crowned = given
        crown = builder.shl(builder.zext(crowned, ir.IntType(64)), _const(16))
        return builder.or_(builder.or_(start, builder.shl(end, _const(8))), crown)

    return types.uint64(types.int64, types.int64, types.boolean), emit


@intrinsic
def start_of(typing, move):
    """Where a packed move begins."""
    return types.int64(types.uint64), lambda context, builder, signature, given: builder.and_(given[0], _const(0xFF))


@intrinsic
def end_of(typing, move):
    """Where a packed move ends."""

    def emit(context, builder, signature, given):
        return builder.and_(builder.lshr(given[0], _const(8)), _const(0xFF))

    return types.int64(types.uint64), emit


@intrinsic
def crowns(typing, move):
    """Whether a packed move crowns a man."""

    def emit(context, builder, signature, given):
        return builder.icmp_unsigned("!=", builder.lshr(given[0], _const(16)), _const(0))

    return types.boolean(types.uint64), emit
