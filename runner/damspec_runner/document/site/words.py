"""What pages say around their content, in each language: the data of `words.js` and of the scripts that write text.

`play.yaml` and `workshop.yaml` have texts by keys. `pages.yaml` has those of all other pages by their English form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from damspec import data
from damspec.vocabulary import groups, vocabulary

from ..rulebook import Language, languages
from .boards import REASONS, RESULTS
from .library import SiteData
from .pages import File, packed_script


def word_files(library: SiteData) -> Iterator[File]:
    """Yield a script for each language with all that pages and scripts say in it."""
    for language in languages():
        yield packed_script(f"words/{language.tag}", words_of(library, language))


def words_of(library: SiteData, language: Language) -> Mapping[str, Any]:
    """Return the words of a language: texts by English ones, those by keys, games, and the sentences of rules."""
    tag = language.tag
    return {
        "tag": tag,
        "texts": {} if tag == "en" else _texts(library, language),
        "names": {ruleset.name: id for id, ruleset in library.rulesets.items()},
        "games": {id: library.name_in(id, tag) for id in library.rulesets},
        "play": board_texts()[tag],
        "workshop": page_texts("workshop")[tag],
        "search": language.content["search"],
        "rules": language.content["rules"],
        "phrases": language.content["phrases"],
    }


def _texts(library: SiteData, language: Language) -> Mapping[str, str]:
    """Return what stands on English pages, and how it is said in a language."""
    english, tag = languages()[0].content, language.tag
    pairs = [
        *((english[part][name], text) for part in ("around", "words") for name, text in language.content[part].items()),
        *((english["search"][name], language.content["search"][name]) for name in ("label", "broken")),
        *((group.title, group.heading[tag]) for group in groups()),
        *((rule.title, rule.heading[tag]) for rule in vocabulary().values()),
        *((text, said[tag]) for text, said in page_texts("pages").items()),
    ]
    return dict(pairs)


@cache
def page_texts(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the texts in a file of words: `play`, `workshop`, `identify` or `pages`."""
    content: Mapping[str, Mapping[str, Any]] = data.load_yaml(Path(__file__).parent / f"{name}.yaml")
    return content


@cache
def board_texts() -> Mapping[str, Mapping[str, Any]]:
    """Return what the board says in each language, with the language's tag and the words for outcomes."""
    words = {"results": RESULTS, "reasons": REASONS}
    return {
        tag: {**texts, "tag": tag, **{name: {**words[name], **texts[name]} for name in words}}
        for tag, texts in page_texts("play").items()
    }
