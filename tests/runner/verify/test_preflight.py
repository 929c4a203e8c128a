"""Conventions of an engine's own: seen from the first questions, mended by options; positions read with patience."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import pytest

import damspec
from damspec import data
from damspec_runner.cases.cases import cases_for, select
from damspec_runner.engines.protocol import EngineError
from damspec_runner.engines.serve import InProcessEngine
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.verify.capabilities import CapabilityAdapter
from damspec_runner.verify.conventions import Conventions, read_lenient_fen
from damspec_runner.verify.journal import as_jsonl, read_journal
from damspec_runner.verify.preflight import preflight
from damspec_runner.verify.report import wording
from damspec_runner.verify.report.serialize import as_json, read_reports
from fake_engines import able, check_partial, statuses
from runner_fixtures import TESTS
from runner_fixtures import damspec as command
from runs import SPREAD, usually

ENGLISH = damspec.load_ruleset("english")
CASES = [*select(cases_for(ENGLISH), (), ("man-move",))[:4], *select(cases_for(ENGLISH), (), ("king-move",))[:4]]
CASES += [case for case in cases_for(ENGLISH) if case.question == "outcome" and not case.history][:2]
CASES += select(cases_for(ENGLISH), (), ("man-capture",))[:4]

TURNED = "has its board turned half round, or calls white what is black: --rotate, or --swap-colours"
#: What is seen of each way to write, and what mends it.
SEEN = {
    "rotated": (TURNED, Conventions(rotate=True)),
    "mirrored": (
        "numbers its squares from the top-right: --numbering top-right",
        Conventions(numbering="top-right"),
    ),
    "upside-down": (
        "numbers its squares from the bottom-left: --numbering bottom-left",
        Conventions(numbering="bottom-left"),
    ),
    "swapped": (TURNED, Conventions(swap_colours=True)),
}


def seen(way: str) -> str | None:
    """What is seen of an engine: in the report, or in the error where it even refuses the start."""
    try:
        return check_partial(way, ENGLISH, CASES[:1], preflight=True).preflight
    except EngineError as error:
        return str(error).rpartition("; it ")[2]


@pytest.mark.parametrize("way", [*SEEN])
def test_a_convention_is_seen_and_mended(way: str) -> None:
    said, conventions = SEEN[way]
    assert seen(way) == said
    mended = check_partial(way, ENGLISH, CASES, conventions=conventions, preflight=True)
    assert mended.preflight is None
    assert statuses(mended) == {"passed": 14}


def test_reports_say_it_in_every_form() -> None:
    report = replace(check_partial("mirrored", ENGLISH, CASES, preflight=True), options={"swap-colours": True})
    assert wording.remarks(report) == [
        "preflight: it numbers its squares from the top-right: --numbering top-right",
        "asked by other conventions than those of damspec: --swap-colours",
    ]
    content = as_json([report])
    assert data.schema_problem(content, "report", None) is None
    (read,) = read_reports(json.loads(json.dumps(content)), "here")
    assert read.preflight == report.preflight
    (from_journal,) = read_journal(as_jsonl([report]).encode(), "here")
    assert from_journal.preflight == report.preflight


def test_the_command_says_it_before_the_cases_and_takes_the_option() -> None:
    words = ("check", "english", "-k", CASES[0].id, "--no-diagnose")
    engine = ("--", sys.executable, str(TESTS / "fakes" / "partial.py"), "mirrored")
    wrong, right = command(*words, *engine), command(*words, "--numbering", "top-right", *engine)
    assert wrong.complaint.endswith("preflight: it numbers its squares from the top-right: --numbering top-right")
    assert (wrong.status, right.status, right.err) == (1, 0, "")
    assert "asked by other conventions than those of damspec: --numbering" in right.out


def test_an_engine_of_lists_is_told_too() -> None:
    engine = able("late", ENGLISH)
    engine.ask("moves", {"ruleset": "english", "position": ENGLISH.position().fen()})
    assert preflight(engine, ENGLISH, engine.hello()) == "answers about the position that was asked before"


def test_a_board_of_another_size() -> None:
    assert seen("elsewhere") == "plays on a board of 12x12, not 8x8"


@pytest.mark.parametrize("way", ["refusing", "stopping"])
def test_a_full_stop_that_is_missing(way: str) -> None:
    assert seen(way) == "reads a position rightly if a full stop ends it: --full-stop"
    assert statuses(check_partial(way, ENGLISH, CASES, conventions=Conventions(full_stop=True))) == {"passed": 14}


def test_options_that_are_not_the_engines_conventions_are_named() -> None:
    report = check_partial("lists", ENGLISH, CASES[:1], conventions=Conventions(numbering="top-right"), preflight=True)
    assert report.preflight == "does not have the conventions that it is asked by"


def test_what_can_be_probed_only_is_told_too() -> None:
    assert check_partial("legal", ENGLISH, CASES[:1], preflight=True).preflight is None


@pytest.mark.parametrize("id", usually(("lb", "nl-trapdoor"), SPREAD, ("turkish",)))
def test_right_engines_and_engines_with_a_wrong_rule_are_not_accused(id: str) -> None:
    """Men that go backward list what a board turned round would list; they are not crowned where it would crown."""
    ruleset = damspec.load_ruleset(id)
    for other in [ruleset, *(mutant.ruleset for mutant in single_mutants(ruleset))]:
        if other.rules.board == ruleset.rules.board:
            engine = CapabilityAdapter(InProcessEngine(other), ruleset)
            assert preflight(engine, ruleset, engine.hello()) is None, other.id


@pytest.mark.parametrize(
    ("text", "fen"),
    [
        ("W:W21", "W:W21:B"),
        ("w:wk21,22:b1-3:H0:F1", "W:WK21,22:B1,2,3"),
        (" B : W g1, Kh2 : B a7 . ", "B:WK28,32:B5"),
        ('"B:W21:BK1."', "B:W21:BK1"),
        ("B:B1:W:H0:F12", "B:W:B1"),
        ("W:W22:B18:compelled", "W:W22:B18:compelled"),
    ],
)
def test_a_position_is_read_with_patience(text: str, fen: str) -> None:
    assert read_lenient_fen(text, ENGLISH.rules.board) == fen


@pytest.mark.parametrize(
    "text", ["", "W", "lost", "W:W77:B1", "W:W1:B1", "W:W1:W2:B3", "X:W1:B2", "W:Wx:B1", "W:H0:F1"]
)
def test_what_is_no_position_stays_none(text: str) -> None:
    assert read_lenient_fen(text, ENGLISH.rules.board) is None


def test_k_is_a_column_on_a_board_that_has_one() -> None:
    board = damspec.load_ruleset("canadian").rules.board
    named = board.name(6)
    assert named == "l12"
    assert read_lenient_fen("w:wk1,Kl12:b", board) == f"W:WK6,{board.square('k1')}:B"


def test_an_engine_that_writes_positions_carelessly_passes_with_one_warning() -> None:
    report = check_partial("sloppy", ENGLISH, CASES)
    assert statuses(report) == {"passed": 14}
    (read,) = read_reports(json.loads(json.dumps(as_json([report]))), "here")
    assert read.results == report.results
    (line,) = wording.remarks(read)
    assert line == (
        "12 cases answered with a position that is not written as it should be, and was read all the same (a warning)"
    )


@pytest.mark.parametrize(
    ("conventions", "theirs"),
    [
        (Conventions(rotate=True), "W:WK5,14:B6:+0+305"),
        (Conventions(swap_colours=True), "B:W45:B37,K46:+346+0"),
    ],
)
def test_a_kings_run_is_written_by_other_conventions_too(conventions: Conventions, theirs: str) -> None:
    """The last square of a board of 50 is 1 if it is turned round; White's run, named last, is Black's if swapped."""
    ours = "W:W37,K46:B45:+0+346"
    translation = conventions.on(damspec.load_ruleset("frisian").rules.board)
    assert translation.position_out(ours) == theirs
    assert translation.position_in(theirs) == ours
