"""Engines that list no moves, or that only play: what follows from their moves is reported, and no more."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

import damspec
from damspec import Move, Position, Ruleset, data, load_ruleset
from damspec_runner.answers.player import RulePlayer, keys, passes
from damspec_runner.cases.adapt import make_case
from damspec_runner.cases.answer import Question
from damspec_runner.cases.case import Case, Expectation
from damspec_runner.cases.cases import cases_for
from damspec_runner.engines import protocol
from damspec_runner.engines.hub import HubEngine
from damspec_runner.engines.process import Engine
from damspec_runner.engines.protocol import EngineError, Hello
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.mutants.mutants import Mutant, single_mutants
from damspec_runner.mutants.ruleset_diff import is_movement
from damspec_runner.verify.ask import ask, draw_positions
from damspec_runner.verify.candidates import candidates, offers
from damspec_runner.verify.capabilities import CapabilityAdapter
from damspec_runner.verify.explain.diagnosis import Diagnosis, explain
from damspec_runner.verify.explain.imitation import gives, has_answer
from damspec_runner.verify.games import FuzzConfig, fuzz
from damspec_runner.verify.report import wording
from damspec_runner.verify.report.serialize import as_json, read_reports
from damspec_runner.verify.report.wording import remarks
from damspec_runner.verify.result import Report, Result
from damspec_runner.verify.run import RunConfig, check
from fake_engines import InProcess, able, check_partial
from runner_fixtures import DAMSPEC, TESTS, printed, refused
from runner_fixtures import damspec as damspec_command
from runs import usually

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
    assert '"method":"plays"' in (wrong.request or "")
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
    assert "(legal, not played)" in printed(*words, "--", *wrong, status=1)
    assert "Hub has no word for where the sliders are" in refused(
        "check", "nl-trapdoor", "--hub", "--", *serve, status=3
    )


# --- Engines that list no moves: a wrong rule in one that speaks Hub is found and named, by probing and by play.


INTERNATIONAL = load_ruleset("international")
CASES = cases_for(INTERNATIONAL)
#: The same positions are offered the same moves whoever is asked.
OFFERS = partial(offers, INTERNATIONAL)
MUTANTS = {mutant.name: mutant for mutant in single_mutants(INTERNATIONAL) if is_movement(mutant.rules_changed[0])}
#: Changes that show in no list of moves in any case: in the place of a duty that another rule makes moot, or in what
#: becomes of a man.
UNSEEN = frozenset(
    {
        "king.capture.finish = continuing",
        "capture.duty = huffing",
        "capture.completion = may-stop",
        "promotion.rows = 2",
        "promotion.rows = 3",
        "promotion.return = not-crowned",
    }
)
#: Hidden in every run, and asked about a few cases; the others in a slow run, about all.
HIDDEN = ("capture.duty = optional", "man.capture.first = [forward-diagonals]", "capture.removal = at-once")


def probed(name: str, cases: Sequence[Case]) -> Report:
    """What is found of an engine that speaks Hub and has a change of the rules hidden in it."""
    command = [sys.executable, str(TESTS / "fakes" / "hub_engine.py"), name]
    board = INTERNATIONAL.rules.board
    once = RunConfig(second_asks=0)
    return check(
        INTERNATIONAL, cases, lambda: HubEngine(command, board, OFFERS, timeout=60.0), label=name, run_config=once
    )


def is_short(case: Case) -> bool:
    """Whether a case is about moves, and about none that takes other rules long to follow."""
    return case.expected.moves is not None and all(text.count("x") < 9 for text in case.expected.moves)


def named(found: Diagnosis) -> set[str]:
    return {name for fit in found.complete for name in fit.hypothesis.names}


@pytest.mark.parametrize("name", usually(HIDDEN[:1], HIDDEN, HIDDEN[2:]))
def test_a_wrong_rule_hidden_in_an_engine_is_named(name: str) -> None:
    told, player = [case for case in CASES if is_short(case)], RulePlayer(MUTANTS[name].ruleset)
    wrong = [case for case in told if not passes(player, Question(case, INTERNATIONAL))][:4]
    right = [case for case in told if case not in wrong][:12:3]
    report = probed(name, [*wrong, *right])
    assert report.hello.manner == "probed"
    assert report.counts["failed"] >= len(wrong) > 2
    found = explain(report)
    assert name in named(found)
    assert len(found.complete) < 4


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_every_wrong_rule_of_movement_is_named(name: str) -> None:
    report = probed(name, CASES)
    assert report.counts["error"] == report.counts["timeout"] == 0
    assert (report.counts["failed"] > 0) == (name not in UNSEEN)
    assert name in UNSEEN or name in named(explain(report))


def test_where_moves_lead_is_not_held_against_an_explanation_if_nobody_asked() -> None:
    """By the rules of three rows for crowning a man is crowned where none is, and lists the same moves."""
    report = asked_without_play("promotion.rows = 3")
    assert report.counts["failed"] == 0
    player = RulePlayer(MUTANTS["promotion.rows = 3"].ruleset)
    assert all(gives(player, each, with_successors=False) for each in report.results if has_answer(each))
    assert not all(passes(player, each.question) for each in report.results)


def asked_without_play(name: str) -> Report:
    """What is found of rules that list moves and do not say where these lead."""

    class Listing(InProcessEngine):
        def hello(self):  # type: ignore[no-untyped-def]
            return replace(super().hello(), questions=frozenset({"moves"}))

    return check(INTERNATIONAL, CASES, lambda: Listing(MUTANTS[name].ruleset), label=name)


# --- played


PLAYED = replace(HELLO, questions=frozenset({"plays"}), manner="played")


class Playing(InProcessEngine):
    """Plays any of the moves that some rules list."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.ruleset)

    def hello(self):  # type: ignore[no-untyped-def]
        return PLAYED

    def ask(self, method, params):  # type: ignore[no-untyped-def]
        assert method == "plays"
        moves = super().ask("moves", params)["moves"]
        if not moves:
            raise EngineError("refused", "there is no move")
        return {"move": random.Random(params["position"]).choice(moves)}


@pytest.mark.parametrize("name", usually(("capture.duty = optional", "king.move.reach = 1"), HIDDEN, ()))
def test_a_wrong_rule_is_named_by_what_is_played(name: str) -> None:
    report = check(INTERNATIONAL, CASES, lambda: Playing(MUTANTS[name]), label=name)
    assert {result.status for result in report.results} <= {"passed", "failed", "unsupported"}
    assert report.counts["failed"] > 0
    assert name in named(explain(report))
    (again,) = read_reports(json.loads(json.dumps(as_json([report]))), "report")
    assert again.hello.manner == "played"
    assert [result.played for result in again.results] == [result.played for result in report.results]


def test_most_positions_drawn_have_one_legal_move() -> None:
    found = [position for _, position in draw_positions(INTERNATIONAL, 40, 7)]
    numbers = [len(keys(INTERNATIONAL.turns.actions(position))) for position in found]
    assert numbers[:30] == [1] * 30
    assert all(numbers)
    assert all(position.occupied("white") and position.occupied("black") for position in found)
    assert found == [position for _, position in draw_positions(INTERNATIONAL, 40, 7)]
    assert found != [position for _, position in draw_positions(INTERNATIONAL, 40, 8)]


# --- Engines that end captures too early: such a capture is not taken for the longer legal one.


VL = damspec.load_ruleset("vl")
#: The king has to take all five: over 25 to 22, and on by 15, 24 and 31 to one of three squares. 29x22 takes one.
FEN = "W:WK29:B18,19,25,26,27"
LEGAL = ("29x22x15x24x31x13", "29x22x15x24x31x17", "29x22x15x24x31x22")
#: After the whole round that ends on 22, and after 29x22 alone.
ROUND, SHORT = "B:WK22:B", "B:WK22:B18,19,26,27"


class CannedEngine(Engine):
    """An engine in this process with fixed lists and positions, by the position and the hops so far."""

    def __init__(self, answers: Mapping[str, Any], **said: Any) -> None:
        self._answers, self._said = answers, said

    def hello(self) -> Hello:
        questions = ["moves", *(["play"] if "play" in self._answers else [])]
        return protocol.hello({"name": "fixed", "version": "1", "rulesets": "*", "questions": questions, **self._said})

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        if method == "moves":
            hops = "".join(params.get("moves", ()))
            return {"moves": self._answers["moves"].get(hops, [])}
        if params["move"] not in self._answers["play"]:
            raise EngineError("refused", "no such move")
        return {"position": self._answers["play"][params["move"]]}

    def close(self) -> None:
        pass


def checked(answers: Mapping[str, Any], **said: Any) -> Report:
    case = make_case(VL, VL.position(FEN), "moves", "vl.multi-jump.x", "multi-jump")
    return check(
        VL,
        [case],
        lambda: CapabilityAdapter(CannedEngine(answers, **said), VL),
        label="fixed",
        run_config=RunConfig(second_asks=0),
    )


def only(answers: Mapping[str, Any], **said: Any) -> Result:
    (result,) = checked(answers, **said).results
    return result


def test_a_capture_that_stops_short_fails_without_play() -> None:
    report = checked({"moves": {"": ["29x22"]}})
    (result,) = report.results
    assert (result.status, result.missing, result.extra) == ("failed", LEGAL, ("29x22",))
    assert result.notes == ("ambiguous",)
    assert any("possible as it is listed" in line for line in wording.remarks(report))


def test_the_position_after_it_tells_a_short_form_from_a_short_capture() -> None:
    others = list(LEGAL[:2])
    after = {move: f"B:WK{move[-2:]}:B" for move in others}
    right = only({"moves": {"": [*others, "29x22"]}, "play": {**after, "29x22": ROUND}})
    assert (right.status, right.notes) == ("passed", ())
    wrong = only({"moves": {"": [*others, "29x22"]}, "play": {**after, "29x22": SHORT}})
    assert (wrong.status, wrong.missing, wrong.extra, wrong.after) == ("failed", LEGAL[2:], ("29x22",), {})
    assert '"method":"moves"' in (wrong.request or "")
    refused = only({"moves": {"": [*others, "29x22"]}, "play": after})
    assert (refused.status, refused.extra) == ("failed", ("29x22",))


def test_hops_that_stop_short_are_missing_and_extra_moves() -> None:
    """Where hops end the notation is whole: nothing is filled in, and nothing is said of a position after it."""
    result = only({"moves": {"": ["29x22"]}, "play": {"29x22": SHORT}}, steps=True)
    assert (result.status, result.missing, result.extra, result.after) == ("failed", LEGAL, ("29x22",), {})
    leap = only({"moves": {"": ["29x31"]}, "play": {"29x31": "B:WK31:B"}}, steps=True)
    assert (leap.status, leap.missing, leap.extra) == ("failed", LEGAL, ("29x31",))


class FromTo(InProcessEngine):
    """The reference with captures named by their first and last square where that means one move only."""

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        listed = super().ask("moves", params)["moves"]
        ends = [f"{move.split('x')[0]}x{move.split('x')[-1]}" for move in listed]
        alone = [end if "x" in move and ends.count(end) == 1 else move for move, end in zip(listed, ends, strict=True)]
        named = dict(zip(alone, listed, strict=True))
        if method == "moves":
            return {"moves": list(named)}
        return super().ask(method, {**params, "move": named[params["move"]]} if method == "play" else params)


def test_short_forms_in_games_are_told_by_where_they_lead() -> None:
    """Games that begin where 29x22 is listed for the whole round: nothing differs, and nothing is called flaky."""
    games = fuzz(VL, lambda: FromTo(VL), HELLO, FuzzConfig(games=40, seed=1), [VL.position(FEN)])
    assert (games.divergences, games.games) == ((), 40)


# --- Moves to try on an engine that lists none, against what changed rules list and against lines drawn by hand.


def tried(ruleset: Ruleset, fen: str) -> list[str]:
    return [str(action) for action in candidates(ruleset, ruleset.position(fen))]


def test_the_legal_moves_come_first_and_lapses_follow() -> None:
    assert tried(load_ruleset("lb"), "W:W21,22:B10,17,18")[:3] == ["21x14x7", "22x13", "22x15x6"]
    assert tried(load_ruleset("de"), "W:W22,32:B1,18")[:4] == ["22x15", "22-17", "32-27", "32-28"]


def test_each_is_given_once() -> None:
    ruleset = load_ruleset("international")
    found = candidates(ruleset, Position.start(ruleset.rules))
    assert len(keys(found)) == len(found)


def test_what_the_duty_to_capture_forbids_is_among_them() -> None:
    """On 32 a man that could step to 27 and 28; on 22 one that captures over 18 and could step to 17."""
    found = tried(load_ruleset("international"), "W:W32:B28")
    assert found[0] == "32x23"
    assert {"32-27", "32-28", "32-38", "32x19"} <= set(found)  # aside, onto a piece, backwards, too far


def test_the_moves_of_the_other_side_are_among_them() -> None:
    """By geometry alone: black's man on 1 steps forward to 6 and 7 though White is to move."""
    assert {"1-6", "1-7"} <= set(tried(load_ruleset("international"), "W:W32:B1"))


@pytest.mark.parametrize("id", usually((), ["international", "turkish", "de", "nl-trapdoor"], ["de", "nl-trapdoor"]))
def test_all_that_a_change_of_one_rule_lists_is_among_them(id: str) -> None:
    ruleset = load_ruleset(id)
    fen = {"de": "W:W22,K29:B1,15,18", "nl-trapdoor": "W:W26,31,K29:BK14,16:spin=green"}.get(
        id, "W:W32,33,K46:B9,18,28,29,K5"
    )
    position = ruleset.position(fen)
    found = keys(candidates(ruleset, position))
    for mutant in single_mutants(ruleset):
        player = RulePlayer(mutant.ruleset)
        if mutant.ruleset.rules.board == ruleset.rules.board:
            seen = player.fit(position)
            assert keys([*player.actions(seen), *player.lapsing(seen)]) <= found, mutant.name


def test_a_man_that_comes_to_the_promotion_row_is_crowned() -> None:
    ruleset = load_ruleset("international")
    found = {str(move): move for move in candidates(ruleset, ruleset.position("W:W7:B40"))}
    crowning, backwards = found["7-1"], found["7-12"]
    assert isinstance(crowning, Move)
    assert isinstance(backwards, Move)
    assert crowning.promotes
    assert not backwards.promotes
