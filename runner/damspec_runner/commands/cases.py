"""`damspec cases`: list, lint, publish and bundle the cases."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

import damspec
from damspec.errors import quote_value
from damspec.inheritance import is_shipped

from .output import OutputTarget, json_option, print_json


@click.group()
def cases() -> None:
    """List, lint, publish and bundle the cases."""


@cases.command("list")
@click.argument("ruleset")
@click.option(
    "-k",
    "patterns",
    multiple=True,
    metavar="PATTERN",
    help="Only cases whose id matches this pattern or contains it; repeatable.",
)
@json_option
def list_(ruleset: str, patterns: tuple[str, ...], as_json: bool) -> None:
    """List the cases of RULESET, one on each line."""
    from ..cases.cases import cases_for, select

    found = select(cases_for(damspec.load_ruleset(ruleset)), patterns, ())
    if as_json:
        print_json({"cases": [{"id": case.id, "why": case.why, "clauses": list(case.clauses)} for case in found]})
        return
    for case in found:
        click.echo(f"{case.id}  {case.why}")


_own_option = click.option(
    "--ruleset",
    "own",
    multiple=True,
    metavar="RULESET",
    help="With FILEs: a ruleset file of your own that some of the cases are for; repeatable.",
)


@cases.command()
@click.argument("paths", nargs=-1, metavar="[FILE...]", type=click.Path(exists=True, path_type=Path))
@_own_option
@json_option
def lint(paths: tuple[Path, ...], own: tuple[str, ...], as_json: bool) -> None:
    """Check all cases for mistakes, and the ledger of ids.

    With FILEs, check the cases in these files and folders instead. The form, ids, wording, positions and clauses are
    checked. The exit status is 1 if anything is wrong.
    """
    from ..cases.case_files import read_case_files
    from ..cases.lint import id_complaints, ledger_path, lint_files
    from ..cases.lint import lint as find

    if paths:
        problems = lint_files(paths, map(damspec.load_ruleset, own))
        ids = [case.id for case, _ in read_case_files(paths)] if not problems else []
    else:
        problems = find()
        ids = [] if problems else _ids()
    if not problems and not paths:
        problems = [f"{damspec.data.path_text(ledger_path())}: {line}" for line in id_complaints(ids)]
    if as_json:
        print_json({"problems": problems})
    else:
        for line in problems:
            click.echo(line)
        if not problems:
            click.echo(f"{len(ids)} cases, nothing wrong")
    sys.exit(1 if problems else 0)


@cases.command()
@json_option
def publish(as_json: bool) -> None:
    """Add the ids of new cases to cases/ids.txt, the ledger of all ids.

    No id is ever removed from it.
    """
    from ..cases.lint import record_ids

    new = record_ids(_ids())
    if as_json:
        print_json({"published": new})
    else:
        click.echo("\n".join(new) if new else "nothing new")


@cases.command()
@click.argument("paths", nargs=-1, metavar="[FILE...]", type=click.Path(exists=True, path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file to write.",
)
@_own_option
def bundle(paths: tuple[Path, ...], output: Path, own: tuple[str, ...]) -> None:
    """Write all cases and all rules' values as one JSON file.

    Its schema is schemas/bundle.schema.json.

    With FILEs, write the cases in these files and folders instead.
    """
    from ..cases.case_files import make_bundle, read_case_files
    from ..cases.cases import bundle as collect

    target = OutputTarget("-o", output)
    if paths:
        found = read_case_files(paths)
        known = {ruleset.id: ruleset for ruleset in map(damspec.load_ruleset, own)}
        ids = dict.fromkeys(case.ruleset for case, _ in found)
        for id in ids.keys() - known.keys():
            if not is_shipped(id):
                raise damspec.RulesetError(f"unknown ruleset {quote_value(id)}, expected its file as --ruleset FILE")
        rulesets = [known.get(id) or damspec.load_ruleset(id) for id in ids]
        content = make_bundle(rulesets, ((case, said or (case.ruleset,)) for case, said in found))
    else:
        content = collect()
    target.write(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    click.echo(f"{len(content['cases'])} cases of {len(content['rulesets'])} rulesets: {output}")


def _ids() -> list[str]:
    from ..cases.cases import cases_of, names

    return [case.id for name in names() for case in cases_of(name)]
