"""Who does the heavy work of a command: `-j`, `--dask` and `--journal`, and how far it is on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ..work.cluster import cluster
from ..work.journal import ShareJournal, Work
from ..work.processes import processes
from ..work.sharing import Doing, done
from .output import console

S = TypeVar("S")
R = TypeVar("R")
#: What gives an executor for so many jobs on this machine.
Here = Callable[[int], AbstractContextManager[Executor | None]]


@dataclass(frozen=True)
class Workers:
    """So many processes of this machine, or the cluster of a scheduler; and the journal of what is done, if any."""

    jobs: int
    dask: str | None
    journal: Path | None

    @property
    def several(self) -> bool:
        """Whether more than this process works."""
        return self.jobs > 1 or self.dask is not None

    @property
    def given(self) -> bool:
        """Whether anything is said of who works."""
        return self.several or self.journal is not None

    @contextmanager
    def doing(self, command: str, arguments: Mapping[str, Any], here: Here = processes) -> Iterator[Doing]:
        """What does the shares of a command with all arguments that their results depend on.

        Raises WorkError where there is nobody to work or the journal is of other work, UsageError where it cannot be
        written.
        """
        with ExitStack() as stack:
            journal = self._journal(Work(command, arguments))
            if journal:
                stack.enter_context(journal)
                if journal.known:
                    shares = "share is" if len(journal.known) == 1 else "shares are"
                    _say(f"{len(journal.known):,} {shares} done already, by {str(self.journal)!r}")
            who = here(self.jobs) if self.dask is None else cluster(self.dask, _say)
            executor = stack.enter_context(who)
            try:
                yield _told(partial(done, executor, journal=journal))
            except KeyboardInterrupt:
                if journal:
                    _say(f"what is done is in {str(self.journal)!r}: the same command goes on")
                raise

    def _journal(self, work: Work) -> ShareJournal | None:
        if self.journal is None:
            return None
        try:
            return ShareJournal(self.journal, work)
        except OSError as error:
            raise click.UsageError(f"--journal: cannot write {str(self.journal)!r}: {error.strerror}") from None


def workers_options(
    jobs: int, *, what: str = "Processes", journal: Path | None = None, show: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options, given to a command as one `workers`."""
    options = (
        click.option(
            "-j", "--jobs", type=click.IntRange(1, 64), default=jobs, show_default=show, help=f"{what} at once."
        ),
        click.option("--dask", metavar="HOST:PORT", help="The workers of a dask scheduler instead (docs/scale.md)."),
        click.option(
            "--journal",
            type=click.Path(dir_okay=False, path_type=Path),
            default=journal,
            show_default=journal is not None,
            help="Write down what is done; the same command goes on with it after an interruption.",
        ),
    )

    def given(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def extended(*, jobs: int, dask: str | None, journal: Path | None, **others: Any) -> Any:
            if dask is not None and _chosen("jobs"):
                raise click.UsageError("--jobs does not go with --dask: the scheduler knows its workers")
            return command(workers=Workers(1 if dask is not None else jobs, dask, journal), **others)

        for option in reversed(options):
            extended = option(extended)
        return extended

    return given


def _chosen(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is not ParameterSource.DEFAULT


def _told(by: Callable[..., Iterator[Any]]) -> Doing:
    """Shares done by somebody; a terminal is told how far it is."""
    err = console(stderr=True)

    def doing(function: Callable[[S], R], shares: Mapping[str, S], title: str = "") -> Iterator[R]:
        if not title or not err.is_terminal:
            yield from by(function, shares, tell=lambda result: None)
            return
        from rich.progress import Progress

        with Progress(console=err, transient=True, redirect_stdout=False) as progress:
            task = progress.add_task(title, total=len(shares))
            yield from by(function, shares, tell=lambda result: progress.advance(task))

    return doing


def _say(line: str) -> None:
    click.echo(f"damspec: {line}", err=True)
