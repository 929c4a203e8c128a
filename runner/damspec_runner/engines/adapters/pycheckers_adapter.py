"""Adapter for the Python package `pycheckers` (written for 0.0.3): a game in a window, played by clicks.

Its board is a mirror image: each row is numbered from the other end.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from _loop import serve  # type: ignore[import-not-found]
from _squares import Turn, answers, read_position, turn, write  # type: ignore[import-not-found]


class Point:
    """A place in the window."""

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y

    def getX(self) -> float:
        return self.x

    def getY(self) -> float:
        return self.y


class Shape:
    """What would be drawn there."""

    def __init__(self, *places: Any) -> None:
        pass

    def undraw(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return lambda *given: None


graphics = sys.modules["graphics"] = ModuleType("graphics")
vars(graphics).update(Point=Point, Rectangle=Shape, Circle=Shape, Polygon=Shape, GraphWin=Shape)
from pycheckers.checkers import Board, Piece  # type: ignore[import-not-found]  # noqa: E402

COLOURS = {"B": "black", "W": "red"}
LETTERS = {"black": "bB", "red": "wW"}


class NoMoreClicksError(Exception):
    """The turn is not over."""


def tile(n: int) -> int:
    """The number of a square among its tiles, and back after adding one."""
    row, place = divmod(n - 1, 4)
    return 4 * row + 3 - place


def board(on: dict[int, str]) -> Any:
    found = Board()
    for side in COLOURS.values():
        found.getOpponent(side).getPieces().clear()
    for n in range(1, 33):
        found.getTile(tile(n)).setOccupied(n in on)
    for n, letter in on.items():
        piece = Piece(found, COLOURS[letter.upper()], tile(n))
        if letter.isupper():
            piece._isKing, piece._crown = True, Shape()
        owner(found, letter.upper()).getPieces().append(piece)
    return found


def owner(found: Any, side: str) -> Any:
    return found.getOpponent(COLOURS["W" if side == "B" else "B"])


def fen(side: str, found: Any) -> str:
    pieces = [*owner(found, "B").getPieces(), *owner(found, "W").getPieces()]
    return str(write(side, {tile(piece.getTile() + 1) + 1: LETTERS[piece._color][piece.isKing()] for piece in pieces}))


def turns(ruleset: str, position: str) -> Iterator[Turn]:
    side, on = read_position(position)

    def follow(way: list[int]) -> Iterator[Turn]:
        played = board(on)
        clicks = [played.getTile(tile(n)).getLocation() for n in way]

        def click() -> Point:
            if not clicks:
                raise NoMoreClicksError
            return clicks.pop(0)  # type: ignore[no-any-return]

        played.getWindow().getMouse = click
        player = owner(played, side)
        try:
            player.takeTurn(played)
        except NoMoreClicksError:
            piece = player.getPiece(tile(way[-1]))
            jumps = [jump.endTile for jump in piece.getJumps(played)]
            for end in jumps if player._canJump(played) else piece.getMoves(played):
                yield from follow([*way, tile(end + 1) + 1])
        else:
            yield turn(way, position, fen("W" if side == "B" else "B", played))

    if not owner(board(on), side)._noMoves(board(on)):
        for n, piece in on.items():
            if piece.upper() == side:
                yield from follow([n])


if __name__ == "__main__":
    serve("pycheckers", ["english", "lb"], {"start": lambda ruleset: fen("B", Board()), **answers(turns)})
