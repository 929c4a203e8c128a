"""Reports made from the templates beside this: Markdown, one HTML page, the text of an issue, JUnit, TAP."""

from __future__ import annotations

import html
import itertools
import re
from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import yaml

import damspec
from damspec import Position
from damspec.drawing import describe_position, svg
from damspec.position import board_text

from ...cases.answer import Answer
from ...cases.notation import Key, read_path
from ...engines import known, registry
from ...engines.protocol import strip_control_characters
from ..baseline import is_as_known
from ..result import FAILING, STATUSES, Report, Result, by_topic
from . import wording
from .commands import ask_again, check_again

_TEMPLATES = Path(__file__).parent / "templates"
#: Failures without a known cause that an issue shows in full.
_UNEXPLAINED_SHOWN = 3


def as_markdown(reports: Sequence[Report], in_full: int) -> str:
    """Return the reports one below the other, the first `in_full` failures of each with their boards."""
    return _render("report.md", reports=reports, in_full=in_full)


def as_html(reports: Sequence[Report]) -> str:
    """Return the reports as one self-contained page: boards, filters, light and dark."""
    found = {result.status for report in reports for result in report.answers}
    topics = dict.fromkeys(result.case.topic for report in reports for result in report.answers)
    statuses = [status for status in STATUSES if status in found]
    return _render("report.html", reports=reports, statuses=statuses, topics=[*topics], picture=_picture)


def as_junit(reports: Sequence[Report]) -> str:
    """Return the reports as a JUnit document, in XML.

    What is wrong in the clearest failure is followed by the explanation, as few viewers show that of a suite.
    """
    return _render("report.junit", reports=reports, version=damspec.__version__)


def as_tap(reports: Sequence[Report]) -> str:
    """Return the reports as TAP 14: right under another open reading is a TODO, a case left out a SKIP."""
    numbers = itertools.count(1)
    numbered = [(report, [(next(numbers), result) for result in wording.points(report)]) for report in reports]
    return _render("report.tap", reports=numbered, number=next(numbers) - 1, details=_details)


def _details(result: Result) -> list[str]:
    """Return what TAP says of a result besides its status, as lines of YAML."""
    found = {
        "status": result.status,
        "why": result.case.why,
        "clauses": list(result.case.clauses),
        "position": result.case.setting,
        "faults": wording.faults(result),
        "request": result.request,
        "answer": result.reply,
    }
    said = {key: value for key, value in found.items() if value}
    return yaml.safe_dump(said, sort_keys=False, width=10_000).splitlines()


def as_issue(reports: Sequence[Report]) -> str:
    """Return the text of an issue for the engine's author: for each cause a position that shows it.

    The causes are those of the engine's known failures (`known/`) as far as they are listed; what is not is shown case
    by case. Reports in which nothing is wrong are left out.
    """
    wrong = [report for report in reports if report.with_status(*FAILING)]
    return _render("issue.md", reports=wrong, failing=FAILING, causes=_causes) if wrong else "Nothing is wrong.\n"


def failure_text(report: Report, result: Result) -> str:
    """Return a failure of a report in lines: the case, its clauses, its board, what is wrong."""
    return _render("failure.txt", report=report, result=result).rstrip("\n")


def _render(name: str, **values: Any) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader([_TEMPLATES, _TEMPLATES.parents[2]]),
        autoescape=name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=not name.endswith(".html"),
    )
    environment.filters |= {"code": code, "name": _name, "words": words, "fence": _fence, "cell": _cell}
    environment.filters |= {"html": html.escape, "xml": _xml}
    shared = {"wording": wording, "by_topic": by_topic, "board_text": board_text}
    return environment.get_template(name).render(**shared, ask_again=ask_again, check_again=check_again, **values)


def _xml(text: str) -> str:
    """Return text for XML, in an attribute too."""
    return escape(strip_control_characters(text), {'"': "&quot;"})


# --- Markdown -------------------------------------------------------------------------------------


def code(text: str) -> str:
    """Return text as Markdown code, whatever is in it."""
    ticks = "`" * (_longest_run(text) + 1)
    space = " " if text[:1] in ("`", " ", "") or text[-1:] in ("`", " ") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def words(text: str) -> str:
    """Return text with its punctuation escaped for Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|~&!])", r"\\\1", text)


def _fence(text: str) -> str:
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}\n{text}\n{fence}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _cell(text: str) -> str:
    return code(text.replace("|", "\\|")) if re.search(r"[^a-z-]", text) else text


def _name(text: str) -> str:
    """Return an engine's name, as code where it could be more than a name."""
    return text if re.fullmatch(r"[\w .,()+-]*", text) else code(text)


# --- the page -------------------------------------------------------------------------------------


def _picture(report: Report, result: Result) -> tuple[str, str]:
    """Return the address and the description of a picture: missing moves as arrows, extra ones as dashed arrows."""
    position = result.question.position
    trapdoors = report.ruleset.rules.trapdoors
    layout = trapdoors.layout if trapdoors else None
    given = result.answer or Answer()
    arrows = _paths(position, result.question.expected.moves, result.missing)
    dashed = _paths(position, given.moves if given.played is None else given.played, result.extra)
    picture = svg(position, layout=layout, arrows=arrows, dashed=dashed, title="")
    encoded = b64encode(picture.encode("utf-8")).decode("ascii")
    return f"data:image/svg+xml;base64,{encoded}", describe_position(position, layout)


def _paths(position: Position, moves: Mapping[Key, object] | None, shown: Collection[str]) -> Iterator[Sequence[int]]:
    """Yield the squares of those of the moves that are shown, if they are moves; an engine may list anything."""
    for key, text in (moves or {}).items():
        if text in shown:
            if path := read_path(str(text), position.board)[0]:
                yield path
            elif isinstance(key, tuple):
                yield key[:2]


# --- the issue ------------------------------------------------------------------------------------


def _causes(report: Report) -> Iterator[tuple[str, str, list[Result], list[Result]]]:
    """Yield each cause of failures with its description, "" for unknown ones, and the cases to show and to name."""
    name, base = report.label, report.ruleset.base
    listed = known.load(name, base) if name in registry.adapters() and known.path(name, base).is_file() else None
    by_cause: dict[str, list[Result]] = {}
    for result in report.with_status(*FAILING):
        failure = listed.failures.get(result.case.id) if listed else None
        same = failure is not None and is_as_known(result, failure["faults"])
        by_cause.setdefault(str(failure["cause"]) if failure is not None and same else "", []).append(result)
    for cause, rest in by_cause.items():
        shown: list[Result] = []
        while rest and len(shown) < (1 if cause else _UNEXPLAINED_SHOWN):
            shown.append(wording.clearest(rest))
            rest.remove(shown[-1])
        yield cause, listed.causes[cause] if listed and cause else "", shown, rest
