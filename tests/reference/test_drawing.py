"""Boards as text, as SVG and in words; trapdoors in pictures; the names of squares."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any
from xml.etree import ElementTree

import pytest

from damspec import Action, ArgumentError, Board, Game, Move, Position, Spin, data, load_ruleset, play
from damspec.board import Side
from damspec.drawing import COLOURS, LEGIBLE, LETTER, REACH, UNIT, describe_position, svg
from damspec.layout import Layout, layout_of
from damspec.position import board_text
from refusals import refusal
from runs import for_each

SMALL = Board(8, 8)
FEN = "W:W22,K30:BK2,9"
POSITION = Position.from_fen(FEN, SMALL)
TRAPDOORS = load_ruleset("nl-trapdoor").rules.trapdoors
assert TRAPDOORS
DOORS = TRAPDOORS.layout
SVG = "{http://www.w3.org/2000/svg}"


def drawn(picture: str) -> ElementTree.Element:
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return root


def test_text() -> None:
    assert board_text(POSITION).splitlines() == [
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
    assert str(POSITION) == board_text(POSITION) == str(Game("lb", FEN))


def test_text_of_other_boards() -> None:
    every = Position.from_fen("B:W9:B1", Board(3, 3, "all"))
    assert board_text(every).splitlines() == ["   1 b . .  3", "   4 . . .  6", "   7 . . w  9", "     Black to move"]


def test_text_says_what_else_there_is() -> None:
    position = Position.from_fen("B:W22:B1:spin=disc:compelled", SMALL)
    assert board_text(position).splitlines()[-1] == "     Black to move, spin=disc, compelled"


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("W:W21,K30:B10,17", "White to move: White man 21, king 30; Black men 10, 17"),
        ("B:WK1,K2:B", "Black to move: White kings 1, 2; Black has no pieces"),
        ("W:W21:B9:spin=green", "White to move: White man 21; Black man 9; the spin gave green"),
        ("W:W21:B9:spin=due", "White to move: White man 21; Black man 9; a spin is due"),
        ("W:W21:B9:sliders=LMRM", "White to move: White man 21; Black man 9; sliders LMRM"),
        (
            "W:W21:B16:huffable=12-16:compelled",
            "White to move: White man 21; Black man 16; the last move, 12-16, left a capture; a capture has to be made",
        ),
    ],
)
def test_in_words(fen: str, words: str) -> None:
    assert describe_position(Position.from_fen(fen, SMALL)) == words


def test_doors_in_words() -> None:
    stands = Position.from_fen("W:W21:B8:sliders=LMRM", SMALL)
    assert describe_position(stands, DOORS).endswith("; doors O1 open on 9, G2 open on 19")
    assert describe_position(replace(stands, sliders="MMMM"), DOORS).endswith("; all doors shut")
    assert describe_position(replace(stands, sliders=None), DOORS).endswith("; all doors shut")


def test_svg_is_a_picture_that_says_what_it_shows() -> None:
    root = drawn(svg(POSITION))
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == describe_position(POSITION)
    assert root.get("role") == "img"
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("320", "320", "0 0 320 320")


def test_svg_has_the_squares_with_their_numbers() -> None:
    root = drawn(svg(POSITION))
    squares, *_ = root.findall(f"{SVG}path")
    assert (squares.get("d") or "").count("M") == 32
    assert len(re.findall("M40 0h|M0 280h", squares.get("d") or "")) == 2  # b8 and a1
    rows = [text.text for text in root.findall(f"{SVG}g/{SVG}text")]
    assert rows == ["1234", "5678", "9101112", "13141516", "17181920", "21222324", "25262728", "29303132"]


def test_svg_has_a_disc_for_each_man_and_two_for_each_king() -> None:
    root = drawn(svg(POSITION))
    # A man has a ring on its disc, a king a spot on the upper one.
    assert len(root.findall(f"{SVG}circle")) == 2 * 2 + 2 * 3


def test_positions_and_games_are_drawn_so_in_a_notebook() -> None:
    assert POSITION._repr_svg_() == svg(POSITION) == Game("lb", FEN)._repr_svg_()


def test_svg_says_what_it_is_told() -> None:
    title = drawn(svg(POSITION, title="After <22-18>.")).find(f"{SVG}title")
    assert title is not None
    assert title.text == "After <22-18>."


def test_svg_size_and_labels() -> None:
    root = drawn(svg(Position.from_fen("W:W46:B1", Board(10, 10)), size=500, numbers=False))
    assert (root.get("width"), root.get("viewBox")) == ("500", "0 0 400 400")
    assert list(root.iter(f"{SVG}text")) == []
    assert drawn(svg(Position.from_fen("W:W1:B2", Board(4, 8)), size=100)).get("height") == "200"


@pytest.mark.parametrize(("orientation", "middle"), [("white", ("100", "220")), ("black", ("220", "100"))])
def test_svg_orientation(orientation: str, middle: tuple[str, str]) -> None:
    """The middle of 22 (c3) is 100 from the left and 220 from the top."""
    position = Position.from_fen("W:W22:B", SMALL)
    picture = svg(position, orientation="black" if orientation == "black" else "white")
    disc = drawn(picture).find(f"{SVG}circle")
    assert disc is not None
    assert (disc.get("cx"), disc.get("cy")) == middle


#: Where the arrows of the next test end and how their heads are turned: one points to the upper left, two to the right.
TIPS = [("60,180", -135), ("100,140", -45), ("140,180", -45)]


def test_svg_arrows_crosses_and_marks() -> None:
    picture = svg(POSITION, squares=[22, 30], arrows=[(30, 21, 14), (22, 18)], dashed=[(22, 17)], crosses=[9, 2])
    root = drawn(picture)
    arrows = [line for line in root.findall(f"{SVG}polyline") if line.get("stroke") == "#1f5fd0"]
    dashed, *solid = [line.get("points") for line in arrows]
    assert solid == ["100,300 20,220 100,140", "100,220 140,180"]
    assert dashed == "100,220 60,180"
    assert [line.get("stroke-dasharray") is not None for line in arrows] == [True, False, False]
    heads = [path.get("transform") for path in root.findall(f"{SVG}path") if path.get("fill") == "#1f5fd0"]
    assert heads == [f"translate({place}) rotate({turn})" for place, turn in TIPS]
    assert "id=" not in picture
    red = [path for path in root.findall(f"{SVG}path") if path.get("stroke") == "#c8202c"]
    assert len(red) == 2
    marked = [square for square in root.findall(f"{SVG}rect") if square.get("fill") == "#d9a72e"]
    assert [(square.get("x"), square.get("y")) for square in marked] == [("80", "200"), ("80", "280")]


def test_svg_is_plain_without_arrows() -> None:
    root = drawn(svg(POSITION))
    assert root.findall(f"{SVG}polyline") == []


@pytest.mark.parametrize(("orientation", "first", "top"), [("white", "a", "8"), ("black", "h", "1")])
def test_svg_coordinates(orientation: str, first: str, top: str) -> None:
    picture = svg(
        POSITION, orientation="black" if orientation == "black" else "white", coordinates=True, numbers=False, size=334
    )
    root = drawn(picture)
    assert (root.get("viewBox"), root.get("height")) == ("-14 0 334 334", "334")
    labels = {(label.get("x"), label.get("y")): label.text for label in root.iter(f"{SVG}text")}
    assert (labels["20", "330"], labels["-7.0", "23"], len(labels)) == (first, top, 16)


def marks(picture: str) -> int:
    return picture.count('width="40" height="40" fill="#d9a72e"')


def test_the_last_move_is_marked() -> None:
    game = Game("lb", "W:W22:B1")
    assert marks(svg(game.position)) == 0
    game.push("22-18")
    assert marks(svg(game.position, lastmove=game.peek())) == marks(game._repr_svg_()) == 2
    assert marks(svg(game.position, lastmove=game.peek(), squares=[18, 5])) == 3
    assert marks(svg(game.position, lastmove=Spin("disc"))) == 0


LONG = Move(1, 9, (), False, paths=((1, *range(2, 25), 9),))


@pytest.mark.parametrize(
    ("fen", "last", "says", "spots"),
    [
        ("W:W21:B8", None, "White to move", 0),
        ("B:W17:B8", Move(21, 17, (), False), "Black to move, after 21-17", 0),
        ("W:W21:B8:spin=green", Spin("green"), "White to move, green spun", 1),
        ("W:W21:B8:spin=both", None, "White to move, both spun", 2),
        ("B:W21:B8:spin=due", None, "Black to move, a spin is due", 0),
        ("W:W21:B16:huffable=12-16", Move(12, 16, (), False), "White to move, lapse 12-16", 0),
        ("W:W21:B12:compelled", None, "White to move, has to capture", 0),
        ("B:W1:B8", LONG, "Black to move, after 1-2-3-4-5-6-7-8-9-10-11-1…", 0),
    ],
)  # fmt: skip
def test_svg_says_below_who_is_to_move(fen: str, last: Action | None, says: str, spots: int) -> None:
    root = drawn(svg(Position.from_fen(fen, SMALL), lastmove=last, state=True, numbers=False))
    assert (root.get("viewBox"), root.get("height")) == ("0 0 320 344", "344")
    assert [text.text for text in root.findall(f"{SVG}text")] == [says]
    assert len([rect for rect in root.findall(f"{SVG}rect") if rect.get("width") == "14"]) == spots


def test_svg_without_the_board_lies_on_an_empty_one() -> None:
    whole, bare = (drawn(svg(POSITION, board=board)) for board in (True, False))
    assert len(bare.findall(f"{SVG}circle")) == len(whole.findall(f"{SVG}circle")) == 10
    assert [*bare.iter(f"{SVG}text")] == bare.findall(f"{SVG}rect") == []
    assert bare.get("viewBox") == whole.get("viewBox")


# --- Trapdoors in pictures: where doors and sliders lie, that nothing lies over a piece, and the signs of the legend.


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


# --- The names of squares in a picture: numbers or letters, right on every board, beside the pieces and not below
# them.


#: The widest digit of the sans-serif fonts that browsers have, as a part of the size of the letters, and the highest.
WIDE, HIGH = 0.64, 0.73


def letters(group: ElementTree.Element) -> Iterator[tuple[float, float, str]]:
    """Each letter of the names in a group, with where it begins and its foot."""
    for text in group:
        places = map(float, text.get("x", "").split())
        yield from ((x, float(text.get("y", "")), letter) for x, letter in zip(places, text.text or "", strict=True))


def names(picture: str) -> list[dict[tuple[int, int], str]]:
    """The names in a picture, group by group, by the column and the row from the upper left."""
    found: list[dict[tuple[int, int], str]] = []
    for group in ElementTree.fromstring(picture).findall(f"{SVG}g"):
        found.append(defaultdict(str))
        for x, y, letter in letters(group):
            found[-1][int(x) // UNIT, int(y) // UNIT] += letter
    return found


def empty(id: str) -> Position:
    return Position(load_ruleset(id).rules.board, 0, 0, 0, 0, "white")


@for_each(
    ("ruleset", "place", "number", "name"),
    [
        # Dark corner at the left, 1 at the top left: the usual board of 32 squares, a1 at the bottom left is 29.
        ("vl", (1, 0), "1", "b8"),
        ("vl", (0, 7), "29", "a1"),
        ("vl", (6, 7), "32", "g1"),
        # Spanish: dark corner at the right, numbers from there to the left and upward; letters from White's left.
        ("spanish", (7, 7), "1", "h1"),
        ("spanish", (1, 7), "4", "b1"),
        ("spanish", (0, 0), "32", "a8"),
        # Jamaican: numbers run down the columns from the top left; letters begin at that corner too.
        ("jamaican", (0, 0), "1", "a1"),
        ("jamaican", (0, 6), "4", "a7"),
        ("jamaican", (1, 1), "5", "b2"),
        ("jamaican", (7, 7), "32", "h8"),
        # Sri Lankan: twelve rows, dark corner at the right, 1 at the top right, numbers to the left.
        ("sri-lankan", (10, 0), "1", "k12"),
        ("sri-lankan", (11, 11), "67", "l1"),
        # Turkish: all squares.
        ("turkish", (0, 0), "1", "a8"),
        ("turkish", (3, 4), "36", "d4"),
    ],
)
def test_both_notations_of_a_square(ruleset: str, place: tuple[int, int], number: str, name: str) -> None:
    """Each by hand: the column and row of a square as a reader counts them from the upper left corner."""
    by_letters, by_numbers = names(svg(empty(ruleset), notation="either"))
    assert (by_numbers[place], by_letters[place]) == (number, name)


def test_a_picture_has_the_notation_it_is_asked_for() -> None:
    numbers, lettered = (names(svg(empty("vl"), notation=notation)) for notation in ("numbers", "letters"))
    assert [*numbers[0].values()] == [str(number) for number in range(1, 33)]
    assert [*lettered[0].values()][:5] == ["b8", "d8", "f8", "h8", "a7"]
    assert len(numbers) == len(lettered) == 1


def test_edges_are_named_as_the_squares_are() -> None:
    """The Jamaican board has its first column at White's left, but its first row at Black's side."""
    root = ElementTree.fromstring(svg(empty("jamaican"), coordinates=True, numbers=False))
    beside = [text.text for text in root.iter(f"{SVG}text") if text.get("x") == "-7.0"]
    below = [text.text for text in root.iter(f"{SVG}text") if text.get("y") == "330"]
    assert sorted(beside) == [*"12345678"]  # type: ignore[type-var]
    top = next(text.text for text in root.iter(f"{SVG}text") if (text.get("x"), text.get("y")) == ("-7.0", "23"))
    assert (top, sorted(below)) == ("1", [*"abcdefgh"])  # type: ignore[type-var]


def test_only_a_file_of_its_own_has_an_id_and_a_style() -> None:
    position = empty("vl")
    assert not re.search("<style| id=", svg(position) + svg(position, notation="letters"))
    assert svg(position, notation="either").count(' id="letters"') == 1
    assert "<g" not in svg(position, notation="either", numbers=False).partition("</style>")[2]


@pytest.mark.parametrize(("columns", "width"), [(8, 182.9), (10, 228.6), (12, 274.3)])
def test_names_too_small_to_read_are_left_out(columns: int, width: float) -> None:
    """By hand: names of 7 units are 4 pixels high where 40 units for each column are 4 / 7 of that many pixels."""
    picture = svg(Position(Board(columns, columns), 0, 0, 0, 0, "white"), notation="either")
    assert f"(max-width:{width}px)" in picture
    assert width * LETTER / (columns * UNIT) == pytest.approx(LEGIBLE, abs=0.01)


@pytest.mark.parametrize("ruleset", ["vl", "international", "canadian", "turkish", "jamaican"])
def test_no_name_lies_below_a_piece(ruleset: str) -> None:
    """On a board full of men, by the widest digits there are: every corner of a name is outside of every disc."""
    board = load_ruleset(ruleset).rules.board
    full = Position.from_fen(f"W:W{','.join(map(str, range(1, len(board) + 1)))}:B", board)
    root = ElementTree.fromstring(svg(full, notation="either"))
    discs = [(float(disc.get("cx", "")), float(disc.get("cy", ""))) for disc in root.iter(f"{SVG}circle")]
    for left, foot, letter in (each for group in root.findall(f"{SVG}g") for each in letters(group)):
        box = product((left, left + WIDE * LETTER), (foot - HIGH * LETTER, foot))
        for (across, down), (x, y) in product(box, discs):
            assert (across - x) ** 2 + (down - y) ** 2 >= (REACH - 0.5) ** 2, letter


# --- colours


def test_colours_of_squares_pieces_and_marks() -> None:
    colours = {"light": "#eeeed2", "dark": "#769656", "white": "ivory", "black": "#000", "highlight": "#baca44"}
    root = drawn(svg(POSITION, squares=[21], colours=colours))
    fills = {part.get("fill") for part in root.iter()}
    assert {*colours.values()} <= fills
    assert not {"#f0dcbb", "#96633f", "#fffaf0", "#2b2320", "#d9a72e"} & fills
    assert svg(POSITION, colours={}) == svg(POSITION)


@for_each(
    ("colours", "says"),
    [
        ({"drak": "#769656"}, "colours: found 'drak', expected 'light', 'dark',"),
        ({"dark": "#76965"}, "dark: found '#76965', expected a colour such as '#96633f' or 'navy'"),
        ({"dark": 'red"/><script>'}, "dark: found "),
        ({"dark": 3}, "dark: found 3, expected a colour"),
        ("red", "colours: found 'red', expected a mapping"),
    ],
)
def test_colours_that_are_none(colours: Any, says: str) -> None:
    assert refusal(ArgumentError, svg, POSITION, colours=colours).startswith(says)
