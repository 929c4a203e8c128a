"""Reports for tests: a run with every verdict, made by hand, and one where all is right."""

from __future__ import annotations

from dataclasses import replace

import damspec
from damspec_runner.cases.cases import cases_for, select
from damspec_runner.engines.protocol import Hello
from damspec_runner.verify.result import Mismatch, Report, Result

LB = damspec.load_ruleset("lb")
VL = damspec.load_ruleset("vl")
CASES = [*select(cases_for(LB), (), ("man-capture",))[:8], *select(cases_for(LB), (), ("ending",))[:1]]
HELLO = Hello("fake", "1.0", frozenset({"lb", "vl"}), frozenset({"moves", "outcome"}), False)
REQUEST = '{"jsonrpc":"2.0","id":3,"method":"moves","params":{"ruleset":"lb","position":"W:W21:B17"}}'
#: What an engine may say that a report has to stand.
NASTY = "<script>alert(1)</script> `a` ```` | # \\ [b] @you"

PASSED = Result(CASES[0], "passed", duplicates=("21x14",), start_told=True)
FAILED = Result(
    CASES[1],
    "failed",
    missing=("21x14",),
    extra=("1-5", "lapse 2-6"),
    unparsable=(NASTY,),
    after={"22x15": Mismatch("B:W14:B", "B:WK14:B")},
    request=REQUEST,
    answer=NASTY,
)
READING = Result(CASES[2], "reading", extra=("1-6",), reading="origin=occupied")
ERROR = Result(CASES[3], "error", message="ended while asked moves", kind="died", request=REQUEST)
UNSUPPORTED = Result(CASES[4], "unsupported", message="does not answer # play")
TIMEOUT = Result(CASES[5], "timeout", message="did not answer moves within 1 seconds", kind="timeout")
UNSTABLE = Result(CASES[6], "unstable", extra=("1-7",), message="right when asked again")
NOT_ASKED = Result(CASES[7], "not-asked", message="the run was interrupted")
ENDING = Result(CASES[8], "failed", outcome=Mismatch("draw", "ongoing"))

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
RIGHT = Report(
    VL, "other", replace(HELLO, rulesets=None), tuple(Result(c, "passed") for c in cases_for(VL)[:3]), seconds=0.1
)
