"""Portable Draughts Notation (PDN 3.0): reading, editing, replaying and writing games of every ruleset."""

from .tree import Game as Game
from .tree import GameNode as GameNode
from .tree import read_game as read_game
from .tree import read_pdn as read_pdn
