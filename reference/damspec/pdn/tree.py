"""Games in PDN as trees of moves: mainline, variations, comments, annotations and headers, to be edited and written.

The moves of a game are texts until something asks for a position or a move of theirs: a game that breaks the rules, or
whose ruleset is unknown, can be read, edited and written like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TextIO
from weakref import WeakKeyDictionary, ref

from ..errors import ArgumentTypeError, PdnError, RulesetError, expect, expect_number, quote_any, quote_value
from ..move import Action, is_other_text
from ..other_names import OtherNames
from ..position import Position
from ..ruleset import Ruleset, to_ruleset
from .parser import LINE_LIMIT, Chunk, chunks, read_record, read_records, records_in
from .record import Comment, Element, Nag, Setup, SkippedMove, UnreadableWord, Variation, WrittenGame, WrittenMove

_CLOCK = re.compile(r"\[%(?:clk|clock)\s([^\]]*)\]")
#: A time on a clock, with the side that it is of if both are there.
_TIME = re.compile(r"([wWbB]?)(?<![0-9])([0-9]{1,4}):([0-9]{1,2}):([0-9]{1,2})")
_SETUP = re.compile(r'/FEN "([^"]*)"/')
_NUMBER = re.compile(r"([0-9]+)\.(\.\.)?")
_HIGHEST_NAG = 9999


class GameNode(metaclass=OtherNames):
    """A move of a game, or its beginning, and what can follow: the first of `variations` is the mainline.

    The root of a game is its `GameRecord`, whose parent is None; every other node is a `ChildNode`, whose parent is a
    node. `text` is the move as written. `starting_comments` stand before it, which a variation can have; `comments` and
    `nags` behind it. `strength` is what is written at the move itself: `!?`.
    """

    def __init__(self, parent: GameNode | None, text: str, *, number: str | None = None, strength: str = "") -> None:
        self.parent = parent
        self.text = text
        self.strength = strength
        self.starting_comments: list[str] = []
        self.comments: list[str] = []
        self.nags: list[int] = []
        self.variations: list[ChildNode] = []
        #: The move number as read, empty if there was none; None where it is to be found.
        self._number = number
        self._played: tuple[Position, Action | None, Position] | None = None

    # --- walking

    @property
    def game(self) -> GameRecord:
        """The root of the tree."""
        node = self
        while node.parent is not None:
            node = node.parent
        if not isinstance(node, GameRecord):
            raise PdnError(f"{self!r} is not part of a game")
        return node

    @property
    def next(self) -> ChildNode | None:
        """The next node of the mainline, or None at its end."""
        return self.variations[0] if self.variations else None

    @property
    def end(self) -> GameNode:
        """The last node of the mainline from here."""
        return [self, *self.mainline()][-1]

    @property
    def is_mainline(self) -> bool:
        """Whether the node is part of the game's mainline."""
        return all(node.parent is None or node.parent.next is node for node in self._path())

    @property
    def ply(self) -> int:
        """The number of nodes before this one; 0 at the root."""
        return len(self._path()) - 1

    def mainline(self) -> Iterator[ChildNode]:
        """Yield the nodes of the mainline that follow this one."""
        node: GameNode = self
        while node.variations:
            node = node.variations[0]
            yield node

    def _path(self) -> list[GameNode]:
        node: GameNode | None = self
        path = []
        while node is not None:
            path.append(node)
            node = node.parent
        return path[::-1]

    # --- playing

    @property
    def position(self) -> Position:
        """The position after the move. Raises PdnError if a move on the way is not legal, or without a ruleset."""
        return self._play()[2]

    @property
    def move(self) -> Action:
        """The move. Raises PdnError if it is not legal, and at the root or a position that is set up."""
        action = self._play()[1]
        if action is None:
            raise PdnError(f"{self!r} is no move")
        return action

    def _play(self) -> tuple[Position, Action | None, Position]:
        root, path = self.game, self._path()[1:]
        start = root.start
        played: tuple[Position, Action | None, Position] = (start, None, start)
        for node in path:
            if node._played is None or node._played[0] is not played[2]:
                node._played = (played[2], *node._played_from(played[2], root.ruleset))
            played = node._played
        return played

    def _played_from(self, position: Position, ruleset: Ruleset) -> tuple[Action | None, Position]:
        from .notation import notation_of

        if found := _SETUP.fullmatch(self.text):
            return None, ruleset.position(found[1])
        if not self.text:
            return None, position
        action = notation_of(ruleset).read(self.text, position, (node.text for node in self.mainline()))
        return action, ruleset.turns.after(position, action)

    # --- editing

    @property
    def comment(self) -> str:
        """The comments behind the move as one text; setting it replaces them."""
        return " ".join(self.comments)

    @comment.setter
    def comment(self, text: str) -> None:
        expect(text, "comment", str, "a text")
        self.comments = [text] if text else []

    @property
    def clock(self) -> float | None:
        """The seconds left on the clock of the side that moved, as `[%clk 1:55:21]` in a comment says; else None."""
        for clock in (match for text in self.comments for match in _CLOCK.finditer(text)):
            for side, hours, minutes, seconds in _TIME.findall(clock[1]):
                if not side or side.lower() == self._mover():
                    return 3600.0 * int(hours) + 60 * int(minutes) + int(seconds)
        return None

    @clock.setter
    def clock(self, seconds: float | None) -> None:
        self.comments = [kept for text in self.comments if (kept := _CLOCK.sub("", text).strip())]
        if seconds is not None:
            expect_number(seconds := int(seconds), "clock", 0, 10**7)
            self.comments.insert(0, f"[%clk {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}]")

    def add_variation(
        self, move: Action | str, *, comment: str = "", starting_comment: str = "", nags: Iterable[int] = ()
    ) -> ChildNode:
        """Append a move that can follow this one, and return its node.

        A text is checked like the moves of a game: raises PdnError if it is not legal here. A game without a ruleset
        takes any text that looks like a move.
        """
        expect(move, "move", str | Action, "a move or its notation")
        node = ChildNode(self, self._text_of(move))
        node.comment = comment
        node.starting_comments = [starting_comment] if starting_comment else []
        for nag in nags:
            expect_number(nag, "nags", 0, _HIGHEST_NAG)
            node.nags.append(nag)
        self.variations.append(node)
        return node

    def _text_of(self, move: Action | str) -> str:
        from .notation import notation_of

        root = self.game
        if root.has_ruleset:
            position, notation = self.position, notation_of(root.ruleset)
            return notation.text_of(position, notation.read(move, position) if isinstance(move, str) else move)
        text = str(move)
        found = _parse(text)
        if len(found) != 1 or [type(item) for item in found[0].body] != [WrittenMove]:
            raise PdnError(f"found {quote_value(text)}, expected a move such as 32-28")
        return text

    def add_main_variation(self, move: Action | str, *, comment: str = "") -> ChildNode:
        """Add a move as the new mainline; what was the mainline becomes the first variation."""
        node = self.add_variation(move, comment=comment)
        node.promote_to_main()
        return node

    def add_line(self, moves: Iterable[Action | str]) -> GameNode:
        """Add moves one after another, and return the last node."""
        node = self
        for move in moves:
            node = node.add_variation(move)
        return node

    def annotate_from(self, other: GameNode) -> None:
        """Copy the comments, annotations and alternatives of another node of the same move."""
        self.strength, self.nags = other.strength, other.nags[:]
        self.starting_comments, self.comments = other.starting_comments[:], other.comments[:]
        if self.parent is not None and other.parent is not None:
            for node in other.parent.variations[1:]:
                self.parent.variations.append(node.copy_to(self.parent))

    def copy_to(self, parent: GameNode) -> ChildNode:
        """Return a copy of the node, and of all that follows, that belongs to another parent."""
        begins = ChildNode(parent, self.text, number=self._number)
        waiting = [(self, begins)]
        while waiting:
            old, new = waiting.pop()
            new.strength, new.nags = old.strength, old.nags[:]
            new.starting_comments, new.comments = old.starting_comments[:], old.comments[:]
            for child in old.variations:
                copied = ChildNode(new, child.text, number=child._number)
                new.variations.append(copied)
                waiting.append((child, copied))
        return begins

    # --- writing

    def _first_number(self) -> tuple[int, int]:
        """Return the move number, and 1 if the second side moves, else 0."""
        plies = 0
        for node in reversed(self._path()):
            found = _NUMBER.fullmatch(node._number or "")
            if found:
                return divmod(2 * int(found[1]) + bool(found[2]) + plies, 2)
            plies += node.parent is not None and node._is_piece_move()
        return divmod(1 + plies + self.game._begins_second(), 2)

    def _mover(self) -> str:
        """Return the side that moved as `w` or `b`; in a game without a ruleset, White is taken to begin."""
        root = self.game
        first = root.ruleset.rules.start.first[0] if root.has_ruleset else "w"
        return first if not self._first_number()[1] else "b" if first == "w" else "w"

    def _is_piece_move(self) -> bool:
        return bool(self.text) and not is_other_text(self.text) and not _SETUP.fullmatch(self.text)

    def _written_number(self) -> str:
        if self._number is not None:
            return self._number
        begins = self.parent is None or self.parent.variations[0] is not self or not self.parent._is_piece_move()
        number, second = self._first_number()
        return f"{number}..." if second and begins else "" if second else f"{number}."

    def _elements(self) -> Iterator[Element]:
        """Yield the node itself as elements of a record."""
        yield from map(Comment, map(_escape_braces, self.starting_comments))
        if found := _SETUP.fullmatch(self.text):
            yield Setup(found[1])
        elif is_other_text(self.text):
            yield Comment(self.text)
        elif self.text.strip("-"):
            yield WrittenMove(self.text, self._written_number(), self.strength)
        elif self.text:
            yield SkippedMove(self.text, self._written_number())
        yield from map(Nag, self.nags)
        yield from map(Comment, map(_escape_braces, self.comments))

    def _line(self) -> Iterator[Element]:
        """Yield what follows the node: the mainline, with the alternatives behind each of its moves."""
        node = self
        while node.variations:
            first, *others = node.variations
            yield from first._elements()
            for other in others:
                yield Variation((*other._elements(), *other._line()))
            node = first

    def _append(self, body: Sequence[Element], *, is_plain: bool, is_variation: bool = False) -> None:
        """Append the moves of a body: the movetext of a record, or a variation."""
        node = self
        before = list[str]()  # the comments before the first move of a variation
        waiting = list[Variation]()  # variations before the first move of the game
        number = ""

        def play(text: str, number: str | None, strength: str = "") -> ChildNode:
            child = ChildNode(node, text, number=number, strength=strength)
            child.starting_comments[:] = before
            before.clear()
            node.variations.append(child)
            return child

        for item in body:
            is_first = is_variation and node is self
            match item:
                case WrittenMove():
                    number, written = "", item.number or number
                    node = play(item.text, written if written != "..." else None, item.strength)
                case SkippedMove(text="..."):
                    number = f"{item.number.rstrip('.')}..."
                case SkippedMove():
                    node = play(item.text, item.number)
                case Setup():
                    node = play(f'/FEN "{item.fen}"/', "")
                case Comment():
                    if not is_plain and is_other_text(item.text):
                        node = play(item.text, "")
                    else:
                        (before if is_first else node.comments).append(item.text)
                case Nag():
                    node = play("", "") if is_first else node
                    node.nags.append(item.number)
                case Variation():
                    if node is self:
                        waiting.append(item)
                    elif node.parent is not None:
                        node.parent._append(item.body, is_plain=is_plain, is_variation=True)
                case UnreadableWord():
                    if item.text[:1] in ("{", "["):  # the rest of the text, or of the line
                        node.comments.append(_escape_braces(item.text.strip("{}").strip()))
                    elif item.text.strip("()"):
                        node = play(item.text, "")
        if before:
            play("", "")
        for variation in waiting:
            self._append(variation.body, is_plain=is_plain, is_variation=True)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text or 'start'}>"


class ChildNode(GameNode):
    """A move of a game: a node with a parent, and with alternatives, which are the parent's `variations`."""

    parent: GameNode

    def __init__(self, parent: GameNode, text: str, *, number: str | None = None, strength: str = "") -> None:
        super().__init__(parent, text, number=number, strength=strength)

    def promote_to_main(self) -> None:
        """Make the move the first choice of its parent."""
        siblings = self._edited_siblings()
        siblings.remove(self)
        siblings.insert(0, self)

    def promote(self) -> None:
        """Move the node one place up among its alternatives."""
        self._shift(-1)

    def demote(self) -> None:
        """Move the node one place down among its alternatives."""
        self._shift(1)

    def _shift(self, by: int) -> None:
        siblings = self._edited_siblings()
        place = siblings.index(self)
        other = min(max(place + by, 0), len(siblings) - 1)
        siblings[place], siblings[other] = siblings[other], siblings[place]

    def remove(self) -> None:
        """Remove the move and all that follows it from the game."""
        self._edited_siblings().remove(self)

    def _edited_siblings(self) -> list[ChildNode]:
        """Return the node and its alternatives, without the numbers read, which fit only their former order."""
        for node in self.parent.variations:
            node._number = None
        return self.parent.variations


class GameRecord(GameNode):
    """A game in PDN: its headers, the moves as a tree, and the result at its end.

    The ruleset is the one given, else the one that the headers name. `errors` says what could not be read. `str` of a
    game is PDN 3.0: a game in that form is written as it was read.

    >>> game = GameRecord.from_pdn('[GameType "20"] 1. 32-28 {as always} 19-23 (1... 18-23 $1) 2. 28x19 1-1')
    >>> [node.text for node in game.mainline()], game.next.comment, game.result
    (['32-28', '19-23', '28x19'], 'as always', '1-1')
    >>> node = game.end.add_variation("14x23", comment="and level")
    >>> print(game)
    [GameType "20"]
    <BLANKLINE>
    1. 32-28 {as always} 19-23 (1... 18-23 $1) 2. 28x19 14x23 {and level} 1-1
    """

    def __init__(self, headers: Mapping[str, str] | None = None, ruleset: Ruleset | str | None = None) -> None:
        super().__init__(None, "")
        self.headers: dict[str, str] = dict(WrittenGame(headers or {}, ()).tags)
        self.termination_marker = "*"
        self.line = 1
        self.errors: list[str] = []
        self._ruleset = None if ruleset is None else to_ruleset(ruleset)
        self._begun: tuple[Ruleset, str, Position] | None = None

    @classmethod
    def from_pdn(cls, text: str, ruleset: Ruleset | str | None = None) -> GameRecord:
        """Read a text with exactly one game. Raises PdnError."""
        return cls.from_written(read_record(text), ruleset)

    @classmethod
    def from_written(cls, record: WrittenGame, ruleset: Ruleset | str | None = None) -> GameRecord:
        """Return the tree of a game as written."""
        expect(record, "record", WrittenGame, "a WrittenGame")
        game = cls(record.tags, ruleset)
        game.line, game.termination_marker = record.line, record.termination_marker
        game.errors = [f"line {wrong.line}: {wrong.says}" for wrong in record.unread()]
        game._append(record.body, is_plain=game._is_plain())
        return game

    def _is_plain(self) -> bool:
        """Return whether comments are no actions of the spinner, of sliders or of huffing."""
        is_known = self._ruleset is not None or ("Ruleset" in self.headers and self.has_ruleset)
        return not is_known or self.ruleset.turns.plain

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of the game. Raises PdnError if none was given and the headers name none."""
        from .games import ruleset_for

        return self._ruleset or ruleset_for(WrittenGame(self.headers, ()))

    @ruleset.setter
    def ruleset(self, ruleset: Ruleset | str) -> None:
        self._ruleset = to_ruleset(ruleset)

    @property
    def has_ruleset(self) -> bool:
        """Whether a ruleset was given, or the headers name one."""
        try:
            return bool(self.ruleset)
        except (PdnError, RulesetError):
            return False

    @property
    def start(self) -> Position:
        """The first position, of the header FEN or the ruleset's own. Raises PdnError or PositionError."""
        ruleset, fen = self.ruleset, self.headers.get("FEN") or "start"
        if self._begun is None or self._begun[:2] != (ruleset, fen):
            self._begun = (ruleset, fen, ruleset.read_position(fen))
        return self._begun[2]

    @property
    def result(self) -> str:
        """The result: that of the header, else the one at the end of the moves. Setting it sets both."""
        named = self.headers.get("Result", "")
        return named if named.strip("?* ") else self.termination_marker

    @result.setter
    def result(self, result: str) -> None:
        expect(result, "result", str, "a result such as 1-0")
        self.headers["Result"] = result
        self.termination_marker = (
            result if [record.termination_marker for record in _parse(result)] == [result] else "*"
        )

    def to_written(self) -> WrittenGame:
        """Return the game as it is written."""
        own: list[Element] = [*map(Nag, self.nags), *map(Comment, map(_escape_braces, self.comments))]
        return WrittenGame(self.headers, (*own, *self._line()), self.line, self.termination_marker)

    def _begins_second(self) -> bool:
        """Return whether the side that moves second in this game is the first to move here."""
        side = self.headers.get("FEN", "")[:1].lower()
        return bool(side) and self.has_ruleset and side != self.ruleset.rules.start.first[0]

    def _content(self) -> object:
        return (self.headers, self.termination_marker, tuple(self.nags), tuple(self.comments), _content(self))

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, GameRecord) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return str(self.to_written())

    def __repr__(self) -> str:
        return f"<GameRecord {self.to_written().players or '? - ?'}, {sum(1 for _ in self.mainline())} moves>"


def read_pdn(text: str, ruleset: Ruleset | str | None = None) -> list[GameRecord]:
    """Read the games of a text. Raises PdnError at the first that cannot be read, naming game and line.

    >>> [game.headers["White"] for game in read_pdn('[White "A"] 1. 32-28 *')]
    ['A']
    """
    by = None if ruleset is None else to_ruleset(ruleset)
    return [GameRecord.from_written(record, by) for record in read_records(text)]


def read_game(handle: TextIO, ruleset: Ruleset | str | None = None) -> GameRecord | None:
    """Read the next game of a text file, or return None at its end.

    What cannot be read ends up in the game's `errors`. The file is read ahead by one line, so it has to be read by this
    function alone.

    >>> from io import StringIO
    >>> handle = StringIO('[White "A"] 1. 32-28 1-1\\n[White "B"] 1. 31-27 *')
    >>> [game.headers["White"] for game in iter(lambda: read_game(handle), None)]
    ['A', 'B']
    """
    if not hasattr(handle, "readline"):
        raise ArgumentTypeError(f"handle: found {quote_any(handle)}, expected a file open for reading text")
    by = None if ruleset is None else to_ruleset(ruleset)
    record = next(_READERS.setdefault(handle, _records(ref(handle))), None)
    return None if record is None else GameRecord.from_written(record, by)


#: The games still to come of each handle, for as long as the handle is there.
_READERS: WeakKeyDictionary[TextIO, Iterator[WrittenGame]] = WeakKeyDictionary()


def _records(handle: ref[TextIO]) -> Iterator[WrittenGame]:
    def line() -> str:
        file = handle()
        read = file.readline(LINE_LIMIT) if file else ""
        expect(read, "handle", str, "a file open for reading text")
        return read

    for chunk in chunks(iter(line, "")):
        yield from records_in(chunk)


def _parse(text: str) -> list[WrittenGame]:
    return records_in(Chunk(text, 1, len(text)))


def _escape_braces(comment: str) -> str:
    """Return a comment with closing braces replaced, which would end it."""
    return comment.replace("}", ")")


def _content(node: GameNode) -> tuple[object, ...]:
    """Return the moves after a node as plain data, without recursion along the mainline."""
    line: list[object] = []
    while node.variations:
        first, *others = node.variations
        line.append((_annotation(first), *((_annotation(other), _content(other)) for other in others)))
        node = first
    return tuple(line)


def _annotation(node: GameNode) -> tuple[object, ...]:
    comments = (tuple(node.starting_comments), tuple(node.comments))
    return (node.text, node.strength, tuple(node.nags), *comments)
