"""The engine protocol's messages: writing requests, reading answers, what can be wrong (docs/protocol.md)."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from damspec import Outcome, data
from damspec.errors import strip_control_characters as strip_control_characters
from damspec.safe_yaml import read_json
from damspec.version import __version__

from . import forms, hints
from .forms import LIMITS, Limits

PROTOCOL = 1
UNSUPPORTED = -32001
METHOD_NOT_FOUND = -32601
#: How each line begins, before its id.
BEGIN = '{"jsonrpc":"2.0","id":'
#: What cases are asked by; an engine can do without `start`, and cannot do with `start` alone.
OF_CASES = ("start", "moves", "play", "outcome")
#: What an engine may be asked.
QUESTIONS = (*OF_CASES, "perft", "legal")


#: How an engine's moves come to be known: it lists them, it is offered moves and takes some, it plays one.
Manner = Literal["listed", "probed", "played"]


class EngineError(Exception):
    """An engine that cannot be run, or an answer that is none: `kind` is a word for it, `str()` one line quoting it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Unsupported(Exception):
    """The engine's own word that it does not answer this question; `str()` is its reason."""


@dataclass(frozen=True)
class Hello:
    """What an engine says of itself; `rulesets` is None for one that takes any.

    What comes after `history` says how it is asked: verify/abilities/able.py makes of it what others can do.
    """

    name: str
    version: str
    rulesets: frozenset[str] | None
    questions: frozenset[str]
    wants_rules: bool
    #: Questions that may be sent before the first of them is answered.
    ahead: int = field(default=1, compare=False)
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


class Foreseen(NamedTuple):
    """A question with its right answer: `asked` and `answered` are their lines but for the ids before them."""

    method: str
    asked: str
    answered: str
    #: What is in the answer: a position, an outcome or moves.
    expected: str | Collection[str]


class Written(NamedTuple):
    """Questions as lines that are sent, and the lines that would answer them rightly, without their ends."""

    asked: list[bytes]
    told: list[bytes]


class Foreseeing:
    """Makes questions foreseen about positions: `base` are the parameters that all of them share."""

    def __init__(self, base: Mapping[str, Any]) -> None:
        self._base = f'"params":{_object(base)[:-1]},"position":'
        self._position = ""

    def about(self, position: str) -> None:
        """What is made from now on is about this position."""
        self._position = self._base + _text(position)

    def moves(self, expected: Collection[str]) -> Foreseen:
        """Which moves there are."""
        told = f',"result":{{"moves":[{",".join(map(_text, expected))}]}}}}'
        return Foreseen("moves", f',"method":"moves",{self._position}}}}}', told, expected)

    def play(self, move: str, expected: str) -> Foreseen:
        """Where a move leads."""
        asked = f',"method":"play",{self._position},"move":{_text(move)}}}}}'
        return Foreseen("play", asked, f',"result":{{"position":{_text(expected)}}}}}', expected)

    def outcome(self, expected: str, history: Sequence[str] = ()) -> Foreseen:
        """How the game stands, perhaps after the moves of a history."""
        told = f',"result":{{"outcome":{_text(expected)}}}}}'
        moves = f',"moves":[{",".join(map(_text, history))}]' if history else ""
        return Foreseen("outcome", f',"method":"outcome",{self._position}{moves}}}}}', told, expected)


def request(id: int, method: str, params: Mapping[str, Any] | None) -> str:
    """A request as one line."""
    return f"{BEGIN}{id}{_asked(method, params)}"


def _asked(method: str, params: Mapping[str, Any] | None) -> str:
    return f',"method":"{method}"}}' if params is None else f',"method":"{method}","params":{_object(params)}}}'


def _object(values: Mapping[str, Any]) -> str:
    parts = [f'"{key}":{_text(value) if type(value) is str else _encode(value)}' for key, value in values.items()]
    return f"{{{','.join(parts)}}}"


def again(question: Foreseen) -> str:
    """The line of a question, to ask it alone."""
    return f"{BEGIN}1{question.asked}"


def lines_of(questions: Sequence[Foreseen], first: int) -> Written:
    """The lines of questions whose ids begin with `first`."""
    asked = [f"{BEGIN}{id}{question.asked}\n".encode() for id, question in enumerate(questions, first)]
    return Written(asked, [f"{BEGIN}{id}{question.answered}".encode() for id, question in enumerate(questions, first)])


def is_reordered(line: bytes, told: bytes) -> bool:
    """Whether a line is the right answer as it would be written here, which has no move twice, in another order."""
    first = told.find(_LIST) + len(_LIST)
    if len(line) != len(told) or line[:first] != told[:first] or first < len(_LIST):
        return False
    if not (line.endswith(_LIST_ENDS) and told.endswith(_LIST_ENDS)):
        return False
    # As long as the right one and with the same moves it has none twice either.
    return {*line[first:_UPTO].split(b'","')} == {*told[first:_UPTO].split(b'","')}


def method_of(line: bytes) -> str:
    """What a line asks that was written here."""
    return line.partition(_METHOD)[2].partition(b'"')[0].decode()


def hello_params() -> dict[str, Any]:
    """The parameters of the first message."""
    return {"protocol": PROTOCOL, "runner": {"name": "damspec", "version": __version__}}


def outcome(end: Outcome) -> dict[str, str | None]:
    """The answer to the question how a game stands."""
    return {"outcome": end.result, "reason": end.reason}


def result(line: str, id: int, method: str, limits: Limits = LIMITS) -> Any:
    """The result in an engine's line that answers request `id`.

    Raises Unsupported, or EngineError for a line that is no answer to it, or one beyond the limits.
    """
    try:
        message = read_json(line)
    except ValueError as error:
        raise EngineError(
            "json", f"answered {method} with malformed JSON ({error}): {excerpt(line)}{hints.of_malformed(line)}"
        ) from None
    if not forms.is_result(message) and (wrong := _problem(message, "answer")):
        raise EngineError("form", f"answered {method} with no JSON-RPC answer: {wrong}: {excerpt(line)}")
    if message["id"] != id:
        found = _cut(repr(message["id"]))
        raise EngineError("id", f"answered {method} with id {found}, expected {id}: {excerpt(line)}")
    if "error" in message:
        code, text = _cut(str(message["error"]["code"])), shown(" ".join(message["error"]["message"].split()))
        if message["error"]["code"] in (UNSUPPORTED, METHOD_NOT_FOUND):
            raise Unsupported(text)
        raise EngineError("refused", f"answered {method} with error {code}: {text}")
    found = message["result"]
    if too_large := large(found, line, limits):
        raise EngineError("size", f"answered {method} with {too_large}: {excerpt(line)}")
    if not forms.is_right(found, method) and (wrong := _problem(found, f"{method}.result")):
        raise EngineError("form", f"answered {method} with a result of the wrong form: {wrong}: {excerpt(line)}")
    return found


def large(found: Any, line: str, limits: Limits) -> str:
    """What of a result in a line is beyond the limits, in words; nothing in a short line is."""
    return forms.too_large(found, limits) if len(line) > limits.least else ""


def hello(answer: Mapping[str, Any]) -> Hello:
    """The handshake's result as a value."""
    rulesets = answer["rulesets"]
    return Hello(
        name=strip_control_characters(answer["name"]),
        version=strip_control_characters(answer["version"]),
        rulesets=None if rulesets == "*" else frozenset(rulesets),
        questions=frozenset(answer["questions"]),
        wants_rules=answer.get("rules", False),
        ahead=answer.get("ahead", 1),
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


def _problem(value: Any, definition: str) -> str | None:
    """What is wrong with a value by the schema, if anything is."""
    return data.schema_problem(value, "protocol", definition)


_METHOD, _LIST, _LIST_ENDS = b',"method":"', b',"result":{"moves":["', b'"]}}'
_UPTO = -len(_LIST_ENDS)
_text = json.encoder.encode_basestring_ascii
_encode = json.JSONEncoder(separators=(",", ":")).encode
