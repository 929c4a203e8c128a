"""An engine that plays one ruleset whatever it is asked about: `always.py RULESET`. It takes any id, and no rules."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import damspec
from damspec_runner.engines import serve

answer = serve._answer


def always(method: str, params: Mapping[str, Any]) -> Any:
    """The reference's answer, apart from the rulesets it says it plays."""
    said = answer(method, params)
    return {**said, "rulesets": "*", "rules": False} if method == "hello" else said


ruleset = damspec.load_ruleset(sys.argv[1])
serve._rules = lambda params: ruleset
serve._answer = always
serve.serve(sys.stdin, sys.stdout)
