"""The recorder of `cases/generated/distances.yaml`: how far apart the games are.

Each game plays random games on its own board. The positions of these are put to all other games, as they would be
played on that board, and to the game itself with single rules of others.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from damspec import Position, Ruleset, RulesetError, Spin, data, load_ruleset, ruleset_ids
from damspec_runner.answers.answer_diff import PositionView, PossibleDifferences, fits
from damspec_runner.answers.player import RulePlayer
from damspec_runner.document.compare import are_compared, distance_in, distances_path, nearest_by
from damspec_runner.mutants.ruleset_diff import difference_parts, in_no_position, on_board_of, toward
from damspec_runner.positions.random_games import play_random_game

from .parts import Job, Part, digest, in_order, text_of, without_history

#: What is drawn: how many different positions of each game, and at most how many from one of its games.
POSITIONS, _OF_ONE_GAME = 2000, 8
#: After how many plies a game is broken off. Games with a spinner take long.
_PLIES = 800
_SEED = 1
HEADER = f"""\
# How far apart the games are. Of {POSITIONS} positions that come up in a game's own random games: under `otherwise`,
# how many each other game answers otherwise or cannot have; under `rules`, how many the game itself answers otherwise
# with one rule as in the games it is compared with. Made by `python tools/record.py distances`;
# schemas/distances.schema.json says what the keys mean.
"""


def inputs() -> dict[str, str]:
    """By ruleset a digest of its rules."""
    return {id: digest(without_history(load_ruleset(id).values)) for id in ruleset_ids()}


def seconds(units: Collection[str]) -> float:
    """Return about how long one process takes."""
    return 80 + 3 * len(units)


def record(job: Job) -> Iterator[Part]:
    """Measure what rulesets that have changed, or are new, have to do with all others; all else stays."""
    ids, before = ruleset_ids(), data.load_yaml(distances_path())
    kept = {one: _without(found, job.units) for one, found in before["otherwise"].items()}
    asked = {id: _Games(id, _others(id, kept.get(id, {}) if id not in job.units else {})) for id in ids}
    new = job.doing(_otherwise, {f"{id}: games": asked[id] for id in ids}, "games")
    otherwise = {id: in_order(ids, kept.get(id, {}) | found) for id, found in zip(ids, new, strict=True)}
    content = {"seed": _SEED, "positions": POSITIONS, "otherwise": otherwise}
    near = nearest_by(partial(distance_in, content))
    changes = {id: _Rules(id, near, _still_valid(before["rules"].get(id, ()), id, job.units)) for id in ids}
    rules = job.doing(_changed_alone, {f"{id}: rules": changes[id] for id in ids}, "rules")
    yield Part(
        (*job.units,), {distances_path(): text_of(HEADER, {**content, "rules": dict(zip(ids, rules, strict=True))})}
    )


@dataclass(frozen=True)
class _Games:
    """A game whose positions are to be put to some others."""

    id: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class _Rules:
    """A game whose rules are to be changed alone to those of the games it is compared with.

    `known` has by rule and game in how many positions that is known to change the answer.
    """

    id: str
    near: Mapping[str, str]
    known: Mapping[tuple[str, str], int] = field(hash=False)


def _otherwise(games: _Games) -> dict[str, int]:
    """Return how many positions of a game some other ones answer otherwise."""
    return dict(Sample(load_ruleset(games.id)).otherwise_in(games.others))


def _changed_alone(rules: _Rules) -> list[dict[str, Any]]:
    """Return the same for each rule changed alone."""
    return Sample(load_ruleset(rules.id)).rules(rules.near, rules.known)


def _others(id: str, known: Mapping[str, int]) -> tuple[str, ...]:
    """Return the games that can be put on the board of one and are not known to be measured."""
    return tuple(other for other, _ in _on_board_of(load_ruleset(id)) if other not in known)


def _without(found: Mapping[str, int], changed: Iterable[str]) -> dict[str, int]:
    return {id: number for id, number in found.items() if id not in changed}


def _still_valid(entries: Iterable[Mapping[str, Any]], id: str, changed: Iterable[str]) -> dict[tuple[str, str], int]:
    """Return what stays of the numbers of a game's rules: those for games that are as they were."""
    if id in changed:
        return {}
    return {
        (entry["rule"], other): entry["otherwise"] for entry in entries for other in entry["as"] if other not in changed
    }


def _on_board_of(ruleset: Ruleset) -> Iterator[tuple[str, Ruleset]]:
    """Yield each other ruleset that can be put on the board of one, as it is there."""
    for id in ruleset_ids():
        if id != ruleset.id:
            try:
                yield id, on_board_of(load_ruleset(id), ruleset)
            except RulesetError:  # doors have their places on one board only
                continue


class Sample:
    """Positions of a game, as it answers them itself; drawn when something is asked of them."""

    def __init__(self, ruleset: Ruleset, positions: int = POSITIONS) -> None:
        self.ruleset, self._positions = ruleset, positions

    @cached_property
    def _views(self) -> list[PositionView]:
        player = RulePlayer(self.ruleset)
        return [PositionView(player, position) for position in _random_positions(self.ruleset, self._positions)]

    def otherwise(self, other: Ruleset) -> int:
        """Return how many of them another ruleset on the same board answers otherwise, or cannot have."""
        player, differences = RulePlayer(other), PossibleDifferences.between(self.ruleset, other)
        return sum(_differs(view, player, differences) for view in self._views)

    def otherwise_in(self, ids: Iterable[str] | None = None) -> Iterator[tuple[str, int]]:
        """Return the same for each other ruleset that can be put on this one's board, or for some of these."""
        return ((id, self.otherwise(other)) for id, other in _on_board_of(self.ruleset) if ids is None or id in ids)

    def rules(self, near: Mapping[str, str], known: Mapping[tuple[str, str], int]) -> list[dict[str, Any]]:
        """Return the same for each rule in which a ruleset differs that this one is compared with, changed alone."""
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for id, other in _on_board_of(self.ruleset):
            for part in difference_parts(self.ruleset, other) if are_compared(self.ruleset.id, id, near) else ():
                values = None if in_no_position(part.rule) else toward(self.ruleset, other, part.rules)
                if values is None:
                    continue
                key = part.rule, repr(sorted(values.items()))
                if key not in found:
                    number = known.get((part.rule, id))
                    if number is None:
                        number = self.otherwise(replace(self.ruleset, values=values).checked())
                    found[key] = {"rule": part.rule, "as": [], "otherwise": number}
                found[key]["as"].append(id)
        return list(found.values())


def _random_positions(ruleset: Ruleset, number: int) -> list[Position]:
    """Return distinct positions of random games, without those in which only a spin is possible."""
    rng, start = random.Random(f"{_SEED} {ruleset.id}"), Position.start(ruleset.rules)
    found: dict[str, Position] = {}
    while len(found) < number:
        plies = play_random_game(ruleset, rng, start, _PLIES)
        played = [ply.position for ply in plies if not any(isinstance(action, Spin) for action in ply.actions)]
        for position in rng.sample(played, min(_OF_ONE_GAME, len(played))):
            found.setdefault(position.fen(), position)
    return list(found.values())[:number]


def _differs(view: PositionView, other: RulePlayer, differences: PossibleDifferences) -> bool:
    """Return whether another player cannot have the position of a view, or answers it otherwise."""
    if not fits(other, view.position):
        return True
    seen = PositionView(other, view.position)
    if differences.turns:  # what the other cannot have it may not even be able to answer
        return not seen.possible or view.differs(seen, differences)
    return view.differs(seen, differences) or not seen.possible
