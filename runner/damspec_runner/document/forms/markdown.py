"""Pages as Markdown, with boards as text, so that they show wherever Markdown is read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from damspec import Clause
from damspec.position import board_text

from ..sources import place
from ..view import Block, Figure, Figures, Heading, Items, Paper, Paragraph, Table, WordWriter


def as_markdown(paper: Paper) -> str:
    """Return a page as Markdown, with its references at the end."""
    lines = [f"# {escape(paper.title)}", ""]
    for block in paper.blocks:
        lines += [*_block(block), ""]
    if paper.documents:
        lines += ["## References", ""]
        lines += [f"- {escape(f'[{document.id}]')} {escape(document.reference)}" for document in paper.documents]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def escape(text: str) -> str:
    """Return a text of one line as Markdown that shows exactly this text, wherever in a line it stands."""
    text = re.sub(r"([\\`*_{}\[\]<>#|~&!])", r"\\\1", " ".join(text.split()) if "\n" in text else text)
    return re.sub(r"^(\s*)([-+=]|\d+(?=[.)]\s))", _escape_marker, text)


def _escape_marker(match: re.Match[str]) -> str:
    """Escape what would begin a list at the start of a line: a dash, or a number before its full stop."""
    blank, marker = match.groups()
    return f"{blank}\\{marker}" if not marker.isdigit() else f"{blank}{marker}\N{ZERO WIDTH NON-JOINER}"


def code(text: str) -> str:
    """Return a text as code, whatever is in it."""
    ticks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    space = " " if text[:1] in ("`", " ", "") or text[-1:] in ("`", " ") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def _cite(clause: Clause) -> str:
    return f"{code(clause.id)} {escape(f'[{place(clause)}]')}"


_words = WordWriter(escape, code, _cite)
#: A cell; inside code a bar would end it even there.
_cell = WordWriter(escape, lambda text: code(text).replace("|", "\\|"), _cite)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * (block.level + 1)} {_words(block.words)}"
        case Paragraph():
            yield _words(block.words)
        case Items():
            yield from (f"{'  ' * depth}- {_words(words)}" for depth, words in block.items)
        case Table():
            yield _row(map(escape, block.columns))
            yield _row("---" for _ in block.columns)
            yield from (_row(map(_cell, row)) for row in block.rows)
        case Figures():
            for number, figure in enumerate(block.figures):
                yield from ([""] if number else [])
                yield from _figure(figure)


def _row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _figure(figure: Figure) -> Iterator[str]:
    yield _words(figure.caption)
    yield from ("", "```", *board_text(figure.position).splitlines(), "```")
