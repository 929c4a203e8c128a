"""What is for search engines: the list of all pages with their translations, and where it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

from .address import SiteAddress
from .pages import LOST
from .record import Alternates

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
)


def sitemap(pages: Mapping[str, Alternates], address: SiteAddress) -> dict[str, str]:
    """The files, by their paths, of a site with these pages; none if nobody knows where it will be."""
    if not address:
        return {}
    entries = "\n".join(_entry(page, pages[page], address) for page in sorted(pages) if page != LOST)
    return {
        "sitemap.xml": f"{_HEAD}\n{entries}\n</urlset>\n",
        "robots.txt": f"User-agent: *\nAllow: /\nSitemap: {address.of('sitemap.xml')}\n",
    }


def _entry(page: str, alternates: Alternates, address: SiteAddress) -> str:
    return "".join(("<url>", *_lines(page, alternates, address), "</url>"))


def _lines(page: str, alternates: Alternates, address: SiteAddress) -> Iterator[str]:
    yield f"<loc>{escape(address.of(page))}</loc>"
    for tag, href in alternates:
        yield f'<xhtml:link rel="alternate" hreflang={quoteattr(tag)} href={quoteattr(address.of(href))}/>'
