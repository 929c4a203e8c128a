"""Hypothesis strategies: positions of any rules, and in every phase of a turn, with doors, spins and claims."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

import damspec
from damspec import Board, DamspecError, Position, Rules, Ruleset, Side
from damspec.board import opponent
from damspec.position import KingRun


@cache
def areas(board: Board) -> tuple[tuple[int, ...], ...]:
    """Sets of squares to put pieces on: the whole board, and windows of six rows and files in which they meet."""
    windows = [
        tuple(
            number
            for number, (column, row) in enumerate(board.places, 1)
            if left <= column < left + 6 and bottom <= row < bottom + 6
        )
        for left in range(0, max(1, board.columns - 5), 2)
        for bottom in range(0, max(1, board.rows - 5), 2)
    ]
    return (tuple(range(1, len(board) + 1)), *windows)


@st.composite
def positions(draw: st.DrawFn, rules: Rules) -> Position:
    """A position with 1 to 8 pieces of the side to move and up to 14 of the other, none on a square it cannot stand on.

    In half of them each side has rows of its own, by turns: the squares between the enemies are empty then, as long
    captures need them.
    """
    board = rules.board
    turn: Side = draw(st.sampled_from(("white", "black")))
    area = draw(st.sampled_from(areas(board)))
    own, enemies = draw(st.integers(1, 8)), draw(st.integers(0, 14))
    count = min(own + enemies, len(area) * 3 // 4)
    squares = draw(st.lists(st.sampled_from(area), unique=True, min_size=count, max_size=count))
    kings = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    in_rows, how_many_kings = draw(st.booleans()), draw(st.integers(0, 4))
    masks = dict.fromkeys(((side, kind) for side in ("white", "black") for kind in ("man", "king")), 0)
    for place, square in enumerate(squares):
        bit = board.bit(square)
        is_own = board.places[square - 1][1] % 2 == 0 if in_rows else place < own
        side = turn if is_own else opponent(turn)
        is_king = kings[place] < how_many_kings or bit & board.nearest_rows(rules.promotion.rows, opponent(side))
        masks[side, "king" if is_king else "man"] |= bit
    found = Position(
        board,
        masks["white", "man"],
        masks["white", "king"],
        masks["black", "man"],
        masks["black", "king"],
        turn,
    )
    return draw(with_runs(found, rules.king.move_limit)) if rules.king.move_limit else found


@st.composite
def with_runs(draw: st.DrawFn, position: Position, limit: int) -> Position:
    """The position with a run of a king of either side that has a man too, or with none."""
    for side in ("white", "black"):
        kings = position.board.numbers(position.kings(side))
        moves = draw(st.integers(0, limit)) if kings and position.men(side) else 0
        if moves:
            position = position.with_run(side, KingRun(draw(st.sampled_from(kings)), moves))
    return position


@st.composite
def phases(draw: st.DrawFn, ruleset: Ruleset, *, possible: bool = False) -> Position:
    """A position in any phase of a turn; some that cannot be are among them, unless only possible ones are wanted."""
    position = draw(positions(ruleset.rules))
    trapdoors, huff = ruleset.rules.trapdoors, ruleset.rules.huff
    if trapdoors:
        found = _with_doors(draw, ruleset, position)
        others = [replace(found, spin=None), replace(position, sliders=trapdoors.layout.middle_letters)]
    elif huff:
        found, others = _with_claims(draw, ruleset, position), [position]
    else:
        return position
    return next(one for one in (found, *others) if _can_be(ruleset, one)) if possible else found


def open_doors(ruleset: Ruleset, position: Position) -> int:
    """The open doors, as a bitboard."""
    trapdoors = ruleset.rules.trapdoors
    return trapdoors.layout.open_doors(position.board, position.sliders) if trapdoors and position.sliders else 0


def _can_be(ruleset: Ruleset, position: Position) -> bool:
    try:
        return ruleset.position(position.fen()) == position
    except DamspecError:
        return False


def _with_claims(draw: st.DrawFn, ruleset: Ruleset, position: Position) -> Position:
    match draw(st.sampled_from(("plain", "lapse", "lapse", "any claim", "compelled"))):
        case "lapse":
            lapses = damspec.legal_moves(ruleset, position).lapses
            return damspec.play(ruleset, position, draw(st.sampled_from(lapses))) if lapses else position
        case "any claim":
            squares = st.integers(1, len(position.board))
            crowned = draw(st.sampled_from(("", "", "K")))
            return replace(position, huffable=f"{draw(squares)}-{draw(squares)}{crowned}")
        case "compelled":
            return replace(position, compelled=True)
        case _:
            return position


def _with_doors(draw: st.DrawFn, ruleset: Ruleset, position: Position) -> Position:
    trapdoors, spin = ruleset.rules.trapdoors, ruleset.rules.spin
    assert trapdoors
    assert spin
    shut = trapdoors.closing == "at-once" and draw(st.integers(0, 9)) < 9
    letters = st.just("M") if shut else st.sampled_from("MLR")
    sliders = "".join(draw(letters) for _ in trapdoors.layout.sliders)
    if draw(st.integers(0, 9)) < 9:  # what stood on an open door has fallen
        floor = ~trapdoors.layout.open_doors(position.board, sliders)
        position = Position(
            position.board,
            position.white_men & floor,
            position.white_kings & floor,
            position.black_men & floor,
            position.black_kings & floor,
            position.turn,
        )
    results = [*spin.outcomes, *(["due"] if spin.when == "after-capture" else [])]
    return replace(position, sliders=sliders, spin=draw(st.sampled_from([None, None, *results])))
