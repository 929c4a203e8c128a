"""Positions as one page for a browser, which needs nothing from elsewhere: to look through hundreds of them.

The board is drawn once and lies under all pictures, and a browser lays out only what can be seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from damspec import Move, Position, legal_moves
from damspec.board import Board
from damspec.drawing import UNIT, corners, middles, svg
from damspec.vocabulary import vocabulary

from ..answered import KINDS, Answered
from ..coverage import Coverage
from ..otherwise import named
from .pictures import picture

_HERE = Path(__file__).parent


def page(answered: Sequence[Answered], covered: Coverage, about: Mapping[str, Any]) -> str:
    """The positions as an HTML page; `about` is what is known of the search."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    ruleset = answered[0].ruleset
    board = ruleset.rules.board
    return environment.get_template("gallery.html").render(
        about=about,
        ruleset=ruleset,
        positions=answered,
        covered=covered,
        kinds=[kind.replace("-", " ") for kind in KINDS],
        missing=named(mutant for mutant, counted in covered.values.items() if not counted.positions),
        titles={rule: vocabulary()[rule].asks for rule in covered.rules},
        board=quote(svg(Position(board, 0, 0, 0, 0, "white"), title="")),
        numbered={mutant: number for number, mutant in enumerate(covered.values)},
        middles=middles(board),
        picture=partial(picture, board=False),
        actions=_actions,
        unit=UNIT,
        width=board.columns * UNIT,
        height=board.rows * UNIT,
        squares=list(_squares(board, covered)),
    )


def _actions(answered: Answered) -> Iterator[tuple[str, str, str, str]]:
    """Each legal action, and each lapse: its text, the squares it touches and those it empties, the position after."""
    legal = legal_moves(answered.ruleset, answered.position)
    for action in (*legal, *legal.lapses):
        text = str(action)
        path, taken = (action.path, action.captured) if isinstance(action, Move) else ((), ())
        after = answered.moves.get(text) or answered.lapses[text]
        yield text, _numbers(path), _numbers(taken), after


def _numbers(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


def _squares(board: Board, covered: Coverage) -> Iterator[dict[str, Any]]:
    """The squares of a coloured board: corner, number, in how many positions, and that as a part of the most."""
    most = max(covered.squares, default=0) or 1
    for number, ((x, y), times) in enumerate(zip(corners(board), covered.squares, strict=True), 1):
        yield {"x": x, "y": y, "number": number, "times": times, "part": round(times / most, 2)}
