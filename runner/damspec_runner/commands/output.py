"""Output of commands: console, JSON, and files that are written whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from ..options import option


def json_field() -> Any:
    """Return the field of `--json`."""
    return option("Print JSON.", False, "--json")


def algebraic_field() -> Any:
    """Return the field of `--algebraic`."""
    return option("Print squares as a1, b2, ... instead of numbers.", False)


def output_field(help: str = "Write to a file.") -> Any:
    """Return the field of `--output`, a file."""
    return option(help, None, "-o", "--output", type=click.Path(dir_okay=False, path_type=Path))


def strict_field(*, rare: bool = False) -> Any:
    """Return the field of `--strict`."""
    return option(
        "Also fail answers right only under an open reading, duplicate moves, and lapses left out.",
        False,
        "--strict",
        rare=rare,
    )


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json_text(value))


def json_text(value: Any) -> str:
    """Return a value as the JSON that commands print."""
    return json.dumps(value, indent=2, ensure_ascii=False)


class _Console(Console):
    """A console that raises an error for a closed pipe instead of ending the program."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """Return a console that colours only on a terminal and does not break lines in a pipe."""
    made = _Console(stderr=stderr, highlight=False)
    if not made.is_terminal:
        made = _Console(stderr=stderr, highlight=False, width=160, no_color=True)
    return made


def say(line: str) -> None:
    """Print a line on standard error, as damspec's."""
    click.echo(f"damspec: {line}", err=True)


@contextmanager
def status_line(about: str, *, quiet: bool = False, after: float = 0) -> Iterator[Callable[[str], None]]:
    """Show on a terminal what is being done, once it has taken so many seconds: yield what is told it."""
    err, began = console(stderr=True), time.monotonic()
    if quiet or not err.is_interactive:
        yield lambda line: None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(about)
        if after:
            progress.stop()

        def tell(line: str) -> None:
            progress.update(task, description=f"{about}: {line}" if about else line)
            if after and time.monotonic() - began > after:
                progress.start()

        yield tell


@contextmanager
def progress_bar(
    about: str, total: float | None, *, quiet: bool = False, counted: bool = True, refreshing: bool = True
) -> Iterator[Callable[..., None]]:
    """Show on a terminal how much of `total` is done: yield what is told it as `completed` or `advance`, and a `note`.

    Beside the bar stands a number if it is `counted`, else a percentage. Unless it is `refreshing`, it is drawn only
    when it is told something: no thread runs while processes start.
    """
    err = console(stderr=True)
    if quiet or not err.is_interactive:
        yield lambda **told: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    words, note = TextColumn("{task.description}"), TextColumn("{task.fields[note]}")
    done = MofNCompleteColumn() if counted else TaskProgressColumn()
    columns = (words, BarColumn(), done, TimeRemainingColumn(), note)
    with Progress(*columns, console=err, transient=True, auto_refresh=refreshing, redirect_stdout=False) as bar:
        task = bar.add_task(about, total=total, note="")
        yield partial(bar.update, task, refresh=not refreshing)


def print_table(titles: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> None:
    """Print rows under titles, all but the first `left` columns aligned to the right."""
    from rich.table import Table
    from rich.text import Text

    table = Table(*titles, box=None, pad_edge=False)
    for column in table.columns[left:]:
        column.justify = "right"
    for row in rows:
        table.add_row(*map(Text, row))
    console().print(table)


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows as lines, all but the first column aligned to the right."""
    first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    for start, *cells in rows:
        yield "  ".join([start.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))])


#: The exit status of a command whose output cannot be written: the disk is full, say.
CANNOT_WRITE = 4


class OutputError(click.ClickException):
    """Output that could not be written; `str()` is one line that says where."""

    exit_code = CANNOT_WRITE


class OutputTarget:
    """A file that is written at the end."""

    def __init__(self, option: str, path: Path) -> None:
        """Raises UsageError if it could not be written now; the file stays as it is."""
        self.option, self.path = option, path
        try:
            self._replaced = _replacement_target(path)
            _check_writable(path, self._replaced)
        except OSError as error:
            raise click.UsageError(self._message(error)) from None

    def write(self, text: str | bytes) -> None:
        """Write the file. Raises OutputError, with the old file still in place."""
        content = _bytes(text)
        try:
            if self._replaced is None:
                with open(os.open(self.path, os.O_WRONLY), "wb") as file:
                    file.write(content)
            else:
                _replace(self._replaced, content)
        except OSError as error:
            raise OutputError(self._message(error)) from None

    def _message(self, error: OSError) -> str:
        if error.errno == errno.ENOENT and not self.path.absolute().parent.is_dir():
            return f"{self.option}: no folder {str(self.path.parent)!r}"
        return f"{self.option}: cannot write {str(self.path)!r}: {error.strerror}"


def output_target(option: str, path: Path | None) -> OutputTarget | None:
    """Return a target, where a path is given. Raises UsageError if it could not be written."""
    return None if path is None else OutputTarget(option, path)


def write_output(target: OutputTarget | None, text: str) -> None:
    """Write a text to a target, or to standard output. Raises OutputError."""
    if target is None:
        click.echo(text, nl=False)
    else:
        target.write(text)


def write_file(option: str, path: Path, text: str | bytes) -> None:
    """Write a file at once. Raises UsageError or OutputError."""
    OutputTarget(option, path).write(text)


def check_new_folder(option: str, folder: Path, what: str) -> None:
    """Raise UsageError if a folder could not be written: nothing there is ever overwritten by one."""
    if not folder.absolute().parent.is_dir():
        raise click.UsageError(f"{option}: no folder {str(folder.parent)!r}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.UsageError(f"{option}: {str(folder)!r} is there already, expected a new or empty folder for {what}")


def write_folder(option: str, folder: Path, texts: Mapping[str, str | bytes]) -> None:
    """Write files by their names into a new or empty folder, all or none of them. Raises OutputError."""
    place = folder.resolve()
    try:
        beside = Path(tempfile.mkdtemp(prefix=f".{place.name[:100]}.", suffix=".part", dir=place.parent))
        try:
            for name, text in texts.items():
                (beside / name).write_bytes(_bytes(text))
            beside.chmod(_mode(place, 0o777))
            if place.exists():
                place.rmdir()
            beside.rename(place)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
    except OSError as error:
        raise OutputError(f"{option}: cannot write {str(folder)!r}: {error.strerror}") from None


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")


def _replacement_target(path: Path) -> Path | None:
    """Return the file that a new one will replace; None for a device or pipe. Raises OSError."""
    if path.absolute().parts[:2] in (("/", "dev"), ("/", "proc")):
        return None
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return path.resolve()
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return path.resolve() if stat.S_ISREG(mode) else None


def _check_writable(path: Path, replaced: Path | None) -> None:
    """Raise OSError unless a path can be written, or the file that replaces another be made."""
    # A pipe that nobody reads yet cannot be opened without waiting.
    if (replaced is None or replaced.exists()) and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if replaced is not None:
        descriptor, name = _beside(replaced)
        os.close(descriptor)
        os.unlink(name)


def _beside(path: Path) -> tuple[int, str]:
    return tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".part", dir=path.parent)


def _replace(path: Path, content: bytes) -> None:
    descriptor, name = _beside(path)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
        os.chmod(name, _mode(path, 0o666))
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _mode(path: Path, new: int) -> int:
    """Return the mode of what is at a path, or that of new files or folders, as far as the user's mask allows it."""
    with suppress(OSError):
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return new & ~mask
