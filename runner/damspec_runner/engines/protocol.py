"""The engine protocol's messages: formatting requests, parsing answers, explaining mistakes (docs/protocol.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from damspec import Outcome, data
from damspec.errors import quote_value
from damspec.errors import strip_control_characters as strip_control_characters
from damspec.safe_yaml import read_json
from damspec.version import __version__

from ..options import option

PROTOCOL = 1
UNSUPPORTED = -32001
METHOD_NOT_FOUND = -32601
#: The maximum number of requests in flight, whatever an engine allows.
MAX_IN_FLIGHT = 256
#: The questions that cases ask; an engine need not answer `start`, but must answer another.
OF_CASES = ("start", "moves", "play", "outcome")
#: All questions.
QUESTIONS = (*OF_CASES, "perft", "legal", "plays")
#: The answers to `outcome`.
OUTCOMES = ("ongoing", "white", "black", "draw")
#: What a position may come to for the side to move, as an answer to `plays` can state it.
VALUES = ("win", "draw", "loss")
#: A question: its method and its parameters.
Question = tuple[str, Mapping[str, Any]]
#: How an engine's moves are found out: it lists them, it accepts some that are offered, or it plays one.
Manner = Literal["listed", "probed", "played"]


class EngineError(Exception):
    """An engine that cannot be run, or an unusable answer; `kind` is a word for the error, `str()` one line."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class UnsupportedError(Exception):
    """The engine says that it does not support a question; `str()` is its reason."""


def answer_or_refusal(ask: Callable[..., Any], *arguments: Any) -> Any:
    """Return an answer, or in its place the exception by which an engine declines or refuses: it can be asked more.

    Raises other EngineErrors.
    """
    try:
        return ask(*arguments)
    except (UnsupportedError, EngineError) as error:
        if not can_continue(error):
            raise
        return error


def can_continue(error: BaseException) -> bool:
    """Return whether an engine can be asked more after an error."""
    return isinstance(error, UnsupportedError) or (isinstance(error, EngineError) and error.kind == "refused")


@dataclass(frozen=True)
class Hello:
    """What an engine says of itself; `rulesets` is None for all.

    verify/capabilities.py makes up for the capabilities it lacks.
    """

    name: str
    version: str
    rulesets: frozenset[str] | None
    questions: frozenset[str]
    wants_rules: bool
    #: How many requests it allows in flight.
    max_in_flight: int = field(default=1, compare=False)
    #: Whether `outcome` may include the moves so far.
    history: bool = field(default=False, compare=False)
    #: Whether it lists single hops.
    steps: bool = field(default=False, compare=False)
    #: Whether it can set up a position, not only play moves from the start.
    setup: bool = field(default=True, compare=False)
    #: Whether it knows only the first and the last square of a move.
    ends: bool = field(default=False, compare=False)
    #: The questions it answers itself, if an adapter derives the answers to some of `questions`.
    itself: frozenset[str] | None = field(default=None, compare=False)
    manner: Manner = field(default="listed", compare=False)
    #: How it writes moves, where that is not damspec's notation (verify/notations.py).
    notation: str | None = field(default=None, compare=False)

    @property
    def answers(self) -> frozenset[str]:
        """The questions it answers itself."""
        return self.questions if self.itself is None else self.itself

    @property
    def is_concluded(self) -> bool:
        """Whether the outcome is inferred from its moves."""
        return "outcome" in self.questions and "outcome" not in self.answers

    @property
    def gives_successors(self) -> bool:
        """Whether it says where its moves lead; assumed where its questions are not known, as in an old report."""
        return "play" in self.questions or not self.questions

    def plays(self, id: str) -> bool:
        """Return whether the engine says that it knows a ruleset, given by its id or with readings."""
        return self.wants_rules or self.rulesets is None or id in self.rulesets


@dataclass(frozen=True)
class AnswerLimits:
    """Maximum sizes of an answer."""

    answer: int = option(
        "The longest line accepted from the engine.", 1 << 16, "--max-answer", rare=True, least=1024, metavar="BYTES"
    )
    moves: int = option("The most moves accepted in a list.", 1000, "--max-moves", rare=True, least=1)
    #: The entries in a list of names.
    names: int = 1000
    #: The characters of an entry, and of a name.
    move: int = 200
    #: The characters of a position.
    position: int = 1000


LIMITS = AnswerLimits()


def request(id: int, method: str, params: Mapping[str, Any] | None) -> str:
    """Format a request as one line."""
    asked = "" if params is None else f',"params":{_object(params)}'
    return f'{{"jsonrpc":"2.0","id":{id},"method":"{method}"{asked}}}'


def _object(values: Mapping[str, Any]) -> str:
    parts = [
        f'"{key}":{_moves(key, value) if key in _MOVES else _text(value) if type(value) is str else _encode(value)}'
        for key, value in values.items()
    ]
    return f"{{{','.join(parts)}}}"


#: The parameters that have moves.
_MOVES = ("move", "moves")
#: What the JSON text of a list, an object or a string begins with.
_JSON = ("[", "{", '"')


def _moves(key: str, value: Any) -> str:
    return f"[{','.join(map(_move, value))}]" if key == "moves" and isinstance(value, list | tuple) else _move(value)


def _move(value: Any) -> str:
    """Format a move as the engine listed it: one that `_keep_form` kept as JSON is that."""
    if isinstance(value, str) and value[:1] in _JSON:
        try:
            json.loads(value)
        except (ValueError, RecursionError):
            return _encode(value)
        return str(value)
    return _encode(value)


def _keep_form(entry: Any) -> Any:
    """Return an entry of a list of moves: one in another form than damspec's, or that looks like JSON, as JSON text."""
    if isinstance(entry, str) and entry[:1] not in _JSON:
        return entry
    if isinstance(entry, dict) and isinstance(entry.get("move"), str):
        captured = entry.get("captured", [None])
        if all(type(square) is int and square > 0 for square in captured):
            return entry
    return _encode(entry)


def move_notation(given: Any) -> str:
    """Return the notation of a listed move: it is a text, or in an object beside the captured squares."""
    return str(given["move"] if isinstance(given, Mapping) else given)


def move_entry(start: int, end: int, captured: Iterable[int]) -> dict[str, Any]:
    """Return a move as an object where its path is not known: by its first and last square and what it captures."""
    taken = sorted(captured)
    return {"move": f"{start}{'x' if taken else '-'}{end}", "captured": taken}


def hello_params() -> dict[str, Any]:
    """Return the parameters of `hello`."""
    return {"protocol": PROTOCOL, "runner": {"name": "damspec", "version": __version__}}


#: How long an engine that plays thinks about a move, if nothing else is said; and the forms that this may have.
LEVEL = "move-time=0.1"
_LEVEL = re.compile(r"(?:depth|nodes)=[1-9][0-9]{0,14}|move-time=([0-9]{1,5}(?:\.[0-9]{1,6})?)")


def read_level(text: str) -> dict[str, float]:
    """Parse how long to think, such as `depth=3`, into the `level` of a request. Raises ValueError."""
    found = _LEVEL.fullmatch(text)
    if found is None or (found[1] and not float(found[1])):
        raise ValueError(f"found {quote_value(text[:40])}, expected move-time=SECONDS, depth=N or nodes=N")
    name, _, number = text.partition("=")
    return {name: float(number) if found[1] else int(number)}


def level_text(level: Mapping[str, float]) -> str:
    """Format the `level` of a request as a text; empty if there is none."""
    for name, number in level.items():
        return f"{name}={f'{number:f}'.rstrip('0').rstrip('.') if isinstance(number, float) else number}"
    return ""


def thinking_seconds(params: Mapping[str, Any]) -> float:
    """Return the seconds that a request gives the engine to think, 0 if it does not say seconds."""
    seconds: float = params.get("level", {}).get("move-time", 0.0)
    return seconds


def level_seconds(text: str) -> float:
    """Return the seconds that a level allows for a move, 0 if it is no time. Raises ValueError if it is no level."""
    return thinking_seconds({"level": read_level(text)})


def outcome(end: Outcome) -> dict[str, str | None]:
    """Return the result of `outcome`."""
    return {"outcome": end.result, "reason": end.reason}


def result(line: str, id: int, method: str, limits: AnswerLimits = LIMITS) -> Any:
    """Parse the answer to request `id` and return its result.

    Raises UnsupportedError, or EngineError for a line that is no valid answer or exceeds the limits.
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
        code, text = _cut(str(message["error"]["code"])), clean_text(" ".join(message["error"]["message"].split()))
        if message["error"]["code"] in (UNSUPPORTED, METHOD_NOT_FOUND):
            raise UnsupportedError(text)
        raise EngineError("refused", f"answered {method} with error {code}: {text}")
    found = message["result"]
    if too_large := oversize(found, limits):
        raise EngineError("size", f"answered {method} with {too_large}: {excerpt(line)}")
    if wrong := data.schema_problem(found, "protocol", f"{method}.result"):
        raise EngineError("form", f"answered {method} with a result of the wrong form: {wrong}: {excerpt(line)}")
    if method == "moves":
        return found | {name: [*map(_keep_form, found[name])] for name in ("moves", "lapses") if name in found}
    if method == "plays" and found["move"] is not None:
        return found | {"move": _keep_form(found["move"])}
    return found


def hello(answer: Mapping[str, Any]) -> Hello:
    """Convert the result of `hello`."""
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


def clean_text(text: str) -> str:
    """Return an engine's text for a message: without control characters, truncated when long."""
    return strip_control_characters(_cut(text, 200))


def excerpt(line: str) -> str:
    """Return a line as a message quotes it, truncated when long."""
    return repr(_cut(line[:1000].strip(), 120))


def _cut(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


_text = json.encoder.encode_basestring_ascii
_encode = json.JSONEncoder(separators=(",", ":")).encode


def oversize(result: Any, limits: AnswerLimits) -> str:
    """Return what part of a result exceeds the limits, in words; empty if none does."""
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
            limit = limits.position if type(entry) is str and entry[1:2] == ":" else limits.move
            if (size := _size(entry)) > limit:
                return f"an entry of length {size} in {key}, expected at most {limit}"
    for key, most in (("position", limits.position), ("name", limits.move), ("version", limits.move)):
        text = result.get(key)
        if type(text) is str and len(text) > most:
            return f"a {key} of {len(text)} characters, expected at most {most}"
    if (size := _size(result.get("move"))) > limits.position:
        return f"a move of length {size}, expected at most {limits.position}"
    return ""


def _size(entry: Any) -> int:
    """Return the length of a text, or of the longest text or list in an object."""
    if type(entry) is list:
        return len(_encode(entry))
    if type(entry) is dict:
        return max((len(part) for part in entry.values() if type(part) in (str, list)), default=0)
    return len(entry) if type(entry) is str else 0


# --- likely causes when nothing can be parsed: mostly how lines are framed -----------------------

FLUSH_HINT = "; an answer came when its input was closed: flush the output after each answer"
STDOUT_HINT = "; standard output is for answers alone"
_STDERR_HINT = "; it answers on standard error: answers go to standard output"


def line_hint(line: str) -> str:
    """Return a hint for a line that is no answer in any protocol."""
    text = line.strip()
    if text.startswith("\ufeff"):
        return "; it begins with a byte order mark: write UTF-8 without one"
    if "\0" in text:
        return "; it has zero bytes: write UTF-8, not UTF-16"
    if "\r" in text:
        return "; it has carriage returns within: end each answer with a newline"
    return ""


def json_hint(line: str) -> str:
    """Return a hint for a line that is not JSON."""
    text = line.strip()
    if hint := line_hint(line):
        return hint
    if text.startswith("{'"):
        return "; JSON has double quotes"
    if text.split()[0:1] in (["hello"], ["unsupported"], ["error"]):
        return "; an engine in plain lines is asked so with --lines"
    if text[:1] in ("{", "[") and text.endswith(("{", "[", ",")):
        return "; write each answer on one line"
    if text and text[0] not in '{["':
        return STDOUT_HINT
    return ""


def unfinished_hint(begun: bytes) -> str:
    """Return a hint for an incomplete line."""
    if not begun:
        return ""
    ending = "carriage returns and no newline" if b"\r" in begun else "no newline"
    return f"; {len(begun)} bytes came with {ending}: end each answer with one"


def stderr_hint(noise: Sequence[str]) -> str:
    """Return a hint for an engine that has written nothing to standard output."""
    return _STDERR_HINT if any(line.startswith("{") and '"jsonrpc"' in line for line in noise) else ""
