"""Pages as CSV: their records as one table."""

from __future__ import annotations

import csv
from io import StringIO

from ..sources import article_of, load_documents
from ..view import Cite, Code, Paper, Words


def as_csv(paper: Paper) -> str:
    """Return the records of a page; each citation has title, year, article and address."""
    written = StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(paper.records.columns)
    writer.writerows([_text(words) for words in row] for row in paper.records.rows)
    return written.getvalue()


def _text(words: Words) -> str:
    return "".join(map(_part, words))


def _part(part: str | Code | Cite) -> str:
    match part:
        case str():
            return part
        case Code():
            return part.text
        case Cite():
            article = article_of(part.clause)
            where = f", {article}" if article else ""
            return f"{part.clause.id} [{load_documents()[part.clause.document].reference.rstrip('.')}{where}]"
