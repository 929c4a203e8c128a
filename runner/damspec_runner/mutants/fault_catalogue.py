"""The mistakes of engines that `spec/faults.yaml` lists, each with every value it can take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any, Literal, NamedTuple

from damspec import Position, Ruleset, data
from damspec.board import DIRECTIONS, SIDES
from damspec.data import freeze
from damspec.turn import ActionGenerator

from . import action_faults, capture_faults, outcome_faults, turn_faults
from .fault_values import can_show, possible_legs
from .faults import HOOKS, CachedGenerator, FaultyGenerator, OutcomeFault

#: The faults in moves, those that only explain failures, and those in how a game stands.
CataloguePart = Literal["faults", "explained", "outcomes"]
#: The parts with which cases are measured.
MEASURED: tuple[CataloguePart, ...] = ("faults", "outcomes")

#: The modules in which the functions of the catalogue's faults are registered.
_REGISTERED = (turn_faults, action_faults, capture_faults, outcome_faults)


@dataclass(frozen=True)
class Fault:
    """A fault of an engine with its values, such as "lists at most 10 moves"."""

    id: str
    title: str
    values: Mapping[str, Any] = field(hash=False)
    name: str
    #: The engine in which it was seen, if it was.
    seen: str = ""

    def turns(self, right: ActionGenerator) -> FaultyGenerator:
        """Return the right turns with this fault."""
        turns = OutcomeFault if HOOKS[self.id].keys() & {"outcome", "history"} else FaultyGenerator
        return turns(right, self.id, self.values)


class Greatest(NamedTuple):
    """The greatest numbers of moves without capture, and of pieces captured by one move, that were found by search."""

    moves: int
    captured: int


@cache
def faults(ruleset: Ruleset, *parts: CataloguePart) -> tuple[Fault, ...]:
    """Return every fault with every value that can show by these rules, in the order of the catalogue.

    `parts` are those of the catalogue; without any, the faults in moves and in the positions after them.
    """
    return tuple(fault for part in parts or ("faults",) for fault in _faults(ruleset, part))


def _faults(ruleset: Ruleset, part: CataloguePart) -> Iterator[Fault]:
    for entry in _catalogue()[part]:
        ranges = [
            _RANGES[words](ruleset) if isinstance(words, str) else words for words in entry["parameters"].values()
        ]
        for chosen in product(*ranges):
            values = dict(zip(entry["parameters"], chosen, strict=True))
            if can_show(entry, values, ruleset):
                shown = {**values, "next": values["square"] + 1} if "square" in values else values
                yield Fault(entry["id"], entry["title"], values, entry["says"].format(**shown), entry.get("seen", ""))


def greatest(ruleset: Ruleset) -> Greatest:
    """Return the greatest numbers on record for a ruleset, for the one it extends, or of all."""
    found = {
        id: Greatest(entry["moves"]["number"], entry["captured"]["number"])
        for entry in _catalogue()["greatest"]
        for id in entry["rulesets"]
    }
    nearest = next((found[id] for id in (ruleset.base, *reversed(ruleset.family)) if id in found), None)
    return nearest or Greatest(*map(max, zip(*found.values(), strict=True)))


@cache
def _catalogue() -> Mapping[str, Any]:
    path = data.root() / "spec" / "faults.yaml"
    content = data.load_yaml(path)
    data.check(content, "faults", data.path_text(path))
    catalogue: Mapping[str, Any] = freeze(content)
    return catalogue


def _pieces_of_a_side(ruleset: Ruleset) -> int:
    start = Position.start(ruleset.rules)
    return max(start.occupied(side).bit_count() for side in SIDES)


def _doors(ruleset: Ruleset) -> list[int]:
    trapdoors = ruleset.rules.trapdoors
    return sorted(door for each in trapdoors.layout.sliders for door in (each.left, each.right)) if trapdoors else []


#: What the words stand for that name the values of a parameter in the catalogue.
_RANGES: dict[str, Callable[[Ruleset], Sequence[Any]]] = {
    "side": lambda ruleset: SIDES,
    "direction": lambda ruleset: tuple(DIRECTIONS),
    "edge": lambda ruleset: ("left", "right", "top", "bottom"),
    "square": lambda ruleset: range(1, len(ruleset.rules.board) + 1),
    "next": lambda ruleset: range(1, len(ruleset.rules.board)),
    "moves": lambda ruleset: range(1, greatest(ruleset).moves),
    "captured": lambda ruleset: range(1, greatest(ruleset).captured),
    "nth": lambda ruleset: range(1, greatest(ruleset).captured + 1),
    "pieces": lambda ruleset: range(1, _pieces_of_a_side(ruleset)),
    "board": lambda ruleset: range(1, len(Position.start(ruleset.rules))),
    "steps": lambda ruleset: range(1, max(leg.length for leg in possible_legs(ruleset))),
    "slider": lambda ruleset: action_faults.slider_names(ruleset.rules.trapdoors) if ruleset.rules.trapdoors else (),
    "push": lambda ruleset: tuple(action_faults.WAYS),
    "door": _doors,
    "outcome": lambda ruleset: tuple(ruleset.rules.spin.outcomes) if ruleset.rules.spin else (),
}

__all__ = [
    "MEASURED",
    "CachedGenerator",
    "Fault",
    "FaultyGenerator",
    "Greatest",
    "OutcomeFault",
    "faults",
    "greatest",
]
