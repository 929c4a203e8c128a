"""Serving the site to this computer: whatever is asked for is answered, and nothing is said of it."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator

import pytest

from damspec_runner.document.site.build import served

#: Ends a connection by a reset, as a browser does that is closed.
RESET = struct.pack("ii", 1, 0)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port at which a small site is served."""
    outer = tmp_path_factory.mktemp("outer")
    (outer / "secret.txt").write_text("secret")
    folder = outer / "site"
    folder.mkdir()
    (folder / "index.html").write_text("the start")
    (folder / "404.html").write_text("the lost page")
    (folder / "big").write_bytes(bytes(20_000_000))
    with served(folder, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def answer(port: int, request: bytes) -> bytes:
    """The whole answer to a request."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(request)
        found = b""
        while some := connection.recv(65_536):
            found += some
    return found


@pytest.mark.parametrize(
    "path",
    [
        "/%00", "/index.html%00", "/a%00/b", "/%ED%A0%80", "/%ff%fe", "/%", "/%zz", "/nothing", "//nothing",
        "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2f%2e%2e%2fsecret.txt",
        "/\\..\\secret.txt", "/" + "a" * 300, "/" + "a/" * 3_000, "*", "http://[::1/", "/%0d%0aX:%20y",
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_is_not_there_gets_the_lost_page(
    method: str, path: str, port: int, capfd: pytest.CaptureFixture[str]
) -> None:
    head, _, body = answer(port, f"{method} {path} HTTP/1.0\r\n\r\n".encode()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.0 404 ")
    assert body == (b"the lost page" if method == "GET" else b"")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("GET / HTTP/1.0", b"200"),
        ("GET /index.html?%00 HTTP/1.0", b"200"),
        ("POST / HTTP/1.0", b"501"),
        ("PUT /new.html HTTP/1.0", b"501"),
        ("DELETE /index.html HTTP/1.0", b"501"),
        ("get / HTTP/1.0", b"501"),
        ("GET / HTTP/3.0", b"505"),
        ("GET / HTTP/x", b"400"),
        ("GET /" + "a" * 70_000 + " HTTP/1.0", b"414"),
    ],
)
def test_each_request_has_its_status(
    request_line: str, status: bytes, port: int, capfd: pytest.CaptureFixture[str]
) -> None:
    found = answer(port, f"{request_line}\r\n\r\n".encode())
    assert found.startswith(b"HTTP/1.0 " + status) or b"Error code: " + status in found
    assert capfd.readouterr() == ("", "")


def test_a_browser_that_hangs_up_is_no_trouble(port: int, capfd: pytest.CaptureFixture[str]) -> None:
    before = threading.active_count()
    for request in (b"GET / HT", b"GET /big HTTP/1.0\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            connection.sendall(request)
            if request.endswith(b"\n"):
                connection.recv(10)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    for thread in threading.enumerate()[before:]:
        thread.join(20)
    assert answer(port, b"GET / HTTP/1.0\r\n\r\n").endswith(b"the start")
    assert capfd.readouterr() == ("", "")
