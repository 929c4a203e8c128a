"""Random mixes of the rules that end a game, and positions of few pieces in which several of them hold at once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import damspec
from damspec import Position, Ruleset
from damspec.sampling import sample_positions
from variants import DOORS, but

#: Games on boards so small that pieces stand in each other's way, and one with doors, where both sides can be empty.
_GAMES: list[dict[str, Any]] = [
    *(
        {**damspec.load_ruleset(name).inline_values, "board.size": size, "start.men": 1}
        for name, size in (("english", "4x4"), ("russian", "4x4"), ("de", "4x4"), ("turkish", "3x4"))
    ),
    but(DOORS, spin__when="after-capture"),
]
_ENDS: dict[str, list[Any]] = {
    "ending.no-pieces": ["loses", "wins"],
    "ending.no-moves": ["loses", "wins", "draws"],
    "ending.blocked": ["no-action", "no-piece-move", "no-step"],
    "ending.first-king": ["wins", None, None],
    "ending.one-piece": ["loses", None],
    "ending.draws": [
        [],
        ["one-piece-each"],
        ["one-piece-each-no-capture"],
        ["one-piece-each-same-kind", "one-piece-each-no-capture"],
    ],
    "ending.order": ["losses-first", "draws-first"],
    "ending.king-to-man": ["wins", None],
    "ending.both-empty": ["mover-wins", "mover-loses", "draw"],
}


def outcome_mixes(seed: int, count: int, most: int = len(_GAMES)) -> Iterator[tuple[Ruleset, list[Position]]]:
    """Rules of the first `most` games above with random rules of the end, each with positions of up to four pieces."""
    chance = random.Random(seed)
    for _ in range(count):
        game = {rule: value for rule, value in chance.choice(_GAMES[:most]).items() if not rule.startswith("draws.")}
        absent = {"ending.blocked", "ending.both-empty"} - {*game}
        ends = {rule: chance.choice(values) for rule, values in _ENDS.items() if rule not in absent}
        without = {} if ends["ending.draws"] else {"ending.order": None, "ending.king-to-man": None}
        ruleset = damspec.from_values(game | ends | without, "mix")
        yield ruleset, [*islice(sample_positions(ruleset, chance, (0 if ruleset.rules.trapdoors else 2, 4)), 25)]
