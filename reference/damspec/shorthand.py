"""Short words in the values of rules, written out and written: the groups in lists of directions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .board import DIRECTION_GROUPS, DIRECTIONS
from .data import schema
from .errors import RulesetError, shown


def written_out(values: Mapping[str, Any], place: str = "") -> dict[str, Any]:
    """Rule values of the right form with every direction by its own name, in the order of `DIRECTIONS`.

    Raises RulesetError for a direction named twice, by itself or by groups; `place` begins its message.

    >>> written_out({"king.move.directions": ["backward", "forward-diagonals"]})
    {'king.move.directions': ('forward-left', 'forward-right', 'backward')}
    """
    return {
        rule: _directions(value, f"{place}{rule}")
        if isinstance(value, list | tuple) and _takes_directions(rule)
        else value
        for rule, value in values.items()
    }


def shortened(value: Any) -> str:
    """A rule's value as a text of few words: a group of directions by its one word.

    >>> shortened(("forward-left", "forward-right")), shortened(("most-pieces", "with-king")), shortened({"a": 1})
    ('[forward-diagonals]', '[most-pieces, with-king]', '{"a": 1}')
    """
    try:
        if isinstance(value, tuple):
            group = next((word for word, group in DIRECTION_GROUPS.items() if set(group) == set(value)), None)
            return f"[{group or ', '.join(map(str, value))}]"
        return json.dumps(value) if value is None or isinstance(value, dict) else str(value)
    except (TypeError, ValueError):  # no value of a rule
        return shown(value)


def _takes_directions(rule: str) -> bool:
    form = schema("ruleset")["properties"]["rules"]["properties"][rule]["properties"]["value"]
    return bool(form.get("items") == {"$ref": "#/$defs/direction"})


def _directions(words: Sequence[str], place: str) -> tuple[str, ...]:
    named: dict[str, str] = {}
    for word in words:
        for direction in DIRECTION_GROUPS.get(word, (word,)):
            other = named.setdefault(direction, word)
            if other != word:
                raise RulesetError(f"{place}: found {word!r} beside {other!r}, and both name {direction!r}")
    return tuple(direction for direction in DIRECTIONS if direction in named)
