"""Books of openings: what is counted, what is written, and files that are no book."""

from __future__ import annotations

import contextlib
import doctest
import random
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import damspec
from damspec import ArgumentError, ArgumentTypeError, FileError, Game, book
from damspec.book import Book, BookWriter
from fenced import blocks, read_page
from refusals import refusal
from runs import for_each

#: The same position after three plies, by two orders.
FIRST, SECOND = ["31-26", "20-24", "32-27", "18-23"], ["32-27", "20-24", "31-26", "18-23"]


def played(ruleset: str, *moves: str, position: str = "start") -> Game:
    game = Game(ruleset, position)
    game.push_all(moves)
    return game


def counted(path: Path, game: Game) -> list[tuple[Any, ...]]:
    with Book(path) as opened:
        return [(str(found.move), *found[1:]) for found in opened.find_all(game)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "openings.book"


def write(path: Path, *games: tuple[Game, str | None], plies: int = 40) -> None:
    with BookWriter(path, plies=plies) as writer:
        for game, result in games:
            writer.add(game, result)


def test_positions_are_counted_whatever_led_to_them(path: Path) -> None:
    write(path, (played("international", *FIRST), "2-0"), (played("international", *SECOND), "1-1"))
    assert counted(path, Game("international")) == [("31-26", 1, 1, 0, 0), ("32-27", 1, 0, 1, 0)]
    assert counted(path, played("international", *FIRST[:3])) == [("18-23", 2, 1, 1, 0)]
    assert counted(path, played("international", *FIRST)) == []
    with Book(path) as opened:
        assert opened.rulesets == {"international": (2, 1, 1, 0)}
        assert opened.plies == 40


@for_each(
    ("result", "counts"),
    [
        ("2-0", (1, 1, 0, 0)),
        ("1-0", (1, 1, 0, 0)),
        ("0-1", (1, 0, 0, 1)),
        ("0-2", (1, 0, 0, 1)),
        ("1-1", (1, 0, 1, 0)),
        ("1/2-1/2", (1, 0, 1, 0)),
        ("4-6", (1, 0, 0, 1)),
        ("*", (1, 0, 0, 0)),
        ("", (1, 0, 0, 0)),
        (None, (1, 0, 0, 0)),
    ],
)
def test_results(result: str | None, counts: tuple[int, ...], tmp_path: Path) -> None:
    path = tmp_path / "one.book"
    write(path, (played("lb", "11-15"), result))
    assert counted(path, Game("lb")) == [("11-15", *counts)]


def test_the_outcome_is_the_result_of_a_game_without_one(path: Path) -> None:
    """White takes the last piece."""
    position = "W:W26:B23,24"
    write(path, (played("vl", "26x28", position=position), None))
    assert counted(path, Game("vl", position)) == [("26x19x28", 1, 1, 0, 0)]


def test_games_in_pdn_have_their_own_result(path: Path) -> None:
    won, other = damspec.pdn.read_pdn('[GameType "20"] [Result "2-0"] 1. 32-28 *\n[GameType "20"] 1. 32-28 0-2')
    with BookWriter(path) as writer:
        writer.add(won)
        writer.add(other)
        writer.add(other, "1-1")
    assert counted(path, Game("international")) == [("32-28", 3, 1, 1, 1)]
    (illegal,) = damspec.pdn.read_pdn('[GameType "20"] 1. 32-27 1-7 *')
    with contextlib.suppress(damspec.PdnError), BookWriter(path) as writer:
        writer.add(won)
        writer.add(illegal)
    assert counted(path, Game("international")) == [("32-28", 3, 1, 1, 1)]


def test_a_move_counts_once_a_game_and_only_in_the_first_plies(path: Path) -> None:
    there_and_back = ["32-28", "1-5", "28-32", "5-1"]
    game = played("english", *2 * there_and_back, position="W:WK32:BK1")
    write(path, (game, "1/2-1/2"), plies=2)
    assert counted(path, Game("english", "W:WK32:BK1")) == [("32-28", 1, 0, 1, 0)]
    assert counted(path, played("english", *there_and_back[:2], position="W:WK32:BK1")) == []
    write(path, (game, "1/2-1/2"))
    assert counted(path, Game("english", "W:WK32:BK1")) == [("32-28", 1, 0, 1, 0)]
    assert counted(path, played("english", *there_and_back[:2], position="W:WK32:BK1")) == [("28-32", 1, 0, 1, 0)]


def test_spins_pushes_and_huffs_are_moves_like_others(path: Path) -> None:
    doors, huffing = "W:W21:B5,14", "B:W17,23,32:B3,18:huffable=22-17"
    write(
        path,
        (played("nl-trapdoor", "spin=green", "G1=L", position=doors), "1-0"),
        (played("nl-trapdoor", "spin=disc", position=doors), "0-1"),
        (played("de", "huff 23", position=huffing), "*"),
    )
    assert counted(path, Game("nl-trapdoor", doors)) == [("spin=disc", 1, 0, 0, 1), ("spin=green", 1, 1, 0, 0)]
    assert counted(path, played("nl-trapdoor", "spin=green", position=doors)) == [("G1=L", 1, 1, 0, 0)]
    assert counted(path, Game("de", huffing)) == [("huff 23", 1, 0, 0, 0)]
    with Book(path) as opened:
        assert [*opened.rulesets] == ["nl-trapdoor", "de"]


def test_rulesets_do_not_share_moves(path: Path) -> None:
    write(path, (played("russian", "22-18"), "1-0"))
    assert counted(path, Game("brazilian")) == []


def test_a_book_written_in_parts_is_the_same(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [(played("international", *moves), result) for moves in (FIRST, SECOND) for result in ("2-0", "0-2", "*")]
    write(path, *games)
    monkeypatch.setattr(book, "_MOST_COUNTED", 2)
    write(tmp_path / "parts.book", *games)
    rows = []
    for each in (path, tmp_path / "parts.book"):
        with sqlite3.connect(each) as file:
            rows.append(file.execute("SELECT * FROM moves").fetchall())
    assert rows[0] == rows[1] != []


def test_the_file_has_the_documented_form(path: Path) -> None:
    write(path, (played("lb", "11-15"), "1-0"))
    with sqlite3.connect(path) as file:
        tables = [sql for (sql,) in file.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")]
        (documented,) = blocks("sql", read_page("docs/book.md"))
        assert [f"{sql};" for sql in tables] == re.split(r"(?<=;)\n", documented.strip())
        assert file.execute("SELECT * FROM book").fetchall() == [(damspec.__version__, 40)]
        ((application,),) = file.execute("PRAGMA application_id")
        assert f"`application_id` is 0x{application:X}" in read_page("docs/book.md")
        assert file.execute("PRAGMA user_version").fetchall() == [(1,)]
        ((key,),) = file.execute("SELECT key FROM moves")
    assert key % (1 << 64) == Game("lb").position.key()


def test_the_old_file_stays_unless_the_book_is_complete(path: Path) -> None:
    path.write_text("old")
    with contextlib.suppress(KeyError), BookWriter(path) as writer:
        writer.add(Game("lb"))
        raise KeyError
    assert path.read_text() == "old"
    assert [*path.parent.iterdir()] == [path]
    write(path)
    assert [*path.parent.iterdir()] == [path]
    with Book(path) as opened:
        assert opened.rulesets == {}


def test_files_that_are_no_book(path: Path, tmp_path: Path) -> None:
    assert "cannot be read as a book: unable to open" in refusal(FileError, Book, path)
    path.write_text("1. 32-28 *\n" * 1000)
    assert "cannot be read as a book: file is not a database" in refusal(FileError, Book, path)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as file:
        file.execute("CREATE TABLE moves (key)")
    assert "it is another file of SQLite" in refusal(FileError, Book, other)
    write(path)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 2")
    assert "its format is 2, expected 1" in refusal(FileError, Book, path)
    with sqlite3.connect(path) as file:
        file.executescript("PRAGMA user_version = 1; DROP TABLE rulesets")
    assert "no such table: rulesets" in refusal(FileError, Book, path)


@pytest.mark.parametrize("table", ["rulesets", "moves"])
def test_counts_that_are_none(table: str, path: Path) -> None:
    write(path, (played("lb", "11-15"), "1-0"))
    with sqlite3.connect(path) as file:
        file.execute(f"UPDATE {table} SET white = 'many'")
    assert "found (1, 'many', 0, 0), expected numbers of games" in refusal(FileError, counted, path, Game("lb"))


def test_a_damaged_book_is_a_file_error_or_is_read(path: Path) -> None:
    write(path, *((played("international", *moves), "2-0") for moves in (FIRST, SECOND)))
    whole, rng, refused = path.read_bytes(), random.Random(3), 0
    for _ in range(200):
        damaged = bytearray(whole)
        for _ in range(rng.randrange(1, 40)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        path.write_bytes(damaged)
        try:
            counted(path, Game("international"))
        except FileError:
            refused += 1
    assert 0 < refused < 200


def test_moves_that_are_none_are_left_out(path: Path) -> None:
    """As if the keys of two positions were equal, or somebody had changed the file."""
    write(path, (played("lb", "11-15"), "1-0"))
    with sqlite3.connect(path) as file:
        file.execute("UPDATE moves SET move = '1-5'")
    assert counted(path, Game("lb")) == []


def test_the_session_of_the_page(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = read_page("docs/book.md")
    monkeypatch.chdir(path.parent)
    (games,), (session,) = blocks("pdn", page), blocks("python", page)
    Path("games.pdn").write_text(games, encoding="utf-8")
    results = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(session, {}, "docs/book.md", "", 0))
    assert (results.attempted, results.failed) == (6, 0)


def test_wrong_arguments(path: Path) -> None:
    wrong: Any = 5
    assert "path: found 5" in refusal(ArgumentTypeError, Book, wrong)
    assert "path: found 5" in refusal(ArgumentTypeError, BookWriter, wrong)
    assert "plies: found 0, expected 1 to" in refusal(ArgumentError, BookWriter, path, plies=0)
    assert "expected the path of a file" in refusal(FileError, BookWriter, path.parent)
    with pytest.raises(OSError, match="unable to open database file"):
        BookWriter(path.parent / "none" / "openings.book")
    with BookWriter(path) as writer:
        assert "game: found 5" in refusal(ArgumentTypeError, writer.add, wrong)
        assert "result: found 5" in refusal(ArgumentTypeError, writer.add, Game("lb"), wrong)
