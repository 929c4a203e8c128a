"""docs/scale.md: its commands print what it says, and all that it names can be spread."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from runner_fixtures import damspec
from test_readme import blocks, pattern

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "scale.md").read_text(encoding="utf-8")
EXAMPLES = [
    example.partition("\n")[::2]
    for block in blocks("console", PAGE)
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
]


@pytest.mark.thorough
def test_the_commands_print_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(EXAMPLES) == 2
    for command, shown in EXAMPLES:
        ran = damspec(*shlex.split(command)[1:])
        assert ran.status == 0, ran.err
        assert re.fullmatch(pattern(shown), ran.out + ran.err), ran.out + ran.err


def test_what_can_be_spread_says_so() -> None:
    table = PAGE.partition("| command |")[2].partition("\n\n")[0]
    commands = {words.split()[1] for words in re.findall(r"`(damspec [a-z]+)", table)}
    assert {"perft", "adequacy", "generate", "compare"} == commands
    for command in commands:
        said = damspec(command, "--help-all").out
        assert [option for option in ("-j, --jobs", "--dask", "--journal") if option not in said] == []
