"""The data files: where they are, loading and validating them, and immutable values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from .errors import FileError as FileError
from .errors import strip_control_characters
from .safe_yaml import UnsafeTextError, read_yaml, read_yaml_documents

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


def load_yaml(path: Path, schema: str | None = None) -> Any:
    """Load a YAML file, with the restrictions of `safe_yaml`, and check it by a schema if one is named.

    Raises FileError, which names file, line and column.
    """
    content = _parse_file(path, read_yaml)
    if schema is not None:
        check(content, schema, path_text(path))
    return content


def load_yaml_documents(path: Path) -> list[Any]:
    """Load a YAML file of one or more documents separated by `---`. Raises FileError as `load_yaml` does."""
    documents: list[Any] = _parse_file(path, read_yaml_documents)
    return documents


def _parse_file(path: Path, read: Callable[[str], Any]) -> Any:
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


def _schema_part(name: str, definition: str | None) -> Any:
    whole = schema(name)
    return whole if definition is None else {"$defs": whole["$defs"], "$ref": f"#/$defs/{definition}"}


def _schema_of_uri(uri: str) -> Any:
    return schema(uri.rpartition(":")[2])


@cache
def _fast_validator(name: str, definition: str | None) -> Callable[[Any], bool]:
    """Return a function that accepts only valid values; it says of no value what is wrong with it.

    Without jsonschema-rs it accepts nothing, and jsonschema decides alone, a hundred times as slowly.
    """
    try:
        from jsonschema_rs import Draft202012Validator
    except ImportError:
        return lambda value: False
    is_valid = Draft202012Validator(_schema_part(name, definition), retriever=_schema_of_uri).is_valid

    def accepts(value: Any) -> bool:
        try:
            return is_valid(value)
        except ValueError:  # no JSON: a key that is not text, a value of a class of its own
            return False

    return accepts


@cache
def _validator(name: str, definition: str | None) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend
    from referencing import Registry, Resource

    # Frozen values have tuples where files have lists.
    types = Draft202012Validator.TYPE_CHECKER.redefine("array", lambda _, value: isinstance(value, list | tuple))
    keywords: Any = {"pattern": _match_pattern, "uniqueItems": _unique}
    kind: Any = extend(Draft202012Validator, keywords, type_checker=types)  # type: ignore[no-untyped-call]
    registry: Any = Registry(retrieve=lambda uri: Resource.from_contents(_schema_of_uri(uri)))  # type: ignore[call-arg]
    return kind(_schema_part(name, definition), registry=registry)


def _match_pattern(_: Any, pattern: str, value: Any, __: Any) -> Iterator[Any]:
    """Check `pattern`, in which $ matches only at the very end and not before a final newline."""
    from jsonschema import ValidationError

    if isinstance(value, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), value):
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
    if _fast_validator(name, definition)(value):
        return None
    from jsonschema.exceptions import best_match

    try:
        error = best_match(islice(_validator(name, definition).iter_errors(value), _MOST_ERRORS))
        while error is not None and (beside_null := _errors_beside_null(error)):
            error = best_match(beside_null)
    except ValueError:  # the message quotes the value, and Python does not print numbers of more than 4,300 digits
        return "top level: found a number that is too long to write"
    if error is None:
        return None
    place = strip_control_characters(".".join(str(step)[:100] for step in error.absolute_path)) or "top level"
    return f"{place}: {_wording(error)}"


def _errors_beside_null(error: Any) -> list[Any]:
    """Return what is wrong with a value that may be null or of one other form, by that form."""
    forms = error.validator_value if error.validator == "anyOf" else ()
    others = [number for number, form in enumerate(forms) if form.get("type") != "null"]
    return [each for each in error.context if [each.relative_schema_path[0]] == others]


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
    # The keyword `write` of a schema: how to write it, with {} for a value that stands there bare.
    written = error.schema.get("write", "").replace("{}", "..." if error.instance is None else found)
    match error.validator:
        case "enum":
            former = error.schema.get("former", {}).get(error.instance if isinstance(error.instance, str) else None)
            if former:
                return f"found {found}, which is now {former}"
            no_list = ", not a list" if isinstance(error.instance, list | tuple) else ""
            return f"found {found}, expected one of {', '.join(quote(v) for v in error.validator_value)}{no_list}"
        case "const":
            return f"found {found}, expected {quote(error.validator_value)}"
        case "type":
            kinds = error.validator_value
            words = error.schema.get("expected") or (kinds if isinstance(kinds, str) else " or ".join(kinds))
            return f"found {found}, expected {written or words}"
        case "required":
            missing = [key for key in error.validator_value if key not in error.instance]
            return f"missing {', '.join(map(repr, missing))}"
        case "dependentRequired":
            wanted = ((key, other) for key, others in error.validator_value.items() for other in others)
            key, absent = next((k, o) for k, o in wanted if k in error.instance and o not in error.instance)
            words = error.schema["properties"][absent].get("enum", ())
            one_of = f"; one of {', '.join(map(quote, words))}" if words else ""
            return f"missing {absent!r}, which goes with {key!r}{one_of}"
        case "additionalProperties" if error.validator_value is False:
            known = list(error.schema.get("properties", {}))
            unknown = [key for key in error.instance if key not in known]
            is_bare = written and not any(key in error.instance for key in error.schema["required"])
            if is_bare and not close_to(str(unknown[0]), known):
                return f"found {found}, expected {written}"
            return f"unknown key {quote(unknown[0])}{nearest(str(unknown[0]), known)}"
        case "pattern":
            expected = error.schema.get("expected", f"text of the form {error.validator_value}")
            return f"found {found}, expected {expected}"
        case "maxLength":
            return f"{len(error.instance)} characters, expected at most {error.validator_value}"
        case "oneOf" | "anyOf" if isinstance(error.instance, dict):
            keys = [alternative.get("required", ["?"])[0] for alternative in error.validator_value]
            return f"expected exactly one of {', '.join(map(repr, keys))}"
        case "anyOf" if all("type" in alternative for alternative in error.validator_value):
            kinds = dict.fromkeys(each["type"] for each in error.validator_value)
            return f"found {found}, expected {' or '.join(kinds)}"
        case _:
            return strip_control_characters(str(error.message)[:200])


def quote(value: Any) -> str:
    """Return a value as a message quotes it: JSON, truncated when long."""
    try:
        text = strip_control_characters(json.dumps(value, ensure_ascii=False, default=str))
    except (TypeError, ValueError, RecursionError):  # keys that are not texts, numbers too long to print
        text = strip_control_characters(type(value).__name__)
    return text if len(text) <= 80 else text[:77] + "..."


def close_to(word: str, known: list[str], cutoff: float = 0.5) -> str:
    """Return `; did you mean ...?` to end a message about an unknown word; empty if no known one is close."""
    from difflib import get_close_matches

    close = get_close_matches(word[:100], known, n=1, cutoff=cutoff)
    return f"; did you mean {close[0]!r}?" if close else ""


def nearest(word: str, known: list[str], cutoff: float = 0.5) -> str:
    """Return `; did you mean ...?`, or the known words, to end a message about an unknown word."""
    if close := close_to(word, known, cutoff):
        return close
    listed = ", ".join(sorted(known)[:24])
    return f"; there is {listed}" if len(known) <= 24 else f"; there is {listed}, ..." if len(known) <= 99 else ""


_T = TypeVar("_T")


class FrozenDict(dict[Any, Any]):
    """An immutable, hashable dict; it equals a dict with the same content and serialises as one."""

    #: The hash, once it has been computed.
    _hash: int | None = None

    def __hash__(self) -> int:  # type: ignore[override]
        if self._hash is None:
            self._hash = hash(frozenset(self.items()))
        return self._hash

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[Any, Any]]]:
        return FrozenDict, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("these values cannot be changed: take a copy, {**values}, and change that")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


def build_unchecked(kind: type[_T], /, **fields: object) -> _T:
    """Build a frozen dataclass from all its fields, bypassing the checks of its constructor.

    It is for values known to be valid that are built very often.
    """
    value = object.__new__(kind)
    value.__dict__.update(fields)
    return value


def thaw(value: Any) -> Any:
    """Return the value with every mapping made a dict and every tuple a list, recursively, as JSON has it."""
    if isinstance(value, Mapping):
        return {key: thaw(part) for key, part in value.items()}
    return [*map(thaw, value)] if isinstance(value, list | tuple) else value


def freeze(value: Any) -> Any:
    """Return the value with every mapping made a FrozenDict and every list a tuple, recursively."""
    if type(value) in (str, bool, int, FrozenDict):
        return value
    if type(value) in (list, tuple):
        return tuple([freeze(part) for part in value])
    if isinstance(value, Mapping):
        return FrozenDict({key: freeze(part) for key, part in value.items()})
    return value
