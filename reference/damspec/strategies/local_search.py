"""Positions that show rare situations, found by local search from known ones.

The search starts from the positions of the cases, which show every rule on purpose, and changes them step by step as
long as they still fit. So few draws are wasted, and a failure shrinks to the known position with the fewest pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice

from hypothesis import strategies as st

from .. import data
from ..board import Board
from ..errors import NoPositionError, PositionError
from ..position import Position, with_sliders
from ..sampling import PositionSampler
from .construct import DrawnRandom
from .requests import PositionRequest

#: The maximum number of known positions kept, and of steps tried for an example.
_MOST_KNOWN, _MOST_STEPS = 60, 12
#: The number of steps of the search from positions that show a rule to those that fit the whole request.
_SEARCH_STEPS = 4_000


def varied_positions(request: PositionRequest) -> st.SearchStrategy[Position]:
    """Return a strategy for variations of known positions. Raises NoPositionError if there are none to start from."""
    return _draw_varied(request, _find_known(request), request.sampler())


@st.composite
def _draw_varied(
    draw: st.DrawFn, request: PositionRequest, known: tuple[Position, ...], sampler: PositionSampler
) -> Position:
    position = draw(st.sampled_from(known))
    steps = draw(st.integers(0, _MOST_STEPS))
    sampler.rng = DrawnRandom(draw)
    for _ in range(steps):
        changed = sampler.near(position)
        if changed is not None and request.fits(changed):
            position = changed
    return position


@cache
def _find_known(request: PositionRequest) -> tuple[Position, ...]:
    """Return known positions that fit a request, those with the fewest pieces first. Raises NoPositionError."""
    found = {position: None for position in _case_positions(request) if request.fits(position)}
    if len(found) < _MOST_KNOWN:
        found |= dict.fromkeys(islice(_search(request, [*found]), _MOST_KNOWN))
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
    free = replace(request, pieces=(0, len(request.ruleset.rules.board)), both_sides=False, phase=None, captures=None)
    sampler = free.sampler()
    walkers = (
        known or [position for position in _case_positions(request) if free.fits(position)] or _case_positions(request)
    )
    for _ in range(_SEARCH_STEPS):
        place = sampler.rng.randrange(len(walkers))
        position = sampler.near(walkers[place])
        if position is None:
            continue
        if request.fits(position):
            yield position
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
            with suppress(KeyError, PositionError):
                found[Position.from_fen(case["position"], board)] = None
    return tuple(found)
