"""The options that say what an engine speaks: JSON if nothing is said, plain lines, Hub or DXP."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import click

from ..engines import hub
from ..engines.dxp import address
from ..engines.dxpengine import Opponent
from ..engines.hubengine import LEVEL

#: What the options are called.
SPEAKING = ("lines", "hub", "plays", "level", "parameters", "dxp", "dxp_listen")
#: Those whose values are a host and a port.
ADDRESSES = ("dxp", "dxp_listen")


@dataclass(frozen=True)
class Spoken:
    """What the options say; `plays` is whether an engine is asked for what it plays."""

    lines: bool = False
    hub: bool = False
    plays: bool = False
    level: str = LEVEL
    parameters: Mapping[str, str] = field(default_factory=dict)
    #: The player to speak DXP with, if that is what is spoken.
    opponent: Opponent | None = None

    @property
    def seconds(self) -> float:
        """What an engine has for a move, as far as it is said."""
        return hub.level_seconds(self.level)


class _Thinking(click.ParamType[str]):
    """How long an engine thinks about a move."""

    name = "level"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> str:
        try:
            hub.level_seconds(str(value))
        except ValueError as error:
            self.fail(f"{error}.", parameter, context)
        return str(value)


class Address(click.ParamType[tuple[str, int]]):
    """A host and a port."""

    name = "address"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> tuple[str, int]:
        if isinstance(value, tuple):
            return value
        try:
            return address(str(value))
        except ValueError as error:
            self.fail(f"{error}.", parameter, context)


_OPTIONS = (
    click.option("--lines", is_flag=True, help="The engine speaks plain lines of text (docs/lines.md), not JSON."),
    click.option("--hub", is_flag=True, help="It speaks Hub (docs/hub.md): moves are offered to it, it lists none."),
    click.option("--plays", is_flag=True, help="With --hub: ask what it plays, which has to be legal."),
    click.option(
        "--level",
        type=_Thinking(),
        default=LEVEL,
        show_default=True,
        help="With --plays or DXP: how long it thinks: move-time=SECONDS; for Hub also depth=N or nodes=N.",
    ),
    click.option(
        "--param",
        "parameters",
        multiple=True,
        metavar="NAME=VALUE",
        help="With --hub: set this parameter of the engine before it is asked; repeatable.",
    ),
    click.option(
        "--dxp",
        type=Address(),
        metavar="HOST:PORT",
        help="Play by DXP (docs/hub.md) with a player that waits there, in the place of a COMMAND.",
    ),
    click.option(
        "--dxp-listen",
        type=Address(),
        metavar="[HOST:]PORT",
        help="Play by DXP with a player that comes there; on this machine alone unless HOST says more.",
    ),
)


def spoken_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options, given to a command as one `spoken`."""

    @wraps(command)
    def speaking(
        *,
        lines: bool,
        hub: bool,
        plays: bool,
        level: str,
        parameters: tuple[str, ...],
        dxp: tuple[str, int] | None,
        dxp_listen: tuple[str, int] | None,
        **others: Any,
    ) -> Any:
        if sum(map(bool, (lines, hub, dxp, dxp_listen))) > 1:
            raise click.UsageError("--lines, --hub, --dxp, --dxp-listen: an engine speaks one of them")
        place = dxp or dxp_listen
        opponent = Opponent(*place, listens=dxp is None) if place else None
        if opponent and not level.startswith("move-time="):
            raise click.UsageError(f"--level: found {level!r}, expected move-time=SECONDS: DXP has nothing but clocks")
        if not hub and (plays or parameters):
            raise click.UsageError(f"{'--plays' if plays else '--param'}: expected it with --hub")
        given = {}
        for text in parameters:
            name, equals, value = text.partition("=")
            if not (name and equals):
                raise click.UsageError(f"--param: found {text!r}, expected NAME=VALUE")
            given[name] = value
        return command(spoken=Spoken(lines, hub, plays or opponent is not None, level, given, opponent), **others)

    for option in reversed(_OPTIONS):
        speaking = option(speaking)
    return speaking
