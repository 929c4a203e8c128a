"""The rules of movement: which moves a side has, and the pieces after each.

A `Generator` works on four integers, own men and kings and the enemy's, and finds moves by shifting whole bitboards and
looking lines of squares up in tables. Of a turn it knows the moves of pieces only: spinning, sliding and huffing are in
`turn`.
"""

from __future__ import annotations

from collections.abc import Iterator

from .board import each
from .captures import Search
from .choice import chosen
from .rules import Rules
from .tables import Pieces, Rays, Step, Tables

#: How many numbers a perft remembers.
MOST_SEEN = 1 << 20


class Generator:
    """Moves of pieces by one set of rules. `doors` are the open trapdoors, as a bitboard.

    Without `every_path` a king's paths that come to the same are followed once.
    """

    def __init__(self, rules: Rules, *, every_path: bool = True) -> None:
        self.tables = Tables(rules)
        self.board = rules.board
        # king-first asks for the order in which pieces are jumped, in which paths that come to the same differ
        self._every_path = every_path or "king-first" in self.tables.capture_choice

    # --- what a side can do -------------------------------------------------------------------

    def steps(self, pieces: Pieces, side: int, doors: int = 0) -> list[Step]:
        """Every legal move by every path, so that the same capture can be there several times.

        `capture.duty`: whether a capture that is possible rules out the quiet moves. Huffing, where it rules them out
        but they can be played as lapses, is in `huffing`.
        """
        captures = self.captures(pieces, side, doors)
        return captures if self.binding(captures, pieces) else captures + self.quiet(pieces, side, doors)

    def binding(self, captures: list[Step], pieces: Pieces) -> bool:
        """Whether captures that are possible rule out the quiet moves, by `capture.duty`."""
        if not captures or self.tables.capture_duty_optional:
            return False
        return not self.tables.capture_duty_for_men or any(step.captured & pieces[2] for step in captures)

    def count(self, pieces: Pieces, side: int) -> int:
        """The number of legal moves, without making them."""
        captures = self.captures(pieces, side)
        if not captures:
            return self._count_quiet(pieces, side)
        return len(_distinct(captures)) + (0 if self.binding(captures, pieces) else self._count_quiet(pieces, side))

    def after(self, pieces: Pieces, step: Step, doors: int = 0) -> Pieces:
        """The pieces after a move, as the other side sees them; a piece that ends on an open door is gone."""
        men, kings, enemy_men, enemy_kings = pieces
        start, end, captured, crowned, _ = step
        stays = 0 if end & doors else end
        if kings & start:
            kings = kings ^ start | stays
        elif crowned:
            men ^= start
            kings |= stays
        else:
            men = men ^ start | stays
        return enemy_men & ~captured, enemy_kings & ~captured, men, kings

    def perft(self, pieces: Pieces, side: int, depth: int, seen: dict[tuple[Pieces, int], int] | None = None) -> int:
        """The number of move sequences of a length, the last ply counted without making it.

        Other orders of moves lead to the same pieces: `seen` has the numbers found before, by the length that is left.
        """
        if depth == 1:
            return self.count(pieces, side)
        if depth == 0:
            return 1
        seen = {} if seen is None else seen
        here = pieces, depth
        if here in seen:
            return seen[here]
        perft, other, rest = self.perft, 1 - side, depth - 1
        number = sum([perft(successor, other, rest, seen) for successor in self._successors(pieces, side)])
        if len(seen) < MOST_SEEN:
            seen[here] = number
        return number

    def _successors(self, pieces: Pieces, side: int) -> list[Pieces]:
        """The pieces after each legal move, as the other side sees them."""
        captures = self.captures(pieces, side)
        found = [self.after(pieces, step) for step in _distinct(captures)]
        if self.binding(captures, pieces):
            return found
        if self.tables.king_move_slides_twice:
            return found + [self.after(pieces, step) for step in _distinct(self.quiet(pieces, side))]
        men, kings, enemy_men, enemy_kings = pieces
        crownhead = self.tables.promotion_rows[side]
        for start, end in self.slides(pieces, side):
            if start & kings:
                found.append((enemy_men, enemy_kings, men, kings ^ start ^ end))
            elif end & crownhead:
                found.append((enemy_men, enemy_kings, men ^ start, kings ^ end))
            else:
                found.append((enemy_men, enemy_kings, men ^ start ^ end, kings))
        return found

    # --- quiet moves --------------------------------------------------------------------------

    def quiet(self, pieces: Pieces, side: int, doors: int = 0) -> list[Step]:
        """Every move that does not begin with a capture, whether or not there is a duty to capture.

        A man that ends on the crownhead is crowned (`promotion.rows`), unless it falls there. Two slides
        (`king.move.slides`) are open only where nothing can be captured, whatever the duty.
        """
        men, crownhead = pieces[0], self.tables.promotion_rows[side] & ~doors
        steps = [
            Step(start, end, 0, start & men != 0 and end & crownhead != 0, (start, end))
            for start, end in self.slides(pieces, side, doors)
        ]
        if self.tables.king_move_slides_twice and not self.captures(pieces, side, doors):
            steps += self._second_slides(pieces, side, steps)
        return steps

    def quiet_of(self, square: int, pieces: Pieces, side: int) -> list[Step]:
        """The moves of the piece on one square that do not begin with a capture, where all doors are shut."""
        if self.tables.king_move_slides_twice:
            return [step for step in self.quiet(pieces, side) if step.start == square]
        men, kings, enemy_men, enemy_kings = pieces  # all other pieces are only in the way, whosever they are
        return self.quiet(
            (men & square, kings & square, enemy_men | men ^ men & square, enemy_kings | kings ^ kings & square), side
        )

    def slides(self, pieces: Pieces, side: int, doors: int = 0) -> list[tuple[int, int]]:
        """Start and end of every slide of a piece over empty squares.

        `man.move.directions` and `man.move.reach`, `king.move.directions` and `king.move.reach` say where to;
        `trapdoors.passing` what an open door is to a king's line, `trapdoors.quiet-landing` whether one may end there.
        """
        tables = self.tables
        men, kings, enemy_men, enemy_kings = pieces
        empty = self.board.all & ~(men | kings | enemy_men | enemy_kings)
        slides: list[tuple[int, int]] = []
        if tables.man_move_reach == 1:
            left, right = tables.man_move_shifts[side]
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
            slides += _along(men, tables.man_move_rays[side], tables.man_move_reach, empty)
        if kings:
            floor = empty & ~doors if tables.trapdoors_passing_blocked else empty
            pits = doors if tables.trapdoors_passing_falls else 0
            slides += _along(kings, tables.king_move_rays[side], tables.king_move_reach, floor, pits)
        if doors and not tables.trapdoors_quiet_landing_falls:
            slides = [slide for slide in slides if not slide[1] & doors]
        return slides

    def _second_slides(self, pieces: Pieces, side: int, first: list[Step]) -> list[Step]:
        """The turns of kings that slide twice (`king.move.slides`), and go on capturing after it where they can."""
        _, kings, enemy_men, enemy_kings = pieces
        enemies = enemy_men | enemy_kings
        taken = pieces[0] | kings | enemies
        rays, reach = self.tables.king_move_rays[side], self.tables.king_move_reach
        found = []
        for start, middle, *_ in first:
            if not start & kings:
                continue
            empty = self.board.all & ~taken | start
            for _, end in _along(middle, rays, reach, empty):
                if end == start:
                    continue
                search = Search(self.tables, side, enemy_kings, 0, self._every_path)
                search.king_from(start, enemies, empty & ~end, (start, middle, end))
                goes_on = chosen(self.tables, search.found, pieces) if search.found else []
                found += goes_on or [Step(start, end, 0, False, (start, middle, end))]
        return found

    def _count_quiet(self, pieces: Pieces, side: int) -> int:
        tables = self.tables
        if tables.king_move_slides_twice:
            return len(_distinct(self.quiet(pieces, side)))
        if tables.man_move_reach > 1:
            return len(self.slides(pieces, side))
        men, kings, enemy_men, enemy_kings = pieces
        empty = self.board.all & ~(men | kings | enemy_men | enemy_kings)
        left, right = tables.man_move_shifts[side]
        number = 0
        for shift in right:
            number += (men >> shift & empty).bit_count()
        for shift in left:
            number += (men << shift & empty).bit_count()
        if kings:
            number += sum(1 for _ in _along(kings, tables.king_move_rays[side], tables.king_move_reach, empty))
        return number

    # --- captures -----------------------------------------------------------------------------

    def captures(self, pieces: Pieces, side: int, doors: int = 0) -> list[Step]:
        """Every legal capture by every path, so that the same move can be there several times.

        Men's first jumps are found here, for all men at once: `man.capture.first` says which ways, `man.capture.takes`
        over what. Everything after the first jump, and all that kings do, is in `captures`.
        """
        men, kings, enemy_men, enemy_kings = pieces
        enemies = enemy_men | enemy_kings
        empty = self.board.all & ~(men | kings | enemies)
        search: Search | None = None
        if men:
            targets = enemies if self.tables.man_capture_takes_any else enemy_men
            left, right = self.tables.man_capture_first[side]
            for shift in right:
                ends = (men >> shift & targets) >> shift & empty
                while ends:
                    end = ends & -ends
                    ends ^= end
                    over = end << shift
                    search = search or Search(self.tables, side, enemy_kings, doors, self._every_path)
                    search.man_from(over << shift, over, end, targets, enemies, empty)
            for shift in left:
                ends = (men << shift & targets) << shift & empty
                while ends:
                    end = ends & -ends
                    ends ^= end
                    over = end >> shift
                    search = search or Search(self.tables, side, enemy_kings, doors, self._every_path)
                    search.man_from(over >> shift, over, end, targets, enemies, empty)
        if kings:
            search = search or Search(self.tables, side, enemy_kings, doors, self._every_path)
            for start in each(kings):
                search.king_from(start, enemies, empty, (start,))
        if search is None:
            return []
        if len(search.found) > 1 and self.tables.capture_choice:
            return chosen(self.tables, search.found, pieces)
        return search.found


def _distinct(steps: list[Step]) -> list[Step]:
    """One step of each that differ only in their paths."""
    return steps if len(steps) < 2 else list({step[:4]: step for step in steps}.values())


def _along(pieces: int, rays: Rays, reach: int, empty: int, pits: int = 0) -> Iterator[tuple[int, int]]:
    """Start and end of each slide over empty squares, of at most `reach` steps; a pit is entered and not passed."""
    for start in each(pieces):
        for ray in rays[start]:
            for end in ray[:reach]:
                if not end & empty:
                    break
                yield start, end
                if end & pits:
                    break
