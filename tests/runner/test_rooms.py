"""The rooms of the runner and the arrows between them: imports flow one way, the uses know nothing of each other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import damspec
import damspec_runner

RUNNER = Path(damspec_runner.__file__).parent
REFERENCE = Path(damspec.__file__).parent

#: The floors of the runner, the lowest first. A room may use those below its own floor, and itself.
FLOORS = (
    {"positions", "variants", "engines", "cases", "work"},
    {"answers"},
    {"verify", "document", "generate", "adequacy", "replay", "identify"},
    {"commands"},
    {"cli"},
    {"__main__"},
)
ROOMS = sorted(path.parent for path in RUNNER.glob("*/__init__.py"))


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
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if late else tree.body:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [*here[: len(here) - node.level + 1], *(node.module or "").split(".")]
            place = [part for part in base if part]
            names = [".".join([*place, alias.name]) for alias in node.names]
            found |= {name if is_module(package, name) else ".".join(place) for name in names}
    return found - {""}


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


@pytest.mark.parametrize("package", [REFERENCE, RUNNER], ids=["damspec", "damspec_runner"])
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
    assert {name for name in used if not name.startswith("kernel")} == {"board", "rules", "tables"}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_each_room_says_what_it_is_for(room: Path) -> None:
    said = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
    assert said, room.name
    assert said.count("\n") < 2


def test_no_module_is_long_without_a_reason() -> None:
    for path in [*modules(), *sorted(REFERENCE.rglob("*.py"))]:
        text = path.read_text(encoding="utf-8")
        number = len(text.splitlines())
        reason = number <= 350 or "long because" in (ast.get_docstring(ast.parse(text)) or "")
        assert reason, f"{path.name} has {number} lines"


def test_no_name_means_two_things() -> None:
    """Classes, and the names given to types, over the reference and the runner."""
    named: dict[str, set[str]] = {}
    for path in [*modules(), *sorted(REFERENCE.rglob("*.py"))]:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            names = {each.id for each in targets if isinstance(each, ast.Name) and not each.id.isupper()}
            if isinstance(node, ast.ClassDef):
                names = {node.name}
            for name in names:
                if name.lstrip("_")[:1].isupper() and not name.isupper():
                    named.setdefault(name, set()).add(path.relative_to(path.parents[1]).as_posix())
    assert not {name: places for name, places in named.items() if len(places) > 1}


class TestThePage:
    """docs/architecture.md names what is there, and nothing else."""

    PAGE = (REFERENCE.parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    ROWS = re.compile(r"^\| `([\w/]+)` \|", re.MULTILINE)

    def test_the_floors_are_drawn_as_they_are_tested(self) -> None:
        picture = self.PAGE.partition("## The rooms")[2].split("```")[1]
        drawn = [set(re.findall(r"\w+", line.partition("    the ")[0])) for line in picture.splitlines()]
        rooms = [line for line in drawn if line and line <= set().union(*FLOORS)]
        assert rooms == [floor for floor in reversed(FLOORS) if floor != {"__main__"}]

    def test_every_module_of_the_reference_has_a_line(self) -> None:
        section = self.PAGE.partition("\n## The reference\n")[2].partition("\n## ")[0]
        paths = (path.relative_to(REFERENCE) for path in REFERENCE.rglob("*.py") if path.name != "__init__.py")
        assert sorted(self.ROWS.findall(section)) == sorted(path.with_suffix("").as_posix() for path in paths)

    def test_the_modules_of_the_reference_stand_in_the_order_they_build_on_each_other(self) -> None:
        section = self.PAGE.partition("\n## The reference\n")[2].partition("\n## ")[0]
        seen = {"kernel", "pdn", "strategies"}  # the packages, which have nothing of their own
        for name in self.ROWS.findall(section):
            assert imported(REFERENCE / f"{name}.py", REFERENCE, late=False) - {""} <= seen, name
            seen.add(name.replace("/", "."))

    @pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
    def test_every_module_of_a_room_has_a_line(self, room: Path) -> None:
        section = self.PAGE.partition(f"\n### `{room.name}/`\n")[2].partition("\n### ")[0]
        paths = [path.relative_to(room) for path in modules() if path.is_relative_to(room)]
        named = [path.parent if path.name == "__init__.py" else path.with_suffix("") for path in paths]
        assert sorted(self.ROWS.findall(section)) == sorted(path.as_posix() for path in named if path != Path())

    def test_every_room_has_a_section(self) -> None:
        assert sorted(re.findall(r"^### `(\w+)/`$", self.PAGE, re.MULTILINE)) == [room.name for room in ROOMS]

    def test_every_file_it_names_is_there(self) -> None:
        names = re.findall(r"`([\w/.-]+(?:\.(?:py|md|html|json|yaml)|/))`", self.PAGE)
        assert len(names) > 20
        places = (REFERENCE.parent.parent, REFERENCE, RUNNER)
        assert [name for name in names if not any((place / name).exists() for place in places)] == []
