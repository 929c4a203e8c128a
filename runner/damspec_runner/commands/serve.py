"""The reference as an engine."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click


@click.command()
def serve() -> None:
    """Answer the engine protocol on standard input and output (docs/protocol.md).

    With it the reference is checked like any other engine: damspec check lb -- damspec serve
    """
    from ..engines.serve import serve as answer

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    answer(sys.stdin, sys.stdout)
