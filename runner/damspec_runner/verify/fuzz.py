"""Random games and given positions played by engine and reference side by side."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from damspec import Action, DamspecError, Position, Ruleset
from damspec.kernel import is_available
from damspec.position import from_mover_view, to_mover_view

from ..cases.adapt import ABOUT_IT, AboutIt
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, UnsupportedError
from ..positions.random_games import CAPTURE, CROWNING, KING, PLIES, Ply, SplitMix64, play_random_game, random_ply
from ..positions.sampling import PositionSampler
from .ask import ask_params, is_same_list
from .findings import Findings, FuzzLimitError
from .judge import compare_moves, read_position
from .result import NO_LAPSES, FuzzResult
from .run import INTERRUPTED, RESTARTS

if TYPE_CHECKING:
    from damspec.kernel.playout import Playout, RandomPlayouts

#: Positions after which games are played by compiled code, which may take seconds to compile.
PATIENCE = 2_000


@dataclass
class Scene:
    """A ply, its position and the one after it as text, and the answers to pipelined questions, by method."""

    ply: Ply
    fen: str
    after: str | None
    answers: dict[str, Any] = field(default_factory=dict)


class Beginning(NamedTuple):
    """The position a game begins with, the most plies it has, and the seed of its moves."""

    position: Position
    plies: int
    luck: int


class ExpectedExchange(NamedTuple):
    """A question about a position of a game, with the right answer: a position, an outcome, or the texts of moves."""

    method: str
    params: Mapping[str, Any]
    expected: str | Collection[str]

    def is_answered(self, answer: Any) -> bool:
        """Return whether an answer is right as it is written; moves may be in any order."""
        if not isinstance(answer, dict):
            return False
        if isinstance(self.expected, str):
            return bool(answer["position" if self.method == "play" else "outcome"] == self.expected)
        return is_same_list(answer["moves"], self.expected) and not answer.get("lapses")


class Script(NamedTuple):
    """The questions about a game, its number of positions, and the game itself if it was played ply by ply."""

    exchanges: list[ExpectedExchange]
    positions: int
    game: list[Scene] | None = None


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

    def plies(self, beginning: Beginning) -> Iterator[Ply]:
        """Yield the game, ply by ply."""
        return play_random_game(self._ruleset, SplitMix64(beginning.luck), beginning.position, beginning.plies)

    def play(self, beginning: Beginning) -> list[Scene]:
        """Return the game with its positions in text."""
        return [*_steps(self.plies(beginning))]

    def exchanges(self, game: Iterable[Scene]) -> Iterator[tuple[int, ExpectedExchange]]:
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

    def make_script(self, beginning: Beginning) -> Script:
        """Return the script of a game."""
        ready = self.right_lately and self._left is not None and self._left <= 0
        if ready and self._playouts is not None:
            return self._script_of_playouts(self._playouts, beginning)
        game = self.play(beginning)
        if self._left is not None:
            self._left -= len(game)
        return Script([exchange for _, exchange in self.exchanges(game)], len(game), game)

    def _script_of_playouts(self, playouts: RandomPlayouts, beginning: Beginning) -> Script:
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


def _steps(plies: Iterable[Ply]) -> Iterator[Scene]:
    fen: str | None = None
    for ply in plies:
        after = ply.after.fen() if ply.after is not None else None
        yield Scene(ply, fen or ply.position.fen(), after)
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
    given: tuple[tuple[int, Position], ...] | None = None
    #: Whether the given positions were drawn, for an engine that plays.
    drawn: bool = False


def fuzz(
    ruleset: Ruleset,
    start: Callable[[], Engine],
    hello: Hello,
    config: FuzzConfig,
    origins: Sequence[Position] = (),
    *,
    most: int = MOST,
    restarts: int = RESTARTS,
    tell: Callable[[int], None] = lambda done: None,
    patience: int | None = PATIENCE,
) -> FuzzResult:
    """Compare an engine with the reference; `start` makes an engine that has not been started.

    `origins` are positions that games may begin with. The comparison ends after `most` different disagreements, or when
    the engine has been restarted more than `restarts` times; a KeyboardInterrupt ends it too, and the result says so.
    `tell` is called with the number of games, or given positions, that are done. `patience` is the number of positions
    after which games are played by compiled code; it does not change them.
    """
    if hello.concluded:  # what follows from the moves is known when they are compared
        hello = replace(hello, questions=hello.questions - {"outcome"})
    scripts = GameSource(ruleset, hello, ask_params(ruleset, hello), patience)
    comparison = FuzzRun(ruleset, hello, scripts, Findings(ruleset, start, hello, most, restarts))
    began = time.monotonic()
    ended = None
    try:
        try:
            if config.given is not None:
                comparison.compare_positions(config, tell)
            else:
                deadline = None if config.seconds is None else began + config.seconds
                comparison.compare_games(config, origins, deadline, tell)
        except FuzzLimitError as end:
            ended = str(end)
        finally:
            comparison.findings.engine.close()
    except KeyboardInterrupt:
        ended = INTERRUPTED
    return comparison.end(time.monotonic() - began, ended)


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


class FuzzRun:
    """A comparison in progress."""

    def __init__(self, ruleset: Ruleset, hello: Hello, scripts: GameSource, findings: Findings) -> None:
        self.findings = findings
        self.seed: int | None = None
        self.games = self.positions = self.questions = 0
        self._ruleset, self._hello = ruleset, hello
        self._params = ask_params(ruleset, hello)
        self._scripts = scripts
        #: Whether questions are pipelined: not any more once the engine has broken with several in flight.
        self._pipelined = hello.max_in_flight > 1

    def end(self, seconds: float, ended: str | None) -> FuzzResult:
        """Return what was compared and what came up."""
        counts = self.games, self.positions, self.questions, self.findings.unsupported
        return FuzzResult(
            self.seed, *counts, self.findings.divergences(self.seed), seconds, ended, self.findings.sample()
        )

    # --- what is compared ---------------------------------------------------------------------

    def compare_positions(self, config: FuzzConfig, tell: Callable[[int], None]) -> None:
        """Compare positions: all moves, the position after each, the outcome; or what is played."""
        self.seed = config.seed if config.drawn else None
        kind = "drawn" if config.drawn else "position"
        for done, (line, position) in enumerate(config.given or ()):
            tell(done)
            self.positions += 1
            for question in ABOUT_IT:
                if question in self._hello.questions or (question == "moves" and "plays" in self._hello.questions):
                    self.questions += 1
                    suffix = ".outcome" if question == "outcome" else ""
                    self.findings.investigate(position, question, f"{kind}-{line}{suffix}", line)

    def compare_games(
        self, config: FuzzConfig, origins: Sequence[Position], deadline: float | None, tell: Callable[[int], None]
    ) -> None:
        """Play games, each with a seed of its own, so that any of them can be replayed."""
        self.seed = config.seed
        sampler = PositionSampler(self._ruleset, random.Random(), _PIECES)
        number, at_once = 0, 1
        while config.games is None or number < config.games:
            if deadline is not None and time.monotonic() > deadline:
                if config.games is None:
                    return
                raise FuzzLimitError(f"the {config.seconds:g} seconds were over after {number} of {config.games} games")
            tell(number)
            most = at_once if self._pipelined else 1
            numbers = range(
                number + 1, number + 1 + most if config.games is None else min(number + most, config.games) + 1
            )
            begun = time.monotonic()
            games = [self._beginning(random.Random(f"{config.seed}/{one}"), sampler, origins) for one in numbers]
            for number, beginning, asked in zip(numbers, games, self._ask_games(games), strict=True):
                self._play(number, beginning, asked, deadline)
                self.games += 1
            if time.monotonic() - begun < _SOON:
                at_once = min(2 * at_once, _AT_ONCE)

    def _play(self, number: int, beginning: Beginning, asked: _GameAnswers, deadline: float | None) -> None:
        self._scripts.right_lately = right = asked.is_right
        script = asked.script
        if script and right and not self._ruleset.rules.huff:  # lapses are not compared as text
            self.positions += script.positions
            plies = partial(self._scripts.plies, beginning)
            self.findings.add_agreed(plies, script.positions)
            self.findings.clusters.add_agreed(plies)
            return
        # The reference knows how the game goes before the engine is asked.
        game = (script and script.game) or self._scripts.play(beginning)
        broken = self._assign_answers(game, asked)
        wrong, breaks = 0, self.findings.broken
        for done, step in enumerate(game):
            if deadline is not None and time.monotonic() > deadline:
                return
            self.positions += 1
            unsupported = self.findings.unsupported
            question = self._find_difference(step)
            if question is None and unsupported == self.findings.unsupported:
                here = partial(iter, (step.ply,))
                self.findings.add_agreed(here)
                if done == 0:
                    self.findings.clusters.add_agreed(here)
            if question is not None and wrong < _A_GAME:
                wrong += 1
                self._investigate(step, question, number, done)
        if broken is not None and breaks == self.findings.broken:  # asked one question at a time it does not break
            place, error = broken
            self.findings.note_error(error.kind)
            self._investigate(game[place], "moves", number, place)

    def _investigate(self, step: Scene, question: AboutIt, number: int, done: int) -> None:
        suffix = ".outcome" if question == "outcome" else ""
        self.findings.investigate(step.ply.position, question, f"game-{number}.{done}{suffix}", number)

    def _beginning(self, rng: random.Random, sampler: PositionSampler, origins: Sequence[Position]) -> Beginning:
        luck, where = rng.getrandbits(64), rng.random()
        if where < _FROM_START or not self._hello.setup:
            return Beginning(Position.start(self._ruleset.rules), PLIES, luck)
        if origins and where < _FROM_START + _FROM_CASES:
            return Beginning(rng.choice(origins), _PLIES_FROM_CASES, luck)
        sampler.rng = rng
        while (position := sampler.draw()) is None:
            pass
        return Beginning(position, _PLIES_FROM_DRAWN, luck)

    # --- a quick look -------------------------------------------------------------------------

    def _ask_games(self, games: Sequence[Beginning]) -> list[_GameAnswers]:
        """Pipeline all questions about some games, if the engine reads ahead."""
        if not self._pipelined:
            return [_GameAnswers() for _ in games]
        found = [_GameAnswers(self._scripts.make_script(beginning)) for beginning in games]
        asked = [(each, exchange) for each in found if each.script for exchange in each.script.exchanges]
        self.findings.engine.restarts_left = 1
        answers = self.findings.engine.ask_all([(exchange.method, exchange.params) for _, exchange in asked])
        for each, _ in asked:
            try:
                each.answers.append(next(answers))
            except EngineError as error:
                self._pipelined, each.error = False, error
                break
            self.questions += 1
        return found

    def _assign_answers(self, game: Sequence[Scene], asked: _GameAnswers) -> tuple[int, EngineError] | None:
        """Store the pipelined answers in their scenes; return the place and the error if the engine broke.

        Questions without an answer are asked later.
        """
        exchanges = self._scripts.exchanges(game)
        for answer, (place, exchange) in zip(asked.answers, exchanges, strict=False):
            game[place].answers[exchange.method] = answer
        return (next(exchanges)[0], asked.error) if asked.error else None

    def _find_difference(self, step: Scene) -> AboutIt | None:
        """Return the question that an engine seems to answer wrong, by a quick look that has to be confirmed."""
        ply, after, answers = step.ply, step.after, step.answers
        params = {**self._params, "position": step.fen}
        asked: AboutIt = "moves"
        try:
            if "moves" in self._hello.questions:
                listed = self._match_lists(ply, self._answer("moves", params, answers), params)
                if listed is None:
                    return "moves"
                given = listed.get(str(ply.chosen))
                if given is not None and after is not None and "play" in self._hello.questions:
                    move = {**params, "move": given}
                    # The pipelined question has the notation of the reference.
                    got = self._answer("play", move, answers if given == str(ply.chosen) else {})["position"]
                    if got != after and not self._is_same_position(got, after):
                        return "moves"
            asked = "outcome"
            if "outcome" in self._hello.questions:
                answer = self._answer("outcome", params, answers)
                return "outcome" if answer["outcome"] != ply.result else None
        except UnsupportedError:
            self.findings.unsupported += 1
        except EngineError as error:
            self.findings.note_error(error.kind)
            return asked
        return None

    def _answer(self, method: str, params: Mapping[str, Any], answers: Mapping[str, Any]) -> Any:
        """Return the pipelined answer to a question, or ask it."""
        if method in answers:
            if isinstance(answers[method], Exception):
                raise answers[method]
            return answers[method]
        self.questions += 1
        self.findings.engine.restarts_left = 1
        return self.findings.engine.ask(method, params)

    def _match_lists(self, ply: Ply, answer: Mapping[str, Any], params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the engine's own word for each move and lapse; None if some are wrong."""
        moves = self._match_list(ply.position, ply.actions, answer["moves"], params)
        if moves is None or (not ply.lapses and not answer.get("lapses")):
            return moves
        if "lapses" not in answer:
            raise UnsupportedError(NO_LAPSES)
        lapses = self._match_list(ply.position, ply.lapses, answer["lapses"], params)
        return None if lapses is None else {**moves, **lapses}

    def _match_list(
        self, position: Position, actions: Sequence[Action], given: Sequence[Any], params: Mapping[str, Any]
    ) -> Mapping[str, Any] | None:
        """Return the engine's own word for each expected action; None if some are missing or too many."""
        expected = {str(action): action for action in actions}
        if len(given) == len(expected) and all(type(move) is str for move in given) and set(given) == set(expected):
            return dict(zip(expected, expected, strict=True))

        def leads_to(move: Any, text: str) -> bool:
            got = self._answer("play", {**params, "move": move}, {})["position"]
            return self._is_same_position(got, self._ruleset.turns.after(position, expected[text]).fen())

        plays = "play" in self._hello.questions
        found = compare_moves(
            position, expected, given, leads_to=leads_to if plays else None, complete=self._hello.steps
        )
        return None if found else found.listed

    def _is_same_position(self, one: str, other: str) -> bool:
        try:
            return read_position(self._ruleset, one) == read_position(self._ruleset, other)
        except DamspecError:
            return False
