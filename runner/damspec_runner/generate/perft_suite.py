"""Perft suites: few positions whose perft kills a ruleset's mutants, each at the smallest depth.

Candidates are the start, the positions of the cases, positions drawn in every phase of a turn and from games, and those
found by searching for mutants that these do not kill at depth 1. From them a small set is chosen greedily: always the
position that kills most of what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from damspec import Position, Ruleset
from damspec.validity import phases

from ..answers.mutant_perft import LAPSES, PerftMutant, differs_in_lapses, mutant_nodes, perft_mutants
from ..answers.player import RulePlayer
from ..cases.perft_tables import CountedPosition, PerftSuite
from .goal import Goal, SearchGoal
from .search import PositionSearch, case_positions

#: The most nodes counted from a position of a suite, so that a slow engine counts a suite in a minute.
MOST_NODES = 20_000
#: The greatest depth at which a position may kill a mutant, and the most nodes counted to find out.
_MOST_DEPTH, _TELLING_NODES = 3, 4_000
#: The reason given for a mutant that survives and has no other reason.
UNKNOWN = "No position was found whose perft to depth {} shows it."


@dataclass
class SuiteBuilder:
    """The candidates with their right numbers, and for each mutant those that kill it at the smallest depth."""

    ruleset: Ruleset
    #: The depth to which positions are counted.
    depth: int
    seed: int = 0
    #: Called with the name of each mutant before it is looked at.
    tell: Callable[[str], None] = lambda what: None
    candidates: dict[str, None] = field(default_factory=dict)
    soonest: dict[PerftMutant, tuple[int, list[str]]] = field(default_factory=dict)
    untold: dict[PerftMutant, str] = field(default_factory=dict)
    #: The number of positions drawn in each phase, and from games.
    random_positions: int = 12
    game_positions: int = 24
    #: The searches for mutants not killed at depth 1, then for those not killed at all: the number of positions, the
    #: range of pieces, and the tries without success.
    first_search: tuple[int, tuple[int, int], int] = (12, (1, 8), 1_500)
    last_search: tuple[int, tuple[int, int], int] = (400, (3, 12), 5_000)

    def __post_init__(self) -> None:
        self.player = RulePlayer(self.ruleset)
        self._nodes: dict[str, tuple[int, ...]] = {}
        self.drawn: list[str] = []

    def look(self) -> None:
        """Find out which candidates kill which mutants."""
        self.tell("positions")
        self._add_candidates([self.ruleset.position(), *case_positions(self.player)])
        self.drawn = self._add_candidates(self._draw_positions())
        deepest = min(self.depth, _MOST_DEPTH)
        found: dict[PerftMutant, tuple[int, list[str], int]] = {}
        for wrong in perft_mutants(self.ruleset):
            if wrong.hidden is not None:
                self.untold[wrong] = wrong.hidden
                continue
            self.tell(wrong.name)
            found[wrong] = *self._smallest_depth(wrong, deepest), len(self.candidates)
        for wrong, (depth, telling, looked_at) in found.items():  # candidates added since
            sooner, further = self._candidates_killing(wrong, list(self.candidates)[looked_at:], depth or deepest)
            if sooner:
                telling = [*telling, *further] if sooner == depth else further
            if telling:
                self.soonest[wrong] = sooner or depth, telling
            elif differs_in_lapses(self.player, wrong, self.candidates):
                self.untold[wrong] = LAPSES
            else:
                self.untold[wrong] = UNKNOWN.format(deepest)

    def right(self, position: str, depth: int) -> int:
        """Return the right number of nodes."""
        known = self._nodes.get(position, ())
        while len(known) < depth:
            count = mutant_nodes(self.player, position, len(known) + 1)
            assert count is not None
            known = (*known, count)
        self._nodes[position] = known
        return known[depth - 1]

    def counts(self, position: str) -> tuple[int, ...]:
        """Return the right numbers of nodes up to the depth wanted, cut off at MOST_NODES."""
        found: list[int] = []
        while len(found) < self.depth and (count := self.right(position, len(found) + 1)) <= MOST_NODES:
            found.append(count)
        return tuple(found) or (self.right(position, 1),)

    def _smallest_depth(self, wrong: PerftMutant, deepest: int) -> tuple[int, list[str]]:
        """Return the smallest depth at which candidates kill a mutant, and those candidates; 0 if none does."""
        depth, telling = self._candidates_killing(wrong, self.candidates, deepest)
        if depth == 1 or wrong.kind == "fault":
            return depth, telling
        further = self._add_candidates(self._search_positions(wrong, *self.first_search))
        sooner, found = self._candidates_killing(wrong, further, depth - 1 if depth else deepest)
        if found or depth:
            return (sooner, found) if found else (depth, telling)
        depth, telling = self._candidates_killing(
            wrong, self._new_candidates(self._search_positions(wrong, *self.last_search)), deepest
        )
        self.candidates |= dict.fromkeys(telling)
        return depth, telling

    def _candidates_killing(self, wrong: PerftMutant, candidates: Iterable[str], most: int) -> tuple[int, list[str]]:
        """Return the smallest depth up to `most` at which candidates kill a mutant, and these; 0 if none does."""
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

    def _add_candidates(self, positions: Iterable[Position]) -> list[str]:
        """Add positions as candidates for every mutant; return those that are new."""
        found = self._new_candidates(positions)
        self.candidates |= dict.fromkeys(found)
        return found

    def _new_candidates(self, positions: Iterable[Position]) -> list[str]:
        """Return the positions that are no candidates yet and in which the game goes on."""
        ongoing = (position for position in positions if self.player.outcome(position) == "ongoing")
        new = dict.fromkeys(position.fen() for position in ongoing)
        return [fen for fen in new if fen not in self.candidates]

    def _draw_positions(self) -> Iterator[Position]:
        """Yield positions of each phase and some from games, by turns."""
        hunts = [
            PositionSearch(
                SearchGoal(self.ruleset, pieces=(3, 14), phase=phase), self.random_positions, self.seed
            ).search()
            for phase in phases(self.ruleset.rules)
        ]
        hunts.append(
            PositionSearch(SearchGoal(self.ruleset, pieces=(2, 99)), self.game_positions, self.seed).search_games(
                (6, 80)
            )
        )
        for place in range(max(map(len, hunts))):
            yield from (found[place].position for found in hunts if place < len(found))

    def _search_positions(self, wrong: PerftMutant, number: int, pieces: tuple[int, int], tries: int) -> list[Position]:
        """Search for positions that a mutant answers differently; none on another board."""
        other = wrong.player.ruleset
        if other.rules.board != self.ruleset.rules.board:
            return []
        wanted = SearchGoal(self.ruleset, (Goal(wrong.name, (other,)),), pieces=pieces)
        return [found.position for found in PositionSearch(wanted, number, self.seed, tries).search()]


def build_suite(telling: SuiteBuilder, number: int | None = None) -> PerftSuite:
    """Choose a suite: the start, then few positions that kill every mutant that can be killed.

    `number` limits the positions, or adds further ones unlike each other.
    """
    chosen = _choose_positions(telling, number)
    further = [position for position in telling.drawn if position not in chosen]
    chosen += further[: max(0, (number or 0) - len(chosen))]
    tells = _tells_by_position(telling, chosen)
    told = {name for by_depth in tells.values() for names in by_depth.values() for name in names}
    reasons = {wrong.name: why for wrong, why in telling.untold.items()}
    left = [wrong.name for wrong in telling.soonest if wrong.name not in told]
    reasons |= dict.fromkeys(left, f"Only further positions would tell it: {number} are wanted.")
    return PerftSuite(
        telling.ruleset.id,
        tuple(CountedPosition(position, telling.counts(position), tells[position]) for position in chosen),
        reasons,
    )


def _choose_positions(telling: SuiteBuilder, number: int | None) -> list[str]:
    """Choose the start, then always the position that kills most of what is left; at most `number`."""
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


def _tells_by_position(telling: SuiteBuilder, chosen: Sequence[str]) -> dict[str, dict[int, tuple[str, ...]]]:
    """Return what each position is the first to kill, at the smallest depth at which any of them does."""
    told: dict[str, dict[int, tuple[str, ...]]] = {position: {} for position in chosen}
    for wrong, (deepest, _) in telling.soonest.items():
        for depth, position in product(range(1, deepest + 1), chosen):
            right = telling.counts(position)
            if depth <= len(right) and wrong.nodes(position, depth) != right[depth - 1]:
                told[position][depth] = (*told[position].get(depth, ()), wrong.name)
                break
    return {position: dict(sorted(by_depth.items())) for position, by_depth in told.items()}
