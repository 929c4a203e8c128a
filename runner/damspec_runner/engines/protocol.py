"""The engine protocol's messages: writing requests, reading answers, what can be wrong (docs/protocol.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from damspec import Outcome, data
from damspec.errors import strip_control_characters as strip_control_characters
from damspec.safe_yaml import read_json
from damspec.version import __version__

PROTOCOL = 1
UNSUPPORTED = -32001
METHOD_NOT_FOUND = -32601
#: Questions in flight at most, whatever an engine says.
MAX_IN_FLIGHT = 256
#: What cases are asked by; an engine can do without `start`, and cannot do with `start` alone.
OF_CASES = ("start", "moves", "play", "outcome")
#: What an engine may be asked.
QUESTIONS = (*OF_CASES, "perft", "legal")
#: What an engine can say of how a game stands.
OUTCOMES = ("ongoing", "white", "black", "draw")
#: A question: its method and its parameters.
Question = tuple[str, Mapping[str, Any]]
#: How an engine's moves come to be known: it lists them, it is offered moves and takes some, it plays one.
Manner = Literal["listed", "probed", "played"]


class EngineError(Exception):
    """An engine that cannot be run, or an answer that is none: `kind` is a word for it, `str()` one line quoting it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class UnsupportedError(Exception):
    """The engine's own word that it does not answer this question; `str()` is its reason."""


@dataclass(frozen=True)
class Hello:
    """What an engine says of itself; `rulesets` is None for one that takes any.

    What comes after `history` says how it is asked: verify/capabilities.py makes of it what others can do.
    """

    name: str
    version: str
    rulesets: frozenset[str] | None
    questions: frozenset[str]
    wants_rules: bool
    #: Questions that may be sent before the first of them is answered.
    max_in_flight: int = field(default=1, compare=False)
    #: Whether a question about the outcome may have the moves so far.
    history: bool = field(default=False, compare=False)
    #: Whether it lists single steps and jumps; whether it can be given a position, and not only moves from the start.
    steps: bool = field(default=False, compare=False)
    setup: bool = field(default=True, compare=False)
    #: Whether of a move it knows the first and the last square only.
    ends: bool = field(default=False, compare=False)
    #: The questions that it answers itself, where `questions` are those that can be put to it.
    itself: frozenset[str] | None = field(default=None, compare=False)
    #: How its moves are known.
    manner: Manner = field(default="listed", compare=False)

    @property
    def answers(self) -> frozenset[str]:
        """The questions that it answers itself."""
        return self.questions if self.itself is None else self.itself

    @property
    def concluded(self) -> bool:
        """Whether how a game stands is concluded from its moves."""
        return "outcome" in self.questions and "outcome" not in self.answers

    def plays(self, id: str) -> bool:
        """Whether the engine says that it knows a ruleset, with or without readings."""
        return self.wants_rules or self.rulesets is None or id in self.rulesets


@dataclass(frozen=True)
class AnswerLimits:
    """How large an answer may be."""

    #: Bytes of a line.
    answer: int = 1 << 16
    #: Entries in a list of moves.
    moves: int = 1000
    #: Entries in a list of names.
    names: int = 1000
    #: Characters of an entry, and of a name.
    move: int = 200
    #: Characters of a position.
    position: int = 1000


LIMITS = AnswerLimits()


def request(id: int, method: str, params: Mapping[str, Any] | None) -> str:
    """A request as one line."""
    asked = "" if params is None else f',"params":{_object(params)}'
    return f'{{"jsonrpc":"2.0","id":{id},"method":"{method}"{asked}}}'


def _object(values: Mapping[str, Any]) -> str:
    parts = [f'"{key}":{_text(value) if type(value) is str else _encode(value)}' for key, value in values.items()]
    return f"{{{','.join(parts)}}}"


def hello_params() -> dict[str, Any]:
    """The parameters of the first message."""
    return {"protocol": PROTOCOL, "runner": {"name": "damspec", "version": __version__}}


def outcome(end: Outcome) -> dict[str, str | None]:
    """The answer to the question how a game stands."""
    return {"outcome": end.result, "reason": end.reason}


def result(line: str, id: int, method: str, limits: AnswerLimits = LIMITS) -> Any:
    """The result in an engine's line that answers request `id`.

    Raises UnsupportedError, or EngineError for a line that is no answer to it, or one beyond the limits.
    """
    try:
        message = read_json(line)
    except ValueError as error:
        raise EngineError(
            "json", f"answered {method} with malformed JSON ({error}): {excerpt(line)}{json_hint(line)}"
        ) from None
    if wrong := data.schema_problem(message, "protocol", "answer"):
        raise EngineError("form", f"answered {method} with no JSON-RPC answer: {wrong}: {excerpt(line)}")
    if message["id"] != id:
        found = _cut(repr(message["id"]))
        raise EngineError("id", f"answered {method} with id {found}, expected {id}: {excerpt(line)}")
    if "error" in message:
        code, text = _cut(str(message["error"]["code"])), shown(" ".join(message["error"]["message"].split()))
        if message["error"]["code"] in (UNSUPPORTED, METHOD_NOT_FOUND):
            raise UnsupportedError(text)
        raise EngineError("refused", f"answered {method} with error {code}: {text}")
    found = message["result"]
    if too_large := oversize(found, limits):
        raise EngineError("size", f"answered {method} with {too_large}: {excerpt(line)}")
    if wrong := data.schema_problem(found, "protocol", f"{method}.result"):
        raise EngineError("form", f"answered {method} with a result of the wrong form: {wrong}: {excerpt(line)}")
    return found


def hello(answer: Mapping[str, Any]) -> Hello:
    """The handshake's result as a value."""
    rulesets = answer["rulesets"]
    return Hello(
        name=strip_control_characters(answer["name"]),
        version=strip_control_characters(answer["version"]),
        rulesets=None if rulesets == "*" else frozenset(rulesets),
        questions=frozenset(answer["questions"]),
        wants_rules=answer.get("rules", False),
        max_in_flight=min(answer.get("ahead", 1), MAX_IN_FLIGHT),
        history=answer.get("history", False),
        steps=answer.get("steps", False),
        setup=answer.get("setup", True),
        ends=answer.get("ends", False),
    )


def shown(text: str) -> str:
    """An engine's text as a message has it: as it can be shown, and cut when long."""
    return strip_control_characters(_cut(text, 200))


def excerpt(line: str) -> str:
    """A line as a message quotes it, cut when long."""
    return repr(_cut(line[:1000].strip(), 120))


def _cut(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


_text = json.encoder.encode_basestring_ascii
_encode = json.JSONEncoder(separators=(",", ":")).encode


def oversize(result: Any, limits: AnswerLimits) -> str:
    """What of a result is beyond the limits, in words; nothing if all is within."""
    if type(result) is not dict:
        return ""
    lists = (("moves", limits.moves), ("lapses", limits.moves), ("rulesets", limits.names), ("questions", limits.names))
    for key, most in lists:
        found = result.get(key)
        if type(found) is not list:
            continue
        if len(found) > most:
            return f"{len(found)} {key}, expected at most {most}"
        for entry in found:
            if (size := _size(entry)) > limits.move:
                return f"an entry of length {size} in {key}, expected at most {limits.move}"
    for key, most in (("position", limits.position), ("name", limits.move), ("version", limits.move)):
        text = result.get(key)
        if type(text) is str and len(text) > most:
            return f"a {key} of {len(text)} characters, expected at most {most}"
    return ""


def _size(entry: Any) -> int:
    """The length of a text, or of the longest text or list in an object."""
    if type(entry) is dict:
        return max((len(part) for part in entry.values() if type(part) in (str, list)), default=0)
    return len(entry) if type(entry) is str else 0


# --- what may be wrong when nothing can be understood: mostly it is in how lines are framed -----

FLUSH_HINT = "; an answer came when its input was closed: flush the output after each answer"
_STDERR_HINT = "; it answers on standard error: answers go to standard output"


def line_hint(line: str) -> str:
    """For a line that is no answer, whatever it should have been."""
    text = line.strip()
    if text.startswith("\ufeff"):
        return "; it begins with a byte order mark: write UTF-8 without one"
    if "\0" in text:
        return "; it has zero bytes: write UTF-8, not UTF-16"
    if "\r" in text:
        return "; it has carriage returns within: end each answer with a newline"
    return ""


def json_hint(line: str) -> str:
    """For a line that is no JSON."""
    text = line.strip()
    if hint := line_hint(line):
        return hint
    if text.startswith("{'"):
        return "; JSON has double quotes"
    if text[:1] in ("{", "[") and text.endswith(("{", "[", ",")):
        return "; write each answer on one line"
    if text and text[0] not in '{["':
        return "; standard output is for answers alone"
    return ""


def unfinished_hint(begun: bytes) -> str:
    """For what came of a line without its end; nothing if nothing came."""
    if not begun:
        return ""
    ending = "carriage returns and no newline" if b"\r" in begun else "no newline"
    return f"; {len(begun)} bytes came with {ending}: end each answer with one"


def stderr_hint(noise: Sequence[str]) -> str:
    """For an engine that has never said a word on standard output."""
    return _STDERR_HINT if any(line.startswith("{") and '"jsonrpc"' in line for line in noise) else ""
