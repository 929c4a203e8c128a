"""Lists of moves in other notations than damspec's: what is found before the cases, and that it hides no fault."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import damspec
from damspec import Ruleset
from damspec_runner.cases.answer import read_key, read_moves
from damspec_runner.cases.cases import cases_for, select
from damspec_runner.engines import protocol
from damspec_runner.engines.protocol import UnsupportedError
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.verify.conventions import OURS, Conventions
from damspec_runner.verify.notations import NOTATIONS, MoveReader
from damspec_runner.verify.preflight import preflight
from damspec_runner.verify.report import commands, wording
from damspec_runner.verify.report.serialize import as_json, read_reports
from damspec_runner.verify.result import Report
from fake_engines import able, check_partial, statuses
from partial import Params, Partial, Refused
from runner_fixtures import TESTS
from runner_fixtures import damspec as command
from runs import ORIGINALS, for_each
from writing import HABITS, NotationEngine

ENGLISH, TURKISH = damspec.load_ruleset("english"), damspec.load_ruleset("turkish")
#: White on 21 (a3) jumps 17 (b4) and 10 (d6) by 14 (c5) to 7 (e7); on 22 (c3) it jumps 17 to 13 (a5), or 18 (d4) and
#: 10 by 15 (e5) to 6 (c7).
SEVERAL, LEGAL = "W:W21,22:B10,17,18", ("21x14x7", "22x13", "22x15x6")
KEYS = {read_key(ENGLISH.position(SEVERAL), text): text for text in LEGAL}
CASES = [*select(cases_for(ENGLISH), (), ("man-move",))[:3], *select(cases_for(ENGLISH), (), ("king-capture",))[:2]]
CASES += [*select(cases_for(ENGLISH), (), ("man-capture", "multi-jump"))[:4], *cases_for(ENGLISH)[:1]]

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
    with pytest.raises(UnsupportedError, match="lists 213, which may be 2-13 or 21-3"):
        reader("numbers-run-on", russian).read(["213"], position)


@pytest.mark.parametrize("habit", HABITS)
def test_a_right_engine_passes_as_it_writes(habit: str) -> None:
    report = check_partial(NotationEngine(habit), ENGLISH, CASES, preflight=True)
    assert statuses(report) == {"passed": len(CASES)}
    assert wording.remarks(report) == [f"preflight: it {SAID[habit]}"]


@pytest.mark.parametrize("habit", HABITS)
def test_a_wrong_engine_fails_for_its_fault(habit: str) -> None:
    """Men that capture backward too."""
    change = "man.capture.first = [diagonals]"
    wrong, plain = (
        check_partial(way, ENGLISH, CASES, preflight=True)
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
        if method == "moves" and params["position"] == ENGLISH.position(CASES[0].position).fen():
            return Partial("plain").answer(method, params)
        return super().answer(method, params)


def test_a_list_that_does_not_fit_later_is_a_failure() -> None:
    report = check_partial(InconsistentEngine("from-zero"), ENGLISH, CASES[:3], preflight=True)
    assert verdicts(report) == ["failed", "passed", "passed"]
    assert report.preflight == FROM_ZERO


def test_the_commands_of_a_report_have_the_option() -> None:
    report = check_partial(
        NotationEngine("from-zero", "man.capture.first = [diagonals]"), ENGLISH, CASES, preflight=True
    )
    (read,) = read_reports(as_json([report]), "here")
    failed = next(iter(read.with_status("failed")))
    assert read.hello.notation == "numbers-from-0"
    for again in (commands.check_again(read, failed), commands.ask_again(read, failed)):
        assert " --notation numbers-from-0 " in again


def test_the_command_finds_it_for_games_and_explanations_too() -> None:
    engine = ("--", sys.executable, str(TESTS / "fakes" / "writing.py"), "by-rows")
    ran = command("check", "english", "-k", CASES[0].id, "--games", "1", *engine)
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


def check_pairs(id: str, number: int) -> None:
    """Check that a habit changes no verdict, of engines right and wrong.

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


@pytest.mark.thorough
@pytest.mark.parametrize("id", [*sorted(ORIGINALS), "frisian"])
def test_a_habit_changes_no_verdict(id: str) -> None:
    """30 pairs of rules and habits."""
    check_pairs(id, 5)


@pytest.mark.slow
@pytest.mark.parametrize("id", damspec.ruleset_ids())
def test_a_habit_changes_no_verdict_of_any_game(id: str) -> None:
    """More than 5,000 pairs."""
    check_pairs(id, 90)
