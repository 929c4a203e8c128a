"""The rules of one game as typed values: a dataclass for each group of the rule language (spec/README.md).

A field stands for the rule of the same name: `ManRules.capture_first` is `man.capture.first`. Groups that a game does
not have are None, as are optional rules that it does not use. The shorthands for groups of directions in ruleset files
are expanded and abbreviated here too.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal, TypeVar

from .board import BOARD_RULES, DIRECTION_GROUPS, DIRECTIONS, Board, Side, board_of
from .data import freeze, schema
from .errors import RulesetError, expect, quote_any
from .layout import Layout, layout_of

_T = TypeVar("_T")
Directions = tuple[str, ...]
#: The material of a side: number of kings, number of men.
Force = tuple[int, int]
Reach = Literal[1, 2, "any"]


def meaning_of(rule: str, value: Hashable, meanings: Mapping[Any, _T]) -> _T:
    """Return what a value of a closed vocabulary stands for. Raises RulesetError for one that is not in `meanings`."""
    if value not in meanings:
        raise RulesetError(f"{rule}: found {quote_any(value)}, which is not implemented")
    return meanings[value]


def rule_names() -> list[str]:
    """Return every rule of the language, in the order of the schema."""
    return list(schema("ruleset")["properties"]["rules"]["properties"])


@dataclass(frozen=True)
class StartRules:
    """How a game begins: `men` is a number of rows, or the squares of each side, and under `kings` those of kings."""

    men: int | Mapping[str, tuple[int, ...]]
    first: Side


@dataclass(frozen=True)
class ManRules:
    """How men move and capture."""

    move_directions: Directions
    move_reach: Reach
    capture_first: Directions
    capture_later: Directions
    capture_takes: Literal["any", "men"]
    move_over_own: Directions | None = None


@dataclass(frozen=True)
class KingRules:
    """How kings move and capture."""

    move_directions: Directions
    move_reach: Reach
    move_slides: Literal["once", "twice"]
    capture_directions: Directions
    capture_reach: Reach
    capture_landing: Literal["behind", "within-two", "any"]
    capture_finish: Literal["continuing", "behind-last-king"] | None = None
    capture_turning: Literal["not-back"] | None = None
    move_limit: int | None = None


@dataclass(frozen=True)
class CaptureRules:
    """What applies to every capture, by men and kings."""

    duty: Literal["compulsory", "compulsory-for-men", "huffing", "optional"]
    completion: Literal["whole", "may-stop"]
    choice: tuple[str, ...]
    removal: Literal["at-once", "at-end"]
    origin: Literal["empty", "occupied"]
    binds: Literal["path", "piece"] | None = None
    king_weight: float | None = None


@dataclass(frozen=True)
class PromotionRules:
    """Where and when a man is crowned."""

    rows: int
    mid_capture: Literal["stops", "as-man", "as-king", "as-man-else-king"]
    return_: Literal["crowned", "not-crowned"] | None = None


@dataclass(frozen=True)
class HuffRules:
    """What follows a turn that breaks the duty to capture."""

    offence: Literal["no-capture", "no-capture-or-unfinished", "no-capture-or-less", "man-forward"]
    remedies: tuple[str, ...]
    piece: Literal["able", "moved"]
    turn: Literal["kept", "spent"]
    retracted: Literal["must-capture", "free", "turn-lost"]

    @property
    def compels(self) -> bool:
        """Whether a side can be compelled to capture: only after its move was taken back."""
        return "retract" in self.remedies and self.retracted == "must-capture"


@dataclass(frozen=True)
class TrapdoorRules:
    """Doors in the board and the sliders that open them."""

    layout: Layout
    step: Literal["one", "through"]
    falls: Literal["any", "men", "opponents"]
    quiet_landing: Literal["falls", "forbidden"]
    capture_landing: Literal["ends", "only-last"]
    passing: Literal["over", "blocked", "falls"]
    closing: Literal["stays-open", "at-once", "optional"]


@dataclass(frozen=True)
class SpinRules:
    """The spinner at the beginning of a turn."""

    outcomes: Mapping[str, str]
    when: Literal["no-capture", "after-capture"]
    blocked: Literal["loses", "spins"]
    slide: Literal["compulsory", "may-decline"]


@dataclass(frozen=True)
class EndingRules:
    """How a game ends by the position."""

    no_pieces: Literal["loses", "wins"]
    no_moves: Literal["loses", "wins", "draws"]
    draws: tuple[str, ...]
    blocked: Literal["no-action", "no-piece-move", "no-step"] | None = None
    order: Literal["losses-first", "draws-first"] | None = None
    first_king: Literal["wins"] | None = None
    one_piece: Literal["loses"] | None = None
    king_to_man: Literal["wins"] | None = None
    both_empty: Literal["mover-wins", "draw", "mover-loses"] | None = None


@dataclass(frozen=True)
class DrawRules:
    """How a game is drawn by its history.

    Numbers count occurrences of a position (`repetition`), pieces of a side (`king_moves_pieces`) or moves, in endings
    those of `counted_side`, else of each side; keys are classes of endings (`KKvK KMvK`) or total numbers of pieces
    (`4-5`).
    """

    repetition: int | None
    no_capture: int | None
    king_moves: int | None
    king_moves_pieces: int | None
    endings: Mapping[str, int] | None
    balance: Mapping[str, int] | None
    main_road: Mapping[str, int] | None
    river: Mapping[str, int] | None
    counted_side: Literal["stronger", "weaker"] | None


@cache
def endings_named(key: str) -> tuple[tuple[Force, Force], ...]:
    """Return the endings named by a key of `draws.endings`: the forces of the stronger and of the weaker side.

    >>> endings_named("KKvK KMvK")
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
    return kind(*[values.get(rule) for rule in _rules_of(kind, name)])


@cache
def _rules_of(kind: Any, name: str) -> tuple[str, ...]:
    """Return the rule behind each field of a group: field `capture_first` of group `man` is `man.capture.first`."""
    by_field = {
        rule.removeprefix(f"{name}.").replace(".", "_").replace("-", "_"): rule
        for rule in rule_names()
        if rule.startswith(f"{name}.")
    }
    return tuple(by_field[field.name.rstrip("_")] for field in fields(kind))


def expand_directions(values: Mapping[str, Any], place: str = "") -> dict[str, Any]:
    """Return rule values with groups of directions expanded, in the order of `DIRECTIONS`.

    Raises RulesetError for a direction named twice, by itself or by groups; `place` begins its message.

    >>> expand_directions({"king.move.directions": ["backward", "forward-diagonals"]})
    {'king.move.directions': ('forward-left', 'forward-right', 'backward')}
    """
    return {
        rule: _expand(value, f"{place}{rule}") if isinstance(value, list | tuple) and _takes_directions(rule) else value
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


def _takes_directions(rule: str) -> bool:
    form = schema("ruleset")["properties"]["rules"]["properties"][rule]["properties"]["value"]
    form = form.get("anyOf", (form,))[0]  # without the null that removes an optional rule
    return bool(form.get("items") == {"$ref": "#/$defs/direction"})


def _expand(words: Sequence[str], place: str) -> tuple[str, ...]:
    named: dict[str, str] = {}
    for word in words:
        for direction in DIRECTION_GROUPS.get(word, (word,)):
            other = named.setdefault(direction, word)
            if other != word:
                raise RulesetError(f"{place}: found {word!r} beside {other!r}, and both name {direction!r}")
    return tuple(direction for direction in DIRECTIONS if direction in named)
