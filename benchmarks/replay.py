"""How fast games in PDN are checked: reading them, and playing them, beside finding the moves of the same positions.

    python benchmarks/replay.py [--json] [--games N] [--repeats N] [--ruleset ID ...]

The games are random and written by damspec. Processor time counts; the best of some runs is given.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable

import damspec
from damspec import Game
from damspec.pdn.games import replay
from damspec.pdn.parser import read_records
from damspec.position import to_mover_view

#: Moves that have to be read and checked in a second of processor time.
TARGET = 20_000


def played(id: str, number: int) -> list[Game]:
    """Random games of up to 80 moves."""
    choose, games = random.Random(1), []
    for _ in range(number):
        game = Game(id)
        while len(game.history) < 80 and game.legal_moves:
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


def measured(id: str, number: int, repeats: int) -> dict[str, float]:
    """Moves a second: read, checked, both; and positions a second whose legal moves are found in bits."""
    ruleset, games = damspec.load_ruleset(id), played(id, number)
    text = "\n\n".join(game.pdn() for game in games)
    records = read_records(text)
    moves = sum(len(game.history) for game in games)
    positions = [to_mover_view(position) for game in games for position in game._positions]
    steps = ruleset.turns.movement.generator.steps
    reading = best(lambda: read_records(text), repeats)
    checking = best(lambda: [replay(record, ruleset) for record in records], repeats)
    finding = best(lambda: [steps(*position) for position in positions], repeats)
    return {
        "reading": moves / reading,
        "checking": moves / checking,
        "both": moves / (reading + checking),
        "finding": len(positions) / finding,
    }


def main() -> int:
    """Print the table; 1 if the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--ruleset", action="append")
    given = parser.parse_args()
    ids = given.ruleset or ["international", "russian", "english"]
    found = {id: measured(id, given.games, given.repeats) for id in ids}
    if given.json:
        print(json.dumps({"target": TARGET, "moves_per_second": found}, indent=2))
    else:
        for id, speeds in found.items():
            told = ", ".join(f"{name} {speed:,.0f}" for name, speed in speeds.items())
            share = speeds["both"] / speeds["finding"]
            print(f"{id}: {told} a second; target {TARGET:,} for both; {share:.2f} of finding")
    return int(any(speeds["both"] < TARGET for speeds in found.values()))


if __name__ == "__main__":
    raise SystemExit(main())
