"""Requests for positions: what a strategy should draw, and whether a position fits."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .. import data
from ..errors import ArgumentError, NoPositionError, PositionError, RulesetError, expect_number, quote_any, quote_value
from ..king_runs import fit_runs, without_runs
from ..move import Action, Move
from ..mutations import mutate_rule, proof
from ..outcomes import outcome_of_position
from ..position import Position, with_sliders
from ..rules import shorten_directions
from ..ruleset import Ruleset
from ..safe_yaml import UnsafeTextError, read_yaml
from ..sampling import PositionSampler
from ..turn import ActionGenerator
from ..validity import fewest_pieces, find_invalidity, material, phase_of, phases, within
from ..vocabulary import affects

#: Actions with the positions after them, huffable moves likewise, and the result.
_Answer = tuple[Mapping[Any, Position], Mapping[Any, Position], str]


@dataclass(frozen=True)
class PositionRequest:
    """A request for positions: `pieces` is the minimum and maximum; with `both_sides`, each side has one.

    If there are rulesets in `others`, one of them must answer differently; `exercise` says what that shows. `captures`
    says whether a capture is possible, or the minimum number of pieces that one takes.
    """

    ruleset: Ruleset
    pieces: tuple[int, int]
    both_sides: bool = True
    phase: str | None = None
    captures: bool | int | None = None
    exercise: str | None = None
    others: tuple[Ruleset, ...] = ()

    @cached_property
    def turns(self) -> ActionGenerator:
        """The ruleset's action generator, without every path of each capture."""
        return ActionGenerator(self.ruleset.rules, every_path=False)

    @cached_property
    def _others(self) -> list[tuple[Ruleset, ActionGenerator]]:
        return [(other, ActionGenerator(other.rules, every_path=False)) for other in self.others]

    @cached_property
    def _material(self) -> tuple[int, int]:
        return material(self.ruleset.rules)

    @property
    def jumps(self) -> int:
        """The minimum number of pieces that a capture must take."""
        return int(self.captures or 0)

    @property
    def is_quiet(self) -> bool:
        """Whether no capture may be possible."""
        return self.captures is not None and not self.captures

    def sampler(self, captures: tuple[int, int] | None = None, *, crowning: float = 0.0) -> PositionSampler:
        """Return a sampler of positions with such pieces, in such a phase."""
        return PositionSampler(self.ruleset, random.Random(0), self.pieces, self.phase, captures, crowning)

    def fits(self, position: Position) -> bool:
        """Return whether a position on the ruleset's board meets the request."""
        return (
            self.pieces[0] <= len(position) <= self.pieces[1]
            and not (self.both_sides and not (position.occupied("white") and position.occupied("black")))
            and within(self._material, position)
            and (self.phase is None or phase_of(position) == self.phase)
            and not (self.phase == "run" and position.run(position.turn) is None)  # the other's affects no move
            and find_invalidity(self.turns, position) is None
            and self._fits_captures(position)
            and self.shows(position)
        )

    def _fits_captures(self, position: Position) -> bool:
        if self.captures is None:
            return True
        longest = max((step.captured.bit_count() for step in self.turns.movement.captures(position)), default=0)
        return longest >= self.jumps if self.captures else not longest

    def shows(self, position: Position) -> bool:
        """Return whether one of the other rulesets allows the position and answers differently."""
        if not self.others:
            return True
        usual, limit = _answer(self.turns, position), self.ruleset.rules.king.move_limit
        for other, turns in self._others:
            uncounted = (limit is None) != (other.rules.king.move_limit is None)
            with suppress(PositionError):
                same = fit_runs(other.rules.king.move_limit, with_sliders(other.rules, position))
                if find_invalidity(turns, same) is None:
                    there = _answer(turns, same)
                    if there != usual and not (uncounted and _without_runs(there) == _without_runs(usual)):
                        return True
        return False


def exercise_mutants(ruleset: Ruleset, text: str) -> tuple[Ruleset, ...]:
    """Return the mutants that positions for `rule`, or `rule=value`, have to distinguish from the ruleset.

    Raises RulesetError for an unknown rule or value, NoPositionError where no position is known to show the difference.
    """
    rule, sign, value = text.partition("=")
    rule = rule.strip()
    if rule not in ruleset.values:
        known = data.nearest(rule, [*ruleset.values])
        raise RulesetError(f"exercise={quote_value(text)}: {ruleset.id} has no rule {quote_value(rule)}{known}")
    if affects(rule) & {"board", "setup"} or affects(rule) <= {"first"}:
        raise NoPositionError(
            f"exercise={quote_value(text)}: no position depends on {rule}, only what it is a position of"
        )
    if affects(rule) <= {"history"}:
        raise NoPositionError(f"exercise={quote_value(text)}: no position shows {rule}, only games do")
    try:
        found = (ruleset.with_value(rule, read_yaml(value)),) if sign else mutate_rule(ruleset, rule)
    except (UnsafeTextError, RulesetError) as error:
        raise (RulesetError if sign else NoPositionError)(f"exercise={quote_value(text)}: {error}") from None
    if sign and found[0].values.get(rule) == ruleset.values[rule]:
        raise RulesetError(f"exercise={quote_value(text)}: that is its value in {ruleset.id}")
    reasons = {other: proof(ruleset, f"{rule} = {shorten_directions(other.values.get(rule))}") for other in found}
    if all(reasons.values()):
        why = " ".join(dict.fromkeys(filter(None, reasons.values())))
        raise NoPositionError(f"exercise={quote_value(text)}: no position of {ruleset.id} shows it: {why}")
    return tuple(other for other, why in reasons.items() if not why)


def known_phase(ruleset: Ruleset, phase: str) -> str:
    """Return a phase of a turn that the ruleset has. Raises RulesetError for another."""
    known = phases(ruleset.rules)
    if phase not in known:
        raise RulesetError(f"phase={quote_value(phase)}: {ruleset.id} has no such phase{data.nearest(phase, [*known])}")
    return phase


def piece_range(ruleset: Ruleset, pieces: int | tuple[int, int], *, both_sides: bool) -> tuple[int, int]:
    """Return the minimum and maximum of pieces, within what the ruleset allows. Raises ArgumentError."""
    limits = pieces if isinstance(pieces, tuple) else (pieces, pieces)
    if len(limits) != 2:
        raise ArgumentError(f"found pieces={quote_any(pieces)}, expected a number, or the fewest and the most")
    fewest, most = limits
    expect_number(fewest, "pieces", 0)
    expect_number(most, "pieces", 0)
    if fewest > most:
        raise ArgumentError(f"found pieces={quote_any(pieces)}, expected 0 <= fewest <= most")
    lowest, highest = (2 if both_sides else fewest_pieces(ruleset.rules)), sum(material(ruleset.rules))
    if most < lowest:
        sides = ", one of each side; both_sides=False allows fewer" if both_sides else ""
        raise ArgumentError(f"found pieces={quote_any(pieces)}, expected at least {lowest} in {ruleset.id}{sides}")
    if fewest > highest:
        raise ArgumentError(
            f"found pieces={quote_any(pieces)}, expected at most {highest}, with which {ruleset.id} begins"
        )
    return max(fewest, lowest), min(most, highest)


def _answer(turns: ActionGenerator, position: Position) -> _Answer:
    def positions_after(actions: list[Action]) -> dict[Any, Position]:
        return {_key(action): turns.after(position, action) for action in actions}

    actions = turns.actions(position)
    return (
        positions_after(actions),
        positions_after([*turns.lapses(position)]),
        outcome_of_position(turns, position, actions).result,
    )


def _without_runs(answer: _Answer) -> _Answer:
    """Return an answer without king runs in its positions, which only one of two rulesets records."""
    moves, lapses, result = answer
    return ({key: without_runs(after) for key, after in moves.items()}, lapses, result)


def _key(action: Action) -> object:
    """Return what identifies an action, without its paths."""
    return (action.start, action.end, frozenset(action.captured)) if isinstance(action, Move) else action
