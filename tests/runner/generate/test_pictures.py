"""Generated positions as SVG, PNG and a page: well-formed, complete, and one line where something is missing."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from annotated_positions import answered, played
from damspec.drawing import svg
from damspec_runner.generate import pictures
from damspec_runner.generate.diversity import coverage
from runner_fixtures import DAMSPEC, refused
from runner_fixtures import damspec as run

SVG = "{http://www.w3.org/2000/svg}"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
ABOUT = {"damspec": "1.0", "ruleset": "vl", "seed": 3, "goals": ["every other capture.duty"], "tried": 9}


def size(png: bytes) -> tuple[int, int]:
    """The width and height of a PNG picture, as its first chunk has them."""
    assert png[:8] == SIGNATURE
    assert png[12:16] == b"IHDR"
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def texts(root: ElementTree.Element) -> list[str]:
    """What is written in a picture, but for the numbers of squares."""
    found = (text.text or "" for name in ("text", "tspan") for text in root.iter(f"{SVG}{name}"))
    return [text for text in found if text and not text.isdecimal()]


def test_a_picture_shows_doors_spin_side_and_the_last_move() -> None:
    """The slider O1 stands left, so that one door is open; a game shows where its last move began and ended."""
    (one,) = answered("nl-trapdoor", "B:W21:B8:sliders=LMMM:spin=orange")
    root = ElementTree.fromstring(pictures.picture(one))
    assert (root.get("width"), root.get("height")) == ("384", "412")
    assert "Black to move, orange spun" in texts(root)
    assert [rect.get("width") for rect in root.iter(f"{SVG}rect") if rect.get("fill") == "#0b0705"] == ["34"]
    spots = [rect for rect in root.iter(f"{SVG}rect") if rect.get("width") == "14"]
    assert [spot.get("fill") for spot in spots] == ["#ff9d2e"]
    root = ElementTree.fromstring(pictures.picture(played("vl", "21-17")))
    marked = [rect for rect in root.iter(f"{SVG}rect") if rect.get("fill") == "#d9a72e"]
    assert [(rect.get("x"), rect.get("y")) for rect in marked] == [("40", "160"), ("0", "200")]  # 17 is b4, 21 is a3
    assert list(root.iter(f"{SVG}polyline")) == []
    assert "Black to move, after 21-17" in texts(root)


def test_a_capture_with_a_turn_is_an_arrow() -> None:
    two = answered("vl", "W:W26:B23,24")[0]
    (capture,) = two.by.wanted.player.turns.actions(two.position)
    after = type(two)(two.by, two.by.wanted.player.turns.after(two.position, capture), (capture,))
    points = [line.get("points") for line in ElementTree.fromstring(pictures.picture(after)).iter(f"{SVG}polyline")]
    assert points == ["140,260 220,180 300,260"] * 2  # d2, f4, h2


def test_a_picture_keeps_its_position_and_its_game() -> None:
    one, two = played("vl", "21-17", "9-14"), answered("nl-trapdoor", "W:W21:B8")[0]
    says = f'{one.fen}; game "21-17, 9-14";'
    root = ElementTree.fromstring(pictures.picture(one))
    assert [part.text for part in root.findall(f"{SVG}metadata")] == [says]
    png = pictures.as_png(pictures.picture(one))
    assert size(png) == (384, 412)
    length = int.from_bytes(png[33:37])
    assert png[37 : 41 + length] == b"tEXtComment\0" + says.encode()
    assert int.from_bytes(png[41 + length : 45 + length]) == zlib.crc32(png[37 : 41 + length])
    assert f"{says}\n{two.fen}".encode() in pictures.as_png(pictures.sheet([one, two]))


def test_several_pictures_are_one_sheet() -> None:
    root = ElementTree.fromstring(run("generate", "vl", "-n", "7", "--format", "svg").out)
    boards = root.findall(f"{SVG}g/{SVG}svg")
    assert len(boards) == 7
    written = "".join(texts(root))
    fens = run("generate", "vl", "-n", "7", "--format", "fen").out.splitlines()
    assert all(fen in written for fen in fens)
    single = run("generate", "vl", "--format", "svg").out
    assert ElementTree.fromstring(single).findall(f"{SVG}g/{SVG}svg") == []
    assert single == pictures.picture(answered("vl", fens[0])[0]) + "\n"


def test_a_folder_has_a_picture_of_each(tmp_path: Path) -> None:
    for form in ("svg", "png"):
        folder = tmp_path / form
        assert run("generate", "vl", "--format", form, "-n", "3", "-o", str(folder)).status == 0
        files = sorted(folder.iterdir())
        assert len(files) == 3
        assert all(re.fullmatch(rf"vl-[0-9a-f]{{10}}\.{form}", file.name) for file in files)
    assert [path.stem for path in sorted((tmp_path / "svg").iterdir())] == [path.stem for path in files]
    assert all(size(file.read_bytes()) == (384, 412) for file in files)


def test_png_has_the_numbers_of_the_squares_and_is_always_the_same() -> None:
    (one,) = answered("international", "W:W50:B1")
    with_numbers = pictures.as_png(pictures.picture(one))
    assert with_numbers == pictures.as_png(pictures.picture(one))
    assert size(with_numbers) == (480, 508)
    without = pictures.as_png(svg(one.position, size=480, state=True, numbers=False))
    assert len(with_numbers) > len(without) + 1500


def test_png_goes_into_a_pipe_and_a_file(tmp_path: Path) -> None:
    words = ["generate", "lb", "-n", "2", "--format", "png"]
    piped = subprocess.run([*DAMSPEC, *words], capture_output=True, check=True)
    assert piped.stderr.startswith(b"2 positions, 2 apart: ")
    file = tmp_path / "two.png"
    assert run(*words, "-o", str(file)).out == ""
    assert file.read_bytes() == piped.stdout
    assert size(piped.stdout)[0] == 384 + 2 * 24


def test_without_the_library_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    said = refused("generate", "vl", "--format", "png", "-o", "x.png")
    assert said == "damspec: --format png: needs a package that is not installed: pip install 'damspec[pictures]'"


# --- the page ---------------------------------------------------------------------------------


class Tags(HTMLParser):
    """What a page is made of: ids, classes, and all that a browser would fetch."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.classes: list[str] = []
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.classes += (given.get("class") or "").split()
        self.fetched += [given[name] or "" for name in ("src", "href") if name in given]
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_is_whole_and_fetches_nothing() -> None:
    positions = answered("vl", "W:W26:B23,24", "W:W22:B18", "B:W32:B1,4")
    page = pictures.gallery_page(positions, coverage(positions[0].by, positions), ABOUT)
    tags = Tags(page)
    assert tags.open == []
    assert len(tags.ids) == len(set(tags.ids))
    assert tags.classes.count("card") == 3
    assert tags.fetched == ["#positions"]
    assert "url(" not in page.replace('url("data:image/svg+xml,', "")
    assert "Over: draw (one-piece-each)" in page
    assert re.search(r"<dt><code>capture.duty = huffing</code></dt><dd>lapses: also 26-22</dd>", page)
    assert re.search(r'data-path="26,19,28" data-taken="23,24" data-after="B:W28:B">26x19x28</button>', page)
    assert "1.0, seed 3; wanted are other answers than by <code>every other capture.duty</code>." in page


def test_a_page_of_games_and_lapses_and_nothing_to_escape_from() -> None:
    game = played("vl", "21-17", "9-14")
    page = pictures.gallery_page([game], coverage(game.by, [game]), {**ABOUT, "goals": ["<script>alert(1)</script>"]})
    assert "Reached after 2 actions" in page
    assert "<script>alert" not in page
    positions = answered("de", "B:W15,32:B6,10,12", otherwise=False)
    page = pictures.gallery_page(positions, coverage(positions[0].by, positions), ABOUT)
    assert len(re.findall(r'class="lapse" title="a lapse">', page)) == 3
    assert 'id="rule"' not in page
