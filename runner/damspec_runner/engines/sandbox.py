"""Resource limits and sandboxing of an engine process: environment, folder, memory, processor time, bubblewrap."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..options import option
from .protocol import EngineError

#: Words that mark an environment variable as secret: anywhere in its name, or between underscores.
SECRET_WITHIN = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL")
SECRET_WORDS = ("KEY", "KEYS", "APIKEY", "PASS", "PASSPHRASE", "AUTH", "COOKIE", "PAT")
_SECRET_NAME = re.compile(rf"{'|'.join(SECRET_WITHIN)}|(?:^|_)(?:{'|'.join(SECRET_WORDS)})(?:_|$)")
_SECRET_VALUE = re.compile(r"\w://[^/@\s]*:[^/@\s]+@")


@dataclass(frozen=True)
class SandboxConfig:
    """How an engine is confined: `memory` and `cpu` for each of its processes on POSIX, `sandbox` on Linux."""

    passed: tuple[str, ...] = option(
        "Pass this environment variable even though its name looks secret; repeatable.",
        (),
        "--env",
        rare=True,
        metavar="NAME",
    )
    memory: int | None = option("Address space of each engine process.", rare=True, least=1, metavar="MB")
    cpu: int | None = option("Total processor time of each engine process.", rare=True, least=1, metavar="SECONDS")
    scratch: bool = option("Run the engine in an empty temporary folder.", False, rare=True)
    sandbox: bool = option("Run the engine in bubblewrap: no network, only /tmp is writable.", False, rare=True)

    def environment(self) -> dict[str, str]:
        """Return this process's environment without what looks secret."""
        return {name: value for name, value in os.environ.items() if name in self.passed or not _is_secret(name, value)}

    def folder(self) -> str | None:
        """Create the temporary folder to run in; None for the current one."""
        return tempfile.mkdtemp(prefix="damspec-") if self.scratch else None

    def wrap(self, command: Sequence[str], folder: str | None) -> list[str]:
        """Return the command that starts `command` confined. Raises EngineError if bubblewrap is missing."""
        words = [_absolute(word) for word in command] if folder else list(command)
        if self.sandbox:
            words = _bubblewrap(words, folder)
        limits = [f"ulimit -v {self.memory << 10}"] if self.memory else []
        limits += [f"ulimit -S -t {self.cpu}", f"ulimit -H -t {self.cpu + 1}"] if self.cpu else []
        # A shell limits itself before it becomes the engine: limits set from outside would miss its first children, and
        # no Python code may run in a fork of this process, which has threads.
        return ["sh", "-c", " && ".join([*limits, 'exec "$@"']), "sh", *words] if limits else words


def _bubblewrap(words: Sequence[str], folder: str | None) -> list[str]:
    """Return the command that runs `words` in bubblewrap. Raises EngineError if that is missing."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise EngineError("start", "--sandbox needs bubblewrap, and there is no `bwrap` on the PATH")
    own = ["--bind", folder, folder] if folder else []
    return [
        *[bwrap, "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
        *["--tmpfs", "/tmp", *_visible(words), *own, "--chdir", folder or os.getcwd(), "--", *words],
    ]


def _is_secret(name: str, value: str) -> bool:
    return bool(_SECRET_NAME.search(name.upper()) or _SECRET_VALUE.search(value))


def _absolute(word: str) -> str:
    """Make a word absolute if it is the path of something."""
    return os.path.abspath(word) if os.path.exists(word) else word


def _visible(words: Sequence[str]) -> list[str]:
    """Return the options that bind folders of the real /tmp: the current one, and those of files in the command."""
    tmp = Path("/tmp")
    paths = [Path.cwd(), *(Path(word).absolute() for word in words if os.path.exists(word))]
    shown = [path if path.is_dir() or path.parent == tmp else path.parent for path in paths if tmp in path.parents]
    return [word for path in dict.fromkeys(map(str, shown)) for word in ("--ro-bind", path, path)]
