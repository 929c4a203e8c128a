"""Building the rulebook site: the same each time, as a whole or not at all; and serving it."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from uuid import uuid4

import pytest
from markupsafe import escape

from damspec import data
from damspec_runner.document.rulebook import languages
from damspec_site import build as building
from damspec_site import rule_pages as told
from damspec_site.build import MARKER, MakePart, build, make_server, parts
from damspec_site.library import SiteData
from damspec_site.pages import NOWHERE, AddressError, File, Page, SiteAddress, at, sheet
from refusals import refusal
from runner_fixtures import damspec as run
from runner_fixtures import refused

pytestmark = pytest.mark.xdist_group(__name__)


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_build_is_the_same_each_time_and_replaces_an_earlier_one(site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    folder.mkdir()
    (folder / MARKER).touch()
    (folder / "old.html").touch()
    command = [sys.executable, "-m", "damspec_runner", "site", "build", str(folder), "--json"]
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    said = json.loads(done.stdout)
    assert data.schema_problem(said, "site") is None
    assert said["pages"] == len(list(site.rglob("*.html")))
    assert contents(folder) == contents(site)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again"]


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site of two pages, with a file that both need and one that differs whenever it is made."""

    def parts(library: SiteData, *options: object) -> Mapping[str, MakePart]:
        style = File("assets/style.css", b"p { color: red; }")

        def page(name: str, text: str) -> Page:
            return Page("prose", f"{name}.html", (name, ""), {"text": text})

        return {
            "pages": lambda: [page("one", ""), page("two", style.path), style],
            "file": lambda: [File("deep/down/file.txt", uuid4().bytes)],
        }

    monkeypatch.setattr(building, "parts", parts)
    folder = tmp_path / "site"
    built = build(folder)
    assert built.pages == 2
    return folder


def test_a_build_replaces_what_was_there(small: Path) -> None:
    before = contents(small)
    assert before.keys() == {"one.html", "two.html", "deep/down/file.txt", "assets/style.css", MARKER}
    (small / "one.html").write_text("mine")
    (small / "mine.html").write_text("mine")
    (small / "assets/style.css").unlink()
    assert build(small).pages == 2
    after = contents(small)
    assert after.keys() == before.keys()
    assert {path for path in before if before[path] != after[path]} == {"deep/down/file.txt"}


# --- all or nothing


def test_another_folder_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    said = refused("site", "build", str(tmp_path))
    assert repr(str(tmp_path)) in said
    assert "no earlier build" in said
    assert run("site", "build", str(mine)).complaint.endswith("is a file, expected a folder")
    assert [*tmp_path.iterdir()] == [mine]


def test_an_interrupted_build_leaves_the_earlier_one(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(small.parent)

    def interrupt(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(small, tell=interrupt)
    assert contents(small.parent) == before
    monkeypatch.setattr(building, "_swap", lambda *given: interrupt(0, 0))  # all parts have been written by then
    ran = run("site", "build", str(small.parent / "new"))
    assert (ran.status, ran.err.strip()) == (130, "damspec: interrupted")
    assert [path.name for path in small.parent.iterdir()] == ["site"]


def test_a_full_disk_leaves_the_earlier_build(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(small.parent)

    def full(*given: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(building, "_swap", full)
    for name in ("site", "new"):
        assert (
            refused("site", "build", str(small.parent / name), status=4)
            == f"damspec: cannot write {str(small.parent / name)!r}: No space left on device"
        )
        assert contents(small.parent) == before
        assert [path.name for path in small.parent.iterdir()] == ["site"]


def test_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot write" in refused("site", "build", str(tmp_path / "file" / "new"), status=4)


# --- serving

STUB = """
import damspec_site.build
from damspec_runner.cli import main

def build(folder, address, tell):
    (folder / "index.html").write_text("<p>here")
    (folder / "404.html").write_text(f"<p>not at {address.text}")

damspec_site.build.build = build
main()
"""


def test_serving_until_it_is_ended() -> None:
    command = [sys.executable, "-c", STUB, "site", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().split()[0]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        with urllib.request.urlopen(address, timeout=20) as answer:
            assert answer.read() == b"<p>here"
        with pytest.raises(urllib.error.HTTPError) as lost:
            urllib.request.urlopen(f"{address}rules/of/nothing.html", timeout=20)
        with lost.value as answer:
            assert (answer.code, answer.headers.get_content_type()) == (404, "text/html")
            assert answer.read() == f"<p>not at {address}".encode()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "ended\n", "")


@pytest.mark.parametrize(("browser", "opened"), [("echo opened %s", True), ("no-browser-of-this-name", False)])
def test_identify_opens_its_page_or_prints_only_where_it_is(browser: str, opened: bool) -> None:
    command, environment = [sys.executable, "-c", STUB, "identify"], {**os.environ, "BROWSER": browser, "PATH": "/bin"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) as process:
        assert process.stdout
        address = process.stdout.readline().removesuffix(" (Ctrl-C ends it)\n")
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/identify/", address)
        if opened:
            assert process.stdout.readline() == f"opened {address}\n"
        with urllib.request.urlopen(address.removesuffix("identify/"), timeout=20) as answer:
            assert answer.read() == b"<p>here"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "ended\n", "")


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with building.make_server(tmp_path, 0) as server:
        port = str(server.server_port)
        assert f"cannot serve on port {port}" in run("site", "serve", "--port", port).complaint


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
    with make_server(folder, 0) as server:
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


# --- The rulebook site on the web: its map, what other sites show of it, the page for what is not there, and the
# feed.


URL = "https://example.org/games/draughts/"
#: Parts that are enough to see what all pages have.
FEW = {"assets", "front", "lost", "changes", "docs", "games/vl", "games/turkish"}
_ATOM = "{http://www.w3.org/2005/Atom}"


def is_one_of_few(part: str) -> bool:
    return part in FEW


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(is_one_of_few, id="few"),
        pytest.param(lambda part: True, id="all", marks=pytest.mark.slow),
    ],
)
def web(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site that knows its address, and one that readers may write to."""
    folder = tmp_path_factory.mktemp("web") / "site"

    def chosen(library: SiteData) -> dict[str, MakePart]:
        return {name: make for name, make in parts(library).items() if request.param(name)}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "parts", chosen)
        build(folder, SiteAddress.read(URL.rstrip("/")).with_contact("rules@example.org"))
    return folder


def pages(site: Path) -> dict[str, str]:
    """Every page by its address."""
    return {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}


def address_of(page: str) -> str:
    """The address that the page of a folder, or another one, has on the web."""
    return URL + re.sub(r"(^|(?<=/))index\.html$", "", page)


def meta(html: str) -> dict[str, str]:
    """What a page says of itself to other sites."""
    return {name: unescape(text) for name, text in re.findall(r'<meta property="([^"]+)" content="([^"]*)">', html)}


@pytest.mark.thorough
def test_robots_are_told_of_the_map(web: Path) -> None:
    assert (web / "robots.txt").read_text().splitlines() == ["User-agent: *", "Allow: /", f"Sitemap: {URL}sitemap.xml"]


@pytest.mark.thorough
def test_a_page_says_where_it_is(web: Path) -> None:
    there = {address_of(page) for page in pages(web)}
    for page, html in pages(web).items():
        if page.endswith("404.html"):
            continue
        assert re.findall('<link rel="canonical" href="([^"]*)">', html) == [address_of(page)]
        said = meta(html)
        assert said["og:url"] == address_of(page)
        assert said["og:type"] == ("website" if page == "index.html" else "article")
        assert f"<title>{said['og:title']} – damspec</title>" in unescape(html)
        assert f'<meta name="description" content="{said["og:description"]}">' in unescape(html)
        translations = re.findall('<link rel="alternate" hreflang="[^"]*" href="([^"]*)">', html)
        assert there.issuperset(translations)


@pytest.mark.thorough
def test_what_is_not_there_leads_back_from_anywhere(web: Path) -> None:
    html = (web / "404.html").read_text()
    assert '<meta name="robots" content="noindex">' in html
    assert "canonical" not in html
    found = re.findall(r'(?:href|src)="([^"#]+)"', html)
    assert all(target.startswith(("/games/draughts/", "https://example.org/games/draughts/")) for target in found)
    assert "/games/draughts/assets/style.css" in found


@pytest.mark.thorough
def test_without_an_address_nothing_says_where_it_is(site: Path) -> None:
    assert not (site / "sitemap.xml").exists()
    assert not (site / "robots.txt").exists()
    for page in ("index.html", "nl/vl.html", "404.html", "rulesets/vl.html"):
        html = (site / page).read_text(encoding="utf-8")
        assert "canonical" not in html
        assert "og:" not in html
    assert 'href="../rulesets/vl.html"' in (site / "nl" / "vl.html").read_text()


@pytest.mark.parametrize(
    "text",
    ["", "example.org", "ftp://example.org", "https://", "https://a b/", "https://a/?b", "https://a:x/", "http://ä/"],
)
def test_what_is_no_address(text: str, tmp_path: Path) -> None:
    refusal(AddressError, SiteAddress.read, text)
    assert (
        refused("site", "build", str(tmp_path / "new"), "--url", text)
        == f"damspec: found {text!r}, expected an address such as https://example.org/rules/"
    )


@pytest.mark.thorough
def test_readers_are_told_whom_to_write_to_or_that_there_is_no_address(web: Path, site: Path) -> None:
    for language in languages():
        wrong = at("wrong", language=language.tag)
        told = '<a href="mailto:rules@example.org">rules@example.org</a>'
        nobody = str(escape(language.content["texts"]["no-contact"]))
        assert (told in (web / wrong).read_text(), nobody in (web / wrong).read_text()) == (True, False)
        assert (told in (site / wrong).read_text(), nobody in (site / wrong).read_text()) == (False, True)
    assert told in (web / sheet("nl", "vl")).read_text().partition('class="feet"')[2]
    assert "mailto:" not in (site / sheet("nl", "vl")).read_text()


@pytest.mark.parametrize("text", ["", "rules", "rules@", "a b@example.org", "a@b", "javascript:alert(1)@example.org"])
def test_what_nobody_can_write_to(text: str, tmp_path: Path) -> None:
    assert refused("site", "build", str(tmp_path / "new"), "--contact", text) == (
        f"damspec: found {text!r}, expected an address such as rules@example.org or https://example.org/"
    )
    assert not (tmp_path / "new").exists()


def test_who_can_be_written_to() -> None:
    assert NOWHERE.with_contact("the.rules+vl@club-dammen.example.org").contact.startswith("mailto:the.rules")
    assert NOWHERE.with_contact("https://example.org/issues?new#form").contact == "https://example.org/issues?new#form"
    assert not NOWHERE.with_contact("a@example.org")


def test_addresses_of_pages() -> None:
    address = SiteAddress.read("https://example.org")
    assert (address.of("index.html"), address.of("a/index.html")) == ("https://example.org/", "https://example.org/a/")
    assert (address.of("a/b.c.html"), address.path) == ("https://example.org/a/b.c.html", "/")


# --- changes


def test_changes_are_told_the_newest_first_each_by_its_own_name() -> None:
    found = told.changes()
    assert sorted(found, key=lambda change: change.day, reverse=True) == [*found]
    assert len({change.id for change in found}) == len(found)


def test_a_change_is_about_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = told.ChangeOfRules("a", told.changes()[0].day, "A", "B.", ("vl", "nothing-of-that-name"))
    monkeypatch.setattr(told, "changes", lambda: (wrong,))
    with pytest.raises(Exception, match="found 'nothing-of-that-name', expected a ruleset, a rule, a reading"):
        list(told.changes_pages(SiteData()))
