"""Pages that compare games: pairs, families, and a map of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from math import sqrt
from statistics import fmean
from textwrap import wrap
from typing import Any

from markupsafe import Markup, escape

from damspec import Clause, Reading, Ruleset, load_ruleset
from damspec.vocabulary import Group, Rule, groups, vocabulary, word_value
from damspec_runner.document import compare
from damspec_runner.document.compare import Member, Reason, Witness, are_compared, families, recorded_witness, root
from damspec_runner.mutants.mutants import differing_values
from damspec_runner.mutants.ruleset_diff import RuleDifference, board_differences, on_common_board, rule_differences

from . import pages
from .boards import Answers, Reply, Sides, side_by_side
from .library import SiteData
from .pages import File, Page, comparison, data_script, of_games, page, pages_in_languages, play


@dataclass(frozen=True)
class Cluster:
    """A group in the tree: a single named thing, or groups joined at their average distance."""

    distance: float
    parts: tuple[Cluster, ...] = ()
    name: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all things in the group, in the order of the tree."""
        return (self.name,) if self.name else tuple(name for part in self.parts for name in part.names)

    def all(self) -> Iterator[Cluster]:
        """Yield all groups in it, then the group itself."""
        for part in self.parts:
            yield from part.all()
        yield self


def cluster(names: Sequence[str], apart: Callable[[str, str], float]) -> Cluster:
    """Build the tree of all names by average distance. Ties join the earlier groups; the larger of two comes first.

    Groups joined at the same distance as one of their parts become one group with more parts.
    """
    groups = [Cluster(0.0, name=name) for name in names]
    known: dict[tuple[int, int], tuple[float, Cluster, Cluster]] = {}

    def between(one: Cluster, other: Cluster) -> float:
        """Return the average distance; both groups are kept, so that no other one gets their identity."""
        if (id(one), id(other)) not in known:
            known[id(one), id(other)] = fmean(apart(*pair) for pair in product(one.names, other.names)), one, other
        return known[id(one), id(other)][0]

    while len(groups) > 1:
        distance, one, other = min(
            ((between(a, b), a, b) for a, b in combinations(groups, 2)), key=lambda found: found[0]
        )
        pair = sorted((one, other), key=lambda group: -len(group.names))
        parts = tuple(part for group in pair for part in _open_group(group, distance))
        groups = [Cluster(distance, parts), *(group for group in groups if group is not one and group is not other)]
    return groups[0]


def _open_group(group: Cluster, distance: float) -> tuple[Cluster, ...]:
    """Return a group's parts if they are joined at this same distance, else the group."""
    return group.parts if group.parts and group.distance == distance else (group,)


Pair = tuple[str, str]


@dataclass(frozen=True)
class Stance:
    """One ruleset's side of a difference: its value in words, and what that rests on."""

    ruleset: Ruleset
    value: Any
    says: str
    clauses: list[Clause]
    readings: list[Reading]


@dataclass(frozen=True)
class Disagreement:
    """A position that two rulesets answer differently because of a rule, with both answers side by side."""

    witness: Witness
    rules: tuple[Ruleset, Ruleset]
    sides: Sides

    @property
    def tried(self) -> Mapping[str, str]:
        """The addresses of boards on which the position can be played by each game, by its id."""
        host = next(each for each in self.rules if each.rules.board == load_ruleset(each.id).rules.board)
        guests = {each.id for each in self.rules if each.rules.board != load_ruleset(each.id).rules.board}
        positions = {each: self.witness.position_for(each).fen() for each in self.rules}
        return {each.id: play(each.id, fen, host.id if each.id in guests else "") for each, fen in positions.items()}

    def turned(self) -> Disagreement:
        """Return the disagreement with the second ruleset first."""
        one, other = self.sides.columns
        return replace(self, rules=(self.rules[1], self.rules[0]), sides=replace(self.sides, columns=(other, one)))


@dataclass(frozen=True)
class Differing:
    """A rule that differs between two rulesets, with the position that shows it, or the reason why none does."""

    rule: Rule
    sides: tuple[Stance, Stance]
    disagreement: Disagreement | None = None
    reason: Reason | None = None


class Comparisons:
    """The compared pairs of rulesets: some each with each other, any other with its nearest."""

    def __init__(self, library: SiteData, answers: Answers) -> None:
        self.library, self.answers = library, answers
        self._answered: dict[tuple[str, str, str], Reply] = {}

    @cached_property
    def pairs(self) -> Mapping[Pair, list[Differing]]:
        """The compared pairs, with their differences."""
        rulesets = self.library.rulesets
        return {
            pair: [self._differing(pair, found) for found in rule_differences([rulesets[id] for id in pair])]
            for pair in combinations(rulesets, 2)
            if are_compared(*pair)
        }

    def showing(self, rule: str) -> list[tuple[Disagreement, list[Pair]]]:
        """Return for each two values of a rule the smallest position that shows it, with all pairs that have them."""
        found: dict[frozenset[str], list[tuple[Pair, Disagreement]]] = {}
        for pair, rules in self.pairs.items():
            for each in rules:
                if each.rule.name == rule and each.disagreement:
                    values = frozenset(str(side.value) for side in each.sides)
                    found.setdefault(values, []).append((pair, each.disagreement))
        return [
            (min((disagreement for _, disagreement in group), key=_plainness), [pair for pair, _ in group])
            for group in found.values()
        ]

    def options(self, chosen: str) -> Markup:
        """Return the games to choose from, with one chosen."""
        return Markup(self._options.replace(f'value="{chosen}"', f'value="{chosen}" selected', 1))

    @cached_property
    def _options(self) -> str:
        return "\n".join(
            f'<option value="{id}" data-text="games.{id}">{escape(ruleset.name)}</option>'
            for id, ruleset in self.library.rulesets.items()
        )

    def boards(self, pair: Pair) -> list[Differing]:
        """Return the differences between the boards of a pair."""
        found = board_differences([self.library.rulesets[id] for id in pair])
        return [self._differing(pair, each, shown=False) for each in found]

    def _differing(self, pair: Pair, found: RuleDifference, *, shown: bool = True) -> Differing:
        sides = [self._side(*each) for each in zip(pair, found.values, found.rests_on, [found.rule] * 2, strict=True)]
        witness = recorded_witness(*pair, found.rule) if shown else None
        return Differing(
            vocabulary()[found.rule],
            (sides[0], sides[1]),
            self._disagreement(pair, witness) if isinstance(witness, Witness) else None,
            witness if isinstance(witness, Reason) else None,
        )

    def _side(self, ruleset: str, value: Any, rests_on: tuple[str, ...], rule: str) -> Stance:
        library = self.library
        return Stance(
            library.rulesets[ruleset],
            value,
            word_value(rule, value),
            [library.clauses[id] for id in rests_on if id in library.clauses],
            [library.readings[id] for id in rests_on if id in library.readings],
        )

    def _disagreement(self, pair: Pair, witness: Witness) -> Disagreement:
        one, other = on_common_board([self.library.rulesets[id] for id in pair])
        where = f"{comparison(*pair)}: {witness.rule}"
        answers = [(ruleset.id, self._answer(ruleset, witness)) for ruleset in (one, other)]
        return Disagreement(witness, (one, other), side_by_side(where, answers))

    def _answer(self, ruleset: Ruleset, witness: Witness) -> Reply:
        position = witness.position_for(ruleset)
        asked = (ruleset.id, f"{ruleset.values['board.size']} {position.fen()}", witness.question)
        if asked not in self._answered:
            trapdoors = ruleset.rules.trapdoors
            layout = trapdoors.layout if trapdoors else None
            self._answered[asked] = self.answers.by_rules(ruleset, position, witness.question, layout)
        return self._answered[asked]


def _plainness(disagreement: Disagreement) -> tuple[int, bool, int]:
    witness = disagreement.witness
    return witness.pieces, not witness.both_ways, len(witness.beside)


#: The proportion from which hundredths are given; below, thousandths.
_HUNDREDTHS = 0.02


@dataclass(frozen=True)
class OnlyOne:
    """Groups of rules that only one of two games has, with all their rules and those that come with them."""

    ruleset: Ruleset
    groups: tuple[Group, ...]
    rules: tuple[Differing, ...]
    brings: tuple[Differing, ...]

    @property
    def shown(self) -> Differing | None:
        """The rule with the plainest position."""
        there = [(each.disagreement.witness.pieces, each) for each in self.rules if each.disagreement]
        return min(there, key=lambda one: one[0])[1] if there else None


@dataclass(frozen=True)
class WeightedRule:
    """A differing rule, and the proportion of positions in which it alone changes the answer; None if unknown."""

    differing: Differing
    share: float | None

    @property
    def often(self) -> KeyedText:
        """How often it changes the answer."""
        return often(self.share) if self.share is not None else ()


class RuleDifferences:
    """All differences between two games except the board."""

    def __init__(self, one: Ruleset, other: Ruleset, differing: Sequence[Differing]) -> None:
        self._pair, self._all = (one, other), differing

    @cached_property
    def lines(self) -> list[OnlyOne]:
        """What only one game has: at most a line for each of the two."""
        one, other = self._pair
        found = []
        for has, lacks in ((one, other), (other, one)):
            only = tuple(group for group in groups() if _has(has, group) and not _has(lacks, group))
            if only:
                names = {rule.name for group in only for rule in group.rules}
                rules = tuple(each for each in self._all if each.rule.name in names)
                brings = tuple(
                    each
                    for each in self._all
                    if each.rule.name not in names and each.reason and each.reason.leader in names
                )
                found.append(OnlyOne(has, only, rules, brings))
        return found

    @cached_property
    def rules(self) -> list[WeightedRule]:
        """The other rules, the strongest first; one that comes with another follows it."""
        told = {each.rule.name for line in self.lines for each in (*line.rules, *line.brings)}
        left = [each for each in self._all if each.rule.name not in told]
        places = {each.rule.name: place for place, each in enumerate(left)}
        one, other = self._pair
        share = {rule: compare.strength(one.id, other.id, rule) for rule in places}

        def place(each: Differing) -> tuple[float, int, bool]:
            leader = each.reason.leader if each.reason and each.reason.leader in places else None
            strength = share[leader or each.rule.name]
            return 1 if strength is None else -strength, places[leader or each.rule.name], leader is not None

        return [WeightedRule(each, share[each.rule.name]) for each in sorted(left, key=place)]

    @property
    def strongest(self) -> float:
        """The greatest proportion of any rule, as the scale for the others."""
        return max((each.share for each in self.rules if each.share), default=1.0)

    @property
    def number(self) -> int:
        """The number of differences as listed."""
        return sum(len(line.groups) for line in self.lines) + len(self.rules)


#: The key of a text, and the values in it.
KeyedText = tuple[str, ...]


def often(share: float) -> KeyedText:
    """Return what describes a proportion of positions in words."""
    if share == 0:
        return ("in-none",)
    if share > 0.995:
        return ("in-all",) if share == 1 else ("in-nearly-all",)
    if share < _HUNDREDTHS:
        return "in-some", str(max(1, round(1000 * share))), "1,000"
    return "in-some", str(round(100 * share)), "100"


def _has(ruleset: Ruleset, group: Group) -> bool:
    return any(rule.name in ruleset.values for rule in group.rules)


def pair_pages(comparisons: Comparisons) -> Iterator[Page | File]:
    """Yield the table of pairs, then each pair."""
    rulesets = comparisons.library.rulesets
    arranged = {
        (one, other): RuleDifferences(rulesets[one], rulesets[other], found)
        for (one, other), found in comparisons.pairs.items()
    }
    boards = {pair: comparisons.boards(pair) for pair in arranged}
    counts = {pair: found.number + bool(boards[pair]) for pair, found in arranged.items()}
    yield from pages_in_languages(
        "compare",
        rulesets=list(rulesets.values()),
        options=comparisons.options,
        families=families(),
        counts=counts | {(other, one): number for (one, other), number in counts.items()},
    )
    yield data_script("compare/readings", _readings(comparisons.library))
    for pair, found in arranged.items():
        yield _page(comparisons, pair, found, counts[pair])


def _readings(library: SiteData) -> Mapping[str, Any]:
    """Return for each game its readings: id, query, what it says, and the values that it changes (None removes one)."""
    return {
        id: [
            [reading.id, f"{reading.key}={word}", each.says.replace("`", ""), _changes(ruleset, reading, word)]
            for reading in ruleset.readings
            for word, each in reading.alternatives.items()
            if each.set and word != reading.chosen
        ]
        for id, ruleset in library.rulesets.items()
        if ruleset.readings
    }


def _changes(ruleset: Ruleset, reading: Reading, word: str) -> Mapping[str, Any]:
    return differing_values(ruleset.values, ruleset.under(f"{reading.key}={word}").values)


def _page(comparisons: Comparisons, pair: Pair, arranged: RuleDifferences, number: int) -> Page:
    rulesets = comparisons.library.rulesets
    one, other = (rulesets[id] for id in pair)
    boards, told = comparisons.boards(pair), {each.rule.name for each in comparisons.pairs[pair]}
    share = compare.distance(*pair)
    given = {
        "options": comparisons.options,
        "one": one,
        "other": other,
        "lines": arranged.lines,
        "differing": arranged.rules,
        "strongest": arranged.strongest,
        "boards": boards,
        "number": number,
        "board": on_common_board([one, other])[0].values["board.size"],
        "same": len(set(one.values) | set(other.values)) - len(told) - len(boards),
        "often": often(share) if share is not None else (),
        "family": pages.family(root(one.id)) if root(one.id) == root(other.id) else "",
    }
    return page("comparison", *pair, names=(one.name, other.name), given=given, notation=of_games(one, other))


@dataclass(frozen=True)
class Descent:
    """The step from a game to one that extends it: differences of the board, then all others in order."""

    parent: Ruleset
    member: Member
    boards: list[Differing]
    arranged: RuleDifferences
    share: float | None

    @property
    def joined(self) -> tuple[Ruleset, ...]:
        """The other games that it extends as well."""
        return self.member.parents[1:]

    @property
    def often(self) -> KeyedText:
        """How often the two answer differently."""
        return often(self.share) if self.share is not None else ()

    def was(self, each: Differing) -> Stance:
        """Return the parent's side."""
        return next(side for side in each.sides if side.ruleset is self.parent)

    def now(self, each: Differing) -> Stance:
        """Return the child's side."""
        return next(side for side in each.sides if side.ruleset is not self.parent)

    def shown(self, each: Differing) -> Disagreement | None:
        """Return the position that shows the difference, with the parent on the left."""
        found = each.disagreement
        return found.turned() if found and each.sides[0].ruleset is not self.parent else found


def family_pages(comparisons: Comparisons) -> Iterator[Page]:
    """Yield a page for each family."""
    for id, tree in families().items():
        steps = {child.ruleset.id: _step(comparisons, above, child) for above in tree.all() for child in above.children}
        name = tree.ruleset.name
        yield page("family", id, names=(name,), given={"tree": tree, "steps": steps, "outside": _outside(tree)})


def _step(comparisons: Comparisons, above: Member, child: Member) -> Descent:
    one, other = sorted((above.ruleset, child.ruleset), key=lambda ruleset: ruleset.id)
    pair = one.id, other.id
    return Descent(
        above.ruleset,
        child,
        comparisons.boards(pair),
        RuleDifferences(one, other, comparisons.pairs[pair]),
        compare.distance(*pair),
    )


def _outside(tree: Member) -> tuple[str, KeyedText] | None:
    """Return the nearest game outside the family, and how often the two answer differently."""
    inside = {member.ruleset.id for member in tree.all()}
    known = {id: compare.distance(tree.ruleset.id, id) for id in compare.measured_games() if id not in inside}
    near = min(((share, id) for id, share in known.items() if share is not None), default=None)
    return (near[1], often(near[0])) if near else None


#: The width at which a name wraps, in letters; then the height of a line, the gap between names, and the space above
#: the first for the scale.
_WIDE, _LINE, _GAP, _HEAD = 30, 1.25, 0.65, 2.0
#: The marks of the scale, in hundredths.
_MARKS = (1, 10, 25, 50, 100)
#: The number of neighbours of a game in the table.
_NEIGHBOURS = 3


@dataclass(frozen=True)
class Leaf:
    """A game in the drawing: its name in lines, the height of its middle, and where its branch begins."""

    id: str
    lines: list[str]
    middle: float
    begins: float


@dataclass(frozen=True)
class Fork:
    """A junction of branches: its horizontal place, its vertical range, and how often the branches' games differ."""

    across: float
    top: float
    bottom: float
    middle: float
    begins: float
    says: str


@dataclass(frozen=True)
class Drawing:
    """The drawn tree; horizontal units are hundredths of the width, vertical units lines of text."""

    leaves: list[Leaf]
    forks: list[Fork]
    height: float
    marks: list[tuple[int, float]]


@dataclass(frozen=True)
class Neighbour:
    """A game near another: the proportion answered differently, and the page that compares them, if any."""

    id: str
    share: float
    href: str

    @property
    def hundredths(self) -> str:
        """The proportion as a percentage."""
        return f"{100 * self.share:.{0 if self.share in (0, 1) else 1}f}"


def map_pages(library: SiteData) -> Iterator[Page]:
    """Yield the page of the map."""
    names = {id: ruleset.name for id, ruleset in library.rulesets.items()}
    measured = [id for id in names if id in compare.measured_games()]
    yield page(
        "map",
        given={
            "drawing": drawing(cluster(measured, _apart), names),
            "neighbours": {id: _neighbours(id, measured) for id in measured},
            "positions": compare.positions(),
        },
    )


def drawing(tree: Cluster, names: dict[str, str]) -> Drawing:
    """Draw a tree: the games below each other at the right, all branches meeting at the left."""
    middles, begins = _Middles(tree, names), dict(_begins(tree, 0.0))
    branches = list(tree.all())
    return Drawing(
        [
            Leaf(branch.name, wrap(names[branch.name], _WIDE), middles.at[id(branch)], begins[id(branch)])
            for branch in branches
            if branch.name
        ],
        [
            Fork(
                across(branch.distance),
                middles.at[id(branch.parts[0])],
                middles.at[id(branch.parts[-1])],
                middles.at[id(branch)],
                begins[id(branch)],
                f"{100 * branch.distance:.3g}",
            )
            for branch in branches
            if branch.parts
        ],
        middles.height,
        [(mark, across(mark / 100)) for mark in _MARKS],
    )


def across(share: float) -> float:
    """Return the horizontal place of a proportion: 0 at the right end, small ones spread more widely."""
    return round(100 * (1 - sqrt(share)), 2)


class _Middles:
    """The heights of the branches: games at equal gaps, every fork in the middle of what it joins."""

    def __init__(self, tree: Cluster, names: dict[str, str]) -> None:
        self.at: dict[int, float] = {}
        self.height, self._names = _HEAD, names
        self._place(tree)

    def _place(self, branch: Cluster) -> float:
        if branch.name:
            high = len(wrap(self._names[branch.name], _WIDE)) * _LINE + _GAP
            middle, self.height = self.height + high / 2, self.height + high
        else:
            found = [self._place(part) for part in branch.parts]
            middle = (found[0] + found[-1]) / 2
        self.at[id(branch)] = middle = round(middle, 3)
        return middle


def _begins(branch: Cluster, at: float) -> Iterator[tuple[int, float]]:
    """Yield where the branch of each group begins at the left."""
    yield id(branch), at
    for part in branch.parts:
        yield from _begins(part, across(branch.distance))


def _apart(one: str, other: str) -> float:
    share = compare.distance(one, other)
    return 1.0 if share is None else share


def _neighbours(id: str, measured: list[str]) -> list[Neighbour]:
    near = sorted((_apart(id, other), other) for other in measured if other != id)[:_NEIGHBOURS]
    return [
        Neighbour(other, share, pages.comparison(id, other) if are_compared(id, other) else "") for share, other in near
    ]
