"""Positions and FEN: reading, writing, and one line that quotes the input for each thing that can be wrong with it."""

from __future__ import annotations

import random
from collections.abc import Callable
from hashlib import blake2b

import pytest

import damspec
from damspec import ArgumentTypeError, Board, Piece, Position, PositionError
from damspec.validity import may_be_reached
from damspec_runner.positions.random_games import play_random_game
from refusals import refusal
from runs import ORIGINALS, for_each, usually
from variants import ENGLISH, but

SMALL = Board(8, 8)
LB = damspec.load_ruleset("lb")
VL = damspec.load_ruleset("vl")


def read(text: str) -> Position:
    return Position.from_fen(text, SMALL)


@for_each(
    ("text", "fen"),
    [
        ("W:W21,22,K30:B1,2,K5", "W:W21,22,K30:B1,2,K5"),
        ("B:B2,1:WK30,21", "B:W21,K30:B1,2"),
        ("W:W21-24:B1-3", "W:W21,22,23,24:B1,2,3"),
        ("W:WK21-23:B1", "W:WK21,K22,K23:B1"),
        ("W:Wc3,Ke1:Bb8", "W:W22,K31:B1"),
        ("W:Wa3-g3:Bb8", "W:W21,22,23,24:B1"),
        ("W:W21:B", "W:W21:B"),
        ("W:W:B1", "W:W:B1"),
        ("  W:W21:B1.\n", "W:W21:B1"),
        ("W:W21:B1:compelled", "W:W21:B1:compelled"),
        ("W:W21:B1:huffable=26-31K", "W:W21:B1:huffable=26-31K"),
        ("W:W21:B1:huffable=22-6Kx9,K17", "W:W21:B1:huffable=22-6Kx9,K17"),
        ("B:W21:B1:spin=both:sliders=MLRM", "B:W21:B1:sliders=MLRM:spin=both"),
        ("W:W21:B1:H0:F1", "W:W21:B1"),
        ("W:W21:B1:+0+0:H12:F34", "W:W21:B1"),
        ("W:W21,K30:B1,K5:H3:F9:+0+230", "W:W21,K30:B1,K5:+0+230"),
        ("W:W21,K30:B1,K5:+105+330:compelled", "W:W21,K30:B1,K5:compelled:+105+330"),
        ("W:W21,K30:B1,K5:+1005+0", "W:W21,K30:B1,K5:+105+0"),
    ],
)
def test_fen(text: str, fen: str) -> None:
    position = read(text)
    assert position.fen() == fen
    assert read(fen) == position
    assert hash(read(fen)) == hash(position)


def test_algebraic_fen() -> None:
    position = read("W:W22,K31:B1:compelled")
    assert position.fen(algebraic=True) == "W:Wc3,Ke1:Bb8:compelled"
    assert read(position.fen(algebraic=True)) == position


def test_pieces() -> None:
    position = read("B:W21,K30:B1,K5")
    assert position.turn == "black"
    assert [position[number] for number in (21, 30, 1, 5, 2)] == [
        Piece("white", "man"),
        Piece("white", "king"),
        Piece("black", "man"),
        Piece("black", "king"),
        None,
    ]
    assert SMALL.numbers(position.men("white")) == [21]
    assert SMALL.numbers(position.kings("black")) == [5]
    assert SMALL.numbers(position.occupied("black")) == [1, 5]
    assert "no square 33" in refusal(PositionError, position.__getitem__, 33)


@pytest.mark.parametrize(
    "changed", ["B:W21:B1", "W:WK21:B1", "W:W22:B1", "W:W21:B2", "W:W21:B1:compelled", "W:W21:B1:+0+121"]
)
def test_different_positions(changed: str) -> None:
    assert read(changed) != read("W:W21:B1")


def test_start() -> None:
    assert LB.position().fen() == "B:W{}:B{}".format(
        ",".join(map(str, range(21, 33))), ",".join(map(str, range(1, 13)))
    )
    assert damspec.load_ruleset("international").position() == Position.from_fen("W:W31-50:B1-20", Board(10, 10))
    squares = damspec.from_values(but(ENGLISH, start__men={"white": [30, 31], "black": [2]}))
    assert squares.position().fen() == "B:W30,31:B2"
    kings = damspec.from_values(but(ENGLISH, start__men={"white": [1, 31], "black": [2], "kings": [1, 2]}))
    assert kings.position().fen() == "B:WK1,31:BK2"


def test_mirrored() -> None:
    position = read("W:W21,K30:B1,2")
    assert position.mirrored().fen() == "B:W31,32:BK3,12"
    assert position.mirrored().mirrored() == position


#: What `read_position` reads all the same, or as the name of a square in capitals.
READ_OTHERWISE = ("w:w21:b1", "W:W21\n:B1", "W:WD21:B1")


@for_each(
    ("text", "expected"),
    [
        ("", "expected a FEN like"),
        ("garbage", "expected a FEN like"),
        ("W", "expected a FEN like"),
        ("W:W21", "expected a FEN like"),
        ("X:W21:B1", "expected a FEN like"),
        ("w:w21:b1", "expected a FEN like"),
        ("White:W21:B1", "expected a FEN like"),
        ("{'W': 21}", "expected a FEN like"),
        ("W:W21:W22", "found 'W21:W22', expected the squares of W and of B once each"),
        ("W:B1:B2", "expected the squares of W and of B once each"),
        ("W:W21:X1", "expected the squares of W and of B once each"),
        ("W:21:1", "expected the squares of W and of B once each"),
        ("W::B1", "expected the squares of W and of B once each"),
        ("W:W0:B1", "no square 0: the board has squares 1 to 32"),
        ("W:W33:B1", "no square 33: the board has squares 1 to 32"),
        ("W:WK33:B1", "in 'K33': no square 33"),
        ("W:W21:B1,99999", "'99999' is no square"),
        ("W:W21:Bz9", "no playable square 'z9'"),
        ("W:W21:Ba8", "no playable square 'a8'"),
        ("W:W21:Bh9", "no playable square 'h9'"),
        ("W:W21,,22:B1", "'' is no square"),
        ("W:W21,:B1", "'' is no square"),
        ("W:W21;22:B1", "'21;22' is no square: expected a number from 1 to 32 or a name like 'b8'"),
        ("W:W 21:B1", "' 21' is no square"),
        ("W:WKK21:B1", "'K21' is no square"),
        ("W:WD21:B1", "'D21' is no square"),
        ("W:W-21:B1", "'' is no square"),
        ("W:W21.5:B1", "'21.5' is no square"),
        ("W:W21\n:B1", "'21\\n' is no square"),
        ("W:W21,21:B1", "square 21 is used twice"),
        ("W:W21:B21", "square 21 is used twice"),
        ("W:W21,K21:B1", "square 21 is used twice"),
        ("W:W21,a3:B1", "square 21 is used twice"),
        ("W:W20-23,22:B1", "square 22 is used twice"),
        ("W:W24-21:B1", "found the range '24-21', expected the smaller square first"),
        ("W:W21-33:B1", "in '21-33': no square 33"),
        ("W:W21-:B1", "in '21-': '' is no square"),
        ("W:W21-23-25:B1", "'23-25' is no square"),
        ("W:W21:B1:", "found the field '', expected sliders=, spin=, huffable=, compelled or runs"),
        ("W:W21:B1:H", "found 'H', expected a number after H"),
        ("W:W21:B1:H0:F-1", "found 'F-1', expected a number after F"),
        ("W:W21:B1:F1:F2", "field 'F' given twice"),
        ("W:W21:B1:+0+0:+0+0", "field '+' given twice"),
        ("W:WK21:B1:+0+121:H0:+0+121", "field '+' given twice"),
        ("W:WK21:B1:+", "found '+', expected Black's run and White's, each 0 or moves and square: +0+246, +105+0"),
        ("W:WK21:B1:+0", "found '+0', expected Black's run and White's"),
        ("W:WK21:B1:+0+0+0", "found '+0+0+0', expected Black's run and White's"),
        ("W:WK21:B1:+0+2", "found '+0+2', expected Black's run and White's"),
        ("W:WK21:B1:+0+021", "found '+0+021', expected Black's run and White's"),
        ("W:WK21:B1:+0+-121", "found '+0+-121', expected Black's run and White's"),
        ("W:WK21:B1:+1+21", "found '+1+21', expected Black's run and White's"),
        ("W:W21:B1:slider=M", "found the field 'slider=M'"),
        ("W:W21:B1:compelled=yes", "found the field 'compelled=yes'"),
        ("W:W21:B1:spin", "found the field 'spin'"),
        ("W:W21:B1:spin=red", "found 'spin=red', expected one of disc, green, orange, both"),
        ("W:W21:B1:spin=", "found 'spin=', expected one of"),
        ("W:W21:B1:sliders=LX", "found 'sliders=LX', expected a letter L, M or R"),
        ("W:W21:B1:sliders=", "found 'sliders=', expected a letter L, M or R"),
        ("W:W21:B1:huffable=11", "found 'huffable=11', expected a move like 11-15"),
        ("W:W21:B1:huffable=11x15", "found 'huffable=11x15', expected a move like 11-15"),
        ("W:W21:B1:huffable=11-15x", "found 'huffable=11-15x', expected a move like 11-15"),
        ("W:W21:B1:huffable=11-18x15,", "found 'huffable=11-18x15,', expected a move like 11-15, 26-31K if it pro"),
        ("W:W21:B1:spin=disc:spin=disc", "field 'spin' given twice"),
        ("W:W21:B1:compelled:compelled", "field 'compelled' given twice"),
    ],
)
def test_bad_fen(text: str, expected: str) -> None:
    readers: list[Callable[[str], object]] = [read, LB.position, LB.read_position]
    for reader in readers[: 2 if text in READ_OTHERWISE else 3]:
        message = refusal(PositionError, reader, text)
        assert expected in message
        assert repr(text) in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("W:W:B", "no pieces on the board"),
        ("W:W3:B9", "white man on its promotion row: 3, expected a king"),
        ("W:W21:B29,32", "black man on its promotion row: 29, 32, expected a king"),
        ("W:W21:B1:spin=disc", "found spin=disc, but there are no trapdoors in these rules"),
        ("W:W21:B1:sliders=MMMM", "found sliders=MMMM, but there are no trapdoors in these rules"),
        ("W:W21:B1:huffable=11-15", "found huffable=11-15, but there is no huffing in these rules"),
        ("W:W21:B1:compelled", "found compelled, but there is no huffing in these rules"),
    ],
)
def test_positions_a_game_cannot_have(text: str, expected: str) -> None:
    assert read(text).fen() == text
    assert refusal(PositionError, LB.position, text) == f"position {text!r} in lb: {expected}"


@pytest.mark.parametrize("text", ["W:W21:B", "B:W21:B", "W:W:B1", "W:W:BK32", "W:WK1:B", "W:W21:BK29"])
def test_one_side_alone_and_kings_anywhere_are_fine(text: str) -> None:
    assert LB.position(text).fen() == text


def test_men_may_stand_on_the_promotion_row_where_they_can_stay_uncrowned() -> None:
    position = damspec.load_ruleset("vl?return=not-crowned").position("W:W2,9:B30")
    assert position[2] == Piece("white", "man")
    assert "promotion row: 2" in refusal(PositionError, VL.position, "W:W2,9:B30")


def test_how_far_the_promotion_row_reaches_is_the_rules_business() -> None:
    two_rows = damspec.from_values(but(ENGLISH, promotion__rows=2), "two")
    assert "white man on its promotion row: 6, expected a king" in refusal(PositionError, two_rows.position, "W:W6:B9")
    assert LB.position("W:W6:B9").fen() == "W:W6:B9"


# --- as a container


def test_the_pieces_of_a_position() -> None:
    position = read("W:W21,K30:B1,K5")
    assert len(position) == 4
    assert list(position) == [1, 5, 21, 30]
    assert list(position.pieces()) == [
        (1, Piece("black", "man")),
        (5, Piece("black", "king")),
        (21, Piece("white", "man")),
        (30, Piece("white", "king")),
    ]
    assert [number in position for number in (1, 2, 21, 0, 33, -1)] == [True, False, True, False, False, False]
    assert (position[30], position[2]) == (Piece("white", "king"), None)
    assert "no square 33" in refusal(PositionError, position.__getitem__, 33)


def test_an_empty_board_is_a_position() -> None:
    position = read("W:W:B")
    assert (len(position), list(position), list(position.pieces())) == (0, [], [])
    assert position


def test_pieces_are_in_the_order_of_the_numbers_however_they_run() -> None:
    position = Position.from_fen("W:W1,8:B30", Board(8, 8, numbering="bottom-right"))
    assert list(position) == [1, 8, 30]


def test_start_is_the_default() -> None:
    assert LB.position() == LB.position("start")
    assert len(LB.position()) == 24


def test_a_layout_is_for_pictures_alone() -> None:
    trapdoors = damspec.load_ruleset("nl-trapdoor")
    text = "W:W21:B5:sliders=LMMM"
    position, bare = trapdoors.position(text), Position.from_fen(text, trapdoors.rules.board)
    assert (position.layout, bare.layout) == (trapdoors.rules.trapdoors and trapdoors.rules.trapdoors.layout, None)
    assert (position, hash(position), repr(position)) == (bare, hash(bare), repr(bare))


def test_key_is_the_documented_xor() -> None:
    def splitmix(n: int) -> int:
        word = 2**64 - 1
        z = n * 0x9E3779B97F4A7C15 & word
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & word
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & word
        return z ^ (z >> 31)

    position = Position.from_fen("B:W21,K30:B1,K3", Board(8, 8))
    expected = splitmix(1) ^ splitmix(4 * 21) ^ splitmix(4 * 30 + 1) ^ splitmix(4 * 1 + 2) ^ splitmix(4 * 3 + 3)
    assert position.key() == expected
    # The first number of splitmix64 with seed 0, as its author's program prints it.
    assert splitmix(1) == 0xE220A8397B1DCDAF


def test_key_is_of_the_whole_position() -> None:
    """Every part of a position that the rules look at changes the key, and the key is the same in every process."""
    texts = [
        "W:WK21,5:B1",
        "B:WK21,5:B1",
        "W:W21,5:B1",
        "W:WK21,5:BK1",
        "W:WK21:B1,5",
        "W:WK21,5:B1:+0+221",
        "W:WK21,5:B1:+0+121",
        "W:WK21,5:B1:compelled",
        "W:WK21,5:B1:huffable=2-1",
        "W:WK21,5:B1:sliders=MM",
        "W:WK21,5:B1:sliders=ML",
        "W:WK21,5:B1:sliders=ML:spin=disc",
    ]
    keys = [Position.from_fen(text, Board(8, 8)).key() for text in texts]
    assert len({*keys}) == len(texts)
    assert keys[5] ^ keys[0] == int.from_bytes(blake2b(b"+0+221", digest_size=8).digest(), "little")


def test_pieces_are_set_and_removed() -> None:
    position = Position.from_fen("W:WK21,5:B1:+0+221", Board(8, 8))
    assert position.with_piece_at(1, Piece("white", "man")).fen() == "W:W1,5,K21:B:+0+221"
    assert position.without_piece_at(21).fen() == "W:W5:B1"
    assert position.without_piece_at(2) == position
    refusal(PositionError, position.without_piece_at, 33)
    refusal(ArgumentTypeError, position.with_piece_at, 2, "K")  # type: ignore[arg-type]


# --- Which positions no game comes to, by what the rules make certain.


#: The men of English draughts at the start, where Black begins.
WHITE, BLACK = ",".join(map(str, range(21, 33))), ",".join(map(str, range(1, 13)))


@for_each(
    ("name", "fen", "expected"),
    [
        ("english", f"B:W{WHITE}:B{BLACK}", True),
        ("english", f"W:W{WHITE}:B{BLACK}", False),  # no man of Black has moved
        ("english", f"W:W21:B{BLACK},13", False),  # thirteen men
        # Whoever moved last has a piece; the side to move may have lost its last one.
        ("english", "B:W:BK29", False),
        ("international", "W:W43:B", False),
        ("english", "W:W:BK29", True),
        # On its own first row a man has come from nowhere, but by capturing backward: over 42 or 43 to 48.
        ("english", "B:W29:B1", False),
        ("english", "B:W25:B1", True),
        ("english", "B:WK29:B1", True),
        ("international", "B:W48:B1", True),
        ("international", "B:W48:B1,42,43", False),
        ("international", "B:W48:B1,37,39", False),
        # A huff may take the last piece and keep the turn, and a door may swallow it.
        ("de", "B:W:BK29", True),
        ("de?huff-turn=spent", "B:W:BK29", False),
        ("nl-trapdoor", "B:W:BK29", True),
        # The first king has won: it is the last mover's, and the only one.
        ("english+breakthrough", "B:WK1,20:B21", True),
        ("english+breakthrough", "B:WK1,K2:B21", False),
        ("english+breakthrough", "W:WK1,20:B21", False),
        # One piece alone loses: so it did before it moved.
        ("ghanaian", "B:WK30:B5,6", False),
        ("ghanaian", "W:WK30:BK5,6", True),
    ],
)
def test_what_a_game_may_come_to(name: str, fen: str, expected: bool) -> None:
    ruleset = damspec.load_ruleset(name)
    assert may_be_reached(ruleset.turns, ruleset.position(fen)) is expected


@pytest.mark.parametrize("name", usually({*ORIGINALS, "ghanaian", "english+breakthrough"}, damspec.ruleset_ids()))
def test_every_position_of_a_game_may_be_reached(name: str) -> None:
    ruleset = damspec.load_ruleset(name)
    for seed in range(5):
        for ply in play_random_game(ruleset, random.Random(seed), ruleset.position(), 150):
            assert may_be_reached(ruleset.turns, ply.position), ply.position.fen()
