"""Endgames by two rule sets: how many positions change their value, and the smallest that does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np

from damspec import Ruleset
from damspec.kernel.retrograde import LOSS, WIN, Retrograde, Section
from damspec.vocabulary import groups

from ..mutants.mutants import make_mutant
from ..mutants.ruleset_diff import in_no_position
from .endgame_change import ChangedEndgame, MaterialChange, ValueChange, WonPositions
from .endgame_file import Codes
from .lookup import VALUES
from .material import Materials, section_name
from .solve import position_of, solve_tables, tables_with
from .summary import find_main_road

#: The parts of games whose positions cannot be solved.
_REFUSED = frozenset(("trapdoors", "spinner"))


def without_doors(ruleset: Ruleset) -> Ruleset:
    """Return a ruleset without trapdoors and spinner, which can be solved; the same one if it has neither."""
    names = [rule.name for group in groups() if group.extension in _REFUSED for rule in group.rules]
    changes = tuple((name, None) for name in names if name in ruleset.values)
    found = make_mutant(ruleset.base, ruleset.values, changes) if changes else None
    return found.ruleset if found else ruleset


def rules_of_values(ruleset: Ruleset) -> Mapping[str, Any]:
    """Return the rules on which the values of a ruleset's positions rest: without those of a game's beginning, of
    earlier moves and of huffing.
    """
    huffing = {rule.name for group in groups() if group.extension == "huffing" for rule in group.rules}
    found = {name: value for name, value in ruleset.values.items() if not in_no_position(name) and name not in huffing}
    if found["capture.duty"] == "huffing":
        found["capture.duty"] = "compulsory"
    return found


class SolvedCodes:
    """The codes of all positions with up to some number of pieces, in memory.

    With `only` these materials by name, among them those to which they lead. Raises RulesetError for rules that cannot
    be solved.
    """

    def __init__(self, ruleset: Ruleset, pieces: int, only: Collection[str] | None = None) -> None:
        self.ruleset, self.retrograde = ruleset, Retrograde(ruleset.rules)
        every = Materials(self.retrograde, pieces)
        self.materials = [material for material in every if only is None or material.name in only]
        self._codes = dict[Section, Codes]()
        for material in self.materials:
            neighbours = every.neighbours(material)
            tables = tables_with(self.retrograde, material, neighbours, self._codes.__getitem__)
            codes = solve_tables(tables, material)
            self._codes |= {section: each.copy() for section, each in zip(material.sections, codes, strict=True)}

    def values(self, section: Section, excluded: tuple[int, int]) -> Any:
        """Return the values of a section, of placements in which no king has begun a run.

        `excluded` is the number of squares, nearest to their promotion, on which no man of the side to move and of the
        other side may stand; placements with a man there are left out.
        """
        return self._table(section)[np.ix_(*self._rows(section, excluded))].reshape(-1) & 3

    def fen(self, section: Section, excluded: tuple[int, int], place: int) -> str:
        """Return the position at a place of what `values` returns."""
        rows, columns = self._rows(section, excluded)
        own, enemy, rest = np.unravel_index(place, (len(rows), len(columns), self._table(section).shape[2]))
        number = np.ravel_multi_index((rows[own], columns[enemy], int(rest)), self._table(section).shape)
        tables = self.retrograde.tables([section])
        return position_of(self.ruleset, tables, int(number) * self.retrograde.runs(section)).fen()

    def _table(self, section: Section) -> Any:
        """Return the codes of a section by the rank of own men, of enemy men, and of all kings."""
        codes, (own, enemy) = self._codes[section][:: self.retrograde.runs(section)], self._excluded(section)
        squares = len(self.retrograde.squares)
        ways = comb(squares - own, section.men), comb(squares - enemy, section.enemy_men)
        return codes.reshape(*ways, len(codes) // prod(ways))

    def _rows(self, section: Section, excluded: tuple[int, int]) -> tuple[list[int], range]:
        squares, (own, _) = len(self.retrograde.squares), self._excluded(section)
        ranked = sorted(combinations(range(own, squares), section.men), key=lambda each: each[::-1])
        rows = [rank for rank, men in enumerate(ranked) if all(square >= excluded[0] for square in men)]
        return rows, range(comb(squares - excluded[1], section.enemy_men))

    def _excluded(self, section: Section) -> tuple[int, int]:
        return self.retrograde.excluded[section.side], self.retrograde.excluded[1 - section.side]


def compare_endgames(one: SolvedCodes, other: SolvedCodes) -> Iterator[MaterialChange]:
    """Yield what becomes of the endgames of one set of rules by another on the same board, fewest pieces first.

    Placements that only one of them has, with men where the other crowns them, are left out.
    """
    for material in one.materials:
        for section in material.sections:
            seen = section.side, 1 - section.side
            own, enemy = (max(each.retrograde.excluded[side] for each in (one, other)) for side in seen)
            before, after = (each.values(section, (own, enemy)) for each in (one, other))
            there = (before <= LOSS) & (after <= LOSS)
            differ = there & (before != after)
            changes = tuple(
                ValueChange((VALUES[a], VALUES[b]), number)
                for a in VALUES
                for b in VALUES
                if a != b and (number := int(np.count_nonzero(differ & (before == a) & (after == b))))
            )
            place = int(differ.argmax())
            values = VALUES[int(before[place])], VALUES[int(after[place])]
            road = find_main_road(one.retrograde, one.ruleset.rules.board, section)
            yield MaterialChange(
                section_name(section),
                _count_won(before[there], after[there]),
                None if road is None else _count_won(before[road], after[road]),
                sum(change.positions for change in changes),
                changes,
                ChangedEndgame(one.fen(section, (own, enemy), place), values) if changes else None,
            )


def _count_won(before: Any, after: Any) -> WonPositions:
    return WonPositions(len(before), (int(np.count_nonzero(before == WIN)), int(np.count_nonzero(after == WIN))))
