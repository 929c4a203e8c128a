"""Quiet moves, what a side may do of them beside captures, the pieces after a move, and counting: worked out by hand
from the sentences of spec/rules.yaml. The id names the rule, and what of its sentence decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from move_texts import captures, generator, seen, shown, steps
from runs import for_each
from variants import AHEAD, BRAZILIAN, DOORS, ENGLISH, FREE, FRISIAN, ITALIAN, but

ANY_MAN = but(ENGLISH, man__move__reach="any")
TWO = but(ENGLISH, king__move__reach=2)
FAR = but(BRAZILIAN, **FREE)
TWICE = but(ENGLISH, king__move__slides="twice")
LONG_LINE = "W:WK29:B5"  # from a1 the line b2, c3, d4, e5, f6, g7, h8

QUIET: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    "man.move.reach 1: one step": (ENGLISH, "W:W22:B1", ["22-17", "22-18"]),
    "man.move.reach 1: to an empty square": (ENGLISH, "W:W18,22:B13,17", ["18-14", "18-15"]),
    "man.move.reach any: over empty squares": (
        ANY_MAN,
        "W:W22:B1",
        ["22-13", "22-15", "22-17", "22-18", "22-11", "22-8", "22-4=K"],
    ),
    "man.move.reach any: not over a piece": (
        ANY_MAN,
        "W:W15,22:B13,17",
        ["15-10", "15-11", "15-6", "15-8", "15-1=K", "15-4=K", "22-18"],
    ),
    "man.move.directions: seen by Black": (
        but(ENGLISH, man__move__directions=["forward-left"]),
        "B:W32:B14",
        ["14-18"],
    ),
    "man.move.directions: straight and sideways, two rows or files away": (
        but(ENGLISH, man__move__directions=["forward", "left"]),
        "W:W22:B1",
        ["22-14", "22-21"],
    ),
    "promotion.rows: a quiet move onto the promotion row crowns": (ENGLISH, "W:W6:B12", ["6-1=K", "6-2=K"]),
    "promotion.rows: two rows": (but(ENGLISH, promotion__rows=2), "B:W12:B21", ["21-25=K"]),
    "promotion: a king is not crowned again": (ENGLISH, "W:WK6:B12", ["6-1", "6-10", "6-2", "6-9"]),
    "king.move.reach 1": (ENGLISH, LONG_LINE, ["29-25"]),
    "king.move.reach 2": (TWO, LONG_LINE, ["29-22", "29-25"]),
    "king.move.reach 2: not over a piece": (TWO, "W:W25,K29:B5", ["25-21", "25-22"]),
    "king.move.reach any": (FAR, LONG_LINE, ["29-11", "29-15", "29-18", "29-22", "29-25", "29-4", "29-8"]),
    "king.move.reach any: up to a piece": (FAR, "W:W15,K29:B1", ["15-10", "15-11", "29-18", "29-22", "29-25"]),
    "king.move.directions: seen by its own side": (
        but(ENGLISH, king__move__directions=AHEAD),
        "B:W32:BK14",
        ["14-17", "14-18"],
    ),
    "king.move.slides once": (ENGLISH, LONG_LINE, ["29-25"]),
    "king.move.slides twice: any two directions, straight on too, not back": (
        TWICE,
        LONG_LINE,
        ["29-25", "29-25-21", "29-25-22", "29-25-30"],
    ),
    "king.move.slides twice: not men": (TWICE, "W:W22:B1", ["22-17", "22-18"]),
    "king.move.slides twice: open only where there is no capture": (TWICE, "W:W26,K29:B23", ["26x19(23)"]),
    "king.move.slides twice: open only where there is no capture, even if that need not be made": (
        but(TWICE, capture__duty="optional"),
        "W:W26,K29:B23",
        ["26-22", "26x19(23)", "29-25"],
    ),
    "king.move.slides twice: over the square where it began": (
        but(TWICE, king__move__directions=["forward-left", "backward-right"], king__move__reach=2),
        "W:WK18:B4",  # the line d4, c5, b6 one way, e3, f2 the other: from c5 over d4 to e3, from e3 over d4 to c5
        [
            "18-14",
            "18-14-23",
            "18-14-9",
            "18-23",
            "18-23-14",
            "18-23-27",
            "18-27",
            "18-9",
            "18-14-5",
            "18-9-5",
            "18-9-14",
            "18-23-32",
            "18-27-32",
            "18-27-23",
        ],
    ),
    "king.move.slides twice: has to go on where it can": (
        TWICE,
        "W:WK29:B17",  # b4 is taken from a3 as well as from c3
        ["29-25", "29-25-21x14(17)", "29-25-22x13(17)", "29-25-30"],
    ),
    "king.move.slides twice: goes on by its best capture": (
        but(TWICE, capture__choice=["most-pieces"], capture__binds="path"),
        "W:WK29:B11,17,18",  # from c3 over d4 and f6, or over b4 alone; from a3 over b4 and back over d4
        ["29-25", "29-25-21x14x23(17,18)", "29-25-22x15x8(11,18)", "29-25-30"],
    ),
    "king.move.slides twice: by any where the choice is free": (
        TWICE,
        "W:WK29:B11,17,18",
        ["29-25", "29-25-21x14x23(17,18)", "29-25-22x13(17)", "29-25-22x15x8(11,18)", "29-25-30"],
    ),
    "capture.duty compulsory: only captures": (ENGLISH, "W:W22:B18", ["22x15(18)"]),
    "capture.duty optional: quiet moves too": (
        but(ENGLISH, capture__duty="optional"),
        "W:W22:B18",
        ["22-17", "22x15(18)"],
    ),
}


@for_each(("rules", "fen", "expected"), QUIET.values())
def test_legal_moves(rules: dict[str, Any], fen: str, expected: list[str]) -> None:
    assert steps(rules, fen) == sorted(expected)


TO_THE_DOOR, BEYOND = ["29-22"], ["29-11", "29-15", "29-18", "29-4", "29-8"]
DOORWAYS: dict[str, tuple[dict[str, Any], str, Sequence[int], list[str]]] = {
    "trapdoors.quiet-landing falls": (DOORS, "W:W21:B1", [17], ["21-17"]),
    "trapdoors.quiet-landing forbidden": (but(DOORS, trapdoors__quiet_landing="forbidden"), "W:W21:B1", [17], []),
    "trapdoors: no man is crowned by moving onto an open door": (DOORS, "W:W5:B12", [1], ["5-1"]),
    "trapdoors.passing over": (DOORS, LONG_LINE, [22], ["29-25", *TO_THE_DOOR, *BEYOND]),
    "trapdoors.passing over, quiet-landing forbidden": (
        but(DOORS, trapdoors__quiet_landing="forbidden"),
        LONG_LINE,
        [22],
        ["29-25", *BEYOND],
    ),
    "trapdoors.passing falls: onto the door and not beyond": (
        but(DOORS, trapdoors__passing="falls"),
        LONG_LINE,
        [22],
        ["29-25", *TO_THE_DOOR],
    ),
    "trapdoors.passing blocked: neither passed nor landed on": (
        but(DOORS, trapdoors__passing="blocked"),
        LONG_LINE,
        [22],
        ["29-25"],
    ),
}


@pytest.mark.parametrize(("rules", "fen", "doors", "expected"), DOORWAYS.values(), ids=DOORWAYS)
def test_legal_moves_among_open_doors(
    rules: dict[str, Any], fen: str, doors: Sequence[int], expected: list[str]
) -> None:
    assert steps(rules, fen, doors) == sorted(expected)


def test_quiet_moves_are_listed_whether_or_not_there_is_a_duty_to_capture() -> None:
    moves = generator(ENGLISH)
    pieces, side = seen(moves.board, "W:W22:B18")
    assert shown(moves.board, moves.quiet(pieces, side)) == ["22-17"]
    assert captures(ENGLISH, "W:W22:B18") == ["22x15(18)"]


# --- the pieces after a move

AFTER: dict[str, tuple[dict[str, Any], str, Sequence[int], str]] = {
    "a man moves": (ENGLISH, "W:W21:B12", [], "B:W17:B12"),
    "what is captured is gone, men and kings": (ENGLISH, "W:W22,30:B9,K18", [], "B:W15,30:B9"),
    "a man captured and crowned": (ENGLISH, "W:W11,32:B7,12", [], "B:WK2,32:B12"),
    "a king stays a king": (ENGLISH, "W:WK22:B1,18", [], "B:WK15:B1"),
    "seen from the other side, Black": (ENGLISH, "B:W18,32:B14", [], "W:W32:B23"),
    "a piece on an open door is gone": (DOORS, "W:W21,32:B1,17", [14], "B:W32:B1"),
    "back where it began": (FAR, "W:W22:B1,9,10,17,18", [], "B:W22:B1"),
}


@pytest.mark.parametrize(("rules", "fen", "doors", "after"), AFTER.values(), ids=AFTER)
def test_the_pieces_after_a_move(rules: dict[str, Any], fen: str, doors: Sequence[int], after: str) -> None:
    """The one move there is, or one of its paths; the other side then sees its own pieces first."""
    moves = generator(rules)
    pieces, side = seen(moves.board, fen)
    step = moves.steps(pieces, side, moves.board.mask(doors))[-1]
    assert moves.after(pieces, step, moves.board.mask(doors)) == seen(moves.board, after)[0]


# --- counting

COUNTED: dict[str, tuple[dict[str, Any], str]] = {
    "men": (ENGLISH, "W:W21,22,23:B1"),
    "men that go any way": (ANY_MAN, "W:W21,22:B10"),
    "men and kings": (FAR, "B:W30:B1,2,K11"),
    "kings that slide twice": (TWICE, "W:W32,K29:B5"),
    "kings that slide twice and capture": (TWICE, "W:WK29:B11,17,18"),
    "one capture, two paths": (FAR, "W:W22:B9,10,17,18"),
    "captures and quiet moves": (but(ENGLISH, capture__duty="optional"), "W:W22:B18"),
    "the best captures": (ITALIAN, "W:WK27,K28,17,20,9,K12,8:B21,24,K19,K13,14,K11,4"),
    "across and along": (FRISIAN, "W:W28,K33:B17,18,K22"),
    "nothing to do": (ENGLISH, "W:W5:BK1"),
}


@pytest.mark.parametrize(("rules", "fen"), COUNTED.values(), ids=COUNTED)
def test_counting_is_listing_without_the_paths(rules: dict[str, Any], fen: str) -> None:
    moves = generator(rules)
    pieces, side = seen(moves.board, fen)
    assert moves.count(pieces, side) == len({step[:4] for step in moves.steps(pieces, side)})


def test_a_capture_by_two_paths_counts_once() -> None:
    moves = generator(FAR)
    pieces, side = seen(moves.board, "W:W22:B9,10,17,18")
    assert (len(moves.steps(pieces, side)), moves.count(pieces, side)) == (2, 1)


PERFT: dict[str, tuple[dict[str, Any], str, int, int]] = {
    "nothing played": (ENGLISH, "W:W32:B1", 0, 1),
    "two moves": (ENGLISH, "W:W32:B1", 1, 2),
    "two moves, and two answers to each": (ENGLISH, "W:W32:B1", 2, 4),
    "four turns of a king that slides twice, and one answer": (TWICE, "W:WK29:B4", 2, 4),
    "crowned on 1 or 2, one answer, and from either two moves": (ENGLISH, "W:W6:B4", 3, 4),
    "a capture, and the other side has nothing left": (ENGLISH, "W:W22:B18", 2, 0),
}


@pytest.mark.parametrize(("rules", "fen", "depth", "nodes"), PERFT.values(), ids=PERFT)
def test_sequences_of_moves(rules: dict[str, Any], fen: str, depth: int, nodes: int) -> None:
    moves = generator(rules)
    assert moves.perft(*seen(moves.board, fen), depth) == nodes
