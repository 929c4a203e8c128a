"""A ruleset file to start from: every rule with its question, its possible values and a value, in comments."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from damspec import Ruleset
from damspec.board import DIRECTION_GROUPS, DIRECTIONS
from damspec.ruleset import load_source
from damspec.vocabulary import Group, Rule, groups, word_value

from .ruleset_file import rule_lines, ruleset_text, yaml_text

#: The width of a comment, in columns.
_WIDTH = 100


def template(id: str, like: Ruleset, extends: Sequence[str], *, short: bool = False) -> str:
    """Return a ruleset file with the same rules as `like`, commented so that each can be changed.

    `extends` is what the file extends; if `short`, it states only what differs from that.
    """
    inherited = load_source(like.source).values if extends else {}
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
