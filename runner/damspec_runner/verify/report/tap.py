"""Reports in the Test Anything Protocol, version 14: a test point for each case."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

import yaml

from ..result import Report, Result
from . import wording


def as_tap(reports: Sequence[Report]) -> str:
    """The reports as TAP 14: a wrong answer under another open reading is a TODO, a case left out is a SKIP."""
    lines = ["TAP version 14", f"1..{sum(len(_points(report)) for report in reports)}"]
    numbers = itertools.count(1)
    for report in reports:
        lines.append(f"# {report.ruleset.id} by {wording.engine(report)}")
        for result in _points(report):
            lines += _point(next(numbers), result)
        lines += [f"# {line}" for line in wording.games(report) + wording.remarks(report)]
        lines.append(f"# {wording.counts_line(report)}")
    if any(report.interrupted for report in reports):
        lines.append("Bail out! interrupted")
    return "\n".join(lines) + "\n"


def _points(report: Report) -> list[Result]:
    """The cases and what was found beyond them, or that nothing was."""
    return [*report.answers, *wording.nothing_found(report)]


def _point(number: int, result: Result) -> Iterator[str]:
    about = f"{number} - {result.case.id}"
    match result.status:
        case "passed":
            yield f"ok {about}"
            return
        case "unsupported":
            yield f"ok {about} # SKIP {_escaped(result.message or '')}".rstrip()
            return
        case "not-asked":
            yield f"ok {about} # SKIP not asked: {_escaped(result.message or '')}".rstrip()
            return
        case "reading":
            yield f"not ok {about} # TODO right under the reading {_escaped(result.reading or '')}"
        case _:
            yield f"not ok {about}"
    found = {
        "status": result.status,
        "why": result.case.why,
        "clauses": list(result.case.clauses),
        "position": result.case.setting,
        "faults": wording.faults(result),
        "request": result.request,
        "answer": result.answer,
    }
    block = yaml.safe_dump({key: value for key, value in found.items() if value}, sort_keys=False, width=10_000)
    yield from ("  " + line for line in ("---", *block.splitlines(), "..."))


def _escaped(text: str) -> str:
    return re.sub(r"([\\#])", r"\\\1", text)
