"""Trapdoors in pictures: where doors and sliders lie, that nothing lies over a piece, and the signs of the legend."""

from __future__ import annotations

from itertools import product
from typing import Any
from xml.etree import ElementTree

import pytest

from damspec import Board, Game, Position, data, load_ruleset, play
from damspec.board import Side
from damspec.drawing import COLOURS, door_sign, svg
from damspec.layout import Layout, layout_of
from runs import for_each

SMALL = Board(8, 8)
SVG = "{http://www.w3.org/2000/svg}"
SLOT, HOLE = "#3a2a1c", "#0b0705"


def layout(board: str, *doors: tuple[int, int]) -> dict[str, Any]:
    sliders = [
        {"id": f"{colour[0].upper()}{place}", "colour": colour, "left": left, "right": right}
        for place, (left, right) in enumerate(doors, 1)
        for colour in (("green", "orange")[place % 2],)
    ]
    return {"damspec": 1, "id": "own", "name": "Own", "board": board, "assumed": True, "sliders": sliders}


#: Every layout shipped, and some that nobody would make: doors at the edge, side by side, one above the other, and on
#: boards that have no square to spare.
LAYOUTS: list[tuple[Any, Board]] = [
    *((path.stem, SMALL) for path in sorted((data.root() / "spec" / "layouts").glob("*.yaml"))),
    (layout("8x8", (1, 4), (29, 32), (5, 28), (2, 6), (30, 25)), SMALL),
    (layout("8x8", *((number, number + 1) for number in range(1, 32, 2))), SMALL),
    (layout("8x8", (18, 15), (22, 10)), Board(8, 8, dark_corner="right")),
    (layout("10x10", (1, 50), (46, 5), (23, 28)), Board(10, 10)),
    (layout("4x4", *((number, number + 1) for number in range(1, 16, 2))), Board(4, 4, "all")),
]


def box(rect: ElementTree.Element) -> tuple[float, float, float, float]:
    x, y, width, height = (float(rect.get(name, "")) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def apart(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize("orientation", ["white", "black"])
@pytest.mark.parametrize("letters", ["L", "M", "R"])
@for_each(("given", "board"), LAYOUTS)
def test_no_slider_lies_over_a_piece(given: Any, board: Board, letters: str, orientation: Side) -> None:
    """On a full board: slots, handles and the names on doors are clear of every disc, and of each other's slots."""
    found = layout_of(given, board, "here")
    men = ",".join(map(str, range(1, len(board) + 1)))
    full = Position.from_fen(f"W:W{men}:B:sliders={letters * len(found.sliders)}", board)
    root = ElementTree.fromstring(svg(full, layout=found, orientation=orientation))
    signs = [box(rect) for rect in root.iter(f"{SVG}rect") if rect.get("fill") in (SLOT, *COLOURS.values())]
    discs = [
        (float(disc.get("cx", "")), float(disc.get("cy", "")), float(disc.get("r", "")) + 1)
        for disc in root.iter(f"{SVG}circle")
        if disc.get("fill") != "none"
    ]
    assert (len(signs), len(discs)) == (4 * len(found.sliders), len(board))
    for (left, top, right, foot), (x, y, reach) in product(signs, discs):
        aside, along = max(left - x, x - right, 0), max(top - y, y - foot, 0)
        assert aside**2 + along**2 >= reach**2
    slots = [box(rect) for rect in root.iter(f"{SVG}rect") if rect.get("fill") == SLOT]
    assert all(apart(*pair) for pair in product(slots, slots) if pair[0] is not pair[1])
    _, _, width, height = map(float, (root.get("viewBox") or "").split())
    assert all(min(left, top, width - right, height - foot) >= 0 for left, top, right, foot in signs)


def shipped() -> Layout:
    trapdoors = load_ruleset("nl-trapdoor").rules.trapdoors
    assert trapdoors
    return trapdoors.layout


def handles(picture: str) -> dict[str, tuple[float, float]]:
    """The column and row from the upper left in which each slider's name stands, halves being beside the middle."""
    root = ElementTree.fromstring(picture)
    _squares, names, _tags = root.findall(f"{SVG}g")
    return {text.text or "": (float(text.get("x", "")) / 40, float(text.get("y", "")) // 40) for text in names}


def test_doors_and_sliders() -> None:
    """The sliders of the doors in the rows of b6, c5, b4 and c3 lie on d7, e6, d3 and e2, which are light; O1 stands
    left with its door b6 open, G2 right with f4 open."""
    position = Position.from_fen("W:W21:B8:sliders=LMRM", SMALL)
    picture = svg(position, layout=shipped())
    root = ElementTree.fromstring(picture)
    holes = [rect for rect in root.iter(f"{SVG}rect") if rect.get("fill") == HOLE]
    assert [(hole.get("x"), hole.get("y")) for hole in holes] == [("43", "83"), ("203", "163")]
    assert len([rect for rect in root.iter(f"{SVG}rect") if rect.get("stroke-dasharray")]) == 6
    assert handles(picture) == {"O1": (3.3, 1), "G1": (4.5, 2), "G2": (3.7, 5), "O2": (4.5, 6)}
    *_, tags = root.findall(f"{SVG}g")
    assert [text.text for text in tags.iter(f"{SVG}text")] == ["O1", "O1", "G1", "G1", "G2", "G2", "O2", "O2"]


def test_a_slider_points_to_its_open_door_from_either_side() -> None:
    """Seen by Black, d7 is in the fifth column and the seventh row, and White's left is at the right."""
    position = Position.from_fen("W:W21:B8:sliders=LMRM", SMALL)
    assert handles(svg(position, layout=shipped(), orientation="black"))["O1"] == (4.7, 6)


def test_where_no_square_is_left_the_board_has_a_strip_below() -> None:
    board = Board(4, 4, "all")
    found = layout_of(layout("4x4", (1, 2), (3, 4), (5, 6), (7, 8), (9, 10)), board, "here")
    picture = svg(Position.from_fen("W:W1:B16", board), layout=found, size=160)
    root = ElementTree.fromstring(picture)
    assert (root.get("viewBox"), root.get("height")) == ("0 0 160 240", "240")
    assert [*handles(picture).values()] == [(0.5, 4), (1.5, 4), (2.5, 4), (3.5, 4), (0.5, 5)]


def test_doors_are_drawn_where_there_are_any() -> None:
    """The first slider stands left, so that one door is a hole; the other seven doors are outlined."""
    game = Game("nl-trapdoor", "W:W21:B5:sliders=LMMM")
    spun = game.legal_moves.after("spin=disc")
    moved = play("nl-trapdoor", spun, "21-17")
    for picture in (game.position._repr_svg_(), game._repr_svg_(), *map(svg, (game.position, spun, moved))):
        assert (picture.count('fill="#0b0705"'), picture.count('stroke-dasharray="5 3"')) == (1, 7)
    bare = Position.from_fen("W:W21:B5:sliders=LMMM", game.position.board)
    assert 'fill="#0b0705"' not in svg(bare)
    assert svg(bare, layout=game.position.layout) == svg(game.position)
    assert 'fill="#0b0705"' in Game("nl-trapdoor", bare)._repr_svg_()


@pytest.mark.parametrize("kind", ["shut", "open", "slider", "disc", "green", "orange", "both"])
def test_signs_of_the_legend_are_pictures_of_their_own(kind: Any) -> None:
    """Each looks as it does on a board: the hole of an open door, the dashes of a shut one, the handle of a slider."""
    root = ElementTree.fromstring(door_sign(kind, "orange"))
    assert (root.get("aria-hidden"), root.get("viewBox")) == ("true", "0 0 40 40")
    fills = [part.get("fill") for part in root.iter() if part.get("fill") not in (None, "none", "#96633f")]
    shown = {
        "shut": [],
        "open": [HOLE, "#5b4330"],
        "slider": [SLOT, COLOURS["orange"]],
        "disc": ["#2b2320"],  # as the wheel of the box shows it (nl-015)
        "green": [COLOURS["green"]],
        "orange": [COLOURS["orange"]],
        "both": [COLOURS["green"], COLOURS["orange"]],
    }
    assert fills == shown[kind]
