"""The naive generator's turns with spinner, trapdoors and huffing: whole games, counts, and positions in text."""

from __future__ import annotations

import random
from typing import Any

import pytest

from naive import moves, read, start, write
from naive_turns import actions, lapses, outcome, perft, possible
from turn_variants import AT_ONCE, DUAL, LESS, MAN_FORWARD, OF_DOORS, UNFINISHED
from variants import DOORS, ENGLISH, HUFF, but

Rules = dict[str, Any]
Listed = dict[str, str]

GAMES: dict[str, Rules] = {
    "doors": DOORS,
    **OF_DOORS,
    "huff": HUFF,
    "man forward": MAN_FORWARD,
    "unfinished": UNFINISHED,
    "less": LESS,
    "less, moved": but(LESS, huff__piece="moved", capture__binds="piece"),
    "huff, choosy": but(
        HUFF,
        capture__choice=["most-pieces"],
        capture__binds="path",
        huff__piece="moved",
        huff__turn="spent",
        huff__retracted="free",
    ),
    "turn lost": but(HUFF, huff__remedies=["retract"], huff__retracted="turn-lost"),
    "english": ENGLISH,
}


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        (DOORS, [3, 15, 45, 217]),  # 7 moves and 8 slides; a slider that has moved has one step only
        (AT_ONCE, [3, 15, 45, 225]),
        (DUAL, [4, 23, 92, 497]),
        (HUFF, [7, 49, 302]),
    ],
    ids=["doors", "doors that close at once", "two colours at once", "huffing, lapses not counted"],
)
def test_counts_from_the_start(rules: Rules, counts: list[int]) -> None:
    assert [perft(rules, start(rules), depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.slow
def test_games_stay_possible(name: str) -> None:
    rules, chance = GAMES[name], random.Random(name)
    position = start(rules)
    for _ in range(60):
        if outcome(rules, position)[0] != "ongoing":
            break
        found = actions(rules, position) + lapses(rules, position)
        assert len({action.key for action in found}) == len(found)
        for action in found:
            assert possible(rules, action.after), (write(position), action.text, write(action.after))
            assert read(write(action.after)) == action.after
        position = chance.choice(found).after


def test_plain_games_have_only_moves() -> None:
    position = read("W:W16,22:B11,17,18")
    assert {action.text: write(action.after) for action in actions(ENGLISH, position)} == {
        "16x7": "B:W7,22:B17,18",
        "22x13": "B:W13,16:B11,18",
        "22x15x8": "B:W8,16:B17",
    }
    assert {action.key for action in actions(ENGLISH, position)} == {
        (move.start, move.end, move.captured, move.promotes) for move in moves(ENGLISH, position)
    }


@pytest.mark.parametrize(
    "fen",
    ["W:W1:B2:spin", "W:W1:B2:spin=", "W:W1:B2:compelled=yes", "W:W1:B2:spin=disc:spin=disc", "W:W1:B2:x=y"],
)
def test_fields_it_does_not_know(fen: str) -> None:
    with pytest.raises(ValueError, match="not a position"):
        read(fen)


def test_the_order_of_fields() -> None:
    text = "W:W1:B2:sliders=MMMM:spin=disc:huffable=1-5:compelled"
    assert write(read("W:W1:B2:compelled:huffable=1-5:spin=disc:sliders=MMMM")) == text


def test_no_huffing_with_a_spinner() -> None:
    with pytest.raises(ValueError, match="not covered"):
        actions(but(DOORS, capture__duty="huffing"), start(DOORS))
