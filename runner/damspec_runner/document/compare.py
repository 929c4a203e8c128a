"""Comparison of rulesets: differences, distances, nearest games, families and recorded witnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any, Literal

import damspec
from damspec import DamspecError, Position, Ruleset, RulesetError, data, load_ruleset, ruleset_ids
from damspec.board import Board
from damspec.king_runs import fit_position
from damspec.mutations import equivalent_mutants
from damspec.vocabulary import groups, vocabulary

from ..cases.cases import cases_of
from ..mutants.mutants import Mutant
from ..mutants.ruleset_diff import (
    ChangedRule,
    RuleDifference,
    begins,
    board_differences,
    counts_history,
    difference_parts,
    differing_rules,
    ends,
    in_no_position,
    on_common_board,
    rule_differences,
)
from .exhaustive import LevelSurvey
from .smallest import LIMITS, DifferenceGoal, QuestionName, SearchLimits, SmallestSearch


def distance(one: str, other: str) -> float | None:
    """Return the proportion of positions that two games answer differently; None if it was not measured."""
    return distance_in(_distances_file(), one, other)


def distance_in(record: Mapping[str, Any], one: str, other: str) -> float | None:
    """Return the distance of two games according to a given record."""
    counts = (record["otherwise"].get(a, {}).get(b) for a, b in ((one, other), (other, one)))
    known = [count for count in counts if count is not None]
    return sum(known) / len(known) / record["positions"] if known else None


def weights() -> Mapping[str, list[tuple[str, str, float]]]:
    """Return for each game its rules, each with another game's id and the proportion of answers it changes."""
    return {
        game: [(entry["rule"], entry["as"][0], entry["otherwise"] / number_of_positions()) for entry in entries]
        for game, entries in strengths().items()
    }


def strengths() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return for each game how many of its answers each rule changes, `as` in which other games.

    A rule that shows in no position, or cannot be changed without another, was not measured.
    """
    found: Mapping[str, Sequence[Mapping[str, Any]]] = _distances_file()["rules"]
    return found


def number_of_positions() -> int:
    """Return the number of positions measured for each game."""
    number: int = _distances_file()["positions"]
    return number


def measured_games() -> tuple[str, ...]:
    """Return the games that were measured."""
    return tuple(_distances_file()["otherwise"])


def distances_path() -> Path:
    """Return the path of the record."""
    return data.root() / "cases" / "generated" / "distances.yaml"


@cache
def _distances_file() -> Mapping[str, Any]:
    content: Mapping[str, Any] = data.load_yaml(distances_path())
    data.check(content, "distances", data.path_text(distances_path()))
    return content


@dataclass(frozen=True)
class Member:
    """A ruleset in a family tree: its direct parents, the first of which it is placed under, and its children."""

    ruleset: Ruleset
    parents: tuple[Ruleset, ...]
    children: tuple[Member, ...]

    def all(self) -> Iterator[Member]:
        """Yield the member and all its descendants, in the order of the tree."""
        yield self
        for child in self.children:
            yield from child.all()


def root(id: str) -> str:
    """Return the root of a ruleset's family: itself, if it extends none."""
    return (*damspec.load_ruleset(id).family, id)[0]


@cache
def leaflet_game(id: str) -> str:
    """Return the game that a document has a ruleset as a variant of, or the ruleset itself.

    A variant extends that game and rests on the same documents.
    """
    documents = {*damspec.load_ruleset(id).documents}
    family = damspec.load_ruleset(id).family
    return next((other for other in family if {*damspec.load_ruleset(other).documents} == documents), id)


def variants() -> dict[str, str]:
    """Return the game that each variant is shown with."""
    return {id: game for id in damspec.ruleset_ids() if (game := leaflet_game(id)) != id}


def families() -> dict[str, Member]:
    """Return the family tree of every ruleset that extends none and is extended by others."""
    trees = {id: _member(id) for id in damspec.ruleset_ids() if root(id) == id}
    return {id: tree for id, tree in trees.items() if tree.children}


@cache
def _member(id: str) -> Member:
    children = tuple(_member(other) for other in damspec.ruleset_ids() if id in _parents(other)[:1])
    return Member(damspec.load_ruleset(id), tuple(map(damspec.load_ruleset, _parents(id))), children)


@cache
def _parents(id: str) -> tuple[str, ...]:
    """Return the rulesets that a ruleset extends directly."""
    family = damspec.load_ruleset(id).family
    extended = {each for other in family for each in damspec.load_ruleset(other).family}
    return tuple(parent for parent in family if parent not in extended)


@dataclass(frozen=True)
class Witness:
    """A position that shows a rule: the answers to `question` differ because of it.

    `beside` are rules that must differ too, if it cannot be shown alone. `both_ways` is whether each ruleset, changed
    in the rule, answers as the other does.

    All `tried` positions with fewer than `proved_below` pieces were searched; with all doors shut, if more is not
    affordable, all with fewer than `shut_below`. Beside any other rules, as many as here, all with fewer than
    `beside_below` were searched.
    """

    rule: str
    position: str
    board: str
    question: QuestionName
    beside: tuple[str, ...]
    both_ways: bool
    proved_below: int
    tried: int
    shut_below: int = 0
    beside_below: int = 0

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return sum(len(side[1:].split(",")) for side in self.position.split(":")[1:3] if side[1:])

    @property
    def minimal(self) -> bool:
        """Whether the rule is shown alone, and proved not to show with fewer pieces."""
        return not self.beside and self.pieces <= self.proved_below

    @property
    def says(self) -> str:
        """The number of pieces in words, and what is known about whether fewer would do."""
        number = _pieces(self.pieces)
        if self.minimal:
            return f"{number}, " + (f"proved: all {self.tried:,} with fewer tried" if self.tried else "no fewer can be")
        shut = f", and with shut doors all with fewer than {self.shut_below}" if self.shut_below else ""
        below = f"all {self.tried:,} positions with fewer than {self.proved_below} tried{shut}"
        if self.beside:
            others = "any other rule" if len(self.beside) == 1 else "any two other rules"
            fewest = f", the fewest with {others}, proved" if self.beside_below >= self.pieces else ""
            return f"{number} with {' and '.join(self.beside)}{fewest}; alone nothing found, {below}"
        return f"{number}, the fewest found; {below}"

    def position_for(self, ruleset: Ruleset) -> Position:
        """Return the position for a ruleset, without runs of kings or sliders if it has none."""
        return fit_position(ruleset.rules, Position.from_fen(self.position, ruleset.rules.board))


ReasonKind = Literal["comes-with", "no-such-part", "start", "history", "equivalent", "none-found", "not-searched"]


@dataclass(frozen=True)
class Reason:
    """The reason why a rule has no witness. `leader` is the rule it comes with, whose position shows both."""

    rule: str
    kind: ReasonKind
    leader: str | None
    says: str


WitnessOrReason = Witness | Reason


@cache
def each_with_each() -> tuple[str, ...]:
    """Return the rulesets recorded in all pairs; any other is recorded with its nearest only (see `are_compared`)."""
    return tuple(_witnesses_file()["each-with-each"])


@cache
def on_record(one: str, other: str) -> Mapping[str, WitnessOrReason] | None:
    """Return what is on record for two shipped rulesets on a common board, by rule in which they differ.

    None if the record is older than one of them. Raises RulesetError for an unknown ruleset.
    """
    first, second = on_common_board([load_ruleset(one), load_ruleset(other)])
    board = first.values["board.size"]
    parts = difference_parts(first, second)
    rules = [part.rule for part in parts if not in_no_position(part.rule)]
    entries = {rule: _entries().get((rule, board, frozenset((one, other)))) for rule in rules}
    there = {rule: entry for rule, entry in entries.items() if entry is not None}
    return _witnesses_or_reasons(first, second, parts, there) if len(there) == len(rules) else None


def search(
    one: Ruleset, other: Ruleset, tell: Callable[[str], None], limits: SearchLimits = LIMITS
) -> tuple[Mapping[str, WitnessOrReason], bool]:
    """Search witnesses for two rulesets on one board; return them by rule, and whether the search was completed."""
    survey = LevelSurvey([one, other], tell)
    found = SmallestSearch(one, other, survey, limits)
    try:
        found.exhaust()
        given = [*candidates(survey), *(each for each in recorded_positions() if each.board == survey.board)]
        tell("positions of the cases")
        found.try_positions(given)
        tell("random positions")
        found.try_random()
        tell("rules changed together")
        found.try_with_other_rules(given)
    except KeyboardInterrupt:
        return _witnesses_or_reasons(one, other, difference_parts(one, other), entries_of(found)), False
    return _witnesses_or_reasons(one, other, difference_parts(one, other), entries_of(found)), True


def candidates(survey: LevelSurvey) -> Iterator[Position]:
    """Yield the positions of all cases on the survey's board, to start a search with."""
    for id in ruleset_ids():
        ruleset = load_ruleset(id)
        if ruleset.rules.board == survey.board:
            for case in cases_of(id):
                yield ruleset.position(case.position)


def entries_of(search: SmallestSearch) -> dict[str, dict[str, Any]]:
    """Return the results of a search by rule, in the form of the record."""
    return {rule: _entry(goal, search.others) for rule, goal in search.goals.items()}


def _entry(goal: DifferenceGoal, others: int) -> dict[str, Any]:
    shut = {"shut-below": goal.shut_below} if goal.shut_below > goal.proved_below else {}
    tried = {"proved-below": goal.proved_below, "tried": goal.tried, **shut}
    if goal.best is None:
        return {**tried, "others": others}
    both = {"both-ways": True} if goal.best.both_ways else {}
    beside = {"beside": list(goal.best.beside), "beside-below": goal.beside_below} if goal.best.beside else {}
    return {"position": goal.best.position.fen(), "pieces": len(goal.best.position), **both, **beside, **tried}


def _witnesses_or_reasons(
    one: Ruleset, other: Ruleset, parts: Iterable[ChangedRule], entries: Mapping[str, Mapping[str, Any]]
) -> dict[str, WitnessOrReason]:
    """Return for every rule in which two rulesets differ its witness, or the reason why it has none."""
    found: dict[str, WitnessOrReason] = {}
    leaders = {rule: part.rule for part in parts for rule in part.rules}
    for difference in rule_differences([one, other]):
        rule = difference.rule
        if reason := _no_position_reason(rule):
            found[rule] = reason
        elif leaders[rule] != rule:
            found[rule] = _leader_reason(one, other, rule, leaders[rule])
        else:
            board = one.values["board.size"]
            shown = _witness(rule, board, entries[rule])
            found[rule] = shown or _no_witness_reason(one, other, rule, entries[rule])
    return found


def _no_position_reason(rule: str) -> Reason | None:
    """Return the reason why no single position can show a rule; None if one might."""
    if begins(rule):
        return Reason(rule, "start", None, "no position shows it, it says how a game begins")
    if counts_history(rule):
        return Reason(rule, "history", None, "it shows only in games, not in a position")
    return None


def _witness(rule: str, board: str, entry: Mapping[str, Any]) -> Witness | None:
    if "position" not in entry:
        return None
    return Witness(
        rule,
        entry["position"],
        board,
        "outcome" if ends(rule) else "moves",
        tuple(entry.get("beside", ())),
        entry.get("both-ways", False),
        entry["proved-below"],
        entry["tried"],
        entry.get("shut-below", 0),
        entry.get("beside-below", 0),
    )


def _leader_reason(one: Ruleset, other: Ruleset, rule: str, leader: str) -> Reason:
    group = next(group for group in groups() if vocabulary()[rule] in group.rules)
    without = next((r.id for r in (one, other) if r.values.keys().isdisjoint(each.name for each in group.rules)), None)
    if without and group.extension:
        return Reason(rule, "no-such-part", leader, f"{without} has no {group.extension}")
    return Reason(rule, "comes-with", leader, f"comes with {leader}")


def _no_witness_reason(one: Ruleset, other: Ruleset, rule: str, entry: Mapping[str, Any]) -> Reason:
    proofs = [
        equivalent_mutants().get((start.base, Mutant(start.base, ((rule, goal.values.get(rule)),), {}).name))
        for start, goal in ((one, other), (other, one))
    ]
    if all(proofs):
        return Reason(rule, "equivalent", None, f"no position shows it: {' '.join(dict.fromkeys(map(str, proofs)))}")
    says = f"none found among all {entry['tried']:,} positions with fewer than {entry['proved-below']} pieces"
    return Reason(rule, "none-found", None, f"{says} and {entry['others']:,} others")


def _pieces(number: int) -> str:
    return "1 piece" if number == 1 else f"{number} pieces"


def witnesses(rule: str) -> Iterator[tuple[Witness, list[tuple[str, str]]]]:
    """Yield each position on record that shows a rule, with the pairs of rulesets that it tells apart."""
    for entry in _witnesses_file()["witnesses"]:
        found = _witness(rule, entry["board"], entry) if entry["rule"] == rule else None
        if found:
            yield found, [(one, other) for one, others in entry["between"].items() for other in others]


def recorded_positions() -> list[Position]:
    """Return the position of each witness on record."""
    return [Position.from_fen(entry["position"], witness_board(entry)) for entry in _witnesses_file()["witnesses"]]


def witnesses_path() -> Path:
    """Return the path of the record."""
    return data.root() / "cases" / "generated" / "witnesses.yaml"


def witness_board(entry: Mapping[str, Any]) -> Board:
    """Return the board of a witness: that of its size on which one of its games is played, all squares or half."""
    ids = {id for one, others in entry["between"].items() for id in (one, *others)}
    boards = {str(ruleset.values["board.size"]): ruleset.rules.board for ruleset in map(load_ruleset, sorted(ids))}
    if entry["board"] not in boards:
        raise RulesetError(f"board {entry['board']!r}, expected that of one of its games: {', '.join(boards)}")
    return boards[entry["board"]]


@cache
def _witnesses_file() -> Mapping[str, Any]:
    content: Mapping[str, Any] = data.load_yaml(witnesses_path())
    where = data.path_text(witnesses_path())
    data.check(content, "witnesses", where)
    for number, entry in enumerate(content["witnesses"]):
        try:
            Position.from_fen(entry["position"], witness_board(entry))
        except DamspecError as error:
            raise data.FileError(f"{where}: witnesses.{number}: {error}") from None
    return content


@cache
def _entries() -> Mapping[tuple[str, str, frozenset[str]], Mapping[str, Any]]:
    return {
        (entry["rule"], entry["board"], frozenset((one, other))): entry
        for kind in ("witnesses", "none")
        for entry in _witnesses_file()[kind]
        for one, others in entry["between"].items()
        for other in others
    }


#: A function that returns the distance of two rulesets, None if it is unknown.
Share = Callable[[str, str], float | None]


@cache
def nearest() -> Mapping[str, str]:
    """Return for each other ruleset the one it is compared with: its parent, or the nearest."""
    return nearest_by(distance)


def nearest_by(share: Share) -> Mapping[str, str]:
    """Return the nearest rulesets according to a distance function."""
    return {id: _nearest(id, share) for id in damspec.ruleset_ids() if id not in each_with_each()}


def are_compared(one: str, other: str, near: Mapping[str, str] | None = None) -> bool:
    """Return whether two shipped rulesets are compared: both in `each_with_each`, or one nearest to the other."""
    near = nearest() if near is None else near
    return {one, other} <= set(each_with_each()) or near.get(one) == other or near.get(other) == one


def _nearest(id: str, share: Share) -> str:
    """Return the parent under which a ruleset stands in its family, or the nearest ruleset.

    Differences in distance below one in a hundred are chance; then, or if unmeasured, more equal values win.
    """
    ruleset = damspec.load_ruleset(id)
    if ruleset.family:
        return _parents(id)[0]
    values = ruleset.values

    def apart(other: str) -> tuple[float, int]:
        theirs, answered = damspec.load_ruleset(other).values, share(id, other)
        differing = sum(values.get(rule) != theirs.get(rule) for rule in {**values, **theirs})
        return 1.0 if answered is None else round(answered, 2), differing

    return min((other for other in damspec.ruleset_ids() if other != id), key=apart)


def nearest_games(ruleset: Ruleset) -> list[tuple[str, list[str]]]:
    """Return the ids of all other shipped rulesets, the nearest first, each with the rules in which it differs.

    Of as many rules those are nearer that change fewer answers, as far as that was measured.
    """
    measured = weights()

    def weight(id: str, rule: str) -> float:
        """Return the proportion of a game's positions in which this ruleset's value of a rule changes the answer."""
        value = ruleset.values.get(rule)
        return next(
            (w for name, as_, w in measured[id] if name == rule and load_ruleset(as_).values.get(rule) == value), 0
        )

    others = [load_ruleset(id) for id in ruleset_ids() if id != ruleset.id]
    found = [(other.id, [each.rule for each in differing_rules((ruleset, other))]) for other in others]
    return sorted(found, key=lambda each: (len(each[1]), sum(weight(each[0], rule) for rule in each[1])))


Places = tuple[int, int]


@dataclass
class Comparison:
    """Rulesets under the names they were asked for, compared in pairs; `complete` unless a search was interrupted.

    They are compared on a common board. Rulesets that no board suits are compared as they are, each on its own.
    """

    names: Sequence[str]
    rulesets: Sequence[Ruleset]
    witnesses: dict[Places, Mapping[str, WitnessOrReason]] = field(default_factory=dict)
    complete: bool = True

    def __post_init__(self) -> None:
        self.apart = board_differences(self.rulesets)
        try:
            self.on_board = on_common_board(self.rulesets)
        except RulesetError:
            self.on_board = list(self.rulesets)
            self.apart = []
        self.differences = differing_rules(self.on_board)
        for pair in combinations(range(len(self.names)), 2):
            one, other = (self.rulesets[place] for place in pair)
            known = on_record(one.id, other.id) if _is_shipped(one) and _is_shipped(other) else None
            if known is not None:
                self.witnesses[pair] = known

    @property
    def board(self) -> str | None:
        """The size of the board on which they are compared; None if no board suits all."""
        sizes = {ruleset.values["board.size"] for ruleset in self.on_board}
        return sizes.pop() if len(sizes) == 1 else None

    def look(self, rules: Sequence[RuleDifference], tell: Callable[[str], None]) -> None:
        """Search for witnesses that are not on record. An interruption keeps what was found.

        Rulesets on different boards are left out: a search would compare one of them on a board that it is not played
        on, and the first positions of larger boards take minutes.
        """
        pairs = {pair for rule in rules if not in_no_position(rule.rule) for pair in self._pairs_to_show(rule)}
        for one, other in sorted(
            pair for pair in pairs if pair not in self.witnesses and not self._boards_differ(pair)
        ):
            name = f"{self.names[one]} and {self.names[other]}"

            def tell_pair(line: str, name: str = name) -> None:
                tell(f"{name}: {line}")

            self.witnesses[one, other], self.complete = search(*self.pair(one, other), tell_pair)
            if not self.complete:
                return

    def pair(self, one: int, other: int) -> tuple[Ruleset, Ruleset]:
        """Return two of the rulesets on their common board."""
        first, second = on_common_board([self.rulesets[one], self.rulesets[other]])
        return first, second

    def witness_of_each_pair(self, difference: RuleDifference) -> Iterator[tuple[Places, WitnessOrReason]]:
        """Yield for each two values of a rule the pair of rulesets, and its witness or reason."""
        for pair in self._pairs_to_show(difference):
            if pair in self.witnesses and difference.rule in self.witnesses[pair]:
                yield pair, self.witnesses[pair][difference.rule]
            else:
                yield pair, _no_position_reason(difference.rule) or self._not_searched(pair, difference.rule)

    def _not_searched(self, pair: Places, rule: str) -> Reason:
        boards = [self.rulesets[place].values["board.size"] for place in pair]
        why = f"one is played on {boards[0]}, the other on {boards[1]}; " if self._boards_differ(pair) else ""
        return Reason(rule, "not-searched", None, f"{why}no position is on record, and none was searched")

    def _boards_differ(self, pair: Places) -> bool:
        one, other = (self.rulesets[place].rules.board for place in pair)
        return one != other

    def _pairs_to_show(self, difference: RuleDifference) -> Iterator[Places]:
        """Yield for each two values the pair of rulesets with the plainest recorded position."""
        for here, there in combinations(difference.sides, 2):
            pairs = [(min(pair), max(pair)) for pair in product(here, there)]
            yield min(pairs, key=lambda pair: self._plainness(pair, difference.rule))

    def _plainness(self, pair: Places, rule: str) -> tuple[int, int, int]:
        found = self.witnesses.get(pair, {}).get(rule)
        if isinstance(found, Witness):
            return 0, len(found.beside), found.pieces
        return 1 if found else 2, self._boards_differ(pair), 0


def _is_shipped(ruleset: Ruleset) -> bool:
    return ruleset.id in damspec.ruleset_ids() and ruleset is damspec.load_ruleset(ruleset.id)
