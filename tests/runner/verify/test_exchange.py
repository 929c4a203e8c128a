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
from damspec_runner.verify.ask import ask
from damspec_runner.verify.exchange import Transcript, Window, drive, exchange, foreseen
from damspec_runner.verify.result import Result
from refusals import refusal

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
    assert "late" in refusal(EngineError, asked, QUESTION, EngineError("timeout", "late"))


def test_outcomes_after_moves_need_an_engine_that_takes_them() -> None:
    about = Expectation(outcome=Outcome("ongoing"))
    case = Case("lb.z", "lb", "draw", "", (), FEN, about, history=("21x14",))
    answer, script, _ = asked(Question(case, LB), {"outcome": "draw"})
    assert script.requests == [("outcome", {"position": FEN, "moves": ["21x14"]})]
    assert [each.what for each in Question(case, LB).expected.differs(answer)] == ["outcome"]
    assert "takes no moves" in refusal(UnsupportedError, asked, Question(case, LB), hello=replace(HELLO, history=False))


class PipelinedEngine(Engine):
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
        assert Window(PipelinedEngine(replies), [requests]).next_case() is is_right
    assert not Window(PipelinedEngine([]), [[]]).next_case()


# --- Comparison of moves: which are the same, and which are missing, extra, double or no move at all.


LISTS = Hello("x", "1", None, frozenset({"moves"}), False)
PLAYS = replace(LISTS, questions=frozenset({"moves", "play"}))


class Lister(Engine):
    """An engine with one list of moves, all of which lead to the same position."""

    def __init__(self, listed: Sequence[Any], after: str = "") -> None:
        self._listed, self._after = listed, after
        self.played: list[Any] = []

    def hello(self) -> Hello:
        return LISTS

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        if method == "moves":
            return {"moves": self._listed}
        self.played.append(params["move"])
        return {"position": self._after}


#: Two ways round four pieces, back to the start square.
ROUND = ("vl", "W:W26:B1,14,15,22,23", ["26x19x10x17x26"])
#: One man with two captures that end on the same square and take other pieces, and a step beside.
FORK = ("lb", "W:W27:B15,16,23,24", ["27x18x11", "27x20x11"])
#: Two captures that a short form cannot tell apart, and a third.
THREE = ("lb", "W:W21,22:B10,17,18", ["21x14x7", "22x13", "22x15x6"])
QUIET = ("lb", "W:W21:B1", ["21-17"])
#: A king that may land on several squares between two captures.
LANDS = ("international", "W:WK46:B28,41,14", ["46x37x23"])
#: A man on 1 goes round to 19 by 10, 17 and 26; on the line from 1 to 19 stands just one piece, on 6.
MAN = ("vl", "B:W6,14,22,23:B1", ["1x10x17x26x19"])


def compared(
    case: tuple[str, str, Sequence[str]], answer: Sequence[Any], engine: Engine | None = None, hello: Hello = LISTS
) -> Result:
    id, fen, expected = case
    moves = Expectation(moves=dict.fromkeys(expected, fen))
    asked = Case(f"{id}.x", id, "capture", "", (), fen, moves)
    return ask(engine or Lister(answer), damspec.load_ruleset(id), hello, asked)


def faults(found: Result) -> Mapping[str, list[str]]:
    words = ("missing", "extra", "unparsable", "duplicates")
    return {word: list(getattr(found, word)) for word in words if getattr(found, word)}


@pytest.mark.parametrize(
    ("case", "answer", "expected"),
    [
        pytest.param(THREE, ["21x14x7", "22x13"], {"missing": ["22x15x6"]}, id="one is missing"),
        pytest.param(QUIET, [], {"missing": ["21-17"]}, id="all are missing"),
        pytest.param(QUIET, ["21-17", "21-16"], {"extra": ["21-16"]}, id="one is extra"),
        pytest.param(
            THREE, ["21x14x7", "22x13", "22x15"], {"missing": ["22x15x6"], "extra": ["22x15"]}, id="stopped early"
        ),
        pytest.param(QUIET, ["21x17"], {"missing": ["21-17"], "extra": ["21x17"]}, id="a capture of nothing"),
        pytest.param(
            THREE, ["21-14", "22x13", "22x15x6"], {"missing": ["21x14x7"], "extra": ["21-14"]}, id="a step for a jump"
        ),
        pytest.param(
            QUIET,
            ["21-17", "nonsense", "21-99", "", "21"],
            {"unparsable": ["nonsense", "21-99", "", "21"]},
            id="no moves",
        ),
        pytest.param(QUIET, ["21-17", "a\nb\x1b"], {"unparsable": [r"a\nb\x1b"]}, id="no move, and cannot be shown"),
        pytest.param(QUIET, ["21-17", "21-17", "21-17"], {"duplicates": ["21-17", "21-17"]}, id="the same three times"),
        pytest.param(
            QUIET, ["21-17", "21-16", "21-16"], {"extra": ["21-16"], "duplicates": ["21-16"]}, id="extra and double"
        ),
        pytest.param(THREE, ["22x15x6", "21x14x7", "22x13"], {}, id="another order"),
        pytest.param(("lb", "W:W:B1", []), [], {}, id="nothing"),
        pytest.param(QUIET, ["a3-b4"], {}, id="squares by their names"),
        pytest.param(ROUND, ["26x17x10x19x26"], {}, id="another path"),
        pytest.param(ROUND, ["26x17x10x19x26", "26x19x10x17x26"], {"duplicates": ["26x19x10x17x26"]}, id="both paths"),
        # Where a king lands between two captures does not matter, only what it takes and where it ends.
        pytest.param(LANDS, ["46x32x23"], {}, id="another landing"),
        pytest.param(LANDS, ["46x23"], {}, id="no landing"),
        pytest.param(LANDS, ["46x32x19"], {"missing": LANDS[2], "extra": ["46x32x19"]}, id="another end"),
        pytest.param(LANDS, ["46x37x32x23"], {"missing": LANDS[2], "extra": ["46x37x32x23"]}, id="one landing more"),
        # A short form that can mean one move only is that move.
        pytest.param(THREE, ["21x7", "22x13", "22x6"], {}, id="short"),
        pytest.param(THREE, ["21x7", "21x14x7", "22x13", "22x6"], {"duplicates": ["21x14x7"]}, id="short and long"),
        pytest.param(FORK, ["27x11"], {"missing": ["27x18x11", "27x20x11"], "extra": ["27x11"]}, id="short for two"),
        pytest.param(FORK, ["27x18x11", "27x20x11"], {}, id="both of the two"),
        pytest.param(MAN, ["1x19"], {}, id="short, for a man cannot jump so far"),
        pytest.param(
            ("vl", "B:W6,14,22,23:BK1", MAN[2]), ["1x19"], {"missing": MAN[2], "extra": ["1x19"]}, id="a king's jump"
        ),
        pytest.param(("vl", "B:W6,14,22,23:BK1,15", MAN[2]), ["1x19"], {}, id="short, for the king's way is barred"),
        pytest.param(
            FORK,
            [{"move": "27x11", "captured": [15, 23]}, {"move": "27x11", "captured": [16, 24]}],
            {},
            id="objects with what they capture",
        ),
        pytest.param(
            FORK,
            [{"move": "27x11", "captured": [15, 23]}, {"move": "27x11", "captured": [15, 24]}],
            {"missing": ["27x20x11"], "extra": ["27x11 (takes 15, 24)"]},
            id="the same squares with other pieces captured",
        ),
        pytest.param(
            THREE,
            [{"move": "21x7", "captured": [10, 17]}, "21x14x7", "22x13", "22x15x6"],
            {"duplicates": ["21x14x7"]},
            id="an object and a string",
        ),
        pytest.param(
            THREE,
            [{"move": "21x14x7", "captured": []}, "22x13", "22x15x6"],
            {"missing": ["21x14x7"], "extra": ["21x14x7 (takes nothing)"]},
            id="an object without its captures",
        ),
    ],
)
def test_faults_are_told_apart(
    case: tuple[str, str, list[str]], answer: list[Any], expected: dict[str, list[str]]
) -> None:
    found = compared(case, answer)
    assert faults(found) == expected
    assert found.status == ("failed" if expected.keys() - {"duplicates"} else "passed")


def test_an_object_captures_in_any_order_and_is_kept_for_play() -> None:
    given = {"move": "26x26", "captured": [23, 22, 15, 14], "depth": 1}
    engine = Lister([given], ROUND[1])
    assert compared(ROUND, [], engine, PLAYS).status == "passed"
    assert engine.played == [given]


def test_a_capture_that_is_possible_as_it_is_written_is_no_short_form() -> None:
    """23x30 over 26 alone ends where the round over five pieces does; 29x22 over 25 alone where one over five does."""
    round_about = ("vl", "W:W23:B10,11,18,19,26", ["23x14x7x16x23x30"])
    assert faults(compared(round_about, ["23x30"])) == {"missing": round_about[2], "extra": ["23x30"]}
    assert faults(compared(round_about, ["23x14x7x16x23x30", "23x30"])) == {"extra": ["23x30"]}
    of_king = ("vl", "W:WK29:B18,19,25,26,27", ["29x22x15x24x31x13", "29x22x15x24x31x17", "29x22x15x24x31x22"])
    found = compared(of_king, ["29x22"])
    assert faults(found) == {"missing": of_king[2], "extra": ["29x22"]}
    assert found.notes == ("ambiguous",)


def test_complete_notations_are_not_filled_in() -> None:
    found = compared(THREE, ["21x7", "22x13", "22x15x6"], hello=replace(LISTS, steps=True))
    assert faults(found) == {"missing": ["21x14x7"], "extra": ["21x7"]}
