"""`damspec book` and `explore`: which games are taken in, what is said of the others, and what is shown."""

from __future__ import annotations

import gzip
import random
import sqlite3
import subprocess
from pathlib import Path

import pytest

from damspec import Game, ruleset_ids
from damspec.book import Book
from runner_fixtures import DAMSPEC, damspec, printed, printed_json, refused

WON = '[GameType "20"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n'
DRAWN = '[GameType "20"]\n[Result "1-1"]\n1. 32-28 18-23 *\n\n'
#: After 19-23 White has to take with the man on 28.
ILLEGAL = '[White "Ann"]\n[Black "Bob"]\n[GameType "20"]\n1. 32-28 19-23 2. 34-30 *\n\n'
NAMELESS = '[White "Cid"]\n1. 32-28 *\n\n'
OWN = """\
damspec: 1
id: mine
name: At home
about: As in Luxembourg.
extends: lb
rules:
  king.move.reach: {value: 1}
"""
ENGLISH = '[GameType "21"]\n1. 11-15 *\n\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.pdn"


@pytest.fixture
def book(tmp_path: Path) -> str:
    return str(tmp_path / "games.book")


def rows(book: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(book) as file:
        return file.execute("SELECT * FROM moves").fetchall()


def test_games_are_counted_and_bad_ones_left_out(file: Path, book: str) -> None:
    file.write_text(WON + ILLEGAL + DRAWN + NAMELESS + ENGLISH)
    ran = damspec("book", str(file), "-o", book)
    assert ran.status == 0
    assert ran.err.splitlines() == [
        f"{file}:7: game 2 (Ann - Bob): move 2. 34-30: illegal (international)",
        f"{file}:13: game 4 (Cid - ?): no tag GameType, so the ruleset has to be given",
    ]
    assert [line.split() for line in ran.out.splitlines()] == [
        ["ruleset", "games", "white", "draw", "black"],
        ["international", "2", "1", "1", "·"],
        ["english", "1", "·", "·", "·"],
        ["left", "out:", "2", "games"],
    ]
    table = printed("explore", "start", "--book", book, "--ruleset", "international").splitlines()
    assert [line.split() for line in table] == [
        ["move", "games", "white", "%", "draw", "%", "black", "%"],
        ["32-28", "2", "50", "50", "0"],
        ["all", "2", "50", "50", "0"],
    ]
    assert printed("explore", "start", "--book", book, "--ruleset", "english").split()[-5:] == ["all", "1", *"···"]


def test_json(file: Path, book: str) -> None:
    file.write_text(WON + DRAWN)
    assert printed_json("book", "book", str(file), "-o", book, "--json") == {
        "rulesets": [{"ruleset": "international", "games": 2, "white": 1, "draw": 1, "black": 0}],
        "left_out": 0,
    }
    after = Game("international").push("32-28").fen()
    for words in (["start", "32-28"], [after]):
        assert printed_json("explore", "explore", *words, "--book", book, "--json") == {
            "ruleset": "international",
            "position": after,
            "moves": [
                {"move": "18-23", "games": 1, "white": 0, "draw": 1, "black": 0},
                {"move": "19-23", "games": 1, "white": 1, "draw": 0, "black": 0},
            ],
        }
    assert printed_json("explore", "explore", "W:W32:B1", "--book", book, "--json")["moves"] == []
    assert printed("explore", "W:W32:B1", "--book", book) == (
        "no game of the book was in this position in its first 40 plies\n"
    )
    assert printed("explore", "start", "--book", book, "--algebraic").splitlines()[1].startswith("d4-e5 ")


def test_processes_a_pipe_and_a_compressed_file_give_the_same(file: Path, book: str, tmp_path: Path) -> None:
    file.write_text(40 * (WON + ILLEGAL + DRAWN))
    ran = damspec("book", str(file), "-o", book)
    expected = rows(book)
    assert len(expected) == 5
    assert damspec("book", str(file), "-o", book, "-j", "2") == ran
    assert rows(book) == expected
    packed = tmp_path / "games.pdn.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    damspec("book", str(packed), "-o", book)
    assert rows(book) == expected
    subprocess.run(
        [*DAMSPEC, "book", "-", "-o", book], input=file.read_bytes(), check=True, capture_output=True, timeout=60
    )
    assert rows(book) == expected


def test_results_and_rulesets(file: Path, book: str) -> None:
    """The tag counts before the end of the moves; the sides of P1 and P2 are not known."""
    file.write_text('[Result "2-0"]\n1. 32-28 0-2\n\n[P1 "Ann"]\n[P2 "Bob"]\n[Result "2-0"]\n1. 32-28 2-0\n\n')
    found = printed_json("book", "book", str(file), "-o", book, "--ruleset", "frisian", "--json")["rulesets"]
    assert found == [{"ruleset": "frisian", "games": 2, "white": 1, "draw": 0, "black": 0}]


def test_a_ruleset_of_a_file(file: Path, book: str, tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text(OWN)
    file.write_text("1. 11-15 *\n")
    printed("book", str(file), "-o", book, "--ruleset", str(own))
    assert "unknown ruleset 'mine'" in refused("explore", "start", "--book", book)
    assert printed("explore", "start", "--book", book, "--ruleset", str(own)).splitlines()[1].startswith("11-15 ")


@pytest.mark.thorough
def test_games_of_every_ruleset(file: Path, book: str) -> None:
    """Spins, pushes, huffs and lapses in a random game are written in PDN, read, counted and found."""
    games = []
    for id in ruleset_ids():
        rng, game = random.Random(11), Game(id)
        while game.ply < 40 and (actions := (*game.legal_moves, *game.legal_moves.lapses)):
            game.push(rng.choice(actions))
        games.append(game)
    file.write_text("\n\n".join(game.pdn() for game in games))
    found = printed_json("book", "book", str(file), "-o", book, "--json")
    assert found["left_out"] == 0
    assert [each["ruleset"] for each in found["rulesets"]] == [*ruleset_ids()]
    with Book(book) as opened:
        for game in games:
            while game.ply:
                action = game.pop()
                assert action in [each.move for each in opened.find_all(game)]


def test_plies(file: Path, book: str) -> None:
    file.write_text(WON)
    printed("book", str(file), "-o", book, "--plies", "3")
    assert len(rows(book)) == 3


def test_no_game_and_no_book(file: Path, book: str) -> None:
    Path(book).write_text("old")
    file.write_text(NAMELESS)
    ran = damspec("book", str(file), "-o", book)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.splitlines()[1:] == ["damspec: no book is written: none of 1 games can be taken in"]
    assert Path(book).read_text() == "old"
    assert sorted(path.name for path in file.parent.iterdir()) == ["games.book", "games.pdn"]


def test_what_is_refused(file: Path, book: str, tmp_path: Path) -> None:
    file.write_text(WON + ENGLISH)
    assert refused("book", str(file)) == "damspec: Missing option '-o'."
    assert refused("book", str(file), "-o", str(tmp_path / "none" / "x.book")).startswith(
        "damspec: --output: no folder"
    )
    assert refused("book", str(file), "-o", "/dev/null").endswith("expected the path of a file")
    printed("book", str(file), "-o", book)
    assert refused("explore", "start", "--book", book).endswith(
        "has games of international, english: --ruleset names one"
    )
    assert refused("explore", "start", "--book", book, "--ruleset", "thai").endswith(
        "has no games of thai, only of international, english"
    )
    assert "cannot be read as a book" in refused("explore", "start", "--book", str(file))
    assert refused("explore", "--book", book, "--ruleset", "english") == "damspec: Missing argument 'POSITION'."
