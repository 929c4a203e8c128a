"""Proving by exhaustion that a change of rules changes nothing: every position with few pieces, on several boards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from damspec import Position, Ruleset, from_values
from damspec.moves import Generator
from damspec.possible import objection
from damspec.tables import Pieces

from ..answers.player import Player
from ..positions.enumeration import placements, slider_positions
from ..variants.mutants import MOVEMENT, Mutant

#: Boards to exhaust beside the ruleset's own, with the rows of men there and the most pieces: None means all.
SMALL_BOARDS = (("4x4", 1, None), ("6x6", 2, 4))

#: Rules of trapdoors that are about pieces that move over or onto them.
_DOORS_ON_THE_WAY = {"trapdoors.quiet-landing", "trapdoors.capture-landing", "trapdoors.passing"}


@dataclass(frozen=True)
class Proof:
    """What was compared: on each board up to how many pieces, how many positions; and a position that differs."""

    compared: dict[str, dict[str, int]]
    difference: str | None = None


def prove(ruleset: Ruleset, mutant: Mutant, pieces: int = 3) -> Proof:
    """Compare a ruleset and its mutant on every position with up to `pieces` pieces on its own board and, if only the
    movement of pieces is changed, on small boards with more; where that is not all and doors stay open, up to two.
    White is to move: the game is the same turned round.
    """
    compared: dict[str, dict[str, int]] = {}
    size = ruleset.values["board.size"]
    if not all(map(_moves_pieces, mutant.rules_changed)):
        fewer = pieces if len(slider_positions(ruleset)) == 1 else min(pieces, 2)
        count, difference = _compare_turns(ruleset, mutant.ruleset, fewer)
        return Proof({size: {"pieces": fewer, "positions": count}}, difference)
    boards: list[tuple[str, Ruleset, Ruleset, int]] = [(size, ruleset, mutant.ruleset, pieces)]
    for small, men, most in SMALL_BOARDS if any(map(_is_movement, mutant.rules_changed)) else ():
        changed = {"board.size": small, "start.men": men}
        both = [from_values(_without_doors({**r.values, **changed}), small) for r in (ruleset, mutant.ruleset)]
        boards.append((small, both[0], both[1], most or len(both[0].rules.board)))
    for name, one, other, most in boards:
        count, difference = _compare_moves(one, other, most)
        compared[name] = {"pieces": most, "positions": count}
        if difference:
            return Proof(compared, difference)
    return Proof(compared)


def _is_movement(rule: str) -> bool:
    return rule.startswith(MOVEMENT) and rule != "capture.duty"


def _moves_pieces(rule: str) -> bool:
    """Whether all that a rule can change are the captures and the quiet moves there are."""
    return _is_movement(rule) or rule in _DOORS_ON_THE_WAY


def _compare_moves(one: Ruleset, other: Ruleset, most: int) -> tuple[int, str | None]:
    """Captures and quiet moves of White: up to two pieces with every way in which doors can be open, more with none."""
    first, second = Generator(one.rules), Generator(other.rules)
    board, count = one.rules.board, 0
    for number in range(1, most + 1):
        openings = list(_openings(one)) if number <= 2 else [0]
        for pieces in placements(board, number, _crownheads(one)):
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
    count = 0
    for number in range(1, most + 1):
        for pieces in placements(one.rules.board, number, _crownheads(one)):
            plain = Position(one.rules.board, *pieces, "white")
            for position in _phases(one, plain):
                if objection(first.turns, position):
                    continue
                count += 1
                if _everything(first, position) != _everything(second, position):
                    return count, position.fen()
    return count, None


def _everything(player: Player, position: Position) -> object:
    position = player.fitted(position)
    return player.moves(position), player.lapses(position), player.outcome(position)


def _phases(ruleset: Ruleset, position: Position) -> Iterator[Position]:
    spin = ruleset.rules.spin
    for sliders in slider_positions(ruleset):
        for outcome in (None, *(spin.outcomes if spin else ())):
            yield replace(position, sliders=sliders, spin=outcome)


def _crownheads(ruleset: Ruleset) -> tuple[int, int]:
    rows, board = ruleset.rules.promotion.rows, ruleset.rules.board
    return board.nearest_rows(rows, "black"), board.nearest_rows(rows, "white")


def _openings(ruleset: Ruleset) -> Iterator[int]:
    """The sets of doors that can be open at a time, as bitboards."""
    trapdoors, board = ruleset.rules.trapdoors, ruleset.rules.board
    if trapdoors is None or trapdoors.closing == "at-once":
        yield 0
        return
    for letters in product("MLR", repeat=len(trapdoors.layout.sliders)):
        yield trapdoors.layout.open_doors(board, "".join(letters))


def _without_doors(values: dict[str, object]) -> dict[str, object]:
    """The rules of movement alone: what the small boards are compared by."""
    gone = ("trapdoors.", "spin.", "ending.both-empty", "huff.")
    kept = {rule: value for rule, value in values.items() if not rule.startswith(gone)}
    return {**kept, "capture.duty": "compulsory"} if kept["capture.duty"] == "huffing" else kept
