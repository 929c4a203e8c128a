"""A badge for a README, as a picture, or as the data that shields.io makes one from."""

from __future__ import annotations

import json
from html import escape
from typing import Literal

Colour = Literal["brightgreen", "yellow", "red"]
#: The colours by shields.io's names, with their values for our own picture.
_COLOURS: dict[Colour, str] = {"brightgreen": "#2c7a1f", "yellow": "#8a6200", "red": "#b3261e"}
#: Widths of letters in Verdana at 11 pixels; others are as wide as the widest figure.
_NARROW, _WIDE, _LETTER = " fijlrt.,:/'-()", "mwMWO%", 7.0


def as_svg(label: str, message: str, colour: Colour) -> str:
    """The badge as SVG."""
    left, right = (_width(text) + 10 for text in (label, message))
    texts = ((left / 2, label), (left + right / 2, message))
    said = escape(f"{label}: {message}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{said}">'
        f"<title>{said}</title>"
        f'<clipPath id="r"><rect width="{left + right}" height="20" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#444"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{_COLOURS[colour]}"/></g>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        + "".join(f'<text x="{middle:g}" y="14">{escape(text)}</text>' for middle, text in texts)
        + "</g></svg>\n"
    )


def as_data(label: str, message: str, colour: Colour) -> str:
    """The badge as data for shields.io's endpoint."""
    badge = {"schemaVersion": 1, "label": label, "message": message, "color": colour}
    return json.dumps(badge, ensure_ascii=False) + "\n"


def _width(text: str) -> int:
    return round(sum(3.9 if letter in _NARROW else 10.0 if letter in _WIDE else _LETTER for letter in text))
