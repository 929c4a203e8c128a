"""Positions as engines write them, read with some patience: what is meant is plain, if not as it should be."""

from __future__ import annotations

import re

from damspec import Board, Position, PositionError

#: A part of a FEN that is a side with its squares, and the fields that the rules of damspec have.
_SIDE = re.compile(r"[wWbB]([^=]*)")
_FIELD = re.compile(r"(sliders|spin|huffable)=.*|compelled|\+[0-9]+\+[0-9]+")
#: A square or a range of them, with a king's letter before it.
_SQUARE = re.compile(r"([kK]?)([0-9]+(?:-[0-9]+)?|[a-zA-Z][0-9]+)")


def patiently(text: str, board: Board) -> str | None:
    """A position as damspec writes it; None if it cannot be understood.

    A side without pieces may be missing, other fields are left out (`:H0:F1`), letters may be small, and there may be
    blanks, quotation marks and a full stop.
    """
    turn, *parts = "".join(text.split()).strip("\"'").rstrip(".").split(":")
    if turn not in ("w", "W", "b", "B"):
        return None
    sides: dict[str, str] = {}
    fields = []
    for part in parts:
        if _FIELD.fullmatch(part):
            fields.append(part)
        elif side := _SIDE.fullmatch(part):
            squares = _squares(side[1], board)
            if squares is None or part[0].upper() in sides:
                return None
            sides[part[0].upper()] = squares
    if not sides:
        return None
    fen = ":".join([turn.upper(), *(side + sides.get(side, "") for side in "WB"), *fields])
    try:
        return Position.from_fen(fen, board).fen()
    except PositionError:
        return None


def _squares(text: str, board: Board) -> str | None:
    """The squares of a side; None if they are none."""
    found = []
    for token in filter(None, text.split(",")):
        read = _SQUARE.fullmatch(token)
        if read is None:
            return None
        king, square = read.groups()
        if king == "k" and board.columns > ord("k") - ord("a"):  # then k is a column
            king, square = "", token
        found.append(("K" if king else "") + square.lower())
    return ",".join(found)
