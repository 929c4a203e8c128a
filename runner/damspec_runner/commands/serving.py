"""The reference as an engine."""

from __future__ import annotations

import sys

import click


@click.command()
def serve() -> None:
    """Answer the engine protocol on standard input and output (docs/protocol.md).

    With it the reference is checked like any other engine: damspec check lb -- damspec serve
    """
    from ..serve import serve as answer

    answer(sys.stdin, sys.stdout)
