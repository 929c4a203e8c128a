"""The held-out set: two engines written from the documents are right, and what is wrong with them is found and named.

The engines know nothing of the reference, and the faults were chosen before anyone looked at what is said about them.
"""

from __future__ import annotations

import os
import random
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, count, islice
from pathlib import Path

import pytest

import damspec
from damspec import Position
from damspec_runner.engines.process import Engine
from damspec_runner.positions.sampling import positions
from damspec_runner.positions.walks import PLIES, walk
from damspec_runner.variants.mutants import single
from runner_fixtures import damspec as damspec_command
from runs import usually
from trial import HERE, PLAYED, Fault, Trial, built, command, compiler, faults, tried

ENGINES = [(engine, ruleset) for engine, rulesets in PLAYED.items() for ruleset in rulesets]
#: Each engine with each ruleset; a usual run takes the first of each engine.
each_engine = pytest.mark.parametrize(
    "played", usually([(engine, rulesets[0]) for engine, rulesets in PLAYED.items()], ENGINES), ids=" ".join
)
#: The share of the faults whose explanation has to say what is wrong.
DESCRIBED = 0.8
#: The seconds of processor time that a check has for it.
SECONDS = 10.0
#: One rule, one thing that is no rule, in either language: what a usual run tries.
USUAL = ("optional_capture", "fiftieth_empty")


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine in C; without a compiler the test is skipped, or failed in CI."""
    if compiler() is None:
        reason = "there is no C compiler (cc) on the PATH: the held-out set is NOT tested"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    return built(tmp_path_factory.mktemp("heldout"))


# --- the engines are right without a fault


@each_engine
def test_an_engine_without_a_fault_passes_every_case(program: Path, played: tuple[str, str]) -> None:
    engine, ruleset = played
    ran = damspec_command("check", ruleset, "--", *command(engine, program, ruleset))
    assert ran.status == 0, ran.out
    assert re.search(" 0 failed(, [0-9]+ unsupported)? of ", ran.summary)


@pytest.mark.parametrize("number", [300, pytest.param(4000, marks=pytest.mark.slow)])
@each_engine
def test_an_engine_without_a_fault_agrees_with_the_reference(
    program: Path, played: tuple[str, str], number: int
) -> None:
    engine, ruleset = played
    rules, rng = damspec.load_ruleset(ruleset), random.Random(number)
    crowded = (1, 30 if len(rules.rules.board) > 32 else 20)
    drawn = islice(positions(rules, rng, crowded), number // 2)
    games = (walk(rules, rng, rules.position(), PLIES) for _ in count())
    walked = islice((ply.position for game in games for ply in game), number // 2)
    with Engine(command(engine, program, ruleset), timeout=20.0) as other:
        wrong = [position.fen() for position in chain(drawn, walked) if not agrees(other, rules, position)]
    assert wrong == []


def agrees(other: Engine, ruleset: damspec.Ruleset, position: Position) -> bool:
    """Whether an engine has the same moves, each with the same position after it, and the same outcome."""
    asked = {"ruleset": ruleset.id, "position": position.fen()}
    legal = damspec.legal_moves(ruleset, position)
    expected = sorted((move.start, legal.after(move).fen()) for move in legal.moves)
    found = [
        (int(re.split("[-x]", move)[0]), other.ask("play", {**asked, "move": move})["position"])
        for move in other.ask("moves", asked)["moves"]
    ]
    return (
        sorted(found) == expected
        and other.ask("outcome", asked)["outcome"] == damspec.outcome(ruleset, position).result
    )


# --- the set


def test_the_set_is_large_and_half_of_it_is_no_rule() -> None:
    kinds = [fault.kind for fault in faults()]
    assert len(kinds) >= 44
    assert min(kinds.count("rule"), kinds.count("other")) >= 0.4 * len(kinds)
    assert set(kinds) == {"rule", "other"}


def test_the_table_has_the_faults_that_the_engines_have() -> None:
    listed = {"c": set[str](), "python": set[str]()}
    for fault in faults():
        assert fault.ruleset in PLAYED[fault.engine], fault.id
        assert fault.id not in listed["c"] | listed["python"]
        listed[fault.engine].add(fault.id)
    in_c = (HERE / "engine.c").read_text(encoding="utf-8")
    assert listed["c"] == set(re.findall(r"\bF\((\w+)\)", in_c)) - {"F"}
    in_python = (HERE / "engine.py").read_text(encoding="utf-8").partition('FAULTS = """')[2].partition('"""')[0]
    assert listed["python"] == set(in_python.split())


NO_RULES = [fault for fault in faults() if fault.kind == "other"]


@pytest.mark.parametrize("fault", NO_RULES, ids=lambda fault: fault.id)
def test_a_fault_that_is_no_rule_is_described_by_its_own_words_and_by_no_change_of_a_rule(fault: Fault) -> None:
    assert fault.is_described([fault.does])
    changes = [mutant.name for mutant in single(damspec.load_ruleset(fault.ruleset))]
    lines = [f"plays {fault.ruleset} except {name} (explains 3 of 50 failures)" for name in changes]
    assert [line for line in lines if fault.is_described([line])] == []


def test_ids_of_cases_describe_nothing() -> None:
    (fault,) = [fault for fault in faults() if fault.id == "black_kings_forward"]
    assert fault.is_described(["the black kings never move backward"])
    assert not fault.is_described(["unexplained: lb.king-move.black-backward-and-forward"])


# --- what is said about the faults


@pytest.mark.thorough
def test_some_faults_are_found_and_some_described(program: Path) -> None:
    trials = [tried(fault, program) for fault in faults() if fault.id in USUAL]
    assert [trial.fault.id for trial in trials if trial.found] == [*USUAL]
    assert [trial.fault.id for trial in trials if trial.described] == [*USUAL]


@pytest.mark.slow
def test_every_fault_is_found_and_most_are_described(program: Path) -> None:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        trials = list(pool.map(lambda fault: tried(fault, program), faults()))
    assert [told(trial) for trial in trials if not trial.found] == []
    described = [trial for trial in trials if trial.described]
    undescribed = [told(trial) for trial in trials if not trial.described]
    assert [told(trial) for trial in trials if trial.seconds > SECONDS] == []
    assert len(described) >= DESCRIBED * len(trials), "\n".join(undescribed)


def told(trial: Trial) -> str:
    """A trial in a line, for who has to see why it went wrong."""
    fault, said = trial.fault, " / ".join(trial.lines) or "no explanation"
    return f"{fault.id} ({fault.ruleset}), {trial.seconds:.1f} s: {trial.summary}: {said}"
