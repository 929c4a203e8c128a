"""Proving by exhaustion that a change of rules changes nothing: every position with few pieces, on several boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any

from damspec import Position, Ruleset, from_values
from damspec.kernel import is_available
from damspec.rules import rule_names
from damspec.vocabulary import affects

from ..answers.answer_diff import PossibleDifferences
from ..answers.exhaustive import compared, movement_rules, movement_tasks
from ..mutants.mutants import without_moot
from ..mutants.ruleset_diff import counts_history, is_movement, moves_pieces
from ..positions.enumeration import (
    AFFORDABLE,
    crownheads,
    size,
    slider_positions,
)
from ..tasks.executor import TaskRunner, run_in_process
from .turns import turn_shares, turns_compared

#: Boards to exhaust beside the ruleset's own, with the rows of men there; and how many pieces more there are on them.
_SMALL_BOARDS = (("4x4", 1, 100), ("6x6", 2, 1))
#: About how many positions with one number of pieces are compared by the moves of pieces: on the own board, on small
#: ones; and where there is nothing to compile with.
_AFFORDABLE_MOVES, _ON_SMALL, _PLAINLY = 300_000_000, 20_000_000, 4_000_000

#: Up to how many pieces that is meant for.
_USUAL = 5
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
    """Compares rulesets before and after changes, those with the same rules of movement once.

    All positions with up to `pieces` pieces on the ruleset's own board are compared and, if only the movement of pieces
    is changed, those on small boards with more; with doors open those with one piece less. There are fewer where the
    positions would be too many. White is to move: the game is the same turned round.
    """

    def __init__(self, pieces: int = 3, task_runner: TaskRunner = run_in_process) -> None:
        self._pieces, self._doing = pieces, task_runner
        self._done: dict[tuple[int, str, str], tuple[dict[str, int], str | None]] = {}
        self._turns: dict[tuple[Ruleset, Ruleset], Proof] = {}

    def proofs(self, ruleset: Ruleset, changed: Sequence[Ruleset]) -> list[Proof]:
        """What the comparisons with a ruleset come to. Raises ValueError for a change that shows only in games."""
        for each in changed:
            if not can_show(ruleset, each):
                raise ValueError(f"{each.id} shows only in games, not in a position")
        every = [self._boards(ruleset, each) for each in changed]
        for place in range(1 + len(_SMALL_BOARDS)):
            there = [boards[place] for boards in every if place < len(boards) and not self._differ(boards[:place])]
            self._compare_moves([on for on in there if on.key not in self._done])
        self._compare_turns(ruleset, [each for each, boards in zip(changed, every, strict=True) if not boards])
        return [self._proof(ruleset, each) for each in changed]

    def _differ(self, boards: Iterable[_OnBoard]) -> bool:
        return any(self._done[on.key][1] for on in boards)

    def _proof(self, ruleset: Ruleset, changed: Ruleset) -> Proof:
        if (ruleset, changed) in self._turns:
            return self._turns[ruleset, changed]
        extents: dict[str, dict[str, int]] = {}
        for on in self._boards(ruleset, changed):
            extents[on.size], difference = self._done[on.key]
            if difference:
                return Proof(extents, difference)
        return Proof(extents)

    def _boards(self, ruleset: Ruleset, changed: Ruleset) -> list[_OnBoard]:
        """What a change of the movement of pieces is compared on; nothing for another change."""
        rules = _differing(ruleset, changed)
        if not all(map(moves_pieces, rules)):
            return []
        boards = [(ruleset, changed, self._pieces, _AFFORDABLE_MOVES)]
        for small, men, more in _SMALL_BOARDS if any(map(is_movement, rules)) else ():
            smaller = {"board.size": small, "start.men": men}
            both = [
                from_values(_without_doors({**each.values, **smaller}), f"{each.id} on {small}")
                for each in (ruleset, changed)
            ]
            boards.append((both[0], both[1], self._pieces + more, _ON_SMALL))
        found = []
        for one, other, wanted, positions in boards:
            # Who asks for a piece more has sixteen times the time, about.
            positions = positions << 4 * max(0, self._pieces - _USUAL) if is_available() else _PLAINLY
            most = min(_affordable(one, wanted, positions), len(one.rules.board))
            found.append(_OnBoard(one, other, most))
        return found

    def _compare_moves(self, wanted: Sequence[_OnBoard]) -> None:
        """Captures and quiet moves of White in all placements on one board."""
        for alike in ([on for on in wanted if on.begins == begins] for begins in (True, False)):
            by_key = {on.key: on for on in alike}
            if not by_key:
                continue
            one, most, others = alike[0].one, alike[0].most, [on.other for on in by_key.values()]
            ways = _openings(one)
            work = {
                f"{one.id}, {', '.join(by.id for by in others)}, {number}, {doors:x}, {share.choices.start}": share
                for number in range(1, most + 1)
                for doors in (ways if number < most else [0])
                for share in movement_tasks(one, others, number, crownheads(one), doors)
            }
            count, differs = 0, dict[int, str]()
            for found in self._doing(compared, work, f"{one.id}, {most} pieces on {alike[0].size}"):
                count += found["positions"]
                for place, *(men, kings, other_men, other_kings) in found["differs"]:
                    position = Position(one.rules.board, men, kings, other_men, other_kings, "white")
                    differs.setdefault(place, position.fen())
                if len(differs) == len(others):
                    break
            extent = {"pieces": most} | ({"open": most - 1} if len(ways) > 1 else {}) | {"positions": count}
            for place, key in enumerate(by_key):
                self._done[key] = extent, differs.get(place)

    def _compare_turns(self, one: Ruleset, others: Sequence[Ruleset]) -> None:
        """Every answer, in every phase of a turn, on positions that the ruleset can have."""
        if not others:
            return
        most = min(self._pieces, _WHOLE_TURNS) - (len(slider_positions(one)) > 1)
        most = _affordable(one, most, AFFORDABLE)
        work = {share.key: share for share in turn_shares(one, others, most)}
        count, differs = 0, dict[int, str]()
        for found in self._doing(turns_compared, work, f"{one.id}, whole turns"):
            count += found["positions"]
            differs = dict(found["differs"]) | differs
        for place, other in enumerate(others):
            size = one.values["board.size"]
            self._turns[one, other] = Proof({size: {"pieces": most, "positions": count}}, differs.get(place))


@dataclass(frozen=True)
class _OnBoard:
    """A ruleset and the same one changed, to be compared on one board with up to `most` pieces."""

    one: Ruleset
    other: Ruleset
    most: int

    @property
    def size(self) -> str:
        size: str = self.one.values["board.size"]
        return size

    @cached_property
    def key(self) -> tuple[int, str, str]:
        """What the comparison depends on."""
        return self.most, movement_rules(self.one), movement_rules(self.other)

    @property
    def begins(self) -> bool:
        """Whether more has to be compared than where there is a capture."""
        contrast = PossibleDifferences.between(self.one, self.other)
        return contrast.beginnings or contrast.quiet


def can_show(ruleset: Ruleset, changed: Ruleset) -> bool:
    """Whether a change of a ruleset can show in a position, and not only in games."""
    return not all(map(counts_history, _differing(ruleset, changed)))


def _differing(one: Ruleset, other: Ruleset) -> list[str]:
    """The rules that a change has changed."""
    return [rule for rule in rule_names() if one.values.get(rule) != other.values.get(rule)]


def _affordable(ruleset: Ruleset, pieces: int, positions: int) -> int:
    """How many pieces, at most so many, can be compared in about so many positions with White to move."""
    board = ruleset.rules.board
    return max(takewhile(lambda number: size(board, number, ("white",)) <= positions, range(1, pieces + 1)))


def _openings(ruleset: Ruleset) -> list[int]:
    """The sets of doors that can be open at a time, as bitboards."""
    trapdoors, board = ruleset.rules.trapdoors, ruleset.rules.board
    every = slider_positions(ruleset)
    return [trapdoors.layout.open_doors(board, sliders) if trapdoors and sliders else 0 for sliders in every]


def _without_doors(values: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of movement alone: what the small boards are compared by. A duty changes no move that there is."""
    kept = {rule: value for rule, value in values.items() if not affects(rule) & {"doors", "turn"}}
    return without_moot({**kept, "capture.duty": "compulsory"})
