"""Random games and given positions played by engine and reference side by side."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count, islice
from typing import Any

from damspec import Position, PositionError, Ruleset
from damspec.sampling import PositionSampler
from damspec.validity import may_be_reached

from ..cases.adapt import ABOUT_IT, AboutIt
from ..cases.cases import Case
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, UnsupportedError
from ..positions.random_games import PLIES, Ply, SplitMix64, play_random_game
from .capabilities import CapabilityAdapter
from .exchange import Transcript, ask_params, drive, exchange
from .findings import Findings, FuzzLimitError, ask_about
from .plies import AskedPly, ply_question, ply_requests
from .result import FuzzResult, Origin, Result
from .run import BREAKING, INTERRUPTED, RESTARTS
from .sessions import part_size, run_sessions

#: The most different disagreements that are looked for.
MOST = 5
#: The most wrong positions of one game that are investigated.
_A_GAME = 3
#: The shares of games that begin at the start, and with a position of the cases; the others begin with a drawn one.
_FROM_START, _FROM_CASES = 0.3, 0.25
#: The most plies of games that do not begin at the start: few, for they begin near to what they show.
_PLIES_FROM_CASES, _PLIES_FROM_DRAWN = 20, 10
#: The most games that are asked about at once, and the seconds under which one more than before are.
_AT_ONCE, _SOON = 32, 0.05
#: How many pieces a generated position has.
_PIECES = (2, 12)


@dataclass(frozen=True)
class FuzzConfig:
    """What is compared: `games` random games or as many as fit into `seconds`; or given positions, by line."""

    games: int | None = None
    seconds: float | None = None
    seed: int = 0
    positions: tuple[tuple[int, Position], ...] | None = None
    #: Whether the positions are random ones, drawn for an engine that plays.
    random: bool = False


def fuzz(
    ruleset: Ruleset,
    start: Callable[[], Engine],
    hello: Hello,
    config: FuzzConfig,
    origins: Sequence[Position] = (),
    *,
    jobs: int = 1,
    most: int = MOST,
    restarts: int = RESTARTS,
    report_progress: Callable[[int], None] = lambda done: None,
) -> FuzzResult:
    """Compare an engine with the reference; `start` makes an engine that has not been started.

    `origins` are positions that games may begin with; those that no game comes to are left out. Games and positions are
    spread over `jobs` engines at once, which does not change the result. The comparison ends after `most` different
    disagreements, or when the engine has been restarted more than `restarts` times; a KeyboardInterrupt ends it too,
    and the result says so. `report_progress` is called with the number of games, or given positions, that are done.
    """
    if hello.is_concluded:  # what follows from the moves is known when they are compared
        hello = replace(hello, questions=hello.questions - {"outcome"})
    origins = [each for each in origins if may_be_reached(ruleset.turns, each)]
    run = _FuzzRun(ruleset, hello, config, origins, restarts, report_progress)
    kind = _GameSession if config.positions is None else _PositionSession
    sessions = [kind(run, start()) for _ in range(jobs)]
    findings = Findings(ruleset, start, hello, most, restarts, sessions[0].engine if jobs == 1 else None)
    ended = None
    try:
        try:
            run.compare(sessions, findings)
        except FuzzLimitError as end:
            ended = str(end)
        finally:
            findings.engine.close()
            for session in sessions:
                session.close()
    except KeyboardInterrupt:
        ended = INTERRUPTED
    return run.end(findings, ended)


def game_origins(ruleset: Ruleset, cases: Iterable[Case]) -> list[Position]:
    """Return the different positions of cases, with which games may begin; those that are wrong are left out."""
    found: dict[Position, None] = {}
    for case in cases:
        with suppress(PositionError):
            found[ruleset.position(case.position)] = None
    return [*found]


@dataclass
class _PositionResult:
    """What came of the questions about one position: their number, but for those in flight before."""

    questions: int = 0
    #: Whether the engine declined a question.
    is_unsupported: bool = False
    #: The kind of error that broke the engine.
    error: str | None = None
    #: The ply, if it was answered right.
    right: Ply | None = None
    #: The results of questions that were asked in full.
    results: tuple[Result, ...] = ()
    #: Whether it is one more position, or the same asked again.
    is_new: bool = True


@dataclass
class _Comparison:
    """What a session found in a game or a given position."""

    #: The plies of a game, and the number of questions about them that were in flight at once.
    plies: Sequence[Ply] = ()
    pipelined: int = 0
    positions: list[_PositionResult] = field(default_factory=list)


@dataclass
class _FuzzRun:
    """What is compared, and how far that is: comparisons are taken in in the order of the games."""

    ruleset: Ruleset
    hello: Hello
    config: FuzzConfig
    origins: Sequence[Position]
    restarts: int
    report_progress: Callable[[int], None]
    began: float = field(default_factory=time.monotonic)
    _done: int = field(default=0, init=False)
    _positions: int = field(default=0, init=False)
    _questions: int = field(default=0, init=False)
    #: Comparisons that came before an earlier one.
    _early: dict[int, _Comparison] = field(default_factory=dict, init=False)
    _is_over: bool = field(default=False, init=False)

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return self.config.seconds is not None and time.monotonic() > self.began + self.config.seconds

    def compare(self, sessions: Sequence[_PositionSession], findings: Findings) -> None:
        """Compare all that is asked for. Raises FuzzLimitError."""

        def take(place: int, comparison: _Comparison) -> None:
            self._early[place] = comparison
            while (following := self._early.pop(self._done, None)) is not None:
                try:
                    self._add(following, findings)
                except BaseException:
                    self._is_over = True
                    raise
                self._done += 1
                self.report_progress(self._done)

        config = self.config
        run_sessions(
            sessions,
            self._parts(len(sessions)),
            take,
            lambda place: not (self._is_over or self.is_late),
            late=False,
        )
        if config.positions is None and config.games is not None and self._done < config.games:
            raise FuzzLimitError(f"the {config.seconds:g} seconds were over after {self._done} of {config.games} games")

    def _parts(self, sessions: int) -> Iterator[range]:
        """Yield the numbers of games, or the places of positions, that a session takes at once."""
        number = self.config.games if self.config.positions is None else len(self.config.positions)
        size = part_size(number or 0, sessions, _AT_ONCE)
        for first in range(0, number, size) if number is not None else count(step=size):
            if self.is_late:
                return
            yield range(first, first + size if number is None else min(first + size, number))

    def _add(self, comparison: _Comparison, findings: Findings) -> None:
        """Add what was found in the next game or position. Raises FuzzLimitError."""
        _note_plies(findings.engine, self.hello, comparison.plies)
        line = self.config.positions[self._done][0] if self.config.positions else self._done + 1
        self._questions += comparison.pipelined
        for place, one in enumerate(comparison.positions):
            self._positions += one.is_new
            self._questions += one.questions
            findings.unsupported += one.is_unsupported
            if one.right is not None:
                findings.add_right_ply(one.right, is_first=place == 0)
            if one.error is not None:
                findings.note_error(one.error)
            for result in one.results:
                findings.add(result, line)

    def end(self, findings: Findings, ended: str | None) -> FuzzResult:
        """Return what was compared and what came up."""
        config, seconds = self.config, time.monotonic() - self.began
        seed = None if config.positions is not None and not config.random else config.seed
        games = self._done if config.positions is None else 0
        counts = games, self._positions, self._questions, findings.unsupported
        return FuzzResult(seed, *counts, findings.divergences(seed), seconds, ended, findings.sample())


class _PositionSession:
    """Asks one engine about given positions: all moves, the position after each, the outcome; or what is played."""

    def __init__(self, run: _FuzzRun, engine: Engine) -> None:
        self.engine, self._run = engine, run

    def results(self, places: Iterable[int]) -> Iterator[tuple[int, _Comparison]]:
        """Yield what is found in each position."""
        config, hello = self._run.config, self._run.hello
        for place in places:
            line, position = (config.positions or ())[place]
            results = tuple(
                self._ask(position, about, Origin("drawn" if config.random else "position", line))
                for about in ABOUT_IT
                if about in hello.questions or (about == "moves" and hello.manner == "played")
            )
            yield place, _Comparison(positions=[_PositionResult(len(results), results=results)])

    def close(self) -> None:
        """End the engine."""
        self.engine.close()

    def _ask(self, position: Position, about: AboutIt, origin: Origin) -> Result:
        """Return the result of a question that is asked in full."""
        run = self._run
        return ask_about(self.engine, run.ruleset, run.hello, position, about, origin.id(about), origin.topic)


class _GameSession(_PositionSession):
    """Asks one engine about random games, each with a seed of its own, so that any of them can be replayed."""

    def __init__(self, run: _FuzzRun, engine: Engine) -> None:
        super().__init__(run, engine)
        self._params = ask_params(run.ruleset, run.hello)
        self._sampler = PositionSampler(run.ruleset, random.Random(), _PIECES)
        #: Whether questions are pipelined: not any more once the engine has broken with several in flight.
        self._pipelined = run.hello.max_in_flight > 1

    def results(self, places: Iterable[int]) -> Iterator[tuple[int, _Comparison]]:
        """Yield what is found in each game; the reference knows how it goes before the engine is asked."""
        at_once, places = 1, iter(places)
        while numbers := [*islice(places, at_once if self._pipelined else 1)]:
            begun = time.monotonic()
            games = [[*self._play(number + 1)] for number in numbers]
            if self._pipelined:
                self._ask_ahead([one for game in games for one in game])
            for number, game in zip(numbers, games, strict=True):
                yield number, self._compare(number + 1, game)
            if time.monotonic() - begun < _SOON:
                at_once = min(2 * at_once, _AT_ONCE)

    def _play(self, number: int) -> Iterator[AskedPly]:
        """Yield the plies of a game."""
        position, plies, seed = self._begin(random.Random(f"{self._run.config.seed}/{number}"))
        fen = position.fen()
        for ply in play_random_game(self._run.ruleset, SplitMix64(seed), position, plies):
            after = ply.after.fen() if ply.after is not None else None
            yield AskedPly(ply, ply_requests(self._run.hello.questions, self._params, ply, fen, after))
            fen = after or ""

    def _begin(self, rng: random.Random) -> tuple[Position, int, int]:
        """Return the position that a game begins with, the most plies it has, and the seed of its moves."""
        run = self._run
        seed, where = rng.getrandbits(64), rng.random()
        if where < _FROM_START or not run.hello.setup:
            return Position.start(run.ruleset.rules), PLIES, seed
        if run.origins and where < _FROM_START + _FROM_CASES:
            return rng.choice(run.origins), _PLIES_FROM_CASES, seed
        self._sampler.rng = rng
        while (position := self._sampler.draw()) is None or not may_be_reached(run.ruleset.turns, position):
            pass
        return position, _PLIES_FROM_DRAWN, seed

    def _ask_ahead(self, plies: Sequence[AskedPly]) -> None:
        """Pipeline the requests about plies, and keep the replies; those after an error are asked again later."""
        asked = [(one, request) for one in plies for _, request, _ in one.requests]
        self.engine.restarts_left = 1
        replies = self.engine.ask_all([request for _, request in asked])
        for one, request in asked:
            try:
                one.add(request, next(replies))
            except EngineError as error:
                self._pipelined, one.error = False, error.kind
                return

    def _compare(self, number: int, game: Sequence[AskedPly]) -> _Comparison:
        run = self._run
        found = _Comparison([one.ply for one in game], sum(len(one.replies) for one in game))
        wrong = breaks = 0
        for place, one in enumerate(game):
            if run.is_late:
                return found
            here = _PositionResult()
            found.positions.append(here)
            if run.hello.manner == "played":
                about: AboutIt | None = "moves" if one.ply.actions else None
                here.questions = int(about is not None)
            else:
                about = self._find_wrong(one, here)
                wrong += about is not None
            if about is not None and wrong <= _A_GAME:
                here.results = (self._ask(one.ply.position, about, Origin("game", number, place)),)
            if about is None and not here.is_unsupported:
                here.right = one.ply
            kinds = [here.error, *(result.kind for result in here.results)]
            breaks += sum(kind in BREAKING for kind in kinds)
            if breaks > run.restarts or "gone" in kinds:
                return found
            _note_plies(self.engine, run.hello, [one.ply])
        for place, one in enumerate(game):
            if one.error is not None and not breaks:  # asked one question at a time it does not break
                result = self._ask(one.ply.position, "moves", Origin("game", number, place))
                found.positions.append(_PositionResult(error=one.error, results=(result,), is_new=False))
        return found

    def _find_wrong(self, one: AskedPly, here: _PositionResult) -> AboutIt | None:
        """Return the question about a ply that the engine seems to answer wrong, which has to be asked in full."""
        run, transcript = self._run, Transcript()

        def ask(method: str, params: Mapping[str, Any]) -> Any:
            """Return the reply to a request; nothing is counted that is asked although the answer is wrong anyway."""
            if (reply := one.reply(method, params)) is None:
                here.questions += transcript.wrong is None
                self.engine.restarts_left = 1
                reply = self.engine.ask(method, params)
            return reply

        about: AboutIt = "moves"
        try:
            for about in ABOUT_IT:
                if not one.text_matches(about, ask):
                    question = ply_question(run.ruleset, one.ply, about)
                    answer = drive(exchange(question, run.hello, self._params, transcript), ask)
                    if not question.expected.agrees(answer):
                        return about
        except UnsupportedError:
            here.is_unsupported = True
        except EngineError as error:
            here.error = error.kind
            return about
        return None


def _note_plies(engine: Engine, hello: Hello, plies: Iterable[Ply]) -> None:
    """Pass plies of a game to an engine that is led to positions by moves."""
    if not hello.setup and isinstance(engine, CapabilityAdapter):
        engine.note_plies(plies)
