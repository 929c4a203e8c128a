"""The page that asks which game somebody plays, and the data of its questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from damspec_runner.mutants.mutants import changes

from .boards import captured, squares
from .diagrams import Picture, draw, shapes
from .identify_questions import Question, questions_of
from .library import SiteData
from .pages import File, Page, data_script, packed_script, pages_in_languages


def identify_pages(library: SiteData) -> Iterator[Page | File]:
    """Yield the pages, the script with the questions, and those with the changes of each game's rules."""
    data = questions_data(library)
    yield from pages_in_languages("identify", shapes=shapes(str(data)))
    yield packed_script("identify/questions", data)
    for id in library.rulesets:
        yield data_script(f"identify/changes/{id}", changes(id))


def questions_data(library: SiteData) -> dict[str, Any]:
    """Return the rules told together, the questions, and each game with its answers, its board and how known it is."""
    known = library.game_facts["identify"]
    questions = questions_of(known)
    start = {id: draw(replace(library.start(game), words="–"), "wood") for id, game in library.rulesets.items()}
    boards = [*dict.fromkeys(start.values())]
    return {
        "units": known["units"],
        "questions": [_question(one) for one in questions],
        "games": {
            id: ["".join(one.answer(library.rulesets[id].values) for one in questions), boards.index(drawn)]
            for id, drawn in start.items()
        },
        "boards": dict(enumerate(boards)),
        "familiar": {id: each["weight"] for each in known["familiar"] for id in each["games"]},
        "house": known["house"],
    }


def _question(one: Question) -> Mapping[str, Any]:
    """Return a question with its board, and with what stands there for those who cannot see it."""
    said = {"id": one.id, "rule": one.rule, "move": one.move, "fen": one.position}
    if position := one.parse_position():
        picture = Picture(position, words="–")
        if one.move:
            path, taken = squares(position, one.move), captured(position, one.move)
            picture = replace(picture, arrows=(path,), crosses=taken)
        said["wood"] = draw(picture, "wood")
    return {name: value for name, value in said.items() if value}
