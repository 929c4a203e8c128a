"""Compiling functions when they are first called: those that only compiled code calls, and those that Python calls,
whose machine code is kept on disk where that can be written.
"""

# mypy: ignore-errors
from __future__ import annotations

from pathlib import Path

from numba import njit

_SOURCES = Path(__file__).parent

#: A function that compiled code calls.
inner = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)


def entry(function):
    """A function that Python calls; what was kept from before any change of the kernel is thrown away."""
    try:
        found = njit(cache=True, no_cfunc_wrapper=True)(function)
    except RuntimeError:  # no folder to keep it in
        return njit(no_cfunc_wrapper=True)(function)
    _forget_old(Path(found.stats.cache_path), f"{Path(function.__code__.co_filename).stem}.{function.__qualname__}-")
    return found


def _forget_old(folder, name):
    # numba looks at the file of the function itself, not at those of the functions that it calls.
    changed = max(source.stat().st_mtime for source in _SOURCES.glob("*.py"))
    for index in folder.glob(f"{name}*.nbi"):
        if index.stat().st_mtime < changed:
            index.unlink(missing_ok=True)
