"""What two rulesets have in common of a turn: the ways in which sliders can stand, and the phases."""

from __future__ import annotations

from collections.abc import Iterator

from damspec import Ruleset
from damspec.scope import phases

from ..positions.enumeration import slider_positions


def common_sliders(one: Ruleset, other: Ruleset) -> tuple[list[str | None], bool]:
    """How the sliders can stand in both, all in the middle first; and whether those are all their ways."""
    layouts = [ruleset.rules.trapdoors.layout for ruleset in (one, other) if ruleset.rules.trapdoors]
    if len(layouts) < 2:
        return [None], True
    if layouts[0] != layouts[1]:
        return [None], False
    both = set(slider_positions(other))
    return [None if set(s or "") == {"M"} else s for s in slider_positions(one) if s in both], True


def common_phases(one: Ruleset, other: Ruleset) -> Iterator[str]:
    """The phases that both have. A spin that lets a piece move counts as no spin in a game without spinner.

    A run of a king counts as none where they are not limited.
    """
    mine, theirs = phases(one), phases(other)
    yield from (phase for phase in mine if phase in theirs)
    for ruleset, without in ((one, other), (other, one)):
        if ruleset.rules.spin and not without.rules.spin:
            yield from (f"spin={o}" for o, allows in ruleset.rules.spin.outcomes.items() if allows == "piece")
        if ruleset.rules.king.move_limit is not None and without.rules.king.move_limit is None:
            yield "run"
