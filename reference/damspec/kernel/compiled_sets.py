"""The functions of `sets` for compiled code, and numbers of 128 and 256 bits, which numba lacks."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import extending, types

from . import sets

intrinsic: Callable[[Callable[..., Any]], Any] = extending.intrinsic
overload: Callable[..., Callable[[Callable[..., Any]], Callable[..., Any]]] = extending.overload

_WORD = ir.IntType(64)
_MIX1, _MIX2, _SHIFT = np.uint64(sets.MIX1), np.uint64(sets.MIX2), np.uint64(sets.MIX_SHIFT)


class Wide(types.Type):
    """A number of more than 64 bits."""

    def __init__(self, words: int) -> None:
        self.words = words
        super().__init__(f"Wide{words}")


@extending.register_model(Wide)
class _WideModel(extending.models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Wide) -> None:
        super().__init__(manager, kind, ir.IntType(64 * kind.words))  # type: ignore[no-untyped-call]


def _define(
    function: Any, emit: Callable[..., Any], result: Any = None, arguments: int = 1, only: Any = types.Type
) -> None:
    """Compile a function of sets: `emit` writes its code."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        like = args[0].type
        return emit(builder, *(builder.zext(a, like) if a.type.width < like.width else a for a in args))

    if arguments == 1:
        one = intrinsic(lambda _, a: ((result or a)(a), code))
        overload(function, strict=False)(lambda a: (lambda a: one(a)) if isinstance(a, only) else None)
    else:
        two = intrinsic(lambda _, a, b: ((result or a)(a, b), code))
        overload(function, strict=False)(lambda a, b: (lambda a, b: two(a, b)) if isinstance(a, only) else None)


def _to_word(builder: Any, a: Any) -> Any:
    return builder.trunc(a, _WORD) if a.type.width > 64 else a


for _name, _emit in {"and_": "and_", "or_": "or_", "xor": "xor", "lshift": "shl", "rshift": "lshr"}.items():
    for _each in (_name, f"i{_name.rstrip('_')}"):
        _define(getattr(operator, _each), lambda b, x, y, emit=_emit: getattr(b, emit)(x, y), None, 2, Wide)
for _name in ("==", "!="):
    _define(
        operator.eq if _name == "==" else operator.ne,
        lambda b, x, y, name=_name: b.icmp_unsigned(name, x, y),
        types.boolean,
        2,
        Wide,
    )
_define(operator.invert, lambda b, x: b.not_(x), only=Wide)
_define(bool, lambda b, x: b.icmp_unsigned("!=", x, x.type(0)), types.boolean, only=Wide)
_define(sets.lowest, lambda b, x: b.and_(x, b.neg(x)))
_define(sets.several, lambda b, x: b.icmp_unsigned("!=", b.and_(x, b.sub(x, x.type(1))), x.type(0)), types.boolean)
_define(sets.count, lambda b, x: _to_word(b, b.ctpop(x)), types.int64)
_define(sets.place_of, lambda b, x: _to_word(b, b.cttz(x, ir.IntType(1)(0))), types.int64)


@intrinsic
def first_word(_: Any, a: Any) -> Any:
    """Return the first word of a set."""
    return types.uint64(a), lambda context, builder, signature, args: _to_word(builder, args[0])


@intrinsic
def grow(_: Any, word: Any, like: Any) -> Any:
    """Return a word as a set of the size of `like`."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.zext(args[0], args[1].type) if args[1].type.width > 64 else args[0]

    return like(types.uint64, like), code


def _wide(words: int) -> Any:
    """Return a function that makes a wide number of words, the lowest first."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        kind = ir.IntType(64 * words)
        number = builder.zext(args[0], kind)
        for place, each in enumerate(args[1:], 1):
            number = builder.or_(number, builder.shl(builder.zext(each, kind), kind(64 * place)))
        return number

    kinds = (types.uint64,) * words
    if words == 2:
        return intrinsic(lambda _, a, b: (Wide(2)(*kinds), code))
    return intrinsic(lambda _, a, b, c, d: (Wide(4)(*kinds), code))


wide2, wide4 = _wide(2), _wide(4)


@overload(sets.word, strict=False)
def _word(number: Any) -> Any:
    return lambda number: np.uint64(number)


@overload(sets.row_of, strict=False)
def _row_of(number: Any, rows: Any) -> Any:
    return lambda number, rows: np.int64(number & np.uint64(rows - 1))


@overload(sets.single, strict=False)
def _single(place: Any, like: Any) -> Any:
    one = np.uint64(1)
    return lambda place, like: grow(one, like) << np.uint64(place)


@overload(sets.load, strict=False)
def _load(sets: Any, index: Any, like: Any) -> Any:
    if not isinstance(like, Wide):
        return lambda sets, index, like: sets[index]
    last, size = like.words - 1, np.uint64(64)

    def load(sets: Any, index: Any, like: Any) -> Any:
        squares: Any = grow(sets[index, last], like)
        for number in range(last - 1, -1, -1):
            squares = squares << size | grow(sets[index, number], like)
        return squares

    return load


@overload(sets.store, strict=False)
def _store(sets: Any, index: Any, squares: Any) -> Any:
    if not isinstance(squares, Wide):

        def store_word(sets: Any, index: Any, squares: Any) -> None:
            sets[index] = squares

        return store_word
    words, size = squares.words, np.uint64(64)

    def store(sets: Any, index: Any, squares: Any) -> None:
        for number in range(words):
            sets[index, number] = first_word(squares)
            squares = squares >> size

    return store


@overload(sets.mix, strict=False)
def _mix(squares: Any, number: Any) -> Any:
    words, size = squares.words if isinstance(squares, Wide) else 1, np.uint64(32)

    def mix(squares: Any, number: Any) -> Any:
        for _ in range(words):
            number = (number ^ first_word(squares)) * _MIX1
            number = (number ^ number >> _SHIFT) * _MIX2
            squares = squares >> size >> size
        return number

    return mix
