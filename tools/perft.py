"""The recorder of `cases/generated/perft/`: the perft suite of each ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from damspec import Ruleset, data, load_ruleset, ruleset_ids
from damspec_runner.cases.perft_tables import perft_folder, suite_file
from damspec_runner.generate.suite import SuiteBuilder, build_suite
from damspec_runner.mutants.mutants import single_changes

from .parts import Job, Part, digest

#: To what depth a suite is counted, and how many positions it has.
_DEPTH, _POSITIONS = 5, 50
HEADER = "# A perft suite, made by `python tools/record.py perft`; cases/README.md says what the keys mean.\n"


def inputs() -> dict[str, str]:
    """By ruleset a digest of its rules and of what an engine may play instead: other rules, games and faults."""
    faults = data.load_yaml(data.root() / "spec" / "faults.yaml")["faults"]
    return {id: _digest(load_ruleset(id), faults) for id in ruleset_ids()}


def record(job: Job) -> Iterator[Part]:
    """Make the suites of some rulesets anew, some at a time."""
    known = [id for id in ruleset_ids() if id in job.units]
    if gone := job.units - {*known}:
        yield Part((*gone,), {perft_folder() / f"{id}.yaml": None for id in gone})
    for id, text in zip(known, job.doing(made, {id: id for id in known}, "perft suites"), strict=True):
        yield Part((id,), {perft_folder() / f"{id}.yaml": text})


def made(id: str) -> str:
    """The file of a ruleset's suite: what `damspec generate ID --perft 5 -n 50` writes, with a line on top."""
    telling = SuiteBuilder(load_ruleset(id), _DEPTH)
    telling.look()
    return HEADER + suite_file(build_suite(telling, _POSITIONS))


def _digest(ruleset: Ruleset, faults: Any) -> str:
    beside = [other.values for id in ruleset_ids() if (other := load_ruleset(id)).rules.board == ruleset.rules.board]
    return digest(ruleset.values, beside, [*ruleset.alternatives], single_changes(ruleset), faults)
