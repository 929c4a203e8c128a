"""The rulebook of each game as a sheet to put beside a board: in English on the game's page, else on one of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from damspec import Position, Ruleset

from ..described import described
from ..rulebook import Language, Section, languages
from . import links
from .answers import Answers
from .examples import Example, examples
from .legend import Entry, legend
from .library import Library
from .marks import of_games
from .pages import Page
from .pictures import Picture


@dataclass(frozen=True)
class Sheet:
    """The rulebook of a game.

    `own` is the tag of the words used, that of the language or of a kind of it; `assumed` is whether no source says
    where its trapdoors lie.
    """

    language: Language
    own: str
    name: str
    sections: tuple[Section, ...]
    start: Picture
    legend: tuple[Entry, ...]
    examples: Mapping[str, Example]
    assumed: bool
    others: tuple[tuple[Language, str], ...]


def sheet(library: Library, answers: Answers, ruleset: Ruleset, language: Language) -> Sheet:
    """The sheet of a game in a language."""
    spoken = [tag for _, tag in library.speaks(ruleset.id)]
    own = next((tag for tag in language.content.get("own", {}) if tag in spoken), language.tag)
    layout = library.layout(ruleset.id)
    return Sheet(
        language,
        own,
        library.called(ruleset.id, own),
        language.sections(ruleset, spoken),
        answers.start(ruleset).saying(described(language, Position.start(ruleset.rules), layout)),
        legend(ruleset, language),
        examples(library, answers, ruleset, language),
        layout is not None and layout.assumed,
        tuple((other, links.sheet(other.tag, ruleset.id)) for other in languages()),
    )


def pages(library: Library, answers: Answers, games: Iterable[Ruleset]) -> Iterator[Page]:
    """The sheets of games in other languages than English, which has the pages of the rulesets."""
    for language in languages()[1:]:
        for ruleset in games:
            found = sheet(library, answers, ruleset, language)
            yield Page(
                links.sheet(language.tag, ruleset.id),
                "sheet.html",
                f"{found.name} ({ruleset.id}), {language.word('rulebook')}",
                f"{found.name}: {language.word('rulebook')}",
                "rulesets",
                given={"sheet": found, "rules": ruleset},
                name=found.name,
                language=found.own,
                alternates=tuple((other.tag, href) for other, href in found.others),
                game=ruleset.id,
                notation=of_games(ruleset),
            )
