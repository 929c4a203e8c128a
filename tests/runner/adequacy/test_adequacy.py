"""Mutation adequacy: what the schema lets a ruleset be changed to, who notices, and what is proved to be no change."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

import damspec
from damspec.mutations import changed_values, equivalent_mutants, whole_values
from damspec.outcomes import outcome_of_game
from damspec_runner.adequacy.measure import (
    WANTED,
    Adequacy,
    MutantVerdict,
    VoidRunError,
    _other_readings,
    baselines,
    measure,
)
from damspec_runner.cases import lint
from damspec_runner.cases.answer import Question
from damspec_runner.cases.cases import Case, cases_for, cases_of, names
from damspec_runner.cases.lint import id_complaints
from damspec_runner.mutants.mutants import pair_mutants, single_mutants
from refusals import refusal
from runner_fixtures import damspec as run
from runs import ORIGINALS, SPREAD, for_each, usually

RULESETS = damspec.ruleset_ids()
PAGE = Path(__file__).resolve().parents[3] / "docs" / "adequacy.md"

every_ruleset = pytest.mark.parametrize("name", usually(ORIGINALS, SPREAD))


@cache
def measured() -> dict[str, Case]:
    """The cases of the rulesets that are measured, by their ids."""
    return {case.id: case for name in RULESETS for case in cases_of(name)}


@cache
def verdicts_of(name: str) -> tuple[MutantVerdict, ...]:
    """The verdicts on every single change and every other reading."""
    (found,) = measure([damspec.load_ruleset(name)])
    return found.verdicts


def said(line: str) -> bool:
    """Whether the page has a line."""
    return line in PAGE.read_text(encoding="utf-8").splitlines()


def test_changed_values_are_all_single_changes() -> None:
    for rule, value, others in (
        ("man.move.reach", 1, ["any"]),
        ("capture.completion", "whole", ["may-stop", "one"]),
        ("huff.remedies", ("huff", "retract"), [("retract",), ("huff",)]),
        ("huff.remedies", ("huff",), [("huff", "retract")]),
        ("board.size", "8x8", []),
        ("draws.king-moves", 25, [24, 26, None]),
        ("draws.king-moves", None, []),
        ("draws.repetition", 2, [3, None]),
        (
            "draws.balance",
            {"4": 1, "5": 9},
            [{"4": 2, "5": 9}, {"5": 9}, {"4": 1, "5": 8}, {"4": 1, "5": 10}, {"4": 1}],
        ),
        ("draws.main-road", {"KKKvK": 5}, [{"KKKvK": 4}, {"KKKvK": 6}, None]),
    ):
        assert changed_values(rule, value) == others, rule
    assert changed_values("capture.choice", ("most-pieces", "with-king"))[:2] == [("with-king",), ("most-pieces",)]
    assert ("with-king", "most-pieces") in changed_values("capture.choice", ("most-pieces", "with-king"))
    assert {"disc": "piece"} in changed_values("spin.outcomes", {"disc": "piece", "green": "green-slider"})


def test_whole_values_are_groups_of_directions_and_what_games_have() -> None:
    """No small change, nor the value itself, whatever the order of its directions."""
    forward, backward = ("forward-left", "forward-right"), ("backward-left", "backward-right")
    found = whole_values("man.capture.later", ("backward-right", *forward, "backward-left"))
    assert {forward, backward} <= set(found)
    assert not any(len({*forward, *backward} ^ set(value)) < 2 for value in found)
    assert forward not in whole_values("man.move.directions", ("forward-left",))  # gaining one is a small change
    assert () in whole_values("capture.choice", ("most-pieces", "with-king"))  # lb has no choice to make
    assert whole_values("man.move.reach", 1) == []
    assert whole_values("board.size", "8x8") == []
    assert whole_values("capture.choice", None) == []


def test_a_mutant_brings_what_it_needs_and_drops_what_it_makes_moot() -> None:
    by_name = {mutant.name: mutant for mutant in single_mutants(damspec.load_ruleset("lb"))}
    assert by_name["capture.choice = [most-pieces]"].values["capture.binds"] == "path"
    assert by_name["capture.duty = huffing"].values["huff.offence"] == "no-capture"
    free = {mutant.name: mutant for mutant in single_mutants(damspec.load_ruleset("vl"))}["capture.choice = []"]
    assert "capture.binds" not in free.values


def test_a_rule_that_may_be_there_is_a_change_too() -> None:
    weights = [f"capture.king-weight = {weight}" for weight in (1.5, 1.99, 2, 3)]
    assert [mutant.name for mutant in single_mutants(damspec.load_ruleset("vl")) if "weight" in mutant.name] == weights
    assert not any("weight" in mutant.name for mutant in single_mutants(damspec.load_ruleset("lb")))


@pytest.mark.parametrize("duty", ["optional", "compulsory-for-men", "huffing"])
def test_a_spinner_goes_with_no_duty_but_a_compulsory_one(duty: str) -> None:
    ruleset = damspec.load_ruleset("nl-trapdoor")
    of_huffing = ("huff.", "ending.blocked")
    huff = {rule: value for rule, value in damspec.load_ruleset("de").values.items() if rule.startswith(of_huffing)}
    values = {**ruleset.values, "capture.duty": duty, **(huff if duty == "huffing" else {})}
    said = refusal(damspec.RulesetError, damspec.from_values, values)
    assert f"rules.capture.duty: found '{duty}' with a spinner, which" in said
    assert not any(mutant.values["capture.duty"] == duty for mutant in single_mutants(ruleset))


@pytest.mark.thorough
@every_ruleset
def test_every_mutant_is_a_valid_other_ruleset(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    mutants = single_mutants(ruleset)
    assert len({mutant.name for mutant in mutants}) == len(mutants) >= 60
    for mutant in mutants:
        assert mutant.ruleset.values != ruleset.values


@pytest.mark.thorough
def test_pairs_change_two_rules_of_movement() -> None:
    mutants = list(pair_mutants(damspec.load_ruleset("lb")))
    assert len(mutants) > 1000
    assert all(len(set(mutant.rules_changed)) == 2 for mutant in mutants)
    assert not any(rule.startswith(("board.", "ending.")) for mutant in mutants for rule in mutant.rules_changed)


@pytest.mark.parametrize("name", usually(["english"], RULESETS, ["nl-trapdoor"]))
def test_every_mutant_is_killed_or_proved_equivalent(name: str) -> None:
    verdicts = verdicts_of(name)
    assert {verdict.kind for verdict in verdicts} <= {"single", "reading"}
    left = [(v.mutant, v.fate, v.killers) for v in verdicts if v.fate in ("survives", "barely")]
    assert left == []
    cases, killed = len(cases_for(damspec.load_ruleset(name))), sum(verdict.fate == "killed" for verdict in verdicts)
    two = len(list(pair_mutants(damspec.load_ruleset(name))))
    assert said(f"| {name} | {cases} | {len(verdicts)} | {killed} | {len(verdicts) - killed} | {two} |")
    assert all(not verdict.killers for verdict in verdicts if verdict.fate == "equivalent")


@pytest.mark.slow
@pytest.mark.parametrize("name", SPREAD)
def test_every_pair_is_killed(name: str) -> None:
    (found,) = measure([damspec.load_ruleset(name)], ["pair"])
    verdicts = found.verdicts
    assert len(verdicts) == len(list(pair_mutants(damspec.load_ruleset(name))))
    assert [(v.mutant, v.killers) for v in verdicts if v.fate in ("survives", "barely")] == []


def own_file(folder: Path) -> Path:
    """A file in which a king of Flemish draughts lands directly behind what it takes, as one of its readings has it."""
    file = folder / "my.yaml"
    head = "damspec: 1\nid: my\nname: My checkers\nabout: A ruleset of the tests.\nextends: vl\n"
    file.write_text(f"{head}rules:\n  king.capture.landing: {{value: behind}}\n", encoding="utf-8")
    return file


def test_a_mutant_that_survives_is_shown_with_the_proof_for_a_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, unknown = (
        MutantVerdict(name, "single", (), ()) for name in ("capture.completion = may-stop", "man.move.reach = any")
    )
    monkeypatch.setattr("damspec_runner.commands.adequacy.measure", lambda *_: [Adequacy("my", 193, (known, unknown))])
    lines = run("adequacy", str(own_file(tmp_path))).out.splitlines()
    assert lines[:2] == [
        "my: capture.completion = may-stop: survives; equivalent in vl, which it extends: The greatest number has to be"
        " captured, so a capture that stops early is never among the best.",
        "my: man.move.reach = any: survives",
    ]


def test_a_reading_that_gives_the_rules_of_a_file_is_no_mutant(tmp_path: Path) -> None:
    my, vl = damspec.load_ruleset_file(str(own_file(tmp_path))), damspec.load_ruleset("vl")
    assert "king-capture=directly-behind" in my.alternatives
    assert "king-capture=directly-behind" not in dict(_other_readings(my))
    assert dict(_other_readings(vl)) == vl.alternatives


def test_a_run_without_its_controls_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = damspec.load_ruleset("lb")
    asked = [Question(case, ruleset) for case in cases_for(ruleset)[:1]]
    monkeypatch.setattr("damspec_runner.adequacy.measure._questions_of", lambda _: asked)
    assert f"killed by fewer than {WANTED} cases" in refusal(VoidRunError, list, measure([ruleset]))
    others = [Question(case, ruleset) for case in cases_for(damspec.load_ruleset("vl"))]
    monkeypatch.setattr("damspec_runner.adequacy.measure._questions_of", lambda _: others)
    assert "does not pass its own case" in refusal(VoidRunError, list, measure([ruleset]))


@pytest.mark.slow
@pytest.mark.parametrize("name", usually((), sorted({name for name, _ in equivalent_mutants()} & {*SPREAD})))
def test_equivalents_name_mutants_that_there_are(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    named = {change for one, change in equivalent_mutants() if one == name}
    names = {mutant.name for mutant in single_mutants(ruleset)} | set(ruleset.alternatives)
    if any(" and " in change for change in named):
        names |= {mutant.name for mutant in pair_mutants(ruleset)}
    assert named <= names


def test_endgames_that_moves_of_kings_decide_before() -> None:
    """Three kings against one, by chance and long enough: with and without the change the games are drawn alike."""
    name, start = "czech", "W:WK29,K13,K20:BK1"
    change = 'draws.endings = {"KKKvK": 15, "KKvK KMvK KvK": 5}'
    assert (name, change) in equivalent_mutants()
    ruleset = damspec.load_ruleset(name)
    (changed,) = [mutant.ruleset for mutant in single_mutants(ruleset) if mutant.name == change]
    chance, seen = random.Random(4), set()
    for _ in range(3):
        game = damspec.Game(ruleset, start)
        positions = [game.position]
        while len(positions) < 40 and (legal := game.legal_moves):
            lasting = [move for move in legal if not ruleset.turns.can_capture(legal.after(move))]
            positions.append(game.push(chance.choice(lasting or [*legal])))
            stands = outcome_of_game(changed.turns, positions, game.history)
            assert stands == game.outcome()
            seen.add(stands.reason)
    assert "king-moves" in seen


# --- cases that are taken away


@pytest.mark.thorough
def test_the_ledger_is_right() -> None:
    """The cases of rulesets under overlays are in it too."""
    assert list(id_complaints({case.id for name in names() for case in cases_of(name)})) == []


def test_what_the_ledger_complains_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ids.txt"
    file.write_text("a.b.two\na.b.one\na.b.three withdrawn: wrong by clause a-1\na.b.four withdrawn: twice there\n")
    monkeypatch.setattr(lint, "ledger_path", lambda: file)
    assert [line.partition(",")[0] for line in id_complaints(["a.b.two", "a.b.three", "a.b.five"])] == [
        "a.b.one: stands after a.b.two",
        "a.b.four: stands after a.b.three",
        "a.b.one: published",
        "a.b.three: withdrawn",
        "a.b.five: not in the ledger yet: damspec cases publish",
    ]
    assert lint.record_ids(["a.b.two", "a.b.three", "a.b.five"]) == ["a.b.five"]
    assert [line.partition(" withdrawn: ")[0] for line in file.read_text().splitlines()] == [
        "a.b.five", "a.b.four", "a.b.one", "a.b.three", "a.b.two",
    ]  # fmt: skip
    assert [line.partition(":")[0] for line in id_complaints(["a.b.two", "a.b.five"])] == ["a.b.one"]


def missed_by_changes(gone: set[str]) -> set[str]:
    """Which of the cases taken away some change of rules would need, to be noticed by enough."""
    verdicts = [verdict for name in RULESETS for verdict in verdicts_of(name) if verdict.equivalent is None]
    short = (set(verdict.killers) for verdict in verdicts if len(set(verdict.killers) - gone) < WANTED)
    return gone & set().union(*short)


def missed_by_clauses(gone: set[str]) -> set[str]:
    """Which of the cases taken away showed a clause that no other case shows."""
    shown = {clause for case in measured().values() if case.id not in gone for clause in case.clauses}
    return {case.id for case in measured().values() if case.id in gone and not shown.issuperset(case.clauses)}


@for_each("seed", range(10))
def test_ten_cases_taken_away_are_missed(seed: int) -> None:
    ids = {id for id, withdrawn in lint.published_ids().items() if not withdrawn}
    gone = set(random.Random(seed).sample(sorted(ids), 10))
    assert {line.partition(": published")[0] for line in id_complaints(ids - gone)} == gone


@pytest.mark.slow
def test_the_page_says_how_many_cases_are_missed_by_what_they_show() -> None:
    verdicts = [verdict for name in RULESETS for verdict in verdicts_of(name)]
    by_changes = {id for verdict in verdicts if len(verdict.killers) == WANTED for id in verdict.killers}
    by_clauses = {id for id in measured() if missed_by_clauses({id})}
    assert said(f"| a change of one rule, or another reading, that two cases have to notice | {len(by_changes)} |")
    assert said(f"| a clause that no other case shows | {len(by_clauses)} |")
    assert said(f"| one of them | {len(by_changes | by_clauses)} of {len(measured())} |")
    tens = [set(random.Random(seed).sample(sorted(measured()), 10)) for seed in range(100)]
    missed = [len(missed_by_changes(gone) | missed_by_clauses(gone)) for gone in tens]
    mean = sum(missed) / len(missed)
    few, many = min(missed), max(missed)
    assert said(f"Of ten removed at random, {few} to {many} would be noticed in this way, {mean:.1f} on average.")


@pytest.mark.parametrize("name", usually((), RULESETS, ["lb", "nl-trapdoor"]))
def test_the_page_says_what_trivial_engines_score(name: str) -> None:
    """And the best of the other rulesets, but for one with the same rules, which passes."""
    scores = list(baselines(damspec.load_ruleset(name)))
    trivial, others = scores[:3], scores[3:]
    beaten = [score for score in others if score.passed < score.cases]
    best = max(beaten, key=lambda score: score.passed, default=None)
    cells = [f"{score.passed / score.cases:.0%}" for score in trivial]
    cells.append(f"{best.engine} {best.passed / best.cases:.0%}" if best else "-")
    assert said(f"| {name} | {' | '.join(cells)} |")
