"""`damspec new`: write a ruleset or an adapter to start from."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from damspec import Ruleset, data, load_ruleset, ruleset_ids
from damspec.board import DIRECTION_GROUPS, DIRECTIONS
from damspec.errors import quote_value
from damspec.inheritance import RulesetName
from damspec.vocabulary import Group, Rule, groups, word_value

from ..document.ruleset_file import rule_lines, ruleset_text, yaml_text
from ..engines import registry
from ..options import option
from .arguments import RulesetParam
from .output import check_new_folder, write_file, write_folder
from .parameters import with_options

#: The width of a comment, in columns.
_WIDTH = 100


def template(id: str, like: Ruleset, extends: Sequence[str], *, short: bool = False) -> str:
    """Return a ruleset file with the same rules as `like`, commented so that each can be changed.

    `extends` is what the file extends; if `short`, it states only what differs from that.
    """
    inherited = load_ruleset(like.source).values if extends else {}
    _, sign, query = like.id.partition("?")
    source = shlex.quote(f"{like.source}{sign}{query}")
    how = "What is a comment is as there." if short else "Change the values, and say above them what you play."
    comments = [
        *_comment(f"Rules like those of {like.id}. {how}"),
        *_comment("A line that begins with # is a comment; without # it counts."),
        *_comment(f"damspec moves {id}.yaml start shows what it plays; damspec diff {source} {id}.yaml what differs."),
        *_comment(f"Directions are {', '.join(DIRECTIONS)}; several at once are {', '.join(DIRECTION_GROUPS)}."),
    ]
    head: dict[str, Any] = {
        "id": id,
        "name": id.replace("-", " ").capitalize(),
        "about": f"{like.name}, to be changed.",
    }
    if extends:
        head["extends"] = extends[0] if len(extends) == 1 else extends
    rules = (line for group in groups() for line in _group(group, like, inherited, short=short))
    return ruleset_text(comments, head, rules)


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


def _group(group: Group, like: Ruleset, inherited: Mapping[str, Any], *, short: bool) -> Iterator[str]:
    """Yield the lines of a group of rules, without values if `like` has none of them."""
    absent = bool(group.extension) and not any(rule.name in {**like.values, **inherited} for rule in group.rules)
    yield f"  # === {group.title} ==="
    if absent:
        yield from _comment(f"Only if {_plain(group.present)}; then all of these.", "  ")
    yield ""
    for rule in group.rules:
        yield from _rule(rule, like, inherited, only_if="" if absent else rule.present, short=short)
        yield ""


def _rule(rule: Rule, like: Ruleset, inherited: Mapping[str, Any], *, only_if: str, short: bool) -> Iterator[str]:
    """Yield the lines of a rule: what it asks, its possible values, and its value.

    The value is commented out if there is none, if it depends on other rules and would be inherited, so that it
    changes with them, and in a short file if it is inherited.
    """
    value = like.values.get(rule.name)
    yield from _comment(rule.asks, "  ")
    if not rule.values:
        yield from _comment(_plain(rule.says), "  ", "  ")
    if set(rule.entries) != set(DIRECTIONS):
        for word, says in (rule.values or rule.entries).items():
            yield from _comment(f"{word}: {says.replace('{}', '...')}", "  ", "    ")
    if value is not None and not rule.values:
        yield from _comment(f"Here: {word_value(rule.name, value)}", "  ", "  ")
    if value is None and rule.name in inherited:
        yield from rule_lines(rule.name, None)
    elif value is None:
        yield from _comment(f"Only if {_plain(only_if)}." if only_if else "", "  ", "  ")
        yield f"  # {rule.name}: {{value: {next(iter(rule.values), '...')}}}"
    elif (rule.present or short) and inherited.get(rule.name) == value:
        if rule.present:
            yield from _comment(f"Only if {_plain(rule.present)}; then this, if nothing is said.", "  ", "  ")
        yield f"  # {rule.name}: {{value: {yaml_text(value)}}}"
    else:
        yield from rule_lines(rule.name, value)


def _comment(text: str, indent: str = "", hanging: str = "") -> list[str]:
    """Wrap text as a comment; `hanging` precedes its first line and, twice, the others."""
    mark = f"{indent}# {hanging}"
    return textwrap.wrap(text, _WIDTH, initial_indent=mark, subsequent_indent=mark + hanging, break_on_hyphens=False)


def _plain(text: str) -> str:
    """Strip the Markdown from a text."""
    return text.replace("`", "").rstrip(".") if text.count(".") < 2 else text.replace("`", "")


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
