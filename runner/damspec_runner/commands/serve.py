"""The reference as an engine."""

from __future__ import annotations

import sys
from io import BufferedReader, RawIOBase, TextIOWrapper

import click


@click.command()
@click.option("--lines", is_flag=True, help="Speak plain lines of text (docs/lines.md), not JSON.")
def serve(*, lines: bool) -> None:
    """Run the reference as an engine, on standard input and output.

    It speaks the engine protocol (docs/protocol.md), so it is checked like any other engine:

    \b
      damspec check lb -- damspec serve
    """
    from ..engines.serve import Waiting
    from ..engines.serve import serve as answer

    raw = getattr(getattr(sys.stdin, "buffer", None), "raw", None)
    if not isinstance(raw, RawIOBase):  # not a file
        answer(sys.stdin, sys.stdout, plain=lines)
        return
    questions = BufferedReader(Waiting(raw, sys.stdout))
    answer(TextIOWrapper(questions, encoding="utf-8", errors="replace", newline="\n"), sys.stdout, plain=lines)
