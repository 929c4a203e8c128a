"""`damspec moves`, `play` and `outcome` after moves, typed or in a file of games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner_fixtures import damspec, printed, printed_json, refused
from runs import for_each

GAMES = """\
[Event "one"]
1. 11-15 (A) 21-17 2. 9-13 (as always) 17-14 *

[Event "two"]
1. 11-15 21-17 2. 15-16 *
"""
DOORS = '[FEN "W:W21:B5,14:sliders=MMMM"]\n{spin=green} {G1=L} *\n'


@pytest.fixture
def games(tmp_path: Path) -> str:
    """A file of two games, of which the second has an illegal move."""
    path = tmp_path / "games.pdn"
    path.write_text(GAMES, encoding="utf-8")
    return str(path)


@for_each(
    ("typed", "shown"),
    [
        # man 30 takes 26 and from 23 either 18 or 19
        ("play english W:W30:B26,18,19 30-23-14", "B:W14:B19"),
        ("play english W:W30:B26,18,19 30:23:14", "B:W14:B19"),
        ("play english W:W30:B26,18,19 30x14x18x26", "B:W14:B19"),
        ("play english W:W30:B26,18,19 30x14x26x18", "B:W14:B19"),
        ("play lb B:W21:B1,2 1-6 21-17 2-7", "W:W17:B6,7"),
        ("play de W:W22,32:B18,1 22-17", "B:W17,32:B1,18:huffable=22-17"),
        ("moves de W:W22:B18,1 22-17", "1-5\n1-6\n18-22\n18-23\nhuff 17\nretract"),
        ("outcome vl W:W22,21:B1,2 22-17", "ongoing"),
        ("outcome english W:WK32:BK1 32-28 1-5 28-32 5-1 32-28 1-5 28-32 5-1", "draw (repetition)"),
    ],
)
def test_moves_are_played_from_the_position(typed: str, shown: str) -> None:
    assert printed(*typed.split()) == f"{shown}\n"


def test_a_huff_is_a_move_too() -> None:
    assert damspec("play", "de", "W:W22,32:B18,1", "22-17", "huff 17").out == "B:W32:B1,18\n"


def test_an_illegal_move_says_which_it_is_where_and_what_is_legal() -> None:
    ran = damspec("moves", "lb", "B:W21:B1", "1-6", "21-18")
    assert (ran.status, ran.complaint) == (
        2,
        "damspec: move 2: illegal move '21-18' in W:W21:B6 (lb); legal: 21-17",
    )
    ran = damspec("outcome", "lb", "B:W21:B1", "1-6", "21-17", "that")
    assert ran.complaint.startswith("damspec: move 3: 'that' is no action: expected one like '21-17'")


@for_each(
    ("command", "place", "moves", "shown"),
    [
        ("play", ":1", [], "B:W14,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,12,13,15\n"),
        ("play", ":1.0", [], "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12\n"),
        ("play", ":2.1", [], "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15\n"),
        ("play", ":1", ["10x17"], "W:W22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,12,13,15,17\n"),
        ("moves", ":1", [], "10x17\n"),
        ("outcome", ":2.2", [], "ongoing\n"),
    ],
)
def test_a_game_in_a_file_up_to_a_ply(games: str, command: str, place: str, moves: list[str], shown: str) -> None:
    assert printed(command, "lb", "--pdn", games + place, *moves) == shown


@for_each(
    ("place", "complaint"),
    [
        ("", "--pdn: {0} has 2 games, expected {0}:GAME with the number of one"),
        (":3", "--pdn: {0} has 2 games, expected {0}:GAME with the number of one"),
        (":0", "--pdn: {0} has 2 games, expected {0}:GAME with the number of one"),
        (":1.9", "--pdn: {0}: game 1 has 4 plies, found 9"),
        (":2", "--pdn: {0}: game 2, line 5, ply 3: move 2. 15-16: illegal; legal: 7-11, 8-11, 9-13, "),
    ],
)
def test_what_is_not_in_a_file_of_games(games: str, place: str, complaint: str) -> None:
    assert refused("moves", "lb", "--pdn", games + place).startswith(f"damspec: {complaint.format(games)}")


def test_a_game_with_spins(tmp_path: Path) -> None:
    path = tmp_path / "doors.pdn"
    path.write_text(DOORS, encoding="utf-8")
    ran = damspec("play", "nl-trapdoor", "--pdn", f"{path}:1.1", "--json")
    assert json.loads(ran.out) == {"position": "W:W21:B5,14:sliders=MMMM:spin=green"}
    said = printed_json("moves", "moves", "nl-trapdoor", "--pdn", str(path), "--json")
    played = damspec("play", "nl-trapdoor", "W:W21:B5,14", "spin=green", "G1=L").out
    assert said["position"] == played.strip() != "W:W21:B5,14:sliders=MMMM:spin=green"


@for_each(
    ("typed", "missing"),
    [("moves lb", "POSITION"), ("play lb", "POSITION"), ("play lb start", "MOVE"), ("outcome lb", "POSITION")],
)
def test_what_has_to_be_typed(typed: str, missing: str) -> None:
    assert refused(*typed.split()) == f"damspec: Missing argument '{missing}'."
