"""The laboratory: an engine that is asked further questions, within limits, and what is wrong with its answers."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

from damspec import DamspecError, Move, Position, Ruleset
from damspec.move import read_squares
from damspec.turn import ActionGenerator
from damspec.validity import find_invalidity, may_be_reached

from ...answers.answer import answer_differently, read_position
from ...answers.answer_diff import filter_differing
from ...answers.player import RulePlayer
from ...cases.adapt import ABOUT_IT, AboutIt, make_case
from ...engines.process import Engine
from ...engines.protocol import Hello
from ...mutants.fault_catalogue import FaultyGenerator
from ...positions.sampling import PositionSampler
from ..ask import ask
from ..result import LAPSE, Mismatch, Result
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


class Symptom(NamedTuple):
    """What is wrong in general: moves missing or extra, of which piece, taking how many (2 for more)."""

    what: str
    piece: str = ""
    size: int = 0


class Wrong(NamedTuple):
    """A symptom in a position: the move it is about, if it is about one, and what is wrong there."""

    move: str
    note: str = ""


#: The symptoms of an answer.
Symptoms = dict[Symptom, list[Wrong]]


class Laboratory:
    """An engine that is asked further questions; `start` makes one that has not been started."""

    def __init__(self, ruleset: Ruleset, start: Callable[[], Engine], hello: Hello, budget: Budget) -> None:
        self.ruleset, self.hello, self.budget = ruleset, hello, budget
        self.turns = ActionGenerator(ruleset.rules, every_path=False)
        self.kinds = [kind for kind in ABOUT_IT if kind in hello.questions]
        #: What its process has been asked so far.
        self.log: list[tuple[Position, AboutIt]] = []
        self._start = start
        self._engine: Engine | None = None
        self._known: dict[tuple[Position, AboutIt, bool], Result] = {}
        self._sampler = PositionSampler(ruleset, random.Random(0), (1, _PIECES))

    def __enter__(self) -> Laboratory:
        return self

    def __exit__(self, *_: object) -> None:
        self.restart()

    def restart(self) -> None:
        """End the engine's process; the next question starts a new one."""
        if self._engine is not None:
            self._engine.close()
        self._engine = None
        self.log.clear()
        self._known.clear()

    def ask(self, position: Position, kind: AboutIt = "moves", *, leading: bool = True) -> Result:
        """Return the result of a question; unless `leading`, it is not asked where its moves lead."""
        known = self._known.get((position, kind, leading))
        if known is None:
            self._engine = self._engine or self._start()
            known = self._ask(self._engine, position, kind, leading)
            self.log.append((position, kind))
            if known.kind in BREAKING:
                self.log.clear()
            self._known[position, kind, leading] = known
            if len(self._known) > _KEPT:
                del self._known[next(iter(self._known))]
        return known

    def ask_afresh(self, questions: Sequence[tuple[Position, AboutIt]], *, playing: bool = True) -> Result:
        """Return the result of the last of some questions to a fresh process; unless `playing`, no other is played."""
        engine = self._start()
        try:
            for position, kind in questions[:-1]:
                self._ask(engine, position, kind, leading=playing)
            return self._ask(engine, *questions[-1], leading=True)
        finally:
            engine.close()

    def ask_again(self, position: Position, kind: AboutIt) -> Result:
        """Return the result of a question that may have been asked before."""
        self._known.pop((position, kind, True), None)
        return self.ask(position, kind)

    def _ask(self, engine: Engine, position: Position, kind: AboutIt, leading: bool) -> Result:
        budget = self.budget
        case = make_case(self.ruleset, position, kind, f"further-{budget.asked}", "games", readings=False)
        hello = self.hello if leading else replace(self.hello, questions=self.hello.questions - {"play"})
        engine.restarts_left = 1
        began, worked = time.monotonic(), time.process_time()
        result = ask(engine, self.ruleset, hello, case)
        budget.waited += max(0.0, time.monotonic() - began - (time.process_time() - worked))
        budget.asked += 1 + (len(case.expected.moves or ()) if "play" in hello.questions else 0)
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


# --- what is wrong with an answer


def squares_of(move: str, position: Position) -> tuple[int, ...]:
    """Return the squares that a move's text names; none of what is no move of the board."""
    try:
        return read_squares(move.removeprefix(LAPSE).partition(" (")[0], position.board)[0]
    except DamspecError:
        return ()


def size_of(move: str) -> int:
    """Return how many pieces a move's text takes: 0, 1, or 2 for more."""
    return min(move.partition(" (")[0].count("x"), 2)


def symptoms(ruleset: Ruleset, position: Position, result: Result) -> Symptoms:
    """Return what is wrong with an answer, in general and in particular."""
    found: Symptoms = defaultdict(list)
    if result.status in ("error", "timeout"):
        found[Symptom("error", result.kind or "error")].append(Wrong("", result.message or ""))
    for word, moves, _ in result.listings():
        for move in moves if word != "duplicate" else ():
            found[Symptom(word, mover(position, move), size_of(move))].append(Wrong(move))
    for move, mismatch in result.after.items():
        what, note = _after(ruleset, move, mismatch)
        found[Symptom(f"after: {what}", mover(position, move), size_of(move))].append(Wrong(move, note))
    if result.outcome:
        right, got = result.outcome.expected.split(" ")[0], result.outcome.got
        note = f"the engine says {got} where {result.outcome.expected} is right"
        found[Symptom("outcome", f"{right} as {got.split(' ')[0]}")].append(Wrong("", note))
    return found


def mover(position: Position, move: str) -> str:
    """Return which piece a move's text moves."""
    squares = squares_of(move, position)
    if not squares:
        return "action"
    piece = position[squares[0]]
    if piece is None:
        return "empty square"
    return piece.kind if piece.side == position.turn else "piece of the other side"


def _after(ruleset: Ruleset, move: str, mismatch: Mismatch) -> tuple[str, str]:
    """Return how the position after a move is wrong, in general and in words."""
    try:
        right, got = (read_position(ruleset, fen) for fen in (mismatch.expected, mismatch.got))
    except DamspecError:
        return "no position", f"after {move} the engine answers {mismatch.got}"
    kinds, notes = set(), []
    squares = squares_of(move, right)
    for square in sorted({*right, *got}):
        here, wanted = got[square], right[square]
        if here == wanted:
            continue
        whose = "moved piece" if squares and square == squares[-1] else "start" if square in squares[:1] else "other"
        what = "gone" if here is None else "stays" if wanted is None else "changed"
        kinds.add(f"{whose} {what}")
        notes.append(f"{_name(here)} on {square} (right: {_name(wanted)})")
    if right.turn != got.turn:
        kinds.add("turn")
        notes.append(f"{got.turn.capitalize()} is to move (right: {right.turn.capitalize()})")
    fields = [":".join(one.fen().split(":")[3:]) for one in (right, got)]
    if fields[0] != fields[1]:
        kinds.add("fields")
        notes.append(f"{fields[1] or 'no field after the pieces'} (right: {fields[0] or 'none'})")
    more = f" and {len(notes) - 4} more" if len(notes) > 4 else ""
    return " and ".join(sorted(kinds)), f"after {move} the engine has {', '.join(notes[:4])}{more}"


def _name(piece: object) -> str:
    return " ".join(piece) if isinstance(piece, tuple) else "nothing"


def legal_moves(turns: ActionGenerator, position: Position) -> list[Move]:
    """Return the legal moves, without other actions."""
    return [action for action in turns.actions(position) if isinstance(action, Move)]
