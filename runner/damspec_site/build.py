"""Building of the site: parts written in parallel, replacement as a whole, sitemap, and a local server."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from time import perf_counter
from typing import Any, BinaryIO

from damspec_runner.cases.case_files import pause_collection
from damspec_runner.cases.cases import cases_of
from damspec_runner.cases.perft_tables import suite_lines
from damspec_runner.document.compare import leaflet_game
from damspec_runner.document.endgames import load_record
from damspec_runner.tasks.executor import processes, run_tasks

from . import (
    case_pages,
    comparison_pages,
    game_pages,
    identify_pages,
    pages,
    play_pages,
    programmer_pages,
    rendering,
    rule_pages,
    search_index,
    words,
)
from .library import SiteData
from .pages import NOWHERE, File, Page, SiteAddress, SiteError, SiteWriteError, at, pages_in_languages
from .rendering import Renderer, assets
from .sheets import SheetWriter

#: The file that marks a folder as a build, and its text.
MARKER = ".damspec-site"
_NOTE = "This folder was made by `damspec site build`, which replaces it as a whole.\n"

#: The same page in each language, by the tag of the language.
Alternates = Mapping[str, str]


#: Makes the pages and files of a part of the site.
MakePart = Callable[[], Iterable[Page | File]]

_PARTS: Mapping[str, Callable[[SiteData], Iterable[Page | File]]] = {
    "assets": lambda _: assets(),
    "interpreter": programmer_pages.interpreter_files,
    "front": game_pages.start_pages,
    "lost": lambda _: [page for kind in ("lost", "wrong", "huffing") for page in pages_in_languages(kind)],
    "docs": lambda _: map(rendering.prose_page, rendering.PROSE),
    "changes": rule_pages.changes_pages,
    "identify": identify_pages.identify_pages,
    "games": game_pages.ruleset_pages,
    "words": words.word_files,
    "play": play_pages.play_pages,
    "workshop": play_pages.workshop_pages,
    "rules": rule_pages.rule_pages,
    "table": rule_pages.rule_table_pages,
    "compare": comparison_pages.comparison_pages,
    "map": comparison_pages.map_pages,
    "documents": rule_pages.document_pages,
    "readings": rule_pages.reading_pages,
    "engines": programmer_pages.engine_pages,
    "badges": programmer_pages.badges,
    "implement": programmer_pages.implement_pages,
    "downloads": programmer_pages.download_files,
    "search": search_index.search_pages,
    "cases": lambda library: [case_pages.browser(library), case_pages.index(library)],
}


def parts(library: SiteData) -> Mapping[str, MakePart]:
    """Return all parts of a site by name."""
    made: dict[str, MakePart] = {name: partial(make, library) for name, make in _PARTS.items()}
    for id in library.rulesets:
        made[f"games/{id}"] = partial(_game_files, library, id)
        made[f"exercises/{id}"] = partial(play_pages.exercises, library, id, cases_of(id))
    return made


def _game_files(library: SiteData, id: str) -> Iterator[Page | File]:
    """Yield a game's perft suite; of a game that is no variant its page, its sheets and its cases as well."""
    yield File(pages.suite(id), suite_lines(library.suites[id]).encode())
    if leaflet_game(id) != id:
        return
    ids = (id, *library.variants[id])
    yield from case_pages.cases_pages(library, id, [case for each in ids for case in cases_of(each)])
    writer = SheetWriter(library, [library.rulesets[each] for each in ids])
    yield game_pages.ruleset_page(library, writer)
    yield from writer.pages()


class SiteWriter:
    """Writes the parts of a site by name."""

    def __init__(self, folder: Path, address: SiteAddress) -> None:
        self._library = library = SiteData()
        self._folder = folder
        self._written: set[str] = set()
        self._folders: set[str] = set()
        self.renderer = Renderer(library, address)
        self.parts = parts(library)

    def prepare(self) -> None:
        """Make what many parts need, so that the processes that write them inherit it."""
        self.renderer.compile_templates()
        load_record()
        _ = self._library.suites, self._library.pictures

    def write(self, name: str) -> dict[str, Alternates]:
        """Write a part; return its pages with their alternates."""
        found: dict[str, Alternates] = {}
        for each in self.parts[name]():
            if isinstance(each, Page):
                found[each.path] = each.alternates
                self._put(each.path, self.renderer.html(each).encode())
            elif each.path not in self._written:  # several pages have the same picture
                self._put(each.path, each.content)
        return found

    def _put(self, path: str, content: bytes) -> None:
        """Write a file, making its folder for the first one in it."""
        folder, _, _ = path.rpartition("/")
        if folder not in self._folders:
            (self._folder / folder).mkdir(parents=True, exist_ok=True)
            self._folders.add(folder)
        (self._folder / path).write_bytes(content)
        self._written.add(path)


#: The writer of this process, by the folder that it writes into.
_writers: dict[Path, SiteWriter] = {}


def _write_part(folder: Path, address: SiteAddress, name: str) -> dict[str, Alternates]:
    """Write a part. The first call in a process that has not inherited the site's data loads it."""
    if folder not in _writers:
        _writers[folder] = SiteWriter(folder, address)
    return _writers[folder].write(name)


#: The number of parts for which a further process is worth its start.
_PARTS_A_PROCESS = 50

#: Called with the number of parts done and their total.
Tell = Callable[[int, int], None]


def _write(folder: Path, address: SiteAddress, tell: Tell) -> dict[str, Alternates]:
    """Write the site into an empty folder; return its pages with their alternates."""
    writer = _writers[folder] = SiteWriter(folder, address)
    names = {name: name for name in writer.parts}
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    jobs = min(processors, 1 + len(names) // _PARTS_A_PROCESS)
    if jobs > 1:
        writer.prepare()
    found: dict[str, Alternates] = {}
    try:
        with processes(jobs) as executor:
            for done, written in enumerate(run_tasks(executor, partial(_write_part, folder, address), names), 1):
                found |= written
                tell(done, len(names))
    finally:
        del _writers[folder]
    files = {MARKER: _NOTE}
    if address:
        files["sitemap.xml"] = writer.renderer.sitemap(found)
        files["robots.txt"] = f"User-agent: *\nAllow: /\nSitemap: {address.of('sitemap.xml')}\n"
    for path, text in files.items():
        (folder / path).write_text(text, encoding="utf-8")
    return found


@dataclass(frozen=True)
class BuildResult:
    """The result of a build: folder, number of pages, and the time in seconds."""

    folder: Path
    pages: int
    seconds: float


def build(folder: Path, address: SiteAddress = NOWHERE, tell: Tell = lambda done, of: None) -> BuildResult:
    """Write the site into a folder that is absent, empty or an earlier build.

    `address` is where it will be on the web. Raises SiteError for any other folder, and SiteWriteError if the site
    cannot be written.
    """
    begun = perf_counter()
    target = folder.resolve()
    _check(folder, target)
    with _beside(folder, target) as site, pause_collection():
        written = _write(site, address, tell)
    return BuildResult(folder, len(written), perf_counter() - begun)


def _check(folder: Path, target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise SiteError(f"{str(folder)!r} is a file, expected a folder")
    if target.is_dir() and any(target.iterdir()) and not (target / MARKER).is_file():
        raise SiteError(f"{str(folder)!r} is not empty and no earlier build (no {MARKER} in it); give another folder")


@contextmanager
def _beside(folder: Path, target: Path) -> Iterator[Path]:
    """Yield a new folder next to the target, which it replaces on success; otherwise delete it."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    except OSError as error:
        raise SiteWriteError(f"cannot write {str(folder)!r}: {error.strerror}") from None
    try:
        made.chmod(0o777 & ~_umask())
        yield made
        _swap(made, target)
    except OSError as error:
        raise SiteWriteError(f"cannot write {str(folder)!r}: {error.strerror}") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _swap(made: Path, target: Path) -> None:
    """Put a new folder in the place of another, which is deleted last."""
    old = made.with_suffix(".old")
    if target.exists():
        target.rename(old)
    try:
        made.rename(target)
    except BaseException:
        if old.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


class _QuietHandler(SimpleHTTPRequestHandler):
    """A handler that serves a folder with its own page for missing files, without logging."""

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Send the head of a file; a path that no file can have, such as one with a null byte, is not found."""
        try:
            return super().send_head()
        except ValueError:
            self.send_error(HTTPStatus.NOT_FOUND)
            return None

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Send an error, for missing files with the site's own page."""
        lost = Path(self.directory) / at("lost")
        if code != HTTPStatus.NOT_FOUND or not lost.is_file():
            super().send_error(code, message, explain)
            return
        content = lost.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    """A server that ignores browsers that disconnect."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the error of a request, unless the client has disconnected."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def make_server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server for a folder on 127.0.0.1; port 0 takes a free one. Raises SiteError if the port is taken."""
    try:
        return _Server(("127.0.0.1", port), partial(_QuietHandler, directory=str(folder)))
    except OSError as error:
        raise SiteError(f"cannot serve on port {port}: {error.strerror}") from None
