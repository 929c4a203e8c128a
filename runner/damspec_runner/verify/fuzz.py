"""Random games and given positions played by engine and reference side by side."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from itertools import count, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from damspec import Action, DamspecError, Position, Ruleset
from damspec.kernel import is_available
from damspec.position import from_mover_view, to_mover_view
from damspec.validity import may_be_reached

from ..answers.answer import read_moves, read_position
from ..answers.player import key
from ..cases.adapt import ABOUT_IT, AboutIt
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, UnsupportedError
from ..positions.random_games import CAPTURE, CROWNING, KING, PLIES, Ply, SplitMix64, play_random_game, random_ply
from ..positions.sampling import PositionSampler
from .capabilities import CapabilityAdapter
from .exchange import ask_params
from .findings import Findings, FuzzLimitError, JudgedAnswer, judge
from .result import NO_LAPSES, FuzzResult
from .run import BREAKING, INTERRUPTED, RESTARTS
from .sessions import part_size, run_sessions

if TYPE_CHECKING:
    from damspec.kernel.playout import Playout, RandomPlayouts

#: Positions after which games are played by compiled code, which may take seconds to compile.
PATIENCE = 2_000


@dataclass
class AnsweredPly:
    """A ply, its position and the one after it as text, and the answers to pipelined questions, by method."""

    ply: Ply
    fen: str
    after: str | None
    answers: dict[str, Any] = field(default_factory=dict)


class GameStart(NamedTuple):
    """The position a game begins with, the most plies it has, and the seed of its moves."""

    position: Position
    plies: int
    luck: int


def is_same_list(answer: Sequence[Any], expected: Collection[str]) -> bool:
    """Return whether a list of moves has exactly the expected texts, in any order."""
    return (
        len(answer) == len(expected)
        and all(type(move) is str and move in expected for move in answer)
        and len(set(answer)) == len(expected)
    )


class ExpectedExchange(NamedTuple):
    """A question about a position of a game, with the right answer: a position, an outcome, or the texts of moves."""

    method: str
    params: Mapping[str, Any]
    expected: str | Collection[str]

    def is_answered(self, answer: Any) -> bool:
        """Return whether an answer is textually right; moves may be in any order."""
        if not isinstance(answer, dict):
            return False
        if isinstance(self.expected, str):
            return bool(answer["position" if self.method == "play" else "outcome"] == self.expected)
        return is_same_list(answer["moves"], self.expected) and not answer.get("lapses")


class Script(NamedTuple):
    """The questions about a game, its number of positions, and the game itself if it was played ply by ply."""

    exchanges: list[ExpectedExchange]
    positions: int
    game: list[AnsweredPly] | None = None


class GameSource:
    """Plays a ruleset's random games and makes scripts of them; `params` are those that all questions share.

    After `patience` positions games are played by compiled code, if there is any for the ruleset; with None never.
    """

    def __init__(
        self, ruleset: Ruleset, hello: Hello, params: Mapping[str, Any], patience: int | None = PATIENCE
    ) -> None:
        self._ruleset, self._questions, self._params = ruleset, hello.questions, params
        #: Cached, since games begin with positions of the cases, some of which have captures with many ways.
        self._actions = lru_cache(maxsize=1024)(ruleset.turns.actions)
        self._left = patience
        #: Whether the last answers equalled the expected text, so that a compiled game, without plies, is enough.
        self.right_lately = True

    def plies(self, beginning: GameStart) -> Iterator[Ply]:
        """Yield the game, ply by ply."""
        return play_random_game(self._ruleset, SplitMix64(beginning.luck), beginning.position, beginning.plies)

    def play(self, beginning: GameStart) -> list[AnsweredPly]:
        """Return the game with its positions in text."""
        return [*_steps(self.plies(beginning))]

    def exchanges(self, game: Iterable[AnsweredPly]) -> Iterator[tuple[int, ExpectedExchange]]:
        """Yield the questions about each position of a game, by its place, with the right answers."""
        questions = self._questions
        for place, scene in enumerate(game):
            params = {**self._params, "position": scene.fen}
            if "moves" in questions:
                yield place, ExpectedExchange("moves", params, [str(action) for action in scene.ply.actions])
                if "play" in questions and scene.after is not None:
                    yield place, ExpectedExchange("play", {**params, "move": str(scene.ply.chosen)}, scene.after)
            if "outcome" in questions:
                yield place, ExpectedExchange("outcome", params, scene.ply.result)

    def make_script(self, beginning: GameStart) -> Script:
        """Return the script of a game."""
        ready = self.right_lately and self._left is not None and self._left <= 0
        if ready and self._playouts is not None:
            return self._script_of_playouts(self._playouts, beginning)
        game = self.play(beginning)
        if self._left is not None:
            self._left -= len(game)
        return Script([exchange for _, exchange in self.exchanges(game)], len(game), game)

    def _script_of_playouts(self, playouts: RandomPlayouts, beginning: GameStart) -> Script:
        """Return the same, by compiled code as far as it goes."""
        position, plies, luck = beginning
        exchanges: list[ExpectedExchange] = []
        count = 0
        while plies:
            found = playouts.play(*to_mover_view(position), plies, luck)
            exchanges += self._exchanges_of_playout(position, found)
            count += len(found.plies)
            if found.stopped == "over":
                break
            plies, luck = found.left, found.luck
            position = from_mover_view(position, found.pieces, found.side)
            if found.stopped == "strange":
                chance = SplitMix64(luck)
                ply = random_ply(self._ruleset, chance, position, self._actions(position))
                exchanges += [exchange for _, exchange in self.exchanges(_steps([ply]))]
                count, plies, luck = count + 1, plies - 1, chance.state
                if ply.after is None:
                    break
                position = ply.after
        return Script(exchanges, count)

    def _exchanges_of_playout(self, position: Position, game: Playout) -> Iterator[ExpectedExchange]:
        """Yield the questions about a game that compiled code has played on from a position, with the right answers."""
        questions = self._questions
        reached = [(ply.pieces, ply.side) for ply in game.plies] + [(game.pieces, game.side)]
        fens = [from_mover_view(position, *each).fen() for each in reached]
        for ply, fen, after in zip(game.plies, fens, fens[1:], strict=False):
            params = {**self._params, "position": fen}
            if "moves" in questions:
                moves = [("x" if captures else "-").join(map(str, squares)) for captures, squares in ply.moves]
                yield ExpectedExchange("moves", params, moves)
                if "play" in questions and ply.chosen is not None:
                    yield ExpectedExchange("play", {**params, "move": moves[ply.chosen]}, after)
            if "outcome" in questions:
                yield ExpectedExchange("outcome", params, ply.outcome)

    @cached_property
    def _playouts(self) -> RandomPlayouts | None:
        """Games in compiled code, where these can be played by it."""
        if not is_available():
            return None
        from damspec.kernel.playout import RandomPlayouts, Weights, can_play

        if not can_play(self._ruleset.rules):
            return None
        return RandomPlayouts(self._ruleset.rules, Weights(CAPTURE, CROWNING, KING))


def _steps(plies: Iterable[Ply]) -> Iterator[AnsweredPly]:
    fen: str | None = None
    for ply in plies:
        after = ply.after.fen() if ply.after is not None else None
        yield AnsweredPly(ply, fen or ply.position.fen(), after)
        fen = after


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
    tell: Callable[[int], None] = lambda done: None,
    patience: int | None = PATIENCE,
) -> FuzzResult:
    """Compare an engine with the reference; `start` makes an engine that has not been started.

    `origins` are positions that games may begin with; those that no game comes to are left out. Games and positions are
    spread over `jobs` engines at once, which does not change the result. The comparison ends after `most` different
    disagreements, or when the engine has been restarted more than `restarts` times; a KeyboardInterrupt ends it too,
    and the result says so. `tell` is called with the number of games, or given positions, that are done. `patience` is
    the number of positions after which games are played by compiled code; it does not change them.
    """
    if hello.is_concluded:  # what follows from the moves is known when they are compared
        hello = replace(hello, questions=hello.questions - {"outcome"})
    began = time.monotonic()
    deadline = None if config.seconds is None else began + config.seconds
    origins = [each for each in origins if may_be_reached(ruleset.turns, each)]
    asked = _FuzzSetup(ruleset, hello, config, origins, restarts, deadline, patience)
    kind = _GameSession if config.positions is None else _PositionSession
    sessions = [kind(asked, start()) for _ in range(jobs)]
    own = sessions[0].engine if jobs == 1 else None
    run = FuzzRun(asked, Findings(ruleset, start, hello, most, restarts, own), tell)
    ended = None
    try:
        try:
            run.compare(sessions)
        except FuzzLimitError as end:
            ended = str(end)
        finally:
            run.findings.engine.close()
            for session in sessions:
                session.close()
    except KeyboardInterrupt:
        ended = INTERRUPTED
    return run.end(time.monotonic() - began, ended)


@dataclass(frozen=True)
class _FuzzSetup:
    """What is compared, and how."""

    ruleset: Ruleset
    hello: Hello
    config: FuzzConfig
    origins: Sequence[Position]
    restarts: int
    deadline: float | None
    patience: int | None

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return self.deadline is not None and time.monotonic() > self.deadline

    def parts(self, sessions: int) -> Iterator[range]:
        """Yield the numbers of games, or the places of positions, that a session takes at once."""
        number = self.config.games if self.config.positions is None else len(self.config.positions)
        size = part_size(number or 0, sessions, _AT_ONCE)
        for first in range(0, number, size) if number is not None else count(step=size):
            if self.is_late:
                return
            yield range(first, first + size if number is None else min(first + size, number))


@dataclass
class _Observation:
    """The outcome of asking about some positions: the number of questions, and what was found."""

    positions: int = 1
    questions: int = 0
    unsupported: int = 0
    #: The kind of error that broke the engine.
    error: str | None = None
    #: The plies that were answered right, worked out only when needed; and whether they begin a game.
    right_plies: Callable[[], Iterable[Ply]] | None = None
    begins: bool = False
    answers: tuple[JudgedAnswer, ...] = ()


@dataclass
class _Transcript:
    """The record of a session on a game or a given position, step by step."""

    steps: list[_Observation] = field(default_factory=list)
    #: The plies of a game.
    plies: Callable[[], Iterable[Ply]] = tuple


class FuzzRun:
    """A comparison in progress: takes in what sessions see, in the order of the games."""

    def __init__(self, asked: _FuzzSetup, findings: Findings, tell: Callable[[int], None]) -> None:
        self.findings = findings
        self._asked, self._tell = asked, tell
        self._done = self._positions = self._questions = 0
        self._looks: dict[int, _Transcript] = {}
        self._ended = False

    def compare(self, sessions: Sequence[_PositionSession | _GameSession]) -> None:
        """Compare all that is asked for. Raises FuzzLimitError."""
        config, number = self._asked.config, self._asked.config.games
        parts = self._asked.parts(len(sessions))
        run_sessions(sessions, parts, self._take, lambda place: not (self._ended or self._asked.is_late), late=False)
        if config.positions is None and number is not None and self._done < number:
            raise FuzzLimitError(f"the {config.seconds:g} seconds were over after {self._done} of {number} games")

    def end(self, seconds: float, ended: str | None) -> FuzzResult:
        """Return what was compared and what came up."""
        config = self._asked.config
        seed = None if config.positions is not None and not config.random else config.seed
        games = self._done if config.positions is None else 0
        counts = games, self._positions, self._questions, self.findings.unsupported
        return FuzzResult(seed, *counts, self.findings.divergences(seed), seconds, ended, self.findings.sample())

    def _take(self, place: int, look: _Transcript) -> None:
        self._looks[place] = look
        while (next_one := self._looks.pop(self._done, None)) is not None:
            try:
                self._add(next_one)
            except BaseException:
                self._ended = True
                raise
            self._done += 1
            self._tell(self._done)

    def _add(self, look: _Transcript) -> None:
        """Add what was seen. Raises FuzzLimitError."""
        findings = self.findings
        _note_plies(findings.engine, self._asked.hello, look.plies)
        for step in look.steps:
            self._positions += step.positions
            self._questions += step.questions
            findings.unsupported += step.unsupported
            if step.right_plies is not None:
                findings.add_right_plies(step.right_plies, step.positions)
                if step.begins:
                    findings.clusters.add_right_plies(step.right_plies)
            if step.error is not None:
                findings.note_error(step.error)
            for judged in step.answers:
                findings.add(judged)


class _PositionSession:
    """Asks one engine about given positions: all moves, the position after each, the outcome; or what is played."""

    def __init__(self, asked: _FuzzSetup, engine: Engine) -> None:
        self.engine = engine
        self._asked, self._ruleset, self._hello = asked, asked.ruleset, asked.hello

    def results(self, places: Iterable[int]) -> Iterator[tuple[int, _Transcript]]:
        """Yield what is seen in each position."""
        config = self._asked.config
        kind = "drawn" if config.random else "position"
        for place in places:
            line, position = (config.positions or ())[place]
            judged = []
            for question in ABOUT_IT:
                if question in self._hello.questions or (question == "moves" and self._hello.manner == "played"):
                    suffix = ".outcome" if question == "outcome" else ""
                    judged.append(self._judge(position, question, f"{kind}-{line}{suffix}", line))
            yield place, _Transcript([_Observation(questions=len(judged), answers=tuple(judged))])

    def close(self) -> None:
        """End the engine."""
        self.engine.close()

    def _judge(self, position: Position, question: AboutIt, id: str, place: int) -> JudgedAnswer:
        return JudgedAnswer(
            position, question, place, judge(self.engine, self._ruleset, self._hello, position, question, id)
        )


@dataclass
class _GameAnswers:
    """An engine's answers to the pipelined questions about a game, and the error if it broke."""

    script: Script | None = None
    answers: list[Any] = field(default_factory=list)
    error: EngineError | None = None

    @property
    def is_right(self) -> bool:
        """Whether all answers are there, and right as they are written."""
        if self.script is None or not self.answers or len(self.answers) < len(self.script.exchanges):
            return False
        pairs = zip(self.script.exchanges, self.answers, strict=True)
        return all(exchange.is_answered(answer) for exchange, answer in pairs)


class _GameSession(_PositionSession):
    """Asks one engine about random games, each with a seed of its own, so that any of them can be replayed."""

    def __init__(self, asked: _FuzzSetup, engine: Engine) -> None:
        super().__init__(asked, engine)
        self._params = ask_params(asked.ruleset, asked.hello)
        self._scripts = GameSource(asked.ruleset, asked.hello, self._params, asked.patience)
        self._sampler = PositionSampler(asked.ruleset, random.Random(), _PIECES)
        #: Whether questions are pipelined: not any more once the engine has broken with several in flight.
        self._pipelined = asked.hello.max_in_flight > 1

    def results(self, places: Iterable[int]) -> Iterator[tuple[int, _Transcript]]:
        """Yield what is seen in each game; the reference knows how it goes before the engine is asked."""
        at_once, places = 1, iter(places)
        while numbers := [*islice(places, at_once if self._pipelined else 1)]:
            begun = time.monotonic()
            games = [self._beginning(random.Random(f"{self._asked.config.seed}/{one + 1}")) for one in numbers]
            for number, beginning, asked in zip(numbers, games, self._ask_games(games), strict=True):
                yield number, self._look(number + 1, beginning, asked)
            if time.monotonic() - begun < _SOON:
                at_once = min(2 * at_once, _AT_ONCE)

    def _look(self, number: int, beginning: GameStart, asked: _GameAnswers) -> _Transcript:
        self._scripts.right_lately = right = asked.is_right
        script = asked.script
        plies = partial(self._scripts.plies, beginning)
        if script and right and not self._ruleset.rules.huff:  # lapses are not compared as text
            return _Transcript(
                [_Observation(script.positions, len(asked.answers), right_plies=plies, begins=True)], plies
            )
        game = (script and script.game) or self._scripts.play(beginning)
        broken = self._assign_answers(game, asked)
        look = _Transcript([_Observation(0, len(asked.answers))], plies)
        wrong = breaks = 0
        for done, scene in enumerate(game):
            if self._asked.is_late:
                return look
            step = _Observation()
            look.steps.append(step)
            if self._hello.manner == "played":
                question = None
                if scene.ply.actions:
                    step.questions, step.answers = 1, (self._judge_scene(scene, "moves", number, done),)
            else:
                question = self._find_difference(scene, step)
            if question is None and not (step.unsupported or step.answers):
                step.right_plies, step.begins = partial(iter, (scene.ply,)), done == 0
            if question is not None and wrong < _A_GAME:
                wrong += 1
                step.answers = (self._judge_scene(scene, question, number, done),)
            kinds = [step.error, *(judged.result.kind for judged in step.answers)]
            breaks += sum(kind in BREAKING for kind in kinds)
            if breaks > self._asked.restarts or "gone" in kinds:
                return look
            _note_plies(self.engine, self._hello, partial(iter, (scene.ply,)))
        if broken is not None and not breaks:  # asked one question at a time it does not break
            place, error = broken
            judged = self._judge_scene(game[place], "moves", number, place)
            look.steps.append(_Observation(0, error=error.kind, answers=(judged,)))
        return look

    def _judge_scene(self, scene: AnsweredPly, question: AboutIt, number: int, done: int) -> JudgedAnswer:
        suffix = ".outcome" if question == "outcome" else ""
        return self._judge(scene.ply.position, question, f"game-{number}.{done}{suffix}", number)

    def _beginning(self, rng: random.Random) -> GameStart:
        luck, where, origins = rng.getrandbits(64), rng.random(), self._asked.origins
        if where < _FROM_START or not self._hello.setup:
            return GameStart(Position.start(self._ruleset.rules), PLIES, luck)
        if origins and where < _FROM_START + _FROM_CASES:
            return GameStart(rng.choice(origins), _PLIES_FROM_CASES, luck)
        self._sampler.rng = rng
        while (position := self._sampler.draw()) is None or not may_be_reached(self._ruleset.turns, position):
            pass
        return GameStart(position, _PLIES_FROM_DRAWN, luck)

    # --- a quick look -------------------------------------------------------------------------

    def _ask_games(self, games: Sequence[GameStart]) -> list[_GameAnswers]:
        """Pipeline all questions about some games, if the engine reads ahead."""
        if not self._pipelined:
            return [_GameAnswers() for _ in games]
        found = [_GameAnswers(self._scripts.make_script(beginning)) for beginning in games]
        asked = [(each, exchange) for each in found if each.script for exchange in each.script.exchanges]
        self.engine.restarts_left = 1
        answers = self.engine.ask_all([(exchange.method, exchange.params) for _, exchange in asked])
        for each, _ in asked:
            try:
                each.answers.append(next(answers))
            except EngineError as error:
                self._pipelined, each.error = False, error
                break
        return found

    def _assign_answers(self, game: Sequence[AnsweredPly], asked: _GameAnswers) -> tuple[int, EngineError] | None:
        """Store the pipelined answers in their scenes; return the place and the error if the engine broke.

        Questions without an answer are asked later.
        """
        exchanges = self._scripts.exchanges(game)
        for answer, (place, exchange) in zip(asked.answers, exchanges, strict=False):
            game[place].answers[exchange.method] = answer
        return (next(exchanges)[0], asked.error) if asked.error else None

    def _find_difference(self, scene: AnsweredPly, step: _Observation) -> AboutIt | None:
        """Return the question that an engine seems to answer wrong, by a quick look that has to be confirmed."""
        ply, after, answers = scene.ply, scene.after, scene.answers
        params = {**self._params, "position": scene.fen}
        asked: AboutIt = "moves"

        def answer(method: str, params: Mapping[str, Any], answers: Mapping[str, Any] = answers) -> Any:
            """Return the pipelined answer to a question, or ask it."""
            if method in answers:
                if isinstance(answers[method], Exception):
                    raise answers[method]
                return answers[method]
            step.questions += 1
            self.engine.restarts_left = 1
            return self.engine.ask(method, params)

        try:
            if "moves" in self._hello.questions:
                listed = self._match_lists(ply, answer("moves", params), params, answer)
                if listed is None:
                    return "moves"
                given = listed.get(str(ply.chosen))
                if given is not None and after is not None and "play" in self._hello.questions:
                    # The pipelined question has the notation of the reference.
                    known = answers if given == str(ply.chosen) else {}
                    got = answer("play", {**params, "move": given}, known)["position"]
                    if got != after and not self._is_same_position(got, after):
                        return "moves"
            asked = "outcome"
            if "outcome" in self._hello.questions:
                return "outcome" if answer("outcome", params)["outcome"] != ply.result else None
        except UnsupportedError:
            step.unsupported += 1
        except EngineError as error:
            step.error = error.kind
            return asked
        return None

    def _match_lists(
        self, ply: Ply, answer: Mapping[str, Any], params: Mapping[str, Any], ask: Callable[..., Any]
    ) -> Mapping[str, Any] | None:
        """Return the engine's own word for each move and lapse; None if some are wrong."""
        moves = self._match_list(ply.position, ply.actions, answer["moves"], params, ask)
        if moves is None or (not ply.lapses and not answer.get("lapses")):
            return moves
        if "lapses" not in answer:
            raise UnsupportedError(NO_LAPSES)
        lapses = self._match_list(ply.position, ply.lapses, answer["lapses"], params, ask)
        return None if lapses is None else {**moves, **lapses}

    def _match_list(
        self,
        position: Position,
        actions: Sequence[Action],
        given: Sequence[Any],
        params: Mapping[str, Any],
        ask: Callable[..., Any],
    ) -> Mapping[str, Any] | None:
        """Return the engine's own word for each expected action; None if some are missing or too many."""
        expected = {str(action): action for action in actions}
        if len(given) == len(expected) and all(type(move) is str for move in given) and set(given) == set(expected):
            return dict(zip(expected, expected, strict=True))

        def leads_to(move: Any, text: str) -> bool:
            got = ask("play", {**params, "move": move}, {})["position"]
            return self._is_same_position(got, self._ruleset.turns.after(position, expected[text]).fen())

        plays = "play" in self._hello.questions
        listed: dict[str | None, Any] = {}
        wanted = {key(action): text for text, action in expected.items()}
        for one in read_moves(position, wanted, given, complete=self._hello.steps):
            is_short = one.longer is not None and plays and leads_to(one.given, wanted[one.longer])
            meant = one.longer if is_short and one.longer is not None else one.key
            listed.setdefault(wanted.get(meant), one.given)
        return {text: listed[text] for text in expected} if listed.keys() == expected.keys() else None

    def _is_same_position(self, one: str, other: str) -> bool:
        try:
            return read_position(self._ruleset, one) == read_position(self._ruleset, other)
        except DamspecError:
            return False


def _note_plies(engine: Engine, hello: Hello, plies: Callable[[], Iterable[Ply]]) -> None:
    """Pass plies of a game to an engine that is led to positions by moves."""
    if not hello.setup and isinstance(engine, CapabilityAdapter):
        engine.note_plies(plies())
