"""One language at a time: what a player meets has no words of another language, no English sentences and no ids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import damspec
from browser import DESKTOP, Watched
from damspec.vocabulary import groups, vocabulary
from damspec_runner.document.compare import leaflet_game
from damspec_runner.document.rulebook import languages
from damspec_site import pages

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.thorough]

TAGS = [language.tag for language in languages()]
SHEETS = [id for id in damspec.ruleset_ids() if leaflet_game(id) == id]
every_language = pytest.mark.parametrize("tag", TAGS)
#: What stands within a line of text.
INLINE = {
    "a",
    "abbr",
    "b",
    "bdi",
    "em",
    "i",
    "mark",
    "q",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "u",
    "text",
    "tspan",
}
#: What is in another language by intent: names of languages, the shelf and what the search finds for it, words of
#: documents.
ABROAD = {"languages", "shelf", "records", "own", "term"}
EMPTY = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
#: Words that betray a sentence. None is a word of two of these languages.
COMMON = {
    "en": "the of and is are which with that this from by may when where they has have been not on its",
    "nl": "het een niet zijn wordt naar ook mag voor wie dan geen deze maar uit bij moet wit van je",
    "de": "der das und ist nicht ein eine wird auf mit auch kann dem den einer sind wer über für noch",
    "fr": "le les des est une dans qui pas sur par pour avec sont peut elle vous aux ou",
    "lb": "ass net vun fir eng gëtt kann dierf däerf och nëmmen hien wann sinn mat ginn iwwer keng dee",
}
WORD = re.compile(r"[^\W\d_]+")


class Texts(HTMLParser):
    """The pieces of text that somebody sees or hears on a page, each a line or a label."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.line = ""
        self.around: list[bool] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        silent = bool(self.around and self.around[-1]) or tag in {"script", "style", "code", "template"}
        silent = silent or bool(ABROAD & {*given.get("class", "").split()})
        if tag not in INLINE:
            self._end()
        if not silent:
            self.found += [given[name] for name in ("alt", "aria-label", "placeholder", "title") if given.get(name)]
        if tag not in EMPTY:
            self.around.append(silent)

    def handle_endtag(self, tag: str) -> None:
        if tag in EMPTY:
            return
        if tag not in INLINE:
            self._end()
        self.around.pop()

    def handle_data(self, data: str) -> None:
        if not (self.around and self.around[-1]):
            self.line += data

    def _end(self) -> None:
        if self.line.strip():
            self.found.append(self.line)
        self.line = ""


def plain(text: str) -> str:
    return " ".join(text.replace("\N{NARROW NO-BREAK SPACE}", " ").replace("\N{NO-BREAK SPACE}", " ").split())


def leaves(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, Mapping):
        for value in content.values():
            yield from leaves(value)
    elif isinstance(content, list | tuple):
        for value in content:
            yield from leaves(value)


@cache
def own_texts(tag: str) -> frozenset[str]:
    """Everything that the file of a language says, and what English has elsewhere: the names of games and rules."""
    content = next(each.content for each in languages() if each.tag == tag)
    said = {plain(text) for key, part in content.items() if key != "usage" for text in leaves(part)}
    titles = {each.title for each in groups()} | {each.title for each in vocabulary().values()}
    return frozenset(said | titles | {damspec.load_ruleset(id).name for id in SHEETS} if tag == "en" else said)


@cache
def pieces(tag: str) -> frozenset[str]:
    """The parts of the sentences of a language that are long enough to be nobody else's."""
    parts = (plain(part) for text in own_texts(tag) for part in re.split(r"\{[^}]*\}|\[[^]]*\]|`", text))
    return frozenset(part for part in parts if len(part) > 14 and part.count(" ") > 1)


@cache
def ids() -> re.Pattern[str]:
    known = {
        *vocabulary(),
        *(id for id in damspec.ruleset_ids() if "-" in id),
        *(each.id for each in damspec.load_readings()),
    }
    return re.compile(
        r"(?<![\w.-])(?:"
        + "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        + r"|sliders=\w+|spin=\w+|(?:around|words|texts|play|identify)\.[a-z-]+)(?![\w-])"
    )


def mixtures(html: str, tag: str) -> list[str]:
    """What on a page is not in its language."""
    reader = Texts()
    reader.feed(html)
    texts = [plain(text) for text in reader.found]
    whole = "\n".join(texts)
    own = {text.casefold() for text in own_texts(tag)}
    own_whole = "\n".join(own)
    others = [other for other in TAGS if other != tag]
    found = [f"{tag}: {id[0]!r} is an id" for id in ids().finditer(whole)]
    for other in others:
        found += [
            f"{other}: {piece}" for piece in pieces(other) if piece in whole and piece.casefold() not in own_whole
        ]
        short = {text for text in own_texts(other) if text.casefold() not in own}
        found += [f"{other}: {text}" for text in {*texts} & short]
    for text in {*texts}:
        words = [word.casefold() for word in WORD.findall(text)]
        counted = {each: sum(word in common.split() for word in words) for each, common in COMMON.items()}
        best = max(others, key=counted.__getitem__)
        if counted[best] >= 3 and counted[best] > counted[tag]:
            found.append(f"{best}: {text}")
    return sorted({*found})


def test_a_sentence_of_another_language_is_seen() -> None:
    """So is an id, and a word of another file; what a document itself says may be there."""
    dutch = "<p>Wit begint, en wie niet meer kan zetten, verliest.</p>"
    assert mixtures(dutch, "nl") == []
    assert (
        len(mixtures(f"{dutch}<p>Men <b>capture</b> forward, and which of the two is taken that way.</p>", "nl")) == 1
    )
    assert (
        len(
            mixtures(
                f"{dutch}<p>Zie man.capture.first, of RU-01 <i class=own lang=en>which of the two is that</i></p>", "nl"
            )
        )
        >= 1
    )
    assert mixtures("<button>Vergleichen</button>", "nl") == ["de: Vergleichen"]


@every_language
def test_the_first_page_and_sheets_are_in_one_language(site: Path, tag: str) -> None:
    paths = [pages.at("front", language=tag), *(pages.sheet(tag, id) for id in SHEETS if tag != "en")]
    found = {path: mixtures((site / path).read_text(encoding="utf-8"), tag) for path in paths}
    assert {path: mixed for path, mixed in found.items() if mixed} == {}


#: What players meet besides, with what they choose there, and what has to be there before all is said.
REST = {
    ("play", ""): ".board, .bd",
    ("play", "#nl-trapdoor"): ".board, .bd",
    ("play", "#de"): ".board, .bd",
    ("identify", ""): "main .bd, main button",
    ("compare", "#international,vl"): "main .bd",
    ("workshop", ""): "main select",
    ("search", "?q=dam"): "#found a",
    ("wrong", ""): "main p",
    ("huffing", ""): "main p",
    ("lost", ""): "main a",
}


@every_language
@pytest.mark.parametrize(("kind", "chosen"), REST)
def test_what_scripts_say_is_in_the_language_of_the_page(
    browser: Browser, address: str, kind: str, chosen: str, tag: str
) -> None:
    watched = Watched(browser, address, locale="en" if tag == "lb" else "lb", viewport=DESKTOP)
    page = watched.open(pages.at(kind, language=tag) + chosen)
    page.locator(REST[kind, chosen]).first.wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    assert mixtures(page.content(), tag) == []
    watched.close()
