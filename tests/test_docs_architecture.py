"""docs/architecture.md: a page to read, and every file it names is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
#: What a path on the page may leave out: the package, where the table says which it is.
PLACES = (ROOT, ROOT / "runner", ROOT / "runner" / "damspec_runner", ROOT / "reference" / "damspec")
ASSETS = ROOT / "runner" / "damspec_site" / "assets"


def test_every_path_leads_somewhere() -> None:
    paths = re.findall(r"`([\w./-]+(?:/|\.(?:py|js|md|yaml|json)))`", PAGE)
    assert len(paths) > 60
    assert [path for path in paths if not any((place / path).exists() for place in (*PLACES, ASSETS))] == []


def test_it_is_a_page() -> None:
    assert len(PAGE.splitlines()) <= 150
