"""The rulebook as a web site: static pages for people, made from the same data as everything else.

`build(Path("public"))` writes it. A build takes the place of an earlier one as a whole, and of nothing else.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from time import perf_counter

from damspec import DamspecError

from ...cases.suites import suite_lines
from ..rulebook import languages
from . import cases, documents, downloads, engines, general, implement, links, readings, rules, rulesets, sheets
from .answers import Answers
from .comparisons import Comparisons
from .library import Library
from .pages import Page
from .pictures import Gallery
from .rendering import Renderer, assets

#: A file by which a build is known.
MARKER = ".damspec-site"
_NOTE = "This folder was made by `damspec site build`, which replaces it as a whole.\n"


class SiteError(DamspecError):
    """A folder that the site cannot be built into."""


@dataclass(frozen=True)
class Built:
    """What was built: where, how many pages and pictures of boards, in how many seconds."""

    folder: Path
    pages: int
    boards: int
    seconds: float


def build(folder: Path) -> Built:
    """Write the site into a folder that is absent, empty or an earlier build. Raises SiteError for another."""
    begun = perf_counter()
    target = folder.resolve()
    _check(folder, target)
    with _beside(folder, target) as site:
        pages, boards = _write(site)
    return Built(folder, pages, boards, perf_counter() - begun)


def _write(site: Path) -> tuple[int, int]:
    folders = "assets boards cases compare documents engines engines/badges implement perft readings rules rulesets"
    for name in (*folders.split(), *(language.tag for language in languages()[1:])):
        (site / name).mkdir()
    for name, content in assets().items():
        (site / "assets" / name).write_text(content, encoding="utf-8")
    library, gallery = Library(), Gallery(site)
    for id, suite in library.suites.items():
        (site / links.suite(id)).write_text(suite_lines(suite), encoding="utf-8")
    for address, text in (*engines.files(library).items(), *downloads.files(library)):
        (site / address).write_text(text, encoding="utf-8")
    renderer = Renderer(library)
    number = 0
    for page in _pages(library, Answers(library, gallery)):
        (site / page.path).write_text(renderer.html(page), encoding="utf-8")
        number += 1
    (site / MARKER).write_text(_NOTE, encoding="utf-8")
    return number, len(gallery)


def _pages(library: Library, answers: Answers) -> Iterator[Page]:
    comparisons = Comparisons(library, answers)
    yield from general.pages(library, comparisons)
    yield from rulesets.pages(library, answers)
    yield from sheets.pages(library, answers)
    yield from rules.pages(library, comparisons)
    yield from documents.pages(library)
    yield from readings.pages(library, answers)
    yield from engines.pages(library)
    yield from implement.pages(library, answers, general.PROSE)
    yield from cases.pages(library, answers)
    yield from comparisons.pages()


def _check(folder: Path, target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise SiteError(f"{str(folder)!r} is a file, expected a folder")
    if target.is_dir() and any(target.iterdir()) and not (target / MARKER).is_file():
        raise SiteError(f"{str(folder)!r} is not empty and no earlier build (no {MARKER} in it); give another folder")


@contextmanager
def _beside(folder: Path, target: Path) -> Iterator[Path]:
    """A new folder beside another, which it replaces if all goes well; otherwise the new one is deleted."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    except OSError as error:
        raise SiteError(f"cannot write {str(folder)!r}: {error.strerror}") from None
    try:
        made.chmod(0o777 & ~_umask())
        yield made
        _swap(made, target)
    except OSError as error:
        raise SiteError(f"cannot write {str(folder)!r}: {error.strerror}") from None
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
