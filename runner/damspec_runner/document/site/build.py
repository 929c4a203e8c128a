"""Building of the site: parts, incremental rebuilds, atomic writing, sitemap, and a local server."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from itertools import groupby
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from tempfile import mkdtemp
from time import perf_counter
from typing import Any, BinaryIO
from xml.sax.saxutils import escape, quoteattr

import damspec
from damspec import Ruleset, data

from ...cases.cases import Case
from ...cases.perft_tables import suite_lines
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
)
from .boards import Answers, BoardPictures
from .comparison_pages import Comparisons
from .identify_pages import CollectedGame
from .library import SiteData
from .pages import LOST, NOWHERE, File, Page, Previews, SiteAddress, SiteError, SiteWriteError, board
from .rendering import Renderer, assets

#: The folders of the data, whose files are tracked one by one; all other files count as the program.
_DATA = ("cases", "docs", "known", "reference/javascript", "spec")
#: The libraries whose versions affect the output.
_LIBRARIES = ("jinja2", "markdown-it-py", "markupsafe", "pyyaml", "resvg-py")


@dataclass(frozen=True)
class Inputs:
    """The digests of the data files, by path relative to the data's root, and of everything else."""

    files: Mapping[str, str]
    program: str

    def digest(self, reads: Callable[[str], bool] = lambda path: True, *facts: object) -> str:
        """Return a digest of the program, of the data files that are read, and of further facts."""
        read = [f"{path} {digest}" for path, digest in self.files.items() if reads(path)]
        return digest_of(self.program, *read, *map(repr, facts))


def inputs(*options: str) -> Inputs:
    """Return the inputs of a build with these options, as they are now."""
    root = data.root()
    files = {path.relative_to(root).as_posix(): _digest(path) for name in _DATA for path in _input_files(root / name)}
    program = (
        f"{path.relative_to(folder).as_posix()} {_digest(path)}"
        for folder in _folders()
        for path in _input_files(folder)
        if not any(path.is_relative_to(root / name) for name in _DATA)
    )
    return Inputs(files, digest_of(sys.version, *map(_version, _LIBRARIES), *options, *program))


def digest_of(*texts: str) -> str:
    """Return a digest of a sequence of texts."""
    return sha256("\0".join(texts).encode()).hexdigest()


def _folders() -> Iterable[Path]:
    """Return the two packages and the schemas."""
    return Path(damspec.__file__).parent, Path(__file__).parents[2], data.root() / "schemas"


def _input_files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and path.parent.name != "__pycache__")


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _version(library: str) -> str:
    try:
        return f"{library} {version(library)}"
    except PackageNotFoundError:
        return f"no {library}"


#: A predicate on paths of data files: whether a part reads the file.
Reads = Callable[[str], bool]


#: The data behind every page's frame: words in its language.
_AROUND = "spec/rulebook/"


def everything(path: str) -> bool:
    """Accept every path."""
    return True


@dataclass(frozen=True)
class SitePart:
    """A named part: how to make its pages and files, the data it reads, and facts from other data."""

    name: str
    make: Callable[[], Iterable[Page | File]]
    reads: Reads = everything
    facts: tuple[object, ...] = ()


def parts(
    library: SiteData, answers: Answers, address: SiteAddress, told: Sequence[CollectedGame] = ()
) -> Iterator[SitePart]:
    """Yield all parts of a site for an address, with the collected answers files."""
    comparisons = Comparisons(library, answers)
    folders = [f"cases/{id}/" for id in library.rulesets]
    previews = Previews(library) if address else None
    no_cases = _all_but("docs/", "known/", "cases/generated/perft/", *folders)
    no_engines = _all_but("docs/", "known/")
    yield SitePart("assets", assets, lambda path: False)
    yield SitePart(
        "interpreter", lambda: programmer_pages.interpreter_files(library), _only("spec/", programmer_pages.FOLDER)
    )
    yield SitePart("front", lambda: game_pages.start_pages(library, comparisons), no_engines)
    yield SitePart("lost", lambda: [rendering.lost()], _only(_AROUND))
    for name in rendering.PROSE:
        yield _prose(name)
    yield SitePart("changes", lambda: rule_pages.changes_pages(library, address), no_engines)
    yield SitePart("games", lambda: game_pages.ruleset_pages(library), no_cases)
    for ruleset in library.rulesets.values():
        yield _game(library, answers, ruleset, folders, previews)
    yield SitePart("play", lambda: play_pages.play_pages(library), _only("spec/"))
    yield SitePart("rules", lambda: rule_pages.rule_pages(library, comparisons), no_cases)
    yield SitePart("table", lambda: rule_pages.rule_table_pages(library), no_cases)
    yield SitePart(
        "compare",
        lambda: (*comparison_pages.pair_pages(comparisons), *comparison_pages.family_pages(comparisons)),
        no_cases,
    )
    yield SitePart("map", lambda: comparison_pages.map_pages(library), no_cases)
    yield SitePart(
        "identify",
        lambda: identify_pages.identify_pages(library, answers.pictures, bool(told)),
        no_cases,
        (bool(told),),
    )
    if told:
        yield SitePart(
            "collected", lambda: identify_pages.collected_pages(library, answers.pictures, told), no_cases, (*told,)
        )
    yield SitePart("documents", lambda: rule_pages.document_pages(library), no_engines)
    yield SitePart("readings", lambda: rule_pages.reading_pages(library, answers), no_engines)
    yield SitePart(
        "engines",
        lambda: (*programmer_pages.engine_pages(library), *programmer_pages.badges(library)),
        _all_but("docs/"),
    )
    yield SitePart(
        "implement",
        lambda: (*programmer_pages.implement_pages(library, answers), *programmer_pages.download_files(library)),
        _all_but("docs/"),
    )
    yield SitePart(
        "workshop", lambda: play_pages.workshop_pages(library), _all_but("docs/", "known/", "cases/generated/perft/")
    )
    made_for = case_pages.made_for(library)
    no_suites = _all_but("known/", "cases/generated/perft/", *folders)
    yield SitePart("search", lambda: search_index.search_pages(library), no_suites, (made_for,))
    yield SitePart("cases", lambda: [case_pages.browser(library)], no_engines)
    yield from _lists(library, answers)
    yield from _cases(library, answers)


def _only(*prefixes: str) -> Reads:
    return lambda path: path.startswith(prefixes)


def _all_but(*prefixes: str) -> Reads:
    return lambda path: not path.startswith(prefixes)


def _prose(name: str) -> SitePart:
    """Return the part for a page of docs/."""
    return SitePart(f"docs/{name}", lambda: [rendering.prose(name)], _only(_AROUND, f"docs/{name}.md"))


def _game(
    library: SiteData, answers: Answers, ruleset: Ruleset, folders: list[str], previews: Previews | None
) -> SitePart:
    """Return the part for a game's pages in all languages; of the cases it reads only the game's."""

    def make() -> Iterator[Page | File]:
        yield game_pages.page(library, answers, ruleset)
        yield from game_pages.sheet_pages(library, answers, [ruleset])
        yield File(pages.suite(ruleset.id), suite_lines(library.suites[ruleset.id]).encode())
        if previews:
            yield from previews.files(ruleset)

    family = {f"cases/{id}/" for id in (ruleset.id, *ruleset.family)}
    others = (each for each in folders if each not in family)
    return SitePart(f"games/{ruleset.id}", make, _all_but("docs/", "known/", *others))


def _cases(library: SiteData, answers: Answers) -> Iterator[SitePart]:
    """Yield a part for each file of cases.

    It reads the rulesets that have one of its cases, with those they extend; of other cases it depends only on their
    ids.
    """
    ids = digest_of(*library.cases)
    for file, group in groupby(library.cases.values(), key=lambda case: (case.ruleset, case.topic)):
        shown = [*group]
        players = [library.players_of[case.id] for case in shown]
        own = "cases/{}/{}.yaml".format(*file)
        yield SitePart(
            own.removesuffix(".yaml"),
            _part_pages(library, answers, shown),
            _of_cases(own, _spoken(library, players)),
            (ids, players),
        )


def _lists(library: SiteData, answers: Answers) -> Iterator[SitePart]:
    """Yield the parts for a ruleset's own cases: as exercises, and as a list.

    The list also shows how many cases the ruleset inherits. An exercise's explanation of an illegal move depends on the
    rule values of all games.
    """
    rulesets = {f"spec/rulesets/{id}.yaml" for id in library.rulesets}
    for id, group in groupby(library.cases.values(), key=lambda case: case.ruleset):
        own = [*group]
        players = [library.players_of[case.id] for case in own]
        reads = _of_cases(f"cases/{id}/", _spoken(library, players))
        yield SitePart(f"exercises/{id}", _exercises(library, answers, id, own), _of_cases(f"cases/{id}/", rulesets))
        inherited = [(other.name, number) for other, number in case_pages.counted(library, id)[1]]
        yield SitePart(f"lists/{id}", _listed(library, answers, id, own), reads, (players, inherited))


def _listed(library: SiteData, answers: Answers, id: str, own: list[Case]) -> Callable[[], Iterator[Page | File]]:
    return lambda: case_pages.listed(library, answers, id, own)


def _exercises(library: SiteData, answers: Answers, id: str, own: list[Case]) -> Callable[[], Iterator[File]]:
    return lambda: iter([play_pages.exercises(library, answers, id, own)])


def _spoken(library: SiteData, players: list[list[str]]) -> set[str]:
    """Return the files of some rulesets and of those they extend."""
    games = [library.rulesets[id] for found in players for id in found]
    return {f"spec/rulesets/{id}.yaml" for game in games for id in (game.id, *game.family)}


def _part_pages(library: SiteData, answers: Answers, shown: list[Case]) -> Callable[[], Iterator[Page]]:
    return lambda: case_pages.each(library, answers, shown)


def _of_cases(own: str, spoken: set[str]) -> Reads:
    others = _all_but("docs/", "known/", "cases/", "spec/rulesets/")
    return lambda path: path.startswith(own) or path in spoken or others(path)


#: The file that marks a folder as a build.
MARKER = ".damspec-site"
_NOTE = "This folder was made by `damspec site build`, which replaces it as a whole."
_BOARD = re.compile(rb"boards/[0-9a-f]{16}\.svg")

#: The same page in other languages, with the tags of the languages.
Alternates = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Made:
    """The result of a part: digests of its inputs and of its files, its pages, and its other files."""

    source: str
    content: str
    pages: Mapping[str, Alternates]
    others: tuple[str, ...]


@dataclass(frozen=True)
class BuildManifest:
    """The record of a build: a digest of all inputs, and its parts by name."""

    source: str
    parts: Mapping[str, Made]

    @property
    def pages(self) -> dict[str, Alternates]:
        """The pages of all parts."""
        return {page: alternates for part in self.parts.values() for page, alternates in part.pages.items()}

    def text(self) -> str:
        """Return the record as the text of its file."""
        parts = {name: asdict(part) for name, part in self.parts.items()}
        return json.dumps({"note": _NOTE, "source": self.source, "parts": parts}, sort_keys=True, indent=0) + "\n"


def _read(folder: Path) -> BuildManifest:
    """Read the record of an earlier build in a folder; an empty one if there is none that can be read."""
    try:
        found = json.loads((folder / MARKER).read_text(encoding="utf-8"))
        parts = {name: _read_part(part) for name, part in found["parts"].items()}
        return BuildManifest(found["source"], parts)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return BuildManifest("", {})


def _read_part(part: Mapping[str, object]) -> Made:
    pages, others = part["pages"], part["others"]
    assert isinstance(pages, dict)
    assert isinstance(others, list)
    alternates = {page: tuple((tag, href) for tag, href in given) for page, given in pages.items()}
    return Made(str(part["source"]), str(part["content"]), alternates, tuple(others))


def boards_of(content: bytes) -> set[str]:
    """Return the addresses of the boards to which a file refers."""
    return {found.decode() for found in _BOARD.findall(content)}


def content_digest(contents: Mapping[str, bytes]) -> str:
    """Return a digest of files by path and content."""
    return digest_of(*(f"{path} {sha256(contents[path]).hexdigest()}" for path in sorted(contents)))


class Earlier:
    """An earlier build: its record and the files that exist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.record = _read(folder)
        self.files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        self._boards: dict[str, bool] = {}

    def files_of(self, name: str) -> set[str] | None:
        """Return the files of a part with their boards; None if any is missing or changed."""
        made = self.record.parts[name]
        files = {*made.pages, *made.others}
        if not files <= self.files:
            return None
        contents = {path: (self.folder / path).read_bytes() for path in files}
        shown = {address for content in contents.values() for address in boards_of(content)}
        whole = content_digest(contents) == made.content and all(map(self._has_board, shown))
        return files | shown if whole else None

    def has(self, texts: Mapping[str, str]) -> bool:
        """Return whether files exist with exactly these contents."""
        return texts.keys() <= self.files and all(
            (self.folder / path).read_bytes() == text.encode() for path, text in texts.items()
        )

    def _has_board(self, address: str) -> bool:
        if address not in self._boards:
            there = address in self.files
            self._boards[address] = there and address == board((self.folder / address).read_bytes())
        return self._boards[address]


_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
)


def sitemap(pages: Mapping[str, Alternates], address: SiteAddress) -> dict[str, str]:
    """Return the sitemap files of a site with these pages, by path; none without an address."""
    if not address:
        return {}
    entries = "\n".join(_entry(page, pages[page], address) for page in sorted(pages) if page != LOST)
    return {
        "sitemap.xml": f"{_HEAD}\n{entries}\n</urlset>\n",
        "robots.txt": f"User-agent: *\nAllow: /\nSitemap: {address.of('sitemap.xml')}\n",
    }


def _entry(page: str, alternates: Alternates, address: SiteAddress) -> str:
    return "".join(("<url>", *_lines(page, alternates, address), "</url>"))


def _lines(page: str, alternates: Alternates, address: SiteAddress) -> Iterator[str]:
    yield f"<loc>{escape(address.of(page))}</loc>"
    for tag, href in alternates:
        yield f'<xhtml:link rel="alternate" hreflang={quoteattr(tag)} href={quoteattr(address.of(href))}/>'


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
        lost = Path(self.directory) / LOST
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


def served(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server for a folder on 127.0.0.1; port 0 takes a free one. Raises SiteError if the port is taken."""
    try:
        return _Server(("127.0.0.1", port), partial(_QuietHandler, directory=str(folder)))
    except OSError as error:
        raise SiteError(f"cannot serve on port {port}: {error.strerror}") from None


#: The contents of a part: the digest of its files, its pages and its other files.
_Contents = tuple[str, Mapping[str, Alternates], tuple[str, ...]]

#: Called with the number of parts done and their total.
Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Built:
    """The result of a build: folder, numbers of pages, boards and rebuilt pages, and the time in seconds."""

    folder: Path
    pages: int
    boards: int
    rebuilt: int
    seconds: float

    @property
    def kept(self) -> int:
        """The number of pages kept from the earlier build."""
        return self.pages - self.rebuilt


@dataclass(frozen=True)
class _BuildInputs:
    """The inputs of a build: data and program as they are now, the site's address, the collected answers."""

    now: Inputs
    address: SiteAddress
    collected: Sequence[CollectedGame]

    @property
    def source(self) -> str:
        """The digest of all inputs."""
        return self.now.digest(everything, *self.collected)


def build(
    folder: Path,
    address: SiteAddress = NOWHERE,
    tell: Tell = lambda done, of: None,
    collected: Sequence[CollectedGame] = (),
) -> Built:
    """Write the site into a folder that is absent, empty or an earlier build.

    `address` is where it will be on the web, `collected` are answers files that it shows. Raises SiteError for any
    other folder, and SiteWriteError if the site cannot be written.
    """
    begun = perf_counter()
    target = folder.resolve()
    _check(folder, target)
    earlier = Earlier(target)
    shown = _BuildInputs(inputs(str(address)), address, collected)
    record = _reusable_manifest(earlier, shown.source, address)
    made: set[str] = set()
    if record is None:
        with _beside(folder, target) as site:
            record, made = _write(site, earlier, shown, tell)
    files = {*_site_files(target)}
    boards = sum(path.startswith("boards/") for path in files)
    rebuilt = sum(len(record.parts[name].pages) for name in made)
    return Built(folder, len(record.pages), boards, rebuilt, perf_counter() - begun)


def _check(folder: Path, target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise SiteError(f"{str(folder)!r} is a file, expected a folder")
    if target.is_dir() and any(target.iterdir()) and not (target / MARKER).is_file():
        raise SiteError(f"{str(folder)!r} is not empty and no earlier build (no {MARKER} in it); give another folder")


def _reusable_manifest(earlier: Earlier, source: str, address: SiteAddress) -> BuildManifest | None:
    """Return the record of the earlier build if neither its inputs nor its files have changed."""
    record = earlier.record
    if record.source != source:
        return None
    beside = _beside_parts(record, address)
    found = [earlier.files_of(name) for name in record.parts]
    whole = None not in found and earlier.has(beside)
    there = set(beside).union(*(files for files in found if files))
    return record if whole and there == earlier.files else None


def _beside_parts(record: BuildManifest, address: SiteAddress) -> dict[str, str]:
    """Return the files that concern all parts."""
    return sitemap(record.pages, address) | {MARKER: record.text()}


def _write(site: Path, earlier: Earlier, shown: _BuildInputs, tell: Tell) -> tuple[BuildManifest, set[str]]:
    """Write the site into an empty folder; return its record and the names of the rebuilt parts."""
    library, pictures = SiteData(), BoardPictures()
    address = shown.address
    wanted = {part.name: part for part in parts(library, Answers(library, pictures), address, shown.collected)}
    sources = {name: shown.now.digest(part.reads, *part.facts) for name, part in wanted.items()}
    kept = {name: made for name, made in earlier.record.parts.items() if sources.get(name) == made.source}
    for name in [*kept]:
        files = earlier.files_of(name)
        if files is None:
            del kept[name]
        else:
            _take_over(files, earlier.folder, site)
    workshop = _PartWriter(site, Renderer(library, address), pictures)
    changed = [part for name, part in wanted.items() if name not in kept]
    made: dict[str, Made] = {}
    for name, contents in _make_all(workshop, changed):
        made[name] = Made(sources[name], *contents)
        tell(len(made), len(changed))
    record = BuildManifest(shown.source, kept | made)
    for path, text in _beside_parts(record, address).items():
        (site / path).write_text(text, encoding="utf-8")
    return record, set(made)


def _take_over(files: set[str], old: Path, site: Path) -> None:
    for path in files:
        target = site / path
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(old / path, target)
            except OSError:  # a file system without hard links
                shutil.copy2(old / path, target)


@dataclass(frozen=True)
class _PartWriter:
    """The target folder of parts, with what their pages and boards are made with."""

    site: Path
    renderer: Renderer
    pictures: BoardPictures

    def make(self, part: SitePart) -> _Contents:
        """Write a part with its boards."""
        pages: dict[str, Alternates] = {}
        contents: dict[str, bytes] = {}
        for each in part.make():
            contents[each.path] = self.renderer.html(each).encode() if isinstance(each, Page) else each.content
            if isinstance(each, Page):
                pages[each.path] = each.alternates
        shown = {address for content in contents.values() for address in boards_of(content)}
        for path, content in (contents | {address: self.pictures.drawn[address] for address in shown}).items():
            target = self.site / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return content_digest(contents), pages, tuple(sorted(contents.keys() - pages))


def _make_all(workshop: _PartWriter, changed: list[SitePart]) -> Iterator[tuple[str, _Contents]]:
    """Yield each part by name as soon as it is made.

    Forked processes do the work, sharing all data loaded so far.
    """
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if min(processors, len(changed)) < 2 or "fork" not in get_all_start_methods():
        yield from ((part.name, workshop.make(part)) for part in changed)
        return
    gc.freeze()  # garbage collection would copy the pages shared with the forks
    workers = ProcessPoolExecutor(processors, get_context("fork"), _begin, (workshop, changed))
    try:
        tasks = {workers.submit(_make, number): part.name for number, part in enumerate(changed)}
        for done in as_completed(tasks):
            yield tasks[done], done.result()
    finally:
        workers.shutdown(cancel_futures=True)
        gc.unfreeze()


#: What a forked process makes parts with.
_begun: tuple[_PartWriter, list[SitePart]]


def _begin(workshop: _PartWriter, changed: list[SitePart]) -> None:
    """Initialise a forked process, leaving SIGINT to the parent."""
    global _begun
    _begun = workshop, changed
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _make(number: int) -> _Contents:
    workshop, changed = _begun
    return workshop.make(changed[number])


def _site_files(folder: Path) -> Iterator[str]:
    return (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


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
