"""docs/own.md: the files it shows are rulesets, and its commands print what it says."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import sys
from pathlib import Path
from unittest import mock

import pytest

from runner_fixtures import Ran, damspec
from test_readme import blocks, pattern

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "own.md").read_text(encoding="utf-8")
EXAMPLES = [
    example.partition("\n")[::2]
    for block in blocks("console", PAGE)
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the page."""
    found = tmp_path_factory.mktemp("own")
    for block in blocks("yaml", PAGE):
        id = re.findall(r"^id: (\w+)$", block, re.MULTILINE)[0]
        (found / f"{id}.yaml").write_text(block, encoding="utf-8")
    for command, _ in EXAMPLES:
        if writes(command):
            ran(command, found)
    return found


def writes(command: str) -> bool:
    """Whether a command writes a file that others of the page use."""
    return command.startswith("damspec new ")


def ran(command: str, folder: Path) -> Ran:
    words = shlex.split(command)[1:]
    if words[-2:] == ["damspec", "serve"]:
        words[-2:] = [sys.executable, "-m", "damspec_runner", "serve"]
    with contextlib.chdir(folder), mock.patch.dict(os.environ, COLUMNS="200"):
        return damspec(*words)


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_the_commands_print_what_the_page_says(folder: Path, tmp_path: Path, command: str, shown: str) -> None:
    done = ran(command, tmp_path if writes(command) else folder)
    assert (done.status, done.err) == (0, "")
    assert re.fullmatch(pattern(shown), done.out), done.out


def test_there_are_commands() -> None:
    assert len(EXAMPLES) >= 7
    assert any("check" in command for command, _ in EXAMPLES)


def test_the_file_is_as_short_as_it_says() -> None:
    assert len(blocks("yaml", PAGE)[0].splitlines()) <= 10
