"""Pages as HTML files that need nothing beside them, with boards as pictures in the page."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from markupsafe import Markup, escape

from damspec import Clause
from damspec.drawing import svg

from ..sources import Document, place, split_addresses
from ..view import Block, Figure, Figures, Heading, Items, Paper, Paragraph, Table, Words, WordWriter

#: The width of a square of a board in pixels.
_SQUARE = 40


def as_html(paper: Paper) -> str:
    """Return a page as HTML, with its references at the end, to which each citation leads."""
    blocks = Markup("\n").join(map(_block, paper.blocks))
    references = Markup("\n").join(map(_reference, paper.documents))
    if references:
        references = Markup('<h2>References</h2>\n<dl class="references">\n{}\n</dl>').format(references)
    page = Markup(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        "<style>\n{style}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{blocks}\n{references}\n</main>\n</body>\n"
        "</html>\n"
    )
    return page.format(title=paper.title, style=_style(), blocks=blocks, references=references)


@cache
def _style() -> Markup:
    here = Path(__file__).parent
    return Markup("").join(
        Markup(path.read_text(encoding="utf-8")) for path in (here.parents[1] / "page.css", here / "paper.css")
    )


def _reference(document: Document) -> Markup:
    pieces = (
        Markup('<a href="{}">{}</a>').format(url, text) if url else escape(text)
        for text, url in split_addresses("; ".join(document.addresses))
    )
    before = document.reference.removesuffix("; ".join(document.addresses) + ".") if document.addresses else ""
    words = Markup("{}{}.").format(before, Markup("").join(pieces)) if before else escape(document.reference)
    return Markup('<div id="document-{id}"><dt>[{id}]</dt><dd>{words}</dd></div>').format(id=document.id, words=words)


def _cite(clause: Clause) -> Markup:
    cited = Markup('<code>{id}</code> <a class="cite" href="#document-{document}">[{place}]</a>')
    return cited.format(id=clause.id, document=clause.document, place=place(clause))


_write = WordWriter(escape, Markup("<code>{}</code>").format, _cite)


def _words(words: Words) -> Markup:
    return Markup(_write(words))


def _block(block: Block) -> Markup:
    match block:
        case Heading():
            return Markup("<h{level}>{words}</h{level}>").format(level=block.level + 1, words=_words(block.words))
        case Paragraph():
            return Markup("<p>{}</p>").format(_words(block.words))
        case Items():
            return _items(block)
        case Table():
            head = Markup("").join(Markup('<th scope="col">{}</th>').format(column) for column in block.columns)
            rows = Markup("\n").join(map(_row, block.rows))
            table = '<div class="wide"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}\n</tbody></table></div>'
            return Markup(table).format(head, rows)
        case Figures():
            return Markup('<div class="boards">\n{}\n</div>').format(Markup("\n").join(map(_figure, block.figures)))


def _row(cells: tuple[Words, ...]) -> Markup:
    return Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(_words(cell)) for cell in cells))


def _items(block: Items) -> Markup:
    """Return nested lists."""
    lines, depth = [], -1
    for at, words in block.items:
        lines += [Markup("</li>")] if at == depth else [Markup("</li></ul></li>")] * max(0, depth - at)
        lines += [Markup("<ul>")] * max(0, at - depth)
        lines.append(Markup("<li>{}").format(_words(words)))
        depth = at
    return Markup("\n").join([*lines, *[Markup("</li></ul>")] * (depth + 1)])


def _figure(figure: Figure) -> Markup:
    drawn = svg(
        figure.position,
        layout=figure.layout,
        arrows=figure.arrows,
        dashed=figure.dashed,
        size=_SQUARE * figure.position.board.columns,
        state=True,
    )
    return Markup("<figure><figcaption>{}</figcaption>{}</figure>").format(_words(figure.caption), Markup(drawn))
