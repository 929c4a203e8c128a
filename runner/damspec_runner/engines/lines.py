"""The line protocol: requests and answers as plain text, for engines without JSON (docs/lines.md).

A request is a word and its parameters, separated by spaces; its answer is one line. A list of moves may give the
position after each, so that an engine need not read moves: it is then never asked to play one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from damspec.errors import quote_value

from .protocol import (
    OF_CASES,
    OUTCOMES,
    PROTOCOL,
    QUESTIONS,
    STDOUT_HINT,
    VALUES,
    AnswerLimits,
    EngineError,
    UnsupportedError,
    clean_text,
    excerpt,
    level_text,
    line_hint,
    oversize,
    read_level,
)

#: A listed move: the move, its captured squares, the position after it.
_ENTRY = re.compile(r"(?P<move>[^\s()>]+)(?:\((?P<captured>[^\s()>]*)\))?(?:>(?P<after>\S+))?")
#: The numbers of captured squares.
_NUMBERS = re.compile("[0-9,]*")
#: What a word of an answer may begin with: a square, or a side to move.
_OF_ANSWER = re.compile("[a-z]?[0-9]|[WwBb]:")
#: A number of leaf nodes, or a depth.
_NUMBER = re.compile("[0-9]{1,30}")
#: The parameters of each request, in order.
_PARAMS = {
    "start": ("ruleset",),
    "moves": ("ruleset", "position"),
    "play": ("ruleset", "position", "move"),
    "outcome": ("ruleset", "position"),
    "perft": ("ruleset", "position", "depth"),
    "legal": ("ruleset", "position", "move"),
    "plays": ("ruleset", "position", "level"),
}
#: The answer to `plays` where there is no move.
_NONE = "none"
#: Words that an engine names among its questions, and the keys of the JSON protocol's hello that they stand for.
_FLAGS: dict[str, dict[str, bool]] = {
    "history": {"history": True},
    "steps": {"steps": True},
    "no-setup": {"setup": False},
    "ends": {"ends": True},
}
#: The answers to `legal`.
_LEGAL: dict[str, bool | str] = {"yes": True, "no": False, "lapse": "lapse"}
#: The separator between the legal moves and the lapses.
_LAPSES = "|"
#: How many lists of moves are cached: those for the hops of a turn are asked for one after another.
_CACHE_SIZE = 100
_HELLO_FORM = "hello NAME [VERSION] [rulesets=A,B] [questions=A,B]"


class LineFormat:
    """Formats requests and parses answers. It caches the positions after the moves listed last."""

    def __init__(self) -> None:
        #: The positions after the moves listed last, and for each of the last requests.
        self._after: dict[str, str] = {}
        self._cache: dict[tuple[str, ...], dict[str, str]] = {}

    def known_answer(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a request if an earlier list of moves has given it, else None."""
        if method != "play":
            return None
        after = self._cache.get(_cache_key(params), {}).get(_format_move(params["move"]))
        return None if after is None else {"position": after}

    def request(self, id: int, method: str, params: Mapping[str, Any] | None) -> str:
        """Format a request as one line, which has no id."""
        if method == "hello":
            return f"hello {PROTOCOL}"
        words = [method]
        if params is not None:
            about, last = (keys := _PARAMS[method])[:2], keys[2:]
            words += [_format_move(params[key]) for key in about]
            words += [_format_move(move) for move in params.get("moves", ())]
            words += [level_text(params[key]) if key == "level" else _format_move(params[key]) for key in last]
        if method == "moves" and params is not None:
            if len(self._cache) >= _CACHE_SIZE:
                self._cache.clear()
            self._cache[_cache_key(params)] = self._after = {}
        return " ".join(words)

    def result(self, line: str, id: int, method: str, limits: AnswerLimits) -> Any:
        """Parse an answer into the result of the JSON protocol. Raises UnsupportedError or EngineError."""
        words = line.split()
        if words[:1] == ["unsupported"]:
            raise UnsupportedError(clean_text(" ".join(words[1:]) or "it gives no reason"))
        if words[:1] == ["error"]:
            raise EngineError("refused", f"answered {method} with error: {clean_text(' '.join(words[1:]))}")
        try:
            found = self._read_answer(words, method)
        except ValueError as error:
            hint = line_hint(line) or ("" if _OF_ANSWER.match(line.strip() or "W:") else STDOUT_HINT)
            raise EngineError("form", f"answered {method} with {error}: {excerpt(line)}{hint}") from None
        longest = max(self._after.values(), key=len, default="")
        if too_large := oversize(found, limits) or oversize({"position": longest}, limits):
            raise EngineError("size", f"answered {method} with {too_large}: {excerpt(line)}")
        return found

    def _read_answer(self, words: Sequence[str], method: str) -> Any:
        match method:
            case "hello":
                return _hello(words)
            case "moves":
                return self._moves(words)
            case "start" | "play":
                if len(words) != 1:
                    found = f"{len(words)} words" if words else "nothing"
                    raise ValueError(f"found {found}, expected one, a position")
                return {"position": words[0]}
            case "outcome":
                if not words or words[0] not in OUTCOMES:
                    raise ValueError(f"found {_first(words)}, expected one of {', '.join(OUTCOMES)}")
                return {"outcome": words[0], "reason": " ".join(words[1:]) or None}
            case "plays":
                if (
                    not words
                    or words[1:] not in ([], *([value] for value in VALUES))
                    or not (entry := _ENTRY.fullmatch(words[0]))
                ):
                    found = quote_value(" ".join(words)) if words else "nothing"
                    raise ValueError(
                        f"found {found}, expected one word, a move like 22x15, or {_NONE}, and perhaps"
                        f" {', '.join(VALUES)} after it"
                    )
                stated = {"value": words[1]} if words[1:] else {}
                return {"move": None if words[0] == _NONE else _read_entry(entry), **stated}
            case "legal":
                if not words or words[0] not in _LEGAL:
                    raise ValueError(f"found {_first(words)}, expected one of {', '.join(_LEGAL)}")
                return {"legal": _LEGAL[words[0]]}
            case "perft":
                if len(words) != 1 or not _NUMBER.fullmatch(words[0]):
                    raise ValueError(f"found {_first(words)}, expected one word, a number")
                return {"nodes": int(words[0])}
            case _:
                return None

    def _moves(self, words: Sequence[str]) -> dict[str, list[Any]]:
        """Parse a list of moves, and perhaps one of lapses, after the word `moves`."""
        if words[:1] != ["moves"]:
            raise ValueError(f"found {_first(words)}, expected moves and then each move, or moves alone")
        lists: list[list[Any]] = [[]]
        for word in words[1:]:
            if word == _LAPSES:
                if len(lists) == 2:
                    raise ValueError(f"found {_LAPSES} twice, expected it once, before the lapses")
                lists.append([])
                continue
            entry = _ENTRY.fullmatch(word)
            if entry is None:
                raise ValueError(f"found {quote_value(word)}, expected a move like 22x15, 22x15(18) or 22x15>B:W15:B1")
            lists[-1].append(_read_entry(entry))
            if after := entry["after"]:
                self._after.setdefault(_format_move(lists[-1][-1]), after)
        return {"moves": lists[0], **({"lapses": lists[1]} if len(lists) == 2 else {})}


def _hello(words: Sequence[str]) -> dict[str, Any]:
    """Parse hello; by default an engine knows every ruleset and every question of the cases."""
    if words[:1] != ["hello"]:
        raise ValueError(f"found {_first(words)}, expected {_HELLO_FORM}")
    said = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    names = [word for word in words[1:] if "=" not in word]
    if len(names) > 2 or said.keys() - {"rulesets", "questions"}:
        raise ValueError(f"found {quote_value(' '.join(words))}, expected {_HELLO_FORM}")
    questions = said["questions"].split(",") if "questions" in said else list(OF_CASES)
    if wrong := sorted(set(questions) - {*QUESTIONS, *_FLAGS}):
        known = ", ".join((*QUESTIONS, *_FLAGS))
        raise ValueError(f"found the question {quote_value(wrong[0])}, expected some of {known}")
    return {
        "protocol": PROTOCOL,
        "name": names[0] if names else "unnamed",
        "version": names[1] if len(names) > 1 else "",
        "rulesets": said["rulesets"].split(",") if "rulesets" in said else "*",
        "questions": [question for question in questions if question not in _FLAGS],
        **{key: value for flag in questions for key, value in _FLAGS.get(flag, {}).items()},
    }


def read_request(line: str) -> tuple[str, dict[str, Any] | None]:
    """Parse a request, as an engine does, into its method and parameters, without those whose word is missing."""
    method, *words = line.split() or [""]
    if method in ("hello", "quit"):
        return method, None
    names = _PARAMS.get(method, ())
    played = words[2 : len(words) - len(names[2:])] if 1 < len(names) < len(words) else []
    params: dict[str, Any] = dict(zip(names, [*words[:2], *words[2 + len(played) :]], strict=False))
    if played:
        params["moves"] = [_read_move(word) for word in played]
    if "move" in params:
        params["move"] = _read_move(params["move"])
    if _NUMBER.fullmatch(params.get("depth", "")):
        params["depth"] = int(params["depth"])
    if "level" in params:
        with suppress(ValueError):
            params["level"] = read_level(params["level"])
    return method, params


def format_answer(method: str, result: Any) -> str:
    """Format an answer, as an engine does."""
    match method:
        case "quit":
            return "quit"
        case "hello":
            flags = [flag for flag, said in _FLAGS.items() if said.items() <= result.items()]
            questions = [*result["questions"], *flags]
            rulesets = "" if result["rulesets"] == "*" else f" rulesets={','.join(result['rulesets'])}"
            name = f"{result['name']} {result['version']}".strip()
            return f"hello {name}{rulesets} questions={','.join(questions)}"
        case "moves":
            lapses = [_LAPSES, *map(_format_move, result["lapses"])] if result.get("lapses") else []
            return " ".join(["moves", *map(_format_move, result["moves"]), *lapses])
        case "outcome":
            return " ".join(filter(None, (result["outcome"], result["reason"])))
        case "legal":
            return next(word for word, said in _LEGAL.items() if said == result["legal"])
        case "perft":
            return str(result["nodes"])
        case "plays":
            move = _NONE if result["move"] is None else _format_move(result["move"])
            return " ".join(filter(None, (move, result.get("value"))))
        case _:
            return str(result["position"])


def _read_move(word: str) -> Any:
    entry = _ENTRY.fullmatch(word)
    return _read_entry(entry) if entry else word


def _read_entry(entry: re.Match[str]) -> Any:
    """Return a move as the JSON protocol has it: a text, or an object with the captured squares."""
    text, captured = entry.group("move", "captured")
    if captured is None:
        return text.replace(":", " ", 1) if text.startswith("huff:") else text
    if not _NUMBERS.fullmatch(captured):
        return f"{text}({captured})"
    return {"move": text, "captured": [int(square) for square in captured.split(",") if square]}


def _cache_key(params: Mapping[str, Any]) -> tuple[str, ...]:
    return params.get("ruleset", ""), params.get("position", ""), *map(_format_move, params.get("moves", ()))


def _format_move(move: Any) -> str:
    """Format a move, or another parameter, as one word: with colons for spaces, captured squares in brackets."""
    if not isinstance(move, Mapping):
        return str(move).replace(" ", ":")
    return f"{move['move']}({','.join(map(str, move['captured']))})"


def _first(words: Sequence[str]) -> str:
    return quote_value(words[0]) if words else "nothing"
