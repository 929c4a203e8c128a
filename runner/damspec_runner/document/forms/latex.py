r"""Pages as LaTeX documents that need nothing beside them, with boards drawn by TikZ.

They compile with LuaLaTeX and XeLaTeX, and with pdfLaTeX, which shows letters of other scripts by their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from damspec import Clause, Layout, Position
from damspec.drawing import ARROW, COLOURS, DARK, DISCS, LIGHT, REACH, UNIT, corners, middles
from damspec.position import slider_letters

from ..sources import Document, article_of
from ..view import Block, Figure, Figures, Heading, Items, Paper, Paragraph, Table, WordWriter

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
#: What fonts show as something else, alone or in pairs, and where a long address may break.
_TYPOGRAPHIC = {
    "`": r"\textasciigrave{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "-": "-{}",
    "'": "'{}",
    "/": r"/\allowbreak{}",
}
#: Characters beyond ASCII that pdfLaTeX has in its usual fonts.
_WESTERN = frozenset(
    "¡£§«»¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ"
    "ĂăĄąĆćČčĎďĐđĘęĚěĞğİıĹĺĽľŁłŃńŇňŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž–—‘’‚“”„…×½"
)
#: The width of the text in points, and the widest side of a square of a board.
_TEXT_WIDTH, _SQUARE = 455, 22
#: From this number of columns on, the page lies on its side.
_LANDSCAPE = 6
_COLOURS = {"damlight": LIGHT, "damdark": DARK, "damarrow": ARROW} | {
    f"dam{side}{part}": colour
    for side, pair in DISCS.items()
    for part, colour in zip(("fill", "line"), pair, strict=True)
}


def as_latex(paper: Paper) -> str:
    """Return a page as a whole LaTeX document, with its references at the end."""
    body = [rf"\section*{{{escape(paper.title)}}}", ""]
    for block in paper.blocks:
        body += [*_block(block), ""]
    if paper.documents:
        body += [r"\begin{thebibliography}{99}", *map(_bibitem, paper.documents), r"\end{thebibliography}", ""]
    return "\n".join([*_preamble(paper, "\n".join(body)), r"\begin{document}", *body, r"\end{document}", ""])


def escape(text: str) -> str:
    """Return a text as LaTeX that shows exactly this text."""
    return _replace_letters(text, _SPECIAL | _TYPOGRAPHIC)


def escape_special(text: str) -> str:
    """Return a text with only those characters replaced that have a meaning in LaTeX."""
    return _replace_letters(text, _SPECIAL)


def _replace_letters(text: str, by: Mapping[str, str]) -> str:
    return "".join(by.get(letter, letter) for letter in re.sub(r"\s+", " ", text))


def _preamble(paper: Paper, body: str) -> Iterator[str]:
    widest = max((len(block.columns) for block in paper.blocks if isinstance(block, Table)), default=0)
    foreign = sorted({letter for letter in body if not letter.isascii()} - _WESTERN)
    yield r"\documentclass[a4paper]{article}"
    yield rf"\usepackage[margin=2.5cm{',landscape' if widest >= _LANDSCAPE else ''}]{{geometry}}"
    yield r"\usepackage{iftex,array,longtable,tikz}"
    yield r"\ifPDFTeX"
    yield r"  \usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{textcomp}"
    yield from (rf"  \DeclareUnicodeCharacter{{{ord(letter):04X}}}{{[U+{ord(letter):04X}]}}" for letter in foreign)
    yield r"\else"
    yield r"  \usepackage{fontspec}\IfFontExistsTF{FreeSerif}{\setmainfont{FreeSerif}}{}"
    yield r"\fi"
    yield from (rf"\definecolor{{{name}}}{{HTML}}{{{colour[1:].upper()}}}" for name, colour in _COLOURS.items())
    yield from (rf"\definecolor{{dam{name}}}{{HTML}}{{{colour[1:].upper()}}}" for name, colour in COLOURS.items())
    yield r"\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}\emergencystretch=3em"


def _bibitem(document: Document) -> str:
    return rf"\bibitem[{{{document.id}}}]{{{document.id}}} {escape(document.reference)}"


def _code(text: str) -> str:
    """Return code that may break after its punctuation, since rules have long names and columns are narrow."""
    broken = re.sub(r"(?<=[.=,?+:])(?! )|(?<=-\{\})", lambda _: r"\allowbreak{}", escape(text))
    return rf"\texttt{{{broken}}}"


def _cite(clause: Clause) -> str:
    where = article_of(clause)
    article = f"[{{{escape(where)}}}]" if where else ""
    return rf"{_code(clause.id)} \cite{article}{{{clause.document}}}"


_words = WordWriter(escape, _code, _cite)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield rf"\{'sub' * block.level}section*{{{_words(block.words)}}}"
        case Paragraph():
            yield _words(block.words)
        case Items():
            yield from _items(block)
        case Table():
            yield from _table(block)
        case Figures():
            yield from map(_figure, block.figures)


def _items(block: Items) -> Iterator[str]:
    """Yield nested lists; the braces keep a text in brackets from being the label of its item."""
    depth = -1
    for at, words in block.items:
        for _ in range(at, depth):
            yield r"\end{itemize}"
        for _ in range(depth, at):
            yield r"\begin{itemize}\setlength{\itemsep}{0pt}"
        depth = at
        yield rf"\item {{}}{_words(words)}"
    for _ in range(depth + 1):
        yield r"\end{itemize}"


def _table(block: Table) -> Iterator[str]:
    """Yield a table over as many pages as it takes; the braces keep a text in brackets apart from the line's end."""
    number = len(block.columns)
    width = rf">{{\raggedright\arraybackslash}}p{{\dimexpr\linewidth/{number}-2\tabcolsep\relax}}"
    yield r"{\small"
    yield rf"\begin{{longtable}}{{*{{{number}}}{{{width}}}}}"
    yield " & ".join(rf"\textbf{{{escape(column)}}}" for column in block.columns) + r" \\ \hline \endhead"
    for row in block.rows:
        yield "{}" + " & ".join(map(_words, row)) + r" \\"
    yield r"\end{longtable}}"


# --- boards -----------------------------------------------------------------------------------


def _figure(figure: Figure) -> str:
    board = figure.position.board
    square = min(_SQUARE, (_TEXT_WIDTH // 2 - 10) // board.columns)
    drawn = "\n  ".join(_drawing(figure.position, figure.layout, figure.arrows, figure.dashed))
    return (
        rf"\begin{{minipage}}[t]{{{square * board.columns + 8}pt}}\raggedright {_words(figure.caption)}\par\medskip"
        f"\n\\begin{{tikzpicture}}[x={square / UNIT}pt,y=-{square / UNIT}pt]\n  {drawn}\n\\end{{tikzpicture}}"
        "\n\\end{minipage}\\hfill"
    )


def _drawing(
    position: Position, layout: Layout | None, arrows: Iterable[Sequence[int]], dashed: Iterable[Sequence[int]]
) -> Iterator[str]:
    board = position.board
    corner, middle = corners(board), middles(board)
    yield rf"\fill[damlight] (0,0) rectangle ({board.columns * UNIT},{board.rows * UNIT});"
    edge = r"[fill=damdark,draw=damlight]" if board.squares == "all" else "[fill=damdark]"
    for x, y in corner:
        yield rf"\path{edge} ({x},{y}) rectangle ({x + UNIT},{y + UNIT});"
    if layout:
        yield from _doors(position, layout, corner)
    for number, piece in position.pieces():
        x, y = middle[number - 1]
        yield rf"\filldraw[fill=dam{piece.side}fill,draw=dam{piece.side}line] ({x},{y}) circle[radius={REACH}];"
        if piece.kind == "king":
            crown = [(-8, 6), (-9, -5), (-4, 0), (0, -8), (4, 0), (9, -5), (8, 6)]
            outline = " -- ".join(f"({x + right},{y + down})" for right, down in crown)
            yield rf"\fill[dam{piece.side}line] {outline} -- cycle;"
    for paths, style in ((arrows, "very thick"), (dashed, "very thick,dashed")):
        for path in paths:
            line = " -- ".join("({},{})".format(*middle[number - 1]) for number in path)
            yield rf"\draw[damarrow,{style},-stealth] {line};"
    for number, (x, y) in enumerate(corner, 1):
        yield rf"\node[anchor=north west,inner sep=0.5pt,white] at ({x},{y}) {{\tiny {number}}};"
    yield rf"\draw (0,0) rectangle ({board.columns * UNIT},{board.rows * UNIT});"


def _doors(position: Position, layout: Layout, corner: Sequence[tuple[int, int]]) -> Iterator[str]:
    for slider, letter in zip(layout.sliders, slider_letters(layout, position), strict=True):
        for door in (slider.left, slider.right):
            x, y = corner[door - 1]
            style = f"draw=dam{slider.colour},thick" + (",fill=black" if door == slider.door(letter) else ",dashed")
            yield rf"\path[{style}] ({x + 3},{y + 3}) rectangle ({x + UNIT - 3},{y + UNIT - 3});"
