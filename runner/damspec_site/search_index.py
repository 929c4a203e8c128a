"""What a search finds, as parts that a page loads when the reader begins to search: classic scripts, no pages.

`search/things.js` has the games, rules, words, unclear points, documents and comparisons, `search/rulebook.js` each
sentence of the rulebooks in every language with the games that have it, `search/clauses.js` the clauses, and
`search/guides.js` the board to play on and the pages for programmers, those of docs/ by their headings.
The cases are in `search/cases.js`, as the case browser has them.
An entry has a `kind`, a page `at`, a `title` and `text`; `words` lead to it as well, `id` is what it is called,
`language` that of its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from markdown_it import MarkdownIt

from damspec.pdn.notation import gametype_of
from damspec.vocabulary import Term, glossary, vocabulary, word_value
from damspec_runner.document.compare import are_compared
from damspec_runner.document.rulebook import languages

from . import pages
from .library import SiteData, group_by_value, page_text
from .pages import File, Page, packed_script, pages_in_languages
from .rendering import PROSE

Findable = Mapping[str, Any]
#: How words of verbs end in the languages of the rulebooks, as the glossary has them, if enough of the word is left.
_ENDING = re.compile(r"(?<=\w{4})(en|er|re|n)$")


def search_pages(library: SiteData) -> Iterator[Page | File]:
    """Yield the page of results, which without scripts links to the lists, and the parts of the index."""
    yield from pages_in_languages("search", games=[*library.rulesets])
    things = (_games, _rules, _words, _readings, _documents, _comparisons, _questionnaire)
    yield packed_script("search/things", [entry for entries in things for entry in entries(library)])
    yield packed_script("search/rulebook", [*_sentences(library)])
    yield packed_script("search/clauses", [*_clauses(library)])
    yield packed_script("search/guides", [_board(), _workshop(), *_for_programmers(library), *_guides()])


def _games(library: SiteData) -> Iterator[Findable]:
    for id, ruleset in library.rulesets.items():
        names = dict([library.own_name(id)]) | {each.tag: library.name_in(id, each.tag) for each in languages()[1:]}
        own = [term for term in glossary().values() if id in _having(library, term)]
        documents = [library.documents[document].title for document in ruleset.documents]
        yield {
            "kind": "game",
            "id": id,
            "at": pages.ruleset(id),
            "sheets": {other.tag: pages.sheet(other.tag, id) for other in languages()},
            "title": ruleset.name,
            "names": names,
            "text": ruleset.about,
            "words": [*names.values(), *documents, *(word for term in own for word in (term.head, *term.words))],
        }


def _rules(library: SiteData) -> Iterator[Findable]:
    for rule in vocabulary().values():
        terms = [glossary()[head] for head in rule.terms]
        found = group_by_value({id: ruleset.values.get(rule.name) for id, ruleset in library.rulesets.items()})
        values = [word_value(rule.name, value) for value, _ in found if value is not None]
        yield {
            "kind": "rule",
            "id": rule.name,
            "at": pages.rule(rule.name),
            "title": rule.title,
            "text": " ".join((rule.asks, *values)),
            "words": [*rule.heading.values(), *(word for term in terms for word in (term.head, *term.words))],
            "games": [id for id, ruleset in library.rulesets.items() if rule.name in ruleset.values],
        }


def _words(library: SiteData) -> Iterator[Findable]:
    for term in glossary().values():
        quoted = [
            (word.language or library.documents[document].language, word.words)
            for document, word in term.languages.items()
        ]
        said: dict[str, dict[str, None]] = {}
        for tag, words in (*quoted, *term.players.items()):
            said.setdefault(tag, {}).update(dict.fromkeys(words))
        yield {
            "kind": "word",
            "at": f"glossary.html#{pages.slug(term.head)}",
            "title": term.head,
            "said": {tag: [*words] for tag, words in said.items()},
            "words": term.words,
            "rules": [[rule.title, pages.rule(rule.name)] for rule in _about(term)],
            "games": _having(library, term),
        }


def _about(term: Term) -> list[Any]:
    return [rule for rule in vocabulary().values() if term.head in rule.terms]


def _having(library: SiteData, term: Term) -> list[str]:
    """Return the games with a rule for which the term is a word, if others lack such a rule."""
    every = [[id for id, one in library.rulesets.items() if rule.name in one.values] for rule in _about(term)]
    some = [ids for ids in every if len(ids) < len(library.rulesets)]
    if len(some) < len(every):
        return []
    return [id for id in library.rulesets if any(id in ids for ids in some)]


def _readings(library: SiteData) -> Iterator[Findable]:
    for reading in library.readings.values():
        yield {
            "kind": "reading",
            "id": reading.id,
            "at": pages.reading(reading.id),
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
            "at": pages.document(document.id),
            "title": document.title,
            "text": document.about,
            "words": [
                spoken[document.language],
                *filter(None, (document.publisher, document.item)),
            ],
        }


def _comparisons(library: SiteData) -> Iterator[Findable]:
    for one, other in combinations(sorted(library.rulesets), 2):
        if are_compared(one, other):
            first, second = library.rulesets[one], library.rulesets[other]
            yield {
                "kind": "comparison",
                "at": pages.comparison(one, other),
                "title": f"{first.name} and {second.name}",
                "words": ["compare", "differences", one, other],
            }


def _questionnaire(_: SiteData) -> Iterator[Findable]:
    """Yield the entry of the questionnaire."""
    yield {
        "kind": "guide",
        "at": pages.at("identify"),
        "title": "Which game did you play?",
        "text": "Small positions with a question each, answered by yes or no: which game it is, or what is different.",
        "words": ["identify", *(language.around("identify") for language in languages())],
    }


def _sentences(library: SiteData) -> Iterator[Findable]:
    """Yield each sentence of a rulebook section once, with the games that have it and its place."""
    for language in languages():
        said = [_in(library, term, language.tag) for term in glossary().values()]
        found: dict[tuple[str, str, str], list[str]] = {}
        for id, ruleset in library.rulesets.items():
            for section in language.sections(ruleset):
                for sentence in section.sentences:
                    found.setdefault((section.id, section.title, sentence), []).append(id)
        for (section_id, title, sentence), games in found.items():
            yield {
                "kind": "rulebook",
                "at": f"#{pages.section(section_id)}",
                "title": title,
                "text": sentence,
                "language": language.tag,
                "words": _synonyms(sentence, said),
                "games": games,
            }


def _in(library: SiteData, term: Term, tag: str) -> list[str]:
    """Return the words for a term in a language or a variety of it."""
    quoted = [(word.language or library.documents[id].language, word.words) for id, word in term.languages.items()]
    return [word for own, words in (*quoted, *term.players.items()) if own.partition("-")[0] == tag for word in words]


def _synonyms(sentence: str, said: Iterable[Sequence[str]]) -> list[str]:
    """Return the other words for what a sentence mentions, and the base forms of those it inflects."""
    spoken = _bare(sentence)
    return [word for words in said if any(_mentions(spoken, word) for word in words) for word in words]


def _mentions(spoken: str, word: str) -> bool:
    """Return whether a word or phrase occurs in a sentence, with any ending."""
    bare = _bare(word)
    stem = _ENDING.sub("", bare) if " " not in bare else f"{bare} "
    return f" {stem}" in f" {spoken} "


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


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


def _board() -> Findable:
    """Return the entry of the board to play on."""
    return {
        "kind": "guide",
        "at": pages.at("play"),
        "title": "A board to play on",
        "text": "Every game can be played in the browser: by two people, or against the computer, with PDN and FEN, and"
        " positions as exercises.",
        "words": [word for language in languages() for word in (language.around("play"), language.word("try"))],
    }


def _workshop() -> Findable:
    """Return the entry of the workshop."""
    return {
        "kind": "guide",
        "at": pages.at("workshop"),
        "title": "The workshop",
        "text": "Make a game of your own rule by rule: what contradicts itself, and which known game it lies next to.",
        "words": [language.around("workshop") for language in languages()],
    }


def _for_programmers(library: SiteData) -> Iterator[Findable]:
    """Yield the entry of each game's page for programmers."""
    for id, ruleset in library.rulesets.items():
        tag = gametype_of(ruleset)
        yield {
            "kind": "guide",
            "at": pages.implement(id),
            "title": f"{ruleset.name} for programmers",
            "text": "The values of its rules, its start as FEN, GameType, perft counts, positions to download, and"
            " what engines got wrong.",
            "words": [id, *([f"GameType {tag}"] if tag else [])],
        }


def _guides() -> Iterator[Findable]:
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
