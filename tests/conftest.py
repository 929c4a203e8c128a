"""What all tests share: the settings of Hypothesis, and the rulebook site built once.

A failure prints what reproduces it; no example is timed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "damspec", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("damspec")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rulebook site. Tests that use it belong to the xdist group `site`, so that it is built once."""
    from damspec_runner.document.site import build

    folder = tmp_path_factory.mktemp("built") / "site"
    build(folder)
    return folder
