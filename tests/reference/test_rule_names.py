"""Each rule's name stands at what plays it, and no name stands in the reference that is not a rule's."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import damspec
from damspec.rules import rule_names
from damspec.tables import Tables
from runs import for_each

REFERENCE = Path(damspec.__file__).parent
#: The modules in which rules are played: a rule's name in one of the others does not say how it works.
MECHANISMS = (
    "board",
    "position",
    "movegen",
    "trapdoors",
    "huffing",
    "validity",
    "turn",
    "outcomes",
    "game",
)
GROUPS = sorted({name.split(".")[0] for name in rule_names()})
#: A dotted name that begins like a rule, in words and not in a doctest or as an attribute of something.
NAME = re.compile(rf"(?<![\w.])(?:{'|'.join(GROUPS)})(?:\.[a-z][a-z-]*)+(?![\w(])")


def words(path: Path) -> Iterator[str]:
    """The comments and docstrings of a module, without the lines of examples."""
    source = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            said = ast.get_docstring(node) or ""
            yield "\n".join(line for line in said.splitlines() if not line.lstrip().startswith((">>>", "...")))


@cache
def named(path: Path) -> set[str]:
    """The rules that the comments and docstrings of a module name."""
    return {name for text in words(path) for name in NAME.findall(text)}


@for_each("rule", rule_names())
def test_a_rule_is_named_where_it_is_played(rule: str) -> None:
    paths = [path for name in MECHANISMS if (path := REFERENCE / f"{name}.py").exists()]
    assert [path.name for path in paths if rule in named(path)], f"no mechanism names {rule}"


@for_each("path", sorted(REFERENCE.rglob("*.py")))
def test_every_name_is_a_rule(path: Path) -> None:
    assert not named(path) - {*rule_names()}


def test_the_fields_of_the_tables_have_the_names_of_rules() -> None:
    tables = Tables(damspec.load_ruleset("nl-trapdoor").rules)
    rules = [re.sub("[.-]", "_", rule) for rule in rule_names()]
    # Shifts and rays are by direction, so that `man_move_rays` has no `directions` in its name.
    rules += ["man_move", "king_move", "king_capture", "capture_binds"]
    for field in vars(tables).keys() - {"board"}:
        assert any(field == rule or field.startswith(f"{rule}_") for rule in rules), field
