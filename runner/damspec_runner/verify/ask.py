"""Asking an engine one case: the questions it takes, the answers compared. The reference is never asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from damspec import MoveError, Position, PositionError, Ruleset
from damspec.trapdoors import with_sliders

from ..cases.cases import Case, Expectation
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, Unsupported, plain, shown
from .moves import MovesDifference, compare_moves, move_text
from .result import Mismatch, Result, Status

#: The verdicts of the kinds of error that are more than an error of one case.
_VERDICTS: dict[str, Status] = {"timeout": "timeout", "gone": "not-asked"}


def smoke(engine: Engine, ruleset: Ruleset) -> Hello:
    """Start the engine and ask one easy question, so that an engine that cannot answer anything is found at once.

    Raises EngineError.
    """
    hello = engine.hello()
    if not hello.plays(ruleset.id):
        known = shown(", ".join(sorted(hello.rulesets or ())))
        whole = "" if ruleset.shipped else ', and does not say "rules": true, which asks for rules sent whole'
        raise EngineError("ruleset", f"{hello.name} does not play {ruleset.id}; it plays {known or 'nothing'}{whole}")
    if not hello.questions - {"start"}:
        raise EngineError("questions", f"{hello.name} answers none of the questions moves, play, outcome")
    if "moves" in hello.questions:
        try:
            engine.ask("moves", ask_params(ruleset, hello, Position.start(ruleset.rules).fen()))
        except Unsupported as reason:
            raise EngineError("refused", f"{hello.name} does not list the moves of {ruleset.id}: {reason}") from None
    return hello


def ask(engine: Engine, ruleset: Ruleset, hello: Hello, case: Case) -> Result:
    """One case's result."""
    if case.question not in hello.questions:
        return Result(case, "unsupported", message=f"does not answer {case.question}")
    try:
        result = _judge(engine, ruleset, hello, case, case.expected, ruleset.position(case.position))
    except Unsupported as reason:
        return Result(case, "unsupported", message=str(reason))
    except EngineError as error:
        return Result(case, _VERDICTS.get(error.kind, "error"), message=str(error), kind=error.kind)
    return _explained(engine, ruleset, hello, result) if result.status == "failed" else result


def _explained(engine: Engine, ruleset: Ruleset, hello: Hello, result: Result) -> Result:
    """A failure with the alternative reading that the answer is right under, if the case gives one."""
    case = result.case
    for query, expected in case.otherwise.items():
        under = ruleset.alternatives.get(query, ruleset) if result.start_told else ruleset
        position = under.position(case.position)
        try:
            if _judge(engine, ruleset, hello, case, expected, position).status == "passed":
                settled = all(reading.confidence == "high" for reading, _ in ruleset.readings_in(query))
                return replace(result, status="failed" if settled else "reading", reading=query)
        except (Unsupported, EngineError):
            break
    return result


def _judge(
    engine: Engine, ruleset: Ruleset, hello: Hello, case: Case, expected: Expectation, position: Position
) -> Result:
    """The result of a case; where the game starts is asked first if the case is about that and the engine says it."""
    if case.position != "start" or "start" not in hello.questions:
        return _judge_answer(engine, ruleset, hello, case, expected, position)
    try:
        got = engine.ask("start", ask_params(ruleset, hello))["position"]
    except Unsupported:
        return _judge_answer(engine, ruleset, hello, case, expected, position)
    wrong = _mismatch(ruleset, position.fen(), got)
    result = _judge_answer(engine, ruleset, hello, case, expected, position)
    return replace(result, status="failed" if wrong else result.status, start=wrong, start_told=True)


def _judge_answer(
    engine: Engine, ruleset: Ruleset, hello: Hello, case: Case, expected: Expectation, position: Position
) -> Result:
    """The result apart from the start: the engine is asked about the expected position in any case."""
    if expected.outcome is not None:
        wrong = _outcome(engine, ruleset, hello, position, expected.outcome.result)
        return Result(case, "failed" if wrong else "passed", outcome=wrong)
    if expected.end is not None:
        return _judge_game(engine, ruleset, hello, case, expected, position)
    params = ask_params(ruleset, hello, position.fen())
    answer = engine.ask("moves", params)
    moves = compare_moves(position, expected.moves or {}, answer["moves"])
    after = _successors(engine, ruleset, hello, params, moves, expected.moves or {})
    lapses = MovesDifference()
    wanted = expected.lapses if ruleset.rules.huff else {}
    if wanted is not None:
        if wanted and "lapses" not in answer:
            raise Unsupported("does not list lapses")
        lapses = compare_moves(position, wanted, answer.get("lapses", []))
        after |= _successors(engine, ruleset, hello, params, lapses, wanted)
    return Result(
        case,
        "failed" if moves or lapses or after else "passed",
        moves.missing + tuple(f"lapse {move}" for move in lapses.missing),
        moves.extra + tuple(f"lapse {move}" for move in lapses.extra),
        moves.unparsable + lapses.unparsable,
        moves.duplicates + lapses.duplicates,
        after=after,
    )


def _outcome(engine: Engine, ruleset: Ruleset, hello: Hello, position: Position, expected: str) -> Mismatch | None:
    got = engine.ask("outcome", ask_params(ruleset, hello, position.fen()))["outcome"]
    return None if got == expected else Mismatch(expected, got)


def _judge_game(
    engine: Engine, ruleset: Ruleset, hello: Hello, case: Case, expected: Expectation, position: Position
) -> Result:
    """A game played through: each action offered and leading where it should, the end as expected.

    The engine is asked about the expected positions, so that one wrong answer does not spoil the rest.
    """
    missing, after = [], {}
    for place, (action, fen) in enumerate(expected.game, 1):
        params = ask_params(ruleset, hello, position.fen())
        given: Any = action
        if "moves" in hello.questions:
            answer = engine.ask("moves", params)
            listed = compare_moves(position, [action], [*answer["moves"], *answer.get("lapses", [])]).listed
            if action not in listed:
                missing.append(f"{place}. {action}")
            given = listed.get(action, action)
        mismatch = _successor(engine, ruleset, params, given, fen)
        if mismatch:
            after[f"{place}. {action}"] = mismatch
        position = ruleset.position(fen)
    end = None
    if expected.end is not None and "outcome" in hello.questions:
        end = _outcome(engine, ruleset, hello, position, expected.end.result)
    status: Status = "failed" if missing or after or end else "passed"
    return Result(case, status, missing=tuple(missing), after=after, outcome=end)


def _successors(
    engine: Engine,
    ruleset: Ruleset,
    hello: Hello,
    params: Mapping[str, Any],
    found: MovesDifference,
    expected: Mapping[str, str],
) -> dict[str, Mismatch]:
    """For each expected move that the engine listed, how its position after it is wrong."""
    if "play" not in hello.questions:
        return {}
    wrong = {move: _successor(engine, ruleset, params, given, expected[move]) for move, given in found.listed.items()}
    return {move: mismatch for move, mismatch in wrong.items() if mismatch}


def _successor(
    engine: Engine, ruleset: Ruleset, params: Mapping[str, Any], given: Any, expected: str
) -> Mismatch | None:
    """How the engine's position after a move that it listed itself differs from the expected one."""
    try:
        got = engine.ask("play", {**params, "move": given})["position"]
    except Unsupported:
        return None
    except EngineError as error:
        if error.kind != "refused":
            raise
        return Mismatch(expected, f"{error} (for its own move {move_text(given)})")
    return _mismatch(ruleset, expected, got)


def _mismatch(ruleset: Ruleset, expected: str, got: str) -> Mismatch | None:
    """How an engine's position differs from the expected one, if it does."""
    try:
        same = _read(ruleset, got) == _read(ruleset, expected)
    except (PositionError, MoveError) as error:
        return Mismatch(expected, str(error))
    return None if same else Mismatch(expected, plain(got))


def _read(ruleset: Ruleset, fen: str) -> Position:
    """A position to compare by, whether or not the ruleset can have it."""
    return with_sliders(ruleset.rules, Position.from_fen(fen, ruleset.rules.board))


def ask_params(ruleset: Ruleset, hello: Hello, position: str | None = None) -> dict[str, Any]:
    """The parameters of a question, about a position or about none."""
    params: dict[str, Any] = {"ruleset": ruleset.id}
    if position is not None:
        params["position"] = position
    if hello.wants_rules:
        params["rules"] = ruleset.whole
    return params
