"""Packages that only some functions need, imported when they are called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import MissingPackageError


def import_extra(module: str, purpose: str, requirement: str) -> Any:
    """Import a module of an optional package.

    Raises MissingPackageError if it is not installed: the message names the `purpose` and what `pip install` takes.
    """
    try:
        return import_module(module)
    except ImportError:
        raise MissingPackageError(
            f"{purpose}: needs a package that is not installed: pip install '{requirement}'"
        ) from None
