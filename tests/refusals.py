"""What is refused: the one line of an error, as every error of the library has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec

import pytest

P = ParamSpec("P")


def refusal(kind: type[Exception], call: Callable[P, object], *args: P.args, **named: P.kwargs) -> str:
    """Return the line with which a call is refused by an error of this kind."""
    with pytest.raises(kind) as error:
        call(*args, **named)
    assert "\n" not in str(error.value)
    return str(error.value)
