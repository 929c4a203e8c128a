"""Whatever moves an engine lists, it is judged, explained and reported: no text of a move ends a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damspec
from damspec import Ruleset
from damspec_runner.cases.cases import Case, cases_for, select
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.verify.ask import ask
from damspec_runner.verify.explain import diagnosis, search
from damspec_runner.verify.report import FORMATS, render
from damspec_runner.verify.report.serialize import as_json, read_reports
from damspec_runner.verify.result import Report
from reports import result

#: Examples in a usual run and in a thorough one.
USUAL = 4
#: Rulesets that between them have each kind of field in a position and of action in a turn.
RULESETS = ("lb", "international", "de", "nl-trapdoor")
#: Moves that go nowhere, twice over a square, off the board or along no line, and what else may be in a list.
ODD: tuple[str, ...] = (
    "21-21",
    "1x1x10",
    "21x14x14",
    "32x32",
    "21x14x21",
    "1-32",
    "22x16",
    "5-5-5",
    "7x7",
    "0-1",
    "99x98",
    "huff 22",
    "spin=green",
    "retract",
    "a3xb4",
    "K21-17",
    "21:14",
    "x",
    "",
    "lapse 2-6",
    "\x1b[2J",
    "21x14 (takes 17)",
    "é",
    "*",
)


def moves(board: damspec.Board) -> st.SearchStrategy[Any]:
    """Moves that are written as moves are, whatever they say, and some that are not."""
    squares = st.integers(1, len(board))
    path = st.lists(squares, min_size=2, max_size=5)
    text = st.builds(lambda squares, sign: sign.join(map(str, squares)), path, st.sampled_from("-x"))
    doubled = st.builds(
        lambda squares, sign: sign.join(str(square) for square in squares for _ in (0, 1)),
        st.lists(squares, min_size=1, max_size=3),
        st.sampled_from("-x"),
    )
    taking = st.fixed_dictionaries({"move": text | doubled, "captured": st.lists(squares, max_size=3, unique=True)})
    return st.one_of(text, doubled, st.sampled_from(ODD), taking)


class Odd(InProcessEngine):
    """The reference with lists of moves in the place of its own, or beside them, and any position after a move."""

    def __init__(self, ruleset: Ruleset, lists: list[list[Any]], beside: bool, after: str | None) -> None:
        super().__init__(ruleset)
        self._lists, self._beside, self._position = iter(lists), beside, after

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        if method == "play" and self._position is not None:
            return {"position": self._position}
        answer = super().ask(method, params)
        if method != "moves":
            return answer
        given = next(self._lists, [])
        return {**answer, "moves": [*(answer["moves"] if self._beside else []), *given]}


def cases_of(ruleset: Ruleset) -> list[Case]:
    """Some cases about moves of each kind."""
    topics = ("man-capture", "multi-jump", "king-move", "huff", "spin", "slider")
    found = [select(cases_for(ruleset), (), (topic,))[:1] for topic in topics]
    return [case for some in found for case in some]


@pytest.mark.parametrize(
    ("id", "examples"),
    [
        ("nl-trapdoor", USUAL),
        pytest.param("lb", USUAL, marks=pytest.mark.thorough),
        *(pytest.param(id, 150, marks=pytest.mark.slow) for id in RULESETS),
    ],
)
def test_any_moves_are_explained(id: str, examples: int) -> None:
    ruleset = damspec.load_ruleset(id)
    cases = cases_of(ruleset)
    board = ruleset.rules.board
    lists = st.lists(st.lists(moves(board), max_size=4), min_size=len(cases), max_size=len(cases))
    after = st.sampled_from([None, "W:W:B", "B:WK1:B2", "lost", "W:W1-99:B"])

    @settings(max_examples=examples)
    @given(lists, st.booleans(), after)
    def held(lists: list[list[Any]], beside: bool, after: str | None) -> None:
        engine = Odd(ruleset, lists, beside, after)
        results = tuple(ask(engine, ruleset, HELLO, case) for case in cases)
        right = tuple(result(case) for case in cases_for(ruleset)[:5] if case not in cases)
        report = Report(ruleset, "odd", HELLO, results + right)
        with mock.patch.object(search, "several_changes", return_value=()):  # pairs of changes only cost time here
            report = replace(report, diagnosis=diagnosis.explain(report).as_json())
        for form in FORMATS:
            assert render([report], form) or report.clean()
        (again,) = read_reports(as_json([report]), "report.json")
        assert as_json([again]) == as_json([report])

    held()
