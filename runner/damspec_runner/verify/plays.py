"""What an engine plays, where it lists nothing: the move has to be one of those that are legal.

That says most where one move alone is legal, so those are what is drawn beyond the cases.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from damspec import Position, PositionError, Ruleset
from damspec.ending import ended

from ..cases.cases import Case, Expectation
from ..engines.process import Engine
from ..engines.protocol import EngineError, Unsupported
from ..positions.sampling import positions
from .moves import compare_moves, move_text
from .result import VERDICTS, Result, bounded

#: Of the positions drawn, the share that has just one legal move.
FORCED = 0.75
#: How many pieces the positions drawn have.
_PIECES = (2, 12)
NOT_PLAYED = "plays moves, and is asked for nothing else"
NOTHING_TO_PLAY = "there is no move to play"


def play(engine: Engine, ruleset: Ruleset, case: Case) -> Result:
    """The result of a case about the moves of a position: what the engine plays there is one of them, or not."""
    expected = case.expected.moves
    if expected is None:
        return Result(case, "unsupported", message=NOT_PLAYED)
    if not expected:
        return Result(case, "unsupported", message=NOTHING_TO_PLAY)
    try:
        position = ruleset.position(case.position)
        if not (position.occupied("white") and position.occupied("black")):
            return Result(case, "unsupported", message=NOTHING_TO_PLAY)
        given = engine.ask("plays", {"ruleset": ruleset.id, "position": position.fen()})["move"]
    except Unsupported as reason:
        return Result(case, "unsupported", message=str(reason))
    except EngineError as error:
        return Result(case, VERDICTS.get(error.kind, "error"), message=str(error), kind=error.kind)
    except PositionError as error:
        return Result(case, "not-asked", message=f"not asked: the case is wrong: {error}")
    text = move_text(given)
    if _is_among(position, case.expected, given):
        return Result(case, "passed", played=text)
    answer = bounded(json.dumps(given))
    found = compare_moves(position, expected, [given])
    wrong = Result(case, "failed", extra=found.extra, unparsable=found.unparsable, answer=answer, played=text)
    return _under_a_reading(wrong, ruleset, given)


def _is_among(position: Position, expected: Expectation, given: Any) -> bool:
    return bool(compare_moves(position, expected.moves or {}, [given]).listed)


def _under_a_reading(wrong: Result, ruleset: Ruleset, given: Any) -> Result:
    """A failure with the alternative reading that the move is legal under, if the case gives one."""
    case = wrong.case
    for query, expected in case.otherwise.items():
        if _is_among(ruleset.position(case.position), expected, given):
            settled = all(reading.confidence == "high" for reading, _ in ruleset.readings_in(query))
            return replace(wrong, status="failed" if settled else "reading", reading=query)
    return wrong


def drawn(ruleset: Ruleset, number: int, seed: int) -> tuple[tuple[int, Position], ...]:
    """So many numbered positions to play in, most of them with one legal move."""
    rng = random.Random(seed)
    forced = round(FORCED * number)
    found = [*islice(_playable(ruleset, rng, forced=True), forced)]
    found += islice(_playable(ruleset, rng, forced=False), number - forced)
    return tuple(enumerate(found, 1))


def _playable(ruleset: Ruleset, rng: random.Random, *, forced: bool) -> Iterator[Position]:
    """Endless positions of games that go on, with a legal move, or with just one."""
    for position in positions(ruleset, rng, _PIECES):
        moves = len(ruleset.turns.actions(position))
        if (moves == 1 or (moves and not forced)) and ended(ruleset.turns, position).result == "ongoing":
            yield position
