"""An engine with a hidden change: `hidden.py RULESET CHANGE` is the reference, but plays that mutant all the time."""

from __future__ import annotations

import sys

import damspec
from damspec_runner.engines import serve
from damspec_runner.variants.mutants import single

_, name, change = sys.argv
hidden = next(mutant.ruleset for mutant in single(damspec.load_ruleset(name)) if mutant.name == change)
serve._rules = lambda params: hidden
serve.serve(sys.stdin, sys.stdout)
