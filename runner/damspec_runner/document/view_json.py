"""JSON and its schema, both from the type of a dataclass.

A field is a key, without the underscore of names that Python takes (`from_`). A field whose default is None is left out
where it is None, and one marked `HIDDEN` always.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


#: The metadata of a field that JSON leaves out.
HIDDEN: Mapping[str, bool] = {"hidden": True}


def as_json(value: Any) -> Any:
    """Return a dataclass, and all that is in it, as JSON has it."""
    if is_dataclass(value) and not isinstance(value, type):
        found = ((each, getattr(value, each.name)) for each in _shown(type(value)))
        return {_key(each): as_json(part) for each, part in found if part is not None or each.default is not None}
    if isinstance(value, Mapping):
        return {str(key): as_json(part) for key, part in value.items()}
    return [as_json(part) for part in value] if isinstance(value, list | tuple) else value


def schema_of(kind: type, name: str, title: str) -> dict[str, Any]:
    """Return the JSON Schema of what `as_json` makes of a dataclass."""
    definitions: dict[str, Any] = {}
    _form(kind, definitions)
    top = definitions.pop(kind.__name__)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:damspec:schema:{name}"}
    return {**head, "title": title, **top, "$defs": dict(sorted(definitions.items()))}


def _shown(kind: type) -> Iterator[Field[Any]]:
    return (each for each in fields(kind) if "hidden" not in each.metadata)


def _key(each: Field[Any]) -> str:
    return each.name.removesuffix("_")


def _form(hint: Any, definitions: dict[str, Any]) -> Any:
    """Return the schema of a type; those of dataclasses are added to the definitions."""
    if hint is Any:
        return True
    if hint in _TYPES:
        return {"type": _TYPES[hint]}
    if is_dataclass(hint) and isinstance(hint, type):
        if hint.__name__ not in definitions:
            definitions[hint.__name__] = {}
            definitions[hint.__name__] |= _object(hint, definitions)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": [*parts]}
    if origin in (Union, UnionType):
        return {"anyOf": [_form(part, definitions) for part in parts]}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _form(parts[1], definitions)}
    if origin is tuple and parts[-1] is not Ellipsis:
        return {"type": "array", "items": _form(parts[0], definitions), "minItems": len(parts), "maxItems": len(parts)}
    if origin in (tuple, Sequence):
        return {"type": "array", "items": _form(parts[0], definitions)}
    raise TypeError(f"{hint}: expected a type that JSON has")


def _object(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {
        "description": " ".join((inspect.getdoc(kind) or "").split()),
        "type": "object",
        "additionalProperties": False,
        "required": [_key(each) for each in _shown(kind) if each.default is not None],
        "properties": {_key(each): _form(hints[each.name], definitions) for each in _shown(kind)},
    }
