"""Checking engines that begin elsewhere, or that are right under another reading."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec import data
from damspec_runner.cases.cases import cases_for, select
from damspec_runner.engines.protocol import EngineError
from damspec_runner.engines.serve import InProcessEngine
from damspec_runner.verify.run import check
from fake_engines import CAPTURES, check_fake, few, statuses
from runner_fixtures import all_gone, fake
from runner_fixtures import damspec as damspec_command


@pytest.fixture(autouse=True)
def _nothing_left(tmp_path: Path) -> Iterator[None]:
    with all_gone(tmp_path):
        yield


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
        ran = damspec_command(*words, "--", *fake("wrong-start"))
        assert ran.status == 1
        saved = tmp_path / "report.json"
        saved.write_text(ran.out, encoding="utf-8")
        shown = damspec_command("report", str(saved))
        assert f"start  expected {self.HERE}  got W{self.HERE[1:]}" in shown.out
        assert "(start.first = white" in shown.out
        assert f"start: expected {self.HERE}, got W{self.HERE[1:]}" in junit.read_text(encoding="utf-8")
        printed = json.loads(ran.out)
        assert data.schema_problem(printed, "report") is None
        (result,) = printed["reports"][0]["results"]
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
        with pytest.raises(EngineError, match=r"^damspec does not play vl\?priority=majority; it plays "):
            check_fake("no-rules", cases=(), ruleset="vl?priority=majority")
