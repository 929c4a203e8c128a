"""The engine under test, which an explanation asks further questions, within limits."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice

from damspec import Position, Ruleset
from damspec.sampling import PositionSampler
from damspec.validity import find_invalidity, may_be_reached

from ...answers.answer_diff import PositionView, PossibleDifferences, fits
from ...answers.player import RulePlayer, answer_differently
from ...cases.adapt import ABOUT_IT, AboutIt
from ...engines.process import Engine
from ...engines.protocol import Hello
from ...mutants.fault_catalogue import FaultyGenerator
from ..findings import ask_about
from ..result import Result
from ..run import BREAKING

#: Seconds and questions of an explanation by default, and the processes that may break in it.
SECONDS, QUESTIONS, BREAKS = 10.0, 2000, 25
#: The most answers that are kept, not to ask again: one that is wrong in everything takes 100 kB.
_KEPT = 100
#: As how many broken processes a timeout counts.
_TIMEOUT = 9
#: The most pieces of positions drawn at random.
_PIECES = 100
#: Positions compared to find one that rules answer differently, and that mistakes do, which is slower.
_COMPARED, _COMPARED_SLOWLY = 4000, 400

#: A question about a position.
AskedQuestion = tuple[Position, AboutIt]


@dataclass
class Budget:
    """The limits of an explanation: seconds of processor time, as many of waiting for the engine, and questions."""

    seconds: float = SECONDS
    questions: int = QUESTIONS
    waited: float = 0.0
    asked: int = 0
    broken: int = 0
    began: float = field(default_factory=time.process_time)
    began_at: float = field(default_factory=time.monotonic)
    #: Told what is being done, since an explanation may take some seconds.
    tell: Callable[[str], None] = lambda line: None

    def is_over(self, share: float = 1.0, questions: float | None = None) -> bool:
        """Return whether a share of the limits is used up; that of `questions` may be another one."""
        worked, passed = time.process_time() - self.began, time.monotonic() - self.began_at
        # Where other programs take most of the machine, an engine gets as little of it as this process does.
        slowed = max(1.0, (passed - self.waited) / max(worked, 0.1))
        most = (share if questions is None else questions) * self.questions
        return max(worked, self.waited / slowed) > share * self.seconds or self.asked > most or self.broken > BREAKS


class EngineUnderTest:
    """An engine that is asked further questions; `start` makes one that has not been started."""

    def __init__(self, ruleset: Ruleset, start: Callable[[], Engine], hello: Hello, budget: Budget) -> None:
        self.ruleset, self.hello, self.budget = ruleset, hello, budget
        self.player = RulePlayer(ruleset)
        self.turns = self.player.turns
        self.kinds = [kind for kind in ABOUT_IT if kind in hello.questions]
        #: What its process has been asked so far.
        self.log: list[AskedQuestion] = []
        self._start = start
        self._engine: Engine | None = None
        self._known: dict[tuple[Position, AboutIt, bool], Result] = {}
        self._sampler = PositionSampler(ruleset, random.Random(0), (1, _PIECES))

    def close(self) -> None:
        """End the engine's process; the next question starts a new one."""
        if self._engine is not None:
            self._engine.close()
        self._engine = None
        self.log.clear()
        self._known.clear()

    def ask(self, position: Position, kind: AboutIt = "moves", *, with_successors: bool = True) -> Result:
        """Return the result of a question; unless `with_successors`, it is not asked where its moves lead."""
        known = self._known.get((position, kind, with_successors))
        if known is None:
            self._engine = self._engine or self._start()
            known = self._ask(self._engine, position, kind, with_successors)
            self.log.append((position, kind))
            if known.kind in BREAKING:
                self.log.clear()
            self._known[position, kind, with_successors] = known
            if len(self._known) > _KEPT:
                del self._known[next(iter(self._known))]
        return known

    def ask_afresh(self, questions: Sequence[AskedQuestion], *, playing: bool = True) -> Result:
        """Return the result of the last of some questions to a fresh process; unless `playing`, no other is played."""
        with closing(self._start()) as engine:
            for position, kind in questions[:-1]:
                self._ask(engine, position, kind, with_successors=playing)
            return self._ask(engine, *questions[-1], with_successors=True)

    def ask_again(self, position: Position, kind: AboutIt) -> Result:
        """Return the result of a question that may have been asked before."""
        self._known.pop((position, kind, True), None)
        return self.ask(position, kind)

    def _ask(self, engine: Engine, position: Position, kind: AboutIt, with_successors: bool) -> Result:
        budget = self.budget
        hello = self.hello if with_successors else replace(self.hello, questions=self.hello.questions - {"play"})
        began, worked = time.monotonic(), time.process_time()
        id = f"further-{budget.asked}"
        result = ask_about(engine, self.ruleset, hello, position, kind, id, "games", readings=False)
        budget.waited += max(0.0, time.monotonic() - began - (time.process_time() - worked))
        budget.asked += 1 + (len(result.case.expected.moves or ()) if "play" in hello.questions else 0)
        budget.broken += _TIMEOUT if result.kind == "timeout" else result.kind in BREAKING
        if result.kind == "gone":
            budget.broken = BREAKS + 1
        return result

    # --- positions

    def may_ask(self, position: Position, beside: Position | None = None) -> bool:
        """Return whether a position is valid, and one that a game may come to: no engine need know others.

        To compare with a position `beside` it, that no game comes to either, such a one may be asked too.
        """
        if find_invalidity(self.turns, position):
            return False
        return may_be_reached(self.turns, position) or not (beside is None or may_be_reached(self.turns, beside))

    def positions(self, near: Sequence[Position] = ()) -> Iterator[Position]:
        """Yield positions not asked about until the limits are reached: random ones, variants of some, and mirrors."""
        rng, seen = self._sampler.rng, {position for position, _ in self.log}
        while not self.budget.is_over():
            drawn = [self._sampler.draw()]
            if near:
                drawn += [self._sampler.near(rng.choice(near)), rng.choice(near).mirrored()]
            for one in drawn:
                if one is not None and one not in seen and self.may_ask(one):
                    seen.add(one)
                    yield one
            seen = seen if len(seen) < _COMPARED else set()

    def differing(self, players: Sequence[RulePlayer], near: Sequence[Position] = ()) -> Iterator[Position]:
        """Yield positions that not all players answer alike, among a limited number."""
        return differing_positions(players, islice(self.positions(near), _COMPARED))


def differing_positions(players: Sequence[RulePlayer], positions: Iterator[Position]) -> Iterator[Position]:
    """Yield positions that not all players answer alike; all if the players' boards differ."""
    first, *others = players
    if any(other.ruleset.rules.board != first.ruleset.rules.board for other in others):
        return islice(positions, _COMPARED_SLOWLY)
    if not any(isinstance(player.turns, FaultyGenerator) for player in players):
        return filter_differing(players, positions)
    found = islice(positions, _COMPARED_SLOWLY)
    return (position for position in found if any(answer_differently(first, other, position) for other in others))


def filter_differing(players: Sequence[RulePlayer], candidates: Iterable[Position]) -> Iterator[Position]:
    """Yield the candidates that are valid for all players and that not all of them answer alike.

    No candidate is looked at if the rules differ in nothing that a position shows.
    """
    first, *others = players
    possible_differences = [PossibleDifferences.between(first.ruleset, other.ruleset) for other in others]
    for position in candidates if any(possible_differences) else ():
        if not all(fits(player, position) for player in players):
            continue
        view, *views = (PositionView(player, position) for player in players)
        if any(map(view.differs, views, possible_differences)) and all(each.possible for each in (view, *views)):
            yield position
