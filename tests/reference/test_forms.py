"""Forms said quickly: they let in just what the schemas let in, by the library that words what is wrong."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from damspec import data
from damspec.data import Forms

SCHEMAS = sorted(path.name.partition(".")[0] for path in (data.root() / "schemas").glob("*.json"))
#: What stands for anything else: of every type, of the sizes at which schemas say where a size ends.
ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    1.0,
    1.5,
    "",
    "x",
    "1",
    "x" * 161,
    [],
    ["x"],
    ["x", "x"],
    [1, True],
    {},
    {"x": 1},
)


def shipped() -> Iterator[tuple[str, Any]]:
    """Some files of each kind, with the schema they have."""
    spec = data.root() / "spec"
    places = {
        "ruleset": "rulesets/*.yaml",
        "readings": "readings/*.yaml",
        "source": "sources/*.yaml",
        "rules": "rules.yaml",
        "glossary": "glossary.yaml",
        "layout": "layouts/*.yaml",
    }
    paths = {name: sorted(spec.glob(pattern))[:2] for name, pattern in places.items()}
    cases = (path for path in (spec.parent / "cases").glob("*/*.yaml") if path.parent.name != "generated")
    suites = (spec.parent / "cases" / "generated" / "perft").glob("*.yaml")
    paths |= {"cases": sorted(cases)[::27], "suite": sorted(suites)[:2]}
    for name, several in paths.items():
        for path in several:
            yield name, data.load_yaml(path)


def by_the_library(value: Any, name: str) -> bool:
    """Whether a value has a form by jsonschema."""
    return bool(data._validator(name, None).is_valid(value))


def parts(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of everything in a value."""
    yield place
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in steps:
        yield from parts(part, (*place, step))


def changed(value: Any, chance: random.Random) -> Any:
    """A value with one thing in it changed: another in its place, taken away, twice, or something more."""
    value = copy.deepcopy(value)
    *way, last = chance.choice([place for place in parts(value) if place])
    inner = value
    for step in way:
        inner = inner[step]
    match chance.randrange(4):
        case 0:
            inner[last] = chance.choice(ODD)
        case 1:
            del inner[last]
        case 2 if isinstance(inner, list):
            inner.append(inner[last])
        case _:
            inner[last] = {**inner[last], "more": chance.choice(ODD)} if isinstance(inner[last], dict) else "odd"
    return value


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_has_a_form(name: str) -> None:
    forms = Forms(data.schema)
    for place in ("", *(f"/$defs/{definition}" for definition in data.schema(name).get("$defs", ()))):
        form = forms.form(name, place)
        assert {form(value) for value in ODD} <= {True, False}


@pytest.mark.parametrize("name", SCHEMAS)
def test_odd_values_have_the_forms_that_the_library_says(name: str) -> None:
    form = Forms(data.schema).form(name)
    for value in ODD:
        assert form(value) == by_the_library(value, name), value


@pytest.mark.parametrize(("name", "content"), list(shipped()))
@pytest.mark.thorough
def test_changed_files_have_the_form_if_the_library_says_so(name: str, content: Any) -> None:
    form, chance = Forms(data.schema).form(name), random.Random(len(json.dumps(content)))
    assert form(content)
    assert by_the_library(content, name)
    found = {True: 0, False: 0}
    for _ in range(60):
        other = changed(content, chance)
        right = form(other)
        assert right == by_the_library(other, name)
        found[right] += 1
    assert found[False] > 10


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        ({"const": 1}, [1, 1.0], [True, "1", None, [1]]),
        ({"enum": ["a", None, True]}, ["a", None, True], ["b", 1, False, 0, [], {}]),
        ({"type": "integer"}, [0, -3, 2.0], [True, 1.5, "1", None]),
        ({"type": ["integer", "null"]}, [1, None], [False, "x"]),
        ({"pattern": "^a+$"}, ["a", 5], ["a\n", "ab", ""]),
        ({"uniqueItems": True}, [[], [1, True], ["1", 1], "aa"], [["a", "a"], [{"a": 1, "b": 2}, {"b": 2, "a": 1}]]),
        ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, [{"a": 1}, {"b": 1}], [{}, {"a": 1, "b": 1}]),
        ({"dependentRequired": {"a": ["b"]}}, [{}, {"b": 1}, {"a": 1, "b": 1}, 3], [{"a": 1}]),
        ({"properties": {"a": {"minimum": 2}}, "additionalProperties": False}, [{}, {"a": 2}, {"a": "x"}], [{"b": 1}]),
        ({"propertyNames": {"maxLength": 2}, "minProperties": 1}, [{"ab": 1}, 7], [{}, {"abc": 1}]),
        ({"items": {"$ref": "#"}, "maxItems": 1}, [[], [[]], [[[]]]], [[[], []], [[[], []]]]),
    ],
)
def test_keywords(schema: Any, right: list[Any], wrong: list[Any]) -> None:
    form = Forms(lambda _: schema).form("any")
    assert [form(value) for value in right] == [True] * len(right)
    assert [form(value) for value in wrong] == [False] * len(wrong)


def test_a_keyword_that_is_not_known_is_not_passed_over() -> None:
    with pytest.raises(KeyError, match="multipleOf"):
        Forms(lambda _: {"multipleOf": 2}).form("any")


def test_files_with_the_right_form_need_no_library() -> None:
    """What words the mistakes is loaded for mistakes."""

    program = (
        "import sys, damspec\n"
        "damspec.load_ruleset('vl').readings\n"
        "print('jsonschema' in sys.modules)\n"
        "try: damspec.from_values({'board.size': 5})\n"
        "except damspec.RulesetError as error: print('jsonschema' in sys.modules, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("False\nTrue rules sent whole for 'anonymous': rules.board.size.value: found 5")
