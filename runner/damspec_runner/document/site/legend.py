"""The legend of a board with trapdoors: what its signs mean, and those of the spinner, in the words of a language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from damspec import Ruleset
from damspec.doors import Sign, sign

from ..rulebook import Language


@dataclass(frozen=True)
class Entry:
    """A sign, as a picture, and what it means."""

    picture: Markup
    says: str


def legend(ruleset: Ruleset, language: Language) -> tuple[Entry, ...]:
    """The signs of a game; none without trapdoors."""
    return tuple(Entry(Markup(sign(kind)), says) for kind, says in _signs(ruleset, language))


def _signs(ruleset: Ruleset, language: Language) -> Iterator[tuple[Sign, str]]:
    phrases = language.content["phrases"]
    if ruleset.rules.trapdoors:
        yield "slider", language.word("sign-slider")
        yield "shut", language.word("sign-shut")
        yield "open", language.word("sign-open")
    for shown, allowed in ruleset.values.get("spin.outcomes", {}).items():
        what = f"{language.word('sign-spinner')}, {phrases['spin'][shown]}"
        yield shown, phrases["join"]["moves"].format(what=what, number=phrases["spin"][allowed])
