"""Games replayed from their text, and games at random to write such texts from."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from damspec import Game, Move, Ruleset, load_ruleset
from damspec_runner.replay.games import CheckedGame, check_files


def random_game(id: str, seed: int, actions: int = 40) -> Game:
    """A game at random, long captures first, lapses among its moves."""
    choose, game = random.Random(seed), Game(id)
    while len(game.history) < actions and (legal := [*game.legal_moves, *game.legal_moves.lapses]):
        long = [action for action in legal if isinstance(action, Move) and len(action.captured) > 1]
        game.push(choose.choice(long or legal))
    return game


def check_games(lines: Iterable[str], ruleset: Ruleset | None, encoding: str | None) -> Iterator[CheckedGame]:
    """The checked games of one file."""
    return (checked for _, checked in check_files([("", lines)], ruleset, encoding))


def replayed(text: str | bytes, ruleset: str | None = None, encoding: str | None = None) -> list[CheckedGame]:
    """What replaying finds in each game of a text."""
    content = text.encode() if isinstance(text, str) else text
    lines = content.decode("latin-1").splitlines(keepends=True)
    return list(check_games(lines, load_ruleset(ruleset) if ruleset else None, encoding))
