"""The smallest position that shows each rule in which two rulesets differ, or why there is none.

For the rulesets shipped they are on record (cases/witnesses.yaml); for others they are searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from damspec import DamspecError, Position, Ruleset, data, load_ruleset, ruleset_ids
from damspec.board import Board
from damspec.equivalents import equivalents
from damspec.trapdoors import with_sliders
from damspec.vocabulary import groups, vocabulary

from ..cases.cases import cases_of
from ..variants.differences import common, differences, parts
from ..variants.effects import begins, counts_history, ends, in_no_position
from ..variants.mutants import Mutant
from .aim import Aim, QuestionName
from .smallest import PairSearch
from .survey import Survey


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
    return tuple(_file()["each-with-each"])


@cache
def on_record(one: str, other: str) -> Mapping[str, WitnessOrReason] | None:
    """What is on record for two rulesets, by rule; None if one of them came after the record was made."""
    first, second = common([load_ruleset(one), load_ruleset(other)])
    board = first.values["board.size"]
    rules = [part.rule for part in parts(first, second) if not in_no_position(part.rule)]
    entries = {rule: _entries().get((rule, board, frozenset((one, other)))) for rule in rules}
    there = {rule: entry for rule, entry in entries.items() if entry is not None}
    return _explained(first, second, there) if len(there) == len(rules) else None


def search(one: Ruleset, other: Ruleset, tell: Callable[[str], None]) -> tuple[Mapping[str, WitnessOrReason], bool]:
    """What a search finds for two rulesets on one board, and whether it came to its end before it was interrupted."""
    survey = Survey([one, other], tell)
    found = PairSearch(one, other, survey)
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


def candidates(survey: Survey) -> Iterator[Position]:
    """Positions on a board for a search to begin with: those of all cases."""
    for id in ruleset_ids():
        ruleset = load_ruleset(id)
        if ruleset.rules.board == survey.board:
            for case in cases_of(id):
                yield ruleset.position(case.position)


def entries_of(search: PairSearch) -> dict[str, dict[str, Any]]:
    """What a search has found, by rule, as the record has it."""
    return {rule: _entry(aim, search.others) for rule, aim in search.aims.items()}


def _entry(aim: Aim, others: int) -> dict[str, Any]:
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
    leaders = {rule: part.rule for part in parts(one, other) for rule in part.rules}
    for difference in differences([one, other]):
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
        equivalents().get((start.base, Mutant(start.base, ((rule, goal.values.get(rule)),), {}).name))
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
    return [(entry["board"], entry["position"]) for entry in _file()["witnesses"]]


def path() -> Path:
    """Where the record is."""
    return data.root() / "cases" / "witnesses.yaml"


def _board(size: str) -> Board:
    columns, _, rows = size.partition("x")
    return Board(int(columns), int(rows))


@cache
def _file() -> Mapping[str, Any]:
    content: Mapping[str, Any] = data.load_yaml(path())
    where = data.shown(path())
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
        for entry in _file()[kind]
        for one, others in entry["between"].items()
        for other in others
    }
