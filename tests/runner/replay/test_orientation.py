"""Games written in another form: squares named from another side, captures jump by jump; none is called illegal.

Right games are made by playing at random, and then written otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise

import pytest

from damspec import Game, Move, PdnError, legal_moves, load_ruleset, ruleset_ids
from damspec.pdn.notation import Orientation, notation_of, orientations
from damspec.pdn.parser import read_record, read_records
from damspec.pdn.record import WrittenGame
from damspec_runner.replay.games import CheckedGame
from refusals import refusal
from replays import check_games, random_game, replayed
from runs import usually

#: Some rulesets with letters and with numbers, of each size of board, with squares of all kinds.
SOME = ("russian", "international", "english", "turkish", "italian", "frisian", "canadian", "vl")
some_rulesets = pytest.mark.parametrize("id", usually(SOME, ruleset_ids()))


def moves_of(game: Game) -> WrittenGame:
    """A game's record without the position in which every game begins."""
    record = read_record(game.pdn())
    return replace(record, tags={name: value for name, value in record.tags.items() if name != "FEN"})


def jump_by_jump(game: Game) -> str:
    """The moves of a game, each jump as a move of its own."""
    notation, words, before = notation_of(game.ruleset), list[str](), Game(game.ruleset)
    for action in game.history:
        if not isinstance(action, Move):
            words.append(f"{{{action}}}")
        elif action.captured:
            squares = [notation.square(number) for number in action.path]
            words += [f"{start}x{end}" for start, end in pairwise(squares)]
        else:
            words.append(notation.text_of(before.position, action))
        before.push(action)
    return " ".join([*words, "*"])


def checked(texts: Iterable[object], id: str) -> list[CheckedGame]:
    return replayed("\n".join(f'[White "?"]\n{text}' for text in texts), id)


def kinds(found: Iterable[CheckedGame]) -> set[str]:
    return {fault.kind for one in found for fault in one.faults}


def written_in(orientation: Orientation, id: str) -> Callable[[str], str | None]:
    """The text in an orientation for a square as a ruleset writes it."""
    board, letters = load_ruleset(id).rules.board, notation_of(load_ruleset(id)).algebraic
    every = (board.name(number) if letters else str(number) for number in range(1, len(board) + 1))
    if letters:  # each way to turn the letters is undone by one that has all squares, the unplayable ones too
        every = (f"{chr(97 + column)}{row}" for column in range(board.columns) for row in range(1, board.rows + 1))
    return {orientation.square(square): square for square in every}.get


# --- squares from another side


@some_rulesets
def test_squares_written_from_another_side_are_a_remark(id: str) -> None:
    ruleset = load_ruleset(id)
    if not ruleset.turns.plain:
        pytest.skip("trapdoors and huffing are told by comments, which stay as they are")
    right = [moves_of(random_game(id, seed)) for seed in range(4)]
    ways = [*orientations(ruleset.rules.board, letters=notation_of(ruleset).algebraic)]
    assert len(ways) == 7 if ruleset.rules.board.columns == ruleset.rules.board.rows else len(ways) >= 3
    for orientation in ways:
        turned = [replace(orientation, square=written_in(orientation, id)).reorient(record) for record in right]
        assert None not in turned
        found = checked(turned, id)
        if kinds(found) == {"form"}:
            assert [one.verdict for one in found] == ["legal"] * 4
            assert {fault.says.partition(":")[0] for one in found for fault in one.faults} == {
                "the squares are written in another way"
            }
        else:  # a way that makes the same games of a board that looks alike from there
            assert kinds(found) == set()


def test_the_way_is_named() -> None:
    """By hand: c3-d4 b6-a5 b2-c3 a5-b4 c3xa5 d6-c5 of Russian draughts, h8 for a1 and so on."""
    text = "1. f6-e5 g3-h4 2. g7-f6 h4-g5 3. f6xh4 e3-f4 *"
    (found,) = checked([text], "russian")
    assert (found.verdict, found.moves) == ("legal", 6)
    says = "the squares are written in another way: with the board turned by half (a1 is h8) the game is legal"
    assert [(fault.kind, fault.at, fault.says) for fault in found.faults] == [("form", "", says)]
    with pytest.raises(PdnError, match=r"^line 1: the squares are written in another way: .* \(a1 is h8\)"):
        Game.from_pdn(text, "russian")
    # The same on a board whose numbers begin at the other end, English draughts' 11-15 23-19 8-11.
    (found,) = checked(["1. 22-18 10-14 2. 25-22 *"], "english")
    assert [fault.says for fault in found.faults] == [
        "the squares are written in another way: with the squares numbered from the bottom right (1 is 32) the game is"
        " legal"
    ]


def test_games_that_no_way_makes_legal_are_not_called_illegal() -> None:
    # White's men stand on the first three rows: none of these squares has one, however it is turned.
    found = checked(["1. a5-b4 *", "1. d4-e5 *"], "russian")
    assert [(one.verdict, [fault.says for fault in one.faults]) for one in found] == [
        (
            "undecided",
            [
                "no game here starts legally by russian: squares may be numbered or named in another way, or it is"
                " another game"
            ],
        )
    ] * 2
    assert refusal(PdnError, Game.from_pdn, "1. a5-b4 *", "russian").endswith(
        "squares may be numbered or named in another way, or it is another game"
    )


def test_a_wrong_move_among_right_games_or_in_a_position_stays_one() -> None:
    right = moves_of(random_game("russian", 1))
    for texts in (
        ["1. a5-b4 *", right],
        [right, "1. a5-b4 *"],
        ["1. c3-d4 b6-c5 2. a1-b2 *"],
        ["1. c3-d4 c3-d4 *"],
        ["1. c3-d4 d4-e5 *"],
    ):
        assert [one.verdict for one in checked(texts, "russian")].count("illegal") == 1
    # 18 takes 22 only backwards, and would forwards on a board that is turned.
    assert [one.verdict for one in checked(['[FEN "W:W18:B22"]\n1. 18x25 *'], "english")] == ["illegal"]


def test_a_mistake_in_a_game_with_turned_squares_is_not_decided() -> None:
    """What is read in a way that was guessed is no proof against anybody."""
    turned = next(orientations(load_ruleset("russian").rules.board, letters=True))
    right = [turned.reorient(moves_of(random_game("russian", seed))) for seed in range(3)]
    wrong = turned.reorient(read_record("1. c3-d4 b6-c5 2. a1-b2 1-0"))
    assert wrong
    assert wrong.termination_marker == "1-0"
    found = checked([*right, wrong], "russian")
    assert [one.verdict for one in found] == ["legal", "legal", "legal", "undecided"]
    assert found[-1].faults[-1].says.startswith("could not be decided: read so, ")


def test_many_games_are_judged_in_their_order() -> None:
    way = next(orientations(load_ruleset("russian").rules.board, letters=True))
    turned = [way.reorient(moves_of(random_game("russian", 1, 12)))] * 150
    found = checked(turned, "russian")
    assert [one.number for one in found] == [*range(1, 151)]
    assert {one.verdict for one in found} == {"legal"}


# --- captures jump by jump


@some_rulesets
def test_each_jump_as_a_move_of_its_own_is_a_remark(id: str) -> None:
    right = [random_game(id, seed, 70) for seed in range(3)]
    split = any(isinstance(action, Move) and len(action.captured) > 1 for game in right for action in game.history)
    found = checked([jump_by_jump(game) for game in right], id)
    assert {one.verdict for one in found} == {"legal"}
    assert kinds(found) == ({"form"} if split else set())
    assert [one.moves for one in found] == [sum(isinstance(a, Move) for a in game.history) for game in right]
    for game in right:
        assert Game.from_pdn(jump_by_jump(game), id).history == game.history


#: By hand, on 8x8: the man on 27 takes 23 and 15 and ends on 11; Black's man on 1 then goes to 5.
TWO_JUMPS = "W:W27,32:B1,15,23"


@pytest.mark.parametrize(
    "moves",
    [
        "1. 27x18 18x11 1-5",
        "1. 27x18 2. 18x11 1-5 3. 32-28",
        "1. 27-18 {one} 18-11 $1 1... 1-5",
        "27x18 (27x11) 32-28",
    ],
)
def test_jumps_are_joined(moves: str) -> None:
    (found,) = replayed(f'[FEN "{TWO_JUMPS}"]\n{moves} *', "brazilian")
    if "(" in moves:  # a variation stands between: nothing goes on, and 27x18 is a capture that stops short
        assert found.verdict == "illegal"
    else:
        assert (found.verdict, [fault.kind for fault in found.faults]) == ("legal", ["form"])
        assert Game.from_pdn(f'[FEN "{TWO_JUMPS}"] {moves} *', "brazilian").history[0] == Move(27, 11, (15, 23), False)


def test_jumps_that_make_no_capture_are_not_decided() -> None:
    # From 18 the man cannot go on over nothing to 9, and has to take 15.
    (found,) = replayed(f'[FEN "{TWO_JUMPS}"]\n1. 27x18 18x9 *', "brazilian")
    (fault,) = found.faults
    assert (fault.kind, fault.at) == ("undecided", "move 1. 27x18")
    assert fault.says.endswith("as if each jump of a capture were a move of its own, and f2xd4xb6 is no legal capture")


def test_a_capture_that_may_stop_is_gone_on_with() -> None:
    """Where a capture may stop, the first jump is a move by itself; the next one shows that it is not meant."""
    ruleset = load_ruleset("english").with_value("capture.completion", "may-stop")
    assert str(legal_moves(ruleset, TWO_JUMPS).find("27x18")) == "27x18"
    text = f'[FEN "{TWO_JUMPS}"]\n27x18 18x11 1-5 *'
    (found,) = check_games(text.splitlines(keepends=True), ruleset, None)
    assert (found.verdict, found.moves, [fault.kind for fault in found.faults]) == ("legal", 2, ["form"])
    assert [str(action) for action in Game.from_pdn(text, ruleset).history] == ["27x18x11", "1-5"]


def test_records_are_read_what_is_written() -> None:
    (record,) = read_records("1. 27x18 18x11 *")
    assert [getattr(item, "text", None) for item in record.body] == ["27x18", "18x11"]
