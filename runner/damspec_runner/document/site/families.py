"""The games as families: each game with those that change it, as the rulesets extend each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from damspec import Ruleset


@dataclass(frozen=True)
class Family:
    """A game that changes no other, and all that change it, directly or not."""

    head: Ruleset
    members: tuple[Ruleset, ...]


def families(rulesets: Mapping[str, Ruleset]) -> tuple[Family, ...]:
    """All families, the larger ones first."""
    found = (
        Family(head, tuple(each for each in rulesets.values() if each.family[:1] == (head.id,)))
        for head in rulesets.values()
        if not head.family
    )
    return tuple(sorted(found, key=lambda family: (-len(family.members), family.head.name)))
