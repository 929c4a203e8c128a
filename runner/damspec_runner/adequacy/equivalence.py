"""Proving by exhaustion that a change of rules changes nothing: every position with few pieces, on several boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product, takewhile
from typing import Any

from damspec import Position, Ruleset, from_values
from damspec.moves import Generator
from damspec.possible import objection
from damspec.scope import phases
from damspec.tables import Pieces
from damspec.vocabulary import affects

from ..answers.player import Player
from ..positions.enumeration import (
    AFFORDABLE,
    crownheads,
    everywhere,
    in_phases,
    placements,
    size,
    slider_positions,
)
from ..variants.effects import counts_history, is_movement, moves_pieces
from ..variants.mutants import Mutant, without_moot

#: Boards to exhaust beside the ruleset's own, with the rows of men there and the most pieces: None means all.
SMALL_BOARDS = (("4x4", 1, None), ("6x6", 2, 4))
#: About how many positions with one number of pieces are compared by the moves of pieces.
_AFFORDABLE_MOVES = 4_000_000


@dataclass(frozen=True)
class Proof:
    """What was compared: on each board up to how many pieces, how many positions; and a position that differs."""

    compared: dict[str, dict[str, int]]
    difference: str | None = None


def prove(ruleset: Ruleset, mutant: Mutant, pieces: int = 3) -> Proof:
    """Compare a ruleset and its mutant on every position with up to `pieces` pieces on its own board and, if only the
    movement of pieces is changed, on small boards with more; where that is not all and doors stay open, up to two.
    There are fewer where all squares are played on and the positions would be too many. White is to move: the game is
    the same turned round. Raises ValueError for a change that shows only in games.
    """
    if all(map(counts_history, mutant.rules_changed)):
        raise ValueError(f"{mutant.name} shows only in games, not in a position")
    compared: dict[str, dict[str, int]] = {}
    own = ruleset.values["board.size"]
    if not all(map(moves_pieces, mutant.rules_changed)):
        fewer = pieces if len(slider_positions(ruleset)) == 1 else min(pieces, 2)
        fewer = _affordable(ruleset, fewer, AFFORDABLE)
        count, difference = _compare_turns(ruleset, mutant.ruleset, fewer)
        return Proof({own: {"pieces": fewer, "positions": count}}, difference)
    boards: list[tuple[str, Ruleset, Ruleset, int]] = [(own, ruleset, mutant.ruleset, pieces)]
    for small, men, most in SMALL_BOARDS if any(map(is_movement, mutant.rules_changed)) else ():
        changed = {"board.size": small, "start.men": men}
        both = [from_values(_without_doors({**r.values, **changed}), small) for r in (ruleset, mutant.ruleset)]
        boards.append((small, both[0], both[1], most or len(both[0].rules.board)))
    for name, one, other, wanted in boards:
        most = _affordable(one, wanted, _AFFORDABLE_MOVES)
        count, difference = _compare_moves(one, other, most)
        compared[name] = {"pieces": most, "positions": count}
        if difference:
            return Proof(compared, difference)
    return Proof(compared)


def _affordable(ruleset: Ruleset, pieces: int, positions: int) -> int:
    """How many pieces, at most so many, can be compared in about so many positions with White to move."""
    board = ruleset.rules.board
    return max(takewhile(lambda number: size(board, number, ("white",)) <= positions, range(1, pieces + 1)))


def _compare_moves(one: Ruleset, other: Ruleset, most: int) -> tuple[int, str | None]:
    """Captures and quiet moves of White: up to two pieces with every way in which doors can be open, more with none."""
    first, second = Generator(one.rules), Generator(other.rules)
    board, count = one.rules.board, 0
    for number in range(1, most + 1):
        openings = _openings(one) if number <= 2 else [0]
        for pieces in placements(board, number, crownheads(one)):
            taken = pieces[0] | pieces[1] | pieces[2] | pieces[3]
            for doors in openings:
                if doors & taken:
                    continue
                count += 1
                if _moves(first, pieces, doors) != _moves(second, pieces, doors):
                    return count, Position(board, *pieces, "white").fen()
    return count, None


def _moves(generator: Generator, pieces: Pieces, doors: int) -> tuple[frozenset[object], frozenset[object]]:
    captures = generator.captures(pieces, 0, doors)
    return frozenset(step[:4] for step in captures), frozenset(step[:4] for step in generator.quiet(pieces, 0, doors))


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
