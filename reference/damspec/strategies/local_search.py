"""Positions that show what is rare: positions known to show it, changed step by step as long as they still do.

What is known are the positions of the cases, which show every rule on purpose. So nothing is drawn in vain, and an
example shrinks to the known position with the fewest pieces.
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

#: Draws one of so many, 0 being the simplest.
Pick = Callable[[int], int]

#: How many known positions are kept, and how many steps of an example are tried.
_KNOWN, _STEPS = 60, 12
#: How many steps are taken to come from positions that show a rule to those that are all that is asked for.
_SEARCHED = 4_000


def varied(asked: PositionRequest) -> st.SearchStrategy[Position]:
    """What is asked for, out of what is known of it. Raises NoPositionError if nothing is found to begin with."""
    return _varied(asked, _known(asked))


@st.composite
def _varied(draw: st.DrawFn, asked: PositionRequest, known: tuple[Position, ...]) -> Position:
    position = draw(st.sampled_from(known))

    def pick(number: int) -> int:
        return draw(st.integers(0, number - 1))

    for _ in range(draw(st.integers(0, _STEPS))):
        changed = stepped(position, pick)
        if asked.fits(changed):
            position = changed
    return position


def stepped(position: Position, pick: Pick) -> Position:
    """A position with a piece added, moved, changed or taken off, or turned round, or with a slider pushed."""
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
def _known(asked: PositionRequest) -> tuple[Position, ...]:
    """Positions that are what is asked for, those with the fewest pieces first."""
    found = {position: None for position in _shipped(asked) if asked.fits(position)}
    if len(found) < _KNOWN:
        found |= dict.fromkeys(_searched(asked, [*found]))
    if not found:
        raise NoPositionError(
            f"no position of {asked.ruleset.id} was found that shows {asked.exercise}: {_worded(asked)}"
        )
    return tuple(sorted(found, key=lambda position: (len(position), position.fen()))[:_KNOWN])


def _worded(asked: PositionRequest) -> str:
    fewest, most = asked.pieces
    said = [f"{fewest} to {most} pieces"]
    said += ["pieces of both sides (both_sides=False has others)"] if asked.both_sides else []
    said += [f"phase {asked.phase}"] if asked.phase else []
    said += [f"captures {asked.captures}"] if asked.captures is not None else []
    return ", ".join(said)


def _searched(asked: PositionRequest, known: list[Position]) -> Iterator[Position]:
    """What is come by from what shows the rule, whatever else is asked for, by steps at random, always the same."""
    rng = random.Random(0)
    free = replace(asked, pieces=(0, len(asked.ruleset.rules.board)), both_sides=False, phase=None, captures=None)
    walkers = known or [position for position in _shipped(asked) if free.fits(position)] or _shipped(asked)
    found = 0
    for _ in range(_SEARCHED):
        place = rng.randrange(len(walkers))
        position = stepped(walkers[place], rng.randrange)
        if asked.fits(position):
            yield position
            found += 1
            if found == _KNOWN:
                return
            walkers[place] = position
        elif not known and _nearer(asked, walkers[place], position) and free.fits(position):
            walkers[place] = position


def _nearer(asked: PositionRequest, before: Position, after: Position) -> bool:
    """Whether a position has no less nearly as many pieces as are asked for as another."""

    def off(position: Position) -> int:
        return max(asked.pieces[0] - len(position), len(position) - asked.pieces[1], 0)

    return off(after) <= off(before)


def _shipped(asked: PositionRequest) -> list[Position]:
    """The positions of the cases, whichever ruleset's, that are read on the board of this one."""
    rules = asked.ruleset.rules
    doors = len(rules.trapdoors.layout.sliders) if rules.trapdoors else 0
    return [
        with_sliders(rules, position)
        for position in _of_cases(rules.board)
        if len(position.sliders or "") in (0, doors) and (doors or position.spin is None)
    ]


@cache
def _of_cases(board: Board) -> tuple[Position, ...]:
    found: dict[Position, None] = {}
    for path in sorted((data.root() / "cases").glob("*/*.yaml")):
        for case in data.load_yaml(path).get("cases", ()):
            try:
                found[Position.from_fen(case["position"], board)] = None
            except (KeyError, PositionError):
                continue
    return tuple(found)
