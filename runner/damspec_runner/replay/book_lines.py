"""The games of PDN files as lines of a book, played by several processes, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeVar

from damspec import Action, Position, Ruleset
from damspec.book import BookLine, book_line
from damspec.errors import DamspecError, PdnError, shorten
from damspec.pdn.games import replay, ruleset_for
from damspec.pdn.parser import records_in
from damspec.pdn.record import WrittenGame, parse_result

from ..tasks.executor import run_as_read
from .games import BATCH, Chunks, batches_of_chunks

F = TypeVar("F")


@dataclass(frozen=True)
class ReadGame:
    """A game of a file: its players, its line there, and its content for a book or else what is wrong with it."""

    players: str
    line: int
    content: BookLine | str


class _Batch(NamedTuple):
    """Chunks of the file at a place, and how to play them."""

    place: int
    chunks: Chunks
    ruleset: Ruleset | None
    plies: int


def read_games(
    files: Iterable[tuple[F, Iterable[str]]],
    ruleset: Ruleset | None,
    encoding: str | None,
    plies: int,
    executor: Executor | None = None,
    jobs: int = 1,
) -> Iterator[tuple[F, ReadGame]]:
    """Yield each game with the file it is in; a file comes with its lines, decoded as Latin-1.

    `ruleset` overrides the games' tags; `encoding` is that of the files, if not what their bytes look like. The `jobs`
    processes of `executor` play the games.
    """
    read: list[F] = []

    def batches() -> Iterator[_Batch]:
        for file, lines in files:
            read.append(file)
            for chunks in batches_of_chunks(lines, encoding, BATCH):
                yield _Batch(len(read) - 1, chunks, ruleset, plies)

    for place, games in run_as_read(executor, _read_batch, batches(), ahead=2 * jobs):
        yield from ((read[place], game) for game in games)


def _read_batch(batch: _Batch) -> tuple[int, list[ReadGame]]:
    records = (record for chunk, _ in batch.chunks for record in records_in(chunk))
    return batch.place, [_read_game(record, batch.ruleset, batch.plies) for record in records]


def _read_game(record: WrittenGame, given: Ruleset | None, plies: int) -> ReadGame:
    players, line = shorten(record.players), record.line
    try:
        ruleset = given or ruleset_for(record)
        replayed = replay(record, ruleset, is_strict=True, is_terse=True)
        for problem in replayed.problems:
            if problem.main and problem.kind != "form":
                line = problem.line
                raise PdnError(f"{problem} ({ruleset.id})")
        if replayed.start is None or not replayed.actions:
            raise PdnError("no moves")
    except DamspecError as error:
        return ReadGame(players, line, str(error))
    # P1 and P2 are the sides in the order in which they begin, whatever their colours: who won is not known.
    said = () if "P1" in record.tags else (record.tags.get("Result", ""), record.termination_marker)
    result = next((found for found in map(parse_result, said) if found), None)
    played = islice(_with_positions(ruleset, replayed.start, replayed.actions), plies)
    return ReadGame(players, line, book_line(ruleset, played, result))


def _with_positions(
    ruleset: Ruleset, position: Position, actions: Iterable[Action]
) -> Iterator[tuple[Position, Action]]:
    for action in actions:
        yield position, action
        position = ruleset.turns.after(position, action)
