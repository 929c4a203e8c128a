"""Positions and games as PDN 3.0: the text, and other people's libraries that read it back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import damspec
from annotated_positions import answered, played
from damspec.pdn.notation import notation_of
from damspec_runner.generate import formats
from ruleset_files import child, load
from runner_fixtures import damspec as run
from runner_fixtures import run_with_library
from runs import usually


def tags(game: str) -> dict[str, str]:
    """The tags of a game."""
    return dict(re.findall(r'\[(\w+) "([^"]*)"\]', game))


@pytest.mark.parametrize(
    ("ruleset", "game_type", "moves", "written"),
    [
        ("international", "20,W,10,10,N2,0", "32-28 19-23 28x19 14x23", "1. 32-28 19-23 2. 28x19 14x23 *"),
        ("english", "21,B,8,8,N1,0", "11-15 22-18 15x22", "1. 11-15 22-18 2. 15x22 *"),
        ("russian", "25,W,8,8,A0,0", "c3-d4 f6-e5 d4xf6", "1. c3-d4 f6-e5 2. d4:f6 *"),
        ("brazilian", "26,W,8,8,A0,0", "c3-d4 f6-e5 d4xf6 g7xe5", "1. c3-d4 f6-e5 2. d4xf6 g7xe5 *"),
    ],
)
def test_a_game_from_the_ordinary_start(ruleset: str, game_type: str, moves: str, written: str) -> None:
    """It begins where its type does, so no tag says where."""
    game = formats.pdn([played(ruleset, *moves.split())])
    said = tags(game)
    assert said.keys() == {"Event", "Site", "Date", "Round", "White", "Black", "Result", "GameType", "Ruleset"}
    assert (said["GameType"], said["Result"], said["Ruleset"]) == (game_type, "*", ruleset)
    assert game.partition("\n\n")[2] == f"{written}\n"


def test_a_position_alone_has_no_moves() -> None:
    """Russian and Brazilian squares have names; an international win counts two."""
    (russian,) = answered("russian", "B:WK1,21:B5,K32")
    assert tags(formats.pdn([russian]))["FEN"] == "B:WKb8,a3:Ba7,Kg1"
    won, drawn = answered("international", "B:W50:B", "W:W47:B1")
    games = formats.pdn([won, drawn])
    assert games.count("\n\n*\n") == 2
    assert [tags(game)["FEN"] for game in games.split("\n\n*\n")[:2]] == ["B:W50:B", "W:W47:B1"]
    assert [tags(game)["Result"] for game in games.split("\n\n*\n")[:2]] == ["2-0", "*"]
    assert tags(formats.pdn(answered("brazilian", "B:W30:B")))["Result"] == "1-0"


def test_rules_without_a_type_and_other_starts(tmp_path: Path) -> None:
    """English draughts that White begins are of the English type, from a start of their own."""
    assert "GameType" not in tags(formats.pdn(answered("vl", "W:W22:B18")))
    assert tags(formats.pdn([played("vl", "21-17")]))["FEN"].startswith("W:W21,22,")
    assert "FEN" not in tags(formats.pdn([played("lb", "11-15")]))
    mine = load(tmp_path, child("english", start__first="white"))
    said = tags(formats.pdn([played(mine, "21-17")]))
    assert (said["GameType"], said["FEN"][:9]) == ("21,W,8,8,N2,0", "W:W21,22,")


def test_what_pdn_has_no_word_for() -> None:
    game = formats.pdn([played("nl-trapdoor", "spin=disc", "21-17", "spin=green", "G1=L")])
    assert game.endswith("\n\n{spin=disc} 1. 21-17 {spin=green} {G1=L} *\n")


def test_a_capture_is_written_in_full_where_two_end_alike() -> None:
    """The man on 23 goes round the left or the right to 7."""
    notation = notation_of(damspec.load_ruleset("english"))
    for fen, written in (("W:W23:B10,11,18,19", ["23x14x7", "23x16x7"]), ("W:W23:B10,18", ["23x7"])):
        legal = damspec.legal_moves("english", fen)
        assert [notation.text_of(legal.position, move) for move in legal.moves] == written


# --- other people's libraries -----------------------------------------------------------------

#: What reads a file and prints for each game how many moves were played and the position after them.
READERS = {
    "pydraughts": """
import sys
from draughts import Board, Move
from draughts.PDN import PDNReader
for game in PDNReader(filename=sys.argv[1]).games:
    board = Board(game.variant, game.tags.get("FEN", "startpos"))
    for move in game.moves:
        board.push(Move(board, pdn_move=move))
    print(len(game.moves), board.fen)
""",
    "py-draughts": """
import re, sys
import draughts
boards = {"20": draughts.StandardBoard, "21": draughts.AmericanBoard, "25": draughts.RussianBoard,
          "26": draughts.BrazilianBoard}
for game in re.split(r"(?m)^(?=\\[Event)", open(sys.argv[1]).read())[1:]:
    number = re.search(r'GameType "(\\d+)', game)[1]
    if number == "21" and "[FEN" not in game:  # its own games of English draughts begin with White
        game = '[FEN "B:W21-32:B1-12"]\\n' + game
    board = boards[number].from_pdn(game)
    print(len(board._moves_stack), re.sub(r'\\[FEN "|"\\]', "", board.fen))
""",
}


RULESETS = usually((), ("english", "international", "russian", "brazilian"), ("international",))
#: Short games, and those that come to a crown, which take pydraughts minutes.
SHORT = [pytest.param(("--plies", "12..30"), id="short", marks=pytest.mark.thorough)]


@pytest.mark.parametrize("asked", SHORT)
@pytest.mark.parametrize("library", [pytest.param("pydraughts", marks=pytest.mark.slow), "py-draughts"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_libraries_read_games(ruleset: str, library: str, asked: tuple[str, ...], tmp_path: Path) -> None:
    """Twenty games each: they come to the same position after as many moves."""
    file = tmp_path / "games.pdn"
    words = ("--reachable", *asked, "-n", "20", "--seed", "12", "--no-otherwise")
    assert run("generate", ruleset, *words, "--format", "pdn", "-o", str(file)).status == 0
    if library == "pydraughts":  # it does not know the colon, which the standard has for captures in Russian draughts
        file.write_text(re.sub("(?<=[a-h][1-8]):(?=[a-h][1-8])", "x", file.read_text()))
    positions = run("generate", ruleset, *words, "--format", "jsonl").out.splitlines()
    read = run_with_library(library, READERS[library], str(file)).splitlines()
    assert [same(ruleset, line) for line in read] == [
        same(ruleset, f"{len(one['game'])} {one['position']}") for one in map(json.loads, positions)
    ]


def same(ruleset: str, line: str) -> tuple[str, str, list[set[str]]]:
    """How many moves were played, who is to move, and the pieces of both sides, however their squares are written."""
    number, fen = line.split(" ")
    turn, *sides = fen.split(":")
    board = damspec.load_ruleset(ruleset).rules.board

    def square(text: str) -> str:
        return f"{'K' if text[0] == 'K' else ''}{board.square(text.removeprefix('K'))}"

    return number, turn, [{square(text) for text in filter(None, side[1:].split(","))} for side in sides]
