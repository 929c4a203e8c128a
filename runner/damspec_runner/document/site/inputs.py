"""What a build of the site is made from, as digests: the data, file by file, and the program with all else at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import damspec
from damspec import data

#: The folders of the data, whose files are told apart; all other files count as the program.
_DATA = ("cases", "docs", "known", "reference/javascript", "spec")
#: The libraries that leave their mark on what is built.
_LIBRARIES = ("jinja2", "markdown-it-py", "markupsafe", "pyyaml", "resvg-py")


@dataclass(frozen=True)
class Inputs:
    """The digest of each file of the data by its path from the data's root, and that of everything else."""

    files: Mapping[str, str]
    program: str

    def digest(self, reads: Callable[[str], bool] = lambda path: True, *facts: object) -> str:
        """A digest of the program, of the files that are read, and of facts beside them."""
        read = [f"{path} {digest}" for path, digest in self.files.items() if reads(path)]
        return digest_of(self.program, *read, *map(repr, facts))


def inputs(*options: str) -> Inputs:
    """What a build would be made from now, with these options."""
    root = data.root()
    files = {path.relative_to(root).as_posix(): _digest(path) for name in _DATA for path in _files(root / name)}
    program = (
        f"{path.relative_to(folder).as_posix()} {_digest(path)}"
        for folder in _folders()
        for path in _files(folder)
        if not any(path.is_relative_to(root / name) for name in _DATA)
    )
    return Inputs(files, digest_of(sys.version, *map(_version, _LIBRARIES), *options, *program))


def digest_of(*texts: str) -> str:
    """A digest of texts one after another."""
    return sha256("\0".join(texts).encode()).hexdigest()


def _folders() -> Iterable[Path]:
    """The two packages and the schemas."""
    return Path(damspec.__file__).parent, Path(__file__).parents[2], data.root() / "schemas"


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and path.parent.name != "__pycache__")


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _version(library: str) -> str:
    try:
        return f"{library} {version(library)}"
    except PackageNotFoundError:
        return f"no {library}"
