"""The questions that *Which game is ours?* asks about a single rule, and what rules answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from damspec import Move, Position, PositionError, Ruleset, RulesetError
from damspec.board import board_of
from damspec.contradictions import find_contradictions
from damspec.data import FrozenDict, freeze
from damspec.move import read_squares
from damspec.outcomes import outcome_of_position

#: Yes, no, or that it makes no sense in a game.
Letter = Literal["y", "n", "-"]


@dataclass(frozen=True)
class QuestionBoard:
    """A board for questions: games with the values of `where` are asked, with those of `set` instead of their own."""

    where: Mapping[str, tuple[Any, ...]]
    set: Mapping[str, Any]
    without: tuple[str, ...]

    def place(self, values: Mapping[str, Any]) -> FrozenDict | None:
        """Return a game's rule values on this board; None for a game to which the questions do not apply."""
        if any(rule not in values or (some and values[rule] not in some) for rule, some in self.where.items()):
            return None
        kept = {rule: each for rule, each in values.items() if not {rule, rule.partition(".")[0]} & {*self.without}}
        return FrozenDict(freeze({**kept, **self.set}))


@dataclass(frozen=True)
class Question:
    """A yes-or-no question: whether rules have `values`, and `part` in a value, or what holds in a position.

    There it is asked whether `move` is legal, or crowns the man, or whether `result` is the outcome.
    """

    id: str
    rule: str
    setting: QuestionBoard | None = None
    values: Mapping[str, Any] = FrozenDict()
    part: str = ""
    absent: Letter = "-"
    position: str = ""
    move: str = ""
    crowns: bool = False
    result: str = ""

    def parse_position(self) -> Position | None:
        """Return the position of the question, if it has one."""
        return Position.from_fen(self.position, board_of(self.setting.set)) if self.position and self.setting else None

    def answer(self, values: Mapping[str, Any]) -> Letter:
        """Return the answer of a game with these rule values."""
        placed = freeze(values) if self.setting is None else self.setting.place(values)
        if placed is None:
            return "-"
        if self.position:
            return _answer(self, placed)
        if self.rule not in values:
            return self.absent
        if self.part and not any(self.part in key.split() for key in values[self.rule]):
            return self.absent
        return "y" if all(values.get(rule) == value for rule, value in self.values.items()) else "n"


@lru_cache(200_000)
def _answer(question: Question, placed: FrozenDict) -> Letter:
    """Answer a question about a position; a move must follow exactly the same squares."""
    ruleset = _playable(placed)
    if ruleset is None:
        return "-"
    try:
        position = ruleset.position(question.position)
    except PositionError:
        return "-"
    if question.result:
        return "y" if outcome_of_position(ruleset.turns, position).result == question.result else "n"
    squares, captures = read_squares(question.move, position.board)
    moves = [each for each in ruleset.turns.actions(position) if isinstance(each, Move)]
    same = [each for each in moves if squares in each.paths and bool(each.captured) == bool(captures)]
    if not question.crowns:
        return "y" if same else "n"
    return "-" if not same else "y" if same[0].promotes else "n"


@lru_cache(2_000)
def _playable(placed: FrozenDict) -> Ruleset | None:
    """Return rule values as a ruleset; None if they contradict each other."""
    if any(find_contradictions(placed)):
        return None
    try:
        return Ruleset("placed", "placed", "", (), placed, {}, (), Path("placed")).checked()
    except RulesetError:
        return None


def questions_of(content: Mapping[str, Any]) -> tuple[Question, ...]:
    """Return the questions of `identify` in games.yaml."""
    given = freeze(content)
    settings = {name: QuestionBoard(**each) for name, each in given["settings"].items()}
    return tuple(Question(**{**each, "setting": settings.get(each.get("setting"))}) for each in given["questions"])
