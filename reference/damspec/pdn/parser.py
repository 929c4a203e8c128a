"""Parser of PDN: splits text into chunks that begin with tags, and each chunk into words.

Beyond the reading grammar of PDN 3.0 (https://pdn.fmjd.org/grammar.html) it accepts what files of all ages have:
spaces inside a move, typographic signs, capitals, squares without a sign, boards of any size, moves that slide and then
capture, a `*` for a forced move, dashes for unknown moves. A word that cannot be read is kept as `Unread` where it
stands: it ends the line it stands in, and affects no other game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TextIO

from ..errors import PdnError, expect, quote_value, shorten
from .record import (
    Comment,
    Element,
    Nag,
    Setup,
    SkippedMove,
    UnreadableWord,
    Variation,
    WrittenGame,
    WrittenMove,
    make_written_move,
    unescape,
)

#: The maximum length of a chunk; the longest games with all their analysis have a fifth of it.
LONGEST_CHUNK = 1_000_000
#: The length from which a chunk is also split after a line that ends with a result.
_LONG_CHUNK = 50_000
#: The maximum nesting of variations.
_DEEPEST = 50
#: The number of characters of a line read at once.
LINE_LIMIT = 1 << 16
#: The number of characters around an error that are examined to describe it.
_QUOTED = 500

_TAG_LINE = re.compile(r"\s*\[[A-Za-z]\w*\s*\"")
_MOVES_AFTER_TAGS = re.compile(r'(?:\s*\[\s*[A-Za-z]\w*\s*"(?:[^"\\\n]|\\.)*"\s*\])+\s*[0-9A-Za-z]')
_SPACE = re.compile(r"\s+")
_ENDS = re.compile(r"(?:\*|1/2-1/2|½-½|\b(?:1-0|0-1|2-0|0-2|1-1|0-0))\s*$")
#: A square, and a sign between squares. Letters end before x, which is a sign.
_SQUARE = "(?:[0-9]{1,3}|[A-WYZa-wyz][0-9]{1,2})"
_SIGN = r"\s*[-x:X]\s*"
_RESULTS = r"(?:1-0|0-1|2-0|0-2|1-1|0-0)(?![0-9x:-])"
_STRENGTH = r"(?:[!?*]+|\([!?]+\))?"
_NUMBER = r"[0-9]{1,4}\s?\.(?:\.\.)?"
_MOVE_TEXT = rf"(?:{_SQUARE}(?:{_SIGN}{_SQUARE})+|[A-Za-z][0-9]{{1,2}}(?:[A-WYZa-wyz][0-9]{{1,2}})+)"
#: A tag in the usual form.
_PLAIN_TAG = r'\[[A-Za-z][A-Za-z0-9_]*[ ]"[^"\\\n]*"\]'
#: A comment in braces, one to the end of its line, a tag with its text, or a text in quotes, in which neither begins.
_COMMENT_OR_TAG = re.compile(r"""(\{[^}]*\}?|[;%][^\n]*|\[\s*[A-Za-z][A-Za-z0-9_]*\s*"(?:[^"\\\n]|\\.)*"?|"[^"\n]*")""")
#: A line that begins another game.
_FIRST_MOVE = re.compile(r"\s*1\.(?!\s*\.)")
#: The words of a chunk. The moves between two other things are one word, for speed, and so are tags in a row.
_WORD = re.compile(
    rf"""\s+|%[^\n]*
    |(?P<moves>(?:(?:{_NUMBER}\s*)?(?!{_RESULTS}){_MOVE_TEXT}(?![0-9A-Za-z.]){_STRENGTH}[\s,]*)+)
    |(?P<tags>(?:{_PLAIN_TAG}\s*)+)
    |(?P<tag>\[\s*[A-Za-z][A-Za-z0-9_]*\s*"(?:[^"\\]|\\.)*"\s*\]
        |\[\s*[A-Za-z][A-Za-z0-9_]*\s*"[^\n]*"\s*\][^\S\n]*(?=\n|$))
    |(?P<comment>\{{[^}}]*\}}|;[^\n]*)
    |(?P<result>\*|1/2-1/2|1/2(?!-)|0[.,]5-0[.,]5|{_RESULTS})
    |(?P<number>{_NUMBER}(?!\.)|[0-9]{{1,2}}(?=\s+{_MOVE_TEXT}))
    |(?P<joined>[0-9]{{3,4}}{_STRENGTH}(?=[\s,;)]|$))
    |(?P<nag>\$[0-9]{{1,4}})
    |(?P<remark>\(\s*[^\W\d_][^(){{}}\d]*\))
    |(?P<opening>\()|(?P<closing>\))
    |(?P<placed>/\s*FEN\s*"[^"/]*"\s*/)
    |(?P<skipped>\.\.\.|-+(?=[\s;)]|$))
    |,(?=\s*[0-9A-Za-z])
    |(?P<unread>\[[^\n]*|\{{.*|[^\s()\[{{;]+|.)""",
    re.VERBOSE | re.DOTALL,
)
#: A move within a run of moves: the number before it, its squares and signs, its strength.
_MOVE = re.compile(rf"[\s,]*({_NUMBER})?\s*({_MOVE_TEXT})({_STRENGTH})")
#: A move, its number or both, without a space.
_MOVE_WORD = re.compile(rf"({_NUMBER})?(?:({_MOVE_TEXT})({_STRENGTH}))?")
_TAG = re.compile(_PLAIN_TAG)
#: What typographic signs and letters of other scripts mean in the standard, outside comments and tags.
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u00d7\u2715\u2716\u2a2f\u0445\u0425", "x"),
        **dict(zip("\u0430\u0441\u0435\u0410\u0412\u0421\u0415\u041d", "aceabceh", strict=True)),
        "\u00bd": "1/2",
        "\u2026": "...",
        "\u203c": "!!",
        "\u2047": "??",
        "\u2048": "?!",
        "\u2049": "!?",
        "\u00a0": " ",
        "\ufeff": " ",
    }
)


@dataclass(frozen=True)
class Chunk:
    """A part of a file that begins with a game's tags, and its first line in the file.

    `size` is its length in characters; the text of a chunk beyond `LONGEST_CHUNK` is not kept.
    """

    text: str
    line: int
    size: int


def read_records(text: str) -> list[WrittenGame]:
    """Parse the games of a text. Raises PdnError at the first word that cannot be read, naming game and line."""
    expect(text, "text", str, "games in PDN")
    records: list[WrittenGame] = []
    for chunk in chunks(text.splitlines(keepends=True)):
        for record in records_in(chunk):
            records.append(record)
            if wrong := next(iter(record.unread()), None):
                raise PdnError(f"game {len(records)}, line {wrong.line}: {wrong.says}")
    return records


def read_record(text: str) -> WrittenGame:
    """Parse a text with exactly one game. Raises PdnError if it has none or several, or cannot be read."""
    records = read_records(text)
    if len(records) != 1:
        raise PdnError(f"found {len(records)} games, expected one")
    return records[0]


def lines_of(file: TextIO) -> Iterator[str]:
    """Yield the lines of a file, splitting very long ones."""
    return iter(lambda: file.readline(LINE_LIMIT), "")


def chunks(lines: Iterable[str]) -> Iterator[Chunk]:
    """Split a text, given as lines or pieces of lines, before the tags of each game.

    Many games without tags are split after a line that ends with a result, and before one that begins with the first
    move of another game, if it stands in no comment and in no variation.
    """
    begins, chunk, moves, size = 1, list[str](), False, 0
    number, ended, is_comment, depth = 0, True, False, 0
    for line in lines:
        is_new, ended = ended, line.endswith(("\n", "\r"))
        if not number:  # a byte order mark, decoded or as bytes
            line = line.removeprefix("\ufeff").removeprefix("\xef\xbb\xbf")
        number += is_new
        tagged = is_new and line.lstrip()[:1] == "[" and _TAG_LINE.match(line) is not None
        may_split = size > _LONG_CHUNK and is_new and not is_comment
        if moves and (
            tagged or (may_split and (_ENDS.search(chunk[-1]) or (depth <= 0 and _FIRST_MOVE.match(line) is not None)))
        ):
            yield Chunk("".join(chunk), begins, size)
            begins, chunk, moves, size, is_comment, depth = number, [], False, 0, False, 0
        if size <= LONGEST_CHUNK:
            chunk.append(line.replace("\0", " "))
        elif len(chunk) > 1:  # too long: refused, so not kept
            chunk = [""]
        size += len(line)
        depth += line.count("(") - line.count(")")
        if tagged:
            moves = moves or _MOVES_AFTER_TAGS.match(line) is not None
        else:
            moves = moves or not (line.isspace() or (is_new and line.lstrip()[:1] in "%;"))
        if is_comment or "{" in line:
            last = _COMMENT_OR_TAG.findall("{" * is_comment + line)[-1]
            is_comment = last[0] == "{" and last[-1] != "}"
    if size:
        yield Chunk("".join(chunk), begins, size)


def records_in(chunk: Chunk) -> list[WrittenGame]:
    """Parse the games of a chunk: one, or several if those after a result have no tags of their own."""
    if chunk.size > LONGEST_CHUNK:
        says = f"found a game of {chunk.size:,} characters, expected at most {LONGEST_CHUNK:,}"
        return [WrittenGame({}, (UnreadableWord("", says, chunk.line),), chunk.line)]
    text = chunk.text
    if not text.isascii():
        parts = _COMMENT_OR_TAG.split(text)
        parts[::2] = [part.translate(_SIGNS) for part in parts[::2]]
        text = "".join(parts)
    return _ChunkParser(text, chunk.line).records()


@lru_cache(1 << 14)
def _read_word(word: str) -> tuple[str, str, str]:
    """Return the number, squares and strength of a word between spaces, as far as it has them.

    All are empty if that is not the whole word, or it is more than a move.
    """
    found = _MOVE_WORD.fullmatch(word)
    number, text, strength = found.groups("") if found else ("", "", "")
    return ("", "", "") if "*" in strength else (number, text, strength)


@dataclass
class _Game:
    """A game under construction."""

    tags: dict[str, str] = field(default_factory=dict)
    body: list[Element] = field(default_factory=list)
    marker: str = ""
    line: int = 0


def _split(game: _Game) -> list[_Game]:
    """Return the games in one that has no tags or result between them: where the move number goes back to 1.

    After a single move that is so only if a blank line stands between them: some give the number before both moves.
    With tags, so is it after any that are all numbered 1: with a turn that moves no piece, a side can have several.
    """
    games = [game]
    if sum(type(item) is WrittenMove and item.number == "1." for item in game.body) < 2:
        return games
    body, game.body, numbers = game.body, [], list[str]()
    for last, item in zip([None, *body], body, strict=False):
        if type(item) is WrittenMove and item.number == "1.":
            counted = any(number[:2] not in ("", "1.") for number in numbers) if game.tags else len(numbers) > 1
            if counted or (type(last) is WrittenMove and item.line > last.line + 1):
                games.append(_Game(marker=games[-1].marker, line=item.line))
                games[-2].marker, numbers = "", []
        if type(item) is Setup:
            numbers = []
        elif type(item) is WrittenMove:
            numbers.append(item.number)
        games[-1].body.append(item)
    return games


class _ChunkParser:
    """A parser of one chunk, which collects its games word by word."""

    def __init__(self, text: str, first_line: int) -> None:
        self.text, self.first_line = text, first_line
        self.games = [_Game()]
        #: The open variations, each with the line it stands in; the innermost is being read.
        self.outer: list[list[Element]] = []
        self.items = self.games[0].body
        self.number = ""
        self.line, self.counted = first_line, 0

    def records(self) -> list[WrittenGame]:
        """Read all games."""
        for found in _WORD.finditer(self.text):
            if found.lastgroup is not None:
                self._parse_word(found.lastgroup, found[0], found.start())
        self._end_game()
        return [
            WrittenGame(part.tags, tuple(part.body), part.line or self.first_line, part.marker or "*")
            for game in self.games
            for part in _split(game)
            if part.tags or part.marker or any(type(item) is not Comment for item in part.body)
        ]

    def _parse_word(self, kind: str, word: str, place: int) -> None:
        match kind:
            case "tags":
                self._parse_tags(place, place + len(word))
            case "tag":
                self._parse_tag(word, place)
            case "result":
                if not self.outer:  # a result in a variation is how that line would have ended: no game ends there
                    if self.games[-1].marker:
                        self._begin_game(place)
                    self.games[-1].marker = word
            case _:
                # Comments and annotations after a result belong to the game before.
                if self.games[-1].marker and not self.outer and kind not in ("comment", "nag"):
                    self._begin_game(place)
                line = self._line_at(place)
                self.games[-1].line = self.games[-1].line or line
                self._append_element(kind, word, place, line)

    def _append_element(self, kind: str, word: str, place: int, line: int) -> None:
        """Append what a word of the movetext stands for."""
        match kind:
            case "moves":
                self._parse_moves(word, line)
            case "number":
                self.number = "".join(word.split()) if "." in word else f"{word}."
            case "joined":
                strength = word.lstrip("0123456789")
                self.items.append(WrittenMove(word.removesuffix(strength), self.number, strength, line))
                self.number = ""
            case "comment":
                text = word[1:-1] if word[0] == "{" else word[1:].replace("}", ")")
                self.items.append(Comment(_SPACE.sub(" ", text).strip(), line))
            case "remark":  # a letter or a note, with its parentheses: no variation, and no action of a turn
                self.items.append(Comment(_SPACE.sub(" ", word), line))
            case "nag":
                self.items.append(Nag(int(word[1:])))
            case "opening":
                if len(self.outer) >= _DEEPEST:
                    self.items.append(
                        UnreadableWord("(", f"variations within variations, more than {_DEEPEST} deep", line)
                    )
                self.outer.append(self.items)
                self.items = []
            case "closing":
                self._end_variation(place)
            case "placed":
                self.items.append(Setup(word.split('"')[1], line))
            case "skipped":
                self.items.append(SkippedMove(word, self.number, line))
                self.number = ""
            case _:
                self.items.append(self._explain(place, word))

    def _parse_tags(self, place: int, end: int) -> None:
        """Parse the tags between two places; at the beginning of a game those of other names are quickly done."""
        for found in _TAG.finditer(self.text, place, end):
            word, game = found[0], self.games[-1]
            name, _, value = word[1:-2].partition(' "')
            if self.outer or game.body or game.marker or name in game.tags or not value.isprintable() or "  " in value:
                self._parse_tag(word, found.start())
            else:
                game.line = game.line or self._line_at(found.start())
                game.tags[name] = value

    def _parse_tag(self, word: str, place: int) -> None:
        name, _, value = word.strip()[1:-1].strip().partition('"')
        name, value = name.strip(), _SPACE.sub(" ", unescape(value.rstrip().removesuffix('"')))
        game = self.games[-1]
        if self.outer or (not game.marker and any(type(item) is not Comment for item in game.body)):
            says = f"found the tag {shorten(name)} among the moves, expected it before them"
            self.items.append(UnreadableWord(word, says, self._line_at(place)))
            return
        if game.marker or name == next(iter(game.tags), ""):  # a game without moves or result has only tags
            self._begin_game(place)
        game = self.games[-1]
        game.line = game.line or self._line_at(place)
        game.tags.setdefault(name, value)

    def _begin_game(self, place: int) -> None:
        """Begin another game."""
        self._end_game()
        self.games.append(_Game(line=self._line_at(place)))
        self.items, self.number = self.games[-1].body, ""

    def _end_game(self) -> None:
        """End the game: close its variations; a last word that repeats the tag Result (`4-6`) is the result."""
        while self.outer:
            if len(self.outer) <= _DEEPEST:
                self.items.append(self._explain(len(self.text.rstrip()), ""))
            self._end_variation(len(self.text))
        game = self.games[-1]
        last = game.body[-1] if game.body else None
        if isinstance(last, WrittenMove) and last.text == game.tags.get("Result"):
            game.marker = last.text
            del game.body[-1]

    def _end_variation(self, place: int) -> None:
        if not self.outer:
            self.items.append(self._explain(place, ")"))
            return
        inner, self.items = tuple(self.items), self.outer.pop()
        if len(self.outer) < _DEEPEST:
            self.items.append(Variation(inner))

    def _parse_moves(self, run: str, line: int) -> None:
        """Append the moves of a run that begins on a line."""
        number = self.number
        moves: list[Element] = []
        for at, words in enumerate(run.split("\n"), line):
            for before, text, strength in map(_read_word, words.split()):
                number = before or number
                if text:
                    moves.append(make_written_move(text, number, strength, at))
                    number = ""
                elif not before:
                    self._parse_moves_in_other_forms(run, line)
                    return
        self.items += moves
        self.number = ""

    def _parse_moves_in_other_forms(self, run: str, line: int) -> None:
        """Append the moves of a run, where they have spaces, commas or the like in them or between them."""
        end, number, append = 0, self.number, self.items.append
        self.number = ""
        for found in _MOVE.finditer(run):
            number_before, text, strength = found.groups("")
            start = found.start(2)
            line += run.count("\n", end, start)
            end, number = start, "".join(number_before.split()) or number
            append(make_written_move("".join(text.split()), number, strength.replace("*", ""), line))
            if "*" in strength:
                append(Nag(7))  # a forced move; the standard has no * for it
            number = ""

    def _line_at(self, place: int) -> int:
        """Return the line number of a place; quick if it comes after the place of the last call."""
        if place < self.counted:
            return self.first_line + self.text.count("\n", 0, place)
        self.line += self.text.count("\n", self.counted, place)
        self.counted = place
        return self.line

    def _explain(self, place: int, word: str) -> UnreadableWord:
        """Describe a word that cannot be read: the move before it, what was found, and what was expected."""
        before, rest = self.text[max(place - _QUOTED, 0) : place], self.text[place : place + _QUOTED]
        moves_before = _COMMENT_OR_TAG.sub(" ", before)
        moves = re.findall(_MOVE_TEXT, moves_before)
        after = f"after {shorten(moves[-1])}: " if moves else ""
        if not rest.strip():
            says = f"{after}found the end of the game, expected that of the variation '('"
        elif rest.startswith("{"):
            says = f"{after}found {{, expected }} at the end of the comment"
        elif rest.startswith("["):
            says = f'{after}found {quote_value(rest.splitlines()[0][:60])}, expected a tag like [White "Name"]'
        else:
            says = f"{after}found {quote_value(rest.split(maxsplit=1)[0][:30])}, expected a move"
        return UnreadableWord(word, says, self._line_at(place))
