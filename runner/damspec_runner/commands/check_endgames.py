"""`damspec check --endgames`: which moves an engine plays in solved endgames, and what they give away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from damspec import Position, Ruleset
from damspec.position import board_text

from .check_run import NamedEngine, judge_engines
from .explanation import warn
from .options import DRAWN_ENDGAMES, EngineOptions
from .output import aligned, status_line
from .solve import check_kernel, solved_folder

if TYPE_CHECKING:
    from ..engines.process import Engine
    from ..solve.solve import Folder
    from ..verify.endgames import EndgamesPlayed

_POINTS = {1: "half a point", 2: "a whole point"}


def check_endgames(
    rulesets: Sequence[Ruleset],
    engines: Sequence[NamedEngine],
    engine_options: EngineOptions,
    *,
    pieces: int,
    number: int | None,
    seed: int,
    show: int,
    as_json: bool,
) -> int:
    """Ask each engine for its moves in solved endgames of each ruleset, print what they give away; return the status.

    Raises RulesetError for rules that cannot be solved, FileError where files of more than three pieces are missing.
    """
    check_kernel("--endgames")
    from ..verify.endgames import play_endgames

    folders = {ruleset: solved_folder("--endgames", ruleset, pieces) for ruleset in rulesets}

    def ask(ruleset: Ruleset, named: NamedEngine, engine: Engine) -> EndgamesPlayed:
        with status_line(f"{ruleset.id} by {named.label}", quiet=as_json) as report_progress:
            return play_endgames(folders[ruleset], engine, pieces, number or DRAWN_ENDGAMES, seed, report_progress)

    def conclude(ruleset: Ruleset, named: NamedEngine, played: EndgamesPlayed) -> tuple[EndgamesPlayed, int]:
        if not as_json:
            for text in _lines(played, folders[ruleset], show):
                click.echo(text)
        if not any(played.positions.values()) and not played.is_wrong:
            warn(named.label, "answered in none of the positions")
            return played, 3
        return played, int(played.is_wrong)

    return judge_engines(
        rulesets, engines, engine_options.playing(), ask, conclude, json_key="endgames", as_json=as_json
    )


def _lines(played: EndgamesPlayed, folder: Folder, show: int) -> Iterator[str]:
    """Yield a table by material, the first `show` findings, what was not judged, and the verdict."""
    rows = [("to play", "asked", *_POINTS.values())]
    for material, asked in played.positions.items():
        blunders = played.blunders_in(material)
        rows.append(
            (material, str(asked), *(str(sum(one.lost == lost for one in blunders) or "·") for lost in _POINTS))
        )
    yield from aligned(rows)
    for one in played.blunders[:show]:
        yield f"BLUNDER {one.material}, {one.value.in_words()}"
        yield from _beside(
            one.position,
            f"{one.move} gives away {_POINTS[one.lost]}: {one.after.in_words()}",
            f"better {one.better}: {one.better_value.in_words()}",
            one.position.fen(),
            f"see all  damspec solve {played.ruleset} --position {one.position.fen()}",
        )
    if len(played.blunders) > show:
        yield f"... and {len(played.blunders) - show} blunders more"
    for each in played.misjudged[:show]:
        value = each.value.in_words()
        yield f"WRONG VALUE {each.material}: states {each.stated}, and it is {value}  {each.position.fen()}"
    if len(played.misjudged) > show:
        yield f"... and {len(played.misjudged) - show} wrong values more"
    for position, message in played.unanswered[:show]:
        yield f"NO MOVE {position}  {message}"
    if len(played.unanswered) > show:
        yield f"... and {len(played.unanswered) - show} positions without a move more"
    yield from folder.left_out
    if played.uncertain:
        yield (
            f"{played.uncertain} positions were not asked: a limit of moves of {played.ruleset} may draw the game there"
            " before a win ends it"
        )
    if played.unsupported:
        yield f"{played.unsupported} positions are unsupported by the engine"
    values = f", {len(played.misjudged)} of {played.stated} values wrong" if played.stated else ""
    without = f", {len(played.unanswered)} positions without a legal move" if played.unanswered else ""
    yield (
        f"{played.ruleset} by {played.engine}: {sum(played.positions.values())} positions with up to {played.pieces}"
        f" pieces, {len(played.blunders)} moves that give something away{values}{without}"
        f"{' (interrupted)' if played.interrupted else ''}"
    )


def _beside(position: Position, *lines: str) -> Iterator[str]:
    board = board_text(position).splitlines()
    width = max(map(len, board)) + 4
    for left, right in zip_longest(board, lines, fillvalue=""):
        yield f"  {left:<{width}}{right}".rstrip()
