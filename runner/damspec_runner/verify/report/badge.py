"""A badge for a README: how many cases pass, as a picture, or as the data that shields.io makes one from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from ..result import Report

_LABEL = "damspec"
#: The colours by shields.io's names, with their values for our own picture.
_COLOURS = {"brightgreen": "#2c7a1f", "yellow": "#8a6200", "red": "#b3261e"}
#: Widths of letters in Verdana at 11 pixels; others are as wide as the widest figure.
_NARROW, _WIDE, _LETTER = " fijlrt.,:/'-()", "mwMWO%", 7.0


def as_badge(reports: Sequence[Report]) -> str:
    """The badge as SVG."""
    message, colour = _message(reports), _COLOURS[_colour(reports)]
    left, right = (_width(text) + 10 for text in (_label(reports), message))
    texts = ((left / 2, _label(reports)), (left + right / 2, message))
    said = escape(f"{_label(reports)}: {message}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{said}">'
        f"<title>{said}</title>"
        f'<clipPath id="r"><rect width="{left + right}" height="20" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#444"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{colour}"/></g>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        + "".join(f'<text x="{middle:g}" y="14">{escape(text)}</text>' for middle, text in texts)
        + "</g></svg>\n"
    )


def as_badge_json(reports: Sequence[Report]) -> str:
    """The badge as data for shields.io's endpoint."""
    badge = {"schemaVersion": 1, "label": _label(reports), "message": _message(reports), "color": _colour(reports)}
    return json.dumps(badge, ensure_ascii=False) + "\n"


def _label(reports: Sequence[Report]) -> str:
    """With the ruleset, if it is one."""
    rulesets = {report.ruleset.id for report in reports}
    return f"{_LABEL} {rulesets.pop()}" if len(rulesets) == 1 else _LABEL


def _message(reports: Sequence[Report]) -> str:
    passed = sum(report.counts["passed"] for report in reports)
    return f"{passed} of {sum(len(report.results) for report in reports)} cases"


def _colour(reports: Sequence[Report]) -> str:
    """Red where anything is wrong, yellow where something is left open, green where every case passes."""
    if not all(report.clean() for report in reports):
        return "red"
    return "brightgreen" if all(report.counts["passed"] == len(report.results) for report in reports) else "yellow"


def _width(text: str) -> int:
    return round(sum(3.9 if letter in _NARROW else 10.0 if letter in _WIDE else _LETTER for letter in text))
