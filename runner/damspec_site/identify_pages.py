"""Pages of the questionnaire: questions, collected answers, and their map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import damspec
from damspec.mutations import RANKED
from damspec.vocabulary import groups
from damspec_runner.cases.questionnaire import PersonQuestion, Questionnaire, load_questionnaire
from damspec_runner.mutants.mutants import changes, differing_values

from .boards import captured, squares
from .diagrams import Picture
from .library import SiteData
from .pages import File, Page, data_script, page, pages_in_languages
from .words import question_keys


def identify_pages(library: SiteData) -> Iterator[Page | File]:
    """Yield the pages, and the scripts with the questions and each game's changes."""
    asked = load_questionnaire()
    boards = {one.id: board(asked, one) for one in asked.questions}
    example = next(one for one in asked.questions if boards[one.id])
    yield from (picture.file for picture in boards.values() if picture)
    yield from pages_in_languages(
        "identify",
        number=len(asked.questions),
        asks=example.asks,
        example=boards[example.id],
    )
    yield page("questions", given={"groups": _by_group(asked), "boards": boards, "keys": question_keys()})
    yield data_script("identify/questions", questions_data(asked, boards))
    for id in library.rulesets:
        yield data_script(f"identify/changes/{id}", changes(id))


def board(asked: Questionnaire, enquiry: PersonQuestion) -> Picture | None:
    """Draw the board of a question with its move; None if it has no board.

    Captured pieces are not crossed out, since it may matter whether they are kings.
    """
    position = asked.board(enquiry)
    if position is None:
        return None
    if not enquiry.move:
        return Picture(position)
    taken = ", ".join(map(str, captured(position, enquiry.move)))
    says = f"The move: {enquiry.move}" + (f", capturing {taken}." if taken else ".")
    return Picture(position, arrows=(squares(position, enquiry.move),), says=says)


def _by_group(asked: Questionnaire) -> list[tuple[str, list[PersonQuestion]]]:
    """Return the questions by the group of their rules."""
    found = [
        (group.id, [one for one in asked.questions if one.rule in {rule.name for rule in group.rules}])
        for group in groups()
    ]
    return [(group, questions) for group, questions in found if questions]


def questions_data(asked: Questionnaire, drawn: Mapping[str, Picture | None]) -> Mapping[str, Any]:
    """Return the questions, each with its board, the topics, and the known games with their answers."""
    return {
        "belief": vars(asked.belief),
        "topics": {topic: [" ".join(unit) for unit in units] for topic, units in asked.topics.items()},
        "ranked": sorted(RANKED),
        "questions": [_question(asked, one, drawn[one.id]) for one in asked.questions],
        "games": {game: [_answers(asked, game), *_read_otherwise(game)] for game in asked.answers},
    }


def _question(asked: Questionnaire, one: PersonQuestion, picture: Picture | None) -> Mapping[str, Any]:
    said = {key: value for key, value in vars(one).items() if value not in ("", None, {}, False)}
    words = {"inWords": True} if asked.is_in_words(one) else {}
    shown = {"board": [picture.src, picture.alt, picture.width(320), picture.height(320)]} if picture else {}
    return {**said, **words, **shown}


def _answers(asked: Questionnaire, game: str) -> str | Mapping[str, str]:
    """Return a game's answers to all questions; for a reading only those that differ from its ruleset."""
    own = asked.answers[game.partition("?")[0]]
    if "?" not in game:
        return own
    words = zip(asked.by_id, own, asked.answers[game], strict=True)
    return {id: letter for id, before, letter in words if letter != before}


def _read_otherwise(game: str) -> list[Any]:
    """Return the rule values of a reading that its ruleset has otherwise."""
    if "?" not in game:
        return []
    return [differing_values(damspec.load_ruleset(game.partition("?")[0]).values, damspec.load_ruleset(game).values)]
