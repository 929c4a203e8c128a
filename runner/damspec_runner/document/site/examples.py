"""What a rulebook works through on two boards, before and after: a capture, and a piece that falls through a door."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from damspec import Layout, Position, Ruleset

from ...cases.cases import Case
from ..described import described
from ..links import plainness
from ..rulebook import Language
from .answers import Answers
from .library import Library
from .pictures import Picture, captured


@dataclass(frozen=True)
class Example:
    """An action worked through: what it says, its squares in brackets, the position, and the board before and after."""

    says: str
    fen: str
    before: Picture
    after: Picture


def examples(library: Library, answers: Answers, ruleset: Ruleset, language: Language) -> Mapping[str, Example]:
    """The examples of a game, each by the section of the outline that it belongs to."""
    spoken = [tag for _, tag in library.speaks(ruleset.id)]
    found = {"capturing": _capture, "doors": _fall}
    return {
        id: replace(shown, says=language.in_own_words(shown.says, spoken))
        for id, find in found.items()
        if (shown := find(library, answers, ruleset, language))
    }


def _capture(library: Library, answers: Answers, ruleset: Ruleset, language: Language) -> Example | None:
    """The plainest case with one capture of two pieces or more, of one piece if there is none; White's if it can be."""
    found = [
        (len(taken) < 2, position.turn != "white", plainness(case), case, text)
        for case, position in _asked(library, answers, ruleset)
        if len(case.expected.moves or ()) == 1
        for text in case.expected.moves or ()
        if (taken := captured(position, text))
    ]
    if not found:
        return None
    *_, case, text = min(found, key=lambda one: one[:3])
    position = answers.position(case)
    number = language.counted("piece", len(captured(position, text)))
    says = language.word("example").format(side=language.word(position.turn), move=f"[{text}]", number=number)
    return _worked(answers, case, text, says, language)


def _fall(library: Library, answers: Answers, ruleset: Ruleset, language: Language) -> Example | None:
    """The plainest case in which a slider is pushed and the piece on its door falls; White's if it can be."""
    layout = library.layout(ruleset.id)
    doors = _doors(layout) if layout else {}
    found = [
        (position.turn != "white", plainness(case), case, text)
        for case, position in _asked(library, answers, ruleset)
        for text, fen in (case.expected.moves or {}).items()
        if text in doors and position[doors[text]] and not library.players[case.ruleset].read(fen)[doors[text]]
    ]
    if not found:
        return None
    *_, case, text = min(found, key=lambda one: one[:2])
    side = language.word(answers.position(case).turn)
    says = language.word("fall").format(side=side, slider=text.partition("=")[0], door=f"[{doors[text]}]")
    return _worked(answers, case, text, says, language)


def _doors(layout: Layout) -> Mapping[str, int]:
    """The door that each push from the middle opens."""
    ways = {f"{slider.id}=L": slider.left for slider in layout.sliders}
    return ways | {f"{slider.id}=R": slider.right for slider in layout.sliders}


def _asked(library: Library, answers: Answers, ruleset: Ruleset) -> Iterator[tuple[Case, Position]]:
    """The cases of a game that ask for moves where nothing can be missed, with their positions."""
    for case in library.played[ruleset.id]:
        if case.question == "moves" and not case.expected.lapses:
            yield case, answers.position(case)


def _worked(answers: Answers, case: Case, text: str, says: str, language: Language) -> Example:
    step = next(step for step in answers.of_case(case).moves or () if step.action == text)
    assert step.after is not None  # the case is about moves, each of which has a position after it
    layout, after = answers.library.layout(case.ruleset), answers.library.players[case.ruleset].read(step.fen)
    return Example(
        says,
        answers.position(case).fen(),
        answers.picture(case).saying(described(language, answers.position(case), layout)),
        step.after.saying(described(language, after, layout)),
    )
