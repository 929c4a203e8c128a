"""An engine that plays one ruleset whatever it is asked about: `always.py RULESET`. It takes any id, and no rules.

`always.py RULESET CHANGE` plays the mutant of that name instead, and says of itself what the reference does.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import TYPE_CHECKING

from memory import Message, remembered

if TYPE_CHECKING:
    from damspec import Ruleset

_, name, *change = sys.argv


@cache
def played() -> Ruleset:
    """The rules it plays."""
    import damspec
    from damspec_runner.mutants.mutants import single_mutants

    ruleset = damspec.load_ruleset(name)
    return next(mutant.ruleset for mutant in single_mutants(ruleset) if mutant.name == change[0]) if change else ruleset


def answer(line: str) -> Message:
    """The reference's answer by those rules, apart from the rulesets it says it plays."""
    from damspec_runner.engines import serve

    serve._rules = lambda params: played()
    reply, _ = serve.respond(line)
    if json.loads(line)["method"] == "hello" and not change:
        reply["result"].update(rulesets="*", rules=False)
    return reply


for line in sys.stdin:
    message = json.loads(line)
    print(json.dumps(remembered(message, answer, who=" ".join(sys.argv[1:]))), flush=True)
    if message["method"] == "quit":
        break
