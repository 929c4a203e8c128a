"""The text of a ruleset file: `damspec new ruleset`, and the files that the site offers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from damspec.board import DIRECTION_GROUPS

_WIDTH = 120


def ruleset_text(comments: Iterable[str], head: Mapping[str, Any], rules: Iterable[str]) -> str:
    """Return a ruleset file: its first comments, what stands above the rules, and the lines of the rules."""
    lines = ["damspec: 1", *(line for key, value in head.items() for line in _head_lines(key, value))]
    return "\n".join([*comments, *lines, "", "rules:", *rules]).rstrip("\n") + "\n"


def rule_lines(rule: str, value: Any, column: int = 0) -> list[str]:
    """Return the lines that give a rule a value, from a column on."""
    line = f"  {f'{rule}:':<{column}} {{value: {yaml_text(value)}}}"
    return textwrap.wrap(line, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def yaml_text(value: Any) -> str:
    """Return a value as one line of YAML, a group of directions by its name."""
    text: str = yaml.safe_dump(
        _shorten(value), default_flow_style=True, width=10**6, sort_keys=False, allow_unicode=True
    )
    return text.removesuffix("\n").removesuffix("\n...")


def _shorten(value: Any) -> Any:
    if isinstance(value, list | tuple):
        group = next((word for word, whole in DIRECTION_GROUPS.items() if {*whole} == {*map(str, value)}), None)
        return [group] if group else [*map(_shorten, value)]
    return {key: _shorten(part) for key, part in value.items()} if isinstance(value, Mapping) else value


def _head_lines(key: str, value: Any) -> list[str]:
    line = f"{key}: {yaml_text(value)}"
    if isinstance(value, str) and len(line) > _WIDTH:
        return [f"{key}: >-", *textwrap.wrap(value, _WIDTH, initial_indent="  ", subsequent_indent="  ")]
    return [line]
