"""The recorder of `cases/generated/witnesses.yaml`: the smallest positions that tell the rulesets shipped apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import Any

from damspec import Board, Position, Ruleset, data, load_ruleset, ruleset_ids
from damspec_runner.document import compare
from damspec_runner.document.compare import (
    are_compared,
    candidates,
    each_with_each,
    entries_of,
    nearest_by,
    witness_board,
    witnesses_path,
)
from damspec_runner.document.exhaustive import LevelSurvey
from damspec_runner.document.smallest import SmallestSearch
from damspec_runner.mutants.ruleset_diff import in_no_position, on_common_board

from .parts import Job, Part, digest, text_of, without_history

HEADER = """\
# The smallest position found for each rule in which two rulesets differ: any two of those under `each-with-each`, and
# every other ruleset with the one nearest to it. Made by `python tools/record.py witnesses`;
# schemas/witnesses.schema.json says what the keys mean.
"""


#: About how long a pair with huffing on a large board takes, in seconds.
_HUFFING = 900
#: What a search has found, by rule, as the record has it.
Entries = Mapping[str, dict[str, Any]]
#: Two rulesets, by their ids.
Pair = tuple[str, str]


@dataclass(frozen=True)
class PairTask:
    """A pair of rulesets to be searched on a board; `exhausted` is what all positions with few pieces show.

    All `pairs` searched on the board share a survey of it.
    """

    host: str
    pair: Pair
    pairs: tuple[Pair, ...]
    exhausted: Entries | None = None

    @property
    def key(self) -> str:
        """What it is called."""
        return f"{self.host}'s board: {' and '.join(self.pair)}{'' if self.exhausted is None else ', more pieces'}"


def inputs() -> dict[str, str]:
    """By two rulesets that are compared a digest of the rules of both."""
    rules = {id: digest(without_history(load_ruleset(id).values)) for id in ruleset_ids()}
    return {_unit(pair): digest(*map(rules.get, pair)) for pair in _pairs_to_compare()}


def seconds(units: Collection[str]) -> float:
    """Return about how long one process takes: on large boards all phases of huffing are tried one by one."""
    return sum(_HUFFING if any(_huffs_on_a_large_board(id) for id in unit.split(" and ")) else 20 for unit in units)


def _huffs_on_a_large_board(id: str) -> bool:
    ruleset = load_ruleset(id)
    return ruleset.rules.huff is not None and len(ruleset.rules.board) > 32


def record(job: Job) -> Iterator[Part]:
    """Search for pairs of rulesets, on every board that suits both: a part for each board."""
    _boards.cache_clear()
    grouped = _without(data.load_yaml(witnesses_path()), job.units)
    left = dict.fromkeys(job.units, 0)
    wanted = {
        host: {pair: both for pair, both in pairs.items() if _unit(pair) in job.units}
        for host, pairs in _boards().items()
    }
    for pairs in wanted.values():
        for pair in pairs:
            left[_unit(pair)] += 1
    if gone := [unit for unit, boards in left.items() if not boards]:
        yield Part((*gone,), {witnesses_path(): file_text(grouped)})
    for host, pairs in wanted.items():
        if pairs:
            _search_board(job, host, pairs, grouped)
            for pair in pairs:
                left[_unit(pair)] -= 1
            done = [_unit(pair) for pair in pairs if not left[_unit(pair)]]
            yield Part((*done,), {witnesses_path(): file_text(grouped)})


def file_text(grouped: Mapping[str, Sequence[Any]]) -> str:
    """Return the text of the file."""
    return text_of(HEADER, {"each-with-each": list(each_with_each()), **grouped})


def _search_board(
    job: Job,
    host: str,
    pairs: Mapping[Pair, tuple[Ruleset, Ruleset]],
    grouped: Mapping[str, list[dict[str, Any]]],
) -> None:
    """Add what pairs show on a board; positions that are there already are tried too."""
    size, board = load_ruleset(host).values["board.size"], load_ruleset(host).rules.board
    alike = _alike(pairs)
    few = [PairTask(host, same[0], (*pairs,)) for same in alike]
    found = [*job.doing(search_all, {task.key: task for task in few}, f"{size}: few pieces")]
    given = [entry["position"] for entry in grouped["witnesses"] if witness_board(entry) == board]
    given += [entry["position"] for entries in found for entry in entries.values() if "position" in entry]
    more = [replace(task, exhausted=entries) for task, entries in zip(few, found, strict=True)]
    further = job.doing(
        partial(search_given_positions, given=given), {task.key: task for task in more}, f"{size}: more pieces"
    )
    for same, entries in zip(alike, further, strict=True):
        for rule, entry in entries.items():
            kind = "witnesses" if "position" in entry else "none"
            _add_entry(grouped[kind], {"rule": rule, "board": size} | entry, same)


def search_all(task: PairTask) -> Entries:
    """Return what all positions with few pieces show."""
    search = _search(task)
    search.exhaust()
    return entries_of(search)


def search_given_positions(task: PairTask, given: Sequence[str]) -> Entries:
    """Return what given positions, those of the cases and random ones show."""
    search = _search(task)
    search.resume(task.exhausted or {})
    positions = [*candidates(search.survey), *(Position.from_fen(fen, search.survey.board) for fen in given)]
    search.try_positions(positions)
    search.try_random()
    search.try_with_other_rules(positions)
    return entries_of(search)


def _search(task: PairTask) -> SmallestSearch:
    one, other = _boards()[task.host][task.pair]
    return SmallestSearch(one, other, _survey(task.host, task.pairs))


@lru_cache(1)
def _survey(host: str, pairs: tuple[Pair, ...]) -> LevelSurvey:
    """Return the survey that pairs on a board share."""
    return LevelSurvey([*dict.fromkeys(each for pair in pairs for each in _boards()[host][pair])])


def _pairs_to_compare() -> list[Pair]:
    """Return the pairs of rulesets that are compared, as far apart as they are measured to be now."""
    near = nearest_by(partial(compare.distance_in, data.load_yaml(compare.distances_path())))
    return [pair for pair in combinations(ruleset_ids(), 2) if are_compared(*pair, near)]


@cache
def _boards() -> dict[str, dict[Pair, tuple[Ruleset, Ruleset]]]:
    """Return the compared pairs by host: a ruleset on whose board both of a pair are put."""
    hosts, found = dict[Board, str](), defaultdict[str, dict[Pair, tuple[Ruleset, Ruleset]]](dict)
    for pair in _pairs_to_compare():
        one, other = map(load_ruleset, pair)
        for on_one in (True, False):
            first, second = on_common_board([one, other]) if on_one else on_common_board([other, one])[::-1]
            board = first.rules.board
            host = hosts.setdefault(board, next(each.id for each in (one, other) if each.rules.board == board))
            found[host][pair] = first, second
    return found


def _unit(pair: Pair) -> str:
    return " and ".join(pair)


def _without(content: Mapping[str, Any], units: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
    """Return what is on record, without some pairs."""
    found: dict[str, list[dict[str, Any]]] = {"witnesses": [], "none": []}
    for kind, entries in found.items():
        for entry in content[kind]:
            between = {
                one: left
                for one, others in entry["between"].items()
                if (left := [other for other in others if _unit((one, other)) not in units])
            }
            if between:
                entries.append({**entry, "between": between})
    return found


def _alike(here: Mapping[Pair, tuple[Ruleset, Ruleset]]) -> list[list[Pair]]:
    """Return the pairs that differ in something; those with the same rules are put together."""
    alike: dict[str, list[Pair]] = defaultdict(list)
    for pair, rulesets in here.items():
        one, other = sorted(map(_rules, rulesets))
        if one != other:
            alike[one + other].append(pair)
    return [*alike.values()]


def _rules(ruleset: Ruleset) -> str:
    """Return the values that a position can show, to be compared."""
    return repr(sorted((rule, value) for rule, value in ruleset.values.items() if not in_no_position(rule)))


def _add_entry(entries: list[dict[str, Any]], entry: dict[str, Any], pairs: Iterable[Pair]) -> None:
    """Add an entry for some pairs; if an equal entry is there, add the pairs to that."""
    same = next((e for e in entries if {**e, "between": 0} == {**entry, "between": 0}), None)
    if same is None:
        entries.append(same := {**entry, "between": {}})
    for one, other in pairs:
        same["between"].setdefault(one, []).append(other)
