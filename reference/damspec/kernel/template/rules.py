"""What a template takes from the rules, and the marks of its functions, for those who read it (`specialise`)."""

from __future__ import annotations

from typing import Any, TypeVar

F = TypeVar("F")


def entry(function: F) -> F:
    """Mark a function that Python calls."""
    return function


def both_sides(function: F) -> F:
    """Mark a function whose first argument is the side to move, which is known only when it runs.

    Where no rules are filled in, it begins with `search.side = side`.
    """
    return function


def __getattr__(name: str) -> Any:
    """Raise AttributeError for what the rules have to be filled in for: a name in capitals, or `opposite`."""
    raise AttributeError(f"{name}: its value comes from a set of rules, see damspec.kernel.constants")
