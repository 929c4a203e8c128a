"""Positions, and the games that lead to them, as games of PDN 3.0."""

from __future__ import annotations

from collections.abc import Iterable

import damspec
from damspec import Position
from damspec.pdn.writing import record_of

from ..answered import Answered


def pdn(answered: Iterable[Answered]) -> str:
    """Positions as a file of PDN."""
    return "\n".join(map(_game, answered))


def _game(answered: Answered) -> str:
    ruleset, game = answered.ruleset, answered.game
    start = answered.position if game is None else Position.start(ruleset.rules)
    tags = {
        "Event": f"damspec {damspec.__version__} generate",
        "Site": "?",
        "Date": "????.??.??",
        "Round": answered.digest,
        "White": "?",
        "Black": "?",
        "Ruleset": ruleset.id,
    }
    return f"{record_of(ruleset, start, game or (), tags)}\n"
