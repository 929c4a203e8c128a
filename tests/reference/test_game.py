"""A game with its history, and playing single moves."""

from __future__ import annotations

import pytest

import damspec
from damspec import Game, IllegalMoveError, InvalidMoveError
from refusals import refusal


def test_push_and_pop() -> None:
    game = Game("vl", "W:W26,32:B1,23,24")
    assert game.turn == "white"
    assert game.push("26x19x28").fen() == "B:W28,32:B1"
    assert game.push("1-5").fen() == "W:W28,32:B5"
    assert [str(move) for move in game.history] == ["26x19x28", "1-5"]
    assert str(game.pop()) == "1-5"
    assert game.fen() == "B:W28,32:B1"
    assert str(game.pop()) == "26x19x28"
    assert (game.fen(), game.history) == ("W:W26,32:B1,23,24", ())
    refusal(IndexError, game.pop)
    assert game.fen() == "W:W26,32:B1,23,24"


def test_a_bad_move_leaves_the_game_as_it_was() -> None:
    game = Game("lb")
    before = game.position
    for move, error in (
        ("1-5", IllegalMoveError),
        ("?", InvalidMoveError),
        (damspec.Move(1, 5, (), False), IllegalMoveError),
    ):
        refusal(error, game.push, move)
        assert (game.position, game.history) == (before, ())


def test_a_game_of_a_ruleset_and_a_position() -> None:
    ruleset = damspec.load_ruleset("lb")
    position = ruleset.position("B:W32:B1")
    game = Game(ruleset, position)
    assert game.position is position
    assert game.ruleset is ruleset
    assert repr(game) == "damspec.Game('lb', 'B:W32:B1')"
    assert list(map(str, game.legal_moves)) == ["1-5", "1-6"]
    assert game.push(game.legal_moves[0]).fen() == "W:W32:B5"


def test_to_the_end() -> None:
    game = Game("english", "B:W27:B18,24")
    assert (game.outcome().result, game.is_over) == ("ongoing", False)
    assert list(map(str, game.legal_moves)) == ["24x31"]
    game.push("24x31")
    assert game.fen() == "W:W:B18,K31"
    assert (str(game.outcome()), game.is_over, len(game.legal_moves)) == ("black (no-pieces)", True, 0)


@pytest.mark.parametrize(
    ("id", "fen", "move", "expected"),
    [
        ("lb", "W:W11:B7,9", "11x2", "B:WK2:B9"),
        ("russian", "W:W11:B7,9", "11x2x13", "B:WK13:B"),
        ("brazilian", "W:W11:B7,9", "11x2", "B:WK2:B9"),
        ("brazilian", "W:W11:B6,7", "11x2x9", "B:W9:B"),
        ("vl?arrival=goes-on", "W:W11:B7,9", "11x2x13", "B:WK13:B"),
        ("english", "W:W6:B28", "6-1", "B:WK1:B28"),
        ("english", "B:W1:B27", "27-32", None),
        ("english", "B:W5:B27", "27-32", "W:W5:BK32"),
        ("brazilian", "W:W22:B9,10,17,18", "22x22", "B:W22:B"),
        ("vl", "W:WK29:B18,K9", "29x13", None),
        ("vl", "W:WK29:BK18", "29x4", "B:WK4:B"),
    ],
)
def test_play(id: str, fen: str, move: str, expected: str | None) -> None:
    ruleset = damspec.load_ruleset(id)
    if expected is None:
        refusal(damspec.DamspecError, damspec.play, ruleset, fen, move)
    else:
        assert damspec.play(ruleset, fen, move).fen() == expected


def test_legal_moves_as_a_sequence() -> None:
    moves = damspec.legal_moves(damspec.load_ruleset("lb"), "start")
    assert repr(moves) == "<LegalMoves 9-13, 9-14, 10-14, 10-15, 11-15, 11-16, 12-16>"
    assert len(moves) == 7
    assert (str(moves[0]), str(moves[-1]), [str(move) for move in moves[1:3]]) == ("9-13", "12-16", ["9-14", "10-14"])
    inside: list[object] = ["11-15", "h6-g5", moves[3]]
    outside: list[object] = ["11-18", "nonsense", 7, damspec.Move(11, 18, (), False)]
    assert [one in moves for one in inside + outside] == [True] * 3 + [False] * 4
    assert repr(damspec.legal_moves(damspec.load_ruleset("lb"), "W:W:B1")) == "<LegalMoves none>"


@pytest.mark.parametrize(("depth", "nodes"), [(0, 1), (1, 7), (2, 49), (3, 302)])
def test_perft(depth: int, nodes: int) -> None:
    assert damspec.perft(damspec.load_ruleset("english"), "start", depth) == nodes


def test_divide() -> None:
    # After 11-15 White has seven moves, of which none is a capture, and so after every other first move.
    divided = damspec.divide(damspec.load_ruleset("english"), "start", 2)
    assert {str(move): nodes for move, nodes in divided.items()} == dict.fromkeys(
        ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"], 7
    )


def test_depths_that_are_none() -> None:
    lb = damspec.load_ruleset("lb")
    assert "depth: found -1, expected 0 to 100" in refusal(ValueError, damspec.perft, lb, "start", -1)
    assert "depth: found 0, expected 1 to 100" in refusal(ValueError, damspec.divide, lb, "start", 0)


def test_a_king_that_slides_twice() -> None:
    """Two slides in any directions, not back to where it began; from where they end it has to capture if it can."""
    game = Game("vl?king-slides=twice", "W:WK30:B1")
    moves = list(map(str, game.legal_moves))
    assert "30-26-31" in moves
    assert "30-26-30" not in moves
    assert game.push("30-26-31").fen() == "B:WK31:B1"
    game = Game("vl?king-slides=twice", "W:WK30:B2,6")
    assert "30-19" in list(map(str, game.legal_moves))
    refusal(IllegalMoveError, game.push, "30-16-19")
    assert game.push("30-16-19x1").fen() == "B:WK1:B2"


def test_peek() -> None:
    game = Game("lb")
    with pytest.raises(IndexError, match=r"no move has been played in this game: damspec.Game\('lb', "):
        game.peek()
    game.push("11-15")
    assert str(game.peek()) == "11-15"
    assert len(game.history) == 1


def test_a_copy_goes_its_own_way() -> None:
    game = Game("lb")
    game.push("11-15")
    other = game.copy()
    assert (other.fen(), other.history, other.ruleset) == (game.fen(), game.history, game.ruleset)
    other.push("22-17")
    assert (len(game.history), len(other.history)) == (1, 2)
    game.pop()
    game.push("9-14")
    assert [str(move) for move in other.history] == ["11-15", "22-17"]
    assert str(other.pop()) == "22-17"
    assert str(other.pop()) == "11-15"
    assert other.position == Game("lb").position


@pytest.mark.parametrize("given", ["lb", damspec.load_ruleset("lb")], ids=["id", "ruleset"])
def test_a_ruleset_or_its_id(given: str | damspec.Ruleset) -> None:
    """White's man on 32, g1, goes to 27 or 28; after either Black's on 1, b8, goes to 5 or 6."""
    fen = "W:W32:B1"
    assert list(map(str, damspec.legal_moves(given, fen))) == ["32-27", "32-28"]
    assert damspec.play(given, fen, "32-28").fen() == "B:W28:B1"
    assert damspec.outcome(given, fen).result == "ongoing"
    assert damspec.perft(given, fen, 2) == 4
    assert list(damspec.divide(given, fen, 2).values()) == [2, 2]
    assert Game(given, fen).ruleset == damspec.load_ruleset("lb")


def test_an_unknown_id() -> None:
    assert "unknown ruleset 'bl'" in refusal(damspec.RulesetError, damspec.legal_moves, "bl", "start")


def test_after() -> None:
    legal = damspec.legal_moves("lb", "W:W32:B1")
    assert legal.after("32-28") == legal.after(legal[1]) == damspec.play("lb", "W:W32:B1", "32-28")
    refusal(IllegalMoveError, legal.after, "32-23")


def test_counters_of_a_game() -> None:
    """English: two kings against each other; the third occurrence of a position draws."""
    game = damspec.Game("english", "W:WK32,5:BK1")
    assert (game.ply, game.halfmove_clock, game.result()) == (0, 0, "*")
    for move in ("32-28", "1-6", "28-32", "6-1"):
        game.push(move)
    assert (game.ply, game.halfmove_clock, game.is_repetition(2), game.is_repetition()) == (4, 4, True, False)
    for move in ("32-28", "1-6", "28-32", "6-1"):
        game.push(move)
    assert game.is_repetition()
    assert game.result() == "1/2-1/2"
    for move, clock in (("32-28", 9), ("1-6", 10), ("5-1", 0)):
        game.push(move)
        assert game.halfmove_clock == clock


def test_capture_and_result() -> None:
    game = damspec.Game("english", "W:W22:B18")
    assert game.is_capture("22x15")
    assert all(game.is_capture(move) == bool(move.captured) for move in game.legal_moves.moves)
    refusal(damspec.IllegalMoveError, game.is_capture, "22-17")
    game.push("22x15")
    assert (game.halfmove_clock, game.result()) == (0, "1-0")


def test_games_are_equal_by_ruleset_start_and_moves() -> None:
    one, other = damspec.Game("lb"), damspec.Game("lb")
    one.push("11-15")
    assert one != other
    other.push("11-15")
    assert one == other == one.copy()
    assert one != damspec.Game("lb", one.position)
    assert damspec.Game("lb") != damspec.Game("vl")
    refusal(TypeError, hash, one)
