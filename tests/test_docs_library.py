"""The page about the library does what it says: its blocks are one session, run as a doctest."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import damspec

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "library.md").read_text(encoding="utf-8")
#: What the page may leave to the docstrings: parts of larger values, and constants.
UNNAMED = {"Action", "Alternative", "Clause", "DIRECTIONS", "Kind", "Layout", "Reading", "Rules", "Side", "__version__"}


def test_examples() -> None:
    session = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
    test = doctest.DocTestParser().get_doctest(session, {}, "library.md", "library.md", 0)
    results = doctest.DocTestRunner().run(test)
    assert results.attempted > 40
    assert results.failed == 0


def test_every_public_name_is_on_the_page() -> None:
    named = set(re.findall(r"\w+", PAGE))
    assert set(damspec.__all__) - named - UNNAMED == set()
