"""Sheets of rules as PDF: one file beside each page, and a booklet of all in each language, printed by Chromium."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from . import pages
from .pages import SiteError, SiteWriteError

#: The environment variable that names the browser, and the programs that are looked for without it.
VARIABLE = "DAMSPEC_BROWSER"
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: How long a browser may take for a file, in seconds.
_LONGEST = 300

_SHEET = re.compile(r'<h1>.*?</h1>|<article class="sheet".*?</article>', re.DOTALL)


def find_browser() -> str:
    """Return the program that prints. Raises SiteError if there is none."""
    named = os.environ.get(VARIABLE)
    for name in (named,) if named else PROGRAMS:
        if found := shutil.which(name):
            return found
    raise SiteError(f"found no browser to print with, expected one of {', '.join(PROGRAMS)} or a path in {VARIABLE}")


def print_sheets(
    site: Path, browser: str, ids: Sequence[str], tags: Sequence[str], tell: Callable[[int, int], None]
) -> None:
    """Print the sheets of games in languages, and a booklet of them in each. Raises SiteWriteError if that fails."""
    sheets = {tag: [site / pages.sheet(tag, id) for id in ids] for tag in tags}
    booklets = [_booklet(site / pages.booklet(tag), sheets[tag]) for tag in tags]
    # Booklets take longest and come first.
    tasks = [*booklets, *(page for found in sheets.values() for page in found)]
    try:
        with ThreadPoolExecutor(os.cpu_count()) as executor:
            for done, _ in enumerate(executor.map(lambda page: _print(browser, page), tasks), 1):
                tell(done, len(tasks))
    finally:
        for page in booklets:
            page.unlink()


def _booklet(pdf: Path, sheets: Sequence[Path]) -> Path:
    """Write a page with all sheets of a language, each from the top of a sheet of paper on; return its path."""
    texts = [page.read_text(encoding="utf-8") for page in sheets]
    head = texts[0].partition("</head>")[0]
    found = "".join(f'<div style="break-before: page">{"".join(_SHEET.findall(text))}</div>' for text in texts)
    page = pdf.with_suffix(".html")
    page.write_text(f"{head}</head>\n<body>{found}</body>\n</html>\n", encoding="utf-8")
    return page


def _print(browser: str, page: Path) -> None:
    """Print a page into a file beside it."""
    pdf = page.with_suffix(".pdf")
    with TemporaryDirectory(prefix="damspec-print-", ignore_cleanup_errors=True) as profile:
        command = [
            browser,
            "--headless",
            "--disable-gpu",
            *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
            f"--user-data-dir={profile}",
            "--no-pdf-header-footer",
            f"--print-to-pdf={pdf}",
            page.as_uri(),
        ]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=_LONGEST)
        except (OSError, subprocess.SubprocessError) as error:
            raise SiteWriteError(f"cannot print {page.name}: {error}") from None
    if not pdf.is_file():
        raise SiteWriteError(f"cannot print {page.name}: {browser} wrote no file")
