"""Criteria for positions that no other ruleset has a part in: captures, kings, material."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from damspec import Move, Position
from damspec.position import Pieces
from damspec.turn import ActionGenerator


class Kings(Enum):
    """The sides that have a king."""

    BOTH = "both"
    WHITE = "white"
    BLACK = "black"
    NONE = "none"


@dataclass(frozen=True)
class Criteria:
    """What a position has to be like; what is None or False does not matter.

    `captures` are the fewest and the most pieces that some legal capture takes. A position is `balanced` if both sides
    have as many men and as many kings, and `quiet` if the side to move has no capture.
    """

    captures: tuple[int, int] | None = None
    kings: Kings | None = None
    balanced: bool = False
    quiet: bool = False

    @property
    def fewest(self) -> int:
        """The fewest pieces with which a position can meet the criteria."""
        captured = self.captures[0] if self.captures else 0
        if self.balanced:
            return 2 * max(1, captured)
        return max(2 if self.kings is Kings.BOTH else 1, captured + 1)

    def meets_material(self, pieces: Pieces, side: int) -> bool:
        """Return whether the pieces, as the side to move sees them, meet the criteria of kings and balance."""
        own_men, own_kings, men, kings = pieces
        if self.balanced:
            even = own_men.bit_count() == men.bit_count() and own_kings.bit_count() == kings.bit_count()
            if not even or not own_men | own_kings:
                return False
        white, black = (own_kings, kings) if side == 0 else (kings, own_kings)
        match self.kings:
            case None:
                return True
            case Kings.BOTH:
                return bool(white and black)
            case Kings.WHITE:
                return bool(white and not black)
            case Kings.BLACK:
                return bool(black and not white)
            case Kings.NONE:
                return not (white or black)

    def meets_captures(self, turns: ActionGenerator, position: Position) -> bool:
        """Return whether the captures of the side to move meet the criteria."""
        if self.quiet:
            return not turns.can_capture(position)
        if self.captures is None:
            return True
        fewest, most = self.captures
        return turns.can_capture(position) and any(
            isinstance(action, Move) and fewest <= len(action.captured) <= most for action in turns.actions(position)
        )


#: Any position will do.
ANY = Criteria()
