"""Engines that speak Hub, by the rules of `international` with a change: `hub_engine.py CHANGE [RULESET]`.

A change is a mutant's name, `capture.duty = optional`, or `none`. With another RULESET that is the only variant.
"""

from __future__ import annotations

import sys

from damspec import Ruleset, load_ruleset
from damspec_runner.engines.hub import variants
from damspec_runner.engines.serve import HubServer
from damspec_runner.mutants.mutants import single_mutants


class Flushing:
    """Lines of standard input; what was answered is written before the next is waited for."""

    def readline(self, size: int = -1) -> str:
        sys.stdout.flush()
        return sys.stdin.readline(size)


def changed(name: str, id: str = "international") -> Ruleset:
    """The rules of a ruleset, with a change."""
    ruleset = load_ruleset(id)
    return ruleset if name == "none" else next(one.ruleset for one in single_mutants(ruleset) if one.name == name)


if __name__ == "__main__":
    rules = changed(*sys.argv[1:])
    HubServer(lambda value: rules, sys.argv[2:] or variants().values).serve(Flushing(), sys.stdout)  # type: ignore[arg-type]
