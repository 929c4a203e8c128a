"""Rulesets compared: what differs, the nearest, families, recorded witnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any, Literal

import damspec
from damspec import DamspecError, Position, Ruleset, data, load_ruleset, ruleset_ids
from damspec.board import Board
from damspec.mutations import equivalent_mutants
from damspec.position import with_sliders
from damspec.vocabulary import groups, vocabulary

from ..answers.exhaustive import LevelSurvey
from ..cases.cases import cases_of
from ..mutants.mutants import Mutant
from ..mutants.ruleset_diff import (
    RuleDifference,
    begins,
    board_differences,
    counts_history,
    difference_parts,
    ends,
    in_no_position,
    on_common_board,
    rule_differences,
)
from .smallest import DifferenceGoal, QuestionName, SmallestSearch


def distance(one: str, other: str) -> float | None:
    """The share of positions of their games that two games answer differently; None if it was not measured."""
    return distance_in(_distances_file(), one, other)


def distance_in(record: Mapping[str, Any], one: str, other: str) -> float | None:
    """The same by a record that is given."""
    counts = (record["otherwise"].get(a, {}).get(b) for a, b in ((one, other), (other, one)))
    return _mean(counts, record["positions"])


def strength(one: str, other: str, rule: str) -> float | None:
    """The share of positions of their games in which a rule alone changes the answer.

    None if it was not measured: it shows in no position, or cannot be changed without another rule.
    """
    counts = (_changed().get((a, b, rule)) for a, b in ((one, other), (other, one)))
    return _mean(counts, positions())


def weights() -> Mapping[str, list[tuple[str, str, float]]]:
    """For each game a rule, a game that has it otherwise, and the share of positions in which that changes answers."""
    return {
        game: [(entry["rule"], entry["as"][0], entry["otherwise"] / positions()) for entry in entries]
        for game, entries in _distances_file()["rules"].items()
    }


def positions() -> int:
    """How many positions of each game were tried."""
    number: int = _distances_file()["positions"]
    return number


def measured() -> tuple[str, ...]:
    """The games that were measured."""
    return tuple(_distances_file()["otherwise"])


def distances_path() -> Path:
    """Where the record is."""
    return data.root() / "cases" / "apart.yaml"


def _mean(counts: Iterable[int | None], positions: int) -> float | None:
    known = [count for count in counts if count is not None]
    return sum(known) / len(known) / positions if known else None


@cache
def _distances_file() -> Mapping[str, Any]:
    content: Mapping[str, Any] = data.load_yaml(distances_path())
    data.check(content, "apart", data.path_text(distances_path()))
    return content


@cache
def _changed() -> Mapping[tuple[str, str, str], int]:
    return {
        (one, other, entry["rule"]): entry["otherwise"]
        for one, entries in _distances_file()["rules"].items()
        for entry in entries
        for other in entry["as"]
    }


@dataclass(frozen=True)
class Member:
    """A ruleset of a family: what it extends itself, the first of which it stands under, and what stands under it."""

    ruleset: Ruleset
    parents: tuple[Ruleset, ...]
    children: tuple[Member, ...]

    def all(self) -> Iterator[Member]:
        """It and all under it, in the order of the tree."""
        yield self
        for child in self.children:
            yield from child.all()


def root(id: str) -> str:
    """The ruleset that a ruleset's family begins with: itself, if it extends none."""
    return (*damspec.load_ruleset(id).family, id)[0]


def families() -> dict[str, Member]:
    """Every ruleset that others extend and that extends none, with its family."""
    trees = {id: _member(id) for id in damspec.ruleset_ids() if root(id) == id}
    return {id: tree for id, tree in trees.items() if tree.children}


def _member(id: str) -> Member:
    children = tuple(_member(other) for other in damspec.ruleset_ids() if id in _parents(other)[:1])
    return Member(damspec.load_ruleset(id), tuple(map(damspec.load_ruleset, _parents(id))), children)


def _parents(id: str) -> list[str]:
    """What a ruleset extends itself, and not only by another."""
    family = damspec.load_ruleset(id).family
    return [parent for parent in family if not any(parent in damspec.load_ruleset(other).family for other in family)]


@dataclass(frozen=True)
class Witness:
    """A position that shows a rule: the answers to `question` differ, and it is the rule, with those `beside` it if
    it cannot be shown alone, that makes them differ; `both_ways` if either ruleset changed answers as the other does.

    All positions with fewer than `proved_below` pieces were tried, `tried` in number; with all doors shut, where more
    cannot be afforded, all with fewer than `shut_below`. Beside any other rules, as many as here, all with fewer than
    `beside_below` were tried.
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
        """Whether the rule is shown alone, and fewer pieces are proved not to show it."""
        return not self.beside and self.pieces <= self.proved_below

    @property
    def says(self) -> str:
        """How many pieces the position has and how that is known to be few, in words."""
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
        """The position as a ruleset has it: without the result of a spin where there is no spinner."""
        position = Position.from_fen(self.position, ruleset.rules.board)
        if ruleset.rules.trapdoors is None:
            return replace(position, sliders=None, spin=None)
        return with_sliders(ruleset.rules, position)


@dataclass(frozen=True)
class Reason:
    """Why no position is given for a rule. `leader` is the rule it comes with, whose position shows both."""

    rule: str
    kind: Literal["comes-with", "no-such-part", "start", "history", "equivalent", "none-found"]
    leader: str | None
    says: str


WitnessOrReason = Witness | Reason


def recorded(one: str, other: str, rule: str) -> WitnessOrReason | None:
    """What is on record for a rule and two rulesets that are shipped, on the first one's board if that suits both.

    None if they do not differ in it. Raises RulesetError for an unknown ruleset.
    """
    return (on_record(one, other) or {}).get(rule)


@cache
def each_with_each() -> tuple[str, ...]:
    """The rulesets any two of which are on record; every other is so with the one nearest to it (compared.py)."""
    return tuple(_witnesses_file()["each-with-each"])


@cache
def on_record(one: str, other: str) -> Mapping[str, WitnessOrReason] | None:
    """What is on record for two rulesets, by rule; None if one of them came after the record was made."""
    first, second = on_common_board([load_ruleset(one), load_ruleset(other)])
    board = first.values["board.size"]
    rules = [part.rule for part in difference_parts(first, second) if not in_no_position(part.rule)]
    entries = {rule: _entries().get((rule, board, frozenset((one, other)))) for rule in rules}
    there = {rule: entry for rule, entry in entries.items() if entry is not None}
    return _explained(first, second, there) if len(there) == len(rules) else None


def search(one: Ruleset, other: Ruleset, tell: Callable[[str], None]) -> tuple[Mapping[str, WitnessOrReason], bool]:
    """What a search finds for two rulesets on one board, and whether it came to its end before it was interrupted."""
    survey = LevelSurvey([one, other], tell)
    found = SmallestSearch(one, other, survey)
    try:
        found.exhaust()
        size = one.values["board.size"]
        shown = [position for board, position in shown_on() if board == size]
        given = [*candidates(survey), *(Position.from_fen(fen, survey.board) for fen in shown)]
        tell("positions of the cases")
        found.among(given)
        tell("random positions")
        found.by_chance()
        tell("rules changed together")
        found.beside(given)
    except KeyboardInterrupt:
        return _explained(one, other, entries_of(found)), False
    return _explained(one, other, entries_of(found)), True


def candidates(survey: LevelSurvey) -> Iterator[Position]:
    """Positions on a board for a search to begin with: those of all cases."""
    for id in ruleset_ids():
        ruleset = load_ruleset(id)
        if ruleset.rules.board == survey.board:
            for case in cases_of(id):
                yield ruleset.position(case.position)


def entries_of(search: SmallestSearch) -> dict[str, dict[str, Any]]:
    """What a search has found, by rule, as the record has it."""
    return {rule: _entry(aim, search.others) for rule, aim in search.aims.items()}


def _entry(aim: DifferenceGoal, others: int) -> dict[str, Any]:
    shut = {"shut-below": aim.shut_below} if aim.shut_below > aim.proved_below else {}
    tried = {"proved-below": aim.proved_below, "tried": aim.tried, **shut}
    if aim.best is None:
        return {**tried, "others": others}
    both = {"both-ways": True} if aim.best.both_ways else {}
    beside = {"beside": list(aim.best.beside), "beside-below": aim.beside_below} if aim.best.beside else {}
    return {"position": aim.best.position.fen(), "pieces": len(aim.best.position), **both, **beside, **tried}


def _explained(one: Ruleset, other: Ruleset, entries: Mapping[str, Mapping[str, Any]]) -> dict[str, WitnessOrReason]:
    """Every rule in which two rulesets differ, with its witness or the reason why it has none."""
    found: dict[str, WitnessOrReason] = {}
    leaders = {rule: part.rule for part in difference_parts(one, other) for rule in part.rules}
    for difference in rule_differences([one, other]):
        rule = difference.rule
        if begins(rule):
            found[rule] = Reason(rule, "start", None, "no position shows it, it says how a game begins")
        elif counts_history(rule):
            found[rule] = Reason(rule, "history", None, "it shows only in games, not in a position")
        elif leaders[rule] != rule:
            found[rule] = _led(one, other, rule, leaders[rule])
        else:
            found[rule] = _witness(rule, one, entries[rule]) or _none(one, other, rule, entries[rule])
    return found


def _witness(rule: str, ruleset: Ruleset, entry: Mapping[str, Any]) -> Witness | None:
    if "position" not in entry:
        return None
    return Witness(
        rule,
        entry["position"],
        ruleset.values["board.size"],
        "outcome" if ends(rule) else "moves",
        tuple(entry.get("beside", ())),
        entry.get("both-ways", False),
        entry["proved-below"],
        entry["tried"],
        entry.get("shut-below", 0),
        entry.get("beside-below", 0),
    )


def _led(one: Ruleset, other: Ruleset, rule: str, leader: str) -> Reason:
    group = next(group for group in groups() if vocabulary()[rule] in group.rules)
    without = next((r.id for r in (one, other) if r.values.keys().isdisjoint(each.name for each in group.rules)), None)
    if without and group.part:
        return Reason(rule, "no-such-part", leader, f"{without} has no {group.part}")
    return Reason(rule, "comes-with", leader, f"comes with {leader}")


def _none(one: Ruleset, other: Ruleset, rule: str, entry: Mapping[str, Any]) -> Reason:
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


def shown_on() -> list[tuple[str, str]]:
    """The size of the board of each witness on record, and its position."""
    return [(entry["board"], entry["position"]) for entry in _witnesses_file()["witnesses"]]


def witnesses_path() -> Path:
    """Where the record is."""
    return data.root() / "cases" / "witnesses.yaml"


def _board(size: str) -> Board:
    columns, _, rows = size.partition("x")
    return Board(int(columns), int(rows))


@cache
def _witnesses_file() -> Mapping[str, Any]:
    content: Mapping[str, Any] = data.load_yaml(witnesses_path())
    where = data.path_text(witnesses_path())
    data.check(content, "witnesses", where)
    for number, entry in enumerate(content["witnesses"]):
        try:
            Position.from_fen(entry["position"], _board(entry["board"]))
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


#: How far two rulesets are apart; None if that is not known.
Share = Callable[[str, str], float | None]


@cache
def nearest() -> Mapping[str, str]:
    """For each other ruleset the one that it is compared with: what it extends, or else the one least apart."""
    return nearest_by(distance)


def nearest_by(share: Share) -> Mapping[str, str]:
    """The same, if they are so far apart."""
    return {id: _nearest(id, share) for id in damspec.ruleset_ids() if id not in each_with_each()}


def compared(one: str, other: str, near: Mapping[str, str] | None = None) -> bool:
    """Whether two rulesets shipped are compared: both are of those each with each, or one is nearest to the other."""
    near = nearest() if near is None else near
    return {one, other} <= set(each_with_each()) or near.get(one) == other or near.get(other) == one


def _nearest(id: str, share: Share) -> str:
    """Less than one in a hundred is chance: of those equally near, or not measured, the one with most values alike."""
    ruleset = damspec.load_ruleset(id)
    if ruleset.family:
        return ruleset.family[-1]
    values = ruleset.values

    def apart(other: str) -> tuple[float, int]:
        theirs, answered = damspec.load_ruleset(other).values, share(id, other)
        unlike = sum(values.get(rule) != theirs.get(rule) for rule in {**values, **theirs})
        return 1.0 if answered is None else round(answered, 2), unlike

    return min((other for other in damspec.ruleset_ids() if other != id), key=apart)


Places = tuple[int, int]


@dataclass
class Comparison:
    """Rulesets by the names they were asked for, compared two by two; `complete` unless a search was interrupted."""

    names: Sequence[str]
    rulesets: Sequence[Ruleset]
    found: dict[Places, Mapping[str, WitnessOrReason]] = field(default_factory=dict)
    complete: bool = True

    def __post_init__(self) -> None:
        self.on_board = on_common_board(self.rulesets)
        self.apart = board_differences(self.rulesets)
        self.differences = rule_differences(self.rulesets)
        for pair in combinations(range(len(self.names)), 2):
            one, other = (self.rulesets[place] for place in pair)
            known = on_record(one.id, other.id) if _shipped(one) and _shipped(other) else None
            if known is not None:
                self.found[pair] = known

    def look(self, rules: Sequence[RuleDifference], tell: Callable[[str], None]) -> None:
        """Search for what is not on record; it can be interrupted, and what was found stays."""
        for one, other in sorted({pair for rule in rules for pair in self._to_show(rule) if pair not in self.found}):
            name = f"{self.names[one]} and {self.names[other]}"

            def said(line: str, name: str = name) -> None:
                tell(f"{name}: {line}")

            self.found[one, other], self.complete = search(*self.pair(one, other), said)
            if not self.complete:
                return

    def pair(self, one: int, other: int) -> tuple[Ruleset, Ruleset]:
        """Two of the rulesets on the board on which they are compared."""
        first, second = on_common_board([self.rulesets[one], self.rulesets[other]])
        return first, second

    def shown(self, difference: RuleDifference) -> Iterator[tuple[Places, WitnessOrReason]]:
        """For each two values of a rule what was found to tell them apart."""
        for pair in self._to_show(difference):
            if pair in self.found and difference.rule in self.found[pair]:
                yield pair, self.found[pair][difference.rule]

    def _to_show(self, difference: RuleDifference) -> Iterator[Places]:
        """For each two values the pair of rulesets with the plainest position, of those that are on record."""
        for here, there in combinations(difference.sides, 2):
            pairs = [(min(pair), max(pair)) for pair in product(here, there)]
            yield min(pairs, key=lambda pair: self._plain(pair, difference.rule))

    def _plain(self, pair: Places, rule: str) -> tuple[int, int, int]:
        found = self.found.get(pair, {}).get(rule)
        if isinstance(found, Witness):
            return 0, len(found.beside), found.pieces
        return 1 if found else 2, 0, 0


def _shipped(ruleset: Ruleset) -> bool:
    return ruleset.id in damspec.ruleset_ids() and ruleset is damspec.load_ruleset(ruleset.id)
