"""damspec: the rules of draughts and checkers as data, and a reference that interprets them.

>>> import damspec
>>> game = damspec.Game("vl", "W:W26:B23,24")
>>> game.legal_moves
<LegalMoves 26x19x28>
>>> game.push("26x19x28").fen(), str(game.outcome())
('B:W28:B', 'white (no-pieces)')
"""

from .action import Action, Huff, Pass, Retract, Slide, Spin
from .board import DIRECTIONS, Board, Kind, Side
from .data import FileError
from .drawing import svg
from .ending import Outcome
from .errors import (
    AmbiguousMove,
    DamspecError,
    IllegalMove,
    InvalidMove,
    MoveError,
    PositionError,
    RulesetError,
)
from .game import Game, LegalMoves, divide, legal_moves, outcome, perft, play
from .layout import Layout, Slider
from .move import Move
from .position import Piece, Position
from .readings import Alternative, Clause, Reading, load_clauses, load_readings
from .rules import Rules
from .ruleset import Ruleset, from_values, load_ruleset, ruleset_ids, with_layout
from .version import __version__

__all__ = [
    "DIRECTIONS",
    "Action",
    "Alternative",
    "AmbiguousMove",
    "Board",
    "Clause",
    "DamspecError",
    "FileError",
    "Game",
    "Huff",
    "IllegalMove",
    "InvalidMove",
    "Kind",
    "Layout",
    "LegalMoves",
    "Move",
    "MoveError",
    "Outcome",
    "Pass",
    "Piece",
    "Position",
    "PositionError",
    "Reading",
    "Retract",
    "Rules",
    "Ruleset",
    "RulesetError",
    "Side",
    "Slide",
    "Slider",
    "Spin",
    "__version__",
    "divide",
    "from_values",
    "legal_moves",
    "load_clauses",
    "load_readings",
    "load_ruleset",
    "outcome",
    "perft",
    "play",
    "ruleset_ids",
    "svg",
    "with_layout",
]
