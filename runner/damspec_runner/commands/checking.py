"""A check as it goes: one engine on one ruleset, written down as it comes, gone on with, printed and explained."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from damspec import DamspecError, PositionError, Ruleset, data

from ..cases.cases import Case
from ..engines import known
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello
from ..verify import held
from ..verify.games import MOST, Scope, compare
from ..verify.journal import Journal, read_journal, reopen, unfinished
from ..verify.report.terminal import show, show_explanation
from ..verify.result import FAILING, Games, Report, Result
from ..verify.run import INTERRUPTED, Conduct
from ..verify.run import check as run
from . import interruption
from .files import CannotWrite, Target
from .output import console
from .treatment import Treatment

#: Seconds for an explanation after the run was interrupted.
_EXPLAINED_WITHIN = 2.0


@dataclass(frozen=True)
class Run:
    """An engine to be checked on a ruleset; `baseline` is the file of its known failures, if it is held to them.

    `scope` is what is compared beyond the cases, if anything is; games may begin with the positions of `origins`.
    """

    ruleset: Ruleset
    cases: Sequence[Case]
    label: str
    words: Sequence[str]
    environment: Mapping[str, str]
    treatment: Treatment
    baseline: Path | None = None
    scope: Scope | None = None
    origins: Sequence[Case] = ()

    def engine(self) -> Engine:
        """The engine, not started yet."""
        return self.treatment.engine(self.words, self.environment, self.ruleset)


class Record:
    """The journal of a check, and what an earlier one has in it; or none."""

    def __init__(
        self, journal: Path | None, resumed: Path | None, runs: Sequence[Run], options: Mapping[str, Any]
    ) -> None:
        """Raises UsageError for a file that cannot be written, FileError for one that is no journal of these runs."""
        #: What went wrong when it was written, if anything did.
        self.failed: CannotWrite | None = None
        self._options = dict(options)
        self._old: dict[tuple[str, str], Report] = {}
        self._journal: Journal | None = None
        self._path = path = journal or resumed
        if resumed is not None:
            self._old = _read(resumed, runs, self._options)
        if journal is not None:
            if journal.is_file() and unfinished(journal):
                name = str(journal)
                raise click.UsageError(
                    f"--journal: {name!r} has a run that is not finished: go on with it by"
                    f" --resume {shlex.quote(name)}, or remove it"
                )
            Target("--journal", journal)
        if path is None:
            return
        try:
            if resumed is not None:
                reopen(path)
            elif path.is_file():
                path.write_bytes(b"")
            self._journal = Journal(path)
        except OSError as error:
            option = "--journal" if journal else "--resume"
            raise click.UsageError(f"{option}: cannot write {str(path)!r}: {error.strerror}") from None

    def old(self, one: Run) -> Report | None:
        """What is written down of a run."""
        return self._old.get((one.ruleset.id, one.label))

    def begin(self, one: Run, hello: Hello) -> None:
        """Begin a run, or go on with it. Raises EngineError if it was another engine's."""
        old = self.old(one)
        if old is None:
            self._write(lambda journal: journal.begin(one.ruleset, one.label, hello, one.cases, self._options))
        elif (old.hello.name, old.hello.version) != (hello.name, hello.version):
            was, now = (f"{each.name} {each.version}".strip() for each in (old.hello, hello))
            raise EngineError("journal", f"is {now}, and the journal's is {was}")

    def add(self, result: Result) -> None:
        """Write a result down."""
        self._write(lambda journal: journal.add(result))

    def end(self, report: Report) -> None:
        """Write the end of a run down."""
        self._write(lambda journal: journal.end(report))

    def _write(self, how: Callable[[Journal], None]) -> None:
        if self._journal is None:
            return
        try:
            how(self._journal)
        except OSError as error:
            self._journal = None
            self.failed = CannotWrite(f"--journal: cannot write {str(self._path)!r}: {error.strerror}")
            click.echo(f"damspec: {self.failed.message}; the run goes on without it", err=True)


def _read(path: Path, runs: Sequence[Run], options: Mapping[str, Any]) -> dict[tuple[str, str], Report]:
    """The runs in a journal, if they are those that are to be gone on with. Raises FileError."""
    where = str(path)
    cases = {one.ruleset.id: one.cases for one in runs}
    try:
        text = path.read_text(encoding="utf-8")
        reports = read_journal(text, where, lambda ruleset: cases.get(ruleset.id, ()))
    except (OSError, UnicodeDecodeError) as error:
        raise data.FileError(f"{where}: cannot be read: {getattr(error, 'strerror', None) or 'not UTF-8'}") from None
    except data.FileError as error:
        raise data.FileError(f"--resume: {error}") from None
    except DamspecError as error:
        raise data.FileError(f"--resume: {where}: {error}") from None
    found = {}
    for report, one in zip(reports, runs, strict=False):
        about = f"--resume: {where}: is of"
        if (report.ruleset.id, report.label) != (one.ruleset.id, one.label):
            mine = f"{one.ruleset.id} by {one.label}"
            raise data.FileError(f"{about} {report.ruleset.id} by {report.label}, expected {mine}")
        if [result.case.id for result in report.results] != [case.id for case in one.cases] or any(
            result.case is not case for result, case in zip(report.results, one.cases, strict=True)
        ):
            raise data.FileError(f"{about} other cases of {one.ruleset.id} than are chosen now")
        if dict(report.options) != dict(options):
            raise data.FileError(f"{about} a run with {_words(report.options)}, expected {_words(options)}")
        found[one.ruleset.id, one.label] = report
    if len(reports) > len(runs):
        raise data.FileError(f"--resume: {where}: has {len(reports)} runs, expected at most {len(runs)}")
    return found


def _words(options: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={data.quote(value)}" for name, value in options.items()) or "no options"


def checked(one: Run, conduct: Conduct, record: Record, options: Mapping[str, Any], *, quiet: bool) -> Report:
    """Have the cases asked, those that a journal has no answer of. Raises EngineError if the engine cannot be run."""
    old = record.old(one)
    if old is not None and not old.interrupted:
        return replace(old, diagnosis=None)
    before = {result.case.id: result for result in old.results if result.status != "not-asked"} if old else {}
    with _Progress(one, len(before), total=len(one.cases), quiet=quiet) as progress:

        def tell(result: Result) -> None:
            record.add(result)
            progress.tell(result)

        done = run(
            one.ruleset,
            one.cases,
            one.engine,
            label=one.label,
            conduct=conduct,
            before=before,
            begun=lambda hello: record.begin(one, hello),
            warn=lambda line: click.echo(f"damspec: engine {one.label!r}: preflight: it {line}", err=True),
            tell=tell,
            settle=record.add,
        )
    if one.scope is not None and not done.interrupted:
        done = _beyond(one, one.scope, done, conduct, quiet=quiet)
    if done.left:
        ids = ", ".join(map(str, done.left))
        click.echo(f"damspec: engine {one.label!r}: processes that could not be ended: {ids}", err=True)
    if one.baseline is not None:
        done = replace(done, known=tuple(held.surprises(known.read(one.baseline), done)))
    return replace(done, options=dict(options))


def _beyond(one: Run, scope: Scope, done: Report, conduct: Conduct, *, quiet: bool) -> Report:
    """The report with what is compared beyond the cases, once these have all been asked."""
    if done.counts["not-asked"]:
        return replace(done, games=Games(scope.seed, ended="the cases have not all been asked"))
    origins = []
    for case in one.origins:
        with suppress(PositionError):
            origins.append(one.ruleset.position(case.position))
    number = scope.games if scope.given is None else len(scope.given)
    with _Progress(one, 0, total=number, quiet=quiet) as progress:
        games = compare(
            one.ruleset,
            one.engine,
            done.hello,
            scope,
            list(dict.fromkeys(origins)),
            most=min(MOST, conduct.max_failures or MOST),
            restarts=conduct.restarts,
            tell=progress.reach,
        )
    return replace(done, games=games, interrupted=games.ended == INTERRUPTED)


class _Progress:
    """How far a run is, on a terminal; `total` is how much there is to do, None where that is not known."""

    def __init__(self, one: Run, done: int, *, total: int | None, quiet: bool) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        err = console(stderr=True)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[failed]}"),
        )
        self._shown = not quiet and err.is_terminal
        self._progress = Progress(*columns, console=err, transient=True, disable=not self._shown)
        title = f"{one.ruleset.id} by {one.label}"
        self._task = self._progress.add_task(title, total=total, completed=done, failed="")
        self._failed = 0

    def __enter__(self) -> _Progress:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def tell(self, result: Result) -> None:
        """One more."""
        if self._shown:
            self._failed += result.status in FAILING
            self._progress.update(self._task, advance=1, failed=f"{self._failed} failed" if self._failed else "")

    def reach(self, done: int) -> None:
        """So much is done."""
        if self._shown:
            self._progress.update(self._task, completed=done)


class Screen:
    """What is printed. Where nobody takes it any more that is not said before everything else has been written."""

    def __init__(self) -> None:
        #: What went wrong, if anything did.
        self.failed: OSError | None = None
        self._console = console()

    def report(self, report: Report, *, in_full: int) -> None:
        """Print a report but for what explains it."""
        self.print(lambda out: show(replace(report, diagnosis=None), out, in_full=in_full))

    def explanation(self, report: Report) -> None:
        """Print what explains it."""
        self.print(lambda out: show_explanation(report, out))

    def print(self, how: Callable[[Console], None]) -> None:
        """Print something, if it can be."""
        if self.failed is None:
            try:
                how(self._console)
            except OSError as error:
                self.failed = error


def explained(done: Report, one: Run, *, probing: bool) -> tuple[Report, bool]:
    """The report with what explains its failures, and whether that was interrupted.

    After an interruption it may take a moment only; being interrupted once more ends everything.
    """
    from .explaining import explain, probed

    try:
        if done.interrupted:
            with interruption.at_most(_EXPLAINED_WITHIN):
                found = explain(done)
        else:
            found = explain(done, one.engine)
            if found and probing:
                found = probed(one.ruleset, found, one.engine())
    except interruption.TimeUp:
        return done, True
    except KeyboardInterrupt:
        if done.interrupted:
            raise
        return done, True
    return (replace(done, diagnosis=found.as_json()) if found else done), done.interrupted
