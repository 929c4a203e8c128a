"""Building the site into a folder: by several processes, only what has changed, and all or nothing.

The site is made of parts (`parts.py`). With it goes a record (`record.py`) that has, for each part, a digest of all it
was made from: the program, the files of the data that it reads, and a few facts. The next build into the same folder
makes those parts again whose digest is another now, or whose files are no longer as they were made. The files of other
parts are taken over, as links to the same content where the file system has them. What no part has is not taken over,
so pages vanish with what they are about. The result is the same as that of a build into a new folder.

A build is made beside the folder and takes its place at the end, so that whoever breaks it off finds the old one.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from tempfile import mkdtemp
from time import perf_counter

from .address import NOWHERE, SiteAddress
from .answers import Answers
from .collected import CollectedGame
from .errors import SiteError, SiteWriteError
from .inputs import Inputs, inputs
from .library import Library
from .pages import Page
from .parts import SitePart, everything, parts
from .pictures import Gallery
from .record import MARKER, Alternates, BuildRecord, Earlier, Made, boards_of, content_digest
from .rendering import Renderer
from .sitemap import sitemap

#: What a part has become: the digest of its files, its pages and its other files.
_Contents = tuple[str, Mapping[str, Alternates], tuple[str, ...]]

#: Told how many parts are done, and of how many.
Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Built:
    """What was built: where, how many pages and pictures of boards, how many pages anew, in how many seconds."""

    folder: Path
    pages: int
    boards: int
    rebuilt: int
    seconds: float

    @property
    def kept(self) -> int:
        """How many pages were taken over from the earlier build."""
        return self.pages - self.rebuilt


@dataclass(frozen=True)
class _Shown:
    """What a build is made from: data and program as they are now, the address of the site, the collected answers."""

    now: Inputs
    address: SiteAddress
    collected: Sequence[CollectedGame]

    @property
    def source(self) -> str:
        """The digest of all of it."""
        return self.now.digest(everything, *self.collected)


def build(
    folder: Path,
    address: SiteAddress = NOWHERE,
    tell: Tell = lambda done, of: None,
    collected: Sequence[CollectedGame] = (),
) -> Built:
    """Write the site into a folder that is absent, empty or an earlier build. Raises SiteError for another,
    and SiteWriteError where it cannot be written.

    `address` is where it will be on the web, `collected` are answers files that it shows.
    """
    begun = perf_counter()
    target = folder.resolve()
    _check(folder, target)
    earlier = Earlier(target)
    shown = _Shown(inputs(str(address)), address, collected)
    record = _unchanged(earlier, shown.source, address)
    made: set[str] = set()
    if record is None:
        with _beside(folder, target) as site:
            record, made = _write(site, earlier, shown, tell)
    files = {*_files(target)}
    boards = sum(path.startswith("boards/") for path in files)
    rebuilt = sum(len(record.parts[name].pages) for name in made)
    return Built(folder, len(record.pages), boards, rebuilt, perf_counter() - begun)


def _check(folder: Path, target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise SiteError(f"{str(folder)!r} is a file, expected a folder")
    if target.is_dir() and any(target.iterdir()) and not (target / MARKER).is_file():
        raise SiteError(f"{str(folder)!r} is not empty and no earlier build (no {MARKER} in it); give another folder")


def _unchanged(earlier: Earlier, source: str, address: SiteAddress) -> BuildRecord | None:
    """The record of the earlier build if nothing that it was made from has changed, and nothing in its folder."""
    record = earlier.record
    if record.source != source:
        return None
    beside = _beside_parts(record, address)
    found = [earlier.files_of(name) for name in record.parts]
    whole = None not in found and earlier.has(beside)
    there = set(beside).union(*(files for files in found if files))
    return record if whole and there == earlier.files else None


def _beside_parts(record: BuildRecord, address: SiteAddress) -> dict[str, str]:
    """The files that are about all parts."""
    return sitemap(record.pages, address) | {MARKER: record.text()}


def _write(site: Path, earlier: Earlier, shown: _Shown, tell: Tell) -> tuple[BuildRecord, set[str]]:
    """Write the site into an empty folder; the record of it, and the names of the parts that were made anew."""
    library, gallery = Library(), Gallery()
    address = shown.address
    wanted = {part.name: part for part in parts(library, Answers(library, gallery), address, shown.collected)}
    sources = {name: shown.now.digest(part.reads, *part.facts) for name, part in wanted.items()}
    kept = {name: made for name, made in earlier.record.parts.items() if sources.get(name) == made.source}
    for name in [*kept]:
        files = earlier.files_of(name)
        if files is None:
            del kept[name]
        else:
            _take_over(files, earlier.folder, site)
    workshop = _Workshop(site, Renderer(library, address), gallery)
    changed = [part for name, part in wanted.items() if name not in kept]
    made: dict[str, Made] = {}
    for name, contents in _all_made(workshop, changed):
        made[name] = Made(sources[name], *contents)
        tell(len(made), len(changed))
    record = BuildRecord(shown.source, kept | made)
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
            except OSError:  # a file system without links to files
                shutil.copy2(old / path, target)


@dataclass(frozen=True)
class _Workshop:
    """Where parts are made: the folder they go to, and what pages and boards are made with."""

    site: Path
    renderer: Renderer
    gallery: Gallery

    def make(self, part: SitePart) -> _Contents:
        """Write a part with the boards on it."""
        pages: dict[str, Alternates] = {}
        contents: dict[str, bytes] = {}
        for each in part.make():
            contents[each.path] = self.renderer.html(each).encode() if isinstance(each, Page) else each.content
            if isinstance(each, Page):
                pages[each.path] = each.alternates
        shown = {address for content in contents.values() for address in boards_of(content)}
        for path, content in (contents | {address: self.gallery.drawn[address] for address in shown}).items():
            target = self.site / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return content_digest(contents), pages, tuple(sorted(contents.keys() - pages))


def _all_made(workshop: _Workshop, changed: list[SitePart]) -> Iterator[tuple[str, _Contents]]:
    """Make parts; each by its name as soon as it is done.

    The processes that do it are copies of this one, which have all that is read already.
    """
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if min(processors, len(changed)) < 2 or "fork" not in get_all_start_methods():
        yield from ((part.name, workshop.make(part)) for part in changed)
        return
    gc.freeze()  # what the copies share is not looked through, which would copy it
    workers = ProcessPoolExecutor(processors, get_context("fork"), _begin, (workshop, changed))
    try:
        tasks = {workers.submit(_make, number): part.name for number, part in enumerate(changed)}
        for done in as_completed(tasks):
            yield tasks[done], done.result()
    finally:
        workers.shutdown(cancel_futures=True)
        gc.unfreeze()


#: What such a process makes parts with.
_begun: tuple[_Workshop, list[SitePart]]


def _begin(workshop: _Workshop, changed: list[SitePart]) -> None:
    """Begin such a process, which leaves it to the first one to be interrupted."""
    global _begun
    _begun = workshop, changed
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _make(number: int) -> _Contents:
    workshop, changed = _begun
    return workshop.make(changed[number])


def _files(folder: Path) -> Iterator[str]:
    return (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@contextmanager
def _beside(folder: Path, target: Path) -> Iterator[Path]:
    """A new folder beside another, which it replaces if all goes well; otherwise the new one is deleted."""
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
    """Put a new folder in the place of another, which is deleted only then."""
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
