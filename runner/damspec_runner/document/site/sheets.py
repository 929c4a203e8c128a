"""The rulebook of each game as a sheet to put beside a board: in English on the game's page, else on one of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from damspec import Ruleset

from ...cases.cases import Case
from ..links import plainness
from ..rulebook import Language, Section, languages
from . import links
from .answers import Answers
from .library import Library
from .links import Link
from .pages import SECTIONS, Page
from .pictures import Picture, captured


@dataclass(frozen=True)
class Example:
    """A capture worked through: what it says, and the board before and after it."""

    says: str
    before: Picture
    after: Picture


@dataclass(frozen=True)
class Sheet:
    """The rulebook of a game. `own` is the tag of the words used: that of the language, or of a kind of it."""

    language: Language
    own: str
    name: str
    sections: tuple[Section, ...]
    start: Picture
    example: Example | None
    others: tuple[tuple[Language, str], ...]


def sheet(library: Library, answers: Answers, ruleset: Ruleset, language: Language) -> Sheet:
    """The sheet of a game in a language."""
    spoken = [tag for _, tag in library.speaks(ruleset.id)]
    own = next((tag for tag in language.content.get("own", {}) if tag in spoken), language.tag)
    return Sheet(
        language,
        own,
        library.names.get(ruleset.id, {}).get(own, ruleset.name),
        language.sections(ruleset, spoken),
        answers.start(ruleset),
        _example(library, answers, ruleset, language),
        tuple((other, links.sheet(other.tag, ruleset.id)) for other in languages()),
    )


def pages(library: Library, answers: Answers, ruleset: Ruleset) -> Iterator[Page]:
    """The sheets of a game in other languages than English, which has the page of the ruleset."""
    for language in languages()[1:]:
        found = sheet(library, answers, ruleset, language)
        yield Page(
            links.sheet(language.tag, ruleset.id),
            "sheet.html",
            f"{found.name} ({ruleset.id}), {language.word('rulebook')}",
            f"{found.name}: {language.word('rulebook')}",
            "rulesets",
            (SECTIONS["rulesets"], Link(ruleset.name, links.ruleset(ruleset.id))),
            given={"sheet": found, "rules": ruleset},
            name=language.name,
            language=found.own,
            alternates=tuple((other.tag, href) for other, href in found.others),
            game=ruleset.id,
        )


def _example(library: Library, answers: Answers, ruleset: Ruleset, language: Language) -> Example | None:
    """The plainest case with one capture of two pieces or more; of one piece if there is none."""
    found = [
        (len(taken) < 2, plainness(case), case, text)
        for case in library.played[ruleset.id]
        if case.question == "moves" and not case.expected.lapses and len(case.expected.moves or ()) == 1
        for text in case.expected.moves or ()
        if (taken := captured(answers.position(case), text))
    ]
    if not found:
        return None
    *_, case, text = min(found, key=lambda one: one[:2])
    return _worked(answers, case, text, language)


def _worked(answers: Answers, case: Case, text: str, language: Language) -> Example:
    number = len(captured(answers.position(case), text))
    says = language.word("example").format(move=text, number=language.counted("piece", number))
    (step,) = answers.of_case(case).moves or ()
    assert step.after is not None  # the case is about moves, each of which has a position after it
    return Example(says, answers.picture(case), step.after)
