"""Games of `damspec.search`, or the opponent of `opponent.js`, against py-draughts' `SimpleEngine`, at equal time.

    python -m benchmarks.opponent [--json] [--player search|site] [--games N] [--ruleset ID]... [--seed S]

Games begin after some plies by chance, each such opening is played twice, with either colour. py-draughts searches 6
plies deep, and its opponent may think about a move for as much processor time as py-draughts took for its last one. The
rules are the reference's; a game of 200 plies is taken for drawn.
py-draughts is installed as `damspec engines install` does, and the opponent of the site needs Node.js. Exit status: 3
if one of them is not there or does not play.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from damspec import Game, Move, __version__, load_ruleset, search
from damspec_runner.engines.registry import adapter

from .measure import HERE, find_program, installed, options, printer, run, verdict

#: Games that py-draughts plays by the rules, as `damspec check` says.
RULESETS = {"search": ("international", "russian", "english"), "site": ("international", "russian", "brazilian")}
#: The fewest positions of a search that says how many go into a second.
_TELLING = 10_000
#: How deep py-draughts looks.
DEPTH = 6
#: How many plies are played by chance, and after how many a game is drawn.
OPENING, LONGEST = 4, 200
#: The score in percent that each should reach; for `damspec.search` the wins alone.
TARGETS = {"search": 90, "site": 60}


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


class SearchPlayer:
    """`damspec.search` as such a player, in this process."""

    def __init__(self, ruleset: str) -> None:
        self._game = Game(ruleset)
        self.seconds, self.moves = 0.0, 0
        search(self._game, depth=1, may_compile=True)
        begun = process_time()
        self._nodes = search(self._game, nodes=100_000, may_compile=True).nodes
        self._time = process_time() - begun

    def ask(self, **question: Any) -> None:
        """Begin a game, or play a move."""
        if "position" in question:
            self._game = Game(self._game.ruleset, question["position"])
        else:
            self._game.push(find(self._game, question["push"]))

    def think(self, seconds: float = 0) -> tuple[Any, float]:
        """Return a move as `_key` has it, and the processor time that it took.

        It looks at as many positions as it has so far in as much processor time.
        """
        begun = process_time()
        found = search(self._game, nodes=max(100, int(seconds * self._nodes / self._time)), may_compile=True)
        spent = process_time() - begun
        self.seconds += spent
        self.moves += 1
        if found.nodes > _TELLING:
            self._nodes, self._time = self._nodes + found.nodes, self._time + spent
        assert isinstance(found.action, Move)
        return _key(found.action), spent

    def close(self) -> None:
        """Do nothing: there is no process to end."""


def find(game: Game, key: list[Any]) -> Move:
    """Return the move that a player says as `_key` has it."""
    (move,) = (each for each in game.legal_moves.moves if _key(each) == key)
    return move


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


def play(game: Game, opponent: Player | SearchPlayer, other: Player, side: str) -> str:
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
        game.push(find(game, key))
        for player in (opponent, other):
            player.ask(push=key)
    return "cut"


def opponent_of(player: str, ruleset: str) -> Player | SearchPlayer:
    """Return the player that is to be better than py-draughts, by its name."""
    if player == "search":
        return SearchPlayer(ruleset)
    rules = json.dumps(load_ruleset(ruleset).inline_values)
    return Player([find_program("node"), str(HERE / "opponent_player.mjs"), rules], {})


def match(opponent: Player | SearchPlayer, ruleset: str, games: int, seed: str) -> Score:
    """Play so many games by one ruleset."""
    found = adapter("py-draughts")
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
    players: list[tuple[Player | SearchPlayer, str]] = [(opponent, "opponent"), (other, "py-draughts")]
    for player, name in players:
        score.seconds[name] = player.seconds / max(1, player.moves)
        player.close()
    return score


def main() -> None:
    """Play and print."""
    chosen = options(
        __doc__,
        player=("search", "search or site: which of the two plays"),
        games=(100, "games by each ruleset"),
        ruleset=([""], "the games"),
        seed=("1", "of the openings"),
    ).parse_args()
    say, rows = printer(chosen.json), {}
    installed("py-draughts", say)
    target = TARGETS[chosen.player]
    say(f"damspec {__version__}: {chosen.player} against py-draughts at depth {DEPTH}")
    say("ruleset         won  drawn  lost   cut  score  ms a move  py-draughts")
    for ruleset in [*filter(None, chosen.ruleset)] or RULESETS[chosen.player]:
        score = match(opponent_of(chosen.player, ruleset), ruleset, chosen.games, chosen.seed)
        rows[ruleset] = {**vars(score), "percent": score.percent}
        mine, theirs = (1000 * score.seconds[name] for name in ("opponent", "py-draughts"))
        reached = 100 * score.won / chosen.games if chosen.player == "search" else score.percent
        say(
            f"{ruleset:<14}{score.won:>5}{score.drawn:>7}{score.lost:>6}{score.cut:>6}{score.percent:>6.1f}%"
            f"{mine:>11.0f}{theirs:>13.0f}  target {target}%: {verdict(reached >= target)}"
        )
    if chosen.json:
        print(json.dumps({"damspec": __version__, "depth": DEPTH, "games": chosen.games, "results": rows}, indent=2))


if __name__ == "__main__":
    run(main)
