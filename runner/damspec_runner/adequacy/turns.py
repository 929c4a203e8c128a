"""Whole turns compared in all positions with few pieces, in every phase, in shares: for changes of more than moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from damspec import Position, Ruleset
from damspec.validity import find_invalidity, phases

from ..answers.player import RulePlayer
from ..positions.enumeration import crownheads, everywhere, in_phases, slider_positions

#: How many choices of squares a share has.
_SHARE = 400


@dataclass(frozen=True)
class TurnShare:
    """Some positions of `number` pieces with White to move, by numbers of choices of squares; with the sliders one way.

    One ruleset is compared with others.
    """

    one: Ruleset
    others: tuple[Ruleset, ...]
    number: int
    sliders: str | None
    choices: tuple[int, int]

    @property
    def key(self) -> str:
        """What it is called."""
        return f"turns of {self.one.id}, {self.number} pieces, {self.sliders or 'no sliders'}, from {self.choices[0]}"


def turn_shares(one: Ruleset, others: Sequence[Ruleset], most: int) -> Iterator[TurnShare]:
    """All positions with up to `most` pieces and every way of the sliders."""
    for number in range(1, most + 1):
        every = comb(len(one.rules.board), number)
        for sliders in slider_positions(one):
            for first in range(0, every, _SHARE):
                yield TurnShare(one, (*others,), number, sliders, (first, min(first + _SHARE, every)))


def turns_compared(share: TurnShare) -> dict[str, Any]:
    """How many `positions` of a share the first ruleset can have, and the first that `differs` for each that does."""
    first, *others = map(RulePlayer, (share.one, *share.others))
    board, heads, count = share.one.rules.board, crownheads(share.one), 0
    differs: dict[int, str] = {}
    for plain in everywhere(board, share.number, heads, ("white",), share.sliders, choices=share.choices):
        for position in in_phases(plain, phases(share.one), first.turns):
            if find_invalidity(first.turns, position):
                continue
            count += 1
            right = _everything(first, position)
            for place, other in enumerate(others):
                if place not in differs and _everything(other, position) != right:
                    differs[place] = position.fen()
    return {"positions": count, "differs": [[place, fen] for place, fen in differs.items()]}


def _everything(player: RulePlayer, position: Position) -> object:
    position = player.fitted(position)
    return player.moves(position), player.lapses(position), player.outcome(position)
