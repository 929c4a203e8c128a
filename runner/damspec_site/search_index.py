"""What a search finds, as parts that a page loads when the reader begins to search: classic scripts, no pages.

`search/TAG.js` is what players find in a language, and fits on a phone: what the rulebooks say of each topic, by the
games that say it, the games, the words of the glossary, and pages. `search/records.js` is what programmers and
historians find, in English: rules, unclear points, documents, clauses, and docs/ by headings. The cases are in
`search/cases.js`, as the case browser has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markdown_it import MarkdownIt

from damspec import Ruleset
from damspec.pdn.notation import gametype_of
from damspec.vocabulary import Term, glossary, vocabulary, word_value
from damspec_runner.document.rulebook import Language, RuleSentences, languages

from . import pages
from .library import SiteData, group_by_value, page_text
from .pages import File, Page, packed_script, pages_in_languages
from .rendering import PROSE
from .words import words_of

Findable = Mapping[str, Any]
#: A small board for learning, as a part of the address of the board to play on.
_SMALL = "rules={}&name=6+%C3%97+6&board.size=6x6&start.men=2"
#: Squares in both notations, that of the players of a game first.
_SQUARES = {"numbers": "[{0.numbers}|{0.letters}]".format, "letters": "[{0.letters}|{0.numbers}]".format}


def search_pages(library: SiteData) -> Iterator[Page | File]:
    """Yield the page of results, which without scripts links to the lists, and the parts of the index."""
    yield from pages_in_languages("search", games=[*library.rulesets])
    for language in languages():
        topics, words = _topics(library, language), [*_words(library, language)]
        entries = [*topics, *_games(library, language), *words, *_places(library, language)]
        asked = {name: language.content["find"][name] for name in ("stop", "plain", "same", "general", "not")}
        asked["first"] = [library.game_facts["known"][language.tag], *language.content["front"]["first"]]
        yield packed_script(f"search/{language.tag}", {**asked, "entries": entries})
    records = (_rules, _readings, _documents, _clauses, _for_programmers, _guides)
    yield packed_script("search/records", [each for found in records for each in found(library)])


def _topics(library: SiteData, language: Language) -> list[Findable]:
    """Return for each rule and line of the rulebooks what they say of it, with the games, and other words for it."""
    found: dict[str, tuple[str, dict[tuple[str, str], list[str]]]] = {}
    for id, ruleset in library.rulesets.items():
        for section, key, text in RuleSentences(ruleset, language).told():
            said = (
                pages.replace_bracketed_squares(text, ruleset.rules.board, _SQUARES[pages.of_games(ruleset)]),
                _side(ruleset, key, language),
            )
            found.setdefault(key, (section, {}))[1].setdefault(said, []).append(id)
    keys: Mapping[str, str] = language.content["find"]["topics"]
    words = words_of(library, language)  # of rules; the lines of the rulebook have neither title nor question
    return [
        {
            "kind": "topic",
            "id": key,
            "title": words["titles"].get(key) or keys.get(key, language.content["sections"][section]).partition(",")[0],
            "section": pages.section(section),
            "says": [(text, games, side) for (text, side), games in texts.items()],
            "text": " ".join((words["asks"].get(key, ""), *(text for text, _ in texts))),
            "keys": keys.get(key, ""),
            "words": _synonyms(library, key, language),
        }
        for key, (section, texts) in found.items()
    ]


def _side(ruleset: Ruleset, key: str, language: Language) -> str:
    """Return which answer to a question for one of few a game gives, by that rule or by the one that decides it."""
    values, sides = ruleset.values, language.content["find"]["sides"].get(key, {})
    later = "" if key != "man.capture.first" or values[key] == values["man.capture.later"] else "later"
    return next(
        (str(side) for part, side in sides.items() if part in f"{values.get(sides.get('rule', key))} {later}"), ""
    )


def _synonyms(library: SiteData, key: str, language: Language) -> list[str]:
    """Return the words for the terms of a rule in a language."""
    terms = vocabulary()[key].terms if key in vocabulary() else ()
    return [word for head in terms for word in _in(library, glossary()[head]).get(language.tag, ())]


def _in(library: SiteData, term: Term) -> Mapping[str, list[str]]:
    """Return the words for a term by language."""
    quoted = [
        (word.language or library.documents[document].language, word.words) for document, word in term.languages.items()
    ]
    said: dict[str, dict[str, None]] = {"en": {term.head: None}}
    for tag, words in (*quoted, *term.players.items()):
        said.setdefault(tag.partition("-")[0], {}).update(dict.fromkeys(words))
    return {tag: [*words] for tag, words in said.items()}


def _games(library: SiteData, language: Language) -> Iterator[Findable]:
    besides: Mapping[str, str] = language.content["find"]["names"]
    for id, ruleset in library.rulesets.items():
        board = ruleset.rules.board
        yield {
            "kind": "game",
            "id": id,
            "at": pages.sheet(language.tag, id),
            "title": library.name_in(id, language.tag),
            "names": [
                *{library.name_in(id, each.tag): None for each in languages()},
                library.own_name(id)[1],
                *besides.get(id, "").split(", "),
            ],
            "text": library.about_in(id, language.tag),
            "words": [id, f"{board.columns}x{board.rows}", str(board.columns * board.rows)],
        }


def _words(library: SiteData, language: Language) -> Iterator[Findable]:
    for term in glossary().values():
        said = _in(library, term)
        if own := said.get(language.tag):
            yield {
                "kind": "word",
                "at": f"glossary.html#{pages.slug(term.head)}",
                "title": ", ".join(own),
                "said": {tag: ", ".join(words) for tag, words in said.items() if tag != language.tag},
                "words": [word for words in said.values() for word in words],
            }


def _places(library: SiteData, language: Language) -> Iterator[Findable]:
    """Yield the pages that are no game's, and a small board for learning."""
    own = {
        "small": pages.at("play", part=_SMALL.format(library.game_facts["known"][language.tag]), language=language.tag),
        "implement": pages.at("programmers"),
        "gametype": f"{pages.at('programmers')}#games",
        "javascript": f"{pages.at('prose', 'library')}#in-javascript",
        "svg": f"{pages.at('prose', 'library')}#pictures",
        "print": pages.sheet(language.tag, library.game_facts["known"][language.tag]),
        **{name: pages.at("prose", name) for name in PROSE if name not in pages.manifest()},
    }
    for name, said in language.content["find"]["pages"].items():
        yield {
            "kind": "page",
            "id": name,
            "at": own.get(name) or pages.at(name, language=language.tag),
            **said,
            "text": said["text"].format(min(one.year for one in library.documents.values() if one.year)),
        }


def _rules(library: SiteData) -> Iterator[Findable]:
    for rule in vocabulary().values():
        terms = [glossary()[head] for head in rule.terms]
        found = group_by_value({id: ruleset.values.get(rule.name) for id, ruleset in library.rulesets.items()})
        values = [word_value(rule.name, value) for value, _ in found if value is not None]
        yield {
            "kind": "rule",
            "id": rule.name,
            "at": pages.at("rule", rule.name),
            "title": rule.title,
            "text": " ".join((rule.asks, *values)),
            "words": [*rule.heading.values(), *(word for term in terms for word in (term.head, *term.words))],
            "games": [id for id, ruleset in library.rulesets.items() if rule.name in ruleset.values],
        }


def _readings(library: SiteData) -> Iterator[Findable]:
    for reading in library.readings.values():
        yield {
            "kind": "reading",
            "id": reading.id,
            "at": pages.at("reading", reading.id),
            "title": f"{reading.id} {reading.question}",
            "text": " ".join(alternative.says for alternative in reading.alternatives.values()),
            "games": [*reading.rulesets],
        }


def _documents(library: SiteData) -> Iterator[Findable]:
    spoken = languages()[0].content["languages"]
    for document in library.documents.values():
        yield {
            "kind": "document",
            "id": document.id,
            "at": pages.at("document", document.id),
            "title": document.title,
            "text": document.about,
            "words": [
                spoken[document.language],
                *filter(None, (document.publisher, document.item)),
            ],
        }


def _clauses(library: SiteData) -> Iterator[Findable]:
    for clause in library.clauses.values():
        yield {
            "kind": "clause",
            "id": clause.id,
            "at": pages.clause(clause),
            "title": f"{clause.id} {clause.term}",
            "text": clause.says,
            "words": [library.documents[clause.document].title],
        }


def _for_programmers(library: SiteData) -> Iterator[Findable]:
    """Yield the entry of each game's page for programmers."""
    for id, ruleset in library.rulesets.items():
        tag = gametype_of(ruleset)
        yield {
            "kind": "guide",
            "at": pages.at("implement", id),
            "title": f"{ruleset.name} for programmers",
            "text": "The values of its rules, its start as FEN, GameType, perft counts, positions to download, and"
            " what engines got wrong.",
            "words": [id, *([f"GameType {tag}"] if tag else [])],
        }


def _guides(_: SiteData) -> Iterator[Findable]:
    """Yield the entries of docs/, one for the text below each heading."""
    for name, (title, about) in PROSE.items():
        at, heading, texts = f"{name}.html", title, [about]
        tokens = MarkdownIt("commonmark").enable("table").parse(page_text(name))
        for place, token in enumerate(tokens):
            if token.type == "heading_open" and token.tag != "h1":
                yield _guide(title, at, heading, texts)
                heading, texts = tokens[place + 1].content, []
                at = f"{name}.html#{pages.slug(heading)}"
            elif token.type == "inline" and token.level == 1 and tokens[place - 1].type == "paragraph_open":
                texts.append("".join(child.content or " " for child in token.children or ()))
        yield _guide(title, at, heading, texts)


def _guide(title: str, at: str, heading: str, texts: list[str]) -> Findable:
    named = heading.replace("`", "")
    return {
        "kind": "guide",
        "at": at,
        "title": title if named == title else f"{title}: {named}",
        "text": " ".join(texts),
    }
