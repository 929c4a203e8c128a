"""Lookup tables of the move generator: rule values turned once into shifts, rays, jumps and flags."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from .board import SIDES as SIDES
from .board import Board, Side
from .rules import Rules

#: Bitboards from the side to move's view: own men, own kings, enemy men, enemy kings.
Pieces = tuple[int, int, int, int]
#: For each square its rays: the squares to the edge in each direction, nearest first.
Rays = dict[int, list[tuple[int, ...]]]
#: For each square the jumps over a neighbour: the square jumped, the square landed on.
Jumps = dict[int, list[tuple[int, int]]]


class PackedMove(NamedTuple):
    """A move as bitboards, quiet if nothing is captured; `path` has every square the piece touches."""

    start: int
    end: int
    captured: int
    crowned: bool
    path: tuple[int, ...]


class Tables:
    """The lookup tables for one set of rules.

    A field is named after its rule, with `_` for punctuation, and then what it holds: `man_move_shifts` and
    `man_move_rays` come from `man.move.directions`; a flag ends in the value that sets it. Tables that depend on
    directions or rows are indexed by side. Rules with the same directions on the same board share their tables.
    """

    def __init__(self, rules: Rules) -> None:
        board = rules.board
        man, king, capture, doors = rules.man, rules.king, rules.capture, rules.trapdoors
        self.board = board
        self.man_move_shifts = tuple(_shifts(board, man.move_directions, side) for side in SIDES)
        self.man_move_rays = tuple(_rays(board, man.move_directions, side) for side in SIDES)
        self.man_move_reach = len(board) if man.move_reach == "any" else man.move_reach
        self.man_capture_first = tuple(_shifts(board, man.capture_first, side) for side in SIDES)
        self.man_capture_later = tuple(_jumps(board, man.capture_later, side) for side in SIDES)
        self.man_capture_takes_any = man.capture_takes == "any"
        self.king_move_rays = tuple(_rays(board, king.move_directions, side) for side in SIDES)
        self.king_move_reach = len(board) if king.move_reach == "any" else king.move_reach
        self.king_move_slides_twice = king.move_slides == "twice"
        self.king_capture_rays = tuple(_rays(board, king.capture_directions, side) for side in SIDES)
        self.king_capture_reach_1 = king.capture_reach == 1
        self.king_capture_landing_squares = landing_squares(rules)
        self.king_capture_finish_behind_last_king = king.capture_finish == "behind-last-king"
        self.king_capture_finish_continuing = king.capture_finish == "continuing"
        self.king_capture_turning_not_back = king.capture_turning == "not-back"
        self.capture_duty_optional = capture.duty == "optional"
        self.capture_duty_for_men = capture.duty == "compulsory-for-men"
        self.capture_completion_may_stop = capture.completion == "may-stop"
        self.capture_choice = capture.choice
        self.capture_binds_piece = capture.binds == "piece"
        # In hundredths of a man, so that sums are exact.
        self.capture_king_weight = round(100 * (capture.king_weight or 1))
        self.capture_removal_at_once = capture.removal == "at-once"
        self.capture_origin_empty = capture.origin == "empty"
        self.promotion_rows = tuple(board.nearest_rows(rules.promotion.rows, side) for side in ("black", "white"))
        self.promotion_mid_capture = rules.promotion.mid_capture
        self.promotion_return_crowned = rules.promotion.return_ != "not-crowned"
        self.trapdoors_quiet_landing_falls = doors is not None and doors.quiet_landing == "falls"
        self.trapdoors_capture_landing_ends = doors is not None and doors.capture_landing == "ends"
        self.trapdoors_passing_blocked = doors is not None and doors.passing == "blocked"
        self.trapdoors_passing_falls = doors is not None and doors.passing == "falls"


def landing_squares(rules: Rules) -> int:
    """Return on how many squares behind the captured piece a king may land (`king.capture.landing`)."""
    return {"behind": 1, "within-two": 2, "any": len(rules.board)}[rules.king.capture_landing]


@cache
def _shifts(board: Board, directions: tuple[str, ...], side: Side) -> tuple[list[int], list[int]]:
    """Return the shifts to the left and those to the right for one step in each direction."""
    shifts = [board.shift(direction, side) for direction in directions]
    return [shift for shift in shifts if shift > 0], [-shift for shift in shifts if shift < 0]


@cache
def _rays(board: Board, directions: tuple[str, ...], side: Side) -> Rays:
    return {bit: [ray for d in directions if (ray := board.ray(bit, d, side))] for bit in board.bits}


@cache
def _jumps(board: Board, directions: tuple[str, ...], side: Side) -> Jumps:
    rays = _rays(board, directions, side)
    return {bit: [(ray[0], ray[1]) for ray in rays[bit] if len(ray) > 1] for bit in board.bits}
