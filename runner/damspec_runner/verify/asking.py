"""What every question to an engine has: the ruleset that it is about, and the position."""

from __future__ import annotations

from typing import Any

from damspec import Ruleset

from ..engines.protocol import Hello


def ask_params(ruleset: Ruleset, hello: Hello, position: str | None = None) -> dict[str, Any]:
    """The parameters of a question, about a position or about none."""
    params: dict[str, Any] = {"ruleset": ruleset.id}
    if position is not None:
        params["position"] = position
    if hello.wants_rules:
        params["rules"] = ruleset.whole
    return params
