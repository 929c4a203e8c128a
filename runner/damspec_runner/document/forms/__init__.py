"""Pages to publish, written as Markdown, CSV, LaTeX, HTML or BibTeX."""

from __future__ import annotations

from typing import Literal, get_args

from ..view import Paper

Form = Literal["markdown", "csv", "latex", "html", "bibtex"]
FORMS: tuple[Form, ...] = get_args(Form)


def render(paper: Paper, form: Form) -> str:
    """Return a page in a form; as BibTeX only its documents. Raises NoDocumentError if there are none."""
    match form:
        case "markdown":
            from .markdown import as_markdown

            return as_markdown(paper)
        case "csv":
            from .tables import as_csv

            return as_csv(paper)
        case "latex":
            from .latex import as_latex

            return as_latex(paper)
        case "html":
            from .html import as_html

            return as_html(paper)
        case "bibtex":
            from .bibtex import as_bibtex

            return as_bibtex(paper)
