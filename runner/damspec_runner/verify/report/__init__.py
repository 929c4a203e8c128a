"""Reports of a run, rendered by the name of their format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import StringIO
from typing import Literal, get_args

from ..result import Report

Format = Literal[
    "pretty", "json", "jsonl", "junit", "tap", "markdown", "html", "issue", "annotations", "badge", "badge-json"
]
FORMATS: tuple[Format, ...] = get_args(Format)
#: Failures that `pretty` and `markdown` show in full.
IN_FULL = 3


def render(reports: Sequence[Report], form: Format, in_full: int = IN_FULL) -> str:
    """Return reports in a format; `pretty` and `markdown` show the first `in_full` failures in full."""
    from . import ci, documents

    match form:
        case "pretty":
            return _pretty(reports, in_full)
        case "json":
            from .serialize import as_json

            return json.dumps(as_json(reports), indent=2, ensure_ascii=False) + "\n"
        case "jsonl":
            from ..journal import as_jsonl

            return as_jsonl(reports)
        case "junit":
            return documents.as_junit(reports)
        case "tap":
            return documents.as_tap(reports)
        case "markdown":
            return documents.as_markdown(reports, in_full)
        case "html":
            return documents.as_html(reports)
        case "issue":
            return documents.as_issue(reports)
        case "annotations":
            return ci.as_annotations(reports)
        case "badge":
            return ci.as_badge(reports)
        case "badge-json":
            return ci.as_badge_json(reports)


def _pretty(reports: Sequence[Report], in_full: int) -> str:
    from rich.console import Console

    from .terminal import show

    written = StringIO()
    console = Console(file=written, highlight=False, width=160, no_color=True)
    for report in reports:
        show(report, console, in_full=in_full)
    return written.getvalue()
