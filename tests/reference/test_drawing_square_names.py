"""The names of squares in a picture: numbers or letters, right on every board, beside the pieces and not below them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from xml.etree import ElementTree

import pytest

from damspec import Board, Position, load_ruleset
from damspec.drawing import LEGIBLE, LETTER, REACH, UNIT, svg
from runs import for_each

SVG = "{http://www.w3.org/2000/svg}"
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
