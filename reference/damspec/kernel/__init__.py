"""The kernel: the actions of a turn compiled to machine code by numba (`pip install damspec[fast]`).

It shares no move code with the reference. Everything works without it; heavy work is faster with it. What it compiles
is written as ordinary Python, in which the rules are names (`template`).
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from ..rules import Rules

if TYPE_CHECKING:
    from .perft import CompiledRules


def is_available() -> bool:
    """Return whether numba is installed."""
    return find_spec("numba") is not None


def compiled_rules(rules: Rules) -> CompiledRules | None:
    """Return rules in compiled code; None without numba, and for boards that are too large for it."""
    if not is_available():
        return None
    from .perft import CompiledRules
    from .places import fits

    return CompiledRules(rules) if fits(rules.board) else None
