"""The badge of a report: how many cases pass."""

from __future__ import annotations

from collections.abc import Sequence

from ...engines import badge
from ...engines.badge import Colour
from ..result import Report

_LABEL = "damspec"


def as_badge(reports: Sequence[Report]) -> str:
    """The badge as SVG."""
    return badge.as_svg(_label(reports), _message(reports), _colour(reports))


def as_badge_json(reports: Sequence[Report]) -> str:
    """The badge as data for shields.io's endpoint."""
    return badge.as_data(_label(reports), _message(reports), _colour(reports))


def _label(reports: Sequence[Report]) -> str:
    """With the ruleset, if it is one."""
    rulesets = {report.ruleset.id for report in reports}
    return f"{_LABEL} {rulesets.pop()}" if len(rulesets) == 1 else _LABEL


def _message(reports: Sequence[Report]) -> str:
    passed = sum(report.counts["passed"] for report in reports)
    return f"{passed} of {sum(len(report.results) for report in reports)} cases"


def _colour(reports: Sequence[Report]) -> Colour:
    """Red where anything is wrong, yellow where something is left open, green where every case passes."""
    if not all(report.clean() for report in reports):
        return "red"
    return "brightgreen" if all(report.counts["passed"] == len(report.results) for report in reports) else "yellow"
