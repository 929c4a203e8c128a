"""The rulebook site on the web: its map, what other sites show of it, the page for what is not there, and the feed."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from markupsafe import escape

from damspec_runner.document.rulebook import languages
from damspec_site import build as building
from damspec_site import rule_pages as told
from damspec_site.build import MakePart, build, parts
from damspec_site.library import SiteData
from damspec_site.pages import NOWHERE, AddressError, SiteAddress, at, sheet
from runner_fixtures import damspec as run

pytestmark = pytest.mark.xdist_group(__name__)

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
    with pytest.raises(AddressError):
        SiteAddress.read(text)
    ran = run("site", "build", str(tmp_path / "new"), "--url", text)
    assert ran.status == 2
    assert ran.complaint == f"damspec: found {text!r}, expected an address such as https://example.org/rules/"


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
    ran = run("site", "build", str(tmp_path / "new"), "--contact", text)
    assert ran.status == 2
    assert ran.complaint == (
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
