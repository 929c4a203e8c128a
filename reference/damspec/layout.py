"""Layouts of trapdoors: which slider opens which doors, and what happens when one is moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

from . import data
from .board import Board
from .errors import ArgumentTypeError, PositionError, RulesetError, expect, expect_word, quote_value, shown

#: For how many ways in which sliders can stand a layout remembers which doors are open.
_REMEMBERED = 1_000


@dataclass(frozen=True)
class Slider:
    """A slider and the squares of its two doors: the left is open exactly if it stands left, the right if right."""

    id: str
    colour: Literal["green", "orange"]
    left: int
    right: int

    def door(self, letter: str) -> int | None:
        """The square of the door that is open when the slider stands at L, M or R."""
        expect_word(letter, "letter", ("L", "M", "R"))
        return {"L": self.left, "R": self.right}.get(letter)


@dataclass(frozen=True)
class Layout:
    """The sliders of a board in the order in which a position writes them; `assumed` if no source gives the squares."""

    id: str
    name: str
    board: str
    assumed: bool
    sliders: tuple[Slider, ...]
    about: str | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.sliders, tuple) and all(isinstance(slider, Slider) for slider in self.sliders)):
            raise ArgumentTypeError(f"sliders: found {shown(self.sliders)}, expected a tuple of Sliders")
        if problem := data.schema_problem(self.content(), "layout"):
            raise RulesetError(f"layout: {problem}")

    def content(self) -> dict[str, Any]:
        """The layout as its file has it."""
        given = {key: value for key, value in asdict(self).items() if value is not None}
        return {"damspec": 1, **given, "sliders": [asdict(slider) for slider in self.sliders]}

    @property
    def closed(self) -> str:
        """All sliders in the middle, as a position writes it."""
        return "M" * len(self.sliders)

    def open_doors(self, board: Board, letters: str) -> int:
        """The open doors as a bitboard. Raises PositionError where there is not a letter for each slider."""
        try:
            return self._opened[board, letters]
        except (KeyError, TypeError):
            pass
        expect(board, "board", Board, "a Board")
        self._check_letters(letters)
        if len(self._opened) >= _REMEMBERED:
            self._opened.clear()
        squares = (slider.door(letter) for slider, letter in zip(self.sliders, letters, strict=True))
        self._opened[board, letters] = board.mask(square for square in squares if square is not None)
        return self._opened[board, letters]

    def _check_letters(self, letters: object) -> None:
        expect(letters, "sliders", str, "a text with a letter for each slider")
        if not (isinstance(letters, str) and len(letters) == len(self.sliders) and set(letters) <= set("LMR")):
            names = ", ".join(slider.id for slider in self.sliders)
            raise PositionError(f"sliders: found {shown(letters)}, expected a letter L, M or R for each of {names}")

    @cached_property
    def _opened(self) -> dict[tuple[Board, str], int]:
        """What `open_doors` has worked out so far: it is asked in every position."""
        return {}

    def steps(self, letters: str, colours: frozenset[str], *, through: bool) -> Iterator[tuple[int, str]]:
        """Which slider can be moved where: its place and the new letter, for the sliders of some colours.

        A slider moves one position, or with `through` also from one end to the other.
        """
        self._check_letters(letters)
        expect(colours, "colours", Set, "a set of colours")
        for place, (slider, letter) in enumerate(zip(self.sliders, letters, strict=True)):
            if slider.colour in colours:
                for new in "LR" if letter == "M" else ("M" + ("R" if letter == "L" else "L") * through):
                    yield place, new


def layout_of(given: str | Mapping[str, Any], board: Board, where: str) -> Layout:
    """The layout of an id of spec/layouts/, of a file's path, or of the content of one, on a board.

    Raises RulesetError or FileError.
    """
    if isinstance(given, Mapping):
        return _laid_out(given, board, where)
    path = Path(given)
    if path.suffix in (".yaml", ".yml"):
        return _laid_out(data.load_yaml(path), board, data.path_text(path))
    folder = data.root() / "spec" / "layouts"
    known = sorted(file.stem for file in folder.glob("*.yaml"))
    if given not in known:
        raise RulesetError(f"{where}: unknown layout {quote_value(given)}{data.nearest(given, known)}")
    return _shipped(folder / f"{given}.yaml", board)


@cache
def _shipped(path: Path, board: Board) -> Layout:
    """A layout that comes with damspec: it is read once, though many changed rules have it."""
    return _laid_out(data.load_yaml(path), board, data.path_text(path))


def _laid_out(content: Mapping[str, Any], board: Board, place: str) -> Layout:
    data.check(content, "layout", place)
    sliders = tuple(Slider(**slider) for slider in content["sliders"])
    given_fields = {key: value for key, value in content.items() if key not in ("damspec", "sliders")}
    layout = Layout(**given_fields, sliders=sliders)
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
