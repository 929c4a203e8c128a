"""What the cases can tell apart: every mutant of a ruleset is put to them, and the cases that notice it are listed.

A mutant that no case notices is either a missing case or a proved equivalent (`cases/equivalents.yaml`). Controls make
sure that the measuring works: a ruleset that is not changed must survive, and rules that are plainly wrong must die.
Faults that are no rule (`spec/faults.yaml`) are put to the cases in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Literal

import damspec
from damspec import Ruleset
from damspec.equivalents import equivalents

from ..answers.player import Player
from ..answers.question import Question, answers, questions
from ..cases.cases import cases_for
from ..variants.faults import Remembering, faults
from ..variants.mutants import Changes, mutants, pair_changes, single_changes
from ..work.sharing import Doing, here
from .panel import Panel

#: What kind of change a mutant is; a control is none.
ChangeKind = Literal["control", "single", "reading", "pair", "fault"]
#: How many cases have to notice a mutant.
WANTED = 2
#: The kinds that change one thing.
SINGLE: tuple[ChangeKind, ...] = ("single", "reading")
#: How many changes are a share of the work.
_AT_ONCE: Mapping[ChangeKind, int] = {"single": 25, "reading": 25, "pair": 200, "fault": 50}


class Void(Exception):
    """A control failed (see `_controls`), so the run proves nothing."""


@dataclass(frozen=True)
class Verdict:
    """A mutant's fate, or a fault's: the cases that notice it, with their topics (all of them, or the first few)."""

    mutant: str
    kind: ChangeKind
    killers: tuple[str, ...]
    topics: tuple[str, ...]
    equivalent: str | None = None

    @property
    def fate(self) -> str:
        """`killed`, `equivalent`, or for one that too few cases notice `survives` or `barely`."""
        if self.equivalent is not None:
            return "equivalent"
        return "killed" if len(self.killers) >= WANTED else "barely" if self.killers else "survives"


@dataclass(frozen=True)
class Adequacy:
    """The verdicts on all mutants of a ruleset of one kind or more, or on all faults."""

    ruleset: str
    cases: int
    verdicts: tuple[Verdict, ...]

    def count(self, fate: str) -> int:
        """How many mutants have a fate."""
        return sum(verdict.fate == fate for verdict in self.verdicts)

    @property
    def sufficient(self) -> bool:
        """Whether every mutant is killed by enough cases or proved equivalent."""
        return not self.count("survives") and not self.count("barely")


@dataclass(frozen=True)
class MutantShare:
    """Some changes of a ruleset to be put to its cases: those of a kind, by their places in the list of these."""

    ruleset: Ruleset
    kind: ChangeKind
    first: int
    last: int


def measure(
    rulesets: Sequence[Ruleset], kinds: Sequence[ChangeKind] = SINGLE, doing: Doing = here
) -> Iterator[Adequacy]:
    """The verdicts on all changes of some kinds of each ruleset: with one change, alternative readings, with two
    changes, and faults. Raises Void if a control fails.
    """
    shares = [[*_shares(ruleset, kinds)] for ruleset in rulesets]
    named = {
        f"{place}: {each.ruleset.id}: {each.kind} {each.first}": each
        for place, share in enumerate(shares)
        for each in share
    }
    found = doing(_judged, named, "changes")
    for ruleset, share in zip(rulesets, shares, strict=True):
        verdicts = (_verdict(*each) for entries in islice(found, len(share)) for each in entries)
        yield Adequacy(ruleset.id, len(cases_for(ruleset)), tuple(verdicts))


def _shares(ruleset: Ruleset, kinds: Iterable[ChangeKind]) -> Iterator[MutantShare]:
    yield MutantShare(ruleset, "control", 0, 1)
    listed: Mapping[ChangeKind, Callable[[Ruleset], Sized]] = {
        "single": single_changes,
        "reading": lambda each: each.alternatives,
        "pair": pair_changes,
        "fault": faults,
    }
    for kind in kinds:
        number, size = len(listed[kind](ruleset)), _AT_ONCE[kind]
        yield from (MutantShare(ruleset, kind, first, first + size) for first in range(0, number, size))


def _judged(share: MutantShare) -> list[list[Any]]:
    """The verdicts on the changes of a share, each as its fields in plain data. Raises Void if a control fails.

    A fault shows in moves and in the positions after them only: who has won, the engine knows nevertheless.
    """
    ruleset, kind = share.ruleset, share.kind
    if kind == "control":
        _controls(ruleset, _asked(ruleset))
        return []
    known = {name: why for (id, name), why in equivalents().items() if id == ruleset.base}
    found = []
    for name, noticing in _noticed(share):
        cases = [question.case for question in noticing]
        topics = dict.fromkeys(case.topic for case in cases)
        found.append([name, kind, [case.id for case in cases], [*topics], known.get(name)])
    return found


def _noticed(share: MutantShare) -> Iterator[tuple[str, list[Question]]]:
    """Each change of a share by its name, with the questions that notice it: of two changes at a time the first few."""
    ruleset, chosen = share.ruleset, slice(share.first, share.last)
    match share.kind:
        case "reading":
            for name, other in [*ruleset.alternatives.items()][chosen]:
                yield name, _panel(ruleset).noticing(other)
        case "fault":
            right, asked = _remembering(ruleset), _asked(ruleset)
            for fault in faults(ruleset)[chosen]:
                yield fault.name, killers(Player(ruleset, fault.turns(right)), asked)
        case kind:
            changes = _pairs(ruleset) if kind == "pair" else single_changes(ruleset)
            for mutant in mutants(ruleset, changes[chosen]):
                yield mutant.name, _panel(ruleset).noticing(mutant.ruleset, WANTED + 1 if kind == "pair" else None)


@lru_cache(1)
def _panel(ruleset: Ruleset) -> Panel:
    return Panel(ruleset, _asked(ruleset))


@lru_cache(1)
def _asked(ruleset: Ruleset) -> tuple[Question, ...]:
    return tuple(questions(ruleset, cases_for(ruleset)))


@lru_cache(1)
def _remembering(ruleset: Ruleset) -> Remembering:
    return Remembering(ruleset.turns)


@lru_cache(1)
def _pairs(ruleset: Ruleset) -> list[Changes]:
    return pair_changes(ruleset)


def _verdict(mutant: str, kind: ChangeKind, by: list[str], topics: list[str], equivalent: str | None) -> Verdict:
    return Verdict(mutant, kind, tuple(by), tuple(topics), equivalent)


def needed(verdicts: Iterable[Verdict]) -> set[str]:
    """The cases that some mutant needs to be killed: without one of them too few would notice it."""
    return {id for verdict in verdicts if len(verdict.killers) == WANTED for id in verdict.killers}


def killers(player: Player, asked: Iterable[Question], enough: int | None = None) -> list[Question]:
    """The questions that a player answers wrongly; only the first few, if that is enough."""
    found = []
    for question in asked:
        if not answers(player, question):
            found.append(question)
            if enough is not None and len(found) >= enough:
                break
    return found


def _controls(ruleset: Ruleset, asked: Sequence[Question]) -> None:
    unchanged = killers(Player(damspec.from_values(ruleset.values, ruleset.id)), asked)
    if unchanged:
        raise Void(f"{ruleset.id} unchanged does not pass its own case {unchanged[0].case.id}")
    for rule, value in (("man.move.directions", ["backward"]), ("man.capture.first", ["left"])):
        wrong = ruleset.with_value(rule, value)
        if len(killers(Player(wrong), asked, WANTED)) < WANTED:
            raise Void(f"{ruleset.id} with {rule} = {value} is noticed by fewer than {WANTED} cases")
