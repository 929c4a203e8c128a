"""The rulebook site: every thing has its address, every link leads somewhere, and what stands on the pages."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

import damspec
from damspec.vocabulary import glossary, groups, vocabulary
from damspec_runner.cases.cases import TOPICS, Case, cases_for, cases_of
from damspec_runner.document.rulebook import languages
from damspec_site import pages as links
from damspec_site import rendering
from damspec_site.library import SiteData
from damspec_site.pages import SECTIONS
from runs import SPREAD
from words import without_keys

pytestmark = pytest.mark.xdist_group(__name__)

RULESETS = damspec.ruleset_ids()
#: The pages made from docs/.
PROSE = [
    "adequacy", "book", "bridge", "bundle", "ci", "elsewhere", "endgames", "engines", "games", "generate", "hub",
    "huffing", "identify", "library", "lines", "own", "pdn", "perft", "programs", "protocol", "publish", "scale",
    "solve", "testing",
]  # fmt: skip
CLAUSES = damspec.load_clauses()
READINGS = {reading.id: reading for reading in damspec.load_readings()}
#: The elements that have no end.
VOID = {"meta", "link", "img", "input", "br", "hr"}


@cache
def cases() -> dict[str, Case]:
    """Every case by its id."""
    return {case.id: case for id in RULESETS for case in cases_of(id)}


@dataclass
class Parsed(HTMLParser):
    """What the tests ask of a page."""

    path: str
    ids: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    images: list[dict[str, str | None]] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    attributes: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)
    open: list[str] = field(default_factory=list)
    language: str | None = None

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert len(given) == len(attrs), f"{self.path}: an attribute twice in {tag}"
        self.tags.add(tag)
        self.attributes |= set(given)
        if tag not in VOID:
            self.open.append(tag)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "html":
            self.language = given.get("lang")
        if tag == "a":
            self.targets.append(str(given["href"]))
        if tag in ("link", "img") or (tag == "script" and "src" in given):
            self.loaded.append(str(given.get("href") or given.get("src")))
        if tag == "img":
            self.images.append(given)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"{self.path}: </{tag}> ends nothing"
        assert self.open.pop() == tag, f"{self.path}: </{tag}> ends another element"


@cache
def parsed(site: Path, address: str) -> Parsed:
    """A page by its address."""
    page = Parsed(address)
    page.feed(text(site, address))
    page.close()
    return page


def text(site: Path, address: str) -> str:
    return without_keys((site / address).read_text(encoding="utf-8"))


def addresses(site: Path) -> list[str]:
    """The addresses of all pages."""
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))


@pytest.fixture
def pages(site: Path) -> list[Parsed]:
    """Every page."""
    return [parsed(site, each) for each in addresses(site)]


def resolved(page: str, target: str) -> tuple[str, str]:
    """The file and the fragment that a relative link leads to."""
    parts = urlsplit(target)
    assert not parts.scheme, f"{page}: {target}"
    assert not parts.netloc, f"{page}: {target}"
    assert not parts.path.startswith("/"), f"{page}: {target} only works at the top of a server"
    file = os.path.normpath(Path(page).parent / parts.path) if parts.path else page
    return file, unquote(parts.fragment)


# --- pages


@pytest.mark.thorough
def test_everything_has_its_address(site: Path) -> None:
    wanted = {
        *(f"{name}.html" for name in ("index", "changes", "matrix", "glossary", "search", *PROSE)),
        *map(links.at, SECTIONS.values()),
        links.at("engines"),
        links.at("rulesets"),
        *(links.at("front", language=language.tag) for language in languages()),
        *(links.sheet(language.tag, id) for language in languages() for id in RULESETS),
        *(links.at("implement", id) for id in RULESETS),
        *(links.at("rule", name) for name in vocabulary()),
        *(links.at("document", clause.document) for clause in CLAUSES.values()),
        *(links.at("reading", id) for id in READINGS),
        *(links.at("cases_of", id) for id in {case.ruleset for case in cases().values()}),
        links.at("map"),
        *(
            links.at(kind, language=each.tag)
            for kind in ("play", "identify", "compare", "workshop", "search", "lost", "wrong", "huffing")
            for each in languages()
        ),
    }
    wanted = {address.partition("#")[0] for address in wanted}
    assert set(addresses(site)) == wanted
    assert len(wanted) <= 1100
    assert sum(path.is_file() for path in site.rglob("*")) <= 5000
    for id, clause in CLAUSES.items():
        assert id in parsed(site, links.at("document", clause.document)).ids
    for id, case in cases().items():
        assert id in parsed(site, links.case(id).partition("#")[0]).ids, case.ruleset


@pytest.mark.thorough
def test_a_page_of_a_reading_says_of_each_alternative_why_it_cannot_be_played(site: Path) -> None:
    for id, reading in READINGS.items():
        page = (site / links.at("reading", id)).read_text(encoding="utf-8")
        given = reading.alternatives.values()
        assert page.count("No rule can express it: ") == sum(each.inexpressible is not None for each in given)
        assert page.count("The same rules as the one chosen: ") == sum(each.same is not None for each in given)
        for each in given:
            assert each.because is None or f'<span class="tag">{each.because}</span>' in page


@pytest.mark.thorough
def test_no_page_is_heavy(site: Path) -> None:
    """250 kB at most, but for the table of all rules and the positions of a game; the search has its own bound."""
    sizes = {path.relative_to(site).as_posix(): path.stat().st_size for path in site.rglob("*") if path.is_file()}
    most = {**{links.at("cases_of", id): 1_200_000 for id in RULESETS}, links.at("matrix"): 460_000}
    heavy = {page: size for page, size in sizes.items() if page.endswith(".html") and size > most.get(page, 250_000)}
    assert heavy == {}
    scripts = ("minisearch", "search-index", "search-results", "search")
    first = sum(sizes[f"assets/{name}.js"] for name in scripts) + sizes["words/fr.js"] + sizes["search/fr.js"]
    rest = sum(sizes[f"search/{name}.js"] for name in ("records", "cases"))
    assert first <= 200_000
    assert first + rest <= 740_000


@pytest.mark.thorough
def test_links_lead_somewhere(site: Path, pages: list[Parsed]) -> None:
    there = set(addresses(site))
    dead = []
    for page in pages:
        for target in set(page.targets):
            if target.startswith("https:"):
                continue
            file, fragment = resolved(page.path, target)
            if not file.endswith(".html"):
                assert (site / file).is_file(), f"{page.path}: {target}"
                continue
            filters = file == "cases/index.html" and "=" in fragment
            # positions, rules and games, at which the tests of the board, the workshop and the comparison look
            if file.endswith(("play/index.html", "workshop/index.html", "compare/index.html")):
                continue
            if file not in there or (fragment and not filters and fragment not in parsed(site, file).ids):
                dead.append(f"{page.path}: {target}")
            if filters:
                assert_filters(fragment)
    assert dead == []


@pytest.mark.thorough
def test_an_engine_has_its_page_and_its_badges(site: Path) -> None:
    """The table leads to each ruleset on it; what is wrong is told in words."""
    library = SiteData()
    table = text(site, links.at("engines"))
    for cell in library.matrix.cells:
        assert f'href="../{links.engine(cell.engine, cell.ruleset)}">{cell.passed} of {cell.cases}' in table
        page = table.partition(f'<section id="{links.engine(cell.engine, cell.ruleset).partition("#")[2]}">')[2]
        page = page.partition("</section>")[0]
        assert f"{cell.passed} of {cell.cases} cases pass, {cell.failed} fail" in page
        shown = unescape(re.sub("<[^>]*>", "", page))
        assert all(each.about.replace("`", "") in shown for each in cell.wrong)
        for suffix, content in cell.badges().items():
            assert text(site, links.badge(cell.engine, cell.ruleset, suffix)) == content
    badges = list((site / "engines" / "badges").iterdir())
    assert len(badges) == 2 * len(library.matrix.cells)


def assert_filters(fragment: str) -> None:
    """A link to the case browser sets filters that there are, to values that there are."""
    known = {"ruleset": RULESETS, "topic": TOPICS, "clause": [*CLAUSES, *READINGS]}
    for key, value in parse_qsl(fragment):
        assert value in known[key]


@pytest.mark.thorough
def test_nothing_comes_from_elsewhere(site: Path, pages: list[Parsed]) -> None:
    for page in pages:
        for loaded in set(page.loaded):
            file, _ = resolved(page.path, loaded)
            assert (site / file).is_file(), f"{page.path}: {loaded}"
        assert not {name for name in page.attributes if name.startswith("on")}, page.path
        assert not page.tags & {"iframe", "style", "object"}, page.path
        styles = re.findall(' style="([^"]*)"', text(site, page.path))  # numbers for the style sheet
        assert all(re.fullmatch(r"(--[a-z]+:[\d.]+;?)+", each) for each in styles), page.path
    others = {path.name for path in (Path(rendering.__file__).parent / "vendor").glob("*/*")}
    for asset in (site / "assets").iterdir():
        if asset.suffix == ".png" or asset.name in others:
            continue
        content = asset.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r'https?:|@import|url\((?!#|alegreya|icon\.svg|"data:)', content), asset.name


@pytest.mark.thorough
def test_pages_are_well_formed(site: Path, pages: list[Parsed]) -> None:
    foreign = {language.tag for language in languages()} - {"en"}
    for page in pages:
        assert not re.search("built-in method|bound method|object at 0x", text(site, page.path)), page.path
        assert page.open == [], page.path
        folder = page.path.partition("/")[0]
        assert (page.language or "").partition("-")[0] == (folder if folder in foreign else "en"), page.path
        assert len(page.ids) == len(set(page.ids)), page.path
        assert {"title", "main", "nav", "header", "footer"} <= page.tags, page.path
        assert page.levels[0] == 1, page.path
        assert page.levels.count(1) == 1, page.path
        steps = zip(page.levels, page.levels[1:], strict=False)
        assert all(after <= before + 1 for before, after in steps), f"{page.path}: {page.levels}"


@pytest.mark.thorough
def test_titles_are_each_their_own(site: Path) -> None:
    titles = [re.search("<title>(.*?)</title>", text(site, address)) for address in addresses(site)]
    assert all(titles)
    assert len({found[1] for found in titles if found}) == len(titles)


@pytest.mark.thorough
def test_pictures_say_what_they_show(pages: list[Parsed]) -> None:
    """In the language of the page: who is to move, unless the variants on it begin differently, and what each has."""
    rulesets, variants = SiteData().rulesets, SiteData().variants
    either = {id for id in rulesets if len({rulesets[each].rules.start.first for each in (id, *variants[id])}) > 1}
    own = {
        language.tag: "(({white-moves}|{black-moves}) )%s{white} {black}".format(
            **{key: re.escape(text).replace(r"\{pieces\}", ".+") for key, text in language.content["position"].items()}
        )
        for language in languages()
    }
    for page in pages:
        tag = str(page.language).partition("-")[0]
        elsewhere = "|(White|Black) to move: White .+; Black .+" if tag == "en" else ""
        for image in page.images:
            form = own[tag].replace("%s", "?" if Path(page.path).stem in either else "")
            assert re.match(form + elsewhere, image["alt"] or ""), page.path
            assert image["width"], page.path
            assert image["height"], page.path


# --- what stands on them


@pytest.mark.thorough
@pytest.mark.parametrize("id", SPREAD)
def test_a_ruleset_has_its_rules_in_words_with_clauses_and_boards(site: Path, id: str) -> None:
    ruleset, page = damspec.load_ruleset(id), parsed(site, links.ruleset(id))
    assert [rule for rule in page.ids if rule in vocabulary()] == [r for r in vocabulary() if r in ruleset.values]
    sources = {source for rests_on in ruleset.rests_on.values() for source in rests_on}
    for source in sources:
        target = links.clause(CLAUSES[source]) if source in CLAUSES else links.at("reading", source)
        assert f"../{target}" in page.targets
    assert f"{len(cases_for(ruleset))} positions" in text(site, links.ruleset(id))
    assert text(site, links.ruleset(id)).count(' class="shown') >= len(ruleset.values)


@pytest.mark.thorough
def test_headings_are_in_the_language_of_the_document_too(site: Path) -> None:
    capturing = next(group for group in groups() if group.id == "capture")
    page = text(site, links.ruleset("nl-trapdoor"))
    assert f'<span class="own" lang="nl">{capturing.heading["nl"]}</span>' in page
    assert '<span class="own" lang="nl">Dammen &amp; vallen</span>' in page


def test_every_ruleset_and_language_has_a_name_of_its_own() -> None:
    """A name in every language of the rulebook, and in each another one for every game."""
    library = SiteData()
    assert set(library.game_facts["home"]) == set(RULESETS)
    for language in languages():
        assert len({library.name_in(id, language.tag) for id in RULESETS}) == len(RULESETS), language.tag
    quoted = {word.language for term in glossary().values() for word in term.languages.values() if word.language}
    named = {*languages()[0].content["languages"]}
    assert quoted | {document.language for document in library.documents.values()} <= named


@pytest.mark.thorough
def test_a_case_can_be_read_without_scripts(site: Path) -> None:
    """Its position, the moves to expect with the position after each, and the clauses it shows."""
    case = cases()["vl.multi-jump.second-jump-back"]
    page = text(site, links.at("cases_of", "vl"))
    shown = page.partition(f'<article class="one-case" id="{case.id}">')[2].partition("</article>")[0]
    assert case.position in shown
    for move, after in (case.expected.moves or {}).items():
        assert f"<code>{move}</code>" in shown
        assert after in shown
    assert [clause for clause in case.clauses if f"#{clause}" not in shown] == []


@pytest.mark.thorough
def test_the_glossary_has_every_term(site: Path) -> None:
    assert {links.slug(head) for head in glossary()} <= set(parsed(site, "glossary.html").ids)


def test_markdown_pages_keep_to_the_site() -> None:
    markdown = "# A\n\n[b](../cases/c.yaml) [d](adequacy.md#e) [f](https://example.org)\n\n| g |\n|---|\n| `h` |\n"
    html = rendering.render_markdown(markdown, "protocol")
    assert '<h1 id="a">A</h1>' in html
    assert '<p>b <a href="adequacy.html#e">d</a> <a href="https://example.org">f</a></p>' in html
    assert 'role="region" tabindex="0" aria-label="A"><table>' in str(html).replace(">\n<", "><")
