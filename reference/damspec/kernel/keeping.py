"""Machine code kept on disk, of the kernel's sources as they are. No harm if there is nothing to read, or no room."""

# mypy: ignore-errors
from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from numba.core.caching import FunctionCache, IndexDataCacheFile


class Kept(FunctionCache):
    """The machine code of a function. Raises RuntimeError if there is no folder to keep it in."""

    def __init__(self, function):
        super().__init__(function)
        # By itself numba looks at the file of the function, not at those of the functions that it calls.
        sources = b"".join(source.read_bytes() for source in sorted(Path(__file__).parent.glob("*.py")))
        stamp = sha256(sources).hexdigest()
        self._cache_file = IndexDataCacheFile(self.cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever a file that was damaged leads to
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig, data):
        with suppress(OSError):
            super().save_overload(sig, data)
