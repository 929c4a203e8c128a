"""Putting a question to an engine: an exchange yields requests, is sent the answers, and returns what the engine says.

So the same code asks one request at a time or with several in flight, is repeated, and needs no engine to be tested.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from damspec import Position, PositionError, Ruleset

from ..cases.answer import (
    LISTS,
    After,
    Answer,
    ListedMove,
    Positions,
    Question,
    move_text,
    read_key,
    read_moves,
    read_position,
    said_position,
)
from ..cases.notation import Key, read_path
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, UnsupportedError, answer_or_refusal, can_continue, clean_text
from .result import DIFFERS, NO_LAPSES

#: A request to an engine: its method and its parameters.
Request = tuple[str, Mapping[str, Any]]
#: A generator that yields requests and is sent what answers them; UnsupportedError and EngineError are thrown in.
Exchange = Generator[Request, Any, Answer]
#: The message of a question about the outcome after moves that an engine does not take.
NO_HISTORY = "takes no moves with outcome"
#: A well-formed FEN without fields beyond the pieces, which are the groups.
PLAIN_FEN = re.compile(r"[WB]:W((?:K?[1-9][0-9]*,)*K?[1-9][0-9]*)?:B((?:K?[1-9][0-9]*,)*K?[1-9][0-9]*)?")


def ask_params(ruleset: Ruleset, hello: Hello, position: str | None = None) -> dict[str, Any]:
    """Return the parameters of a question, about a position or about none."""
    params: dict[str, Any] = {"ruleset": ruleset.id}
    if position is not None:
        params["position"] = position
    if hello.wants_rules:
        params["rules"] = ruleset.inline_values
    return params


@dataclass
class Transcript:
    """What is known of an exchange besides the answer: the last request, and the first that was answered wrong."""

    last: Request = ("hello", {})
    wrong: Request | None = None
    #: The answer to that.
    reply: Any = None
    #: Notes on how the answers were read.
    notes: dict[str, None] = field(default_factory=dict)

    def note_wrong(self, reply: Any) -> None:
        """Record that the last request was answered wrong, if it is the first."""
        if self.wrong is None:
            self.wrong, self.reply = self.last, reply


class _Refusal(str):
    """What an engine says that refuses a move of its own list."""

    __slots__ = ()


def exchange(
    question: Question, hello: Hello, params: Mapping[str, Any], transcript: Transcript | None = None
) -> Exchange:
    """Yield the requests about a question and return the engine's answer.

    `params` are those of every request (`ask_params`). Questions are about the expected positions, so that one wrong
    answer does not spoil the rest. Raises UnsupportedError, EngineError, and PositionError if the case is wrong.
    """
    return _Exchange(question, hello, params, transcript or Transcript()).run()


#: How many wrong entries of a list are kept: more than an engine lists that plays by any rules.
WRONG_KEPT = 200


@dataclass
class _List:
    """A list of moves as an engine writes them, and its own notation of each that is expected."""

    texts: dict[Key, str] = field(default_factory=dict)
    listed: dict[Key, Any] = field(default_factory=dict)
    unparsable: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()

    def add(self, one: ListedMove, key: Key, *, is_wanted: bool) -> None:
        """Add an entry that is meant as the move `key`."""
        text = move_text(one.given)
        if not one.is_legible:
            self.unparsable += (text,)
        elif key in self.texts:
            self.duplicates += (text,)
        elif is_wanted:
            self.listed[key] = one.given
        self.texts.setdefault(key, text)

    def drop_most_wrong(self, wanted: Mapping[Key, Any]) -> None:
        """Keep as many wrong entries as are kept, and in the place of more their number."""
        extra = [key for key in self.texts if key not in wanted and key not in self.unparsable]
        dropped = {*extra[WRONG_KEPT:], *self.unparsable[WRONG_KEPT:]}
        if dropped:
            self.texts = {key: text for key, text in self.texts.items() if key not in dropped}
        for wrong in (extra, self.unparsable):
            if len(wrong) > WRONG_KEPT:
                self.texts[_more(wrong)] = _more(wrong)
        if len(self.unparsable) > WRONG_KEPT:
            self.unparsable = (*self.unparsable[:WRONG_KEPT], _more(self.unparsable))


def _more(entries: Sequence[Key]) -> str:
    return f"... and {len(entries) - WRONG_KEPT} more"


class _Exchange:
    def __init__(self, question: Question, hello: Hello, params: Mapping[str, Any], transcript: Transcript) -> None:
        self._question, self._hello, self._params, self._transcript = question, hello, params, transcript

    def run(self) -> Exchange:
        """Ask where the game starts, if the case is about that, and then what it is about."""
        question, wanted = self._question, self._question.wanted
        fen = canonical(question.ruleset, question.case.position)
        start: After | None = None
        text = ""
        if question.case.position == "start" and "start" in self._hello.questions:
            try:
                text = (yield from self._ask("start", self._params))["position"]
                start = said_position(question.ruleset, text)
            except UnsupportedError:
                pass
            if start is not None and start != question.position:
                self._transcript.note_wrong(text)
        if wanted.outcome is not None:
            answer = yield from self._outcome(fen, wanted.outcome.result, question.case.history)
        elif wanted.end is not None:
            answer = yield from self._game(fen, wanted.end.result)
        else:
            answer = yield from self._lists({**self._params, "position": fen})
        return answer if start is None else replace(answer, start=start, start_text=text)

    def _ask(self, method: str, params: Mapping[str, Any]) -> Generator[Request, Any, Any]:
        self._transcript.last = method, params
        return (yield method, params)

    def _outcome(self, fen: str, expected: str, history: Sequence[str] = ()) -> Exchange:
        if history and not self._hello.history:
            raise UnsupportedError(NO_HISTORY)
        moves = {"moves": list(history)} if history else {}
        answer = yield from self._ask("outcome", {**self._params, "position": fen, **moves})
        if answer["outcome"] != expected:
            self._transcript.note_wrong(answer)
        return Answer(outcome=answer["outcome"])

    def _lists(self, params: Mapping[str, Any]) -> Exchange:
        """Ask for the moves of a position, and where those listed lead whose expected position is written out."""
        position, expected = self._question.position, self._question.expected
        answer = yield from self._ask("moves", params)
        moves = yield from self._match(position, expected.moves or {}, answer["moves"], params, expected)
        says_lapses = expected.lapses is not None and ("lapses" in answer or not expected.lapses)
        if not says_lapses and expected.lapses and expected.agrees(Answer(moves.texts)):
            raise UnsupportedError(NO_LAPSES)
        lapses = _List()
        if says_lapses:
            entries = answer.get("lapses", ())
            lapses = yield from self._match(position, expected.lapses or {}, entries, params, expected)
        listed = Answer(
            moves.texts,
            lapses.texts if says_lapses else None,
            unparsable=moves.unparsable + lapses.unparsable,
            duplicates=moves.duplicates + lapses.duplicates,
        )
        if expected.differs(listed):
            self._transcript.note_wrong(answer)
        texts: dict[Key, str] = {}
        if "play" in self._hello.questions:
            for one, given in (*moves.listed.items(), *lapses.listed.items()):
                if one in expected.texts:
                    yield from self._play(params, one, given, expected, texts)
        return replace(listed, after=self._after(texts), texts=texts)

    def _game(self, fen: str, end: str) -> Exchange:
        """Ask about each action of a game: whether it is listed, and where it leads."""
        question, steps = self._question, []
        position = question.position
        for expected, (action, then) in zip(question.expected.game, question.wanted.game, strict=True):
            ((key, _),) = (expected.moves or {}).items()
            params = {**self._params, "position": fen}
            given: Any = action
            is_listed = True
            if "moves" in self._hello.questions:
                answer = yield from self._ask("moves", params)
                entries = [*answer["moves"], *answer.get("lapses", ())]
                listed = (yield from self._match(position, {key: action}, entries, params, expected)).listed
                is_listed = key in listed
                if not is_listed:
                    if "lapses" not in answer and question.parse_position(then).huffable:
                        raise UnsupportedError("does not list lapses")
                    self._transcript.note_wrong(answer)
                given = listed.get(key, action)
            texts: dict[Key, str] = {}
            yield from self._play(params, key, given, expected, texts)
            moves = {key: action} if is_listed else {}
            steps.append(Answer(moves, after=self._after(texts), texts=texts))
            position = question.ruleset.position(then)
            fen = position.fen()
        outcome = None
        if "outcome" in self._hello.questions:
            try:
                outcome = (yield from self._outcome(fen, end)).outcome
            except UnsupportedError:
                if not self._hello.is_concluded:  # one that tells no outcomes has said nothing
                    raise
        return Answer(outcome=outcome, game=tuple(steps))

    def _match(
        self,
        position: Position,
        wanted: Mapping[Key, Any],
        entries: Sequence[Any],
        params: Mapping[str, Any],
        expected: Answer,
    ) -> Generator[Request, Any, _List]:
        """Return a list as it is meant; of a capture that may be short for a longer one ask where it leads."""
        found = _List()
        for one in read_moves(position, wanted, entries, complete=self._hello.steps):
            key = one.key
            if one.longer is not None:
                if "play" not in self._hello.questions:
                    self._transcript.notes["ambiguous"] = None
                elif (yield from self._leads_to(params, one, expected.after[one.longer])):
                    key = one.longer
            found.add(one, key, is_wanted=key in wanted)
        found.drop_most_wrong(wanted)
        return found

    def _leads_to(self, params: Mapping[str, Any], one: ListedMove, after: After) -> Generator[Request, Any, bool]:
        asked = self._transcript.last
        said = yield from self._where(params, one.given)
        self._transcript.last = asked
        return said is not None and _read_after(self._question.ruleset, said) == after

    def _play(
        self, params: Mapping[str, Any], key: Key, given: Any, expected: Answer, texts: dict[Key, str]
    ) -> Generator[Request, Any, None]:
        """Ask where a listed move leads, and add what the engine says."""
        said = yield from self._where(params, given)
        if said is None:
            return
        is_refused = isinstance(said, _Refusal)
        texts[key] = _Refusal(f"{said} (for its own move {move_text(given)})") if is_refused else said
        if said != expected.texts[key] and _read_after(self._question.ruleset, said) != expected.after[key]:
            self._transcript.note_wrong(said)

    def _where(self, params: Mapping[str, Any], given: Any) -> Generator[Request, Any, str | None]:
        """Return the position after a move as the engine writes it, or its refusal; None if it does not answer."""
        try:
            answer: Mapping[str, str] = yield from self._ask("play", {**params, "move": given})
        except (UnsupportedError, EngineError) as error:
            if not can_continue(error):
                raise
            return _Refusal(error) if isinstance(error, EngineError) else None
        return answer["position"]

    def _after(self, texts: Mapping[Key, str]) -> Positions[str]:
        # Not a method of this object: the answer is kept, and that would keep the reply with it.
        return Positions(texts, partial(_read_after, self._question.ruleset))


def _read_after(ruleset: Ruleset, text: str) -> After:
    return str(text) if isinstance(text, _Refusal) else said_position(ruleset, text)


#: Why an engine that plays is not asked.
NOT_PLAYED = "plays moves, and is asked for nothing else"
NOTHING_TO_PLAY = "there is no move to play"


def play_exchange(
    question: Question, params: Mapping[str, Any], transcript: Transcript
) -> Generator[Request, Any, Any]:
    """Yield the one request to an engine that plays, and return the move as it writes it, None for none.

    Raises UnsupportedError where there is nothing to play, and PositionError if the case is wrong.
    """
    if question.wanted.moves is None:
        raise UnsupportedError(NOT_PLAYED)
    position = question.ruleset.position(question.case.position)
    if not (question.wanted.moves and position.occupied("white") and position.occupied("black")):
        raise UnsupportedError(NOTHING_TO_PLAY)
    transcript.last = "plays", {**params, "position": position.fen()}
    return (yield transcript.last)["move"]


def played_answer(question: Question, given: Any) -> Answer:
    """Return a played move as an answer."""
    if given is None:
        return Answer(played={})
    expected = question.expected
    key, is_legible = read_played(question.position, {**(expected.moves or {}), **(expected.lapses or {})}, given)
    text = move_text(given)
    return Answer(played={key: text}, unparsable=() if is_legible else (text,))


def read_played(position: Position, able: Mapping[Key, Any], given: Any) -> tuple[Key, bool]:
    """Return which of the moves that can be played is meant, or another, and whether it is legible.

    Two squares that are no move by themselves mean the first of those between them.
    """
    (found,), board = read_moves(position, able, [given]), position.board
    if found.key == move_text(given) and len(ends := read_path(str(found.key), board)[0]) == 2:
        paths = ((one, read_path(str(written), board)[0]) for one, written in able.items())
        same = (one for one, path in paths if path and (path[0], path[-1]) == ends)
        return next(same, found.key), found.is_legible
    return found.key, found.is_legible


def canonical(ruleset: Ruleset, text: str) -> str:
    """Return a case's position as the runner writes it. Raises PositionError."""
    written = PLAIN_FEN.fullmatch(text)
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


# --- drivers

#: Returns the answer to a request, or raises UnsupportedError or EngineError.
Ask = Callable[[str, Mapping[str, Any]], Any]
R = TypeVar("R")


def drive(asking: Generator[Request, Any, R], ask: Ask) -> R:
    """Put the requests of an exchange one at a time, and return what it comes to."""
    try:
        request = next(asking)
        while True:
            try:
                reply = ask(*request)
            except (UnsupportedError, EngineError) as error:
                request = asking.throw(error)
            else:
                request = asking.send(reply)
    except StopIteration as end:
        result: R = end.value
        return result


class FlakyAnswerError(Exception):
    """Answers to the same request differ; `str()` is how, `replies` are both."""

    def __init__(self, method: str, replies: Sequence[Any]) -> None:
        texts = " and ".join(clean_text(json.dumps(each, ensure_ascii=False)) for each in replies)
        super().__init__(f"{DIFFERS}: {method} gives {texts}")
        self.replies = [*replies]


def repeat(ask: Ask, times: int, ruleset: Ruleset) -> Ask:
    """Return what puts each request several times, and raises FlakyAnswerError unless the answers agree."""

    def ask_repeatedly(method: str, params: Mapping[str, Any]) -> Any:
        first = answer_or_refusal(ask, method, params)
        for _ in range(times - 1):
            again = answer_or_refusal(ask, method, params)
            if not _is_same_reply(ruleset, params, first, again):
                plain = [str(reply) if isinstance(reply, Exception) else reply for reply in (first, again)]
                raise FlakyAnswerError(method, plain)
        if isinstance(first, Exception):
            raise first
        return first

    return ask_repeatedly if times > 1 else ask


def _is_same_reply(ruleset: Ruleset, params: Mapping[str, Any], one: Any, other: Any) -> bool:
    if isinstance(one, Exception) or isinstance(other, Exception):
        return type(one) is type(other)
    return bool(one == other) or _read_reply(ruleset, params, one).agrees(_read_reply(ruleset, params, other))


def _read_reply(ruleset: Ruleset, params: Mapping[str, Any], reply: Mapping[str, Any]) -> Answer:
    """Return a reply to a single request as an answer, its moves by themselves."""
    if "position" in reply:
        return Answer(start=said_position(ruleset, reply["position"]))
    if "outcome" in reply:
        return Answer(outcome=reply["outcome"])
    position = read_position(ruleset, params["position"])
    moves, lapses = ({read_key(position, one): move_text(one) for one in reply.get(name, ())} for name in LISTS)
    return Answer(moves, lapses)


class BrokenWindowError(Exception):
    """An engine that broke at a request, or at another one in flight with it."""

    def __init__(self, request: Request, error: EngineError) -> None:
        super().__init__(str(error))
        self.request, self.error = request, error


#: A request, and the reply that is right as it is written; None where none is.
Foreseen = tuple[Request, Mapping[str, Any] | None]
#: A reply, or the exception in its place, and the notes on how it came about.
_Reply = tuple[Any, tuple[str, ...]]


class Window:
    """Requests that an engine is sent before their answers are needed, those of each case in the order of the cases.

    What else a case asks, as when an answer is wrong, is asked of the engine when it comes up.
    """

    def __init__(self, engine: Engine, requests: Sequence[Sequence[Foreseen]]) -> None:
        self._engine = engine
        self._requests = iter(requests)
        self._sent = self._send([request for some in requests for request, _ in some])
        #: The replies that are still to come: not from the engine any more, once something else was asked of it.
        self._left: Iterator[_Reply] = self._sent
        self._error: EngineError | None = None
        #: The replies for the case that is put.
        self._replies: dict[object, _Reply] = {}
        self._notes: tuple[str, ...] = ()

    def next_case(self) -> bool:
        """Fetch the replies for the next case; return whether all are right as written. Raises BrokenWindowError."""
        self._replies.clear()
        matches = bool(requests := next(self._requests))
        for request, right in requests:
            try:
                reply, _ = self._replies[request_key(*request)] = next(self._left)
            except EngineError as error:
                raise BrokenWindowError(request, error) from None
            except StopIteration:
                assert self._error is not None
                raise BrokenWindowError(request, self._error) from None
            matches = matches and right is not None and not isinstance(reply, Exception) and is_same_text(reply, right)
        return matches

    def notes(self) -> tuple[str, ...]:
        """Return the notes on how the replies for the case came about."""
        return tuple(dict.fromkeys(note for _, notes in self._replies.values() for note in notes))

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a request. Raises UnsupportedError, or EngineError when there is no usable answer."""
        if known := self._replies.get(request_key(method, params)):
            reply, notes = known
            self._notes += notes
            if isinstance(reply, Exception):
                raise reply
            return reply
        self._receive_all()
        return self._engine.ask(method, params)

    def take_notes(self) -> tuple[str, ...]:
        """Return and forget notes on how the answers since the last call came about."""
        notes, self._notes = tuple(dict.fromkeys((*self._notes, *self._engine.take_notes()))), ()
        return notes

    def close(self) -> None:
        """Send no more; with unanswered requests the process is ended."""
        self._sent.close()

    def _send(self, requests: Sequence[Request]) -> Generator[_Reply]:
        with closing(self._engine.ask_all(requests)) as replies:
            for reply in replies:
                yield reply, self._engine.take_notes()

    def _receive_all(self) -> None:
        """Receive all replies in flight, so that something else can be asked."""
        come: list[_Reply] = []
        try:
            come.extend(self._left)
        except EngineError as error:
            self._error = error
        self._left = iter(come)


def foreseen(question: Question, hello: Hello, params: Mapping[str, Any]) -> list[Foreseen]:
    """Return the requests of a question that can be sent at once; none for games and the start."""
    case, wanted = question.case, question.wanted
    if case.question not in hello.questions or case.position == "start" or wanted.game:
        return []
    if (case.history and not hello.history) or (case.question == "outcome" and hello.is_concluded):
        return []
    try:
        about = {**params, "position": canonical(question.ruleset, case.position)}
    except PositionError:
        return []
    if wanted.outcome is not None:
        moves = {"moves": list(case.history)} if case.history else {}
        return [(("outcome", about | moves), {"outcome": wanted.outcome.result})]
    # Lapses that are listed are played too, and whether they are listed is not known yet.
    lists = {"moves": wanted.moves or {}} | ({} if question.ruleset.rules.huff else {"lapses": {}})
    right = None if wanted.lapses else {name: sorted(texts) for name, texts in lists.items()}
    plays = (wanted.moves or {}).items() if "play" in hello.questions else ()
    return [
        (("moves", about), right),
        *((("play", {**about, "move": move}), {"position": after}) for move, after in plays),
    ]


def is_same_text(reply: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
    """Return whether a reply is right as it is written, with moves in any order."""
    return all(
        sorted(map(str, reply.get(name, ()))) == value if name in LISTS else reply[name] == value
        for name, value in right.items()
    )


def request_key(method: str, params: Mapping[str, Any]) -> object:
    """Return what makes a request another one within its case."""
    return method, params.get("position"), str(params.get("move")), tuple(map(str, params.get("moves", ())))
