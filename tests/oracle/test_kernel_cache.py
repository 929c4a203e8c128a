"""Machine code that is kept on disk: it is found again, edited sources are seen, and what is no good harms nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import damspec
from damspec import data

pytest.importorskip("numba", reason="the kernel is compiled by numba, which is not installed: damspec[fast]")

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kernel")]

#: What is compiled quickly: a function that Python calls, which calls one of two, as the rules decide.
TEMPLATE = """
def factor(number):
    if KING_MOVE_LIMIT:
        return 3 * number
    return 2 * number

def times(number):
    if number == 0:
        return 0
    return factor(1) + times(number - 1)

@entry
def multiply(number):
    return times(number)
"""
#: Prints what it gives by two rulesets, with their rules filled in, and the number of functions that were on disk.
PROGRAM = """
import logging, pathlib, warnings
import numba
import damspec
from damspec.kernel import load, specialise
warnings.simplefilter("error")
logging.basicConfig(level=logging.INFO)
specialise.TEMPLATES["small"] = (pathlib.Path("small.py"),)
found, hits = [], 0
for name in ("english", "frisian"):
    rules = damspec.load_ruleset(name).rules
    multiply = load.compiled_functions("small", rules, filled_in=True).multiply
    found.append(multiply(7))
    dispatcher = next(cell.cell_contents for cell in multiply.__closure__ if hasattr(cell.cell_contents, "stats"))
    hits += sum(dispatcher.stats.cache_hits.values())
    assert [*dispatcher.signatures] == [(numba.int64,)]
print(*found, hits)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a copy of the library and a small template."""
    shutil.copytree(Path(damspec.__file__).parent, tmp_path / "damspec", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("spec", "schemas"):
        (tmp_path / folder).symlink_to(data.root() / folder)
    (tmp_path / "small.py").write_text(TEMPLATE, encoding="utf-8")
    return tmp_path


def python(package: Path, kept: Path, program: str = PROGRAM) -> subprocess.CompletedProcess[str]:
    """A new process that has run a program with the copy of the library."""
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=package,
        env={**os.environ, "NUMBA_CACHE_DIR": str(kept), "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=False,
    )


def run(package: Path, kept: Path) -> list[int]:
    """What a new process gives, and how many functions it found on disk."""
    ran = python(package, kept)
    assert ran.returncode == 0, ran.stderr
    return [int(word) for word in ran.stdout.split()]


@pytest.mark.slow
def test_it_is_found_again(package: Path, tmp_path: Path) -> None:
    """Each of the two rulesets has code of its own: kings of Frisian draughts have a limit, English ones have none."""
    kept = tmp_path / "kept"
    assert run(package, kept) == [14, 21, 0]
    assert run(package, kept) == [14, 21, 2]


def test_edited_sources_are_seen(package: Path, tmp_path: Path) -> None:
    """By itself numba looks at the file of the function that Python calls, which is the same."""
    kept = tmp_path / "kept"
    run(package, kept)
    with (package / "damspec" / "kernel" / "sets.py").open("a", encoding="utf-8") as sources:
        sources.write("# edited")
    assert run(package, kept) == [14, 21, 0]


@pytest.mark.slow
def test_what_takes_long_is_logged(package: Path, tmp_path: Path) -> None:
    for patience, is_logged in ((0, True), (1000, False)):
        program = PROGRAM.replace("found, hits", f"load._PATIENCE = {patience}\nfound, hits", 1)
        assert ("compiling moves" in python(package, tmp_path / str(patience), program).stderr) is is_logged


def test_no_folder(package: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("a file where a folder should be", encoding="utf-8")
    assert run(package, kept) == [14, 21, 0]
    assert not [*package.rglob("*.nbi")], "beside the sources nobody sees that one was edited"


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\x80\x05"])
@pytest.mark.parametrize("kind", ["nbc", "nbi"])
def test_damaged_files(package: Path, tmp_path: Path, kind: str, damage: bytes) -> None:
    kept = tmp_path / "kept"
    run(package, kept)
    files = [*kept.rglob(f"*.{kind}")]
    assert files
    for file in files:
        file.write_bytes(damage)
    assert run(package, kept) == [14, 21, 0]
    assert run(package, kept) == [14, 21, 2]
