"""What several commands take: a ruleset, a position, the trapdoors of another layout, seconds."""

from __future__ import annotations

import math
from collections.abc import Container
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from damspec import Position, Ruleset, load_ruleset, ruleset_ids, with_layout


class RulesetParam(click.ParamType[Ruleset]):
    """A ruleset by its id, an id with readings, or the path of a file. Raises RulesetError or FileError."""

    name = "ruleset"

    def convert(self, value: str | Ruleset, param: click.Parameter | None, context: click.Context | None) -> Ruleset:
        """The ruleset that a word on the command line names."""
        return value if isinstance(value, Ruleset) else load_ruleset(value)

    def shell_complete(self, context: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The ids that a shell may offer."""
        return offered(context, param, incomplete)


class Seconds(click.FloatRange):
    """A time limit: at least `least` seconds, or more than none, and at most a year, which every timer can wait."""

    def __init__(self, least: float | None = None) -> None:
        super().__init__(least or 0, 365 * 24 * 60 * 60, min_open=least is None)

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Any:
        """The number of seconds. Fails for NaN and infinity, which are in or out of a range by accident."""
        try:
            finite = math.isfinite(float(value))
        except ValueError:
            finite = True  # no number at all, which is said below
        if not finite:
            self.fail(f"{value} is no number of seconds.", param, context)
        return super().convert(value, param, context)


def offered(context: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of rulesets that a shell may offer."""
    return [CompletionItem(id) for id in ruleset_ids() if id.startswith(incomplete)]


ruleset_argument = click.argument("ruleset", type=RulesetParam(), metavar="RULESET")
optional_ruleset_argument = click.argument("ruleset", type=RulesetParam(), metavar="[RULESET]", required=False)
position_argument = click.argument("position")
layout_option = click.option("--layout", metavar="LAYOUT", help="The trapdoors of another layout: its id or a file.")


def check_fitting(option: str, fitting: Container[str]) -> None:
    """Raise UsageError for an option of the command that was given and does not go with another, `option`."""
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        if name not in fitting and context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"{parameter.opts[0]} does not go with {option}")


def placed(ruleset: Ruleset, position: str, layout: str | None) -> tuple[Ruleset, Position]:
    """A ruleset, with another layout if one is given, and a position of it."""
    chosen = with_layout(ruleset, layout) if layout is not None else ruleset
    return chosen, chosen.position(position)
