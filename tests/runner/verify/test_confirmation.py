"""What is said of a wrong engine holds beyond the answers that suggested it, or is not said."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import pytest

import damspec
from damspec import LegalMoves, Move, Position, Ruleset, load_ruleset
from damspec.validity import may_be_reached
from damspec_runner.cases.cases import Case, cases_for
from damspec_runner.engines.protocol import EngineError
from damspec_runner.mutants.mutants import make_mutant
from damspec_runner.verify.confirmation import holds_in, split_in_halves
from damspec_runner.verify.diagnosis import Diagnosis, diagnose, explain
from damspec_runner.verify.fuzz import FuzzConfig, fuzz
from damspec_runner.verify.interview import Interview
from damspec_runner.verify.observation import HELLO, Observation, SimulatedEngine, observations
from damspec_runner.verify.patterns import KnownAnswers, Pattern, items, pattern
from damspec_runner.verify.result import Report
from damspec_runner.verify.run import check
from runs import usually

LB = load_ruleset("lb")
#: What an engine lists of what it takes for legal.
Listed = Callable[[LegalMoves], Sequence[Any]]


class Lister(SimulatedEngine):
    """It plays a ruleset, but for what it lists."""

    def __init__(self, listed: Listed, ruleset: Ruleset = LB) -> None:
        super().__init__(ruleset)
        self.listed = listed

    def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
        if method != "moves":
            return super()._answer(method, params)
        return {"moves": [str(action) for action in self.listed(self._legal(params["position"]))]}


def by_chance(position: Position, one_in: int) -> bool:
    """Whether a position is one of those, so many, that have nothing else in common."""
    return hashlib.sha256(position.fen().encode()).digest()[0] % one_in == 0


def report(start: Callable[[], SimulatedEngine], ruleset: Ruleset = LB, cases: Sequence[Case] | None = None) -> Report:
    return check(ruleset, cases_for(ruleset) if cases is None else cases, start, label="wrong")


def explained(
    start: Callable[[], SimulatedEngine],
    ruleset: Ruleset = LB,
    *,
    wanted: Callable[[Observation], bool] = lambda seen: True,
    beside: Sequence[Observation] = (),
    asking: bool = True,
) -> Diagnosis:
    """What is said of an engine by the answers to those cases that are wanted, and by further questions."""
    done = report(start, ruleset)
    seen = [one for one in observations(ruleset, done.answers) if wanted(one)]
    failed = [one.question.case.id for one in seen if not one.passed]
    assert failed
    if not asking:
        return diagnose(ruleset, seen, failed, beside=beside)
    with Interview(ruleset, start, HELLO) as interview:
        return diagnose(ruleset, seen, failed, beside=beside, interview=interview)


def changed(*changes: tuple[str, Any], of: Ruleset = LB) -> Ruleset:
    mutant = make_mutant(of.base, of.values, changes)
    assert mutant
    return mutant.ruleset


OPTIONAL, MAY_STOP = ("capture.duty", "optional"), ("capture.completion", "may-stop")


# --- rules


@pytest.mark.slow
def test_a_rule_that_contradicts_no_pass_goes_before_what_answers_have_in_common() -> None:
    """Captures are optional, and every eighth list is empty: no rule says that."""
    wrong = changed(OPTIONAL)
    found = explained(
        lambda: Lister(lambda legal: [] if by_chance(legal.position, 8) else [*legal], wrong),
    )
    assert not found.complete
    assert found.partial[0].hypothesis.names == ("capture.duty = optional",)
    assert found.lines()[0].removeprefix("perhaps ").startswith("plays lb except capture.duty = optional (explains ")
    assert found.unexplained


@pytest.mark.slow
def test_rules_that_explain_a_part_each_are_tried_together() -> None:
    wrong = changed(OPTIONAL, MAY_STOP, ("start.first", "white"))
    found = explained(lambda: SimulatedEngine(wrong))
    (fit,) = found.complete
    assert {*fit.hypothesis.names[0].split(" and ")} == {
        "capture.duty = optional",
        "capture.completion = may-stop",
        "start.first = white",
    }
    assert fit.tried >= 3
    assert found.lines()[0].startswith("plays lb except ")


@pytest.mark.slow
def test_a_rule_and_a_fault_that_is_none_are_tried_together() -> None:
    """Captures are optional, and lists have at most eight moves."""
    found = explained(lambda: Lister(lambda legal: [*legal][:8], changed(OPTIONAL)))
    names = [fit.hypothesis.names[0] for fit in found.complete]
    assert "capture.duty = optional, and lists at most 8 moves" in names


@pytest.mark.slow
def test_what_explains_one_answer_is_not_said_if_the_engine_plays_otherwise() -> None:
    """In one position of all it lists quiet moves beside captures: no rule, though one explains it."""
    done = report(lambda: SimulatedEngine(LB))
    at = next(
        one.question.position
        for one in observations(LB, done.answers)
        if any("x" in text for text in one.question.expected.moves or ())
        and len(one.question.expected.moves or ()) == 1
        and len(damspec.legal_moves(changed(OPTIONAL), one.question.position)) > 1
    )
    optional = changed(OPTIONAL)

    def listed(legal: LegalMoves) -> Sequence[Any]:
        return [*(damspec.legal_moves(optional, legal.position) if legal.position == at else legal)]

    def is_without_capture(seen: Observation) -> bool:
        return not seen.passed or not any("x" in text for text in seen.question.expected.moves or ())

    unasked = explained(lambda: Lister(listed), wanted=is_without_capture, asking=False)
    assert any("capture.duty = optional" in name for fit in unasked.complete for name in fit.hypothesis.names)
    assert all(line.startswith(("perhaps plays lb ", "and ", "these ")) for line in unasked.lines())
    asked = explained(lambda: Lister(listed), wanted=is_without_capture)
    assert not [line for line in asked.lines() if "plays" in line]
    assert asked.lines()[-1].startswith("unexplained: ")


# --- patterns


def goes_lower_right(position: Position, move: Move) -> bool:
    places = [position.board.places[square - 1] for square in move.path]
    return any(one[0] < other[0] and one[1] > other[1] for one, other in pairwise(places))


def without_lower_right(legal: LegalMoves) -> Sequence[Any]:
    return [move for move in legal if not (isinstance(move, Move) and goes_lower_right(legal.position, move))]


def has_king_move(seen: Observation) -> bool:
    """Right answers, and wrong ones that lack moves of White where it has kings only."""
    position = seen.question.position
    return seen.passed or bool(position.white_kings and not position.white_men and position.turn == "white")


@pytest.mark.slow
def test_a_coincidence_of_the_sample_is_not_said() -> None:
    """Nothing goes to the lower right; the wrong answers that are looked at are those for white kings alone."""
    found = explained(lambda: Lister(without_lower_right), wanted=has_king_move)
    (line,) = [line for line in found.lines() if line.startswith("missing: ")]
    assert "to the lower right" in line
    for chance in ("king", "White", "square", "number", "pieces"):
        assert chance not in line
    assert "further positions" in line


@pytest.mark.thorough
def test_what_is_not_confirmed_is_unexplained_with_the_three_smallest_failures() -> None:
    found = explained(
        lambda: Lister(lambda legal: [*legal][by_chance(legal.position, 4) :]),
        wanted=lambda seen: seen.passed or by_chance(seen.question.position, 12),
    )
    sizes = {one.id: len(LB.position(one.position)) for one in cases_for(LB)}
    assert found.patterns == ()
    smallest = [sizes[id] for id in found.unexplained]
    assert smallest == sorted(smallest)
    (line,) = found.lines()
    assert line.startswith(f"unexplained: {found.unexplained[0]} (")
    assert line.endswith(f" and {len(found.unexplained) - 3} more")
    assert line.count(":W") == 3


@pytest.mark.slow
@pytest.mark.parametrize("asking", usually((), [True, False], ()))
def test_without_an_engine_a_pattern_has_to_hold_in_either_half(asking: bool) -> None:
    """Enough is known of the moves to the lower right, and too little of those from square 18."""
    found = explained(lambda: Lister(without_lower_right), asking=asking)
    assert any("missing: moves to the lower right" in line for line in found.lines())

    def few(legal: LegalMoves) -> Sequence[Any]:
        return [move for move in legal if not (isinstance(move, Move) and move.start == 9)]

    lines = explained(lambda: Lister(few), asking=asking).lines()
    assert any("9" in line for line in lines if not line.startswith("unexplained")) == asking


def test_halves_have_as_many_wrong_answers_each() -> None:
    done = report(lambda: Lister(without_lower_right))
    one, other = split_in_halves(KnownAnswers(observations(LB, done.answers)))
    wrong = [sum(not seen.passed for seen in half.observations) for half in (one, other)]
    assert abs(wrong[0] - wrong[1]) <= 1
    found = pattern("missing", one)
    assert found is not None
    assert holds_in(found, other, 3)
    assert not holds_in(found, KnownAnswers([seen for seen in other.observations if seen.passed]), 3)
    assert sum(item.wrong for item in items("missing", one)) > 5


# --- games


@pytest.mark.slow
def test_games_do_not_unsay_what_they_do_not_contradict() -> None:
    """Men do not move onto the right edge, whatever else positions in games have in common."""

    def listed(legal: LegalMoves) -> Sequence[Any]:
        position = legal.position
        kings, board = position.kings(position.turn), position.board
        moves = [move for move in legal if isinstance(move, Move)]
        inside = [move for move in moves if board.places[move.end - 1][0] < board.columns - 1]
        return [move for move in moves if move in inside or board.bit(move.start) & kings]

    done = report(lambda: Lister(listed))
    games = fuzz(LB, lambda: Lister(listed), HELLO, FuzzConfig(games=8))
    sample = observations(LB, games.sample)
    assert any(not one.passed for one in sample)
    assert len(sample) > len(games.divergences)
    alone = explained(lambda: Lister(listed))
    with_games = explained(lambda: Lister(listed), beside=sample)
    assert done.counts["failed"] > 0
    for found in (alone, with_games):
        (line,) = [line for line in found.lines() if line.startswith("missing: ")]
        assert "by men onto the right edge (all " in line
        assert not [line for line in found.lines() if "plays lb except" in line]


# --- questions without an answer


class Refusing(SimulatedEngine):
    """It answers with an error where a capture takes two pieces or more."""

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        answer = super().ask(method, params)
        if method == "moves" and any(move.count("x") > 1 for move in answer["moves"]):
            raise EngineError("refused", "answered moves with error -32000: no such move")
        return answer


def test_what_is_answered_with_an_error_is_said_as_narrowly_as_it_is() -> None:
    done = report(lambda: Refusing(LB))
    with Interview(LB, lambda: Refusing(LB), HELLO) as interview:
        found = explain(done, interview)
    (line,) = [line for line in found.lines() if not line.startswith("unexplained")]
    assert line.startswith("answered with an error: questions ")
    assert "with captures of 2 or more" in line


def test_errors_that_have_nothing_in_common_are_unexplained() -> None:
    class Erring(SimulatedEngine):
        def ask(self, method: str, params: Mapping[str, Any]) -> Any:
            answer = super().ask(method, params)
            if method == "moves" and by_chance(LB.position(params["position"]), 5):
                raise EngineError("refused", "answered moves with error -32000: no")
            return answer

    done = report(lambda: Erring(LB))
    with Interview(LB, lambda: Erring(LB), HELLO) as interview:
        found = explain(done, interview)
    assert {*found.unexplained} == {result.case.id for result in done.results if result.status == "error"}
    (line,) = found.lines()
    assert line.startswith("unexplained: ")


# --- bounds


def test_an_interview_has_an_end() -> None:
    with Interview(LB, lambda: SimulatedEngine(LB), HELLO, positions=3) as interview:
        asked = [interview.ask(position) for position in islice(interview.positions(), 5)]
    assert [len(each.observations) for each in asked] == [1, 1, 1, 0, 0]
    assert interview.is_over


def test_an_engine_that_is_gone_is_not_asked_any_more() -> None:
    class Gone(SimulatedEngine):
        def ask(self, method: str, params: Mapping[str, Any]) -> Any:
            raise EngineError("gone", "cannot be started again")

    with Interview(LB, lambda: Gone(LB), HELLO) as interview:
        answers = [interview.ask(position) for position in islice(interview.positions(), 4)]
    assert interview.asked == 1
    assert not any(each.observations for each in answers)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("written", "says"),
    [
        (lambda text: text.replace("x", "-"), "have captures written with hyphens"),
        (
            lambda text: "x".join([*text.split("x")[:1], *text.split("x")[2:]]) if text.count("x") > 1 else text,
            "leave out the first square on which a capture of several jumps lands",
        ),
    ],
    ids=["with hyphens", "without the first landing"],
)
def test_captures_in_another_notation_are_called_that(written: Callable[[str], str], says: str) -> None:
    found = explained(lambda: Lister(lambda legal: [written(str(action)) for action in legal]))
    assert not found.complete
    assert [line for line in found.lines() if line.startswith(("missing", "too many"))] == []
    (pattern,) = found.patterns
    assert pattern.line().startswith(f"wrong lists of moves {says} (")
    assert len(found.unexplained) < 0.1 * found.failures


def test_what_is_wrong_in_the_mirror_image_too_is_no_fault_of_a_square() -> None:
    """On 32 squares 28 becomes 5, 22 becomes 11, and Black's 1 and 18 White's 32 and 15; the lapse 32-28 is 1-5."""
    ruleset = load_ruleset("de")
    given = ruleset.position("B:W28,22:B1,18:huffable=32-28")
    with Interview(ruleset, lambda: SimulatedEngine(ruleset), HELLO) as interview:
        asked = {position.fen() for position in islice(interview.positions([given]), 30)}
    assert "W:W15,32:B5,11:huffable=1-5" in asked


def test_a_pattern_with_exceptions_is_said_with_reserve() -> None:
    exact = Pattern("missing: moves", "of Black", 9, 9, 0, ("a",), group="missing")
    assert exact.line() == "missing: moves of Black (all 9, and no right one)"
    assert replace(exact, right=1).line() == "perhaps missing: moves of Black (all 9, and 1 right ones too)"


def test_only_positions_that_a_game_may_come_to_are_asked_about() -> None:
    with Interview(LB, lambda: SimulatedEngine(LB), HELLO) as interview:
        found = [*islice(interview.positions([LB.position("W:W30:BK1")]), 400)]
    assert all(may_be_reached(LB.turns, position) for position in found)
