"""Stand-ins for packages that open a window or play sounds, for engines that import them beside their rules.

Used by adapters in Python, before they import their engine.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class StandIn(ModuleType):
    """A module of which every name, and the result of every call, is another stand-in."""

    __all__ = ()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = []  # so that it can have modules in it

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(name)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self


class _Finder:
    """Finds a stand-in for every module in some packages."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        self.packages = packages

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name.partition(".")[0] in self.packages else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def stand_in(*packages: str) -> None:
    """Let these packages, and all modules in them, be imported without being there."""
    sys.meta_path.insert(0, _Finder(packages))
