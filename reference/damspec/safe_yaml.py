"""Safe loading of untrusted YAML and JSON: bounded in size and depth, and free of ambiguous constructs.

YAML is read from the parser's events, so that every value is checked before it is built, and nothing recurses. The
bounds are damspec's own, whatever bounds a version of a parser or of Python has: where one of these is met first, what
comes before is held to damspec's.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from itertools import accumulate
from math import isfinite
from typing import Any

import yaml

from .errors import quote_value

#: The maximum nesting of lists and mappings; the deepest of damspec's own files has 8 levels.
DEPTH = 64
#: The maximum number of values in a YAML text, and of values that aliases add.
VALUES, BY_ALIASES = 100_000, 10_000
#: The maximum length of a number in characters: in YAML, and of an integer in JSON, where some ids are long. Python has
#: a maximum too, which can be set, to 640 at least.
NUMBER, JSON_INTEGER = 20, 100

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVERS = yaml.SafeLoader.yaml_implicit_resolvers
_CONSTRUCT: Any = yaml.constructor.SafeConstructor()
_TOO_DEEP = f"nested deeper than {DEPTH} levels"
_KINDS = {"timestamp": "a date", "merge": "a merge key", "value": "a default key"}
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NO_KEY: Any = object()


class UnsafeTextError(ValueError):
    """A text refused by the loader; `str()` says why, `line` and `column` count from 1."""

    def __init__(self, problem: str, line: int = 1, column: int = 1) -> None:
        super().__init__(problem)
        self.line, self.column = line, column


def read_yaml(text: str) -> Any:
    """Load a YAML text of at most one document, None if it is empty. Raises UnsafeTextError."""
    found = read_yaml_documents(text, several=False)
    return found[0] if found else None


def read_yaml_documents(text: str, *, several: bool = True) -> list[Any]:
    """Load the documents of a YAML text: mappings with text keys, lists, texts, numbers, true, false and null.

    Without `several`, a second one is refused. Raises UnsafeTextError with the place for invalid YAML, for large or
    deeply nested values, and for what plain data do not need, such as tags, duplicate keys, aliases that expand to
    much, dates and characters that cannot be shown.
    """
    if directive := re.search("^%TAG", text, re.MULTILINE):
        raise UnsafeTextError("found a directive, expected none", text.count("\n", 0, directive.start()) + 1)
    try:
        loader = _Loader(text)
    except UnicodeEncodeError as error:
        raise UnsafeTextError("found half a character", text.count("\n", 0, error.start) + 1) from None
    try:
        return _Reader(loader, several=several).documents()
    except yaml.reader.ReaderError as error:
        before = text.encode("utf-8", "surrogatepass")[: error.position].decode("utf-8", "ignore")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise UnsafeTextError(f"not valid YAML: {error.reason}", line, column) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        _check_depth(text[: mark.index] if mark else "")
        place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        tab = ": a tab, expected blanks" if mark and text[mark.index : mark.index + 1] == "\t" else ""
        raise UnsafeTextError(f"not valid YAML: {error.problem or error.context}{tab}", *place) from None
    finally:
        loader.dispose()


def _check_depth(text: str) -> None:
    """Raise UnsafeTextError if a text is nested too deep before it becomes invalid.

    A parser reads far ahead to see what is a key, and PyYAML 6.0.4 fails there at 1,000 levels.
    """
    depth = 0
    with suppress(yaml.YAMLError):
        for event in yaml.parse(text, _Loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > DEPTH:
                raise _at(event, _TOO_DEEP)


class _Level:
    """An open list or mapping: the value count before it, and the depth of what it contains so far."""

    def __init__(self, value: Any, anchor: str | None, before: int) -> None:
        self.value, self.anchor, self.before = value, anchor, before
        self.key: Any = _NO_KEY
        self.height = 1


class _Reader:
    """A loader for one text. Anchored values are kept with their size and height."""

    def __init__(self, loader: Any, *, several: bool) -> None:
        self._loader, self._several = loader, several
        self._levels: list[_Level] = []
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        self._open: set[str] = set()
        self._count = self._by_aliases = 0
        self._result: Any = None

    def documents(self) -> list[Any]:
        found: list[Any] = []
        next_event = self._loader.get_event
        while (event := next_event()) is not None:
            match event:
                case yaml.ScalarEvent():
                    self._begin(event)
                    value = self._scalar(event)
                    self._keep(event.anchor, value, 1, 0)
                    self._place(event, value, 0)
                case yaml.CollectionStartEvent():
                    self._start(event)
                case yaml.CollectionEndEvent():
                    self._end(event)
                case yaml.AliasEvent():
                    self._alias(event)
                case yaml.DocumentStartEvent() if found and not self._several:
                    raise _at(event, "found a second document, expected one")
                case yaml.DocumentEndEvent():
                    found.append(self._result)
                    self._anchors.clear()
        return found

    def _begin(self, event: Any) -> None:
        """Check what scalars, lists and mappings have in common."""
        self._count += 1
        if self._count > VALUES:
            raise _at(event, f"more than {VALUES:,} values")
        if event.tag is not None:
            raise _at(event, f"found the tag {quote_value(event.tag)}, expected none")
        if event.anchor is not None and (event.anchor in self._anchors or event.anchor in self._open):
            raise _at(event, f"anchor {quote_value(event.anchor)} given twice")

    def _start(self, event: Any) -> None:
        self._begin(event)
        if len(self._levels) == DEPTH:
            raise _at(event, _TOO_DEEP)
        if self._wants_key():
            raise _at(event, "found a list or a mapping as a key, expected text")
        if event.anchor is not None:
            self._open.add(event.anchor)
        mapping = isinstance(event, yaml.MappingStartEvent)
        self._levels.append(_Level({} if mapping else [], event.anchor, self._count + self._by_aliases - 1))

    def _end(self, event: Any) -> None:
        done = self._levels.pop()
        self._open.discard(done.anchor)
        self._keep(done.anchor, done.value, self._count + self._by_aliases - done.before, done.height)
        self._place(event, done.value, done.height)

    def _alias(self, event: Any) -> None:
        name = event.anchor
        if name in self._open:
            raise _at(event, f"alias {quote_value(name)} stands for something that it is in itself")
        if name not in self._anchors:
            raise _at(event, f"no anchor {quote_value(name)} before this alias")
        value, size, height = self._anchors[name]
        if len(self._levels) + height > DEPTH:
            raise _at(event, f"{_TOO_DEEP} by alias {quote_value(name)}")
        self._by_aliases += size
        if self._by_aliases > BY_ALIASES:
            raise _at(event, f"aliases stand for more than {BY_ALIASES:,} values")
        self._place(event, value, height)

    def _keep(self, anchor: str | None, value: Any, size: int, height: int) -> None:
        if anchor is not None:
            self._anchors[anchor] = value, size, height

    def _wants_key(self) -> bool:
        return bool(self._levels) and type(self._levels[-1].value) is dict and self._levels[-1].key is _NO_KEY

    def _place(self, event: Any, value: Any, height: int) -> None:
        """Put a value where it belongs: as a key, as the value of a key, in a list, or as the whole document."""
        if not self._levels:
            self._result = value
            return
        level = self._levels[-1]
        if level.height <= height:
            level.height = height + 1
        if type(level.value) is list:
            level.value.append(value)
        elif level.key is _NO_KEY:
            if type(value) is not str:
                found = "a list or a mapping" if isinstance(value, list | dict) else quote_value(str(value))
                raise _at(event, f"found {found} as a key, expected text (in quotes if it looks like something else)")
            if value in level.value:
                raise _at(event, f"key {quote_value(value)} given twice")
            level.key = value
        else:
            level.value[level.key] = value
            level.key = _NO_KEY

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        if not text.isprintable() and (unseen := _UNPRINTABLE.search(text)):
            raise _at(event, f"found the character {unseen[0]!r}, expected characters that can be shown")
        if not event.implicit[0]:
            return text
        for tag, form in _RESOLVERS.get(text[:1], ()):
            if form.match(text):
                return self._typed(event, tag)
        return text

    def _typed(self, event: Any, tag: str) -> Any:
        """Return the value of a text without quotes that YAML takes for something else."""
        text, kind = event.value, tag.rpartition(":")[2]
        match kind:
            case "null":
                return None
            case "bool":
                return _CONSTRUCT.bool_values[text.lower()]
            case "int" | "float" if len(text) <= NUMBER:
                return self._number(event, tag, kind)
            case "int" | "float":
                raise _at(event, f"found a number of {len(text)} characters, expected at most {NUMBER}")
            case _:
                raise _at(event, f"found {_KINDS.get(kind, kind)} {quote_value(text)}, expected text in quotes")

    def _number(self, event: Any, tag: str, kind: str) -> Any:
        try:
            number = getattr(_CONSTRUCT, f"construct_yaml_{kind}")(yaml.ScalarNode(tag, event.value))
        except ValueError:  # matches the pattern but is no number, such as 0b or 0x_
            number = float("nan")
        if not isfinite(number):
            raise _at(event, f"found {quote_value(event.value)}, expected a number that is finite")
        return whole(number)


def _at(event: Any, problem: str) -> UnsafeTextError:
    return UnsafeTextError(problem, event.start_mark.line + 1, event.start_mark.column + 1)


def read_json(text: str) -> Any:
    """Load a JSON text. Raises ValueError; a JSONDecodeError says where.

    Valid JSON is refused too if it has duplicate keys, numbers that are not finite, long integers, or is nested deeper
    than DEPTH.
    """
    try:
        value = _decode(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        signs = accumulate(_SIGNS.get(sign[0], 0) for sign in _SIGN.finditer(text, 0, error.pos))
        if max(signs, default=0) > DEPTH:
            raise ValueError(_TOO_DEEP) from None
        raise
    level = [value] if type(value) in (dict, list) else []
    for _ in range(DEPTH):
        level = [part for each in level for part in _parts(each) if type(part) in (dict, list)]
        if not level:
            return value
    raise ValueError(_TOO_DEEP)


#: A text, or a sign that begins or ends a list or an object; and what the sign adds to the depth.
_SIGN, _SIGNS = re.compile(r'"(?:[^"\\]|\\.)*"?|[][{}]'), {"[": 1, "{": 1, "]": -1, "}": -1}


def _parts(value: Any) -> Any:
    return value.values() if type(value) is dict else value


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"key {quote_value(twice)} given twice")
    return found


def _integer(text: str) -> int:
    if len(text) > JSON_INTEGER:
        raise ValueError(f"found a number of {len(text)} characters, expected at most {JSON_INTEGER}")
    return int(text)


def _number(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"found {quote_value(text)}, expected a number that is finite")
    return number


def whole(number: float) -> float:
    """Return a number without a fraction as an integer, as JSON Schema sees it."""
    return int(number) if number == int(number) else number


_decode = json.JSONDecoder(
    object_pairs_hook=_without_duplicates, parse_int=_integer, parse_float=_number, parse_constant=_number
).decode
