"""Boards as text, as SVG, and in words."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from damspec import Action, Board, Game, Move, Position, Spin, load_ruleset
from damspec.drawing import describe_position, svg
from damspec.position import board_text

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


def test_text_without_numbers_and_with_symbols() -> None:
    lines = board_text(POSITION, numbers=False, symbols=True).splitlines()
    assert lines[0] == "  .   ⛃   .   ."
    assert lines[5] == ".   ⛀   .   ."
    assert lines[-1] == "White to move"
    assert len(lines) == 9


def test_text_from_the_other_side() -> None:
    lines = board_text(POSITION, orientation="black").splitlines()
    assert lines[0] == "  32   .   .   W   .  29"
    assert lines[5] == "  12 .   .   .   b    9"
    assert lines[7] == "   4 .   .   B   .    1"


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
