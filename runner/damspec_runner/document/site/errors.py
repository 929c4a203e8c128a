"""What keeps the site from being built."""

from __future__ import annotations

from damspec import DamspecError


class SiteError(DamspecError):
    """A folder that the site cannot be built into, or a page that would not show what it says."""


class SiteWriteError(SiteError):
    """A site that could not be written to its end, for want of room say; what was there before is still there."""
