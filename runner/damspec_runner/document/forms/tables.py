"""Pages as CSV: their records as one table."""

from __future__ import annotations

import csv
from io import StringIO

from damspec import Clause

from ..sources import article_of, load_documents
from ..view import Paper, WordWriter


def as_csv(paper: Paper) -> str:
    """Return the records of a page; each citation has title, year, article and address."""
    written = StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(paper.records.columns)
    writer.writerows(map(_text, row) for row in paper.records.rows)
    return written.getvalue()


def _cite(clause: Clause) -> str:
    article = article_of(clause)
    where = f", {article}" if article else ""
    return f"{clause.id} [{load_documents()[clause.document].reference.rstrip('.')}{where}]"


_text = WordWriter(str, str, _cite)
