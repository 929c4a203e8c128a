"""Under `python -O`, which leaves asserts out, the program says the same: none of them does any work."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from damspec import data
from runner_fixtures import DAMSPEC
from runs import usually

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
