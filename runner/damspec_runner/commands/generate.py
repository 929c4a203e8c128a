"""Generating positions: the search with its progress, what is told of it, and the writing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

import click

from damspec import Ruleset

from ..generate import account
from ..generate.possible import NothingToFind, possible
from ..generate.search import Hunt
from ..positions.walks import PLIES
from ..work.journal import digest
from ..work.sharing import Doing
from . import interruption
from .arguments import Seconds, ruleset_argument
from .output import console
from .suites import make_suite
from .wanted import number_range, wanted
from .workers import Workers, workers_options
from .writing import Writing, writing_options

#: The most plies that a game can be asked to last.
_LONGEST = 1_000


@click.command()
@ruleset_argument
@click.option(
    "--exercise",
    "exercised",
    multiple=True,
    metavar="RULE[=VALUE]",
    help="Positions whose answer would change if the rule had VALUE, or any other value; repeatable.",
)
@click.option(
    "--distinguish",
    "distinguished",
    multiple=True,
    metavar="OTHER[,OTHER...]",
    help="Positions with another answer in these rulesets; repeatable.",
)
@click.option("--pieces", metavar="MIN..MAX", help="How many pieces.  [default: 1..12]")
@click.option(
    "--phase", metavar="PHASE", help="Only in this phase of a turn: plain, spin=green, huffable, compelled, ..."
)
@click.option("--moves", metavar="MIN..MAX", help="How many legal actions.")
@click.option("--minimal", is_flag=True, help="With as few pieces as possible; says whether fewer were tried.")
@click.option("--all", "every", is_flag=True, help="All there are with up to so many --pieces, in order.")
@click.option("--reachable", is_flag=True, help="Only positions reached by legal play from the start, with the game.")
@click.option("--plies", metavar="MIN..MAX", help=f"With --reachable: after so many plies.  [default: 0..{PLIES}]")
@click.option(
    "--per-game", type=click.IntRange(1), metavar="K", help="With --reachable: at most K of a game.  [default: 1]"
)
@click.option(
    "--perft",
    "depth",
    type=click.IntRange(1, 20),
    metavar="D",
    help="A perft suite instead: as few positions as tell the ruleset from others by perft to depth D; -n adds more.",
)
@click.option("-n", "number", type=click.IntRange(1), help="How many positions.  [default: 1]")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same positions.")
@click.option(
    "--tries",
    type=click.IntRange(1),
    default=30_000,
    show_default=True,
    help="Give up after this many unwanted positions in a row.",
)
@click.option("--time", "seconds", type=Seconds(), help="Give up after this many SECONDS.")
@workers_options(1)
@writing_options
def generate(
    ruleset: Ruleset,
    exercised: tuple[str, ...],
    distinguished: tuple[str, ...],
    pieces: str | None,
    phase: str | None,
    moves: str | None,
    minimal: bool,
    every: bool,
    reachable: bool,
    plies: str | None,
    per_game: int | None,
    depth: int | None,
    number: int | None,
    seed: int,
    tries: int,
    seconds: float | None,
    workers: Workers,
    writing: Writing,
) -> None:
    """Find positions that depend on a rule or tell rulesets apart.

    \b
      damspec generate vl --exercise capture.choice -n 5
      damspec generate vl --distinguish brazilian,russian --minimal --format fen
      damspec generate vl --perft 5 --format epd

    They are as different from each other as can be found, and the game goes on in them unless a rule of its end is
    asked for. With `--format cases` the positions are written as cases with the reference's answers, for review. Exit
    status: 0 found, 1 nothing found, 2 usage, 130 interrupted. What was found before an interruption is still written.
    """
    if depth is not None:
        make_suite(ruleset, depth, number, seed, writing)
        return
    number = _number(every=every, pieces=pieces, minimal=minimal, reachable=reachable, number=number)
    if not reachable and (plies or per_game):
        raise click.UsageError(f"{'--plies' if plies else '--per-game'} goes with --reachable")
    window = number_range("--plies", plies, 0, _LONGEST) if plies else (0, PLIES)
    writing.check(ruleset, number)
    try:
        asked = possible(
            wanted(ruleset, exercised, distinguished, pieces, phase, moves, reachable=reachable, up_to=every)
        )
    except NothingToFind as why:
        click.echo(f"damspec: nothing can be found: {why}", err=True)
        sys.exit(1)
    hunt = Hunt(asked, number, seed, tries)
    search = {
        (False, False): hunt.anywhere,
        (False, True): lambda: hunt.reached(window, per_game or 1),
        (True, False): hunt.fewest,
        (True, True): lambda: hunt.fewest_reached(window),
    }[minimal, reachable]
    work = workers.doing("generate", _work(hunt, every=every, minimal=minimal, reachable=reachable))
    broken_off = _run(hunt, hunt.everything if every else search, seconds, work)
    found = hunt.positions
    left_out = ""
    if broken_off == "interrupted" and found and writing.names_changes:
        writing = replace(writing, otherwise=False, coverage=False)  # it can take longer than the search
        left_out = "; which rule values change the answers was not worked out"
    if found or writing.form == "json":
        writing.write(asked, found, account.about(hunt))
    if broken_off == "interrupted":
        click.echo(
            f"damspec: interrupted: {len(found):,} of {number:,} found, {account.tried(hunt)}{left_out}", err=True
        )
        sys.exit(interruption.status())
    late = f"{broken_off}: " if broken_off else ""
    if not found:
        click.echo(f"damspec: nothing found: {late}{account.tried(hunt)}", err=True)
        sys.exit(1)
    if said := account.summary(hunt):
        click.echo(f"{late}{said}", err=True)


def _number(*, every: bool, pieces: str | None, minimal: bool, reachable: bool, number: int | None) -> int:
    """How many positions are asked for. Raises UsageError for what does not go with --all."""
    if every:
        for option, given in (("--minimal", minimal), ("--reachable", reachable), ("-n", number)):
            if given:
                raise click.UsageError(f"{option} does not go with --all")
        if pieces is None:
            raise click.UsageError("--all: of how many pieces? expected --pieces N too, for all with up to N")
    return number or 1


def _work(hunt: Hunt, **how: bool) -> dict[str, object]:
    """What the search depends on, for its journal."""
    asked = hunt.wanted
    return {
        "rules": digest(asked.ruleset),
        "goals": [[goal.says, *map(digest, goal.others)] for goal in asked.goals],
        "pieces": asked.pieces,
        "moves": asked.moves,
        "phase": asked.phase,
        "seed": hunt.seed,
        "number": hunt.number,
        "tries": hunt.tries,
        **how,
    }


def _run(
    hunt: Hunt, search: Callable[[], object], seconds: float | None, work: AbstractContextManager[Doing]
) -> str | None:
    """Search; why the search was broken off, if it was. Who does the work is told of it, and does not finish it."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    err = console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(hunt.wanted.ruleset.id)

        def tell(tried: int, found: int) -> None:
            progress.update(task, description=f"{hunt.wanted.ruleset.id}: {tried:,} tried, {found:,} found")

        hunt.tell = tell
        try:
            with work as hunt.doing, interruption.at_most(seconds) if seconds else nullcontext():
                search()
        except interruption.TimeUp:
            return "time is up"
        except KeyboardInterrupt:
            return "interrupted"
    return None
