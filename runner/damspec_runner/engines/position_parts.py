"""The parts of a position that each protocol can express (docs/protocol.md and docs/hub.md have the table).

A position with other parts is never sent without them: it is reached by moves, or the question is unsupported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from damspec import Board, Position

from .protocol import UnsupportedError

#: A part of a question: a field of the position, or the moves that led to it.
Part = Literal["pieces", "turn", "king-run", "sliders", "spin", "huffable", "compelled", "history"]
PARTS: Mapping[Part, str] = {
    "pieces": "the pieces on their squares",
    "turn": "the side to move",
    "king-run": "how many moves in a row a king has made",
    "sliders": "where the sliders are",
    "spin": "what was spun",
    "huffable": "the last move, which left a capture",
    "compelled": "that the side to move has to capture",
    "history": "the moves played before",
}


@dataclass(frozen=True)
class Protocol:
    """A protocol, or a restricted way to use one: the parts of a position that it `carries`, and its boards.

    Parts it carries `by_moves` result from an earlier position and the moves since. `boards` is None for all.
    """

    name: str
    carries: frozenset[Part]
    by_moves: frozenset[Part] = frozenset()
    boards: frozenset[Board] | None = None


_FEN: frozenset[Part] = frozenset(PARTS)
_LETTERS: frozenset[Part] = frozenset({"pieces", "turn"})
#: The board of DXP, whose positions allow no other size or numbering.
TEN: frozenset[Board] = frozenset({Board(10, 10)})
JSON = Protocol("JSON", _FEN)
LINES = Protocol("lines", _FEN)
#: Engines that list single hops, and those that only judge moves, by JSON or lines.
STEPS = Protocol("steps", _FEN)
LEGAL = Protocol("legal", _FEN)
#: Engines that cannot set up a position get moves from the start only.
NO_SETUP = Protocol("no setup", frozenset({"history"}), _FEN - {"history"})
HUB = Protocol("Hub", _LETTERS, frozenset({"king-run"}))
DXP = Protocol("DXP", _LETTERS, boards=TEN)
PROTOCOLS = (JSON, LINES, STEPS, LEGAL, NO_SETUP, HUB, DXP)


def parts_of(position: Position) -> frozenset[Part]:
    """Return the parts that a position has."""
    has: dict[Part, object] = {
        "pieces": True,
        "turn": True,
        "king-run": position.white_run or position.black_run,
        "sliders": position.sliders,
        "spin": position.spin,
        "huffable": position.huffable,
        "compelled": position.compelled,
    }
    return frozenset(part for part, there in has.items() if there)


def lost_parts(protocol: Protocol, position: Position, *, by_moves: bool = False) -> list[str]:
    """Return what a protocol cannot express of a position, in words, or not even `by_moves` from another."""
    carries = protocol.carries | protocol.by_moves if by_moves else protocol.carries
    return [PARTS[part] for part in PARTS if part in parts_of(position) - carries]


def check_carries(protocol: Protocol, position: Position, *, by_moves: bool = False) -> None:
    """Raise UnsupportedError if a protocol cannot express a position, or not even `by_moves` from another."""
    if lost := lost_parts(protocol, position, by_moves=by_moves):
        raise UnsupportedError(f"{protocol.name} has no word for {' and '.join(lost)}")
