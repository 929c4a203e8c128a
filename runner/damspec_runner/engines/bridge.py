"""Engines with a protocol of their own, by a file that says what to send and how to read answers (docs/bridge.md)."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from damspec import Position, data, load_ruleset
from damspec.errors import quote_value
from damspec.safe_yaml import read_json
from damspec.written_position import HUB_LETTERS

from . import protocol
from .hub import position_text
from .process import Engine, SubprocessEngine
from .protocol import (
    LIMITS,
    PROTOCOL,
    EngineError,
    Hello,
    UnsupportedError,
    clean_text,
    excerpt,
    level_text,
    thinking_seconds,
)

#: The questions of a file, and those of them by which moves are found out.
_QUESTIONS = ("start", "moves", "play", "legal", "plays")
_OF_MOVES = {"moves", "legal", "plays"}
#: What the answer to a question is called, and the type of that where it is no text, in words.
_KEYS = {"start": "position", "moves": "moves", "play": "position", "legal": "legal", "plays": "move"}
_TYPES: Mapping[str, tuple[type, str]] = {"moves": (list, "a list"), "legal": (bool, "true or false")}
#: What is filled in for a word in braces.
_WORDS = ("fen", "squares", "turn", "side", "ruleset", "moves", "move", "level", "seconds", "depth", "nodes")
#: The levels that have a word of their own in braces.
_LEVELS = {"seconds": "move-time", "depth": "depth", "nodes": "nodes"}
_BRACES = re.compile(r"\{([a-z]+)\}")
#: The default time for an answer, in seconds: less than the runner waits, so that it hears what was missing.
_SECONDS = 8.0
#: How often an engine may be restarted.
_RESTARTS = 10


@dataclass(frozen=True)
class BridgeFile:
    """What is said of an engine in a file, in the form of schemas/bridge.schema.json."""

    content: Mapping[str, Any]

    @classmethod
    def load(cls, path: Path) -> BridgeFile:
        """Load and check a file. Raises FileError."""
        where, content = data.path_text(path), data.load_yaml(path)
        data.check(content, "bridge", where)
        found = cls(content)
        if "url" in content and (lines := {"begin", "refuses", "quit"} & content.keys()):
            raise data.FileError(f"{where}: {min(lines)}: found with a url, expected with a command only")
        if not _OF_MOVES & found.questions.keys():
            raise data.FileError(f"{where}: found no question about moves, expected one of moves, legal, plays")
        if "command" in content and not found.command:
            words = quote_value(str(content["command"]))
            raise data.FileError(f"{where}: command: found {words}, expected words as in a shell")
        for place, text in found._texts():
            known = () if place.startswith("begin") else _WORDS
            for word in _BRACES.findall(text):
                if word not in known:
                    wanted = f"one of {', '.join(known)}" if known else "none, since nothing is asked yet"
                    raise data.FileError(f"{where}: {place}: found {quote_value(word)} in braces, expected {wanted}")
        for place, pattern in found._patterns():
            try:
                re.compile(pattern)
            except re.error as error:
                raise data.FileError(
                    f"{where}: {place}: found {quote_value(pattern)}, expected a regular expression: {error}"
                ) from None
        return found

    @property
    def questions(self) -> dict[str, Mapping[str, Any]]:
        """The questions it answers, with how each is asked."""
        return {name: self.content[name] for name in _QUESTIONS if name in self.content}

    @property
    def command(self) -> list[str]:
        """The words of the command; none if it has an open quotation mark."""
        command = self.content.get("command", ())
        try:
            return shlex.split(command) if isinstance(command, str) else [*command]
        except ValueError:
            return []

    @property
    def seconds(self) -> float:
        """The longest time for an answer, in seconds."""
        return float(self.content.get("seconds", _SECONDS))

    def hello(self) -> dict[str, Any]:
        """Return the answer to `hello`."""
        sent = "".join(text for _, text in self._texts())
        name, _, version = self.content["name"].partition(" ")
        return {
            "protocol": PROTOCOL,
            "name": name,
            "version": version,
            "rulesets": self.content.get("rulesets", "*"),
            "questions": [*self.questions],
            **{flag: True for flag in ("steps", "ends") if self.content.get(flag)},
            **({"setup": False} if "{moves}" in sent and not ("{fen}" in sent or "{squares}" in sent) else {}),
        }

    def fill(self, text: str, params: Mapping[str, Any]) -> str:
        """Return a text with its words in braces filled in."""
        return _BRACES.sub(lambda word: self._value(word[1], params), text)

    def fill_json(self, value: Any, params: Mapping[str, Any]) -> Any:
        """Return a JSON value with its texts filled in; a word alone is a number, or what the engine listed."""
        match value:
            case "{move}" | "{moves}":
                return params.get(value[1:-1], [] if value == "{moves}" else "")
            case "{seconds}" | "{depth}" | "{nodes}":
                return _limit(value[1:-1], params)
            case str():
                return self.fill(value, params)
            case Mapping():
                return {key: self.fill_json(part, params) for key, part in value.items()}
            case list() | tuple():
                return [self.fill_json(part, params) for part in value]
            case _:
                return value

    def _value(self, word: str, params: Mapping[str, Any]) -> str:
        fen = str(params.get("position", ""))
        match word:
            case "fen":
                return fen
            case "squares":
                board = load_ruleset(params["ruleset"]).rules.board
                return position_text(Position.from_fen(fen, board), self.content.get("letters", HUB_LETTERS))[1:]
            case "turn":
                return fen[:1]
            case "side":
                return "black" if fen[:1] == "B" else "white"
            case "moves":
                return " ".join(map(_move_text, params.get("moves", ())))
            case "move":
                return _move_text(params.get("move", ""))
            case "level":
                return level_text(params.get("level", {}))
            case "seconds" | "depth" | "nodes":
                return str(_limit(word, params))
            case _:
                return str(params["ruleset"])

    def _texts(self) -> Iterator[tuple[str, str]]:
        """Yield each text that is sent, with its place in the file."""
        for name, question in (("begin", self.content.get("begin", {})), *self.questions.items()):
            yield f"{name}.send", question.get("send", "")
            yield f"{name}.post", json.dumps(data.thaw(question.get("post", {})))

    def _patterns(self) -> Iterator[tuple[str, str]]:
        yield "refuses", self.content.get("refuses", "")
        for name, question in (("begin", self.content.get("begin", {})), *self.questions.items()):
            yield from ((f"{name}.{key}", question[key]) for key in ("until", "match") if key in question)


class TextBridge(SubprocessEngine):
    """A process that is sent the lines of a file, and whose answers are searched for its patterns."""

    def __init__(self, file: BridgeFile) -> None:
        super().__init__(file.command, timeout=file.seconds, restarts=_RESTARTS)
        self._file = file

    def _handshake(self) -> Hello:
        if begin := self._file.content.get("begin"):
            self._talk(begin, "hello", {})
        return protocol.hello(self._file.hello())

    def _exchange(self, method: str, params: Mapping[str, Any]) -> Any:
        question = self._file.questions[method]
        lines = self._talk(question, method, params)
        pattern = re.compile(question["match"])
        matches = [match for line in lines for match in pattern.finditer(line)]
        found = [text for match in matches if (text := next(filter(None, match.groups()), match[0]))]
        if method in _TYPES:
            return {_KEYS[method]: _TYPES[method][0](found)}
        if not found:
            raise EngineError(
                "form", f"answered {method} with nothing that matches {pattern.pattern!r}: {_last(lines)}"
            )
        return {_KEYS[method]: found[0]}

    def _talk(self, question: Mapping[str, Any], method: str, params: Mapping[str, Any]) -> list[str]:
        """Send what is to be sent and return the lines that answer it."""
        assert self._process is not None
        until, refuses = question.get("until"), self._file.content.get("refuses")
        sent = self._file.fill(question.get("send", ""), params).rstrip("\n")
        lines: list[str] = []
        timeout = self.timeout + thinking_seconds(params)
        try:
            for line in self._process.converse(f"{sent}\n" if sent else "", method, timeout, lambda line: False):
                lines.append(line.strip())
                if refuses and re.search(refuses, lines[-1]):
                    raise UnsupportedError(clean_text(lines[-1]))
                if until is None or re.search(until, lines[-1]):
                    break
        except EngineError as error:
            missing = f": no line matches {until!r}, {_last(lines)}" if until is not None else ""
            raise EngineError(error.kind, f"{error}{missing}") from None
        return lines

    def _quit_message(self) -> str:
        return str(self._file.content.get("quit", "quit"))


class WebBridge(Engine):
    """A web service that questions are posted to, as JSON."""

    def __init__(self, file: BridgeFile) -> None:
        self._file, self._url = file, file.content["url"]
        self.command, self.timeout = [self._url], file.seconds

    def hello(self) -> Hello:
        """Return what its file says of it."""
        return protocol.hello(self._file.hello())

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question. Raises EngineError."""
        question = self._file.questions[method]
        text = self._post(question, method, params)
        try:
            found = _find(read_json(text), question["at"])
        except ValueError as error:
            raise EngineError("form", f"answered {method}: {error}: {excerpt(text)}") from None
        kind, words = _TYPES.get(method, (str, "a text"))
        if not isinstance(found, kind):
            raise EngineError(
                "form", f"answered {method} with {data.quote(found)}, expected {words} at {question['at']}"
            )
        return {_KEYS[method]: found}

    def _post(self, question: Mapping[str, Any], method: str, params: Mapping[str, Any]) -> str:
        body = json.dumps(self._file.fill_json(question["post"], params)).encode()
        url = self._url + question.get("path", "")
        request = Request(url, body, {"Content-Type": "application/json"})  # POST, since it has a body
        try:
            with urlopen(request, timeout=self.timeout + thinking_seconds(params)) as answer:
                content: bytes = answer.read(LIMITS.answer + 1)
        except HTTPError as error:
            said = excerpt(error.read(1000).decode("utf-8", "replace"))
            raise EngineError("refused", f"answered {method} with HTTP status {error.code}: {said}") from None
        except (OSError, HTTPException, ValueError) as error:
            raise EngineError("start", f"cannot ask {url}: {getattr(error, 'reason', None) or error}") from None
        if len(content) > LIMITS.answer:
            raise EngineError("size", f"answered {method} with more than {LIMITS.answer} bytes")
        return content.decode("utf-8", "replace")


def bridge_engine(file: BridgeFile) -> Engine:
    """Return the engine that a file describes, not started yet."""
    return WebBridge(file) if "url" in file.content else TextBridge(file)


def request_handler(file: BridgeFile, engine: Engine) -> Callable[[str, Mapping[str, Any]], Any]:
    """Return a function that answers requests of the protocol by asking an engine.

    It raises UnsupportedError and EngineError.
    """

    def answer(method: str, params: Mapping[str, Any]) -> Any:
        if method == "hello":
            said = file.hello()
            engine.hello()
            return said
        if method == "quit":
            return None
        if method not in file.questions:
            raise UnsupportedError(f"its file says nothing of {method}")
        return engine.ask(method, params)

    return answer


def _limit(word: str, params: Mapping[str, Any]) -> float:
    """Return how long to think in one unit. Raises UnsupportedError if it was said in another."""
    name = _LEVELS[word]
    found: float | None = params.get("level", {}).get(name)
    if found is None:
        raise UnsupportedError(f"its file sends {{{word}}}: expected --level {name}=N")
    return found


def _find(value: Any, path: str) -> Any:
    """Return what is at a path in a JSON value: a list of several if the path has an asterisk. Raises ValueError."""
    found = [value]
    for key in path.split("."):
        if key == "*":
            if not all(isinstance(each, list) for each in found):
                raise ValueError(f"found no list at the * of {path}")
            found = [entry for each in found for entry in each]
        else:
            if not all(isinstance(each, Mapping) and key in each for each in found):
                raise ValueError(f"found no {quote_value(key)}, expected {path}")
            found = [each[key] for each in found]
    return found if "*" in path.split(".") else found[0]


def _move_text(move: Any) -> str:
    """Return a move as the engine listed it: a text, or JSON in another form than damspec's."""
    if isinstance(move, Mapping) and isinstance(move.get("move"), str):
        move = move["move"]
    return move if isinstance(move, str) else json.dumps(move)


def _last(lines: Sequence[str]) -> str:
    return f"the last one is {excerpt(lines[-1])}" if lines else "none has come"
