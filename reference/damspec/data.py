"""The data files: where they are, loading and validating them, and immutable values.

A schema is compiled once into a fast function that says yes or no (`Forms`); only for a value it rejects is a validator
of JSON Schema asked for the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from .errors import FileError as FileError
from .errors import strip_control_characters
from .safe_yaml import UnsafeTextError, read_yaml, read_yaml_documents

#: A predicate: whether a value is valid.
Form = Callable[[Any], bool]


class Forms:
    """Schemas compiled to functions, read by name with `read`.

    They support only the keywords that the project's schemas use.
    """

    def __init__(self, read: Callable[[str], Any]) -> None:
        self._read = read
        self._found: dict[tuple[str, str], Form] = {}

    def form(self, name: str, place: str = "") -> Form:
        """Return the compiled form of a schema, or of the part at the JSON pointer `place`.

        Raises KeyError for an unsupported keyword.
        """
        if (name, place) not in self._found:
            part = self._read(name)
            for step in place.split("/")[1:]:
                part = part[int(step) if isinstance(part, list) else step]
            # Schemas may be recursive: the placeholder looks the compiled form up when it is called.
            self._found[name, place] = lambda value: self._found[name, place](value)
            self._found[name, place] = self._all(part, name)
        return self._found[name, place]

    def _all(self, schema: Any, name: str) -> Form:
        """Compile a whole schema: the conjunction of its keywords."""
        if isinstance(schema, bool):
            return lambda _: schema
        said = {keyword: value for keyword, value in schema.items() if keyword not in _SAY_NOTHING}
        if said == {"type": "string", "minLength": 1}:  # the most common case
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
        """Compile a single keyword."""
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
        """Compile `required`, `properties`, `additionalProperties`, and `type` if it is `object`, as one form."""
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
    """Return whether no two values are equal, in linear time."""
    if len(values) < 2:
        return True
    if all(isinstance(value, str) for value in values):
        return len(set(values)) == len(values)
    return len({json.dumps(value, sort_keys=True, default=str) for value in values}) == len(values)


def pattern(form: str) -> re.Pattern[str]:
    """Compile a JSON Schema pattern, in which $ matches only at the very end and not before a final newline."""
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
    """Compile an enumeration of scalars, in which 1 is not true."""
    among = {(isinstance(each, bool), each) for each in said}
    return lambda value: isinstance(value, _SCALAR) and (isinstance(value, bool), value) in among


def _pattern_form(said: str) -> Form:
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
    "pattern": _pattern_form,
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


#: The maximum size of a YAML file in bytes.
LIMIT = 4 * 1024 * 1024
#: How many schema errors are compared to find the most telling one.
_MOST_ERRORS = 200


@cache
def root() -> Path:
    """Return the folder that holds `spec/`, `schemas/` and `cases/`. Raises FileError if there is none.

    It is the nearest one at or above this package: the package itself in a wheel, the project's root in a checkout.
    """
    here = Path(__file__).resolve().parent
    for folder in (here, *here.parents):
        if (folder / "spec" / "rulesets").is_dir() and (folder / "schemas").is_dir():
            return folder
    raise FileError(f"no spec/ and schemas/ at or above {here}: is damspec installed completely?")


def path_text(path: Path) -> str:
    """Return a path as messages show it: relative to the data root if it lies there."""
    try:
        return strip_control_characters(path.resolve().relative_to(root()).as_posix())
    except (ValueError, OSError, RuntimeError):
        return strip_control_characters(str(path)[-1000:])


def load_yaml(path: Path) -> Any:
    """Load a YAML file, with the restrictions of `safe_yaml`. Raises FileError, which names file, line and column."""
    return _read(path, read_yaml)


def load_yaml_documents(path: Path) -> list[Any]:
    """Load a YAML file of one or more documents separated by `---`. Raises FileError as `load_yaml` does."""
    documents: list[Any] = _read(path, read_yaml_documents)
    return documents


def _read(path: Path, read: Callable[[str], Any]) -> Any:
    text = _text(path)
    try:
        return read(text)
    except UnsafeTextError as error:
        raise FileError(f"{path_text(path)}:{error.line}:{error.column}: {error}") from None


def _text(path: Path) -> str:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise FileError(f"{path_text(path)}: cannot be read: neither a file nor a link to one")
        with path.open("rb") as file:
            content = file.read(LIMIT + 1)
        if len(content) > LIMIT:
            raise FileError(f"{path_text(path)}: longer than the {LIMIT // 2**20} MB that a YAML file may have")
        return content.decode("utf-8")
    except OSError as error:
        raise FileError(f"{path_text(path)}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FileError(f"{path_text(path)}: cannot be read: not UTF-8 text") from None
    except FileError:
        raise
    except ValueError:  # a character that no path can contain
        raise FileError(f"{path_text(path)}: cannot be read: no path") from None


@cache
def schema(name: str) -> Any:
    """Return the JSON Schema `schemas/NAME.schema.json`."""
    return json.loads((root() / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))


_forms = Forms(schema)


@cache
def _validator(name: str, definition: str | None) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend
    from referencing import Registry, Resource

    def named(uri: str) -> Any:
        return Resource.from_contents(schema(uri.rpartition(":")[2]))

    # Frozen values have tuples where files have lists.
    types = Draft202012Validator.TYPE_CHECKER.redefine("array", lambda _, value: isinstance(value, list | tuple))
    forms: Any = {"pattern": _match_pattern, "uniqueItems": _unique}
    kind: Any = extend(Draft202012Validator, forms, type_checker=types)  # type: ignore[no-untyped-call]
    whole = schema(name)
    chosen = whole if definition is None else {"$defs": whole["$defs"], "$ref": f"#/$defs/{definition}"}
    return kind(chosen, registry=Registry(retrieve=named))  # type: ignore[call-arg]


def _match_pattern(_: Any, form: str, value: Any, __: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    if isinstance(value, str) and not pattern(form).search(value):
        yield ValidationError("")


def _unique(_: Any, wanted: bool, value: Any, __: Any) -> Iterator[Any]:
    """Check `uniqueItems` in linear time."""
    from jsonschema import ValidationError

    seen: set[str] = set()
    for item in value if wanted and isinstance(value, list | tuple) else ():
        key = json.dumps(item, sort_keys=True, default=str)
        if key in seen:
            yield ValidationError(f"found {quote(item)} twice, expected each once")
            return
        seen.add(key)


def schema_problem(value: Any, name: str, definition: str | None = None) -> str | None:
    """Return the most telling violation of a schema, or of one of its definitions, in one line; None if valid."""
    if _forms.form(name, "" if definition is None else f"/$defs/{definition}")(value):
        return None
    from jsonschema.exceptions import best_match

    try:
        error = best_match(islice(_validator(name, definition).iter_errors(value), _MOST_ERRORS))
    except ValueError:  # the message quotes the value, and Python does not print numbers of more than 4,300 digits
        return "top level: found a number that is too long to write"
    if error is None:
        return None
    place = strip_control_characters(".".join(str(step)[:100] for step in error.absolute_path)) or "top level"
    return f"{place}: {_wording(error)}"


def problem_of_values(values: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the form of rule values that come from no file, or None."""
    rules = {rule: {"value": value, "from": ["X-1"]} for rule, value in values.items()}
    form = {"damspec": 1, "id": "x", "name": "x", "about": "x", "documents": ["x"], "rules": rules}
    return schema_problem(form, "ruleset")


def check(value: Any, name: str, where: str, *, definition: str | None = None) -> None:
    """Raise FileError if `value` violates a schema; `where` names the file."""
    found = schema_problem(value, name, definition)
    if found:
        raise FileError(f"{where}: {found}")


def _wording(error: Any) -> str:
    found = quote(error.instance)
    match error.validator:
        case "enum":
            return f"found {found}, expected one of {', '.join(quote(v) for v in error.validator_value)}"
        case "const":
            return f"found {found}, expected {quote(error.validator_value)}"
        case "type":
            kinds = error.validator_value
            return f"found {found}, expected {kinds if isinstance(kinds, str) else ' or '.join(kinds)}"
        case "required":
            missing = [key for key in error.validator_value if key not in error.instance]
            return f"missing {', '.join(map(repr, missing))}"
        case "dependentRequired":
            wanted = ((key, other) for key, others in error.validator_value.items() for other in others)
            key, absent = next((k, o) for k, o in wanted if k in error.instance and o not in error.instance)
            return f"missing {absent!r}, which goes with {key!r}"
        case "additionalProperties" if error.validator_value is False:
            known = list(error.schema.get("properties", {}))
            unknown = [key for key in error.instance if key not in known]
            return f"unknown key {quote(unknown[0])}{nearest(str(unknown[0]), known)}"
        case "pattern":
            return f"found {found}, expected text of the form {error.validator_value}"
        case "maxLength":
            return f"{len(error.instance)} characters, expected at most {error.validator_value}"
        case "oneOf" | "anyOf" if isinstance(error.instance, dict):
            keys = [alternative.get("required", ["?"])[0] for alternative in error.validator_value]
            return f"expected exactly one of {', '.join(map(repr, keys))}"
        case _:
            return strip_control_characters(str(error.message)[:200])


def quote(value: Any) -> str:
    """Return a value as a message quotes it: JSON, truncated when long."""
    try:
        text = strip_control_characters(json.dumps(value, ensure_ascii=False, default=str))
    except (TypeError, ValueError, RecursionError):  # keys that are not texts, numbers too long to print
        text = strip_control_characters(type(value).__name__)
    return text if len(text) <= 80 else text[:77] + "..."


def nearest(word: str, known: list[str]) -> str:
    """Return `; did you mean ...?`, or the known words, to end a message about an unknown word."""
    from difflib import get_close_matches

    close = get_close_matches(word[:100], known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    listed = ", ".join(sorted(known)[:24])
    return f"; there is {listed}" if len(known) <= 24 else f"; there is {listed}, ..." if len(known) <= 99 else ""


_T = TypeVar("_T")


class FrozenDict(dict[Any, Any]):
    """An immutable, hashable dict; it equals a dict with the same content and serialises as one."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[Any, Any]]]:
        return FrozenDict, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("these values cannot be changed: take a copy, {**values}, and change that")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


def unchecked(kind: type[_T], /, **fields: object) -> _T:
    """Build a frozen dataclass from all its fields, bypassing the checks of its constructor.

    It is for values known to be valid that are built very often.
    """
    value = object.__new__(kind)
    value.__dict__.update(fields)
    return value


def freeze(value: Any) -> Any:
    """Return the value with every mapping made a FrozenDict and every list a tuple, recursively."""
    match value:
        case str() | int() | FrozenDict():
            return value
        case Mapping():
            return FrozenDict({key: freeze(part) for key, part in value.items()})
        case list() | tuple() if type(value) in (list, tuple):
            return tuple(freeze(part) for part in value)
        case _:
            return value
