"""The words of a page of HTML, as one reads them."""

from __future__ import annotations

import re
from html import unescape

#: The elements that stand in a line of text.
INLINE = "a|code|em|span|strong"


def words_of(html: str) -> str:
    """The text of HTML on one line, without its tags; blanks stand only between words."""
    apart = re.sub("<[^>]*>", " ", re.sub(f"</?({INLINE})( [^>]*)?>", "", html))
    return " ".join(unescape(apart).split())


def without_keys(html: str) -> str:
    """HTML without the keys of texts and the elements that have nothing but a key."""
    found = 1
    while found:
        html, found = re.subn('<span data-text="[^"]*">((?:(?!</?span)[^\0])*?)</span>', r"\1", html)
    return re.sub(' data-(?:text|label)="[^"]*"', "", html)
