"""What tests of the site in a browser share: the site served, a browser, and windows of two sizes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser import DESKTOP, PHONE, Watched, served

# As long as a machine may take that does other things as well.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""
    with served(site) as address:
        yield address


@pytest.fixture
def window(browser: Browser, address: str) -> Iterator[Watched]:
    """A window of a desktop's size."""
    watched = Watched(browser, address, viewport=DESKTOP)
    yield watched
    watched.close()


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Watched]:
    """A window of a phone's size, in the dark."""
    watched = Watched(browser, address, viewport=PHONE, color_scheme="dark", has_touch=True)
    yield watched
    watched.close()
