"""Positions of draughts as text, as damspec writes them: B:W21-32:BK5,9 is Black to move."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Position:
    """Whose turn it is (`W` or `B`), and what stands on a square, from 1: `w` `b` a man, `W` `B` a king."""

    turn: str
    on: dict[int, str] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> Position:
        """Parse a position. Raises ValueError if `text` is invalid."""
        turn, *parts = text.split(":")
        if turn not in ("W", "B"):
            raise ValueError(f"no position: {text}")
        found = cls(turn)
        for part in parts:
            if part[:1] not in ("W", "B"):
                break
            for piece in filter(None, part[1:].split(",")):
                first, _, last = piece.removeprefix("K").partition("-")
                for square in range(int(first), int(last or first) + 1):
                    found.on[square] = part[0] if piece.startswith("K") else part[0].lower()
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
