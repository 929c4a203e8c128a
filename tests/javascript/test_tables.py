"""The tables that the interpreter in JavaScript takes from data are current."""

from __future__ import annotations

from tools.javascript_tables import path, update_tables


def test_the_tables_are_as_the_schema_and_the_contradictions_have_them() -> None:
    text = path().read_text(encoding="utf-8")
    assert "const VALUES = {" in text
    assert update_tables(text) == text, "run `python tools/javascript_tables.py`"
