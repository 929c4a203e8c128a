"""Fuzzing: a right engine is never blamed, a fault is found, minimised and reported; pipelined games find the same."""

from __future__ import annotations

import itertools
import json
import random
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import damspec
from damspec import Position, Ruleset, data
from damspec.mutations import equivalent_mutants
from damspec.position import without
from damspec.validity import fewest_pieces, find_invalidity, may_be_reached, phases
from damspec_runner.answers.player import RulePlayer
from damspec_runner.cases.cases import cases_for
from damspec_runner.engines.process import Engine, SubprocessEngine
from damspec_runner.engines.protocol import EngineError, Hello, Question, UnsupportedError
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.mutants.mutants import Mutant, single_mutants
from damspec_runner.mutants.ruleset_diff import in_no_position
from damspec_runner.positions.enumeration import all_positions, in_phases, promotion_rows, sides, slider_positions
from damspec_runner.verify.explain.diagnosis import explain
from damspec_runner.verify.explain.engine_under_test import filter_differing
from damspec_runner.verify.games import FuzzConfig, fuzz
from damspec_runner.verify.report import FORMATS, Format, render
from damspec_runner.verify.report.serialize import as_json, read_reports
from damspec_runner.verify.result import RIGHT_ALONE, FuzzResult
from damspec_runner.verify.run import INTERRUPTED
from damspec_runner.verify.shrink import shrink
from reports import CLEAN, FOUND, GAMES, ON_LB, SHOWN, WRONG
from runner_fixtures import DAMSPEC
from runs import usually

ENGLISH = damspec.load_ruleset("english")
OTHERS = ("russian", "brazilian", "pool", "international")
Answer = Callable[[str, Mapping[str, Any], Any], Any]


class Changed(InProcessEngine):
    """An engine whose right answers are changed by a function of the question, its parameters and the answer."""

    def __init__(self, ruleset: Ruleset, change: Answer) -> None:
        super().__init__(ruleset)
        self.change = change

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        return self.change(method, params, super().ask(method, params))


def capped(method: str, params: Mapping[str, Any], answer: Any) -> Any:
    """Has room for ten moves."""
    return {**answer, "moves": answer["moves"][:10]} if method == "moves" else answer


def mutant(ruleset: Ruleset, name: str) -> Ruleset:
    return next(mutant.ruleset for mutant in single_mutants(ruleset) if mutant.name == name)


def games_of(
    start: Callable[[], Engine], number: int, *, ruleset: Ruleset = ENGLISH, hello: Hello = HELLO, **more: Any
) -> FuzzResult:
    """What random games bring to light, half of them from the cases' positions and drawn ones."""
    origins = [ruleset.position(case.position) for case in cases_for(ruleset)]
    scope = FuzzConfig(games=number, seed=more.pop("seed", 0), seconds=more.pop("seconds", None))
    return fuzz(ruleset, start, hello, scope, origins, **more)


def pieces(games: FuzzResult, ruleset: Ruleset = ENGLISH) -> list[int]:
    """How many pieces each position found has."""
    return [len(ruleset.position(found.result.case.position)) for found in games.divergences]


@pytest.mark.parametrize("name", ["english", "de", "nl-trapdoor", "vl?king-slides=twice"])
def test_who_plays_right_is_never_blamed(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    games = games_of(lambda: InProcessEngine(ruleset), 12, ruleset=ruleset)
    assert games.divergences == ()
    assert games.games == 12
    assert games.positions > 150
    # Of each position moves and outcome are asked, and where it goes on the position after a move.
    assert 2 * games.positions < games.questions <= 3 * games.positions
    assert games.ended is None


class Strict(InProcessEngine):
    """It takes no position whose last mover has no piece, and is right in all others."""

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        turn, white, black = params["position"].split(":")
        if (black if turn == "W" else white) in ("W", "B"):
            raise EngineError("refused", f"answered {method} with error -32602: nobody can have moved")
        return super().ask(method, params)


@pytest.mark.parametrize("name", ["english", *(pytest.param(id, marks=pytest.mark.thorough) for id in OTHERS)])
def test_no_game_begins_where_nobody_can_have_moved(name: str) -> None:
    """One of these 60 games of english began with B:W:B5,K26,K29."""
    ruleset = damspec.load_ruleset(name)
    games = games_of(lambda: Strict(ruleset), 60, ruleset=ruleset)
    assert (games.divergences, games.games) == ((), 60)


def test_positions_of_a_persons_own_are_asked_as_they_are() -> None:
    config = FuzzConfig(positions=((1, ENGLISH.position("B:W:BK29")),))
    (found,) = fuzz(ENGLISH, lambda: Strict(ENGLISH), HELLO, config).divergences[:1]
    assert (found.result.status, found.result.case.position) == ("error", "B:W:BK29")


def test_a_list_that_is_cut_off_is_found_within_a_thousand_positions() -> None:
    games = games_of(lambda: Changed(ENGLISH, capped), 25, seed=2)
    assert games.positions <= 1000
    (found,) = games.divergences
    # Men have two moves at most, kings four: a piece fewer, and there are no more than ten.
    position = ENGLISH.position(found.result.case.position)
    assert len(damspec.legal_moves(ENGLISH, position)) in (11, 12, 13, 14)
    assert found.result.missing
    assert found.result.extra == ()
    assert found.rules == ()
    assert len(position) < len(ENGLISH.position(found.first))
    for square in position:
        fewer = without(position, position.board.bit(square))
        assert len(damspec.legal_moves(ENGLISH, fewer)) <= 10 or not may_be_reached(ENGLISH.turns, fewer)


def test_a_fault_in_kings_captures_alone() -> None:
    """A king that jumps from afar: a king and a man with a square between them show it."""
    flying = mutant(ENGLISH, "king.capture.reach = any")
    games = games_of(lambda: InProcessEngine(flying), 20)
    (found,) = games.divergences
    assert pieces(games) == [2]
    assert found.rules == ("king.capture.reach",)
    assert found.result.extra
    assert found.times > 1
    assert found.result.case.clauses
    assert set(found.result.case.clauses) <= set(ENGLISH.rests_on["king.capture.reach"])
    assert "In doubt: king.capture.reach. Came up in game" in found.result.case.why


def test_a_position_after_a_move_that_is_wrong() -> None:
    def forgets_to_crown(method: str, params: Mapping[str, Any], answer: Any) -> Any:
        return {"position": answer["position"].replace("K", "")} if method == "play" else answer

    games = games_of(lambda: Changed(ENGLISH, forgets_to_crown), 20)
    assert games.divergences
    assert all(found.result.after for found in games.divergences)
    # A man before the promotion row, or a king that moves, and a piece of the side that moved last.
    assert min(pieces(games)) == 2


def test_a_wrong_outcome() -> None:
    def never_ends(method: str, params: Mapping[str, Any], answer: Any) -> Any:
        return {"outcome": "ongoing"} if method == "outcome" else answer

    (found,) = games_of(lambda: Changed(ENGLISH, never_ends), 20, seed=2).divergences
    assert found.result.outcome is not None
    assert found.result.outcome.got == "ongoing"
    assert found.result.case.id.endswith(".outcome")
    assert len(ENGLISH.position(found.result.case.position)) == 1  # the other side has nothing left


def test_two_faults_are_found_apart() -> None:
    flying = mutant(ENGLISH, "king.capture.reach = any")
    games = games_of(lambda: Changed(flying, capped), 20)
    assert len(games.divergences) >= 2
    assert ("king.capture.reach",) in [found.rules for found in games.divergences]
    assert () in [found.rules for found in games.divergences]


def test_a_seed_plays_the_same_games_whatever_the_number_of_processes() -> None:
    """Two faults, in games that two more engines play at once: the report is that of one engine."""
    flying = mutant(ENGLISH, "king.capture.reach = any")
    one, same = (
        replace(games_of(lambda: Changed(flying, capped), 5, seed=3, jobs=jobs), seconds=0.0) for jobs in (1, 2)
    )
    assert one == same
    assert one.seed == 3
    assert one.positions != games_of(lambda: InProcessEngine(ENGLISH), 5, seed=4).positions


def test_engines_play_at_once() -> None:
    """Neither of two engines goes on before the other has been asked too."""
    meeting, done = threading.Barrier(2), list[int]()

    class Waits(InProcessEngine):
        asked = 0

        def ask(self, method: str, params: Mapping[str, Any]) -> Any:
            self.asked += 1
            if self.asked == 1:
                meeting.wait(timeout=10)
            return super().ask(method, params)

    games = games_of(lambda: Waits(ENGLISH), 4, jobs=2, report_progress=done.append)
    assert (games.games, games.divergences, games.ended) == (4, (), None)
    assert done == [1, 2, 3, 4]


def test_a_game_does_not_depend_on_those_before_it() -> None:
    """So that a disagreement in game 7 comes up in game 7 when fewer are played."""
    flying = mutant(ENGLISH, "king.capture.reach = any")
    many, few = (games_of(lambda: InProcessEngine(flying), number) for number in (12, 7))
    place = few.divergences[0].result.case.id
    assert many.divergences[0].first == few.divergences[0].first
    assert place.startswith("game-")


def test_other_notations_are_no_disagreement() -> None:
    def in_short(method: str, params: Mapping[str, Any], answer: Any) -> Any:
        if method != "moves":
            return answer
        position = ENGLISH.position(params["position"])
        return {"moves": [shortest(position, move) for move in reversed(answer["moves"])]}

    def shortest(position: Position, move: str) -> Any:
        found = damspec.legal_moves(ENGLISH, position).find(move)
        assert isinstance(found, damspec.Move)
        return {"move": f"{found.start}x{found.end}", "captured": list(found.captured)} if found.captured else move

    class Objects(Changed):
        def ask(self, method: str, params: Mapping[str, Any]) -> Any:
            move = params.get("move")
            if isinstance(move, dict):
                params = {**params, "move": move["move"]}
            return super().ask(method, params)

    assert games_of(lambda: Objects(ENGLISH, in_short), 15).divergences == ()


def test_an_engine_that_dies_of_kings() -> None:
    def dies(method: str, params: Mapping[str, Any], answer: Any) -> Any:
        if "K" in params["position"]:
            raise EngineError("died", f"ended while asked {method}, exit status 7")
        return answer

    games = games_of(lambda: Changed(ENGLISH, dies), 50, restarts=3)
    (found,) = games.divergences
    assert found.result.status == "error"
    assert found.result.kind == "died"
    assert found.result.message == "ended while asked moves, exit status 7"
    assert found.result.case.position in (found.result.request or "")
    assert pieces(games) == [1]  # a king of the side that moved last, which has taken everything
    assert games.ended == "the engine was given up after breaking 4 times"


def test_what_a_process_keeps_is_told_from_rules() -> None:
    """Wrong from its fiftieth question on, and right when it is asked anew: no position is to blame."""

    class Forgetful(InProcessEngine):
        asked = 0

        def ask(self, method: str, params: Mapping[str, Any]) -> Any:
            self.asked += 1
            answer = super().ask(method, params)
            return {**answer, "moves": answer["moves"][1:]} if method == "moves" and self.asked > 50 else answer

    found = games_of(lambda: Forgetful(ENGLISH), 4).divergences
    assert {one.result.status for one in found} == {"unstable"}
    assert found[0].result.message == RIGHT_ALONE
    assert found[0].result.case.position == found[0].first


def test_an_answer_that_changes_is_unstable() -> None:
    count = itertools.count(1)

    def now_and_then(method: str, params: Mapping[str, Any], answer: Any) -> Any:
        wrong = method == "moves" and next(count) % 20 == 0
        return {**answer, "moves": []} if wrong else answer

    (found,) = games_of(lambda: Changed(ENGLISH, now_and_then), 4).divergences
    assert (found.result.status, found.result.message) == ("unstable", "answers differ when asked again")


def test_what_an_engine_does_not_answer_is_counted() -> None:
    def no_kings(method: str, params: Mapping[str, Any], answer: Any) -> Any:
        if "K" in params["position"]:
            raise UnsupportedError("no kings here")
        return answer

    games = games_of(lambda: Changed(ENGLISH, no_kings), 10)
    assert games.divergences == ()
    assert 0 < games.unsupported < games.positions


@pytest.mark.parametrize(
    "questions",
    [{"moves"}, {"outcome"}, {"moves", "outcome"}, {"moves", "play"}],
    ids=lambda asked: " ".join(sorted(asked)),
)
def test_only_what_it_says_it_answers_is_asked(questions: set[str]) -> None:
    seen: set[str] = set()

    def noting(method: str, params: Mapping[str, Any], answer: Any) -> Any:
        seen.add(method)
        return answer

    hello = replace(HELLO, questions=frozenset(questions))
    assert games_of(lambda: Changed(ENGLISH, noting), 3, hello=hello).divergences == ()
    assert seen == questions


def test_an_open_reading_is_no_fault() -> None:
    """From where a king captures is unclear, and chosen with medium confidence."""
    vl = damspec.load_ruleset("vl")
    query = "king-capture=adjacent"
    games = games_of(lambda: InProcessEngine(vl.with_reading(query)), 15, ruleset=vl)
    (found,) = games.divergences
    assert found.result.status == "reading"
    assert str(found.result.reading).startswith("king-capture=")
    assert "king.capture.reach" in found.rules


def test_an_interruption_leaves_what_was_found() -> None:
    flying = mutant(ENGLISH, "king.capture.reach = any")
    count = itertools.count()

    def interrupted(method: str, params: Mapping[str, Any], answer: Any) -> Any:
        if next(count) == 2500:
            raise KeyboardInterrupt
        return answer

    games = games_of(lambda: Changed(flying, interrupted), 1000)
    assert games.ended == INTERRUPTED
    assert [found.rules for found in games.divergences] == [("king.capture.reach",)]


def test_an_end_by_time() -> None:
    games = games_of(lambda: InProcessEngine(ENGLISH), 100_000, seconds=0.3)
    assert 0 < games.games < 100_000
    assert str(games.ended).startswith("the 0.3 seconds were over after ")
    as_many_as_fit = fuzz(ENGLISH, lambda: InProcessEngine(ENGLISH), HELLO, FuzzConfig(seconds=0.3))
    assert as_many_as_fit.games > 0
    assert as_many_as_fit.ended is None


def test_so_many_different_ones_and_no_more() -> None:
    games = games_of(lambda: Changed(mutant(ENGLISH, "king.capture.reach = any"), capped), 100, most=1)
    assert len(games.divergences) == 1
    assert games.ended == "1 different disagreements were found"


class TestGivenPositions:
    """Positions of a file: each compared in full, called by its line."""

    def compared(self, start: Callable[[], Engine], *fens: str) -> FuzzResult:
        given = tuple((line, ENGLISH.position(fen)) for line, fen in enumerate(fens, 1))
        return fuzz(ENGLISH, start, HELLO, FuzzConfig(positions=given))

    def test_right_answers(self) -> None:
        games = self.compared(lambda: InProcessEngine(ENGLISH), "W:W22:B18", "B:W22:BK9")
        assert (games.seed, games.games, games.positions, games.questions, games.divergences) == (None, 0, 2, 4, ())

    def test_a_wrong_answer_is_made_small(self) -> None:
        """The man on 32 has nothing to do with the king on 9, which takes the man on 18 from afar."""
        flying = mutant(ENGLISH, "king.capture.reach = any")
        games = self.compared(lambda: InProcessEngine(flying), "W:W22:B17", "B:W18,32:BK9")
        (found,) = games.divergences
        assert found.result.case.id == "position-2"
        assert found.first == "B:W18,32:BK9"
        assert pieces(games) == [2]
        assert found.result.case.why.startswith("In doubt: king.capture.reach. Came up in line 2.")


# --- Pipelined games: the same findings as when one question is asked at a time.


SERVE = [*DAMSPEC, "serve"]
HELLO_AHEAD = replace(HELLO, max_in_flight=64)


class RecordingEngine(InProcessEngine):
    """An engine that notes what it is asked, and how; `change` may change its answers."""

    def __init__(self, ruleset: damspec.Ruleset = ENGLISH) -> None:
        super().__init__(ruleset)
        self.one_by_one: list[str] = []
        self.sent: list[str] = []

    def change(self, method: str, position: str, answer: Any) -> Any:
        return answer

    def answer(self, method: str, params: Mapping[str, Any]) -> Any:
        return self.change(method, params["position"], super().ask(method, params))

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        self.one_by_one.append(params["position"])
        return self.answer(method, params)

    def ask_all(self, questions: Sequence[Question]) -> Generator[Any]:
        for method, params in questions:
            self.sent.append(params["position"])
            try:
                yield self.answer(method, params)
            except (UnsupportedError, EngineError) as error:
                if getattr(error, "kind", None) == "died":
                    raise
                yield error


def pipelined_games_of(
    engine: Engine, *, ahead: bool = True, number: int = 6, ruleset: damspec.Ruleset = ENGLISH
) -> FuzzResult:
    hello = HELLO_AHEAD if ahead else HELLO
    return fuzz(ruleset, lambda: engine, hello, FuzzConfig(games=number))


def said(games: FuzzResult) -> tuple[Any, ...]:
    """What games brought to light, and how much was asked."""
    found = [
        (one.result.case.id, one.result.status, one.result.faults(), one.first, one.times) for one in games.divergences
    ]
    return found, games.games, games.positions, games.questions, games.unsupported


@pytest.mark.parametrize("name", ["english", "de", "nl-trapdoor"])
def test_who_plays_right_is_asked_nothing_a_second_time(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    engine, other = RecordingEngine(ruleset), RecordingEngine(ruleset)
    games = pipelined_games_of(engine, ruleset=ruleset)
    assert games.divergences == ()
    assert engine.one_by_one == []
    assert said(games) == said(pipelined_games_of(other, ahead=False, ruleset=ruleset))
    assert other.one_by_one == engine.sent


@pytest.mark.thorough
def test_a_wrong_list_a_wrong_position_and_no_answer_are_found_alike() -> None:
    class Capped(RecordingEngine):
        def change(self, method: str, position: str, answer: Any) -> Any:
            if "K2," in position:
                raise UnsupportedError("no king on 2")
            if method == "play":
                return {"position": answer["position"].replace("K31", "31")}
            return {**answer, "moves": answer["moves"][:9]} if method == "moves" else answer

    found = pipelined_games_of(Capped(), number=12), pipelined_games_of(Capped(), number=12, ahead=False)
    assert len(found[0].divergences) > 1
    assert said(found[0])[:3] == said(found[1])[:3]
    assert found[0].unsupported == found[1].unsupported > 0


def test_a_move_in_another_notation_is_played_in_it() -> None:
    class Short(RecordingEngine):
        def change(self, method: str, position: str, answer: Any) -> Any:
            short = [move.replace("x", ":") for move in answer.get("moves", ())]
            return {**answer, "moves": short} if method == "moves" else answer

    engine = Short()
    assert pipelined_games_of(engine).divergences == ()
    assert engine.one_by_one, "the moves in its own words were not played"


def test_a_position_that_breaks_it_is_found() -> None:
    class Dies(RecordingEngine):
        def change(self, method: str, position: str, answer: Any) -> Any:
            if "K" in position:
                raise EngineError("died", f"ended while asked {method}")
            return answer

    engine = Dies()
    games = pipelined_games_of(engine, number=30)
    assert [(one.result.status, one.result.kind) for one in games.divergences] == [("error", "died")]
    assert "K" in games.divergences[0].first


def test_an_engine_that_breaks_once_is_not_taken_for_a_right_one() -> None:
    class DyingOnce(RecordingEngine):
        asked = 0

        def change(self, method: str, position: str, answer: Any) -> Any:
            self.asked += 1
            if self.asked == 40:
                raise EngineError("died", f"ended while asked {method}")
            return answer

    (found,) = pipelined_games_of(DyingOnce()).divergences
    assert (found.result.status, found.result.message) == ("unstable", "answers differ when asked again")


def test_the_reference_as_a_process() -> None:
    with SubprocessEngine(SERVE) as engine:
        hello = engine.hello()
    assert hello.max_in_flight > 1
    games = fuzz(ENGLISH, lambda: SubprocessEngine(SERVE), hello, FuzzConfig(games=5))
    assert said(games) == said(pipelined_games_of(RecordingEngine(), number=5, ahead=False))


# --- Findings from games in every form of a report: shown as failed cases are, and complete.


def test_it_fails_the_run() -> None:
    assert not SHOWN.clean()
    assert CLEAN.clean()
    reading = replace(FOUND, result=replace(WRONG, status="reading", reading="origin=occupied"))
    only_read = replace(SHOWN, games=replace(GAMES, divergences=(reading,)))
    assert (only_read.clean(), only_read.clean(strict=True)) == (True, False)


def test_json_has_its_schema() -> None:
    content = json.loads(render([SHOWN, CLEAN], "json"))
    assert data.schema_problem(content, "report") is None
    one, other = (report["games"] for report in content["reports"])
    assert {name: one[name] for name in ("seed", "games", "positions", "questions", "unsupported")} == {
        "seed": 4,
        "games": 20,
        "positions": 700,
        "questions": 2000,
        "unsupported": 2,
    }
    assert one["found"][0]["first"] == "B:W18,32:BK9"
    assert one["found"][0]["rules"] == ["king.capture.reach"]
    assert "seed" not in other
    content["reports"][0]["games"]["found"][0]["id"] = "17"
    assert data.schema_problem(content, "report") is not None
    for line in render([SHOWN], "jsonl").splitlines():
        assert data.schema_problem(json.loads(line), "journal") is None


@pytest.mark.thorough
def test_a_saved_report_is_explained_with_it() -> None:
    (report,) = read_reports(as_json([SHOWN]), "a report")
    assert explain(report).failures == 1


@pytest.mark.parametrize("form", FORMATS)
def test_an_interruption_is_said(form: Format) -> None:
    cut = replace(ON_LB, interrupted=True, games=FuzzResult(1, 2, 30, 90, ended=INTERRUPTED))
    text = render([cut], form)
    if form in ("pretty", "markdown", "html", "json", "jsonl", "tap"):
        assert "interrupted" in text
    if form == "tap":
        assert "ok 1 - games # SKIP not asked: the run was interrupted" in text


# --- Making a position small: what is left still shows it, nothing can be taken away, and little more than must be.


LB = damspec.load_ruleset("lb")
#: Rulesets of each kind: short and flying kings, a large board, huffing, trapdoors.
SEVERAL = ["english", "russian", "international", "vl", "de", "nl-trapdoor"]
#: Pieces more than the fewest that show a change.
MORE = 2


def position(fen: str, name: str = "lb") -> Position:
    return damspec.load_ruleset(name).position(fen)


def test_pieces_that_do_not_matter_go() -> None:
    seen: list[Position] = []

    def shows(smaller: Position) -> bool:
        seen.append(smaller)
        return bool(smaller.white_kings) and len(smaller) >= 1

    assert shrink(position("W:W21,22,23,K24:B1,2,3,4"), shows).fen() == "W:WK24:B"
    assert len(seen) == len(set(seen)), "asked twice"


def test_kings_become_men_where_that_still_shows_it() -> None:
    assert shrink(position("B:WK14,K21:BK9,K12"), lambda p: 14 in p and 9 in p).fen() == "B:W14:B9"


def test_what_is_pending_goes_and_doors_shut() -> None:
    before = position("W:W22,31:BK15,16:sliders=MLMR:spin=green", "nl-trapdoor")
    assert shrink(before, lambda p: 31 in p).fen() == "W:W31:B:sliders=MMMM"
    assert shrink(before, lambda p: 31 in p and p.sliders is not None and p.sliders[1] == "L").sliders == "MLMM"


def test_two_pieces_go_together() -> None:
    """An even number is wanted: no piece can go alone."""
    assert len(shrink(position("W:W21,22,23:B1,2,3"), lambda p: len(p) % 2 == 0 and len(p) > 0)) == 2


def test_a_piece_moves_where_it_can_stand_for_another() -> None:
    """Wanted are three pieces, or two of which one stands on 32."""
    found = shrink(position("W:W21,22:B1"), lambda p: len(p) == 3 or (len(p) == 2 and 32 in p))
    assert len(found) == 2
    assert 32 in found


@cache
def shown(name: str) -> tuple[Mutant, ...]:
    """The changes that a position of a game can show: not those proved to show nowhere, nor who begins, nor what counts
    what went before.
    """
    mutants = single_mutants(damspec.load_ruleset(name))
    return tuple(
        m
        for m in mutants
        if (name, m.name) not in equivalent_mutants() and not all(map(in_no_position, m.rules_changed))
    )


def faults_of(ruleset: Ruleset, hidden: Mutant, number: int) -> str | None:
    """What is wrong with the position that games find for a hidden change; None if it is as small as it should be."""
    origins = [ruleset.position(case.position) for case in cases_for(ruleset)]
    games = fuzz(
        ruleset, lambda: InProcessEngine(hidden.ruleset), HELLO, FuzzConfig(games=number, seed=1), origins, most=1
    )
    if not games.divergences:
        return f"{ruleset.id}: {hidden.name}: not found in {games.positions} positions"
    found = ruleset.position(games.divergences[0].result.case.position)
    for fewer in range(fewest_pieces(ruleset.rules), len(found) - MORE):
        smaller = smallest_with(ruleset, hidden.ruleset, fewer)
        if smaller is not None:
            return f"{ruleset.id}: {hidden.name}: found {found.fen()}, and {smaller.fen()} shows it too"
    return None


def smallest_with(ruleset: Ruleset, other: Ruleset, number: int) -> Position | None:
    """A position with so many pieces that two rulesets answer differently; all are looked at, in every phase."""
    players = [RulePlayer(ruleset), RulePlayer(other)]
    rows, turned = promotion_rows(ruleset), sides((ruleset,))
    candidates = (
        phased
        for sliders in slider_positions(ruleset, 1)
        for plain in all_positions(ruleset.rules.board, number, rows, turned, sliders)
        for phased in in_phases(plain, phases(ruleset.rules), ruleset.turns)
        if find_invalidity(ruleset.turns, phased) is None
    )
    return next(iter(filter_differing(players, candidates)), None)


@pytest.mark.parametrize("name", usually((), SEVERAL, ("english",)))
def test_some_hidden_changes_are_found_small(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    movement = [m for m in shown(name) if m.rules_changed[0] in ("king.capture.landing", "man.move.directions")]
    chosen = random.Random(name).sample(movement, 2)
    assert [wrong for hidden in chosen if (wrong := faults_of(ruleset, hidden, 30))] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SEVERAL)
def test_every_hidden_change_is_found_small(name: str) -> None:
    """At most two pieces more than the fewest that can show it."""
    ruleset = damspec.load_ruleset(name)
    wrong: list[str | None] = []
    for hidden in shown(name):
        for number in (100, 400, 2000):  # what is rare takes more games, and is then found
            complaint = faults_of(ruleset, hidden, number)
            if complaint is None:
                break
        else:
            wrong.append(complaint)
    assert wrong == []
