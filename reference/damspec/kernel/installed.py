"""The kernel where it can be had: with numba, `pip install damspec[fast]`.

The kernel is built from the same `Rules` as the generator in `moves`, and shares no code of moves with it. Everything
works without it; what counts many positions asks here.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from ..rules import Rules

if TYPE_CHECKING:
    from .generator import Kernel


def installed() -> bool:
    """Whether there is what it takes to compile."""
    return find_spec("numba") is not None


def kernel(rules: Rules) -> Kernel | None:
    """The kernel for a set of rules; None where there is nothing to compile with."""
    if not installed():
        return None
    from .generator import Kernel

    return Kernel(rules)
