"""Engines with fewer capabilities: hops joined, moves offered, positions reached by moves, outcomes inferred."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec_runner.cases.cases import Case, cases_for
from damspec_runner.engines import protocol
from damspec_runner.engines.process import Engine
from damspec_runner.engines.protocol import EngineError, Hello, UnsupportedError
from damspec_runner.engines.serve import respond
from damspec_runner.verify.ask import ask
from damspec_runner.verify.capabilities import NO_OUTCOME, CapabilityAdapter
from damspec_runner.verify.conventions import read_lenient_fen
from damspec_runner.verify.games import FuzzConfig, fuzz
from damspec_runner.verify.reach import NO_WAY, LinePlanner
from fake_engines import able, check_partial, statuses
from partial import Partial
from refusals import refusal
from runner_fixtures import PROJECT, TESTS, printed
from runner_fixtures import damspec as command

LB, ENGLISH, DE = (damspec.load_ruleset(id) for id in ("lb", "english", "de"))
#: White on 21 jumps 17 and 10 one after another, on 22 jumps 17, or 18 and 10: by the numbers of the squares.
SEVERAL = "W:W21,22:B10,17,18"
CAPTURES = [case for case in cases_for(LB) if case.question == "moves" and case.expected.moves]
#: Eight cases with captures of one jump at most, and eight with longer ones.
CASES = [case for case in CAPTURES if max(text.count("x") for text in case.expected.moves or ()) == 1][:8]
CASES += [case for case in CAPTURES if max(text.count("x") for text in case.expected.moves or ()) > 1][:8]


def listed(way: str, fen: str, ruleset: damspec.Ruleset = LB, change: str = "") -> list[str]:
    engine = able(way, ruleset, change)
    return [str(move) for move in engine.ask("moves", {"ruleset": ruleset.id, "position": fen})["moves"]]


class TurnKeepingEngine(Partial):
    """Lets the same side go on, with any of its pieces, where the other side cannot move."""

    def answer(self, method: str, params: dict[str, Any]) -> Any:
        if method == "moves" and "moves" in params:
            game = damspec.Game(ENGLISH, params["position"])
            for move in params["moves"]:
                game.push(move)
            own = replace(game.position, turn="white")
            return {"moves": [str(action) for action in damspec.legal_moves(ENGLISH, own)]}
        answer = super().answer(method, params)
        if method == "play" and not damspec.legal_moves(ENGLISH, answer["position"]):
            answer = {"position": "W" + answer["position"][1:]}
        return answer


class TestSteps:
    def test_hops_are_joined_into_turns(self) -> None:
        assert sorted(listed("steps", SEVERAL)) == ["21x14x7", "22x13", "22x15x6"]

    def test_the_page_has_what_passes(self) -> None:
        page = (PROJECT / "docs" / "protocol.md").read_text(encoding="utf-8")
        section = page.partition("## Engines that can do less")[2].partition("\n## ")[0]
        lines = [line for line in section.splitlines() if line.startswith(("-> ", "<- "))]
        assert [line[:2] for line in lines] == ["->", "<-"] * 4
        engine = Partial("steps")
        for asked, answered in zip(lines[::2], lines[1::2], strict=True):
            message = json.loads(asked[3:])
            assert json.loads(answered[3:])["result"] == engine.answer(message["method"], message["params"])

    def test_a_move_is_played_by_its_hops(self) -> None:
        engine = able("steps", LB)
        about = {"ruleset": "lb", "position": SEVERAL}
        assert engine.ask("play", {**about, "move": "21x14x7"}) == {"position": "B:W7,22:B18"}

    @pytest.mark.parametrize("way", ["steps", "steps-of-objects"])
    def test_an_engine_of_hops_passes(self, way: str) -> None:
        report = check_partial(way, LB, CASES)
        assert statuses(report) == {"passed": 16}

    def test_a_wrong_one_fails(self) -> None:
        """Of a capture that may be left unfinished each beginning is a turn too."""
        report = check_partial("steps", LB, CASES, "man.capture.takes = men")
        (result, *_) = report.with_status("failed")
        assert result.missing
        assert not result.extra

    def test_hops_that_cannot_be_completed_are_an_error(self) -> None:
        assert "cannot complete a sequence of hops: after 21x14 it is still White's turn" in refusal(
            EngineError, listed, "stuck", SEVERAL
        )
        report = check_partial("stuck", LB, CASES)
        (result, *_) = report.with_status("error")
        assert result.kind == "steps"
        assert report.with_status("passed"), "positions with one hop each are right"

    @pytest.mark.parametrize(
        ("way", "says"),
        [
            ("two-pieces", "goes on with 1x10 after 21x14: not the same piece"),
            ("endless", "goes on after 64 hops: 21x14, 14x21"),
        ],
    )
    def test_hops_of_two_pieces_or_without_end_are_an_error(self, way: str, says: str) -> None:
        assert says in refusal(EngineError, listed, way, SEVERAL)

    def test_the_turn_kept_where_the_other_side_cannot_move_is_over(self) -> None:
        """After 29-25 (a1-b2) Black's only man on 21 (a3) can neither step to 25 nor jump over it to 30 (c1)."""
        engine = able(TurnKeepingEngine("steps"), ENGLISH)
        about = {"ruleset": "english", "position": "W:W29,30:B21"}
        assert sorted(engine.ask("moves", about)["moves"]) == ["29-25", "30-25", "30-26"]
        assert engine.ask("play", {**about, "move": "30-26"}) == {"position": "B:W26,29:B21"}
        assert engine.take_notes() == ()
        assert engine.ask("play", {**about, "move": "29-25"}) == {"position": "B:W25,30:B21"}
        assert engine.take_notes() == ("keeps-turn",)

    def test_games_are_compared_too(self) -> None:
        games = fuzz(LB, lambda: able("steps", LB), able("steps", LB).hello(), FuzzConfig(games=2))
        assert games.positions >= 20
        assert not games.divergences


class SaysYesOrNo(Engine):
    """The reference, asked in this process whether a move is legal and where it leads."""

    def hello(self) -> Hello:
        """It lists nothing."""
        return Hello("reference", "1", None, frozenset({"legal", "play"}), False)

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """The answer to a question."""
        return respond(protocol.request(1, method, params))[0]["result"]


class TestOffering:
    @pytest.mark.parametrize("way", ["legal", "ends", "legal-steps"])
    def test_what_is_accepted_is_listed(self, way: str) -> None:
        assert sorted(listed(way, SEVERAL)) == ["21x14x7", "22x13", "22x15x6"]

    def test_an_engine_that_says_yes_and_no_passes_and_that_is_said(self) -> None:
        report = check_partial("legal-play", LB, CASES[:6])
        assert statuses(report) == {"passed": 6}
        assert {result.notes for result in report.results} == {("probed",)}
        assert report.hello.manner == "probed"

    @pytest.mark.parametrize("id", ["de", "nl-trapdoor"])
    def test_the_reference_says_yes_and_no_to_whatever_a_turn_is(self, id: str) -> None:
        """Lapses and huffs, spins and slides."""
        ruleset = damspec.load_ruleset(id)
        cases = [case for case in cases_for(ruleset) if case.question == "moves"][::24]
        engine = CapabilityAdapter(SaysYesOrNo(), ruleset)
        hello = engine.hello()
        assert {ask(engine, ruleset, hello, case).status for case in cases} == {"passed"}

    def test_one_that_always_says_yes_fails_everywhere(self) -> None:
        report = check_partial("yes", LB, CASES[:4])
        assert statuses(report) == {"failed": 4}
        assert "22-17" in listed("yes", "W:W22,32:B1,18")

    def test_a_wrong_rule_is_found(self) -> None:
        """22 is not made to jump 18 where there is no duty to."""
        assert set(listed("legal", "W:W22,32:B1,18", change="capture.duty = optional")) == {
            *("22x15", "22-17", "32-27", "32-28"),
        }

    def test_an_engine_that_knows_ends_is_asked_once_about_each_pair(self) -> None:
        engine = able("ends", LB)
        engine.ask("moves", {"ruleset": "lb", "position": "W:W22,32:B1,18"})
        pairs = [tuple(params["move"].replace("x", "-").split("-")) for _, params in engine.engine.asked[1:]]  # type: ignore[attr-defined]
        ends = [(pair[0], pair[-1]) for pair in pairs]
        assert len(ends) == len(set(ends)) > 20


class TestLeading:
    def test_it_is_led_by_what_it_lists_itself(self) -> None:
        engine = able("led", LB)
        game = damspec.Game(LB)
        for move in ("11-15", "22-18", "15x22"):
            game.push(move)
        answer = engine.ask("moves", {"ruleset": "lb", "position": game.position.fen()})
        assert sorted(answer["moves"]) == ["25x18", "26x17"]
        last = engine.engine.asked[-1][1]  # type: ignore[attr-defined]
        assert last["position"] == "start"
        assert damspec.Game(LB).position.fen() != game.position.fen()
        replayed = damspec.Game(LB)
        for move in last["moves"]:
            replayed.push(move)
        assert replayed.position == game.position

    @pytest.mark.parametrize("way", ["led", "led-steps"])
    def test_cases_of_the_start_pass_and_what_is_not_reached_is_unsupported(self, way: str) -> None:
        start = [case for case in cases_for(LB) if case.position == "start" and case.question == "moves"]
        # White has never moved, and eleven pieces of Black are gone.
        fen = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B12"
        far = Case("lb.far", "lb", "man-move", "not to be reached", (), fen, start[0].expected)
        report = check_partial(way, LB, [*start, far])
        assert report.results[-1].message == NO_WAY
        assert statuses(report) == {"passed": len(start), "unsupported": 1}
        assert report.results[0].notes[0] == "led"

    def test_an_engine_that_does_not_list_a_move_of_the_game_is_not_led_on(self) -> None:
        engine = able("led-unwilling", LB)
        game = damspec.Game(LB)
        game.push(str(next(iter(game.legal_moves))))
        assert "cannot be led there: does not list 9-13" in refusal(
            UnsupportedError, engine.ask, "moves", {"ruleset": "lb", "position": game.position.fen()}
        )

    def test_games_begin_at_the_start(self) -> None:
        hello = able("led", ENGLISH).hello()
        games = fuzz(ENGLISH, lambda: able("led", ENGLISH), hello, FuzzConfig(games=1))
        assert games.positions > 10
        assert (games.divergences, games.unsupported) == ((), 0)


class TestConcluding:
    def test_who_cannot_move_has_lost(self) -> None:
        engine = able("silent", LB)
        assert engine.ask("outcome", {"ruleset": "lb", "position": "W:W21:B14,17"})["outcome"] == "black"
        assert engine.take_notes() == ("concluded",)

    def test_or_won_where_the_rules_say_so(self) -> None:
        losing = damspec.load_ruleset("lb+losing")
        engine = able("silent", losing)
        assert engine.ask("outcome", {"ruleset": losing.id, "position": "W:W21:B14,17"})["outcome"] == "white"

    def test_nothing_is_concluded_where_there_are_moves(self) -> None:
        engine = able("silent", LB)
        with pytest.raises(UnsupportedError, match=NO_OUTCOME):
            engine.ask("outcome", {"ruleset": "lb", "position": SEVERAL})

    def test_an_engine_that_lists_nothing_is_told_that_the_game_goes_on(self) -> None:
        ongoing = next(
            case
            for case in cases_for(LB)
            if case.expected.outcome is not None and case.expected.outcome.result == "ongoing"
        )
        report = check_partial("nothing-to-move", LB, [cases_for(LB)[0], ongoing])
        assert report.results[1].status == "failed"
        assert report.results[1].notes == ("concluded",)


class TestAsProcesses:
    """By the command, in both protocols."""

    COMMAND = (sys.executable, str(TESTS / "fakes" / "partial.py"))

    def test_the_report_says_how_it_was_asked(self, tmp_path: Path) -> None:
        journal = tmp_path / "run.jsonl"
        ran = command("check", "lb", "-k", CASES[8].id, "--journal", str(journal), "--", *self.COMMAND, "legal")
        assert "answered by moves that were probed, not listed" in ran.out
        assert ran.status == 0
        resumed = command("check", "lb", "-k", CASES[8].id, "--resume", str(journal), "--", *self.COMMAND, "legal")
        assert "answered by moves that were probed, not listed" in resumed.out
        assert '"notes": ["probed"]' in journal.read_text()

    @pytest.mark.parametrize("way", [pytest.param("led-steps", marks=pytest.mark.thorough), "legal-steps"])
    def test_plain_lines_can_do_the_same(self, way: str) -> None:
        words = ("--lines", "--no-cases", "--games", "1") if way == "led-steps" else ("--lines", "-k", CASES[8].id)
        assert "it lists single steps and jumps, which were joined into turns" in printed(
            "check", "lb", *words, "--", *self.COMMAND, way, "--lines"
        )


class TestPartsOfPositions:
    def test_a_kings_run_is_read_with_patience_too(self) -> None:
        board = damspec.load_ruleset("frisian").rules.board
        assert read_lenient_fen("w:wk46,37:b45:+0+246:H0", board) == "W:W37,K46:B45:+0+246"

    def test_a_game_leads_to_the_run_as_well_as_to_the_pieces(self) -> None:
        """A man is crowned on 1 and goes to 7: White's other man has not moved, so the king has made the last move."""
        frisian = damspec.load_ruleset("frisian")
        few = damspec.from_values({**frisian.values, "start.men": {"white": [6, 50], "black": [15]}}, frisian.id)
        reaching = LinePlanner(few)
        assert reaching.line("W:WK7,50:B24:+0+107") == ("6-1", "15-20", "1-7", "20-24")
        assert reaching.line("W:WK7,50:B24") is None

    def test_no_outcome_after_moves_is_concluded_from_a_list(self) -> None:
        """A draw by what went before shows in no list, and the position before the moves is another one."""
        engine = able("nothing-to-move-then", LB)
        with pytest.raises(UnsupportedError, match=NO_OUTCOME):
            engine.ask("outcome", {"ruleset": "lb", "position": LB.position().fen(), "moves": ["9-13"]})

    def test_a_game_with_lapses_is_unsupported_where_none_are_listed(self) -> None:
        case = next(case for case in cases_for(DE) if case.id == "de.game.three-lapses-in-a-row")
        report = check_partial("steps", DE, [case])
        assert [result.message for result in report.with_status("unsupported")] == ["does not list lapses"]
