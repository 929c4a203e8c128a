"""Asking several cases at once, for engines that take questions before they have answered those before.

What is asked of a case can be foreseen where its answer is right, and only then is it decided here. All else is asked
again, one question at a time, so that what is wrong is said of the question that it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

from damspec import PositionError, Ruleset

from ..cases.cases import Case
from ..engines import protocol
from ..engines.process import Engine
from ..engines.protocol import EngineError, Foreseen, Hello
from .ask import are_these, canonical, difference
from .asking import ask_params
from .result import Result

#: The most questions that are sent before the first of them is answered, whatever an engine says.
MOST = 256


class Broken(Exception):
    """The engine broke: `place` is where the case is whose question had no answer, `result` what that case would be."""

    def __init__(self, place: int, result: Result) -> None:
        super().__init__()
        self.place, self.result = place, result


def right(
    engine: Engine, ruleset: Ruleset, hello: Hello, cases: Sequence[Case], places: Iterable[int]
) -> Iterator[int]:
    """Those of the places whose cases are answered right, each as soon as that is known. Raises Broken."""
    if ruleset.rules.huff:  # what lapses there are is not always said
        return
    making = protocol.Foreseeing(ask_params(ruleset, hello))
    asked = [(place, seen) for place in places if (seen := _foreseen(ruleset, hello, cases[place], making))]
    lines = protocol.lines_of([one for _, seen in asked for one in seen], engine.next_id)
    answers = one_by_one(engine.ask_ahead(lines, min(hello.ahead, MOST)))
    for place, seen in asked:
        good = True
        for question in seen:
            try:
                answer = next(answers)
            except StopIteration:
                return
            except EngineError as error:
                said = Result(
                    cases[place], "error", message=str(error), kind=error.kind, request=protocol.again(question)
                )
                raise Broken(place, said) from None
            good = good and (answer is None or _is_right(ruleset, question, answer))
        if good:
            yield place
    for _ in answers:
        pass


def one_by_one(answers: Iterable[Any]) -> Iterator[Any]:
    """Answers to questions sent ahead, None for each that is written as foreseen."""
    for answer in answers:
        if isinstance(answer, int):
            yield from repeat(None, answer)
        else:
            yield answer


def _foreseen(ruleset: Ruleset, hello: Hello, case: Case, making: protocol.Foreseeing) -> list[Foreseen]:
    """What a case is asked if all is right, with the answers; nothing where more than answers goes into it."""
    expected = case.expected
    if case.question not in hello.questions or case.position == "start" or expected.game:
        return []
    if (case.history and not hello.history) or (case.question == "outcome" and hello.concluded):
        return []
    try:
        making.about(canonical(ruleset, case.position))
    except PositionError:
        return []
    if expected.outcome is not None:
        return [making.outcome(expected.outcome.result, case.history)]
    moves = expected.moves or {}
    found = [making.moves(moves)]
    if "play" in hello.questions:
        found += [making.play(move, fen) for move, fen in moves.items()]
    return found


def _is_right(ruleset: Ruleset, question: Foreseen, answer: Any) -> bool:
    """Whether an answer is right that is written in another way; a list of moves has to have the same texts."""
    if not isinstance(answer, dict):
        return False
    expected = question.expected
    if not isinstance(expected, str):
        return are_these(answer["moves"], expected) and not answer.get("lapses")
    if question.method == "play":
        return difference(ruleset, expected, answer["position"]) is None
    return bool(answer["outcome"] == expected)
