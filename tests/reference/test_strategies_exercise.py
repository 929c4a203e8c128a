"""The strategies where one asks for something: rules exercised, phases, captures, numbers of pieces; broken engines."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

import damspec
from damspec import Position, Ruleset
from damspec.mutations import mutate_rule
from damspec.strategies import NoPositionError, positions
from damspec.strategies.requests import PositionRequest, exercise_mutants
from damspec.validity import phase_of, phases
from damspec_runner.answers.answer_diff import PossibleDifferences, View, differing_view
from damspec_runner.answers.player import RulePlayer
from runs import ORIGINALS, usually

NL = "nl-trapdoor?spin=after-capture"
#: Every rule of every ruleset.
RULES = [(name, rule) for name in (*damspec.ruleset_ids(), NL) for rule in damspec.load_ruleset(name).values]
#: The part of the examples that exercise a rule where no strategy of its own is needed.
ENOUGH = 0.03


def drawn(name: str | Ruleset, number: int = 30, **asked: Any) -> list[Position]:
    """Examples, the same each time. As strict as Hypothesis is by itself about examples that come to nothing."""
    found: list[Position] = []

    @settings(max_examples=number, database=None, derandomize=True, phases=[Phase.generate], deadline=None)
    @given(positions(name, **asked))
    def take(position: Position) -> None:
        found.append(position)

    take()
    return found


def longest(ruleset: Ruleset, position: Position) -> int:
    return max((len(move.captured) for move in damspec.legal_moves(ruleset, position).moves), default=0)


def told_from(ruleset: Ruleset, rule: str) -> tuple[Ruleset, ...]:
    """The rulesets that a rule is told from by positions; none where it is known that there is no such position."""
    try:
        return exercise_mutants(ruleset, rule)
    except NoPositionError:
        return ()


CAPTURES: dict[str, tuple[bool | int, Callable[[int], bool]]] = {
    "none": (False, lambda taken: taken == 0),
    "some": (True, lambda taken: taken > 0),
    "long": (3, lambda taken: taken >= 3),
}


@pytest.mark.parametrize("name", usually(("russian",), ["russian", "international", "vl", "lb"], ("international",)))
@pytest.mark.parametrize("asked", CAPTURES)
def test_captures(name: str, asked: str) -> None:
    captures, holds = CAPTURES[asked]
    ruleset = damspec.load_ruleset(name)
    found = drawn(name, captures=captures, pieces=(4, 10))
    assert len(found) == 30
    assert all(holds(longest(ruleset, position)) and 4 <= len(position) <= 10 for position in found)


@pytest.mark.parametrize(
    "of",
    usually(
        [("de", "huffable"), ("nl-trapdoor", "spin=green")],
        [(name, phase) for name in ("de", "nl-trapdoor", NL) for phase in phases(damspec.load_ruleset(name).rules)],
    ),
)
def test_phases(of: tuple[str, str]) -> None:
    name, phase = of
    found = drawn(name, phase=phase)
    assert len(found) == 30
    assert {phase_of(position) for position in found} == {phase}


def test_pieces_and_sides() -> None:
    assert {len(position) for position in drawn("vl", pieces=7)} == {7}
    assert {len(position) for position in drawn("vl", pieces=(20, 30))} <= {20, 21, 22, 23, 24}
    alone = [
        position for position in drawn("vl", 60, both_sides=False) if len({p.side for _, p in position.pieces()}) < 2
    ]
    assert len(alone) > 3


@pytest.mark.parametrize(
    "of",
    usually(
        [("russian", "promotion.mid-capture"), ("de", "huff.piece"), ("vl", "promotion.return")],
        [(name, rule) for name, rule in RULES if name in ORIGINALS],
        [(name, rule) for name, rule in RULES if name == "nl-trapdoor"][::6],
    ),
)
@pytest.mark.slow
def test_every_rule_is_exercised(of: tuple[str, str]) -> None:
    """By all examples of its own strategy, as the search of `damspec generate` sees it too; else why not is said."""
    name, rule = of
    ruleset = damspec.load_ruleset(name)
    others = told_from(ruleset, rule)
    if not others:
        with pytest.raises(NoPositionError, match=r"no position|can have no other"):
            positions(ruleset, exercise=rule)
        return
    one_sided = rule in ("ending.no-pieces", "ending.both-empty")  # these show where a side has no pieces
    found = drawn(ruleset, 12, exercise=rule, both_sides=not one_sided)
    assert len(found) == 12
    assert len(set(found)) > 2
    players = [(RulePlayer(other), PossibleDifferences.between(ruleset, other)) for other in others]
    for position in found:
        view = View(RulePlayer(ruleset), position)
        assert any(differing_view(view, player, contrast) for player, contrast in players), position.fen()


@pytest.mark.slow
@pytest.mark.parametrize("name", usually((), sorted(ORIGINALS), ("vl",)))
def test_what_examples_exercise(name: str, record_property: Callable[[str, object], None]) -> None:
    """A twentieth and more of plain examples for what engines mostly have wrong; what is rarer has `exercise=`."""
    ruleset = damspec.load_ruleset(name)
    found = drawn(ruleset, 300)
    rare = []
    for rule in ruleset.values:
        others = told_from(ruleset, rule)
        if not others:
            continue
        asked = PositionRequest(ruleset, (0, 12), exercise=rule, others=others)
        shown = sum(map(asked.shows, found))
        record_property(rule, f"{shown} of {len(found)}")
        if shown < ENOUGH * len(found):
            rare.append(rule)
    print(f"{name}: fewer than {ENOUGH:.0%} of {len(found)} examples exercise {', '.join(rare) or 'no rule'}")
    for rule in rare:
        assert drawn(ruleset, 5, exercise=rule, both_sides=rule not in ("ending.no-pieces", "ending.both-empty"))
    common = {"man.capture.first", "man.capture.later", "king.capture.directions", "promotion.mid-capture"}
    assert not common & set(rare)


def smallest_failure(ruleset: Ruleset, engine: Ruleset, number: int, most: int = 100) -> Position | None:
    """What Hypothesis shrinks `most` examples of a seed to, where an engine lists other moves; None if none does."""
    failed: list[Position] = []

    @seed(number)
    @settings(max_examples=most, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(positions(ruleset))
    def agrees(position: Position) -> None:
        if set(map(str, damspec.legal_moves(engine, position))) != set(
            map(str, damspec.legal_moves(ruleset, position))
        ):
            failed.append(position)
            raise AssertionError

    try:
        agrees()
    except AssertionError:
        return failed[-1]
    return None


@pytest.mark.thorough
@pytest.mark.parametrize("value", ["as-man", pytest.param("stops", marks=pytest.mark.slow)])
def test_a_broken_promotion_is_found_and_small(value: str) -> None:
    """The man crowned by the first jump, with a man to take that only a king, or only a piece that goes on, can take:
    itself and two others.
    """
    russian = damspec.load_ruleset("russian")
    engine = russian.with_value("promotion.mid-capture", value)
    found = [smallest_failure(russian, engine, number) for number in range(2)]
    assert [position for position in found if position is None or not 3 <= len(position) <= 4] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ORIGINALS))
def test_a_broken_promotion_is_found_in_every_game(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    for engine in mutate_rule(ruleset, "promotion.mid-capture"):
        if not told_from(ruleset, f"promotion.mid-capture={engine.values['promotion.mid-capture']}"):
            continue
        found = [smallest_failure(ruleset, engine, number, 1000) for number in range(3)]
        assert all(found), engine.id


def test_a_failing_example_is_printed_as_its_fen(capsys: pytest.CaptureFixture[str]) -> None:
    """One line, and Python that gives the position again."""

    @seed(1)
    @settings(max_examples=50, database=None)
    @given(positions("vl"))
    def fails(position: Position) -> None:
        assert len(position) < 3

    with pytest.raises(AssertionError) as raised:
        fails()
    told = "\n".join(raised.value.__notes__)
    line = re.search(r"position=(Position\.from_fen\('([WB]:W[0-9K,]+:B[0-9K,]+)', Board\(8, 8\)\))", told)
    assert line, told
    again = eval(line[1], {"Position": Position, "Board": damspec.Board})
    assert again == damspec.load_ruleset("vl").position(line[2])
    assert len(again) == 3
