"""Random games: played by the rules from any position, with a weight on what seldom happens by chance.

What seldom happens, kings, promotions, doors that open, claims, is what engines have wrong.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from damspec import Action, Huff, Move, Position, Retract, Ruleset, Slide
from damspec.ending import ended

#: After how many plies a game from the start is broken off.
PLIES = 150
#: How often a lapse is played where there is one.
_LAPSES = 0.3
#: How much more likely than a quiet move of a man an action is.
CAPTURE, CROWNING, KING, _SLIDE, _REMEDY = 3, 4, 2, 3, 4
_WORD = 0xFFFF_FFFF_FFFF_FFFF


class Luck(random.Random):
    """Chance whose state is one number, so that compiled code can draw on from it (splitmix64)."""

    def __init__(self, state: int) -> None:
        super().__init__(0)
        self.state = state

    def getrandbits(self, k: int) -> int:
        """A number of so many bits."""
        return sum(self._word() << 64 * place for place in range(-(-k // 64))) >> -k % 64

    def random(self) -> float:
        """A number from 0 to 1, without 1."""
        return float((self._word() >> 11) * 2.0**-53)

    def _word(self) -> int:
        self.state = self.state + 0x9E3779B97F4A7C15 & _WORD
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
        return mixed ^ mixed >> 31


@dataclass(frozen=True, slots=True)
class Ply:
    """A position of a game: what can be done in it, how the game stands, and what was played if it goes on."""

    position: Position
    actions: list[Action]
    lapses: list[Move]
    result: str
    chosen: Action | None = None
    after: Position | None = None


def walk(ruleset: Ruleset, rng: random.Random, position: Position, plies: int) -> Iterator[Ply]:
    """A random game from a position, until it is over or has lasted so many plies."""
    turns = ruleset.turns
    for _ in range(plies):
        ply = played(ruleset, rng, position, turns.actions(position))
        yield ply
        if ply.after is None:
            return
        position = ply.after


def played(ruleset: Ruleset, rng: random.Random, position: Position, actions: list[Action]) -> Ply:
    """A ply of such a game, in a position with these actions."""
    turns = ruleset.turns
    lapses = turns.lapses(position)
    result = ended(turns, position, actions).result
    if result != "ongoing":
        return Ply(position, actions, lapses, result)
    chosen = _chosen(rng, position, actions, lapses)
    return Ply(position, actions, lapses, result, chosen, turns.after(position, chosen))


def _chosen(rng: random.Random, position: Position, actions: list[Action], lapses: list[Move]) -> Action:
    """An action or a lapse; where nothing but a lapse can be played, one of those."""
    if lapses and (not actions or rng.random() < _LAPSES):
        return rng.choice(lapses)
    if len(actions) == 1:
        return actions[0]
    kings, board = position.kings(position.turn), position.board
    return rng.choices(actions, [_weight(action, kings, board.bits) for action in actions])[0]


def _weight(action: Action, kings: int, bits: tuple[int, ...]) -> int:
    match action:
        case Move():
            if action.promotes:
                return CROWNING
            if action.captured:
                return CAPTURE
            return KING if bits[action.start - 1] & kings else 1
        case Slide():
            return _SLIDE
        case Huff() | Retract():
            return _REMEDY
        case _:
            return 1
