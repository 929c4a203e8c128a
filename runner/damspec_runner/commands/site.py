"""The rulebook as a web site: building and serving it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from .output import json_option, print_json


@click.group()
def site() -> None:
    """Build the rulebook as a web site, or serve it.

    It has pages for rules, documents, readings, cases and comparisons, with boards.

    \b
    Examples:
      damspec site build public
      damspec site serve --port 8080
    """


@site.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@json_option
def build(folder: Path, as_json: bool) -> None:
    """Write the site into the folder DIR.

    DIR has to be new, empty or an earlier build. The pages need no server: open DIR/index.html, or put DIR anywhere on
    a web server.

    \b
    Example:
      damspec site build public
    """
    from ..document.site import build as write

    built = write(folder)
    if as_json:
        print_json(
            {
                "folder": str(built.folder),
                "pages": built.pages,
                "boards": built.boards,
                "seconds": round(built.seconds, 2),
            }
        )
        return
    click.echo(f"{built.pages} pages, {built.boards} boards in {built.seconds:.1f} s: {built.folder / 'index.html'}")


@site.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
def serve(port: int) -> None:
    """Build the site and serve it to this computer until Ctrl-C.

    \b
    Example:
      damspec site serve --port 0
    """
    from ..document.site import build as write
    from ..document.site.serving import served

    with TemporaryDirectory(prefix="damspec-site-") as folder, served(Path(folder), port) as server:
        write(Path(folder))
        click.echo(f"http://127.0.0.1:{server.server_port}/ (Ctrl-C ends it)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("ended")
