"""Positions as they are handed to what writes generated ones, for tests."""

from __future__ import annotations

import damspec
from damspec_runner.generate.annotate import AnnotatedPosition, Annotator
from damspec_runner.generate.goal import FoundPosition, SearchGoal


def answered(ruleset: str, *fens: str, otherwise: bool = True) -> list[AnnotatedPosition]:
    """Positions of a ruleset, looked for with no goal."""
    by = Annotator(SearchGoal(damspec.load_ruleset(ruleset)), otherwise=otherwise)
    return [by.annotate(FoundPosition(by.ruleset.position(fen))) for fen in fens]


def played(ruleset: str | damspec.Ruleset, *moves: str | damspec.Action) -> AnnotatedPosition:
    """The position after some moves from the start, with the game."""
    game = damspec.Game(ruleset)
    for move in moves:
        game.push(move)
    return Annotator(SearchGoal(game.ruleset)).annotate(FoundPosition(game.position, game.history))
