"""What becomes of endgames by other rules: how many change their value, and the first that does."""

from __future__ import annotations

from dataclasses import dataclass

from .place import Value

#: The values of a position for the side to move, by one ruleset and by the other.
Values = tuple[Value, Value]


@dataclass(frozen=True)
class ChangedEndgame:
    """An endgame and its values for the side to move, by each ruleset."""

    position: str
    values: Values


@dataclass(frozen=True)
class WonPositions:
    """How many positions the side to move wins, by each ruleset."""

    positions: int
    by: tuple[int, int]


@dataclass(frozen=True)
class ValueChange:
    """How many positions have these values."""

    values: Values
    positions: int


@dataclass(frozen=True)
class MaterialChange:
    """What becomes of a material, such as KKvK, the side to move first; `example` is the first endgame that changes.

    `on_main_road` is of a king alone there, the only piece of its side; null in other materials, and on boards without
    a main road.
    """

    sides: str
    won: WonPositions
    on_main_road: WonPositions | None
    changed: int
    changes: tuple[ValueChange, ...]
    example: ChangedEndgame | None

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return len(self.sides) - 1
