"""Serving a folder to this computer, for looking at a build."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from .errors import SiteError


class _Quiet(SimpleHTTPRequestHandler):
    """Files of a folder, without a line for each request."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def served(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of a folder on 127.0.0.1; port 0 takes a free one. Raises SiteError if the port is taken."""
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=str(folder)))
    except OSError as error:
        raise SiteError(f"cannot serve on port {port}: {error.strerror}") from None
