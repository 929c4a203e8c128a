"""Fake engines checked: as processes (fakes/fake.py), and in this one (fakes/partial.py), held to the schema."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import damspec
from damspec import Ruleset, data
from damspec_runner.cases.cases import Case, cases_for, select
from damspec_runner.engines import protocol
from damspec_runner.engines.process import Engine
from damspec_runner.engines.protocol import Hello
from damspec_runner.verify.capabilities import CapabilityAdapter
from damspec_runner.verify.conventions import OURS, Conventions
from damspec_runner.verify.result import Report, Result
from damspec_runner.verify.run import RunConfig, check
from drive import CAPTURES as CAPTURES
from drive import LB as LB
from partial import Partial, Refused
from runner_fixtures import engine


@cache
def few() -> tuple[Case, ...]:
    """Ten cases of `lb`: moves, captures, kings, outcomes."""
    cases = cases_for(damspec.load_ruleset("lb"))
    moves = [
        select(cases, (), (topic,))[:number] for topic, number in {"start": 1, "man-capture": 3, "king-move": 3}.items()
    ]
    return (*itertools.chain(*moves), *[case for case in cases if case.question == "outcome"][:3])


def check_fake(
    *words: str,
    cases: tuple[Case, ...] | None = None,
    ruleset: str = "lb",
    jobs: int = 1,
    timeout: float = 20.0,
    max_failures: int | None = None,
    second_asks: int = 0,
    times: int = 1,
) -> Report:
    return check(
        damspec.load_ruleset(ruleset),
        few() if cases is None else cases,
        lambda: engine(*words, timeout=timeout),
        label="fake",
        run_config=RunConfig(jobs, max_failures, restarts=3, second_asks=second_asks, times=times),
    )


def statuses(report: Report) -> dict[str, int]:
    return {status: number for status, number in report.counts.items() if number}


def asking(report: Report, question: str) -> list[Result]:
    return [result for result in report.results if result.case.question == question]


class InProcess(Engine):
    """A fake engine without a process."""

    def __init__(self, way: str | Partial, change: str = "") -> None:
        self._partial = Partial(way, change) if isinstance(way, str) else way
        #: Every question that it was asked.
        self.asked: list[tuple[str, Mapping[str, Any]]] = []

    def hello(self) -> Hello:
        """What it says of itself."""
        return protocol.hello(self.ask("hello", protocol.hello_params()))

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """The answer to a question."""
        self.asked.append((method, params))
        message = json.loads(protocol.request(1, method, params))
        assert data.schema_problem(message, "protocol", f"{method}.request") is None
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": 1}
        try:
            reply["result"] = self._partial.answer(method, dict(message["params"]))
        except (Refused, damspec.DamspecError) as error:
            reply["error"] = {"code": -32000, "message": str(error)}
        return protocol.result(json.dumps(reply), 1, method)

    def close(self) -> None:
        """There is no process to end."""


def able(way: str | Partial, ruleset: Ruleset, change: str = "", conventions: Conventions = OURS) -> CapabilityAdapter:
    """A fake engine with its abilities made up for."""
    return CapabilityAdapter(InProcess(way, change), ruleset, conventions)


def check_partial(
    way: str | Partial,
    ruleset: Ruleset,
    cases: Sequence[Case],
    change: str = "",
    conventions: Conventions = OURS,
    *,
    preflight: bool = False,
) -> Report:
    """A fake engine checked."""
    run_config = RunConfig(second_asks=0, preflight=preflight)
    return check(ruleset, cases, lambda: able(way, ruleset, change, conventions), label=str(way), run_config=run_config)
