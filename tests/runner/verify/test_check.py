"""Checking engines: what the runner makes of right, wrong, broken and partial ones; a run goes on whatever they do."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec import Move, Outcome, data, load_ruleset
from damspec_runner.cases.cases import Case, Expectation, cases_for, select
from damspec_runner.engines.hub import move_text
from damspec_runner.engines.process import SubprocessEngine
from damspec_runner.engines.protocol import EngineError
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.verify.ask import ask
from damspec_runner.verify.candidates import lead_in
from damspec_runner.verify.explain.diagnosis import explain
from damspec_runner.verify.result import RIGHT_ALONE
from damspec_runner.verify.run import RunConfig, check
from fake_engines import CAPTURES, LB, asking, check_fake, check_partial, few, statuses
from partial import Partial, Refused
from refusals import refusal
from runner_fixtures import PROJECT, fake, printed
from runner_fixtures import damspec as damspec_command
from runs import for_each

pytestmark = pytest.mark.usefixtures("nothing_left")


def test_a_right_engine_passes() -> None:
    report = check_fake("right")
    assert statuses(report) == {"passed": 10}
    assert report.clean()
    assert [result.case for result in report.results] == list(few())
    assert (report.duplicates, report.noise) == (0, ())


def test_wrong_moves_fail_and_are_told_apart() -> None:
    report = check_fake("wrong-moves")
    assert {result.status for result in asking(report, "moves")} == {"failed"}
    for result in asking(report, "moves"):
        assert len(result.missing) == 1
        assert result.extra == ("1-32",)
        assert result.unparsable == ("sideways",)
        assert not result.after
    assert {result.status for result in asking(report, "outcome")} == {"passed"}
    assert not report.clean()


class NeedsSliders(Partial):
    """An engine that reads no position which leaves the sliders out."""

    def answer(self, method: str, params: dict[str, Any]) -> Any:
        if ":sliders=" not in params.get("position", ":sliders="):
            raise Refused("no sliders")
        return super().answer(method, params)


@for_each("name", ["nl-trapdoor", "fr-trapdoor", "fr-trapdoor-dual", "nl-trapdoor-autoclose"])
def test_a_position_without_sliders_is_sent_as_the_case_has_it(name: str) -> None:
    ruleset = load_ruleset(name)
    cases = select(cases_for(ruleset), ("*.start.*", "*.sliders-left-out", "*.king-move.*"), ())
    report = check_partial(NeedsSliders("plain"), ruleset, cases)
    wrong = {result.case.id for result in report.results if result.status != "passed"}
    assert wrong == {result.case.id for result in report.results if result.case.id.endswith(".sliders-left-out")}
    assert len(wrong) >= 2


def test_wrong_positions_after_right_moves_fail() -> None:
    report = check_fake("wrong-successors", cases=(CAPTURES,))
    (result,) = report.results
    assert result.status == "failed"
    assert (result.missing, result.extra) == ((), ())
    assert set(result.after) == {"21x14x7", "22x13", "22x15x6"}
    assert (result.after["22x13"].expected, result.after["22x13"].got) == ("B:W13,21:B10,18", "W:W13,21:B10,18")


def test_what_is_no_position_is_quoted() -> None:
    (result,) = check_fake("no-successors", cases=(CAPTURES,)).results
    assert result.after["22x13"].got.startswith(r"position 'lost\x01': expected a FEN")


def test_wrong_outcomes_fail() -> None:
    report = check_fake("wrong-outcomes")
    assert {result.status for result in asking(report, "outcome")} == {"failed"}
    assert {result.status for result in asking(report, "moves")} == {"passed"}
    difference = asking(report, "outcome")[0].outcome
    assert difference is not None
    assert difference.got == "draw"
    assert difference.expected != "draw"


def test_an_expected_outcome_is_compared_without_its_reason() -> None:
    lost = Case(
        "lb.ending.x", "lb", "ending", "x", ("lb-047",), "W:W21:B14,17", Expectation(outcome=Outcome("black", "x"))
    )
    assert statuses(check_fake("right", cases=(lost,))) == {"passed": 1}


@pytest.mark.parametrize("mode", ["chatty", "wrong-id", "missing-key", "dying"])
def test_a_broken_answer_now_and_then_is_right_when_asked_alone(mode: str) -> None:
    report = check_fake(mode, "12")
    odd = report.with_status("unstable")
    assert 1 <= len(odd) <= 3
    assert statuses(report) == {"passed": 10 - len(odd), "unstable": len(odd)}
    for result in odd:
        assert result.message
        assert result.message.isprintable()
        assert result.message.endswith(f"; {RIGHT_ALONE}")
        assert result.faults() == {"message": result.message}
    assert not report.clean()


def test_an_engine_that_always_dies_is_started_again_so_often_and_no_more(tmp_path: Path) -> None:
    report = check_fake("dying-later")
    assert statuses(report) == {"passed": 1, "error": 4, "not-asked": 5}
    assert [result.message for result in report.results[1:]] == [
        *["ended while asked moves, exit status 7, having said 'out of memory'"] * 4,
        *["not asked: the engine was given up after 4 cases that broke it"] * 5,
    ]
    assert len((tmp_path / "pids").read_text().split()) == 8  # each of the four is asked again, of a fresh process
    assert report.noise == ("out of memory",) * 8


def test_a_case_that_kills_is_told_from_those_after_it() -> None:
    report = check_fake("dying-of", CAPTURES.position, cases=(*few()[:3], CAPTURES, *few()[3:]))
    assert statuses(report) == {"passed": 10, "error": 1}
    (killer,) = report.with_status("error")
    assert (killer.case.id, killer.kind) == (CAPTURES.id, "died")
    assert json.loads(killer.request or "") == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "moves",
        "params": {"ruleset": "lb", "position": CAPTURES.position, "rules": json.loads(json.dumps(LB.inline_values))},
    }


@pytest.mark.parametrize("words", [("wrong-outcomes",), ("dying-of", CAPTURES.position)])
def test_several_processes_give_the_same_verdicts(words: tuple[str, ...]) -> None:
    cases = (*cases_for(LB)[:12], CAPTURES, *cases_for(LB)[-8:])
    one = check_fake(*words, cases=cases, max_failures=3)
    three = check_fake(*words, cases=cases, max_failures=3, jobs=3)
    assert one.results == three.results
    assert one.counts != {"passed": len(cases)}


def test_what_a_fresh_process_answers_right_is_unstable() -> None:
    # Wrong from the second question of a process on, the first being that of the case: without `start` and `play`
    # each case is one question.
    report = check_fake("forgetful", cases=(few()[1], CAPTURES, few()[2]), second_asks=50)
    assert [result.status for result in report.results] == ["unstable"] * 3
    assert {result.message for result in report.results} == {RIGHT_ALONE}
    assert all(result.missing for result in report.results)


def test_second_asks_are_bounded(tmp_path: Path) -> None:
    report = check_fake("wrong-moves", cases=few()[1:7], second_asks=2)
    assert statuses(report) == {"failed": 6}
    assert len((tmp_path / "pids").read_text().split()) == 3


def test_answers_that_differ_at_once_are_found_by_repeating() -> None:
    assert statuses(check_fake("wrong-moves", "2", cases=(CAPTURES,), times=2)) == {"unstable": 1}
    (result,) = check_fake("wrong-moves", "3", cases=(CAPTURES,), times=2).results
    assert str(result.message).startswith('answers differ when asked again: moves gives {"moves": ["21x14x7", ')
    assert '"method":"moves"' in (result.request or "")
    assert statuses(check_fake("right", cases=(CAPTURES,), times=3)) == {"passed": 1}


def test_a_failure_has_the_question_and_the_answer() -> None:
    (result,) = check_fake("wrong-moves", cases=(CAPTURES,)).results
    assert json.loads(result.request or "")["params"]["position"] == CAPTURES.position
    assert result.reply == '{"moves": ["22x13", "22x15x6", "1-32", "sideways"], "lapses": []}'
    (result,) = check_fake("wrong-successors", cases=(CAPTURES,)).results
    assert json.loads(result.request or "")["params"]["move"] == "21x14x7"
    assert result.reply == '"W:W7,22:B18"'


def test_a_slow_answer_is_a_timeout() -> None:
    report = check_fake("slow", "2", timeout=1.0, cases=few()[:2])
    assert [result.status for result in report.results] == ["timeout", "timeout"]
    assert {result.message for result in report.results} <= {
        f"did not answer {question} within 1 seconds" for question in ("start", "moves", "play")
    }


def test_a_refusal_is_an_error_of_its_case() -> None:
    report = check_fake("refusing", "2", cases=few()[7:])
    assert {result.message for result in report.results if result.status == "error"} == {
        "answered start with error -32000: I will not",
        "answered outcome with error -32000: I will not",
    }
    assert statuses(report) == {"passed": 1, "error": 2}


def test_a_refusal_to_play_its_own_move_fails() -> None:
    (result,) = check_fake("refusing", "3", cases=(CAPTURES,)).results
    assert result.status == "failed"
    assert [d.got for d in result.after.values()][:1] == [
        "answered play with error -32000: I will not (for its own move 21x14x7)"
    ]


def test_unsupported_is_counted_apart() -> None:
    report = check_fake("unsupported-kings")
    assert statuses(report)["unsupported"] == len([case for case in few() if "K" in case.position])
    assert report.counts["failed"] == report.counts["error"] == 0
    assert report.clean()
    assert {result.message for result in report.results if result.status == "unsupported"} == {"no kings here"}


def test_a_question_not_answered_is_unsupported_and_not_asked() -> None:
    report = check_fake("only-outcome")
    assert {result.status for result in asking(report, "moves")} == {"unsupported"}
    assert {result.message for result in asking(report, "moves")} == {"does not answer moves"}
    assert {result.status for result in asking(report, "outcome")} == {"passed"}


def test_without_play_the_moves_alone_count() -> None:
    assert statuses(check_fake("no-play")) == {"passed": 10}


def test_duplicates_are_a_warning() -> None:
    (result,) = (report := check_fake("duplicating", cases=(CAPTURES,))).results
    assert result.status == "passed"
    assert result.duplicates == ("21x14x7", "22x13", "22x15x6")
    assert (report.duplicates, report.clean()) == (3, True)


def test_short_forms_are_understood_and_played() -> None:
    assert statuses(check_fake("short", cases=(CAPTURES,))) == {"passed": 1}


def test_noise_is_kept() -> None:
    report = check_fake("noisy", cases=(CAPTURES,))
    assert statuses(report) == {"passed": 1}
    assert report.noise == (r"asked moves\x1b[31m",) * 2 + (r"asked play\x1b[31m",) * 3


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("dying-at-start", "ended while asked hello, exit status 1, having said 'cannot find my book'"),
        ("dying", "ended while asked moves, exit status 7, having said 'out of memory'"),
        ("closing", "ended while asked moves, its output closed"),
        ("silent", "did not answer moves within 3 seconds"),
        ("malformed", "answered moves with malformed JSON"),
        ("chatty", "'thinking about it ...'"),
        ("wrong-id", "answered moves with id 4711, expected 2"),
        ("moves-a-string", 'moves: found "21-17", expected array'),
        ("refusing", "answered moves with error -32000: I will not"),
        ("no-method", "damspec does not list the moves of lb: what?"),
        ("other-ruleset", "damspec does not play lb; it plays chess"),
        ("protocol-2", "protocol: found 2, expected 1"),
        ("no-questions", "damspec answers none of the questions moves, play, outcome"),
        ("only-start", "damspec answers none of the questions moves, play, outcome"),
    ],
)
def test_when_nothing_works_no_case_is_asked_and_one_line_says_why(mode: str, message: str, tmp_path: Path) -> None:
    timeout = 3.0 if mode == "silent" else 20.0
    said = refusal(EngineError, check_fake, mode, timeout=timeout, jobs=3)
    assert message in said
    assert said.isprintable()
    assert len((tmp_path / "pids").read_text().split()) == 1


def test_more_processes_than_cases_are_not_started(tmp_path: Path) -> None:
    assert statuses(check_fake("right", cases=few()[:2], jobs=8)) == {"passed": 2}
    assert len((tmp_path / "pids").read_text().split()) <= 2


def test_a_run_can_end_after_so_many_failures() -> None:
    report = check_fake("wrong-moves", max_failures=2)
    assert statuses(report) == {"failed": 2, "not-asked": 8}
    assert {result.message for result in report.with_status("not-asked")} == {"the run ended after 2 failures"}
    assert not report.clean()


# --- Checking engines that begin elsewhere, or that are right under another reading.


class TestStart:
    """Cases about the start: where the engine's own games begin, if it says that."""

    STARTING = tuple(case for case in cases_for(damspec.load_ruleset("lb")) if case.position == "start")
    HERE = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"

    @pytest.mark.parametrize(
        ("mode", "got"),
        [
            ("wrong-start", "W" + HERE[1:]),
            ("start-elsewhere", "B:W13-24:B1-12"),
            ("no-position-to-start", r"position 'lost\x01': expected a FEN"),
        ],
    )
    def test_another_start_fails_all_of_them_and_nothing_else(self, mode: str, got: str) -> None:
        report = check_fake(mode, cases=(*self.STARTING, *few()))
        assert len(self.STARTING) == 3
        for result in report.results:
            if result.case.position == "start":
                assert result.start is not None
                assert (result.status, result.start_told, result.start.expected) == ("failed", True, self.HERE)
                assert result.start.got.startswith(got)
                assert set(result.faults()) == {"start"}  # asked about the right position it answers right
            else:
                assert (result.status, result.start, result.start_told) == ("passed", None, False)

    @pytest.mark.parametrize("mode", ["right", "start-in-ranges"])
    def test_a_start_is_compared_as_a_position(self, mode: str) -> None:
        report = check_fake(mode, cases=self.STARTING)
        assert statuses(report) == {"passed": 3}
        assert all(result.start_told for result in report.results)

    @pytest.mark.parametrize("mode", ["no-start", "unsupported-start"])
    def test_an_engine_need_not_say_where_it_starts(self, mode: str) -> None:
        report = check_fake(mode, cases=self.STARTING)
        assert statuses(report) == {"passed": 3}
        assert not any(result.start_told for result in report.results)

    def test_a_refusal_is_an_error(self) -> None:
        report = check_fake("refused-start", cases=self.STARTING)
        assert {result.message for result in report.results} == {"answered start with error -32000: begins nowhere"}
        assert statuses(report) == {"error": 3}

    def test_a_start_is_told_once_for_each_case_about_it(self) -> None:
        report = check_fake("noisy", cases=(self.STARTING[1], CAPTURES))
        assert [line.split("\\")[0] for line in report.noise] == [
            *["asked moves", "asked start", "asked outcome", "asked moves"],
            *["asked play"] * 3,
        ]

    def test_a_start_with_sliders_left_out_has_them_in_the_middle(self) -> None:
        ruleset = damspec.load_ruleset("nl-trapdoor")
        cases = tuple(case for case in cases_for(ruleset) if case.position == "start")
        fen = ruleset.position().fen()

        class Plain(InProcessEngine):
            def ask(self, method: str, params: Mapping[str, Any]) -> Any:
                return {"position": fen.partition(":sliders")[0]} if method == "start" else super().ask(method, params)

        assert ":sliders=MMMM" in fen
        assert statuses(check(ruleset, cases, lambda: Plain(ruleset), label="plain")) == {"passed": 2}

    def test_every_report_says_so(self, tmp_path: Path) -> None:
        junit = tmp_path / "junit.xml"
        words = ("check", "lb", "-k", "lb.start.ongoing", "--junit", str(junit), "--json")
        out = printed(*words, "--", *fake("wrong-start"), status=1)
        saved = tmp_path / "report.json"
        saved.write_text(out, encoding="utf-8")
        shown = damspec_command("report", str(saved))
        assert f"start  expected {self.HERE}  got W{self.HERE[1:]}" in shown.out
        assert "(start.first = white" in shown.out
        assert f"start: expected {self.HERE}, got W{self.HERE[1:]}" in junit.read_text(encoding="utf-8")
        content = json.loads(out)
        assert data.schema_problem(content, "report") is None
        (result,) = content["reports"][0]["results"]
        assert result["start"] == {"expected": self.HERE, "got": "W" + self.HERE[1:]}
        assert result["start_told"] is True

    def test_the_start_under_another_reading_is_named(self) -> None:
        report = check_fake("reading", "?first=red-pieces", cases=self.STARTING[:1])
        (result,) = report.results
        assert result.start is not None
        assert (result.status, result.reading, result.start.got[0]) == ("failed", "first=red-pieces", "W")


class TestReadings:
    """A wrong answer that is right under another reading says so; only an open reading excuses it."""

    def test_an_open_reading_is_counted_apart(self) -> None:
        cases = tuple(case for case in cases_for(damspec.load_ruleset("vl")) if "VL-04" in case.readings)
        report = check_fake("reading", "?priority=multiple-first", cases=cases, ruleset="vl")
        assert set(statuses(report)) == {"passed", "reading"}
        assert {result.reading for result in report.results if result.status == "reading"} == {
            "priority=multiple-first"
        }
        assert report.clean()

    def test_a_settled_reading_is_named_but_fails(self) -> None:
        cases = tuple(select(cases_for(damspec.load_ruleset("vl")), ("vl.multi-jump.round-to-the-start",), ()))
        (result,) = (report := check_fake("reading", "?origin=occupied", cases=cases, ruleset="vl")).results
        assert (result.status, result.reading) == ("failed", "origin=occupied")
        assert not report.clean()

    @pytest.mark.parametrize(("mode", "status"), [("right", "passed"), ("wrong-moves", "failed")])
    def test_a_game_that_only_a_reading_can_have_is_no_mistake_of_the_case(self, mode: str, status: str) -> None:
        """Its positions, after a capture left unfinished, are none of the ruleset's own."""
        cases = tuple(select(cases_for(damspec.load_ruleset("de")), ("de.game.a-king-taken",), ()))
        report = check_fake(mode, cases=cases, ruleset="de")
        assert statuses(report) == {status: 2}

    def test_a_wrong_answer_that_no_reading_explains_fails(self) -> None:
        cases = tuple(case for case in cases_for(damspec.load_ruleset("vl")) if "VL-04" in case.readings)[:2]
        report = check_fake("wrong-moves", cases=cases, ruleset="vl")
        assert {(result.status, result.reading) for result in report.results} == {("failed", None)}

    def test_an_engine_passes_under_its_own_reading(self) -> None:
        ruleset = "vl?priority=multiple-first"
        cases = tuple(case for case in cases_for(damspec.load_ruleset(ruleset)) if "VL-04" in case.readings)
        assert set(statuses(check_fake("right", cases=cases, ruleset=ruleset))) == {"passed"}

    def test_an_engine_that_names_rulesets_is_not_asked_under_a_reading(self) -> None:
        assert refusal(EngineError, check_fake, "no-rules", cases=(), ruleset="vl?priority=majority").startswith(
            "damspec does not play vl?priority=majority; it plays "
        )


# --- Cases with a history: who is asked them, what is sent, and what wrong answers to them show.


ENGLISH = damspec.load_ruleset("english")
LASTING = [case for case in cases_for(ENGLISH) if case.history]
THIRD = next(case for case in LASTING if case.id == "english.ending.third-time-is-a-draw")


class RecordingEngine(InProcessEngine):
    """The English game, and what it was asked."""

    def __init__(self) -> None:
        super().__init__(ENGLISH)
        self.asked: list[tuple[str, Any]] = []

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        self.asked.append((method, params))
        return super().ask(method, params)


def test_the_moves_are_sent_with_the_position() -> None:
    engine = RecordingEngine()
    assert ask(engine, ENGLISH, HELLO, THIRD).status == "passed"
    assert engine.asked == [
        ("outcome", {"ruleset": "english", "position": "W:WK32:BK1", "moves": list(THIRD.history)}),
    ]


def test_a_failure_says_what_was_played_and_how_to_ask_again() -> None:
    """By other rules the position standing for the third time is no draw."""
    engine = InProcessEngine(damspec.load_ruleset("lb"))
    result = ask(engine, ENGLISH, HELLO, THIRD)
    assert result.status == "failed"
    assert result.case.setting == "W:WK32:BK1 after 32-28, 1-5, 28-32, 5-1, 32-28, 1-5, 28-32, 5-1"
    assert result.outcome is not None
    assert (result.outcome.expected, result.outcome.got) == ("draw", "ongoing")
    assert '"position":"W:WK32:BK1","moves":["32-28","1-5",' in (result.request or "")


@pytest.mark.parametrize("change", ["draws.repetition = 2", "draws.king-moves = 41", "draws.king-moves = null"])
def test_a_wrong_count_is_named(change: str) -> None:
    (hidden,) = [mutant.ruleset for mutant in single_mutants(ENGLISH) if mutant.name == change]
    report = check(ENGLISH, cases_for(ENGLISH), lambda: InProcessEngine(hidden), label="hidden")
    assert {result.status for result in report.results} == {"passed", "failed"}
    assert all(result.case.history for result in report.results if result.status == "failed")
    assert change in [name for fit in explain(report).complete for name in fit.hypothesis.names]


@pytest.mark.parametrize("ahead", [True, False])
def test_the_reference_answers_them(ahead: bool) -> None:
    config = RunConfig(times=1 if ahead else 2)
    engine = [sys.executable, "-m", "damspec_runner", "serve"]
    report = check(ENGLISH, LASTING, lambda: SubprocessEngine(engine, timeout=60.0), label="damspec", run_config=config)
    assert {result.status for result in report.results} == {"passed"}


# --- Lead-ins: moves from a position without a king's run to one that has it.


FRISIAN = damspec.load_ruleset("frisian")


@pytest.mark.parametrize("fen", ["W:W37,K46:B45:+0+346", "B:W6:BK5,14:+205+0", "W:W37,44,K46,K50:B15:+0+346"])
def test_the_moves_lead_to_the_position(fen: str) -> None:
    """Three moves of a king, two of Black's, and three beside a man of Black's that has captured meanwhile."""
    position = FRISIAN.position(fen)
    found = lead_in(FRISIAN, position)
    assert found is not None
    origin, moves = found
    assert origin.white_run is None
    assert origin.black_run is None
    game = damspec.Game(FRISIAN, origin)
    for move in moves:
        legal = {move_text(one.start, one.end, one.captured): one for one in game.legal_moves if isinstance(one, Move)}
        game.push(str(legal[move_text(*move)]))
    assert game.position == position


def test_a_position_without_runs_is_its_own_origin() -> None:
    position = FRISIAN.position("W:W37,K46:B45")
    assert lead_in(FRISIAN, position) == (position, ())


def test_where_no_moves_lead_there_none_are_found() -> None:
    """White's king has moved last, though the man on 28 could capture on 22: no game comes there."""
    assert lead_in(FRISIAN, FRISIAN.position("B:W28,K46:B15,22:+0+346")) is None


def test_the_page_says_for_how_many_cases_moves_are_found() -> None:
    about = [FRISIAN.position(case.position) for case in cases_for(FRISIAN) if case.expected.moves is not None]
    with_runs = [position for position in about if position.white_run or position.black_run]
    found = sum(lead_in(FRISIAN, position) is not None for position in with_runs)
    page = " ".join((PROJECT / "docs" / "hub.md").read_text(encoding="utf-8").split())
    assert f"So {found} of the {len(with_runs)} such cases of `frisian` about moves are asked" in page
