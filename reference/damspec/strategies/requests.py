"""What positions a strategy is asked for, and whether a position is one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .. import data
from ..endings import outcome_of_position
from ..errors import ArgumentError, NoPositionError, PositionError, RulesetError, expect_number, quote_value, shown
from ..king_runs import fit_runs, without_runs
from ..move import Action, Move
from ..mutations import mutate_rule, proof
from ..position import Position, with_sliders
from ..rules import shorten_directions
from ..ruleset import Ruleset
from ..safe_yaml import UnsafeTextError, read_yaml
from ..turn import ActionGenerator
from ..validity import fewest_pieces, find_invalidity, material, phase_of, phases, within
from ..vocabulary import affects

#: Actions with the positions after them, lapses likewise, and who has won.
_Answer = tuple[Mapping[Any, Position], Mapping[Any, Position], str]


@dataclass(frozen=True)
class PositionRequest:
    """What is asked for: `pieces` are the fewest and the most, each side has one with `both_sides`.

    Of the rulesets in `others` one has to answer differently, where there are any; `exercise` is what that shows.
    `captures` says whether a capture is possible, or how many pieces one takes at least.
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
        """The ruleset's turns, by some path of each capture."""
        return ActionGenerator(self.ruleset.rules, every_path=False)

    @cached_property
    def _others(self) -> list[tuple[Ruleset, ActionGenerator]]:
        return [(other, ActionGenerator(other.rules, every_path=False)) for other in self.others]

    @cached_property
    def _material(self) -> tuple[int, int]:
        return material(self.ruleset)

    @property
    def jumps(self) -> int:
        """How many pieces a capture has to take at least."""
        return int(self.captures or 0)

    def fits(self, position: Position) -> bool:
        """Whether a position of the ruleset's board is what is asked for."""
        return (
            self.pieces[0] <= len(position) <= self.pieces[1]
            and not (self.both_sides and not (position.occupied("white") and position.occupied("black")))
            and within(self._material, position)
            and (self.phase is None or phase_of(position) == self.phase)
            and find_invalidity(self.turns, position) is None
            and self._captures(position)
            and self.shows(position)
        )

    def _captures(self, position: Position) -> bool:
        if self.captures is None:
            return True
        longest = max((step.captured.bit_count() for step in self.turns.movement.captures(position)), default=0)
        return longest >= self.jumps if self.captures else not longest

    def shows(self, position: Position) -> bool:
        """Whether one of the others can have the position, and answers differently."""
        if not self.others:
            return True
        usual, limit = _answer(self.turns, position), self.ruleset.rules.king.move_limit
        for other, turns in self._others:
            uncounted = (limit is None) != (other.rules.king.move_limit is None)
            try:
                same = fit_runs(other.rules.king.move_limit, with_sliders(other.rules, position))
                if find_invalidity(turns, same) is None:
                    there = _answer(turns, same)
                    if there != usual and not (uncounted and _uncounted(there) == _uncounted(usual)):
                        return True
            except PositionError:
                continue
        return False


def exercised(ruleset: Ruleset, text: str) -> tuple[Ruleset, ...]:
    """The rulesets that a `rule`, or `rule=value`, has to be told from.

    Raises RulesetError for what is no rule or value of the ruleset, NoPositionError where no position can show it.
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
    """A phase of a turn that the ruleset has. Raises RulesetError for another."""
    known = phases(ruleset)
    if phase not in known:
        raise RulesetError(f"phase={quote_value(phase)}: {ruleset.id} has no such phase{data.nearest(phase, [*known])}")
    return phase


def piece_range(ruleset: Ruleset, pieces: int | tuple[int, int], *, both_sides: bool) -> tuple[int, int]:
    """The fewest and the most pieces, within what the ruleset's positions can have. Raises ArgumentError."""
    given = pieces if isinstance(pieces, tuple) else (pieces, pieces)
    if len(given) != 2:
        raise ArgumentError(f"found pieces={shown(pieces)}, expected a number, or the fewest and the most")
    fewest, most = given
    expect_number(fewest, "pieces", 0)
    expect_number(most, "pieces", 0)
    if fewest > most:
        raise ArgumentError(f"found pieces={shown(pieces)}, expected 0 <= fewest <= most")
    lowest, highest = (2 if both_sides else fewest_pieces(ruleset)), sum(material(ruleset))
    if most < lowest:
        sides = ", one of each side; both_sides=False allows fewer" if both_sides else ""
        raise ArgumentError(f"found pieces={shown(pieces)}, expected at least {lowest} in {ruleset.id}{sides}")
    if fewest > highest:
        raise ArgumentError(f"found pieces={shown(pieces)}, expected at most {highest}, with which {ruleset.id} begins")
    return max(fewest, lowest), min(most, highest)


def _answer(turns: ActionGenerator, position: Position) -> _Answer:
    def played(actions: list[Action]) -> dict[Any, Position]:
        return {_key(action): turns.after(position, action) for action in actions}

    actions = turns.actions(position)
    return played(actions), played([*turns.lapses(position)]), outcome_of_position(turns, position, actions).result


def _uncounted(answer: _Answer) -> _Answer:
    """An answer with no runs of kings in the positions, which one of two games does not count."""
    moves, lapses, result = answer
    return ({key: without_runs(after) for key, after in moves.items()}, lapses, result)


def _key(action: Action) -> object:
    """What makes two actions one."""
    return (action.start, action.end, frozenset(action.captured)) if isinstance(action, Move) else action
