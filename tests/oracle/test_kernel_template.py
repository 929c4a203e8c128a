"""The kernel's templates with the rules filled in: as plain Python, without numba, and as compiled code of one game."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from itertools import islice
from types import SimpleNamespace

import pytest

import damspec
from damspec import Position, Ruleset
from damspec.board import SIDES
from damspec.kernel import is_available
from damspec.kernel.constants import SEARCH_FIELDS, places_of, spinner
from damspec.kernel.load import plain_functions
from damspec.kernel.specialise import TEMPLATES, module_of
from damspec.kernel.state import state_of
from damspec.perft_counts import count_in_python
from damspec.sampling import sample_positions
from runs import SPREAD, usually

#: The ruleset that a thorough run compiles, with a limit on kings; each takes some ten seconds.
FILLED_IN = ["frisian"]


def positions(ruleset: Ruleset, number: int) -> list[Position]:
    """The start and some sampled positions in which no huff is pending."""
    sampled = islice(sample_positions(ruleset, random.Random("template")), number)
    return [position for position in (ruleset.position(), *sampled) if state_of(ruleset.rules, position, 9) is not None]


@pytest.mark.parametrize("name", usually(SPREAD, damspec.ruleset_ids()))
def test_the_template_in_python_counts_as_the_reference(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    rules, places = ruleset.rules, places_of(ruleset.rules.board)
    functions = plain_functions("perft", rules)
    tables = [SimpleNamespace(**spinner(rules))]
    fields = {field: [0] * length if length else 0 for field, (_, length) in SEARCH_FIELDS.items()}
    searches = [SimpleNamespace(**fields)]
    for position in positions(ruleset, 12):
        own, enemy = SIDES if position.turn == SIDES[0] else SIDES[::-1]
        masks = position.men(own), position.kings(own), position.men(enemy), position.kings(enemy)
        state = state_of(rules, position, 2)
        found = functions.perft(SIDES.index(own), [*map(places.whole, masks)], state, 2, tables, searches)
        assert found == count_in_python(ruleset.turns, position, 2), position.fen()
        assert not searches[0].gave_up


@pytest.mark.parametrize("kind", TEMPLATES)
@pytest.mark.parametrize("name", ["nl-trapdoor", "international"])
def test_no_function_calls_itself_with_a_plain_number(name: str, kind: str) -> None:
    """numba compiles a function again for each, and a function with two that call each other cannot be loaded again."""
    for filled_in in (True, False):
        for function in module_of(kind, damspec.load_ruleset(name).rules, filled_in=filled_in).body:
            assert isinstance(function, ast.FunctionDef)
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == function.name:
                    numbers = [word for word in call.args if not any(isinstance(n, ast.Name) for n in ast.walk(word))]
                    assert [ast.unparse(number) for number in numbers] == []


@pytest.mark.skipif(not is_available(), reason="compiled by numba, which is not installed: damspec[fast]")
@pytest.mark.xdist_group("kernel")
@pytest.mark.parametrize("name", usually((), damspec.ruleset_ids(), FILLED_IN))
def test_rules_filled_in_count_as_those_of_a_record(name: str) -> None:
    from damspec.kernel.load import compiled_functions, is_compiled
    from damspec.kernel.perft import CompiledRules

    ruleset = damspec.load_ruleset(name)
    one, other = CompiledRules(ruleset.rules), CompiledRules(ruleset.rules)
    other.specialise()
    for position in positions(ruleset, 60):
        for depth in (1, 2, 3):
            assert one.sequences(position, depth) == other.sequences(position, depth), position.fen()
    assert is_compiled("perft", "perft", ruleset.rules)
    module = compiled_functions("perft", ruleset.rules, filled_in=True)
    for function, compiled in vars(module).items():  # numba cannot load one that calls itself with other types
        assert len(getattr(compiled, "signatures", ())) <= 1, function
    program = f"""
import damspec
from damspec.kernel.perft import CompiledRules
ruleset = damspec.load_ruleset({name!r})
print(CompiledRules(ruleset.rules).sequences(ruleset.position(), 4))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.stdout.strip() == str(other.sequences(ruleset.position(), 4)), ran.stderr
