"""The command line: a group whose commands are loaded only when they are used, and errors in one line each."""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from io import BufferedReader, BufferedWriter, FileIO, RawIOBase, TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from damspec.errors import DamspecError
from damspec.version import __version__

from .commands import interruption

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

#: The commands by what they are for, each with the module of `commands` it is in.
GROUPS = {
    "Verify": {
        "check": "check",
        "ask": "ask",
        "report": "report",
        "compare": "compare",
        "engines": "engines",
        "serve": "serve",
        "bridge": "serve",
    },
    "Document": {
        "diff": "diff",
        "explain": "explain",
        "site": "site",
    },
    "Generate": {
        "generate": "generate",
    },
    "Games and rules of your own": {
        "identify": "site",
        "replay": "replay",
        "book": "book",
        "explore": "book",
        "new": "new",
    },
    "The cases": {
        "cases": "cases",
        "adequacy": "adequacy",
    },
    "The reference": {
        "rulesets": "reference",
        "moves": "reference",
        "play": "reference",
        "outcome": "reference",
        "perft": "perft",
        "solve": "solve",
    },
}
_COMMANDS = {command: module for commands in GROUPS.values() for command, module in commands.items()}

#: What became of commands and options of the version before, for one release.
_FORMER = {
    "diagnose": "is now `damspec report FILE --diagnose`",
    "readings": "is now a part of `damspec explain RULESET`; `damspec explain readings` has all",
    "trace": "is now a part of `damspec explain ID`; `damspec explain links` has the summary",
    "site build --pdf": "is gone: a browser prints the sheets of the site",
    "site build --collected": "is gone with the answers that were collected",
    **{
        f"identify {option}": "is gone: `damspec identify` opens a page, whose address keeps the answers"
        for option in ("--answers", "--judge", "--save", "-o", "--json")
    },
}


class _ClosedPipeError(Exception):
    """The reader of the output has closed the pipe."""


@contextmanager
def _noticing_closed_pipes() -> Iterator[None]:
    """Raise _ClosedPipeError for a closed pipe, which click would end with status 1 as if something had failed."""
    try:
        yield
    except OSError as error:
        if isinstance(error, BrokenPipeError) or error.errno == errno.EPIPE:
            raise _ClosedPipeError from None
        raise


class _Lazy(click.Group):
    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _noticing_closed_pipes():
            return super().make_context(*args, **extra)

    def invoke(self, context: click.Context) -> Any:
        with _noticing_closed_pipes():
            return super().invoke(context)

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module = import_module(f"damspec_runner.commands.{_COMMANDS[name]}")
        command: click.Command = getattr(module, name)
        return command

    def resolve_command(self, context: click.Context, args: list[str]) -> Any:
        if args and args[0] not in _COMMANDS:
            from damspec.data import nearest

            if args[0] in _FORMER:
                raise click.UsageError(f"`damspec {args[0]}` {_FORMER[args[0]]}")
            raise click.UsageError(f"no command {args[0]!r}{nearest(args[0], list(_COMMANDS))}")
        return super().resolve_command(context, args)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in their groups, each with its whole first sentence."""
        width = max(map(len, _COMMANDS))
        for title, names in GROUPS.items():
            commands = {name: self.get_command(context, name) for name in names}
            rows = [
                (name.ljust(width), command.get_short_help_str(formatter.width))
                for name, command in commands.items()
                if command
            ]
            with formatter.section(title):
                formatter.write_dl(rows)


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="damspec")
def damspec() -> None:
    """The rules of draughts and checkers as data, and engines checked against them.

    RULESET is an id (`damspec rulesets` lists them), an id with readings such as 'vl?priority=multiple-first', or the
    path of a YAML file. POSITION is `start` or a FEN such as 'W:W21,K30:B1,2'.
    """
    if sys.stderr.isatty():  # what compiled code takes long for, the first time
        logger = logging.getLogger("damspec.kernel")
        logger.setLevel(logging.INFO)
        logger.addHandler(logging.StreamHandler())


def main(command: click.Command = damspec, name: str = "damspec") -> None:
    """Run the command line, or another command under its own name.

    Exit status: 0 all right, 1 failures, 2 usage or bad input, 3 an engine cannot be run, 4 the output cannot be
    written, 5 damspec itself failed in an explanation or in games, 130 or 143 interrupted, 141 nobody reads the output.
    """
    _prepare_streams()
    interruption.install_signal_handlers()
    try:
        with _noticing_closed_pipes():
            status = _run(command, name)
    except click.ClickException as error:
        _complain(str(DamspecError(_former_option(error) or " ".join(error.format_message().split()))))
        status = 2 if error.exit_code == 1 else error.exit_code
    except DamspecError as error:
        _complain(str(error))
        status = 2
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted")
        status = interruption.exit_status()
    except _ClosedPipeError:
        _forget_output()
        status = 141
    except OSError as error:
        _forget_output()
        _complain(f"cannot write: {error.strerror or error}")
        status = 4
    sys.exit(status)


def _former_option(error: click.ClickException) -> str:
    """Return what became of an option that is not there any more; nothing for any other error."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return ""
    option = f"{error.ctx.command_path.partition(' ')[2]} {error.option_name}"
    return f"`damspec {option}` {_FORMER[option]}" if option in _FORMER else ""


def _prepare_streams() -> None:
    """Make the standard streams ones of which every use is safe, whatever they are connected to, if anything.

    What cannot be read or written entirely raises an error for `main`; what nobody hears on standard error is dropped.
    """
    for descriptor, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:  # closed, and the next file or pipe that is opened would be standard output, say
            os.open(os.devnull, mode)
    if sys.stdin is sys.__stdin__:
        sys.stdin = TextIOWrapper(
            BufferedReader(_StandardInput(0, closefd=False)), getattr(sys.stdin, "encoding", None)
        )
    if sys.stdout is None:
        sys.stdout = TextIOWrapper(BufferedWriter(FileIO(1, "w", closefd=False)))
    elif isinstance(sys.stdout, TextIOWrapper) and isinstance(sys.stdout.buffer, RawIOBase):
        # Unbuffered, by PYTHONUNBUFFERED: what a full disk leaves of a text would be dropped.
        sys.stdout = TextIOWrapper(BufferedWriter(sys.stdout.buffer), sys.stdout.encoding, line_buffering=True)
    if sys.stderr is sys.__stderr__:
        errors = BufferedWriter(_StandardError(2, "w", closefd=False))
        sys.stderr = TextIOWrapper(errors, getattr(sys.stderr, "encoding", None), line_buffering=True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # what an encoding cannot say is no reason to fail


class _StandardInput(FileIO):
    """Standard input; an error that it raises says that it is this which cannot be read."""

    read, readall = RawIOBase.read, RawIOBase.readall  # type: ignore[assignment]  # by way of `readinto`

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        try:
            return super().readinto(buffer)
        except OSError as error:
            raise DamspecError(f"cannot read standard input: {error.strerror}") from None


class _StandardError(FileIO):
    """Standard error, which drops what cannot be written: no command fails because nobody hears its complaints."""

    def write(self, text: ReadableBuffer, /) -> int:
        with suppress(OSError):
            return super().write(text)
        return memoryview(text).nbytes


#: What click raises for a command without arguments, to show its help; before click 8.2 it showed that by itself.
_NO_ARGUMENTS: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())


def _run(command: click.Command, name: str) -> int:
    """Run the command and return its exit status once all of its output is written."""
    try:
        status = command.main(prog_name=name, standalone_mode=False)
    except _NO_ARGUMENTS as help:
        click.echo(help.format_message())
        status = 2
    except click.exceptions.Exit as end:
        status = end.exit_code
    except SystemExit as end:
        status = end.code
    sys.stdout.flush()
    return status if isinstance(status, int) else 0


def _forget_output() -> None:
    """Discard the buffered output of a closed pipe, which must not raise again at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(line: str) -> None:
    with suppress(OSError):
        click.echo(f"damspec: {line}", err=True)
