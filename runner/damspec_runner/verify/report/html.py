"""Reports as one self-contained HTML page: boards, filters, light and dark."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from damspec import MoveError, Position, PositionError
from damspec.drawing import describe_position, svg
from damspec.move import is_move_text, read_squares

from ..result import STATUSES, Report, Result, by_topic
from . import wording
from .commands import ask_again

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class _Board:
    """A picture of a case: missing moves as arrows, extra ones as dashed arrows."""

    source: str
    says: str


def as_html(reports: Sequence[Report]) -> str:
    """Return the reports as an HTML page."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found = {result.status for report in reports for result in report.answers}
    return environment.get_template("report.html").render(
        reports=reports,
        statuses=[status for status in STATUSES if status in found],
        topics=list(dict.fromkeys(result.case.topic for report in reports for result in report.answers)),
        by_topic=by_topic,
        wording=wording,
        board=_board,
        ask_again=ask_again,
    )


def _board(report: Report, result: Result) -> _Board:
    position = wording.position(report, result)
    trapdoors = report.ruleset.rules.trapdoors
    layout = trapdoors.layout if trapdoors else None
    picture = svg(
        position,
        layout=layout,
        arrows=_paths(position, result.missing),
        dashed=_paths(position, result.extra),
        title="",
    )
    encoded = b64encode(picture.encode("utf-8")).decode("ascii")
    return _Board(f"data:image/svg+xml;base64,{encoded}", describe_position(position, layout))


def _paths(position: Position, moves: Iterable[str]) -> Iterator[Sequence[int]]:
    """Yield the squares of each move that is one; an engine may list anything."""
    for move in moves:
        notation = move.partition(" ")[0]
        with suppress(MoveError, PositionError):
            if is_move_text(notation):
                yield read_squares(notation, position.board)[0]
