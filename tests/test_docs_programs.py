"""The small programs of the manual run, are small, and print what the page says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "programs.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^## (.*?)\n.*?^```python\n(.*?)^```\n\n```\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_every_program_has_its_output() -> None:
    assert len(PROGRAMS) == PAGE.count("```python") >= 9


def marked(name: str, program: str, printed: str) -> Any:
    """Return a program as parameters; the long ones are thorough."""
    is_long = name.startswith(("A match", "A tablebase"))
    return pytest.param(program, printed, id=name, marks=[pytest.mark.thorough] if is_long else [])


@pytest.mark.parametrize(("program", "printed"), [marked(*each) for each in PROGRAMS])
def test_program(program: str, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(program.splitlines()) <= 30
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(program, "program", "exec"), {"__name__": "program"})
    assert output.getvalue() == printed
