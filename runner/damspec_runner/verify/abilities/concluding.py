"""Engines that do not tell outcomes: who cannot move has lost, or won, or drawn, as the rules have it.

Nothing else is concluded: where there are moves the game may be over all the same, and nobody has said so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from damspec import Position, Ruleset
from damspec.ending import ended

from ...engines.protocol import Unsupported

NO_OUTCOME = "does not tell outcomes, and none follows from its moves"


def concluded(ruleset: Ruleset, fen: str, answer: Mapping[str, Any]) -> str:
    """The outcome that follows from the moves that are listed in a position. Raises Unsupported if none does."""
    if not (answer["moves"] or answer.get("lapses")):
        position = Position.from_fen(fen, ruleset.rules.board)
        end = ended(ruleset.turns, position, [])
        if end.reason == "no-moves" or (end.reason == "no-pieces" and not position.occupied(position.turn)):
            return end.result
    raise Unsupported(NO_OUTCOME)
