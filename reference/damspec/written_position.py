"""Positions as people, sites and programs write them: FEN in other forms, and Hub's string of letters."""

from __future__ import annotations

import re

from .board import Board, Side
from .errors import PositionError, quote_value
from .position import LONGEST, Position, parse_fen

#: White's men and kings, Black's men and kings, and empty squares in a position of Hub.
HUB_LETTERS = "wWbBe"
_HUB = re.compile(f"[WB][{HUB_LETTERS}]+")
_TAG = re.compile(r"""\[\s*FEN\s+["']([^"']*)["']\s*\]""", re.IGNORECASE)
_AROUND_SIGNS = re.compile(r"\s*([,:])\s*")
#: From so many columns on `k` is the name of one, and no king.
_COLUMN_K = 11


def read_position(text: str, board: Board) -> Position:
    """Parse a position as people, sites and programs write it; a FEN means what `Position.from_fen` says.

    Accepted as well are the tag `[FEN "..."]`, the side to move written twice (`W:W:W31:B2`), blanks, small letters,
    and a string of Hub's. Raises PositionError.

    >>> read_position("w:w21, k30 : b1-3.", Board(8, 8)).fen()
    'W:W21,K30:B1,2,3'
    """
    try:
        return Position.from_fen(text, board)
    except PositionError:
        tidied = _tidy(text, board) if len(text) <= LONGEST else text
        if _HUB.fullmatch(tidied):
            return read_hub(tidied, board)
        if tidied == text:
            raise
    try:
        return parse_fen(tidied, board)
    except PositionError as error:
        raise PositionError(f"position {quote_value(text)}: {error}") from None


def read_hub(text: str, board: Board, letters: str = HUB_LETTERS) -> Position:
    """Parse a position of Hub: the side to move, and a letter for each square. Raises PositionError."""
    turn: Side = "white" if text[:1] == "W" else "black"
    if text[:1] not in ("W", letters[3]) or len(text) != len(board) + 1 or not set(text[1:]) <= set(letters):
        raise PositionError(
            f"position {quote_value(text[:60])}: expected W or {letters[3]} and {len(board)} letters, each of {letters}"
        )
    on = {letter: board.mask(number for number, each in enumerate(text[1:], 1) if each == letter) for letter in letters}
    men, kings, black_men, black_kings = (on[letter] for letter in letters[:4])
    return Position(board, men, kings, black_men, black_kings, turn)


def _tidy(text: str, board: Board) -> str:
    """Return the FEN that a text means, as far as can be known; Hub's strings stay as they are."""
    if tag := _TAG.fullmatch(text.strip()):
        text = tag[1]
    parts = _AROUND_SIGNS.sub(r"\1", text.strip()).rstrip(".").split(":")
    turn = parts[0].upper()
    if len(parts) > 3 and parts[1].upper() == turn and {parts[2][:1].upper(), parts[3][:1].upper()} == {"W", "B"}:
        del parts[1]  # once for the side to move, once more before its squares
    if len(parts) < 3:
        return ":".join(parts)
    return ":".join([turn, *(_tidy_side(part, board) for part in parts[1:3]), *parts[3:]])


def _tidy_side(part: str, board: Board) -> str:
    """Return the squares of a side with capitals for the side and kings, and small letters for columns."""
    kings = ("K",) if board.columns >= _COLUMN_K else ("K", "k")
    squares = [("K", square[1:]) if square[:1] in kings else ("", square) for square in part[1:].split(",")]
    named = (king + (square if square[:1] in kings else square.lower()) for king, square in squares)
    return part[:1].upper() + ",".join(named)
