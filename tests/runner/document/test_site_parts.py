"""The parts of the rulebook site: a build of what has changed is the same as a new one.

The data and the program are copied, and edited where one part or another might not look.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from damspec import data
from damspec_runner.document.site.build import MARKER

ROOT = data.root()


@dataclass(frozen=True)
class Copy:
    """The whole project in another place, with a site built from it."""

    root: Path

    def build(self, folder: str) -> dict[str, Any]:
        """Build the site into a folder beside; what the command says of it."""
        command = [sys.executable, "-m", "damspec_runner", "site", "build", str(self.root / folder), "--json"]
        found: dict[str, Any] = json.loads(self.run(command))
        return found

    def run(self, command: list[str]) -> str:
        """The output of a command that runs by the copy."""
        places = os.pathsep.join(str(self.root / name) for name in ("reference", "runner"))
        environment = {**os.environ, "PYTHONPATH": places}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=self.root, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def edit(self, path: str, old: str, new: str) -> None:
        """Put other words in the place of those that a file has once."""
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, (path, old, text.count(old))
        file.write_text(text.replace(old, new), encoding="utf-8")

    def contents(self, folder: str) -> dict[str, bytes]:
        """The files of a folder."""
        top = self.root / folder
        return {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy of the project."""
    root = tmp_path_factory.mktemp("copy")
    for name in ("cases", "docs", "known", "reference", "runner", "schemas", "spec"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    return Copy(root)


def edit_texts(copy: Copy) -> None:
    """The first letters of all cases of other games than one, the last words of all pages, and what is known."""
    others = [path for path in (copy.root / "cases").glob("*/*.yaml") if path.parent.name not in ("vl", "generated")]
    for file in others:
        text = re.sub("^(    why: '?)[A-Z]", r"\1Q", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        file.write_text(text, encoding="utf-8")
    for page in (copy.root / "docs").iterdir():
        page.write_text(page.read_text(encoding="utf-8") + "\nChanged.\n", encoding="utf-8")
    copy.edit("known/jocly/turkish.yaml", "'A king does not fly", "'Changed. A king does not fly")


def edit_rules(copy: Copy) -> None:
    """The name, the words and a value of a game."""
    copy.edit("spec/rulesets/vl.yaml", "name: Flemish draughts", "name: Draughts as in Flanders")
    copy.edit("spec/rulesets/vl.yaml", "Draughts on 64 squares from", "Draughts for two players from")
    copy.edit(
        "spec/rulesets/vl.yaml", "capture.duty:              {value: compulsory", "capture.duty: {value: optional"
    )


def edit_unclear(copy: Copy) -> None:
    """Other words of a reading and of a clause; a file of cases is gone."""
    copy.edit("spec/readings/vl.yaml", "Is that a jump or a turn?", "Does it mean a jump or a turn?")
    copy.edit("spec/sources/vl.yaml", "The light side has the first turn.", "White begins.")
    (copy.root / "cases" / "thai" / "start.yaml").unlink()


EDITS: list[Callable[[Copy], None]] = [edit_texts, edit_rules, edit_unclear]


@pytest.mark.slow
def test_a_build_of_what_has_changed_is_the_same_as_a_new_one(copy: Copy) -> None:
    first = copy.build("kept")
    assert (first["rebuilt"], first["kept"]) == (first["pages"], 0)
    for edit in EDITS:
        edit(copy)
        again = copy.build("kept")
        assert 0 < again["rebuilt"] < again["pages"]
        copy.build("new")
        old, new = copy.contents("kept"), copy.contents("new")
        assert {path for path in old.keys() | new if old.get(path) != new.get(path)} == set()
        shutil.rmtree(copy.root / "new")
    assert MARKER in copy.contents("kept")
