"""`damspec perft`: sequences of moves counted, in shares where there are many, by several processes."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial

import click

from damspec import Position, Ruleset
from damspec.counting import COUNTS, Convention, ways
from damspec.errors import quoted
from damspec.kernel.installed import installed
from damspec.shares import PerftShare, nodes, shares

from .arguments import layout_option, placed, ruleset_argument
from .output import algebraic_option, console, json_option, print_json
from .reference import action_text

#: How many shares there are for each process, at least, so that none is long without work.
_SHARES = 32
_UNITS = {"": 1, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}


class Size(click.ParamType[int]):
    """A size of memory: bytes, or with k, M or G."""

    name = "size"

    def convert(self, value: str | int, param: click.Parameter | None, context: click.Context | None) -> int:
        """The bytes that a word says."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"([1-9][0-9]{0,9})([kMG]?)", value)
        if not found:
            self.fail(f"found {quoted(value)}, expected a size like 500M or 2G", param, context)
        return int(found[1]) * _UNITS[found[2]]


@click.command()
@ruleset_argument
@click.argument("position", default="start")
@click.option("--depth", type=click.IntRange(1), required=True, help="The number of plies.")
@click.option("--divide", is_flag=True, help="The nodes of the last depth for each first move.")
@click.option(
    "--count",
    type=click.Choice(COUNTS),
    default="unique",
    show_default=True,
    help="What counts as one move where the same pieces are captured in several ways.",
)
@click.option(
    "--hash",
    "memory",
    type=Size(),
    default=0,
    metavar="SIZE",
    help="Keep what was counted in a table of this size, like 500M or 2G, shared out among the processes.",
)
@click.option("-j", "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes at once.")
@json_option
@algebraic_option
@layout_option
def perft(
    ruleset: Ruleset,
    position: str,
    depth: int,
    divide: bool,
    count: Convention,
    memory: int,
    jobs: int,
    as_json: bool,
    algebraic: bool,
    layout: str | None,
) -> None:
    """Count the move sequences of each length up to a depth.

    Moves with the same start, end and set of captured pieces count once (unique). Others count each order in which
    the pieces are captured (sequences), or each list of squares touched (paths); docs/perft.md has what is published.

    With `pip install 'damspec[fast]'` unique moves are counted by compiled code, some fifty times as fast. --hash is
    for that. The numbers are the same in every way.
    """
    if memory and count != "unique":
        raise click.UsageError(f"--hash goes with --count unique, not with {count}")
    if memory and not installed():
        raise click.UsageError("--hash is for the compiled kernel, which is not installed: pip install 'damspec[fast]'")
    ruleset, now = placed(ruleset, position, layout)
    head = {"ruleset": ruleset.id, "position": now.fen(), "count": count}
    with _executor(jobs) as workers:
        by = _Counter(ruleset, count, memory // jobs, jobs, workers)
        if divide:
            first = {action: ruleset.turns.after(now, action) for action in ruleset.turns.actions(now)}
            named = {}
            for action, after in first.items():
                number = ways(action, now.board, count) * (by.counted(after, depth - 1) if depth > 1 else 1)
                named[action_text(action, now, algebraic)] = number
                if not as_json:
                    click.echo(f"{action_text(action, now, algebraic)}: {number}")
            total = sum(named.values())
            if as_json:
                print_json({**head, "nodes": {str(depth): total}, "divide": named})
            else:
                click.echo(f"{depth} {total}")
            return
        found = {}
        for ply in range(1, depth + 1):
            found[str(ply)] = by.counted(now, ply)
            if not as_json:
                click.echo(f"{ply} {found[str(ply)]}")
    if as_json:
        print_json({**head, "nodes": found})


class _Counter:
    """Counts share by share; a terminal is told how far it is."""

    def __init__(self, ruleset: Ruleset, count: Convention, memory: int, jobs: int, workers: Executor | None) -> None:
        self._ruleset, self._count, self._memory, self._jobs, self._workers = ruleset, count, memory, jobs, workers
        self._err = console(stderr=True)

    def counted(self, position: Position, depth: int) -> int:
        """The sequences of a length from a position."""
        enough = _SHARES * self._jobs if self._workers or self._err.is_terminal else 1
        work = [*shares(self._ruleset, position, depth, self._count, enough=enough)]
        return sum(self._told(self._numbers(work), len(work), depth))

    def _numbers(self, work: list[PerftShare]) -> Iterator[int]:
        one = partial(nodes, among=len(work), memory=self._memory)
        return self._workers.map(one, work) if self._workers else map(one, work)

    def _told(self, numbers: Iterator[int], total: int, depth: int) -> Iterator[int]:
        if not self._err.is_terminal:
            return numbers
        from rich.progress import track

        return iter(track(numbers, f"depth {depth}", total=total, console=self._err, transient=True))


@contextmanager
def _executor(jobs: int) -> Iterator[Executor | None]:
    """Where shares are counted; None for here."""
    if jobs == 1:
        yield None
        return
    with ProcessPoolExecutor(jobs, initializer=_quietly) as workers:
        yield workers


def _quietly() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interrupted process ends without a word
