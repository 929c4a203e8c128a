"""`damspec perft`: count sequences of moves, in parallel if asked to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, repeat

import click

from damspec import Position, Ruleset, with_layout
from damspec.errors import quote_value
from damspec.kernel import is_available
from damspec.perft_counts import Convention, perft_task_nodes, split_perft, ways

from ..options import option
from ..tasks.executor import TaskRunner
from ..tasks.journal import digest
from .arguments import TextParam, layout_field, ruleset_argument
from .options import ExecutorOptions
from .output import algebraic_field, console, json_field, print_json
from .parameters import Command, with_options
from .reference import action_text

#: The least number of tasks, so that no worker idles; counts of at most `_FEW` nodes on the ply before are not split.
_LEAST_TASKS, _FEW = 512, 20_000
_UNITS = {"": 1, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _parse_size(text: str) -> int:
    """Return the number of bytes of a memory size: bytes, or with the suffix k, M or G. Raises ValueError."""
    found = re.fullmatch(r"([1-9][0-9]{0,9})([kMG]?)", text)
    if not found:
        raise ValueError(f"found {quote_value(text)}, expected a size like 500M or 2G")
    return int(found[1]) * _UNITS[found[2]]


@click.command(cls=Command)
@ruleset_argument
@click.argument("position", default="start")
@with_options
def perft(
    ruleset: Ruleset,
    position: str,
    *,
    depth: int = option("The number of plies.", least=1, required=True),
    divide: bool = option("Print the nodes below each first move.", False),
    count: Convention = option("What counts as one move where several routes capture the same pieces.", "unique"),
    memory: int = option(
        "Cache counts in a hash table of this size, such as 500M or 2G, shared out among the processes; with --dask"
        " each worker has one.",
        0,
        "--hash",
        type=TextParam("size", _parse_size),
        metavar="SIZE",
        show_default=False,
    ),
    workers: ExecutorOptions,
    as_json: bool = json_field(),
    algebraic: bool = algebraic_field(),
    layout: str | None = layout_field(),
) -> None:
    """Count the move sequences of each length up to a depth.

    Moves with the same start, end and set of captured pieces count once (unique). Others count each order in which
    the pieces are captured (sequences), or each list of squares touched (paths); docs/perft.md has what is published.

    With `pip install 'damspec[fast]'` unique moves are counted by compiled code, some fifty times as fast. --hash is
    for that. The numbers are the same in every way.
    """
    if memory and count != "unique":
        raise click.UsageError(f"--hash goes with --count unique, not with {count}")
    if memory and not is_available():
        raise click.UsageError("--hash is for the compiled kernel, which is not installed: pip install 'damspec[fast]'")
    ruleset = ruleset if layout is None else with_layout(ruleset, layout)
    now = ruleset.read_position(position)
    head = {"ruleset": ruleset.id, "position": now.fen(), "count": count}
    work = {**head, "depth": depth, "divide": divide, "rules": digest(ruleset)}
    enough = _LEAST_TASKS if workers.is_set or console(stderr=True).is_terminal else 1
    with workers.task_runner("perft", work) as task_runner:
        by = _Counter(ruleset, count, memory // workers.jobs, task_runner)
        if divide:
            first = {action: ruleset.turns.after(now, action) for action in ruleset.turns.actions(now)}
            named = {}
            further = (
                by.count_each([*first.values()], depth - 1, enough) if first and depth > 1 else repeat(1, len(first))
            )
            for action, after in zip(first, further, strict=True):
                number = ways(action, now.board, count) * after
                named[action_text(action, now, algebraic)] = number
            total = sum(named.values())
            if as_json:
                print_json({**head, "nodes": {str(depth): total}, "divide": named})
            else:
                for move, number in named.items():
                    click.echo(f"{move}: {number}")
                click.echo(f"{depth} {total}")
            return
        found = {}
        last = 0
        for ply in range(1, depth + 1):
            (last,) = by.count_each([now], ply, enough if last > _FEW else 1)
            found[str(ply)] = last
            if not as_json:
                click.echo(f"{ply} {found[str(ply)]}")
    if as_json:
        print_json({**head, "nodes": found})


class _Counter:
    """Perft split into tasks, with progress on a terminal."""

    def __init__(self, ruleset: Ruleset, count: Convention, memory: int, task_runner: TaskRunner) -> None:
        self._ruleset, self._count, self._memory, self._run_tasks = ruleset, count, memory, task_runner

    def count_each(self, positions: Sequence[Position], depth: int, enough: int) -> Iterator[int]:
        """Yield the sequences of `depth` plies from each position, split into at least `enough` tasks in all."""
        enough = max(enough // len(positions), 1)
        each = [[*split_perft(self._ruleset, one, depth, self._count, enough=enough)] for one in positions]
        named = {
            f"{place}/{len(each)} at depth {depth}, {number}/{len(work)}": share
            for place, work in enumerate(each, 1)
            for number, share in enumerate(work, 1)
        }
        one = partial(perft_task_nodes, among=len(named), memory=self._memory)
        found = self._run_tasks(one, named, f"depth {depth}")
        for work in each:
            yield sum(islice(found, len(work)))
