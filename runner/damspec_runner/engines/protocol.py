"""The engine protocol's messages: writing requests, reading answers, what can be wrong (docs/protocol.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from damspec import Outcome, data
from damspec.version import __version__

PROTOCOL = 1
UNSUPPORTED = -32001
METHOD_NOT_FOUND = -32601
#: What an engine may be asked. `start` is optional, and not enough by itself.
QUESTIONS = ("start", "moves", "play", "outcome")


class EngineError(Exception):
    """An engine that cannot be run, or an answer that is none: `kind` is a word for it, `str()` one line quoting it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Unsupported(Exception):
    """The engine's own word that it does not answer this question; `str()` is its reason."""


@dataclass(frozen=True)
class Hello:
    """What an engine says of itself; `rulesets` is None for one that takes any."""

    name: str
    version: str
    rulesets: frozenset[str] | None
    questions: frozenset[str]
    wants_rules: bool

    def plays(self, id: str) -> bool:
        """Whether the engine says that it knows a ruleset, with or without readings."""
        return self.wants_rules or self.rulesets is None or id in self.rulesets


def request(id: int, method: str, params: Mapping[str, Any] | None) -> str:
    """A request as one line."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": method}
    if params is not None:
        message["params"] = params
    return json.dumps(message, separators=(",", ":"))


def hello_params() -> dict[str, Any]:
    """The parameters of the first message."""
    return {"protocol": PROTOCOL, "runner": {"name": "damspec", "version": __version__}}


def outcome(end: Outcome) -> dict[str, str | None]:
    """The answer to the question how a game stands."""
    return {"outcome": end.result, "reason": end.reason}


def result(line: str, id: int, method: str) -> Any:
    """The result in an engine's line that answers request `id`.

    Raises Unsupported, or EngineError for a line that is no answer to it.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise EngineError("json", f"answered {method} with malformed JSON ({error}): {excerpt(line)}") from None
    wrong = data.problem(message, "protocol", "answer")
    if wrong:
        raise EngineError("form", f"answered {method} with no JSON-RPC answer: {wrong}: {excerpt(line)}")
    if message["id"] != id:
        raise EngineError("id", f"answered {method} with id {message['id']!r}, expected {id}: {excerpt(line)}")
    if "error" in message:
        code, text = message["error"]["code"], plain(" ".join(message["error"]["message"].split()))
        if code in (UNSUPPORTED, METHOD_NOT_FOUND):
            raise Unsupported(text)
        raise EngineError("refused", f"answered {method} with error {code}: {text}")
    wrong = data.problem(message["result"], "protocol", f"{method}.result")
    if wrong:
        raise EngineError("form", f"answered {method} with a result of the wrong form: {wrong}: {excerpt(line)}")
    return message["result"]


def hello(answer: Mapping[str, Any]) -> Hello:
    """The handshake's result as a value."""
    rulesets = answer["rulesets"]
    return Hello(
        name=plain(answer["name"]),
        version=plain(answer["version"]),
        rulesets=None if rulesets == "*" else frozenset(rulesets),
        questions=frozenset(answer["questions"]),
        wants_rules=answer.get("rules", False),
    )


def plain(text: str) -> str:
    """An engine's text for showing: characters that cannot be shown are written as escapes."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def excerpt(line: str) -> str:
    """A line as a message quotes it, cut when long."""
    line = line.strip()
    return repr(line if len(line) <= 120 else line[:117] + "...")
