"""What is made from spec/rules.yaml is current: the schema of rulesets, types in Python, tables in JavaScript."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.rules import files


@pytest.mark.parametrize(("path", "text"), [pytest.param(path, text, id=path.name) for path, text in files()])
def test_a_file_is_as_the_rules_have_it(path: Path, text: str) -> None:
    assert path.read_text(encoding="utf-8") == text, "run `python tools/rules.py`"
