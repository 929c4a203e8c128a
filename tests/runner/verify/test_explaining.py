"""What is said of engines with mistakes that are no rules: experiments name them, and nothing that is said is false."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import damspec
from damspec import Move, Position
from damspec_runner.cases.adapt import ABOUT_IT, make_case
from damspec_runner.cases.cases import cases_for
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.verify.ask import ask
from damspec_runner.verify.explain import search
from damspec_runner.verify.explain.diagnosis import Diagnosis, explain
from damspec_runner.verify.explain.engine_under_test import Budget
from damspec_runner.verify.explain.hypotheses import plain_hypotheses
from damspec_runner.verify.explain.search import Fit
from damspec_runner.verify.explain.symptoms import Symptom, symptoms
from damspec_runner.verify.result import Report
from damspec_runner.verify.run import check

RUSSIAN = damspec.load_ruleset("russian")
ENGLISH = damspec.load_ruleset("english")
#: No limit that a slow machine comes to.
LONG = 600.0
#: Fewer questions than in a usual run, to be quick.
ASKED = 1200


@pytest.fixture(autouse=True)
def _no_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs of changes explain none of these, and take long."""
    monkeypatch.setattr(search, "several_changes", lambda *_: ())


class Faulty(InProcessEngine):
    """An engine in this process that answers all but one question by the rules; a new one remembers nothing."""

    def answer(self, method: str, position: Position, right: Any) -> Any:
        """The answer, if the question is not refused."""
        return right

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        if "position" not in params:
            return super().ask(method, params)
        return self.answer(method, self.ruleset.position(params["position"]), super().ask(method, params))

    def moves(self, position: Position) -> list[Move]:
        return [action for action in self.ruleset.turns.actions(position) if isinstance(action, Move)]


class FirstPieceOnly(Faulty):
    """Only the first piece that can capture has to: the others are forgotten."""

    def answer(self, method: str, position: Position, right: Any) -> Any:
        captures = [move for move in self.moves(position) if move.captured]
        if method != "moves" or not captures:
            return right
        return {"moves": [str(move) for move in captures if move.start == min(one.start for one in captures)]}


class KingsDropped(Faulty):
    """Reads a position without its kings."""

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        if method == "moves":
            params = {**params, "position": re.sub(r"K\d+,?", "", params["position"]).replace(",:", ":").rstrip(",")}
        return super().ask(method, params)


class NeverBlocked(Faulty):
    """A side that cannot move does not lose."""

    def answer(self, method: str, position: Position, right: Any) -> Any:
        blocked = position.occupied(position.turn) and not self.moves(position)
        return {"outcome": "ongoing", "reason": None} if method == "outcome" and blocked else right


class BoardChangedByPlay(Faulty):
    """Keeps its board from `play`, and lists the moves of that next."""

    left: Position | None = None

    def answer(self, method: str, position: Position, right: Any) -> Any:
        if method == "play":
            self.left = self.ruleset.position(right["position"])
        elif method == "moves" and self.left is not None:
            left, self.left = self.left, None
            return {"moves": [str(move) for move in self.moves(left)]}
        return right


class AtRandom(Faulty):
    """Forgets a capture at one question in three."""

    def answer(self, method: str, position: Position, right: Any) -> Any:
        forgets = method == "moves" and any("x" in move for move in right["moves"]) and random.random() < 1 / 3
        return {"moves": right["moves"][1:]} if forgets else right


class KeepsThePiece(Faulty):
    """The second captured piece stays on the board."""

    def answer(self, method: str, position: Position, right: Any) -> Any:
        return right

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        right = super().ask(method, params)
        if method != "play":
            return right
        position = self.ruleset.position(params["position"])
        move = next(each for each in self.moves(position) if str(each) == params["move"])
        if len(move.captured) < 2:
            return right
        stays = move.captured[1]
        piece = position[stays]
        assert piece
        return {"position": self.ruleset.position(right["position"]).with_piece_at(stays, piece).fen()}


class TwoMistakes(FirstPieceOnly):
    """Besides, quiet moves of kings end after three squares."""

    def answer(self, method: str, position: Position, right: Any) -> Any:
        right = super().answer(method, position, right)
        if method != "moves" or any("x" in move for move in right["moves"]):
            return right
        board = position.board
        return {"moves": [move for move in right["moves"] if len(board.between(*map(int, move.split("-"))) or ()) < 3]}


@cache
def explained(engine: type[Faulty], ruleset: damspec.Ruleset = RUSSIAN) -> tuple[Report, Diagnosis]:
    random.seed(7)
    report = check(ruleset, cases_for(ruleset), lambda: engine(ruleset), label="faulty")
    budget = Budget(LONG, ASKED)
    found = explain(report, lambda: engine(ruleset), budget)
    assert budget.asked < 2 * ASKED  # the last experiment is not cut off
    return report, found


def is_wrong(engine: type[Faulty], fen: str) -> bool:
    position = RUSSIAN.position(fen)
    cases = [make_case(RUSSIAN, position, kind, "x", "games", readings=False) for kind in ABOUT_IT]
    return any(ask(engine(RUSSIAN), RUSSIAN, HELLO, case).status == "failed" for case in cases)


#: Mistakes that depend on nothing but the question, with what has to be said of them.
PLAIN: list[tuple[type[Faulty], tuple[str, ...]]] = [
    (FirstPieceOnly, (r"not listed: \d+x\d+ \(takes \d+\)", r"answered right as soon as .*is empty")),
    (KingsDropped, (r"in all \d+ wrong and \d+ right lists tried, it lists exactly .* if all kings were not there",)),
    (NeverBlocked, (r"the engine says ongoing where (white|black) ", r"answered right as soon as")),
    (KeepsThePiece, (r"after \d+x\d+x\d+ the engine has (white|black) (man|king) on \d+ \(right: nothing\)",)),
    (TwoMistakes, (r"not listed: \d+x\d+ ", r"not listed: \d+-\d+")),
]


@pytest.mark.parametrize(("engine", "said"), PLAIN, ids=[engine.__name__ for engine, _ in PLAIN])
def test_a_mistake_that_is_no_rule_is_shown_by_experiments(engine: type[Faulty], said: tuple[str, ...]) -> None:
    _, found = explained(engine)
    lines = found.lines()
    assert not found.complete
    for pattern in said:
        assert any(re.search(pattern, line) for line in lines), lines
    assert found.experiments
    for experiment in found.experiments:
        assert is_wrong(engine, experiment.position)
        assert any(line.startswith("smallest wrong position found: ") for line in experiment.lines)
        for line in experiment.lines:
            assert "earlier questions" not in line
            if empty := re.match(r"answered right as soon as ([\d or]+) is empty", line):
                for square in map(int, empty[1].split(" or ")):
                    smaller = RUSSIAN.position(experiment.position).without_piece_at(square)
                    assert not is_wrong(engine, smaller.fen())


def test_a_text_is_no_lapse_because_an_engine_says_so() -> None:
    class SaysLapse(Faulty):
        def answer(self, method: str, position: Position, right: Any) -> Any:
            return {"moves": [*right["moves"], "lapse 22-17"]} if method == "moves" else right

    case = make_case(RUSSIAN, Position.start(RUSSIAN.rules), "moves", "x", "games", readings=False)
    (wrong,) = symptoms(ask(SaysLapse(RUSSIAN), RUSSIAN, HELLO, case))
    assert wrong == Symptom("unparsable", "action")


def test_a_rule_is_named_in_words_and_confirmed() -> None:
    class Optional(Faulty):
        def __init__(self, ruleset: damspec.Ruleset) -> None:
            super().__init__(damspec.from_values({**ruleset.values, "capture.duty": "optional"}, "optional"))

    _, found = explained(Optional)
    (line,) = found.lines()
    assert re.fullmatch(
        r"plays russian, but as if this held: Captures and quiet moves are both legal \(capture\.duty = optional\):"
        r" explains (\d+) of \1 failures and contradicts none of \d+ passes; tried in \d+ further positions",
        line,
    )
    assert not found.experiments


def test_a_rule_that_is_left_out_is_told_by_what_does_not_hold() -> None:
    class Anywhere(Faulty):
        def __init__(self, ruleset: damspec.Ruleset) -> None:
            values = {rule: value for rule, value in ruleset.values.items() if rule != "king.capture.finish"}
            super().__init__(damspec.from_values(values, "anywhere"))

    line = explained(Anywhere)[1].lines()[0]
    assert line.startswith("plays russian, but without this rule: If some of the squares behind a captured piece allow")
    assert "(king.capture.finish = null" in line


def test_what_depends_on_earlier_questions_is_found_in_a_fresh_process() -> None:
    report, found = explained(BoardChangedByPlay)
    assert report.counts["passed"] < len(report.results)
    text = "\n".join(found.lines())
    assert "right by a fresh process, and wrong after just: moves, and play of each, of " in text
    assert "smallest wrong position" not in text
    assert not found.partial


def test_what_depends_on_chance_is_not_laid_to_a_position() -> None:
    text = "\n".join(explained(AtRandom)[1].lines())
    assert re.search(r"is not always the same: asked \d+ times more|on chance", text)
    assert "smallest wrong position" not in text


def test_what_cannot_be_asked_again_gets_no_sentence_from_coincidence() -> None:
    report, _ = explained(FirstPieceOnly)
    found = explain(report, budget=Budget(LONG))
    assert not found.experiments
    assert all(line.startswith(("unexplained by rules: ", "not confirmed: perhaps ")) for line in found.lines())
    assert found.smallest


def test_what_explains_less_than_half_does_not_come_first() -> None:
    report, found = explained(TwoMistakes)
    (optional,) = (each for each in plain_hypotheses(RUSSIAN) if "capture.duty = optional" in each.names)
    told = replace(found, partial=(Fit(optional, (report.results[0].case.id,), 3, True),)).lines()
    assert told[0].startswith("smallest wrong position")
    assert told[-2].startswith("answers 1 of 19 failures like one that plays russian, but as if this held: ")


@pytest.mark.parametrize("budget", [lambda: Budget(0.0), lambda: Budget(LONG, 30)], ids=["no time", "few questions"])
def test_the_limits_end_it_wherever_it_is(budget: Callable[[], Budget]) -> None:
    report, limits = explained(KingsDropped)[0], budget()
    found = explain(report, lambda: KingsDropped(RUSSIAN), limits)
    assert limits.asked < 90
    assert found.unexplained
    assert not found.complete


def test_what_is_being_done_is_told() -> None:
    told: list[str] = []
    report = explained(FirstPieceOnly)[0]
    limits = Budget(LONG, tell=told.append)
    explain(report, lambda: FirstPieceOnly(RUSSIAN), limits)
    assert told[0] == "no single change explains it: trying pairs of changes"
    assert told[-1].startswith("asking further positions, ")
