"""What tests of commands share: a record of published counts of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from damspec_runner.cases import perft_tables


@pytest.fixture
def places(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Where the tables and the page are: the module's own `TABLES`, and no page yet."""
    tables, page = tmp_path / "published.yaml", tmp_path / "perft.md"
    tables.write_text(request.module.TABLES, encoding="utf-8")
    monkeypatch.setattr(perft_tables, "published_path", lambda: tables)
    for command in ("deepen", "published"):
        monkeypatch.setattr(f"damspec_runner.commands.{command}.page_path", lambda: page)
    return tables, page
