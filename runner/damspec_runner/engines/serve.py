"""The reference as an engine that speaks JSON, plain lines, Hub or DXP."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from io import RawIOBase
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import damspec
from damspec import Action, DamspecError, LegalMoves, Move, MoveError, Position, Ruleset, data
from damspec.errors import quote_value
from damspec.game import unchecked_moves, unchecked_position
from damspec.move import read_squares
from damspec.outcomes import outcome_of_game
from damspec.perft_counts import count_nodes
from damspec.safe_yaml import read_json
from damspec.version import __version__
from damspec.written_position import read_hub

from . import hub, lines
from .dxp import (
    LETTERS,
    NAME,
    VERSION,
    BackAnswer,
    BackRequest,
    Chat,
    Connection,
    DxpClosedError,
    DxpMessage,
    DxpTimeoutError,
    GameAnswer,
    GameEnd,
    GameRequest,
    MoveMade,
)
from .hub import HubMessage, variants
from .process import Engine
from .protocol import (
    METHOD_NOT_FOUND,
    PROTOCOL,
    QUESTIONS,
    UNSUPPORTED,
    EngineError,
    Hello,
    UnsupportedError,
    hello_params,
    outcome,
    request,
)

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

#: The maximum length of a line in characters.
LIMIT = 1024 * 1024
#: How many requests may be in flight.
AHEAD = 256
#: The maximum depth of a perft.
DEEPEST = 20
_PARSE_ERROR, _INVALID_REQUEST, _INVALID_PARAMS, _ENGINE_FAILS = -32700, -32600, -32602, -32000


class FlushingInput(RawIOBase):
    """An input that flushes the answers before it reads more, so that pipelined requests cost one flush."""

    def __init__(self, questions: RawIOBase, answers: TextIO) -> None:
        self._questions, self._answers = questions, answers

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        """Flush the answers and read what is available."""
        self._answers.flush()
        return self._questions.readinto(buffer)


A = TypeVar("A", bound=Action)
#: Returns the result of a request. It raises DamspecError, UnsupportedError or EngineError.
RequestHandler = Callable[[str, Mapping[str, Any]], Any]


#: How long to think about a move: `move-time` in seconds, `depth` or `nodes`.
Level = Mapping[str, float]
#: Returns the best action after some positions of a game by some rules, thinking as long as a level says, or as long as
#: it likes if that is empty; and what the position comes to, if that is known.
BestAction = Callable[[Ruleset, Sequence[Position], Level], tuple[Action, str | None] | None]


def no_best_action(ruleset: Ruleset, positions: Sequence[Position], level: Level) -> None:
    """Find no best action."""


def serve(
    questions: TextIO,
    answers: TextIO,
    *,
    plain: bool = False,
    handler: RequestHandler | None = None,
    best: BestAction = no_best_action,
) -> None:
    """Answer each line of `questions` until `quit` or the end, in the line protocol if `plain`.

    The reference answers, if no `handler` does, and plays the `best` actions that are found. Answers are not flushed:
    see `FlushingInput`.
    """
    own = handler or partial(_answer, best=best)
    for line in _lines(questions):
        if line is None:
            answer, last = _error(None, _INVALID_REQUEST, _TOO_LONG), False
        else:
            answer, last = _respond_plainly(line, own) if plain else respond(line, own)
        answers.write((_plainly(answer) if plain else json.dumps(answer, separators=(",", ":"))) + "\n")
        if last:
            break
    answers.flush()


_TOO_LONG = f"a line of more than {LIMIT} characters"


def _lines(source: TextIO) -> Iterator[str | None]:
    """Yield the lines that are not blank, None for each that is too long."""
    while line := source.readline(LIMIT + 1):
        if len(line) > LIMIT and not line.endswith("\n"):
            while (rest := source.readline(LIMIT)) and not rest.endswith("\n"):
                pass
            yield None
        elif line.strip():
            yield line


def _respond_plainly(line: str, handler: RequestHandler) -> tuple[dict[str, Any], bool]:
    """Answer a line of the line protocol with a JSON-RPC message, whose id is the method."""
    method, params = lines.read_request(line)
    answer, last = respond(request(1, method, hello_params() if method == "hello" else params), handler)
    return {**answer, "id": method}, last


def _plainly(answer: Mapping[str, Any]) -> str:
    if "error" not in answer:
        return lines.format_answer(answer["id"], answer["result"])
    word = "unsupported" if answer["error"]["code"] == METHOD_NOT_FOUND else "error"
    return f"{word} {answer['error']['message']}"


def respond(line: str, handler: RequestHandler | None = None) -> tuple[dict[str, Any], bool]:
    """Return the answer to a request, and whether it was quit."""
    try:
        message = read_json(line)
    except ValueError as error:
        return _error(None, _PARSE_ERROR, f"malformed JSON: {error}"), False
    id = message.get("id") if isinstance(message, dict) else None
    id = id if isinstance(id, int | str) else None
    method = message.get("method") if isinstance(message, dict) else None
    if not isinstance(method, str):
        return _error(id, _INVALID_REQUEST, "expected a JSON-RPC 2.0 request"), False
    if method not in ("hello", "quit", *QUESTIONS):
        return _error(id, METHOD_NOT_FOUND, f"no method {quote_value(method)}"), False
    if wrong := data.schema_problem(message, "protocol", f"{method}.request"):
        return _error(id, _INVALID_PARAMS, wrong), False
    try:
        result = (handler or _answer)(method, message.get("params", {}))
    except DamspecError as error:
        return _error(id, _INVALID_PARAMS, str(error)), False
    except UnsupportedError as reason:
        return _error(id, UNSUPPORTED, str(reason)), False
    except EngineError as error:
        return _error(id, _ENGINE_FAILS, str(error)), False
    return {"jsonrpc": "2.0", "id": id, "result": result}, method == "quit"


def _answer(method: str, params: Mapping[str, Any], best: BestAction = no_best_action) -> Any:
    if method == "hello":
        return {
            "protocol": PROTOCOL,
            "name": "damspec",
            "version": damspec.__version__,
            "rulesets": damspec.ruleset_ids(),
            "questions": list(QUESTIONS),
            "rules": True,
            "ahead": AHEAD,
            "history": True,
        }
    if method == "quit":
        return None
    return _answer_by(_rules(params), method, params, best)


def _answer_by(
    ruleset: Ruleset,
    method: str,
    params: Mapping[str, Any],
    best: BestAction = no_best_action,
    read: Callable[[Ruleset, str], Position] = Ruleset.position,
) -> Any:
    """Return what a ruleset answers to a question, whatever ruleset that is about; `read` parses its position."""
    if method == "start":
        return {"position": Position.start(ruleset.rules).fen()}
    if method == "perft":
        if params["depth"] > DEEPEST:
            raise DamspecError(f"found depth {params['depth']}, expected 1 to {DEEPEST}")
        return {"nodes": count_nodes(ruleset.turns, read(ruleset, params["position"]), params["depth"])}
    played = tuple(map(_text, params.get("moves", ())))
    positions, actions, legal = _play(ruleset, read, params["position"], played)
    match method:
        case "moves":
            return {"moves": [str(action) for action in legal], "lapses": [str(move) for move in legal.lapses]}
        case "play":
            return {"position": legal.after(_text(params["move"])).fen()}
        case "legal":
            return {"legal": _says(legal, _text(params["move"]))}
        case "plays":
            found = best(ruleset, positions, params.get("level", {})) if len(legal) else None
            if found is None:
                return {"move": str(_choose(legal, legal.position)) if len(legal) else None}
            action, value = found
            return {"move": str(action), **({"value": value} if value else {})}
        case _:
            return outcome(outcome_of_game(ruleset.turns, positions, actions, legal))


def _says(legal: LegalMoves, text: str) -> bool | str:
    """Return whether a move is legal, or "lapse"; a notation that leaves out squares must fit one move's whole path."""
    try:
        found = legal.find(text)
        if isinstance(found, Move) and read_squares(text, legal.position.board)[0] not in found.paths:
            return False
    except MoveError:
        return False
    return "lapse" if found in legal.lapses else True


def _text(move: Any) -> str:
    return str(move["move"] if isinstance(move, dict) else move)


@lru_cache(maxsize=1)
def _play(
    ruleset: Ruleset, read: Callable[[Ruleset, str], Position], text: str, moves: tuple[str, ...]
) -> tuple[list[Position], list[Action], LegalMoves]:
    """Return the positions and actions of a game from a position, and the legal moves at its end.

    Cached, since the next question is often about the same.
    """
    positions, actions = [read(ruleset, text)], list[Action]()
    legal = unchecked_moves(ruleset, positions[0])
    for move in moves:
        actions.append(legal.find(move))
        positions.append(legal.after(actions[-1]))
        legal = unchecked_moves(ruleset, positions[-1])
    return positions, actions, legal


def _rules(params: Mapping[str, Any]) -> Ruleset:
    if "rules" in params:
        return _ruleset_from_values(json.dumps(params["rules"]), params["ruleset"])
    return damspec.load_ruleset(params["ruleset"])


@lru_cache(maxsize=64)
def _ruleset_from_values(values: str, id: str) -> Ruleset:
    return damspec.from_values(json.loads(values), id)


def _error(id: Any, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


#: What the engine in this process says of itself.
HELLO = Hello("imitation", "1", None, frozenset(QUESTIONS) - {"plays"}, False, history=True)


class InProcessEngine(Engine):
    """The reference as an engine in this process, which plays its ruleset whatever that of a question.

    Like most engines it takes the positions it is given; if `strict`, it refuses those that no game of its own can
    have, as `damspec serve` does.
    """

    def __init__(self, ruleset: Ruleset, *, strict: bool = False) -> None:
        self.ruleset = ruleset
        self._read = Ruleset.position if strict else unchecked_position

    def hello(self) -> Hello:
        """Return a hello that accepts every question about every ruleset."""
        return HELLO

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question. Raises EngineError for a position that it cannot have."""
        try:
            return _answer_by(self.ruleset, method, params, read=self._read)
        except DamspecError as error:
            raise EngineError("refused", f"answered {method} with error {_INVALID_PARAMS}: {error}") from None


_CACHE_SIZE = 64


class HubServer:
    """An engine that speaks Hub.

    `rules` returns the ruleset for a value of the parameter for the variant; `values` are its possible values.
    """

    def __init__(
        self, rules: Callable[[str], Ruleset], values: Sequence[str], best: BestAction = no_best_action
    ) -> None:
        self._rules, self._values, self._best = rules, tuple(values), best
        self._variant = variants().default if variants().default in self._values else self._values[0]
        #: The positions of the game, if there is one, and how long to think about a move.
        self._positions: list[Position] = []
        self._level: Level = {}
        self._legal = lru_cache(maxsize=_CACHE_SIZE)(self._find_legal)
        self._read = lru_cache(maxsize=_CACHE_SIZE)(self._read_position)

    def serve(self, questions: TextIO, answers: TextIO) -> None:
        """Answer each line until `quit` or the end. Answers are not flushed: see `FlushingInput`."""
        for line in _lines(questions):
            try:
                if line is None:
                    raise ValueError(_TOO_LONG)
                message = hub.read_message(line)
            except ValueError as error:
                answers.write(_hub_error(str(error)) + "\n")
                continue
            if message.command == "quit":
                break
            answers.writelines(f"{answer}\n" for answer in self.respond(message))
        answers.flush()

    def respond(self, message: HubMessage) -> Iterator[str]:
        """Yield the lines that answer a message; an unknown command has none."""
        try:
            match message.command:
                case "hub":
                    yield from self._hello()
                case "set-param":
                    self._set(message.values.get("name", ""), message.values.get("value", ""))
                case "init":
                    yield "ready"
                case "ping":
                    yield "pong"
                case "pos":
                    self._place(message.values.get("pos"), message.values.get("moves", "").split())
                case "level":
                    self._level = _read_hub_level(message.values)
                case "go":
                    yield from self._play()
        except (DamspecError, ValueError) as error:
            yield _hub_error(str(error))

    def _hello(self) -> Iterator[str]:
        yield hub.format_message("id", name="damspec", version=__version__, author="the damspec authors")
        values = " ".join(self._values)
        yield hub.format_message("param", name=variants().parameter, value=self._variant, type="enum", values=values)
        yield "wait"

    def _set(self, name: str, value: str) -> None:
        if name != variants().parameter:
            raise ValueError(f"found the parameter {name!r}, expected {variants().parameter}")
        if value not in self._values:
            raise ValueError(f"{name}: found {value!r}, expected one of {', '.join(self._values)}")
        self._variant, self._positions = value, []

    def _place(self, text: str | None, moves: Sequence[str]) -> None:
        """Set up a position and make moves in it, up to the first illegal one, for which ValueError is raised."""
        ruleset = self._rules(self._variant)
        position = Position.start(ruleset.rules) if text is None else self._read(self._variant, text)
        self._positions = [position]
        for move in moves:
            start, end, captured = hub.read_move(move)
            legal = self._legal(self._variant, self._positions[-1])
            found = legal.get((start, end, captured))
            if found is None:
                raise ValueError(f"illegal move {move}")
            self._positions.append(ruleset.turns.after(self._positions[-1], found))

    def _play(self) -> Iterator[str]:
        """Play the best move that is found, else some legal one."""
        if not self._positions:
            raise ValueError("there is no position")
        position = self._positions[-1]
        legal = self._legal(self._variant, position)
        if not legal:
            yield "done"
            return
        found = self._best(self._rules(self._variant), self._positions, self._level)
        move = hub.move_text(*hub.move_squares(_choose(legal.values(), position, found)))
        yield hub.format_message("info", depth="1", pv=move)
        yield hub.format_message("done", move=move)

    def _find_legal(self, variant: str, position: Position) -> dict[hub.Squares, Move]:
        return {hub.move_squares(move): move for move in _moves(self._rules(variant), position)}

    def _read_position(self, variant: str, text: str) -> Position:
        return read_hub(text, self._rules(variant).rules.board)


def _hub_error(message: str) -> str:
    return hub.format_message("error", message=message)


def _moves(ruleset: Ruleset, position: Position) -> list[Move]:
    return [action for action in ruleset.turns.actions(position) if isinstance(action, Move)]


def _read_hub_level(values: Mapping[str, str]) -> Level:
    """Return how long a message `level` lets an engine think: of the time for some moves, the share of one.

    Raises ValueError for what is no number.
    """
    if "time" in values:
        moves = float(values.get("moves", 0)) or _MOVES_LEFT
        return {"move-time": float(values["time"]) / (moves + 1) + float(values.get("inc", 0))}
    return {
        name: float(values[name]) if name == "move-time" else int(values[name])
        for name in ("move-time", "depth", "nodes")
        if name in values
    }


#: How many moves a game is taken to have still, where nothing says so.
_MOVES_LEFT = 30


def _choose(moves: Iterable[A], position: Position, found: tuple[Action, str | None] | None = None) -> A:
    """Choose the move that was found to be best, else one at random, always the same in the same position."""
    moves = [*moves]
    if found is not None and (best := [move for move in moves if move == found[0]]):
        return best[0]
    return random.Random(position.fen()).choice(sorted(moves, key=str))


#: Seconds to wait for the other player.
PATIENCE = 3600.0


class DxpPlayer:
    """A player of a ruleset that answers requests for games over a connection."""

    def __init__(
        self,
        ruleset: Ruleset,
        connection: Connection,
        patience: float = PATIENCE,
        best: BestAction = no_best_action,
    ) -> None:
        self._ruleset, self._connection, self._patience, self._best = ruleset, connection, patience, best
        #: The positions of the current game, if there is one.
        self._positions: list[Position] = []
        self._side = "white"

    def play(self) -> None:
        """Play games until the other player stops, disconnects, times out or sends something malformed."""
        try:
            while True:
                message = self._connection.receive(time.monotonic() + self._patience)
                if isinstance(message, GameEnd) and message.stops:
                    self._answer(message)
                    return
                self._answer(message)
        except (DxpClosedError, DxpTimeoutError, ValueError):
            return
        finally:
            self._connection.close()

    def _answer(self, message: DxpMessage) -> None:
        match message:
            case GameRequest():
                self._begin(message)
            case MoveMade():
                self._follow(message)
            case GameEnd() if self._positions:
                self._positions = []
                self._say(GameEnd())
            case BackRequest():
                self._say(BackAnswer())

    def _begin(self, asked: GameRequest) -> None:
        position = Position.start(self._ruleset.rules)
        self._positions = []
        if asked.version != VERSION:
            self._say(GameAnswer(NAME, 1))
            return
        if asked.position is not None:
            try:
                position = read_hub(asked.position, self._ruleset.rules.board, LETTERS)
            except ValueError as error:
                self._say(Chat(str(error)))
                self._say(GameAnswer(NAME, 2))
                return
        self._say(GameAnswer(NAME))
        self._positions, self._side = [position], asked.follower
        self._move()

    def _follow(self, made: MoveMade) -> None:
        """Make the other player's move, and answer it."""
        if not self._positions:
            self._say(Chat("there is no game"))
            return
        position = self._positions[-1]
        squares = (made.start, made.end, made.captured)
        found = next((move for move in _moves(self._ruleset, position) if hub.move_squares(move) == squares), None)
        if found is None:
            self._say(Chat(f"illegal move {hub.move_text(made.start, made.end, made.captured)}"))
            self._end(0)
            return
        self._positions.append(self._ruleset.turns.after(position, found))
        self._move()

    def _move(self) -> None:
        """Make a move if it is this player's turn; resign without a legal move."""
        position = self._positions[-1]
        if position.turn != self._side:
            return
        legal = _moves(self._ruleset, position)
        if not legal:
            self._end(1)
            return
        chosen = _choose(legal, position, self._best(self._ruleset, self._positions, {}))
        self._positions.append(self._ruleset.turns.after(position, chosen))
        self._say(MoveMade(*hub.move_squares(chosen)))

    def _end(self, reason: int) -> None:
        """End the game, which the other player answers by ending it too."""
        self._positions = []
        self._say(GameEnd(reason))

    def _say(self, message: DxpMessage) -> None:
        self._connection.send(message, time.monotonic() + self._patience)
