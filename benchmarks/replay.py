"""How fast games in PDN are checked: by `damspec replay`, in one process and in two, beside py-draughts.

    python benchmarks/replay.py [--json] [--games N] [--repeats N] [--ruleset ID ...]

The games are random, of up to 50 moves, and written by damspec. Processor time counts; the best of some runs is given.
py-draughts is installed as by `damspec engines install` if it is missing. Exit status: 1 if the target is missed, 3 if
py-draughts could not be installed or run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable

import damspec
from damspec import Game
from damspec.pdn.games import replay
from damspec.pdn.parser import read_records
from damspec.position import to_mover_view
from damspec_runner.engines.registry import InstallError, adapter, install
from damspec_runner.replay.games import check_files
from damspec_runner.tasks.executor import processes

#: Games that two processors have to read and check in a second, if each has time for nothing else.
TARGET = 2_000
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


def best(do: Callable[[], object], repeats: int) -> float:
    """Return the least processor time that something takes."""
    times = []
    for _ in range(repeats):
        before = time.process_time()
        do()
        times.append(time.process_time() - before)
    return min(times)


def checked(lines: list[str], jobs: int) -> float:
    """Return the processor time of the process that takes longest to check the games of a file."""
    others, mine = os.times(), time.process_time()
    with processes(jobs) as executor:
        if not all(game.verdict == "legal" for _, game in check_files([("", lines)], None, None, executor, jobs)):
            raise AssertionError("a legal game is called illegal")
    mine = time.process_time() - mine
    after = os.times()
    busy = after.children_user + after.children_system - others.children_user - others.children_system
    return max(mine, busy / jobs)


def peer(id: str, games: list[str]) -> float:
    """Return the processor time of py-draughts for the same games, without what it takes to start."""
    found = adapter("py-draughts")
    done = subprocess.run(
        [*found.command[:-1], "-c", PEER, BOARDS[id]],
        env={**os.environ, **found.environment},
        input=json.dumps(games),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return float(done.stdout)


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
        "reading": moves / best(lambda: read_records(text), repeats),
        "checking": moves / best(lambda: [replay(record, ruleset) for record in records], repeats),
        "finding": len(positions) / best(lambda: [steps(*position) for position in positions], repeats),
    }
    if id in BOARDS:
        found["py-draughts"] = len(few) / min(peer(id, few) for _ in range(repeats))
    return found


def main() -> int:
    """Print the table; 1 if the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--ruleset", action="append")
    given = parser.parse_args()
    ids = given.ruleset or ["international", "russian", "english"]
    try:
        if not adapter("py-draughts").installed:
            install(adapter("py-draughts"), lambda line: print(line, file=sys.stderr))
        found = {id: measured(id, given.games, given.repeats) for id in ids}
    except (InstallError, OSError, subprocess.CalledProcessError) as error:
        print(f"replay.py: {error}", file=sys.stderr)
        return 3
    if given.json:
        rows = {id: {name: round(speed) for name, speed in speeds.items()} for id, speeds in found.items()}
        print(json.dumps({"target": TARGET, "results": rows}, indent=2))
    else:
        for id, speeds in found.items():
            games = ", ".join(f"{speeds[name]:,.0f} in {name}" for name in ("one process", "two processes"))
            ratio = speeds.get("py-draughts", 0.0)
            beside = f", {speeds['one process'] / ratio:,.0f} times py-draughts ({ratio:,.1f})" if ratio else ""
            moves = ", ".join(f"{name} {speeds[name]:,.0f}" for name in ("reading", "checking", "finding"))
            print(f"{id}: games a second: {games}{beside}; target {TARGET:,} in two; moves a second: {moves}")
    return int(any(speeds["two processes"] < TARGET for speeds in found.values()))


if __name__ == "__main__":
    raise SystemExit(main())
