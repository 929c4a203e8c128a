"""What commands share in printing: JSON, and a console that prints plain text into pipes."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
algebraic_option = click.option("--algebraic", is_flag=True, help="Print squares as a1, b2, ... instead of numbers.")

strict_option = click.option(
    "--strict",
    is_flag=True,
    help="Fail, too, on answers that are right only under an open reading, moves listed twice, and lapses left out.",
)


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


class _Console(Console):
    """A console that tells of a closed pipe instead of ending the program."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """A console that colours only on a terminal and does not break lines in a pipe."""
    made = _Console(stderr=stderr, highlight=False)
    if not made.is_terminal:
        made = _Console(stderr=stderr, highlight=False, width=160, no_color=True)
    return made
