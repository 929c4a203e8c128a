"""The reference as an engine."""

from __future__ import annotations

import sys
from io import BufferedReader, RawIOBase, TextIOWrapper
from typing import TextIO

import click

from damspec import load_ruleset


@click.command()
@click.option("--lines", is_flag=True, help="Speak plain lines of text (docs/lines.md), not JSON.")
@click.option("--hub", is_flag=True, help="Speak Hub (docs/hub.md): it plays any legal move and calls illegal ones so.")
def serve(*, lines: bool, hub: bool) -> None:
    """Run the reference as an engine, on standard input and output.

    It speaks the engine protocol (docs/protocol.md), so it is checked like any other engine:

    \b
      damspec check lb -- damspec serve
    """
    if lines and hub:
        raise click.UsageError("--lines, --hub: expected one of both")
    answer = _hub if hub else _lines if lines else _json
    raw = getattr(getattr(sys.stdin, "buffer", None), "raw", None)
    if not isinstance(raw, RawIOBase):  # not a file
        answer(sys.stdin, sys.stdout)
        return
    from ..engines.serve import Waiting

    questions = BufferedReader(Waiting(raw, sys.stdout))
    answer(TextIOWrapper(questions, encoding="utf-8", errors="replace", newline="\n"), sys.stdout)


def _json(questions: TextIO, answers: TextIO) -> None:
    from ..engines.serve import serve as answer

    answer(questions, answers)


def _lines(questions: TextIO, answers: TextIO) -> None:
    from ..engines.serve import serve as answer

    answer(questions, answers, plain=True)


def _hub(questions: TextIO, answers: TextIO) -> None:
    from ..engines.hub import variants
    from ..engines.hubserve import HubServer

    ruleset_of = {value: id for id, value in reversed([*variants().of.items()])}
    values = [value for value in variants().values if value in ruleset_of]
    HubServer(lambda value: load_ruleset(ruleset_of[value]), values).serve(questions, answers)
