"""Comparing how rulesets move their pieces in all placements: by compiled code and by the reference alike."""

from __future__ import annotations

from math import comb

import pytest

import damspec
from damspec import Position, Ruleset
from damspec.board import Side
from damspec.position import Pieces
from damspec_runner.document import exhaustive
from damspec_runner.document.exhaustive import MovementTask, compared, find_differing_placements, movement_tasks
from damspec_runner.mutants.mutants import single_mutants
from damspec_runner.positions.enumeration import promotion_rows, slider_positions


def told(work: list[MovementTask]) -> tuple[int, set[tuple[int, Pieces]]]:
    """All that some shares come to."""
    count, found = 0, set[tuple[int, Pieces]]()
    for share in work:
        for more, differ in find_differing_placements(share):
            count += more
            found |= {*differ}
    return count, found


def by_the_reference(work: list[MovementTask], monkeypatch: pytest.MonkeyPatch) -> tuple[int, set[tuple[int, Pieces]]]:
    with monkeypatch.context() as without:
        without.setattr(exhaustive, "is_available", lambda: False)
        return told(work)


def changes(ruleset: Ruleset) -> list[Ruleset]:
    """The changes of a ruleset that leave it its board."""
    made = [mutant.ruleset for mutant in single_mutants(ruleset)]
    return [each for each in made if each.rules.board == ruleset.rules.board]


def test_shares_have_every_choice_once() -> None:
    vl = damspec.load_ruleset("vl")
    work = [*movement_tasks(vl, [vl], 4, promotion_rows(vl))]
    assert [share.choices.start for share in work[1:]] == [share.choices.stop for share in work[:-1]]
    assert (work[0].choices.start, work[-1].choices.stop) == (0, comb(32, 4))


def test_what_differs_is_a_position_that_tells() -> None:
    """A king of vl takes a man three squares away; with a reach of one it does not."""
    vl = damspec.load_ruleset("vl")
    short = next(mutant.ruleset for mutant in single_mutants(vl) if mutant.name == "king.capture.reach = 1")
    (share,) = movement_tasks(vl, [vl, short], 2, promotion_rows(vl))
    found = compared(share)
    # Of each colour there are kings on 32 squares and men on 28: two of these 120 pieces, but not both on one of the 24
    # squares with four of them or on one of the 8 with three.
    assert found["positions"] == comb(120, 2) - 24 * comb(4, 2) - 8 * comb(3, 2)
    ((place, *(men, kings, other_men, other_kings)),) = found["differs"]
    assert place == 1
    position = Position(vl.rules.board, men, kings, other_men, other_kings, "white")
    assert [*damspec.legal_moves(vl, position)] != [*damspec.legal_moves(short, position)]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["lb", "nl-trapdoor", "italian"])
def test_compiled_code_finds_what_the_reference_finds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All changes of a ruleset, in placements of one, two and three pieces, from both sides."""
    pytest.importorskip("numba")
    ruleset = damspec.load_ruleset(name)
    others, rows, board = changes(ruleset), promotion_rows(ruleset), ruleset.rules.board
    trapdoors = ruleset.rules.trapdoors
    doors = trapdoors.layout.open_doors(board, slider_positions(ruleset)[40] or "") if trapdoors else 0
    for number, every in ((1, 8), (2, 100), (3, 5000)):
        total = comb(len(board), number)
        chosen = [range(first, first + 1) for first in range(0, total, every)]
        ways: list[tuple[int, Side]] = [(0, "white"), (doors, "black")]
        for open_, side in ways:
            work = [MovementTask(ruleset, (*others,), number, one, rows, open_, side) for one in chosen]
            assert told(work) == by_the_reference(work, monkeypatch)
