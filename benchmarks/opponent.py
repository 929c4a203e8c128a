"""Games of the opponent of `opponent.js` against py-draughts' `SimpleEngine` at depth 6, at equal time.

    python -m benchmarks.opponent [--json] [--games N] [--ruleset ID]... [--seed S]

Games begin after some plies by chance, each such opening is played twice, with either colour. py-draughts searches to
its depth, and the opponent may think about a move for as much processor time as py-draughts took for its last one. The
rules are the reference's; a game of 200 plies is taken for drawn. py-draughts is installed as `damspec engines install`
does, and the opponent needs Node.js. Exit status: 3 if one of them is not there or does not play.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from dataclasses import dataclass, field
from typing import Any

from damspec import Game, Move, __version__, load_ruleset
from damspec_runner.engines.registry import adapter

from .measure import HERE, find_program, installed, options, printer, run, verdict

#: Games that py-draughts plays by the rules, as `damspec check` says.
RULESETS = ("international", "russian", "brazilian")
#: How deep py-draughts looks.
DEPTH = 6
#: How many plies are played by chance, and after how many a game is drawn.
OPENING, LONGEST = 4, 200
#: The score in percent that the opponent should reach.
TARGET = 60


class Player:
    """A process that plays: a line of JSON for each question, and one for each answer."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            command, env={**os.environ, **environment}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        self.seconds = 0.0
        self.moves = 0

    def ask(self, **question: Any) -> Any:
        """Return the answer to a question."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def think(self, seconds: float = 0) -> tuple[Any, float]:
        """Return a move as `_key` has it, and the processor time that it took."""
        answer = self.ask(think=seconds)
        self.seconds += answer["seconds"]
        self.moves += 1
        return answer["move"], answer["seconds"]

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@dataclass
class Score:
    """How the opponent did in a game, and the time of a move of both."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    cut: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def percent(self) -> float:
        """Wins and half of the draws, of all games."""
        return 100 * (self.won + self.drawn / 2) / max(1, self.won + self.drawn + self.lost)


def _key(move: Move) -> list[Any]:
    return [move.start, move.end, sorted(move.captured)]


def opening(ruleset: str, rng: random.Random) -> Game:
    """Return a game that some plies by chance have begun, none of them a capture."""
    while True:
        game = Game(ruleset)
        for _ in range(OPENING):
            game.push(rng.choice(game.legal_moves.moves))
        if not any(game.is_capture(move) for move in game.legal_moves):
            return game


def play(game: Game, opponent: Player, other: Player, side: str) -> str:
    """Play a game to its end; return `won`, `drawn`, `lost` as the opponent did, or `cut` after too many plies."""
    for player in (opponent, other):
        player.ask(position=game.fen())
    spent = other.ask(measure=True)["seconds"]
    for _ in range(LONGEST):
        outcome = game.outcome()
        if outcome.is_over:
            return "drawn" if outcome.winner is None else "won" if outcome.winner == side else "lost"
        if game.turn == side:
            key, _ = opponent.think(spent)
        else:
            key, spent = other.think()
        (move,) = (each for each in game.legal_moves.moves if _key(each) == key)
        game.push(move)
        for player in (opponent, other):
            player.ask(push=key)
    return "cut"


def match(ruleset: str, games: int, seed: str) -> Score:
    """Play so many games by one ruleset."""
    found = adapter("py-draughts")
    rules = json.dumps(load_ruleset(ruleset).inline_values)
    opponent = Player([find_program("node"), str(HERE / "opponent_player.mjs"), rules], {})
    # The boards are those that the adapter of py-draughts plays on.
    path = os.pathsep.join([found.environment["PYTHONPATH"], str(found.program_file.parent)])
    command = [*found.command[:-1], str(HERE / "opponent_rival.py"), ruleset, str(DEPTH)]
    other = Player(command, {**found.environment, "PYTHONPATH": path})
    rng = random.Random(f"{ruleset} {seed}")
    score = Score()
    for number in range(games):
        if number % 2 == 0:
            start = opening(ruleset, rng)
        result = play(start.copy(), opponent, other, ("white", "black")[number % 2])
        score.cut += result == "cut"
        name = "drawn" if result == "cut" else result
        setattr(score, name, getattr(score, name) + 1)
    for player, name in ((opponent, "opponent"), (other, "py-draughts")):
        score.seconds[name] = player.seconds / max(1, player.moves)
        player.close()
    return score


def main() -> None:
    """Play and print."""
    chosen = options(
        __doc__,
        games=(100, "games by each ruleset"),
        ruleset=([*RULESETS], "the games"),
        seed=("1", "of the openings"),
    ).parse_args()
    say, rows = printer(chosen.json), {}
    installed("py-draughts", say)
    say(f"damspec {__version__}: the opponent against py-draughts at depth {DEPTH}")
    say("ruleset         won  drawn  lost   cut  score  ms a move  py-draughts")
    for ruleset in chosen.ruleset:
        score = match(ruleset, chosen.games, chosen.seed)
        rows[ruleset] = {**vars(score), "percent": score.percent}
        mine, theirs = (1000 * score.seconds[name] for name in ("opponent", "py-draughts"))
        say(
            f"{ruleset:<14}{score.won:>5}{score.drawn:>7}{score.lost:>6}{score.cut:>6}{score.percent:>6.1f}%"
            f"{mine:>11.0f}{theirs:>13.0f}  target {TARGET}%: {verdict(score.percent >= TARGET)}"
        )
    if chosen.json:
        print(json.dumps({"damspec": __version__, "depth": DEPTH, "games": chosen.games, "results": rows}, indent=2))


if __name__ == "__main__":
    run(main)
