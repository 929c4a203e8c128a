"""The held-out sets: engines written from the documents are right, and what is wrong with them is found and named.

The engines know nothing of the reference, and the faults were chosen before anyone looked at what is said about them.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, count, islice
from pathlib import Path

import pytest

import damspec
from damspec import Position
from damspec_runner.engines.process import Engine, SubprocessEngine
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.positions.random_games import PLIES, play_random_game
from damspec_runner.positions.sampling import sample_positions
from runner_fixtures import damspec as damspec_command
from runner_fixtures import node
from runs import usually
from trial import FIRST, SECOND, Fault, FaultSet, Trial, Verdict, compiler


@dataclass(frozen=True)
class Played:
    """An engine of a set, and a ruleset that it plays."""

    name: str
    engine: str
    ruleset: str

    @property
    def fault_set(self) -> FaultSet:
        return SETS[self.name]


SETS = {"first": FIRST, "second": SECOND}
#: Each engine with each ruleset; a usual run takes the first of each engine.
ENGINES = [
    Played(name, engine, ruleset)
    for name, fault_set in SETS.items()
    for engine, rulesets in fault_set.played.items()
    for ruleset in rulesets
]
FIRST_OF_EACH = [played for played in ENGINES if played.fault_set.played[played.engine][0] == played.ruleset]
each_engine = pytest.mark.parametrize(
    "played", usually(FIRST_OF_EACH, ENGINES, ()), ids=lambda played: f"{played.name} {played.engine} {played.ruleset}"
)
each_set = pytest.mark.parametrize("fault_set", SETS.values(), ids=SETS)
#: Returns the command of an engine of a set, with its ruleset and perhaps a fault.
Command = Callable[..., list[str]]

#: The seconds of processor time that a check of the first set has.
SECONDS = 10.0
#: The shares of each set that have to be found, and named rightly. None of the second may be named wrongly; the faults
#: of the first do not say what else is true of the engine, so there lines beside the right one are not looked at.
FOUND, RIGHT = 1.0, 0.8
#: Of each set some faults that are surely described: what a thorough run tries.
THOROUGH = {
    "first": ("optional_capture",),
    "second": ("men_avoid_kings", "no_retract"),
}


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[FaultSet], Path]:
    """What compiles a set's engine in C; without a compiler the test is skipped, or failed in CI."""

    @cache
    def build(folder: Path) -> Path:
        if compiler() is None:
            reason = "there is no C compiler (cc) on the PATH: the held-out set is NOT tested"
            pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
        (fault_set,) = [one for one in SETS.values() if one.folder == folder]
        return fault_set.build(tmp_path_factory.mktemp("heldout"))

    return lambda fault_set: build(fault_set.folder)


@pytest.fixture
def command(programs: Callable[[FaultSet], Path]) -> Command:
    """What gives the command of an engine; it skips what cannot run here."""

    def words(played: Played, *more: str) -> list[str]:
        if played.engine == "javascript":
            node()
        program = programs(played.fault_set) if played.engine == "c" else Path()
        return played.fault_set.command(played.engine, program, played.ruleset, *more)

    return words


# --- the engines are right without a fault


@pytest.mark.thorough
@each_engine
def test_an_engine_without_a_fault_passes_every_case(command: Command, played: Played) -> None:
    options = played.fault_set.options.get(played.engine, ())
    ran = damspec_command("check", played.ruleset, *options, "--", *command(played))
    assert ran.status == 0, ran.out
    assert re.search(" 0 failed(, [0-9]+ unsupported)? of ", ran.summary)


@pytest.mark.slow
@each_engine
def test_an_engine_without_a_fault_agrees_with_the_reference(command: Command, played: Played) -> None:
    rules, rng = damspec.load_ruleset(played.ruleset), random.Random(300)
    lines = "--lines" in played.fault_set.options.get(played.engine, ())
    with SubprocessEngine(command(played), timeout=20.0, lines=lines) as other:
        some = asked(rules, rng, 200)
        wrong = [position.fen() for position in some if not agrees(other, rules, position)]
    assert wrong == []


def asked(rules: damspec.Ruleset, rng: random.Random, number: int) -> Iterator[Position]:
    """So many positions, half of them drawn by lot and half of random games."""
    crowded = (1, 30 if len(rules.rules.board) > 32 else 20)
    drawn = islice(sample_positions(rules, rng, crowded), number // 2)
    games = (play_random_game(rules, rng, rules.position(), PLIES) for _ in count())
    return chain(drawn, islice((ply.position for game in games for ply in game), number // 2))


def agrees(other: Engine, ruleset: damspec.Ruleset, position: Position) -> bool:
    """Whether an engine has the same moves and lapses, each with the same position after it, and the same outcome."""
    question = {"ruleset": ruleset.id, "position": position.fen()}
    legal = damspec.legal_moves(ruleset, position)

    def after(move: str) -> tuple[str, str]:
        reached = other.ask("play", {**question, "move": move})["position"]
        return begins(move), ruleset.position(reached).fen()

    listed = other.ask("moves", question)
    return (
        sorted(map(after, listed["moves"])) == sorted((begins(str(one)), legal.after(one).fen()) for one in legal)
        and sorted(map(after, listed.get("lapses", ())))
        == sorted((begins(str(one)), legal.after(one).fen()) for one in legal.lapses)
        and other.ask("outcome", question)["outcome"] == damspec.outcome(ruleset, position).result
    )


def begins(action: str) -> str:
    """What an action begins with: the square of the piece that moves, or all of one that moves none."""
    return re.split("[-x]", action)[0]


# --- the sets


def test_the_first_set_is_large_and_half_of_it_is_no_rule() -> None:
    kinds = [fault.kind for fault in FIRST.faults]
    assert len(kinds) >= 44
    assert min(kinds.count("rule"), kinds.count("other")) >= 0.4 * len(kinds)
    assert set(kinds) == {"rule", "other"}


def test_the_second_set_is_larger_and_of_all_kinds() -> None:
    kinds = [fault.kind for fault in SECOND.faults]
    assert set(kinds) == {"rule", "action", "state", "notation", "capacity", "parsing", "other"}
    assert kinds.count("rule") <= 0.5 * len(kinds)
    turns = [fault for fault in SECOND.faults if fault.ruleset in ("de", "nl-trapdoor", "fr-trapdoor", "frisian")]
    assert sum(fault.kind in ("action", "state") for fault in turns) >= 18


@each_set
def test_the_table_has_the_faults_that_the_engines_have(fault_set: FaultSet) -> None:
    listed: dict[str, set[str]] = {engine: set() for engine in fault_set.played}
    for fault in fault_set.faults:
        assert fault.ruleset in fault_set.played[fault.engine], fault.id
        assert all(fault.id not in ids for ids in listed.values())
        listed[fault.engine].add(fault.id)
    in_c = (fault_set.folder / "engine.c").read_text(encoding="utf-8")
    assert listed["c"] == set(re.findall(r"\bF\((\w+)\)", in_c)) - {"F"}
    in_python = (fault_set.folder / "engine.py").read_text(encoding="utf-8")
    assert listed["python"] == set(in_python.partition('FAULTS = """')[2].partition('"""')[0].split())
    if "javascript" in listed:
        in_javascript = (fault_set.folder / "engine.mjs").read_text(encoding="utf-8")
        assert listed["javascript"] == set(in_javascript.partition("FAULTS = `")[2].partition("`")[0].split())


NO_RULES = [fault for fault_set in SETS.values() for fault in fault_set.faults if fault.kind != "rule"]


@pytest.mark.thorough
def test_a_fault_that_is_no_rule_is_described_by_its_own_words_and_by_no_change_of_a_rule() -> None:
    rulesets = {fault.ruleset for fault in NO_RULES}
    changes = {id: [mutant.name for mutant in single_mutants(damspec.load_ruleset(id))] for id in rulesets}
    for fault in NO_RULES:
        assert fault.is_described([fault.does]), fault.id
        lines = [f"plays {fault.ruleset} except {name} (explains 3 of 50 failures)" for name in changes[fault.ruleset]]
        assert [line for line in lines if fault.is_described([line])] == [], fault.id


# --- how an explanation is judged


def test_ids_of_cases_describe_nothing() -> None:
    (fault,) = [fault for fault in FIRST.faults if fault.id == "black_kings_forward"]
    assert fault.is_described(["the black kings never move backward"])
    assert not fault.is_described(["unexplained: lb.king-move.black-backward-and-forward"])


FAULT = Fault("x", "c", "lb", "rule", "No duty.", (r"capture\.duty = optional",), (r"\bslow\b",))
NAMED = "plays lb except capture.duty = optional (explains 3 of 3 failures)"
OTHER = "plays lb except king.move.reach = any (explains 3 of 3 failures)"


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        ([NAMED], Verdict.RIGHT),
        ([NAMED, "the engine is slow", "unexplained: lb.choice.two (W:W1:B2)"], Verdict.RIGHT),
        ([NAMED, OTHER, "these 2 cannot be told apart by the cases"], Verdict.RIGHT),
        ([NAMED, OTHER], Verdict.WRONG),
        ([OTHER, OTHER, "these 2 cannot be told apart by the cases"], Verdict.WRONG),
        ([NAMED, "this may be king.move.reach = any"], Verdict.RIGHT),
        (["consistent with king.move.reach = any"], Verdict.HEDGED),
        (["the engine is slow"], Verdict.HEDGED),
        (["unexplained: lb.choice.two", "3 wrong answers were right when asked alone"], Verdict.UNEXPLAINED),
        ([], Verdict.UNEXPLAINED),
    ],
)  # fmt: skip
def test_an_explanation_is_right_wrong_hedged_or_none(lines: list[str], verdict: Verdict) -> None:
    trial = Trial(FAULT, 1, 3, "", 1.0, tuple(lines))
    assert trial.verdict is verdict
    assert replace(trial, status=0).verdict is Verdict.MISSED


# --- what is said about the faults


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_some_faults_are_found_and_described(programs: Callable[[FaultSet], Path], name: str) -> None:
    node()
    faults = [fault for fault in SETS[name].faults if fault.id in THOROUGH[name]]
    assert [fault.id for fault in faults] == list(THOROUGH[name])
    trials = [SETS[name].try_fault(fault, programs(SETS[name])) for fault in faults]
    assert [in_a_line(trial) for trial in trials if not trial.described] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_faults_are_found_most_are_described_and_none_wrongly(programs: Callable[[FaultSet], Path], name: str) -> None:
    node()
    fault_set = SETS[name]
    program = programs(fault_set)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        trials = list(pool.map(lambda fault: fault_set.try_fault(fault, program), fault_set.faults))
    missed = [in_a_line(trial) for trial in trials if not trial.found]
    assert len(trials) - len(missed) >= FOUND * len(trials), "\n".join(missed)
    described = sum(trial.described if name == "first" else trial.verdict is Verdict.RIGHT for trial in trials)
    assert described >= RIGHT * len(trials), "\n".join(in_a_line(trial) for trial in trials if not trial.described)
    if name == "first":
        assert [in_a_line(trial) for trial in trials if trial.seconds > SECONDS] == []
    else:
        assert [in_a_line(trial) for trial in trials if trial.verdict is Verdict.WRONG] == []


def in_a_line(trial: Trial) -> str:
    """A trial in a line, for who has to see why it went wrong."""
    fault, lines = trial.fault, " / ".join(trial.lines) or "no explanation"
    return f"{fault.id} ({fault.ruleset}), {trial.verdict}, {trial.seconds:.1f} s: {trial.summary}: {lines}"
