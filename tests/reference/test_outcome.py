"""How games end: who has won, and the draws by what went before."""

from __future__ import annotations

from typing import Any, Literal

import pytest

import damspec
from damspec import Game, IllegalMoveError, Outcome, RulesetError
from refusals import refusal
from runs import for_each
from variants import BRAZILIAN, ENGLISH, HUFF, but

#: White's man on a7 cannot pass the king on b8, which nothing can jump.
BLOCKED = "W:W5:BK1"
DRAWS: dict[str, Any] = {"ending__draws": ["one-piece-each"], "ending__order": "losses-first"}
DRAWS_FIRST: dict[str, Any] = DRAWS | {"ending__order": "draws-first"}
NO_CAPTURE: dict[str, Any] = DRAWS | {"ending__draws": ["one-piece-each-no-capture"]}
SAME_KIND: dict[str, Any] = DRAWS | {"ending__draws": ["one-piece-each-same-kind"]}
ONE_PIECE: dict[str, Any] = {"ending__one_piece": "loses"}
KING_TO_MAN: dict[str, Any] = {"ending__king_to_man": "wins"}
BOTH: dict[str, Any] = DRAWS | {"ending__draws": ["one-piece-each-same-kind", "one-piece-each-no-capture"]}


@for_each(
    ("changes", "fen", "expected"),
    [
        ({}, "W:W22:B18", "ongoing"),
        ({}, "W:W:B18", "black (no-pieces)"),
        ({}, "B:W:B18", "black (no-pieces)"),
        ({}, "W:W22:B", "white (no-pieces)"),
        ({}, "B:W22:B", "white (no-pieces)"),
        (ONE_PIECE, "W:W22,25:B18", "white (one-piece)"),
        (ONE_PIECE, "B:WK22:BK1,2", "black (one-piece)"),
        (ONE_PIECE, "B:W22:BK1", "white (one-piece)"),  # both: the side to move
        (ONE_PIECE, "W:W22:B18", "black (one-piece)"),  # it could capture the last one
        (ONE_PIECE, "W:W22:B", "white (no-pieces)"),
        (ONE_PIECE, "W:W22,25:B2,3", "ongoing"),
        (DRAWS | KING_TO_MAN, "W:WK32:B1", "white (king-to-man)"),
        (DRAWS | KING_TO_MAN, "B:WK32:B1", "white (king-to-man)"),
        (DRAWS | KING_TO_MAN, "W:W32:BK1", "black (king-to-man)"),
        (DRAWS | KING_TO_MAN, "B:WK10:B6", "draw (one-piece-each)"),  # 6x15
        (DRAWS | KING_TO_MAN, "W:WK10:B6", "white (king-to-man)"),
        (DRAWS | KING_TO_MAN, "W:WK32:BK1", "draw (one-piece-each)"),
        (DRAWS | KING_TO_MAN, "W:WK32:B1,2", "ongoing"),
        (DRAWS | KING_TO_MAN | {"ending__order": "draws-first"}, "W:WK32:B1", "draw (one-piece-each)"),
        (NO_CAPTURE | KING_TO_MAN, "B:WK10:B6", "ongoing"),
        ({"ending__no_pieces": "wins"}, "W:W:B18", "white (no-pieces)"),
        ({"ending__no_pieces": "wins"}, "W:W22:B", "black (no-pieces)"),
        ({}, BLOCKED, "black (no-moves)"),
        ({}, "B:W5:BK1", "ongoing"),
        ({"ending__no_moves": "wins"}, BLOCKED, "white (no-moves)"),
        ({"ending__no_moves": "draws"}, BLOCKED, "draw (no-moves)"),
        ({"ending__no_moves": "draws"}, "W:W:B18", "black (no-pieces)"),
        (DRAWS, BLOCKED, "black (no-moves)"),
        (DRAWS | {"ending__order": "draws-first"}, BLOCKED, "draw (one-piece-each)"),
        (DRAWS, "W:W22:B18", "draw (one-piece-each)"),
        (DRAWS, "B:WK22:B18", "draw (one-piece-each)"),
        (DRAWS, "W:W22,30:B18", "ongoing"),
        (DRAWS, "W:W22:B17,18", "ongoing"),
        (DRAWS, "W:W22:B", "white (no-pieces)"),
        (NO_CAPTURE, "W:W22:B18", "ongoing"),
        (NO_CAPTURE, "W:W22:B14", "draw (one-piece-each-no-capture)"),
        (NO_CAPTURE, "W:W22:B25", "draw (one-piece-each-no-capture)"),
        (NO_CAPTURE, "W:WK22:B21", "draw (one-piece-each-no-capture)"),
        (NO_CAPTURE, "W:WK22:B26", "ongoing"),
        (SAME_KIND, "W:W22:BK1", "ongoing"),
        (SAME_KIND, "W:WK22:BK1", "draw (one-piece-each-same-kind)"),
        (SAME_KIND, "W:W22:B18", "draw (one-piece-each-same-kind)"),
        (BOTH, "W:W22:B18", "draw (one-piece-each-same-kind)"),
        (BOTH, "W:W22:BK1", "draw (one-piece-each-no-capture)"),
        (BOTH, "W:W22:BK18", "ongoing"),
        # Of several reasons the first in the order of spec/rules.yaml: a first king, ...
        (DRAWS_FIRST | {"ending__first_king": "wins"}, "B:WK22:BK18", "white (first-king)"),
        (DRAWS_FIRST | {"ending__first_king": "wins"}, "W:WK22:B18", "white (first-king)"),
        ({"ending__first_king": "wins"} | ONE_PIECE, "B:WK22:B18,19", "white (first-king)"),
        ({"ending__first_king": "wins"} | {"ending__no_moves": "wins"}, BLOCKED, "black (first-king)"),
        # ... no pieces, draws where they come first, one piece, a king against a man, no moves.
        (ONE_PIECE | {"ending__no_pieces": "wins"}, "W:W:B18", "white (no-pieces)"),
        (DRAWS_FIRST | ONE_PIECE, "W:W22:B18", "draw (one-piece-each)"),
        (DRAWS | ONE_PIECE | KING_TO_MAN, "W:WK32:B1", "black (one-piece)"),
        (DRAWS | KING_TO_MAN | {"ending__no_moves": "wins"}, BLOCKED, "black (king-to-man)"),
        (DRAWS | {"ending__no_moves": "draws"}, "W:W5:B1,9", "draw (no-moves)"),
    ],
)
def test_outcome(changes: dict[str, Any], fen: str, expected: str) -> None:
    assert str(damspec.outcome(damspec.from_values(but(ENGLISH, **changes)), fen)) == expected


@pytest.mark.parametrize(
    ("ruleset", "fen", "expected"),
    [
        ("vl", "W:W22:B18", ("draw", "one-piece-each")),
        ("vl?one-each=unless-capture", "W:W22:B18", ("ongoing", None)),
        ("vl?one-each=same-kind", "W:WK22:B18", ("ongoing", None)),
        ("vl", "W:W13:B9", ("draw", "one-piece-each")),
        ("vl", "W:W13:BK6,9", ("black", "no-moves")),
        ("vl?blocked-one-each=drawn", "W:W13:BK6,9", ("black", "no-moves")),
        ("vl", "W:W5:BK1", ("black", "no-moves")),
        ("vl?blocked-one-each=drawn", "W:W5:BK1", ("draw", "one-piece-each")),
        ("lb", "W:W22:B18", ("ongoing", None)),
        ("lb", "B:W22:B", ("white", "no-pieces")),
        ("english", "start", ("ongoing", None)),
    ],
)
def test_shipped(ruleset: str, fen: str, expected: tuple[str, str | None]) -> None:
    found = damspec.outcome(damspec.load_ruleset(ruleset), fen)
    assert (found.result, found.reason) == expected


def test_a_drawn_position_still_has_its_moves() -> None:
    vl = damspec.load_ruleset("vl")
    assert [str(move) for move in damspec.legal_moves(vl, "W:W22:B18")] == ["22x15"]
    assert damspec.perft(vl, "W:W22:B18", 1) == 1


@pytest.mark.parametrize(
    ("outcome", "is_over", "winner", "entry"),
    [
        (Outcome("ongoing"), False, None, {"result": "ongoing"}),
        (Outcome("white", "no-moves"), True, "white", {"result": "white", "reason": "no-moves"}),
        (Outcome("black", "no-pieces"), True, "black", {"result": "black", "reason": "no-pieces"}),
        (Outcome("draw", "one-piece-each"), True, None, {"result": "draw", "reason": "one-piece-each"}),
    ],
)
def test_what_an_outcome_says(outcome: Outcome, is_over: bool, winner: str | None, entry: dict[str, str]) -> None:
    assert (outcome.is_over, outcome.winner, outcome.as_json()) == (is_over, winner, entry)


@pytest.mark.parametrize("result", ["ongoing", "white", "draw"])
def test_an_outcome_is_neither_true_nor_false(result: Literal["ongoing", "white", "draw"]) -> None:
    assert "ask is_over or winner" in refusal(TypeError, bool, Outcome(result))


# --- The draws by what went before, by numbers small enough to count with a finger; the clauses' own are in the
# cases.


def after(rules: dict[str, Any], fen: str, moves: str) -> str:
    """How a game stands after moves."""
    return str(damspec.outcome(damspec.from_values(rules), fen, moves.split()))


@pytest.mark.parametrize(
    ("number", "moves", "expected"),
    [
        (2, "32-28 1-5 28-32", "ongoing"),
        (2, "32-28 1-5 28-32 5-1", "draw (repetition)"),  # the first position counts as its first time
        (3, "32-28 1-5 28-32 5-1", "ongoing"),
        (3, "32-28 1-5 28-32 5-1 32-28 1-5 28-32", "ongoing"),
        (3, "32-28 1-5 28-32 5-1 32-28 1-5 28-32 5-1", "draw (repetition)"),
        (2, "32-28 1-5 28-32 5-1 32-27", "ongoing"),  # a game that goes on is drawn no more, until the next time
    ],
)
def test_repetition(number: int, moves: str, expected: str) -> None:
    assert after({**ENGLISH, "draws.repetition": number}, "W:WK32:BK1", moves) == expected


def test_a_position_is_another_with_the_other_side_to_move() -> None:
    """By 29-25-22-29 White loses a move, so that the pieces are back with Black to move."""
    rules = {**BRAZILIAN, "draws.repetition": 2}
    assert after(rules, "W:WK29:BK1", "29-25 1-5 25-22 5-1 22-29") == "ongoing"


#: What ends a game in a draw: the rules, and games from a position with what becomes of them.
COUNTED: dict[str, tuple[dict[str, Any], list[tuple[str, str, str]]]] = {
    "moves without a capture": (
        {"draws.no-capture": 2},
        [
            ("W:WK32,30:BK1", "32-28 1-5 30-26", "ongoing"),  # White two, Black one
            ("W:WK32,30:BK1", "32-28 1-5 30-26 5-9", "draw (no-capture)"),  # a man's move counts
            ("W:WK32,6:BK12", "6-1 12-8 32-28 8-12", "draw (no-capture)"),  # and so does one that crowns
            ("B:WK32:BK1,K23", "23-27 32x23 1-5 23-18", "ongoing"),  # after the capture one each
        ],
    ),
    "moves of kings": (
        {"draws.king-moves": 2},
        [
            ("W:WK32:BK1,K3", "32-28 1-5 28-24", "ongoing"),  # White two, Black one
            ("W:WK32:BK1,K3", "32-28 1-5 28-24 5-9", "draw (king-moves)"),
            ("W:WK32,30:BK1", "32-28 1-5 30-26 5-9", "ongoing"),  # a man's move
            ("W:WK32,30:BK1", "30-26 1-5 32-28 5-9", "ongoing"),  # White has one since, Black two
            ("W:WK32,30:BK1", "30-26 1-5 32-28 5-9 28-24", "draw (king-moves)"),
            ("B:WK32:BK1,K23", "23-27 32x23 1-5 23-18", "ongoing"),  # after the capture one each
            ("W:WK32,6:BK12", "6-1 12-8 32-28 8-12", "ongoing"),  # a man crowned
        ],
    ),
    "endgames": (
        {"draws.endings": {"KKvK KMvK": 2}},
        [
            ("W:WK32,K21:BK1", "32-28 1-5 28-32", "ongoing"),
            ("W:WK32,K21:BK1", "32-28 1-5 28-32 5-9", "draw (ending)"),
            ("W:WK1:BK32,K21", "1-5 32-28 5-9 28-32", "draw (ending)"),  # whichever colour
            ("W:WK32,21:BK1", "21-17 1-5 17-13 5-9", "draw (ending)"),  # men may move
            ("W:WK32,6:BK12", "32-28 12-8 6-1 8-12", "draw (ending)"),  # from KMvK to KKvK, one class
            ("W:WK32:BK1", "32-28 1-5 28-32 5-9", "ongoing"),  # KvK is none of the class
            ("W:WK32,K21:B1", "32-28 1-5 28-32 5-9", "ongoing"),  # nor is a man for the king
            ("B:WK32,K31,K21:BK1,K23", "1-5 32-28 5-9 28-32", "ongoing"),
            # arisen by the capture: White one, Black two
            ("B:WK32,K21:BK1,K23", "23-27 32x23 1-5 23-19 5-1", "ongoing"),
            ("B:WK32,K21:BK1,K23", "23-27 32x23 1-5 23-19 5-1 19-15", "draw (ending)"),
        ],
    ),
    "balance": (
        {"draws.balance": {"3-4": 2}},
        [
            ("W:WK32,30:BK1,2", "30-26 1-5 26-22 2-6", "draw (balance)"),  # men may move
            ("W:WK32,30:BK1,2", "30-26 1-5 26-22", "ongoing"),
            ("W:WK32,30:B1,2", "30-26 1-5 26-22 2-6", "ongoing"),  # no king of Black
            ("W:WK32:BK1", "32-28 1-5 28-24 5-9", "ongoing"),  # two pieces
            ("W:WK32,6:BK12,20", "6-1 12-8 32-28 8-12", "ongoing"),  # a man crowned: two kings for one
        ],
    ),
    "main road": (
        {"draws.main-road": {"KKvK": 2}},
        [
            ("W:WK29:BK1,K3", "29-25 1-5 25-29 5-1", "draw (main-road)"),  # a1 and b2
            ("W:WK29:BK1,K3", "29-25 1-5 25-30 5-1", "ongoing"),  # c1 is off it
            ("W:WK30:BK1,K3", "30-25 1-5 25-29 5-1", "ongoing"),  # White has made one there
            ("W:WK30:BK1,K3", "30-25 1-5 25-29 5-1 29-25 1-5", "draw (main-road)"),
            ("W:WK29:BK1,K3,K7", "29-25 1-5 25-29 5-1", "ongoing"),
        ],
    ),
    "river": (
        {"draws.river": {"KKvK": 2}, "draws.counted-side": "stronger"},
        [
            ("W:WK32,K3:BK1", "32-28 1-5 28-32 5-1 32-28", "ongoing"),  # nobody is on the road
            ("W:WK32,K3:BK1", "3-8 1-5 8-11 5-1", "ongoing"),  # the move that takes it does not count
            ("W:WK32,K3:BK1", "3-8 1-5 8-11 5-1 11-15", "draw (river)"),
            ("W:WK32,K3:BK1", "3-8 1-5 8-12 5-1 32-28", "draw (river)"),  # the count goes on off the road
            ("W:WK32,K8:BK1", "32-28 1-5 28-32", "draw (river)"),
            ("W:WK32,K8:BK22", "32-28 22-18 28-32 18-22", "ongoing"),  # Black is on it too
            (
                "W:WK32,K8:BK22",
                "32-28 22-17 28-32 17-22",
                "ongoing",
            ),  # it has left it once, and White has made one since
            ("W:WK32,K8:BK22", "32-28 22-17 28-32 17-22 32-28", "draw (river)"),
            ("W:WK1:BK32,K8", "1-5 32-28 5-1 28-32", "draw (river)"),  # whichever colour
        ],
    ),
    "river, where the moves of each side count": (
        {"draws.river": {"KKvK": 2}},
        [
            ("W:WK32,K8:BK1", "32-28 1-5 28-32", "ongoing"),
            ("W:WK32,K8:BK1", "32-28 1-5 28-32 5-1", "draw (river)"),
        ],
    ),
    "moves of kings with few pieces": (
        {"draws.king-moves": 2, "draws.king-moves-pieces": 2, "draws.river": {"KKvK": 3}},
        [
            ("W:WK32,K21:BK1", "32-28 1-5 28-32 5-1", "draw (king-moves)"),
            ("W:WK32,K21,K30:BK1", "32-28 1-5 28-32 5-1", "ongoing"),  # three
            ("W:WK1:BK32,K21,K30", "1-5 32-28 5-1 28-32", "ongoing"),
            ("W:WK32,K8:BK1", "32-28 1-5 28-32 5-1", "ongoing"),  # the count of draws.river takes its place
            ("W:WK32,K8:BK1", "32-28 1-5 28-32 5-1 32-28 1-5", "draw (river)"),
        ],
    ),
}


@pytest.mark.parametrize(
    ("rules", "fen", "moves", "expected"),
    [
        pytest.param(rules, *row, id=f"{name}: {row[0]} {row[1]}")
        for name, (rules, rows) in COUNTED.items()
        for row in rows
    ],
)
def test_draws_by_what_went_before(rules: dict[str, Any], fen: str, moves: str, expected: str) -> None:
    assert after({**ENGLISH, **rules}, fen, moves) == expected


def test_the_main_road_is_where_the_corners_are_squares_of_the_game() -> None:
    left, right, every = damspec.Board(8, 8), damspec.Board(8, 8, dark_corner="right"), damspec.Board(5, 5, "all")
    assert left.numbers(left.main_road) == [4, 8, 11, 15, 18, 22, 25, 29]
    assert [right.name(number) for number in right.numbers(right.main_road)][::7] == ["a8", "h1"]
    assert every.main_road.bit_count() == 9  # both diagonals, which cross
    assert damspec.Board(10, 8).main_road == 0


@pytest.mark.parametrize(
    ("side", "fen", "moves", "expected"),
    [
        ("stronger", "W:WK32,K21:BK1", "32-28 1-5", "ongoing"),
        ("stronger", "W:WK32,K21:BK1", "32-28 1-5 28-32", "draw (ending)"),
        ("weaker", "W:WK32,K21:BK1", "32-28 1-5 28-32", "ongoing"),
        ("weaker", "W:WK32,K21:BK1", "32-28 1-5 28-32 5-1", "draw (ending)"),
        ("weaker", "B:WK32,K21:BK1", "1-5 32-28 5-1", "draw (ending)"),
        ("stronger", "B:WK32,K21:BK1", "1-5 32-28 5-1", "ongoing"),
        ("stronger", "W:WK1:BK32,K21", "1-5 32-28 5-1 28-32", "draw (ending)"),  # Black is stronger
        ("weaker", "W:WK32:BK1", "32-28 1-5 28-32", "ongoing"),  # alike: each has to make two
        ("stronger", "W:WK32:BK1", "32-28 1-5 28-32", "ongoing"),
        ("stronger", "W:WK32:BK1", "32-28 1-5 28-32 5-1", "draw (ending)"),
    ],
)
def test_whose_moves_count(side: str, fen: str, moves: str, expected: str) -> None:
    assert after({**ENGLISH, "draws.endings": {"KKvK KvK": 2}, "draws.counted-side": side}, fen, moves) == expected


def test_a_win_on_the_board_comes_first() -> None:
    """White's third move takes the last piece, when the count would be full too."""
    rules = {**ENGLISH, "draws.king-moves": 1}
    assert after(rules, "B:WK32:BK23", "23-27 32x23") == "white (no-pieces)"


def test_of_several_draws_the_first_in_the_order_of_the_rules_is_named() -> None:
    rules = {**ENGLISH, "draws.repetition": 2, "draws.king-moves": 2}
    assert after(rules, "W:WK32:BK1", "32-28 1-5 28-32 5-1") == "draw (repetition)"


def test_a_move_taken_back_was_not_made() -> None:
    """White leaves 22x15 undone and has to take 32-28 back; what is made then is the capture, which ends the count."""
    rules = {**HUFF, "draws.king-moves": 1}
    game = Game(damspec.from_values(rules), "W:WK22,K32:BK1,18")
    for move in ("32-28", "retract"):
        game.push(move)
        assert not game.is_over
    game.push("22x15")
    game.push("1-5")
    assert not game.is_over  # White has made no move since
    game.push("15-10")
    assert game.outcome() == Outcome("draw", "king-moves")


def test_a_spin_is_no_move() -> None:
    """Two spins and a king's move of each side: one move each."""
    federation = damspec.load_ruleset("nl-trapdoor").with_reading("draws=federation")
    rules = damspec.from_values({**federation.values, "draws.king-moves": 1})
    game = Game(rules, "W:WK32,K31:BK1,K2")
    for action in ("spin=disc", "32-28", "spin=disc"):
        game.push(action)
        assert not game.is_over
    game.push("1-5")
    assert str(game.outcome()) == "draw (king-moves)"


def test_a_game_counts_its_own_moves() -> None:
    game = Game("english", "W:WK32:BK1")
    for move in 2 * ["32-28", "1-5", "28-32", "5-1"]:
        assert not game.is_over
        game.push(move)
    assert game.is_over
    assert game.copy().outcome() == Outcome("draw", "repetition")
    assert damspec.outcome("english", game.position) == Outcome("ongoing")  # a position that is set up has no past
    assert '[Result "1/2-1/2"]' in game.pdn()
    game.pop()
    assert not game.is_over
    assert '[Result "*"]' in game.pdn()


def test_perft_goes_on_after_a_draw() -> None:
    rules = damspec.from_values({**ENGLISH, "draws.king-moves": 1})
    assert damspec.perft(rules, "W:WK32:BK1", 4) == damspec.perft(damspec.from_values(ENGLISH), "W:WK32:BK1", 4)


def test_an_illegal_move_on_the_way_is_named() -> None:
    assert "illegal move '1-10' in B:WK28:BK1 (english); legal: 1-5, 1-6" in refusal(
        IllegalMoveError, damspec.outcome, "english", "W:WK32:BK1", ["32-28", "1-10"]
    )


@pytest.mark.parametrize(
    ("rule", "value", "expected"),
    [
        (
            "draws.endings",
            {"KKvK": 5, "KKvK KMvK": 3},
            "found 'KKvK KMvK' beside 'KKvK', which names the same position",
        ),
        ("draws.endings", {"KMvK": 5, "KvMK": 3}, "found 'KvMK' beside 'KMvK', which names the same position"),
        ("draws.endings", {"KvK KvK": 5}, "found 'KvK KvK', which names the same position twice"),
        ("draws.balance", {"4-5": 5, "5-6": 3}, "found '5-6' beside '4-5', which names the same position"),
        ("draws.balance", {"5-4": 5}, "found '5-4', expected the smaller number first"),
        # without a rule that they belong to
        (
            "draws.counted-side",
            "weaker",
            'found "weaker", expected only if one of draws.endings, draws.main-road and draws.river is there',
        ),
        ("draws.king-moves-pieces", 4, "found 4, expected only if draws.king-moves is there"),
        ("ending.king-to-man", "wins", 'found "wins", expected only if ending.draws is not empty'),
    ],
)
def test_what_names_a_position_twice_or_has_nothing_to_go_with(rule: str, value: Any, expected: str) -> None:
    assert refusal(RulesetError, damspec.from_values, {**ENGLISH, rule: value}).endswith(f"rules.{rule}: {expected}")


@pytest.mark.parametrize("rule", ["draws.main-road", "draws.river"])
def test_a_board_without_a_main_road(rule: str) -> None:
    rules = {**ENGLISH, "board.size": "10x8", rule: {"KKvK": 5}}
    assert "found it on a board of 10x8, expected one with a diagonal from corner" in refusal(
        RulesetError, damspec.from_values, rules
    )


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("draws.repetition", 1),
        ("draws.river", {"KKKvK": 0}),
        ("draws.counted-side", "each"),
        ("draws.king-moves", 0),
        ("draws.endings", {}),
        ("draws.endings", {"KK": 5}),
        ("draws.balance", {"few": 5}),
        ("draws.main-road", {"KvK": "5"}),
    ],
)
def test_what_has_not_the_form(rule: str, value: Any) -> None:
    assert rule in refusal(RulesetError, damspec.from_values, {**ENGLISH, rule: value})
