"""PDN 3.0, Portable Draughts Notation: games of every ruleset read, played and written."""

from .parser import read_pdn as read_pdn
from .record import GameRecord as GameRecord
