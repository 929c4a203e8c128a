"""Engines that end captures too early: such a capture is not taken for the longer legal one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import damspec
from damspec_runner.cases.adapt import make_case
from damspec_runner.engines import protocol
from damspec_runner.engines.process import Engine
from damspec_runner.engines.protocol import EngineError, Hello
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.verify.capabilities import CapabilityAdapter
from damspec_runner.verify.games import FuzzConfig, fuzz
from damspec_runner.verify.report import wording
from damspec_runner.verify.result import Report, Result
from damspec_runner.verify.run import RunConfig, check

VL = damspec.load_ruleset("vl")
#: The king has to take all five: over 25 to 22, and on by 15, 24 and 31 to one of three squares. 29x22 takes one.
FEN = "W:WK29:B18,19,25,26,27"
LEGAL = ("29x22x15x24x31x13", "29x22x15x24x31x17", "29x22x15x24x31x22")
#: After the whole round that ends on 22, and after 29x22 alone.
ROUND, SHORT = "B:WK22:B", "B:WK22:B18,19,26,27"


class Fixed(Engine):
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
        lambda: CapabilityAdapter(Fixed(answers, **said), VL),
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
    assert wrong.request is not None
    assert '"method":"moves"' in wrong.request
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
