"""The materials of positions with few pieces: what each side has, in the order in which they can be solved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from damspec import Position
from damspec.kernel.retrograde import Retrograde, Section
from damspec.position import to_mover_view

#: The kings and men of a side.
Force = tuple[int, int]


@dataclass(frozen=True)
class Material:
    """The pieces of both sides, such as `KKvKM`, and the sections of its positions: one for each side to move.

    Where both sides to move are numbered alike, the colours do not matter, and a material like `KvK` has one section.
    Elsewhere White is named first.
    """

    name: str
    sections: tuple[Section, ...]

    @cached_property
    def pieces(self) -> int:
        """The number of pieces."""
        return sum(self.sections[0][1:])

    @cached_property
    def men(self) -> int:
        """The number of men."""
        return self.sections[0].men + self.sections[0].enemy_men

    @cached_property
    def forces(self) -> tuple[Force, Force]:
        """The kings and men of both sides, the one that is named first before the other."""
        section = self.sections[0]
        return (section.kings, section.men), (section.enemy_kings, section.enemy_men)


class Materials:
    """All materials of at most some number of pieces, each after those to which captures and promotions lead."""

    def __init__(self, rules: Retrograde, pieces: int) -> None:
        self._rules = rules
        found = dict[frozenset[Section], Material]()
        for number in range(2, pieces + 1):
            for one in range(number - 1, 0, -1):
                for kings, others in product(range(one, -1, -1), range(number - one, -1, -1)):
                    section = Section(0, one - kings, kings, number - one - others, others)
                    turned = section.turned(rules.sides)
                    both = (section,) if turned == section else (section, turned)
                    found.setdefault(frozenset(both), Material(section_name(section), both))
        self._all = sorted(found.values(), key=lambda material: (material.pieces, material.men))
        self._by_section = {section: material for material in self._all for section in material.sections}

    def __iter__(self) -> Iterator[Material]:
        return iter(self._all)

    def levels(self) -> Iterator[list[Material]]:
        """Yield materials that lead only to those yielded before, and not to each other."""
        levels = dict[tuple[int, int], list[Material]]()
        for material in self._all:
            levels.setdefault((material.pieces, material.men), []).append(material)
        yield from levels.values()

    def of(self, section: Section) -> Material:
        """Return the material that a section belongs to."""
        return self._by_section[section]

    def neighbours(self, material: Material) -> Mapping[Section, Material]:
        """Return the sections to which captures and promotions lead, each with its material."""
        found = set[Section]().union(*(self._rules.neighbours(section) for section in material.sections))
        return {section: self._by_section[section] for section in sorted(found - {*material.sections})}


def section_name(section: Section) -> str:
    """Return the name of a section, the side to move first, with each side as `draws.endings` writes it: `KKMvK`."""
    _, men, kings, enemy_men, enemy_kings = section
    return f"{'K' * kings}{'M' * men}v{'K' * enemy_kings}{'M' * enemy_men}"


def section_of(position: Position, sides: int) -> Section:
    """Return the section of a position; `sides` is the number of sides to move that are numbered apart."""
    pieces, side = to_mover_view(position)
    return Section(side % sides, *(mask.bit_count() for mask in pieces))
