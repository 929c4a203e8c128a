"""No code names a game: what is played differently is told apart by rule values, never by a ruleset's or overlay's id.

Looked at are the names and texts of all Python in reference/ and runner/, but for adapters, which know what an engine
calls its games. Docstrings and comments run nothing: they may show a ruleset as an example.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import damspec
import damspec_runner
import damspec_site
from runs import for_each

REFERENCE = Path(damspec.__file__).parent
RUNNER = Path(damspec_runner.__file__).parent
ROOTS = (REFERENCE, RUNNER, Path(damspec_site.__file__).parent)

#: The ids of rulesets and overlays, as whole words; the longer first, of which others are the beginning.
IDS = sorted((*damspec.ruleset_ids(), *damspec.overlay_ids()), key=len, reverse=True)
NAMES = re.compile(f"(?<![a-z])(?:{'|'.join(map(re.escape, IDS))})(?![a-z])")

#: Words that are a game's id and are meant otherwise: in which file, and what they mean there.
OTHERWISE = {
    ("damspec/contradictions.py", "diagonal"): "a line of squares, in a message",
    ("damspec_runner/tasks/executor.py", "pool"): "processes that share the work",
    ("damspec_runner/engines/templates/python/adapter.py", "english"): "an adapter to begin with names what it plays",
}


def modules() -> list[Path]:
    """All modules but the adapters."""
    return [path for root in ROOTS for path in sorted(root.rglob("*.py")) if "adapters" not in path.parts]


def docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    """The docstrings of a module, and of all classes and functions in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            match node.body:
                case [ast.Expr(value=ast.Constant(value=str())) as first, *_]:
                    yield first.value


def texts(source: str) -> Iterator[str]:
    """Every identifier and every text in the source of a module, but for docstrings."""
    tree = ast.parse(source)
    told = {id(each) for each in docstrings(tree)}
    for node in ast.walk(tree):
        for value in (value for _, value in ast.iter_fields(node) if id(node) not in told):
            yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str))


def plain(text: str) -> str:
    """An identifier or a text, its words written as in ids: `RussianTurns` and `russian_turns` as `russian-turns`."""
    apart = re.sub("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", text)
    return re.sub("[_ ]", "-", apart).lower()


def named(source: str) -> set[str]:
    """The ids of games that occur in the source of a module as whole words, the longest at each place."""
    if not NAMES.search(plain(re.sub(r"\\.", " ", source))):  # not in a comment either, which is quicker to see
        return set()
    return {*NAMES.findall("\n".join(map(plain, texts(source))))}


def shown(path: Path) -> str:
    """A module's path from its package on."""
    root = next(root for root in ROOTS if path.is_relative_to(root))
    return path.relative_to(root.parent).as_posix()


@pytest.mark.thorough
def test_no_code_names_a_game() -> None:
    found = {(shown(path), name) for path in modules() for name in named(path.read_text(encoding="utf-8"))}
    assert found == set(OTHERWISE)


@for_each(
    ("source", "expected"),
    [
        ("if ruleset.id == 'russian':\n    pass", {"russian"}),
        ("def russian_turns():\n    pass", {"russian"}),
        ("class RussianTurns:\n    pass", {"russian"}),
        ("from .turkish import Turns", {"turkish"}),
        ("turns(frisian=True)", {"frisian"}),
        ("def turns(frisian):\n    pass", {"frisian"}),
        ("rules.spanish = 1", {"spanish"}),
        ("name = f'{base}+losing'", {"losing"}),
        ("name = 'fr-trapdoor-dual?removal=at-end'", {"fr-trapdoor-dual"}),
        ("FR_TRAPDOOR = 1", {"fr-trapdoor"}),
        ("match id:\n    case 'thai':\n        pass", {"thai"}),
        ("'''As Russian draughts have it.'''\nx = 1  # as in thai", set()),
        ("def f():\n    '''As thai.'''\n    return 'thailand, decide, pools, fr, trapdoor'", set()),
    ],
)
def test_what_names_a_game(source: str, expected: set[str]) -> None:
    assert named(source) == expected


def test_there_is_code_to_look_at() -> None:
    assert len(modules()) > 100
    assert len(IDS) == len(damspec.ruleset_ids()) + len(damspec.overlay_ids())
