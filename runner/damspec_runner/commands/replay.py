"""`damspec replay`: check games in PDN move by move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from damspec import Ruleset
from damspec.errors import FileError, quote_value

from ..options import option
from ..replay.files import PdnFile, find_files
from ..replay.games import CheckedGame, GameCounts, GameFault, check_files
from ..tasks.executor import processes
from .arguments import RulesetParam, TextParam, jobs_option
from .output import console, json_field, print_json, print_table, progress_bar
from .parameters import with_options

#: The number of characters between updates of the progress bar.
_PROGRESS_STEP = 20_000


def _check_encoding(name: str) -> str:
    """Return the name of an encoding. Raises ValueError if there is none of that name."""
    try:
        "".encode(name)
    except (LookupError, ValueError):
        raise ValueError(f"unknown encoding {quote_value(name)}, expected one such as latin-1") from None
    return name


#: The FILEs of games.
files_argument = click.argument(
    "paths",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=click.Path(exists=True, allow_dash=True, path_type=Path),
)


def encoding_field() -> Any:
    """Return the field of `--encoding`."""
    return option(
        "The encoding of the files, if not what their bytes look like.",
        metavar="NAME",
        type=TextParam("encoding", _check_encoding),
    )


@click.command()
@files_argument
@with_options
def replay(
    paths: tuple[Path, ...],
    *,
    ruleset: Ruleset | None = option("Replay every game by this ruleset.", type=RulesetParam(), metavar="RULESET"),
    encoding: str | None = encoding_field(),
    jobs: int = jobs_option(),
    as_json: bool = json_field(),
) -> None:
    """Check every move of games in PDN.

    It says where a game breaks the rules, by which, and by which rulesets the move would be legal.

    A game is played by the ruleset that its tag GameType or Variant means, and a file without such tags by the one
    that its games fit; --ruleset says it. FILE may be a folder, a .pdn.gz or .zip, or - for the standard input.

    A remark about how moves are written, such as each jump of a capture by itself, is no fault.

    Exit status: 0 all games are legal, 1 some break the rules, 2 a text cannot be read or a game not be decided.
    """
    report = _Report(as_json=as_json)
    try:
        files = find_files(paths)
        sizes = [file.size for file in files]
        total = None if None in sizes else sum(size or 0 for size in sizes)
        with processes(jobs) as executor, progress_bar("", total, quiet=as_json, counted=False) as tell:
            within: PdnFile | None = None
            for file, checked in check_files(lines_of_files(files, encoding, tell), ruleset, encoding, executor, jobs):
                if file is not within:
                    report.end()
                    report.begin(file.name)
                    within = file
                report.add(checked)
            report.end()
    except FileError as error:
        raise click.UsageError(str(error)) from None
    except KeyboardInterrupt:
        report.end()
        report.show()
        raise
    report.show()
    sys.exit(report.status)


class _Report:
    """The printed report: faults as they are found and a table at the end, or everything as JSON."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        self.console = console()
        self.file = ""
        self.counts: dict[tuple[str, str | None], GameCounts] = {}
        self.faults: list[dict[str, Any]] = []
        self.whole_games: dict[str, list[tuple[int, GameFault]]] = {}

    def begin(self, file: str) -> None:
        """Begin a file."""
        self.file, self.whole_games = file, {}

    def add(self, checked: CheckedGame) -> None:
        """Add a game. Faults of a game as a whole are kept, to be reported together at the end of the file."""
        self.counts.setdefault((self.file, checked.ruleset), GameCounts()).add(checked)
        for fault in checked.faults:
            if self.as_json:
                self.faults.append({"file": self.file, "game": checked.number, **_fault_json(checked, fault)})
            elif fault.at:
                players = f" ({checked.players})" if checked.players else ""
                self._print(f"{self.file}:{fault.line}: game {checked.number}{players}, {fault}")
            else:
                self.whole_games.setdefault(fault.says, []).append((checked.number, fault))

    def end(self) -> None:
        """End a file."""
        for says, found in self.whole_games.items():
            (first, fault), number = found[0], len(found)
            games = f"game {first}" if number == 1 else f"game {first} and {number - 1} more"
            self._print(f"{self.file}:{fault.line}: {games}: {says}")
        self.whole_games = {}

    def _print(self, line: str) -> None:
        from rich.text import Text

        self.console.print(Text(line), soft_wrap=True)

    def show(self) -> None:
        """Print the table, or the JSON."""
        rows = [(file, ruleset, counts) for (file, ruleset), counts in self.counts.items()]
        if self.as_json:
            games = [{"file": file, "ruleset": ruleset, **asdict(counts)} for file, ruleset, counts in rows]
            print_json({"games": games, "faults": self.faults})
            return
        shown = [(file, ruleset or "unknown", counts) for file, ruleset, counts in rows]
        if len(rows) > 1:
            shown.append(("all", "", self._total()))
        cells = ((file, ruleset, *(f"{n:,}" if n else "·" for n in counts.row)) for file, ruleset, counts in shown)
        print_table(("file", "ruleset", *GameCounts.COLUMNS), cells, left=2)

    @property
    def status(self) -> int:
        """The exit status."""
        total = self._total()
        return 2 if total.text or total.undecided else 1 if total.illegal else 0

    def _total(self) -> GameCounts:
        return sum(self.counts.values(), GameCounts())


def _fault_json(checked: CheckedGame, fault: GameFault) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "players": checked.players,
        "ruleset": checked.ruleset,
        "kind": fault.kind,
        "line": fault.line,
        "at": fault.at,
        "says": fault.says,
    }
    if fault.reason is not None:
        entry |= {
            "position": fault.position,
            "rule": fault.reason.rule,
            "nearest": list(fault.reason.nearest),
            "legal_by": list(fault.reason.legal_by),
        }
    return entry


def lines_of_files(
    files: Iterable[PdnFile], encoding: str | None, tell: Callable[..., None]
) -> Iterator[tuple[PdnFile, Iterator[str]]]:
    """Yield each file with its lines, which advance the progress bar."""
    for file in files:
        with closing(file.lines(encoding)) as lines:
            yield file, _with_progress(lines, tell)


def _with_progress(lines: Iterable[str], tell: Callable[..., None]) -> Iterator[str]:
    """Yield the lines, and advance the progress bar by their characters."""
    size = 0
    for line in lines:
        size += len(line)
        if size >= _PROGRESS_STEP:
            tell(advance=size)
            size = 0
        yield line
    tell(advance=size)
