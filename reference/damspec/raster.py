"""Pictures in pixels: a position as PNG, a game as an animated GIF. Both need the packages of `damspec[pictures]`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .board import Side
from .drawing import SquareNames, svg
from .errors import ArgumentError, expect, expect_number, quote_any
from .extras import import_extra
from .game import Game
from .position import Position

_FONT = Path(__file__).parent / "font" / "DejaVuSans-ASCII.ttf"
_REQUIREMENT = "damspec[pictures]"
#: The seconds a frame of a GIF may last, whose times are hundredths of a second in 16 bits.
_SHORTEST, _LONGEST = 0.02, 100
#: The largest width of a GIF in pixels.
_LARGEST = 4096
#: How many times as long the last frame is shown.
_LAST = 3


def png(picture: Position | str) -> bytes:
    """Return a position, or a picture that `svg` has drawn, as PNG, the same on every machine.

    Raises MissingPackageError without the packages of `damspec[pictures]`.

    >>> png(svg(Game("vl").position, size=200))[1:4]
    b'PNG'
    """
    expect(picture, "picture", (Position, str), "a Position or the text of an SVG")
    resvg = import_extra("resvg_py", "png", _REQUIREMENT)
    drawn = svg(picture) if isinstance(picture, Position) else picture
    try:
        rendered: bytes = resvg.svg_to_bytes(
            svg_string=drawn, skip_system_fonts=True, font_files=[str(_FONT)], sans_serif_family="DejaVu Sans"
        )
    except ValueError as error:
        raise ArgumentError(f"picture: found {quote_any(drawn)}, expected an SVG: {error}") from None
    return rendered


def gif(
    game: Game,
    *,
    seconds: float = 1,
    size: int = 320,
    orientation: Side = "white",
    numbers: bool = True,
    notation: SquareNames = "numbers",
    coordinates: bool = False,
    state: bool = True,
    colours: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """Return a game as an animated GIF that repeats: its first position, then that after each action.

    A frame lasts `seconds`, the last one three times as long. The squares of the last move are highlighted, and a
    capture of several pieces is an arrow; the other arguments are those of `svg`. Raises MissingPackageError without
    the packages of `damspec[pictures]`.
    """
    expect(game, "game", Game, "a Game")
    expect_number(size, "size", 1, _LARGEST)
    expect(seconds, "seconds", (int, float), "a number of seconds")
    if not _SHORTEST <= seconds <= _LONGEST:
        raise ArgumentError(f"seconds: found {quote_any(seconds)}, expected {_SHORTEST} to {_LONGEST}")
    image = import_extra("PIL.Image", "gif", _REQUIREMENT)

    def frames() -> Iterator[Any]:
        for position, action in zip(game.positions, (None, *game.history), strict=True):
            drawn = svg(
                position,
                lastmove=action,
                arrows=[action.path] if action and len(action.path) > 2 else [],
                orientation=orientation,
                size=size,
                numbers=numbers,
                coordinates=coordinates,
                state=state,
                notation=notation,
                colours=colours,
            )
            rendered = image.open(BytesIO(png(drawn))).convert("RGBA")
            paper = image.new("RGBA", rendered.size, "white")
            yield image.alpha_composite(paper, rendered).convert("RGB").quantize(dither=image.Dither.NONE)

    every, duration = frames(), round(1000 * seconds)
    durations = [duration] * game.ply + [_LAST * duration]
    file = BytesIO()
    next(every).save(
        file, "GIF", save_all=True, append_images=every, duration=durations if game.ply else duration, loop=0
    )
    return file.getvalue()
