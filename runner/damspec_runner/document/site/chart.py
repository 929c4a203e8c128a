"""The map of the games: a tree, drawn, of which lie near each other, and each game's nearest neighbours as a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from textwrap import wrap

from .. import apart
from ..compared import compared
from ..linkage import Joint, joined
from . import links
from .arranging import often
from .library import Library
from .pages import SECTIONS, Page

#: How wide a name gets before it goes on in a second line, in letters; how high a line is, what is between names,
#: and above the first for the scale.
_WIDE, _LINE, _GAP, _HEAD = 30, 1.25, 0.65, 2.0
#: Where the scale has marks: shares in hundredths.
_MARKS = (1, 10, 25, 50, 100)
#: How many neighbours a game has in the table.
_NEIGHBOURS = 3


@dataclass(frozen=True)
class Leaf:
    """A game in the drawing: its name in lines, the height of its middle, and where its branch begins."""

    id: str
    lines: list[str]
    middle: float
    begins: float


@dataclass(frozen=True)
class Fork:
    """Where branches meet: how far to the right, from which height to which, and how often those answer differently."""

    across: float
    top: float
    bottom: float
    middle: float
    begins: float
    says: str


@dataclass(frozen=True)
class Drawing:
    """The tree as it is drawn, across in hundredths of the width, heights in lines of text."""

    leaves: list[Leaf]
    forks: list[Fork]
    height: float
    marks: list[tuple[int, float]]


@dataclass(frozen=True)
class Neighbour:
    """A game near another: the share they answer differently, and the page that compares them, if there is one."""

    id: str
    share: float
    href: str

    @property
    def hundredths(self) -> str:
        """The share as a number out of 100."""
        return f"{100 * self.share:.{0 if self.share in (0, 1) else 1}f}"


def pages(library: Library) -> Iterator[Page]:
    """The page of the map."""
    names = {id: ruleset.name for id, ruleset in library.rulesets.items()}
    measured = [id for id in names if id in apart.measured()]
    yield Page(
        links.MAP,
        "map.html",
        "A map of the games",
        "Which games of draughts lie near each other, by how many positions they answer differently.",
        "compare",
        (SECTIONS["compare"],),
        given={
            "drawing": drawing(joined(measured, _apart), names),
            "neighbours": {id: _neighbours(id, measured) for id in measured},
            "positions": apart.positions(),
        },
    )


def drawing(tree: Joint, names: dict[str, str]) -> Drawing:
    """A tree drawn: the games below each other at the right, all branches meeting at the left."""
    middles, begins = _Middles(tree, names), dict(_begins(tree, 0.0))
    joints = list(tree.all())
    return Drawing(
        [
            Leaf(joint.name, wrap(names[joint.name], _WIDE), middles.at[id(joint)], begins[id(joint)])
            for joint in joints
            if joint.name
        ],
        [
            Fork(
                across(joint.distance),
                middles.at[id(joint.parts[0])],
                middles.at[id(joint.parts[-1])],
                middles.at[id(joint)],
                begins[id(joint)],
                often(joint.distance),
            )
            for joint in joints
            if joint.parts
        ],
        middles.height,
        [(mark, across(mark / 100)) for mark in _MARKS],
    )


def across(share: float) -> float:
    """How far to the right a share stands: at none the right end, and small shares wider apart than large ones."""
    return round(100 * (1 - sqrt(share)), 2)


class _Middles:
    """The heights of the branches: the games at equal gaps, every fork in the middle of what it joins."""

    def __init__(self, tree: Joint, names: dict[str, str]) -> None:
        self.at: dict[int, float] = {}
        self.height, self._names = _HEAD, names
        self._place(tree)

    def _place(self, joint: Joint) -> float:
        if joint.name:
            high = len(wrap(self._names[joint.name], _WIDE)) * _LINE + _GAP
            middle, self.height = self.height + high / 2, self.height + high
        else:
            found = [self._place(part) for part in joint.parts]
            middle = (found[0] + found[-1]) / 2
        self.at[id(joint)] = middle = round(middle, 3)
        return middle


def _begins(joint: Joint, at: float) -> Iterator[tuple[int, float]]:
    """Where the branch of each group begins at the left."""
    yield id(joint), at
    for part in joint.parts:
        yield from _begins(part, across(joint.distance))


def _apart(one: str, other: str) -> float:
    share = apart.share(one, other)
    return 1.0 if share is None else share


def _neighbours(id: str, measured: list[str]) -> list[Neighbour]:
    near = sorted((_apart(id, other), other) for other in measured if other != id)[:_NEIGHBOURS]
    return [
        Neighbour(other, share, links.comparison(id, other) if compared(id, other) else "") for share, other in near
    ]
