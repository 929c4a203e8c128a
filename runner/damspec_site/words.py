"""What pages say around their content, in each language, by keys: the data of `say` in templates and of `words.js`.

A key is `GROUP.NAME`, or a name alone for those in `texts`, of the groups in spec/rulebook/LANGUAGE.yaml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup, escape

from damspec.inheritance import overlay_ids
from damspec.vocabulary import Group, Rule, groups, vocabulary
from damspec_runner.document.rulebook import Language, languages

from .library import SiteData
from .pages import File, packed_script

_PLACE = re.compile(r"\{(\d)\}")
#: The groups of texts that pages and scripts name as they stand in the file of a language.
_GROUPS = (
    *("texts", "errors", "languages", "position", "play", "workshop", "identify"),
    *("around", "words", "search", "rules", "phrases"),
)


def word_files(library: SiteData) -> Iterator[File]:
    """Yield a script for each language with all that pages and scripts say in it."""
    for language in languages():
        yield packed_script(f"words/{language.tag}", words_of(library, language))


def words_of(library: SiteData, language: Language) -> Mapping[str, Any]:
    """Return the words of a language by group and name, with its tag."""
    tag, content = language.tag, language.content
    titled: Mapping[str, Group | Rule] = {**{group.id: group for group in groups()}, **vocabulary()}
    return {
        "tag": tag,
        **{group: content[group] for group in _GROUPS},
        "asks": {rule.name: rule.asks.replace("`", "") for rule in vocabulary().values()} | content.get("asks", {}),
        **{each: content["play"][each] for each in ("results", "reasons")},
        "titles": {id: each.title if tag == "en" else each.heading[tag] for id, each in titled.items()},
        "first": content["front"]["first"],
        "games": {id: library.name_in(id, tag) for id in library.rulesets},
        "abouts": {id: library.about_in(id, tag) for id in (*library.rulesets, *overlay_ids())},
    }


class LanguageTexts(Language):
    """The texts of a language, as templates say them."""

    def say(self, key: str, *values: object) -> Markup:
        """Return a text with values in the places of their numbers."""
        return Markup(_PLACE.sub(lambda place: str(escape(values[int(place[1])])), str(escape(self.text(key)))))

    def counted(self, key: str, number: int) -> Markup:
        """Return the text for a number: the key with `-one` is the singular."""
        return self.say(f"{key}-one" if number == 1 else key, number)

    def label(self, key: str, attribute: str = "aria-label") -> Markup:
        """Return an attribute that labels an element."""
        return Markup(' {}="{}"').format(attribute, self.text(key))
