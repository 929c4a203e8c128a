"""The recorder of `cases/generated/equivalents.yaml`: what is compared to prove that a change of rules changes nothing.

Which changes are equivalent, and why, is written there by hand. Each that could show in a position is proved by
exhaustion: every position with few pieces, on several boards, is answered alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from math import comb
from typing import Any

import yaml

from damspec import Position, Ruleset, data, from_values, load_ruleset, ruleset_ids
from damspec.kernel import is_available
from damspec.mutations import equivalents_path
from damspec.validity import find_invalidity, phases
from damspec.vocabulary import affects
from damspec_runner.answers.answer_diff import PossibleDifferences
from damspec_runner.answers.player import RulePlayer, answer_differently
from damspec_runner.document.exhaustive import compared, movement_rules, movement_tasks
from damspec_runner.mutants.mutants import differing_values, pair_mutants, single_mutants, without_moot
from damspec_runner.mutants.ruleset_diff import counts_history, is_movement, moves_pieces
from damspec_runner.positions.enumeration import (
    AFFORDABLE,
    all_positions,
    in_phases,
    promotion_rows,
    size,
    slider_positions,
)
from damspec_runner.tasks.executor import TaskRunner, run_in_process

from .parts import Job, Part, digest, without_history

#: Boards to exhaust beside the ruleset's own, with the rows of men there; and how many pieces more there are on them.
SMALL_BOARDS = (("4x4", 1, 100), ("6x6", 2, 1))
#: About how many positions with one number of pieces are compared by the moves of pieces: on the own board, on small
#: ones; and where there is nothing to compile with.
_AFFORDABLE_MOVES, _ON_SMALL, _PLAINLY = 300_000_000, 20_000_000, 4_000_000

#: Up to how many pieces that is meant for.
_USUAL = 5
#: Up to how many pieces whole turns are compared.
_WHOLE_TURNS = 3
#: How many choices of squares a share of whole turns has.
_SHARE = 400
#: The start of an entry of the file, and what of it was compared.
_ENTRY, _COMPARED = re.compile(r"^  - change: ", re.MULTILINE), re.compile(r"    compared:\n(?:      .*\n)+")


@dataclass(frozen=True)
class ProvedChange:
    """A change of a ruleset with what proves that it shows in no position."""

    ruleset: str
    change: str
    proof: Proof


def inputs() -> dict[str, str]:
    """By ruleset with changes on record a digest of its rules and of these changes."""
    named = _changes_on_record()
    return {id: digest(without_history(load_ruleset(id).values), named[id]) for id in ruleset_ids() if id in named}


def seconds(units: Collection[str]) -> float:
    """Return about how long one process takes."""
    return 75 * len(units)


def record(job: Job) -> Iterator[Part]:
    """Prove the changes on record for some rulesets, one ruleset after another; one that shows after all is told."""
    ids, gone = job.split(inputs())
    if gone:
        yield Part(gone, {})
    prover = Prover(job.limits.pieces or _USUAL, job.doing)
    for id in ids:
        found = [*prove_again(load_ruleset(id), prover)]
        wrong = [each for each in found if each.proof.difference]
        said = (f"{id}: {each.change}: shows in {each.proof.difference}" for each in wrong)
        yield Part((), {}, (*said,)) if wrong else Part((id,), {equivalents_path(): record_text(found)})


def prove_again(ruleset: Ruleset, prover: Prover) -> Iterator[ProvedChange]:
    """Yield every change on record for a ruleset that could show in a position."""
    named = _changes_on_record().get(ruleset.id, ())
    changed = {change: _with_change(ruleset, change) for change in named}
    shown = {change: each for change, each in changed.items() if can_show(ruleset, each)}
    for change, proof in zip(shown, prover.proofs(ruleset, [*shown.values()]), strict=True):
        yield ProvedChange(ruleset.id, change, proof)


def record_text(found: Iterable[ProvedChange]) -> str:
    """Return the text of the record with what was compared now; all else stays as it is."""
    compared = {(each.change, each.ruleset): each.proof.compared for each in found}
    text = equivalents_path().read_text(encoding="utf-8")
    starts = [match.start() for match in _ENTRY.finditer(text)]
    entries = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    return text[: starts[0]] + "".join(_with_compared(entry, compared) for entry in entries)


def _with_compared(text: str, compared: Mapping[tuple[str, str], Any]) -> str:
    """Return an entry of the file with what was compared for its rulesets."""
    (entry,) = yaml.safe_load(text)
    before = entry.get("compared", {})
    extents = {id: compared.get((entry["change"], id), before.get(id)) for id in entry["rulesets"]}
    lines = [f"      {id}: {json.dumps(found).replace(chr(34), '')}\n" for id, found in extents.items() if found]
    return _COMPARED.sub("", text) + ("    compared:\n" + "".join(lines) if lines else "")


def _changes_on_record() -> dict[str, list[str]]:
    """Return the changes on record by ruleset."""
    found: dict[str, list[str]] = {}
    for entry in data.load_yaml(equivalents_path())["equivalents"]:
        for id in entry["rulesets"]:
            found.setdefault(id, []).append(entry["change"])
    return found


def _with_change(ruleset: Ruleset, change: str) -> Ruleset:
    """Return a ruleset with a change that is on record for it."""
    changes = _changes(ruleset, " and " in change)
    if change not in changes:
        raise data.FileError(
            f"{data.path_text(equivalents_path())}: {ruleset.id} has no change {change!r}"
            f"{data.nearest(change, [*changes])}"
        )
    return changes[change]


@lru_cache(2)
def _changes(ruleset: Ruleset, two: bool) -> Mapping[str, Ruleset]:
    """Return the changes of a ruleset by their names: single ones and readings, or two at a time."""
    if two:
        return {mutant.name: mutant.ruleset for mutant in pair_mutants(ruleset)}
    return {**ruleset.alternatives, **{mutant.name: mutant.ruleset for mutant in single_mutants(ruleset)}}


# --- proofs -----------------------------------------------------------------------------------


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

    def __init__(
        self,
        pieces: int = 3,
        task_runner: TaskRunner = run_in_process,
        small_boards: Sequence[tuple[str, int, int]] = SMALL_BOARDS,
    ) -> None:
        self._pieces, self._doing, self._small_boards = pieces, task_runner, small_boards
        self._done: dict[tuple[int, str, str], tuple[dict[str, int], str | None]] = {}
        self._turns: dict[tuple[Ruleset, Ruleset], Proof] = {}

    def proofs(self, ruleset: Ruleset, changed: Sequence[Ruleset]) -> list[Proof]:
        """Return a proof for each change. Raises ValueError for a change that shows only in games."""
        for each in changed:
            if not can_show(ruleset, each):
                raise ValueError(f"{each.id} shows only in games, not in a position")
        every = [self._boards(ruleset, each) for each in changed]
        for place in range(1 + len(self._small_boards)):
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
        """Return what a change of the movement of pieces is compared on; nothing for another change."""
        rules = differing_values(ruleset.values, changed.values)
        if not all(map(moves_pieces, rules)):
            return []
        boards = [(ruleset, changed, self._pieces, _AFFORDABLE_MOVES)]
        for small, men, more in self._small_boards if any(map(is_movement, rules)) else ():
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
                f"{one.id}, {', '.join(by.id for by in others)}, {number}, {doors:x}, {task.choices.start}": task
                for number in range(1, most + 1)
                for doors in (ways if number < most else [0])
                for task in movement_tasks(one, others, number, promotion_rows(one), doors)
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
        work = {task.key: task for task in turn_tasks(one, others, most)}
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
        differences = PossibleDifferences.between(self.one, self.other)
        return differences.beginnings or differences.quiet


def can_show(ruleset: Ruleset, changed: Ruleset) -> bool:
    """Return whether a change of a ruleset can show in a position, and not only in games.

    A board in the mirror has other squares with the same numbers: no position is on both, and the reason given is all.
    """
    if ruleset.rules.board.bits != changed.rules.board.bits:
        return False
    return not all(map(counts_history, differing_values(ruleset.values, changed.values)))


def _affordable(ruleset: Ruleset, pieces: int, positions: int) -> int:
    """Return how many pieces, at most so many, can be compared in about so many positions with White to move."""
    board = ruleset.rules.board
    return max(takewhile(lambda number: size(board, number, ("white",)) <= positions, range(1, pieces + 1)))


def _openings(ruleset: Ruleset) -> list[int]:
    """Return the sets of doors that can be open at a time, as bitboards."""
    trapdoors, board = ruleset.rules.trapdoors, ruleset.rules.board
    every = slider_positions(ruleset)
    return [trapdoors.layout.open_doors(board, sliders) if trapdoors and sliders else 0 for sliders in every]


def _without_doors(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules of movement, by which small boards are compared. A duty changes no move that there is."""
    kept = {rule: value for rule, value in values.items() if not affects(rule) & {"doors", "turn"}}
    return without_moot({**kept, "capture.duty": "compulsory"})


# --- whole turns ------------------------------------------------------------------------------


@dataclass(frozen=True)
class TurnTask:
    """Some positions of `number` pieces with White to move, by numbers of choices of squares; with the sliders one way.

    One ruleset is compared with others.
    """

    one: Ruleset
    others: tuple[Ruleset, ...]
    number: int
    sliders: str | None
    choices: tuple[int, int]

    @property
    def key(self) -> str:
        """What it is called."""
        return f"turns of {self.one.id}, {self.number} pieces, {self.sliders or 'no sliders'}, from {self.choices[0]}"


def turn_tasks(one: Ruleset, others: Sequence[Ruleset], most: int) -> Iterator[TurnTask]:
    """Yield all positions with up to `most` pieces and every way of the sliders."""
    for number in range(1, most + 1):
        every = comb(len(one.rules.board), number)
        for sliders in slider_positions(one):
            for first in range(0, every, _SHARE):
                yield TurnTask(one, (*others,), number, sliders, (first, min(first + _SHARE, every)))


def turns_compared(task: TurnTask) -> dict[str, Any]:
    """Count the possible `positions` of a task; find the first that `differs` for each ruleset that differs."""
    first, *others = map(RulePlayer, (task.one, *task.others))
    board, rows, count = task.one.rules.board, promotion_rows(task.one), 0
    differs: dict[int, str] = {}
    for plain in all_positions(board, task.number, rows, ("white",), task.sliders, choices=task.choices):
        for position in in_phases(plain, phases(task.one.rules), first.turns):
            if find_invalidity(first.turns, position):
                continue
            count += 1
            for place, other in enumerate(others):
                if place not in differs and answer_differently(first, other, position):
                    differs[place] = position.fen()
    return {"positions": count, "differs": [[place, fen] for place, fen in differs.items()]}
