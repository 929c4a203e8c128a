"""What trivial engines score, so that nobody takes such a score for a good one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from damspec import Action, Position, Ruleset, from_values, load_ruleset, ruleset_ids

from ..answers.player import Player
from ..answers.question import Question, answers, questions
from ..cases.cases import cases_for
from ..variants.mutants import without_moot


@dataclass(frozen=True)
class Score:
    """How many of a ruleset's cases an engine answers right."""

    engine: str
    passed: int
    cases: int


class NoMoves(Player):
    """An engine that never finds a move, and takes every game to go on."""

    def actions(self, position: Position) -> Sequence[Action]:
        return ()

    def lapsing(self, position: Position) -> Sequence[Action]:
        return ()

    def outcome(self, position: Position) -> str:
        return "ongoing"

    def outcome_after(self, positions: Iterable[Position], actions: Sequence[Action]) -> str:
        return "ongoing"


class FirstMove(NoMoves):
    """An engine that lists one legal move and no other."""

    def actions(self, position: Position) -> Sequence[Action]:
        return self.ruleset.turns.actions(position)[:1]


class PseudoLegal(NoMoves):
    """An engine that lists every way to move or jump: no duty, no choice, no need to go on."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        free = {**ruleset.values, "capture.choice": (), "capture.completion": "may-stop"}
        if free["king.capture.landing"] == "continuing":
            free["king.capture.landing"] = "any"
        self._free = Player(from_values(without_moot(free), "pseudo-legal"))

    def actions(self, position: Position) -> Sequence[Action]:
        free = self._free.turns
        quiet = free.movement.moves(position, free.movement.quiet(position))
        return [*free.actions(position), *quiet]


def baselines(ruleset: Ruleset) -> Iterator[Score]:
    """The scores of trivial engines, and of an engine for each other ruleset on the same board."""
    asked = questions(ruleset, cases_for(ruleset))
    for name, player in (
        ("no moves", NoMoves(ruleset)),
        ("every pseudo-legal move", PseudoLegal(ruleset)),
        ("the first legal move only", FirstMove(ruleset)),
    ):
        yield Score(name, _passed(player, asked), len(asked))
    for id in ruleset_ids():
        other = load_ruleset(id)
        if id != ruleset.base and other.rules.board == ruleset.rules.board:
            yield Score(id, _passed(Player(other), asked), len(asked))


def _passed(player: Player, asked: list[Question]) -> int:
    return sum(answers(player, question) for question in asked)
