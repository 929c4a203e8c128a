"""Suites: positions that together cover every rule, phase, length of capture, balance of kings and stage of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from damspec import Ruleset
from damspec.validity import material, phases

from ..mutants.mutants import single_mutants
from ..mutants.ruleset_diff import in_no_position, places_pieces
from .diversity import DistinctPositions, count_changes
from .goal import Criteria, FoundPosition, Goal, KingSides, NothingToFindError, SearchGoal, prove_nothing_to_find
from .search import PositionSearch

#: The tries without success after which a part has no further positions.
_TRIES = 3_000
#: The stages of a game, as plies, and the number of pieces in the endgames of the games.
_OPENING, _MIDDLE, _ENDGAME = (4, 16), (20, 50), (30, 150)
_FEW = 8
#: How many positions are looked for beyond the number that a part is to give.
_SPARE = 6


@dataclass(frozen=True)
class SuitePart:
    """What some of a suite's positions show; `plies` if they come from games."""

    name: str
    goal: SearchGoal
    plies: tuple[int, int] | None = None

    def search(self, number: int, seed: int) -> PositionSearch:
        """Search for `number` positions and return the search; it has fewer if no more came within some tries."""
        search = PositionSearch(self.goal, number, seed, _TRIES)
        _ = search.search() if self.plies is None else search.search_games(self.plies)
        return search


@dataclass
class Suite:
    """The positions of a suite, all different, and how many of them each part gave."""

    found: DistinctPositions
    counts: dict[str, int] = field(default_factory=dict)
    tried: int = 0

    @property
    def positions(self) -> list[FoundPosition]:
        """The positions: those apart from all earlier ones, then the others."""
        return [*self.found.apart, *self.found.near]

    @property
    def missing(self) -> list[str]:
        """The parts of which no position was found."""
        return [name for name, count in self.counts.items() if not count]


def suite_parts(ruleset: Ruleset) -> Iterator[SuitePart]:
    """Yield the parts of a suite: each rule, phase, length of capture, who has kings, material, and stage of a game."""
    most = sum(material(ruleset.rules))
    by_rule: dict[str, list[Ruleset]] = {}
    for mutant in single_mutants(ruleset):
        rule = mutant.rules_changed[0]
        if not (in_no_position(rule) or places_pieces(rule)) and mutant.ruleset.rules.board == ruleset.rules.board:
            by_rule.setdefault(rule, []).append(mutant.ruleset)
    for rule, others in by_rule.items():
        try:
            goal = prove_nothing_to_find(SearchGoal(ruleset, (Goal(f"any other {rule}", tuple(others), rule),)))
        except NothingToFindError:
            continue
        yield SuitePart(rule, goal)
    for phase in phases(ruleset.rules):
        yield SuitePart(f"phase {phase}", SearchGoal(ruleset, phase=phase))
    for pieces in (1, 2, 3, 4, 5):
        yield SuitePart(
            f"{pieces} captured", SearchGoal(ruleset, pieces=(pieces + 1, 12), criteria=Criteria((pieces, pieces)))
        )
    yield SuitePart("6 or more captured", SearchGoal(ruleset, pieces=(7, min(14, most)), criteria=Criteria((6, most))))
    for side in KingSides:
        yield SuitePart(f"kings: {side.value}", SearchGoal(ruleset, criteria=Criteria(kings=side)))
    yield SuitePart("balanced", SearchGoal(ruleset, pieces=(2, 12), criteria=Criteria(balanced=True)))
    yield SuitePart("quiet", SearchGoal(ruleset, criteria=Criteria(quiet=True)))
    for name, plies, goal in (
        ("opening", _OPENING, SearchGoal(ruleset, pieces=(1, most))),
        ("middle of a game", _MIDDLE, SearchGoal(ruleset, pieces=(1, most))),
        ("endgame with men", _ENDGAME, SearchGoal(ruleset, pieces=(1, _FEW), criteria=Criteria(kings=KingSides.NONE))),
        (
            "endgame with kings",
            _ENDGAME,
            SearchGoal(ruleset, pieces=(2, _FEW), criteria=Criteria(kings=KingSides.BOTH)),
        ),
    ):
        yield SuitePart(name, goal, plies)


def build_suite(ruleset: Ruleset, number: int, seed: int = 0, tell: Callable[[str], None] = lambda part: None) -> Suite:
    """Return `number` positions, the parts by turns, so that each part has its share; a position counts for one part.

    With fewer positions than parts the last parts have none. `tell` is called with the name of each part before it is
    searched.
    """
    parts = [*suite_parts(ruleset)][:number]
    suite = Suite(DistinctPositions(ruleset), {part.name: 0 for part in parts})
    each = -(-number // len(parts))
    queues: dict[str, list[FoundPosition]] = {}
    for place, part in enumerate(parts):
        tell(part.name)
        search = part.search(each + _SPARE, seed + place)
        suite.tried += search.tried
        queues[part.name] = search.positions[::-1]
    for only_apart in (True, False):
        left = {name: [*queue] for name, queue in queues.items()}
        while any(left.values()):
            for name, queue in left.items():
                suite.counts[name] += _take_next(suite.found, queue, only_apart=only_apart)
                if len(suite.found) == number:
                    return suite
    return suite


def _take_next(found: DistinctPositions, queue: list[FoundPosition], *, only_apart: bool) -> bool:
    """Move the next new position from the end of a queue to those found; return False if there is none."""
    while queue:
        one = queue.pop()
        plies = () if one.game is None else (count_changes(one.game),)
        if one.position not in found and (not only_apart or found.would_be_apart(one.position, *plies)):
            found.add(one)
            return True
    return False
