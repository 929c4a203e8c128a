"""`damspec bridge`: an engine with a protocol of its own, as one that damspec can ask."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from .serve import flushing_input


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def bridge(file: Path) -> None:
    """Ask an engine in its own protocol, or a web service, as FILE says.

    It is checked like any other engine. FILE is YAML and says what to send and how to read the answers
    (docs/bridge.md); a command in it is run in its folder:

    \b
      damspec check english -- damspec bridge engine.yaml
    """
    from ..engines.bridge import BridgeFile, bridge_engine, request_handler
    from ..engines.serve import serve

    described = BridgeFile.load(file)
    os.chdir(file.resolve().parent)
    engine = bridge_engine(described)
    try:
        serve(flushing_input(), sys.stdout, handler=request_handler(described, engine))
    finally:
        engine.close()
