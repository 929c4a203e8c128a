"""Pictures in pixels: PNG of a position, GIF of a game."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest
from PIL import Image

import damspec
from damspec import ArgumentError, ArgumentTypeError, Game, MissingPackageError, gif, png, svg
from refusals import refusal
from runs import for_each

LB = damspec.load_ruleset("lb")


def opened(picture: bytes) -> Any:
    return Image.open(io.BytesIO(picture))


def colour(picture: Any, square: str) -> tuple[int, ...]:
    """The colour of the lower right corner of a square, where neither a piece nor a number is, at 40 pixels each."""
    column, row = ord(square[0]) - ord("a"), int(square[1]) - 1
    return tuple(picture.convert("RGB").getpixel((40 * column + 37, 40 * (7 - row) + 37)))


def test_png_of_a_position_and_of_a_picture() -> None:
    position = LB.position("W:W21:B1")
    assert png(position) == png(svg(position))
    small = opened(png(svg(position, size=200, colours={"dark": "#769656", "light": "white"})))
    assert (small.format, small.size) == ("PNG", (200, 200))
    picture = opened(png(svg(position, colours={"dark": "#769656", "light": "#ffffff"})))
    assert colour(picture, "a1") == (0x76, 0x96, 0x56)
    assert colour(picture, "b1") == (255, 255, 255)


def test_gif_has_a_frame_for_each_position() -> None:
    """9-13 and 22-17 in 8 by 8: b6-a5, c3-b4."""
    game = Game("lb", "B:W22,32:B9,1")
    game.push_all(["9-13", "22-17", "13x22"])
    picture = opened(gif(game, seconds=0.5, colours={"highlight": "#ff0000", "dark": "#008000"}))
    assert (picture.format, picture.n_frames, picture.info["loop"]) == ("GIF", 4, 0)
    marked, durations = [], []
    for frame in range(4):
        picture.seek(frame)
        durations.append(picture.info["duration"])
        shown = {square: colour(picture, square) for square in ("b6", "a5", "c3", "b4")}
        marked.append({square for square, (red, green, _) in shown.items() if red > 200 and green < 50})
    assert marked == [set(), {"b6", "a5"}, {"c3", "b4"}, {"a5", "c3"}]
    assert durations == [500, 500, 500, 1500]


def test_gif_of_a_game_without_moves_and_with_a_wheel() -> None:
    assert opened(gif(Game("lb"), size=160)).size == (160, 172)  # with a line below the board
    assert opened(gif(Game("lb"), size=160, state=False)).size == (160, 160)
    game = Game("nl-trapdoor", "W:W21:B5,14")
    game.push_all(["spin=green", "G1=L"])
    assert opened(gif(game, size=80)).n_frames == 3


@for_each("package", ["resvg_py", "PIL.Image"])
def test_without_the_packages_one_line_says_what_to_install(package: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, package, None)
        said = refusal(MissingPackageError, gif, Game("lb"))
    assert said.endswith(": needs a package that is not installed: pip install 'damspec[pictures]'")


def test_what_is_no_picture() -> None:
    assert "found 'W:W21:B1', expected an SVG" in refusal(ArgumentError, png, "W:W21:B1")
    wrong: Any = Game("lb")
    assert "picture: found damspec.Game('lb'" in refusal(ArgumentTypeError, png, wrong)
    wrong = LB.position()
    assert "game: found" in refusal(ArgumentTypeError, gif, wrong)
    assert refusal(ArgumentError, gif, Game("lb"), seconds=0) == "seconds: found 0, expected 0.02 to 100"
    assert refusal(ArgumentError, gif, Game("lb"), seconds=float("nan")).startswith("seconds: found nan")
