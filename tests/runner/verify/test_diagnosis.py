"""Diagnosis: an engine with a hidden change of rules is named, whichever rule it is."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec import Ruleset, data
from damspec.mutations import equivalent_mutants
from damspec_runner.answers.player import RulePlayer
from damspec_runner.cases.cases import adapted_cases, cases_for
from damspec_runner.cli import damspec as command
from damspec_runner.engines.process import Engine
from damspec_runner.engines.protocol import EngineError, Hello
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.mutants.mutants import Mutant, diagnosis_mutants, make_mutant, pair_mutants, single_mutants
from damspec_runner.verify.explain.diagnosis import Diagnosis, explain, find_telling_position
from damspec_runner.verify.explain.engine_under_test import Budget
from damspec_runner.verify.explain.hypotheses import several_changes
from damspec_runner.verify.result import Report
from damspec_runner.verify.run import check
from refusals import refusal
from runner_fixtures import TESTS, Ran, fake, printed
from runner_fixtures import damspec as damspec_command
from runs import SPREAD, usually

RULESETS = damspec.ruleset_ids()
HIDDEN = TESTS / "fakes" / "always.py"


#: An engine that refuses what its games cannot have refuses the first question: men would stand on their promotion row.
UPSIDE_DOWN = ("board.numbering = bottom-left", "board.numbering = bottom-right")


def run(ruleset: Ruleset, hidden: Ruleset, *, strict: bool = False) -> Report:
    """The report on an engine with hidden rules."""
    return check(ruleset, cases_for(ruleset), lambda: InProcessEngine(hidden, strict=strict), label="hidden")


#: No limit that a slow machine comes to.
LONG = 600.0


def diagnosis_of(ruleset: Ruleset, hidden: Ruleset, *, strict: bool = False) -> Diagnosis:
    return explain(run(ruleset, hidden, strict=strict), budget=Budget(LONG))


def asked_further(report: Report, start: Callable[[], Engine], apart: int = 12) -> Diagnosis:
    """The diagnosis of a report with further questions to the engine."""
    return explain(report, start, Budget(LONG), apart=apart)


def named_right(ruleset: Ruleset, mutant: Mutant, *, strict: bool = False) -> str | None:
    """Why a hidden change is not named right; None if it is.

    It is if it is the explanation that is left after probing, or one of several that no position tells apart.
    """
    start = lambda: InProcessEngine(mutant.ruleset, strict=strict)  # noqa: E731
    left = asked_further(run(ruleset, mutant.ruleset, strict=strict), start, 40).complete
    names = [name for explanation in left for name in explanation.hypothesis.names]
    if mutant.name in names:
        return None
    players = [explanation.hypothesis.player for explanation in left]
    if not players or find_telling_position([*players, RulePlayer(mutant.ruleset)], ruleset):
        return f"{ruleset.id}: {mutant.name}: named {names}"
    return None


@cache
def shown(name: str) -> list[Mutant]:
    """Every change that an engine's answers can show."""
    return [
        mutant
        for mutant in single_mutants(damspec.load_ruleset(name))
        if (name, mutant.name) not in equivalent_mutants()
    ]


@pytest.mark.parametrize(
    ("name", "step"),
    [
        pytest.param("lb", 4, marks=pytest.mark.thorough),
        *(pytest.param(name, 1, marks=pytest.mark.slow) for name in ("lb", "nl-trapdoor")),
    ],
)
def test_other_squares_by_the_same_numbers_are_named(name: str, step: int) -> None:
    boards = [mutant for mutant in shown(name) if mutant.rules_changed[0].startswith("board.")]
    assert len(boards) == 9  # the squares, the corner, and seven more ways to number them
    assert [wrong for mutant in boards[::step] if (wrong := named_right(damspec.load_ruleset(name), mutant))] == []


@pytest.mark.slow
def test_another_side_to_begin_is_named_beside_another_change() -> None:
    ruleset = damspec.load_ruleset("lb")
    both = "king.move.reach = any and start.first = white"
    (mutant,) = [pair.mutant for pair in several_changes(ruleset) if pair.names == (both,)]
    assert mutant
    assert named_right(ruleset, mutant) is None


def test_changes_that_no_case_is_measured_with_are_tried_in_pairs_too() -> None:
    ruleset = damspec.load_ruleset("frisian")
    (fewer,) = [one for one in diagnosis_mutants(ruleset) if one.name == "start.men = 3"]
    reach = next(one for one in single_mutants(ruleset) if one.rules_changed == ("king.move.reach",))
    names = {name for pair in several_changes(ruleset, [fewer, reach]) for name in pair.names}
    assert f"{reach.name} and {fewer.name}" in names


@pytest.mark.parametrize("told", [True, False])
def test_who_does_not_say_where_it_starts_may_play_rules_that_start_elsewhere(told: bool) -> None:
    class Engine(InProcessEngine):
        def hello(self) -> Hello:
            return HELLO if told else replace(HELLO, questions=HELLO.questions - {"start"})

    ruleset = damspec.load_ruleset("lb")
    report = check(ruleset, cases_for(ruleset), lambda: Engine(damspec.load_ruleset("russian")), label="hidden")
    starts = [result for result in report.results if result.case.position == "start"]
    assert {result.start is not None for result in starts} == {told}
    found = explain(report, budget=Budget(LONG))
    assert [explanation.hypothesis.names for explanation in found.complete] == [("russian",)]


@pytest.mark.slow
@pytest.mark.parametrize("name", usually(("russian",), sorted({name for name, _ in equivalent_mutants()} & {*SPREAD})))
def test_changes_that_no_answer_shows_pass_everything(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    names = {mutant.name for mutant in shown(name)}
    hidden = [mutant for mutant in single_mutants(ruleset) if mutant.name not in names]
    assert hidden
    assert [mutant.name for mutant in hidden if not run(ruleset, mutant.ruleset).clean()] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_every_hidden_change_is_named(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    assert [wrong for mutant in shown(name) if (wrong := named_right(ruleset, mutant))] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_every_hidden_change_of_an_engine_that_refuses_positions_is_named(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    for mutant in shown(name):
        if mutant.name in UPSIDE_DOWN:
            assert "on its promotion row" in refusal(EngineError, run, ruleset, mutant.ruleset, strict=True)
        else:
            assert named_right(ruleset, mutant, strict=True) is None


@pytest.mark.slow
def test_pairs_of_changes_are_named() -> None:
    """At least 95 of 100: a case that shows two changes together, and neither alone, is seldom there."""
    drawn = {name: random.Random(name).sample(list(pair_mutants(damspec.load_ruleset(name))), 15) for name in RULESETS}
    wrong = [named_right(damspec.load_ruleset(name), mutant) for name in RULESETS for mutant in drawn[name]]
    assert sum(why is not None for why in wrong) <= 0.05 * len(wrong), list(filter(None, wrong))


# --- engines that are processes


def checked(name: str, change: str, *more: str) -> Ran:
    """What `damspec check` says of a process that plays a ruleset with a hidden change."""
    return damspec_command("check", name, "--show", "0", *more, "--", sys.executable, str(HIDDEN), name, change)


def explanations(ran: Ran) -> list[str]:
    lines = (line.strip().removeprefix("perhaps ") for line in ran.out.splitlines() if line.startswith("  "))
    return [line.partition(": explains")[0] for line in lines if line.startswith("plays ")]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        pytest.param("de", "huff.turn = spent", marks=pytest.mark.thorough),
        pytest.param("lb", "start.first = white", marks=pytest.mark.slow),
    ],
)
def test_a_process_with_a_hidden_change_is_named(name: str, change: str) -> None:
    ran = checked(name, change)
    assert ran.status == 1
    (line,) = explanations(ran)
    assert line.startswith(f"plays {name}, but as if this held: ")
    assert change in line


def test_a_process_that_refuses_the_first_position_cannot_be_run() -> None:
    ran = checked("lb", "board.numbering = bottom-left")
    assert ran.status == 3
    assert "white man on its promotion row" in ran.complaint


# --- other things that a diagnosis says


def test_another_ruleset_is_named() -> None:
    found = diagnosis_of(damspec.load_ruleset("vl"), damspec.load_ruleset("brazilian"))
    assert [explanation.hypothesis.names for explanation in found.complete] == [("brazilian",), ("hoogland",)]
    assert found.lines()[0].startswith("not confirmed: perhaps plays brazilian in the place of vl: explains ")


def test_a_reading_and_the_change_it_makes_are_one_explanation() -> None:
    found = diagnosis_of(damspec.load_ruleset("lb"), damspec.load_ruleset("lb?origin=occupied"))
    (explanation,) = found.complete
    assert explanation.hypothesis.names == ("capture.origin = occupied", "the reading origin=occupied")
    assert len(explanation.explains) == found.failures > 0


def test_a_right_engine_has_no_diagnosis() -> None:
    found = diagnosis_of(damspec.load_ruleset("lb"), damspec.load_ruleset("lb"))
    assert (found.failures, found.complete, found.lines()) == (0, (), [])


FORWARD = ("forward-left", "forward-right")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changes", "said"),
    [
        ("vl", [("man.capture.later", FORWARD)], "man.capture.later = [forward-diagonals]"),
        ("english", [("king.move.directions", FORWARD)], "king.move.directions = [forward-diagonals]"),
        pytest.param(
            "english",
            [("king.move.directions", FORWARD), ("king.capture.directions", FORWARD)],
            "king.move.directions = [forward-diagonals] and king.capture.directions = [forward-diagonals]",
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            "lb",
            [("king.move.directions", FORWARD), ("capture.duty", "optional")],
            "king.move.directions = [forward-diagonals] and capture.duty = optional",
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            "brazilian",
            [("king.move.reach", 1), ("king.capture.reach", 1), ("king.capture.landing", "behind")],
            "king.move.reach = 1 and king.capture.reach = 1 and king.capture.landing = behind",
            marks=pytest.mark.thorough,
        ),
    ],
    ids=["later jumps", "moves of kings", "kings", "a group and a duty", "kings as in another game"],
)
def test_a_group_of_directions_is_one_change(name: str, changes: list[tuple[str, Any]], said: str) -> None:
    """One mistake of a developer, as one explanation, and not as split_in_halves of it."""
    ruleset = damspec.load_ruleset(name)
    mutant = make_mutant(name, ruleset.values, tuple(changes))
    assert mutant
    found = diagnosis_of(ruleset, mutant.ruleset)
    assert [explanation.hypothesis.names[0] for explanation in found.complete] == [said]
    assert len(found.complete[0].explains) == found.failures > 0


def with_short_kings(ruleset: Ruleset, move: int | str, capture: int) -> Ruleset:
    """Rules whose kings find pieces to capture only some steps away, whether or not a rule has that value."""
    mutant = make_mutant(ruleset.base, ruleset.values, (("king.move.reach", move),))
    assert mutant
    tables = mutant.ruleset.turns.movement.generator.tables
    tables.king_capture_first, tables.king_capture_later = (
        tuple(
            {bit: [one._replace(reached=sum([*one.lands][:capture])) for one in lines] for bit, lines in side.items()}
            for side in sides
        )
        for sides in (tables.king_capture_first, tables.king_capture_later)
    )
    return mutant.ruleset


MOVE_1, MOVE_2, TAKE_1 = (f"king.{rule}" for rule in ("move.reach = 1", "move.reach = 2", "capture.reach = 1"))


@pytest.mark.parametrize(
    ("move", "capture", "names"),
    [
        (1, 99, MOVE_1),
        (2, 99, MOVE_2),
        ("any", 1, TAKE_1),
        pytest.param(1, 1, f"{MOVE_1} and {TAKE_1}", marks=pytest.mark.thorough),
    ],
)
def test_kings_that_go_or_capture_a_step_or_two_are_named(move: int | str, capture: int, names: str) -> None:
    right = damspec.load_ruleset("russian")
    wrong = with_short_kings(right, move, capture)
    report = check(right, cases_for(right), lambda: InProcessEngine(wrong), label="short")
    found = asked_further(report, lambda: InProcessEngine(wrong))
    assert [fit.hypothesis.names[0] for fit in (*found.complete, *found.partial)] == [names]
    assert found.lines()[0].startswith("plays russian, but as if this held: ")


@pytest.mark.slow
def test_what_explains_next_to_nothing_is_not_shown() -> None:
    """It answers as the case before, from the second case on: one rule or another happens to give some of that."""
    ruleset = damspec.load_ruleset("lb")

    class Late(InProcessEngine):
        last: Any = None

        def ask(self, method: str, params: Mapping[str, Any]) -> Any:
            answer = super().ask(method, params)
            if method != "moves":
                return answer
            self.last, late = answer, self.last
            return late or answer

    report = check(ruleset, cases_for(ruleset), lambda: Late(ruleset), label="late")
    failed = [result.case.id for result in report.results if result.status == "failed"]
    assert len(failed) > 50
    found = explain(report, budget=Budget(LONG))
    assert not found.complete
    assert not found.partial
    assert len(found.unexplained) == len(failed)


@pytest.mark.parametrize(
    ("hidden", "named"),
    [
        ("lb?origin=occupied", "capture.origin = occupied"),
        ("lb?first=red-pieces", "start.first = white"),
        ("russian", "russian"),
    ],
)
def test_a_saved_report_is_explained(
    hidden: str, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from damspec_runner.verify.report.serialize import as_json

    ruleset = damspec.load_ruleset("lb")
    saved = tmp_path / "report.json"
    content = as_json([run(ruleset, damspec.load_ruleset(hidden))])
    assert data.schema_problem(content, "report") is None
    saved.write_text(json.dumps(content))
    with pytest.raises(SystemExit) as ended:
        command(["report", str(saved), "--diagnose", "--json"], standalone_mode=False)
    assert ended.value.code == 0
    printed = json.loads(capsys.readouterr().out)
    assert data.schema_problem(printed, "diagnoses") is None
    assert printed["diagnoses"][0]["complete"][0]["names"][0] == named


# --- Checking engines against a file of one's own: the one that plays it passes, the one of the parent is named.


MY = """\
damspec: 1
id: my
name: My checkers
about: Flemish draughts, but a king lands directly behind the piece it takes.
extends: vl
"""
ONE_RULE = MY + "rules: {king.capture.landing: {value: behind}}\n"
THREE_RULES = MY + (
    "documents: []\n"
    "readings:\n"
    "  - id: MY-01\n"
    "    key: my-landing\n"
    "    question: Where does a king land?\n"
    "    alternatives: {behind: {says: Behind.}, any: {says: Anywhere., set: {king.capture.landing: any}}}\n"
    "    chosen: behind\n"
    "    why: So we play.\n"
    "    confidence: medium\n"
    "rules:\n"
    "  king.capture.landing: {value: behind, from: [MY-01]}\n"
    "  capture.removal: {value: at-once}\n"
    "  man.move.directions: {value: [forward-diagonals, forward]}\n"
)
RIGHT = ("--", *fake("right"))
#: An engine that plays `vl` whatever it is asked about, rules sent whole too.
PARENT = ("--", sys.executable, str(TESTS / "fakes" / "always.py"), "vl")


def file(folder: Path, text: str) -> str:
    path = folder / "my.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_reference_passes(tmp_path: Path) -> None:
    my = file(tmp_path, THREE_RULES)
    found = adapted_cases(damspec.load_ruleset_file(my))
    number = len(found.cases) + len(found.set_aside)
    out = printed("check", my, *RIGHT)
    assert f"{len(found.cases)} passed, 0 failed of {len(found.cases)} cases" in out.splitlines()[-1]
    (line,) = [line for line in out.splitlines() if "inherited cases" in line]
    assert line == (
        f"{len(found.answered)} of {number} inherited cases have other answers by these rules: taken from the"
        f" reference; {len(found.set_aside)} set aside: they cannot be by these rules"
    )


def test_the_reference_passes_by_its_name_and_under_a_reading_of_the_file(tmp_path: Path) -> None:
    my = file(tmp_path, THREE_RULES)
    assert damspec_command("check", f"{my}?my-landing=any", "--engine", "damspec").status == 0


@pytest.mark.thorough
def test_the_report_has_what_was_answered_and_set_aside(tmp_path: Path) -> None:
    my = file(tmp_path, ONE_RULE)
    ran = damspec_command("check", my, "--json", *RIGHT)
    content = json.loads(ran.out)
    data.check(content, "report", "here")
    (report,) = content["reports"]
    found = adapted_cases(damspec.load_ruleset_file(my))
    assert report["answered_by_reference"] == list(found.answered)
    assert report["set_aside"] == ["vl.game.a-captured-man-saves-one-that-is-blocked"]
    assert {result["id"] for result in report["results"]} == {case.id for case in found.cases}
    saved = tmp_path / "report.json"
    saved.write_text(ran.out, encoding="utf-8")
    for form in ("markdown", "html", "tap"):
        assert "inherited cases have other answers" in damspec_command("report", str(saved), "--format", form).out
    shipped = json.loads(damspec_command("check", "lb", "-k", "lb.start.*", "--json", *RIGHT).out)["reports"][0]
    assert not {"answered_by_reference", "set_aside"} & shipped.keys()


def test_an_engine_with_the_rules_of_the_parent_fails_and_the_rule_is_named(tmp_path: Path) -> None:
    my = file(tmp_path, ONE_RULE)
    out = printed("check", my, "--show", "0", "-k", "king-capture", *PARENT, status=1)
    number = sum("king-capture" in id for id in adapted_cases(damspec.load_ruleset_file(my)).answered)
    assert f"(king.capture.landing = any; vl): explains {number} of {number}" in out


@pytest.mark.slow
def test_an_engine_with_the_rules_of_the_parent_is_named_where_several_differ(tmp_path: Path) -> None:
    my = file(tmp_path, THREE_RULES)
    saved = tmp_path / "report.json"
    saved.write_text(damspec_command("check", my, "--no-diagnose", "--json", *PARENT).out, encoding="utf-8")
    assert "plays vl in the place of my: explains " in printed("report", "--diagnose", str(saved))


def test_the_ruleset_that_a_file_takes_its_id_from_is_named(tmp_path: Path) -> None:
    text = damspec.load_ruleset("vl").path.read_text(encoding="utf-8")
    path = tmp_path / "vl.yaml"
    changed = text.replace("{value: 1, from: [vl-015", "{value: 2, from: [vl-015")
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    mine = damspec.load_ruleset_file(str(path))
    report = check(mine, cases_for(mine), lambda: InProcessEngine(damspec.load_ruleset("vl")), label="x")
    assert any(result.status != "passed" for result in report.results)
    (found,) = explain(report).complete
    assert found.hypothesis.names == ("promotion.rows = 1", "vl")


def test_an_engine_that_does_not_know_the_file_is_told_so(tmp_path: Path) -> None:
    example = TESTS.parent / "runner" / "examples" / "engine.py"
    ran = damspec_command("check", file(tmp_path, ONE_RULE), "--", sys.executable, str(example))
    assert ran.status == 3
    assert 'does not play my; it plays english, lb, and does not say "rules": true' in ran.err


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("moves", "{}", "W:WK13:B9"), "13x6\n"),
        (("moves", "{}?my-landing=any", "W:WK13:B9"), "13x2\n13x6\n"),
        (("play", "{}", "W:W21:B1", "21-13"), "B:W13:B1\n"),
        (("outcome", "{}", "W:W22:B18"), "draw (one-piece-each)\n"),
        (("perft", "{}", "--depth", "1"), "1 15\n"),
        (("explain", "{}"), "  MY-01 my-landing (medium): Where does a king land?\n"),
        (("explain", "{}"), "king.capture.landing: behind · A king's jump lands on the square directly behind"),
        pytest.param(
            ("explain", "{}?my-landing=any"),
            "Instead of: A king's jump lands on the square directly behind",
            marks=pytest.mark.slow,
        ),
        (("diff", "{}?my-landing=any", "{}"), "MY-01 (reading my-landing=any, not the one chosen)"),
        (("generate", "{}", "--exercise", "king.capture.landing", "-n", "1", "--seed", "1"), "  clauses: []\n"),
        (("generate", "{}", "--distinguish", "vl", "-n", "1", "--seed", "1", "--format", "fen"), ":B"),
        (("cases", "list", "{}", "-k", "*lands-anywhere-behind@my"), "vl.king-capture.lands-anywhere-behind@my  "),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_commands_take_the_file(tmp_path: Path, words: tuple[str, ...], shown: str) -> None:
    """Straight on is two rows further: 21-13. At the start the men of two rows can, eight moves besides the seven."""
    my = file(tmp_path, THREE_RULES)
    ran = damspec_command(*(word.format(my) for word in words))
    assert (ran.status, shown in ran.out) == (0, True), ran.out + ran.err
