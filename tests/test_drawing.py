"""Boards as text and as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from damspec import Board, Game, Position
from damspec.drawing import svg, text

SMALL = Board(8, 8)
FEN = "W:W22,K30:BK2,9"
POSITION = Position.from_fen(FEN, SMALL)
SVG = "{http://www.w3.org/2000/svg}"


def drawn(picture: str) -> ElementTree.Element:
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return root


def test_text() -> None:
    assert text(POSITION).splitlines() == [
        "   1   .   B   .   .  4",
        "   5 .   .   .   .    8",
        "   9   b   .   .   .  12",
        "  13 .   .   .   .    16",
        "  17   .   .   .   .  20",
        "  21 .   w   .   .    24",
        "  25   .   .   .   .  28",
        "  29 .   W   .   .    32",
        "     White to move",
    ]
    assert str(POSITION) == text(POSITION) == str(Game("lb", FEN))


def test_text_without_numbers_and_with_symbols() -> None:
    lines = text(POSITION, numbers=False, symbols=True).splitlines()
    assert lines[0] == "  .   ⛃   .   ."
    assert lines[5] == ".   ⛀   .   ."
    assert lines[-1] == "White to move"
    assert len(lines) == 9


def test_text_from_the_other_side() -> None:
    lines = text(POSITION, orientation="black").splitlines()
    assert lines[0] == "  32   .   .   W   .  29"
    assert lines[5] == "  12 .   .   .   b    9"
    assert lines[7] == "   4 .   .   B   .    1"


def test_text_of_other_boards() -> None:
    every = Position.from_fen("B:W9:B1", Board(3, 3, "all"))
    assert text(every).splitlines() == ["   1 b . .  3", "   4 . . .  6", "   7 . . w  9", "     Black to move"]


def test_text_says_what_else_there_is() -> None:
    position = Position.from_fen("B:W22:B1:spin=disc:compelled", SMALL)
    assert text(position).splitlines()[-1] == "     Black to move, spin=disc, compelled"


def test_svg() -> None:
    root = drawn(svg(POSITION))
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == FEN
    assert len(root.findall(f"{SVG}rect")) == 1 + 32
    assert [label.text for label in root.findall(f"{SVG}text")] == [str(number) for number in range(1, 33)]
    assert len(root.findall(f"{SVG}circle")) == 4 + 2
    assert len(root.findall(f"{SVG}path")) == 2
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("320", "320", "0 0 320 320")
    assert POSITION._repr_svg_() == svg(POSITION) == Game("lb", FEN)._repr_svg_()


def test_svg_size_and_labels() -> None:
    root = drawn(svg(Position.from_fen("W:W46:B1", Board(10, 10)), size=500, numbers=False))
    assert (root.get("width"), root.get("viewBox")) == ("500", "0 0 400 400")
    assert root.findall(f"{SVG}text") == []
    assert drawn(svg(Position.from_fen("W:W1:B2", Board(4, 8)), size=100)).get("height") == "200"


@pytest.mark.parametrize(("orientation", "middle"), [("white", ("100", "220")), ("black", ("220", "100"))])
def test_svg_orientation(orientation: str, middle: tuple[str, str]) -> None:
    position = Position.from_fen("W:W22:B", SMALL)
    picture = svg(position, orientation="black" if orientation == "black" else "white")
    disc = drawn(picture).find(f"{SVG}circle")
    assert disc is not None
    assert (disc.get("cx"), disc.get("cy")) == middle


def test_svg_arrows_crosses_and_marks() -> None:
    root = drawn(svg(POSITION, highlight=[22, 30], arrows=[(30, 21, 14), (22, 18)], crosses=[9, 2]))
    lines = root.findall(f"{SVG}polyline")
    assert [line.get("points") for line in lines] == ["100,300 20,220 100,140", "100,220 140,180"]
    assert len(root.findall(f"{SVG}defs/{SVG}marker")) == 1
    red = [path for path in root.findall(f"{SVG}path") if path.get("stroke") == "#d1242f"]
    assert len(red) == 2
    marked = [square for square in root.findall(f"{SVG}rect") if square.get("fill") == "#e0b040"]
    assert [(square.get("x"), square.get("y")) for square in marked] == [("80", "200"), ("80", "280")]


def test_svg_is_plain_without_arrows() -> None:
    root = drawn(svg(POSITION))
    assert root.findall(f"{SVG}defs") == []
    assert root.findall(f"{SVG}polyline") == []
