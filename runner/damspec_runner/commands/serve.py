"""The reference as an engine."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click


@click.command()
def serve() -> None:
    """Run the reference as an engine, on standard input and output.

    It speaks the engine protocol (docs/protocol.md), so it is checked like any other engine:

    \b
      damspec check lb -- damspec serve
    """
    from ..engines.serve import serve as answer

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    answer(sys.stdin, sys.stdout)
