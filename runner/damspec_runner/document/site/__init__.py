"""The rulebook as a web site: static pages for people, made from the same data as everything else.

`build(Path("public"))` writes it. A build takes the place of an earlier one as a whole, and of nothing else.
"""

from .address import NOWHERE, AddressError, SiteAddress
from .building import Built, build
from .collected import CollectedGame
from .errors import SiteError, SiteWriteError
from .record import MARKER

__all__ = [
    "MARKER",
    "NOWHERE",
    "AddressError",
    "Built",
    "CollectedGame",
    "SiteAddress",
    "SiteError",
    "SiteWriteError",
    "build",
]
