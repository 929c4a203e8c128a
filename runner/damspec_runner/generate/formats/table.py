"""What positions cover, for a terminal: a table of rules, and the board with how often each square has a piece."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from damspec.board import Board

from ..coverage import Counted, Coverage

#: What a man and a king do; with the longest names of rules a table is not wider than 80 columns.
_COLUMNS = ("man\nmove", "\ntake", "king\nmove", "\ntake")


def show(found: Coverage, board: Board, console: Console) -> None:
    """Print what positions cover."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column("\n\nrule", no_wrap=True)
    table.add_column("\n\nvalues", justify="right", no_wrap=True)
    table.add_column("\n\nall", justify="right", no_wrap=True)
    for side in ("White", "Black"):
        for place, column in enumerate(_COLUMNS):
            table.add_column(f"{'' if place else side}\n{column}", justify="right", no_wrap=True)
    table.add_row("all positions", "", *_numbers(found.every), style="bold")
    for rule, counted in found.rules.items():
        shown, there = found.shown(rule)
        table.add_row(rule, f"{shown}/{there}", *_numbers(counted), style=None if shown else "dim")
    console.print(table)
    console.print("\npositions with a piece on the square")
    for line in _heat(found, board):
        console.print(line)


def _numbers(counted: Counted) -> list[str]:
    return [str(number or "·") for number in (counted.positions, *counted.row())]


def _heat(found: Coverage, board: Board) -> Iterator[Text]:
    most = max(found.squares, default=0) or 1
    wide = len(str(most)) + 2
    by_place = dict(zip(board.places, found.squares, strict=True))
    for row in range(board.rows - 1, -1, -1):
        line = Text()
        for column in range(board.columns):
            number = by_place.get((column, row))
            if number is None:
                line.append(" " * wide)
            else:
                line.append(f"{number or '·':^{wide}}", style=_colour(number / most))
        yield line


def _colour(part: float) -> str:
    """From dark to bright, with letters that can be read on it."""
    red, green, blue = (round(low + part * (high - low)) for low, high in ((60, 255), (40, 190), (30, 90)))
    return f"{'black' if part > 0.45 else 'white'} on rgb({red},{green},{blue})"
