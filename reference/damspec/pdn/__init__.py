"""Portable Draughts Notation (PDN 3.0): reading, editing, replaying and writing games of every ruleset."""

from typing import TYPE_CHECKING, Any

from ..other_names import no_attribute
from .tree import ChildNode as ChildNode
from .tree import GameNode as GameNode
from .tree import GameRecord as GameRecord
from .tree import read_game as read_game
from .tree import read_pdn as read_pdn

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise no_attribute(__name__, name)
