"""Collections of games: what is wrong with each, why, and by which ruleset a move would be legal, by hand."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from damspec import load_ruleset
from damspec_runner.replay.games import GameCounts
from damspec_runner.replay.illegal_moves import find_reason
from replays import replayed

#: On 8x8: the man on 27 takes 23 and 15 and ends on 11, the man on 21 takes 17 and ends on 14.
TWO_OR_ONE = "W:W21,27:B15,17,23"


def told(text: str | bytes, ruleset: str | None = None, encoding: str | None = None) -> list[str]:
    """What is wrong, each with its game and line."""
    return [f"{one.number}:{fault.line} {fault}" for one in replayed(text, ruleset, encoding) for fault in one.faults]


def test_a_smaller_capture() -> None:
    found = find_reason(load_ruleset("brazilian"), load_ruleset("brazilian").position(TWO_OR_ONE), "a3xc5")
    assert found.rule == "capture.choice"
    assert found.says == "The best captures are those of the greatest number of pieces"
    assert found.nearest == ("f2xf6",)
    # English and Russian draughts leave the choice free; Flemish draughts asks for the most pieces.
    assert {"english", "russian"} <= set(found.legal_by)
    assert not {"vl", "brazilian", "international"} & set(found.legal_by)


@pytest.mark.parametrize(
    ("id", "position", "move", "rule"),
    [
        ("english", "W:W18,32:B15", "32-28", "capture.duty"),
        ("brazilian", TWO_OR_ONE, "27x18", "capture.completion"),
        ("russian", TWO_OR_ONE, "27x18", "capture.completion"),
        ("english", "W:W18:B22", "18x25", "man.capture.first"),
        ("english", "W:W18:B1", "18-22", "man.move.directions"),
        ("english", "W:WK18:B1", "18-9", "king.move.reach"),
        ("brazilian", "W:WK30:B26,5", "30x14", None),
    ],
)
def test_the_rule_without_which_a_move_would_be_legal(id: str, position: str, move: str, rule: str | None) -> None:
    ruleset = load_ruleset(id)
    assert find_reason(ruleset, ruleset.position(position), move).rule == rule


def test_the_same_squares_under_other_numbers_and_letters() -> None:
    """c3, counted from Black's right: the enemy is behind the man, which only some games on that board let jump it."""
    jamaican = load_ruleset("jamaican")
    found = find_reason(jamaican, jamaican.position("W:Wc3:Bd4"), "c3-b2")
    assert (found.rule, found.nearest) == ("capture.duty", ("c3xe5",))
    assert " ".join(found.legal_by) == (
        "argentinian coc-inbert italian maghrebi myanmar portuguese spanish spanish-1547 spanish-kings swedish"
    )


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("17-13", "no piece stands on 17"),
        ("1-5", "White is to move, and the piece on 1 is Black's"),
        ("22-18", "a piece stands on 18"),
    ],
)
def test_what_is_in_the_way(move: str, says: str) -> None:
    ruleset = load_ruleset("english")
    found = find_reason(ruleset, ruleset.position("W:W18,22:B1"), move)
    assert (found.says, found.rule) == (says, None)


def test_the_nearest_moves_are_of_the_same_piece_then_to_the_same_square() -> None:
    ruleset = load_ruleset("english")
    # 22 goes to 17 (18 is taken), 18 to 14 and 15, 21 to 17.
    found = find_reason(ruleset, ruleset.position("W:W18,21,22:B1"), "22-17-13")
    assert found.nearest[0] == "22-17"
    assert set(found.nearest) == {"22-17", "18-14", "18-15", "21-17"}


def test_a_fault_is_told_with_all_that_is_known_of_it() -> None:
    assert told(f'[GameType "26"]\n[FEN "{TWO_OR_ONE}"]\n1. a3xc5 *')[0].startswith(
        "1:3 move 1. a3xc5: illegal: The best captures are those of the greatest number of pieces (capture.choice);"
        " legal: f2xf6; legal by "
    )


def test_one_broken_game_costs_no_other() -> None:
    text = (
        '[GameType "20"]\n1. 32-28 *\n'
        '[GameType "77"]\n1. 32-28 *\n'
        '[GameType "20"]\n1. 32-28 {\n'
        '[White "x]\n1. 32-28 *\n'
        '[GameType "20"]\n1. 32-28 19-23 2. 34-30 *\n'
        '[GameType "21"]\n1. 9-13 22-18 *\n'
    )
    found = replayed(text)
    assert [(one.number, one.ruleset, one.moves, one.verdict) for one in found] == [
        (1, "international", 1, "legal"),
        (2, None, 0, "undecided"),
        (3, "international", 1, "text"),
        (4, None, 0, "text"),
        (5, "international", 2, "illegal"),
        (6, "english", 2, "legal"),
    ]
    assert [fault.line for one in found for fault in one.faults] == [3, 6, 7, 10]


def test_the_ruleset_given_is_that_of_all() -> None:
    assert told('[GameType "21"]\n1. 9-13 *\n1. 11-15 *', "lb") == []


def test_bytes_that_are_not_utf_8_are_a_remark() -> None:
    text = '[White "José"]\n[GameType "20"]\n1. 32-28 19-23 {é} *'
    (one,) = replayed(text.encode("latin-1"))
    assert (one.players, one.moves, one.verdict) == ("José - ?", 2, "legal")
    assert str(one.faults[0]) == "not UTF-8: read as cp1252, which the bytes look like; --encoding says what it is"
    (fine,) = replayed(text.encode("cp1252"), encoding="cp1252")
    assert (fine.players, fine.faults) == ("José - ?", ())
    assert told(b"\xef\xbb\xbf" + text.encode()) == []
    assert told(text.encode("latin-1"), encoding="ascii") == ["1:1 found the byte 0xe9, expected ascii"]


def test_games_are_counted() -> None:
    count = GameCounts()
    for one in replayed("1. 32-28 *\n1. 32-28 31-27 *\n1. 32-28 x\n", "international"):
        count.add(one)
    # The word that cannot be read stops its own game, after its first move.
    assert asdict(count) == {"games": 3, "moves": 3, "legal": 1, "illegal": 1, "text": 1, "undecided": 0}
    assert (count + GameCounts(2, 9, 1, 1)).row == (5, 12, 2, 2, 1, 0)
