"""Opening books: how often each move was played in a position and how those games ended (docs/book.md).

A book is a file of SQLite, in which positions are found by `Position.key`.

>>> import tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp(), "lines.book")
>>> game = Game("lb")
>>> _ = game.push_all(["11-15", "21-17"])
>>> with BookWriter(path) as writer:
...     writer.add(game, "1-0")
>>> with Book(path) as book:
...     [(str(found.move), found.games, found.white) for found in book.find_all(Game("lb"))]
[('11-15', 1, 1)]
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import NamedTuple, Self

from .errors import FileError, expect, expect_number, quote_any
from .game import Game
from .move import Action
from .pdn.record import GameResult, parse_result
from .pdn.tree import GameRecord
from .position import Position
from .ruleset import Ruleset
from .version import __version__

#: What SQLite writes at the head of a file: that it is a book, and the version of its tables.
APPLICATION_ID, FORMAT = 0x64616D62, 1
_TABLES = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
CREATE TABLE book (damspec TEXT NOT NULL, plies INTEGER NOT NULL);
CREATE TABLE rulesets (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    games INTEGER NOT NULL, white INTEGER NOT NULL, draw INTEGER NOT NULL, black INTEGER NOT NULL
);
CREATE TABLE moves (
    ruleset INTEGER NOT NULL REFERENCES rulesets, key INTEGER NOT NULL, move TEXT NOT NULL,
    games INTEGER NOT NULL, white INTEGER NOT NULL, draw INTEGER NOT NULL, black INTEGER NOT NULL,
    PRIMARY KEY (ruleset, key, move)
) WITHOUT ROWID;
"""
_ADD_MOVES = """
INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (ruleset, key, move) DO UPDATE SET
    games = games + excluded.games, white = white + excluded.white,
    draw = draw + excluded.draw, black = black + excluded.black
"""
#: A file that is not complete is of no use, so nothing guards it; 32 MB of it are kept in memory.
_NO_JOURNAL = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000;"
#: The moves that a writer counts before it writes them.
_MOST_COUNTED = 100_000
#: The plies of a game that a book has unless told otherwise, and at most.
PLIES, MOST_PLIES = 40, 10_000
_RESULTS: tuple[GameResult, ...] = ("white", "draw", "black")

#: Games, and how many of them White won, were drawn, Black won.
_Counts = list[int]


class Results(NamedTuple):
    """A number of games, and how many White won, were drawn and Black won; the others have no result."""

    games: int
    white: int
    draw: int
    black: int


class BookMove(NamedTuple):
    """A move of a book: the action, in how many games it was played, and how they ended."""

    move: Action
    games: int
    white: int
    draw: int
    black: int


class BookLine(NamedTuple):
    """The beginning of a game as a book has it: the key of each position with the move played there, and the result."""

    ruleset: str
    moves: tuple[tuple[int, str], ...]
    result: GameResult | None


def book_line(ruleset: Ruleset, played: Iterable[tuple[Position, Action]], result: GameResult | None) -> BookLine:
    """Return actions, each with the position before it, as a book has them: once where they recur."""
    found = dict.fromkeys((_signed(position), str(action)) for position, action in played)
    return BookLine(ruleset.id, tuple(found), result)


def _signed(position: Position) -> int:
    """Return the key of a position as a signed number of 64 bits, which SQLite stores."""
    key = position.key()
    return key - (1 << 64) if key >> 63 else key


class BookWriter:
    """A writer of an opening book, which takes in the first `plies` of each game. Use it in a `with` statement.

    The file appears, or replaces an old one, only when the statement ends without an exception. Raises FileError for a
    path that is no file, and OSError where nothing can be written.
    """

    def __init__(self, path: str | os.PathLike[str], *, plies: int = PLIES) -> None:
        expect(path, "path", (str, os.PathLike), "the path of a file")
        expect_number(plies, "plies", 1, MOST_PLIES)
        self.plies = plies
        self._path = Path(path).resolve()
        if self._path.exists() and not self._path.is_file():
            raise FileError(f"path: found {str(path)!r}, expected the path of a file")
        self._part = self._path.with_name(f".{self._path.name[:100]}.{token_hex(4)}.part")
        self._moves: dict[tuple[int, int, str], _Counts] = {}
        self._ids: dict[str, int] = {}
        self._games: dict[str, _Counts] = {}
        with self._writing():
            self._file = sqlite3.connect(self._part, isolation_level=None)
            self._file.executescript(_NO_JOURNAL + _TABLES)
            self._file.execute("INSERT INTO book VALUES (?, ?)", (__version__, plies))

    def add(self, game: Game | GameRecord, result: str | None = None) -> None:
        """Add a game, played or in PDN, with a result as PDN writes it, such as `2-0` or `1/2-1/2`.

        The default is the result of a game in PDN, and the outcome of another. Raises PdnError or RulesetError for a
        game in PDN that is not legal or names no ruleset.
        """
        expect(game, "game", Game | GameRecord, "a Game or a pdn.GameRecord")
        expect(result, "result", str | None, "a result such as '1-0', or None")
        if isinstance(game, GameRecord):
            result = game.result if result is None else result
            game = Game.from_pdn(game)
        played = islice(zip(game.positions, game.history, strict=False), self.plies)
        self.add_line(book_line(game.ruleset, played, parse_result(game.result() if result is None else result)))

    def add_line(self, line: BookLine) -> None:
        """Add a game that `book_line` has read."""
        expect(line, "line", BookLine, "a BookLine")
        ruleset = self._ids.setdefault(line.ruleset, len(self._ids) + 1)
        place = 0 if line.result is None else 1 + _RESULTS.index(line.result)
        every = [self._games.setdefault(line.ruleset, [0, 0, 0, 0])]
        every += [self._moves.setdefault((ruleset, *move), [0, 0, 0, 0]) for move in line.moves]
        for counts in every:
            counts[0] += 1
            if place:
                counts[place] += 1
        if len(self._moves) >= _MOST_COUNTED:
            self._flush()

    @property
    def rulesets(self) -> dict[str, Results]:
        """The games so far, by the id of their ruleset."""
        return {ruleset: Results(*counts) for ruleset, counts in self._games.items()}

    def _flush(self) -> None:
        """Write the moves counted so far, in the order of the file."""
        with self._writing():
            self._file.execute("BEGIN")
            self._file.executemany(_ADD_MOVES, ((*key, *counts) for key, counts in sorted(self._moves.items())))
            self._file.execute("COMMIT")
        self._moves.clear()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise OSError(errno.EIO, f"{str(self._path)!r}: {error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        try:
            if kind is None:
                self._flush()
                with self._writing():
                    rows = ((self._ids[name], name, *counts) for name, counts in self._games.items())
                    self._file.executemany("INSERT INTO rulesets VALUES (?, ?, ?, ?, ?, ?)", rows)
                self._file.close()
                self._part.replace(self._path)
        finally:
            self._file.close()
            with suppress(OSError):
                self._part.unlink()


def _results(counts: Sequence[object]) -> Results:
    """Return counts as a file has them. Raises sqlite3.DatabaseError for what is no count."""
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        raise sqlite3.DatabaseError(f"found {quote_any(tuple(counts))}, expected numbers of games")
    return Results(*counts)  # type: ignore[arg-type]  # they are ints


class Book:
    """A reader of an opening book. Use it in a `with` statement, or close it.

    Raises FileError for a file that is no book.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        expect(path, "path", (str, os.PathLike), "the path of a book")
        self._path = Path(path)
        with self._reading():
            self._file = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True)
            try:
                self._read_head()
            except BaseException:
                self._file.close()
                raise

    def _read_head(self) -> None:
        self._file.execute("PRAGMA trusted_schema = OFF")
        ((application,),), ((version,),) = (
            self._file.execute(f"PRAGMA {name}").fetchall() for name in ("application_id", "user_version")
        )
        if application != APPLICATION_ID:
            raise sqlite3.DatabaseError("it is another file of SQLite")
        if version != FORMAT:
            raise sqlite3.DatabaseError(f"its format is {version}, expected {FORMAT}")
        ((self.plies,),) = self._file.execute("SELECT plies FROM book LIMIT 1").fetchall()
        rows = self._file.execute("SELECT name, id, games, white, draw, black FROM rulesets ORDER BY id").fetchall()
        self._ids = {str(name): id for name, id, *_ in rows}
        #: The games of the book, by the id of their ruleset.
        self.rulesets: Mapping[str, Results] = {str(name): _results(counts) for name, _, *counts in rows}

    def find_all(self, game: Game) -> tuple[BookMove, ...]:
        """Return the moves that were played in the position of a game by its ruleset, the most frequent first."""
        expect(game, "game", Game, "a Game")
        legal = {str(action): action for action in (*game.legal_moves, *game.legal_moves.lapses)}
        with self._reading():
            rows = self._file.execute(
                "SELECT move, games, white, draw, black FROM moves WHERE ruleset = ? AND key = ?",
                (self._ids.get(game.ruleset.id, 0), _signed(game.position)),
            ).fetchall()
            found = [BookMove(legal[text], *_results(counts)) for text, *counts in rows if text in legal]
        return tuple(sorted(found, key=lambda each: (-each.games, str(each.move))))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError) as error:
            raise FileError(f"{str(self._path)!r} cannot be read as a book: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()
