"""The options that say what an engine speaks: JSON if nothing is said, plain lines, Hub or DXP."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import click

from ..engines import hub
from ..engines.hubengine import LEVEL

#: What the options are called.
SPEAKING = ("lines", "hub", "plays", "level", "parameters")


@dataclass(frozen=True)
class Spoken:
    """What the options say; `plays` is whether an engine is asked for what it plays."""

    lines: bool = False
    hub: bool = False
    plays: bool = False
    level: str = LEVEL
    parameters: Mapping[str, str] = field(default_factory=dict)


class _Level(click.ParamType[str]):
    """How long an engine thinks about a move."""

    name = "level"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> str:
        try:
            hub.level_seconds(str(value))
        except ValueError as error:
            self.fail(f"{error}.", parameter, context)
        return str(value)


_OPTIONS = (
    click.option("--lines", is_flag=True, help="The engine speaks plain lines of text (docs/lines.md), not JSON."),
    click.option("--hub", is_flag=True, help="It speaks Hub (docs/hub.md): moves are offered to it, it lists none."),
    click.option("--plays", is_flag=True, help="With --hub: ask what it plays, which has to be legal."),
    click.option(
        "--level",
        type=_Level(),
        default=LEVEL,
        show_default=True,
        help="With --plays: how long it thinks: move-time=SECONDS, depth=N or nodes=N.",
    ),
    click.option(
        "--param",
        "parameters",
        multiple=True,
        metavar="NAME=VALUE",
        help="With --hub: set this parameter of the engine before it is asked; repeatable.",
    ),
)


def spoken_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options, given to a command as one `spoken`."""

    @wraps(command)
    def speaking(*, lines: bool, hub: bool, plays: bool, level: str, parameters: tuple[str, ...], **others: Any) -> Any:
        if lines and hub:
            raise click.UsageError("--lines, --hub: an engine speaks one of both")
        if not hub and (plays or parameters):
            raise click.UsageError(f"{'--plays' if plays else '--param'}: expected it with --hub")
        given = {}
        for text in parameters:
            name, equals, value = text.partition("=")
            if not (name and equals):
                raise click.UsageError(f"--param: found {text!r}, expected NAME=VALUE")
            given[name] = value
        return command(spoken=Spoken(lines, hub, plays, level, given), **others)

    for option in reversed(_OPTIONS):
        speaking = option(speaking)
    return speaking
