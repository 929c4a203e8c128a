"""Pages as text for a terminal, with boards side by side."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from damspec.position import board_text

from ..sources import place
from ..view import Block, Figure, Figures, Heading, Items, Paper, Paragraph, Table, WordWriter

#: The width of a board with the blanks beside it, and that of a page that is not wrapped, for its boards and tables.
_BOARD, _PAGE = 38, 160


def as_text(paper: Paper, width: int | None = None, *, boards: bool = True) -> str:
    """Return a page as text, with the documents that it cites at the end.

    Lines are wrapped to the width, if one is given. Without `boards` a position is its caption alone.
    """
    lines = [*_wrap(paper.title, width)]
    for block in paper.blocks:
        lines += _block(block, width, boards=boards)
    if cited := [document for document in paper.documents if document not in paper.about]:
        lines += ["", "Documents"]
        lines += [line for each in cited for line in _wrap(f"{each.id}: {each.reference}", width, 2)]
    return "\n".join(lines) + "\n"


def _wrap(text: str, width: int | None, indent: int = 0) -> Iterator[str]:
    """Yield a text as lines, the further ones indented by two more."""
    blank = " " * indent
    if width is None or len(text) + indent <= width:
        yield f"{blank}{text}"
    else:
        wrapped = textwrap.wrap(text, width - indent, subsequent_indent="  " * bool(indent), break_on_hyphens=False)
        yield from (f"{blank}{line}" for line in wrapped)


_text = WordWriter(str, str, lambda clause: f"{clause.id} ({place(clause)})")
#: A cell; where a clause stands in its document would make it too wide.
_cell = WordWriter(str, str, lambda clause: clause.id)


def _block(block: Block, width: int | None, *, boards: bool) -> Iterator[str]:
    match block:
        case Heading():
            yield from ("", *_wrap(_text(block.words), width))
        case Paragraph():
            yield from _wrap(_text(block.words), width)
        case Items():
            for depth, words in block.items:
                yield from _wrap(_text(words), width, 2 * depth + 2)
        case Table():
            yield from _table(block, width)
        case Figures():
            yield from _figures(block.figures, width, boards=boards)


def _table(block: Table, width: int | None) -> Iterator[str]:
    """Yield a table in columns where they fit, else each row, that of the names too, as a text."""
    rows = [block.columns, *(tuple(map(_cell, row)) for row in block.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 2 * len(widths) <= (width or _PAGE):
        for row in rows:
            cells = (f"{cell:<{size}}" for cell, size in zip(row, widths, strict=True))
            yield f"  {'  '.join(cells)}".rstrip()
        return
    for row in rows:
        yield from _wrap(f"{row[0]}: {' · '.join(filter(None, row[1:]))}", width, 2)


def _figures(figures: Sequence[Figure], width: int | None, *, boards: bool) -> Iterator[str]:
    """Yield boards side by side under their captions, as many as fit."""
    if not boards or len(figures) == 1:
        for figure in figures:
            yield from _wrap(_text(figure.caption), width, 0 if boards else 4)
            yield from board_text(figure.position).splitlines() if boards else ()
        return
    number = max(1, ((width or _PAGE) - 4) // _BOARD)
    for some in (figures[at : at + number] for at in range(0, len(figures), number)):
        captions = [textwrap.wrap(_text(each.caption), _BOARD - 4, break_on_hyphens=False) for each in some]
        yield from _side_by_side(captions)
        yield from _side_by_side([board_text(each.position).splitlines() for each in some])


def _side_by_side(columns: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in zip_longest(*columns, fillvalue=""):
        yield f"    {''.join(f'{cell:<{_BOARD}}' for cell in row)}".rstrip()
