"""A real browser for tests, windows in which nothing may go wrong, and a folder served to them.

Chromium is that of the machine (DAMSPEC_BROWSER, or Debian's package `chromium-headless-shell`, which takes half the
processor time of `chromium`); without one these tests are skipped, in CI they fail.
"""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

#: The programs that are looked for.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

#: Without these Chromium looks for hosts of its own at every start.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 900}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def copyfile(self, source: Any, outputfile: Any) -> None:
        with suppress(BrokenPipeError):  # a window that was closed while a picture loaded
            super().copyfile(source, outputfile)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A folder served under a path that is not the root, so that an absolute link does not get by."""
    handler = functools.partial(Handler, directory=str(folder.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{folder.name}"
        server.shutdown()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a screen."""
    found = map(shutil.which, [named] if (named := os.environ.get("DAMSPEC_BROWSER")) else PROGRAMS)
    program = next(filter(None, found), None)
    if program is None:
        reason = f"NO BROWSER, so nobody looked at a page in one: found none of {', '.join(PROGRAMS)}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=QUIET)
        yield running
        running.close()


class Watched:
    """A browser's window whose every request and complaint is kept."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.address = address
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.context: BrowserContext = browser.new_context(**options)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self._complain(message.type, message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", lambda request: self._failed(request))
        self.page.on("response", lambda answer: self._complain("error" if answer.status >= 400 else "", answer.url))

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # which is a page left before all of it was there
            self._complain("error", f"{request.failure}: {request.url}")

    def _complain(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(f"{self.page.url}: {text}")

    def open(self, path: str, until: Literal["load", "domcontentloaded"] = "load") -> Page:
        """Go to a page of the site."""
        self.page.goto(f"{self.address}/{path}", wait_until=until)
        return self.page

    def close(self) -> None:
        """Close the window; nothing may have gone wrong in it, and nothing left this machine (blobs are its own)."""
        self.context.close()
        assert self.complaints == []
        assert [url for url in self.requests if not url.startswith((self.address, "data:", "blob:"))] == []


def choose_setting(page: Page, name: str, value: str) -> None:
    """Choose a value in the settings of the header: of `squares` or of the `theme`."""
    page.click("[popovertarget=settings]")
    page.locator(f"#settings label:has([name={name}][value='{value}'])").click()
    page.keyboard.press("Escape")


def choose_language(page: Page, tag: str) -> None:
    """Choose a language in the header."""
    page.click("[popovertarget=languages]")
    page.click(f"#languages [data-language={tag}]")
