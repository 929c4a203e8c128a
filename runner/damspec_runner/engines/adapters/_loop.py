"""The engine's side of the protocol (docs/protocol.md), shared by the adapters that stand next to this file.

An adapter runs under the Python of its engine, so nothing but the standard library is used here.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Collection, Mapping
from importlib.metadata import version
from typing import Any, TextIO

Answers = Mapping[str, Callable[..., Any]]

PROTOCOL = 1
SENT = {  # what a question is asked about, and the key its answer goes under
    "start": (("ruleset",), "position"),
    "moves": (("ruleset", "position"), "moves"),
    "play": (("ruleset", "position", "move"), "position"),
    "outcome": (("ruleset", "position"), "outcome"),
    "plays": (("ruleset", "position", "level"), "move"),
}


class UnsupportedError(Exception):
    """The engine does not know this: not a failure."""


class RefusedError(Exception):
    """A message that is wrong in itself, with the code JSON-RPC has for it."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def serve(
    name: str, rulesets: Collection[str], answers: Answers, *, package: str | None = None, led: bool = False
) -> None:
    """Answer until `quit` or the end of the input, with the version of the package, which is called as the engine
    unless it is given. `answers` has a function for each question the engine
    knows, called with what it is about: `start(ruleset)`, `moves(ruleset, position)`,
    `play(ruleset, position, move)`, `outcome(ruleset, position)`, `plays(ruleset, position, level)`. An engine
    that is `led` goes hop by hop from the start: its functions are given the hops so far as `played` in the
    place of a position."""
    hello = {
        "protocol": PROTOCOL,
        "name": name,
        "version": version(package or name),
        "rulesets": sorted(rulesets),
        "questions": [question for question in SENT if question in answers],
        **({"steps": True, "setup": False} if led else {}),
    }
    if sys.stdin is None or sys.stdout is None:
        sys.exit(f"{name}: standard input or output is closed")
    out, sys.stdout = sys.stdout, sys.stderr  # what an engine prints must not get among the answers
    try:
        for line in sys.stdin.buffer:
            if line.strip() and not _answer(line, out, hello, answers):
                break
    except BrokenPipeError:  # nobody listens any more: leave nothing to be flushed
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
    except KeyboardInterrupt:
        pass


def _answer(line: bytes, out: TextIO, hello: dict[str, Any], answers: Answers) -> bool:
    """Answer one line; false if it was the last."""
    message: Any = None
    try:
        message = _parse(line)
        reply = {"result": _result(message, hello, answers)}
    except RefusedError as refused:
        reply = {"error": {"code": refused.code, "message": str(refused)}}
    except UnsupportedError as unsupported:
        reply = {"error": {"code": -32001, "message": str(unsupported)}}
    except Exception as error:  # the engine's own failure is an answer too
        text = " ".join(f"{type(error).__name__}: {error}".split())
        reply = {"error": {"code": -32000, "message": text}}
    known = isinstance(message, dict)
    ident = message.get("id") if known else None
    if not known or "id" in message or "error" in reply:  # a message without id wants no answer
        ident = ident if isinstance(ident, int | str) else None
        out.write(json.dumps({"jsonrpc": "2.0", "id": ident, **reply}) + "\n")
        out.flush()
    return not (known and message.get("method") == "quit")


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RefusedError(-32700, f"not JSON: {error}") from None


def _result(message: Any, hello: dict[str, Any], answers: Answers) -> Any:
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise RefusedError(-32600, "not a JSON-RPC 2.0 request")
    method, params = message.get("method"), message.get("params", {})
    if not isinstance(method, str):
        raise RefusedError(-32600, "a request needs a method")
    if method == "hello":
        return hello
    if method == "quit":
        return None
    if method not in answers:
        raise RefusedError(-32601, f"no such method: {method}")
    needs, key = SENT[method]
    if method == "plays" and isinstance(params, dict):
        params = {"level": {}, **params}
    if not isinstance(params, dict) or any(need not in params for need in needs):
        raise RefusedError(-32602, f"{method} needs {', '.join(needs)}")
    if params["ruleset"] not in hello["rulesets"]:
        raise UnsupportedError(f"ruleset {params['ruleset']}")
    given = {**params, "position": params.get("moves", [])} if "setup" in hello else params
    return {key: answers[method](*(given[need] for need in needs))}
