"""Perft of mutants: what an engine that plays something else counts in a position.

Positions are given as text and read on the mutant's own board. Whether they are valid in its game is not checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from damspec import DamspecError, Position, Ruleset, load_ruleset, ruleset_ids
from damspec.mutations import proof
from damspec.perft_counts import count_nodes

from ..cases.notation import Key
from ..mutants.fault_catalogue import CachedGenerator, FaultyGenerator, faults
from ..mutants.mutants import Changes, differing_values, mutants, single_changes
from ..mutants.ruleset_diff import begins, counts_history, ends
from .player import RulePlayer, key

#: Reasons why a change that shows in positions shows in no perft.
BEGINS = "It says how a game begins, and perft is asked about a position."
ENDS = "It says how a game ends, and perft goes on."
LAPSES = "It changes which lapses can be played and what comes after them, and perft does not count lapses."
REMEMBERS = "It depends on what was asked before."


@dataclass(frozen=True, eq=False)
class PerftMutant:
    """Rules that an engine may play instead of a ruleset. `kind` is change, reading, ruleset or fault."""

    name: str
    kind: str
    player: RulePlayer = field(repr=False)
    #: Why perft cannot show it, if that is known in advance.
    hidden: str | None = None

    def nodes(self, position: str, depth: int) -> int | None:
        """Return the perft count; None if its board has no such position."""
        return mutant_nodes(self.player, position, depth)


def mutant_nodes(player: RulePlayer, position: str, depth: int) -> int | None:
    """Return a player's perft from a position given as text; None if its board has no such position."""
    try:
        read = player.parse_position(position)
    except DamspecError:
        return None
    return count_nodes(player.turns, read, depth)


def perft_mutants(ruleset: Ruleset) -> list[PerftMutant]:
    """Return every single rule change, reading, shipped ruleset on the same board and fault of the catalogue.

    Readings and rulesets with the same rules as an earlier mutant, or as the ruleset, are left out.
    """
    found = changes_counts(ruleset, single_changes(ruleset))
    known = [ruleset.values, *(one.player.ruleset.values for one in found)]
    others = [(name, "reading", other) for name, other in ruleset.alternatives.items()]
    others += [(id, "ruleset", load_ruleset(id)) for id in ruleset_ids()]
    for name, kind, other in others:
        if other.rules.board == ruleset.rules.board and other.values not in known:
            known.append(other.values)
            found.append(_ruleset_mutant(ruleset, name, kind, other))
    return [*found, *_fault_mutants(ruleset)]


def changes_counts(ruleset: Ruleset, changes: Iterable[Changes]) -> list[PerftMutant]:
    """Return the mutants with given rule changes, without those that contradict the other rules."""
    return [_ruleset_mutant(ruleset, mutant.name, "change", mutant.ruleset) for mutant in mutants(ruleset, changes)]


def _ruleset_mutant(ruleset: Ruleset, name: str, kind: str, other: Ruleset) -> PerftMutant:
    return PerftMutant(name, kind, RulePlayer(other), _why_hidden(ruleset, other) or proof(ruleset, name))


def _why_hidden(ruleset: Ruleset, other: Ruleset) -> str | None:
    """Explain why no perft shows the difference of two rulesets; None if it may."""
    changed = differing_values(ruleset.values, other.values)
    if all(map(begins, changed)):
        return BEGINS
    return ENDS if all(begins(rule) or ends(rule) or counts_history(rule) for rule in changed) else None


def _fault_mutants(ruleset: Ruleset) -> Iterator[PerftMutant]:
    right = CachedGenerator(ruleset.turns)
    for fault in faults(ruleset):
        turns = fault.turns(right)
        remembers = isinstance(turns, FaultyGenerator) and turns.remembers
        yield PerftMutant(fault.name, "fault", RulePlayer(ruleset, turns), REMEMBERS if remembers else None)


def differs_in_lapses(player: RulePlayer, wrong: PerftMutant, positions: Iterable[str]) -> bool:
    """Return whether a mutant's lapses, or what follows them, differ in some position or one action later."""
    return any(_lapses_differ(player, wrong.player, position) for position in positions)


def _lapses_differ(player: RulePlayer, other: RulePlayer, position: str) -> bool:
    try:
        here, there = player.parse_position(position), other.parse_position(position)
    except DamspecError:
        return False
    if _lapses(player, here) != _lapses(other, there):
        return True
    later = {key(one): other.turns.after(there, one) for one in other.actions(there)}
    return any(
        _lapses(player, player.turns.after(here, one)) != _lapses(other, later[key(one)])
        for one in player.actions(here)
        if key(one) in later
    )


def _lapses(player: RulePlayer, position: Position) -> dict[Key, Position]:
    return {key(one): player.turns.after(position, one) for one in player.lapsing(position)}
