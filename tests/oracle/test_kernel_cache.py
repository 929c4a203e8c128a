"""Machine code that is kept on disk: it is found again, and a folder or a file that is no good harms nothing."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba", reason="the kernel is compiled by numba, which is not installed: damspec[fast]")

from numba.core import config

from damspec.kernel.compiling import entry

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kernel")]


@pytest.fixture(autouse=True)
def no_warning() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where machine code is kept."""
    place = tmp_path / "kept"
    monkeypatch.setattr(config, "CACHE_DIR", str(place))
    return place


@pytest.fixture
def twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], int]:
    """A function in a file of its own, beside which nothing can be kept."""
    file = tmp_path / "sources" / "doubling.py"
    file.parent.mkdir()
    file.write_text("def twice(number):\n    return 2 * number\n", encoding="utf-8")
    (file.parent / "__pycache__").write_text("a file where a folder should be", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("doubling", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "doubling", module)
    spec.loader.exec_module(module)
    function: Callable[[int], int] = module.twice
    return function


def compiled(function: Callable[[int], int]) -> tuple[Any, bool]:
    """It as compiled code, called once, and whether that was on disk."""
    found = entry(function)
    assert found(21) == 42
    return found, bool(found.stats.cache_hits)


def test_it_is_found_again(folder: Path, twice: Callable[[int], int]) -> None:
    assert not compiled(twice)[1]
    assert compiled(twice)[1]


def test_no_folder(folder: Path, twice: Callable[[int], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write_text("a file where a folder should be", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    found, on_disk = compiled(twice)
    assert (found.stats.cache_path, on_disk) == (None, False)


def test_a_folder_that_is_gone_when_there_is_something_to_keep(folder: Path, twice: Callable[[int], int]) -> None:
    found = entry(twice)
    (below,) = folder.iterdir()
    below.rmdir()
    below.write_text("a file where a folder should be", encoding="utf-8")
    assert found(21) == 42
    assert found(4) == 8


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\x80\x05"])
def test_damaged_files(folder: Path, twice: Callable[[int], int], damage: bytes) -> None:
    compiled(twice)
    for kind in ("nbc", "nbi"):
        files = [*folder.rglob(f"*.{kind}")]
        assert files
        for file in files:
            file.write_bytes(damage)
        assert not compiled(twice)[1]
        assert compiled(twice)[1]
