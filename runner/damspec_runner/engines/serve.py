"""The reference as an engine: it answers the protocol, or plain lines, on standard input and output like any other."""

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

from . import forms, lines
from .protocol import METHOD_NOT_FOUND, PROTOCOL, QUESTIONS, hello_params, outcome, request

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

#: Characters of a line that are read; a longer one is refused.
LIMIT = 1024 * 1024
#: Questions that may lie unanswered in its input.
AHEAD = 256
#: The greatest depth of a perft.
DEEPEST = 20
_PARSE_ERROR, _INVALID_REQUEST, _INVALID_PARAMS = -32700, -32600, -32602


class Waiting(RawIOBase):
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
    """Answer each line of `questions` by a line of `answers`, until `quit` or the end; see `Waiting`.

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
    if not forms.is_request(message) and (wrong := data.schema_problem(message, "protocol", f"{method}.request")):
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
