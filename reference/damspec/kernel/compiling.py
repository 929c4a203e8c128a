"""Compiling functions when they are first called: those that only compiled code calls, and those that Python calls.

As numba does it, each function is made fast by itself and once more in everything that calls it. Here a function that
only compiled code calls is no more than translated; what Python calls is made fast with all it calls, once.
"""

# mypy: ignore-errors
from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar

from numba import _dynfunc, njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.typed_passes import (
    AnnotateTypes,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.typing import Context
from numba.core.untyped_passes import FixupArgs, IRProcessing, ReconstructSSA, TranslateByteCode

from .keeping import Kept

#: What numba has to do with functions of numbers and tuples.
_PASSES = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    IRLegalization,
    AnnotateTypes,
    NativeLowering,
    NoPythonBackend,
)


class _Translated(JITCodeLibrary):
    """A function translated, with those that it calls beside it."""

    def _optimize_functions(self, ll_module):
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self):
        self._finalized = True


class _Whole(_Translated):
    """A function and all that it calls, in one piece."""

    def add_linking_library(self, library):
        super().add_linking_library(library)
        if isinstance(library, _Translated):
            for called in library._linking_libraries:
                self.add_linking_library(called)

    def finalize(self):
        JITCodeLibrary.finalize(self)


class _Typing(Context):
    """What calls give, found once for each function and kinds of arguments: numba asks for the same again and again."""

    _found: ClassVar = {}

    def __init__(self, context):
        self.__dict__ = context.__dict__

    def resolve_function_type(self, func, args, kws):
        if kws or isinstance(func, types.Dispatcher):
            return super().resolve_function_type(func, args, kws)
        key = func, args
        if key not in self._found:
            found = super().resolve_function_type(func, args, kws)
            if found is None:
                return None
            self._found[key] = found
        return self._found[key]


@register_pass(mutates_CFG=False, analysis_only=True)
class _ToBeCalled(LoweringPass):
    """Tells those that call a function where it is, which numba does when it has made it fast."""

    _name = "damspec_to_be_called"

    def __init__(self):
        LoweringPass.__init__(self)

    def run_pass(self, state):
        made = state.cr
        name = _dynfunc.make_function(made.fndesc.lookup_module(), made.fndesc.qualname, "", 0, made.env, ())
        state.targetctx.insert_user_function(name, made.fndesc, [state.library])
        state.cr = made._replace(cfunc=name)
        return True


class _Finishing(Compiler):
    """Compiles a function that Python calls."""

    _library, _passes = _Whole, _PASSES

    def compile_extra(self, func):
        collecting = gc.isenabled()
        gc.disable()  # what a compiler makes lasts until it has compiled
        try:
            return super().compile_extra(func)
        finally:
            if collecting:
                gc.enable()

    def define_pipelines(self):
        state = self.state
        state.typingctx = _Typing(state.typingctx)
        state.library = self._library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        pipeline = PassManager("numbers")
        for one in self._passes:
            pipeline.add_pass(one, one.__name__)
        pipeline.finalize()
        return [pipeline]


class _Translating(_Finishing):
    """Compiles a function that compiled code calls."""

    _library, _passes = _Translated, (*_PASSES[:-1], _ToBeCalled, _PASSES[-1])

    def define_pipelines(self):
        self.state.flags.no_compile = True
        return super().define_pipelines()


#: A function that compiled code calls.
inner = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=_Translating)


def entry(function: Callable[..., Any]) -> Any:
    """A function that Python calls, whose machine code is kept on disk where that can be."""
    compiled = njit(no_cfunc_wrapper=True, pipeline_class=_Finishing)(function)
    with suppress(RuntimeError):  # there is no folder to keep it in
        compiled._cache = Kept(function)
    return compiled
