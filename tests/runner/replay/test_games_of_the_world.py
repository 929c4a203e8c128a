"""A whole game of each national game, replayed from its PDN, and a wrong move in it that is found.

The games are in tests/data/games*.pdn. Their rulesets are told by the tag GameType, or by the tag Ruleset where PDN has
no number for the game.
"""

from __future__ import annotations

import re
from pathlib import Path

from damspec import Game
from damspec_runner.replay.games import CheckedGame
from replays import replayed
from runs import SELDOM, for_each

FILES = sorted((Path(__file__).parents[2] / "data").glob("games*.pdn"))
#: Each game as a text of its own.
GAMES = [text for path in FILES for text in re.split(r"\n(?=\[Event )", path.read_text(encoding="utf-8"))]
#: A move in the text of a game, in numbers or letters; results have no sign but the dash of `1-0`, and stand in tags.
MOVE = re.compile(r"(?<= )[a-z]?[0-9]+(?:[-x:][a-z]?[0-9]+)+(?=\s)")


def checked(text: str) -> CheckedGame:
    """What replaying finds in a text of one game."""
    (found,) = replayed(text)
    return found


def moves(text: str) -> list[re.Match[str]]:
    """The moves of a game where they stand in its text."""
    start = text.index("\n\n")
    return list(MOVE.finditer(text.replace("\n", " "), start))


RULESETS = [checked(text).ruleset or "?" for text in GAMES]
every_game = for_each("text", GAMES)


def test_each_is_a_game_of_its_own() -> None:
    assert set(RULESETS) == SELDOM
    assert len(RULESETS) == len(set(RULESETS)) >= 12
    assert len({tuple(move[0] for move in moves(text)) for text in GAMES}) == len(GAMES)


@every_game
def test_it_is_replayed_to_its_end(text: str) -> None:
    found = checked(text)
    assert (found.verdict, found.faults) == ("legal", ())
    assert found.moves == len(moves(text)) >= 20
    game = Game.from_pdn(text)
    assert game.outcome().result in ("white", "black")
    assert Game.from_pdn(game.pdn()).history == game.history


@every_game
def test_a_wrong_move_in_it_is_found(text: str) -> None:
    """In its middle a side makes the move that the other one has just made: from a square where nothing stands now."""
    there = moves(text)
    middle = len(there) // 2
    wrong, right = there[middle - 1][0], there[middle]
    spoilt = f"{text[: right.start()]}{wrong}{text[right.end() :]}"
    found = checked(spoilt)
    assert (found.verdict, found.moves) == ("illegal", middle)
    (fault,) = found.faults
    assert fault.at.endswith(f" {wrong}")
    assert fault.line == spoilt.count("\n", 0, right.start()) + 1
    assert fault.reason
    assert fault.reason.says.startswith("no piece stands on ")
    assert fault.reason.nearest
