"""What has to be said of a changed ruleset: the rules changed, without those that go with the others of themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from damspec.contradictions import settled


def essential(values: Mapping[str, Any], changes: Mapping[str, Any]) -> list[str]:
    """The rules that have to be said, of those changed from these values; None is that a rule is gone."""
    if len(changes) == 1:
        return [*changes]
    return [rule for rule in changes if not _follows(values, changes, rule)]


def _follows(values: Mapping[str, Any], changes: Mapping[str, Any], rule: str) -> bool:
    """Whether a change need not be said, since the rule depends on others and goes with them."""
    others = {name: value for name, value in changes.items() if name != rule}
    whole = {name: value for name, value in {**values, **others}.items() if value is not None}
    return bool(settled(whole, others.keys()).get(rule) == changes[rule])
