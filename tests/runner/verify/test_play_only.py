"""Engines that only play, on any board and in any protocol: what follows from their moves is reported, and no more."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

import damspec
from damspec import Ruleset, data
from damspec_runner.cases.case import Case, Expectation
from damspec_runner.cases.cases import cases_for
from damspec_runner.verify.ask import ask, draw_positions
from damspec_runner.verify.explain.diagnosis import explain
from damspec_runner.verify.games import FuzzConfig, fuzz
from damspec_runner.verify.report.serialize import as_json
from damspec_runner.verify.report.wording import remarks
from damspec_runner.verify.result import Result
from fake_engines import InProcess, able, check_partial
from runner_fixtures import DAMSPEC, TESTS
from runner_fixtures import damspec as damspec_command

ENGLISH, RUSSIAN = damspec.load_ruleset("english"), damspec.load_ruleset("russian")


def case(ruleset: Ruleset, position: str, *moves: str, lapses: tuple[str, ...] = ()) -> Case:
    """A case about a position with these legal moves."""
    expected = Expectation(moves=dict.fromkeys(moves, ""), lapses=dict.fromkeys(lapses, ""))
    return Case("a-case", ruleset.base, "duty", "", (), position, expected)


def result(way: str, ruleset: Ruleset, one: Case, change: str = "") -> Result:
    """What an engine's move makes of a case."""
    engine = able(way, ruleset, change)
    return ask(engine, ruleset, engine.hello(), one)


@pytest.mark.parametrize("ruleset", [ENGLISH, RUSSIAN], ids=lambda ruleset: ruleset.id)
def test_who_plays_right_fails_nothing(ruleset: Ruleset) -> None:
    """Every case with a move to play passes; that all moves are known is not said."""
    cases = cases_for(ruleset)
    report = check_partial("plays", ruleset, cases)
    assert report.hello.manner == "played"
    assert {one.status for one in report.results if one.played is None} == {"unsupported"}
    played = [one for one in report.results if one.played is not None]
    assert {one.status for one in played} == {"passed"}
    assert len(played) > 100
    forced = sum(len(one.case.expected.moves or ()) == 1 for one in played)
    assert (
        f"it plays and lists no moves: in {len(played)} cases its move is legal, and the only one in {forced} of them"
        in (remarks(report)[0])
    )


def test_the_rule_that_an_illegal_move_breaks_is_named() -> None:
    """The man on 10 has to capture 6, and steps to 9: the only legal move was not played either."""
    optional = "capture.duty = optional"
    wrong = result("plays", ENGLISH, case(ENGLISH, "B:W10:B6", "6x15"), optional)
    assert (wrong.status, wrong.missing, wrong.extra, wrong.played) == ("failed", ("6x15",), ("6-9",), "6-9")
    assert wrong.request is not None
    assert '"method":"plays"' in wrong.request
    report = check_partial(
        "plays", ENGLISH, [one for one in cases_for(ENGLISH) if one.topic in ("duty", "man-move")], optional
    )
    assert optional in str(explain(report).lines)


def test_what_else_a_move_shows() -> None:
    """No move where there is one is wrong; a lapse can be played; ends that fit a capture mean it."""
    none = result("plays-nothing", ENGLISH, case(ENGLISH, "W:W22:B18", "22x15"))
    assert (none.status, none.missing, none.message) == ("failed", ("22x15",), "plays no move where there is one")
    de = damspec.load_ruleset("de")
    lapse = result(
        "plays", de, case(de, "W:W22,32:B1,18", "22x15", lapses=("22-17", "32-27", "32-28")), "capture.duty = optional"
    )
    assert (lapse.status, lapse.played) == ("passed", "22-17")
    ends = result("plays-by-ends", ENGLISH, case(ENGLISH, "W:W31:B18,19,26,27", "31x22x15", "31x24x15"))
    assert ends.status == "passed"


def test_an_engine_that_takes_no_position_is_led_there() -> None:
    """After 11-15 White moves; `plays` has the moves so far, and how long to think."""
    engine = able("led-plays", ENGLISH)
    here = engine.engine
    after = damspec.Game(ENGLISH)
    after.push("11-15")
    assert engine.ask("plays", {"ruleset": "english", "position": after.fen()})["move"] == "21-17"
    assert isinstance(here, InProcess)
    method, params = here.asked[-1]
    assert (method, params["position"], params["moves"]) == ("plays", "start", ["11-15"])
    assert params["level"] == {"move-time": 0.1}


def test_a_notation_of_its_own_is_found() -> None:
    report = check_partial("plays-from-0", ENGLISH, cases_for(ENGLISH)[:30], preflight=True)
    assert report.preflight == "writes squares as 0 to 31; read so"
    assert not report.with_status("failed")


def test_games_and_drawn_positions_whatever_the_number_of_processes() -> None:
    optional = "capture.duty = optional"
    hello = able("plays", ENGLISH).hello()
    for config in (FuzzConfig(games=4), FuzzConfig(positions=draw_positions(ENGLISH, 10, 1), random=True)):
        one, two = (
            fuzz(ENGLISH, lambda: able("plays", ENGLISH, optional), hello, config, jobs=jobs) for jobs in (1, 2)
        )
        assert (one.positions, one.questions, one.divergences) == (two.positions, two.questions, two.divergences)
        assert one.divergences[0].result.case.position.count(",") == 0
        assert "capture.duty" in one.divergences[0].rules
        report = replace(check_partial("plays", ENGLISH, cases_for(ENGLISH)[:1]), games=one)
        assert data.schema_problem(as_json([report]), "report") is None
        right = fuzz(ENGLISH, lambda: able("plays", ENGLISH), hello, config)
        assert (right.divergences, right.unsupported) == ((), 0)


def test_by_plain_lines() -> None:
    player = [sys.executable, str(TESTS / "fakes" / "partial.py"), "plays", "--lines"]
    words = ("check", "russian", "--topic", "man-capture", "--lines", "--level", "depth=3", "-j", "2")
    ran = damspec_command(*words, "--plays", "--drawn", "5", "--", *player)
    assert ran.status == 0, ran.out
    assert "russian by plays 1 (played, not listed): 11 passed, 0 failed of 11 cases" in ran.summary
    assert "5 positions drawn with seed 0, 5 questions: no disagreement" in ran.out


@pytest.mark.thorough
def test_by_hub_on_a_board_of_eight() -> None:
    """The reference, along the columns; men that do not capture backward: Black's on 16 leaves the man on 20."""
    serve = [*DAMSPEC, "serve", "--hub"]
    ran = damspec_command("check", "jamaican", "--hub", "-k", "jamaican.start", "--", *serve)
    assert ran.status == 0, ran.out
    assert "(probed, not listed)" in ran.summary
    assert "asked by Hub with squares in the order of the game: from the top left along the columns" in ran.out
    change = "man.capture.first = [forward-diagonals]"
    wrong = [sys.executable, str(TESTS / "fakes" / "hub_engine.py"), change, "russian"]
    words = ("check", "russian", "--hub", "--plays", "--no-diagnose", "-k", "black-jumps-back", "--drawn", "0")
    ran = damspec_command(*words, "--", *wrong)
    assert ran.status == 1
    assert "(legal, not played)" in ran.out
    ran = damspec_command("check", "nl-trapdoor", "--hub", "--", *serve)
    assert ran.status == 3
    assert "Hub has no word for where the sliders are" in ran.complaint
