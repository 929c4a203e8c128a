"""Perft suites: few positions whose perft tells a ruleset from wrong rules and faults, each at the smallest depth.

Candidates are the start, the positions of the cases, positions drawn in every phase of a turn and out of games, and
those searched for what these do not tell at once. From them as few are taken as will do: always the one next that tells
most of what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from damspec import Position, Ruleset, RulesetError
from damspec.validity import find_invalidity, phases

from ..answers.mutant_perft import LAPSES, PerftMutant, differs_in_lapses, mutant_nodes, perft_mutants
from ..answers.player import RulePlayer
from ..cases.cases import cases_for
from ..cases.perft_tables import CountedPosition, PerftSuite
from .goal import Goal, SearchGoal
from .search import PositionSearch

#: The most nodes that a position of a suite is counted to, so that a slow engine counts a suite in a minute.
MOST_NODES = 20_000
#: The greatest depth at which something is to be told, and the most nodes counted to find out.
_TELLING, _TELLING_NODES = 3, 4_000
#: How many positions are drawn in each phase, and how many out of games.
_DRAWN, _PLAYED = 12, 24
#: How many positions are searched for what is not told at depth 1, with how few and how many pieces, and how many tries
#: may be in vain; then for what is not told at all.
_SEARCHED, _SEARCHED_ON = (12, (1, 8), 1_500), (400, (3, 12), 5_000)
#: Why something is not told that no reason is known for.
UNKNOWN = "No position was found whose perft to depth {} shows it."


@dataclass
class SuiteBuilder:
    """What tells what: the candidates with the right numbers, and for each wrong one those that tell it soonest."""

    ruleset: Ruleset
    #: To what depth perft is wanted.
    depth: int
    seed: int = 0
    #: Told now and then what is being done.
    tell: Callable[[str], None] = lambda task_runner: None
    candidates: dict[str, None] = field(default_factory=dict)
    soonest: dict[PerftMutant, tuple[int, list[str]]] = field(default_factory=dict)
    untold: dict[PerftMutant, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.player = RulePlayer(self.ruleset)
        self._right: dict[str, tuple[int, ...]] = {}
        self.drawn: list[str] = []

    def look(self) -> None:
        """Find out what tells what."""
        self.tell("positions")
        self._take([self.ruleset.position(), *self._of_cases()])
        self.drawn = self._take(self._drawn())
        deepest = min(self.depth, _TELLING)
        found: dict[PerftMutant, tuple[int, list[str], int]] = {}
        for wrong in perft_mutants(self.ruleset):
            if wrong.hidden is not None:
                self.untold[wrong] = wrong.hidden
                continue
            self.tell(wrong.name)
            found[wrong] = *self._soonest(wrong, deepest), len(self.candidates)
        for wrong, (depth, telling, looked_at) in found.items():  # others came up since
            sooner, further = self._telling(wrong, list(self.candidates)[looked_at:], depth or deepest)
            if sooner:
                telling = [*telling, *further] if sooner == depth else further
            if telling:
                self.soonest[wrong] = sooner or depth, telling
            elif differs_in_lapses(self.player, wrong, self.candidates):
                self.untold[wrong] = LAPSES
            else:
                self.untold[wrong] = UNKNOWN.format(deepest)

    def right(self, position: str, depth: int) -> int:
        """The right number of nodes."""
        known = self._right.get(position, ())
        while len(known) < depth:
            count = mutant_nodes(self.player, position, len(known) + 1)
            assert count is not None
            known = (*known, count)
        self._right[position] = known
        return known[depth - 1]

    def counts(self, position: str) -> tuple[int, ...]:
        """The right numbers of nodes to the depth wanted, as far as there are not too many."""
        found: list[int] = []
        while len(found) < self.depth and (count := self.right(position, len(found) + 1)) <= MOST_NODES:
            found.append(count)
        return tuple(found) or (self.right(position, 1),)

    def _soonest(self, wrong: PerftMutant, deepest: int) -> tuple[int, list[str]]:
        """The smallest depth at which something tells, and what does; 0 if nothing was found that does."""
        depth, telling = self._telling(wrong, self.candidates, deepest)
        if depth == 1 or wrong.kind == "fault":
            return depth, telling
        further = self._take(self._searched(wrong, *_SEARCHED))
        sooner, found = self._telling(wrong, further, depth - 1 if depth else deepest)
        if found or depth:
            return (sooner, found) if found else (depth, telling)
        depth, telling = self._telling(wrong, self._new(self._searched(wrong, *_SEARCHED_ON)), deepest)
        self.candidates |= dict.fromkeys(telling)
        return depth, telling

    def _telling(self, wrong: PerftMutant, candidates: Iterable[str], most: int) -> tuple[int, list[str]]:
        """The smallest depth at which some candidates tell, at most `most`, and these; 0 and none if none does."""
        for depth in range(1, most + 1):
            found = [
                position
                for position in candidates
                if (right := self.right(position, depth)) <= _TELLING_NODES and wrong.nodes(position, depth) != right
            ]
            if found:
                return depth, found
        return 0, []

    # --- where positions come from ------------------------------------------------------------

    def _take(self, positions: Iterable[Position]) -> list[str]:
        """Make positions candidates for everything; those that were none."""
        found = self._new(positions)
        self.candidates |= dict.fromkeys(found)
        return found

    def _new(self, positions: Iterable[Position]) -> list[str]:
        """Positions that are no candidates, and in which the game goes on."""
        ongoing = (position for position in positions if self.player.outcome(position) == "ongoing")
        new = dict.fromkeys(position.fen() for position in ongoing)
        return [fen for fen in new if fen not in self.candidates]

    def _of_cases(self) -> Iterator[Position]:
        try:
            cases = cases_for(self.ruleset)
        except RulesetError:  # a file of your own may have none
            return
        for case in cases:
            position = self.player.read(case.position)
            if not find_invalidity(self.player.turns, position):
                yield position

    def _drawn(self) -> Iterator[Position]:
        """Positions in each phase, and some out of games, in turns."""
        hunts = [
            PositionSearch(SearchGoal(self.ruleset, pieces=(3, 14), phase=phase), _DRAWN, self.seed).anywhere()
            for phase in phases(self.ruleset)
        ]
        hunts.append(PositionSearch(SearchGoal(self.ruleset, pieces=(2, 99)), _PLAYED, self.seed).reached((6, 80)))
        for place in range(max(map(len, hunts))):
            yield from (found[place].position for found in hunts if place < len(found))

    def _searched(self, wrong: PerftMutant, number: int, pieces: tuple[int, int], tries: int) -> list[Position]:
        """Positions in which wrong rules answer otherwise; none on another board."""
        other = wrong.player.ruleset
        if other.rules.board != self.ruleset.rules.board:
            return []
        wanted = SearchGoal(self.ruleset, (Goal(wrong.name, (other,)),), pieces=pieces)
        return [found.position for found in PositionSearch(wanted, number, self.seed, tries).anywhere()]


def build_suite(telling: SuiteBuilder, number: int | None = None) -> PerftSuite:
    """The suite of what tells: the start, then as few positions as tell all that can be told; `number` cuts it short,
    or has others added that are unlike each other.
    """
    chosen = _chosen(telling, number)
    further = [position for position in telling.drawn if position not in chosen]
    chosen += further[: max(0, (number or 0) - len(chosen))]
    tells = _told(telling, chosen)
    told = {name for by_depth in tells.values() for names in by_depth.values() for name in names}
    reasons = {wrong.name: why for wrong, why in telling.untold.items()}
    left = [wrong.name for wrong in telling.soonest if wrong.name not in told]
    reasons |= dict.fromkeys(left, f"Only further positions would tell it: {number} are wanted.")
    return PerftSuite(
        telling.ruleset.id,
        tuple(CountedPosition(position, telling.counts(position), tells[position]) for position in chosen),
        reasons,
    )


def _chosen(telling: SuiteBuilder, number: int | None) -> list[str]:
    """The start, then always the position that tells most of what is left; at most `number`."""
    by_position: dict[str, set[PerftMutant]] = {}
    for wrong, (_, positions) in telling.soonest.items():
        for position in positions:
            by_position.setdefault(position, set()).add(wrong)
    chosen = [telling.ruleset.position().fen()]
    while number is None or len(chosen) < number:
        told = set(by_position.get(chosen[-1], ()))
        for left in by_position.values():
            left -= told
        if not any(by_position.values()):
            break
        chosen.append(min(by_position, key=lambda one: (-len(by_position[one]), sum(telling.counts(one)))))
    return chosen


def _told(telling: SuiteBuilder, chosen: Sequence[str]) -> dict[str, dict[int, tuple[str, ...]]]:
    """What each of some positions is the first to tell, at the smallest depth at which any of them does."""
    told: dict[str, dict[int, tuple[str, ...]]] = {position: {} for position in chosen}
    for wrong, (deepest, _) in telling.soonest.items():
        for depth, position in product(range(1, deepest + 1), chosen):
            right = telling.counts(position)
            if depth <= len(right) and wrong.nodes(position, depth) != right[depth - 1]:
                told[position][depth] = (*told[position].get(depth, ()), wrong.name)
                break
    return {position: dict(sorted(by_depth.items())) for position, by_depth in told.items()}
