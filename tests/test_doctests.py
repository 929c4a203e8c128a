"""The examples in the documentation of every module hold."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import damspec
import damspec_runner
import damspec_site
from damspec.kernel import is_available
from runs import for_each

#: What cannot be imported without numba.
COMPILED = ("damspec.kernel.", "damspec_runner.solve.", "damspec_runner.verify.endings")
MODULES = [
    "damspec",
    "damspec_runner",
    *(
        module.name
        for package in (damspec, damspec_runner, damspec_site)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith("__main__") and (is_available() or not module.name.startswith(COMPILED))
    ),
]


@for_each("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__, f"{name} does not say what it is for"
    if ">>>" in inspect.getsource(module):
        assert doctest.testmod(module).failed == 0


@for_each("name", ["damspec", *(f"damspec.{name}" for name in ("board", "game", "move", "position", "ruleset"))])
def test_there_are_examples(name: str) -> None:
    assert any(test.examples for test in doctest.DocTestFinder().find(importlib.import_module(name)))
