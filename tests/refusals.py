"""What is refused: the one line of an error, as every error of the library has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pytest

P = ParamSpec("P")
E = TypeVar("E", bound=Exception)


def raised(kind: type[E], call: Callable[P, object], *args: P.args, **named: P.kwargs) -> E:
    """Return the error of this kind that a call ends with; its text is one line."""
    with pytest.raises(kind) as error:
        call(*args, **named)
    assert "\n" not in str(error.value)
    return error.value


def refusal(kind: type[Exception], call: Callable[P, object], *args: P.args, **named: P.kwargs) -> str:
    """Return the line with which a call is refused by an error of this kind."""
    return str(raised(kind, call, *args, **named))
