"""`damspec book` and `explore`: a book of openings from games in PDN, and what was played in a position."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from damspec import Ruleset, load_ruleset
from damspec.book import MOST_PLIES, PLIES, Book, BookLine, BookWriter, Results
from damspec.errors import FileError, RulesetError

from ..options import option
from ..replay.book_lines import read_games
from ..replay.files import find_files
from ..tasks.executor import processes
from .arguments import RulesetParam, jobs_option
from .output import OutputTarget, algebraic_field, json_field, output_field, print_json, print_table, progress_bar, say
from .parameters import with_options
from .reference import GameOptions, action_text, words_argument
from .replay import encoding_field, files_argument, lines_of_files


@click.command()
@files_argument
@with_options
def book(
    paths: tuple[Path, ...],
    *,
    output: Path | None = output_field("The file of the book; an old one is replaced. Required."),
    ruleset: Ruleset | None = option("Replay every game by this ruleset.", type=RulesetParam(), metavar="RULESET"),
    plies: int = option("How many plies of each game to take in.", PLIES, least=1, most=MOST_PLIES),
    encoding: str | None = encoding_field(),
    jobs: int = jobs_option(),
    as_json: bool = json_field(),
) -> None:
    """Build a book of openings from games in PDN.

    The book says of each position which moves were played there, in how many games, and how these ended; `damspec
    explore` reads it. A game is played by the ruleset that its tags name, and games of several rulesets go into one
    book. A game that is not legal as it is written, or names no ruleset, is left out, with a line on standard error;
    `damspec replay` says more about it.

    FILE may be a folder, a .pdn.gz or .zip, or - for the standard input.

    \b
      damspec book games.pdn -o games.book
      damspec explore start --book games.book

    Exit status: 0 the book is written, 1 there was no game for it, 2 a file cannot be read.
    """
    if output is None:
        raise click.UsageError("Missing option '-o'.")
    target = OutputTarget("--output", output)
    left_out = 0
    try:
        files = find_files(paths)
        sizes = [file.size for file in files]
        total = None if None in sizes else sum(size or 0 for size in sizes)
        with (
            BookWriter(target.path, plies=plies) as writer,
            processes(jobs) as executor,
            progress_bar("", total, quiet=as_json, counted=False) as tell,
        ):
            number, within = 0, files[0]
            for file, game in read_games(
                lines_of_files(files, encoding, tell), ruleset, encoding, plies, executor, jobs
            ):
                number, within = (number + 1 if file is within else 1), file
                if isinstance(game.content, BookLine):
                    writer.add_line(game.content)
                else:
                    left_out += 1
                    players = f" ({game.players})" if game.players else ""
                    click.echo(f"{file.name}:{game.line}: game {number}{players}: {game.content}", err=True)
            counts = writer.rulesets
            if not counts:
                say(f"no book is written: none of {left_out} games can be taken in")
                sys.exit(1)
    except FileError as error:
        raise click.UsageError(str(error)) from None
    _show_book(counts, left_out, as_json=as_json)


def _show_book(counts: Mapping[str, Results], left_out: int, *, as_json: bool) -> None:
    if as_json:
        rulesets = [{"ruleset": ruleset, **results._asdict()} for ruleset, results in counts.items()]
        print_json({"rulesets": rulesets, "left_out": left_out})
        return
    print_table(
        ("ruleset", *Results._fields), ((ruleset, *map(_number, results)) for ruleset, results in counts.items())
    )
    if left_out:
        click.echo(f"left out: {left_out:,} game{'s' * (left_out > 1)}")


def _number(number: int) -> str:
    return f"{number:,}" if number else "·"


@click.command()
@words_argument
@with_options
def explore(
    words: tuple[str, ...],
    *,
    book: Path = option(
        "The book, as `damspec book` writes it.",
        required=True,
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
    ),
    ruleset: Ruleset | None = option(
        "The ruleset, if the book has games of several.", type=RulesetParam(), metavar="RULESET"
    ),
    where: GameOptions,
    as_json: bool = json_field(),
    algebraic: bool = algebraic_field(),
) -> None:
    """Show what was played in a POSITION, and how those games ended.

    MOVEs lead from there to the position that is looked up. For each move the table has the number of games and, of
    those with a result, how many of a hundred White won, were drawn and Black won.

    \b
      damspec explore start 32-28 --book games.book
    """
    with Book(book) as opened:
        game = where.game(ruleset or _only_ruleset(opened, book), words)
        if game.ruleset.id not in opened.rulesets:
            raise RulesetError(f"{str(book)!r} has no games of {game.ruleset.id}, only of {', '.join(opened.rulesets)}")
        found = opened.find_all(game)
    if as_json:
        moves = [{**each._asdict(), "move": str(each.move)} for each in found]
        print_json({"ruleset": game.ruleset.id, "position": game.fen(), "moves": moves})
        return
    if not found:
        click.echo(f"no game of the book was in this position in its first {opened.plies} plies")
        return
    rows = ((action_text(each.move, game.position, algebraic), *_shares(Results(*each[1:]))) for each in found)
    every = Results(*map(sum, zip(*(each[1:] for each in found), strict=True)))
    print_table(("move", "games", "white %", "draw %", "black %"), [*rows, ("all", *_shares(every))])


def _only_ruleset(opened: Book, path: Path) -> Ruleset:
    if len(opened.rulesets) != 1:
        raise click.UsageError(f"{str(path)!r} has games of {', '.join(opened.rulesets)}: --ruleset names one")
    (id,) = opened.rulesets
    try:
        return load_ruleset(id)
    except RulesetError as error:
        raise click.UsageError(f"{str(path)!r} has games of {id}: {error}; --ruleset names its file") from None


def _shares(results: Results) -> Iterator[str]:
    """Yield the cells of a row: the games, and the percentages of those with a result."""
    yield f"{results.games:,}"
    ended = sum(results[1:])
    for part in results[1:]:
        yield f"{100 * part / ended:.0f}" if ended else "·"
