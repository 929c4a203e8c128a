"""`damspec site` and `damspec identify`: build and serve the site, and open its page *Which game is ours?*."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any

import click

from ..options import option
from .output import OutputError, json_field, print_json, progress_bar
from .parameters import with_options

if TYPE_CHECKING:
    from damspec_site.build import BuildResult
    from damspec_site.pages import SiteAddress


def _port_field(default: int) -> Any:
    return option("0 takes a free one.", default, least=0, most=65535, metavar="PORT")


@click.group()
def site() -> None:
    """Build the rulebook as a web site, or serve it.

    The site has pages for rules, documents, readings, cases and comparisons, with boards.

    \b
    Examples:
      damspec site build public
      damspec site serve --port 8080
    """


@site.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@with_options
def build(
    folder: Path,
    *,
    url: str | None = option("The address DIR will have on the web, for the sitemap and links."),
    contact: str | None = option(
        "A mail or web address, to which readers may write of what is wrong.", metavar="ADDRESS"
    ),
    as_json: bool = json_field(),
) -> None:
    """Write the site into the folder DIR.

    DIR has to be new, empty or an earlier build, which is replaced as a whole. The pages need no server: open
    DIR/index.html, or put DIR anywhere on a web server. With --url they state their addresses, and there is a sitemap.
    docs/publish.md has the details.

    \b
    Examples:
      damspec site build public
      damspec site build public --url https://example.org/draughts/
      damspec site build public --contact rules@example.org
    """
    from damspec_site.pages import NOWHERE, SiteAddress

    address = NOWHERE if url is None else SiteAddress.read(url)
    if contact is not None:
        address = address.with_contact(contact)
    built = _write(folder, address, shown=not as_json)
    if as_json:
        print_json(
            {
                "folder": str(built.folder),
                "pages": built.pages,
                "seconds": round(built.seconds, 2),
            }
        )
        return
    click.echo(f"{built.pages} pages in {built.seconds:.1f} s: {built.folder / 'index.html'}")


@site.command()
@with_options
def serve(*, port: int = _port_field(8000)) -> None:
    """Build the site and serve it to this computer until Ctrl-C.

    \b
    Example:
      damspec site serve --port 0
    """
    _serve(port)


@click.command()
@with_options
def identify(*, port: int = _port_field(0)) -> None:
    """Find out which game you play, on a page in your browser.

    It asks by pictures and moves on a board, and at last reads out the rules. What you play is named with what is
    otherwise, and leads to its sheet and to a ruleset file. Without a browser the address of the page is all that is
    printed. Ctrl-C ends it. docs/identify.md has the details.

    \b
    Example:
      damspec identify
    """
    from damspec_site import pages

    _serve(port, pages.at("identify"))


def _serve(port: int, page: str | None = None) -> None:
    """Build the site and serve it until Ctrl-C; open a page of it in the user's browser if one is named."""
    from damspec_site.build import make_server
    from damspec_site.pages import SiteAddress

    with TemporaryDirectory(prefix="damspec-site-") as folder, make_server(Path(folder), port) as server:
        address = SiteAddress.read(f"http://127.0.0.1:{server.server_port}/")
        _write(Path(folder), address)
        click.echo(f"{address.of(page) if page else address.text} (Ctrl-C ends it)")
        if page:  # a browser may take its time, or this terminal
            Thread(target=webbrowser.open, args=(address.of(page),), daemon=True).start()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("ended")


def _write(folder: Path, address: SiteAddress, *, shown: bool = True) -> BuildResult:
    """Build the site. Raises SiteError for a folder that is no build, OutputError if the site cannot be written."""
    from damspec_site.build import build
    from damspec_site.pages import SiteWriteError

    try:
        with progress_bar("parts of the site", None, quiet=not shown, refreshing=False) as tell:
            return build(folder, address, lambda done, total: tell(completed=done, total=total))
    except SiteWriteError as error:
        raise OutputError(str(error)) from None
