"""What pages say around their content, in each language, by keys: the data of `say` in templates and of `words.js`.

A key is `GROUP.NAME`, or a name alone for the texts of `pages.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from damspec.inheritance import overlay_ids
from damspec.vocabulary import Group, Rule, groups, vocabulary
from damspec_runner.cases.questionnaire import load_questionnaire
from damspec_runner.document.rulebook import Language, languages, load_words

from .boards import REASONS, RESULTS
from .library import SiteData
from .pages import File, packed_script

_PLACE = re.compile(r"\{(\d)\}")


def word_files(library: SiteData) -> Iterator[File]:
    """Yield a script for each language with all that pages and scripts say in it."""
    for language in languages():
        yield packed_script(f"words/{language.tag}", words_of(library, language))


def words_of(library: SiteData, language: Language) -> Mapping[str, Any]:
    """Return the words of a language by group and name, with its tag."""
    tag = language.tag
    asks: Mapping[str, str] = page_texts("identify")[tag].get("asks", {})
    titled: Mapping[str, Group | Rule] = {**{group.id: group for group in groups()}, **vocabulary()}
    return {
        "tag": tag,
        **{group: {name: said[tag] for name, said in texts.items()} for group, texts in page_texts("pages").items()},
        "languages": {named: said[tag] for named, said in library.languages.items()},
        "asks": {rule.name: rule.asks.replace("`", "") for rule in vocabulary().values()}
        | language.content.get("asks", {}),
        "questions": {id: asks.get(text, text) for text, id in question_keys().items()},
        **{each: board_texts()[tag][each] for each in ("results", "reasons")},
        "titles": {id: each.title if tag == "en" else each.heading[tag] for id, each in titled.items()},
        "first": page_texts("front")["words"][tag]["first"],
        "games": {id: library.name_in(id, tag) for id in library.rulesets},
        "abouts": {id: library.about_in(id, tag) for id in (*library.rulesets, *overlay_ids())},
        "play": board_texts()[tag],
        "workshop": page_texts("workshop")[tag],
        "identify": page_texts("identify")[tag],
        **{part: language.content[part] for part in ("around", "words", "search", "rules", "phrases")},
    }


class LanguageTexts:
    """The texts of a language, in elements whose keys `words.js` looks up in another."""

    def __init__(self, words: Mapping[str, Any]) -> None:
        self._words = words
        self._plain: dict[tuple[str, str], Markup] = {}

    def text(self, key: str) -> str:
        """Return a text by its key. Raises KeyError."""
        group, _, name = f"{'' if '.' in key else 'texts.'}{key}".partition(".")
        return str(self._words[group][name])

    def say(self, key: str, *values: object, tag: str = "span", **attributes: str) -> Markup:
        """Return a text in an element; each value has an element of its own in it, in the place of its number."""
        if not values and not attributes:
            if (key, tag) not in self._plain:
                self._plain[key, tag] = Markup(f'<{tag} data-text="{key}">{{}}</{tag}>').format(self.text(key))
            return self._plain[key, tag]
        inside = [each if isinstance(each, Markup) else f"<span>{escape(each)}</span>" for each in values]
        *pairs, last = _PLACE.split(str(escape(self.text(key))))
        parts = (f"{before}{inside[int(place)]}" for before, place in zip(pairs[::2], pairs[1::2], strict=True))
        own = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
        return Markup(f'<{tag}{own} data-text="{key}">{"".join(parts)}{last}</{tag}>')

    def count(self, key: str, number: int) -> Markup:
        """Return the text for a number: the key with `-one` is the singular."""
        return self.say(f"{key}-one" if number == 1 else key, f"{number:,}")

    def label(self, key: str, attribute: str = "aria-label") -> Markup:
        """Return an attribute that labels an element."""
        return Markup(' {}="{}" data-label="{}"').format(attribute, self.text(key), key)


@cache
def page_texts(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return a file of words: `play`, `workshop`, `identify` by languages, `pages` and `front` by groups."""
    content: Mapping[str, Mapping[str, Any]] = load_words(Path(__file__).parent / f"{name}.yaml")
    return content


@cache
def question_keys() -> Mapping[str, str]:
    """Return the keys of the questions that are there in other languages: of each the id of the first that asks it."""
    translated = next(texts["asks"] for texts in page_texts("identify").values() if "asks" in texts)
    asked = load_questionnaire().questions
    return {one.asks: one.id for one in reversed(asked) if one.asks in translated}


@cache
def board_texts() -> Mapping[str, Mapping[str, Any]]:
    """Return what the board says in each language, with the language's tag and the words for outcomes."""
    words = {"results": RESULTS, "reasons": REASONS}
    return {
        tag: {**texts, "tag": tag, **{name: {**words[name], **texts[name]} for name in words}}
        for tag, texts in page_texts("play").items()
    }
