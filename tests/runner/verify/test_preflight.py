"""Conventions of an engine's own: seen from the first questions, mended by options, and hiding no fault."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import damspec
from damspec import Ruleset, data
from damspec_runner.cases.answer import read_key, read_moves
from damspec_runner.cases.cases import cases_for, select
from damspec_runner.engines import protocol
from damspec_runner.engines.protocol import EngineError, UnsupportedError
from damspec_runner.engines.serve import InProcessEngine
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.verify.capabilities import CapabilityAdapter
from damspec_runner.verify.conventions import OURS, Conventions, read_lenient_fen
from damspec_runner.verify.journal import as_jsonl, read_journal
from damspec_runner.verify.notations import NOTATIONS, MoveReader
from damspec_runner.verify.preflight import preflight
from damspec_runner.verify.report import commands, wording
from damspec_runner.verify.report.serialize import as_json, read_reports
from damspec_runner.verify.result import Report
from fake_engines import able, check_partial, statuses
from partial import Params, Partial, Refused
from refusals import refusal
from runner_fixtures import TESTS
from runner_fixtures import damspec as command
from runs import ORIGINALS, SPREAD, for_each, usually
from writing import HABITS, NotationEngine

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


# --- Lists of moves in other notations than damspec's: what is found before the cases, and that it hides no fault.


TURKISH = damspec.load_ruleset("turkish")
#: White on 21 (a3) jumps 17 (b4) and 10 (d6) by 14 (c5) to 7 (e7); on 22 (c3) it jumps 17 to 13 (a5), or 18 (d4) and
#: 10 by 15 (e5) to 6 (c7).
SEVERAL, LEGAL = "W:W21,22:B10,17,18", ("21x14x7", "22x13", "22x15x6")
KEYS = {read_key(ENGLISH.position(SEVERAL), text): text for text in LEGAL}
NOTATION_CASES = [
    *select(cases_for(ENGLISH), (), ("man-move",))[:3],
    *select(cases_for(ENGLISH), (), ("king-capture",))[:2],
]
NOTATION_CASES += [
    *select(cases_for(ENGLISH), (), ("man-capture", "multi-jump"))[:4],
    *cases_for(ENGLISH)[:1],
]

NUMBERS = "writes squares as numbers, with signs of its own or none between them; read so"
NAMES = "writes squares by name, with signs of its own or none between them; read so"
FROM_ZERO = "writes squares as 0 to 31; read so"
ROWS = "writes squares as row and column, each from 0, from the top left; read so"
#: What is said of each habit.
SAID = {
    "crosses": NUMBERS,
    "hyphens": NUMBERS,
    "arrows": NUMBERS,
    "run-together": NUMBERS,
    "run-on": "writes squares as 1 to 32, of one digit or more, with no sign between them; read so",
    "from-zero": FROM_ZERO,
    "taking": NUMBERS,
    "taking-from-zero": FROM_ZERO,
    "by-rows": ROWS,
    "by-rows-in-text": ROWS,
    "by-rows-in-digits": ROWS,
    "by-columns": "writes squares as column and row, each from 1, from the bottom left; read so",
    "named": NAMES,
    "named-large": NAMES,
    "boards": "lists the boards after its moves and not the moves; read so",
}


def reader(name: str, ruleset: Ruleset = ENGLISH, conventions: Conventions = OURS) -> MoveReader:
    return MoveReader(NOTATIONS[name], ruleset, conventions.on(ruleset.rules.board))


@for_each(
    ("name", "listed"),
    [
        ("numbers", ["21-14-7", "22 13", "22:15:6"]),
        ("numbers", ["211407", "2213", "221506"]),
        ("numbers", ["[21,14,7]", '{"from":22,"to":13}', "22x6(18,10)"]),
        ("numbers", [{"move": "21-7", "captured": [17, 10]}, "22->13", '{"from":22,"to":6,"captured":[10,18]}']),
        ("numbers-run-on", ["21147", "2213", "22156"]),
        ("numbers-from-0", ["20x13x6", "21x12", {"move": "21-5", "captured": [17, 9]}]),
        ("numbers-run-on-from-0", ["20136", "2112", "21145"]),
        ("letters", ["a3c5e7", "C3xA5", "c3 e5 c7"]),
        ("letters", ['["a3","c5","e7"]', "c3-a5(b4)", '{"from":"c3","to":"c7","captured":["d4","d6"]}']),
        ("row-column-from-0-top-left", ["[[5,0],[3,2],[1,4]]", "52-30", "5,2 3,4 1,2"]),
        (
            "row-column-from-0-top-left",
            ["(5, 0)->(3, 2)->(1, 4)", "5230", '{"move":[[5,2],[1,2]],"captured":[[4,3],[2,3]]}'],
        ),
        ("column-row-from-1-bottom-left", ["13-35-57", "[[3,3],[1,5]]", "33 55 37"]),
        ("boards", ["B:W7,22:B18", "B:W13,21:B10,18", "B:W6,21:B17"]),
    ],
)
def test_a_list_is_read(name: str, listed: list[Any]) -> None:
    position = ENGLISH.position(SEVERAL)
    found = read_moves(position, KEYS, reader(name).read(listed, position))
    assert {one.key for one in found} == KEYS.keys()


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("numbers", ["22-14-7", "33-1", "a3-b4", "[[5,0],[4,1]]"]),
        ("letters", ["21x14x7", "22x13", "22x15x6", "i9h8"]),
        ("row-column-from-0-top-left", ["5,0 4,0", "5,0 4", "9,9 8,8", "22x15x6"]),
        ("numbers-run-on", ["22-14", "2299"]),
        ("boards", ["21x14x7", "22x13", "B:W21:B17:"]),
    ],
)
def test_what_is_no_legal_move_is_not_made_one(name: str, listed: list[Any]) -> None:
    position = ENGLISH.position(SEVERAL)
    found = read_moves(position, KEYS, reader(name).read(listed, position))
    assert not KEYS.keys() & {one.key for one in found}
    assert all(str(one.key).endswith(f" (not {name})") for one in found if not one.is_legible)


@pytest.mark.parametrize("entry", ["[[5,0],[4,1]]", "[[5,0", '"21"', {"from": 21, "to": 17}, [21, 17], "21-17"])
def test_a_move_in_another_form_goes_back_as_it_came(entry: Any) -> None:
    """A text that looks like a list stays a text."""
    answer = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"moves": [entry]}})
    (move,) = protocol.result(answer, 1, "moves")["moves"]
    sent = json.loads(protocol.request(2, "play", {"ruleset": "lb", "position": SEVERAL, "move": move}))
    assert sent["params"]["move"] == entry


def test_a_king_that_ends_where_it_began_is_found_on_the_board() -> None:
    """From 22 (c3) over 18, 10, 9 and 17 by e5, c7 and a5 and back; the other king has nothing to capture."""
    position = ENGLISH.position("W:WK22,K32:B9,10,17,18")
    (move,) = reader("boards").read(["B:WK22,K32:B"], position)
    assert read_key(position, str(move)) == read_key(position, "22x15x6x13x22")


def test_a_wrong_board_is_the_move_that_it_shows() -> None:
    """The captured man on 17 stays, and 22 has moved to 13."""
    (move,) = reader("boards").read(["B:W13,21:B10,17,18"], ENGLISH.position(SEVERAL))
    assert move == {"move": "22-13", "captured": []}


def test_digits_that_may_be_two_moves_are_no_answer() -> None:
    """2-13 is d8 to a5, and 21-3 is a3 to f8; both ways are free."""
    russian = damspec.load_ruleset("russian")
    position = russian.position("W:WK2,K21:B28")
    assert "lists 213, which may be 2-13 or 21-3" in refusal(
        UnsupportedError, reader("numbers-run-on", russian).read, ["213"], position
    )


@pytest.mark.parametrize("habit", HABITS)
def test_a_right_engine_passes_as_it_writes(habit: str) -> None:
    report = check_partial(NotationEngine(habit), ENGLISH, NOTATION_CASES, preflight=True)
    assert statuses(report) == {"passed": len(NOTATION_CASES)}
    assert wording.remarks(report) == [f"preflight: it {SAID[habit]}"]


@pytest.mark.parametrize("habit", HABITS)
def test_a_wrong_engine_fails_for_its_fault(habit: str) -> None:
    """Men that capture backward too."""
    change = "man.capture.first = [diagonals]"
    wrong, plain = (
        check_partial(way, ENGLISH, NOTATION_CASES, preflight=True)
        for way in (NotationEngine(habit, change), Partial("plain", change))
    )
    assert wrong.preflight == SAID[habit]
    assert statuses(plain)["failed"] > 0
    assert verdicts(wrong) == verdicts(plain)


def verdicts(report: Report) -> list[str]:
    return [result.status for result in report.results]


class AmbiguousEngine(NotationEngine):
    """Answers only about the start."""

    def answer(self, method: str, params: Params) -> Any:
        """The answer. Raises Refused."""
        if method == "moves" and params["position"] != TURKISH.position().fen():
            raise Refused("not now")
        return super().answer(method, params)


def test_what_can_be_read_in_two_ways_asks_for_the_option() -> None:
    """The eight moves of the start, straight ahead, are the same from the left and from the right."""
    engine = able(AmbiguousEngine("by-rows"), TURKISH)
    both = "--notation row-column-from-0-top-left or --notation row-column-from-0-top-right"
    assert preflight(engine, TURKISH, engine.hello()) == (
        f"writes moves in a way that can be read as several notations: give {both}"
    )
    assert engine.conventions == OURS


def test_an_engine_with_a_wrong_start_is_told_the_option() -> None:
    """Men that go straight ahead begin with other moves."""
    engine = able(NotationEngine("by-rows", "man.move.directions = [orthogonals]"), ENGLISH)
    assert preflight(engine, ENGLISH, engine.hello()) == (
        "seems to be one that writes squares as row and column, each from 0, from the top left, but its first moves are"
        " wrong: --notation row-column-from-0-top-left"
    )


class InconsistentEngine(NotationEngine):
    """Writes from 0 until it is asked about a case."""

    def answer(self, method: str, params: Params) -> Any:
        """The answer."""
        if method == "moves" and params["position"] == ENGLISH.position(NOTATION_CASES[0].position).fen():
            return Partial("plain").answer(method, params)
        return super().answer(method, params)


def test_a_list_that_does_not_fit_later_is_a_failure() -> None:
    report = check_partial(InconsistentEngine("from-zero"), ENGLISH, NOTATION_CASES[:3], preflight=True)
    assert verdicts(report) == ["failed", "passed", "passed"]
    assert report.preflight == FROM_ZERO


def test_the_commands_of_a_report_have_the_option() -> None:
    report = check_partial(
        NotationEngine("from-zero", "man.capture.first = [diagonals]"), ENGLISH, NOTATION_CASES, preflight=True
    )
    (read,) = read_reports(as_json([report]), "here")
    failed = next(iter(read.with_status("failed")))
    assert read.hello.notation == "numbers-from-0"
    for again in (commands.check_again(read, failed), commands.ask_again(read, failed)):
        assert " --notation numbers-from-0 " in again


def test_the_command_finds_it_for_games_and_explanations_too() -> None:
    engine = ("--", sys.executable, str(TESTS / "fakes" / "writing.py"), "by-rows")
    ran = command("check", "english", "-k", NOTATION_CASES[0].id, "--games", "1", *engine)
    assert ran.status == 0, ran.out
    assert ran.complaint.endswith(f"preflight: it {ROWS}")
    asked = command("ask", "english", SEVERAL, "--move", "22x13", "--notation", "row-column-from-0-top-left", *engine)
    assert asked.out == '{"position": "B:W13,21:B10,18"}\n'


# --- no false alarm: engines and faults, with and without a habit ------------------------------


def pairs(ruleset: Ruleset, number: int) -> Iterator[tuple[Ruleset | None, str]]:
    """A mutant or none, and a habit."""
    rng, board = random.Random(number), ruleset.rules.board
    habits = [habit for habit in HABITS if habit != "by-rows-in-digits" or max(board.rows, board.columns) <= 10]
    mutants = [one.ruleset for one in single_mutants(ruleset) if one.ruleset.rules.board == board]
    for place in range(number):
        yield rng.choice(mutants) if rng.random() < 0.7 else None, habits[place % len(habits)]


def playing(engine: Partial, ruleset: Ruleset) -> Partial:
    """The engine, by rules that may not be those it is asked about."""
    engine.ruleset = lambda id: ruleset  # type: ignore[method-assign]
    return engine


@pytest.mark.parametrize(
    ("id", "number"),
    [
        *(pytest.param(id, 5, marks=pytest.mark.thorough) for id in [*sorted(ORIGINALS), "frisian"]),
        *(pytest.param(id, 90, marks=pytest.mark.slow) for id in damspec.ruleset_ids()),
    ],
)
def test_a_habit_changes_no_verdict(id: str, number: int) -> None:
    """Of engines right and wrong: 30 pairs of rules and habits in a thorough run, more than 5,000 in a slow one.

    Digits that may be two moves are unsupported. A wrong engine whose very first moves are wrong is read only if it is
    told the notation, and passes nothing that it would fail otherwise.
    """
    ruleset, rng = damspec.load_ruleset(id), random.Random(0)
    cases = [case for case in cases_for(ruleset) if case.question == "moves" and not case.expected.end]
    for other, habit in pairs(ruleset, number):
        some = rng.sample(cases, min(6, len(cases)))
        plain, written = (
            check_partial(playing(engine, other or ruleset), ruleset, some, preflight=True)
            for engine in (Partial("plain"), NotationEngine(habit))
        )
        about = (id, other and other.id, habit, written.preflight)
        assert plain.preflight is None, about
        if written.hello.notation is None:
            assert other is not None, about
            for mine, theirs in zip(written.results, plain.results, strict=True):
                assert mine.status != "passed" or theirs.status == "passed", (*about, mine.case.id)
            continue
        for mine, theirs in zip(written.results, plain.results, strict=True):
            assert mine.status in (theirs.status, "unsupported"), (*about, mine.case.id, mine.faults())
