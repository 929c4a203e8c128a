"""Comparison of moves: which are the same, and which are missing, extra, double or no move at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

import damspec
from damspec_runner.cases.cases import Case, Expectation
from damspec_runner.engines.process import Engine
from damspec_runner.engines.protocol import Hello
from damspec_runner.verify.ask import ask
from damspec_runner.verify.result import Result

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
