"""The modules that `specialise` writes: as plain functions of Python, or compiled by numba and cached on disk."""

from __future__ import annotations

import ast
import importlib.util
import logging
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, wraps
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Timer
from types import ModuleType, SimpleNamespace
from typing import Any

from ..rules import Rules
from . import sets
from .constants import constants, places_of, steps
from .specialise import mark_of, module_of, names_in, numbers_of

_log = logging.getLogger(__name__)
#: The seconds after which the log says that code is being compiled; loading it from disk takes less.
_PATIENCE = 1.0
_SETS = ("count", "load", "lowest", "mix", "place_of", "row_of", "several", "single", "store", "word")
_NUMPY = {"word": "np.uint64", "number": "np.int64", "flag": "np.bool_"}
_HEAD = f"""from __future__ import annotations

import numpy as np
from numba import njit
from damspec.kernel.compiled_sets import wide2, wide4
from damspec.kernel.sets import {", ".join(_SETS)}

entry = njit(cache=True, no_cfunc_wrapper=True)
inner = njit(no_cfunc_wrapper=True, no_cpython_wrapper=True)
"""
#: The modules loaded, by their names.
_loaded: dict[str, ModuleType] = {}


def plain_functions(kind: str, rules: Rules) -> SimpleNamespace:
    """Return the functions of a kind with the rules filled in, as plain Python: sets are numbers of Python."""
    module = module_of(kind, rules, filled_in=True)
    names: dict[str, Any] = {name: getattr(sets, name) for name in _SETS}
    names |= {name: bool(value) if kind == "flag" else value for name, (kind, value) in numbers_of(module).items()}
    names |= {f"wide{words}": _join_words for words in (2, 4)}
    names["entry"] = names["both_sides"] = lambda function: function
    exec(compile(module, f"<{kind}>", "exec"), names)
    return SimpleNamespace(**names)


def _join_words(*words: int) -> int:
    return sum(word << 64 * place for place, word in enumerate(words))


def compiled_functions(kind: str, rules: Rules, *, filled_in: bool) -> ModuleType:
    """Return the functions of a kind, each compiled when it is first called, or loaded from the cache on disk.

    Rules that do not differ in what these functions need have the same module; without rules filled in, all rules on
    boards of a size have.
    """
    name = _module_name(kind, rules, filled_in)
    if name not in _loaded:
        _loaded[name] = _load(name, kind, rules, filled_in)
    return _loaded[name]


def is_compiled(kind: str, function: str, rules: Rules) -> bool:
    """Return whether a function with these rules filled in has been compiled on this machine before."""
    return _mark(_module_name(kind, rules, True), function).exists()


def _mark(module: str, function: str) -> Path:
    """Return the file that says that a function has been compiled."""
    return cache_folder() / f"{module}.{function}.compiled"


def _module_name(kind: str, rules: Rules, filled_in: bool) -> str:
    """Return the name of a module: it says all that its text depends on besides the sources."""
    words, used = places_of(rules.board).words, names_in(kind)
    if not filled_in:
        return f"{kind}_{words}"
    values = [
        [(name, value) for name, value in sorted(constants(rules, side).items()) if name in used] for side in range(2)
    ]
    return f"{kind}_{words}_{sha256(repr((values, steps(rules.board))).encode()).hexdigest()[:16]}"


def _load(name: str, kind: str, rules: Rules, filled_in: bool) -> ModuleType:
    """Return a module, written to the cache folder if it is not there."""
    path = cache_folder() / f"{name}.py"
    if not path.exists():
        tree = module_of(kind, rules, filled_in=filled_in)
        for function in tree.body:
            assert isinstance(function, ast.FunctionDef)
            mark = "entry" if mark_of(function) == "entry" else "inner"
            function.decorator_list = [ast.Name(mark, ast.Load())]
        numbers = [f"{number} = {_NUMPY[kind]}({value})" for number, (kind, value) in numbers_of(tree).items()]
        new = path.with_suffix(f".{os.getpid()}")
        new.write_text("\n".join((_HEAD, *numbers, "", ast.unparse(ast.fix_missing_locations(tree)), "")), "utf-8")
        new.replace(path)
    spec = importlib.util.spec_from_file_location(f"damspec.kernel.{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where numba looks for the functions of what it has cached
    spec.loader.exec_module(module)
    for function in re.findall(r"@entry\ndef (\w+)", path.read_text("utf-8")):
        setattr(module, function, _compiling_first(getattr(module, function), _mark(name, function)))
    return module


@cache
def cache_folder() -> Path:
    """Return the folder for modules and machine code of these sources; one that is gone at the end if it must be.

    numba itself notices changes in the file of a function, not in those of the functions that it calls.
    """
    import numba
    import platformdirs  # not needed to know whether numba is there, which every command does

    sources = b"".join(source.read_bytes() for source in sorted(Path(__file__).parent.rglob("*.py")))
    set_folder = os.environ.get("NUMBA_CACHE_DIR")
    base = Path(set_folder) if set_folder else platformdirs.user_cache_path("damspec", appauthor=False)
    folder = base / f"kernel-{sha256(sources + numba.__version__.encode()).hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):  # it can be written to
            return folder
    except OSError:
        return Path(_temporary().name)


@cache
def _temporary() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="damspec-kernel-", ignore_cleanup_errors=True)


def _compiling_first(function: Any, mark: Path) -> Callable[..., Any]:
    """Return a function that logs when it takes long to compile, and removes cache files that cannot be read."""
    from numba import typeof

    is_ready = False

    @wraps(function.py_func)
    def call(*args: Any) -> Any:
        nonlocal is_ready
        if not is_ready:
            kinds = tuple(map(typeof, args))
            with _log_compilation():
                try:
                    function.compile(kinds)
                except Exception:  # a damaged cache file can raise anything; a full disk raises after compiling
                    for file in Path(function.stats.cache_path).glob("*.nb?"):
                        file.unlink(missing_ok=True)
                    with suppress(OSError):
                        function.compile(kinds)
            with suppress(OSError):
                mark.touch()
            is_ready = True
        return function(*args)

    return call


@contextmanager
def _log_compilation() -> Iterator[None]:
    """Log that code is being compiled if it takes more than a moment."""
    text = "compiling moves, once: later runs find the machine code on disk"
    timer = Timer(_PATIENCE, _log.info, [text])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
