"""Measuring how far apart the games are: making the record of it, `cases/apart.yaml`.

Each game plays random games on its own board. The positions of these are put to all other games, as they would be
played on that board, and to the game itself with single rules of others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import yaml

from damspec import Position, Ruleset, RulesetError, Spin, load_ruleset, ruleset_ids

from ..answers.answer_diff import PossibleDifferences, View, fits
from ..answers.player import RulePlayer
from ..mutants.ruleset_diff import difference_parts, in_no_position, on_board_of, toward
from ..positions.random_games import play_random_game
from ..tasks.executor import TaskRunner, run_in_process
from .compare import compared, distance_in, nearest_by

#: What is drawn: how many different positions of each game, and at most how many from one of its games.
POSITIONS, _OF_ONE_GAME = 2000, 8
#: After how many plies a game is broken off. Games with a spinner take long.
_PLIES = 800
_SEED = 1
_HEADER = f"""\
# How far apart the games are. Of {POSITIONS} positions that come up in a game's own random games: under `otherwise`,
# how many each other game answers otherwise or cannot have; under `rules`, how many the game itself answers otherwise
# with one rule as in the games it is compared with. Made by `damspec diff --measure`; schemas/apart.schema.json says
# what the keys mean.
"""


def measure(task_runner: TaskRunner = run_in_process) -> dict[str, Any]:
    """Measure all rulesets that are shipped: what the record holds."""
    ids = ruleset_ids()
    otherwise = task_runner(_otherwise_than, {f"{id}: games": id for id in ids}, "games")
    found: dict[str, Any] = {"seed": _SEED, "positions": POSITIONS, "otherwise": dict(zip(ids, otherwise, strict=True))}
    near = nearest_by(partial(distance_in, found))
    changed = task_runner(partial(_changed, near=near), {f"{id}: rules": id for id in ids}, "rules")
    return {**found, "rules": dict(zip(ids, changed, strict=True))}


def _otherwise_than(id: str) -> dict[str, int]:
    """How many positions of a ruleset each other one answers otherwise."""
    return dict(Sample(load_ruleset(id)).all_otherwise())


def _changed(id: str, near: Mapping[str, str]) -> list[dict[str, Any]]:
    """The same for each rule changed alone."""
    return Sample(load_ruleset(id)).rules(near)


class Sample:
    """Positions of a game, as it answers them itself."""

    def __init__(self, ruleset: Ruleset, positions: int = POSITIONS) -> None:
        self.ruleset, player = ruleset, RulePlayer(ruleset)
        self._views = [View(player, position) for position in _drawn(ruleset, positions)]

    def otherwise(self, other: Ruleset) -> int:
        """How many of them another ruleset on the same board answers otherwise, or cannot have."""
        player, contrast = RulePlayer(other), PossibleDifferences.between(self.ruleset, other)
        return sum(_otherwise(view, player, contrast) for view in self._views)

    def all_otherwise(self) -> Iterator[tuple[str, int]]:
        """The same for each other ruleset that can be put on this one's board."""
        return ((id, self.otherwise(other)) for id, other in self._others())

    def rules(self, near: Mapping[str, str]) -> list[dict[str, Any]]:
        """The same for each rule in which a ruleset differs that this one is compared with, changed alone."""
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for id, other in self._others():
            for part in difference_parts(self.ruleset, other) if compared(self.ruleset.id, id, near) else ():
                values = None if in_no_position(part.rule) else toward(self.ruleset, other, part.rules)
                if values is None:
                    continue
                key = part.rule, repr(sorted(values.items()))
                if key not in found:
                    changed = replace(self.ruleset, values=values).checked()
                    found[key] = {"rule": part.rule, "as": [], "otherwise": self.otherwise(changed)}
                found[key]["as"].append(id)
        return list(found.values())

    def _others(self) -> Iterator[tuple[str, Ruleset]]:
        for id in ruleset_ids():
            if id != self.ruleset.id:
                try:
                    yield id, on_board_of(load_ruleset(id), self.ruleset)
                except RulesetError:  # doors have their places on one board only
                    continue


def written(content: Mapping[str, Any]) -> str:
    """The record as the text of its file."""
    return _HEADER + yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=160)


def _drawn(ruleset: Ruleset, number: int) -> list[Position]:
    """So many different positions of random games, without those in which there is nothing to do but spin."""
    rng, start = random.Random(f"{_SEED} {ruleset.id}"), Position.start(ruleset.rules)
    found: dict[str, Position] = {}
    while len(found) < number:
        plies = play_random_game(ruleset, rng, start, _PLIES)
        played = [ply.position for ply in plies if not any(isinstance(action, Spin) for action in ply.actions)]
        for position in rng.sample(played, min(_OF_ONE_GAME, len(played))):
            found.setdefault(position.fen(), position)
    return list(found.values())[:number]


def _otherwise(view: View, other: RulePlayer, contrast: PossibleDifferences) -> bool:
    """Whether another player cannot have the position of a view, or answers it otherwise."""
    if not fits(other, view.position):
        return True
    seen = View(other, view.position)
    if contrast.turns:  # what the other cannot have it may not even be able to answer
        return not seen.possible or view.differs(seen, contrast)
    return view.differs(seen, contrast) or not seen.possible
