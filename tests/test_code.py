"""What holds of all code: it names no game, does no work in asserts, and its examples are right."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import damspec
import damspec_runner
import damspec_site
from damspec import data
from damspec.kernel import is_available
from runner_fixtures import DAMSPEC
from runs import for_each, usually

REFERENCE = Path(damspec.__file__).parent
RUNNER = Path(damspec_runner.__file__).parent
ROOTS = (REFERENCE, RUNNER, Path(damspec_site.__file__).parent)

#: The ids of rulesets and overlays, as whole words; the longer first, of which others are the beginning.
IDS = sorted((*damspec.ruleset_ids(), *damspec.overlay_ids()), key=len, reverse=True)
NAMES = re.compile(f"(?<![a-z])(?:{'|'.join(map(re.escape, IDS))})(?![a-z])")

#: Words that are a game's id and are meant otherwise: in which file, and what they mean there.
OTHERWISE = {
    ("damspec/contradictions.py", "diagonal"): "a line of squares, in a message",
    **{
        ("damspec/other_names.py", id): "what another library's board is here"
        for id in ("brazilian", "breakthrough", "english", "frisian", "frysk", "international", "losing", "russian")
    },
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


# --- Under `python -O`, which leaves asserts out, the program says the same: none of them does any work.


#: The file of a layout for another board.
LARGE = "large.yaml"

OPTIMISED = [sys.executable, "-O", "-m", "damspec_runner"]
COMMANDS = {
    "check": ["check", "lb", "-k", "lb.choice.*", "--", *DAMSPEC, "serve"],
    "check, with huffing": ["check", "de", "-k", "de.huff.*", "--", *DAMSPEC, "serve"],
    "diff": ["diff", "nl-trapdoor", "fr-trapdoor"],
    "moves": ["moves", "vl", "W:W21,K30:B17,10"],
    "a layout that is not there": ["moves", "nl-trapdoor", "start", "--layout", "goliath"],
    "a layout for another board": ["moves", "nl-trapdoor", "start", "--layout", LARGE],
}


def said(program: list[str], words: list[str]) -> tuple[int, str, str]:
    """Exit status and what was said, but for the seconds it took; engines run as the program does."""
    options = program[1:-2]
    words = [word for each in words for word in ([each, *options] if each == sys.executable else [each])]
    done = subprocess.run([*program, *words], capture_output=True, encoding="utf-8", check=False, timeout=120)
    return done.returncode, re.sub(r"in \d+\.\d+ s", "in ... s", done.stdout), done.stderr


@pytest.mark.parametrize("name", usually({"a layout for another board"}, COMMANDS, ()))
def test_it_says_the_same_without_asserts(name: str, tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    large.write_text(
        (data.root() / "spec/layouts/goliath-assumed.yaml").read_text().replace("board: 8x8", "board: 10x10")
    )
    words = [str(large) if word == LARGE else word for word in COMMANDS[name]]
    expected = said(DAMSPEC, words)
    assert expected[0] == (2 if expected[2] else 0)
    assert said(OPTIMISED, words) == expected


# --- The examples in the documentation of every module hold.


#: Code in which the rules have to be filled in before it runs.
TEMPLATE = "damspec.kernel.template."
#: What cannot be imported without numba.
COMPILED = ("damspec.kernel.", "damspec_runner.solve.", "damspec_runner.verify.endgames")
MODULES = [
    "damspec",
    "damspec_runner",
    *(
        module.name
        for package in (damspec, damspec_runner, damspec_site)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith("__main__") and not module.name.startswith(TEMPLATE)
        if is_available() or not module.name.startswith(COMPILED)
    ),
]


@for_each("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__, f"{name} does not say what it is for"
    if ">>>" in inspect.getsource(module):
        assert doctest.testmod(module).failed == 0


@for_each("name", ["damspec", *(f"damspec.{name}" for name in ("board", "game", "move", "position", "ruleset"))])
def test_there_are_examples(name: str) -> None:
    assert any(test.examples for test in doctest.DocTestFinder().find(importlib.import_module(name)))
