"""What an engine is let have of this machine: the environment, the folder it runs in, memory, time, a sandbox."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .protocol import EngineError

#: Words that the name of a variable with a secret has, or between underscores is.
SECRET_WITHIN = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL")
SECRET_WORDS = ("KEY", "KEYS", "APIKEY", "PASS", "PASSPHRASE", "AUTH", "COOKIE", "PAT")
_SECRET_NAME = re.compile(rf"{'|'.join(SECRET_WITHIN)}|(?:^|_)(?:{'|'.join(SECRET_WORDS)})(?:_|$)")
_SECRET_VALUE = re.compile(r"\w://[^/@\s]*:[^/@\s]+@")


@dataclass(frozen=True)
class SandboxConfig:
    """How an engine is confined.

    `passed` names the variables it gets although they look like secrets; `memory` is in megabytes, `cpu` in seconds,
    both for each of its processes; `scratch` lets it run in a folder of its own, `sandbox` without a network and
    with nothing to write to but that folder or /tmp.
    """

    passed: frozenset[str] = frozenset()
    memory: int | None = None
    cpu: int | None = None
    scratch: bool = False
    sandbox: bool = False

    def environment(self) -> dict[str, str]:
        """This process's environment without what looks like a secret."""
        return {name: value for name, value in os.environ.items() if name in self.passed or not _is_secret(name, value)}

    def folder(self) -> str | None:
        """A new folder to run in, to be removed afterwards; None for the caller's."""
        return tempfile.mkdtemp(prefix="damspec-") if self.scratch else None

    def words(self, command: Sequence[str], folder: str | None) -> list[str]:
        """The command to start. Raises EngineError if there is no sandbox here."""
        words = [_absolute(word) for word in command] if folder else list(command)
        if self.sandbox:
            words = _sandboxed(words, folder)
        limits = [f"ulimit -v {self.memory << 10}"] if self.memory else []
        limits += [f"ulimit -S -t {self.cpu}", f"ulimit -H -t {self.cpu + 1}"] if self.cpu else []
        # A shell limits itself before it becomes the engine: set from outside, its first children would get away, and
        # in a fork of this process, which has threads, nothing of Python may run.
        return ["sh", "-c", " && ".join([*limits, 'exec "$@"']), "sh", *words] if limits else words


def _sandboxed(words: Sequence[str], folder: str | None) -> list[str]:
    """A command in bubblewrap; it can write to its folder if it has one of its own. Raises EngineError."""
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
    """A word of a command that is the path of something here, as it can be found from another folder."""
    return os.path.abspath(word) if os.path.exists(word) else word


def _visible(words: Sequence[str]) -> list[str]:
    """What a sandbox with a /tmp of its own has to show of the real one: this folder, and those of the files named."""
    tmp = Path("/tmp")
    paths = [Path.cwd(), *(Path(word).absolute() for word in words if os.path.exists(word))]
    shown = [path if path.is_dir() or path.parent == tmp else path.parent for path in paths if tmp in path.parents]
    return [word for path in dict.fromkeys(map(str, shown)) for word in ("--ro-bind", path, path)]
