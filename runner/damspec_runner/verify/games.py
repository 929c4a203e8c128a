"""An engine held against the reference beyond the cases: in random games, or in given positions.

Each game follows the reference, so that one wrong answer does not spoil the rest. What comes up is made as small as it
goes, each kind of it once.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from damspec import DamspecError, Position, Ruleset
from damspec.possible import objection

from ..cases.made import ABOUT_IT, AboutIt, made
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, Unsupported
from ..positions.sampling import Sampler
from ..positions.walks import PLIES, Ply, walk
from .ask import ask, ask_params, read_position
from .doubt import Doubts, Suspicion, clauses_behind
from .moves import compare_moves
from .result import Divergence, Games, Result, told
from .run import BREAKING, INTERRUPTED, RESTARTS
from .shrink import shrunk

#: How many different disagreements are looked for.
MOST = 5
#: How many wrong positions of one game are looked at, and how many times the same fault is made small.
_A_GAME, _SHRUNK = 3, 4
#: What making a position small may take: questions about positions, seconds, and processes that break.
_TRIES, _SECONDS, _BREAKS = 2000, 30.0, 20
#: How many games begin at the start, and how many with a position of the cases; the others with one that is drawn.
_FROM_START, _FROM_CASES = 0.3, 0.25
#: After how many plies those others are broken off: soon, for they begin near to what they show.
_PLIES_FROM_CASES, _PLIES_FROM_DRAWN = 20, 10
#: How many pieces a generated position has.
_PIECES = (2, 12)
#: Verdicts after which there is nothing to look into.
_NOTHING = ("unsupported", "not-asked")


@dataclass(frozen=True)
class Scope:
    """What is compared: random games, so many or as many as fit into some seconds; or given positions, by line."""

    games: int | None = None
    seconds: float | None = None
    seed: int = 0
    given: tuple[tuple[int, Position], ...] | None = None


def compare(
    ruleset: Ruleset,
    start: Callable[[], Engine],
    hello: Hello,
    scope: Scope,
    origins: Sequence[Position] = (),
    *,
    most: int = MOST,
    restarts: int = RESTARTS,
    tell: Callable[[int], None] = lambda done: None,
) -> Games:
    """Hold an engine against the reference; `start` makes one that has not been started.

    `origins` are positions that games may begin with. There is an end after `most` different disagreements, and after
    the engine has been started again more than `restarts` times. `tell` hears how many games, or given positions, are
    done. A KeyboardInterrupt ends the comparison, not the report.
    """
    comparison = _Comparison(ruleset, start, hello, most, restarts)
    began = time.monotonic()
    ended = None
    try:
        try:
            if scope.given is not None:
                comparison.positions_given(scope.given, tell)
            else:
                deadline = None if scope.seconds is None else began + scope.seconds
                comparison.games_played(scope, origins, deadline, tell)
        except _Over as end:
            ended = str(end)
        finally:
            comparison.engine.close()
    except KeyboardInterrupt:
        ended = INTERRUPTED
    return comparison.end(time.monotonic() - began, ended)


class _Over(Exception):
    """There is nothing more to compare; `str()` is why."""


@dataclass
class _Found:
    """A fault that came up: the smallest position that shows it so far, and where it came up."""

    suspicion: Suspicion
    result: Result
    first: str
    places: set[int] = field(default_factory=set)
    shrunk: int = 0

    def take(self, smaller: Result) -> None:
        """Keep the smaller of two positions."""
        self.result = min(self.result, smaller, key=lambda one: (_size(one.case.position), one.case.position))


def _size(fen: str) -> tuple[int, int, int]:
    """Pieces, fields, kings."""
    sides = fen.split(":")
    pieces = [square for side in sides[1:3] for square in side[1:].split(",") if square]
    return len(pieces), len(sides), sum(square.startswith("K") for square in pieces)


class _Comparison:
    """A comparison as it goes."""

    def __init__(self, ruleset: Ruleset, start: Callable[[], Engine], hello: Hello, most: int, restarts: int) -> None:
        self.engine = start()
        self.seed: int | None = None
        self.games = self.positions = self.questions = self.unsupported = 0
        self._ruleset, self._start, self._hello = ruleset, start, hello
        self._most, self._restarts = most, restarts
        self._params = ask_params(ruleset, hello)
        self._doubts = Doubts(ruleset, hello.questions)
        self._found: list[_Found] = []
        self._broken = 0

    def end(self, seconds: float, ended: str | None) -> Games:
        """What was compared and what came up."""
        counts = self.games, self.positions, self.questions, self.unsupported
        return Games(self.seed, *counts, self._disagreements(), seconds, ended)

    def _disagreements(self) -> tuple[Divergence, ...]:
        done = []
        for each in self._found:
            rules = each.suspicion.rules
            case = replace(each.result.case, clauses=clauses_behind(self._ruleset, rules))
            one = Divergence(replace(each.result, case=case), each.first, len(each.places), rules)
            done.append(told(one, self.seed))
        return tuple(done)

    # --- what is compared ---------------------------------------------------------------------

    def positions_given(self, given: Sequence[tuple[int, Position]], tell: Callable[[int], None]) -> None:
        """Compare positions: all moves, the position after each, the outcome."""
        for done, (line, position) in enumerate(given):
            tell(done)
            self.positions += 1
            for question in ABOUT_IT:
                if question in self._hello.questions:
                    self.questions += 1
                    suffix = ".outcome" if question == "outcome" else ""
                    self._look_into(position, question, f"position-{line}{suffix}", line)

    def games_played(
        self, scope: Scope, origins: Sequence[Position], deadline: float | None, tell: Callable[[int], None]
    ) -> None:
        """Play games, each by a random order of its own, so that any of them can be played again."""
        self.seed = scope.seed
        sampler = Sampler(self._ruleset, random.Random(), _PIECES)
        number = 0
        while scope.games is None or number < scope.games:
            if deadline is not None and time.monotonic() > deadline:
                if scope.games is None:
                    return
                raise _Over(f"the {scope.seconds:g} seconds were over after {number} of {scope.games} games")
            tell(number)
            number += 1
            self._play(number, random.Random(f"{scope.seed}/{number}"), sampler, origins, deadline)
            self.games += 1

    def _play(
        self, number: int, rng: random.Random, sampler: Sampler, origins: Sequence[Position], deadline: float | None
    ) -> None:
        position, plies = self._origin(rng, sampler, origins)
        fen, wrong = position.fen(), 0
        for done, ply in enumerate(walk(self._ruleset, rng, position, plies)):
            if deadline is not None and time.monotonic() > deadline:
                return
            after = ply.after.fen() if ply.after is not None else None
            self.positions += 1
            unsupported = self.unsupported
            question = self._differs(ply, fen, after)
            if question is None and done == 0 and unsupported == self.unsupported:
                self._doubts.agreed(ply)
            if question is not None and wrong < _A_GAME:
                wrong += 1
                suffix = ".outcome" if question == "outcome" else ""
                self._look_into(ply.position, question, f"game-{number}.{done}{suffix}", number)
            fen = after or fen

    def _origin(self, rng: random.Random, sampler: Sampler, origins: Sequence[Position]) -> tuple[Position, int]:
        """Where a game begins, and how long it may last."""
        where = rng.random()
        if where < _FROM_START:
            return Position.start(self._ruleset.rules), PLIES
        if origins and where < _FROM_START + _FROM_CASES:
            return rng.choice(origins), _PLIES_FROM_CASES
        sampler.rng = rng
        while (position := sampler.draw()) is None:
            pass
        return position, _PLIES_FROM_DRAWN

    # --- a first look -------------------------------------------------------------------------

    def _differs(self, ply: Ply, fen: str, after: str | None) -> AboutIt | None:
        """The question that an engine seems to answer wrong, said quickly; it has to be looked into."""
        params = {**self._params, "position": fen}
        asked: AboutIt = "moves"
        try:
            if "moves" in self._hello.questions:
                listed = self._listed(ply, self._ask("moves", params))
                if listed is None:
                    return "moves"
                given = listed.get(str(ply.chosen))
                if given is not None and after is not None and "play" in self._hello.questions:
                    got = self._ask("play", {**params, "move": given})["position"]
                    if got != after and not self._same(got, after):
                        return "moves"
            asked = "outcome"
            if "outcome" in self._hello.questions:
                answer = self._ask("outcome", params)
                return "outcome" if answer["outcome"] != ply.result else None
        except Unsupported:
            self.unsupported += 1
        except EngineError as error:
            self._note(error.kind)
            return asked
        return None

    def _ask(self, method: str, params: Mapping[str, Any]) -> Any:
        self.questions += 1
        self.engine.restarts_left = 1
        return self.engine.ask(method, params)

    def _listed(self, ply: Ply, answer: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The engine's own word for each move and lapse; None if some are wrong."""
        moves = _matched(ply.position, [str(action) for action in ply.actions], answer["moves"])
        if not ply.lapses and not answer.get("lapses"):
            return moves
        if "lapses" not in answer:
            raise Unsupported("does not list lapses")
        lapses = _matched(ply.position, [str(move) for move in ply.lapses], answer["lapses"])
        return None if moves is None or lapses is None else {**moves, **lapses}

    def _same(self, one: str, other: str) -> bool:
        try:
            return read_position(self._ruleset, one) == read_position(self._ruleset, other)
        except DamspecError:
            return False

    def _note(self, kind: str | None) -> None:
        """Note that the engine has broken, if it has. Raises _Over if that is too often."""
        if kind == "gone":
            raise _Over("the engine could not be started again")
        self._broken += kind in BREAKING
        if self._broken > self._restarts:
            raise _Over(f"the engine was given up after breaking {self._broken} times")

    # --- a closer look ------------------------------------------------------------------------

    def _look_into(self, position: Position, question: AboutIt, id: str, place: int) -> None:
        """Judge an answer like that to a case; if it is wrong, find the smallest position that shows the same."""
        topic = "games" if id.startswith("game-") else "positions"
        result = self._judged(position, question, id, topic)
        self._note(result.kind)
        if result.status in _NOTHING:
            self.unsupported += result.status == "unsupported"
            return
        if result.status == "passed":
            if topic == "positions":
                self._doubts.right(result)
                return
            result = replace(result, status="unstable", message="answered otherwise when asked again")
        known = next((each for each in self._found if each.suspicion.shows_in(result)), None)
        if known is None:
            if len(self._found) == self._most:
                raise _Over(f"{self._most} different disagreements were found")
            result = self._alone(result)
            known = _Found(self._doubts.suspicion(result), result, position.fen())
            self._found.append(known)
        known.places.add(place)
        if known.shrunk < _SHRUNK and result.status in ("failed", "reading", "error"):
            known.shrunk += 1
            known.take(self._shrunk(known.suspicion, position, result, question))

    def _judged(self, position: Position, question: AboutIt, id: str, topic: str, *, readings: bool = True) -> Result:
        self.engine.restarts_left = 1
        case = made(self._ruleset, position, question, id, topic, readings=readings)
        return ask(self.engine, self._ruleset, self._hello, case)

    def _alone(self, result: Result) -> Result:
        """A result, unstable if a process that is asked nothing else gives the right answer."""
        if result.status not in ("failed", "reading", "error") or result.kind == "timeout":
            return result
        fresh = self._start()
        try:
            alone = ask(fresh, self._ruleset, self._hello, result.case)
        finally:
            fresh.close()
        if alone.status != "passed":
            return result
        why = "right when asked alone: state is kept from earlier questions"
        return replace(result, status="unstable", reading=None, message="; ".join(filter(None, [result.message, why])))

    def _shrunk(self, suspicion: Suspicion, position: Position, result: Result, question: AboutIt) -> Result:
        """The result in the smallest position found that shows the same fault."""
        id, topic = result.case.id, result.case.topic
        deadline, tries, breaks = time.monotonic() + _SECONDS, 0, 0
        best = result

        def shows(smaller: Position) -> bool:
            nonlocal best, tries, breaks
            if tries == _TRIES or breaks == _BREAKS or time.monotonic() > deadline:
                return False
            if objection(self._ruleset.turns, smaller):
                return False
            tries += 1
            found = self._judged(smaller, question, id, topic, readings=False)
            breaks += found.kind in BREAKING
            if found.status == "passed":
                self._doubts.right(found)
                return False
            if found.status == "failed":
                found = self._judged(smaller, question, id, topic)
            if not suspicion.shows_in(found):
                return False
            best = found
            return True

        shrunk(position, shows)
        return best


def _matched(position: Position, expected: Sequence[str], given: Sequence[Any]) -> Mapping[str, Any] | None:
    """The engine's own word for each expected action; None if some are missing or too many."""
    if len(given) == len(expected) and all(type(move) is str for move in given) and set(given) == set(expected):
        return dict(zip(expected, expected, strict=True))
    found = compare_moves(position, expected, given)
    return None if found else found.listed
