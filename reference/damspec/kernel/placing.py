"""Pieces put on squares by the number of their kinds, in compiled code."""

# mypy: ignore-errors
from __future__ import annotations

from .compiling import inner
from .sets import either, single, without


@inner
def placed(kinds, number, squares, at, like):
    """White's men and kings and Black's: some pieces, on the squares that are written from a place on.

    Of each piece two bits of `kinds` say what it is, in that order, those of the first piece the highest.
    """
    white_men = white_kings = black_men = black_kings = without(like, like)
    for piece in range(number):
        one = single(squares[at + piece], like)
        kind = kinds >> 2 * (number - 1 - piece) & 3
        if kind == 0:
            white_men = either(white_men, one)
        elif kind == 1:
            white_kings = either(white_kings, one)
        elif kind == 2:
            black_men = either(black_men, one)
        else:
            black_kings = either(black_kings, one)
    return white_men, white_kings, black_men, black_kings
