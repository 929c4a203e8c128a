"""`damspec new`: write a ruleset or an adapter to start from."""

from __future__ import annotations

import re
from pathlib import Path

import click

from damspec import Ruleset, data, ruleset_ids
from damspec.errors import quote_value
from damspec.inheritance import RulesetName

from ..document.ruleset_template import template
from ..engines import registry
from ..options import option
from .arguments import RulesetParam
from .output import check_new_folder, write_file, write_folder
from .parameters import with_options


def _extendable(like: Ruleset, folder: Path) -> list[str]:
    """Return what a file in a folder can extend to have the rules of `like`; empty if that lies elsewhere."""
    name = RulesetName.parse(like.source)
    base = name.base
    if name.is_file:
        try:
            base = Path(base).resolve().relative_to(folder.resolve()).as_posix()
        except (OSError, ValueError):
            return []
    return [base, *name.overlays]


@click.group()
def new() -> None:
    """Write a ruleset or an adapter to start from."""


@new.command()
@click.argument("name")
@with_options
def ruleset(
    name: str,
    *,
    like: Ruleset | None = option("State the rules of this ruleset.", type=RulesetParam(), metavar="RULESET"),
    extends: Ruleset | None = option(
        "State only what differs from this ruleset.", type=RulesetParam(), metavar="RULESET"
    ),
    output: Path | None = option(
        "The file to write, if not NAME.yaml; `-` prints it.", None, "-o", type=click.Path(path_type=Path)
    ),
) -> None:
    """Write a ruleset of your own.

    The file lists every rule with its question, its possible values and a value, and plays like RULESET until you
    change it. With --extends, values are comments until you change them, so that the file follows RULESET in all
    others. An existing file is not overwritten.
    """
    like, short = like or extends, like is None
    if like is None or (extends is not None and not short):
        raise click.UsageError("expected one of --like RULESET and --extends RULESET")
    if not re.fullmatch(data.schema("ruleset")["$defs"]["id"]["pattern"], name):
        raise click.UsageError(
            f"found the name {quote_value(name)}, expected small letters, digits and hyphens: my-checkers"
        )
    if name in ruleset_ids():
        raise click.UsageError(f"there is a ruleset {name!r} already, expected another name")
    folder = Path() if output is None or str(output) == "-" else output.parent
    above = _extendable(like, folder) if name not in (*like.family, like.base) else []
    if short and not above:
        raise click.UsageError(
            f"--extends {like.source}: expected a file in the folder of the new one or below it, with another id than"
            f" {name!r}; --like states all its rules"
        )
    text = template(name, like, above, short=short)
    if str(output) == "-":
        click.echo(text, nl=False)
        return
    path = output or Path(f"{name}.yaml")
    if path.exists():
        raise click.UsageError(f"{str(path)!r} is there already")
    write_file("-o", path, text)
    click.echo(f"{path}: rules like those of {like.id}; damspec moves {path} start shows what they play")


@new.command()
@click.argument("language", type=click.Choice(registry.template_languages()))
@click.argument("folder", type=click.Path(path_type=Path))
def adapter(language: str, folder: Path) -> None:
    """Write an adapter between your engine and damspec.

    It is a program that answers the line protocol (docs/lines.md), with a file that reads and writes positions. It
    compiles as it is and knows the start position; its comments say where to fill in the list of legal moves. FOLDER
    has to be new or empty.
    """
    check_new_folder("FOLDER", folder, "the adapter")
    texts = registry.template_files(language)
    write_folder("FOLDER", folder, texts)
    click.echo(f"{folder}: {' and '.join(texts)}; the first of them says what to fill in, and how to check it")
