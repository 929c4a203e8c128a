"""A ruleset's file to be changed by hand: every rule with the question it asks, what it can be, and a value."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from damspec import Ruleset, load_ruleset
from damspec.board import DIRECTION_GROUPS, DIRECTIONS
from damspec.vocabulary import Group, Rule, groups, worded

#: Columns of a comment.
_WIDTH = 100


def template(id: str, like: Ruleset) -> str:
    """A ruleset's file that says what another one says, and can be changed line by line."""
    about = f"{like.name}, to be changed."
    lines = [
        *_comment(f"Rules like those of {like.id}. Change the values, and say above them what you play."),
        *_comment("A line that begins with # says something and does nothing; without # it counts."),
        *_comment(f"damspec moves {id}.yaml start shows what it plays; damspec diff {like.id} {id}.yaml what differs."),
        *_comment(f"Directions are {', '.join(DIRECTIONS)}; several at once are {', '.join(DIRECTION_GROUPS)}."),
        "damspec: 1",
        f"id: {_yaml(id)}",
        f"name: {_yaml(id.replace('-', ' ').capitalize())}",
        f"about: {_yaml(about)}",
        *([f"extends: {like.base}"] if like.shipped else []),
        "",
        "rules:",
    ]
    for group in groups():
        lines += _group(group, like)
    return "\n".join(lines) + "\n"


def _group(group: Group, like: Ruleset) -> Iterator[str]:
    """The rules of a group; without values if there are none in these rules."""
    absent = bool(group.present) and not any(rule.name in like.values for rule in group.rules)
    yield f"  # === {group.title} ==="
    if absent:
        yield from _comment(f"Only if {_plain(group.present)}; then all of these.", "  ")
    yield ""
    for rule in group.rules:
        yield from _rule(rule, like, only_if="" if absent else rule.present)
        yield ""


def _rule(rule: Rule, like: Ruleset, *, only_if: str) -> Iterator[str]:
    """What a rule asks, what it can be, and its value.

    That is a comment if there is none, or if it depends on other rules and would be taken over: then it goes with them.
    """
    value = like.values.get(rule.name)
    yield from _comment(rule.asks, "  ")
    if not rule.values:
        yield from _comment(_plain(rule.says), "  ", "  ")
    if set(rule.entries) != set(DIRECTIONS):
        for word, says in (rule.values or rule.entries).items():
            yield from _comment(f"{word}: {says.replace('{}', '...')}", "  ", "    ")
    if value is not None and not rule.values:
        yield from _comment(f"Here: {worded(rule.name, value)}", "  ", "  ")
    if value is None:
        yield from _comment(f"Only if {_plain(only_if)}." if only_if else "", "  ", "  ")
        yield f"  # {rule.name}: {{value: {next(iter(rule.values), '...')}}}"
    elif rule.present and like.shipped and load_ruleset(like.base).values.get(rule.name) == value:
        yield from _comment(f"Only if {_plain(rule.present)}; then this, if nothing is said.", "  ", "  ")
        yield f"  # {rule.name}: {{value: {_yaml(_short(value))}}}"
    else:
        yield f"  {rule.name}: {{value: {_yaml(_short(value))}}}"


def _comment(text: str, indent: str = "", hanging: str = "") -> list[str]:
    """A comment; `hanging` goes before its text, and twice before its further lines."""
    mark = f"{indent}# {hanging}"
    return textwrap.wrap(text, _WIDTH, initial_indent=mark, subsequent_indent=mark + hanging, break_on_hyphens=False)


def _plain(text: str) -> str:
    """A text without the marks of Markdown."""
    return text.replace("`", "").rstrip(".") if text.count(".") < 2 else text.replace("`", "")


def _short(value: Any) -> Any:
    """A value as one writes it: a group of directions by its name, lists and mappings as YAML knows them."""
    if isinstance(value, tuple):
        group = next((word for word, whole in DIRECTION_GROUPS.items() if set(whole) == set(value)), None)
        return [group] if group and value else list(value)
    return {key: _short(part) for key, part in value.items()} if isinstance(value, Mapping) else value


def _yaml(value: Any) -> str:
    """A value on one line of YAML."""
    text: str = yaml.safe_dump(value, default_flow_style=True, width=10**6, sort_keys=False, allow_unicode=True)
    return text.removesuffix("\n").removesuffix("\n...")
