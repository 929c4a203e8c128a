"""damspec: the rules of draughts and checkers as data, and a reference that interprets them.

>>> import damspec
>>> game = damspec.Game("vl", "W:W26:B23,24")
>>> game.legal_moves
<LegalMoves 26x19x28>
>>> game.push("26x19x28").fen(), str(game.outcome())
('B:W28:B', 'white (no-pieces)')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

from .version import __version__ as __version__

if TYPE_CHECKING:
    from . import book as book
    from . import pdn as pdn
    from .library import *  # noqa: F403

__all__ = [  # noqa: F405
    "DIRECTIONS",
    "Action",
    "Alternative",
    "AmbiguousMoveError",
    "ArgumentError",
    "ArgumentTypeError",
    "Board",
    "Clause",
    "DamspecError",
    "FileError",
    "Game",
    "Huff",
    "IllegalMoveError",
    "InvalidMoveError",
    "Kind",
    "Layout",
    "LegalMoves",
    "MissingPackageError",
    "Move",
    "MoveError",
    "Outcome",
    "Pass",
    "PdnError",
    "Piece",
    "Position",
    "PositionError",
    "Reading",
    "Retract",
    "Rules",
    "Ruleset",
    "RulesetError",
    "SearchResult",
    "Side",
    "Slider",
    "SliderPush",
    "Spin",
    "__version__",
    "action_from_dict",
    "divide",
    "from_values",
    "gif",
    "legal_moves",
    "load_clauses",
    "load_readings",
    "load_ruleset",
    "load_ruleset_file",
    "outcome",
    "overlay_ids",
    "perft",
    "play",
    "png",
    "read_pdn",
    "ruleset_ids",
    "search",
    "svg",
    "with_layout",
]


#: Modules that are public names as well.
_MODULES = ("book", "pdn")

#: Names of earlier versions, which still work with a DeprecationWarning.
_RENAMED = {
    "AmbiguousMove": "AmbiguousMoveError",
    "IllegalMove": "IllegalMoveError",
    "InvalidMove": "InvalidMoveError",
    "Slide": "SliderPush",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Load the library on first use of a public name, so that quick commands start without it."""
        if name in _RENAMED:
            warn(f"damspec.{name} is now damspec.{_RENAMED[name]}", DeprecationWarning, stacklevel=2)
            return __getattr__(_RENAMED[name])
        if name in _MODULES:
            return import_module(f".{name}", __name__)
        if name not in __all__:
            from .other_names import no_attribute

            raise no_attribute(__name__, name)
        library = import_module(".library", __name__)
        globals().update({public: getattr(library, public) for public in __all__ if public not in globals()})
        return globals()[name]

    def __dir__() -> list[str]:
        return sorted({*__all__, *_MODULES})
