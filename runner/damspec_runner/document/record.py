"""Making the record of the smallest positions that tell the rulesets shipped apart (cases/witnesses.yaml)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import Any

import yaml

from damspec import Board, Position, Ruleset, load_ruleset, ruleset_ids

from ..answers.exhaustive import LevelSurvey
from ..mutants.ruleset_diff import in_no_position, on_common_board
from ..tasks.executor import TaskRunner, run_in_process
from .compare import candidates, compared, each_with_each, entries_of
from .smallest import SmallestSearch

_HEADER = """\
# The smallest position found for each rule in which two rulesets differ: any two of those under `each-with-each`, and
# every other ruleset with the one nearest to it. Made by `damspec diff --record`; schemas/witnesses.schema.json says
# what the keys mean.
"""


#: What a search has found, by rule, as the record has it.
Entries = Mapping[str, dict[str, Any]]


@dataclass(frozen=True)
class PairShare:
    """A pair of rulesets to be searched on a board; `exhausted` is what all positions with few pieces show."""

    host: str
    pair: tuple[str, str]
    exhausted: Entries | None = None

    @property
    def key(self) -> str:
        """What it is called."""
        return f"{self.host}'s board: {' and '.join(self.pair)}{'' if self.exhausted is None else ', more pieces'}"


def record(task_runner: TaskRunner = run_in_process) -> dict[str, Any]:
    """Search for the rulesets shipped that are compared, on every board that suits both: what the record holds."""
    grouped: dict[str, list[dict[str, Any]]] = {"witnesses": [], "none": []}
    for host, pairs in _boards().items():
        size = load_ruleset(host).values["board.size"]
        alike = _alike(pairs)
        few = [PairShare(host, same[0]) for same in alike]
        found = [*task_runner(_exhausted, {share.key: share for share in few}, f"{size}: few pieces")]
        given = [entry["position"] for entries in found for entry in entries.values() if "position" in entry]
        more = [replace(share, exhausted=entries) for share, entries in zip(few, found, strict=True)]
        further = task_runner(
            partial(_searched, given=given), {share.key: share for share in more}, f"{size}: more pieces"
        )
        for same, entries in zip(alike, further, strict=True):
            for rule, entry in entries.items():
                kind = "witnesses" if "position" in entry else "none"
                _put(grouped[kind], {"rule": rule, "board": size} | entry, same)
    return {"each-with-each": list(each_with_each()), **grouped}


def _exhausted(share: PairShare) -> Entries:
    """What all positions with few pieces show."""
    search = _search(share)
    search.exhaust()
    return entries_of(search)


def _searched(share: PairShare, given: Sequence[str]) -> Entries:
    """What given positions, those of the cases and random ones show."""
    search = _search(share)
    search.take_up(share.exhausted or {})
    positions = [*candidates(search.survey), *(Position.from_fen(fen, search.survey.board) for fen in given)]
    search.among(positions)
    search.by_chance()
    search.beside(positions)
    return entries_of(search)


def _search(share: PairShare) -> SmallestSearch:
    one, other = _boards()[share.host][share.pair]
    return SmallestSearch(one, other, _survey(share.host))


@lru_cache(1)
def _survey(host: str) -> LevelSurvey:
    """The survey that all pairs on a board share."""
    return LevelSurvey([*dict.fromkeys(each for pair in _boards()[host].values() for each in pair)])


@cache
def _boards() -> dict[str, dict[tuple[str, str], tuple[Ruleset, Ruleset]]]:
    """The pairs that are compared, as they are on the board of one of them; by a ruleset that is a host of it."""
    hosts, found = dict[Board, str](), defaultdict[str, dict[tuple[str, str], tuple[Ruleset, Ruleset]]](dict)
    for pair in combinations(ruleset_ids(), 2):
        if compared(*pair):
            one, other = map(load_ruleset, pair)
            for on_one in (True, False):
                first, second = on_common_board([one, other]) if on_one else on_common_board([other, one])[::-1]
                board = first.rules.board
                host = hosts.setdefault(board, next(each.id for each in (one, other) if each.rules.board == board))
                found[host][pair] = first, second
    return found


def _alike(here: Mapping[tuple[str, str], tuple[Ruleset, Ruleset]]) -> list[list[tuple[str, str]]]:
    """The pairs that differ in something; those with the same rules are put together."""
    alike: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for pair, rulesets in here.items():
        one, other = sorted(map(_rules, rulesets))
        if one != other:
            alike[one + other].append(pair)
    return [*alike.values()]


def _rules(ruleset: Ruleset) -> str:
    """The values that a position can show, to be compared."""
    return repr(sorted((rule, value) for rule, value in ruleset.values.items() if not in_no_position(rule)))


def _put(entries: list[dict[str, Any]], entry: dict[str, Any], pairs: Iterable[tuple[str, str]]) -> None:
    """Add an entry for some pairs; if an equal entry is there, add the pairs to that."""
    same = next((e for e in entries if {**e, "between": 0} == {**entry, "between": 0}), None)
    if same is None:
        entries.append(same := {**entry, "between": {}})
    for one, other in pairs:
        same["between"].setdefault(one, []).append(other)


def written(content: Mapping[str, Any]) -> str:
    """The record as the text of its file."""
    return _HEADER + yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=160)
