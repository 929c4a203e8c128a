"""What solved positions come to: how many are won, lost and drawn, the longest win, and limits that may cut it off."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from damspec import Position
from damspec.board import Board
from damspec.kernel.retrograde import DRAW, LOSS, VALUE_BITS, WIN, Retrograde, Section
from damspec.rules import DrawRules, endgames_named, totals_named

from .endgame_file import Codes
from .material import Material, section_name


@dataclass(frozen=True)
class SectionSummary:
    """The positions of a material with one side to move: how many it wins, loses and draws, and its longest win.

    The longest win is in plies, with the number of positions in which it is so long and the first of them.
    """

    won: int
    lost: int
    drawn: int
    longest: int | None
    longest_positions: int
    longest_position: str | None

    @property
    def positions(self) -> int:
        """The number of positions."""
        return self.won + self.lost + self.drawn

    def as_json(self) -> dict[str, Any]:
        """Return the summary as `--json` prints it and files have it."""
        return asdict(self)


@dataclass(frozen=True)
class MaterialSummary:
    """A material with the summaries of its sections."""

    material: Material
    sections: tuple[SectionSummary, ...]

    @classmethod
    def of(cls, material: Material, summary: list[Mapping[str, Any]]) -> MaterialSummary:
        """Return the summary that a file has."""
        return cls(material, tuple(SectionSummary(**each) for each in summary))

    def rows(self) -> Iterator[tuple[str, SectionSummary]]:
        """Yield the name of each section, the side to move first, and its summary."""
        for section, summary in zip(self.material.sections, self.sections, strict=True):
            yield section_name(section), summary

    @property
    def longest(self) -> int:
        """The plies of the longest win with either side to move; 0 if there is none."""
        return max(summary.longest or 0 for summary in self.sections)


def summarise(codes: Codes, position: Callable[[int], Position]) -> SectionSummary:
    """Return the summary of some codes; `position` gives the position at a place."""
    values = codes & 3
    won, lost, drawn = (int(np.count_nonzero(values == value)) for value in (WIN, LOSS, DRAW))
    if not won:
        return SectionSummary(won, lost, drawn, None, 0, None)
    distances = np.where(values == WIN, codes >> VALUE_BITS, 0)
    longest = int(distances.max())
    there = (distances == longest) & (values == WIN)
    return SectionSummary(won, lost, drawn, longest, int(there.sum()), position(int(there.argmax())).fen())


def find_main_road(retrograde: Retrograde, board: Board, section: Section) -> Any:
    """Return which positions of a section have a king alone on the main road that is the only piece of its side.

    None for materials with men or without such a king, and on boards whose pieces need not stand on a diagonal.
    """
    squares, (men, kings, enemy_men, enemy_kings) = len(retrograde.squares), section[1:]
    if men or enemy_men or min(kings, enemy_kings) != 1 or not board.main_road or squares == board.columns * board.rows:
        return None
    on_road = np.array([bool(bit & board.main_road) for bit in retrograde.squares])
    if kings == 1:  # the ranks of the others leave out the square of the lone king
        others = _sets(squares - 1, enemy_kings)
        places = [others + (others >= lone) for lone in range(squares)]
        return np.concatenate([on_road[lone] & ~on_road[each].any(axis=1) for lone, each in enumerate(places)])
    others = _sets(squares, kings)
    lone = np.tile(np.arange(squares - kings, dtype=np.uint8), (len(others), 1))
    for column in others.T:
        lone += lone >= column[:, None]
    return (on_road[lone] & ~on_road[others].any(axis=1)[:, None]).reshape(-1)


def _sets(squares: int, number: int) -> Any:
    """Return all sets of so many squares, each in ascending order, in the order of their ranks."""
    return np.array(sorted(combinations(range(squares), number), key=lambda each: each[::-1]), np.uint8)


@dataclass(frozen=True)
class Limit:
    """A rule that draws a game after some number of moves, in a material whose longest win takes more plies.

    No win of at most `plies` plies is drawn by it; a longer one may be.
    """

    material: Material
    rule: str
    moves: int
    plies: int
    longest: int


def find_limits(draws: DrawRules | None, summary: MaterialSummary) -> Iterator[Limit]:
    """Yield each limit of moves that may draw wins in a material before their end.

    Play that wins in the fewest plies repeats no position, so that repetition ends no win.
    """
    material = summary.material
    for rule, moves, plies in _limits_on(draws, material):
        if summary.longest > plies:
            yield Limit(material, rule, moves, plies, summary.longest)


def shortest_limit(draws: DrawRules | None, material: Material) -> int | None:
    """Return the plies up to which no limit of moves draws a win in a material; None if there is no limit."""
    return min((plies for _, _, plies in _limits_on(draws, material)), default=None)


def _limits_on(draws: DrawRules | None, material: Material) -> Iterator[tuple[str, int, int]]:
    """Yield each rule that counts moves in a material, the number, and the plies up to which it draws no win."""
    if draws is None:
        return
    one, other = material.forces
    one_side = draws.counted_side is not None
    named: list[tuple[str, Mapping[str, int] | None]] = [
        ("draws.endings", draws.endings), ("draws.main-road", draws.main_road), ("draws.river", draws.river),
    ]  # fmt: skip
    for rule, numbers in named:
        for key, number in (numbers or {}).items():
            if (one, other) in endgames_named(key) or (other, one) in endgames_named(key):
                yield rule, number, 2 * number - one_side
    for key, number in (draws.balance or {}).items():
        if material.pieces in totals_named(key) and one[0] and other[0]:
            yield "draws.balance", number, 2 * number
    if draws.no_capture is not None:
        yield "draws.no-capture", draws.no_capture, 2 * draws.no_capture
    most = draws.king_moves_pieces
    if draws.king_moves is not None and (most is None or max(sum(one), sum(other)) <= most):
        yield "draws.king-moves", draws.king_moves, 2 * draws.king_moves
