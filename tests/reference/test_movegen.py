"""Legal moves by hand: quiet moves and promotion, captures jump by jump, capture precedence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

import damspec
from damspec import Board, Move, Position, from_values
from damspec.move import PackedMove
from damspec.movegen import MoveGenerator
from damspec.position import Pieces
from damspec.turn import ActionGenerator
from runs import for_each
from variants import AHEAD, BRAZILIAN, DOORS, ENGLISH, FREE, FRISIAN, ITALIAN, SHORT, STOPS, but

# --- what the generator finds, in text: a step for each path, `22x15x8(11,18)`, with `=K` behind one that crowns


def generator(values: dict[str, Any]) -> MoveGenerator:
    """The generator of bare rule values."""
    return MoveGenerator(from_values(values, "bare values").rules)


def seen(board: Board, fen: str) -> tuple[Pieces, int]:
    """The pieces of a position as the side to move sees them, and that side: 0 is White."""
    position = Position.from_fen(fen, board)
    white, black = (position.white_men, position.white_kings), (position.black_men, position.black_kings)
    return ((*white, *black), 0) if position.turn == "white" else ((*black, *white), 1)


def captures(values: dict[str, Any], fen: str, doors: Sequence[int] = ()) -> list[str]:
    """Every legal capture of the side to move; `doors` are the squares with open trapdoors."""
    moves = generator(values)
    return shown(moves.board, moves.captures(*seen(moves.board, fen), moves.board.mask(doors)))


def steps(values: dict[str, Any], fen: str, doors: Sequence[int] = ()) -> list[str]:
    """Every legal move of the side to move."""
    moves = generator(values)
    return shown(moves.board, moves.steps(*seen(moves.board, fen), moves.board.mask(doors)))


def shown(board: Board, found: Iterable[PackedMove]) -> list[str]:
    """Steps in text, sorted."""
    return sorted(step_text(board, step) for step in found)


def step_text(board: Board, step: PackedMove) -> str:
    captured = board.numbers(step.captured)
    slides = len(step.path) - 1 - len(captured)
    text = "".join(
        ("" if leg < 0 else "-" if leg < slides else "x") + str(board.number(bit))
        for leg, bit in enumerate(step.path, -1)
    )
    return text + (f"({','.join(map(str, captured))})" if captured else "") + ("=K" if step.crowned else "")


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


# --- Captures, each value of their rules on a small position, worked out by hand from the sentences of
# spec/rules.yaml.
# The id names the rule, and what of its sentence decides. Positions are on the board of 32 squares: b8 is 1, a1
# is 29.


Case = tuple[dict[str, Any], str, list[str]]

#: Men capture in all four diagonal directions, kings along them; no capture is better than another.
PLAIN = but(BRAZILIAN, **FREE)
SHORT_KING = but(PLAIN, **SHORT)

BACK = "W:W18:B23"  # the only piece stands behind the man: d4, e3 and f2
AHEAD_AND_BACK = "W:W22:B18,19"  # over d4 to e5, from there back over f4 to g3
MEN: dict[str, Case] = {
    "man.capture.first: a jump goes over a piece one step away, to the next square": (
        PLAIN,
        "W:W22:B18",
        ["22x15(18)"],
    ),
    "man.capture.first: not over a piece two steps away": (PLAIN, "W:W22:B15", []),
    "man.capture.first: not onto a piece": (PLAIN, "W:W22:B15,18", []),
    "man.capture.first: not over a piece of one's own": (PLAIN, "W:W18,22:B1", []),
    "man.capture.first: not over the edge": (PLAIN, "W:W17:B13,21", []),
    "man.capture.first: backward": (PLAIN, BACK, ["18x27(23)"]),
    "man.capture.first: only ahead": (but(PLAIN, man__capture__first=AHEAD), BACK, []),
    "man.capture.first: ahead is down the board for Black": (
        but(PLAIN, man__capture__first=AHEAD),
        "B:W10,18:B15",
        ["15x22(18)"],
    ),
    "man.capture.later: back after a jump ahead": (
        but(PLAIN, man__capture__first=AHEAD),
        AHEAD_AND_BACK,
        ["22x15x24(18,19)"],
    ),
    "man.capture.later: only ahead": (but(PLAIN, man__capture__later=AHEAD), AHEAD_AND_BACK, ["22x15(18)"]),
    "man.capture.later: says nothing about the first jump": (
        but(PLAIN, man__capture__later=AHEAD),
        BACK,
        ["18x27(23)"],
    ),
    "man.capture.takes any: a king too": (PLAIN, "W:W22:B18,K11", ["22x15x8(11,18)"]),
    "man.capture.takes men: no king, not as the second piece either": (
        but(PLAIN, man__capture__takes="men"),
        "W:W22:B18,K11",
        ["22x15(18)"],
    ),
    "man.capture.takes men: kings capture kings all the same": (
        but(SHORT_KING, man__capture__takes="men"),
        "W:WK22:BK18",
        ["22x15(18)"],
    ),
}

OVER_D4 = "W:WK29:B18"  # from a1 over d4, behind it e5, f6, g7 and h8
TURN_AT_F6 = "W:WK29:B16,18"  # the same, and from f6 over g5 to h4
TURN_AT_C3 = "B:W15,17:BK4"  # from h8 over e5, behind it d4, c3, b2 and a1; from c3 over b4 to a5
AT_ONCE = {"capture__removal": "at-once", "capture__origin": "empty"}
KINGS: dict[str, Case] = {
    "king.capture.reach any: over a piece far away": (
        PLAIN,
        OVER_D4,
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "king.capture.reach 1: not over a piece far away": (SHORT_KING, OVER_D4, []),
    "king.capture.reach 1: over a piece one step away": (SHORT_KING, "W:WK22:B18", ["22x15(18)"]),
    "king.capture.reach 1: says nothing about the landing": (
        but(PLAIN, king__capture__reach=1),
        "W:WK22:B18",
        ["22x15(18)", "22x11(18)", "22x8(18)", "22x4(18)"],
    ),
    "king.capture.reach: what lies between has to be empty": (PLAIN, "W:W25,K29:B18", []),
    "king.capture.directions: those of the king's own side": (
        but(SHORT_KING, king__capture__directions=["forward-left"]),
        "B:W17,18:BK14",  # for Black on c5 forward to the left is d4, and b4 to the right
        ["14x23(18)"],
    ),
    "king.capture.directions: for further jumps too": (
        but(SHORT_KING, king__capture__directions=AHEAD),
        "W:WK22:B18,19",
        ["22x15(18)"],
    ),
    "king.capture.landing behind: on the next square": (
        but(PLAIN, king__capture__landing="behind"),
        TURN_AT_C3,
        ["4x18(15)"],
    ),
    "king.capture.landing any: also where the capture then ends": (
        PLAIN,
        TURN_AT_C3,
        ["4x18(15)", "4x22x13(15,17)", "4x25(15)", "4x29(15)"],
    ),
    "king.capture.landing any: the next square has to be empty": (PLAIN, "W:WK29:B15,18", []),
    "king.capture.landing any: as far as they are empty": (PLAIN, "W:W8,K29:B18", ["29x15(18)", "29x11(18)"]),
    "king.capture.finish continuing: where a further jump is": (
        but(PLAIN, king__capture__finish="continuing"),
        TURN_AT_C3,
        ["4x22x13(15,17)"],
    ),
    "king.capture.finish continuing: anywhere if there is none": (
        but(PLAIN, king__capture__finish="continuing"),
        OVER_D4,
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "king.capture.finish behind-last-king: right behind a king": (
        but(PLAIN, king__capture__finish="behind-last-king"),
        "W:WK29:BK18",
        ["29x15(18)"],
    ),
    "king.capture.finish behind-last-king: anywhere behind a man": (
        but(PLAIN, king__capture__finish="behind-last-king"),
        OVER_D4,
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "king.capture.finish behind-last-king: farther behind a king to jump on": (
        but(PLAIN, king__capture__finish="behind-last-king"),
        "W:WK29:B16,K18",
        ["29x15(18)", "29x11x20(16,18)"],
    ),
    "man.capture.gap 1: with one empty square between, and not next to it": (
        but(PLAIN, man__capture__gap=1),
        "W:W22,30:B15,26",
        ["22x11(15)"],
    ),
    "man.capture.gap 1: not on over a neighbour": (but(PLAIN, man__capture__gap=1), "W:W29:B15,22", ["29x18(22)"]),
    "man.capture.gap 1: on over another gap": (but(PLAIN, man__capture__gap=1), "W:W29:B11,22", ["29x18x8(11,22)"]),
    "king.capture.kings-only: a king, not a man, straight": (
        but(PLAIN, king__capture__directions=["all"], king__capture__kings_only=["orthogonals"]),
        "W:WK29:B13,K30",
        ["29x31(30)", "29x32(30)"],
    ),
    "king.capture.later: on along a row or column": (
        but(PLAIN, king__capture__later=["orthogonals"], king__capture__landing="behind"),
        "W:WK29:B10,22,26",  # a1 over c3 to d4, from where d6 can be jumped, and d2 stands on the edge
        ["29x18x2(10,22)"],
    ),
    "king.capture.later: not along the lines of the first jump": (
        but(PLAIN, king__capture__later=["orthogonals"], king__capture__landing="behind"),
        "W:WK29:B14,22",
        ["29x18(22)"],
    ),
    "king.capture.pieces: two with nothing between stop a king": (PLAIN, "W:WK29:B18,22", []),
    "king.capture.pieces any: over two with nothing between": (
        but(PLAIN, king__capture__pieces="any"),
        "W:WK29:B18,22",
        ["29x15(18,22)", "29x11(18,22)", "29x8(18,22)", "29x4(18,22)"],
    ),
    "king.capture.pieces any: with a gap between it is two jumps": (
        but(PLAIN, king__capture__pieces="any", king__capture__landing="behind"),
        "W:WK29:B15,18,25",
        ["29x22x11(15,18,25)"],
    ),
    "king.capture.pieces any: not over an own piece among them": (
        but(PLAIN, king__capture__pieces="any"),
        "W:W15,K29:B18,22",
        [],
    ),
    "king.capture.pieces any: not to the edge": (but(PLAIN, king__capture__pieces="any"), "W:WK11:B4,8", []),
    "king.capture.pieces any: not over one that was captured and still stands": (
        but(PLAIN, king__capture__pieces="any", king__capture__landing="behind", capture__removal="at-end"),
        "W:WK29:B15,16,17,22,27",  # from a1 over c3, e5, g5 and f2 to e1, from where c3 stands before b4
        ["29x18x11x20x31(15,16,22,27)", "29x18x32(22,27)"],
    ),
    "king.capture.turning straight: on along its line": (
        but(PLAIN, king__capture__turning="straight", **AT_ONCE),
        "W:WK29:B14,15,22",
        ["29x18x11(15,22)", "29x18x8(15,22)", "29x18x4(15,22)"],
    ),
    "king.capture.turning straight: a first jump may go any way": (
        but(PLAIN, king__capture__turning="straight", king__capture__landing="behind", **AT_ONCE),
        "W:WK18:B14,15,22",
        ["18x9(14)", "18x11(15)", "18x25(22)"],
    ),
    "king.capture.turning straight: not aside for a man crowned by its jump": (
        but(
            PLAIN,
            king__capture__turning="straight",
            promotion__mid_capture="as-king",
            promotion__return=None,
            **AT_ONCE,
        ),
        "W:W11:B6,7",
        ["11x2(7)=K"],
    ),
    "king.capture.finish behind-last: right behind a man": (
        but(PLAIN, king__capture__finish="behind-last"),
        OVER_D4,
        ["29x15(18)"],
    ),
    "king.capture.finish behind-last: farther behind a man to jump on": (
        but(PLAIN, king__capture__finish="behind-last"),
        "W:WK29:B16,18",
        ["29x15(18)", "29x11x20(16,18)"],
    ),
}

THERE_AND_BACK = "W:WK10:B6,24"  # from d6 to b8 over c7, to h2 over g3: one line, and d6 in the middle of it
ROUND = "W:W22:B9,10,17,18"  # the man on c3 goes round the four and comes back
SHARED: dict[str, Case] = {
    "capture.removal at-once: the square is empty for the rest": (
        but(PLAIN, capture__removal="at-once"),
        THERE_AND_BACK,
        ["10x1x28(6,24)", "10x28x1(6,24)"],
    ),
    "capture.removal at-end: jumped pieces block": (PLAIN, THERE_AND_BACK, ["10x1(6)", "10x28(24)"]),
    "capture.removal at-end: none is jumped a second time": (
        but(PLAIN, king__capture__landing="behind"),
        OVER_D4,
        ["29x15(18)"],
    ),
    "capture.origin empty: passed again": (
        but(PLAIN, capture__removal="at-once", capture__origin="empty"),
        THERE_AND_BACK,
        ["10x1x28(6,24)", "10x28x1(6,24)"],
    ),
    "capture.origin occupied: not passed": (
        but(PLAIN, capture__removal="at-once", capture__origin="occupied"),
        THERE_AND_BACK,
        ["10x1(6)", "10x28(24)"],
    ),
    "capture.origin empty: landed on again": (
        PLAIN,
        ROUND,
        ["22x13x6x15x22(9,10,17,18)", "22x15x6x13x22(9,10,17,18)"],
    ),
    "capture.origin occupied: not landed on": (
        but(PLAIN, capture__origin="occupied"),
        ROUND,
        ["22x13x6x15(9,10,17)", "22x15x6x13(9,10,18)"],
    ),
    "capture.completion whole: goes on as long as it can": (PLAIN, "W:W22:B11,18", ["22x15x8(11,18)"]),
    "capture.completion may-stop: after any jump of a man": (
        but(PLAIN, capture__completion="may-stop"),
        "W:W22:B11,18",
        ["22x15(18)", "22x15x8(11,18)"],
    ),
    "capture.completion may-stop: after any jump of a king": (
        but(PLAIN, capture__completion="may-stop"),
        TURN_AT_C3,
        ["4x18(15)", "4x22(15)", "4x25(15)", "4x29(15)", "4x22x13(15,17)"],
    ),
    "capture.completion one: a man jumps once": (
        but(PLAIN, capture__completion="one"),
        "W:W22:B11,18",
        ["22x15(18)"],
    ),
    "capture.completion one: a king jumps once": (
        but(PLAIN, capture__completion="one"),
        TURN_AT_C3,
        ["4x18(15)", "4x22(15)", "4x25(15)", "4x29(15)"],
    ),
    "capture.completion one: a king ends directly behind a king, the last that it captures": (
        but(PLAIN, capture__completion="one", king__capture__finish="behind-last-king"),
        "W:WK29:B16,K18",
        ["29x15(18)"],
    ),
}

ON_AS_A_MAN = (
    "W:W11:B6,7"  # over e7 to d8, on the promotion row; from there over c7, next to it, to b6 or, a king, a5 too
)
ON_AS_A_KING = "W:W11:B7,9"  # over e7 to d8; from there only over b6, two steps away, to a5
#: From f6 over e7, c7, c5 and e5 back to f6, touching d8, or the other way round; then over g7 to h8. Or that at once.
ROUND_AND_UP = "W:W11:B6,7,8,14,15"
CROWNING: dict[str, Case] = {
    "promotion.mid-capture stops: crowned, and no further": (but(PLAIN, **STOPS), ON_AS_A_MAN, ["11x2(7)=K"]),
    "promotion.mid-capture as-man: on as a man, not crowned": (PLAIN, ON_AS_A_MAN, ["11x2x9(6,7)"]),
    "promotion.mid-capture as-man: crowned where the capture ends": (PLAIN, ON_AS_A_KING, ["11x2(7)=K"]),
    "promotion.mid-capture as-man: crowned where the man stops": (
        but(PLAIN, capture__completion="may-stop"),
        ON_AS_A_MAN,
        ["11x2(7)=K", "11x2x9(6,7)"],
    ),
    "promotion.mid-capture as-man: crowned by its one jump": (
        but(PLAIN, capture__completion="one"),
        ON_AS_A_MAN,
        ["11x2(7)=K"],
    ),
    "promotion.mid-capture as-man-else-king: crowned by its one jump": (
        but(PLAIN, capture__completion="one", promotion__mid_capture="as-man-else-king"),
        ON_AS_A_MAN,
        ["11x2(7)=K"],
    ),
    "promotion.mid-capture as-king: crowned by its one jump": (
        but(PLAIN, capture__completion="one", promotion__mid_capture="as-king", promotion__return=None),
        ON_AS_A_MAN,
        ["11x2(7)=K"],
    ),
    "promotion.mid-capture as-king: on as a king, next to it": (
        but(PLAIN, promotion__mid_capture="as-king", promotion__return=None),
        ON_AS_A_MAN,
        ["11x2x9(6,7)=K", "11x2x13(6,7)=K"],
    ),
    "promotion.mid-capture as-king: on as a king, from afar": (
        but(PLAIN, promotion__mid_capture="as-king", promotion__return=None),
        ON_AS_A_KING,
        ["11x2x13(7,9)=K"],
    ),
    "promotion.mid-capture as-man-else-king: as a man if it can": (
        but(PLAIN, promotion__mid_capture="as-man-else-king"),
        ON_AS_A_MAN,
        ["11x2x9(6,7)"],
    ),
    "promotion.mid-capture as-man-else-king: if not, as a king": (
        but(PLAIN, promotion__mid_capture="as-man-else-king"),
        ON_AS_A_KING,
        ["11x2x13(7,9)=K"],
    ),
    "promotion.rows: two rows are the promotion row": (but(PLAIN, promotion__rows=2), "W:W15:B10", ["15x6(10)=K"]),
    "promotion.rows: the second row is none if one is": (PLAIN, "W:W15:B10", ["15x6(10)"]),
    "promotion.return crowned: after passing it": (
        PLAIN,
        ROUND_AND_UP,
        ["11x4(8)=K", "11x2x9x18x11x4(6,7,8,14,15)=K", "11x18x9x2x11x4(6,7,8,14,15)=K"],
    ),
    "promotion.return not-crowned: after passing it": (
        but(PLAIN, promotion__return="not-crowned"),
        ROUND_AND_UP,
        ["11x4(8)=K", "11x2x9x18x11x4(6,7,8,14,15)", "11x18x9x2x11x4(6,7,8,14,15)"],
    ),
    "promotion.return not-crowned: a jump within the promotion row does not pass it": (
        but(PLAIN, promotion__rows=3, promotion__return="not-crowned"),
        "W:W18:B6,14",  # over c5 to b6, in the third row, and on over c7 to d8
        ["18x9x2(6,14)=K"],
    ),
}


@for_each(("rules", "fen", "expected"), [*(MEN | KINGS | SHARED | CROWNING).values()])
def test_captures(rules: dict[str, Any], fen: str, expected: list[str]) -> None:
    assert captures(rules, fen) == sorted(expected)


FALLING = but(DOORS, **FREE)
ONLY_LAST = but(FALLING, trapdoors__capture_landing="only-last")
TWO_JUMPS = "W:W21:B10,17"  # over b4 to c5, and on over d6 to e7
THROUGH_DOORS: dict[str, tuple[dict[str, Any], str, Sequence[int], list[str]]] = {
    "trapdoors.capture-landing ends: the door shut": (FALLING, TWO_JUMPS, [], ["21x14x7(10,17)"]),
    "trapdoors.capture-landing ends: complete with the fall": (FALLING, TWO_JUMPS, [14], ["21x14(17)"]),
    "trapdoors.capture-landing only-last: on from the door": (ONLY_LAST, TWO_JUMPS, [14], ["21x14x7(10,17)"]),
    "trapdoors.capture-landing only-last: the capture ends there": (ONLY_LAST, "W:W21:B17", [14], ["21x14(17)"]),
    "trapdoors: no man is crowned by landing on an open door": (FALLING, "W:W11:B7", [2], ["11x2(7)"]),
    "trapdoors: on a shut one it is": (FALLING, "W:W11:B7", [], ["11x2(7)=K"]),
    "trapdoors.capture-landing ends: a king as well": (
        FALLING,
        TURN_AT_F6,
        [11],
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "trapdoors.capture-landing only-last: a king as well": (
        ONLY_LAST,
        TURN_AT_F6,
        [11],
        ["29x15(18)", "29x11x20(16,18)", "29x8(18)", "29x4(18)"],
    ),
    "king.capture.finish continuing: no jump follows a fall": (
        but(FALLING, king__capture__finish="continuing"),
        TURN_AT_F6,
        [11],
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "king.capture.finish continuing: one follows where the piece goes on": (
        but(ONLY_LAST, king__capture__finish="continuing"),
        TURN_AT_F6,
        [11],
        ["29x11x20(16,18)"],
    ),
    "trapdoors.passing over: behind the piece": (
        FALLING,
        OVER_D4,
        [11],
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "trapdoors.passing falls: onto the door and not beyond": (
        but(FALLING, trapdoors__passing="falls"),
        OVER_D4,
        [11],
        ["29x15(18)", "29x11(18)"],
    ),
    "trapdoors.passing blocked: neither passed nor landed on": (
        but(FALLING, trapdoors__passing="blocked"),
        OVER_D4,
        [11],
        ["29x15(18)"],
    ),
    "trapdoors.passing over: before the piece": (
        FALLING,
        OVER_D4,
        [22],
        ["29x15(18)", "29x11(18)", "29x8(18)", "29x4(18)"],
    ),
    "trapdoors.passing falls: no piece beyond the door is reached": (
        but(FALLING, trapdoors__passing="falls"),
        OVER_D4,
        [22],
        [],
    ),
    "trapdoors.passing blocked: no piece beyond the door is reached": (
        but(FALLING, trapdoors__passing="blocked"),
        OVER_D4,
        [22],
        [],
    ),
}


@for_each(("rules", "fen", "doors", "expected"), THROUGH_DOORS.values())
def test_captures_among_open_doors(rules: dict[str, Any], fen: str, doors: Sequence[int], expected: list[str]) -> None:
    assert captures(rules, fen, doors) == sorted(expected)


@pytest.mark.parametrize("removal", ["at-end", "at-once"])
def test_without_every_path_there_are_the_same_captures(removal: str) -> None:
    """A king on c3 takes b4, b6, d4 and d6 either way round: one capture, that has two paths."""
    rules = from_values(but(SHORT_KING, capture__removal=removal), "bare values").rules
    position = Position.from_fen("W:WK22:B9,10,17,18", rules.board)
    (every,), (some,) = (ActionGenerator(rules, every_path=which).actions(position) for which in (True, False))
    assert every == some
    assert isinstance(every, Move)
    assert isinstance(some, Move)
    assert every.paths == ((22, 13, 6, 15, 22), (22, 15, 6, 13, 22))
    assert some.paths in [(path,) for path in every.paths]


# --- The choice among captures: each criterion, their ranking and what they bind, worked out by hand from the
# sentences of `capture.choice`, `capture.binds` and `capture.king-weight` in spec/rules.yaml.
# Short kings and men that go ahead only, so that each capture can be seen at a glance; what there is to choose
# from is said with the positions.


def choosing(*criteria: str, binds: str = "path", **changes: Any) -> dict[str, Any]:
    """English draughts with a ranking of captures."""
    return but(ENGLISH, capture__choice=list(criteria), capture__binds=binds, **changes)


#: 22 takes 18 and 11, or 17; 16 takes 11.
PRECEDENCE_MEN = "W:W16,22:B11,17,18"
#: The same captures, that of 16 by a king; and all of them by kings.
MAN_AND_KING, PRECEDENCE_KINGS = "W:WK16,22:B11,17,18", "W:WK16,K22:B11,17,18"
#: The same captures, and 17, which is taken alone, a king.
A_KING_ALONE = "W:W16,22:B11,K17,18"
#: 21 takes the king 17, then the man 10; 22 the man 18, then the king 11 or the man 10, or the king 17 alone.
KING_THEN_MAN = "W:W21,22:B10,K11,K17,18"
#: 22 takes the man 18, and then the king 11 or the man 10.
SECOND_DECIDES = "W:W22:B10,K11,18"

ALL_OF_THEM = ["16x7(11)", "22x13(17)", "22x15x8(11,18)"]
CRITERIA: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    "empty: the choice is free": (ENGLISH, PRECEDENCE_MEN, ALL_OF_THEM),
    "most-pieces: two before one": (choosing("most-pieces"), PRECEDENCE_MEN, ["22x15x8(11,18)"]),
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
    "multiple-before-single: of two or more": (choosing("multiple-before-single"), PRECEDENCE_MEN, ["22x15x8(11,18)"]),
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
    "multiple-when-mixed: only men can": (choosing("multiple-when-mixed"), PRECEDENCE_MEN, ALL_OF_THEM),
    "multiple-when-mixed: only kings can": (choosing("multiple-when-mixed"), PRECEDENCE_KINGS, ALL_OF_THEM),
    "with-king: by the king": (choosing("with-king"), MAN_AND_KING, ["16x7(11)"]),
    "with-king: all of them if no king can": (choosing("with-king"), PRECEDENCE_MEN, ALL_OF_THEM),
    "most-kings: the greatest number of kings, not of pieces": (choosing("most-kings"), A_KING_ALONE, ["22x13(17)"]),
    "most-kings: all of them if none takes one": (choosing("most-kings"), PRECEDENCE_MEN, ALL_OF_THEM),
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
    "path: only the best": (choosing("most-pieces"), PRECEDENCE_MEN, ["22x15x8(11,18)"]),
    "piece: any capture of the piece that has the best": (
        choosing("most-pieces", binds="piece"),
        PRECEDENCE_MEN,
        ["22x13(17)", "22x15x8(11,18)"],
    ),
    "piece: complete ones, which end where the rules let them": (
        choosing("most-pieces", binds="piece", capture__completion="may-stop"),
        PRECEDENCE_MEN,
        ["22x13(17)", "22x15(18)", "22x15x8(11,18)"],
    ),
    "path: the shorter part of the best is not the best": (
        choosing("most-pieces", capture__completion="may-stop"),
        PRECEDENCE_MEN,
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
