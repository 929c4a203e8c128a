"""`damspec compare`: check several engines on several rulesets and print the matrix."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

import damspec
from damspec import data

from ..engines import known, registry
from ..engines.known import Matrix, Standing
from ..options import option
from ..tasks.executor import threads
from ..verify.compare_engines import PairRequest, PairResult, make_standing, run_pairs
from ..verify.report import render
from . import output
from .arguments import RenamedOptionsCommand, jobs_option
from .engines import try_install
from .options import ExecutorOptions, journal_option
from .output import json_field, say, strict_field
from .parameters import with_options

#: The page of the project that has the matrix as a table.
_PAGE = "known/README.md"


@dataclass(frozen=True)
class EngineExecutorOptions(ExecutorOptions):
    """Where engines run."""

    jobs: int = jobs_option("Engines at once.", 2)
    journal: Path | None = journal_option(Path("compare.part"))


@click.command(cls=RenamedOptionsCommand)
@click.argument("names", nargs=-1, metavar="[ENGINE]...")
@with_options
def compare(
    names: tuple[str, ...],
    *,
    rulesets: tuple[str, ...] = option("Only these rulesets; repeatable.", (), metavar="ID,..."),
    games: int = option("Play random games with each engine that fails no case.", 3, least=0),
    install: bool = option("Install engines that are not installed yet.", False),
    update_baseline: bool = option(
        "Write known/: the failures, the reports for authors, the matrix and the table of it.", False
    ),
    strict: bool = strict_field(),
    as_json: bool = json_field(),
    workers: EngineExecutorOptions,
) -> None:
    """Check named engines on all they play, and print the matrix.

    Without --update-baseline each is compared with its known failures. The same command resumes a run that was
    interrupted. With --dask the engines are those installed where the workers are.

    \b
      damspec compare --install
      damspec compare jocly kcheckers --rulesets english,russian -j 4
      damspec compare --update-baseline

    Exit status: 0 no unexpected result, 1 an engine differs from its known failures or --strict finds more, 2 usage, 3
    an engine could not be run, 130 interrupted.
    """
    if update_baseline and workers.dask:
        raise click.UsageError("--update-baseline does not go with --dask: baselines are written where an engine runs")
    wanted = {id for words in rulesets for id in words.split(",")}
    engines = [registry.adapter(name) for name in names] or list(registry.adapters().values())
    pairs = [PairRequest(found, id) for found in engines for id in found.plays if not wanted or id in wanted]
    if unknown := sorted(wanted - {pair.ruleset for pair in pairs}):
        raise click.UsageError(f"--rulesets: no engine that is chosen plays {', '.join(unknown)}")
    ready = {pair.adapter.name: workers.dask is not None or _ensure_installed(pair.adapter, install) for pair in pairs}
    asked = [pair for pair in pairs if ready[pair.adapter.name]]
    played: list[PairResult] = []
    work = {"games": games, "update": update_baseline}
    with (
        workers.task_runner("compare", work, threads) as task_runner,
        closing(run_pairs(asked, task_runner, games, update=update_baseline)) as results,
    ):
        for result in results:
            played.append(result)
            click.echo(f"{len(played)} of {len(asked)}: {result.summary}", err=True)
    cells = [make_standing(each) for each in played if each.report]
    if update_baseline:
        _write(cells, played)
    found = Matrix(tuple(cells))
    click.echo(found.text() if as_json else known.short_table(found), nl=not as_json)
    wrong = [line for each in played for line in (*each.unexpected_lines, *(each.warnings if strict else ()))]
    for line in wrong:
        say(f"{line}")
    if workers.journal and workers.journal.is_file():
        workers.journal.unlink()
    if len(asked) < len(pairs) or len(cells) < len(played):
        sys.exit(3)
    sys.exit(1 if wrong else 0)


def _ensure_installed(found: registry.Adapter, install: bool) -> bool:
    """Return whether an engine can be run, after it was installed if that is wanted; says why not."""
    if found.installed:
        return True
    if not install:
        say(f"engine {found.name!r} is not installed: add --install")
        return False
    return try_install(found)


def _write(cells: Sequence[Standing], played: Sequence[PairResult]) -> None:
    root = data.root()
    path = root / known.MATRIX_FILE
    order = [(a.name, a.version, id) for a in registry.adapters().values() for id in a.plays]
    whole = known.merge_matrix(known.read_matrix() if path.is_file() else Matrix(), cells, order)
    output.write_file("--update-baseline", path, whole.text())
    for name in dict.fromkeys(each.engine for each in played):
        _write_report(root / "known" / name / "REPORT.md", name)
    if (page := root / _PAGE).is_file():
        table = known.replace_table(page.read_text(encoding="utf-8"), known.full_table(whole))
        output.write_file("--update-baseline", page, table)
    click.echo(f"written: {data.path_text(path)}, and what else in known/ follows from it", err=True)


def _write_report(path: Path, name: str) -> None:
    """Write an engine's known failures as a report for its author, or remove the report if there are none."""
    from ..verify.baseline import as_reports

    reports = as_reports(registry.adapter(name))
    if not reports:
        path.unlink(missing_ok=True)
        return
    found = registry.adapter(name)
    head = f"# What damspec {damspec.__version__} found in {found.package} {found.version}\n\n"
    output.write_file("--update-baseline", path, head + render(reports, "issue"))
