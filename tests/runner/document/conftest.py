"""What tests of the site in a browser share: the site served, a browser, and windows of two sizes."""

from __future__ import annotations

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser import DESKTOP, PHONE, Watched, chromium

# As long as a machine may take that does other things as well.
expect.set_options(timeout=30_000)


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def copyfile(self, source: Any, outputfile: Any) -> None:
        with contextlib.suppress(BrokenPipeError):  # a window that was closed while a picture loaded
            super().copyfile(source, outputfile)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The site served under a path that is not the root, so that an absolute link does not get by."""
    handler = functools.partial(Handler, directory=str(site.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{site.name}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium without a screen."""
    with chromium() as running:
        yield running


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
