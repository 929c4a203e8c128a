"""`damspec solve`: who wins each position with few pieces, and in how many plies, by any rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from damspec import Position, Ruleset
from damspec.kernel import is_available
from damspec.outcomes import outcome_of_position

from ..options import option
from ..solve.place import MOST
from .arguments import jobs_option, ruleset_argument
from .options import ExecutorOptions
from .output import OutputError, aligned, json_field, print_json, say
from .parameters import Command, check_fitting, with_options
from .reference import action_text

if TYPE_CHECKING:
    from ..solve.material import Materials
    from ..solve.solve import Folder
    from ..solve.summary import MaterialSummary

#: The greatest number of pieces that is solved for the sake of one position.
SOLVED_ON_DEMAND = 3
#: The exit status where a check finds a mistake.
_MISTAKES = 1
#: Positions printed by a check that finds mistakes.
_SHOWN = 10


@click.command(cls=Command)
@ruleset_argument
@with_options
def solve(
    ruleset: Ruleset,
    *,
    pieces: int | None = option("Positions with at most this many pieces.", least=2, most=MOST),
    position: str | None = option(
        f"Print the value of a position and of its moves; up to {SOLVED_ON_DEMAND} pieces are solved for it if need"
        " be.",
        metavar="POSITION",
    ),
    output: Path | None = option(
        "The folder for the files, one for each material; without it they are kept in the user's data folder.",
        None,
        "-o",
        "--output",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
    ),
    jobs: int = jobs_option(),
    dask: str | None = option(
        "Use the workers of a dask scheduler, which have to share the folder (docs/scale.md).", metavar="HOST:PORT"
    ),
    distance: bool = option(
        "Keep the distance to the end, one byte for each position, beside its value, two bits.",
        True,
        "--distance/--no-distance",
    ),
    check: bool = option("Solve nothing: read every position again from those its moves lead to.", False),
    as_json: bool = json_field(),
) -> None:
    """Find out who wins each position with few pieces, and how soon.

    \b
      damspec solve english --pieces 4
      damspec solve 'vl?priority=multiple-first' --pieces 3 -o vl-endgames
      damspec solve english --pieces 4 --check
      damspec solve english --position W:WK1:BK13

    Both sides play their best: to win in the fewest plies, to lose in the most. What is drawn by repetition or by a
    count of moves is taken for play without end, a draw; the summary names each limit that may draw a win before its
    end. docs/solve.md has the format of the files. After an interruption the same command resumes. It needs the
    compiled kernel, `pip install 'damspec[fast]'`.
    """
    check_kernel("solving")
    from ..solve.material import Materials
    from ..solve.solve import Folder
    from ..solve.solve import solve as solve_all

    folder = Folder(ruleset, output)
    try:
        if position is not None:
            check_fitting("--position", "position", "output", "as_json")
            _show_position(folder, ruleset.read_position(position), as_json=as_json)
            return
        if pieces is None:
            raise click.UsageError("nothing to solve: expected --pieces N or --position POSITION")
        materials = Materials(folder.retrograde, pieces)
        if check:
            _check(folder, materials)
            return
        _announce(folder, materials, pieces, distance=distance)
        with ExecutorOptions(jobs, dask).task_runner("solve", {}) as task_runner:
            summaries = solve_all(folder, pieces, task_runner, distance=distance)
    except OSError as error:
        raise OutputError(f"--output: cannot write to {str(folder.path)!r}: {error.strerror}") from None
    if as_json:
        print_json(_as_json(folder, pieces, summaries))
    else:
        _print(folder, pieces, summaries)


def check_kernel(option: str) -> None:
    """Raise UsageError if the compiled kernel, which an option needs, is not installed."""
    if not is_available():
        raise click.UsageError(f"{option} needs the compiled kernel: pip install 'damspec[fast]'")


def solved_folder(option: str, ruleset: Ruleset, pieces: int) -> Folder:
    """Return the folder with a ruleset's solved endgames, for an option; those of few pieces are solved if need be.

    Raises RulesetError for rules by which solved endgames do not say all, FileError where files of more pieces are
    missing.
    """
    check_kernel(option)
    from ..solve.lookup import check_solvable_exactly
    from ..solve.material import Materials
    from ..solve.solve import Folder
    from ..solve.solve import solve as solve_all

    check_solvable_exactly(ruleset)
    folder = Folder(ruleset)
    missing = [each for each in Materials(folder.retrograde, pieces) if not folder.is_solved(each, distance=True)]
    if any(each.pieces > SOLVED_ON_DEMAND for each in missing):
        raise folder.not_solved(missing[-1].name, pieces)
    if missing:
        try:
            solve_all(folder, min(pieces, SOLVED_ON_DEMAND))
        except OSError as error:
            raise OutputError(f"{option}: cannot write to {str(folder.path)!r}: {error.strerror}") from None
    return folder


def _announce(folder: Folder, materials: Materials, pieces: int, *, distance: bool) -> None:
    cost = folder.estimate(materials, distance=distance)
    if cost is None:
        return
    say(
        f"{folder.ruleset.id} with up to {pieces} pieces: {cost.entries:,} entries for {cost.materials}"
        f" material{'s' * (cost.materials > 1)}, {_size(cost.disk)} in {str(folder.path)!r}, at most"
        f" {_size(cost.memory)} of memory for each process, some {max(cost.seconds, 1):,.0f} s of processor time"
    )


def _show_position(folder: Folder, position: Position, *, as_json: bool) -> None:
    from ..solve.lookup import Endgames
    from ..solve.solve import solve as solve_all

    if len(position) <= SOLVED_ON_DEMAND:
        solve_all(folder, len(position))
    endgames = Endgames(folder)
    value = endgames.value(position)
    over = outcome_of_position(folder.ruleset.turns, position).is_over
    moves = [] if over else [(action_text(action, position, False), each) for action, each in endgames.moves(position)]

    if as_json:
        shown = [{"move": move, **each._asdict()} for move, each in moves]
        print_json({"ruleset": folder.ruleset.id, "position": position.fen(), **value._asdict(), "moves": shown})
        return
    click.echo(f"{position.fen()}  {value.in_words()}")
    for move, each in moves:
        click.echo(f"{move}  {each.in_words()}")


def _size(number: int) -> str:
    return f"{number / 1e6:,.1f} MB" if number < 1e9 else f"{number / 1e9:,.1f} GB"


def _check(folder: Folder, materials: Materials) -> None:
    from ..solve.solve import find_mistakes

    wrong = positions = 0
    for material in materials:
        for position in find_mistakes(folder, material, materials):
            wrong += 1
            if wrong <= _SHOWN:
                click.echo(f"{material.name}: {position.fen()} is not what its moves lead to")
        positions += sum(folder.open(material).head.sizes)
    click.echo(f"{folder.ruleset.id}: {positions:,} positions read again from their successors, {wrong:,} wrong")
    if wrong:
        raise click.exceptions.Exit(_MISTAKES)


def _as_json(folder: Folder, pieces: int, summaries: list[MaterialSummary]) -> dict[str, Any]:
    from ..solve.summary import find_limits

    draws = folder.ruleset.rules.draws
    return {
        "ruleset": folder.ruleset.id,
        "pieces": pieces,
        "folder": str(folder.path),
        "left_out": folder.left_out,
        "materials": [
            {
                "material": summary.material.name,
                "to_move": [{"sides": name, **section.as_json()} for name, section in summary.rows()],
                "limits": [
                    {"rule": limit.rule, "moves": limit.moves, "plies": limit.plies}
                    for limit in find_limits(draws, summary)
                ],
            }
            for summary in summaries
        ],
    }


def _print(folder: Folder, pieces: int, summaries: list[MaterialSummary]) -> None:
    from ..solve.summary import find_limits

    rows: list[tuple[str, ...]] = [("to move first", "positions", "won", "lost", "drawn", "plies", "longest win")]
    for summary in summaries:
        for name, section in summary.rows():
            numbers = (section.positions, section.won, section.lost, section.drawn)
            longest = "-" if section.longest is None else str(section.longest)
            rows.append((name, *(f"{number:,}" for number in numbers), longest, section.longest_position or "-"))
    for cells, row in zip(aligned([row[:-1] for row in rows]), rows, strict=True):
        click.echo(f"{cells}  {row[-1]}")
    for line in folder.left_out:
        click.echo(line)
    for summary in summaries:
        for limit in find_limits(folder.ruleset.rules.draws, summary):
            click.echo(
                f"{limit.rule} may draw wins in {summary.material.name} that take more than {limit.plies} plies, and"
                f" wins that lead there: the longest takes {limit.longest}"
            )
