"""Bring what programs record up to date: `cases/generated/`, for a new or changed game only what it changes.

What each recorded file was made from is in `cases/generated/inputs.yaml`, as a digest for each of its units: a game, or
two that are compared. A unit whose digest is another now is stale, and made anew.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # run as a file, this folder would be where modules are looked for
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import click
from tools.parts import Job, Limits, Part, text_of

from damspec import data
from damspec.errors import quote_value
from damspec.kernel import is_available
from damspec_runner.cli import main
from damspec_runner.commands import output
from damspec_runner.commands.options import ExecutorOptions, ManyExecutorOptions
from damspec_runner.commands.output import json_field, print_json
from damspec_runner.commands.parameters import with_options
from damspec_runner.options import option


@dataclass(frozen=True)
class RecordedFile:
    """A recorded file, made by the module of `tools/` with its name.

    `units` says what its units are, `compiled` whether making it needs compiled code.
    """

    units: str
    compiled: bool = False


#: The recorded files, in the order in which one rests on another.
RECORDED = {
    "equivalents": RecordedFile("games", compiled=True),
    "perft": RecordedFile("halves of suites"),
    "perft_counts": RecordedFile("games", compiled=True),
    "distances": RecordedFile("games"),
    "witnesses": RecordedFile("pairs of games", compiled=True),
    "examples": RecordedFile("games"),
    "endgames": RecordedFile("games", compiled=True),
    "solved": RecordedFile("games", compiled=True),
}
_INPUTS = """\
# What each recorded file was made from, as digests: `python tools/record.py` looks here for what has changed.
# schemas/inputs.schema.json says what the keys mean.
"""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("ids", nargs=-1, metavar="[ID]...")
@with_options
def record(
    ids: tuple[str, ...],
    *,
    check: bool = option("Only say what is stale; exit status 1 if anything is.", False),
    again: bool = option("Make everything anew, changed or not.", False),
    pieces: int | None = option("Prove equivalents with up to so many pieces.  [default: 5]", least=1, most=8),
    nodes: int = option(
        "Count each game from its start, and each published table, to the first depth with so many nodes.",
        100_000_000,
        least=1,
    ),
    workers: ManyExecutorOptions,
    as_json: bool = json_field(),
) -> None:
    """Bring what is recorded in cases/generated/ up to date.

    \b
    equivalents   what was compared to prove that changes of rules show in no position
    perft         the perft suite of each ruleset
    perft_counts  games counted from their start, published counts counted again, docs/perft.md
    distances     how far apart the games are
    witnesses     the smallest positions that show how games differ
    examples      the case that shows each value of each game best
    endgames       who wins each endgame with few pieces, what changed rules make of it, docs/endgames.md
    solved        the files of solved endgames for the board on the site

    Only what rests on something that has changed is made anew: after a new game, what the new game has to do with the
    others. What is finished is written at once and stays if the rest is interrupted; with --journal it is kept in that
    file, for one ID, and written when all is done. Exit status 1 if something on record proves wrong, which is said.
    """
    chosen = _choose(ids)
    if workers.journal and len(chosen) != 1:
        raise click.UsageError("--journal: it is for one recorded file, expected its ID")
    found = {id: _stale(id, _maker(id).inputs(), again=again) for id in chosen}
    if check:
        _tell_stale(found, as_json)
        sys.exit(1 if any(found.values()) else 0)
    for id, units in found.items():
        if units and RECORDED[id].compiled and not is_available():
            raise click.UsageError(
                f"{id} takes the compiled kernel, which is not installed: pip install 'damspec[fast]'"
            )
    output.OutputTarget("inputs.yaml", _inputs_path())
    for id, units in found.items():
        if units:
            click.echo(f"{_stale_line(id, units)}, {_time(id, units, 1 if workers.dask else workers.jobs)}", err=True)
    made, wrong = dict[str, list[str]](), list[str]()
    for id in chosen:
        now = _maker(id).inputs()
        units = _stale(id, now, again=again)
        for part in _parts(id, units, now, workers, Limits(pieces, nodes)) if units else ():
            made.setdefault(id, []).extend(part.units)
            wrong += part.wrong
            if not as_json:
                for line in (*([f"{id}: {_few(part.units)}"] if part.units else []), *part.wrong):
                    click.echo(line)
    if as_json:
        print_json({"recorded": made, "wrong": wrong})
    elif not made and not wrong:
        click.echo("nothing is stale")
    sys.exit(1 if wrong else 0)


def _stale(id: str, now: Mapping[str, str], *, again: bool) -> frozenset[str]:
    """Return the units of a recorded file whose inputs have changed, those that are new and those that are gone."""
    before = _inputs().get(id, {})
    changed = {unit for unit, digest in now.items() if again or before.get(unit) != digest}
    return frozenset(changed | (before.keys() - now.keys()))


def _parts(
    id: str, units: frozenset[str], now: Mapping[str, str], workers: ExecutorOptions, limits: Limits
) -> Iterator[Part]:
    """Yield each finished part of a recorded file, once it is written; all at the end where a journal keeps them."""
    with workers.task_runner(f"record {id}", asdict(limits)) as doing:
        parts = _maker(id).record(Job(units, doing, limits))
        for part in [*parts] if workers.journal else parts:
            _write(id, part, {**now, **part.inputs})
            yield part


def _write(id: str, part: Part, now: Mapping[str, str]) -> None:
    """Write the files of a part, then what they were made from."""
    for path, text in part.texts.items():
        if text is None:
            path.unlink(missing_ok=True)
        else:
            output.write_file(id, path, text)
    every = _inputs()
    known = {unit: digest for unit, digest in every.get(id, {}).items() if unit not in part.units}
    known |= {unit: now[unit] for unit in part.units if unit in now}
    every[id] = {unit: known[unit] for unit in (*now, *known) if unit in known}
    ordered = {name: every[name] for name in RECORDED if name in every}
    output.write_file("inputs.yaml", _inputs_path(), text_of(_INPUTS, ordered, width=120))


def _maker(id: str) -> Any:
    """Return the module that makes a recorded file.

    `inputs()` gives the digests, `seconds(units)` about how long one process takes, `record(job)` the parts.
    """
    return import_module(f"tools.{id}")


def _inputs_path() -> Path:
    return data.root() / "cases" / "generated" / "inputs.yaml"


def _inputs() -> dict[str, Mapping[str, str]]:
    """Return the digests on record by file and unit; none where there is no record yet. Raises FileError."""
    if not _inputs_path().exists():
        return {}
    content: dict[str, Mapping[str, str]] = data.load_yaml(_inputs_path())
    data.check(content, "inputs", data.path_text(_inputs_path()))
    return content


def _choose(ids: tuple[str, ...]) -> list[str]:
    for id in ids:
        if id not in RECORDED:
            raise click.UsageError(f"no recorded file {quote_value(id)}{data.nearest(id, list(RECORDED))}")
    return [id for id in RECORDED if id in ids or not ids]


def _tell_stale(found: Mapping[str, frozenset[str]], as_json: bool) -> None:
    if as_json:
        print_json({"stale": {id: sorted(units) for id, units in found.items()}})
        return
    for id, units in found.items():
        if units:
            click.echo(f"{_stale_line(id, units)}: {_few(units)}")
    if not any(found.values()):
        click.echo("nothing is stale")


def _stale_line(id: str, units: frozenset[str]) -> str:
    return f"{id}: {len(units)} of {len(_inputs().get(id, {}).keys() | units)} {RECORDED[id].units} stale"


def _few(units: frozenset[str] | tuple[str, ...]) -> str:
    some = sorted(units)
    return ", ".join(some[:8]) + (f" and {len(some) - 8} more" if len(some) > 8 else "")


def _time(id: str, units: frozenset[str], jobs: int) -> str:
    """Return about how long units take, with compiled code, if `jobs` processes share the work."""
    seconds = _maker(id).seconds(units) / min(jobs, len(units), os.cpu_count() or 1)
    return "less than a minute" if seconds < 50 else f"about {round(seconds / 60) or 1} min"


if __name__ == "__main__":
    main(record, "record.py")
