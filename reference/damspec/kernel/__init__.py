"""The kernel: the actions of a turn compiled to machine code by numba (`pip install damspec[fast]`).

It shares no move code with the reference. Everything works without it; heavy work is faster with it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, wraps
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from ..rules import Rules

if TYPE_CHECKING:
    from .perft import CompiledRules

P = ParamSpec("P")
R = TypeVar("R")

#: Without what C, or Python, would need to call a function, it is compiled in three quarters of the time.
_NO_C: dict[str, Any] = {"no_cfunc_wrapper": True}
_NO_PYTHON: dict[str, Any] = {"no_cpython_wrapper": True}
#: The seconds after which the log says that code is being compiled; loading it from disk takes less.
_PATIENCE = 1.0
_log = logging.getLogger(__name__)


def is_available() -> bool:
    """Return whether numba is installed."""
    return find_spec("numba") is not None


def compiled_rules(rules: Rules) -> CompiledRules | None:
    """Return rules in compiled code; None without numba, and for boards that are too large for it."""
    if not is_available():
        return None
    from .perft import CompiledRules
    from .rule_table import fits

    return CompiledRules(rules) if fits(rules.board) else None


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that only compiled code calls."""
    from numba import njit

    return cast(Callable[P, R], njit(**_NO_C, **_NO_PYTHON)(function))


def cached(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function for `entry`, and cache its machine code on disk if possible."""
    from numba import njit

    config, folder = _config(), cache_folder()
    before = config.CACHE_DIR
    try:
        folder.mkdir(parents=True, exist_ok=True)
        config.CACHE_DIR = str(folder)
        return cast(Callable[P, R], njit(cache=True, **_NO_C)(function))
    except (OSError, RuntimeError):
        return cast(Callable[P, R], njit(function))
    finally:
        config.CACHE_DIR = before


def entry(function: Callable[..., R]) -> Callable[..., R]:
    """Return a `cached` function for Python to call; its first argument is a set (`bitset`).

    It is compiled on the first call for each size of set. Cache files that cannot be read are removed.
    """
    from numba import typeof

    made, kind_of = cast(Any, function), cast(Callable[[object], Any], typeof)
    ready = set[int]()

    @wraps(made.py_func)
    def call(*args: Any) -> R:
        size = _nesting(args[0])
        if size not in ready:
            kinds = tuple(map(kind_of, args))
            with _log_compilation():
                try:
                    made.compile(kinds)
                except Exception:  # a damaged cache file can raise anything; a full disk raises after compiling
                    for file in cache_folder().rglob("*.nb?"):
                        file.unlink(missing_ok=True)
                    with suppress(OSError):
                        made.compile(kinds)
            ready.add(size)
        return cast(R, made(*args))

    return call


@cache
def cache_folder() -> Path:
    """Return the cache folder for the machine code of these sources.

    numba itself notices changes in the file of a function, not in those of the functions that it calls.
    """
    import platformdirs  # not needed to know whether numba is there, which every command does

    config = _config()
    sources = b"".join(source.read_bytes() for source in sorted(Path(__file__).parent.glob("*.py")))
    base = Path(config.CACHE_DIR) if config.CACHE_DIR else platformdirs.user_cache_path("damspec", appauthor=False)
    return base / f"kernel-{sha256(sources).hexdigest()[:16]}"


def _config() -> Any:
    """Return the settings of numba, which are created when it is imported, so that mypy does not see them."""
    from numba import config

    return config


def _nesting(bits: object) -> int:
    """Return the number of times pairs are nested in a set: 0 for a word."""
    return 1 + _nesting(bits[0]) if isinstance(bits, tuple) else 0


@contextmanager
def _log_compilation() -> Iterator[None]:
    """Log that code is being compiled if it takes more than a moment."""
    text = "compiling moves for this size of board, once: later runs find the machine code on disk"
    timer = Timer(_PATIENCE, _log.info, [text])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
