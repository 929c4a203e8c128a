"""Which rule values change an answer, and to what; what a set of positions covers."""

from __future__ import annotations

import json
import random
from itertools import islice

import pytest
from rich.console import Console

import damspec
from annotated_positions import answered
from damspec import sampling
from damspec_runner.answers.player import RulePlayer
from damspec_runner.generate.annotate import AnnotatedPosition, Other, Values
from damspec_runner.generate.diversity import Coverage, coverage
from damspec_runner.generate.formats import show_table
from differences import truly_differ

#: The man on 26 has to take 23 and then, backward, 24. Without the duty it could step to 22.
TWO = "W:W26:B23,24"


def by_value(one: AnnotatedPosition) -> dict[str, Other]:
    """The other answers by the rule values that give them."""
    return {mutant.name: other for other in one.others for mutant in other.mutants}


def test_what_other_values_answer() -> None:
    (one,) = answered("vl", TWO)
    assert (dict(one.moves), str(one.outcome)) == ({"26x19x28": "B:W28:B"}, "ongoing")
    others = by_value(one)
    free = others["capture.duty = optional"]
    assert free.lists["moves"].actions == {"26-22": "B:W22:B23,24", "26x19x28": "B:W28:B"}
    assert ([*free.lists], free.outcome, free.in_words()) == (["moves"], None, "also 26-22")
    assert others["capture.duty = huffing"].lists["lapses"].actions == {"26-22": "B:W22:B23,24:huffable=26-22"}
    assert others["capture.duty = huffing"].in_words() == "lapses: also 26-22"
    forward = others["man.capture.later = [forward-diagonals]"]
    assert forward.lists["moves"].actions == {"26x19": "B:W19:B24"}
    assert forward.in_words() == "not 26x19x28; also 26x19"
    assert forward is others["man.capture.later = [forward-left, forward-right, backward-left]"]
    assert "man.capture.later = [forward-left, forward-right, backward-left] or" in forward.names[0]
    elsewhere = [name for name in others if name.startswith(("king.", "board.", "start.", "ending."))]
    assert elsewhere == ["ending.one-piece = loses"]  # White has one


def test_other_outcomes_and_other_places() -> None:
    """One man each is a draw in Flemish draughts; a door that closes at once leaves all doors shut."""
    (one,) = answered("vl", "W:W22:B18")
    never = by_value(one)["ending.draws = []"]
    assert (never.lists, never.in_words()) == ({}, "outcome ongoing")
    (one,) = answered("nl-trapdoor", "W:W32:B4:sliders=MMMM:spin=green")
    assert one.moves["G1=L"] == "B:W32:B4:sliders=MLMM"
    shut = by_value(one)["trapdoors.closing = at-once"]
    places = [f"{slide} leads to B:W32:B4:sliders=MMMM" for slide in ("G1=L", "G1=R", "G2=L", "G2=R")]
    assert shut.in_words() == "; ".join(places)


SELDOM = [pytest.param(name, 4, marks=pytest.mark.thorough) for name in ("de", "nl-trapdoor", "international", "lb")]


@pytest.mark.parametrize(("name", "number"), [("vl", 4), *SELDOM])
def test_every_value_that_changes_an_answer_is_named(name: str, number: int) -> None:
    """Against answers in full, of every value, in random positions."""
    ruleset = damspec.load_ruleset(name)
    values = Values(RulePlayer(ruleset))
    for position in islice(sampling.sample_positions(ruleset, random.Random(5), (1, 8)), number):
        named = {mutant for other in values.others(position) for mutant in other.mutants}
        for mutant in values.mutants:
            try:
                mutant.ruleset.position(position.fen())
            except damspec.DamspecError:
                assert mutant not in named
                continue
            assert (mutant in named) == truly_differ(ruleset, mutant.ruleset, position), (position.fen(), mutant.name)


# --- what they cover --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def covered() -> Coverage:
    """Of a capture by a white man, a step of a black one, and the draw with one each, where each can be taken."""
    positions = answered("vl", TWO, "B:W32:B1,4", "W:W22:B18")
    return coverage(positions[0].by, positions)


def test_values_sides_kinds_and_squares(covered: Coverage) -> None:
    assert covered.every.positions == 3
    assert covered.every.row() == [0, 2, 0, 0, 1, 0, 0, 0]
    assert covered.rules["capture.duty"].row() == [0, 2, 0, 0, 0, 0, 0, 0]
    assert covered.rules["man.move.reach"].row() == [0, 0, 0, 0, 1, 0, 0, 0]
    assert covered.values_shown("ending.draws") == (2, 3)  # it is a draw too where only pieces of the same kind draw
    assert covered.values_shown("king.capture.landing") == (0, 2)
    there = {1: 1, 4: 1, 18: 1, 22: 1, 23: 1, 24: 1, 26: 1, 32: 1}
    assert list(covered.squares) == [there.get(number, 0) for number in range(1, 33)]


def test_coverage_as_plain_data(covered: Coverage) -> None:
    plain = json.loads(json.dumps(covered.as_json()))
    assert damspec.data.schema_problem(plain, "generate", "coverage") is None
    (optional,) = [one for one in plain["values"] if (one["rule"], one["value"]) == ("capture.duty", "optional")]
    assert (optional["positions"], optional["white"]["man-captures"], optional["black"]["positions"]) == (2, 2, 0)


def test_coverage_in_a_terminal(covered: Coverage) -> None:
    console = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    show_table(covered, damspec.load_ruleset("vl").rules.board, console)
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= 80
    rows = [" ".join(line.split()) for line in lines]
    assert [row for row in rows if row.startswith(("all", "capture.duty", "king.capture.landing"))] == [
        "all positions 3 · 2 · · 1 · · ·",
        "king.capture.landing 0/2 · · · · · · · · ·",
        "capture.duty 2/3 2 · 2 · · · · · ·",
    ]
    assert rows[-8:] == ["1 · · 1", *["· · · ·"] * 3, "· 1 · ·", "· 1 1 1", "· 1 · ·", "· · · 1"]
