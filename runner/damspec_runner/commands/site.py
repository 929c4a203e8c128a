"""The rulebook as a web site: building and serving it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from .collecting import collected
from .files import CannotWrite
from .output import console, json_option, print_json

if TYPE_CHECKING:
    from ..document.site import Built, CollectedGame, SiteAddress


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
@click.option("--url", help="The address that DIR will have on the web, for a sitemap and the like.")
@click.option(
    "--collected",
    "told",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Show the answers files of FOLDER too, as a table and on a map.",
)
@json_option
def build(folder: Path, url: str | None, told: Path | None, as_json: bool) -> None:
    """Write the site into the folder DIR.

    DIR has to be new, empty or an earlier build, of which only what has changed is built again. The pages need no
    server: open DIR/index.html, or put DIR anywhere on a web server. With --url they say where they are: there is a
    sitemap, and other sites show a board where a page is linked. docs/publish.md has it all. With --collected there is
    a table and a map of the games that answers files tell, which `damspec identify --save` writes.

    \b
    Examples:
      damspec site build public
      damspec site build public --url https://example.org/draughts/
      damspec site build public --collected answers
    """
    from ..document.site import NOWHERE, SiteAddress

    address = NOWHERE if url is None else SiteAddress.read(url)
    games = () if told is None else collected(told)
    built = _write(folder, address, games, shown=not as_json)
    if as_json:
        print_json(
            {
                "folder": str(built.folder),
                "pages": built.pages,
                "boards": built.boards,
                "rebuilt": built.rebuilt,
                "kept": built.kept,
                "seconds": round(built.seconds, 2),
            }
        )
        return
    click.echo(f"{built.pages} pages, {built.boards} boards in {built.seconds:.1f} s: {built.folder / 'index.html'}")
    if built.kept:
        click.echo(f"{built.rebuilt} pages rebuilt, {built.kept} kept")


@site.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
def serve(port: int) -> None:
    """Build the site and serve it to this computer until Ctrl-C.

    \b
    Example:
      damspec site serve --port 0
    """
    from ..document.site import SiteAddress
    from ..document.site.serving import served

    with TemporaryDirectory(prefix="damspec-site-") as folder, served(Path(folder), port) as server:
        address = SiteAddress.read(f"http://127.0.0.1:{server.server_port}/")
        _write(Path(folder), address)
        click.echo(f"{address.text} (Ctrl-C ends it)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("ended")


def _write(folder: Path, address: SiteAddress, games: Sequence[CollectedGame] = (), *, shown: bool = True) -> Built:
    """Build the site. Raises SiteError for a folder that is something else, CannotWrite where there is no room, say."""
    from ..document.site import SiteWriteError, build

    try:
        with _progress(shown=shown) as tell:
            return build(folder, address, tell, games)
    except SiteWriteError as error:
        raise CannotWrite(str(error)) from None


@contextmanager
def _progress(*, shown: bool = True) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, to be told how much is done. It is drawn when told: no thread runs while processes begin."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    err = console(stderr=True)
    columns = (TextColumn("parts of the site"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=err, transient=True, auto_refresh=False, disable=not (shown and err.is_terminal)
    ) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of, refresh=True)
