"""damspec: the rules of draughts and checkers as data, and a reference that interprets them.

>>> import damspec
>>> game = damspec.Game("vl", "W:W26:B23,24")
>>> game.legal_moves
<LegalMoves 26x19x28>
>>> game.push("26x19x28").fen(), str(game.outcome())
('B:W28:B', 'white (no-pieces)')
"""

from .board import DIRECTIONS, Board, Kind, Side
from .data import FileError
from .errors import (
    AmbiguousMove,
    DamspecError,
    IllegalMove,
    InvalidMove,
    MoveError,
    NotInterpreted,
    PositionError,
    RulesetError,
)
from .game import Game, LegalMoves, Outcome, divide, legal_moves, outcome, perft, play
from .move import Move
from .position import Piece, Position, read_position
from .readings import Alternative, Clause, Reading, clauses, readings
from .rules import Rules
from .ruleset import Ruleset, from_values, ruleset, ruleset_ids
from .version import __version__

__all__ = [
    "DIRECTIONS",
    "Alternative",
    "AmbiguousMove",
    "Board",
    "Clause",
    "DamspecError",
    "FileError",
    "Game",
    "IllegalMove",
    "InvalidMove",
    "Kind",
    "LegalMoves",
    "Move",
    "MoveError",
    "NotInterpreted",
    "Outcome",
    "Piece",
    "Position",
    "PositionError",
    "Reading",
    "Rules",
    "Ruleset",
    "RulesetError",
    "Side",
    "__version__",
    "clauses",
    "divide",
    "from_values",
    "legal_moves",
    "outcome",
    "perft",
    "play",
    "read_position",
    "readings",
    "ruleset",
    "ruleset_ids",
]
