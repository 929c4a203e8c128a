"""Pipelined requests: the same verdicts as without, and the request that broke an engine is found."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec_runner.cases.cases import Case, Expectation, cases_for
from damspec_runner.engines.process import Engine, SubprocessEngine
from damspec_runner.engines.protocol import EngineError, Question, UnsupportedError
from damspec_runner.verify.exchange import BrokenWindowError, Window
from damspec_runner.verify.result import Report
from damspec_runner.verify.run import RunConfig, check
from runner_fixtures import all_gone, fake
from runs import usually

LB = damspec.load_ruleset("lb")
CASES = cases_for(LB)[:40]
#: An engine of some lines: `answer(asked)` says what to write for a question about a position, `n` counts them.
PROGRAM = """
import json, os, sys
hello = {"protocol": 1, "name": "small", "version": "1", "rulesets": "*", "questions": ["moves"], "ahead": AHEAD}
def say(id, result):
    print(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}), flush=True)
n = 0
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "hello":
        say(asked["id"], hello)
    elif asked["method"] == "quit":
        say(asked["id"], None)
        break
    else:
        n += 1
        position = asked["params"]["position"]
        ANSWER
"""


def small(answer: str, ahead: int = 8) -> list[str]:
    """The command of a small engine that answers as some lines of Python say."""
    body = textwrap.indent(textwrap.dedent(answer).strip(), " " * 8).strip()
    return [sys.executable, "-S", "-E", "-c", PROGRAM.replace("AHEAD", str(ahead)).replace("ANSWER", body)]


def one(number: int) -> Case:
    """A case with a position of its own: a king in a corner of the files, and where it goes."""
    return Case(f"lb.door.n{number}", "lb", "door", "One of several.", ("lb-022",), at(number), Expectation({}))


def at(number: int) -> str:
    """The position of a case: no piece to move, and black men on so many squares."""
    return "W:W:B" + ",".join(map(str, range(1, number + 2)))


def ran(command: Sequence[str], cases: Sequence[Case] = CASES, **run_config: Any) -> Report:
    """A run of an engine."""
    return check(
        LB, cases, lambda: SubprocessEngine(command, timeout=20.0), label="it", run_config=RunConfig(**run_config)
    )


def verdicts(report: Report) -> list[tuple[Any, ...]]:
    """What is said of each case."""
    return [
        (result.case.id, result.status, result.kind, result.reading, result.request, result.reply, result.faults())
        for result in report.results
    ]


#: What a fake engine can be.
MODES = ("right", "wrong-moves", "refusing", "no-method", "unsupported-kings", "no-play", "blank", "noisy")


@pytest.mark.parametrize("mode", usually({"wrong-moves", "no-method", "noisy"}, MODES, ("blank", "refusing")))
def test_verdicts_are_the_same_with_and_without(mode: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with all_gone(tmp_path):
        found = []
        for ahead in ("1", "64"):
            monkeypatch.setenv("FAKE_AHEAD", ahead)
            try:
                report = ran(fake(mode), jobs=3)
            except EngineError as error:
                found.append([(error.kind, str(error))])
                continue
            assert report.hello.max_in_flight == int(ahead)
            found.append(verdicts(report))
    assert found[0] == found[1]


def test_questions_are_sent_before_the_first_is_answered_and_no_more_than_it_takes() -> None:
    """It answers only when so many have come; one more would be seen."""
    answer = """
        import select
        waiting = [asked["id"]]
        if n > 1:
            while len(waiting) < 4:
                waiting.append(json.loads(sys.stdin.readline())["id"])
            assert not select.select([sys.stdin], [], [], 0.2)[0], "too many"
        for id in waiting:
            say(id, {"moves": []})
    """
    report = ran(small(answer, ahead=4), [one(number) for number in range(4)])
    assert report.counts["passed"] == 4, verdicts(report)


def test_a_crash_is_said_of_the_question_that_causes_it() -> None:
    answer = f"""
        if position == {at(5)!r}:
            print("oh dear", file=sys.stderr, flush=True)
            os._exit(3)
        say(asked["id"], {{"moves": []}})
    """
    cases = [one(number) for number in range(12)]
    with_ahead, without = ran(small(answer), cases), ran(small(answer, ahead=1), cases)
    assert verdicts(with_ahead) == verdicts(without)
    assert [result.case.position for result in with_ahead.with_status("error")] == [at(5)]
    assert with_ahead.counts["passed"] == 11


def test_a_crash_that_takes_answers_with_it_is_said_of_its_question_all_the_same(tmp_path: Path) -> None:
    """Against the protocol, the first process keeps its answers back, and dies with them."""
    answer = f"""
        kept = not os.path.exists({str(tmp_path / "died")!r}) and n > 1
        if position == {at(5)!r}:
            open({str(tmp_path / "died")!r}, "w").close()
            os._exit(3)
        sys.stdout.write(json.dumps({{"jsonrpc": "2.0", "id": asked["id"], "result": {{"moves": []}}}}) + "\\n")
        if not kept:
            sys.stdout.flush()
    """
    report = ran(small(answer), [one(number) for number in range(8)])
    assert [result.case.position for result in report.with_status("error")] == [at(5)], verdicts(report)
    assert report.counts["passed"] == 7


def test_a_crash_that_does_not_come_again_is_no_pass(tmp_path: Path) -> None:
    """The sixth question kills the first process, whatever it is."""
    found = []
    for ahead in (1, 8):
        file = str(tmp_path / f"died{ahead}")
        answer = f"""
            if n == 6 and not os.path.exists({file!r}):
                open({file!r}, "w").close()
                os._exit(3)
            say(asked["id"], {{"moves": []}})
        """
        found.append(ran(small(answer, ahead), [one(number) for number in range(12)]))
    assert verdicts(found[0]) == verdicts(found[1])
    assert found[1].counts["unstable"] == 1


def test_a_late_answer_is_a_timeout_of_its_question() -> None:
    answer = f"""
        if position == {at(3)!r}:
            import time; time.sleep(60)
        say(asked["id"], {{"moves": []}})
    """
    cases = [one(number) for number in range(6)]
    report = check(LB, cases, lambda: SubprocessEngine(small(answer), timeout=1.0), label="it")
    assert [(result.case.position, result.status) for result in report.results if result.status != "passed"] == [
        (at(3), "timeout")
    ]


@pytest.mark.parametrize(
    ("say", "kind"),
    [
        ("print('{}', flush=True)", "form"),
        ("print('thinking', flush=True)", "json"),
        ("say(asked['id'] + 1, {'moves': []})", "id"),
        ("say(asked['id'], {'moves': ['x' * 70000]})", "size"),
        ("os.close(1); import time; time.sleep(60)", "died"),
    ],
)
@pytest.mark.thorough
def test_what_is_no_answer_is_said_of_its_question(say: str, kind: str) -> None:
    answer = f"""
        if position == {at(3)!r}:
            {say}
        else:
            say(asked["id"], {{"moves": []}})
    """
    cases = [one(number) for number in range(6)]
    found = [verdicts(ran(small(answer, ahead), cases)) for ahead in (1, 8)]
    assert [verdict[:5] for verdict in found[0]] == [verdict[:5] for verdict in found[1]]
    assert [(verdict[1], verdict[2]) for verdict in found[0]] == [
        ("error", kind) if number == 3 else ("passed", None) for number in range(6)
    ]


def question(number: int) -> Question:
    return "moves", {"ruleset": "lb", "position": at(number)}


def long_ones(number: int) -> list[Question]:
    return [("moves", {"ruleset": "x" * 4000, "position": at(0)})] * number


@contextmanager
def greeted(answer: str, ahead: int = 8, timeout: float = 20.0) -> Iterator[Engine]:
    """A small engine that has said what it takes."""
    with SubprocessEngine(small(answer, ahead), timeout=timeout) as engine:
        yield engine


def test_an_engine_gives_answers_and_refusals_in_order() -> None:
    answer = """
        men = position.count(",")
        if men in (1, 2):
            error = {"code": -32002 + men, "message": "no"}
            print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": error}), flush=True)
        else:
            say(asked["id"], {"moves": [], "n": men})
    """
    with greeted(answer, 3) as engine:
        found = [*engine.ask_all([question(number) for number in range(4)])]
        assert [type(each) for each in found] == [dict, UnsupportedError, EngineError, dict]
        assert (found[0]["n"], found[3]["n"]) == (0, 3)
        assert engine.ask("moves", {"ruleset": "lb", "position": at(0)}) == {"moves": [], "n": 0}


def test_questions_not_gone_through_do_not_answer_the_next() -> None:
    answer = 'say(asked["id"], {"moves": [], "n": position.count(",")})'
    with greeted(answer) as engine:
        answers = engine.ask_all([question(number) for number in range(4)])
        assert next(answers)["n"] == 0
        answers.close()
        assert engine.ask("moves", {"ruleset": "lb", "position": at(7)})["n"] == 7


def test_who_takes_the_last_answer_keeps_the_process() -> None:
    with greeted('say(asked["id"], {"moves": [str(os.getpid())]})') as engine:
        found = []
        for _ in range(3):
            answers = engine.ask_all([question(0), question(1)])
            found += [next(answers), next(answers)]
            answers.close()
        assert len({answer["moves"][0] for answer in found}) == 1
        assert engine.restarts_left == 3


def test_an_engine_that_does_not_read_is_late_and_holds_nobody_up() -> None:
    answer = """
        say(asked["id"], {"moves": []})
        if n == 1:
            import time; time.sleep(60)
    """
    with greeted(answer, 64, timeout=1.0) as engine:
        engine.ask("moves", {"ruleset": "lb", "position": at(0)})
        with pytest.raises(EngineError) as caught:
            list(engine.ask_all(long_ones(64)))
        assert caught.value.kind == "timeout"


def test_more_than_a_pipe_holds_is_written_and_read_by_turns() -> None:
    """Long answers to long questions: neither side waits for the other for ever."""
    answer = 'say(asked["id"], {"moves": [], "more": "x" * 5000})'
    with greeted(answer, 64) as engine:
        assert len([*engine.ask_all(long_ones(200))]) == 200


@pytest.mark.parametrize("ahead", [1, 8])
def test_what_was_not_asked_ahead_is_asked_when_it_comes_up(ahead: int) -> None:
    """And the answers that have come by then are kept."""
    with greeted('say(asked["id"], {"moves": [str(n)]})', ahead) as engine:
        both = Window(engine, [[(question(0), None), (question(1), None)], [(question(2), None)], []])
        both.next_case()
        assert both.ask(*question(1)) == both.ask(*question(1)) == {"moves": ["2"]}
        assert both.ask(*question(7)) == {"moves": ["4"]}
        both.next_case()
        assert both.ask(*question(2)) == {"moves": ["3"]}
        both.next_case()
        assert both.ask(*question(2)) == {"moves": ["5"]}
        both.close()


def test_where_it_breaks_the_question_is_named_and_what_was_answered_before_is_kept() -> None:
    answer = """
        if position.count(",") == 2:
            os._exit(3)
        say(asked["id"], {"moves": [str(n)]})
    """
    for more in (False, True):
        with greeted(answer) as engine:
            ahead = Window(engine, [[(question(number), None)] for number in range(4)])
            ahead.next_case()
            if more:
                engine.restarts_left = 1
                assert ahead.ask(*question(7)) == {"moves": ["1"]}  # of a new process
            ahead.next_case()
            assert ahead.ask(*question(1)) == {"moves": ["2"]}
            with pytest.raises(BrokenWindowError) as caught:
                ahead.next_case()
            assert (caught.value.request, caught.value.error.kind) == (question(2), "died")
            ahead.close()
