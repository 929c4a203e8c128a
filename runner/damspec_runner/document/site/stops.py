"""The places of a long page that its side navigation leads to: its headings, and what else is marked as one.

A heading is an `h2`. It is found by its own id, by that of the element which it opens, or by one made from its words.
Anything else that has an id is a stop if it says in `data-stop` what it is called, and behind that in `data-stop-lang`
in which language if it is not the page's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from markupsafe import Markup

from .links import slug

_STOP = re.compile(
    r'(?:<\w+\b[^>]*?\sid="(?P<above>[^"]+)"[^>]*>\s*)?<h2\b(?P<attributes>[^>]*)>(?P<words>.*?)</h2>'
    r'|\sid="(?P<id>[^"]+)"[^>]*?\sdata-stop="(?P<name>[^"]+)"(?: data-stop-lang="(?P<lang>[^"]+)")?',
    re.DOTALL,
)
_ID = re.compile(r'\bid="([^"]+)"')
#: What stands in a heading beside its words: what a document calls it, and marks.
_BESIDE = re.compile(r'<span class="(?:own|tag|mark)".*?</span>', re.DOTALL)
_TAG = re.compile("<[^>]*>")


@dataclass(frozen=True)
class Stop:
    """A place on a page: what it is called, its id, and the language of its name if that is not the page's."""

    text: str
    id: str
    language: str = ""


@dataclass(frozen=True)
class Marked:
    """What stands on a page, every heading with an id, and the stops on it in their order."""

    html: Markup
    stops: tuple[Stop, ...]


def marked(html: str) -> Marked:
    """Find the stops of a page, and give ids to the headings that have none."""
    taken = set(_ID.findall(html))
    stops: list[Stop] = []

    def found(match: re.Match[str]) -> str:
        if match["id"]:
            stops.append(Stop(unescape(match["name"]), match["id"], match["lang"] or ""))
            return match[0]
        words = " ".join(unescape(_TAG.sub("", _BESIDE.sub("", match["words"]))).split())
        own = _ID.search(match["attributes"])
        id = own[1] if own else match["above"] or _free(slug(words) or "part", taken)
        stops.append(Stop(words, id))
        if own or match["above"]:
            return match[0]
        taken.add(id)
        return match[0].replace("<h2", f'<h2 id="{id}"', 1)

    return Marked(Markup(_STOP.sub(found, html)), tuple(stops))


def _free(wanted: str, taken: set[str]) -> str:
    """An id that no other element has."""
    id, number = wanted, 1
    while id in taken:
        number += 1
        id = f"{wanted}-{number}"
    return id
