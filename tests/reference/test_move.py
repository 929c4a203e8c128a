"""Moves and their notation: full and short, numbers and names, what is no move, not legal, or can mean two."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import replace
from random import Random

import pytest

import damspec
from damspec import (
    Action,
    AmbiguousMoveError,
    ArgumentError,
    Board,
    Huff,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    Pass,
    Position,
    Retract,
    SliderPush,
    Spin,
    action_from_dict,
)
from damspec.data import schema_problem
from damspec.errors import quote_value
from damspec.king_runs import moves_within_limit
from damspec.move import PackedMove, matching, read_squares, shortens
from damspec.piece_moves import move_of
from damspec.position import open_doors, to_mover_view
from refusals import refusal
from runs import EVERY, for_each

SMALL = Board(8, 8)
ENGLISH = damspec.load_ruleset("english")
BRAZILIAN = damspec.load_ruleset("brazilian")
#: The man on c1 takes two by way of a3 or of e3, and lands on c5 both times.
TWO_WAYS = "W:W30:B17,18,25,26"
#: The man on c3 goes round by way of a5 or of e5, takes the same four and is back on c3.
ROUND = "W:W22:B9,10,17,18"


def in_(moves: damspec.LegalMoves, text: object) -> bool:
    return text in moves


def test_text() -> None:
    quiet, capture = Move(21, 17, (), False, False, ((21, 17),)), Move(21, 7, (10, 17), False, False, ((21, 14, 7),))
    assert (str(quiet), str(capture)) == ("21-17", "21x14x7")
    assert (quiet.algebraic(SMALL), capture.algebraic(SMALL)) == ("a3-b4", "a3xc5xe7")
    assert capture.path == (21, 14, 7)


#: Every kind of action: by its notation, its kind, start, end, path, captured squares and form in JSON.
FACES: list[tuple[Action, str, str, int | None, int | None, tuple[int, ...], tuple[int, ...], dict[str, object]]] = [
    (
        Move(22, 17, (), True, True),
        *("22-17", "move", 22, 17, (22, 17), ()),
        {"move": "22-17", "from": 22, "to": 17, "path": [22, 17], "captured": [], "promotes": True, "falls": True},
    ),
    (
        Move(21, 7, (10, 17), False, paths=((21, 14, 7),)),
        *("21x14x7", "move", 21, 7, (21, 14, 7), (10, 17)),
        {"move": "21x14x7", "from": 21, "to": 7, "path": [21, 14, 7], "captured": [10, 17], "promotes": False},
    ),
    (Spin("disc"), "spin=disc", "spin", None, None, (), (), {"move": "spin=disc", "captured": []}),
    (SliderPush("G1", "L"), "G1=L", "slider-push", None, None, (), (), {"move": "G1=L", "captured": []}),
    (SliderPush("O12", "R", True), "O12=RM", "slider-push", None, None, (), (), {"move": "O12=RM", "captured": []}),
    (Huff(18), "huff 18", "huff", None, None, (), (), {"move": "huff 18", "captured": []}),
    (Retract(), "retract", "retract", None, None, (), (), {"move": "retract", "captured": []}),
    (Pass(), "pass", "pass", None, None, (), (), {"move": "pass", "captured": []}),
]


@for_each(("action", "text", "kind", "start", "end", "path", "captured", "entry"), FACES)
def test_every_action_has_the_same_face(
    action: Action,
    text: str,
    kind: str,
    start: int | None,
    end: int | None,
    path: tuple[int, ...],
    captured: tuple[int, ...],
    entry: dict[str, object],
) -> None:
    assert (action.text, str(action), action.kind, action.start, action.end) == (text, text, kind, start, end)
    assert (action.path, action.captured, action.is_capture, action.side) == (path, captured, captured != (), None)
    assert action.to_dict() == entry
    again = action_from_dict(json.loads(json.dumps(entry)))
    assert (again, again.path, type(action).from_dict(entry)) == (action, path, action)
    assert schema_problem([entry], "protocol", "moves.result") is not None
    assert schema_problem({"moves": [entry]}, "protocol", "moves.result") is None


@pytest.mark.parametrize(
    ("ruleset", "fen"),
    [
        ("de", "B:W22,28:B1,18:huffable=32-28"),
        ("nl-trapdoor", "W:W21:B5,14"),
        ("nl-trapdoor", "B:W21:B5,14:sliders=MMMM:spin=green"),
        ("vl", "W:W26,32:B1,23,24"),
        ("vl", "B:WK32:B1,K10"),
        ("russian", "B:WK29:B15,25"),
    ],
)
def test_a_loop_over_any_game_needs_no_isinstance(ruleset: str, fen: str) -> None:
    legal = damspec.legal_moves(ruleset, fen)
    assert legal
    for action in legal:
        assert action.side == legal.position.turn
        assert legal.find(json.loads(json.dumps(action.to_dict()))) == action
        if action.kind == "move":
            piece = legal.position[action.start]
            assert piece is not None
            assert piece.side == action.side


def test_the_side_is_no_part_of_the_value() -> None:
    """White's king and Black's capture the same way: two moves of two sides, with one value."""
    white, black = (damspec.legal_moves("vl", fen).find("31x24") for fen in ("W:WK31:B27", "B:W27:BK31"))
    assert (white.text, white.side, black.text, black.side) == (black.text, "white", white.text, "black")
    assert white == black == Move(31, 24, (27,), False) == replace(white, side=None)
    assert "side" not in repr(white)


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"move": "22-17"}, "missing 'captured'"),
        ({"move": "22-17", "captured": []}, "no 'from': expected 'from', 'to', 'path', 'captured' and 'promotes'"),
        ({"move": "huff 0", "captured": []}, "square: found 0, expected 1 to "),
        (
            {"move": "22-18", "from": 22, "to": 17, "path": [22, 17], "captured": [], "promotes": False},
            "move: found '22-18', expected '22-17' by its squares",
        ),
        (
            {"move": "22-17", "from": 22, "to": 17, "path": [22], "captured": [], "promotes": False},
            "path: [22] is too short",
        ),
    ],
)
def test_a_dict_that_is_no_action(entry: dict[str, object], says: str) -> None:
    assert says in refusal(ArgumentError, action_from_dict, entry)


def test_a_dict_of_another_kind_of_action() -> None:
    said = refusal(ArgumentError, Move.from_dict, {"move": "pass", "captured": []})
    assert said == "entry: found {'captured': [], 'move': 'pass'}, expected a Move"


def test_a_dict_says_which_of_two_captures_is_meant() -> None:
    legal = damspec.legal_moves(ENGLISH, TWO_WAYS)
    assert legal.find({"move": "30x14", "captured": [25, 17]}).text == "30x21x14"
    assert legal.find({"move": "30x14", "captured": [18, 26]}).text == "30x23x14"
    said = refusal(IllegalMoveError, legal.find, {"captured": [17, 26], "move": "30x14"})
    where = f"{{'captured': [17, 26], 'move': '30x14'}} in {TWO_WAYS} (english)"
    assert said == f"illegal move {where}; legal: 30x21x14, 30x23x14"
    assert refusal(InvalidMoveError, legal.find, {"move": "30x14"}).startswith("{'move': '30x14'} is no action: ")


def test_paths_do_not_make_another_move() -> None:
    one, other = Move(21, 7, (10, 17), False, False, ((21, 14, 7),)), Move(21, 7, (10, 17), False)
    assert one == other
    assert hash(one) == hash(other)
    assert one != Move(21, 7, (10, 17), True)
    assert one != Move(21, 7, (10, 18), False)
    assert str(other) == "21x7"


@pytest.mark.parametrize(
    ("text", "squares", "captures"),
    [
        ("21-17", (21, 17), 0),
        ("21x14x7", (21, 14, 7), 2),
        ("21:14:7", (21, 14, 7), 2),
        ("21x14:7", (21, 14, 7), 2),
        ("a3-b4", (21, 17), 0),
        ("a3xc5xe7", (21, 14, 7), 2),
        ("a3x14", (21, 14), 1),
        ("30-26-19", (30, 26, 19), 0),
        ("30-26-19x10", (30, 26, 19, 10), 1),
    ],
)
def test_notations(text: str, squares: tuple[int, ...], captures: int) -> None:
    assert read_squares(text, SMALL) == (squares, captures)


@for_each(
    "text",
    [
        *("", " ", "21", "21-", "-17", "21 - 17", "21x14-7", "21x", "x14", "21×14", "21to17", "e2e4"),
        *(
            "K21-17",
            "21-17\n",
            "21-33",
            "0-4",
            "21x99",
            "a4-b5",
            "a3-k4",
            "21--17",
            "21-1e1",
            "٢١-17",
            "G1=LL",
            "G=L",
            "spin=",
            "huff",
            "huff  18",
            "Pass",
            "1" * 400,
        ),
    ],
)
def test_what_is_no_move(text: str) -> None:
    moves = damspec.legal_moves(ENGLISH, "W:W21:B1")
    for find in (moves.find, lambda text: read_squares(text, SMALL)):
        said = refusal(InvalidMoveError, find, text)
        assert re.search(r"is no (move|action)", said)
        assert quote_value(text) in said
    assert not in_(moves, text)


@pytest.mark.parametrize("text", ["21-17-14", "G1=L", "spin=disc", "huff 18", "retract", "pass"])
def test_what_is_an_action_elsewhere_is_illegal(text: str) -> None:
    assert "illegal move" in refusal(IllegalMoveError, damspec.legal_moves(ENGLISH, "W:W21:B1").find, text)


def test_the_square_of_a_bad_move_is_named() -> None:
    assert "no square 33: the board has squares 1 to 32" in refusal(InvalidMoveError, read_squares, "21-33", SMALL)


@pytest.mark.parametrize(
    ("squares", "short"),
    [
        ((30, 14), True),
        ((30, 21, 14), True),
        ((30, 23, 14), False),
        ((30, 21), False),
        ((21, 14), False),
    ],
)
def test_short_forms(squares: tuple[int, ...], short: bool) -> None:
    assert shortens(squares, (30, 21, 14)) is short


def test_the_squares_left_in_keep_their_order() -> None:
    assert shortens((22, 15, 13, 22), (22, 15, 6, 13, 22))
    assert not shortens((22, 13, 15, 22), (22, 15, 6, 13, 22))


def test_one_move_by_every_path() -> None:
    (move,) = damspec.legal_moves(BRAZILIAN, ROUND).moves
    assert move.paths == ((22, 13, 6, 15, 22), (22, 15, 6, 13, 22))
    assert move.captured == (9, 10, 17, 18)
    moves = damspec.legal_moves(BRAZILIAN, ROUND)
    for text in ("22x13x6x15x22", "22x15x6x13x22", "22x22", "22x6x22", "22x15x22", "c3xa5xc7xe5xc3"):
        assert moves.find(text) == move
        assert in_(moves, text)


def test_ambiguous() -> None:
    moves = damspec.legal_moves(ENGLISH, TWO_WAYS)
    assert [str(move) for move in moves] == ["30x21x14", "30x23x14"]
    said = refusal(AmbiguousMoveError, moves.find, "30x14")
    assert said == f"ambiguous move '30x14' in {TWO_WAYS} (english): 30x21x14, 30x23x14"
    assert not in_(moves, "30x14")
    left, right = moves.moves
    assert (moves.find("30x21x14"), left.captured) == (left, (17, 25))
    assert (moves.find("c1xe3xc5"), right.captured) == (right, (18, 26))


def test_a_full_path_goes_before_a_short_form() -> None:
    single = Move(30, 14, (22,), False, False, ((30, 14),))
    double = Move(30, 14, (17, 25), False, False, ((30, 21, 14),))
    assert matching("30x14", [double, single], SMALL) == [single]
    assert matching("30x21x14", [double, single], SMALL) == [double]


@pytest.mark.parametrize("text", ["30x21", "30-14", "30x14x21", "21x14", "30x25x14", "32-28"])
def test_illegal(text: str) -> None:
    said = refusal(IllegalMoveError, damspec.play, ENGLISH, TWO_WAYS, text)
    assert said == f"illegal move {text!r} in {TWO_WAYS} (english); legal: 30x21x14, 30x23x14"


def test_illegal_where_there_is_none() -> None:
    assert refusal(IllegalMoveError, damspec.play, ENGLISH, "W:W5:BK1", "5-1").endswith("legal: none")


@pytest.mark.parametrize("move", [Move(21, 14, (), False), Move(30, 14, (17, 25), True), Move(30, 14, (17,), False)])
def test_a_move_of_another_position(move: Move) -> None:
    said = refusal(IllegalMoveError, damspec.play, ENGLISH, TWO_WAYS, move)
    assert said == f"illegal move '{move}' in {TWO_WAYS} (english); legal: 30x21x14, 30x23x14"


# --- Moves looked up and made once are those that the move generator finds, and lead to the same positions.


def found_anew(ruleset: damspec.Ruleset, position: Position) -> list[Move]:
    """Return the moves of pieces from the packed moves of the generator, without any table of moves."""
    rules, generator = ruleset.rules, ruleset.turns.movement.generator
    doors = open_doors(rules, position)
    steps = generator.steps(*to_mover_view(position), doors)
    ways: dict[object, list[PackedMove]] = {}
    for step in moves_within_limit(rules.king.move_limit, position, steps):
        ways.setdefault(step[:4], []).append(step)
    return sorted(
        (move_of(each, rules.board, position.turn, doors) for each in ways.values()), key=lambda move: move.paths[0]
    )


@pytest.mark.parametrize("name", EVERY)
def test_moves_are_those_of_the_generator(name: str) -> None:
    ruleset, rng = damspec.load_ruleset(name), Random(name)
    for _ in range(3):
        game = damspec.Game(ruleset)
        for _ in range(70):
            position, turns = game.position, ruleset.turns
            moves, expected = turns.movement.legal(position), found_anew(ruleset, position)
            assert [(move, move.paths) for move in moves] == [(move, move.paths) for move in expected]
            for move in moves:
                if turns.plain:
                    after = turns.after_listed(position, move)
                    assert after == turns.after(position, replace(move))
                    assert after == Position.from_fen(after.fen(), after.board)
            if not game.legal_moves:
                break
            game.push(rng.choice(game.legal_moves))


def test_moves_out_of_order_and_by_value_are_checked() -> None:
    game = damspec.Game("vl")
    first, *_, last = game.legal_moves
    after_last = game.push(last)
    refusal(damspec.IllegalMoveError, game.push, first)
    assert game.pop() is last
    assert game.push(replace(last)) == after_last
    game.pop()
    assert game.push(first) != after_last
    assert [*game.history] == [first]


def test_the_moves_of_a_position_taken_back_to_are_at_hand() -> None:
    game = damspec.Game("english")
    legal = game.legal_moves
    game.push(legal[0])
    game.pop()
    assert game.legal_moves is legal


def test_a_pickled_game_is_small_and_goes_on() -> None:
    """The tables of moves stay at home: ten plies are a few kilobytes."""
    game = damspec.Game("international")
    for _ in range(10):
        game.push(game.legal_moves[0])
    written = pickle.dumps(game)
    assert len(written) < 10_000
    again = pickle.loads(written)
    assert again == game
    assert again.push(str(game.legal_moves[0])) == game.push(game.legal_moves[0])
