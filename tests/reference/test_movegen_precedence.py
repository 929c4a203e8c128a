"""The choice among captures: each criterion, their ranking and what they bind, worked out by hand from the sentences
of `capture.choice`, `capture.binds` and `capture.king-weight` in spec/rules.yaml.

Short kings and men that go ahead only, so that each capture can be seen at a glance; what there is to choose from is
said with the positions.
"""

from __future__ import annotations

from typing import Any

import pytest

import damspec
from damspec.turn import ActionGenerator
from move_texts import captures
from runs import for_each
from variants import BRAZILIAN, DOORS, ENGLISH, but


def choosing(*criteria: str, binds: str = "path", **changes: Any) -> dict[str, Any]:
    """English draughts with a ranking of captures."""
    return but(ENGLISH, capture__choice=list(criteria), capture__binds=binds, **changes)


#: 22 takes 18 and 11, or 17; 16 takes 11.
MEN = "W:W16,22:B11,17,18"
#: The same captures, that of 16 by a king; and all of them by kings.
MAN_AND_KING, KINGS = "W:WK16,22:B11,17,18", "W:WK16,K22:B11,17,18"
#: The same captures, and 17, which is taken alone, a king.
A_KING_ALONE = "W:W16,22:B11,K17,18"
#: 21 takes the king 17, then the man 10; 22 the man 18, then the king 11 or the man 10, or the king 17 alone.
KING_THEN_MAN = "W:W21,22:B10,K11,K17,18"
#: 22 takes the man 18, and then the king 11 or the man 10.
SECOND_DECIDES = "W:W22:B10,K11,18"

ALL_OF_THEM = ["16x7(11)", "22x13(17)", "22x15x8(11,18)"]
CRITERIA: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    "empty: the choice is free": (ENGLISH, MEN, ALL_OF_THEM),
    "most-pieces: two before one": (choosing("most-pieces"), MEN, ["22x15x8(11,18)"]),
    "most-pieces: a king is one piece": (choosing("most-pieces"), A_KING_ALONE, ["22x15x8(11,18)"]),
    "most-pieces: of equal ones each": (choosing("most-pieces"), "W:W16,22:B11,17", ["16x7(11)", "22x13(17)"]),
    "most-pieces: a king of 1.5 is less than two men": (
        choosing("most-pieces", capture__king_weight=1.5),
        A_KING_ALONE,
        ["22x15x8(11,18)"],
    ),
    "most-pieces: a king of 2 is as much as two men": (
        choosing("most-pieces", capture__king_weight=2),
        A_KING_ALONE,
        ["22x13(17)", "22x15x8(11,18)"],
    ),
    "most-pieces: a king of 3 is more than two men": (
        choosing("most-pieces", capture__king_weight=3),
        A_KING_ALONE,
        ["22x13(17)"],
    ),
    "multiple-before-single: a king of 2 is as multiple as two men": (
        choosing("multiple-before-single", capture__king_weight=2),
        A_KING_ALONE,
        ["22x13(17)", "22x15x8(11,18)"],
    ),
    "multiple-before-single: a king of 1.5 is single": (
        choosing("multiple-before-single", capture__king_weight=1.5),
        A_KING_ALONE,
        ["22x15x8(11,18)"],
    ),
    "multiple-when-mixed: a king of 2 is as multiple as two men": (
        choosing("multiple-when-mixed", capture__king_weight=2),
        "W:WK16,22:B11,K17,18",
        ["22x13(17)", "22x15x8(11,18)"],
    ),
    "most-kings: a king's weight is nothing to it": (
        choosing("multiple-before-single", "most-kings", capture__king_weight=3),
        A_KING_ALONE,
        ["22x13(17)"],
    ),
    "multiple-before-single: of two or more": (choosing("multiple-before-single"), MEN, ["22x15x8(11,18)"]),
    "multiple-before-single: two are as good as three": (
        choosing("multiple-before-single"),
        "W:W16,21,30:B9,10,11,17,18,26",  # 21 takes 17, 30 takes 26 and 18, each then 9 or 10; 16 takes 11 alone
        ["21x14x5(9,17)", "21x14x7(10,17)", "30x23x14x5(9,18,26)", "30x23x14x7(10,18,26)"],
    ),
    "multiple-before-single: all of them if none is": (
        choosing("multiple-before-single"),
        "W:W16,22:B11,17",
        ["16x7(11)", "22x13(17)"],
    ),
    "multiple-when-mixed: a man and a king can capture": (
        choosing("multiple-when-mixed"),
        MAN_AND_KING,
        ["22x15x8(11,18)"],
    ),
    "multiple-when-mixed: only men can": (choosing("multiple-when-mixed"), MEN, ALL_OF_THEM),
    "multiple-when-mixed: only kings can": (choosing("multiple-when-mixed"), KINGS, ALL_OF_THEM),
    "with-king: by the king": (choosing("with-king"), MAN_AND_KING, ["16x7(11)"]),
    "with-king: all of them if no king can": (choosing("with-king"), MEN, ALL_OF_THEM),
    "most-kings: the greatest number of kings, not of pieces": (choosing("most-kings"), A_KING_ALONE, ["22x13(17)"]),
    "most-kings: all of them if none takes one": (choosing("most-kings"), MEN, ALL_OF_THEM),
    "king-first: the first jump decides": (
        choosing("most-pieces", "king-first"),
        KING_THEN_MAN,
        ["21x14x7(10,17)"],
    ),
    "king-first: the second decides if the first are equal": (
        choosing("king-first"),
        SECOND_DECIDES,
        ["22x15x8(11,18)"],
    ),
}
RANKING: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    "most-pieces, then most-kings": (choosing("most-pieces", "most-kings"), A_KING_ALONE, ["22x15x8(11,18)"]),
    "most-kings, then most-pieces": (choosing("most-kings", "most-pieces"), A_KING_ALONE, ["22x13(17)"]),
    "most-pieces, then with-king": (choosing("most-pieces", "with-king"), MAN_AND_KING, ["22x15x8(11,18)"]),
    "with-king, then most-pieces": (choosing("with-king", "most-pieces"), MAN_AND_KING, ["16x7(11)"]),
    "the second keeps of those that the first left": (
        choosing("most-kings", "most-pieces"),
        KING_THEN_MAN,  # one king each: 21x14x7, 22x15x8 and 22x13; of these two have two pieces
        ["21x14x7(10,17)", "22x15x8(11,18)"],
    ),
}
BINDING: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    "path: only the best": (choosing("most-pieces"), MEN, ["22x15x8(11,18)"]),
    "piece: any capture of the piece that has the best": (
        choosing("most-pieces", binds="piece"),
        MEN,
        ["22x13(17)", "22x15x8(11,18)"],
    ),
    "piece: complete ones, which end where the rules let them": (
        choosing("most-pieces", binds="piece", capture__completion="may-stop"),
        MEN,
        ["22x13(17)", "22x15(18)", "22x15x8(11,18)"],
    ),
    "path: the shorter part of the best is not the best": (
        choosing("most-pieces", capture__completion="may-stop"),
        MEN,
        ["22x15x8(11,18)"],
    ),
    "path: of two ways round the one that is best": (
        but(BRAZILIAN, capture__choice=["most-pieces", "king-first"]),
        "W:W22:B9,10,K17,18",
        ["22x13x6x15x22(9,10,17,18)"],
    ),
}
CASES = {**CRITERIA, **RANKING, **BINDING}


@for_each(("rules", "fen", "expected"), CASES.values())
def test_what_may_be_chosen(rules: dict[str, Any], fen: str, expected: list[str]) -> None:
    assert captures(rules, fen) == expected


@pytest.mark.parametrize(
    ("doors", "expected"),
    [
        pytest.param([], ["21x14x7(10,17)"], id="shut: two pieces are most"),
        pytest.param([14], ["21x14(17)", "32x23(27)"], id="open: one piece up to the door, and one elsewhere"),
    ],
)
def test_a_capture_counts_up_to_the_door_it_falls_through(doors: list[int], expected: list[str]) -> None:
    """`trapdoors.capture-landing: ends`, with `most-pieces`."""
    assert captures(DOORS, "W:W21,32:B10,17,27", doors) == expected


def test_the_order_of_a_round_trip_counts_where_paths_are_followed_once() -> None:
    """A king can take 11, 19, 18 and 10 and be back where it was. One way round it begins with the king on 11, which is
    best; the other way, and by 10, 18, 19 and the king on 12, with a man."""
    rules = damspec.load_ruleset("italian").rules
    position = damspec.load_ruleset("italian").position("W:WK6:B10,K11,K12,K18,19")
    for every_path in (True, False):
        assert [str(move) for move in ActionGenerator(rules, every_path=every_path).actions(position)] == [
            "6x15x22x13x6"
        ]
