"""Exchanges: the requests about a question, what is made of the replies, and both without an engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

import damspec
from damspec import Outcome
from damspec_runner.cases.adapt import make_case
from damspec_runner.cases.answer import Answer, Question
from damspec_runner.cases.cases import Case, Expectation
from damspec_runner.engines.process import Engine
from damspec_runner.engines.protocol import EngineError, Hello, UnsupportedError
from damspec_runner.verify.exchange import Transcript, Window, drive, exchange, foreseen

LB = damspec.load_ruleset("lb")
HELLO = Hello("x", "1", None, frozenset({"start", "moves", "play", "outcome"}), False, history=True)
PARAMS = {"ruleset": "lb"}
FEN = "W:W21:B17,18"
QUESTION = Question(make_case(LB, LB.position(FEN), "moves", "lb.x", "capture"), LB)


class Scripted:
    """Replies given in turn; `requests` are those that came."""

    def __init__(self, *replies: Any) -> None:
        self._replies = iter(replies)
        self.requests: list[tuple[str, Mapping[str, Any]]] = []

    def __call__(self, method: str, params: Mapping[str, Any]) -> Any:
        self.requests.append((method, {key: value for key, value in params.items() if key != "ruleset"}))
        reply = next(self._replies)
        if isinstance(reply, Exception):
            raise reply
        return reply


def asked(question: Question, *replies: Any, hello: Hello = HELLO) -> tuple[Answer, Scripted, Transcript]:
    script, transcript = Scripted(*replies), Transcript()
    return drive(exchange(question, hello, PARAMS, transcript), script), script, transcript


def test_each_listed_move_is_played() -> None:
    expected = QUESTION.wanted.moves or {}
    ((text, after),) = expected.items()
    answer, script, transcript = asked(QUESTION, {"moves": [text]}, {"position": after})
    assert script.requests == [("moves", {"position": FEN}), ("play", {"position": FEN, "move": text})]
    assert QUESTION.expected.agrees(answer)
    assert transcript.wrong is None


def test_the_first_wrong_answer_is_known() -> None:
    answer, script, transcript = asked(QUESTION, {"moves": ["21-16", "zz"]})
    assert [each.what for each in QUESTION.expected.differs(answer)] == ["missing", "extra", "extra"]
    assert answer.unparsable == ("zz",)
    assert transcript.wrong == ("moves", {"ruleset": "lb", "position": FEN})
    assert transcript.reply == {"moves": ["21-16", "zz"]}
    assert len(script.requests) == 1


@pytest.mark.parametrize("reply", [{"position": FEN}, {"position": "no position"}, EngineError("refused", "no")])
def test_a_move_that_leads_elsewhere_or_is_refused_is_wrong(reply: Any) -> None:
    (text,) = QUESTION.wanted.moves or {}
    answer, _, transcript = asked(QUESTION, {"moves": [text]}, reply)
    assert [each.what for each in QUESTION.expected.differs(answer)] == ["after"]
    assert transcript.wrong == ("play", {"ruleset": "lb", "position": FEN, "move": text})


def test_what_is_not_supported_is_not_held_against_an_engine() -> None:
    (text,) = QUESTION.wanted.moves or {}
    answer, _, _ = asked(QUESTION, {"moves": [text]}, UnsupportedError("no"))
    assert QUESTION.expected.agrees(answer)
    assert not answer.after


def test_other_errors_end_the_exchange() -> None:
    with pytest.raises(EngineError, match="late"):
        asked(QUESTION, EngineError("timeout", "late"))


def test_outcomes_after_moves_need_an_engine_that_takes_them() -> None:
    about = Expectation(outcome=Outcome("ongoing"))
    case = Case("lb.z", "lb", "draw", "", (), FEN, about, history=("21x14",))
    answer, script, _ = asked(Question(case, LB), {"outcome": "draw"})
    assert script.requests == [("outcome", {"position": FEN, "moves": ["21x14"]})]
    assert [each.what for each in Question(case, LB).expected.differs(answer)] == ["outcome"]
    with pytest.raises(UnsupportedError, match="takes no moves"):
        asked(Question(case, LB), hello=replace(HELLO, history=False))


class Ahead(Engine):
    """An engine with the replies to requests that are sent at once."""

    def __init__(self, replies: Sequence[Any]) -> None:
        self._replies = replies

    def hello(self) -> Hello:
        return HELLO

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        raise AssertionError(method)

    def ask_all(self, questions: Sequence[Any]) -> Iterator[Any]:  # type: ignore[override]
        yield from self._replies


def test_a_window_says_whether_the_replies_are_right_as_they_are_written() -> None:
    (text, after), *_ = (QUESTION.wanted.moves or {}).items()
    requests = foreseen(QUESTION, HELLO, PARAMS)
    cases = [
        ([{"moves": [text]}, {"position": after}], True),
        ([{"moves": [text], "lapses": []}, {"position": after}], True),
        ([{"moves": [text, text]}, {"position": after}], False),
        ([{"moves": [{"move": text, "captured": []}]}, {"position": after}], False),
        ([{"moves": [text], "lapses": ["1-6"]}, {"position": after}], False),
        ([{"moves": [text]}, {"position": f"{after}:B"}], False),
        ([{"moves": [text]}, UnsupportedError("does not play")], False),
    ]
    for replies, is_right in cases:
        assert Window(Ahead(replies), [requests]).next_case() is is_right
    assert not Window(Ahead([]), [[]]).next_case()
