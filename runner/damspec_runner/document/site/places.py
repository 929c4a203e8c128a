"""Places on a map of nothing but longitude and latitude: where each is drawn, and the lines of the net.

The map shows as much of the world as the places need. Places that would cover each other are drawn side by side around
where they are, each with a line to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, cos, dist, floor, pi, radians, sin

#: Latitude and longitude.
Degrees = tuple[float, float]

#: How wide a map is in its own units, and how high at least and at most; how far apart two signs have to be.
WIDTH, _LOW, _HIGH, _APART = 360.0, 220.0, 420.0, 24.0
#: The degrees that a map shows at least, and the share of it that is left free at each edge.
_LEAST, _FREE = 2.0, 0.12
#: What may be between two lines of the net, in degrees, and how many there are at most.
_STEPS, _MOST = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 90.0), 7


@dataclass(frozen=True)
class Pin:
    """Where the sign of a place is drawn, and where the place itself is."""

    x: float
    y: float
    place_x: float
    place_y: float

    @property
    def aside(self) -> bool:
        """Whether the sign is beside its place."""
        return (self.x, self.y) != (self.place_x, self.place_y)


@dataclass(frozen=True)
class PlaceMap:
    """A map: its height, the lines of the net with their names, and the pins in the order of the places."""

    height: float
    meridians: list[tuple[float, str]]
    parallels: list[tuple[float, str]]
    pins: list[Pin]


def place_map(places: Sequence[Degrees]) -> PlaceMap | None:
    """The map of some places; None if there are none."""
    if not places:
        return None
    begin = _begin([longitude for _, longitude in places])
    eastward = [begin + round(longitude - begin, 6) % 360 for _, longitude in places]
    latitudes = [latitude for latitude, _ in places]
    narrower = cos(radians(min(75.0, abs(max(latitudes) + min(latitudes)) / 2)))
    west, wide = _span(eastward, _LEAST / narrower)
    south, high = _span(latitudes, _LEAST)
    unit = WIDTH / wide / narrower
    height = min(_HIGH, max(_LOW, high * unit))
    if high * unit > height:  # higher than wide: there is more at both sides
        unit = height / high
        west, wide = west - (WIDTH / unit / narrower - wide) / 2, WIDTH / unit / narrower
    south, high = south - (height / unit - high) / 2, height / unit

    def across(longitude: float) -> float:
        return round((longitude - west) * narrower * unit, 1)

    def down(latitude: float) -> float:
        return round(height - (latitude - south) * unit, 1)

    return PlaceMap(
        round(height, 1),
        [(across(line), _named((line + 180) % 360 - 180, "EW")) for line in _lines(west, wide)],
        [(down(line), _named(line, "NS")) for line in _lines(south, high) if abs(line) <= 90],
        _spread([(across(longitude), down(latitude)) for longitude, latitude in zip(eastward, latitudes, strict=True)]),
    )


def _begin(longitudes: list[float]) -> float:
    """The longitude in the west: that behind the widest gap around the world."""
    around = sorted({longitude % 360 for longitude in longitudes})
    found = max((other - one, other) for one, other in pairwise([*around, around[0] + 360]))[1]
    return (found + 180) % 360 - 180


def _span(values: list[float], least: float) -> tuple[float, float]:
    """Where a map begins that has all values with free edges, and how far it goes."""
    wide = max(least, max(values) - min(values)) * (1 + 2 * _FREE)
    return (max(values) + min(values) - wide) / 2, wide


def _lines(begin: float, wide: float) -> Iterator[float]:
    """The degrees at which the net has lines."""
    step = next((step for step in _STEPS if wide / step <= _MOST), _STEPS[-1])
    return (step * number for number in range(ceil(begin / step), floor((begin + wide) / step) + 1))


def _named(degrees: float, sides: str) -> str:
    side = "" if degrees in (0, -180) else f" {sides[degrees < 0]}"
    return f"{abs(degrees):g}°{side}"


def _spread(middles: list[tuple[float, float]]) -> list[Pin]:
    """The pins of places: those that would cover each other on a ring around their middle."""
    found: dict[int, Pin] = {}
    for group in _groups(middles):
        x, y = (sum(middles[number][axis] for number in group) / len(group) for axis in (0, 1))
        ring = max(_APART / 2, _APART * len(group) / (2 * pi)) if len(group) > 1 else 0.0
        for turn, number in enumerate(group):
            angle = 2 * pi * turn / len(group) - pi / 2
            at = (round(x + ring * cos(angle), 1), round(y + ring * sin(angle), 1)) if ring else middles[number]
            found[number] = Pin(*at, *middles[number])
    return [found[number] for number in range(len(middles))]


def _groups(middles: list[tuple[float, float]]) -> list[list[int]]:
    """Numbers of places by groups in which each is near another, in their order."""
    groups: list[list[int]] = []
    for number, middle in enumerate(middles):
        near = [group for group in groups if any(dist(middle, middles[other]) < _APART for other in group)]
        groups = [group for group in groups if group not in near] + [[*(n for group in near for n in group), number]]
    return [sorted(group) for group in groups]
