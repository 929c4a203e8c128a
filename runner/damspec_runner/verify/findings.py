"""What comes up when an engine is held against the reference: looked into like a case, made small, told apart."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from damspec import Position, Ruleset
from damspec.possible import objection

from ..cases.made import AboutIt, made
from ..engines.process import Engine
from ..engines.protocol import Hello
from ..positions.walks import Ply
from .ask import ask
from .doubt import Doubts, Suspicion, clauses_behind
from .result import DIFFERS, DRAWN, RIGHT_ALONE, Divergence, Result, told
from .run import BREAKING
from .shrink import shrunk

#: The topics of what comes up, by what its id begins with.
_TOPICS = {"game": "games", "position": "positions", DRAWN: DRAWN}
#: How many wrong answers, and how many right ones, are kept as they came.
_KEPT_WRONG, _KEPT_RIGHT = 60, 300
#: How many times the same fault is made small.
_SHRUNK = 4
#: What making a position small may take: questions about positions, seconds, and processes that break.
_TRIES, _SECONDS, _BREAKS = 2000, 30.0, 20


class Over(Exception):
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


class Findings:
    """What came up so far, and the engine that is asked about it."""

    def __init__(self, ruleset: Ruleset, start: Callable[[], Engine], hello: Hello, most: int, restarts: int) -> None:
        self.engine = start()
        #: How many positions were left unanswered by the engine's own word.
        self.unsupported = 0
        self.doubts = Doubts(ruleset, hello.questions)
        self._ruleset, self._start, self._hello = ruleset, start, hello
        self._most, self._restarts = most, restarts
        self._found: list[_Found] = []
        self._wrong: list[Result] = []
        self._right: list[Callable[[], Iterable[Ply]]] = []
        self._kept = 0
        #: How often the engine has broken.
        self.broken = 0

    def reported(self, seed: int | None) -> tuple[Divergence, ...]:
        """All that came up, in its final words; `seed` is that of the games."""
        done = []
        for each in self._found:
            rules = each.suspicion.rules
            case = replace(each.result.case, clauses=clauses_behind(self._ruleset, rules))
            one = Divergence(replace(each.result, case=case), each.first, len(each.places), rules)
            done.append(told(one, seed))
        return tuple(done)

    def agreed(self, plies: Callable[[], Iterable[Ply]], positions: int = 1) -> None:
        """Take in positions of a game in which the engine's answers were right, which are told when they are wanted."""
        if self._kept < _KEPT_RIGHT:
            self._kept += positions
            self._right.append(plies)

    def sample(self) -> tuple[Result, ...]:
        """Some answers as they came, in positions that were not made small: wrong ones, and right ones beside them."""
        if not self._wrong:
            return ()
        cases = (
            made(self._ruleset, ply.position, "moves", f"right-{n}", "games", readings=False)
            for n, ply in enumerate(islice(chain.from_iterable(plies() for plies in self._right), _KEPT_RIGHT))
        )
        return (*self._wrong, *(Result(case, "passed") for case in cases))

    def note(self, kind: str | None) -> None:
        """Note that the engine has broken, if it has. Raises Over if that is too often."""
        if kind == "gone":
            raise Over("the engine could not be started again")
        self.broken += kind in BREAKING
        if self.broken > self._restarts:
            raise Over(f"the engine was given up after breaking {self.broken} times")

    def look_into(self, position: Position, question: AboutIt, id: str, place: int) -> None:
        """Judge an answer like that to a case; if it is wrong, find the smallest position that shows the same."""
        topic = _TOPICS[id.partition("-")[0]]
        result = self._judged(position, question, id, topic)
        self.note(result.kind)
        if result.status in ("unsupported", "not-asked"):
            self.unsupported += result.status == "unsupported"
            return
        if result.status == "passed":
            if topic != "games":
                self.doubts.right(result)
                return
            result = replace(result, status="unstable", message=DIFFERS)
        if result.status in ("failed", "reading", "error", "timeout") and len(self._wrong) < _KEPT_WRONG:
            self._wrong.append(result)
        known = next((each for each in self._found if each.suspicion.shows_in(result)), None)
        if known is None:
            if len(self._found) == self._most:
                raise Over(f"{self._most} different disagreements were found")
            result = self._alone(result)
            known = _Found(self.doubts.suspicion(result), result, position.fen())
            self._found.append(known)
        known.places.add(place)
        if known.shrunk < _SHRUNK and result.status in ("failed", "reading", "error"):
            known.shrunk += 1
            known.take(self._shrunk(known.suspicion, position, result, question))

    def _judged(
        self, position: Position, question: AboutIt, id: str, topic: str, *, hello: Hello | None = None
    ) -> Result:
        """The result of a case about a position; by another `hello`, for a first look, under no other readings."""
        self.engine.restarts_left = 1
        case = made(self._ruleset, position, question, id, topic, readings=hello is None)
        return ask(self.engine, self._ruleset, hello or self._hello, case)

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
        message = "; ".join(filter(None, [result.message, RIGHT_ALONE]))
        return replace(result, status="unstable", reading=None, message=message)

    def _shrunk(self, suspicion: Suspicion, position: Position, result: Result, question: AboutIt) -> Result:
        """The result in the smallest position found that shows the same fault."""
        id, topic = result.case.id, result.case.topic
        deadline, tries, breaks = time.monotonic() + _SECONDS, 0, 0
        best = result
        # Where the list is wrong nothing else need be asked to see that another is right.
        listed = result.missing or result.extra or result.unparsable
        first = replace(self._hello, questions=self._hello.questions - {"play"}) if listed else self._hello

        def shows(smaller: Position) -> bool:
            nonlocal best, tries, breaks
            if tries == _TRIES or breaks == _BREAKS or time.monotonic() > deadline:
                return False
            if objection(self._ruleset.turns, smaller):
                return False
            tries += 1
            found = self._judged(smaller, question, id, topic, hello=first)
            breaks += found.kind in BREAKING
            if found.status == "passed":
                if not listed:
                    self.doubts.right(found)
                return False
            if found.status == "failed":
                found = self._judged(smaller, question, id, topic)
            if not suspicion.shows_in(found):
                return False
            best = found
            return True

        shrunk(position, shows)
        return best
