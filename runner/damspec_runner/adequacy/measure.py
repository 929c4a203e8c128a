"""Adequacy of the cases: how many mutants and faults they kill, and what trivial engines score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Literal

import damspec
from damspec import Action, Position, Ruleset, from_values, load_ruleset, ruleset_ids
from damspec.mutations import equivalent_mutants

from ..answers.player import RulePlayer, passes
from ..cases.answer import Question
from ..cases.cases import cases_for
from ..mutants.fault_catalogue import MEASURED, CachedGenerator, faults
from ..mutants.mutants import Changes, mutants, pair_changes, single_changes, without_moot
from ..tasks.executor import TaskRunner, run_in_process


@dataclass(frozen=True)
class Score:
    """The number of a ruleset's cases that an engine answers correctly."""

    engine: str
    passed: int
    cases: int


class NoMoves(RulePlayer):
    """An engine that never finds a move, and for which every game goes on."""

    def actions(self, position: Position) -> Sequence[Action]:
        return ()

    def lapsing(self, position: Position) -> Sequence[Action]:
        return ()

    def outcome(self, position: Position) -> str:
        return "ongoing"

    def outcome_after(self, positions: Iterable[Position], actions: Sequence[Action]) -> str:
        return "ongoing"


class FirstMove(NoMoves):
    """An engine that lists a single legal move."""

    def actions(self, position: Position) -> Sequence[Action]:
        return self.ruleset.turns.actions(position)[:1]


class PseudoLegal(NoMoves):
    """An engine that lists every way to move or jump: no duty to capture, no precedence, captures may stop."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        free = {**ruleset.inline_values, "capture.choice": (), "capture.completion": "may-stop"}
        free.pop("king.capture.finish", None)
        self._free = RulePlayer(from_values(without_moot(free), "pseudo-legal"))

    def actions(self, position: Position) -> Sequence[Action]:
        free = self._free.turns
        quiet = free.movement.moves(position, free.movement.quiet(position))
        return [*free.actions(position), *quiet]


def baselines(ruleset: Ruleset) -> Iterator[Score]:
    """Yield the scores of trivial engines, and of an engine for each other ruleset on the same board."""
    asked = _questions_of(ruleset)
    for name, player in (
        ("no moves", NoMoves(ruleset)),
        ("every pseudo-legal move", PseudoLegal(ruleset)),
        ("the first legal move only", FirstMove(ruleset)),
    ):
        yield Score(name, _count_passed(player, asked), len(asked))
    for id in ruleset_ids():
        other = load_ruleset(id)
        if id != ruleset.base and other.rules.board == ruleset.rules.board:
            yield Score(id, _count_passed(RulePlayer(other), asked), len(asked))


def _count_passed(player: RulePlayer, asked: Iterable[Question]) -> int:
    return sum(passes(player, question) for question in asked)


#: The kind of change of a mutant; a control has none.
ChangeKind = Literal["control", "single", "reading", "pair", "fault"]
#: The number of cases that must kill a mutant.
WANTED = 2
#: The kinds that change one thing.
SINGLE: tuple[ChangeKind, ...] = ("single", "reading")
#: The number of changes in a task.
_TASK_SIZE: Mapping[ChangeKind, int] = {"single": 25, "reading": 25, "pair": 200, "fault": 50}


class VoidRunError(Exception):
    """A control failed (see `_check_controls`), so the run proves nothing."""


@dataclass(frozen=True)
class MutantVerdict:
    """The fate of a mutant or fault: the cases that kill it, all or the first few, with their topics."""

    mutant: str
    kind: ChangeKind
    killers: tuple[str, ...]
    topics: tuple[str, ...]
    equivalent: str | None = None

    @property
    def fate(self) -> str:
        """`killed`, `equivalent`, or if too few cases kill it `barely` or `survives`."""
        if self.equivalent is not None:
            return "equivalent"
        return "killed" if len(self.killers) >= WANTED else "barely" if self.killers else "survives"


@dataclass(frozen=True)
class Adequacy:
    """The verdicts on the mutants of a ruleset, of one kind or more, or on all faults."""

    ruleset: str
    cases: int
    verdicts: tuple[MutantVerdict, ...]

    def count(self, fate: str) -> int:
        """Return how many mutants have a fate."""
        return sum(verdict.fate == fate for verdict in self.verdicts)

    @property
    def sufficient(self) -> bool:
        """Whether every mutant is killed by enough cases or proved equivalent."""
        return not self.count("survives") and not self.count("barely")


@dataclass(frozen=True)
class MutantTask:
    """A range of the changes of one kind of a ruleset, to be tried on its cases."""

    ruleset: Ruleset
    kind: ChangeKind
    first: int
    last: int


def measure(
    rulesets: Sequence[Ruleset], kinds: Sequence[ChangeKind] = SINGLE, task_runner: TaskRunner = run_in_process
) -> Iterator[Adequacy]:
    """Yield the verdicts on all changes of some kinds of each ruleset.

    Raises VoidRunError if a control fails.
    """
    tasks = [[*_mutant_tasks(ruleset, kinds)] for ruleset in rulesets]
    named = {
        f"{place}: {each.ruleset.id}: {each.kind} {each.first}": each
        for place, task in enumerate(tasks)
        for each in task
    }
    found = task_runner(_run_task, named, "changes")
    for ruleset, task in zip(rulesets, tasks, strict=True):
        told = (each for entries in islice(found, len(task)) for each in entries)
        verdicts = (MutantVerdict(name, kind, tuple(by), tuple(topics), why) for name, kind, by, topics, why in told)
        yield Adequacy(ruleset.id, len(cases_for(ruleset)), tuple(verdicts))


def _mutant_tasks(ruleset: Ruleset, kinds: Iterable[ChangeKind]) -> Iterator[MutantTask]:
    yield MutantTask(ruleset, "control", 0, 1)
    listed: Mapping[ChangeKind, Callable[[Ruleset], Sized]] = {
        "single": single_changes,
        "reading": _other_readings,
        "pair": pair_changes,
        "fault": lambda each: faults(each, *MEASURED),
    }
    for kind in kinds:
        number, size = len(listed[kind](ruleset)), _TASK_SIZE[kind]
        yield from (MutantTask(ruleset, kind, first, first + size) for first in range(0, number, size))


def _run_task(task: MutantTask) -> list[list[Any]]:
    """Return the verdicts on the changes of a task, each as its fields in plain data. Raises VoidRunError."""
    ruleset, kind = task.ruleset, task.kind
    if kind == "control":
        _check_controls(ruleset, _questions_of(ruleset))
        return []
    known = {name: why for (id, name), why in equivalent_mutants().items() if id == ruleset.base}
    asked, enough = (_small_first(ruleset), WANTED + 1) if kind == "pair" else (_questions_of(ruleset), None)
    found = []
    for name, player in _changed_players(task):
        cases = [question.case for question in killers(player, asked, enough)]
        topics = dict.fromkeys(case.topic for case in cases)
        found.append([name, kind, [case.id for case in cases], [*topics], known.get(name)])
    return found


def _changed_players(task: MutantTask) -> Iterator[tuple[str, RulePlayer]]:
    """Yield each change of a task by name, with the rules or the engine that it gives."""
    ruleset, chosen = task.ruleset, slice(task.first, task.last)
    match task.kind:
        case "reading":
            yield from ((name, RulePlayer(other)) for name, other in _other_readings(ruleset)[chosen])
        case "fault":
            right = _remembering(ruleset)
            for fault in faults(ruleset, *MEASURED)[chosen]:
                yield fault.name, RulePlayer(ruleset, fault.turns(right))
        case kind:
            changes = _pairs(ruleset) if kind == "pair" else single_changes(ruleset)
            yield from ((mutant.name, RulePlayer(mutant.ruleset)) for mutant in mutants(ruleset, changes[chosen]))


def _other_readings(ruleset: Ruleset) -> list[tuple[str, Ruleset]]:
    """Return the alternative readings, without those that give the rules that a file of your own has anyway."""
    return [(name, other) for name, other in ruleset.alternatives.items() if other.values != ruleset.values]


@lru_cache(1)
def _questions_of(ruleset: Ruleset) -> tuple[Question, ...]:
    return tuple(Question(case, ruleset) for case in cases_for(ruleset))


@lru_cache(1)
def _small_first(ruleset: Ruleset) -> tuple[Question, ...]:
    """Return the questions, those about moves and with few pieces first, which are answered fast."""
    return (*sorted(_questions_of(ruleset), key=lambda each: (each.expected.moves is None, len(each.position))),)


@lru_cache(1)
def _remembering(ruleset: Ruleset) -> CachedGenerator:
    return CachedGenerator(ruleset.turns)


@lru_cache(1)
def _pairs(ruleset: Ruleset) -> list[Changes]:
    return pair_changes(ruleset)


def killers(player: RulePlayer, asked: Iterable[Question], enough: int | None = None) -> list[Question]:
    """Return the questions that a player answers wrongly; at most `enough` of them."""
    found = []
    for question in asked:
        if not passes(player, question):
            found.append(question)
            if enough is not None and len(found) >= enough:
                break
    return found


def _check_controls(ruleset: Ruleset, asked: Sequence[Question]) -> None:
    unchanged = killers(RulePlayer(damspec.from_values(ruleset.inline_values, ruleset.id)), asked)
    if unchanged:
        raise VoidRunError(f"{ruleset.id} unchanged does not pass its own case {unchanged[0].case.id}")
    for rule, value in (("man.move.directions", ["backward"]), ("man.capture.first", ["left"])):
        wrong = ruleset.with_value(rule, value)
        if len(killers(RulePlayer(wrong), asked, WANTED)) < WANTED:
            raise VoidRunError(f"{ruleset.id} with {rule} = {value} is killed by fewer than {WANTED} cases")
