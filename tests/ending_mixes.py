"""Random mixes of the rules that end a game, and positions of few pieces in which several of them hold at once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import damspec
from damspec import DamspecError, Ruleset
from variants import DOORS, but

#: Games on boards so small that pieces stand in each other's way, and one with doors, where both sides can be empty.
_GAMES: list[dict[str, Any]] = [
    *(
        {**damspec.load_ruleset(name).whole, "board.size": "4x4", "start.men": 1}
        for name in ("english", "russian", "de")
    ),
    {**damspec.load_ruleset("turkish").whole, "board.size": "3x4", "start.men": 1},
    but(DOORS, spin__when="after-capture"),
]
_NO_CAPTURE, _SAME_KIND = "one-piece-each-no-capture", "one-piece-each-same-kind"
_DRAWS = [[], ["one-piece-each"], [_NO_CAPTURE], [_SAME_KIND], [_NO_CAPTURE, _SAME_KIND], [_SAME_KIND, _NO_CAPTURE]]


def ending_mixes(chance: random.Random, count: int, *, most: int = len(_GAMES)) -> Iterator[Ruleset]:
    """Rules of the first `most` games above with random rules of the end."""
    for _ in range(count):
        game = chance.choice(_GAMES[:most])
        draws = chance.choice(_DRAWS)
        ends: dict[str, Any] = {
            "ending.no-pieces": chance.choice(["loses", "wins"]),
            "ending.no-moves": chance.choice(["loses", "wins", "draws"]),
            "ending.first-king": chance.choice(["wins", None, None]),
            "ending.one-piece": chance.choice(["loses", None]),
            "ending.draws": draws,
            "ending.order": chance.choice(["losses-first", "draws-first"]) if draws else None,
            "ending.king-to-man": chance.choice(["wins", None]) if draws else None,
        }
        for rule, values in {
            "ending.blocked": ["no-action", "no-piece-move", "no-step"],
            "ending.both-empty": ["mover-wins", "mover-loses", "draw"],
        }.items():
            if rule in game:
                ends[rule] = chance.choice(values)
        mixed = {rule: value for rule, value in {**game, **ends}.items() if value is not None}
        yield damspec.from_values(
            {rule: value for rule, value in mixed.items() if not rule.startswith("draws.")}, "mix"
        )


def few_pieces(ruleset: Ruleset, chance: random.Random, count: int) -> Iterator[str]:
    """FENs of positions with two to four pieces, or none where there are doors."""
    board = ruleset.rules.board
    while count:
        number = chance.choice([0, 2, 3, 4] if ruleset.rules.trapdoors else [2, 2, 3, 4])
        pieces: dict[str, list[str]] = {"W": [], "B": []}
        for square in chance.sample(range(1, len(board) + 1), number):
            pieces[chance.choice("WB")].append(f"{chance.choice(['', 'K'])}{square}")
        fen = ":".join([chance.choice("WB"), *(side + ",".join(there) for side, there in pieces.items())])
        fen += ":spin=due" if ruleset.rules.spin and chance.random() < 0.5 else ""
        try:
            yield ruleset.position(fen).fen()
            count -= 1
        except DamspecError:
            continue
