"""The options that say what is compared with the reference beyond the cases: random games, or positions of a file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from pathlib import Path
from typing import Any

import click

from damspec import PositionError, Ruleset, data

from ..verify.games import Scope
from ..verify.plays import drawn as positions_drawn
from .arguments import Seconds

#: How many positions are drawn for an engine that plays, if nothing is said.
DRAWN = 100
#: Bytes of a file of positions that are read; more is refused.
LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True)
class Beyond:
    """What the options say; `cases` is whether the cases are asked too."""

    games: int | None
    seconds: float | None
    seed: int
    file: Path | None
    cases: bool
    #: How many positions are drawn for an engine that plays.
    drawn: int | None = None

    def __bool__(self) -> bool:
        return any(each is not None for each in (self.games, self.seconds, self.file, self.drawn))

    def fitting(self, *, plays: bool) -> Beyond:
        """The same for an engine that is asked for what it `plays`, or for one that lists moves. Raises UsageError."""
        if plays and (self.games is not None or self.seconds is not None):
            raise click.UsageError("--plays: no list of moves is compared in games, expected --drawn or --positions")
        if not plays and self.drawn is not None:
            raise click.UsageError("--drawn: positions are drawn for an engine that plays, expected --plays")
        found = replace(self, drawn=DRAWN) if plays and not self else self
        if not (found or found.cases):
            raise click.UsageError("--no-cases: nothing is left to ask, expected --games, --seconds or --positions")
        return found

    def scope(self, ruleset: Ruleset) -> Scope | None:
        """What is compared by a ruleset; None if nothing is. Raises FileError for a position it does not have."""
        if self.drawn is not None:
            given = positions_drawn(ruleset, self.drawn, self.seed)
            return Scope(seed=self.seed, given=given, drawn=True) if given else None
        if self.file is None:
            return Scope(self.games, self.seconds, self.seed) if self else None
        where = "standard input" if str(self.file) == "-" else str(self.file)
        found = []
        for number, line in enumerate(self._text.splitlines(), 1):
            if text := line.partition(";")[0].strip():  # what may follow says what is known of the position
                try:
                    found.append((number, ruleset.position(text)))
                except PositionError as error:
                    raise data.FileError(f"{where}:{number}: {error}") from None
        if not found:
            raise data.FileError(f"{where}: found no line with a position, expected one FEN on each line")
        return Scope(given=tuple(found))

    @cached_property
    def _text(self) -> str:
        where = "standard input" if str(self.file) == "-" else str(self.file)
        assert self.file is not None
        try:
            if str(self.file) == "-":
                content = sys.stdin.buffer.read(LIMIT + 1)
            else:
                with self.file.open("rb") as file:
                    content = file.read(LIMIT + 1)
            if len(content) > LIMIT:
                raise data.FileError(f"{where}: longer than the {LIMIT // 2**20} MB that positions may have")
            return content.decode("utf-8-sig")
        except OSError as error:
            raise data.FileError(f"cannot read {where!r}: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise data.FileError(f"{where}: byte {error.start + 1}: not UTF-8 text") from None


_OPTIONS = (
    click.option("--games", type=click.IntRange(1), metavar="N", help="Then play N random games, comparing positions."),
    click.option(
        "--seconds",
        type=Seconds(),
        metavar="S",
        help="End the games after S seconds; without --games, play as many as fit.",
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same games."),
    click.option(
        "--positions",
        type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
        metavar="FILE",
        help="Compare the positions in a file in the place of games, a FEN on each line; `-` is standard input.",
    ),
    click.option(
        "--drawn",
        type=click.IntRange(0),
        metavar="N",
        help=f"With --plays: draw N positions, most with one legal move.  [default: {DRAWN}]",
    ),
    click.option("--no-cases", is_flag=True, help="Leave the cases out: only what is asked beyond them."),
)


def beyond_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options, given to a command as one `beyond`."""

    @wraps(command)
    def extended(
        *,
        games: int | None,
        seconds: float | None,
        seed: int,
        positions: Path | None,
        drawn: int | None,
        no_cases: bool,
        **others: Any,
    ) -> Any:
        beyond = Beyond(games, seconds, seed, positions, not no_cases, drawn)
        if drawn is not None and positions is not None:
            raise click.UsageError("--drawn, --positions: expected one of both")
        if positions is not None and (games is not None or seconds is not None):
            raise click.UsageError("--positions: compares those positions and plays no games, expected no --games")
        return command(beyond=beyond, **others)

    for option in reversed(_OPTIONS):
        extended = option(extended)
    return extended
