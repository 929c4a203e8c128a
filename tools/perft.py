"""The recorder of `cases/generated/perft/`: the perft suite of each ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from damspec import Ruleset, data, load_ruleset, ruleset_ids
from damspec_runner.answers.mutant_perft import PerftMutant, perft_mutants
from damspec_runner.cases.perft_tables import PerftSuite, perft_folder, suite_file, suite_of
from damspec_runner.generate.perft_suite import SuiteBuilder, build_suite
from damspec_runner.mutants.mutants import single_changes

from .parts import Job, Part, digest, without_history

#: To what depth a suite is counted, and how many positions it has.
_DEPTH, _POSITIONS = 5, 50
HEADER = "# A perft suite, made by `python tools/record.py perft`; cases/README.md says what the keys mean.\n"
#: What follows a ruleset's id in the unit of the mutants that its suite names.
_OTHERS = " and others"


@dataclass(frozen=True)
class SuiteTask:
    """A suite to make: as a whole, or for the mutants named `new` and for those that it lacks."""

    id: str
    whole: bool
    new: frozenset[str]


def inputs() -> dict[str, str]:
    """Return two digests by ruleset: of its rules and readings, and of all that an engine may play instead."""
    faults = data.load_yaml(data.root() / "spec" / "faults.yaml")["faults"]
    rulesets = [*map(load_ruleset, ruleset_ids())]
    return {each.id: _digest(each) for each in rulesets} | {
        each.id + _OTHERS: _others_digest(each, rulesets, faults) for each in rulesets
    }


def seconds(units: Iterable[str]) -> float:
    """Return about how long one process takes."""
    return sum(2 if unit.endswith(_OTHERS) else 30 for unit in units)


def record(job: Job) -> Iterator[Part]:
    """Make suites: those whose own rules have changed as a whole, else what has changed in them."""
    ids = ruleset_ids()
    _, gone = job.split((*ids, *(id + _OTHERS for id in ids)))
    if gone:
        yield Part(gone, {_path(unit): None for unit in gone if not unit.endswith(_OTHERS)})
    new = job.units & {*ids}
    tasks = {
        id: SuiteTask(id, id in new or not _path(id).exists(), new) for id in ids if {id, id + _OTHERS} & job.units
    }
    for id, text in zip(tasks, job.doing(make_suite, tasks, "perft suites"), strict=True):
        yield Part((*({id, id + _OTHERS} & job.units),), {_path(id): text})


def make_suite(task: SuiteTask) -> str:
    """Return the file of a suite: what `damspec generate ID --perft 5 -n 50` writes, with a line on top."""
    ruleset = load_ruleset(task.id)
    suite = None if task.whole else with_mutants(suite_of(ruleset), perft_mutants(ruleset), task.new)
    if suite is None:
        telling = SuiteBuilder(ruleset, _DEPTH)
        telling.look()
        suite = build_suite(telling, _POSITIONS)
    return HEADER + suite_file(suite)


def with_mutants(suite: PerftSuite, mutants: Sequence[PerftMutant], new: Iterable[str]) -> PerftSuite | None:
    """Return a suite for these mutants instead of those it has, with the same positions.

    Mutants that are `new`, or not in the suite, have to be killed by a position at depth 1, or be known to show in no
    perft. None if one is not: then other positions may do better.
    """
    order = {mutant.name: (mutant.hidden is None, place) for place, mutant in enumerate(mutants)}
    kept = order.keys() - {*new}
    killed = [
        {depth: [name for name in names if name in kept] for depth, names in one.tells.items()}
        for one in suite.positions
    ]
    untold = {name: why for name, why in suite.untold.items() if name in kept}
    recorded = {name for by_depth in killed for names in by_depth.values() for name in names} | untold.keys()
    for mutant in mutants:
        if mutant.name in recorded:
            continue
        if mutant.hidden is not None:
            untold[mutant.name] = mutant.hidden
            continue
        killing = (place for place, one in enumerate(suite.positions) if mutant.nodes(one.position, 1) != one.nodes[0])
        if (place := next(killing, None)) is None:
            return None
        killed[place].setdefault(1, []).append(mutant.name)
    positions = [
        replace(
            one,
            tells={
                depth: (*sorted(by_depth[depth], key=order.__getitem__),)
                for depth in sorted(by_depth)
                if by_depth[depth]
            },
        )
        for one, by_depth in zip(suite.positions, killed, strict=True)
    ]
    return PerftSuite(
        suite.ruleset, (*positions,), {name: untold[name] for name in sorted(untold, key=order.__getitem__)}
    )


def _path(id: str) -> Path:
    return perft_folder() / f"{id}.yaml"


def _digest(ruleset: Ruleset) -> str:
    """Return a digest of what the numbers follow from, and those of its readings; earlier moves show in no perft."""
    values = without_history(ruleset.values)
    readings = {name: without_history(each.values) for name, each in ruleset.alternatives.items()}
    return digest(values, {name: each for name, each in readings.items() if each != values})


def _others_digest(ruleset: Ruleset, rulesets: Iterable[Ruleset], faults: Any) -> str:
    """Return a digest of mutants that are recognised by their names, and of the games on the same board."""
    beside = {each.id: each.values for each in rulesets if each.rules.board == ruleset.rules.board}
    return digest(beside, [*ruleset.alternatives], single_changes(ruleset), faults)
