"""Memory in compiled code: numbers and words at an address, without the care that numba takes of an array."""

# mypy: ignore-errors
from __future__ import annotations

from numba import types
from numba.extending import intrinsic


def _pointer_to(kind):
    @intrinsic
    def pointer(typing, address):
        def code(context, builder, signature, given):
            return builder.inttoptr(given[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(types.int64), code

    return pointer


numbers_at = _pointer_to(types.int64)
words_at = _pointer_to(types.uint64)
