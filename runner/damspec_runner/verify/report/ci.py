"""Reports for CI: annotations, and a badge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...engines import known
from ...engines.known import Colour
from ..result import Report, Result
from . import wording

#: Annotations of one report; GitHub shows ten of a step.
_ANNOTATIONS = 10


def as_annotations(reports: Sequence[Report]) -> str:
    """Return the failures as annotations of GitHub Actions, a line each, the explanation first.

    With a baseline only what is not expected is one.
    """
    return "".join(line for report in reports for line in _annotations(report))


def _annotations(report: Report) -> Iterator[str]:
    about = f"damspec {report.ruleset.id}"
    wrong = wording.wrong(report)
    if report.unexpected is None:
        found = [_annotation("error", f"{about}, explanation", line) for line in report.explanation]
    else:
        found = [_annotation("error", about, str(deviation)) for deviation in report.unexpected]
        wrong = [result for result in wrong if result not in report.results]
    for result in wrong:
        level = "warning" if result.status == "reading" else "error"
        found.append(_annotation(level, result.case.id, "\n".join([result.case.why, *wording.faults(result)])))
    shown = found if len(found) <= _ANNOTATIONS else found[: _ANNOTATIONS - 1]
    yield from shown
    if found[len(shown) :]:
        yield _annotation("error", about, f"{len(found) - len(shown)} more: see the summary of the job")


def _annotation(level: str, title: str, text: str) -> str:
    escaped, title = (part.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A") for part in (text, title))
    return f"::{level} title={title.replace(':', '%3A').replace(',', '%2C')}::{escaped}\n"


def as_badge(reports: Sequence[Report]) -> str:
    """Return the badge as SVG."""
    return known.badge_svg(*_badge(reports))


def as_badge_json(reports: Sequence[Report]) -> str:
    """Return the badge as data for shields.io's endpoint."""
    return known.badge_json(*_badge(reports))


def _badge(reports: Sequence[Report]) -> tuple[str, str, Colour]:
    """Return the label, the message and the colour of a badge.

    The message says how many cases are right: of all, or where whole kinds of them cannot be asked, of each other kind.
    It is red if anything failed, yellow if anything named is left open, green if every case of it passed.
    """
    rulesets = {report.ruleset.id for report in reports}
    label = f"damspec {rulesets.pop()}" if len(rulesets) == 1 else "damspec"
    by_kind: dict[str, list[Result]] = {kind: [] for kind in ("moves", "games", "outcomes", "draws")}
    for result in (result for report in reports for result in report.results):
        by_kind[_kind(result)].append(result)
    found = {kind: [result.status for result in results] for kind, results in by_kind.items() if results}
    asked = {kind: statuses for kind, statuses in found.items() if {*statuses} != {"unsupported"}}
    passed = sum(report.counts["passed"] for report in reports)
    message = f"{passed} of {sum(len(report.results) for report in reports)} cases"
    if asked and len(asked) < len(found):
        numbers = ((kind, statuses.count("passed"), len(statuses)) for kind, statuses in asked.items())
        message = ", ".join(f"{kind} {passed}/{number}" for kind, passed, number in numbers)
    if not all(report.clean() for report in reports):
        return label, message, "red"
    every = {status for statuses in asked.values() for status in statuses} <= {"passed"}
    return label, message, "brightgreen" if every and (asked or not found) else "yellow"


def _kind(result: Result) -> str:
    """Return what a case is about: outcomes by what went before are mostly draws, and asked in a way of their own."""
    match result.case.question:
        case "outcome":
            return "draws" if result.case.history else "outcomes"
        case "play":
            return "games"
        case _:
            return "moves"
