"""Views: data that document something, and the page that shows them, made of blocks.

A form (`forms/`) writes the blocks, whatever they are about; JSON is the data themselves (`view_json.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from damspec import Clause, Layout, Position, Reading, load_clauses, load_readings
from damspec.move import is_move_text, read_squares

from .sources import Document, load_documents


@dataclass(frozen=True)
class Code:
    """A word of the rule language, an id or a move."""

    text: str


@dataclass(frozen=True)
class Cite:
    """A clause, cited with its place in its document."""

    clause: Clause


#: A running text.
Words = tuple[str | Code | Cite, ...]


@dataclass(frozen=True)
class WordWriter:
    """How a form writes a running text: plain words, code, and a clause that is cited."""

    text: Callable[[str], str]
    code: Callable[[str], str]
    cite: Callable[[Clause], str]

    def __call__(self, words: Words) -> str:
        """Return a running text in the form."""
        return "".join(map(self._part, words))

    def _part(self, part: str | Code | Cite) -> str:
        match part:
            case str():
                return self.text(part)
            case Code():
                return self.code(part.text)
            case Cite():
                return self.cite(part.clause)


@dataclass(frozen=True)
class Heading:
    """A heading; `level` is 1 for a section, 2 for a part of one."""

    words: Words
    level: int = 1


@dataclass(frozen=True)
class Paragraph:
    """A paragraph."""

    words: Words


@dataclass(frozen=True)
class Items:
    """A list; each item has its depth, 0 for the outermost."""

    items: tuple[tuple[int, Words], ...]


@dataclass(frozen=True)
class Table:
    """A table with a name for each column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Words, ...], ...]


@dataclass(frozen=True)
class Figure:
    """A position as a picture, with the paths of moves as arrows."""

    position: Position
    layout: Layout | None
    caption: Words
    arrows: tuple[Sequence[int], ...] = ()
    dashed: tuple[Sequence[int], ...] = ()


@dataclass(frozen=True)
class Figures:
    """Boards side by side."""

    figures: tuple[Figure, ...]


Block = Heading | Paragraph | Items | Table | Figures


@dataclass(frozen=True)
class Paper:
    """A page to publish. `records` is its content as one table, for forms that are nothing but a table."""

    title: str
    blocks: tuple[Block, ...]
    records: Table
    #: Documents that it lists even if it cites no clause of theirs.
    about: tuple[Document, ...] = field(default=())

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents that it is about, and those that it cites, in the order of citation."""
        blocks = (words for block in (*self.blocks, self.records) for words in _texts(block))
        cited = (part.clause.document for words in blocks for part in words if isinstance(part, Cite))
        about = (document.id for document in self.about)
        return tuple(load_documents()[id] for id in dict.fromkeys((*about, *cited)))


class View(Protocol):
    """Data that document something, a dataclass, and the page that shows them."""

    #: A dataclass and no other class.
    __dataclass_fields__: ClassVar[dict[str, Any]]

    def paper(self, most: int | None = None) -> Paper:
        """Return the page, with at most so many clauses of a reading."""


def _texts(block: Block) -> Iterator[Words]:
    match block:
        case Heading() | Paragraph():
            yield block.words
        case Items():
            yield from (words for _, words in block.items)
        case Table():
            yield from (words for row in block.rows for words in row)
        case Figures():
            yield from (figure.caption for figure in block.figures)


def prose(text: str) -> Words:
    """Return a text of the data as words; what stands between backticks is code.

    >>> prose("exactly if `capture.choice` is empty")
    ('exactly if ', Code(text='capture.choice'), ' is empty')
    """
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return (text,)
    return tuple(Code(piece) if number % 2 else piece for number, piece in enumerate(pieces) if piece)


def join_words(parts: Iterable[Words], between: str = ", ") -> Words:
    """Return texts as one, with something between them."""
    found: list[str | Code | Cite] = []
    for part in parts:
        found += [between, *part] if found else part
    return tuple(found)


def codes(texts: Iterable[str]) -> Words:
    """Return ids, names or moves as a list in one text."""
    return join_words((Code(text),) for text in texts)


def cite(ids: Iterable[str]) -> Words:
    """Return clauses and readings by their ids, the clauses cited."""
    clauses = load_clauses()
    return join_words(((Cite(clauses[id]) if id in clauses else Code(id)),) for id in ids)


def paths_of(position: Position, moves: Iterable[str]) -> tuple[Sequence[int], ...]:
    """Return the squares of the path of each move; other actions have none."""
    return tuple(read_squares(text, position.board)[0] for text in moves if is_move_text(text))


def quote_clause(clause: Clause) -> Words:
    """Return a clause cited with its own term and what it says."""
    return (Cite(clause), f" “{clause.term}”: ", *prose(clause.says))


def cite_reading(reading: Reading, says: str, most: int | None = None) -> Words:
    """Return a reading as a source: its id, what is said of it, and the clauses that it is about.

    At most so many of them, if a command lists the rest: those of a reading in a file of your own are all given.
    """
    few = reading.clauses[:most] if reading in load_readings() else reading.clauses
    more = len(reading.clauses) - len(few)
    rest: Words = (f" and {more} more, which ", Code(f"damspec explain {reading.id} --all"), " lists") if more else ()
    return (Code(reading.id), f" ({says}", *((", on ", *cite(few), *rest) if few else ()), ")")
