"""Interviews: further questions to an engine, which confirm or refute explanations."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from damspec import Position, Ruleset
from damspec.endings import outcome_of_position
from damspec.huffing import HuffableOffence
from damspec.turn import ActionGenerator
from damspec.validity import find_invalidity, may_be_reached

from ..answers.answer_diff import filter_differing
from ..answers.player import CaseQuestion, RulePlayer, case_questions
from ..cases.adapt import AboutIt, make_case
from ..cases.cases import Case, Expectation
from ..engines.process import Engine
from ..engines.protocol import Hello
from ..mutants.fault_catalogue import FaultyGenerator, OutcomeFault
from ..positions.sampling import PositionSampler
from .ask import ask
from .observation import observations
from .patterns import KnownAnswers
from .run import BREAKING

#: The most positions, seconds and broken processes of an interview. The seconds count waiting for answers and the
#: processor time of this process.
POSITIONS, SECONDS, BREAKS = 600, 10.0, 40
#: The most pieces of its positions.
_PIECES = 100
#: Positions compared to find one that faults answer differently: slow, since whole answers are worked out.
_COMPARED = 400
#: Positions compared if only rules differ.
_LOOKED_AT = 4000


@dataclass(frozen=True, eq=False)
class UnparsedQuestion(CaseQuestion):
    """A question about a position as a value, which needs no parsing."""

    at: Position

    @property
    def position(self) -> Position:
        """The position."""
        return self.at


class Interview:
    """Further questions to an engine, within limits; `start` makes one that has not been started."""

    def __init__(
        self,
        ruleset: Ruleset,
        start: Callable[[], Engine],
        hello: Hello,
        *,
        positions: int = POSITIONS,
        seconds: float = SECONDS,
    ) -> None:
        self.ruleset, self.hello = ruleset, hello
        #: What is asked about each position.
        self.kinds: tuple[AboutIt, ...] = ("moves",)
        #: How many positions have been asked about.
        self.asked = 0
        self._most, self._seconds = positions, seconds
        self._waited, self._breaks = 0.0, 0
        self._began: float | None = None
        self._start = start
        self._reader, self._turns = RulePlayer(ruleset), ActionGenerator(ruleset.rules, every_path=False)
        self._engine: Engine | None = None
        self._sampler = PositionSampler(ruleset, random.Random(0), (1, _PIECES))
        self._known: set[Position] = set()

    def __enter__(self) -> Interview:
        return self

    def __exit__(self, *_: object) -> None:
        self.restart()

    @property
    def leading(self) -> bool:
        """Whether the engine is asked for the positions after its moves."""
        return "play" in self.hello.questions

    @property
    def is_over(self) -> bool:
        """Whether nothing more may be asked."""
        worked = 0.0 if self._began is None else time.process_time() - self._began
        return self.asked >= self._most or self._waited + worked > self._seconds or self._breaks > BREAKS

    def restart(self) -> None:
        """End the engine's process; the next question starts a new one."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def question(self, position: Position, kind: AboutIt) -> CaseQuestion:
        """Return a question about a position."""
        case = make_case(self.ruleset, position, kind, f"further-{self.asked}", "games", readings=False)
        return case_questions(self.ruleset, [case])[0]

    def sketch(self, position: Position, kind: AboutIt) -> CaseQuestion:
        """Return the question without the positions after its moves, which is quicker."""
        turns = self._turns
        if kind == "outcome":
            expected = Expectation(outcome=outcome_of_position(turns, position))
        else:
            lapses = dict.fromkeys(map(str, turns.lapses(position)), "") if turns.rules.huff else None
            expected = Expectation(moves=dict.fromkeys(map(str, turns.actions(position)), ""), lapses=lapses)
        case = Case("", self.ruleset.base, "games", "", (), "", expected)
        return UnparsedQuestion(case, self._reader, expected, position)

    def ask(self, position: Position) -> KnownAnswers:
        """Return the engine's answers about a position; none once the interview is over."""
        found = KnownAnswers()
        if self._began is None:
            self._began = time.process_time()
        if self.is_over:
            return found
        self.asked += 1
        self._known.add(position)
        for kind in self.kinds:
            found.add(self._ask(position, kind))
        return found

    def _ask(self, position: Position, kind: AboutIt) -> KnownAnswers:
        question = self.question(position, kind)
        if self._engine is None:
            self._engine = self._start()
        self._engine.restarts_left = 1
        began = time.monotonic()
        result = ask(self._engine, self.ruleset, self.hello, question.case)
        self._waited += time.monotonic() - began
        if result.kind == "gone":
            self._breaks = BREAKS + 1
        if result.kind in BREAKING:
            self._breaks += 1
        if result.status in ("error", "timeout"):
            return KnownAnswers(unanswered=[question]) if result.kind == "refused" else KnownAnswers(broken=[question])
        return KnownAnswers(observations=observations(self.ruleset, [result], leading=self.leading))

    # --- positions to ask about

    def positions(self, near: Sequence[Position] = ()) -> Iterator[Position]:
        """Yield positions not asked about, without end: random ones, variants of some given, and their mirrors.

        Those that no game comes to are left out, since a right engine need not know an answer.

        If a position and its mirror image are both answered wrong, no side, square or direction is to blame.
        """
        rng = self._sampler.rng
        while True:
            drawn = [self._sampler.draw()]
            if near:
                drawn += [self._sampler.near(rng.choice(near)), self._mirror(rng.choice(near))]
            new = (one for one in drawn if one is not None and one not in self._known)
            yield from (one for one in new if may_be_reached(self._turns, one))

    def _mirror(self, position: Position) -> Position | None:
        """Return the position with colours swapped and the board rotated; None if no game has it."""
        turned = position.mirrored()
        if position.huffable is not None:
            turned = replace(turned, huffable=str(HuffableOffence.of(position).mirrored(len(position.board))))
        return None if find_invalidity(self._turns, turned) else turned

    def differing(self, players: Sequence[RulePlayer], near: Sequence[Position] = ()) -> Iterator[Position]:
        """Yield positions that not all players answer alike, among a limited number."""
        return differing_positions(players, self.positions(near), self.kinds)


def differing_positions(
    players: Sequence[RulePlayer],
    candidates: Iterable[Position],
    kinds: Sequence[AboutIt] = ("moves", "outcome"),
    most: int | None = None,
) -> Iterator[Position]:
    """Yield the positions that not all players answer alike; all positions if the players' boards differ."""
    first, *others = players
    if any(other.ruleset.rules.board != first.ruleset.rules.board for other in others):
        return islice(candidates, most or _COMPARED)
    if not any(isinstance(player.turns, FaultyGenerator) for player in players):
        return filter_differing(players, islice(candidates, most or _LOOKED_AT))
    return (
        position
        for position in islice(candidates, min(most or _COMPARED, _COMPARED))
        if any(_differ(first, other, position, kinds) for other in others)
    )


def _differ(one: RulePlayer, other: RulePlayer, position: Position, kinds: Sequence[AboutIt]) -> bool:
    at = [player.fit(position) for player in (one, other)]
    if "moves" in kinds:
        answers = [(player.moves(each), player.lapses(each)) for player, each in zip((one, other), at, strict=True)]
        if answers[0] != answers[1]:
            return True
    judged = one.ruleset is not other.ruleset or any(isinstance(player.turns, OutcomeFault) for player in (one, other))
    return "outcome" in kinds and judged and one.outcome(at[0]) != other.outcome(at[1])
