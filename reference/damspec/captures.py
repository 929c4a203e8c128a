"""Captures: following each piece jump by jump, by every path, until its capture is complete.

Names in comments and docstrings, like `capture.removal`, are those of the rules (spec/rules.yaml).
"""

from __future__ import annotations

from itertools import pairwise

from .tables import Step, Tables


class Search:
    """The captures of one side found so far.

    `doors` are the open trapdoors: empty squares that a piece falls through. In the methods, `square` is where the
    piece stands now, `captured` what it has jumped, `enemies` what it has not, `targets` those of them it may jump,
    `empty` the squares it may land on, `path` every square it touched; `enemy_kings` are the kings among the enemies
    when the turn began. Without `every_path`, a king that has come to a square by jumping the same pieces as on another
    path is not followed again.
    """

    def __init__(self, tables: Tables, side: int, enemy_kings: int, doors: int, every_path: bool = True) -> None:
        self.tables = tables
        self.side = side
        self.crownhead = tables.promotion_rows[side]
        self.doors = doors
        # king.capture.landing: the kings that a capture which ends with a jump over one ends directly behind.
        self.halting = enemy_kings if tables.king_capture_landing_behind_last_king else 0
        # trapdoors.capture-landing: whether a piece falls where a jump lands, or only where its capture ends.
        self.pits = doors if tables.trapdoors_capture_landing_ends else 0
        self.found: list[Step] = []
        self._been: set[tuple[int, int, int, bool, bool, int]] | None = None if every_path else set()

    def man_from(self, start: int, over: int, end: int, targets: int, enemies: int, empty: int) -> None:
        """The captures that begin with a man's jump.

        `capture.origin`: whether the square it left is empty, to pass over or to land on; `capture.removal`: whether
        that of a piece jumped is, at once.
        """
        if self.tables.capture_origin_empty:
            empty |= start
        if self.tables.capture_removal_at_once:
            empty |= over
        self._man_on(start, end, over, targets & ~over, enemies & ~over, empty, (start, end))

    def king_from(self, start: int, enemies: int, empty: int, path: tuple[int, ...]) -> None:
        """The captures of a king; `path` has its start and, if it slid before it captures, where it slid.

        `capture.origin`: whether the square where the capture begins is empty, to pass over or to land on.
        """
        if self.tables.capture_origin_empty:
            empty |= path[-1]
        self._king_on(start, path[-1], 0, enemies, empty, False, path)

    def _man_on(
        self, start: int, square: int, captured: int, targets: int, enemies: int, empty: int, path: tuple[int, ...]
    ) -> None:
        """A man has just landed: it falls, is crowned, goes on, or stops.

        `promotion.mid-capture` says what becomes of one that reaches the crownhead, `man.capture.later` which ways it
        can go on, and `capture.completion` whether it has to.
        """
        tables = self.tables
        if square & self.pits:
            self.found.append(Step(start, square, captured, False, path))
            return
        on_crownhead = square & self.crownhead
        if on_crownhead:
            if tables.promotion_mid_capture == "stops":
                self._end(start, square, captured, True, path)
                return
            if tables.promotion_mid_capture == "as-king":
                self._king_on(start, square, captured, enemies, empty, True, path)
                return
        goes_on = False
        for over, land in tables.man_capture_later[self.side][square]:
            if over & targets and land & empty:
                goes_on = True
                free = empty | over if tables.capture_removal_at_once else empty
                self._man_on(start, land, captured | over, targets & ~over, enemies & ~over, free, (*path, land))
        if goes_on and not tables.capture_completion_may_stop:
            return
        crowned = bool(on_crownhead) and (tables.promotion_return_crowned or not self._has_passed(path))
        if crowned and tables.promotion_mid_capture == "as-man-else-king" and not goes_on:
            self._king_on(start, square, captured, enemies, empty, True, path)
            return
        self._end(start, square, captured, crowned, path)

    def _has_passed(self, path: tuple[int, ...]) -> bool:
        """Whether a man reached the crownhead by a jump and left it by a later one: `promotion.return`."""
        return any(reached & self.crownhead and not left & self.crownhead for reached, left in pairwise(path[1:]))

    def _king_on(
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
        """A king stands on a square: it falls, goes on, or stops; nothing if it has not captured and cannot.

        Where several squares are open to it, `king.capture.landing` may keep only those that it can go on from, or say
        on which its capture may end; `king.capture.turning` whether it may turn straight back, `capture.completion`
        whether it has to go on, `capture.removal` whether what it jumped is out of the way.
        """
        back = path[-2] if captured and self.tables.king_capture_turning_not_back else 0
        if self._been is not None:
            here = (start, square, captured, crowned, may_end, back)
            if here in self._been:
                return
            self._been.add(here)
        tables = self.tables
        if captured and square & self.pits:
            if may_end:
                self.found.append(Step(start, square, captured, False, path))
            return
        goes_on = False
        for over, lands in self.king_jumps(square, enemies, empty, back):
            goes_on = True
            free = empty | over if tables.capture_removal_at_once else empty
            rest = enemies & ~over
            if tables.king_capture_landing_continuing and len(lands) > 1:
                behind = square if tables.king_capture_turning_not_back else 0
                onward = [land for land in lands if not land & self.pits and self.king_jumps(land, rest, free, behind)]
                lands = onward or lands
            for land in lands:
                ends = not over & self.halting or land == lands[0]
                self._king_on(start, land, captured | over, rest, free, crowned, (*path, land), ends)
        if captured and may_end and (not goes_on or tables.capture_completion_may_stop):
            self._end(start, square, captured, crowned, path)

    def _end(self, start: int, square: int, captured: int, crowned: bool, path: tuple[int, ...]) -> None:
        """A capture ends; one that ends on an open door is lost, crown and all."""
        self.found.append(Step(start, square, captured, crowned and not square & self.doors, path))

    def king_jumps(self, square: int, enemies: int, empty: int, back: int = 0) -> list[tuple[int, list[int]]]:
        """The jumps of a king from a square: each piece it can pass over, with the squares to land on.

        `king.capture.directions` are its lines, `king.capture.reach` how far off the piece may stand,
        `king.capture.landing` how far behind it the king may land, `trapdoors.passing` what an open door is on the way.
        A square on the line that is not open to it is `back`.
        """
        tables = self.tables
        if tables.trapdoors_passing_blocked:
            empty &= ~self.doors
        last = self.doors if tables.trapdoors_passing_falls else 0
        jumps = []
        for line in tables.king_capture_rays[self.side][square]:
            if back and back in line:
                continue
            for distance, over in enumerate(line):
                if over & enemies:
                    lands = []
                    for land in line[distance + 1 : distance + 1 + tables.king_capture_landing_squares]:
                        if not land & empty:
                            break
                        lands.append(land)
                        if land & last:
                            break
                    if lands:
                        jumps.append((over, lands))
                    break
                if tables.king_capture_reach_1 or not over & empty or over & last:
                    break
        return jumps
