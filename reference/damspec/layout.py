"""Layouts of trapdoors: which slider opens which doors, and how sliders move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

from . import data
from .board import Board
from .errors import ArgumentTypeError, PositionError, RulesetError, expect, expect_word, quote_any, quote_value

#: The maximum number of slider settings for which a layout caches the open doors.
_CACHE_SIZE = 1_000


@dataclass(frozen=True)
class Slider:
    """A slider and the squares of its two doors: the left one is open only at L, the right one only at R."""

    id: str
    colour: Literal["green", "orange"]
    left: int
    right: int

    def door(self, letter: str) -> int | None:
        """Return the square of the door that is open when the slider stands at L, M or R; None at M."""
        expect_word(letter, "letter", ("L", "M", "R"))
        return {"L": self.left, "R": self.right}.get(letter)


@dataclass(frozen=True)
class Layout:
    """The sliders of a board, in the order used in positions; `assumed` if no source gives the squares."""

    id: str
    name: str
    board: str
    assumed: bool
    sliders: tuple[Slider, ...]
    about: str | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.sliders, tuple) and all(isinstance(slider, Slider) for slider in self.sliders)):
            raise ArgumentTypeError(f"sliders: found {quote_any(self.sliders)}, expected a tuple of Sliders")
        if problem := data.schema_problem(self.content(), "layout"):
            raise RulesetError(f"layout: {problem}")

    def content(self) -> dict[str, Any]:
        """Return the layout in the form of its file."""
        entries = {key: value for key, value in asdict(self).items() if value is not None}
        return {"damspec": 1, **entries, "sliders": [asdict(slider) for slider in self.sliders]}

    @property
    def middle_letters(self) -> str:
        """The letters of a position with every slider in the middle."""
        return "M" * len(self.sliders)

    def open_doors(self, board: Board, letters: str) -> int:
        """Return the open doors as a bitboard. Raises PositionError unless there is a letter for each slider."""
        try:
            return self._open_doors_cache[board, letters]
        except (KeyError, TypeError):
            pass
        expect(board, "board", Board, "a Board")
        self._check_letters(letters)
        if len(self._open_doors_cache) >= _CACHE_SIZE:
            self._open_doors_cache.clear()
        squares = (slider.door(letter) for slider, letter in zip(self.sliders, letters, strict=True))
        self._open_doors_cache[board, letters] = board.mask(square for square in squares if square is not None)
        return self._open_doors_cache[board, letters]

    def _check_letters(self, letters: object) -> None:
        expect(letters, "sliders", str, "a text with a letter for each slider")
        if not (isinstance(letters, str) and len(letters) == len(self.sliders) and set(letters) <= set("LMR")):
            names = ", ".join(slider.id for slider in self.sliders)
            raise PositionError(f"sliders: found {quote_any(letters)}, expected a letter L, M or R for each of {names}")

    @cached_property
    def _open_doors_cache(self) -> dict[tuple[Board, str], int]:
        """The results of `open_doors` so far, since every position asks for them."""
        return {}

    def steps(self, letters: str, colours: frozenset[str], *, through: bool) -> Iterator[tuple[int, str]]:
        """Yield each possible slider push as the slider's index and its new letter, for sliders of some colours.

        A slider moves one position; with `through` it may also move from one end to the other.
        """
        self._check_letters(letters)
        expect(colours, "colours", Set, "a set of colours")
        for place, (slider, letter) in enumerate(zip(self.sliders, letters, strict=True)):
            if slider.colour in colours:
                for new in "LR" if letter == "M" else ("M" + ("R" if letter == "L" else "L") * through):
                    yield place, new


def is_layout_file(source: str) -> bool:
    """Return whether a layout is given by the path of its file, and not by its id."""
    return Path(source).suffix in (".yaml", ".yml")


def layout_of(source: str | Mapping[str, Any], board: Board, where: str) -> Layout:
    """Return a layout by its id in spec/layouts/, by the path of a file, or from the content of one.

    Raises RulesetError or FileError.
    """
    if isinstance(source, Mapping):
        return _build_layout(source, board, where)
    if is_layout_file(source):
        return _build_layout(data.load_yaml(Path(source)), board, data.path_text(Path(source)))
    folder = data.root() / "spec" / "layouts"
    known = sorted(file.stem for file in folder.glob("*.yaml"))
    if source not in known:
        raise RulesetError(f"{where}: unknown layout {quote_value(source)}{data.nearest(source, known)}")
    return _load_shipped(folder / f"{source}.yaml", board)


@cache
def _load_shipped(path: Path, board: Board) -> Layout:
    """Load a layout that comes with damspec, once."""
    return _build_layout(data.load_yaml(path), board, data.path_text(path))


def _build_layout(content: Mapping[str, Any], board: Board, place: str) -> Layout:
    data.check(content, "layout", place)
    sliders = tuple(Slider(**slider) for slider in content["sliders"])
    entries = {key: value for key, value in content.items() if key not in ("damspec", "sliders")}
    layout = Layout(**entries, sliders=sliders)
    if content["board"] != f"{board.columns}x{board.rows}":
        raise RulesetError(f"{place}: board: found {content['board']}, expected {board.columns}x{board.rows}")
    _check(layout, board, place)
    return layout


def _check(layout: Layout, board: Board, place: str) -> None:
    ids: set[str] = set()
    squares: set[int] = set()
    for slider in layout.sliders:
        if slider.id in ids:
            raise RulesetError(f"{place}: slider {quote_value(slider.id)} given twice")
        ids.add(slider.id)
        for square in (slider.left, slider.right):
            try:
                board.bit(square)
            except PositionError as error:
                raise RulesetError(f"{place}: slider {slider.id[:80]}: {error}") from None
            if square in squares:
                raise RulesetError(f"{place}: slider {slider.id[:80]}: square {square} has two doors")
            squares.add(square)
