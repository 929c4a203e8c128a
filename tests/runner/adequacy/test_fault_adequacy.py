"""The faults that are no rule, put to the cases: each is noticed by at least two, and the page says how many."""

from __future__ import annotations

from pathlib import Path

import pytest

import damspec
from damspec_runner.adequacy.measure import WANTED, killers, measure
from damspec_runner.answers.player import RulePlayer
from damspec_runner.cases.answer import Question
from damspec_runner.cases.cases import cases_for
from damspec_runner.mutants.fault_catalogue import faults
from damspec_runner.mutants.fault_values import possible_legs
from runner_fixtures import printed, printed_json, refused
from runs import for_each, usually

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "adequacy.md").read_text(encoding="utf-8")
RULESETS = damspec.ruleset_ids()


@pytest.mark.slow
@pytest.mark.parametrize("name", usually((), RULESETS, {"english"}))
def test_every_fault_is_killed(name: str) -> None:
    (found,) = measure([damspec.load_ruleset(name)], ["fault"])
    verdicts = found.verdicts
    assert [(verdict.mutant, verdict.killers) for verdict in verdicts if verdict.fate != "killed"] == []
    assert f"| {name} | {len(cases_for(damspec.load_ruleset(name)))} | {len(verdicts)} | {len(verdicts)} | " in PAGE


@for_each(
    ("name", "says", "by"),
    [
        *(
            (
                name, "ends the game when a side cannot move although it is not its turn",
                {"blocked-side-not-to-move", "blocked-white-not-to-move"},
            )
            for name in ("english", "international", "russian", "pool", "poddavki", "vl", "turkish", "gothic", "dumm")
        ),
        *(
            (
                name, "lets kings capture past a piece of their own",
                {"king-not-past-its-own-man", "black-king-not-past-its-own-man"},
            )
            for name in ("russian", "international")
        ),
        (
            "english", "goes on counting moves of kings alone after a move of a man",
            {"a-man-moves-between-forty-king-moves-of-white", "a-man-moves-between-forty-king-moves-of-black"},
        ),
        (
            "italian", "goes on counting moves of kings alone after a capture",
            {f"{side}-takes-a-king-and-the-forty-moves-begin-again" for side in ("white", "black")},
        ),
        (
            "english", "takes a position for repeated when only the kind of a piece differs",
            {"third-time-but-first-as-a-white-man", "third-time-but-first-as-a-black-man"},
        ),
        (
            "turkish", "takes a position for repeated when only the side to move differs",
            {"pieces-third-time-but-white-to-move", "pieces-third-time-but-black-to-move"},
        ),
    ],
)  # fmt: skip
def test_engines_that_passed_all_cases_once(name: str, says: str, by: set[str]) -> None:
    """Now these cases kill them, in moves or in all else; their ids without the ruleset and the topic."""
    ruleset = damspec.load_ruleset(name)
    fault = next(each for each in faults(ruleset, "faults", "outcomes") if each.name == says)
    in_moves = fault in faults(ruleset)
    asked = [Question(case, ruleset) for case in cases_for(ruleset) if bool(case.expected.moves) == in_moves]
    wrong = killers(RulePlayer(ruleset, fault.turns(ruleset.turns)), asked)
    assert {each.case.id.split(".")[2] for each in wrong} == by


@pytest.mark.parametrize("name", usually(["czech"], RULESETS, ["brazilian", "keny", "frisian", "spanish"]))
def test_every_fault_in_how_a_game_stands_is_killed(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    about = [Question(case, ruleset) for case in cases_for(ruleset) if case.expected.moves is None]
    wrong = {each.name: RulePlayer(ruleset, each.turns(ruleset.turns)) for each in faults(ruleset, "outcomes")}
    assert {says for says, engine in wrong.items() if len(killers(engine, about, WANTED)) < WANTED} == set()


@pytest.mark.parametrize("name", ["english", "italian"])
def test_where_pieces_move_one_square_the_rows_say_whose_turn_it_is(name: str) -> None:
    """So no position has stood with either side to move, and repetition that forgets the side is no fault."""
    ruleset = damspec.load_ruleset(name)
    board = ruleset.rules.board
    for leg in possible_legs(ruleset):
        rows = (board.places[square - 1][1] for square in (leg.start, leg.end))
        assert sum(rows) % 2 == (leg.way == "move")
    says = "takes a position for repeated when only the side to move differs"
    assert says not in {each.name for each in faults(ruleset, "outcomes")}


@pytest.mark.slow
def test_a_fault_is_not_killed_by_the_cases_that_do_not_show_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the cases of kings alone nothing shows that a list has room for ten moves only, nor for forty."""
    ruleset = damspec.load_ruleset("english")
    short = [case for case in cases_for(ruleset) if len(case.expected.moves or ()) <= 10]
    assert len(short) > 80
    monkeypatch.setattr(
        "damspec_runner.adequacy.measure._questions_of", lambda _: [Question(case, ruleset) for case in short]
    )
    (found,) = measure([ruleset], ["fault"])
    fates = {verdict.mutant: verdict.fate for verdict in found.verdicts}
    assert fates["lists at most 10 moves"] == fates["lists at most 40 moves"] == "survives"
    assert fates["lists at most 3 moves"] == "killed"


@pytest.mark.slow
def test_the_command() -> None:
    content = printed_json("adequacy", "adequacy", "--faults", "english", "--json", "-j", "1")
    entry = content["adequacy"][0]
    by_name = {fault["mutant"]: fault for fault in entry["mutants"]}
    assert entry["ruleset"] == "english"
    assert {fault["kind"] for fault in entry["mutants"]} == {"fault"}
    # one square of the last row: what steps there, and nothing else
    crowns = by_name["does not crown white men that move to 3"]["killers"]
    assert len(crowns) >= WANTED
    assert all(id.startswith("english.") for id in crowns)


@pytest.mark.slow
def test_the_command_tells_it_in_words() -> None:
    out = printed("adequacy", "--faults", "english", "-j", "1")
    assert " faults: " in out
    assert out.endswith("0 left\n")


def test_one_measure_at_a_time() -> None:
    said = refused("adequacy", "--faults", "--pairs", "english")
    assert "found several of --pairs, --faults, --perft and --baselines, expected one" in said
