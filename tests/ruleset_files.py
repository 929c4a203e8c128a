"""Files of rulesets for tests: shipped ones with something changed, loaded, and the line with which one is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import yaml

import damspec
from damspec import DamspecError, data, ruleset
from damspec.readings import load_clauses, load_readings
from damspec_runner.cases.cases import cases_of
from refusals import refusal

Content = dict[str, Any]


@contextmanager
def data_root(root: Path) -> Iterator[None]:
    """Read all data from another folder; nothing of it is remembered afterwards."""
    remembered = (
        load_clauses,
        load_readings,
        ruleset._load_shipped,
        ruleset._read_shipped,
        ruleset._readings,
        cases_of,
    )
    try:
        with mock.patch.object(data, "root", return_value=root):
            for function in remembered:
                function.cache_clear()
            yield
    finally:
        for function in remembered:
            function.cache_clear()


def content(id: str) -> Content:
    """A shipped ruleset's file, to be changed."""
    return deepcopy(_read(id))


@cache
def _read(id: str) -> Content:
    found: Content = yaml.safe_load((data.root() / "spec" / "rulesets" / f"{id}.yaml").read_text(encoding="utf-8"))
    return found


def value(id: str, rule: str, new: object) -> Content:
    """A shipped ruleset with another value of one rule, resting on what the old one rests on."""
    changed = content(id)
    changed["rules"][rule] = {"from": [f"{id}-006"], **changed["rules"].get(rule, {}), "value": new}
    return changed


def bare(rule: str, entry: object) -> Content:
    """A ruleset with something else in the place of a rule's entry."""
    changed = content("lb")
    changed["rules"][rule] = entry
    return changed


def values(id: str, **new: object) -> Content:
    """The same for several rules: `a__b=1` is `a.b`, one `_` is a hyphen."""
    changed = content(id)
    for key, one in new.items():
        rule = key.replace("__", ".").replace("_", "-")
        changed["rules"][rule] = value(id, rule, one)["rules"][rule]
    return changed


def without(id: str, rule: str) -> Content:
    changed = content(id)
    del changed["rules"][rule]
    return changed


def with_from(rule: str, *sources: str) -> Content:
    changed = content("lb")
    changed["rules"][rule]["from"] = list(sources)
    return changed


def child(parent: str, **rules: object) -> Content:
    """A ruleset of its own that extends another; every rule rests on vl-033 or as it says itself."""
    named = {key.replace("__", ".").replace("_", "-"): {"value": one, "from": ["vl-033"]} for key, one in rules.items()}
    return {
        "damspec": 1,
        "id": "mine",
        "name": "Mine",
        "about": "A ruleset of the tests.",
        "extends": parent,
        "documents": ["vl"],
        "rules": named,
    }


def load(folder: Path, changed: Content | str) -> damspec.Ruleset:
    path = folder / "some.yaml"
    path.write_text(changed if isinstance(changed, str) else yaml.safe_dump(changed), encoding="utf-8")
    return damspec.load_ruleset_file(str(path))


def complaint(folder: Path, changed: Content | str) -> str:
    """The one line with which a ruleset is refused, without the file's name."""
    message = refusal(DamspecError, load, folder, changed)
    assert "\n" not in message
    where = str(folder / "some.yaml")
    assert message.startswith(where)
    return message.removeprefix(where).removeprefix(": ")


def changed_key(key: str, new: object) -> Content:
    return content("lb") | {key: new}
