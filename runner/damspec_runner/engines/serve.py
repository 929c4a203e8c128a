"""The reference as an engine or a player: it answers JSON, plain lines, Hub and DXP like any other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from io import RawIOBase
from typing import TYPE_CHECKING, Any, TextIO

import damspec
from damspec import DamspecError, LegalMoves, Move, MoveError, Ruleset, data
from damspec.endings import outcome_of_position
from damspec.errors import quote_value
from damspec.move import read_squares
from damspec.safe_yaml import read_json

from .protocol import METHOD_NOT_FOUND, PROTOCOL, QUESTIONS, hello_params, outcome, request

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer
import random
import time
from collections.abc import Callable, Iterator, Sequence

from damspec import Position
from damspec.version import __version__

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
from .hub import Said, variants

#: Characters of a line that are read; a longer one is refused.
LIMIT = 1024 * 1024
#: Questions that may lie unanswered in its input.
AHEAD = 256
#: The greatest depth of a perft.
DEEPEST = 20
_PARSE_ERROR, _INVALID_REQUEST, _INVALID_PARAMS = -32700, -32600, -32602


class FlushingInput(RawIOBase):
    """Where questions come from; before it waits for more, the answers are written: many at once if many were asked."""

    def __init__(self, questions: RawIOBase, answers: TextIO) -> None:
        self._questions, self._answers = questions, answers

    def readable(self) -> bool:
        """It can be read from."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        """Read what there is."""
        self._answers.flush()
        return self._questions.readinto(buffer)


def serve(questions: TextIO, answers: TextIO, *, plain: bool = False) -> None:
    """Answer each line of `questions` by a line of `answers`, until `quit` or the end; see `FlushingInput`.

    `plain` is by the line protocol.
    """
    while line := questions.readline(LIMIT + 1):
        if not line.strip():
            continue
        if len(line) > LIMIT and not line.endswith("\n"):
            while (rest := questions.readline(LIMIT)) and not rest.endswith("\n"):
                pass
            answer, last = _error(None, _INVALID_REQUEST, f"a line of more than {LIMIT} characters"), False
        else:
            answer, last = _respond_plainly(line) if plain else respond(line)
        answers.write((_plainly(answer) if plain else json.dumps(answer, separators=(",", ":"))) + "\n")
        if last:
            break
    answers.flush()


def _respond_plainly(line: str) -> tuple[dict[str, Any], bool]:
    """The answer to one line of text, as the other protocol has it with the method as its id."""
    method, params = lines.read_request(line)
    answer, last = respond(request(1, method, hello_params() if method == "hello" else params))
    return {**answer, "id": method}, last


def _plainly(answer: Mapping[str, Any]) -> str:
    if "error" not in answer:
        return lines.answered(answer["id"], answer["result"])
    word = "unsupported" if answer["error"]["code"] == METHOD_NOT_FOUND else "error"
    return f"{word} {answer['error']['message']}"


def respond(line: str) -> tuple[dict[str, Any], bool]:
    """The answer to one line, and whether it was the last."""
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
        result = _answer(method, message.get("params", {}))
    except DamspecError as error:
        return _error(id, _INVALID_PARAMS, str(error)), False
    return {"jsonrpc": "2.0", "id": id, "result": result}, method == "quit"


def _answer(method: str, params: Mapping[str, Any]) -> Any:
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
    ruleset = _rules(params)
    if method == "start":
        return {"position": ruleset.position().fen()}
    if method == "perft":
        if params["depth"] > DEEPEST:
            raise DamspecError(f"found depth {params['depth']}, expected 1 to {DEEPEST}")
        return {"nodes": damspec.perft(ruleset, params["position"], params["depth"])}
    if method in ("moves", "play", "legal") and params.get("moves"):
        game = damspec.Game(ruleset, ruleset.position(params["position"]))
        for move in params["moves"]:
            game.push(_text(move))
        params = {**params, "position": game.position.fen()}
    legal = _legal(ruleset, params["position"])
    match method:
        case "moves":
            return {"moves": [str(action) for action in legal], "lapses": [str(move) for move in legal.lapses]}
        case "play":
            return {"position": legal.after(_text(params["move"])).fen()}
        case "legal":
            return {"legal": _says(legal, _text(params["move"]))}
        case _:
            if "moves" in params:
                return outcome(damspec.outcome(ruleset, legal.position, params["moves"]))
            return outcome(outcome_of_position(ruleset.turns, legal.position, legal))


def _says(legal: LegalMoves, text: str) -> bool | str:
    """Whether a move is legal, or a lapse; a notation that leaves out squares is not taken for the whole."""
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
def _legal(ruleset: Ruleset, position: str) -> LegalMoves:
    """The legal moves of a position; the last are kept, since the next question is often about the same."""
    return damspec.legal_moves(ruleset, position)


def _rules(params: Mapping[str, Any]) -> Ruleset:
    if "rules" in params:
        return _whole(json.dumps(params["rules"]), params["ruleset"])
    return damspec.load_ruleset(params["ruleset"])


@lru_cache(maxsize=64)
def _whole(values: str, id: str) -> Ruleset:
    return damspec.from_values(json.loads(values), id)


def _error(id: Any, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


_MOVES_SEEN = 64


class HubServer:
    """Answers lines of Hub by the rules of each variant.

    `rules` gives those of a value of the parameter; `values` are the values it takes.
    """

    def __init__(self, rules: Callable[[str], Ruleset], values: Sequence[str]) -> None:
        self._rules, self._values = rules, tuple(values)
        self._variant = variants().default if variants().default in self._values else self._values[0]
        self._position: Position | None = None
        self._moves = lru_cache(maxsize=_MOVES_SEEN)(self._legal)
        self._read = lru_cache(maxsize=_MOVES_SEEN)(self._read_position)

    def serve(self, lines: TextIO, answers: TextIO) -> None:
        """Answer each line until `quit` or the end; what is written is flushed by whoever reads `lines`."""
        while line := lines.readline(LIMIT + 1):
            if len(line) > LIMIT and not line.endswith("\n"):
                while (rest := lines.readline(LIMIT)) and not rest.endswith("\n"):
                    pass
                answers.write(_hub_error(f"a line of more than {LIMIT} characters") + "\n")
                continue
            try:
                said = hub.read(line)
            except ValueError as error:
                answers.write(_hub_error(str(error)) + "\n")
                continue
            if said.command == "quit":
                break
            answers.writelines(f"{answer}\n" for answer in self.respond(said))
        answers.flush()

    def respond(self, said: Said) -> Iterator[str]:
        """The lines that answer a line; a command that it does not know has none."""
        try:
            match said.command:
                case "hub":
                    yield from self._hello()
                case "set-param":
                    self._set(said.values.get("name", ""), said.values.get("value", ""))
                case "init":
                    yield "ready"
                case "ping":
                    yield "pong"
                case "pos":
                    self._place(said.values.get("pos"), said.values.get("moves", "").split())
                case "go":
                    yield from self._play()
        except (DamspecError, ValueError) as error:
            yield _hub_error(str(error))

    def _hello(self) -> Iterator[str]:
        yield hub.written("id", name="damspec", version=__version__, author="the damspec authors")
        values = " ".join(self._values)
        yield hub.written("param", name=variants().parameter, value=self._variant, type="enum", values=values)
        yield "wait"

    def _set(self, name: str, value: str) -> None:
        if name != variants().parameter:
            raise ValueError(f"found the parameter {name!r}, expected {variants().parameter}")
        if value not in self._values:
            raise ValueError(f"{name}: found {value!r}, expected one of {', '.join(self._values)}")
        self._variant, self._position = value, None

    def _place(self, text: str | None, moves: Sequence[str]) -> None:
        """Set up a position and make moves in it, those before one that is illegal."""
        ruleset = self._rules(self._variant)
        position = Position.start(ruleset.rules) if text is None else self._read(self._variant, text)
        self._position = position
        for move in moves:
            start, end, captured = hub.read_move(move)
            legal = self._moves(self._variant, position)
            found = legal.get((start, end, captured))
            if found is None:
                raise ValueError(f"illegal move {move}")
            self._position = position = ruleset.turns.after(position, found)

    def _play(self) -> Iterator[str]:
        """Some legal move, the same in the same position."""
        if self._position is None:
            raise ValueError("there is no position")
        legal = self._moves(self._variant, self._position)
        if not legal:
            yield "done"
            return
        start, end, captured = random.Random(self._position.fen()).choice(sorted(legal, key=str))
        move = hub.move_text(start, end, captured)
        yield hub.written("info", depth="1", nodes=str(len(legal)), pv=move)
        yield hub.written("done", move=move)

    def _legal(self, variant: str, position: Position) -> dict[hub.Squares, Move]:
        turns = self._rules(variant).turns
        moves = (action for action in turns.actions(position) if isinstance(action, Move))
        return {(move.start, move.end, frozenset(move.captured)): move for move in moves}

    def _read_position(self, variant: str, text: str) -> Position:
        return hub.read_position(text, self._rules(variant).rules.board)


def _hub_error(message: str) -> str:
    return hub.written("error", message=message)


#: Seconds that it waits for the other side.
PATIENCE = 3600.0


class DxpPlayer:
    """Plays by the rules of a ruleset over a connection, as the one who is asked for games."""

    def __init__(self, ruleset: Ruleset, connection: Connection, patience: float = PATIENCE) -> None:
        self._ruleset, self._connection, self._patience = ruleset, connection, patience
        #: The position of the game that is going on, and the moves of the side to move.
        self._position: Position | None = None
        self._side = "white"

    def play(self) -> None:
        """Play until the other side wants no other game, says nothing for too long or what is no DXP, or is gone."""
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
            case GameEnd() if self._position is not None:
                self._position = None
                self._say(GameEnd())
            case BackRequest():
                self._say(BackAnswer())

    def _begin(self, asked: GameRequest) -> None:
        position = Position.start(self._ruleset.rules)
        self._position = None
        if asked.version != VERSION:
            self._say(GameAnswer(NAME, 1))
            return
        if asked.position is not None:
            try:
                position = hub.read_position(asked.position, self._ruleset.rules.board, LETTERS)
            except ValueError as error:
                self._say(Chat(str(error)))
                self._say(GameAnswer(NAME, 2))
                return
        self._say(GameAnswer(NAME))
        self._position, self._side = position, asked.follower
        self._move()

    def _follow(self, made: MoveMade) -> None:
        """Take the other side's move."""
        position = self._position
        if position is None:
            self._say(Chat("there is no game"))
            return
        found = next((move for move in self._legal(position) if _is(move, made)), None)
        if found is None:
            self._say(Chat(f"illegal move {hub.move_text(made.start, made.end, made.captured)}"))
            self._end(0)
            return
        self._position = self._ruleset.turns.after(position, found)
        self._move()

    def _move(self) -> None:
        """Move, if it is this side's turn; give up where it cannot."""
        position = self._position
        if position is None or position.turn != self._side:
            return
        legal = self._legal(position)
        if not legal:
            self._end(1)
            return
        chosen = random.Random(position.fen()).choice(sorted(legal, key=str))
        self._position = self._ruleset.turns.after(position, chosen)
        self._say(MoveMade(chosen.start, chosen.end, frozenset(chosen.captured)))

    def _end(self, reason: int) -> None:
        """End the game; that the other side ends it too is its answer."""
        self._position = None
        self._say(GameEnd(reason))

    def _legal(self, position: Position) -> list[Move]:
        return [action for action in self._ruleset.turns.actions(position) if isinstance(action, Move)]

    def _say(self, message: DxpMessage) -> None:
        self._connection.send(message, time.monotonic() + self._patience)


def _is(move: Move, made: MoveMade) -> bool:
    return (move.start, move.end, frozenset(move.captured)) == (made.start, made.end, made.captured)
