"""The recorder of the solved endgames that come with damspec: `cases/generated/solved/`, for the board on the site."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

from damspec import load_ruleset
from damspec_runner.solve.place import recorded_endgames_path
from damspec_runner.tasks.journal import digest

from .parts import Job, Part, generated_path

#: The games of the documents of which the values are all: without spinner, huffing, and limits of moves.
GAMES = ("lb", "vl")
PIECES = 3


def inputs() -> dict[str, str]:
    """By game a digest of its rules."""
    return {id: digest(load_ruleset(id))[:12] for id in GAMES}


def seconds(units: Collection[str]) -> float:
    """Return about how long one process takes."""
    return 15 + 2 * len(units)


def record(job: Job) -> Iterator[Part]:
    """Solve the endgames of some games into the files that `damspec solve` writes."""
    from damspec_runner.solve.endgame_file import SUFFIX
    from damspec_runner.solve.solve import Folder, solve

    paths = {id: recorded_endgames_path(load_ruleset(id)) for id in GAMES}
    old = {path: None for path in generated_path("solved").glob(f"*/*{SUFFIX}") if path.parent not in paths.values()}
    ids, gone = job.split(GAMES)
    yield Part(gone, old)
    for id in ids:
        with tempfile.TemporaryDirectory() as folder:
            solve(Folder(load_ruleset(id), Path(folder)), PIECES)
            found = {paths[id] / file.name: file.read_bytes() for file in sorted(Path(folder).glob(f"*{SUFFIX}"))}
        paths[id].mkdir(parents=True, exist_ok=True)
        yield Part((id,), found)
