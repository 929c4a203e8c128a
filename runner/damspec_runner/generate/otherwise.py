"""Which rule values change the answer to a position, and to what: rules with one value changed answer it too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from damspec import Outcome, Position
from damspec.ending import ended
from damspec.equivalents import proof

from ..answers.contrast import Contrast, View, seen_otherwise
from ..answers.player import Answer, Played, Player, key
from ..cases.notation import Key
from ..variants.mutants import Mutant, single


@dataclass(frozen=True)
class Deviation:
    """What another answer changes in a list of actions: those it lacks, those it adds, those that lead elsewhere.

    Each is its text, with the position after it; those that it lacks have the position that they lead to otherwise.
    """

    lost: Mapping[str, str]
    gained: Mapping[str, str]
    elsewhere: Mapping[str, str]

    def __bool__(self) -> bool:
        return bool(self.lost or self.gained or self.elsewhere)


@dataclass(frozen=True)
class Other:
    """Another answer to a position, and the rule values that give it. What they leave as it is, is None."""

    mutants: tuple[Mutant, ...]
    moves: Mapping[str, str] | None
    lapses: Mapping[str, str] | None
    outcome: Outcome | None
    moved: Deviation
    lapsed: Deviation

    @property
    def names(self) -> tuple[str, ...]:
        """The rule values in words, a text for each rule: `capture.duty = huffing or optional`."""
        return named(self.mutants)

    def told(self) -> str:
        """What is another, in words: `not 26x19; also 26-21, 26-22`."""
        said = [*_told(self.moved), *(f"lapses: {part}" for part in _told(self.lapsed))]
        if self.outcome is not None:
            said.append(f"outcome {self.outcome}")
        return "; ".join(said)


def named(mutants: Iterable[Mutant]) -> tuple[str, ...]:
    """Rule values in words, a text for each rule: `capture.duty = huffing or optional`."""
    by_rule: dict[str, list[str]] = {}
    for mutant in mutants:
        rule, _, value = mutant.name.partition(" = ")
        by_rule.setdefault(rule, []).append(value)
    return tuple(f"{rule} = {' or '.join(values)}" for rule, values in by_rule.items())


class Values:
    """All values that the rules of a ruleset can have instead, one at a time."""

    def __init__(self, player: Player) -> None:
        self.player = player

    @cached_property
    def _players(self) -> list[tuple[Mutant, Player, Contrast]]:
        ruleset = self.player.ruleset
        contrasts = ((mutant, Contrast.between(ruleset, mutant.ruleset)) for mutant in single(ruleset))
        return [
            (mutant, Player(mutant.ruleset), contrast)
            for mutant, contrast in contrasts
            if contrast and mutant.ruleset.rules.board == ruleset.rules.board and not proof(ruleset, mutant.name)
        ]

    @property
    def mutants(self) -> list[Mutant]:
        """The rulesets with one of these values that some position may show."""
        return [mutant for mutant, _, _ in self._players]

    def others(self, position: Position) -> tuple[Other, ...]:
        """The other answers to a position, in the order of the rules."""
        view = View(self.player, position)
        groups: dict[tuple[object, ...], list[tuple[Mutant, View]]] = {}
        for mutant, player, contrast in self._players:
            seen = seen_otherwise(view, player, contrast)
            if seen is not None:
                groups.setdefault(_kind(view, seen, contrast), []).append((mutant, seen))
        if not groups:
            return ()
        usual = [*map(_listed, view.played)]
        return tuple(_other(kind, group, usual) for kind, group in groups.items())


_Listed = dict[Key, tuple[str, str]]


def _kind(view: View, seen: View, contrast: Contrast) -> tuple[Answer | None, Answer | None, str | None]:
    """The moves, the lapses and the outcome, each if it is another than usual."""
    moves = lapses = None
    if contrast.turns or contrast.captures or contrast.quiet:
        moves, lapses = (there if there != here else None for here, there in zip(view.answer, seen.answer, strict=True))
    outcome = seen.outcome if contrast.ending and seen.outcome != view.outcome else None
    return moves, lapses, outcome


def _other(kind: tuple[object, ...], group: list[tuple[Mutant, View]], usual: list[_Listed]) -> Other:
    (_, seen), *_ = group
    there = [*map(_listed, seen.played)]
    moves, lapses = (
        dict(listed.values()) if changed is not None else None for changed, listed in zip(kind[:2], there, strict=True)
    )
    return Other(
        mutants=tuple(mutant for mutant, _ in group),
        moves=moves,
        lapses=lapses,
        outcome=None if kind[2] is None else ended(seen.player.turns, seen.position),
        moved=_change(usual[0], there[0]),
        lapsed=_change(usual[1], there[1]),
    )


def _listed(played: Played) -> _Listed:
    return {key(action): (str(action), after.fen()) for action, after in played}


def _change(usual: _Listed, there: _Listed) -> Deviation:
    return Deviation(
        lost=dict(usual[one] for one in usual if one not in there),
        gained=dict(there[one] for one in there if one not in usual),
        elsewhere=dict(there[one] for one in there if one in usual and there[one][1] != usual[one][1]),
    )


def _told(change: Deviation) -> Iterator[str]:
    if change.lost:
        yield f"not {', '.join(change.lost)}"
    if change.gained:
        yield f"also {', '.join(change.gained)}"
    for text, fen in change.elsewhere.items():
        yield f"{text} leads to {fen}"
