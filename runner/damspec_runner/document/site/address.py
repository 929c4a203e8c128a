"""Where the site will be on the web, if that is known: the addresses of its pages from anywhere else."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from damspec import DamspecError


class AddressError(DamspecError):
    """Text that is no address of a site."""


@dataclass(frozen=True)
class SiteAddress:
    """The address of the site's folder, with a slash at the end; empty if it is not known."""

    text: str = ""

    @classmethod
    def read(cls, text: str) -> SiteAddress:
        """An address as somebody writes it. Raises AddressError."""
        try:
            parts = urlsplit(text)
            named = parts.scheme in ("http", "https") and parts.hostname and text.isascii() and text.isprintable()
            if not named or parts.query or parts.fragment or " " in text or (parts.port or 1) < 1:
                raise ValueError
        except ValueError:
            raise AddressError(f"found {text!r}, expected an address such as https://example.org/rules/") from None
        return cls(text.rstrip("/") + "/")

    def __bool__(self) -> bool:
        return bool(self.text)

    @property
    def path(self) -> str:
        """The way to the site from the top of its host."""
        return urlsplit(self.text).path

    def of(self, path: str) -> str:
        """The address of a page or a file of the site; that of a folder for the page that a folder shows."""
        folder, slash, name = path.rpartition("/")
        return self.text + quote(folder + slash if name == "index.html" else path)


#: Where the site is if nobody has said.
NOWHERE = SiteAddress()
