"""The fast validator accepts what jsonschema accepts, which words what is wrong."""

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
from runs import for_each

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


@pytest.fixture(autouse=True)
def _needs_fast_validator() -> None:
    pytest.importorskip("jsonschema_rs", reason="decides nothing without jsonschema-rs")


def check_agreement(value: Any, name: str, definition: str | None = None) -> bool:
    """Return whether a value is valid; the fast validator and jsonschema have to agree."""
    is_valid = data._fast_validator(name, definition)(value)
    assert is_valid == data._validator(name, definition).is_valid(value), value
    return is_valid


@for_each("name", SCHEMAS)
def test_both_validators_judge_odd_values_alike(name: str) -> None:
    for definition in (None, *data.schema(name).get("$defs", ())):
        for value in ODD:
            check_agreement(value, name, definition)


@pytest.mark.parametrize(("name", "content"), list(shipped()))
@pytest.mark.thorough
def test_both_validators_judge_changed_files_alike(name: str, content: Any) -> None:
    chance = random.Random(len(json.dumps(content)))
    assert check_agreement(content, name)
    assert check_agreement(data.freeze(content), name)
    found = [check_agreement(changed(content, chance), name) for _ in range(24)]
    assert found.count(False) > 2


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        ({"const": 1}, [1, 1.0], [True, "1", None, [1]]),
        ({"type": "integer"}, [0, -3, 2.0, 2**70], [True, 1.5, "1", None]),
        ({"type": "array"}, [(), [1]], ["x", {}]),
        ({"pattern": "^a+$"}, ["a", 5], ["a\n", "ab", ""]),
        ({"uniqueItems": True}, [[], [1, True], ["1", 1], "aa"], [("a", "a"), [{"a": 1, "b": 2}, {"b": 2, "a": 1}]]),
        ({"maxLength": 2}, ["é😀"], ["abc"]),
    ],
)
def test_both_validators_understand_keywords_alike(
    schema: Any, right: list[Any], wrong: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "schema", lambda _: schema)
    name = json.dumps(schema)  # validators are cached by name
    assert [check_agreement(value, name) for value in right] == [True] * len(right)
    assert [check_agreement(value, name) for value in wrong] == [False] * len(wrong)


@pytest.mark.parametrize("value", [{1: 2}, "\ud800", {"damspec": object()}])
def test_values_that_are_no_json_have_a_message(value: Any) -> None:
    assert data.schema_problem(value, "ruleset")


def test_jsonschema_is_imported_for_mistakes_only() -> None:
    program = (
        "import sys, damspec\n"
        "damspec.load_ruleset('vl').readings\n"
        "print('jsonschema' in sys.modules)\n"
        "try: damspec.from_values({'board.size': 5})\n"
        "except damspec.RulesetError as error: print('jsonschema' in sys.modules, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("False\nTrue rules sent whole for 'anonymous': rules.board.size.value: found 5")
