"""The rules of one game as typed values, in the dataclasses of `rule_groups` for each group of the rule language.

Groups that a game does not have are None, as are optional rules that it does not use. The shorthands for groups of
directions in ruleset files are expanded and abbreviated here too.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from keyword import iskeyword
from typing import Any, TypeVar

from .board import BOARD_RULES, DIRECTION_GROUPS, DIRECTIONS, Board, board_of
from .data import freeze
from .errors import RulesetError, expect, quote_any
from .layout import layout_of
from .rule_groups import (
    CaptureRules,
    KingRules,
    ManRules,
    PromotionRules,
    StartRules,
)
from .rule_groups import DrawRules as DrawRules
from .rule_groups import EndingRules as EndingRules
from .rule_groups import HuffRules as HuffRules
from .rule_groups import SpinRules as SpinRules
from .rule_groups import TrapdoorRules as TrapdoorRules
from .vocabulary import vocabulary

_T = TypeVar("_T")
#: The material of a side: number of kings, number of men.
Force = tuple[int, int]


def meaning_of(rule: str, value: Hashable, meanings: Mapping[Any, _T]) -> _T:
    """Return what a value of a closed vocabulary stands for. Raises RulesetError for one that is not in `meanings`."""
    if value not in meanings:
        raise RulesetError(f"{rule}: found {quote_any(value)}, which is not implemented")
    return meanings[value]


def steps_of(rule: str, reach: int | str, board: Board) -> int:
    """Return the most steps by a rule of reach: a number, or `any`. Raises RulesetError for another word."""
    return reach if isinstance(reach, int) else meaning_of(rule, reach, {"any": len(board)})


def rule_names() -> list[str]:
    """Return every rule of the language, in the order of spec/rules.yaml."""
    return list(vocabulary())


@cache
def endgames_named(key: str) -> tuple[tuple[Force, Force], ...]:
    """Return the endgames named by a key of `draws.endings`: the forces of the stronger and of the weaker side.

    >>> endgames_named("KKvK KMvK")
    (((2, 0), (1, 0)), ((1, 1), (1, 0)))
    """
    sides = (name.partition("v") for name in key.split())
    return tuple((_force(strong), _force(weak)) for strong, _, weak in sides)


@cache
def totals_named(key: str) -> range:
    """Return the numbers of pieces named by a key of `draws.balance`, `4-5` or `4`; empty if it runs backwards."""
    least, _, most = key.partition("-")
    return range(int(least), int(most or least) + 1)


def _force(letters: str) -> Force:
    return letters.count("K"), letters.count("M")


@dataclass(frozen=True)
class Rules:
    """All rules of a game, typed; `values` has the same by dotted name, as in ruleset files."""

    values: Mapping[str, Any]
    board: Board
    start: StartRules
    man: ManRules
    king: KingRules
    capture: CaptureRules
    promotion: PromotionRules
    ending: EndingRules
    draws: DrawRules | None
    huff: HuffRules | None
    trapdoors: TrapdoorRules | None
    spin: SpinRules | None

    @property
    def compels(self) -> bool:
        """Whether a side can be compelled to capture: only by huffing, after its move was taken back."""
        huff = self.huff
        return huff is not None and "retract" in huff.remedies and huff.retracted == "must-capture"

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Rules:
        """Build the rules from validated values by dotted name.

        Raises RulesetError for a layout of trapdoors that does not exist or does not fit the board.
        """
        expect(values, "values", Mapping, "a mapping of the names of rules to their values")
        if missing := [rule for rule in BOARD_RULES if rule not in values]:
            raise RulesetError(f"values: missing {missing[0]}")
        board = board_of(values)
        doors = "trapdoors.layout" in values
        if doors:
            layout = layout_of(values["trapdoors.layout"], board, "trapdoors.layout")
            values = {**values, "trapdoors.layout": layout}
        values = freeze(values)
        return cls(
            values=values,
            board=board,
            start=_group(StartRules, "start", values),
            man=_group(ManRules, "man", values),
            king=_group(KingRules, "king", values),
            capture=_group(CaptureRules, "capture", values),
            promotion=_group(PromotionRules, "promotion", values),
            ending=_group(EndingRules, "ending", values),
            draws=_group(DrawRules, "draws", values) if any(r.startswith("draws.") for r in values) else None,
            huff=_group(HuffRules, "huff", values) if "huff.offence" in values else None,
            trapdoors=_group(TrapdoorRules, "trapdoors", values) if doors else None,
            spin=_group(SpinRules, "spin", values) if "spin.outcomes" in values else None,
        )


def _group(kind: Any, name: str, values: Mapping[str, Any]) -> Any:
    """Build the dataclass of a group from its values."""
    rules = (rule for rule in rule_names() if rule.startswith(f"{name}."))
    return kind(**{field_of(rule): values.get(rule) for rule in rules})


def field_of(rule: str) -> str:
    """Return the field for a rule in the dataclass of its group.

    >>> field_of("man.capture.first"), field_of("promotion.return")
    ('capture_first', 'return_')
    """
    name = rule.partition(".")[2].replace(".", "_").replace("-", "_")
    return f"{name}_" if iskeyword(name) else name


def expand_directions(values: Mapping[str, Any], place: str = "") -> dict[str, Any]:
    """Return rule values with groups of directions expanded, in the order of `DIRECTIONS`.

    Raises RulesetError for a direction named twice, by itself or by groups; `place` begins its message.

    >>> expand_directions({"king.move.directions": ["backward", "forward-diagonals"]})
    {'king.move.directions': ('forward-left', 'forward-right', 'backward')}
    """
    return {
        rule: _expand(value, f"{place}{rule}")
        if isinstance(value, list | tuple) and vocabulary()[rule].form.kind == "directions"
        else value
        for rule, value in values.items()
    }


def shorten_directions(value: Any) -> str:
    """Return a rule's value as short text, with a group of directions abbreviated to its name.

    >>> shorten_directions(("forward-left", "forward-right")), shorten_directions({"a": 1})
    ('[forward-diagonals]', '{"a": 1}')
    >>> shorten_directions(("most-pieces", "with-king"))
    '[most-pieces, with-king]'
    """
    try:
        if isinstance(value, tuple):
            group = next((word for word, group in DIRECTION_GROUPS.items() if set(group) == set(value)), None)
            return f"[{group or ', '.join(map(str, value))}]"
        return json.dumps(value) if value is None or isinstance(value, dict) else str(value)
    except (TypeError, ValueError):  # not a rule's value
        return quote_any(value)


def _expand(words: Sequence[str], place: str) -> tuple[str, ...]:
    named: dict[str, str] = {}
    for word in words:
        for direction in DIRECTION_GROUPS.get(word, (word,)):
            other = named.setdefault(direction, word)
            if other != word:
                raise RulesetError(f"{place}: found {word!r} beside {other!r}, and both name {direction!r}")
    return tuple(direction for direction in DIRECTIONS if direction in named)
