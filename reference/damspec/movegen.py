"""The reference move generator: quiet moves, captures jump by jump, and capture precedence.

A `MoveGenerator` works on four integers, own men and kings and the enemy's, and finds moves by shifting whole bitboards
and looking up rays in tables. Of a turn it knows only the moves of pieces: spinning, pushing sliders and huffing are in
`turn`. Names in comments and docstrings such as `capture.removal` are those of the rules (spec/rules.yaml).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from .board import Board, each
from .errors import RulesetError
from .move import PackedMove
from .position import Pieces
from .rules import Rules
from .tables import Line, Rays, Tables


class CaptureSearch:
    """A search for the captures of one side, collected in `found`.

    `doors` are the open trapdoors: empty squares that a piece falls through. In the methods, `square` is where the
    piece stands now, `captured` the pieces it has jumped, `enemies` those it has not, `targets` the enemies it may
    jump, `empty` the squares it may land on, `path` every square it has touched; `enemy_kings` are the enemy's kings at
    the start of the turn. Without `every_path`, a king that reaches a square having jumped the same pieces by another
    path is not followed again. `found` may have captures already.
    """

    def __init__(
        self,
        tables: Tables,
        side: int,
        enemy_kings: int,
        doors: int,
        every_path: bool = True,
        found: list[PackedMove] | None = None,
    ) -> None:
        self.tables = tables
        self.side = side
        self.promotion_row = tables.promotion_rows[side]
        self.doors = doors
        self.enemy_kings = enemy_kings
        # king.capture.finish: a king's capture that ends with a jump over one of these pieces ends directly behind it.
        self.halting = enemy_kings if tables.king_capture_finish_behind_last_king else 0
        if tables.king_capture_finish_behind_last:
            self.halting = tables.board.all
        # trapdoors.capture-landing: whether a piece falls wherever a jump lands, or only where its capture ends.
        self.pits = doors if tables.trapdoors_capture_landing_ends else 0
        self.found: list[PackedMove] = [] if found is None else found
        self._visited: set[tuple[int, int, int, bool, bool, int]] | None = None if every_path else set()

    def man_from(self, start: int, over: int, end: int, targets: int, enemies: int, empty: int) -> None:
        """Find the captures that begin with a given jump of a man.

        `capture.origin` says whether the square it left is empty, to pass over or to land on; `capture.removal` whether
        the square of a jumped piece is empty at once.
        """
        if self.tables.capture_origin_empty:
            empty |= start
        if self.tables.capture_removal_at_once:
            empty |= over
        self._continue_man(start, end, over, targets & ~over, enemies & ~over, empty, (start, end))

    def king_from(self, start: int, enemies: int, empty: int, path: tuple[int, ...]) -> None:
        """Find the captures of a king; `path` begins with its start, then the squares of a slide before the capture.

        `capture.origin` says whether the square where the capture begins is empty, to pass over or to land on.
        """
        if self.tables.capture_origin_empty:
            empty |= path[-1]
        self._continue_king(start, path[-1], 0, enemies, empty, False, path)

    def _continue_man(
        self, start: int, square: int, captured: int, targets: int, enemies: int, empty: int, path: tuple[int, ...]
    ) -> None:
        """Follow a man that has just landed: it falls, is crowned, jumps on, or stops.

        `promotion.mid-capture` says what happens to a man that reaches the promotion row, `man.capture.later` in which
        directions it can jump on, `man.capture.gap` over which pieces, and `capture.completion` whether it must, or may
        not.
        """
        tables = self.tables
        if square & self.pits:
            self.found.append(PackedMove(start, square, captured, False, path))
            return
        on_promotion_row = square & self.promotion_row
        if tables.capture_completion_one:
            self._add(start, square, captured, bool(on_promotion_row), path)
            return
        if on_promotion_row:
            if tables.promotion_mid_capture == "stops":
                self._add(start, square, captured, True, path)
                return
            if tables.promotion_mid_capture == "as-king":
                self._continue_king(start, square, captured, enemies, empty, True, path)
                return
        goes_on = False
        gaps = tables.man_capture_gap
        for over, land in tables.man_capture_later[self.side][square]:
            if over & targets and land & empty and not (gaps and gaps[square | over] & ~empty):
                goes_on = True
                free = empty | over if tables.capture_removal_at_once else empty
                self._continue_man(start, land, captured | over, targets & ~over, enemies & ~over, free, (*path, land))
        if goes_on and not tables.capture_completion_may_stop:
            return
        crowned = bool(on_promotion_row) and (tables.promotion_return_crowned or not self._has_passed(path))
        if crowned and tables.promotion_mid_capture == "as-man-else-king" and not goes_on:
            self._continue_king(start, square, captured, enemies, empty, True, path)
            return
        self._add(start, square, captured, crowned, path)

    def _has_passed(self, path: tuple[int, ...]) -> bool:
        """Return whether a man reached the promotion row and left it again by a later jump (`promotion.return`)."""
        return any(
            reached & self.promotion_row and not left & self.promotion_row for reached, left in pairwise(path[1:])
        )

    def _continue_king(
        self,
        start: int,
        square: int,
        captured: int,
        enemies: int,
        empty: int,
        crowned: bool,
        path: tuple[int, ...],
        may_end: bool = True,
    ) -> None:
        """Follow a king that stands on a square: it falls, jumps on, or stops.

        A king that has not captured and cannot adds nothing. `king.capture.finish` may keep only those landing squares
        from which the capture continues, or say on which of them it may end; `king.capture.turning` says how the king
        may turn, `capture.completion` whether it must jump on, or may not, `capture.removal` whether
        jumped pieces are out of the way.
        """
        back = 0 if not captured or self.tables.king_capture_turns else path[-2]
        if self._visited is not None:
            here = (start, square, captured, crowned, may_end, back)
            if here in self._visited:
                return
            self._visited.add(here)
        tables = self.tables
        if captured and square & self.pits:
            if may_end:
                self.found.append(PackedMove(start, square, captured, False, path))
            return
        if captured and tables.capture_completion_one:
            if may_end:
                self._add(start, square, captured, crowned, path)
            return
        goes_on = False
        later = tables.king_capture_later[self.side]
        lines = later[square] if captured else tables.king_capture_first[self.side][square]
        for over, lands in self.king_jumps(lines, enemies, empty, back):
            goes_on = True
            free = empty | over if tables.capture_removal_at_once else empty
            rest = enemies & ~over
            if tables.king_capture_finish_continuing and len(lands) > 1:
                behind = 0 if tables.king_capture_turns else square
                onward = (land for land in lands if not land & self.pits)
                lands = [land for land in onward if self.king_jumps(later[land], rest, free, behind)] or lands
            for land in lands:
                ends = not over & self.halting or land == lands[0]
                self._continue_king(start, land, captured | over, rest, free, crowned, (*path, land), ends)
        if captured and may_end and (not goes_on or tables.capture_completion_may_stop):
            self._add(start, square, captured, crowned, path)

    def _add(self, start: int, square: int, captured: int, crowned: bool, path: tuple[int, ...]) -> None:
        """Record a finished capture; a piece that ends on an open door is lost and not crowned."""
        self.found.append(PackedMove(start, square, captured, crowned and not square & self.doors, path))

    def king_jumps(self, lines: list[Line], enemies: int, empty: int, back: int = 0) -> list[tuple[int, list[int]]]:
        """Return the jumps of a king along some lines: the pieces each of them takes, with its landing squares.

        `king.capture.directions` and `king.capture.later` give the lines, `king.capture.kings-only` those on which it
        captures only kings, `king.capture.reach` how far off the piece may stand, `king.capture.pieces` whether one
        jump may take several, `king.capture.landing` how far behind them the king may land, `trapdoors.passing` what an
        open door on the way does. `back` is the square the king came from by a jump, if `king.capture.turning` counts.
        """
        tables = self.tables
        if tables.trapdoors_passing_blocked:
            empty &= ~self.doors
        pits = self.doors if tables.trapdoors_passing_falls else 0
        obstacles = ~empty | pits
        jumps = []
        for barred, reached, ascends, behind, kings_only in lines:
            over = reached & obstacles
            if not over or back & barred:
                continue
            last = over = over & -over if ascends else 1 << over.bit_length() - 1
            targets = enemies & self.enemy_kings if kings_only else enemies
            if not over & targets:
                continue
            if tables.king_capture_pieces_any:
                while behind[last] and behind[last][0] & targets:
                    last = behind[last][0]
                    over |= last
            lands = []
            for land in behind[last]:
                if not land & empty:
                    break
                lands.append(land)
                if land & pits:
                    break
            if lands:
                jumps.append((over, lands))
        return jumps


def apply_capture_precedence(tables: Tables, found: list[PackedMove], pieces: Pieces) -> list[PackedMove]:
    """Return the captures that remain after the criteria of `capture.choice`, applied in order.

    `capture.binds` says whether the player must make one of the best captures, or only move a piece that has one.
    """
    best = found
    for criterion in tables.capture_choice:
        best = _best(tables, best, criterion, pieces)
    if tables.capture_binds_piece:
        starts = {step.start for step in best}
        return [step for step in found if step.start in starts]
    return best


def _best(tables: Tables, found: list[PackedMove], criterion: str, pieces: Pieces) -> list[PackedMove]:
    """Return the captures that are best by one criterion of `capture.choice`.

    `capture.king-weight` is the value of a captured king in men; counts are in hundredths of a man.
    """
    _, kings, _, enemy_kings = pieces
    extra = tables.capture_king_weight - 100

    def count(step: PackedMove) -> int:
        return 100 * step.captured.bit_count() + extra * (step.captured & enemy_kings).bit_count()

    value: Callable[[PackedMove], int | list[int]]
    match criterion:
        case "most-pieces" if not extra:
            most = max([step[2].bit_count() for step in found])
            return [step for step in found if step[2].bit_count() == most]
        case "most-pieces":
            value = count
        case "multiple-before-single":

            def value(step: PackedMove) -> bool:
                return count(step) >= 200
        case "multiple-when-mixed":
            if len({step.start & kings != 0 for step in found}) == 1:
                return found
            return _best(tables, found, "multiple-before-single", pieces)
        case "with-king":

            def value(step: PackedMove) -> bool:
                return step.start & kings != 0
        case "most-kings":

            def value(step: PackedMove) -> int:
                return (step.captured & enemy_kings).bit_count()
        case "king-first":

            def value(step: PackedMove) -> list[int]:
                order = capture_order(tables.board, map(tables.board.number, step.path), step.captured)
                return [-place for place, over in enumerate(order) if over & enemy_kings]
        case _:
            raise RulesetError(f"capture.choice: found {criterion!r}, which is not implemented")

    values = [value(step) for step in found]
    top = max(values)
    return [step for step, worth in zip(found, values, strict=True) if worth == top]


def capture_order(board: Board, path: Iterable[int], captured: int) -> list[int]:
    """Return captured pieces, as bits, in the order in which a piece jumps them on a path of square numbers.

    It may pass over the square of a piece that it has jumped already: each leg jumps one not yet jumped, or several
    (`king.capture.pieces`), and those of a king that moves before it captures none.
    """
    left, order = captured, []
    for start, end in pairwise(path):
        over = [bit for bit in board.between(start, end) or () if bit & left]
        left ^= sum(over)
        order += over
    return order


#: The maximum size of a perft's transposition table.
MOST_SEEN = 1 << 20


class MoveGenerator:
    """Moves of pieces under one set of rules; `doors` are the open trapdoors, as a bitboard.

    Without `every_path`, equivalent paths of a king are followed only once.
    """

    def __init__(self, rules: Rules, *, every_path: bool = True) -> None:
        self.tables = Tables(rules)
        self.board = rules.board
        self._over_own = bool(rules.man.move_over_own)
        # king-first depends on the order of the jumps, in which otherwise equivalent paths differ.
        self._every_path = every_path or "king-first" in self.tables.capture_choice

    # --- moves of a side ----------------------------------------------------------------------

    def steps(self, pieces: Pieces, side: int, doors: int = 0) -> list[PackedMove]:
        """Return every legal move by every path, so that a capture can occur several times.

        `capture.duty` says whether a possible capture rules out the quiet moves. Moves that break the duty but may be
        played under huffing are in `huffing`.
        """
        captures = self.captures(pieces, side, doors)
        return captures if self.binding(captures, pieces) else captures + self.quiet(pieces, side, doors)

    def binding(self, captures: list[PackedMove], pieces: Pieces) -> bool:
        """Return whether `captures` rule out the quiet moves, by `capture.duty`."""
        if not captures or self.tables.capture_duty_optional:
            return False
        return not self.tables.capture_duty_for_men or any(step.captured & pieces[2] for step in captures)

    def count(self, pieces: Pieces, side: int) -> int:
        """Count the legal moves without building the quiet ones."""
        captures = self.captures(pieces, side)
        if not captures:
            return self._count_quiet(pieces, side)
        return len(_distinct(captures)) + (0 if self.binding(captures, pieces) else self._count_quiet(pieces, side))

    def after(self, pieces: Pieces, step: PackedMove, doors: int = 0) -> Pieces:
        """Return the pieces after a move, as the other side sees them; a piece that ends on an open door is gone."""
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
        """Count the move sequences of a length, without making the moves of the last ply.

        `seen` is the transposition table: the counts already known, by pieces and remaining depth.
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
        steps = _distinct(self.steps(pieces, side))
        number = sum([perft(self.after(pieces, step), other, rest, seen) for step in steps])
        if len(seen) < MOST_SEEN:
            seen[here] = number
        return number

    # --- quiet moves --------------------------------------------------------------------------

    def quiet(self, pieces: Pieces, side: int, doors: int = 0) -> list[PackedMove]:
        """Return every move that does not begin with a capture, whether or not there is a duty to capture.

        A man that ends on the promotion row (`promotion.rows`) is crowned, unless it falls there. A king may move twice
        (`king.move.slides`) only where nothing can be captured, whatever the duty.
        """
        men, promotion_row = pieces[0], self.tables.promotion_rows[side] & ~doors
        steps = [
            PackedMove(start, end, 0, start & men != 0 and end & promotion_row != 0, (start, end))
            for start, end in self.slides(pieces, side, doors)
        ]
        if self.tables.king_move_slides_twice and not self.captures(pieces, side, doors):
            steps += self._second_slides(pieces, side, steps)
        return steps

    def slides(self, pieces: Pieces, side: int, doors: int = 0) -> list[tuple[int, int]]:
        """Return start and end of every move of a piece over empty squares, and of men over a piece of their own side.

        `man.move.directions` and `man.move.reach`, `king.move.directions` and `king.move.reach` say where to,
        `man.move.over-own` where a man jumps without capturing;
        `trapdoors.passing` what an open door does to a king's ray, `trapdoors.quiet-landing` whether a move may end on
        one.
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
            slides += _ray_moves(men, tables.man_move_rays[side], tables.man_move_reach, empty)
        slides += self._jumps_over_own(men, men | kings, empty, side)
        if kings:
            floor = empty & ~doors if tables.trapdoors_passing_blocked else empty
            pits = doors if tables.trapdoors_passing_falls else 0
            slides += _ray_moves(kings, tables.king_move_rays[side], tables.king_move_reach, floor, pits)
        if doors and not tables.trapdoors_quiet_landing_falls:
            slides = [slide for slide in slides if not slide[1] & doors]
        return slides

    def _jumps_over_own(self, men: int, own: int, empty: int, side: int) -> list[tuple[int, int]]:
        """Return start and end of every jump of a man over a piece of its own side (`man.move.over-own`)."""
        jumps = self.tables.man_move_over_own[side]
        return [
            (start, end)
            for start in each(men if self._over_own else 0)
            for over, end in jumps[start]
            if over & own and end & empty
        ]

    def _second_slides(self, pieces: Pieces, side: int, first: list[PackedMove]) -> list[PackedMove]:
        """Return the turns of kings that move twice (`king.move.slides`), with the capture that may follow."""
        _, kings, enemy_men, enemy_kings = pieces
        enemies = enemy_men | enemy_kings
        taken = pieces[0] | kings | enemies
        rays, reach = self.tables.king_move_rays[side], self.tables.king_move_reach
        found = []
        for start, middle, *_ in first:
            if not start & kings:
                continue
            empty = self.board.all & ~taken | start
            for _, end in _ray_moves(middle, rays, reach, empty):
                if end == start:
                    continue
                search = CaptureSearch(self.tables, side, enemy_kings, 0, self._every_path)
                search.king_from(start, enemies, empty & ~end, (start, middle, end))
                goes_on = apply_capture_precedence(self.tables, search.found, pieces) if search.found else []
                found += goes_on or [PackedMove(start, end, 0, False, (start, middle, end))]
        return found

    def _count_quiet(self, pieces: Pieces, side: int) -> int:
        tables = self.tables
        if tables.king_move_slides_twice:
            return len(_distinct(self.quiet(pieces, side)))
        if tables.man_move_reach > 1 or self._over_own:
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
            number += sum(1 for _ in _ray_moves(kings, tables.king_move_rays[side], tables.king_move_reach, empty))
        return number

    # --- captures -----------------------------------------------------------------------------

    def captures(self, pieces: Pieces, side: int, doors: int = 0) -> list[PackedMove]:
        """Return every legal capture by every path, so that a move can occur several times.

        The first jumps of men are found here, for all men at once: `man.capture.first` gives their directions,
        `man.capture.takes` the pieces they may jump. Later jumps, and all those of kings, are found by `CaptureSearch`.
        """
        men, kings, enemy_men, enemy_kings = pieces
        enemies = enemy_men | enemy_kings
        empty = self.board.all & ~(men | kings | enemies)
        found: list[PackedMove] = []
        search: CaptureSearch | None = None
        if men:
            tables = self.tables
            targets = enemies if tables.man_capture_takes_any else enemy_men
            special = tables.promotion_rows[side] | doors
            for step in self._first_jumps(men, targets, empty, side):
                start, end, over, _, _ = step
                if not end & special and not self._goes_on(step, targets, empty, side):
                    found.append(step)
                    continue
                search = search or CaptureSearch(tables, side, enemy_kings, doors, self._every_path, found)
                search.man_from(start, over, end, targets, enemies, empty)
        if kings:
            search = search or CaptureSearch(self.tables, side, enemy_kings, doors, self._every_path, found)
            for start in each(kings):
                search.king_from(start, enemies, empty, (start,))
        if len(found) > 1 and self.tables.capture_choice:
            return apply_capture_precedence(self.tables, found, pieces)
        return found

    def _first_jumps(self, men: int, targets: int, empty: int, side: int) -> list[PackedMove]:
        """Return the first jumps of men as captures that end there."""
        jumps: list[PackedMove] = []
        if gaps := self.tables.man_capture_gap:
            first = self.tables.man_capture_gap_first[side]
            for start in each(men):
                for over, end in first[start]:
                    if over & targets and end & empty and not gaps[start | over] & ~empty:
                        jumps.append(PackedMove(start, end, over, False, (start, end)))
            return jumps
        left, right = self.tables.man_capture_first[side]
        for shift, by_end in right:
            ends = (men >> shift & targets) >> shift & empty
            while ends:
                end = ends & -ends
                ends ^= end
                jumps.append(by_end[end])
        for shift, by_end in left:
            ends = (men << shift & targets) << shift & empty
            while ends:
                end = ends & -ends
                ends ^= end
                jumps.append(by_end[end])
        return jumps

    def _goes_on(self, step: PackedMove, targets: int, empty: int, side: int) -> bool:
        """Return whether a man can jump on after its first jump, where it is not crowned and no door is open."""
        start, end, over, _, _ = step
        if self.tables.capture_origin_empty:
            empty |= start
        if self.tables.capture_removal_at_once:
            empty |= over
        gaps = self.tables.man_capture_gap
        for later_over, land in self.tables.man_capture_later[side][end]:
            if (
                later_over & targets
                and land & empty
                and later_over != over
                and not (gaps and gaps[end | later_over] & ~empty)
            ):
                return True
        return False


def _distinct(steps: list[PackedMove]) -> list[PackedMove]:
    """Return one of each group of packed moves that differ only in their paths."""
    return steps if len(steps) < 2 else list({step[:4]: step for step in steps}.values())


def _ray_moves(pieces: int, rays: Rays, reach: int, empty: int, pits: int = 0) -> Iterator[tuple[int, int]]:
    """Yield start and end of each move over up to `reach` empty squares; a pit can be entered but not passed."""
    for start in each(pieces):
        for ray in rays[start]:
            for end in ray[:reach]:
                if not end & empty:
                    break
                yield start, end
                if end & pits:
                    break
