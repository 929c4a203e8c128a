"""Comparing rulesets: every rule in which they differ, and for each two of its values the position that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

import damspec
from damspec import Ruleset

from ..variants.differences import Difference, board_differences, common, differences
from .witness import Witness, WitnessOrReason, on_record, search

Places = tuple[int, int]


@dataclass
class Comparison:
    """Rulesets by the names they were asked for, compared two by two; `complete` unless a search was interrupted."""

    names: Sequence[str]
    rulesets: Sequence[Ruleset]
    found: dict[Places, Mapping[str, WitnessOrReason]] = field(default_factory=dict)
    complete: bool = True

    def __post_init__(self) -> None:
        self.on_board = common(self.rulesets)
        self.apart = board_differences(self.rulesets)
        self.differences = differences(self.rulesets)
        for pair in combinations(range(len(self.names)), 2):
            one, other = (self.rulesets[place] for place in pair)
            known = on_record(one.id, other.id) if _shipped(one) and _shipped(other) else None
            if known is not None:
                self.found[pair] = known

    def look(self, rules: Sequence[Difference], tell: Callable[[str], None]) -> None:
        """Search for what is not on record; it can be interrupted, and what was found stays."""
        for one, other in sorted({pair for rule in rules for pair in self._to_show(rule) if pair not in self.found}):
            name = f"{self.names[one]} and {self.names[other]}"

            def said(line: str, name: str = name) -> None:
                tell(f"{name}: {line}")

            self.found[one, other], self.complete = search(*self.pair(one, other), said)
            if not self.complete:
                return

    def pair(self, one: int, other: int) -> tuple[Ruleset, Ruleset]:
        """Two of the rulesets on the board on which they are compared."""
        first, second = common([self.rulesets[one], self.rulesets[other]])
        return first, second

    def shown(self, difference: Difference) -> Iterator[tuple[Places, WitnessOrReason]]:
        """For each two values of a rule what was found to tell them apart."""
        for pair in self._to_show(difference):
            if pair in self.found and difference.rule in self.found[pair]:
                yield pair, self.found[pair][difference.rule]

    def _to_show(self, difference: Difference) -> Iterator[Places]:
        """For each two values the pair of rulesets with the plainest position, of those that are on record."""
        for here, there in combinations(difference.sides, 2):
            pairs = [(min(pair), max(pair)) for pair in product(here, there)]
            yield min(pairs, key=lambda pair: self._plain(pair, difference.rule))

    def _plain(self, pair: Places, rule: str) -> tuple[int, int, int]:
        found = self.found.get(pair, {}).get(rule)
        if isinstance(found, Witness):
            return 0, len(found.beside), found.pieces
        return 1 if found else 2, 0, 0


def _shipped(ruleset: Ruleset) -> bool:
    return ruleset.id in damspec.ruleset_ids() and ruleset is damspec.load_ruleset(ruleset.id)
