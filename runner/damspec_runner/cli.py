"""The command line: a group whose commands are loaded only when they are used, and errors in one line each."""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from io import BufferedWriter, FileIO, RawIOBase, TextIOWrapper
from typing import Any

import click

from damspec.errors import DamspecError
from damspec.version import __version__

from .commands import interruption

#: The commands by what they are for, each with the module of `commands` it is in.
GROUPS = {
    "Verify": {
        "check": "check",
        "ask": "ask",
        "diagnose": "report",
        "report": "report",
        "compare": "compare",
        "engines": "engines",
        "serve": "serve",
        "bridge": "serve",
    },
    "Document": {
        "diff": "diff",
        "explain": "explain",
        "trace": "trace",
        "readings": "explain",
        "site": "site",
    },
    "Generate": {
        "generate": "generate",
    },
    "Games and rules of your own": {
        "identify": "identify",
        "replay": "replay",
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
        _complain(str(DamspecError(" ".join(error.format_message().split()))))
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


def _prepare_streams() -> None:
    """Make standard output one that raises OSError unless all of it is written, whatever it is connected to."""
    if sys.stdout is None:  # closed: what a command prints would be dropped without a word
        sys.stdout = TextIOWrapper(BufferedWriter(FileIO(os.open(os.devnull, os.O_RDONLY), "w")))
    elif isinstance(sys.stdout, TextIOWrapper) and isinstance(sys.stdout.buffer, RawIOBase):
        # Unbuffered, by PYTHONUNBUFFERED: what a full disk leaves of a text would be dropped.
        sys.stdout = TextIOWrapper(BufferedWriter(sys.stdout.buffer), sys.stdout.encoding, line_buffering=True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # what an encoding cannot say is no reason to fail


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
