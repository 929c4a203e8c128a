"""Checking fake engines: some cases to put to them, and the report on one."""

from __future__ import annotations

import itertools
from functools import cache

import damspec
from damspec_runner.cases.cases import Case, cases_for, select
from damspec_runner.verify.result import Report, Result
from damspec_runner.verify.run import RunConfig, check
from drive import CAPTURES as CAPTURES
from drive import LB as LB
from runner_fixtures import engine


@cache
def few() -> tuple[Case, ...]:
    """Ten cases of `lb`: moves, captures, kings, outcomes."""
    cases = cases_for(damspec.load_ruleset("lb"))
    moves = [
        select(cases, (), (topic,))[:number] for topic, number in {"start": 1, "man-capture": 3, "king-move": 3}.items()
    ]
    return (*itertools.chain(*moves), *[case for case in cases if case.question == "outcome"][:3])


def run(
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
