"""Which values of a fault can show by the rules of a game, on some board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

from damspec import Board, Ruleset
from damspec.board import SIDES, Side, opponent
from damspec.contradictions import holds
from damspec.layout import Slider
from damspec.rules import steps_of
from damspec.tables import landing_squares

from .action_faults import COLOURS, WAYS, slider_names
from .faults import HOOKS, FaultyGenerator
from .legs import BOTH, Leg, Mover, make_leg
from .outcome_faults import COUNTS, ENDGAME_COUNTS


@cache
def pushes(ruleset: Ruleset) -> Mapping[tuple[str, str], frozenset[tuple[str, str, str]]]:
    """Return the pushes of a game for each name of sliders and each way: slider, and the letters before and after.

    What is the same as one before it, and what has no push, is left out.
    """
    trapdoors, spin = ruleset.rules.trapdoors, ruleset.rules.spin
    if trapdoors is None or spin is None:
        return {}
    layout, allowed = trapdoors.layout, {*spin.outcomes.values()}
    colours = frozenset(each.colour for each in layout.sliders if allowed & {f"{each.colour}-slider", "any-slider"})
    every = {
        (layout.sliders[place], letter, to)
        for letter in ("M" if trapdoors.closing == "at-once" else "LMR")
        for place, to in layout.steps(letter * len(layout.sliders), colours, through=trapdoors.step == "through")
    }
    found: dict[tuple[str, str], frozenset[tuple[str, str, str]]] = {}
    for name, (way, goes) in product(slider_names(trapdoors), WAYS.items()):
        some = frozenset((one.id, letter, to) for one, letter, to in every if _is_named(one, name) and goes(letter, to))
        if some and some not in found.values():
            found[name, way] = some
    return found


def _is_named(slider: Slider, name: str) -> bool:
    return name in ("any slider", slider.id) or slider.colour == COLOURS.get(name)


@cache
def possible_legs(ruleset: Ruleset) -> tuple[Leg, ...]:
    """Return every leg that a piece could have by the rules of directions and reach, with no other piece in the way.

    No legal move has another one.
    """
    return (*_legs_of(ruleset),)


def _legs_of(ruleset: Ruleset) -> Iterator[Leg]:
    board, man, king = ruleset.rules.board, ruleset.rules.man, ruleset.rules.king
    slides: list[tuple[Mover, tuple[str, ...], int, int]] = [
        ("men", man.move_directions, 0, steps_of("man.move.reach", man.move_reach, board)),
        ("men", man.move_over_own or (), 1, 2),
        ("kings", king.move_directions, 0, steps_of("king.move.reach", king.move_reach, board)),
    ]
    far = steps_of("king.capture.reach", king.capture_reach, board)
    for piece, directions, nearest, farthest in slides:
        for side, start, line in _lines(board, directions):
            yield from (make_leg(board, side, piece, start, (), end) for end in line[nearest:farthest])
    gap, many = man.capture_gap or 0, len(board) if king.capture_pieces else 1
    jumps: list[tuple[Mover, tuple[str, ...], int, int, int, int]] = [
        ("men", (*man.capture_first, *man.capture_later), gap, gap + 1, 1, 1),
        *(
            (
                piece,
                (*king.capture_directions, *(king.capture_later or ())),
                0,
                far,
                many,
                landing_squares(ruleset.rules),
            )
            for piece in BOTH
            if piece == "kings" or ruleset.rules.promotion.mid_capture in ("as-king", "as-man-else-king")
        ),
    ]
    for piece, directions, nearest, farthest, most, landing in jumps:
        for side, start, line in _lines(board, directions):
            for place in range(nearest, min(farthest, len(line))):
                for behind in range(place + 1, min(place + most, len(line)) + 1):
                    yield from (
                        make_leg(board, side, piece, start, (*line[place:behind],), end)
                        for end in line[behind:][:landing]
                    )


def _lines(board: Board, directions: Iterable[str]) -> Iterator[tuple[Side, int, list[int]]]:
    """Yield each side and square, with the squares in each direction from there, as the side sees it."""
    for side, bit, direction in product(SIDES, board.bits, dict.fromkeys(directions)):
        yield side, board.number(bit), [board.number(end) for end in board.ray(bit, direction, side)]


def can_show(entry: Mapping[str, Any], values: Mapping[str, Any], ruleset: Ruleset) -> bool:
    """Return whether a fault can show: by what the catalogue says, and by the steps, jumps and pushes of a game."""
    about = (each for each in entry.get("where", ()) if all(values[name] in of for name, of in each["values"].items()))
    if not all(_has_rules(each, ruleset) for each in (entry, *about)):
        return False
    if "moves" in values and getattr(ruleset.rules.draws, COUNTS[values["moves"]], None) is None:
        return False
    if entry["parameters"].get("way") == "push":
        return (values.get("slider", "any slider"), values["way"]) in pushes(ruleset)
    match entry["id"]:
        case "edge-open":
            return ruleset.rules.board.squares == "all" or ruleset.rules.board.columns % 2 == 0
        case "not-crowned":
            return values["square"] in _crowning_squares(ruleset, values["side"], values["way"])
        case "spin-mistaken":
            return bool(values["other"] != values["outcome"])
        case "count-restarts" if values["moves"] in ENDGAME_COUNTS:
            return "M" in str(getattr(ruleset.rules.draws, COUNTS[values["moves"]]))
        case id if HOOKS[id].keys() == {"legs"}:
            return any(map(FaultyGenerator(ruleset.turns, id, values).loses, possible_legs(ruleset)))
        case _:
            return True


def _has_rules(entry: Mapping[str, Any], ruleset: Ruleset) -> bool:
    unless = entry.get("unless")
    return holds(entry.get("needs", {}), ruleset.values) and not (unless and holds(unless, ruleset.values))


@cache
def _crowning_squares(ruleset: Ruleset, side: Side, way: str) -> set[int]:
    """Return the squares on which men of a side are crowned that step, or capture, to them."""
    board = ruleset.rules.board
    promotion_row = board.nearest_rows(ruleset.rules.promotion.rows, opponent(side))
    men = (leg.end for leg in possible_legs(ruleset) if (leg.side, leg.piece, leg.way) == (side, "men", way))
    return {end for end in men if board.bit(end) & promotion_row}
