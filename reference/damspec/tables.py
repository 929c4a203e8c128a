"""Lookup tables of the move generator: rule values turned once into shifts, rays, jumps and flags."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from .board import DIRECTIONS, SIDES, Board, Side, opponent
from .move import PackedMove
from .rules import Rules, meaning_of, steps_of

#: For each square its rays: the squares to the edge in each direction, nearest first.
Rays = dict[int, list[tuple[int, ...]]]
#: For each square the jumps over a piece at a distance: the square jumped, the square landed on.
Jumps = dict[int, list[tuple[int, int]]]
#: Shifts for one step, each with the packed move of every jump that way by the square where it ends.
FirstJumps = list[tuple[int, dict[int, PackedMove]]]


class Line(NamedTuple):
    """A line from a square on which a king captures, to the edge.

    `reached` are the squares where the first piece it captures can stand and `barred` those from which it may not have
    come by a jump before, as bitboards; `ascends` says whether the bits do. `lands` has for each piece the squares
    behind it on which the king may land, nearest first. `kings_only` says whether it captures only kings there.
    """

    barred: int
    reached: int
    ascends: bool
    lands: dict[int, tuple[int, ...]]
    kings_only: bool


#: The values that are implemented of rules with more than two.
_FINISH = (None, "continuing", "behind-last-king", "behind-last")
_DUTY = ("compulsory", "compulsory-for-men", "huffing", "optional")
_COMPLETION = ("whole", "may-stop", "one")
_MID_CAPTURE = ("stops", "as-man", "as-king", "as-man-else-king")
_PASSING = ("over", "blocked", "falls")
_CRITERIA = ("most-pieces", "multiple-before-single", "multiple-when-mixed", "with-king", "most-kings", "king-first")


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
        self.man_move_reach = steps_of("man.move.reach", man.move_reach, board)
        self.man_move_over_own = tuple(_jumps(board, man.move_over_own or (), side) for side in SIDES)
        self.man_capture_first = tuple(_first_jumps(board, man.capture_first, side) for side in SIDES)
        gap = meaning_of("man.capture.gap", man.capture_gap, {None: 0, 1: 1})
        self.man_capture_later = tuple(_jumps(board, man.capture_later, side, gap) for side in SIDES)
        self.man_capture_gap_first = tuple(_jumps(board, man.capture_first, side, gap) for side in SIDES) if gap else ()
        self.man_capture_gap = _gaps(board, gap)
        self.man_capture_takes_any = meaning_of("man.capture.takes", man.capture_takes, {"any": True, "men": False})
        self.king_move_rays = tuple(_rays(board, king.move_directions, side) for side in SIDES)
        self.king_move_reach = steps_of("king.move.reach", king.move_reach, board)
        self.king_move_slides_twice = meaning_of("king.move.slides", king.move_slides, {"twice": True, "once": False})
        later = king.capture_later or king.capture_directions
        self.king_capture_first_rays = tuple(_rays(board, king.capture_directions, side) for side in SIDES)
        self.king_capture_later_rays = tuple(_rays(board, later, side) for side in SIDES)
        self.king_capture_reach_1 = meaning_of("king.capture.reach", king.capture_reach, {1: True, "any": False})
        self.king_capture_landing_squares = landing_squares(rules)
        self.king_capture_first, self.king_capture_later = (
            tuple(
                _lines(
                    board,
                    directions,
                    king.capture_kings_only or (),
                    side,
                    self.king_capture_reach_1,
                    self.king_capture_landing_squares,
                    king.capture_turning,
                )
                for side in SIDES
            )
            for directions in (king.capture_directions, later)
        )
        finish = meaning_of("king.capture.finish", king.capture_finish, {each: each for each in _FINISH})
        self.king_capture_finish_behind_last_king = finish == "behind-last-king"
        self.king_capture_finish_behind_last = finish == "behind-last"
        self.king_capture_finish_continuing = finish == "continuing"
        self.king_capture_turns = king.capture_turning is None
        self.king_capture_pieces_any = meaning_of(
            "king.capture.pieces", king.capture_pieces, {None: False, "any": True}
        )
        duty = meaning_of("capture.duty", capture.duty, {each: each for each in _DUTY})
        self.capture_duty_optional = duty == "optional"
        self.capture_duty_for_men = duty == "compulsory-for-men"
        completion = meaning_of("capture.completion", capture.completion, {each: each for each in _COMPLETION})
        self.capture_completion_may_stop = completion == "may-stop"
        self.capture_completion_one = completion == "one"
        self.capture_choice = tuple(
            meaning_of("capture.choice", each, {name: name for name in _CRITERIA}) for each in capture.choice
        )
        self.capture_binds_piece = meaning_of(
            "capture.binds", capture.binds, {None: False, "path": False, "piece": True}
        )
        # In hundredths of a man, so that sums are exact.
        self.capture_king_weight = round(100 * (capture.king_weight or 1))
        self.capture_removal_at_once = meaning_of(
            "capture.removal", capture.removal, {"at-once": True, "at-end": False}
        )
        self.capture_origin_empty = meaning_of("capture.origin", capture.origin, {"empty": True, "occupied": False})
        self.promotion_rows = tuple(board.nearest_rows(rules.promotion.rows, side) for side in ("black", "white"))
        self.promotion_mid_capture = meaning_of(
            "promotion.mid-capture", rules.promotion.mid_capture, {each: each for each in _MID_CAPTURE}
        )
        self.promotion_return_crowned = meaning_of(
            "promotion.return", rules.promotion.return_, {None: True, "crowned": True, "not-crowned": False}
        )
        self.trapdoors_quiet_landing_falls = doors is not None and meaning_of(
            "trapdoors.quiet-landing", doors.quiet_landing, {"falls": True, "forbidden": False}
        )
        self.trapdoors_capture_landing_ends = doors is not None and meaning_of(
            "trapdoors.capture-landing", doors.capture_landing, {"ends": True, "only-last": False}
        )
        passing = doors and meaning_of("trapdoors.passing", doors.passing, {each: each for each in _PASSING})
        self.trapdoors_passing_blocked = passing == "blocked"
        self.trapdoors_passing_falls = passing == "falls"


def landing_squares(rules: Rules) -> int:
    """Return on how many squares behind the captured piece a king may land (`king.capture.landing`)."""
    return meaning_of(
        "king.capture.landing", rules.king.capture_landing, {"behind": 1, "within-two": 2, "any": len(rules.board)}
    )


@cache
def _shifts(board: Board, directions: tuple[str, ...], side: Side) -> tuple[list[int], list[int]]:
    """Return the shifts to the left and those to the right for one step in each direction."""
    shifts = [board.shift(direction, side) for direction in directions]
    return [shift for shift in shifts if shift > 0], [-shift for shift in shifts if shift < 0]


@cache
def _rays(board: Board, directions: tuple[str, ...], side: Side) -> Rays:
    return {bit: [ray for d in directions if (ray := board.ray(bit, d, side))] for bit in board.bits}


@cache
def _jumps(board: Board, directions: tuple[str, ...], side: Side, gap: int = 0) -> Jumps:
    rays = _rays(board, directions, side)
    return {bit: [(ray[gap], ray[gap + 1]) for ray in rays[bit] if len(ray) > gap + 1] for bit in board.bits}


@cache
def _gaps(board: Board, gap: int) -> dict[int, int]:
    """Return the squares between a man and a piece that it can capture, by the sum of both; none without a gap."""
    every = _rays(board, tuple(DIRECTIONS), "white") if gap else {}
    return {bit | ray[gap]: sum(ray[:gap]) for bit, rays in every.items() for ray in rays if len(ray) > gap}


@cache
def _first_jumps(board: Board, directions: tuple[str, ...], side: Side) -> tuple[FirstJumps, FirstJumps]:
    """Return the first jumps of men whose shifts are to the left, and those to the right."""
    left: FirstJumps = []
    right: FirstJumps = []
    for direction in directions:
        rays = [(bit, ray) for bit in board.bits if len(ray := board.ray(bit, direction, side)) > 1]
        jumps = {ray[1]: PackedMove(bit, ray[1], ray[0], False, (bit, ray[1])) for bit, ray in rays}
        shift = board.shift(direction, side)
        (left if shift > 0 else right).append((abs(shift), jumps))
    return left, right


@cache
def _lines(
    board: Board,
    directions: tuple[str, ...],
    kings_only: tuple[str, ...],
    side: Side,
    adjacent: bool,
    landing: int,
    turning: str | None,
) -> dict[int, list[Line]]:
    """Return for each square its lines on which there is room for a jump.

    `king.capture.turning` says which lines a king may follow after the one on which it came.
    """

    def barred(bit: int, direction: str, ray: tuple[int, ...]) -> int:
        # A direction as the other side sees it is the way back.
        came_straight = sum(board.ray(bit, direction, opponent(side)))
        return meaning_of(
            "king.capture.turning",
            turning,
            {None: 0, "not-back": sum(ray), "straight": board.all & ~came_straight},
        )

    return {
        bit: [
            Line(
                barred(bit, direction, ray),
                sum(ray[:1] if adjacent else ray),
                ray[0] > bit,
                {over: ray[place : place + landing] for place, over in enumerate(ray, 1)},
                direction in kings_only,
            )
            for direction in directions
            if len(ray := board.ray(bit, direction, side)) > 1
        ]
        for bit in board.bits
    }
