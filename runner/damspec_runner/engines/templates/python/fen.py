"""Positions of draughts as text, as damspec writes them: B:W21-32:BK5,9 is Black to move."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

PIECE = re.compile("(K?)([1-9][0-9]{0,2})(?:-([1-9][0-9]{0,2}))?")


@dataclass
class Position:
    """Whose turn it is (`W` or `B`), and what stands on a square, from 1: `w` `b` a man, `W` `B` a king."""

    turn: str
    on: dict[int, str] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> Position:
        """Parse a position. Raises ValueError if `text` is invalid."""
        turn, *parts = text.split(":")
        if turn not in ("W", "B") or sorted(part[:1] for part in parts[:2]) != ["B", "W"]:
            raise ValueError(f"no position: {text}")
        found = cls(turn)
        for part in parts[:2]:
            for piece in filter(None, part[1:].split(",")):
                matched = PIECE.fullmatch(piece)
                king, first, last = matched.groups() if matched else ("", 1, 0)
                squares = range(int(first), int(first if last is None else last) + 1)
                if not squares:
                    raise ValueError(f"no piece: {piece}")
                found.on.update(dict.fromkeys(squares, part[0] if king else part[0].lower()))
        return found

    def write(self) -> str:
        """Return the position as text."""
        sides = (
            ",".join(
                ("K" if self.on[n] == side else "") + str(n) for n in sorted(self.on) if self.on[n].upper() == side
            )
            for side in "WB"
        )
        return "{}:W{}:B{}".format(self.turn, *sides)
