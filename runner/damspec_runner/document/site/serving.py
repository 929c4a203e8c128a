"""Serving a folder to this computer, for looking at a build."""

from __future__ import annotations

import sys
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from .errors import SiteError
from .pages import LOST


class _Quiet(SimpleHTTPRequestHandler):
    """Files of a folder, its own page for what is not there, and no line for each request."""

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Answer with the head of a file; a path that no file can have, with a zero byte in it say, is not there."""
        try:
            return super().send_head()
        except ValueError:
            self.send_error(HTTPStatus.NOT_FOUND)
            return None

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a request that cannot be met."""
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
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    """A server that says nothing of browsers that hang up."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the error of a request, unless it is that nobody waits for the answer any more."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def served(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of a folder on 127.0.0.1; port 0 takes a free one. Raises SiteError if the port is taken."""
    try:
        return _Server(("127.0.0.1", port), partial(_Quiet, directory=str(folder)))
    except OSError as error:
        raise SiteError(f"cannot serve on port {port}: {error.strerror}") from None
