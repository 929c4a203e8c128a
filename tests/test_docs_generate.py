"""docs/generate.md: its commands print what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import get_args

import pytest

from damspec_runner.commands.generate_output import Format
from runner_fixtures import damspec
from test_readme import blocks, pattern

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "generate.md").read_text(encoding="utf-8")
EXAMPLES = [
    example.partition("\n")[::2]
    for block in blocks("console", PAGE)
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
]


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_the_commands_print_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, shown: str
) -> None:
    if "--study" in command:
        pytest.importorskip("numba")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    ran = damspec(*shlex.split(command)[1:])
    assert ran.status == int(shown.startswith("damspec: nothing")), ran.err
    both = ran.out + ran.err  # a page may leave out what is said beside the positions
    assert any(re.fullmatch(pattern(shown), said) for said in (both, ran.out)), both


def test_every_format_has_a_line() -> None:
    table = PAGE.partition("| format |")[2].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == get_args(Format)
