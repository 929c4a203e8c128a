"""The changes of rules on record as showing in no position, proved again; and the record with what was compared."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import yaml

from damspec import Ruleset
from damspec.mutations import equivalent_mutants, equivalents_path

from ..mutants.mutants import pair_mutants, single_mutants
from ..tasks.executor import TaskRunner, run_in_process
from .equivalence import Proof, Prover, can_show


@dataclass(frozen=True)
class Proved:
    """A change of a ruleset with what proves that it shows in no position."""

    ruleset: str
    change: str
    proof: Proof


def prove_again(rulesets: Sequence[Ruleset], pieces: int, task_runner: TaskRunner = run_in_process) -> Iterator[Proved]:
    """Every change on record for some rulesets that could show in a position; those of one ruleset come together."""
    prover = Prover(pieces, task_runner)
    for ruleset in rulesets:
        named = [change for id, change in equivalent_mutants() if id == ruleset.id]
        changed = {change: _changes(ruleset, " and " in change)[change] for change in named}
        shown = {change: each for change, each in changed.items() if can_show(ruleset, each)}
        for change, proof in zip(shown, prover.proofs(ruleset, [*shown.values()]), strict=True):
            yield Proved(ruleset.id, change, proof)


@lru_cache(2)
def _changes(ruleset: Ruleset, two: bool) -> Mapping[str, Ruleset]:
    """The changes of a ruleset by their names: single ones and readings, or two at a time."""
    if two:
        return {mutant.name: mutant.ruleset for mutant in pair_mutants(ruleset)}
    return {**ruleset.alternatives, **{mutant.name: mutant.ruleset for mutant in single_mutants(ruleset)}}


def recorded(found: Iterable[Proved]) -> str:
    """The text of the record (`cases/equivalents.yaml`) with what was compared now."""
    compared = {(each.change, each.ruleset): each.proof.compared for each in found}
    lines, change = [], ""
    for line in equivalents_path().read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("  - change: "):
            change = yaml.safe_load(line.removeprefix("  - "))["change"]
        ruleset, _, rest = line.strip().partition(": ")
        if line.startswith("      ") and rest.startswith("{") and (change, ruleset) in compared:
            extents = json.dumps(compared[change, ruleset]).replace('"', "")
            line = f"      {ruleset}: {extents}\n"
        lines.append(line)
    return "".join(lines)
