"""`damspec solve` where the compiled kernel is not installed; tests/runner/solve/ has the rest."""

from __future__ import annotations

import pytest

from damspec_runner.commands import solve
from runner_fixtures import refused


def test_without_the_kernel_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "is_available", lambda: False)
    said = refused("solve", "english", "--pieces", "2")
    assert said == "damspec: solving needs the compiled kernel: pip install 'damspec[fast]'"
