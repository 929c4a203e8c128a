"""Arguments that most commands take: a ruleset, a position, a time, an address.

The options of engines and of long work are in `options.py`, which loads much more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import CompletionItem

from damspec import Ruleset, ruleset_ids
from damspec.ruleset import load_source

from ..options import option
from .parameters import Command


class RulesetParam(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.5
    """A ruleset: an id, an id with readings, or the path of a file. Raises RulesetError or FileError."""

    name = "ruleset"

    def convert(self, value: str | Ruleset, param: click.Parameter | None, context: click.Context | None) -> Ruleset:
        """Load the ruleset."""
        return value if isinstance(value, Ruleset) else load_source(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the id of a ruleset."""
        return [CompletionItem(id) for id in ruleset_ids() if id.startswith(incomplete)]


class Seconds(click.FloatRange):
    """A time limit in seconds: at least `least`, or more than 0, and at most a year, which every timer can wait."""

    def __init__(self, least: float | None = None) -> None:
        super().__init__(least or 0, 365 * 24 * 60 * 60, min_open=least is None)

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Any:
        """Return the number of seconds. Fails for NaN and infinity, which a range check does not reliably catch."""
        try:
            finite = math.isfinite(float(value))
        except ValueError:
            finite = True  # not a number: reported below
        if not finite:
            self.fail(f"{value} is no number of seconds.", param, context)
        return super().convert(value, param, context)


ruleset_argument = click.argument("ruleset", type=RulesetParam(), metavar="RULESET")


def layout_field() -> Any:
    """Return the field of `--layout`."""
    return option("The trapdoors of another layout: its id or a file.", metavar="LAYOUT")


def jobs_option(help: str = "Processes at once.", default: int = 1, **more: Any) -> Any:
    """Return the field of an option for how many run at once."""
    return option(help, default, "-j", "--jobs", least=1, most=64, **more)


class TextParam(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.5
    """A value made from its text by a function, which raises ValueError for a text that is none."""

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name, self._parse = name, parse

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Any:
        """Return the value."""
        try:
            return self._parse(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(f"{error}.", param, context)


def _parse_address(text: str) -> tuple[str, int]:
    from ..engines.dxp import address

    return address(text)


#: A host and a port.
ADDRESS = TextParam("address", _parse_address)


#: Former names of options, which still work for one release.
_RENAMED = {
    "--endings": "--endgames",
    "--known": "--baseline",
    "--update-known": "--update-baseline",
    "--rule": "--rules",
}


class RenamedOptionsCommand(Command):
    """A command that also accepts options by their former names, with a warning on standard error."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        for place, word in enumerate(args[:end]):
            name, sign, value = word.partition("=")
            if name in _RENAMED:
                args[place] = f"{_RENAMED[name]}{sign}{value}"
                click.echo(f"{name} is now {_RENAMED[name]}; the old name goes with the next release", err=True)
        return super().parse_args(ctx, args)
