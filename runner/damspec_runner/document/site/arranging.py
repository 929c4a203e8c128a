"""What differs between two games in the order in which it is told: first what only one of them has, then single rules.

Of the rules those come first that change the answer most often in positions of the two games (`apart`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from damspec import Ruleset
from damspec.vocabulary import Group, groups

from .. import apart
from .comparisons import Differing

#: From which share on it is said in hundredths; below, in thousandths.
_HUNDREDTHS = 0.02


@dataclass(frozen=True)
class OnlyOne:
    """Groups of rules that only one of two games has, with all their rules and those that come with them."""

    ruleset: Ruleset
    groups: tuple[Group, ...]
    rules: tuple[Differing, ...]
    brings: tuple[Differing, ...]

    @property
    def parts(self) -> str:
        """What the game has, in words."""
        names = [group.part or group.title for group in self.groups]
        said = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
        return said[0].upper() + said[1:]

    @property
    def shown(self) -> Differing | None:
        """The rule that has the plainest position."""
        there = [(each.disagreement.witness.pieces, each) for each in self.rules if each.disagreement]
        return min(there, key=lambda one: one[0])[1] if there else None


@dataclass(frozen=True)
class Weighed:
    """A rule that differs, and the share of positions in which it alone changes the answer; None if none can tell."""

    differing: Differing
    share: float | None

    @property
    def often(self) -> str:
        """How often it changes the answer, in words."""
        return often(self.share) if self.share is not None else ""


class Arranged:
    """All that differs between two games but the board."""

    def __init__(self, one: Ruleset, other: Ruleset, differing: Sequence[Differing]) -> None:
        self._pair, self._all = (one, other), differing

    @cached_property
    def lines(self) -> list[OnlyOne]:
        """What only one has: a line for each of the two games at most."""
        one, other = self._pair
        found = []
        for has, lacks in ((one, other), (other, one)):
            only = tuple(group for group in groups() if _has(has, group) and not _has(lacks, group))
            if only:
                names = {rule.name for group in only for rule in group.rules}
                rules = tuple(each for each in self._all if each.rule.name in names)
                brings = tuple(
                    each
                    for each in self._all
                    if each.rule.name not in names and each.reason and each.reason.leader in names
                )
                found.append(OnlyOne(has, only, rules, brings))
        return found

    @cached_property
    def rules(self) -> list[Weighed]:
        """The other rules, the strongest first; one that comes with another follows it."""
        told = {each.rule.name for line in self.lines for each in (*line.rules, *line.brings)}
        left = [each for each in self._all if each.rule.name not in told]
        places = {each.rule.name: place for place, each in enumerate(left)}
        one, other = self._pair
        share = {rule: apart.strength(one.id, other.id, rule) for rule in places}

        def place(each: Differing) -> tuple[float, int, bool]:
            leader = each.reason.leader if each.reason and each.reason.leader in places else None
            strength = share[leader or each.rule.name]
            return 1 if strength is None else -strength, places[leader or each.rule.name], leader is not None

        return [Weighed(each, share[each.rule.name]) for each in sorted(left, key=place)]

    @property
    def strongest(self) -> float:
        """The greatest share that a rule has, for the others to be held against."""
        return max((each.share for each in self.rules if each.share), default=1.0)

    @property
    def number(self) -> int:
        """How many differences there are, as they are told."""
        return sum(len(line.groups) for line in self.lines) + len(self.rules)


def often(share: float) -> str:
    """A share of positions in words."""
    if share == 0:
        return "in none of the positions tried"
    if share > 0.995:
        return "in every position" if share == 1 else "in nearly every position"
    if share < _HUNDREDTHS:
        return f"in {max(1, round(1000 * share))} of 1,000 positions"
    return f"in {round(100 * share)} of 100 positions"


def _has(ruleset: Ruleset, group: Group) -> bool:
    return any(rule.name in ruleset.values for rule in group.rules)
