"""Parsing PDN: text is split into chunks that begin with tags, and each is parsed by the grammar in `pdn.lark`.

A chunk that cannot be read does not affect the others; an unclosed comment, for one, ends where the next game's tags
begin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TextIO

from ..errors import PdnError, expect, quote_value, shorten
from .record import Comment, Element, GameRecord, Nag, Noted, Setup, Skipped, Variation, unescaped

#: The maximum length of a chunk; the longest games with all their analysis have a fifth of it.
LONGEST_CHUNK = 1_000_000
#: The maximum nesting of variations.
_DEEPEST = 50
#: The number of characters of a line read at once.
_PIECE = 1 << 16
#: The number of characters around an error that are examined to describe it.
_QUOTED = 500

_TAG_LINE = re.compile(r"\s*\[[A-Za-z]\w*\s*\"")
_SPACE = re.compile(r"\s+")
#: A move within a run of moves: the number before it, its squares and signs, its strength.
_MOVE = re.compile(
    r"\s*([0-9]+\.(?:\.\.)?)?\s*([a-z]?[0-9]+(?:\s*[-x:]\s*[a-z]?[0-9]+|[a-z][0-9]+)+)(\([!?]+\)|[!?*]*)"
)


@dataclass(frozen=True)
class Chunk:
    """A part of a file that begins with a game's tags, and its first line in the file.

    `size` is its length in characters; the text of a chunk beyond `LONGEST_CHUNK` is not kept.
    """

    text: str
    line: int
    size: int


@dataclass(frozen=True)
class Unread:
    """A chunk that cannot be read: the line of the file, and the reason."""

    line: int
    says: str


def read_pdn(text: str) -> list[GameRecord]:
    """Parse the games of a text. Raises PdnError at the first that cannot be read, naming game and line.

    >>> [record.tags["White"] for record in read_pdn('[White "A"] 1. 32-28 *')]
    ['A']
    """
    expect(text, "text", str, "games in PDN")
    records: list[GameRecord] = []
    for chunk in chunks(text.splitlines(keepends=True)):
        found = records_in(chunk)
        if isinstance(found, Unread):
            raise PdnError(f"game {len(records) + 1}, line {found.line}: {found.says}")
        records += found
    return records


def only(text: str) -> GameRecord:
    """Parse a text with exactly one game. Raises PdnError if it has none or several, or cannot be read."""
    records = read_pdn(text)
    if len(records) != 1:
        raise PdnError(f"found {len(records)} games, expected one")
    return records[0]


def lines_of(file: TextIO) -> Iterator[str]:
    """Yield the lines of a file, splitting very long ones."""
    return iter(lambda: file.readline(_PIECE), "")


def chunks(lines: Iterable[str]) -> Iterator[Chunk]:
    """Split a text, given as lines or pieces of lines, before the tags of each game."""
    begins, chunk, moves, size = 1, list[str](), False, 0
    number, ended = 0, True
    for line in lines:
        is_new, ended = ended, line.endswith(("\n", "\r"))
        if not number:  # a byte order mark, decoded or as bytes
            line = line.removeprefix("\ufeff").removeprefix("\xef\xbb\xbf")
        number += is_new
        tagged = is_new and line.lstrip()[:1] == "[" and _TAG_LINE.match(line) is not None
        if tagged and moves:
            yield Chunk("".join(chunk), begins, size)
            begins, chunk, moves, size = number, [], False, 0
        if size <= LONGEST_CHUNK:
            chunk.append(line.replace("\0", " "))
        elif chunk:  # too long: refused, so not kept
            chunk = []
        size += len(line)
        moves = moves or not (tagged or line.isspace() or (is_new and line.startswith("%")))
    if size:
        yield Chunk("".join(chunk), begins, size)


def records_in(chunk: Chunk) -> list[GameRecord] | Unread:
    """Parse the games of a chunk: one, or several if those after a result have no tags of their own."""
    if chunk.size > LONGEST_CHUNK:
        return Unread(chunk.line, f"found a game of {chunk.size:,} characters, expected at most {LONGEST_CHUNK:,}")
    from lark import UnexpectedCharacters, UnexpectedToken

    try:
        return _RecordBuilder(chunk).records(_parser().parse(chunk.text).children)
    except UnexpectedCharacters as error:
        return _explain(chunk, error.pos_in_stream or 0)
    except UnexpectedToken as error:
        return _explain(chunk, len(chunk.text.rstrip()) if error.token.type == "$END" else error.token.start_pos or 0)
    except _ParseError as error:
        return Unread(chunk.line + error.line - 1, str(error))


def _tag(text: str) -> tuple[str, str]:
    """Return the name and value of a tag."""
    name, _, value = text.strip("[]").strip().partition('"')
    return name.strip(), _SPACE.sub(" ", unescaped(value.rstrip().removesuffix('"')))


class _ParseError(Exception):
    def __init__(self, line: int, says: str) -> None:
        super().__init__(says)
        self.line = line


@dataclass
class _Game:
    """A game under construction."""

    tags: dict[str, str] = field(default_factory=dict)
    body: list[Any] = field(default_factory=list)
    ended: bool = False
    line: int = 0


class _RecordBuilder:
    """A builder of records from the parse tree of a chunk."""

    def __init__(self, chunk: Chunk) -> None:
        self.before = chunk.line - 1

    def records(self, children: Sequence[Any]) -> list[GameRecord]:
        """Split the tree into games after each result, and before the tags that follow one."""
        games = [_Game()]
        for child in children:
            game, kind = games[-1], getattr(child, "type", "variation")
            if kind == "RESULT":
                game.ended = True
            elif kind == "TAG":
                name, value = _tag(child)
                if game.body and not game.ended:
                    found = shorten(name)
                    raise _ParseError(child.line, f"found the tag {found} among the moves, expected it before them")
                if game.ended:
                    games.append(game := _Game())
                game.line = game.line or child.line
                game.tags.setdefault(name, value)
            else:
                if game.ended and kind not in ("COMMENT", "NAG"):  # these belong to the game before
                    games.append(game := _Game())
                game.line = game.line or getattr(child, "line", 1)
                game.body.append(child)
        return [
            GameRecord(game.tags, self._body(game.body, 0, game.tags.get("Result")), self.before + game.line)
            for game in games
            if game.tags or game.body
        ]

    def _body(self, children: Sequence[Any], depth: int, result: str | None) -> tuple[Element, ...]:
        """Return the movetext, without a last move that repeats the tag Result (`4-6` in some tournaments)."""
        if depth > _DEEPEST:
            raise _ParseError(1, f"variations within variations, more than {_DEEPEST} deep")
        items: list[Element] = []
        number, before = "", self.before
        for child in children:
            kind = getattr(child, "type", "variation")
            if kind == "MOVES":
                items += self._moves(child, number)
                number = ""
            elif kind == "NUMBER":
                number = str(child)
            elif kind == "COMMENT":
                items.append(Comment(_SPACE.sub(" ", child[1:-1]).strip(), before + child.line))
            elif kind == "NAG":
                items.append(Nag(int(child[1:])))
            elif kind == "PLACED":
                items.append(Setup(child.split('"')[1], before + child.line))
            elif kind in ("ELLIPSIS", "UNKNOWN"):
                items.append(Skipped(str(child), number, before + child.line))
                number = ""
            elif kind == "variation":  # a result in one is how that line would have ended: no game ends there
                items.append(Variation(self._body(child.children, depth + 1, None)))
        if result and items and getattr(items[-1], "text", "") == result:
            del items[-1]
        return tuple(items)

    def _moves(self, run: Any, number: str) -> Iterator[Element]:
        """Yield the moves of a run; `number` stands before the first."""
        line, end = self.before + run.line, 0
        for found in _MOVE.finditer(run):
            number_before, text, strength = found.groups("")
            start = found.start(2)
            line += run.count("\n", end, start)
            end = start
            if not text.isalnum() and any(map(str.isspace, text)):
                text = _SPACE.sub("", text)
            yield Noted(text, number_before or number, strength.replace("*", ""), line)
            if "*" in strength:
                yield Nag(7)  # a forced move; the standard has no * for it
            number = ""


def _explain(chunk: Chunk, place: int) -> Unread:
    """Return why a chunk cannot be read at `place`: after which move, what was found, what was expected."""
    before, rest = chunk.text[:place], chunk.text[place : place + _QUOTED]
    line = chunk.line + before.count("\n")
    moves_before = re.sub(r"\{[^}]*\}|\"[^\"]*\"", " ", before[-_QUOTED:])
    moves = re.findall(r"(?:[0-9]+|[a-z][0-9]+)(?:[-x:](?:[0-9]+|[a-z][0-9]+))+", moves_before)
    after = f"after {shorten(moves[-1])}: " if moves else ""
    if not rest.strip():
        return Unread(line, f"{after}found the end of the game, expected that of the variation '('")
    if rest.startswith("{"):
        return Unread(line, f"{after}found {{, expected }} at the end of the comment")
    if rest.startswith("["):
        return Unread(
            line, f'{after}found {quote_value(rest.splitlines()[0][:60])}, expected a tag like [White "Name"]'
        )
    return Unread(line, f"{after}found {quote_value(rest.split(maxsplit=1)[0][:30])}, expected a move")


@cache
def _parser() -> Any:
    from lark import Lark

    return Lark.open_from_package(
        __package__, "pdn.lark", parser="lalr", lexer="contextual", maybe_placeholders=False, keep_all_tokens=False
    )
