"""The Markdown pages: lines of one width, and links inside the project that lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from runs import for_each

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    path
    for pattern in ("*.md", "[a-z]*/*.md", "runner/examples/*.md", "reference/javascript/*.md")
    for path in ROOT.glob(pattern)
)
#: The most columns a line of prose has. Tables and code may be wider.
WIDTH = 100


def prose(page: Path) -> Iterator[tuple[int, str]]:
    """The lines of a page that are neither code nor a heading nor part of a table, with their numbers."""
    code = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            code = not code
        elif not code and not line.startswith(("|", "    ", "#")):
            yield number, line


@for_each("page", PAGES)
def test_lines_of_prose_have_one_width(page: Path) -> None:
    assert [f"{page.name}:{number}" for number, line in prose(page) if len(line) > WIDTH] == []


@for_each("page", PAGES)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_there_are_pages() -> None:
    assert len(PAGES) >= 10
