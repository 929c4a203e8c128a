"""Making a position small: what is left still shows it, nothing can be taken away, and little more than must be."""

from __future__ import annotations

import random
from functools import cache

import pytest

import damspec
from damspec import Position, Ruleset
from damspec.mutations import equivalent_mutants
from damspec.validity import fewest_pieces, find_invalidity, phases
from damspec_runner.answers.answer_diff import filter_differing
from damspec_runner.answers.player import RulePlayer
from damspec_runner.cases.cases import cases_for
from damspec_runner.engines.serve import HELLO, InProcessEngine
from damspec_runner.mutants.mutants import Mutant, single_mutants
from damspec_runner.mutants.ruleset_diff import in_no_position
from damspec_runner.positions.enumeration import everywhere, in_phases, promotion_rows, sides, slider_positions
from damspec_runner.verify.games import FuzzConfig, fuzz
from damspec_runner.verify.shrink import shrink
from runs import usually

LB = damspec.load_ruleset("lb")
#: Rulesets of each kind: short and flying kings, a large board, huffing, trapdoors.
SEVERAL = ["english", "russian", "international", "vl", "de", "nl-trapdoor"]
#: Pieces more than the fewest that show a change.
MORE = 2


def position(fen: str, name: str = "lb") -> Position:
    return damspec.load_ruleset(name).position(fen)


def test_pieces_that_do_not_matter_go() -> None:
    seen: list[Position] = []

    def shows(smaller: Position) -> bool:
        seen.append(smaller)
        return bool(smaller.white_kings) and len(smaller) >= 1

    assert shrink(position("W:W21,22,23,K24:B1,2,3,4"), shows).fen() == "W:WK24:B"
    assert len(seen) == len(set(seen)), "asked twice"


def test_kings_become_men_where_that_still_shows_it() -> None:
    assert shrink(position("B:WK14,K21:BK9,K12"), lambda p: 14 in p and 9 in p).fen() == "B:W14:B9"


def test_what_is_pending_goes_and_doors_shut() -> None:
    before = position("W:W22,31:BK15,16:sliders=MLMR:spin=green", "nl-trapdoor")
    assert shrink(before, lambda p: 31 in p).fen() == "W:W31:B:sliders=MMMM"
    assert shrink(before, lambda p: 31 in p and p.sliders is not None and p.sliders[1] == "L").sliders == "MLMM"


def test_two_pieces_go_together() -> None:
    """An even number is wanted: no piece can go alone."""
    assert len(shrink(position("W:W21,22,23:B1,2,3"), lambda p: len(p) % 2 == 0 and len(p) > 0)) == 2


def test_a_piece_moves_where_it_can_stand_for_another() -> None:
    """Wanted are three pieces, or two of which one stands on 32."""
    found = shrink(position("W:W21,22:B1"), lambda p: len(p) == 3 or (len(p) == 2 and 32 in p))
    assert len(found) == 2
    assert 32 in found


@cache
def shown(name: str) -> tuple[Mutant, ...]:
    """The changes that a position of a game can show: not those proved to show nowhere, nor who begins, nor what counts
    what went before.
    """
    mutants = single_mutants(damspec.load_ruleset(name))
    return tuple(
        m
        for m in mutants
        if (name, m.name) not in equivalent_mutants() and not all(map(in_no_position, m.rules_changed))
    )


def faults_of(ruleset: Ruleset, hidden: Mutant, number: int) -> str | None:
    """What is wrong with the position that games find for a hidden change; None if it is as small as it should be."""
    origins = [ruleset.position(case.position) for case in cases_for(ruleset)]
    games = fuzz(
        ruleset, lambda: InProcessEngine(hidden.ruleset), HELLO, FuzzConfig(games=number, seed=1), origins, most=1
    )
    if not games.divergences:
        return f"{ruleset.id}: {hidden.name}: not found in {games.positions} positions"
    found = ruleset.position(games.divergences[0].result.case.position)
    for fewer in range(fewest_pieces(ruleset.rules), len(found) - MORE):
        smaller = smallest_with(ruleset, hidden.ruleset, fewer)
        if smaller is not None:
            return f"{ruleset.id}: {hidden.name}: found {found.fen()}, and {smaller.fen()} shows it too"
    return None


def smallest_with(ruleset: Ruleset, other: Ruleset, number: int) -> Position | None:
    """A position with so many pieces that two rulesets answer differently; all are looked at, in every phase."""
    players = [RulePlayer(ruleset), RulePlayer(other)]
    heads, turned = promotion_rows(ruleset), sides((ruleset,))
    candidates = (
        phased
        for sliders in slider_positions(ruleset, 1)
        for plain in everywhere(ruleset.rules.board, number, heads, turned, sliders)
        for phased in in_phases(plain, phases(ruleset.rules), ruleset.turns)
        if find_invalidity(ruleset.turns, phased) is None
    )
    return next(iter(filter_differing(players, candidates)), None)


@pytest.mark.parametrize("name", usually((), SEVERAL, ("english",)))
def test_some_hidden_changes_are_found_small(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    movement = [m for m in shown(name) if m.rules_changed[0] in ("king.capture.landing", "man.move.directions")]
    chosen = random.Random(name).sample(movement, 2)
    assert [wrong for hidden in chosen if (wrong := faults_of(ruleset, hidden, 30))] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SEVERAL)
def test_every_hidden_change_is_found_small(name: str) -> None:
    """At most two pieces more than the fewest that can show it."""
    ruleset = damspec.load_ruleset(name)
    wrong: list[str | None] = []
    for hidden in shown(name):
        for number in (100, 400, 2000):  # what is rare takes more games, and is then found
            complaint = faults_of(ruleset, hidden, number)
            if complaint is None:
                break
        else:
            wrong.append(complaint)
    assert wrong == []
