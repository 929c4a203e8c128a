"""Squares in the text of a page, marked so that the reader's choice of numbers or letters changes all of them.

A mark shows the notation of the page and keeps the other one: `<span class="squares" data-letters="b2">25</span>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from markupsafe import Markup, escape

from damspec import Ruleset
from damspec.board import Board
from damspec.pdn.notation import notation_of

from ...cases.squares import NamedSquares, in_both, parts

WrittenAs = Literal["numbers", "letters"]

#: Squares and moves in the sentences of a rulebook stand in brackets.
_BRACKETED = re.compile(r"\[([^\]]+)\]")


def of_games(*rulesets: Ruleset) -> WrittenAs:
    """The notation in which players of these games write squares: letters only where all of them do."""
    return "letters" if rulesets and all(notation_of(ruleset).algebraic for ruleset in rulesets) else "numbers"


def marked(text: str, board: Board, notation: WrittenAs, between: Callable[[str], str] = escape) -> Markup:
    """Text with the squares that it names marked; `between` makes HTML of the rest."""
    return Markup("".join(between(one) if isinstance(one, str) else mark(one, notation) for one in parts(text, board)))


def bracketed(text: str, board: Board, notation: WrittenAs) -> Markup:
    """A sentence of a rulebook with the squares in brackets marked."""
    *pairs, last = _BRACKETED.split(text)
    found = zip(pairs[::2], pairs[1::2], strict=True)
    return Markup("".join(escape(before) + mark(in_both(named, board), notation) for before, named in found)) + last


def mark(named: NamedSquares, notation: WrittenAs) -> Markup:
    """The mark of a square or of a move."""
    shown, kept, other = (
        (named.numbers, named.letters, "letters")
        if notation == "numbers"
        else (named.letters, named.numbers, "numbers")
    )
    return Markup('<span class="squares" data-{}="{}">{}</span>').format(other, kept, shown)
