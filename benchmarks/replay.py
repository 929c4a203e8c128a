"""How fast games in PDN are checked: by `damspec replay`, in one process and in two, beside py-draughts.

    python -m benchmarks.replay [--json] [--games N] [--repeats N] [--ruleset ID ...]

The games are random, of up to 50 moves, and written by damspec. Processor time counts; the best of some runs is given.
py-draughts is installed as by `damspec engines install` if it is missing. Exit status: 1 if the target is missed, 3 if
py-draughts could not be installed or run.
"""

from __future__ import annotations

import json
import random

import damspec
from damspec import Game
from damspec.pdn.games import replay
from damspec.pdn.parser import read_records
from damspec.position import to_mover_view
from damspec_runner.replay.games import check_files
from damspec_runner.tasks.executor import processes

from .measure import best_time, installed, options, printer, processor_time, run, run_python

#: Games that one process has to read and check in a second.
TARGET = 700
#: The length of the games: those of people have 49 moves on average.
MOVES = 50
#: The boards of py-draughts; on its American board White begins, so it reads no English games.
BOARDS = {"international": "StandardBoard", "russian": "RussianBoard", "frisian": "FrisianBoard"}
#: Reads games as JSON, plays each with `Board.from_pdn`, which checks the moves, and prints the processor time.
PEER = """
import json, sys, time
import draughts
from loguru import logger
logger.remove()
board, games = getattr(draughts, sys.argv[1]), json.load(sys.stdin)
board.from_pdn(games[0])
before = time.process_time()
for game in games:
    board.from_pdn(game)
print(time.process_time() - before)
"""


def played(id: str, number: int) -> list[Game]:
    """Random games."""
    choose, games = random.Random(1), []
    for _ in range(number):
        game = Game(id)
        while len(game.history) < MOVES and game.legal_moves:
            game.push(choose.choice(game.legal_moves))
        games.append(game)
    return games


def checked(lines: list[str], jobs: int) -> float:
    """Return the processor time of the process that takes longest to check the games of a file."""

    def check() -> None:
        with processes(jobs) as executor:
            if not all(game.verdict == "legal" for _, game in check_files([("", lines)], None, None, executor, jobs)):
                raise AssertionError("a legal game is called illegal")

    own, others = processor_time(check)
    return max(own, others / jobs)


def peer(id: str, games: list[str]) -> float:
    """Return the processor time of py-draughts for the same games, without what it takes to start."""
    return float(run_python("py-draughts", ["-c", PEER, BOARDS[id]], json.dumps(games)))


def measured(id: str, number: int, repeats: int) -> dict[str, float]:
    """Games a second in one process, in two, and by py-draughts; moves a second read, checked and found."""
    ruleset, games = damspec.load_ruleset(id), played(id, number)
    texts = [game.pdn() for game in games]
    text = "\n\n".join(texts)
    lines = text.splitlines(keepends=True)
    records = read_records(text)
    moves = sum(len(game.history) for game in games)
    positions = [to_mover_view(position) for game in games for position in game._positions]
    steps = ruleset.turns.movement.generator.steps
    few = texts[: max(1, number // 10)]
    found = {
        "one process": number / min(checked(lines, 1) for _ in range(repeats)),
        "two processes": number / min(checked(lines, 2) for _ in range(repeats)),
        "reading": moves / best_time(lambda: read_records(text), repeats),
        "checking": moves / best_time(lambda: [replay(record, ruleset) for record in records], repeats),
        "finding": len(positions) / best_time(lambda: [steps(*position) for position in positions], repeats),
    }
    if id in BOARDS:
        found["py-draughts"] = len(few) / min(peer(id, few) for _ in range(repeats))
    return found


def main() -> bool:
    """Print the table; whether the target is missed."""
    chosen = options(
        __doc__,
        games=(1000, "how many games"),
        repeats=(3, "measurements of each"),
        ruleset=(["international", "russian", "english"], "the games"),
    ).parse_args()
    installed("py-draughts", printer(chosen.json))
    found = {id: measured(id, chosen.games, chosen.repeats) for id in chosen.ruleset}
    if chosen.json:
        rows = {id: {name: round(speed) for name, speed in speeds.items()} for id, speeds in found.items()}
        print(json.dumps({"target": TARGET, "results": rows}, indent=2))
    else:
        for id, speeds in found.items():
            games = ", ".join(f"{speeds[name]:,.0f} in {name}" for name in ("one process", "two processes"))
            ratio = speeds.get("py-draughts", 0.0)
            beside = f", {speeds['one process'] / ratio:,.0f} times py-draughts ({ratio:,.1f})" if ratio else ""
            moves = ", ".join(f"{name} {speeds[name]:,.0f}" for name in ("reading", "checking", "finding"))
            print(f"{id}: games a second: {games}{beside}; target {TARGET:,} in one; moves a second: {moves}")
    return any(speeds["one process"] < TARGET for speeds in found.values())


if __name__ == "__main__":
    run(main)
