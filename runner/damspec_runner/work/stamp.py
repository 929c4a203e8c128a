"""What results of shares depend on beside the share: the version, the rules and the cases."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache

from damspec import data
from damspec.errors import DamspecError
from damspec.version import __version__


class WorkError(DamspecError):
    """Work that cannot be begun, or gone on with: who does it is not there, or is another."""


@cache
def stamp() -> Mapping[str, str]:
    """The version, and a digest that changes with any rule or case; results count only where both are the same."""
    found = hashlib.sha256()
    for folder in ("spec", "cases"):
        for path in sorted((data.root() / folder).rglob("*.yaml")):
            found.update(path.read_bytes())
    return {"damspec": __version__, "data": found.hexdigest()}
