"""Portable Draughts Notation (PDN 3.0): reading, replaying and writing games of every ruleset."""

from .parser import read_pdn as read_pdn
from .record import GameRecord as GameRecord
