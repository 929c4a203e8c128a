"""Asking an engine about a case, with pipelined requests."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from damspec import MoveError, Position, PositionError, Ruleset
from damspec.endings import outcome_of_position
from damspec.move import read_squares

from ..cases.cases import Case, Expectation
from ..engines import protocol
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, Question, UnsupportedError, clean_text, strip_control_characters
from ..positions.sampling import sample_positions
from .judge import LAPSE, MoveListDiff, compare_moves, keys_or_texts, move_key, move_text, read_position
from .result import DIFFERS, NO_LAPSES, VERDICTS, Mismatch, Result, Status, truncate_answer


def ask_params(ruleset: Ruleset, hello: Hello, position: str | None = None) -> dict[str, Any]:
    """Return the parameters of a question, about a position or about none."""
    params: dict[str, Any] = {"ruleset": ruleset.id}
    if position is not None:
        params["position"] = position
    if hello.wants_rules:
        params["rules"] = ruleset.whole
    return params


#: The share of drawn positions with exactly one legal move.
FORCED = 0.75
#: The fewest and most pieces of drawn positions.
_PIECES = (2, 12)
NOT_PLAYED = "plays moves, and is asked for nothing else"
NOTHING_TO_PLAY = "there is no move to play"


def ask_plays(engine: Engine, ruleset: Ruleset, hello: Hello, case: Case) -> Result:
    """Return the result of a case for an engine that plays: whether its move is legal, or may be played as a lapse."""
    expected = case.expected
    if expected.moves is None:
        return Result(case, "unsupported", message=NOT_PLAYED)
    if not expected.moves:
        return Result(case, "unsupported", message=NOTHING_TO_PLAY)
    request = None
    try:
        position = ruleset.position(case.position)
        if not (position.occupied("white") and position.occupied("black")):
            return Result(case, "unsupported", message=NOTHING_TO_PLAY)
        params = ask_params(ruleset, hello, position.fen())
        request = protocol.request(1, "plays", params)
        given = engine.ask("plays", params)["move"]
    except UnsupportedError as reason:
        return Result(case, "unsupported", message=str(reason))
    except EngineError as error:
        return Result(case, VERDICTS.get(error.kind, "error"), message=str(error), kind=error.kind, request=request)
    except PositionError as error:
        return Result(case, "not-asked", message=f"not asked: the case is wrong: {error}")
    forced = tuple(expected.moves) if len(expected.moves) == 1 else ()
    if given is None:
        number = "one" if forced else str(len(expected.moves))
        message = f"plays no move where there {'is' if forced else 'are'} {number}"
        return Result(case, "failed", forced, message=message, request=request, answer="null")
    text = move_text(given)
    if _is_among(position, expected, given):
        return Result(case, "passed", played=text)
    if ruleset.rules.huff and expected.lapses is None:
        return Result(case, "unsupported", message="plays what may be a lapse, and the case lists none")
    answer = truncate_answer(json.dumps(given))
    found = compare_moves(position, expected.moves, [given])
    wrong = Result(case, "failed", forced, found.extra, found.unparsable, answer=answer, played=text, request=request)
    return _with_reading_of_play(wrong, ruleset, given)


def _is_among(position: Position, expected: Expectation, given: Any) -> bool:
    """Return whether a move is one of those expected; two squares that are no move by themselves may mean any."""
    moves = [*(expected.moves or ()), *(expected.lapses or ())]
    if compare_moves(position, moves, [given]).listed:
        return True
    ends = _squares_of(position, given)
    with suppress(MoveError, PositionError):
        if move_key(position, given) is not None:
            return False
    return len(ends) == 2 and ends in [
        (squares[0], squares[-1]) for squares in map(partial(_squares_of, position), moves)
    ]


def _squares_of(position: Position, given: Any) -> tuple[int, ...]:
    """Return the squares of a move's text; none of what is no move."""
    try:
        return tuple(read_squares(str(given), position.board)[0])
    except (MoveError, PositionError):
        return ()


def _with_reading_of_play(wrong: Result, ruleset: Ruleset, given: Any) -> Result:
    """Return a failure with the alternative reading that the move is legal under, if the case gives one."""
    case = wrong.case
    for query, expected in case.otherwise.items():
        if _is_among(ruleset.position(case.position), expected, given):
            settled = all(reading.confidence == "high" for reading, _ in ruleset.readings_in(query))
            return replace(wrong, status="failed" if settled else "reading", reading=query)
    return wrong


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


#: The message of a question about the outcome after moves that an engine does not take.
NO_HISTORY = "takes no moves with outcome"
#: A position without anything but pieces.
_PLAIN = re.compile(r"[WB]:W((?:K?[1-9][0-9]*,)*K?[1-9][0-9]*)?:B((?:K?[1-9][0-9]*,)*K?[1-9][0-9]*)?")


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


def ask(engine: Engine, ruleset: Ruleset, hello: Hello, case: Case, *, times: int = 1) -> Result:
    """Return the result of one case. Each question is asked `times` times; differing answers make it unstable."""
    engine.take_notes()
    asking = CaseExchange(engine, ruleset, hello, times)
    if hello.manner == "played" and (case.expected.outcome is None or "outcome" not in hello.questions):
        result = ask_plays(engine, ruleset, hello, case)
    elif case.question not in hello.questions:
        return Result(case, "unsupported", message=f"does not answer {case.question}")
    else:
        result = _judge_case(asking, ruleset, case)
    notes = (*engine.take_notes(), *asking.notes)
    return replace(result, notes=notes) if notes else result


def _judge_case(asking: CaseExchange, ruleset: Ruleset, case: Case) -> Result:
    try:
        result = asking.judge(case, case.expected, ruleset)
        if result.status == "failed":
            result = _with_reading(asking, case, asking.about(result))
    except UnsupportedError as reason:
        return Result(case, "unsupported", message=str(reason))
    except EngineError as error:
        status = VERDICTS.get(error.kind, "error")
        return Result(case, status, message=str(error), kind=error.kind, request=asking.request(asking.last))
    except _FlakyAnswerError as error:
        return asking.about(Result(case, "unstable", message=str(error)))
    except PositionError as error:
        return Result(case, "not-asked", message=f"not asked: the case is wrong: {error}")
    return result


def _with_reading(asking: CaseExchange, case: Case, result: Result) -> Result:
    """Return a failure with the alternative reading that the answer is right under, if the case gives one."""
    ruleset = asking.ruleset
    for query, expected in case.otherwise.items():
        own_positions = result.start_told or expected.end is not None
        under = ruleset.alternatives.get(query, ruleset) if own_positions else ruleset
        try:
            if asking.judge(case, expected, under).status == "passed":
                settled = all(reading.confidence == "high" for reading, _ in ruleset.readings_in(query))
                return replace(result, status="failed" if settled else "reading", reading=query)
        except PositionError:  # a game can have it under several readings together, which are not asked here
            continue
        except (UnsupportedError, EngineError):
            break
    return result


class _FlakyAnswerError(Exception):
    """Answers to the same question differ; `str()` is how."""


class CaseExchange:
    """The exchange with an engine about one case: the last question, and the first that was answered wrong."""

    def __init__(self, engine: Engine, ruleset: Ruleset, hello: Hello, times: int) -> None:
        self.ruleset = ruleset
        self.last: tuple[str, Mapping[str, Any]] = ("hello", {})
        self._wrong: tuple[str, Mapping[str, Any]] | None = None
        self._answer: Any = None
        self._engine = engine
        self._questions = hello.questions
        self._takes_history = hello.history
        self._concluded = hello.is_concluded
        self._times = times
        #: Whether its notations have every square, since they are joined hops.
        self._complete = hello.steps
        #: Notes on how the answers were judged.
        self.notes: dict[str, None] = {}
        self._params = ask_params(ruleset, hello)
        #: What the ruleset's games have besides pieces and a side to move.
        self._huffing = ruleset.rules.huff

    def judge(self, case: Case, expected: Expectation, reader: Ruleset) -> Result:
        """Return the result of a case; the start is asked first if the case is about it and the engine answers that.

        The start is the one of `reader`. Raises UnsupportedError, EngineError, and PositionError if the case is wrong.
        """
        fen = canonical(reader, case.position)
        if case.position != "start" or "start" not in self._questions:
            return self._judge_answer(case, expected, reader, fen)
        try:
            got = self._ask("start", self._params)["position"]
        except UnsupportedError:
            return self._judge_answer(case, expected, reader, fen)
        wrong = difference(self.ruleset, fen, got)
        if wrong:
            self._note(got)
        result = self._judge_answer(case, expected, reader, fen)
        return replace(result, status="failed" if wrong else result.status, start=wrong, start_told=True)

    def about(self, result: Result) -> Result:
        """Return a result with the question that went wrong, and the answer to it."""
        answer = None if self._answer is None else truncate_answer(json.dumps(self._answer, ensure_ascii=False))
        return replace(result, request=self.request(self._wrong or self.last), answer=answer)

    def request(self, question: tuple[str, Mapping[str, Any]]) -> str:
        """Return a question as a line, to ask it again."""
        return protocol.request(1, *question)

    def _ask(self, method: str, params: Mapping[str, Any]) -> Any:
        self.last = method, params
        if self._times == 1:
            return self._engine.ask(method, params)
        first = self._once(method, params)
        for _ in range(self._times - 1):
            again = self._once(method, params)
            if not self._same_answer(first, again, params):
                self._note([_plain(first), _plain(again)])
                texts = " and ".join(
                    clean_text(json.dumps(_plain(each), ensure_ascii=False)) for each in (first, again)
                )
                raise _FlakyAnswerError(f"{DIFFERS}: {method} gives {texts}")
        if isinstance(first, Exception):
            raise first
        return first

    def _once(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return an answer, or the exception in its place."""
        try:
            return self._engine.ask(method, params)
        except UnsupportedError as reason:
            return reason
        except EngineError as error:
            if error.kind != "refused":
                raise
            return error

    def _same_answer(self, one: Any, other: Any, params: Mapping[str, Any]) -> bool:
        if isinstance(one, Exception) or isinstance(other, Exception):
            return type(one) is type(other)
        if one == other:
            return True
        if "position" in one:
            return difference(self.ruleset, one["position"], other["position"]) is None
        if "outcome" in one:
            return bool(one["outcome"] == other["outcome"])
        position = read_position(self.ruleset, params["position"])
        return all(
            keys_or_texts(position, one.get(name, ())) == keys_or_texts(position, other.get(name, ()))
            for name in ("moves", "lapses")
        )

    def _note(self, answer: Any) -> None:
        """Record that the last question was answered wrong, if it is the first."""
        if self._wrong is None:
            self._wrong, self._answer = self.last, answer

    def _judge_answer(self, case: Case, expected: Expectation, reader: Ruleset, fen: str) -> Result:
        """Return the result but for the start: questions are about the expected position."""
        if expected.outcome is not None:
            wrong = self._outcome(fen, expected.outcome.result, case.history)
            return Result(case, "failed" if wrong else "passed", outcome=wrong)
        if expected.end is not None:
            return self._judge_game(case, expected, reader, fen)
        params = {**self._params, "position": fen}
        answer = self._ask("moves", params)
        moves = self._compare(reader, case, expected.moves or {}, answer["moves"], params)
        wanted = expected.lapses if self._huffing else {}
        if wanted is None or not (wanted or answer.get("lapses")):
            lapses = MoveListDiff()
        elif wanted and "lapses" not in answer:
            if not moves:
                raise UnsupportedError(NO_LAPSES)
            lapses = MoveListDiff()
        else:
            lapses = self._compare(reader, case, wanted, answer.get("lapses", []), params)
        if moves or lapses:
            self._note(answer)
        after = self._successors(params, moves, expected.moves or {})
        if lapses.listed:
            after |= self._successors(params, lapses, wanted or {})
        if not (moves or lapses or after or moves.duplicates or lapses.duplicates):
            return Result(case, "passed")
        return Result(
            case,
            "failed" if moves or lapses or after else "passed",
            moves.missing + tuple(f"{LAPSE}{move}" for move in lapses.missing),
            moves.extra + tuple(f"{LAPSE}{move}" for move in lapses.extra),
            moves.unparsable + lapses.unparsable,
            moves.duplicates + lapses.duplicates,
            after=after,
        )

    def _compare(
        self, reader: Ruleset, case: Case, expected: Mapping[str, str], answer: list[Any], params: Mapping[str, Any]
    ) -> MoveListDiff:
        """Compare a list of moves with the expected one; equal texts need no board."""
        if is_same_list(answer, expected):
            return MoveListDiff(listed=dict(zip(answer, answer, strict=True)))
        return self._compare_on(reader.position(case.position), expected, answer, params)

    def _compare_on(
        self, position: Position, expected: Mapping[str, str], answer: list[Any], params: Mapping[str, Any]
    ) -> MoveListDiff:
        """Return how a list of moves differs from the expected one; of a capture that may be short for a longer one the
        engine is asked where it leads, if it can be.
        """
        asked = self.last

        def leads_to(given: Any, text: str) -> bool:
            got = None
            try:
                got = self._ask("play", {**params, "move": given})["position"]
            except UnsupportedError:
                pass
            except EngineError as error:
                if error.kind != "refused":
                    raise
            self.last = asked
            return got is not None and difference(self.ruleset, expected[text], got) is None

        plays = "play" in self._questions
        found = compare_moves(position, expected, answer, leads_to=leads_to if plays else None, complete=self._complete)
        if found.ambiguous:
            self.notes["ambiguous"] = None
        return found

    def _outcome(self, fen: str, expected: str, history: Sequence[str] = ()) -> Mismatch | None:
        if history and not self._takes_history:
            raise UnsupportedError(NO_HISTORY)
        params = {**self._params, "position": fen, **({"moves": list(history)} if history else {})}
        answer = self._ask("outcome", params)
        if answer["outcome"] == expected:
            return None
        self._note(answer)
        return Mismatch(expected, answer["outcome"])

    def _judge_game(self, case: Case, expected: Expectation, reader: Ruleset, fen: str) -> Result:
        """Judge a game: whether each action is listed and leads where it should, and the end is as expected.

        The engine is asked about the expected positions, so that one wrong answer does not spoil the rest.
        """
        missing, after = [], {}
        position = reader.position(case.position)
        for place, (action, then) in enumerate(expected.game, 1):
            params = {**self._params, "position": position.fen()}
            given: Any = action
            if "moves" in self._questions:
                answer = self._ask("moves", params)
                given_list = [*answer["moves"], *answer.get("lapses", [])]
                listed = self._compare_on(position, {action: then}, given_list, params).listed
                if action not in listed:
                    if "lapses" not in answer and self.ruleset.position(then).huffable:
                        raise UnsupportedError("does not list lapses")
                    missing.append(f"{place}. {action}")
                    self._note(answer)
                given = listed.get(action, action)
            wrong = self._successor(params, given, then)
            if wrong:
                after[f"{place}. {action}"] = wrong
            position = reader.position(then)
        end = None
        if expected.end is not None and "outcome" in self._questions:
            try:
                end = self._outcome(position.fen(), expected.end.result)
            except UnsupportedError:
                if not self._concluded:  # one that tells no outcomes has said nothing
                    raise
        status: Status = "failed" if missing or after or end else "passed"
        return Result(case, status, missing=tuple(missing), after=after, outcome=end)

    def _successors(
        self, params: Mapping[str, Any], found: MoveListDiff, expected: Mapping[str, str]
    ) -> dict[str, Mismatch]:
        """Return how the engine's position is wrong after each expected move that it listed."""
        if "play" not in self._questions:
            return {}
        wrong = {}
        for move, given in found.listed.items():
            if found_wrong := self._successor(params, given, expected[move]):
                wrong[move] = found_wrong
        return wrong

    def _successor(self, params: Mapping[str, Any], given: Any, expected: str) -> Mismatch | None:
        """Return how the engine's position after a move that it listed differs from the expected one."""
        try:
            got = self._ask("play", {**params, "move": given})["position"]
        except UnsupportedError:
            return None
        except EngineError as error:
            if error.kind != "refused":
                raise
            self._note(str(error))
            return Mismatch(expected, f"{error} (for its own move {move_text(given)})")
        wrong = difference(self.ruleset, expected, got)
        if wrong:
            self._note(got)
        return wrong


def is_same_list(answer: Sequence[Any], expected: Collection[str]) -> bool:
    """Return whether a list of moves has exactly the expected texts, in any order."""
    return (
        len(answer) == len(expected)
        and all(type(move) is str and move in expected for move in answer)
        and len(set(answer)) == len(expected)
    )


def difference(ruleset: Ruleset, expected: str, got: str) -> Mismatch | None:
    """Return how an engine's position differs from the expected one, if it does."""
    if got == expected:
        return None
    try:
        same = read_position(ruleset, got) == read_position(ruleset, expected)
    except (PositionError, MoveError) as error:
        return Mismatch(expected, str(error))
    return None if same else Mismatch(expected, strip_control_characters(got))


def _plain(answer: Any) -> Any:
    return str(answer) if isinstance(answer, Exception) else answer


def canonical(ruleset: Ruleset, text: str) -> str:
    """Return a case's position as the runner writes it. Raises PositionError."""
    written = _PLAIN.fullmatch(text)
    if written is None or ruleset.rules.trapdoors is not None:
        position = ruleset.position(text)
        return (position if "sliders=" in text or text == "start" else replace(position, sliders=None)).fen()
    taken: list[int] = []
    for side in written.groups():
        squares = [int(square) for square in side.replace("K", "").split(",")] if side else []
        if squares != sorted(squares):
            return ruleset.position(text).fen()
        taken += squares
    # A square taken twice, or one that is not there: that is looked at closely.
    if len(set(taken)) < len(taken) or max(taken, default=1) > len(ruleset.rules.board):
        return ruleset.position(text).fen()
    return text


#: An answer, and the notes on how it came about.
_Answer = tuple[Any, tuple[str, ...]]


class PipelineBrokenError(Exception):
    """An engine that broke at a question, or at another one in flight with it."""

    def __init__(self, question: Question, error: EngineError) -> None:
        super().__init__(str(error))
        self.question, self.error = question, error


class PipelinedEngine(Engine):
    """An engine that is asked some questions before their answers are needed.

    `questions` has those of each case, in the order in which the cases are put. What else a case asks, as when an
    answer is wrong, is asked of the engine when it comes up.
    """

    def __init__(self, engine: Engine, questions: Sequence[Sequence[Question]]) -> None:
        self.engine = engine
        self._questions = iter(questions)
        self._sent = self._send([question for some in questions for question in some])
        #: The answers that are still to come: not from the engine any more, once something else was asked of it.
        self._answers_left: Iterator[_Answer] = self._sent
        self._error: EngineError | None = None
        #: The answers for the case that is put.
        self._answers: dict[object, _Answer] = {}
        self._notes: tuple[str, ...] = ()

    def next_case(self) -> None:
        """Fetch the answers for the next case. Raises PipelineBrokenError."""
        self._answers.clear()
        for question in next(self._questions):
            try:
                self._answers[_key(*question)] = next(self._answers_left)
            except EngineError as error:
                raise PipelineBrokenError(question, error) from None
            except StopIteration:
                assert self._error is not None
                raise PipelineBrokenError(question, self._error) from None

    def hello(self) -> Hello:
        """Return what the engine says of itself."""
        return self.engine.hello()

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question. Raises UnsupportedError, or EngineError when there is no usable answer."""
        if known := self._answers.get(_key(method, params)):
            answer, notes = known
            self._notes += notes
            if isinstance(answer, Exception):
                raise answer
            return answer
        self._receive_all()
        return self.engine.ask(method, params)

    def take_notes(self) -> tuple[str, ...]:
        """Return and forget notes on how the answers since the last call came about."""
        notes, self._notes = tuple(dict.fromkeys((*self._notes, *self.engine.take_notes()))), ()
        return notes

    def close(self) -> None:
        """Stop pipelining; with unanswered requests the process is ended."""
        self._sent.close()

    def _send(self, questions: Sequence[Question]) -> Generator[_Answer]:
        with closing(self.engine.ask_all(questions)) as answers:
            for answer in answers:
                yield answer, self.engine.take_notes()

    def _receive_all(self) -> None:
        """Receive all answers in flight, so that another question can be asked."""
        come: list[_Answer] = []
        try:
            come.extend(self._answers_left)
        except EngineError as error:
            self._error = error
        self._answers_left = iter(come)


def questions_of(ruleset: Ruleset, hello: Hello, case: Case) -> list[Question]:
    """Return the questions of a case; none for games and the start, whose questions depend on answers."""
    expected, params = case.expected, ask_params(ruleset, hello)
    if case.question not in hello.questions or case.position == "start" or expected.game:
        return []
    if (case.history and not hello.history) or (case.question == "outcome" and hello.is_concluded):
        return []
    try:
        params["position"] = canonical(ruleset, case.position)
    except PositionError:
        return []
    if expected.outcome is not None:
        return [("outcome", params | ({"moves": list(case.history)} if case.history else {}))]
    found: list[Question] = [("moves", params)]
    if "play" in hello.questions:
        found += [("play", params | {"move": move}) for move in expected.moves or {}]
    return found


def _key(method: str, params: Mapping[str, Any]) -> object:
    """Return the key of a question within its case."""
    return method, params.get("position"), str(params.get("move")), tuple(map(str, params.get("moves", ())))
