"""Whether data have the form of a JSON Schema, said quickly and without a reason.

A schema becomes a function once, and then costs little. It knows the keywords that our schemas have, no others; what is
wrong with a value is found, and said, by `data.problem`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

#: Whether a value has a form.
Form = Callable[[Any], bool]


class Forms:
    """The forms of the schemas that `read` gives by their names."""

    def __init__(self, read: Callable[[str], Any]) -> None:
        self._read = read
        self._found: dict[tuple[str, str], Form] = {}

    def form(self, name: str, place: str = "") -> Form:
        """The form of a schema, or of a place in it: a JSON pointer. Raises KeyError for a keyword not known here."""
        if (name, place) not in self._found:
            part = self._read(name)
            for step in place.split("/")[1:]:
                part = part[int(step) if isinstance(part, list) else step]
            # A form may need itself.
            self._found[name, place] = lambda value: self._found[name, place](value)
            self._found[name, place] = self._all(part, name)
        return self._found[name, place]

    def _all(self, schema: Any, name: str) -> Form:
        """What a schema says, all of it together."""
        if isinstance(schema, bool):
            return lambda _: schema
        said = {keyword: value for keyword, value in schema.items() if keyword not in _SAY_NOTHING}
        if said == {"type": "string", "minLength": 1}:  # most are this
            return lambda value: isinstance(value, str) and value != ""
        forms = [self._object(said, name)] if not said.keys().isdisjoint(_OF_OBJECTS) else []
        of_object = _OF_OBJECTS if said.get("type") != "object" else {*_OF_OBJECTS, "type"}
        forms += [
            self._one(keyword, value, name) for keyword, value in said.items() if not forms or keyword not in of_object
        ]
        match forms:
            case []:
                return lambda _: True
            case [one]:
                return one
            case [one, other]:
                return lambda value: one(value) and other(value)
        return lambda value: all(form(value) for form in forms)

    def _one(self, keyword: str, said: Any, name: str) -> Form:
        """What a keyword says."""
        match keyword:
            case "$ref":
                other, _, place = said.partition("#")
                return self.form(other.rpartition(":")[2] or name, place)
            case "propertyNames":
                key = self._all(said, name)
                return lambda value: not isinstance(value, dict) or all(map(key, value))
            case "items":
                item = self._all(said, name)
                return lambda value: not isinstance(value, _LIST) or all(map(item, value))
            case "anyOf":
                any_of = [self._all(one, name) for one in said]
                return lambda value: any(form(value) for form in any_of)
            case "oneOf":
                one_of = [self._all(one, name) for one in said]
                return lambda value: sum(form(value) for form in one_of) == 1
        return _SIMPLE[keyword](said)

    def _object(self, said: Mapping[str, Any], name: str) -> Form:
        """What `required`, `properties` and `additionalProperties` say together, and `type` if that is an object."""
        required = frozenset(said.get("required", ()))
        known = {key: self._all(part, name) for key, part in said.get("properties", {}).items()}
        others = self._all(said.get("additionalProperties", True), name)
        otherwise = said.get("type") != "object"

        def right(value: Any) -> bool:
            if not isinstance(value, dict):
                return otherwise
            if not required <= value.keys():
                return False
            if known or "additionalProperties" in said:
                for key, part in value.items():
                    if not known.get(key, others)(part):
                        return False
            return True

        return right


def all_different(values: Sequence[Any]) -> bool:
    """Whether no two values are the same, in a time that goes with their number."""
    if len(values) < 2:
        return True
    if all(isinstance(value, str) for value in values):
        return len(set(values)) == len(values)
    return len({json.dumps(value, sort_keys=True, default=str) for value in values}) == len(values)


def pattern(form: str) -> re.Pattern[str]:
    """A pattern of JSON Schema, whose $ is the end of the text and not also what is before a last newline."""
    return re.compile(re.sub(r"\$$", r"\\Z", form))


_LIST = (list, tuple)
_SCALAR = (str, int, float, type(None))
_OF_OBJECTS = {"required", "properties", "additionalProperties"}
_SAY_NOTHING = {"$schema", "$id", "$defs", "title", "description"}


def _is_integer(value: Any) -> bool:
    if isinstance(value, int):
        return not isinstance(value, bool)
    return isinstance(value, float) and value.is_integer()


_TYPES: dict[str, Form] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, _LIST),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": _is_integer,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}


def _type(said: Any) -> Form:
    if isinstance(said, str):
        return _TYPES[said]
    kinds = [_TYPES[kind] for kind in said]
    return lambda value: any(kind(value) for kind in kinds)


def _enum(said: Sequence[Any]) -> Form:
    """One of some texts, numbers, truths and null: 1 is not true."""
    among = {(isinstance(each, bool), each) for each in said}
    return lambda value: isinstance(value, _SCALAR) and (isinstance(value, bool), value) in among


def _pattern(said: str) -> Form:
    found = pattern(said).search
    return lambda value: not isinstance(value, str) or found(value) is not None


def _dependent(said: Mapping[str, Sequence[str]]) -> Form:
    return lambda value: (
        not isinstance(value, dict)
        or all(other in value for key, others in said.items() if key in value for other in others)
    )


def _least(kind: Any) -> Callable[[int], Form]:
    return lambda said: lambda value: not isinstance(value, kind) or len(value) >= said


def _most(kind: Any) -> Callable[[int], Form]:
    return lambda said: lambda value: not isinstance(value, kind) or len(value) <= said


_SIMPLE: dict[str, Callable[[Any], Form]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda said: _enum([said]),
    "pattern": _pattern,
    "dependentRequired": _dependent,
    "minLength": _least(str),
    "maxLength": _most(str),
    "minItems": _least(_LIST),
    "maxItems": _most(_LIST),
    "minProperties": _least(dict),
    "maxProperties": _most(dict),
    "minimum": lambda said: lambda value: not _TYPES["number"](value) or value >= said,
    "maximum": lambda said: lambda value: not _TYPES["number"](value) or value <= said,
    "uniqueItems": lambda said: lambda value: not (said and isinstance(value, _LIST)) or all_different(value),
}
