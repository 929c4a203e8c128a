"""The rules of movement: which moves a side has, and the pieces after each.

A `Generator` is built once for each set of rules: it turns the rule values into tables (shifts of whole
bitboards for men, lines of squares for kings) and then works on four integers, own men and kings and the
enemy's. Sides are 0 (White) and 1 (Black) here, because they index tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

from .board import Board, Side, each
from .errors import NotInterpreted
from .rules import Rules

#: Own men, own kings, enemy men, enemy kings, as the side to move sees them.
Pieces = tuple[int, int, int, int]
#: Two squares of a jump by a man: the one it passes over, the one it lands on.
Jump = tuple[int, int]

SIDES: tuple[Side, Side] = ("white", "black")


class Step(NamedTuple):
    """A move in bits: a quiet one if nothing is captured. `path` has every square it touches."""

    start: int
    end: int
    captured: int
    crowned: bool
    path: tuple[int, ...]


class Generator:
    """Moves by one set of rules."""

    def __init__(self, rules: Rules) -> None:
        _refuse_what_is_not_played(rules)
        board = rules.board
        self.rules = rules
        self.board = board
        man, king, capture = rules.man, rules.king, rules.capture
        self.crownhead = tuple(board.nearest_rows(rules.promotion.rows, side) for side in ("black", "white"))
        self.man_slides = tuple(_shifts(board, man.move_directions, side) for side in SIDES)
        self.man_leaps = tuple(_shifts(board, man.capture_first, side) for side in SIDES)
        self.man_rays = tuple(_rays(board, man.move_directions, side) for side in SIDES)
        self.man_jumps = tuple(_jumps(board, man.capture_later, side) for side in SIDES)
        self.king_rays = tuple(_rays(board, king.move_directions, side) for side in SIDES)
        self.king_lines = tuple(_rays(board, king.capture_directions, side) for side in SIDES)
        self.man_reach = len(board) if man.move_reach == "any" else man.move_reach
        self.king_reach = len(board) if king.move_reach == "any" else king.move_reach
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

    # --- what a side can do -------------------------------------------------------------------

    def steps(self, pieces: Pieces, side: int) -> list[Step]:
        """Every legal move, none twice, with one path each."""
        captures = self.captures(pieces, side)
        steps = _distinct(captures)
        if not captures or self.optional:
            steps = steps + self.quiet(pieces, side)
        return steps

    def count(self, pieces: Pieces, side: int) -> int:
        """The number of legal moves, without making them."""
        captures = self.captures(pieces, side)
        if not captures:
            return self._count_quiet(pieces, side)
        return len(_distinct(captures)) + (self._count_quiet(pieces, side) if self.optional else 0)

    def after(self, pieces: Pieces, step: Step) -> Pieces:
        """The pieces after a move, as the other side sees them."""
        men, kings, enemy_men, enemy_kings = pieces
        start, end, captured, crowned, _ = step
        if kings & start:
            kings = kings ^ start | end
        elif crowned:
            men ^= start
            kings |= end
        else:
            men = men ^ start | end
        return enemy_men & ~captured, enemy_kings & ~captured, men, kings

    def perft(self, pieces: Pieces, side: int, depth: int) -> int:
        """The number of move sequences of a length, the last ply counted without making it."""
        if depth == 1:
            return self.count(pieces, side)
        if depth == 0:
            return 1
        perft, other, rest = self.perft, 1 - side, depth - 1
        return sum([perft(successor, other, rest) for successor in self.successors(pieces, side)])

    def successors(self, pieces: Pieces, side: int) -> list[Pieces]:
        """The pieces after each legal move, as the other side sees them."""
        captures = self.captures(pieces, side)
        found = [self.after(pieces, step) for step in _distinct(captures)]
        if captures and not self.optional:
            return found
        men, kings, enemy_men, enemy_kings = pieces
        crownhead = self.crownhead[side]
        for start, end in self._slides(pieces, side):
            if start & kings:
                found.append((enemy_men, enemy_kings, men, kings ^ start ^ end))
            elif end & crownhead:
                found.append((enemy_men, enemy_kings, men ^ start, kings ^ end))
            else:
                found.append((enemy_men, enemy_kings, men ^ start ^ end, kings))
        return found

    # --- quiet moves --------------------------------------------------------------------------

    def quiet(self, pieces: Pieces, side: int) -> list[Step]:
        """Every move without capture, whether or not there is a duty to capture."""
        men, crownhead = pieces[0], self.crownhead[side]
        return [
            Step(start, end, 0, start & men != 0 and end & crownhead != 0, (start, end))
            for start, end in self._slides(pieces, side)
        ]

    def _slides(self, pieces: Pieces, side: int) -> list[tuple[int, int]]:
        """Start and end of every move without capture."""
        men, kings, enemy_men, enemy_kings = pieces
        empty = self.board.all & ~(men | kings | enemy_men | enemy_kings)
        slides: list[tuple[int, int]] = []
        if self.man_reach == 1:
            left, right = self.man_slides[side]
            for shift in right:
                ends = men >> shift & empty
                while ends:
                    end = ends & -ends
                    ends ^= end
                    slides.append((end << shift, end))
            for shift in left:
                ends = men << shift & empty
                while ends:
                    end = ends & -ends
                    ends ^= end
                    slides.append((end >> shift, end))
        else:
            slides += _along(men, self.man_rays[side], self.man_reach, empty)
        if kings:
            slides += _along(kings, self.king_rays[side], self.king_reach, empty)
        return slides

    def _count_quiet(self, pieces: Pieces, side: int) -> int:
        if self.man_reach > 1:
            return len(self._slides(pieces, side))
        men, kings, enemy_men, enemy_kings = pieces
        empty = self.board.all & ~(men | kings | enemy_men | enemy_kings)
        left, right = self.man_slides[side]
        number = 0
        for shift in right:
            number += (men >> shift & empty).bit_count()
        for shift in left:
            number += (men << shift & empty).bit_count()
        if kings:
            number += sum(1 for _ in _along(kings, self.king_rays[side], self.king_reach, empty))
        return number

    # --- captures -----------------------------------------------------------------------------

    def captures(self, pieces: Pieces, side: int) -> list[Step]:
        """Every legal capture by every path, so that the same move can be there several times."""
        men, kings, enemy_men, enemy_kings = pieces
        enemies = enemy_men | enemy_kings
        empty = self.board.all & ~(men | kings | enemies)
        found: list[Step] = []
        if men:
            targets = enemies if self.takes_kings else enemy_men
            left, right = self.man_leaps[side]
            for shift in right:
                ends = (men >> shift & targets) >> shift & empty
                while ends:
                    end = ends & -ends
                    ends ^= end
                    over = end << shift
                    self._man_from(found, side, over << shift, end, over, targets, enemies, empty)
            for shift in left:
                ends = (men << shift & targets) << shift & empty
                while ends:
                    end = ends & -ends
                    ends ^= end
                    over = end >> shift
                    self._man_from(found, side, over >> shift, end, over, targets, enemies, empty)
        if kings:
            for start in each(kings):
                free = empty | start if self.leaves_start else empty
                self._king_on(found, side, start, start, 0, enemies, free, False, (start,))
        if len(found) > 1 and self.choice:
            found = self._chosen(found, pieces)
        return found

    def _man_from(
        self,
        found: list[Step],
        side: int,
        start: int,
        end: int,
        over: int,
        targets: int,
        enemies: int,
        empty: int,
    ) -> None:
        """The captures that begin with a man's jump."""
        if self.leaves_start:
            empty |= start
        if self.at_once:
            empty |= over
        self._man_on(found, side, start, end, over, targets & ~over, enemies & ~over, empty, (start, end))

    def _man_on(
        self,
        found: list[Step],
        side: int,
        start: int,
        square: int,
        captured: int,
        targets: int,
        enemies: int,
        empty: int,
        path: tuple[int, ...],
    ) -> None:
        """The captures of a man that has just landed on a square: it goes on, is crowned, or stops."""
        on_crownhead = square & self.crownhead[side]
        if on_crownhead:
            if self.mid_capture == "stops":
                found.append(Step(start, square, captured, True, path))
                return
            if self.mid_capture == "as-king":
                self._king_on(found, side, start, square, captured, enemies, empty, True, path)
                return
        goes_on = False
        for over, land in self.man_jumps[side][square]:
            if over & targets and land & empty:
                goes_on = True
                free = empty | over if self.at_once else empty
                self._man_on(
                    found,
                    side,
                    start,
                    land,
                    captured | over,
                    targets & ~over,
                    enemies & ~over,
                    free,
                    (*path, land),
                )
        if goes_on and not self.may_stop:
            return
        crowned = bool(on_crownhead) and (self.crowned_on_return or not self._has_passed(side, path))
        if crowned and self.mid_capture == "as-man-else-king" and not goes_on:
            self._king_on(found, side, start, square, captured, enemies, empty, True, path)
            return
        found.append(Step(start, square, captured, crowned, path))

    def _has_passed(self, side: int, path: tuple[int, ...]) -> bool:
        """Whether a man reached the crownhead by a jump and left it by a later one."""
        crownhead = self.crownhead[side]
        return any(reached & crownhead and not left & crownhead for reached, left in pairwise(path[1:]))

    def _king_on(
        self,
        found: list[Step],
        side: int,
        start: int,
        square: int,
        captured: int,
        enemies: int,
        empty: int,
        crowned: bool,
        path: tuple[int, ...],
    ) -> None:
        """The captures of a king on a square, after those it has made; none if it has made none and can make none."""
        goes_on = False
        for over, lands in self._king_jumps(side, square, enemies, empty):
            goes_on = True
            free = empty | over if self.at_once else empty
            rest = enemies & ~over
            if self.lands_to_go_on and len(lands) > 1:
                lands = [land for land in lands if self._king_jumps(side, land, rest, free)] or lands
            for land in lands:
                self._king_on(found, side, start, land, captured | over, rest, free, crowned, (*path, land))
        if captured and (not goes_on or self.may_stop):
            found.append(Step(start, square, captured, crowned, path))

    def _king_jumps(self, side: int, square: int, enemies: int, empty: int) -> list[tuple[int, list[int]]]:
        """The jumps of a king from a square: each piece it can pass over, with the squares to land on."""
        jumps = []
        for line in self.king_lines[side][square]:
            for distance, over in enumerate(line):
                if over & enemies:
                    lands = []
                    for land in line[distance + 1 :]:
                        if not land & empty:
                            break
                        lands.append(land)
                        if self.lands_behind:
                            break
                    if lands:
                        jumps.append((over, lands))
                    break
                if self.short_king or not over & empty:
                    break
        return jumps

    # --- the choice among captures ------------------------------------------------------------

    def _chosen(self, found: list[Step], pieces: Pieces) -> list[Step]:
        """The captures that the criteria leave, one after another."""
        best = found
        for criterion in self.choice:
            best = self._best(best, criterion, pieces)
        if self.binds_piece:
            starts = {step.start for step in best}
            return [step for step in found if step.start in starts]
        return best

    def _best(self, found: list[Step], criterion: str, pieces: Pieces) -> list[Step]:
        _, kings, _, enemy_kings = pieces
        value: Callable[[Step], object]
        match criterion:
            case "most-pieces":
                most = max([step[2].bit_count() for step in found])
                return [step for step in found if step[2].bit_count() == most]
            case "weighted-count":
                extra = self.king_weight - 1

                def value(step: Step) -> object:
                    return step.captured.bit_count() + extra * (step.captured & enemy_kings).bit_count()
            case "multiple-before-single":

                def value(step: Step) -> object:
                    return step.captured & (step.captured - 1) != 0
            case "multiple-when-mixed":
                if len({step.start & kings != 0 for step in found}) == 1:
                    return found
                return self._best(found, "multiple-before-single", pieces)
            case "with-king":

                def value(step: Step) -> object:
                    return step.start & kings != 0
            case "most-kings":

                def value(step: Step) -> object:
                    return (step.captured & enemy_kings).bit_count()
            case _:  # king-first

                def value(step: Step) -> object:
                    return [-place for place, over in enumerate(self._order(step)) if over & enemy_kings]

        values = [value(step) for step in found]
        top = max(values)  # type: ignore[type-var]
        return [step for step, worth in zip(found, values, strict=True) if worth == top]

    def _order(self, step: Step) -> list[int]:
        """The captured pieces in the order of the jumps."""
        left, order = step.captured, []
        numbers = [self.board.number(bit) for bit in step.path]
        for start, end in pairwise(numbers):
            over = next(bit for bit in self.board.between(start, end) or () if bit & left)
            left ^= over
            order.append(over)
        return order


def _distinct(captures: list[Step]) -> list[Step]:
    """One capture of each that differ only in their paths."""
    return captures if len(captures) < 2 else list({step[:4]: step for step in captures}.values())


def _refuse_what_is_not_played(rules: Rules) -> None:
    for present, what in (
        (rules.trapdoors is not None, "trapdoors and the spinner"),
        (rules.huff is not None, "huffing"),
        (rules.king.move_slides == "twice", "king.move.slides 'twice'"),
    ):
        if present:
            raise NotInterpreted(f"this version of the reference does not play {what} yet")


def _shifts(board: Board, directions: Iterable[str], side: Side) -> tuple[list[int], list[int]]:
    """The shifts to the left and to the right that are a step in each direction."""
    shifts = [board.shift(direction, side) for direction in directions]
    return [shift for shift in shifts if shift > 0], [-shift for shift in shifts if shift < 0]


def _rays(board: Board, directions: tuple[str, ...], side: Side) -> dict[int, list[tuple[int, ...]]]:
    """For each square its lines to the edge in the directions, nearest square first."""
    return {bit: [ray for d in directions if (ray := board.ray(bit, d, side))] for bit in board.bits}


def _jumps(board: Board, directions: tuple[str, ...], side: Side) -> dict[int, list[Jump]]:
    """For each square the jumps over a neighbour in the directions."""
    return {bit: [ray[:2] for ray in rays if len(ray) > 1] for bit, rays in _rays(board, directions, side).items()}  # type: ignore[misc]


def _along(pieces: int, rays: dict[int, list[tuple[int, ...]]], reach: int, empty: int) -> Iterable[tuple[int, int]]:
    """Start and end of each slide over empty squares, of at most `reach` steps."""
    for start in each(pieces):
        for ray in rays[start]:
            for end in ray[:reach]:
                if not end & empty:
                    break
                yield start, end
