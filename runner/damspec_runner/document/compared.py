"""Which rulesets are compared with which: some each with each other, every other one with the nearest to it.

Which are compared each with each the record of smallest positions says (cases/witnesses.yaml).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import damspec

from .apart import share
from .witness import each_with_each

#: How far two rulesets are apart; None if that is not known.
Share = Callable[[str, str], float | None]


@cache
def nearest() -> Mapping[str, str]:
    """For each other ruleset the one that it is compared with: what it extends, or else the one least apart."""
    return nearest_by(share)


def nearest_by(share: Share) -> Mapping[str, str]:
    """The same, if they are so far apart."""
    return {id: _nearest(id, share) for id in damspec.ruleset_ids() if id not in each_with_each()}


def compared(one: str, other: str, near: Mapping[str, str] | None = None) -> bool:
    """Whether two rulesets shipped are compared: both are of those each with each, or one is nearest to the other."""
    near = nearest() if near is None else near
    return {one, other} <= set(each_with_each()) or near.get(one) == other or near.get(other) == one


def _nearest(id: str, share: Share) -> str:
    """Less than one in a hundred is chance: of those equally near, or not measured, the one with most values alike."""
    ruleset = damspec.load_ruleset(id)
    if ruleset.family:
        return ruleset.family[-1]
    values = ruleset.values

    def apart(other: str) -> tuple[float, int]:
        theirs, answered = damspec.load_ruleset(other).values, share(id, other)
        unlike = sum(values.get(rule) != theirs.get(rule) for rule in {**values, **theirs})
        return 1.0 if answered is None else round(answered, 2), unlike

    return min((other for other in damspec.ruleset_ids() if other != id), key=apart)
