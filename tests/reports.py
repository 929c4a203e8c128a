"""Reports for tests: a run with every verdict, made by hand, and one where all is right.

`python tests/reports.py` writes them in the forms that people read to tests/data/reports, which the tests compare.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import damspec
from damspec import Ruleset
from damspec_runner.cases.adapt import make_case
from damspec_runner.cases.cases import Case, cases_for, select
from damspec_runner.engines.protocol import Hello
from damspec_runner.verify.report import Format, render
from damspec_runner.verify.report.serialize import read_result
from damspec_runner.verify.result import Deviation, Divergence, FuzzResult, Report, Result, Status, describe_divergence

LB = damspec.load_ruleset("lb")
VL = damspec.load_ruleset("vl")
CASES = [*select(cases_for(LB), (), ("man-capture",))[:8], *select(cases_for(LB), (), ("ending",))[:1]]
HELLO = Hello("fake", "1.0", frozenset({"lb", "vl"}), frozenset({"moves", "outcome"}), False)
REQUEST = '{"jsonrpc":"2.0","id":3,"method":"moves","params":{"ruleset":"lb","position":"W:W21:B17"}}'
#: What an engine may say that a report has to stand.
NASTY = "<script>alert(1)</script> `a` ```` | # \\ [b] @you"


def result(case: Case, status: Status = "passed", ruleset: Ruleset | None = None, **entry: Any) -> Result:
    """The result of a case, with what a saved report has about it."""
    about = {"id": case.id, "topic": case.topic, "clauses": [*case.clauses], "position": case.position}
    own = ruleset or damspec.load_ruleset(case.ruleset)
    return read_result(
        {**about, "status": status, **entry}, {case.id: case}, own, replace(HELLO, questions=frozenset())
    )


PASSED = result(CASES[0], duplicates=["21x14"], start_told=True)
FAILED = result(
    CASES[1],
    "failed",
    missing=["21x14"],
    extra=["1-5", "lapse 2-6"],
    unparsable=[NASTY],
    after={"22x15": {"expected": "B:W14:B", "got": "B:WK14:B"}},
    request=REQUEST,
    answer=NASTY,
)
READING = result(CASES[2], "reading", extra=["1-6"], reading="origin=occupied")
ERROR = result(CASES[3], "error", message="ended while asked moves", kind="died", request=REQUEST)
UNSUPPORTED = result(CASES[4], "unsupported", message="does not answer # play")
TIMEOUT = result(CASES[5], "timeout", message="did not answer moves within 1 seconds", kind="timeout")
UNSTABLE = result(CASES[6], "unstable", extra=["1-7"], message="right when asked again")
NOT_ASKED = result(CASES[7], "not-asked", message="the run was interrupted")
ENDING = result(CASES[8], "failed", outcome={"expected": "draw", "got": "ongoing"})

EVERYTHING = Report(
    LB,
    "./fake --fast",
    HELLO,
    (PASSED, FAILED, READING, ERROR, UNSUPPORTED, TIMEOUT, UNSTABLE, NOT_ASKED, ENDING),
    noise=("out of memory",),
    seconds=1.5,
    interrupted=True,
    options={"timeout": 1.0},
)
RIGHT = Report(VL, "other", replace(HELLO, rulesets=None), tuple(result(c) for c in cases_for(VL)[:3]), seconds=0.1)

#: A king jumps from 9 over 14, and cannot jump over 18 from afar.
CASE = replace(make_case(LB, LB.position("B:W18:BK9"), "moves", "game-17.23", "games"), clauses=("lb-030",))
WRONG = result(CASE, "failed", missing=["9-13", "9-14", "9-5", "9-6"], extra=["9x22"])
FOUND = describe_divergence(Divergence(WRONG, "B:W18,32:BK9", 3, ("king.capture.reach",)), 4)
GAMES = FuzzResult(4, 20, 700, 2000, 2, (FOUND,), 1.5)
ON_LB = replace(RIGHT, ruleset=LB, results=())
SHOWN = replace(ON_LB, games=GAMES)
CLEAN = replace(ON_LB, label="another", games=FuzzResult(None, 0, 3, 6))
#: The run explained, and held to a baseline that has all but one failure.
EXPLAINED = replace(EVERYTHING, diagnosis={"lines": ["plays <lb> except `a` = [b]", "and more"]})
HELD = replace(
    EVERYTHING,
    interrupted=False,
    unexpected=(Deviation("", "version 1.0, known is 0.9"), Deviation(ERROR.case.id, "fails, not listed")),
)
#: The forms of which tests/data/reports has an example.
RECORDED: tuple[Format, ...] = ("pretty", "junit", "tap", "markdown", "annotations", "issue")


def in_form(form: Format) -> str:
    """The reports in a form, whatever the version of damspec is."""
    return render([EXPLAINED, HELD, SHOWN, CLEAN, RIGHT], form).replace(f'"{damspec.__version__}"', '"VERSION"')


def record(form: Format) -> Path:
    """The file that has the reports in a form."""
    return Path(__file__).parent / "data" / "reports" / f"report.{form}"


if __name__ == "__main__":
    for recorded in RECORDED:
        record(recorded).write_text(in_form(recorded), encoding="utf-8")
