"""Asking an engine about a case: the result, also under the case's other readings."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, Protocol

from damspec import Position, PositionError, Ruleset
from damspec.outcomes import outcome_of_position
from damspec.sampling import sample_positions

from ..cases.answer import Answer, Question
from ..cases.cases import Case
from ..engines import protocol
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, UnsupportedError, clean_text
from .exchange import (
    Ask,
    FlakyAnswerError,
    Transcript,
    ask_params,
    drive,
    exchange,
    play_exchange,
    played_answer,
    repeat,
)
from .result import VERDICTS, Result, truncate_answer

#: The share of drawn positions with exactly one legal move.
FORCED = 0.75
#: The fewest and most pieces of drawn positions.
_PIECES = (2, 12)


class Asked(Protocol):
    """What requests are put to: an engine, or a window of requests in flight."""

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a request. Raises UnsupportedError or EngineError."""

    def take_notes(self) -> tuple[str, ...]:
        """Return and forget notes on how the answers since the last call came about."""


def ask(engine: Asked, ruleset: Ruleset, hello: Hello, case: Case, *, times: int = 1) -> Result:
    """Return the result of one case. Each request is put `times` times; differing answers make it unstable."""
    engine.take_notes()
    transcript = Transcript()
    result = _ask(engine, Question(case, ruleset), hello, transcript, times)
    notes = (*engine.take_notes(), *transcript.notes)
    return replace(result, notes=notes) if notes else result


def _ask(engine: Asked, question: Question, hello: Hello, transcript: Transcript, times: int) -> Result:
    case, params = question.case, ask_params(question.ruleset, hello)
    put = repeat(engine.ask, times, question.ruleset)
    try:
        if hello.manner == "played" and (case.expected.outcome is None or "outcome" not in hello.questions):
            return _ask_play(engine.ask, question, params, transcript)
        if case.question not in hello.questions:
            raise UnsupportedError(f"does not answer {case.question}")
        answer = drive(exchange(question, hello, params, transcript), put)
        if question.expected.agrees(answer):
            return Result(question, "passed", answer)
        failed = _with_question(Result(question, "failed", answer), transcript)
        return _with_reading(failed, lambda under: drive(exchange(under, hello, params, transcript), put))
    except UnsupportedError as reason:
        return Result(question, "unsupported", message=str(reason))
    except EngineError as error:
        status = VERDICTS.get(error.kind, "error")
        request = protocol.request(1, *transcript.last)
        return Result(question, status, message=str(error), kind=error.kind, request=request)
    except FlakyAnswerError as error:
        transcript.note_wrong(error.replies)
        return _with_question(Result(question, "unstable", message=str(error)), transcript)
    except PositionError as error:
        return Result(question, "not-asked", message=f"not asked: the case is wrong: {error}")


def _ask_play(put: Ask, question: Question, params: Mapping[str, Any], transcript: Transcript) -> Result:
    """Return the result for an engine that plays: whether its move is legal, or may be played as a lapse."""
    given = drive(play_exchange(question, params, transcript), put)
    answer = played_answer(question, given)
    if question.expected.agrees(answer):
        return Result(question, "passed", answer)
    transcript.note_wrong(given)
    failed = _with_question(Result(question, "failed", answer), transcript)
    if given is None:
        number = len(question.wanted.moves or ())
        message = f"plays no move where there {'is one' if number == 1 else f'are {number}'}"
        return replace(failed, message=message)
    if question.expected.lapses is None:
        raise UnsupportedError("plays what may be a lapse, and the case lists none")
    return _with_reading(failed, lambda under: played_answer(under, given))


def _with_question(result: Result, transcript: Transcript) -> Result:
    """Return a result with the request that was answered wrong, and the answer to it."""
    request = protocol.request(1, *(transcript.wrong or transcript.last))
    if transcript.wrong is None:
        return replace(result, request=request)
    return replace(result, request=request, reply=truncate_answer(json.dumps(transcript.reply, ensure_ascii=False)))


def _with_reading(result: Result, answer_under: Callable[[Question], Answer]) -> Result:
    """Return a failure with the alternative reading that the answer is right under, if the case gives one."""
    case, ruleset = result.case, result.question.ruleset
    for query, expected in case.otherwise.items():
        own_positions = result.start_told or expected.end is not None
        under = ruleset.alternatives.get(query, ruleset) if own_positions else ruleset
        question = Question(case, under, query)
        try:
            if question.expected.agrees(answer_under(question)):
                settled = all(reading.confidence == "high" for reading, _ in ruleset.readings_in(query))
                return replace(result, status="failed" if settled else "reading", reading=query)
        except PositionError:  # a game can have it under several readings together, which are not asked here
            continue
        except (UnsupportedError, EngineError):
            break
    return result


def draw_positions(ruleset: Ruleset, number: int, seed: int) -> tuple[tuple[int, Position], ...]:
    """Return `number` numbered positions to play in, most of them with one legal move."""
    rng = random.Random(seed)
    forced = round(FORCED * number)
    found = [*islice(_playable(ruleset, rng, forced=True), forced)]
    found += islice(_playable(ruleset, rng, forced=False), number - forced)
    return tuple(enumerate(found, 1))


def _playable(ruleset: Ruleset, rng: random.Random, *, forced: bool) -> Iterator[Position]:
    """Yield positions of unfinished games with a legal move, or with exactly one, without end."""
    for position in sample_positions(ruleset, rng, _PIECES):
        moves = len(ruleset.turns.actions(position))
        if (moves == 1 or (moves and not forced)) and outcome_of_position(ruleset.turns, position).result == "ongoing":
            yield position


def smoke(engine: Engine, ruleset: Ruleset) -> Hello:
    """Start the engine and ask one easy question, so that an engine that answers nothing is reported at once.

    Raises EngineError.
    """
    hello = engine.hello()
    check_plays(hello, ruleset)
    if not hello.questions - {"start", "perft"}:
        raise EngineError("questions", f"{hello.name} answers none of the questions moves, play, outcome, plays")
    for question in [question for question in ("moves", "plays") if question in hello.questions][:1]:
        try:
            engine.ask(question, ask_params(ruleset, hello, Position.start(ruleset.rules).fen()))
        except UnsupportedError as reason:
            does_not = "does not play" if question == "plays" else "does not list the moves of"
            raise EngineError("refused", f"{hello.name} {does_not} {ruleset.id}: {reason}") from None
    return hello


def check_plays(hello: Hello, ruleset: Ruleset) -> None:
    """Raise EngineError if an engine does not play a ruleset."""
    if not hello.plays(ruleset.id):
        known = clean_text(", ".join(sorted(hello.rulesets or ())))
        whole = "" if ruleset.shipped else ', and does not say "rules": true, which asks for rules sent whole'
        raise EngineError("ruleset", f"{hello.name} does not play {ruleset.id}; it plays {known or 'nothing'}{whole}")
