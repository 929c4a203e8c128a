"""What a template takes from the rules, and the marks of its functions, for those who read it (`specialise`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function that Python calls."""
    return function


def both_sides(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function whose first argument is the side to move, which is known only when it runs."""
    return function


def __getattr__(name: str) -> Any:
    """Raise AttributeError for what the rules have to be filled in for: a name in capitals, or `opposite`."""
    raise AttributeError(f"{name}: its value comes from a set of rules, see damspec.kernel.constants")
