"""What questions and answers look like, said quickly: the schema is asked only what is wrong with one that does not.

Whatever is right here is right by `schemas/protocol.schema.json`, not the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

_REQUEST = {"jsonrpc", "id", "method", "params"}
_PARAMS = {
    "moves": {"ruleset", "position"},
    "play": {"ruleset", "position", "move"},
    "outcome": {"ruleset", "position"},
    "legal": {"ruleset", "position", "move"},
}
#: What an engine can say of how a game stands.
OUTCOMES = ("ongoing", "white", "black", "draw")


@dataclass(frozen=True)
class Limits:
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

    @cached_property
    def least(self) -> int:
        """The smallest of them: a line that is no longer is within all."""
        return min(self.moves, self.move, self.position)


LIMITS = Limits()


def is_result(message: Any) -> bool:
    """Whether a message is an answer with a result."""
    return (
        type(message) is dict
        and message.get("jsonrpc") == "2.0"
        and type(message.get("id")) is int
        and "result" in message
        and "error" not in message
    )


def is_request(message: Any) -> bool:
    """Whether a message is a question about a position with nothing besides what it needs, as nearly all are."""
    if type(message) is not dict or message.keys() != _REQUEST or message["jsonrpc"] != "2.0":
        return False
    id, method, params = message["id"], message["method"], message["params"]
    if type(id) is not int or type(method) is not str or type(params) is not dict:
        return False
    texts = [value for key, value in params.items() if key != "rules"]
    return (
        params.keys() - {"rules"} == _PARAMS.get(method)
        and all(type(text) is str and text != "" for text in texts)
        and type(params.get("rules", {})) is dict
    )


def is_right(result: Any, method: str) -> bool:
    """Whether the result of a question has its form; false also for what is rare and has to be looked at closely."""
    if type(result) is not dict:
        return method == "quit"
    match method:
        case "moves":
            lapses = result.get("lapses", ())
            return _are_moves(result.get("moves")) and (lapses == () or _are_moves(lapses))
        case "play" | "start":
            position = result.get("position")
            return type(position) is str and position != ""
        case "outcome":
            reason = result.get("reason")
            return result.get("outcome") in OUTCOMES and (reason is None or type(reason) is str)
        case "legal":
            legal = result.get("legal")
            return type(legal) is bool or legal == "lapse"
        case "perft":
            nodes = result.get("nodes")
            return type(nodes) is int and nodes >= 0
        case _:
            return method == "quit"


def too_large(result: Any, limits: Limits) -> str:
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


def _are_moves(found: Any) -> bool:
    return type(found) is list and all(map(_is_move, found))


def _is_move(entry: Any) -> bool:
    if type(entry) is str:
        return entry != ""
    if type(entry) is not dict:
        return False
    move, captured = entry.get("move"), entry.get("captured")
    return (
        type(move) is str
        and move != ""
        and type(captured) is list
        and all(type(square) is int and square > 0 for square in captured)
    )
