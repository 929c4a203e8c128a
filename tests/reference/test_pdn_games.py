"""Games in PDN played by a ruleset, and games played written as PDN; positions and moves worked out by hand."""

from __future__ import annotations

import random

import pytest

import damspec
from damspec import Game, PdnError, PositionError, RulesetError
from damspec.pdn.games import replay, ruleset_for
from damspec.pdn.notation import GameType, claims, gametype_of, known_types, notation_of, ruleset_of
from damspec.pdn.parser import read_record
from damspec.ruleset import load_ruleset
from runs import SPREAD, for_each

#: The king on 47 takes 42, 29, 31 and either 19 or 14 on two ways that end on 36: the example of the standard.
TWO_WAYS = "W:WK47:B14,19,29,31,42"


def problems(text: str, ruleset: str = "international") -> list[str]:
    return [str(problem) for problem in replay(read_record(text), load_ruleset(ruleset)).problems]


# --- the tag GameType


@for_each("id", claims())
def test_a_claim_is_that_of_the_board(id: str) -> None:
    tag, rules = claims()[id], load_ruleset(id).rules
    assert tag.number in known_types()
    assert (tag.columns, tag.rows, tag.first) == (rules.board.columns, rules.board.rows, rules.start.first)
    assert tag.inverted == (rules.board.dark_corner == "right")
    if tag.notation == "A":  # letters begin in its corner
        column, row = rules.board.places[rules.board.square("a1") - 1]
        assert tag.numbering == f"{'top' if row else 'bottom'}-{'right' if column else 'left'}"
    else:
        assert tag.numbering == rules.board.numbering


@for_each("number", known_types())
def test_a_number_alone_stands_for_the_whole_tag(number: int) -> None:
    assert str(GameType.of_text(str(number))) == known_types()[number].full


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("20", "international"),
        ("21,B,8,8,N1,0", "english"),
        ("23", "pool"),
        ("23,B,8,8,A1,1", "jamaican"),
        ("23,W,8,8,A0,0", "unified-pool"),
        ("25,W,8,8,A0", "russian"),
        ("26,W,8,8,N2,0", "brazilian"),
    ],
)
def test_a_tag_means_a_ruleset(text: str, id: str) -> None:
    assert ruleset_of(text).id == id


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("77", "unknown GameType '77'; there is 20 (International draughts), 21"),
        ("draughts", "found GameType 'draughts', expected one like '20' or '20,W,10,10,N2,0'"),
        ("20,W,10", "found GameType '20,W,10', expected one like"),
        ("20,W,12,12,N2,0", "no ruleset for GameType '20,W,12,12,N2,0', International draughts on 12x12; there is"),
    ],
)
def test_a_tag_that_means_none(text: str, expected: str) -> None:
    with pytest.raises(PdnError) as error:
        ruleset_of(text)
    assert str(error.value).startswith(expected)


def test_a_ruleset_with_the_moves_of_a_claimant_has_its_number() -> None:
    # lb has English draughts' moves; white and black are as there, and squares are counted alike.
    assert str(gametype_of(load_ruleset("lb"))) == "21,B,8,8,N1,0"
    assert gametype_of(load_ruleset("nl-trapdoor")) is None


def test_the_ruleset_of_a_game_is_its_tag_ruleset_or_what_its_gametype_means() -> None:
    assert ruleset_for(read_record('[Ruleset "vl"] [GameType "20"] *')).id == "vl"
    with pytest.raises(PdnError, match=r"^no tag GameType, so the ruleset has to be given$"):
        ruleset_for(read_record('[White "A"] *'))
    with pytest.raises(RulesetError, match="unknown ruleset 'vla'"):
        ruleset_for(read_record('[Ruleset "vla"] *'))


# --- squares and moves


def test_moves_are_read_in_numbers_and_letters_with_any_sign() -> None:
    notation = notation_of(load_ruleset("russian"))
    # On 8x8, 22 is c3 and 15 is e5: row 1 of the board is a1, c1, e1, g1, numbers 29 to 32.
    for text in ("22x15", "c3x15", "c3:e5", "22:15"):
        assert notation.squares(text) == ((22, 15), 1)
    assert notation.squares("c3-d4") == notation.squares("c3d4") == notation.squares("22-18") == ((22, 18), 0)


def test_a_sign_decides_only_where_both_are_there() -> None:
    assert problems('[FEN "W:W32:B19"] 1. 32x28 19:23 *') == []


@pytest.mark.parametrize("path", ["47x38x24x13x36", "47x38x20x9x36"])
def test_an_ambiguous_capture_is_written_with_every_square(path: str) -> None:
    game = Game("international", TWO_WAYS)
    game.push(path)
    assert path in game.pdn()
    assert Game.from_pdn(game.pdn()).history == game.history


def test_a_capture_that_is_not_ambiguous_is_written_with_its_ends() -> None:
    # The man on 33 takes 28 and 18: 33x22x13.
    game = Game("international", "W:W33:B18,28")
    game.push("33x22x13")
    assert "1. 33x13 *" in game.pdn()


def test_an_ambiguous_capture_that_is_short_is_named() -> None:
    assert problems(f'[FEN "{TWO_WAYS}"] 1. 47x36 *') == [
        "move 1. 47x36: ambiguous: it can be 47x38x20x9x36 or 47x38x24x13x36"
    ]


def test_any_square_of_a_straight_way_will_do() -> None:
    assert problems(f'[FEN "{TWO_WAYS}"] 1. 47x33x24x13x36 *') == []


@pytest.mark.parametrize(
    ("id", "position", "move", "written", "result"),
    [
        ("international", "W:W28:B23", "28x19", "1. 28x19 *", "2-0"),
        ("english", "B:W18:B15", "15x22", "1. 15x22 *", "0-1"),
        ("russian", "W:W18:B15", "18x11", "1. d4:f6 *", "1-0"),
        ("brazilian", "W:W18:B15", "18x11", "1. d4xf6 *", "1-0"),
        ("vl", "W:W18:B15", "18x11", "1. 18x11 *", "1-0"),
    ],
)
def test_each_game_has_its_own_squares_signs_and_results(
    id: str, position: str, move: str, written: str, result: str
) -> None:
    game = Game(id, position)
    game.push(move)
    assert game.pdn().endswith(written)
    assert f'[Result "{result}"]' in game.pdn()


# --- checking


def test_the_first_move_that_breaks_the_rules_ends_a_game() -> None:
    # After 19-23 White has to take: the man on 28 takes 23 and lands on 19.
    found = replay(read_record("1. 32-28 19-23 2. 34-30 20-24 3. 1-50 *"), load_ruleset("international"))
    (problem,) = found.problems
    assert (found.moves, problem.kind, problem.text, problem.line) == (2, "illegal", "34-30", 1)
    assert str(problem) == "move 2. 34-30: illegal; legal: 28x19"
    assert problem.position is not None
    assert problem.position.turn == "white"


def test_a_variation_stands_instead_of_the_move_before_it() -> None:
    assert problems("1. 32-28 19-23 (18-23 38-32 (37-32? 23-29) 12-18) 28x19 14x23") == []
    assert problems("1. 32-28 19-23 (1... 19-24 2. 28-23 18x29) (28-22) 2. 28x19 *") == [
        "move 1... 28-22: illegal; legal: 16-21, 17-21, 17-22, 18-22, 18-23, 19-23, 19-24, 20-24 and 1 more"
    ]


def test_a_position_set_up_among_the_moves() -> None:
    assert problems('1. 32-28 /FEN "W:W31:B1"/ 31-27 1-7 *') == []
    assert problems('1. 32-28 /FEN "W:W31:B99"/ 31-27 *') == [
        "FEN among the moves: position 'W:W31:B99': no square 99: the board has squares 1 to 50"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. 32-28 19-23 3. 28x19 14x23 4. 37-32", ["move 3. 28x19: found the move number 3., expected 2."]),
        ("1. 32-28 1... 19-23 2. 28x19 2. 14x23 3. 37-32", []),
        ("31. 32-28 19-23 32. 28x19", []),
        ("1. 32-28 19-23 28x19 14x23 3. 37-32 10-14 5. 41-37 4. 14-19", [
            "move 5. 41-37: found the move number 5., expected 4.",
            "move 4. 14-19: found the move number 4., expected 5.",
        ]),
        ('[FEN "B:W28:B19,1"] 1. ... 19-23 2. 28x19 1-7 3. 19-14', []),
        ('[FEN "B:W28:B19,1"] 1... 19-23 1. 28x19', ["move 1. 28x19: found the move number 1., expected 2."]),
    ],
)  # fmt: skip
def test_numbers_of_moves_follow_each_other(text: str, expected: list[str]) -> None:
    assert problems(f"{text} *") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. 32-28 - 2. 31-27", "move -: nobody knows this move"),
        ("1. 32-51", "move 1. 32-51: '32-51' is no move: no square 51: the board has squares 1 to 50"),
        ('[FEN "x"] 1. 32-28', "tag FEN: position 'x': expected a FEN like"),
        (
            '[FEN "W:W1:B50"] 1. 32-28',
            "tag FEN: position 'W:W1:B50' in international: white man on its promotion row: 1",
        ),
    ],
)
def test_what_cannot_be_played_is_told(text: str, expected: str) -> None:
    (problem,) = problems(f"{text} *")
    assert problem.startswith(expected)


# --- games


def test_a_game_comes_from_its_text() -> None:
    game = Game.from_pdn('[GameType "20"] 1. 32-28 {[%clk 1:00:00]} 19-23 (18-23) 2. 28x19 14x23 1-1')
    assert [str(action) for action in game.history] == ["32-28", "19-23", "28x19", "14x23"]
    assert game.ruleset == load_ruleset("international")
    assert Game.from_pdn("1. 9-13 *", "english").fen() == damspec.play("english", "start", "9-13").fen()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[GameType "20"] 1. 32-28 19-24 2. 28x10 *', "line 1: move 2. 28x10: illegal; legal: "),
        ('[GameType "20"] 1. 32-28 * [GameType "20"] *', "found 2 games, expected one"),
        ("", "found 0 games, expected one"),
        ('[GameType "20"] 1. 32-28 /FEN "W:W31:B1"/ *', "line 1: FEN among the moves: a game cannot go on from"),
    ],
)
def test_a_text_that_is_no_game(text: str, expected: str) -> None:
    with pytest.raises(PdnError) as error:
        Game.from_pdn(text)
    assert str(error.value).startswith(expected)


def test_a_position_of_another_board_is_told() -> None:
    with pytest.raises(PdnError, match="tag FEN: position 'W:W50:B1': no square 50"):
        Game.from_pdn('[GameType "21"] [FEN "W:W50:B1"] *')
    with pytest.raises(PositionError):
        Game("english", "W:W50:B1")


def test_spins_and_slides_are_comments_and_come_back() -> None:
    game = Game("nl-trapdoor", "W:W21:B5,14")
    for action in ("spin=green", "G1=L"):
        game.push(action)
    text = game.pdn({"White": "Ann"})
    assert text == (
        '[White "Ann"]\n[Result "*"]\n[Ruleset "nl-trapdoor"]\n[FEN "W:W21:B5,14:sliders=MMMM"]\n'
        "\n{spin=green} {G1=L} *"
    )
    assert Game.from_pdn(text).history == game.history


def test_huffs_are_comments_and_lapses_are_moves() -> None:
    # White's man on 22 can take 18; it plays 32-28 instead, and Black removes it.
    game = Game("de", "W:W22,32:B1,18")
    for action in ("32-28", "huff 22", "1-5"):
        game.push(action)
    text = game.pdn()
    assert "1... 32-28 {huff 22} 2. 1-5" in text
    assert Game.from_pdn(text).history == game.history
    assert problems(text.replace("huff 22", "huff 28"), "de") == ["huff 28: illegal; legal: 18x25, huff 22, retract"]


def random_game(id: str, seed: int, actions: int) -> Game:
    choose, game = random.Random(seed), Game(id)
    for _ in range(actions):
        open_to_it = [*game.legal_moves, *game.legal_moves.lapses]
        if not open_to_it:
            break
        game.push(choose.choice(open_to_it))
    return game


def comes_back(game: Game) -> bool:
    again = Game.from_pdn(game.pdn())
    return (again.history, again.position, again.ruleset) == (game.history, game.position, game.ruleset)


@pytest.mark.parametrize("id", ["english", "russian", "vl"])
def test_games_come_back(id: str) -> None:
    assert comes_back(random_game(id, 1, 30))


@pytest.mark.thorough
@pytest.mark.parametrize("id", SPREAD)
def test_games_of_rulesets_come_back(id: str) -> None:
    for seed in range(3):
        game = random_game(id, seed, 90)
        assert comes_back(game)
        middle = Game(id, random_game(id, seed, len(game.history) // 2).position)
        for action in game.history[len(game.history) // 2 :]:
            middle.push(action)
        assert comes_back(middle)


@pytest.mark.thorough
@pytest.mark.parametrize("id", SPREAD)
def test_checking_agrees_with_playing(id: str) -> None:
    """What is found in bits is what the game has, in every game, and a wrong move is found in each."""
    for seed in range(3):
        game = random_game(id, seed, 60)
        found = replay(read_record(game.pdn()), game.ruleset)
        assert (found.problems, found.moves) == ((), sum(isinstance(a, damspec.Move) for a in game.history))
        wrong = game.pdn().removesuffix("*") + "1-1x3 *"
        assert len(replay(read_record(wrong), game.ruleset).problems) == 1
