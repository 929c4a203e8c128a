"""Machine code that is kept on disk: it is found again, an edited callee is seen, and what is no good harms nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import damspec

pytest.importorskip("numba", reason="the kernel is compiled by numba, which is not installed: damspec[fast]")

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kernel")]

#: What is compiled quickly: a function that Python calls, which calls another in another module.
CALLEE = """
from . import compiled

@compiled
def factor(number):
    return 2
"""
CALLER = """
from . import cached, entry
from .callee import factor

@entry
@cached
def multiply(number):
    return number * factor(number)
"""
#: Prints what it gives, and the number of functions that were found on disk.
PROGRAM = """
import logging, warnings
import numba
warnings.simplefilter("error")
logging.basicConfig(level=logging.INFO)
before = numba.config.CACHE_DIR
from small.kernel.caller import multiply
assert numba.config.CACHE_DIR == before
found = [multiply(21), multiply(4)]
inside = [cell.cell_contents for cell in multiply.__closure__]
dispatcher = next(each for each in inside if hasattr(each, "stats"))
print(*found, sum(dispatcher.stats.cache_hits.values()))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with the kernel's own way of compiling and two small modules."""
    folder = tmp_path / "small" / "kernel"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("", encoding="utf-8")
    (folder.parent / "rules.py").write_text("class Rules: ...\n", encoding="utf-8")
    shutil.copy(Path(damspec.__file__).parent / "kernel" / "__init__.py", folder)
    (folder / "callee.py").write_text(CALLEE, encoding="utf-8")
    (folder / "caller.py").write_text(CALLER, encoding="utf-8")
    return folder


def python(package: Path, kept: Path, program: str) -> subprocess.CompletedProcess[str]:
    """A new process that has run a program beside the package."""
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=package.parent.parent,
        env={**os.environ, "NUMBA_CACHE_DIR": str(kept)},
        capture_output=True,
        text=True,
        check=False,
    )


def run(package: Path, kept: Path) -> list[int]:
    """What a new process gives for 21 and 4, and how many functions it found on disk."""
    ran = python(package, kept, PROGRAM)
    assert ran.returncode == 0, ran.stderr
    return [int(word) for word in ran.stdout.split()]


@pytest.mark.slow
def test_it_is_found_again(package: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    assert run(package, kept) == [42, 8, 0]
    assert run(package, kept) == [42, 8, 1]


def test_an_edited_callee_is_seen(package: Path, tmp_path: Path) -> None:
    """By itself numba looks at the file of the function that Python calls, which is the same."""
    kept = tmp_path / "kept"
    assert run(package, kept)[:2] == [42, 8]
    (package / "callee.py").write_text(CALLEE.replace("return 2", "return 3"), encoding="utf-8")
    assert run(package, kept) == [63, 12, 0]
    assert run(package, kept) == [63, 12, 1]


@pytest.mark.slow
def test_what_takes_long_is_logged(package: Path, tmp_path: Path) -> None:
    at_once = PROGRAM.replace("from small", "import small.kernel\nsmall.kernel._PATIENCE = 0\nfrom small", 1)
    assert "compiling moves" in python(package, tmp_path / "kept", at_once).stderr
    patient = PROGRAM.replace("from small", "import small.kernel\nsmall.kernel._PATIENCE = 1000\nfrom small", 1)
    assert "compiling" not in python(package, tmp_path / "other", patient).stderr


def test_no_folder(package: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("a file where a folder should be", encoding="utf-8")
    assert run(package, kept) == [42, 8, 0]
    assert not [*package.rglob("*.nbi")], "beside the sources nobody sees that a callee was edited"


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
    assert run(package, kept) == [42, 8, 0]
    assert run(package, kept) == [42, 8, 1]
