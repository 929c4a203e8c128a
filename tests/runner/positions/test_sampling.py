"""Random positions: they can be, they vary, they have the pieces and the phase asked for; random games are legal."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice
from typing import Any

import pytest

import damspec
from damspec import sampling
from damspec.turn import ActionGenerator
from damspec.validity import find_invalidity, phase_of, phases
from damspec_runner.positions import random_games
from damspec_runner.positions.random_games import SplitMix64
from refusals import refusal
from runs import ORIGINALS, SPREAD, usually

RULESETS = [
    *SPREAD,
    "vl?return=not-crowned",
    "vl?king-slides=twice",
    "nl-trapdoor?falls=men",
    "nl-trapdoor?falls=opponents",
    "nl-trapdoor?spin=after-capture",
    "nl-trapdoor-autoclose?closing=optional",
    "de?retracted=free",
]

#: Those that the thorough run leaves out are much like another one that it looks at.
LIKE = {"vl?king-slides=twice", "nl-trapdoor?falls=opponents", "nl-trapdoor-autoclose?closing=optional"}

every_ruleset = pytest.mark.parametrize("name", usually(ORIGINALS, RULESETS, {*RULESETS} - LIKE))


@every_ruleset
def test_samples_can_be_and_vary(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    turns = ActionGenerator(ruleset.rules)
    drawn = list(islice(sampling.sample_positions(ruleset, random.Random(5)), 1500))
    assert [find_invalidity(turns, position) for position in drawn if find_invalidity(turns, position)] == []
    assert all(2 <= len(position) <= 12 for position in drawn)
    # Of 1500: four in five are there once, one in five has a capture, one in four a king; long captures are rare.
    assert len(set(drawn)) > 1200
    assert set(map(phase_of, drawn)) == set(phases(ruleset.rules))
    steps = [turns.actions(position) for position in drawn]
    longest = Counter(max((len(getattr(a, "captured", ())) for a in actions), default=0) for actions in steps)
    assert sum(times for length, times in longest.items() if length) > 300
    assert sum(times for length, times in longest.items() if length >= 3) > 10
    assert {position.turn for position in drawn} == {"white", "black"}
    assert sum(bool(p.white_kings | p.black_kings) for p in drawn) > 400
    if ruleset.rules.trapdoors and ruleset.rules.trapdoors.closing != "at-once":
        assert {letter for position in drawn for letter in position.sliders or ""} == set("LMR")


@pytest.mark.parametrize("name", ["de", "nl-trapdoor", "nl-trapdoor?spin=after-capture", "fr-trapdoor-dual"])
def test_samples_of_one_phase(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    for phase in phases(ruleset.rules):
        drawn = list(islice(sampling.sample_positions(ruleset, random.Random(1), (2, 6), phase), 100))
        assert {phase_of(position) for position in drawn} == {phase}
        assert all(2 <= len(position) <= 6 for position in drawn)


@every_ruleset
def test_neighbours_can_be(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    rng = random.Random(2)
    sampler = sampling.PositionSampler(ruleset, rng, (1, 8))
    turns = ActionGenerator(ruleset.rules)
    found = 0
    for position in islice(sampling.sample_positions(ruleset, rng, (1, 8)), 300):
        near = sampler.near(position)
        if near is not None:
            found += 1
            assert find_invalidity(turns, near) is None
            assert 1 <= len(near) <= 8
            assert phase_of(near) == phase_of(position)
    assert found > 100  # of 300: a neighbour is not promised, but a search lives on them


@pytest.mark.parametrize("name", ["vl", "de", "nl-trapdoor", "international"])
def test_games_are_legal(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    play: random_games.Play[Any, Any] = random_games.playout(ruleset, random.Random(3))
    lapsed = 0
    for ply in range(0, 60, 7):
        line = play.line(70)
        others = [None, *play.others(line.states[ply], line.played[ply])] if ply < len(line.played) else []
        for other in others:
            played = damspec.Game(ruleset)
            for action in play.game(line, ply, other):
                lapsed += action in played.legal_moves.lapses
                played.push(action)
            state = line.states[ply]
            state = state if other is None else play.after(state, other)
            assert played.position == play.position(state)
    assert bool(lapsed) == (name == "de")


def test_a_sampler_asked_for_what_cannot_be() -> None:
    ruleset, rng = damspec.load_ruleset("vl"), random.Random(0)
    assert "found 5 to 3 pieces" in refusal(ValueError, next, sampling.sample_positions(ruleset, rng, (5, 3)))
    assert "found phase 'huffable'" in refusal(
        ValueError, next, sampling.sample_positions(ruleset, rng, phase="huffable")
    )
    alone = sampling.PositionSampler(damspec.load_ruleset("de"), rng, (1, 1), "huffable")
    assert [alone.draw() for _ in range(20)] == [None] * 20


# --- random numbers ----------------------------------------------------------------------------


def test_random_numbers_are_those_of_splitmix64() -> None:
    """The first three numbers from 1234567, as published with it: what a seed plays must not change."""
    rng = SplitMix64(1234567)
    assert [rng.getrandbits(64) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert SplitMix64(1234567).random() == (6457827717110365317 >> 11) / 2**53
    assert 0 <= SplitMix64(5).choice(range(10)) < 10
