"""`damspec adequacy`: measure which rule changes and engine faults the cases detect."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from damspec import Ruleset, load_ruleset, ruleset_ids
from damspec.mutations import equivalent_mutants

from ..adequacy.measure import SINGLE, WANTED, Adequacy, ChangeKind, VoidRunError, measure
from ..adequacy.measure import baselines as scores
from ..adequacy.suite import DEEPEST, SuiteAdequacy, measure_suites
from ..options import option
from ..tasks.journal import digest
from .arguments import RulesetParam
from .options import ManyExecutorOptions
from .output import json_field, print_json, print_table, say
from .parameters import Command, with_options


@click.command(cls=Command)
@click.argument("rulesets", nargs=-1, type=RulesetParam(), metavar="[RULESET]...")
@with_options
def adequacy(
    rulesets: tuple[Ruleset, ...],
    *,
    pairs: bool = option("Try two changes at a time too (movement, capture, promotion).", False),
    faults: bool = option("Try engine mistakes that are no rule value instead (spec/faults.yaml).", False),
    perft: bool = option("Measure the perft suites instead (cases/generated/perft/).", False),
    matrix: bool = option("List every mutant, or fault, with the cases that kill it.", False),
    baselines: bool = option("Show what trivial engines and those of other rulesets score instead.", False),
    as_json: bool = json_field(),
    workers: ManyExecutorOptions,
) -> None:
    """Measure which changes of rules the cases kill.

    The cases of each RULESET (of all, if none is named) are tried on every change of one rule value, called a mutant.

    A mutant is killed if at least two cases have another answer by it. Some changes show in no position: these are
    listed, with the proof, in cases/generated/equivalents.yaml. Any other mutant that survives means that a case is
    missing, or that the proof for a ruleset it extends, which is printed, holds for this one too. Exit status 1 if
    there is one, or if a fault survives, or with --perft if a suite lacks a position that kills a mutant.
    """
    if pairs + faults + perft + baselines > 1:
        raise click.UsageError("found several of --pairs, --faults, --perft and --baselines, expected one")
    measured = rulesets or [load_ruleset(id) for id in ruleset_ids()]
    if baselines:
        _baselines(measured, as_json)
        return
    kinds: tuple[ChangeKind, ...] = ("fault",) if faults else SINGLE
    kinds += ("pair",) if pairs else ()
    work = {"kinds": "perft" if perft else kinds, "rules": {each.id: digest(each) for each in measured}}
    try:
        with workers.task_runner("adequacy", work) as task_runner:
            if perft:
                suites = list(measure_suites(measured, task_runner))
                _show_suites(suites, matrix=matrix, as_json=as_json)
                sys.exit(1 if any(each.uncovered for each in suites) else 0)
            found = list(measure(measured, kinds, task_runner))
    except VoidRunError as control:
        say(f"void: {control}")
        sys.exit(1)
    if as_json:
        print_json({"adequacy": [_entry(each) for each in found]})
    else:
        _show(measured, found, "faults" if faults else "mutants", matrix)
    sys.exit(0 if all(each.sufficient for each in found) else 1)


def _baselines(rulesets: Sequence[Ruleset], as_json: bool) -> None:
    found = {ruleset.id: list(scores(ruleset)) for ruleset in rulesets}
    if as_json:
        print_json(
            {"baselines": {name: {s.engine: [s.passed, s.cases] for s in given} for name, given in found.items()}}
        )
        return
    for name, given in found.items():
        click.echo(f"{name}, {given[0].cases} cases")
        for score in given:
            click.echo(f"  {score.passed / score.cases:4.0%}  {score.passed:>4}  {score.engine}")


def _show_suites(found: list[SuiteAdequacy], *, matrix: bool, as_json: bool) -> None:
    if as_json:
        print_json({"perft": [_suite_entry(each) for each in found]})
        return
    depths = range(1, DEEPEST + 1)
    titles = ("positions", "mutants", *(f"depth {depth}" for depth in depths), "in no perft", "left")
    rows = []
    for each in found:
        for told in each.mutants if matrix else [told for told in each.mutants if told.is_uncovered]:
            how = f"told at depth {told.depth} by {told.positions} positions" if told.depth else "told by none"
            why = f": {told.because}" if told.because else ""
            click.echo(f"{each.ruleset}: {told.mutant}: {how}{why}")
        numbers = (each.positions, len(each.mutants), *map(each.at, depths), each.undetectable, each.uncovered)
        rows.append((each.ruleset, *map(str, numbers)))
    print_table(("ruleset", *titles), rows)
    tried, told_ones = sum(len(e.mutants) for e in found), sum(e.at(depth) for e in found for depth in depths)
    hidden, left = sum(each.undetectable for each in found), sum(each.uncovered for each in found)
    click.echo(f"{tried} mutants: {told_ones} told at depth {DEEPEST} or less, {hidden} in no perft, {left} left")


def _suite_entry(each: SuiteAdequacy) -> dict[str, object]:
    return {
        "ruleset": each.ruleset,
        "positions": each.positions,
        "mutants": [
            {
                "mutant": told.mutant,
                "depth": told.depth,
                "positions": told.positions,
                **({"because": told.because} if told.because else {}),
            }
            for told in each.mutants
        ],
    }


def _show(measured: Sequence[Ruleset], found: list[Adequacy], what: str, matrix: bool) -> None:
    rows = []
    for ruleset, each in zip(measured, found, strict=True):
        numbers = (each.cases, len(each.verdicts), *map(each.count, ("killed", "equivalent", "barely", "survives")))
        rows.append((each.ruleset, *map(str, numbers)))
        for verdict in each.verdicts:
            topics = len(verdict.topics)
            if matrix:
                by = f"{len(verdict.killers)} cases of {topics} topics"
                why = f": {verdict.equivalent}" if verdict.equivalent else f" by {by}" if verdict.killers else ""
                click.echo(f"{each.ruleset}: {verdict.mutant}: {verdict.fate}{why}")
            elif verdict.fate in ("survives", "barely"):
                by = f" by {verdict.killers[0]} alone" if verdict.killers else ""
                click.echo(
                    f"{each.ruleset}: {verdict.mutant}: {verdict.fate}{by}{_proof_of_parent(ruleset, verdict.mutant)}"
                )
    print_table(("ruleset", "cases", what, "killed", "equivalent", "one case", "survive"), rows)
    tried, killed = sum(len(e.verdicts) for e in found), sum(e.count("killed") for e in found)
    equivalent = sum(each.count("equivalent") for each in found)
    left = tried - killed - equivalent
    click.echo(
        f"{tried} {what}: {killed} killed by {WANTED} cases or more, {equivalent} proved equivalent, {left} left"
    )


def _proof_of_parent(ruleset: Ruleset, mutant: str) -> str:
    """Return why a mutant is equivalent in the nearest ruleset that this one extends, to end a line, or nothing."""
    known = equivalent_mutants()
    parent = next((id for id in reversed(ruleset.family) if (id, mutant) in known), None)
    return f"; equivalent in {parent}, which it extends: {known[parent, mutant]}" if parent else ""


def _entry(each: Adequacy) -> dict[str, object]:
    return {
        "ruleset": each.ruleset,
        "cases": each.cases,
        "mutants": [
            {
                "mutant": verdict.mutant,
                "kind": verdict.kind,
                "fate": verdict.fate,
                "killers": list(verdict.killers),
                "topics": list(verdict.topics),
                **({"equivalent": verdict.equivalent} if verdict.equivalent else {}),
            }
            for verdict in each.verdicts
        ],
    }
