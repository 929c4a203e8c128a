"""Pipelined games: the same findings as when one question is asked at a time."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

import damspec
from damspec_runner.engines.process import Engine, SubprocessEngine
from damspec_runner.engines.protocol import EngineError, Question, UnsupportedError
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.verify.games import FuzzConfig, fuzz
from damspec_runner.verify.result import FuzzResult
from runner_fixtures import DAMSPEC

ENGLISH = damspec.load_ruleset("english")
SERVE = [*DAMSPEC, "serve"]
HELLO_AHEAD = replace(HELLO, max_in_flight=64)


class Ahead(InProcessEngine):
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


def games_of(engine: Engine, *, ahead: bool = True, number: int = 6, ruleset: damspec.Ruleset = ENGLISH) -> FuzzResult:
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
    engine, other = Ahead(ruleset), Ahead(ruleset)
    games = games_of(engine, ruleset=ruleset)
    assert games.divergences == ()
    assert engine.one_by_one == []
    assert said(games) == said(games_of(other, ahead=False, ruleset=ruleset))
    assert other.one_by_one == engine.sent


@pytest.mark.thorough
def test_a_wrong_list_a_wrong_position_and_no_answer_are_found_alike() -> None:
    class Capped(Ahead):
        def change(self, method: str, position: str, answer: Any) -> Any:
            if "K2," in position:
                raise UnsupportedError("no king on 2")
            if method == "play":
                return {"position": answer["position"].replace("K31", "31")}
            return {**answer, "moves": answer["moves"][:9]} if method == "moves" else answer

    found = games_of(Capped(), number=12), games_of(Capped(), number=12, ahead=False)
    assert len(found[0].divergences) > 1
    assert said(found[0])[:3] == said(found[1])[:3]
    assert found[0].unsupported == found[1].unsupported > 0


def test_a_move_in_another_notation_is_played_in_it() -> None:
    class Short(Ahead):
        def change(self, method: str, position: str, answer: Any) -> Any:
            short = [move.replace("x", ":") for move in answer.get("moves", ())]
            return {**answer, "moves": short} if method == "moves" else answer

    engine = Short()
    assert games_of(engine).divergences == ()
    assert engine.one_by_one, "the moves in its own words were not played"


def test_a_position_that_breaks_it_is_found() -> None:
    class Dies(Ahead):
        def change(self, method: str, position: str, answer: Any) -> Any:
            if "K" in position:
                raise EngineError("died", f"ended while asked {method}")
            return answer

    engine = Dies()
    games = games_of(engine, number=30)
    assert [(one.result.status, one.result.kind) for one in games.divergences] == [("error", "died")]
    assert "K" in games.divergences[0].first


def test_an_engine_that_breaks_once_is_not_taken_for_a_right_one() -> None:
    class Once(Ahead):
        asked = 0

        def change(self, method: str, position: str, answer: Any) -> Any:
            self.asked += 1
            if self.asked == 40:
                raise EngineError("died", f"ended while asked {method}")
            return answer

    (found,) = games_of(Once()).divergences
    assert (found.result.status, found.result.message) == ("unstable", "answers differ when asked again")


def test_the_reference_as_a_process() -> None:
    with SubprocessEngine(SERVE) as engine:
        hello = engine.hello()
    assert hello.max_in_flight > 1
    games = fuzz(ENGLISH, lambda: SubprocessEngine(SERVE), hello, FuzzConfig(games=5))
    assert said(games) == said(games_of(Ahead(), number=5, ahead=False))
