"""Building the rulebook site: what has changed alone, all or nothing, and serving it."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import pytest

import damspec
from damspec import Position, data
from damspec_runner.document.site import build as building
from damspec_runner.document.site.boards import Answers, BoardPictures
from damspec_runner.document.site.build import MARKER, Built, Inputs, SitePart, build, parts
from damspec_runner.document.site.library import SiteData
from damspec_runner.document.site.pages import File, Page, SiteAddress
from runner_fixtures import DAMSPEC
from runner_fixtures import damspec as run

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
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    command = [*DAMSPEC, "site", "build", str(folder), "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    said = json.loads(done.stdout)
    assert data.schema_problem(said, "site") is None
    assert said["pages"] == said["rebuilt"] == len(list(site.rglob("*.html")))
    assert said["boards"] == len(list((site / "boards").iterdir()))
    assert contents(folder) == contents(site)
    assert [path.name for path in tmp_path.iterdir()] == ["again"]


@pytest.mark.thorough
def test_nothing_is_built_where_nothing_has_changed(site: Path) -> None:
    before = site.stat().st_ino
    ran = run("site", "build", str(site))
    assert ran.status == 0
    pages = len(list(site.rglob("*.html")))
    assert ran.out.splitlines()[1:] == [f"0 pages rebuilt, {pages} kept"]
    assert site.stat().st_ino == before


# --- what has changed


@dataclass
class Site:
    """A site of two pages, with a board on the second, and a file; each says something else whenever it is made."""

    folder: Path
    files: dict[str, str] = field(default_factory=lambda: {"a": "1", "b": "1"})
    names: list[str] = field(default_factory=lambda: ["one", "two", "file"])
    program: str = "1"

    def build(self) -> Built:
        """Build it."""
        return build(self.folder / "site")

    def inputs(self, *options: str) -> Inputs:
        """What it is made from."""
        return Inputs(self.files, self.program)

    def parts(self, library: SiteData, answers: Answers, *options: object) -> Iterator[SitePart]:
        """The first page reads a, the second one everything, the file nothing."""
        board = answers.pictures.board(Position.start(damspec.load_ruleset("lb").rules)).src

        def page(name: str, shows: str = "") -> Page:
            return Page(f"{name}.html", "prose.html", f"{uuid4()}", "", "", given={"text": shows})

        known = {
            "one": SitePart("one", lambda: [page("one")], lambda path: path == "a"),
            "two": SitePart("two", lambda: [page("two", board)]),
            "file": SitePart("file", lambda: [File("deep/down/file.txt", uuid4().bytes)], lambda path: False),
        }
        return (known[name] for name in self.names)

    def contents(self) -> dict[str, bytes]:
        """All that is there."""
        return contents(self.folder / "site")


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A small site, built once."""
    made = Site(tmp_path)
    monkeypatch.setattr(building, "parts", made.parts)
    monkeypatch.setattr(building, "inputs", made.inputs)
    built = made.build()
    assert (built.pages, built.rebuilt, built.kept, built.boards) == (2, 2, 0, 1)
    return made


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    """The files that are others, but for the record."""
    return {path for path in before.keys() | after if before.get(path) != after.get(path)} - {MARKER}


def test_what_reads_a_changed_file_is_built_again(small: Site) -> None:
    before = small.contents()
    assert {path for path in before if not path.startswith("boards/")} == {
        "one.html",
        "two.html",
        "deep/down/file.txt",
        MARKER,
    }
    small.files["b"] = "2"
    built = small.build()
    assert (built.pages, built.rebuilt, built.kept, built.boards) == (2, 1, 1, 1)
    assert changed(before, small.contents()) == {"two.html"}
    before = small.contents()
    small.files["c"] = "1"
    assert small.build().rebuilt == 1
    assert changed(before, small.contents()) == {"two.html"}
    before = small.contents()
    small.files["a"] = "2"
    assert small.build().rebuilt == 2
    assert changed(before, small.contents()) == {"one.html", "two.html"}
    before = small.contents()
    small.program = "2"
    assert (small.build().rebuilt, small.build().rebuilt) == (2, 0)
    assert changed(before, small.contents()) == {"one.html", "two.html", "deep/down/file.txt"}


def test_what_somebody_has_changed_is_built_again(small: Site) -> None:
    before = small.contents()
    (board,) = (path for path in before if path.startswith("boards/"))
    for path, others in (
        ("one.html", set()),
        ("two.html", set()),
        (board, {"two.html"}),
        ("deep/down/file.txt", set()),
    ):
        (small.folder / "site" / path).write_text("mine")
        small.build()
        now = small.contents()
        assert now[path] != b"mine"
        assert changed(before, now) == others | ({path} - {board})
        before = now
    (small.folder / "site" / "two.html").unlink()
    (small.folder / "site" / "mine.html").write_text("mine")
    assert small.build().rebuilt == 1
    assert changed(before, small.contents()) == {"two.html"}
    (small.folder / "site" / "mine.html").write_text("mine")
    assert small.build().rebuilt == 0
    assert "mine.html" not in small.contents()


def test_pages_vanish_with_what_they_are_about(small: Site) -> None:
    small.names.remove("two")
    small.files["b"] = "2"
    built = small.build()
    assert (built.pages, built.rebuilt, built.boards) == (1, 0, 0)
    assert small.contents().keys() == {"one.html", "deep/down/file.txt", MARKER}


@pytest.mark.parametrize("record", ["", "{", "[]", '{"source": "", "parts": {"one": {}}}', '{"parts": 1, "source": 2}'])
def test_a_record_that_cannot_be_read_is_none(small: Site, record: str) -> None:
    (small.folder / "site" / MARKER).write_text(record)
    assert small.build().kept == 0


def test_what_stands_around_every_page_is_read_by_all_parts() -> None:
    library = SiteData()
    found = {part.name: part for part in parts(library, Answers(library, BoardPictures()), SiteAddress())}
    assert {name for name, part in found.items() if not part.reads("spec/rulebook/lb.yaml")} == {"assets"}
    assert not found["docs/protocol"].reads("docs/engines.md")
    assert not found["cases/vl/start"].reads("cases/vl/choice.yaml")
    assert found["games/nl-trapdoor-american"].reads("cases/nl-trapdoor/door.yaml")


# --- all or nothing


def test_another_folder_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    ran = run("site", "build", str(tmp_path))
    assert ran.status == 2
    assert repr(str(tmp_path)) in ran.complaint
    assert "no earlier build" in ran.complaint
    assert run("site", "build", str(mine)).complaint.endswith("is a file, expected a folder")
    assert [*tmp_path.iterdir()] == [mine]


def test_what_is_broken_off_leaves_the_earlier_build(small: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(small.folder)
    small.program = "2"

    def interrupted(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(small.folder / "site", tell=interrupted)
    assert contents(small.folder) == before
    monkeypatch.setattr(building, "content_digest", lambda contents: interrupted(0, 0))
    ran = run("site", "build", str(small.folder / "new"))
    assert (ran.status, ran.err.strip()) == (130, "damspec: interrupted")
    assert [path.name for path in small.folder.iterdir()] == ["site"]


def test_a_full_disk_leaves_the_earlier_build(small: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(small.folder)
    small.program = "2"

    def full(contents: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(building, "content_digest", full)  # a part has been written by then
    for name in ("site", "new"):
        ran = run("site", "build", str(small.folder / name))
        assert (ran.status, ran.out) == (4, "")
        assert ran.complaint == f"damspec: cannot write {str(small.folder / name)!r}: No space left on device"
        assert contents(small.folder) == before
        assert [path.name for path in small.folder.iterdir()] == ["site"]


def test_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = run("site", "build", str(tmp_path / "file" / "new"))
    assert ran.status == 4
    assert "cannot write" in ran.complaint


# --- serving

STUB = """
import damspec_runner.document.site.build
from damspec_runner.cli import main

def build(folder, address, tell, collected):
    (folder / "index.html").write_text("<p>here")
    (folder / "404.html").write_text(f"<p>not at {address.text}")

damspec_runner.document.site.build.build = build
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


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with building.served(tmp_path, 0) as server:
        port = str(server.server_port)
        assert f"cannot serve on port {port}" in run("site", "serve", "--port", port).complaint
