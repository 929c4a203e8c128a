"""Where the data is, and reading its files: YAML with errors in one line, checked against JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from .errors import FileError as FileError
from .errors import plain
from .forms import Forms, pattern
from .strict import Unreadable, read_yaml, read_yaml_documents

#: Bytes of a YAML file that are read; more is refused.
LIMIT = 4 * 1024 * 1024
#: Errors of form among which the one that tells most is looked for.
_MOST_ERRORS = 200


@cache
def root() -> Path:
    """The folder that holds `spec/`, `schemas/` and `cases/`.

    It is the nearest one at or above this package: the package itself in a wheel, the project's top in a checkout.
    """
    here = Path(__file__).resolve().parent
    for folder in (here, *here.parents):
        if (folder / "spec" / "rulesets").is_dir() and (folder / "schemas").is_dir():
            return folder
    raise FileError(f"no spec/ and schemas/ at or above {here}: is damspec installed completely?")


def shown(path: Path) -> str:
    """The path as messages name it: relative to the data's root where it lies in it."""
    try:
        return plain(path.resolve().relative_to(root()).as_posix())
    except (ValueError, OSError, RuntimeError):
        return plain(str(path)[-1000:])


def load_yaml(path: Path) -> Any:
    """The content of a YAML file, as `strict` reads it. Raises FileError, which names file, line and column."""
    return _read(path, read_yaml)


def load_yaml_documents(path: Path) -> list[Any]:
    """The contents of a YAML file that may have several documents, with `---` between them. Raises as `load_yaml`."""
    documents: list[Any] = _read(path, read_yaml_documents)
    return documents


def _read(path: Path, read: Callable[[str], Any]) -> Any:
    text = _text(path)
    try:
        return read(text)
    except Unreadable as error:
        raise FileError(f"{shown(path)}:{error.line}:{error.column}: {error}") from None


def _text(path: Path) -> str:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise FileError(f"{shown(path)}: cannot be read: neither a file nor a link to one")
        with path.open("rb") as file:
            content = file.read(LIMIT + 1)
        if len(content) > LIMIT:
            raise FileError(f"{shown(path)}: longer than the {LIMIT // 2**20} MB that a YAML file may have")
        return content.decode("utf-8")
    except OSError as error:
        raise FileError(f"{shown(path)}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FileError(f"{shown(path)}: cannot be read: not UTF-8 text") from None
    except FileError:
        raise
    except ValueError:  # a path with a character that no path has
        raise FileError(f"{shown(path)}: cannot be read: no path") from None


@cache
def schema(name: str) -> Any:
    """The JSON Schema `schemas/NAME.schema.json`."""
    return json.loads((root() / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))


_forms = Forms(schema)


@cache
def _validator(name: str, definition: str | None) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend
    from referencing import Registry, Resource

    def named(uri: str) -> Any:
        return Resource.from_contents(schema(uri.rpartition(":")[2]))

    # The library's values are tuples where files have lists.
    types = Draft202012Validator.TYPE_CHECKER.redefine("array", lambda _, value: isinstance(value, list | tuple))
    forms: Any = {"pattern": _pattern, "uniqueItems": _unique}
    kind: Any = extend(Draft202012Validator, forms, type_checker=types)  # type: ignore[no-untyped-call]
    whole = schema(name)
    chosen = whole if definition is None else {"$defs": whole["$defs"], "$ref": f"#/$defs/{definition}"}
    return kind(chosen, registry=Registry(retrieve=named))  # type: ignore[call-arg]


def _pattern(_: Any, form: str, value: Any, __: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    if isinstance(value, str) and not pattern(form).search(value):
        yield ValidationError("")


def _unique(_: Any, wanted: bool, value: Any, __: Any) -> Iterator[Any]:
    """The keyword of JSON Schema, in a time that goes with the length."""
    from jsonschema import ValidationError

    seen: set[str] = set()
    for item in value if wanted and isinstance(value, list | tuple) else ():
        told = json.dumps(item, sort_keys=True, default=str)
        if told in seen:
            yield ValidationError(f"found {quote(item)} twice, expected each once")
            return
        seen.add(told)


def problem(value: Any, name: str, definition: str | None = None) -> str | None:
    """The first thing wrong with `value` by a schema (or one of its definitions), in one line; None if nothing is."""
    if _forms.form(name, "" if definition is None else f"/$defs/{definition}")(value):
        return None
    from jsonschema.exceptions import best_match

    try:
        error = best_match(islice(_validator(name, definition).iter_errors(value), _MOST_ERRORS))
    except ValueError:  # it quotes what is wrong, and Python writes no number of more than 4,300 digits
        return "top level: found a number that is too long to write"
    if error is None:
        return None
    place = plain(".".join(str(step)[:100] for step in error.absolute_path)) or "top level"
    return f"{place}: {_wording(error)}"


def problem_of_values(values: Mapping[str, Any]) -> str | None:
    """The first thing wrong with the form of rule values that no file holds; None if nothing is."""
    rules = {rule: {"value": value, "from": ["X-1"]} for rule, value in values.items()}
    form = {"damspec": 1, "id": "x", "name": "x", "about": "x", "documents": ["x"], "rules": rules}
    return problem(form, "ruleset")


def check(value: Any, name: str, where: str, *, definition: str | None = None) -> None:
    """Raise FileError if `value` does not have the form of a schema; `where` names the file."""
    found = problem(value, name, definition)
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
            return plain(str(error.message)[:200])


def quote(value: Any) -> str:
    """A value as a message quotes it: JSON, cut when long."""
    try:
        text = plain(json.dumps(value, ensure_ascii=False, default=str))
    except (TypeError, ValueError, RecursionError):  # keys that are no texts, numbers too long to write
        text = plain(type(value).__name__)
    return text if len(text) <= 80 else text[:77] + "..."


def nearest(word: str, known: list[str]) -> str:
    """`; did you mean ...?`, or what there is, for a message about an unknown word."""
    from difflib import get_close_matches

    close = get_close_matches(word[:100], known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    listed = ", ".join(sorted(known)[:24])
    return f"; there is {listed}" if len(known) <= 24 else f"; there is {listed}, ..." if len(known) <= 99 else ""
