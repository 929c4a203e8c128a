"""What collectors bring together: the table, the map, a page for each file; and what is said of one that is wrong."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser import DESKTOP, Watched, served
from damspec_runner.cases.questionnaire import load_questionnaire
from damspec_site import build as building
from damspec_site.build import parts
from damspec_site.identify_pages import place_map
from runner_fixtures import damspec as run
from words import without_keys

pytestmark = pytest.mark.xdist_group("browser")

#: Answers by three people, of our own invention: Flemish draughts, the same with other answers, and nothing at all.
FLEMISH = """
  one-colour: yes
  trapdoors: no
  board-8: yes
  white-begins: yes
  repetition: no
  back-in-capture: yes
  fewer: no
  king-far: yes
  back-capture: no
  one-each: yes
"""
FILES = {
    "a-plain": f"""
damspec: 1
place: {{name: Invented-on-Sea, country: BE, latitude: 51.2, longitude: 2.9}}
year: about 1930
told: an invented aunt
answers:{FLEMISH}""",
    "b-clash": f"""
damspec: 1
place: {{name: "Ödendorf <example>", country: DE, latitude: 51.2, longitude: 2.91}}
year: 1962
by: nobody
answers:{FLEMISH}  third-time: yes
notes: {{third-time: "It was said, & doubted."}}
""",
    "c-silent": "damspec: 1\nanswers: {one-each: unknown}\n",
}


def written(folder: Path, files: dict[str, str] = FILES) -> Path:
    """A folder with these files."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text.lstrip("\n"), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with the collected answers, and little else."""
    folder = tmp_path_factory.mktemp("collected")
    answers = written(folder / "answers")
    (answers / "notes.txt").write_text("no answers file", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        names = ("assets", "collected", "interpreter", "words")
        few = lambda *given: (part for part in parts(*given) if part.name in names)  # noqa: E731
        patch.setattr(building, "parts", few)
        ran = run("site", "build", str(folder / "site"), "--collected", str(answers))
        assert (ran.status, ran.err) == (0, "")
    return folder / "site"


def text(site: Path, page: str) -> str:
    return without_keys((site / "collected" / page).read_text(encoding="utf-8"))


@pytest.mark.thorough
def test_the_table_has_every_file(told: Path) -> None:
    page = text(told, "index.html")
    rows = re.findall(r'<tr id="place-(\d)".*?</tr>', page, re.DOTALL)
    assert rows == ["1", "2", "3"]
    assert "Ödendorf &lt;example&gt;" in page
    assert page.count('href="../rulesets/vl.html"') == 3  # two rows, and the key of the map


@pytest.mark.thorough
def test_the_table_can_be_downloaded(told: Path) -> None:
    lines = [*csv.DictReader(text(told, "answers.csv").splitlines())]
    assert [line["place"] for line in lines] == ["Invented-on-Sea", "Ödendorf <example>", "c-silent"]
    assert lines[0] == {
        "file": "a-plain",
        "place": "Invented-on-Sea",
        "country": "BE",
        "latitude": "51.2",
        "longitude": "2.9",
        "year": "about 1930",
        "told": "an invented aunt",
        "by": "",
        "game": "Flemish draughts",
        "differs": "",
        "answers": "10",
        "contradictions": "",
    }
    assert lines[1]["contradictions"] == "third-time and repetition"
    assert (lines[2]["game"], lines[2]["answers"]) == ("", "0")


@pytest.mark.thorough
def test_a_page_shows_each_answer_on_its_board(told: Path) -> None:
    page = text(told, "at/b-clash.html")
    asked = load_questionnaire().by_id
    answers = page.partition("<h2>The answers</h2>")[2]
    assert answers.count("<figure>") == 11
    boards = ("back-in-capture", "fewer", "king-far", "back-capture", "one-each")
    assert all(asked[id].position for id in boards)
    assert answers.count('class="board"') == len(boards)
    assert "It was said, &amp; doubted." in answers
    assert "The game would say no." in answers
    again = (
        "one-colour.y,trapdoors.n,board-8.y,white-begins.y,repetition.n,back-in-capture.y,fewer.n,king-far.y,"
        "back-capture.n,one-each.y,third-time.y"
    )
    assert f'href="../../identify/index.html#answers={again}"' in page
    clash = page.partition("<h2>What does not go together</h2>")[2].partition("<h2>")[0]
    assert asked["third-time"].asks in clash
    assert asked["repetition"].asks in clash


@pytest.mark.thorough
def test_a_file_without_a_place_is_called_by_its_name(told: Path) -> None:
    assert "<h1>c-silent</h1>" in text(told, "at/c-silent.html")
    assert "none found" in text(told, "at/c-silent.html")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "answers: found no answers file, expected some that end in .yaml"),
        (
            {"a": "damspec: 1\nanswers: {one-eech: yes}"},
            "a.yaml: answers: no question 'one-eech'; did you mean 'one-each'",
        ),
        ({"a": "damspec: 1\nplace: {name: X, latitude: 99, longitude: 1}\nanswers: {}"}, "a.yaml: place.latitude: 99"),
        ({"a": "damspec: 1\nanswers: {", "b": ""}, "a.yaml:3:1: not valid YAML"),
        (
            {"a b": "damspec: 1\nanswers: {}", "a-b": "damspec: 1\nanswers: {}"},
            "a-b.yaml: would have the page of a b.yaml",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_line(tmp_path: Path, files: dict[str, str], message: str) -> None:
    folder = written(tmp_path / "answers", files)
    ran = run("site", "build", str(tmp_path / "site"), "--collected", str(folder))
    assert ran.status == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "site").exists()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    ran = run("site", "build", str(tmp_path / "site"), "--collected", str(tmp_path / "nowhere"))
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "nowhere: cannot be read: No such file or directory" in ran.err


# --- the map


def test_places_lie_where_they_are() -> None:
    """North is up, east to the right; a degree of longitude is narrower than one of latitude, at 60° half of it."""
    drawn = place_map([(60.0, 10.0), (61.0, 10.0), (60.0, 12.0)])
    assert drawn
    south, north, east = drawn.pins
    assert north.y < south.y
    assert (north.x, east.y) == (south.x, south.y)
    assert east.x - south.x == pytest.approx(south.y - north.y, rel=0.02)
    assert "10° E" in [name for _, name in drawn.meridians]
    assert "60° N" in [name for _, name in drawn.parallels]
    assert not any(pin.aside for pin in drawn.pins)


def test_the_map_goes_across_the_date_line() -> None:
    """Fiji and Samoa are neighbours, and the map shows the sea between them, not the rest of the world."""
    drawn = place_map([(-17.7, 178.0), (-13.6, -172.4)])
    assert drawn
    assert drawn.pins[0].x < drawn.pins[1].x
    names = [name for _, name in drawn.meridians]
    assert "180°" in names
    assert names[0].endswith("E")
    assert names[-1].endswith("W")
    assert len(names) <= 7


def test_places_at_one_place_stand_around_it() -> None:
    drawn = place_map([(50.0, 4.0)] * 3)
    assert drawn
    assert len({(pin.place_x, pin.place_y) for pin in drawn.pins}) == 1
    spots = [(pin.x, pin.y) for pin in drawn.pins]
    for number, one in enumerate(spots):
        for other in spots[number + 1 :]:
            assert (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 > 16**2


def test_no_places_no_map() -> None:
    assert place_map([]) is None


# --- in a browser


@pytest.fixture(scope="module")
def shown(told: Path) -> Iterator[str]:
    """Where that site is served."""
    with served(told) as address:
        yield address


@pytest.mark.thorough
def test_the_map_and_the_table_are_filtered_together(browser: Browser, shown: str) -> None:
    watched = Watched(browser, shown, viewport=DESKTOP)
    page = watched.open("collected/index.html")
    pins = page.locator(".world a")
    expect(pins).to_have_count(2)
    expect(pins.first).to_have_accessible_name("1 Invented-on-Sea, about 1930: Flemish draughts")
    page.select_option("#wanted-country", "DE")
    expect(page.locator("tbody tr:visible")).to_have_count(1)
    expect(page.locator(".world a:visible")).to_have_count(1)
    expect(page.locator("#collected-note")).to_have_text("1 of 3 places")
    page.click("text=Show all")
    page.fill("#wanted-words", "odendorf")
    expect(page.locator("tbody tr:visible")).to_have_count(1)
    page.click("text=Show all")
    page.click("th >> text=Answers")
    expect(page.locator("tbody th").first).to_contain_text("c-silent")
    page.click("th >> text=Answers")
    expect(page.locator("tbody th").first).to_contain_text("Ödendorf")
    expect(page.locator("th[aria-sort=descending]")).to_have_text("Answers")
    page.locator(".world a").last.click()
    expect(page.locator("h1")).to_have_text("Ödendorf <example>, 1962")
    watched.close()
