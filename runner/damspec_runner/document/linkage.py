"""A tree of things by how far they are apart: the two nearest groups are joined until there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from statistics import fmean


@dataclass(frozen=True)
class Joint:
    """A group: one thing by its name, or groups joined, at the distance they are apart on average."""

    distance: float
    parts: tuple[Joint, ...] = ()
    name: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all things in it, in the order of the tree."""
        return (self.name,) if self.name else tuple(name for part in self.parts for name in part.names)

    def all(self) -> Iterator[Joint]:
        """It and all groups in it, from the smallest."""
        for part in self.parts:
            yield from part.all()
        yield self


def joined(names: Sequence[str], apart: Callable[[str, str], float]) -> Joint:
    """The tree of all names. Of groups equally near those that come first are joined, the larger of two stands above.

    Groups joined at the same distance as one of their parts are one group with more parts.
    """
    groups = [Joint(0.0, name=name) for name in names]
    while len(groups) > 1:
        distance, one, other = min(
            ((_between(a, b, apart), a, b) for a, b in combinations(groups, 2)), key=lambda found: found[0]
        )
        pair = sorted((one, other), key=lambda group: -len(group.names))
        parts = tuple(part for group in pair for part in _opened(group, distance))
        groups = [Joint(distance, parts), *(group for group in groups if group is not one and group is not other)]
    return groups[0]


def _opened(group: Joint, distance: float) -> tuple[Joint, ...]:
    """What a group adds to one at a distance: its parts, if they are as far apart as that."""
    return group.parts if group.parts and group.distance == distance else (group,)


def _between(one: Joint, other: Joint, apart: Callable[[str, str], float]) -> float:
    return fmean(apart(*pair) for pair in product(one.names, other.names))
