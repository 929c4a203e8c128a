"""How the cost of a proof grows: positions a second where two sets of rules are compared in all of them by compiled
code, by pieces, squares and rules; and what it costs to hand out a share.

Of each number of pieces some stretches are compared, far apart, and the whole is reckoned from them. Where the whole is
small it is compared too, so that the reckoning is held to something.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace
from math import comb
from typing import Any

from damspec import Ruleset, from_values, load_ruleset
from damspec_runner.document.exhaustive import MovementTask, compared
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.positions.enumeration import promotion_rows
from damspec_runner.tasks.executor import cluster, processes, run_tasks

from .measure import options

#: A change of each game's rules that shows in no position, so that nothing ends the comparison.
CHANGES = {
    "english": "capture.removal = at-once",
    "international": "king.capture.finish = continuing",
    "frisian": "king.capture.finish = continuing",
    "turkish": "king.capture.finish = continuing",
}
#: The boards that one of them is put on, with the rows of men there.
BOARDS = {"6x6": 2, "8x8": 3, "10x10": 4, "12x12": 5}
#: How many pieces, how many stretches are compared, and about how many positions in each.
PIECES, STRETCHES, POSITIONS = range(3, 7), 16, 400_000
#: Up to how many positions are compared whole.
WHOLE = 12_000_000
#: Among how many cores the most pieces are shared out.
CORES = (1, 2, 16, 64, 256)


def measured(one: Ruleset, other: Ruleset, number: int, *, whole: bool) -> tuple[int, float]:
    """Return how many positions were compared, and the seconds of processor time that it took."""
    board = one.rules.board
    every = comb(len(board), number)
    many = max(1, POSITIONS >> 2 * number)
    starts = [0] if whole else sorted({(every - many) * n // (STRETCHES - 1) for n in range(STRETCHES)})
    parts = [range(start, every if whole else min(start + many, every)) for start in starts]
    work = [MovementTask(one, (other,), number, part, promotion_rows(one)) for part in parts]
    compared(replace(work[0], choices=range(1)))  # compiled, and read from disk
    began = time.process_time()
    found = sum(compared(share)["positions"] for share in work)
    return found, time.process_time() - began


def positions(ruleset: Ruleset, number: int) -> int:
    """Return the number of positions: pieces of four kinds, no man on a square where it is crowned."""
    squares, rows = len(ruleset.rules.board), promotion_rows(ruleset)
    assert not rows[0] & rows[1]
    crowning = rows[0].bit_count() + rows[1].bit_count()
    return sum(
        comb(crowning, there) * 3**there * comb(squares - crowning, number - there) * 4 ** (number - there)
        for there in range(number + 1)
    )


def growth(name: str, one: Ruleset, other: Ruleset) -> list[dict[str, Any]]:
    """Return a row for each number of pieces."""
    board, rows = one.rules.board, []
    for number in PIECES:
        every = positions(one, number)
        some, seconds = measured(one, other, number, whole=False)
        row = {"rules": name, "squares": len(board), "pieces": number, "positions": every}
        row |= {"a second": some / seconds, "seconds": every * seconds / some}
        if every <= WHOLE:
            whole, row["whole"] = measured(one, other, number, whole=True)
            assert whole == every
        rows.append(row)
    return rows


def pair(name: str) -> tuple[Ruleset, Ruleset]:
    """Return a game, and the game with its change."""
    ruleset = load_ruleset(name)
    return ruleset, next(mutant.ruleset for mutant in single_mutants(ruleset) if mutant.name == CHANGES[name])


def on_board(ruleset: Ruleset, size: str) -> Ruleset:
    """Return the same rules on another board."""
    return from_values({**ruleset.values, "board.size": size, "start.men": BOARDS[size]}, size)


def handing_out(shares: int) -> dict[str, float]:
    """Milliseconds for a share that is nothing, by two processes and by a cluster of two workers here."""
    from distributed import LocalCluster

    named = {str(number): number for number in range(shares)}
    found = {}
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as begun:
        for name, by in (("two processes", processes(2)), ("two workers", cluster(begun.scheduler_address, print))):
            with by as executor:
                began = time.perf_counter()
                assert [*run_tasks(executor, abs, named)] == [*range(shares)]
                found[name] = (time.perf_counter() - began) / shares * 1e3
    return found


def main() -> None:
    """Print both."""
    chosen = options(__doc__, shares=(1000, "shares that are nothing")).parse_args()
    rows = [row for name in CHANGES for row in growth(name, *pair(name))]
    one, other = pair("international")
    for size in BOARDS:
        if size != one.values["board.size"]:
            rows += growth(f"international on {size}", on_board(one, size), on_board(other, size))
    shares = handing_out(chosen.shares)
    if chosen.json:
        print(json.dumps({"growth": rows, "share": shares}, indent=1))
        return
    print(f"{'rules':22} squares pieces      positions  million/s       seconds   whole")
    for row in rows:
        whole = f"{row['whole']:7.2f}" if "whole" in row else "      ·"
        print(
            f"{row['rules']:22} {row['squares']:7} {row['pieces']:6} {row['positions']:14,}"
            f" {row['a second'] / 1e6:10.2f} {row['seconds']:13,.2f} {whole}"
        )
    for row in rows:
        if row["pieces"] == PIECES[-1]:
            minutes = "".join(f"{row['seconds'] / 60 / cores:10.1f}" for cores in CORES)
            print(f"{row['rules']:22} {row['pieces']} pieces, minutes on {CORES} cores: {minutes}")
    for name, milliseconds in shares.items():
        print(f"{milliseconds:6.2f} milliseconds for a share that is nothing: {name}")


if __name__ == "__main__":
    main()
