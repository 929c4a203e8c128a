"""The recorder of `cases/generated/examples.yaml`: for each ruleset and rule the case that shows its value best.

What makes a case show a value well is said in `damspec_runner.document.examples`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import yaml

from damspec import Ruleset, data
from damspec.mutations import equivalent_mutants
from damspec_runner.cases.case_files import case_entry
from damspec_runner.document import examples
from damspec_runner.document.examples import RuleRelevance
from damspec_runner.document.links import links
from damspec_runner.mutants.mutants import single_mutants

from .parts import Job, Part, digest, in_order

HEADER = """\
# For each ruleset and rule the case that shows its value best. Made by `python tools/record.py examples`;
# damspec_runner/document/examples.py says how a case is chosen, schemas/examples.schema.json what the keys mean.
"""


def inputs() -> dict[str, str]:
    """By ruleset a digest of its rules, its cases, what else its rules could be, and what of that shows nowhere."""
    return {id: _digest(ruleset) for id, ruleset in links().rulesets.items()}


def seconds(units: Collection[str]) -> float:
    """Return about how long one process takes."""
    return 3 * len(units)


def record(job: Job) -> Iterator[Part]:
    """Choose the cases of some rulesets, one after another."""
    known = links().rulesets
    ids, gone = job.split(known)
    kept: dict[str, Mapping[str, str]] = in_order(known, data.load_yaml(examples.path())["examples"])
    if gone:
        yield Part(gone, {examples.path(): file_text(kept)})
    for id in ids:
        chosen = RuleRelevance(known[id], links().cases[id], links().readings).best_cases
        kept[id] = {rule: case.id for rule, case in chosen.items()}
        yield Part((id,), {examples.path(): file_text(kept)})


def file_text(chosen: Mapping[str, Mapping[str, str]]) -> str:
    """Return the text of the file, with the rulesets in their order."""
    ordered = {id: dict(each) for id, each in in_order(links().rulesets, chosen).items()}
    return HEADER + yaml.safe_dump({"examples": ordered}, sort_keys=False, width=120)


def _digest(ruleset: Ruleset) -> str:
    cases = [case_entry(case) for case in links().cases[ruleset.id]]
    others = [mutant.name for mutant in single_mutants(ruleset)]
    moot = [change for id, change in equivalent_mutants() if id == ruleset.id]
    return digest(ruleset.values, ruleset.rests_on, cases, others, moot)
