"""Proving by exhaustion that a change of rules changes nothing: every position with few pieces, on several boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product, takewhile
from typing import Any

from damspec import Position, Ruleset, from_values
from damspec.kernel.installed import installed
from damspec.possible import objection
from damspec.rules import rule_names
from damspec.scope import phases
from damspec.vocabulary import affects

from ..answers.movement import compared, movement, shares
from ..answers.player import Player
from ..positions.enumeration import (
    AFFORDABLE,
    crownheads,
    everywhere,
    in_phases,
    size,
    slider_positions,
)
from ..variants.effects import counts_history, is_movement, moves_pieces
from ..variants.mutants import without_moot
from ..work.sharing import Doing, here

#: Boards to exhaust beside the ruleset's own, with the rows of men there; and how many pieces more there are on them.
_SMALL_BOARDS = (("4x4", 1, 100), ("6x6", 2, 1))
#: About how many positions with one number of pieces are compared by the moves of pieces: on the own board, on small
#: ones; and where there is nothing to compile with.
_AFFORDABLE_MOVES, _ON_SMALL, _PLAINLY = 300_000_000, 20_000_000, 4_000_000

#: Up to how many pieces whole turns are compared.
_WHOLE_TURNS = 3


@dataclass(frozen=True)
class Proof:
    """What was compared: on each board up to how many pieces, how many positions; and a position that differs.

    Where doors can be open, up to `open` pieces in every way, up to `pieces` with all doors shut.
    """

    compared: dict[str, dict[str, int]]
    difference: str | None = None


class Prover:
    """Compares rulesets before and after a change, those with the same rules of movement once.

    All positions with up to `pieces` pieces on the ruleset's own board are compared and, if only the movement of pieces
    is changed, those on small boards with more; with doors open those with one piece less. There are fewer where the
    positions would be too many. White is to move: the game is the same turned round.
    """

    def __init__(self, pieces: int = 3, doing: Doing = here) -> None:
        self._pieces, self._doing = pieces, doing
        self._done: dict[tuple[int, str, str], tuple[dict[str, int], str | None]] = {}

    def proof(self, ruleset: Ruleset, changed: Ruleset) -> Proof:
        """What the comparison comes to. Raises ValueError for a change that shows only in games."""
        rules = [rule for rule in rule_names() if ruleset.values.get(rule) != changed.values.get(rule)]
        if all(map(counts_history, rules)):
            raise ValueError(f"{changed.id} shows only in games, not in a position")
        own = ruleset.values["board.size"]
        if not all(map(moves_pieces, rules)):
            most = min(self._pieces, _WHOLE_TURNS) - (len(slider_positions(ruleset)) > 1)
            most = _affordable(ruleset, most, AFFORDABLE)
            count, difference = _compare_turns(ruleset, changed, most)
            return Proof({own: {"pieces": most, "positions": count}}, difference)
        found = {}
        boards = [(own, ruleset, changed, self._pieces, _AFFORDABLE_MOVES)]
        for small, men, more in _SMALL_BOARDS if any(map(is_movement, rules)) else ():
            smaller = {"board.size": small, "start.men": men}
            both = [from_values(_without_doors({**r.values, **smaller}), small) for r in (ruleset, changed)]
            boards.append((small, both[0], both[1], self._pieces + more, _ON_SMALL))
        for name, one, other, wanted, positions in boards:
            most = min(_affordable(one, wanted, positions if installed() else _PLAINLY), len(one.rules.board))
            found[name], difference = self._compare_moves(one, other, most)
            if difference:
                return Proof(found, difference)
        return Proof(found)

    def _compare_moves(self, one: Ruleset, other: Ruleset, most: int) -> tuple[dict[str, int], str | None]:
        """Captures and quiet moves of White in all placements."""
        ways = _openings(one)
        key = most, movement(one), movement(other)
        if key not in self._done:
            extent = {"pieces": most} | ({"open": most - 1} if len(ways) > 1 else {})
            work = {
                f"{one.id}, {other.id}, {number} pieces, {doors:x}, {share.choices.start}": share
                for number in range(1, most + 1)
                for doors in (ways if number < most else [0])
                for share in shares(one, other, number, crownheads(one), doors)
            }
            count, difference = 0, None
            for found in self._doing(compared, work, f"{most} pieces on {one.values['board.size']}"):
                count += found["positions"]
                if found["differs"]:
                    difference = Position(one.rules.board, *found["differs"], turn="white").fen()
                    break
            self._done[key] = {**extent, "positions": count}, difference
        return self._done[key]


def _affordable(ruleset: Ruleset, pieces: int, positions: int) -> int:
    """How many pieces, at most so many, can be compared in about so many positions with White to move."""
    board = ruleset.rules.board
    return max(takewhile(lambda number: size(board, number, ("white",)) <= positions, range(1, pieces + 1)))


def _compare_turns(one: Ruleset, other: Ruleset, most: int) -> tuple[int, str | None]:
    """Every answer, in every phase of a turn, on positions that the ruleset can have."""
    first, second = Player(one), Player(other)
    board, count = one.rules.board, 0
    for number, sliders in product(range(1, most + 1), slider_positions(one)):
        for plain in everywhere(board, number, crownheads(one), ("white",), sliders):
            for position in in_phases(plain, phases(one), first.turns):
                if objection(first.turns, position):
                    continue
                count += 1
                if _everything(first, position) != _everything(second, position):
                    return count, position.fen()
    return count, None


def _everything(player: Player, position: Position) -> object:
    position = player.fitted(position)
    return player.moves(position), player.lapses(position), player.outcome(position)


def _openings(ruleset: Ruleset) -> list[int]:
    """The sets of doors that can be open at a time, as bitboards."""
    trapdoors, board = ruleset.rules.trapdoors, ruleset.rules.board
    every = slider_positions(ruleset)
    return [trapdoors.layout.open_doors(board, sliders) if trapdoors and sliders else 0 for sliders in every]


def _without_doors(values: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of movement alone: what the small boards are compared by. A duty changes no move that there is."""
    kept = {rule: value for rule, value in values.items() if not affects(rule) & {"doors", "turn"}}
    return without_moot({**kept, "capture.duty": "compulsory"})
