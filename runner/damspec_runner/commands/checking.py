"""A check as it goes: one engine on one ruleset, written down as it comes, gone on with, printed and explained."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import click
from rich.console import Console

import damspec
from damspec import DamspecError, PositionError, Ruleset, data

from ..cases.cases import Case
from ..engines import known
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello
from ..verify import held
from ..verify.games import MOST, Scope, compare
from ..verify.journal import (
    Journal,
    digests,
    is_cut_header,
    is_journal,
    is_unfinished,
    read_headers,
    read_journal,
)
from ..verify.report.plain import ruleset_entry
from ..verify.report.terminal import show, show_explanation
from ..verify.result import FAILING, Games, Report, Result
from ..verify.run import INTERRUPTED, Conduct
from ..verify.run import check as run
from ..work.lines import LockedError
from . import interruption
from .explaining import ExplainingError, can_be_explained, complain, explain, guarded, probed, unexplained
from .files import CannotWrite, Target
from .output import console
from .treatment import Treatment

#: What ended a run before its end, if anything did: somebody, or a fault of damspec's own.
Ending = Literal["interrupted", "failed"] | None
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
        if path is None:
            return
        option = "--journal" if journal else "--resume"
        if journal is not None:
            Target(option, journal)
        try:
            self._journal = Journal(path)
        except LockedError as error:
            raise click.UsageError(f"{option}: {error}") from None
        except OSError as error:
            raise click.UsageError(f"{option}: cannot write {str(path)!r}: {error.strerror}") from None
        try:
            if journal is not None:
                _check_replaceable(journal, self._journal.content)
                self._journal.restart()
            elif not is_cut_header(self._journal.content):
                self._old = _read(path, self._journal.content, runs, self._options)
                self._journal.resume()
        except BaseException:
            self._journal.close()
            raise

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
        """Write the end of a run down, if it has not been before."""
        old = self._old.get((report.ruleset.id, report.label))
        if old is None or old.interrupted:
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


def _check_replaceable(path: Path, content: bytes) -> None:
    """Raise UsageError for a file that a new journal may not replace: no journal, or that of a run not yet finished."""
    name = str(path)
    if not is_journal(content):
        found = data.quote(content[:60].decode("utf-8", "replace"))
        raise click.UsageError(f"--journal: {name!r} is no journal: found {found}, expected a journal or a new file")
    if is_unfinished(content):
        raise click.UsageError(
            f"--journal: {name!r} has a run that is not finished: go on with it by"
            f" --resume {shlex.quote(name)}, or remove it"
        )


def _read(path: Path, content: bytes, runs: Sequence[Run], options: Mapping[str, Any]) -> dict[tuple[str, str], Report]:
    """The runs in a journal, if they are those that are to be gone on with. Raises FileError."""
    where = str(path)
    cases = {one.ruleset.id: one.cases for one in runs}
    try:
        text = content.decode("utf-8")
        headers = [*read_headers(text, where)]
        for header, one in zip(headers, runs, strict=False):
            if said := _otherwise(header, one, options):
                raise data.FileError(f"{where}: is of {said}")
        if len(headers) > len(runs):
            raise data.FileError(f"{where}: has {len(headers)} runs, expected at most {len(runs)}")
        reports = read_journal(text, where, lambda ruleset: cases.get(ruleset.id, ()))
    except UnicodeDecodeError:
        raise data.FileError(f"--resume: {where}: cannot be read: not UTF-8") from None
    except data.FileError as error:
        raise data.FileError(f"--resume: {error}") from None
    except DamspecError as error:
        raise data.FileError(f"--resume: {where}: {error}") from None
    return {(one.ruleset.id, one.label): report for report, one in zip(reports, runs, strict=False)}


def _otherwise(header: Mapping[str, Any], one: Run, options: Mapping[str, Any]) -> str | None:
    """What a header says that is not so of a run, and what is; the first such thing, if there is any."""
    id, label, now = one.ruleset.id, header["engine"]["label"], digests(one.ruleset, one.cases)
    then, given = header.get("digests", {}), header.get("options", {})
    ids = [case.id for case in one.cases]
    if header["damspec"] != damspec.__version__ or not then:
        return f"damspec {header['damspec']}{' or older' * (not then)}, expected {damspec.__version__}"
    named = {key: header[key] for key in ("ruleset", "ruleset_file") if key in header}
    if (named, label) != (ruleset_entry(one.ruleset), one.label):
        return f"{header['ruleset']} by {label}, expected {id} by {one.label}"
    if then["rules"] != now["rules"]:
        return f"other rules of {id} than there are now"
    if header["cases"] != ids:
        counts = f"{len(header['cases'])} with {_words(given)}, expected {len(ids)} with {_words(options)}"
        return f"other cases of {id} than are chosen now: {counts}"
    if given != options:
        return f"a run with {_words(given)}, expected {_words(options)}"
    if then["cases"] != now["cases"]:
        return f"cases of {id} that have changed since"
    return None


def _words(options: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={data.quote(value)}" for name, value in options.items()) or "no options"


def checked(
    one: Run, conduct: Conduct, record: Record, options: Mapping[str, Any], *, quiet: bool
) -> tuple[Report, Ending]:
    """Have the cases asked, those that a journal has no answer of; how that ended.

    Raises EngineError if the engine cannot be run.
    """
    old = record.old(one)
    if old is not None and not old.interrupted:
        return replace(old, diagnosis=None), None
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
            warn=lambda line: complain(one.label, f"preflight: it {line}"),
            tell=tell,
            settle=record.add,
        )
    ending: Ending = None
    if one.scope is not None and not done.interrupted:
        try:
            with guarded("comparing"):
                done = _beyond(one, one.scope, done, conduct, quiet=quiet)
        except ExplainingError as error:
            complain(one.label, str(error))
            done, ending = replace(done, games=Games(one.scope.seed, ended=str(error))), "failed"
    if done.left:
        complain(one.label, f"processes that could not be ended: {', '.join(map(str, done.left))}")
    if one.baseline is not None:
        done = replace(done, known=tuple(held.surprises(known.read(one.baseline), done)))
    return replace(done, options=dict(options)), "interrupted" if done.interrupted else ending


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


def explained(done: Report, one: Run, *, probing: bool) -> tuple[Report, Ending]:
    """The report with what explains its failures, and how that ended.

    After an interruption it may take a moment only; being interrupted once more ends everything.
    """
    ending: Ending = "interrupted" if done.interrupted else None
    if not can_be_explained(done):
        return done, ending
    found = None
    try:
        if done.interrupted:
            with interruption.at_most(_EXPLAINED_WITHIN):
                found = explain(done)
        else:
            found = explain(done, one.engine)
            if probing:
                found = probed(one.ruleset, found, one.engine())
    except interruption.TimeUp:
        return done, ending
    except KeyboardInterrupt:
        if done.interrupted:
            raise
        ending = "interrupted"
    except EngineError as error:
        complain(one.label, f"probing: {error}")
    except ExplainingError as error:
        complain(one.label, str(error))
        if found is None:
            return replace(done, diagnosis=unexplained(done, error)), ending or "failed"
        ending = "failed"
    return (replace(done, diagnosis=found.as_json()) if found else done), ending
