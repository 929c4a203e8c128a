"""What is known before a search: proofs that no position shows a change, and rules that allow no other value."""

from __future__ import annotations

from pathlib import Path

import pytest

import damspec
from damspec_runner.generate.goal import Goal, NothingToFindError, SearchGoal, prove_nothing_to_find
from damspec_runner.mutants.mutants import single_mutants
from refusals import refusal
from ruleset_files import child, load
from runner_fixtures import damspec as run
from runner_fixtures import refused

#: What cannot be found, and words of why.
IMPOSSIBLE = {
    "lb --distinguish english": "from english: draws.repetition, draws.king-moves show only in games",
    "fr-trapdoor-close --exercise trapdoors.passing": "no position tells fr-trapdoor-close from any other",
    "vl --exercise capture.completion=may-stop": "from capture.completion = may-stop: The greatest number has to be",
    "vl --distinguish vl?completion=may-stop": "from vl?completion=may-stop: The greatest number has to be captured",
    "fr-trapdoor-american --distinguish nl-trapdoor-american": "A short jump always ends on squares of the colour",
    "nl-trapdoor-autoclose --exercise trapdoors.passing": "Doors close again at once, so nothing passes over",
    "nl-trapdoor --exercise capture.duty": "can have no other capture.duty: found 'compulsory-for-men' with a",
    "nl-trapdoor --exercise king.move.slides": "can have no other king.move.slides: found 'twice' with trapdoors",
}


@pytest.mark.parametrize("line", IMPOSSIBLE)
def test_one_line_says_why_nothing_can_be_found(line: str) -> None:
    said = refused("generate", *line.split(), "--tries", "100000000", status=1)
    assert said.startswith("damspec: nothing can be found: ")
    assert IMPOSSIBLE[line] in said


def test_proved_values_are_not_searched_for() -> None:
    vl = damspec.load_ruleset("vl")
    finishes = [one.ruleset for one in single_mutants(vl) if one.rules_changed == ("king.capture.finish",)]
    asked = SearchGoal(
        vl, (Goal("another finish", tuple(finishes)), Goal("brazilian", (damspec.load_ruleset("brazilian"),)))
    )
    first, second = prove_nothing_to_find(asked).goals
    assert [one.values["king.capture.finish"] for one in finishes] == ["continuing", "behind-last-king", "behind-last"]
    assert [one.values["king.capture.finish"] for one in first.others] == ["behind-last-king", "behind-last"]
    assert second == asked.goals[1]


def test_a_file_with_the_rules_of_another_has_its_proofs(tmp_path: Path) -> None:
    mine = load(tmp_path, child("vl"))
    said = refused("generate", str(mine.path), "--exercise", "capture.completion=may-stop", status=1)
    assert "nothing can be found: no position tells mine from capture.completion = may-stop" in said
    other = damspec.from_values({**damspec.load_ruleset("vl").values, "capture.choice": (), "capture.binds": None}, "x")
    goal = Goal("", (other,))
    assert prove_nothing_to_find(SearchGoal(damspec.load_ruleset("vl"), (goal,))).goals == (goal,)
    refusal(NothingToFindError, prove_nothing_to_find, SearchGoal(other, (goal,)))


def test_a_rule_that_can_have_any_value_is_given_some() -> None:
    """The doors of each slider exchanged, the colours, or all doors moved: whatever shows in a position counts."""
    ran = run("generate", "nl-trapdoor", "--exercise", "trapdoors.layout", "-n", "4", "--format", "fen")
    assert (ran.status, len(ran.out.splitlines())) == (0, 4)


def test_small_ranges_are_tried_whole() -> None:
    """Two pieces never show whether a jumped piece is still in the way: it takes two to jump, and the one that does.

    White is to move: the game is the same turned round. A piece is one of four on 32 squares, and men of each side
    are never on four of them: 32 x 31 / 2 x 16 placements, without those with a man on its promotion row.
    """
    said = refused("generate", "vl", "--exercise", "capture.removal", "--pieces", "2", status=1)
    # 32 squares x 4 kinds without 8: 120 pieces; pairs of these on two squares, by square: 24 have 4 kinds, 8 have 3.
    placements = (120 * 120 - (24 * 16 + 8 * 9)) // 2
    assert said == f"damspec: nothing found: all {placements:,} positions with 2 pieces were tried"


def test_all_there_are() -> None:
    ran = run("generate", "lb", "--exercise", "king.capture.reach", "--all", "--pieces", "2", "--format", "fen")
    found = [damspec.load_ruleset("lb").position(fen) for fen in ran.out.splitlines()]
    assert [len(position) for position in found] == [2] * len(found)
    assert len(set(found)) == len(found)
    turned = {position.mirrored() for position in found}
    assert turned == set(found)
    # Both sides to move: twice 120 positions with one piece, and twice those with two.
    assert ran.err.endswith(f" apart, out of {2 * (120 + 6972):,} with 1 to 2 pieces\n")
    assert ran.err.startswith(f"all there are: {len(found):,} positions, ")


def test_the_time_that_it_may_take() -> None:
    words = ("--exercise", "ending.order", "-n", "9", "--tries", "1000000000", "--time", "0.2", "--format", "fen")
    ran = run("generate", "vl", *words)
    assert ran.status in (0, 1)
    assert "time is up: " in ran.err
