"""PDN records: tags, moves as text, comments, annotations and variations."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from sys import maxsize
from typing import Any, Literal, get_args

from ..data import FrozenDict
from ..errors import PdnError, expect, expect_number, quote_any

#: The width of a line of moves.
_WIDTH = 80
#: A placeholder for spaces at which lines must not be broken.
_GLUE = "\0"
_TAG = re.compile("[A-Za-z][A-Za-z0-9_]*")
_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class WrittenMove:
    """A move as written: `32-28`, with its move number (`12.`, `12...` or empty) and strength (`!?`)."""

    text: str
    number: str = ""
    strength: str = ""
    line: int = field(default=0, compare=False)


class _NewWrittenMove:
    """A WrittenMove under construction: setting the fields of a frozen dataclass takes three times as long."""

    __slots__ = ("line", "number", "strength", "text")


def make_written_move(text: str, number: str, strength: str, line: int) -> WrittenMove:
    """Build a WrittenMove; a parser makes one for each move."""
    found: Any = _NewWrittenMove()
    found.text, found.number, found.strength, found.line = text, number, strength, line
    found.__class__ = WrittenMove
    return found  # type: ignore[no-any-return]


@dataclass(frozen=True)
class SkippedMove:
    """Dots in place of the first side's move, or a dash in place of an unknown one."""

    text: str
    number: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Comment:
    """A comment without its braces; commands such as `[%clk 1:55:21]` are part of it."""

    text: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Nag:
    """A numeric annotation glyph such as `$1`."""

    number: int


@dataclass(frozen=True)
class Setup:
    """A position set up in the movetext, as FEN."""

    fen: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Variation:
    """A variation: an alternative to the move before it."""

    body: tuple[Element, ...]


@dataclass(frozen=True)
class UnreadableWord:
    """A word that cannot be read, and the reason; what follows it in its line is not played."""

    text: str
    says: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)


Element = WrittenMove | SkippedMove | Comment | Nag | Setup | Variation | UnreadableWord
_ELEMENT_TYPES = frozenset(get_args(Element))


@dataclass(frozen=True)
class WrittenGame:
    """A game as written: tags in order, the movetext, the line of the file where it begins, and how it ends there.

    `termination_marker` is the result at the end of the moves, `*` if there is none.

    Its `str` is PDN 3.0, which parses to an equal record.

    >>> moves = WrittenMove("32-28", "1."), Comment("as always"), WrittenMove("19-23")
    >>> print(WrittenGame({"White": "Wiersma, Harm"}, moves))
    [White "Wiersma, Harm"]
    <BLANKLINE>
    1. 32-28 {as always} 19-23 *
    """

    tags: Mapping[str, str]
    body: tuple[Element, ...]
    line: int = field(default=1, compare=False)
    termination_marker: str = "*"

    def __post_init__(self) -> None:
        expect(self.tags, "tags", Mapping, "a mapping of the names of tags to texts")
        for name, value in self.tags.items():
            if not (isinstance(name, str) and _TAG.fullmatch(name)):
                raise PdnError(
                    f"tags: found the name {quote_any(name)}, expected letters, digits and _, a letter first"
                )
            expect(value, f"tag {name}", str, "a text")
        expect(self.body, "body", tuple, "a tuple of moves, comments and the like")
        expect_number(self.line, "line", 0, maxsize)
        expect(self.termination_marker, "termination_marker", str, "a result such as 1-0")
        if not _ELEMENT_TYPES.issuperset(map(type, self.body)):
            for item in self.body:
                expect(item, "body", Element, "moves, comments and the like")
        object.__setattr__(self, "tags", FrozenDict(self.tags))

    @property
    def players(self) -> str:
        """The players as far as they are named, else empty."""
        names = [self.tags.get(side, "").strip() for side in ("White", "Black")]
        return (
            " - ".join(name if name.strip("?") else "?" for name in names) if any(n.strip("?") for n in names) else ""
        )

    def unread(self) -> Iterator[UnreadableWord]:
        """Yield the words that cannot be read, those of variations too."""
        return _unread(self.body)

    def __str__(self) -> str:
        tags = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in self.tags.items())
        words = " ".join([*_words(self.body), self.termination_marker])
        moves = textwrap.fill(words, _WIDTH, break_long_words=False, break_on_hyphens=False).replace(_GLUE, " ")
        return f"{tags}\n{moves}" if tags else moves


GameResult = Literal["white", "draw", "black"]
_POINTS = re.compile(r"([0-9]{1,2}(?:\.5)?)-([0-9]{1,2}(?:\.5)?)")


def parse_result(text: str) -> GameResult | None:
    """Return who won by a result such as `2-0` or `1/2-1/2`, or `draw`; None if it does not say.

    >>> parse_result("2-0"), parse_result("½-½"), parse_result("*")
    ('white', 'draw', None)
    """
    plain = text.replace("½", "1/2").replace(" ", "").replace(",", ".")
    if plain in ("1/2-1/2", "1/2"):
        return "draw"
    found = _POINTS.fullmatch(plain)
    if not found or plain == "0-0":
        return None
    white, black = float(found[1]), float(found[2])
    return "white" if white > black else "black" if black > white else "draw"


def unescape(value: str) -> str:
    """Return a tag's value without its escapes."""
    return re.sub(r'\\(["\\])', r"\1", value)


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _words(body: Sequence[Element]) -> Iterator[str]:
    """Yield the parts of the movetext between which a line may be broken."""
    for item in body:
        match item:
            case WrittenMove(text, number, strength):
                yield f"{number}{_GLUE}{text}{strength}" if number else f"{text}{strength}"
            case SkippedMove(text, number):
                yield f"{number}{_GLUE}{text}" if number else text
            case Comment(text):
                yield f"{{{text}}}"
            case Nag(number):
                yield f"${number}"
            case Setup(fen):
                yield f'/FEN{_GLUE}"{fen}"/'
            case UnreadableWord(text):
                yield _SPACE.sub(_GLUE, text)
            case Variation(inner):
                words = list(_words(inner)) or [""]
                words[0] = f"({words[0]}"
                words[-1] += ")"
                yield from words


def _unread(body: Sequence[Element]) -> Iterator[UnreadableWord]:
    for item in body:
        if type(item) is UnreadableWord:
            yield item
        elif type(item) is Variation:
            yield from _unread(item.body)
