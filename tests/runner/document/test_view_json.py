"""JSON and schemas made from dataclasses, and that the schemas of views are as the tool writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from damspec_runner.document.view_json import HIDDEN, as_json, schema_of
from refusals import refusal
from tools import view_schemas


@dataclass(frozen=True)
class Part:
    """A part."""

    from_: tuple[str, ...]
    note: str | None = None


@dataclass(frozen=True)
class Whole:
    """A whole."""

    kind: Literal["one", "two"]
    parts: Mapping[str, Part]
    number: int | None
    pair: tuple[int, int]
    value: Any
    drawing: object = field(metadata=HIDDEN)


def test_json_has_the_fields() -> None:
    whole = Whole("one", {"a": Part(("x",)), "b": Part((), "n")}, None, (1, 2), {"k": (True,)}, object())
    assert as_json(whole) == {
        "kind": "one",
        "parts": {"a": {"from": ["x"]}, "b": {"from": [], "note": "n"}},
        "number": None,
        "pair": [1, 2],
        "value": {"k": [True]},
    }


def test_the_schema_says_what_json_has() -> None:
    schema = schema_of(Whole, "whole", "Whole")
    assert schema["required"] == ["kind", "parts", "number", "pair", "value"]
    properties = schema["properties"]
    assert properties["kind"] == {"enum": ["one", "two"]}
    assert properties["parts"] == {"type": "object", "additionalProperties": {"$ref": "#/$defs/Part"}}
    assert properties["number"] == {"anyOf": [{"type": "integer"}, {"type": "null"}]}
    assert properties["pair"] == {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
    assert schema["$defs"]["Part"]["required"] == ["from"]


def test_a_type_that_json_lacks_is_refused() -> None:
    @dataclass(frozen=True)
    class Wrong:
        """Wrong."""

        of: complex

    assert "complex" in refusal(TypeError, schema_of, Wrong, "wrong", "Wrong")


@pytest.mark.parametrize("name", view_schemas.VIEWS)
def test_the_schemas_are_current(name: str) -> None:
    assert view_schemas.path(name).read_text(encoding="utf-8") == view_schemas.text(name)
