"""docs/identify.md: its file of answers is one, and its commands print what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fenced import blocks, pattern, read_page

PAGE = read_page("docs/identify.md")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the file of the page."""
    found = tmp_path_factory.mktemp("identify")
    (answers,) = blocks("yaml", PAGE)
    (found / "aalst.yaml").write_text(answers, encoding="utf-8")
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("block", blocks("console", PAGE), ids=["pipe", "file"])
def test_the_commands_print_what_the_page_says(folder: Path, block: str) -> None:
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = example.partition("\n")
        done = subprocess.run(
            ["bash", "-c", command.replace("damspec", f"{sys.executable} -m damspec_runner")],
            cwd=folder,
            env={**os.environ, "COLUMNS": "200"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert re.fullmatch(pattern(shown), done.stdout), done.stdout
