"""The rooms of the runner and the arrows between them: imports flow one way, the uses know nothing of each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import damspec
import damspec_runner
import damspec_site

RUNNER = Path(damspec_runner.__file__).parent
SITE = Path(damspec_site.__file__).parent
REFERENCE = Path(damspec.__file__).parent

#: All in one process, which reads every module once.
pytestmark = pytest.mark.xdist_group(__name__)

#: The floors of the runner, the lowest first. A room may use those below its own floor, and itself.
FLOORS = (
    {"options"},
    {"positions", "mutants", "engines", "cases", "tasks"},
    {"answers", "solve"},
    {"verify", "document", "generate", "adequacy", "replay"},
    {"commands"},
    {"cli"},
    {"__main__"},
)


def floor(room: str) -> int:
    """Where a room lies."""
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


#: Adapters in Python for others to begin with.
BEGUN = frozenset((RUNNER / "engines" / "templates" / "python").glob("*.py"))


def modules() -> Iterator[Path]:
    """Every module of the runner; what adapters are made of runs elsewhere and imports nothing of it."""
    return (path for path in sorted(RUNNER.rglob("*.py")) if "adapters" not in path.parts and path not in BEGUN)


def imported(path: Path, package: Path, *, late: bool = True) -> set[str]:
    """The modules of its own package that a module imports, as dotted names without the package's.

    Those that a function imports when it is called are among them unless they come too late to matter.
    """
    here = path.relative_to(package).parts[:-1]
    found = set()
    tree = parsed(path)
    for node in ast.walk(tree) if late else tree.body:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [*here[: len(here) - node.level + 1], *(node.module or "").split(".")]
            place = [part for part in base if part]
            names = [".".join([*place, alias.name]) for alias in node.names]
            found |= {name if is_module(package, name) else ".".join(place) for name in names}
    return found - {""}


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def is_module(package: Path, name: str) -> bool:
    """Whether a dotted name is a module of a package, and not something in one."""
    path = package.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def test_imports_lead_downstairs() -> None:
    for path in modules():
        room = path.relative_to(RUNNER).with_suffix("").parts[0]
        for name in imported(path, RUNNER) if room != "__init__" else ():
            there = name.split(".")[0]
            assert there == room or floor(there) < floor(room), f"{path.relative_to(RUNNER)} imports {name}"


def rooms_used(path: Path) -> set[str]:
    """The rooms of the runner that a module of another package imports."""
    names = (
        node.module or "" for node in ast.walk(parsed(path)) if isinstance(node, ast.ImportFrom) and not node.level
    )
    return {name.split(".")[1] for name in names if name.startswith("damspec_runner.")}


def test_the_site_shows_what_the_rooms_below_the_uses_and_the_documents_say() -> None:
    used = set().union(*map(rooms_used, SITE.rglob("*.py")))
    assert "document" in used
    assert used - {"document"} <= FLOORS[1] | FLOORS[2]


def test_only_its_command_knows_the_site() -> None:
    known = [path for path in modules() if "damspec_site" in path.read_text(encoding="utf-8")]
    assert known == [RUNNER / "commands" / "site.py"]


@pytest.mark.parametrize("package", [REFERENCE, RUNNER, SITE], ids=["damspec", "damspec_runner", "damspec_site"])
def test_no_circles(package: Path) -> None:
    arrows = {
        ".".join(path.relative_to(package).with_suffix("").parts): imported(path, package, late=False)
        for path in package.rglob("*.py")
        if path.name != "__init__.py" and "adapters" not in path.parts
    }
    done: set[str] = set()
    while ready := {name for name, uses in arrows.items() if name not in done and uses & arrows.keys() <= done}:
        done |= ready
    assert not arrows.keys() - done, "these import each other"


def test_the_kernel_shares_no_code_of_moves_with_the_reference() -> None:
    kernel = [*(REFERENCE / "kernel").glob("*.py")]
    used = set().union(*(imported(path, REFERENCE) for path in kernel))
    assert {name for name in used if not name.startswith("kernel")} == {
        "board",
        "errors",
        "position",
        "rules",
    }
