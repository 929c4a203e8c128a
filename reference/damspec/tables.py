"""What the generator looks up: the rule values of one game turned into shifts, lines of squares and flags, once."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from .board import Board, Side
from .rules import Rules

#: The sides as indexes of tables: 0 is White, 1 is Black.
SIDES: tuple[Side, Side] = ("white", "black")

#: Own men, own kings, enemy men, enemy kings as bitboards, as the side to move sees them.
Pieces = tuple[int, int, int, int]
#: For each square its lines of squares to the edge, nearest first.
Rays = dict[int, list[tuple[int, ...]]]
#: For each square the jumps over a neighbour: the square passed over, the square landed on.
Jumps = dict[int, list[tuple[int, int]]]


class Step(NamedTuple):
    """A move in bits: a quiet one if nothing is captured. `path` has every square it touches."""

    start: int
    end: int
    captured: int
    crowned: bool
    path: tuple[int, ...]


class Tables:
    """The tables of one set of rules; those for men and kings are indexed by side, because directions are.

    Rules that have the same directions on the same board share what follows from them.
    """

    def __init__(self, rules: Rules) -> None:
        board = rules.board
        man, king, capture, doors = rules.man, rules.king, rules.capture, rules.trapdoors
        self.board = board
        self.crownhead = tuple(board.nearest_rows(rules.promotion.rows, side) for side in ("black", "white"))
        self.man_slides = tuple(_shifts(board, man.move_directions, side) for side in SIDES)
        self.man_leaps = tuple(_shifts(board, man.capture_first, side) for side in SIDES)
        self.man_rays = tuple(_rays(board, man.move_directions, side) for side in SIDES)
        self.man_jumps = tuple(_jumps(board, man.capture_later, side) for side in SIDES)
        self.king_rays = tuple(_rays(board, king.move_directions, side) for side in SIDES)
        self.king_lines = tuple(_rays(board, king.capture_directions, side) for side in SIDES)
        self.man_reach = len(board) if man.move_reach == "any" else man.move_reach
        self.king_reach = len(board) if king.move_reach == "any" else king.move_reach
        self.slides_twice = king.move_slides == "twice"
        self.short_king = king.capture_reach == 1
        self.lands_behind = king.capture_landing == "behind"
        self.lands_to_go_on = king.capture_landing == "continuing"
        self.takes_kings = man.capture_takes == "any"
        self.optional = capture.duty == "optional"
        self.may_stop = capture.completion == "may-stop"
        self.at_once = capture.removal == "at-once"
        self.leaves_start = capture.origin == "empty"
        self.choice = capture.choice
        self.binds_piece = capture.binds == "piece"
        self.king_weight = capture.king_weight or 1
        self.mid_capture = rules.promotion.mid_capture
        self.crowned_on_return = rules.promotion.return_ != "not-crowned"
        self.falls_in_capture = doors is not None and doors.capture_landing == "ends"
        self.quiet_falls = doors is not None and doors.quiet_landing == "falls"
        self.doors_are_walls = doors is not None and doors.passing == "blocked"
        self.doors_are_pits = doors is not None and doors.passing == "falls"


@cache
def _shifts(board: Board, directions: tuple[str, ...], side: Side) -> tuple[list[int], list[int]]:
    """The shifts to the left and to the right that are a step in each direction."""
    shifts = [board.shift(direction, side) for direction in directions]
    return [shift for shift in shifts if shift > 0], [-shift for shift in shifts if shift < 0]


@cache
def _rays(board: Board, directions: tuple[str, ...], side: Side) -> Rays:
    return {bit: [ray for d in directions if (ray := board.ray(bit, d, side))] for bit in board.bits}


@cache
def _jumps(board: Board, directions: tuple[str, ...], side: Side) -> Jumps:
    rays = _rays(board, directions, side)
    return {bit: [(ray[0], ray[1]) for ray in rays[bit] if len(ray) > 1] for bit in board.bits}
