"""What has to be said of a changed ruleset."""

from __future__ import annotations

from typing import Any

import pytest

import damspec
from damspec_runner.variants.essential import essential

VALUES = damspec.load_ruleset("vl").values


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        # A choice that is free binds nothing: that rule is gone of itself.
        ({"capture.choice": (), "capture.binds": None}, ["capture.choice"]),
        ({"capture.king-weight": 2}, ["capture.king-weight"]),
        # Two changes that have nothing to do with each other.
        ({"man.capture.takes": "men", "board.size": "10x10"}, ["man.capture.takes", "board.size"]),
        # What the choice binds is changed for itself.
        ({"capture.choice": ("with-king",), "capture.binds": "piece"}, ["capture.choice", "capture.binds"]),
    ],
)
def test_what_has_to_be_said(changes: dict[str, Any], said: list[str]) -> None:
    assert essential(VALUES, changes) == said
