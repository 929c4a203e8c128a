"""Positions that show rare situations, found by local search from known ones.

The search starts from the positions of the cases, which show every rule on purpose, and changes them step by step as
long as they still fit. So few draws are wasted, and a failure shrinks to the known position with the fewest pieces.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from .. import data
from ..board import Board, each
from ..errors import NoPositionError, PositionError
from ..position import Position, with_sliders
from .requests import PositionRequest

#: A function that draws a number below its argument, 0 being the simplest.
Pick = Callable[[int], int]

#: The maximum number of known positions kept, and of steps tried for an example.
_MOST_KNOWN, _MOST_STEPS = 60, 12
#: The number of steps of the search from positions that show a rule to those that fit the whole request.
_SEARCH_STEPS = 4_000


def varied_positions(request: PositionRequest) -> st.SearchStrategy[Position]:
    """Return a strategy for variations of known positions. Raises NoPositionError if there are none to start from."""
    return _draw_varied(request, _find_known(request))


@st.composite
def _draw_varied(draw: st.DrawFn, request: PositionRequest, known: tuple[Position, ...]) -> Position:
    position = draw(st.sampled_from(known))

    def pick(number: int) -> int:
        return draw(st.integers(0, number - 1))

    for _ in range(draw(st.integers(0, _MOST_STEPS))):
        changed = vary(position, pick)
        if request.fits(changed):
            position = changed
    return position


def vary(position: Position, pick: Pick) -> Position:
    """Return a position with a piece added, moved, changed or removed, or mirrored, or with a slider pushed."""
    board = position.board
    masks = [position.white_men, position.white_kings, position.black_men, position.black_kings]
    taken = sum(masks)
    step = pick(11)
    if step == 10 and position.sliders:
        letters, place = position.sliders, pick(len(position.sliders))
        return replace(position, sliders=letters[:place] + "MLR"[pick(3)] + letters[place + 1 :])
    if step == 9:
        return position.mirrored()
    if step < 3 or not taken:
        free = [bit for bit in board.bits if not bit & taken]
        masks[pick(4)] |= free[pick(len(free))]
    else:
        pieces = [*each(taken)]
        bit = pieces[pick(len(pieces))]
        kind = next(kind for kind in range(4) if masks[kind] & bit)
        masks[kind] ^= bit
        if step < 7:
            free = [other for other in board.bits if other == bit or not other & taken]
            masks[kind] |= free[pick(len(free))]
        elif step == 8:
            masks[pick(4)] |= bit
    return replace(position, white_men=masks[0], white_kings=masks[1], black_men=masks[2], black_kings=masks[3])


@cache
def _find_known(request: PositionRequest) -> tuple[Position, ...]:
    """Return known positions that fit a request, those with the fewest pieces first. Raises NoPositionError."""
    found = {position: None for position in _case_positions(request) if request.fits(position)}
    if len(found) < _MOST_KNOWN:
        found |= dict.fromkeys(_search(request, [*found]))
    if not found:
        raise NoPositionError(
            f"no position of {request.ruleset.id} was found that shows {request.exercise}: {_describe_request(request)}"
        )
    return tuple(sorted(found, key=lambda position: (len(position), position.fen()))[:_MOST_KNOWN])


def _describe_request(request: PositionRequest) -> str:
    fewest, most = request.pieces
    parts = [f"{fewest} to {most} pieces"]
    parts += ["pieces of both sides (both_sides=False has others)"] if request.both_sides else []
    parts += [f"phase {request.phase}"] if request.phase else []
    parts += [f"captures {request.captures}"] if request.captures is not None else []
    return ", ".join(parts)


def _search(request: PositionRequest, known: list[Position]) -> Iterator[Position]:
    """Yield positions that fit a request, found by a seeded random walk from positions that show the rule."""
    rng = random.Random(0)
    free = replace(request, pieces=(0, len(request.ruleset.rules.board)), both_sides=False, phase=None, captures=None)
    walkers = (
        known or [position for position in _case_positions(request) if free.fits(position)] or _case_positions(request)
    )
    found = 0
    for _ in range(_SEARCH_STEPS):
        place = rng.randrange(len(walkers))
        position = vary(walkers[place], rng.randrange)
        if request.fits(position):
            yield position
            found += 1
            if found == _MOST_KNOWN:
                return
            walkers[place] = position
        elif not known and _is_as_near(request, walkers[place], position) and free.fits(position):
            walkers[place] = position


def _is_as_near(request: PositionRequest, before: Position, after: Position) -> bool:
    """Return whether `after` is no further from the requested number of pieces than `before`."""

    def off(position: Position) -> int:
        return max(request.pieces[0] - len(position), len(position) - request.pieces[1], 0)

    return off(after) <= off(before)


def _case_positions(request: PositionRequest) -> list[Position]:
    """Return the positions of all cases that can be read on the board of the request."""
    rules = request.ruleset.rules
    doors = len(rules.trapdoors.layout.sliders) if rules.trapdoors else 0
    return [
        with_sliders(rules, position)
        for position in _load_case_positions(rules.board)
        if len(position.sliders or "") in (0, doors) and (doors or position.spin is None)
    ]


@cache
def _load_case_positions(board: Board) -> tuple[Position, ...]:
    found: dict[Position, None] = {}
    for path in sorted((data.root() / "cases").glob("*/*.yaml")):
        for case in data.load_yaml(path).get("cases", ()):
            try:
                found[Position.from_fen(case["position"], board)] = None
            except (KeyError, PositionError):
                continue
    return tuple(found)
