"""`damspec new`: files to begin with, a ruleset or an adapter."""

from __future__ import annotations

import re
from pathlib import Path

import click

from damspec import Ruleset, data, ruleset_ids
from damspec.errors import quoted

from ..engines import templates
from . import files
from .arguments import RulesetParam


@click.group()
def new() -> None:
    """Write a file to begin with."""


@new.command()
@click.argument("name")
@click.option("--like", type=RulesetParam(), required=True, metavar="RULESET", help="What it is to say at first.")
@click.option("-o", "output", type=click.Path(path_type=Path), help="The file, if not NAME.yaml; - prints it.")
def ruleset(name: str, like: Ruleset, output: Path | None) -> None:
    """Write a ruleset of your own.

    It has every rule with what it asks, what it can be, and a value. The file plays as RULESET does until you change
    it. A file that is there already is left alone.
    """
    from ..document.template import template

    if not re.fullmatch(data.schema("ruleset")["$defs"]["id"]["pattern"], name):
        raise click.UsageError(
            f"found the name {quoted(name)}, expected small letters, digits and hyphens: my-checkers"
        )
    if name in ruleset_ids():
        raise click.UsageError(f"there is a ruleset {name!r} already, expected another name")
    text = template(name, like)
    if str(output) == "-":
        click.echo(text, nl=False)
        return
    path = output or Path(f"{name}.yaml")
    if path.exists():
        raise click.UsageError(f"{str(path)!r} is there already")
    files.write("-o", path, text)
    click.echo(f"{path}: rules like those of {like.id}; damspec moves {path} start shows what they play")


@new.command()
@click.argument("language", type=click.Choice(templates.languages()))
@click.argument("folder", type=click.Path(path_type=Path))
def adapter(language: str, folder: Path) -> None:
    """Write an adapter between your engine and damspec.

    A program that answers the line protocol (docs/lines.md), and a file that reads and writes positions. It compiles
    as it is and knows where a game starts. What to fill in is said in it: the list of legal moves. FOLDER has to be new
    or empty.
    """
    files.check_new_folder("FOLDER", folder, "the adapter")
    texts = templates.texts(language)
    files.write_folder("FOLDER", folder, texts)
    click.echo(f"{folder}: {' and '.join(texts)}; the first of them says what to fill in, and how to check it")
