"""The live search for smallest positions: it misses nothing, and keeps what it found when it is interrupted."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

import damspec
from damspec import Position
from damspec_runner.answers.answer_diff import PossibleDifferences
from damspec_runner.document import smallest
from damspec_runner.document.compare import Reason, Witness, entries_of, search
from damspec_runner.document.exhaustive import LevelSurvey
from damspec_runner.document.smallest import SearchLimits, SmallestSearch
from differences import answer, both


@pytest.mark.thorough
def test_a_survey_misses_nothing() -> None:
    """Every position with one or two pieces in which moves differ is a telling one."""
    rulesets = [damspec.load_ruleset(id) for id in ("vl", "brazilian", "lb")]
    survey = LevelSurvey(rulesets)
    assert survey.alike(rulesets[0], rulesets[0], (0, 1, 2))
    for number in (1, 2):
        level = survey.level(number, None, quiet=True)
        telling = dict(level.telling)
        every = list(survey.all_positions(number, None))
        assert len(every) == level.positions
        for position in every[:: 1 if number == 1 else 7]:
            answers = [answer(ruleset, position.fen(), "moves") for ruleset in rulesets]
            for one, other in combinations(range(3), 2):
                if answers[one] != answers[other]:
                    assert not survey.alike(rulesets[one], rulesets[other], telling[position])
    assert survey.affordable(3)
    assert not survey.affordable(4)


@pytest.mark.parametrize(
    ("reading", "rule"),
    [
        ("king-capture=directly-behind", "king.capture.landing"),
        pytest.param("removal=at-once", "capture.removal", marks=pytest.mark.slow),
    ],
)
def test_a_search_for_readings(reading: str, rule: str) -> None:
    found, complete = search(*both("vl", f"vl?{reading}"), lambda line: None)
    assert complete
    shown = found[rule]
    assert isinstance(shown, Witness)
    assert shown.minimal


@pytest.mark.slow
def test_what_nothing_shows_alone_is_shown_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short jumps never meet what they captured, long ones do: removal shows only where kings are long."""
    monkeypatch.setattr(smallest, "is_available", lambda: False)
    one, other = both("de", "vl")
    found = SmallestSearch(one, other, limits=SearchLimits(moves=2, random_positions=0))
    found.exhaust()
    assert found.goals["capture.removal"].best is None
    assert found.goals["capture.duty"].best
    found.try_with_other_rules(
        [Position.from_fen(fen, one.rules.board) for fen in ("W:WK10:B6,24", "W:WK18:B14,15,22,23")]
    )
    best = found.goals["capture.removal"].best
    assert best
    assert "king.capture.reach" in best.beside


def exhausted(
    monkeypatch: pytest.MonkeyPatch, pair: tuple[str, str], *, compiled: bool, **limits: int
) -> SmallestSearch:
    """A search to two pieces, with one in all positions of the sliders; compiled or not."""
    first, last = (0, 2) if compiled else (2, 0)
    monkeypatch.setattr(smallest, "is_available", lambda: compiled)
    few = SearchLimits(moves=first, sliders=1, compiled_moves=last, compiled_sliders=1)
    found = SmallestSearch(*both(*pair), limits=replace(few, **limits))
    found.exhaust()
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(("de", "russian"), marks=pytest.mark.slow),
        ("english", "international"),
        pytest.param(("fr-trapdoor", "fr-trapdoor-american"), marks=pytest.mark.slow),
    ],
)
def test_compiled_levels_find_what_the_others_find(monkeypatch: pytest.MonkeyPatch, pair: tuple[str, str]) -> None:
    """As few pieces for each rule of movement, and the same proved, with as many positions tried."""
    pytest.importorskip("numba")
    plain, compiled = (exhausted(monkeypatch, pair, compiled=compiled) for compiled in (False, True))
    known = {rule: plain.goals[rule] for rule, goal in compiled.goals.items() if goal.moves_pieces and goal.trials}
    assert any(goal.best for goal in known.values())
    assert not all(goal.best for goal in known.values())
    for rule, goal in known.items():
        found = compiled.goals[rule]
        assert found.pieces == goal.pieces, rule
        assert (found.proved_below, found.tried, found.shut_below) == (
            goal.proved_below,
            goal.tried,
            goal.shut_below,
        ), rule


@pytest.mark.thorough
def test_fewest_beside_other_rules_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pieces show a removal where kings are long and need not capture: two never do, with any two other rules."""
    pytest.importorskip("numba")
    found = exhausted(monkeypatch, ("de", "vl"), compiled=True, random_positions=0)
    board = found.one.ruleset.rules.board
    found.try_with_other_rules([Position.from_fen(fen, board) for fen in ("W:WK10:B6,24", "W:WK18:B14,15,22,23")])
    goal = found.goals["capture.removal"]
    assert (goal.pieces, goal.beside_below) == (3, 3)
    assert entries_of(found)["capture.removal"]["beside-below"] == 3


@pytest.mark.parametrize(
    ("beside", "below", "said"),
    [
        (("king.capture.reach",), 3, "3 pieces with king.capture.reach, the fewest with any other rule, proved; alone"),
        (("a", "b"), 3, "3 pieces with a and b, the fewest with any two other rules, proved; alone nothing found, all"),
        (("king.capture.reach",), 2, "3 pieces with king.capture.reach; alone nothing found, all 268,316 positions"),
    ],
)
def test_what_is_proved_beside_other_rules_is_said(beside: tuple[str, ...], below: int, said: str) -> None:
    position = "W:WK10:B6,24"
    shown = Witness("capture.removal", position, "8x8", "moves", beside, False, 4, 268316, beside_below=below)
    assert shown.says.startswith(said)


@pytest.mark.parametrize(("number", "left"), [(1, "W:W12:B16"), (3, "W:W12:BK16")])
def test_a_given_position_may_be_plainer(number: int, left: str) -> None:
    """Than one which was the first of many to be found; one of few positions is the plainest already."""
    found = SmallestSearch(*both("vl", "brazilian"), limits=SearchLimits(moves=number))
    found.resume({"man.capture.first": {"position": "W:W12:BK16", "proved-below": 2, "tried": 120}})
    found.try_positions([Position.from_fen("W:W12:B16", found.one.ruleset.rules.board)])
    best = found.goals["man.capture.first"].best
    assert best
    assert best.position.fen() == left


@pytest.mark.thorough
@pytest.mark.parametrize(("limit", "value"), [("changed_positions", 0), ("compiled_positions", 200)])
def test_a_level_with_too_many_positions_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    """Two pieces show that men capture backward, one never does; but two are too many to look at."""
    pytest.importorskip("numba")
    found = exhausted(monkeypatch, ("vl", "brazilian"), compiled=True, hits=10_000, **{limit: value})
    goal = found.goals["man.capture.first"]
    assert (goal.best, goal.proved_below) == (None, 2)


def test_interrupted_it_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(self: SmallestSearch, candidates: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SmallestSearch, "try_positions", stop)
    monkeypatch.setattr(smallest, "is_available", lambda: False)
    found, complete = search(*both("vl", "russian"), lambda line: None, SearchLimits(moves=2))
    assert not complete
    assert isinstance(found["man.capture.first"], Witness)
    assert isinstance(found["promotion.mid-capture"], Reason)
    assert "none found among all 7,092 positions with fewer than 3 pieces" in found["promotion.mid-capture"].says


def test_kings_that_slide_twice_capture_after_quiet_moves() -> None:
    """So that a rule of capture changes what begins without one."""
    one = damspec.load_ruleset("vl?king-slides=twice")
    other = damspec.from_values({**one.values, "capture.removal": "at-once"})
    assert PossibleDifferences.between(one, other).quiet
    assert not PossibleDifferences.between(damspec.load_ruleset("vl"), damspec.load_ruleset("vl?removal=at-once")).quiet
