"""The interpreter in JavaScript against the reference where no case is: positions made by Hypothesis, rules changed at
random, games with draws by what went before."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

import damspec
from damspec import Game, Position, Ruleset
from damspec_runner.mutants.mutants import single_mutants
from ending_mixes import ending_mixes
from javascript import Interpreter, agree_about
from positions import phases
from runs import SPREAD, searched, usually
from test_draws_agreement import LIMITED, SOON, SOON_TOO, one_of, placed, play_out
from test_moves_by_hand import BY_HAND
from test_naive_agreement import UNDER_READINGS as READ_PLAIN
from test_naive_agreement import UNUSUAL
from test_turn_agreement import UNDER_READINGS as READ_TURNS
from test_turns_by_hand import ALL, LAPSES
from turn_variants import OF_DOORS
from variants import DOORS, HUFF, VARIANTS

RULESETS = damspec.ruleset_ids()


def search(javascript: Interpreter, ruleset: Ruleset, examples: int, chance: int = 0) -> None:
    """`agree` about so many positions drawn."""

    @seed(chance)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=[*HealthCheck],
        phases=[Phase.generate, Phase.shrink],
    )
    @given(phases(ruleset))
    def agreed(position: Position) -> None:
        agree_about(javascript, ruleset, [position.fen()])

    agreed()


@searched(["international", "de", "nl-trapdoor"], [*SPREAD, *READ_PLAIN[::24], *READ_TURNS[::24]], 15, 10)
def test_positions(name: str, examples: int, javascript: Interpreter) -> None:
    search(javascript, damspec.load_ruleset(name), examples)


@pytest.mark.thorough
def test_unusual_rules(javascript: Interpreter) -> None:
    for name, values in UNUSUAL.items():
        search(javascript, damspec.from_values(values, name), 5)


def test_positions_worked_out_by_hand(javascript: Interpreter) -> None:
    for rules, fen, _ in (*BY_HAND.values(), *ALL.values(), *LAPSES.values()):
        assert agree_about(javascript, damspec.from_values(rules, "by hand"), [fen]) == 1


@pytest.mark.thorough
def test_rules_of_doors_and_spins_two_at_a_time(javascript: Interpreter) -> None:
    """Each two of these rules changed together, where one changes what the other does."""
    for one, two in combinations(OF_DOORS.values(), 2):
        changed = {rule: value for rule, value in two.items() if value != DOORS.get(rule)}
        search(javascript, damspec.from_values({**one, **changed}), 12)


@pytest.mark.parametrize(("start", "count"), [(1, 8), pytest.param(3, 3_000, marks=pytest.mark.slow)])
def test_rules_changed_at_random(start: int, count: int, javascript: Interpreter) -> None:
    """One rule of a game, or two, with another value."""
    chance = random.Random(start)
    for _ in range(count):
        ruleset = damspec.load_ruleset(chance.choice(RULESETS))
        for _ in range(chance.randint(1, 2)):
            ruleset = chance.choice(single_mutants(ruleset)).ruleset
        search(javascript, ruleset, 12, chance.randrange(10**9))


@pytest.mark.parametrize(("start", "mixes"), [(1, 30), pytest.param(2, 300, marks=pytest.mark.thorough)])
def test_which_reason_ends_a_game(start: int, mixes: int, javascript: Interpreter) -> None:
    for ruleset, positions in ending_mixes(start, mixes):
        assert agree_about(javascript, ruleset, [position.fen() for position in positions]) == len(positions)


def stands(javascript: Interpreter, rules: dict[str, Any], start: int, games: int, plies: int) -> set[str | None]:
    """Play games and compare how they stand after every action; by what they were drawn or won."""
    chance, ruleset, seen = random.Random(start), damspec.from_values(rules), set[str | None]()
    javascript.plays(ruleset.whole)
    for _ in range(games):
        game = Game(ruleset, placed(rules, chance))
        begin = game.fen()
        while len(game.history) < plies and (action := one_of(game, chance)):
            game.push(action)
            played = [str(each) for each in game.history]
            end = game.outcome()
            answer = javascript.ask(fen=begin, played=played)
            assert answer == {"result": end.result, "reason": end.reason}, (begin, played)
            seen.add(end.reason)
            if damspec.outcome(ruleset, game.position).is_over:
                break
    return seen


@pytest.mark.parametrize(
    ("rules", "reasons"),
    [
        (VARIANTS["english"], {"repetition", "king-moves", "balance"}),
        (VARIANTS["russian"], {"repetition", "main-road", "ending"}),
        pytest.param(
            {**VARIANTS["russian"], "draws.counted-side": "stronger"},
            {"main-road", "ending"},
            marks=pytest.mark.thorough,
        ),
        (HUFF, {"repetition", "king-moves"}),
        (DOORS, {"repetition", "ending"}),
    ],
    ids=["english", "russian", "stronger", "huffing", "doors"],
)
def test_draws_by_what_went_before(rules: dict[str, Any], reasons: set[str], javascript: Interpreter) -> None:
    assert stands(javascript, {**rules, **SOON, "draws.repetition": 2}, 5, games=20, plies=24) >= reasons


@pytest.mark.parametrize("id", usually(SPREAD, LIMITED, LIMITED))
@pytest.mark.parametrize(
    ("games", "plies"), [(1, 60), pytest.param(2_000, 140, marks=pytest.mark.slow)], ids=["some", "many"]
)
def test_every_game_with_a_limit(id: str, games: int, plies: int, javascript: Interpreter) -> None:
    """Games in which positions come back, by the numbers of the rulebook: how they stand from time to time."""
    chance, ruleset = random.Random(11), damspec.load_ruleset(id)
    javascript.plays(ruleset.whole)
    for _ in range(games):
        game = Game(ruleset, placed(ruleset.values, chance))
        begin = play_out(ruleset, game, plies, chance, repeats=True)[0]
        played = [str(action) for action in game.history]
        for count in {*range(chance.randrange(9), len(played), 9), len(played)}:
            end = damspec.outcome(ruleset, begin, played[:count])
            answer = javascript.ask(fen=begin, played=played[:count])
            assert answer == {"result": end.result, "reason": end.reason}, (begin, played[:count])


@pytest.mark.thorough
@pytest.mark.parametrize("side", ["stronger", "weaker", None])
def test_rivers_and_whose_moves_count(side: str | None, javascript: Interpreter) -> None:
    counted = {"draws.counted-side": side} if side else {}
    rules = {rule: value for rule, value in VARIANTS["russian"].items() if not rule.startswith("draws.")}
    assert stands(javascript, {**rules, **SOON_TOO, **counted}, 8, games=25, plies=24) >= {
        "king-moves",
        "ending",
        "river",
    }
