"""The case that shows the value of a rule best: on record for the rulesets shipped (cases/examples.yaml), else chosen.

`damspec trace --record` chooses anew for the record, by what biting.py says; that takes two minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from damspec import FileError, Ruleset, RulesetError, data

from ..cases.case import Case
from ..cases.cases import cases_for
from .biting import Bites
from .links import LinkKind, link_of, links

_HEADER = """\
# For each ruleset and rule the case that shows its value best. Made by `damspec trace --record`, which says how a case
# is chosen; schemas/examples.schema.json says what the keys mean.
"""


@dataclass(frozen=True)
class Showing:
    """A case that shows a value, and how it is linked to it."""

    case: Case
    by: LinkKind


def example(ruleset: Ruleset, rule: str) -> Case | None:
    """The case that shows best the value a ruleset gives a rule; None if there is none.

    Raises RulesetError for a rule that the ruleset does not have.
    """
    if rule not in ruleset.values:
        raise RulesetError(f"{ruleset.id} has no rule {rule!r}{data.nearest(rule, list(ruleset.values))}")
    shipped = links().rulesets.get(ruleset.id) is ruleset
    return _recorded()[ruleset.id].get(rule) if shipped and ruleset.id in _recorded() else _bites(ruleset).best(rule)


def showing(ruleset: Ruleset, rule: str) -> Showing | None:
    """The same case, with how it is linked to the value."""
    case = example(ruleset, rule)
    return Showing(case, link_of(case, ruleset, rule, _readings(ruleset))) if case else None


def record(tell: Callable[[str], None]) -> dict[str, Any]:
    """The examples of all rulesets shipped, chosen anew: what the record holds."""
    chosen = {}
    for id, ruleset in links().rulesets.items():
        tell(id)
        chosen[id] = {rule: case.id for rule, case in _bites(ruleset).chosen.items()}
    return {"examples": chosen}


def written(content: Mapping[str, Any]) -> str:
    """The record as the text of its file."""
    return _HEADER + yaml.safe_dump(content, sort_keys=False, width=120)


def path() -> Path:
    """Where the record is."""
    return data.root() / "cases" / "examples.yaml"


@cache
def _recorded() -> Mapping[str, Mapping[str, Case]]:
    content, where = data.load_yaml(path()), data.shown(path())
    data.check(content, "examples", where)
    found: dict[str, dict[str, Case]] = {}
    for id, examples in content["examples"].items():
        cases = {case.id: case for case in links().cases.get(id, ())}
        for rule, case in examples.items():
            if case not in cases:
                raise FileError(f"{where}: examples.{id}.{rule}: {id} has no case {case!r}, expected one that it has")
        found[id] = {rule: cases[case] for rule, case in examples.items()}
    return found


@cache
def _bites(ruleset: Ruleset) -> Bites:
    return Bites(ruleset, cases_for(ruleset), _readings(ruleset))


def _readings(ruleset: Ruleset) -> Mapping[str, Any]:
    """All readings by id, with those of a file of one's own."""
    return {**links().readings, **{reading.id: reading for reading in ruleset.own_readings}}
