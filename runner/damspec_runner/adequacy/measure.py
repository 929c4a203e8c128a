"""What the cases can tell apart: every mutant of a ruleset is put to them, and the cases that notice it are listed.

A mutant that no case notices is either a missing case or a proved equivalent (`cases/equivalents.yaml`). Controls make
sure that the measuring works: a ruleset that is not changed must survive, and rules that are plainly wrong must die.
Faults that are no rule (`spec/faults.yaml`) are put to the cases in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import damspec
from damspec import Ruleset
from damspec.equivalents import equivalents

from ..answers.player import Player
from ..answers.question import Question, answers, questions
from ..cases.cases import cases_for
from ..variants.faults import Remembering, faults
from ..variants.mutants import pairs, single
from .panel import Panel

#: How many cases have to notice a mutant.
WANTED = 2


class Void(Exception):
    """A control failed (see `measure`), so the run proves nothing."""


@dataclass(frozen=True)
class Verdict:
    """A mutant's fate, or a fault's: the cases that notice it, with their topics (all of them, or the first few)."""

    mutant: str
    kind: str
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


def measure(ruleset: Ruleset, *, with_pairs: bool = False) -> Iterator[Verdict]:
    """The verdict on each mutant with one change, on each alternative reading and, if wanted, on each mutant with two.

    Raises Void if a control fails.
    """
    asked = questions(ruleset, cases_for(ruleset))
    _controls(ruleset, asked)
    panel = Panel(ruleset, asked)
    known = {name: why for (id, name), why in equivalents().items() if id == ruleset.base}
    for mutant in single(ruleset):
        yield _verdict(mutant.name, "single", panel.noticing(mutant.ruleset), known.get(mutant.name))
    for name, alternative in ruleset.alternatives.items():
        yield _verdict(name, "reading", panel.noticing(alternative), known.get(name))
    for mutant in pairs(ruleset) if with_pairs else ():
        yield _verdict(mutant.name, "pair", panel.noticing(mutant.ruleset, WANTED + 1), known.get(mutant.name))


def measure_faults(ruleset: Ruleset) -> Iterator[Verdict]:
    """The verdict on each fault with each of its values. The cases are asked in their order, by one engine.

    A fault shows in moves and in the positions after them only: who has won, the engine knows nevertheless. Raises Void
    if a control fails.
    """
    asked = questions(ruleset, cases_for(ruleset))
    _controls(ruleset, asked)
    right = Remembering(ruleset.turns)
    for fault in faults(ruleset):
        yield _verdict(fault.name, "fault", killers(Player(ruleset, fault.turns(right)), asked))


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


def _verdict(name: str, kind: str, noticed: Iterable[Question], why: str | None = None) -> Verdict:
    found = [question.case for question in noticed]
    topics = tuple(dict.fromkeys(case.topic for case in found))
    return Verdict(name, kind, tuple(case.id for case in found), topics, why)


def _controls(ruleset: Ruleset, asked: list[Question]) -> None:
    unchanged = killers(Player(damspec.from_values(ruleset.values, ruleset.id)), asked)
    if unchanged:
        raise Void(f"{ruleset.id} unchanged does not pass its own case {unchanged[0].case.id}")
    for rule, value in (("man.move.directions", ["backward"]), ("man.capture.first", ["left"])):
        wrong = ruleset.with_value(rule, value)
        if len(killers(Player(wrong), asked, WANTED)) < WANTED:
            raise Void(f"{ruleset.id} with {rule} = {value} is noticed by fewer than {WANTED} cases")
