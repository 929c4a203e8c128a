"""Checking an engine: each case asked, the answers compared, a result for each. The reference is never asked."""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from damspec import MoveError, Position, PositionError, Ruleset, read_position

from ..cases.cases import Case, Expectation
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, Unsupported, plain
from .moves import MovesDifference, compare_moves, move_text

Status = Literal["passed", "failed", "reading", "error", "unsupported"]
STATUSES: tuple[Status, ...] = ("passed", "failed", "reading", "error", "unsupported")


@dataclass(frozen=True)
class Difference:
    """What was expected and what the engine said."""

    expected: str
    got: str


@dataclass(frozen=True)
class Result:
    """How an engine did in one case.

    `reading` is the reading, `key=alternative`, under which a wrong answer would be right: where that reading is open
    (chosen with low or medium confidence) the status is `reading`, else `failed` all the same. `message` is an
    error's line. `start` is how the start that the engine told is wrong, `start_told` whether it told one at all.
    """

    case: Case
    status: Status
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    unparsable: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    start: Difference | None = None
    after: Mapping[str, Difference] = field(default_factory=dict)
    outcome: Difference | None = None
    reading: str | None = None
    message: str | None = None
    start_told: bool = False

    def listings(self) -> list[tuple[str, tuple[str, ...], str]]:
        """What is wrong with the moves listed: a word, the moves it is about, and what the word means."""
        kinds = (
            ("missing", self.missing, "legal, not listed"),
            ("extra", self.extra, "listed, not legal"),
            ("unparsable", self.unparsable, "no move notation"),
            ("duplicate", self.duplicates, "the same move listed again"),
        )
        return [kind for kind in kinds if kind[1]]

    def differences(self) -> list[tuple[str, Difference]]:
        """What else is wrong: where the game starts, positions after moves, the outcome."""
        found = [
            ("start", self.start),
            *((f"after {move}", difference) for move, difference in self.after.items()),
            ("outcome", self.outcome),
        ]
        return [(what, difference) for what, difference in found if difference]

    def faults(self) -> dict[str, Any]:
        """What is wrong, as plain data; empty if nothing is. Runs with the same faults failed for the same reason."""
        found: dict[str, Any] = {
            "missing": sorted(self.missing),
            "extra": sorted(self.extra),
            "unparsable": sorted(self.unparsable),
            "start": asdict(self.start) if self.start else None,
            "after": {move: asdict(difference) for move, difference in sorted(self.after.items())},
            "outcome": asdict(self.outcome) if self.outcome else None,
            "message": self.message,
        }
        return {key: value for key, value in found.items() if value}


@dataclass(frozen=True)
class Report:
    """A whole run: what was checked, what the engine said of itself, each case's result in order."""

    ruleset: Ruleset
    label: str
    hello: Hello
    results: tuple[Result, ...]
    not_asked: int
    noise: tuple[str, ...]
    seconds: float

    @property
    def counts(self) -> dict[str, int]:
        """How many cases ended in each status."""
        found = Counter(result.status for result in self.results)
        return {status: found[status] for status in STATUSES}

    @property
    def duplicates(self) -> int:
        """How many moves were listed more than once, over all cases."""
        return sum(len(result.duplicates) for result in self.results)

    @property
    def clean(self) -> bool:
        """Whether nothing failed and every case was asked."""
        counts = self.counts
        return not (counts["failed"] or counts["error"] or self.not_asked)


def smoke(engine: Engine, rules: Ruleset) -> Hello:
    """Start the engine and ask one easy question, so that an engine that cannot answer anything is told so at once.

    Raises EngineError.
    """
    hello = engine.hello()
    if not hello.plays(rules.id):
        known = ", ".join(sorted(hello.rulesets or ()))
        raise EngineError("ruleset", f"{hello.name} does not play {rules.id}; it plays {known or 'nothing'}")
    if not hello.questions - {"start"}:
        raise EngineError("questions", f"{hello.name} answers none of the questions moves, play, outcome")
    if "moves" in hello.questions:
        try:
            engine.ask("moves", ask_params(rules, hello, Position.start(rules.rules).fen()))
        except Unsupported as reason:
            raise EngineError("refused", f"{hello.name} does not list the moves of {rules.id}: {reason}") from None
    return hello


def check(
    rules: Ruleset,
    cases: Sequence[Case],
    start: Callable[[], Engine],
    *,
    label: str,
    jobs: int = 1,
    max_failures: int | None = None,
    progress: Callable[[Result], None] = lambda result: None,
) -> Report:
    """Ask an engine all the cases, with `jobs` processes of it at once.

    `start` makes an engine that has not been started; `max_failures` ends the run early; `progress` is told each
    result. Raises EngineError if the engine cannot be run at all.
    """
    began = time.monotonic()
    first = start()
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    results: list[Result | None] = [None] * len(cases)
    failures = 0
    lock = threading.Lock()
    stop = threading.Event()
    engines = [first]
    threads: list[threading.Thread] = []

    def work(engine: Engine) -> None:
        nonlocal failures
        while not stop.is_set():
            try:
                place = waiting.get_nowait()
            except queue.Empty:
                return
            result = ask(engine, rules, hello, cases[place])
            with lock:
                results[place] = result
                progress(result)
                failures += result.status in ("failed", "error")
                if max_failures is not None and failures >= max_failures:
                    stop.set()

    try:
        hello = smoke(first, rules)
        for place in range(len(cases)):
            waiting.put(place)
        engines += [start() for _ in range(min(jobs, len(cases)) - 1)]
        threads = [threading.Thread(target=work, args=(engine,), daemon=True) for engine in engines[1:]]
        for thread in threads:
            thread.start()
        work(first)
        for thread in threads:
            thread.join()
    finally:
        stop.set()
        for engine in engines:
            engine.close()
        for thread in threads:
            thread.join()
    done = tuple(result for result in results if result is not None)
    noise = tuple(line for engine in engines for line in engine.noise)
    return Report(rules, label, hello, done, len(cases) - len(done), noise, time.monotonic() - began)


def ask(engine: Engine, rules: Ruleset, hello: Hello, case: Case) -> Result:
    """One case's result."""
    if case.question not in hello.questions:
        return Result(case, "unsupported", message=f"does not answer {case.question}")
    try:
        result = _judge(engine, rules, hello, case, case.expected, read_position(rules, case.position))
    except Unsupported as reason:
        return Result(case, "unsupported", message=str(reason))
    except EngineError as error:
        return Result(case, "error", message=str(error))
    return _explained(engine, rules, hello, result) if result.status == "failed" else result


def _explained(engine: Engine, rules: Ruleset, hello: Hello, result: Result) -> Result:
    """A failure with the alternative reading that the answer is right under, if the case gives one."""
    case = result.case
    for query, expected in case.otherwise.items():
        under = rules.alternatives.get(query, rules) if result.start_told else rules
        position = read_position(under, case.position)
        try:
            if _judge(engine, rules, hello, case, expected, position).status == "passed":
                settled = all(reading.confidence == "high" for reading, _ in rules.readings_in(query))
                return replace(result, status="failed" if settled else "reading", reading=query)
        except (Unsupported, EngineError):
            break
    return result


def _judge(
    engine: Engine, rules: Ruleset, hello: Hello, case: Case, expected: Expectation, position: Position
) -> Result:
    """The result of a case; where the game starts is asked first if the case is about that and the engine says it."""
    if case.position != "start" or "start" not in hello.questions:
        return _judge_answer(engine, rules, hello, case, expected, position)
    try:
        got = engine.ask("start", ask_params(rules, hello))["position"]
    except Unsupported:
        return _judge_answer(engine, rules, hello, case, expected, position)
    wrong = _difference(rules, position.fen(), got)
    result = _judge_answer(engine, rules, hello, case, expected, position)
    return replace(result, status="failed" if wrong else result.status, start=wrong, start_told=True)


def _judge_answer(
    engine: Engine, rules: Ruleset, hello: Hello, case: Case, expected: Expectation, position: Position
) -> Result:
    """The result but for the start: the engine is asked about the expected position, wherever its own game starts."""
    if expected.outcome is not None:
        wrong = _outcome(engine, rules, hello, position, expected.outcome.result)
        return Result(case, "failed" if wrong else "passed", outcome=wrong)
    if expected.end is not None:
        return _judge_game(engine, rules, hello, case, expected, position)
    params = ask_params(rules, hello, position.fen())
    answer = engine.ask("moves", params)
    moves = compare_moves(position, expected.moves or {}, answer["moves"])
    after = _successors(engine, rules, hello, params, moves, expected.moves or {})
    lapses = MovesDifference()
    wanted = expected.lapses if rules.rules.huff else {}
    if wanted is not None:
        if wanted and "lapses" not in answer:
            raise Unsupported("does not list lapses")
        lapses = compare_moves(position, wanted, answer.get("lapses", []))
        after |= _successors(engine, rules, hello, params, lapses, wanted)
    return Result(
        case,
        "failed" if moves or lapses or after else "passed",
        moves.missing + tuple(f"lapse {move}" for move in lapses.missing),
        moves.extra + tuple(f"lapse {move}" for move in lapses.extra),
        moves.unparsable + lapses.unparsable,
        moves.duplicates + lapses.duplicates,
        after=after,
    )


def _outcome(engine: Engine, rules: Ruleset, hello: Hello, position: Position, expected: str) -> Difference | None:
    got = engine.ask("outcome", ask_params(rules, hello, position.fen()))["outcome"]
    return None if got == expected else Difference(expected, got)


def _judge_game(
    engine: Engine, rules: Ruleset, hello: Hello, case: Case, expected: Expectation, position: Position
) -> Result:
    """A game played through: each action offered and leading where it should, the end as expected.

    The engine is asked about the expected positions, so that one wrong answer does not spoil the rest.
    """
    missing, after = [], {}
    for place, (action, fen) in enumerate(expected.game, 1):
        params = ask_params(rules, hello, position.fen())
        given: Any = action
        if "moves" in hello.questions:
            answer = engine.ask("moves", params)
            listed = compare_moves(position, [action], [*answer["moves"], *answer.get("lapses", [])]).listed
            if action not in listed:
                missing.append(f"{place}. {action}")
            given = listed.get(action, action)
        difference = _successor(engine, rules, params, given, fen)
        if difference:
            after[f"{place}. {action}"] = difference
        position = read_position(rules, fen)
    end = None
    if expected.end is not None and "outcome" in hello.questions:
        end = _outcome(engine, rules, hello, position, expected.end.result)
    status: Status = "failed" if missing or after or end else "passed"
    return Result(case, status, missing=tuple(missing), after=after, outcome=end)


def _successors(
    engine: Engine,
    rules: Ruleset,
    hello: Hello,
    params: Mapping[str, Any],
    found: MovesDifference,
    expected: Mapping[str, str],
) -> dict[str, Difference]:
    """For each expected move that the engine listed, how its position after it is wrong."""
    if "play" not in hello.questions:
        return {}
    wrong = {move: _successor(engine, rules, params, given, expected[move]) for move, given in found.listed.items()}
    return {move: difference for move, difference in wrong.items() if difference}


def _successor(
    engine: Engine, rules: Ruleset, params: Mapping[str, Any], given: Any, expected: str
) -> Difference | None:
    """How the engine's position after a move that it listed itself differs from the expected one."""
    try:
        got = engine.ask("play", {**params, "move": given})["position"]
    except Unsupported:
        return None
    except EngineError as error:
        if error.kind != "refused":
            raise
        return Difference(expected, f"{error} (for its own move {move_text(given)})")
    return _difference(rules, expected, got)


def _difference(rules: Ruleset, expected: str, got: str) -> Difference | None:
    """How an engine's position differs from the expected one, if it does."""
    try:
        same = _same(rules, got) == _same(rules, expected)
    except (PositionError, MoveError) as error:
        return Difference(expected, str(error))
    return None if same else Difference(expected, plain(got))


def _same(rules: Ruleset, fen: str) -> Position:
    """A position to compare by: sliders that are left out stand in the middle."""
    position = Position.from_fen(fen, rules.rules.board)
    trapdoors = rules.rules.trapdoors
    return replace(position, sliders=position.sliders or (trapdoors.layout.closed if trapdoors else None))


def ask_params(rules: Ruleset, hello: Hello, position: str | None = None) -> dict[str, Any]:
    """The parameters of a question, about a position or about none."""
    params: dict[str, Any] = {"ruleset": rules.id}
    if position is not None:
        params["position"] = position
    if hello.wants_rules:
        params["rules"] = rules.whole
    return params


def by_topic(results: Sequence[Result]) -> Iterator[tuple[str, dict[str, int]]]:
    """For each topic that occurs, how many cases ended in each status."""
    topics = dict.fromkeys(result.case.topic for result in results)
    for topic in topics:
        found = Counter(result.status for result in results if result.case.topic == topic)
        yield topic, {status: found[status] for status in STATUSES}
