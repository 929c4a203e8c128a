"""`damspec cases`: list, lint, publish and bundle the cases."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from damspec import Ruleset, RulesetError, data, load_ruleset
from damspec.errors import quote_value
from damspec.inheritance import is_shipped

from ..options import option
from .arguments import RulesetParam, ruleset_argument
from .output import OutputTarget, check_new_folder, json_field, output_field, print_json, write_folder
from .parameters import with_options


@click.group()
def cases() -> None:
    """List, lint, publish and bundle the cases."""


@cases.command("list")
@ruleset_argument
@with_options
def list_(
    ruleset: Ruleset,
    *,
    patterns: tuple[str, ...] = option(
        "Only cases whose id matches this pattern or contains it; repeatable.", (), "-k", metavar="PATTERN"
    ),
    as_json: bool = json_field(),
) -> None:
    """List the cases of RULESET, one on each line."""
    from ..cases.cases import cases_for, select

    found = select(cases_for(ruleset), patterns, ())
    if as_json:
        print_json({"cases": [{"id": case.id, "why": case.why, "clauses": list(case.clauses)} for case in found]})
        return
    for case in found:
        click.echo(f"{case.id}  {case.why}")


@cases.command()
@click.argument("paths", nargs=-1, metavar="[FILE...]", type=click.Path(exists=True, path_type=Path))
@with_options
def lint(
    paths: tuple[Path, ...],
    *,
    own: tuple[Ruleset, ...] = option(
        "With FILEs: a ruleset file of your own that some of the cases are for; repeatable.",
        (),
        "--ruleset",
        type=RulesetParam(),
        metavar="RULESET",
    ),
    as_json: bool = json_field(),
) -> None:
    """Check all cases for mistakes, and the ledger of ids.

    With FILEs, check the cases in these files and folders instead. The form, ids, wording, positions and clauses are
    checked; without FILEs also that clauses and readings name each other, and that every alternative of a reading can
    be played. The exit status is 1 if anything is wrong.
    """
    from ..cases.case_files import read_case_files
    from ..cases.lint import id_complaints, ledger_path, lint_files
    from ..cases.lint import lint as find

    if paths:
        problems = lint_files(paths, own)
        ids = [case.id for case, _ in read_case_files(paths)] if not problems else []
    else:
        problems = find()
        ids = [] if problems else _ids()
    if not problems and not paths:
        problems = [f"{data.path_text(ledger_path())}: {line}" for line in id_complaints(ids)]
    if as_json:
        print_json({"problems": problems})
    else:
        for line in problems:
            click.echo(line)
        if not problems:
            click.echo(f"{len(ids)} cases, nothing wrong")
    sys.exit(1 if problems else 0)


@cases.command()
@with_options
def publish(*, as_json: bool = json_field()) -> None:
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
@with_options
def bundle(
    paths: tuple[Path, ...],
    *,
    output: Path | None = output_field("The file to write."),
    folder: Path | None = option(
        "Write into this new folder all.json, and RULESET.json for each ruleset.",
        None,
        "--each",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
    ),
    rulesets: tuple[Ruleset, ...] = option(
        "Only the cases for this ruleset. With FILEs: a ruleset file of your own that some of the cases are for;"
        " repeatable then.",
        (),
        "--ruleset",
        type=RulesetParam(),
        metavar="RULESET",
    ),
) -> None:
    """Write all cases, or those of a ruleset, as one JSON file.

    docs/bundle.md says how to read it, schemas/bundle.schema.json has its form.

    With FILEs, write the cases in these files and folders instead.
    """
    from ..cases.bundle import bundle_all, bundle_ruleset, bundle_text

    if (output is None) == (folder is None):
        raise click.UsageError("expected either -o FILE or --each FOLDER")
    if folder is not None:
        if paths or rulesets:
            raise click.UsageError("--each writes the cases of all rulesets, and takes neither FILEs nor --ruleset")
        _write_each(folder)
        return
    assert output is not None
    target = OutputTarget("-o", output)
    if paths:
        content = _bundle_files(paths, rulesets)
    elif len(rulesets) > 1:
        raise click.UsageError(f"--ruleset: expected one without FILEs, found {len(rulesets)}")
    elif rulesets:
        content = bundle_ruleset(rulesets[0])
    else:
        content = bundle_all()
    target.write(bundle_text(content))
    click.echo(f"{_count(content)}: {output}")


def _write_each(folder: Path) -> None:
    """Write the bundle of all cases and that of each ruleset into a folder. Raises UsageError or OutputError."""
    from ..cases.bundle import bundle_all, bundle_ruleset, bundle_text

    check_new_folder("--each", folder, "bundles")
    every = bundle_all()
    contents = {"all": every} | {id: bundle_ruleset(load_ruleset(id)) for id in every["rulesets"]}
    write_folder("--each", folder, {f"{name}.json": bundle_text(content) for name, content in contents.items()})
    click.echo(f"{_count(every)}: {len(contents)} files in {folder}")


def _bundle_files(paths: tuple[Path, ...], own: tuple[Ruleset, ...]) -> dict[str, Any]:
    """Return a bundle of the cases in files and folders. Raises RulesetError and FileError."""
    from ..cases.bundle import make_bundle
    from ..cases.case_files import read_case_files

    found = read_case_files(paths)
    known = {ruleset.id: ruleset for ruleset in own}
    ids = dict.fromkeys(case.ruleset for case, _ in found)
    for id in ids.keys() - known.keys():
        if not is_shipped(id):
            raise RulesetError(f"unknown ruleset {quote_value(id)}, expected its file as --ruleset FILE")
    rulesets = [known.get(id) or load_ruleset(id) for id in ids]
    return make_bundle(rulesets, ((case, said or (case.ruleset,)) for case, said in found))


def _count(content: Mapping[str, Any]) -> str:
    """Say how many cases a bundle has, and how many of its entries are answers under other readings."""
    others = sum("reading" in entry for entry in content["cases"])
    also = f", and {others} answers under other readings" if others else ""
    return f"{len(content['cases']) - others} cases of {len(content['rulesets'])} rulesets{also}"


def _ids() -> list[str]:
    from ..cases.cases import cases_of, names

    return [case.id for name in names() for case in cases_of(name)]
