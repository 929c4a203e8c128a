"""Random positions built so that interesting ones are frequent: captures, long ones and through the promotion row."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple

from hypothesis import reject
from hypothesis import strategies as st

from ..board import SIDES, Board, Side, each, opponent
from ..king_runs import king_runs
from ..position import Position, without
from ..tables import Jumps
from ..validity import PLAIN, find_invalidity, material, phases
from .requests import PositionRequest

#: How positions are made: pieces scattered, with captures or without, or a capture constructed; most often through the
#: promotion row, where mistakes are the rarest and the hardest to find.
_WAYS = ("scattered", "quiet", "capture", "crowning", "crowning")
#: If more jumps than this are requested, those that leave no further jump are avoided.
_LONG = 3
#: How many times a position is drawn before giving up.
_ATTEMPTS = 4


class _CaptureDraft(NamedTuple):
    """A capture under construction, as bitboards: its start, the pieces taken, the squares crossed."""

    start: int = 0
    king: bool = False
    taken: int = 0
    path: int = 0

    def with_jump(self, over: int, land: int, passed: int) -> _CaptureDraft:
        """Return the capture with another jump."""
        return self._replace(taken=self.taken | over, path=self.path | land | passed)


def constructed_positions(request: PositionRequest) -> st.SearchStrategy[Position]:
    """Return a strategy that constructs positions to fit a request."""
    return _draw_position(_Setup(request))


@st.composite
def _draw_position(draw: st.DrawFn, ground: _Setup) -> Position:
    for _ in range(_ATTEMPTS):
        position = ground.in_a_phase(draw, ground.pieces(draw))
        if position is not None and ground.request.fits(position):
            return position
    return reject()


@dataclass(frozen=True)
class _Setup:
    """What drawing positions for a request depends on, worked out once."""

    request: PositionRequest

    @cached_property
    def _board(self) -> Board:
        return self.request.ruleset.rules.board

    @cached_property
    def _quiet(self) -> bool:
        """Whether no capture may be possible."""
        spin = self.request.ruleset.rules.spin
        spun = spin is not None and spin.when == "no-capture" and (self.request.phase or "").startswith("spin=")
        return spun or (self.request.captures is not None and not self.request.captures)

    @cached_property
    def _ways(self) -> tuple[str, ...]:
        if self._quiet or self.request.pieces[1] < 2:
            return ("quiet",) if self._quiet else ("scattered",)
        if self.request.captures or self.request.phase in ("huffable", "compelled"):
            return _WAYS[2:]
        # What a spin allows is played where no capture is possible.
        spin = self.request.ruleset.rules.spin
        return (*_WAYS, "quiet", "quiet") if spin is not None and spin.when == "no-capture" else _WAYS

    @cached_property
    def _material(self) -> tuple[int, int]:
        return material(self.request.ruleset.rules)

    @cached_property
    def _first_jumps(self) -> list[Jumps]:
        """The first jumps of a man, by side and square."""
        board, directions = self._board, self.request.ruleset.rules.man.capture_first
        return [
            {
                bit: [(ray[0], ray[1]) for d in directions if len(ray := board.ray(bit, d, side)) > 1]
                for bit in board.bits
            }
            for side in SIDES
        ]

    @cached_property
    def _before_crowning(self) -> list[list[int]]:
        """By side, the squares from which a man's first or second jump can crown it."""
        rows = self.request.turns.movement.generator.tables.promotion_rows
        found = []
        for side, jumps in enumerate(self._first_jumps):
            last = [bit for bit, ways in jumps.items() if any(land & rows[side] for _, land in ways)]
            found.append(last + [bit for bit, ways in jumps.items() if any(land in last for _, land in ways)])
        return found

    def pieces(self, draw: st.DrawFn) -> Position:
        """Draw pieces, sliders and the side to move, with nothing pending."""
        board, rules = self._board, self.request.ruleset.rules
        turn: Side = draw(st.sampled_from(SIDES))
        sliders, doors = self._draw_sliders(draw)
        floor = board.all & ~doors
        way = draw(st.sampled_from(self._ways))
        capture = _CaptureDraft()
        if way in ("capture", "crowning"):
            capture = self._draw_capture(draw, SIDES.index(turn), floor, crowning=way == "crowning")
        others = self._draw_others(draw, capture, floor)
        # In half of the positions the sides have alternate rows: long captures need the squares between.
        by_rows, how_many_kings = draw(st.booleans()), draw(st.integers(0, 4))
        theirs = {bit: (bool(bit & _odd_rows(board)) if by_rows else their) for bit, their, _ in others}
        theirs |= dict.fromkeys(each(capture.taken), True) | ({capture.start: False} if capture.start else {})
        self._balance_sides(theirs, SIDES.index(turn))
        kings = sum(bit for bit, _, rank in others if rank < how_many_kings)
        kings |= (capture.taken if how_many_kings > 2 else 0) | (capture.start if capture.king else 0)
        masks: dict[tuple[Side, bool], int] = defaultdict(int)
        for bit, their in theirs.items():
            side = opponent(turn) if their else turn
            promotion_row = board.nearest_rows(rules.promotion.rows, opponent(side))
            masks[side, bool(bit & (kings | promotion_row))] |= bit
        position = Position(
            board,
            masks["white", False],
            masks["white", True],
            masks["black", False],
            masks["black", True],
            turn,
            sliders,
            layout=rules.trapdoors.layout if rules.trapdoors else None,
        )
        return self._without_captures(position) if way == "quiet" else position

    def _draw_others(self, draw: st.DrawFn, capture: _CaptureDraft, floor: int) -> list[tuple[int, bool, int]]:
        """Draw the other pieces: each square, whether it is the opponent's, and a rank from 0 to 3."""
        used = capture.start | capture.taken
        fewest, most = (number - used.bit_count() for number in self.request.pieces)
        free = floor & ~(used | capture.path)
        area = draw(
            st.sampled_from([one for one in _areas(self._board) if (one & free).bit_count() >= fewest] or [free])
        )
        squares = [bit for bit in self._board.bits if bit & free & area]
        # One number for each piece, so that Hypothesis finds two pieces simpler than a constructed capture.
        drawn = st.lists(
            st.integers(0, 8 * len(squares) - 1),
            unique_by=lambda number: number // 8,
            min_size=min(max(0, fewest), len(squares)),
            max_size=min(max(0, most), len(squares)),
        )
        return [(squares[n // 8], bool(n & 4), n % 4) for n in draw(drawn)] if squares else []

    def _balance_sides(self, theirs: dict[int, bool], mover: int) -> None:
        """Reassign pieces where one side would have none, or more than it begins with.

        `theirs` says by bit whether a piece belongs to the opponent of the side to move.
        """
        last = next(reversed(theirs), None)
        if self.request.both_sides and last is not None and len(set(theirs.values())) == 1:
            theirs[last] = not theirs[last]
        for side in (False, True):
            room = self._material[1 - mover if side else mover]
            for bit in [bit for bit, their in theirs.items() if their == side][room:]:
                theirs[bit] = not side

    def _without_captures(self, position: Position) -> Position:
        """Return the position with pieces removed until nothing can be captured."""
        while steps := self.request.turns.movement.captures(position):
            position = without(position, next(each(steps[0].captured)))
        return position

    def _draw_sliders(self, draw: st.DrawFn) -> tuple[str | None, int]:
        """Draw the sliders' letters, and return the open doors, where no piece may stand."""
        trapdoors = self.request.ruleset.rules.trapdoors
        if trapdoors is None:
            return None, 0
        layout = trapdoors.layout
        if trapdoors.closing == "at-once":
            return layout.middle_letters, 0
        letters = "".join(draw(st.sampled_from("MLR")) for _ in layout.sliders)
        return letters, layout.open_doors(self._board, letters)

    def _draw_capture(self, draw: st.DrawFn, mover: int, floor: int, *, crowning: bool) -> _CaptureDraft:
        """Draw a capture jump by jump; with `crowning`, by a man that reaches the promotion row and may jump on."""
        request = self.request
        tables = request.turns.movement.generator.tables
        king = not crowning and draw(st.booleans())
        starts = self._before_crowning[mover] if crowning else self._board.bits
        start = square = draw(st.sampled_from([bit for bit in starts if bit & floor] or [*each(floor)]))
        most = max(1, min(request.pieces[1] - 1, self._material[1 - mover], max(5, request.jumps + 1)))
        jumps = draw(st.integers(min(most, max(1, request.jumps, 2 * crowning)), most))
        draft = _CaptureDraft(start, king, 0, start)
        men, crowned = self._first_jumps[mover], king
        for left in reversed(range(jumps)):
            ways = self._next_jumps(draft, mover, square, men, floor, crowned=crowned)
            if crowning and not crowned:
                ways = [way for way in ways if way[1] & tables.promotion_rows[mover]] or ways
            if left and request.jumps > _LONG:
                ways = [way for way in ways if self._goes_on(draft, mover, way, floor, crowned=crowned)] or ways
            if not ways:
                break
            way = draw(st.sampled_from(ways))
            draft, square, men = draft.with_jump(*way), way[1], tables.man_capture_later[mover]
            crowned = crowned or bool(square & tables.promotion_rows[mover])
        return draft if draft.taken else _CaptureDraft()

    def _next_jumps(
        self, draft: _CaptureDraft, mover: int, square: int, men: Jumps, floor: int, *, crowned: bool
    ) -> list[tuple[int, int, int]]:
        """Return the jumps that can extend a capture: a man's, from `men`, and a king's if it is one by now."""
        ways = [] if draft.king else [(over, land, 0) for over, land in men[square]]
        ways += self._king_jumps(mover, square) if crowned else []
        closed = draft.taken | ~floor
        return [way for way in ways if not (way[0] & (closed | draft.path) or (way[1] | way[2]) & closed)]

    def _goes_on(
        self, draft: _CaptureDraft, mover: int, way: tuple[int, int, int], floor: int, *, crowned: bool
    ) -> bool:
        later = self.request.turns.movement.generator.tables.man_capture_later[mover]
        return bool(self._next_jumps(draft.with_jump(*way), mover, way[1], later, floor, crowned=crowned))

    def _king_jumps(self, mover: int, square: int) -> list[tuple[int, int, int]]:
        """Return a king's jumps: the square jumped, the square landed on, and those that must be empty."""
        tables = self.request.turns.movement.generator.tables
        found = []
        for ray in tables.king_capture_rays[mover][square]:
            for place in range(1 if tables.king_capture_reach_1 else len(ray) - 1):
                for land in range(place + 1, min(len(ray), place + 1 + min(3, tables.king_capture_landing_squares))):
                    found.append((ray[place], ray[land], sum(ray[:land]) - ray[place]))
        return found

    def in_a_phase(self, draw: st.DrawFn, position: Position) -> Position | None:
        """Return the position in the requested or a random phase of a turn; None if it cannot be in one."""
        ruleset, turns = self.request.ruleset, self.request.turns
        found = []
        for phase in phases(ruleset.rules) if self.request.phase is None else (self.request.phase,):
            if phase == PLAIN:
                found.append(position)
            elif phase == "huffable":
                lapses = turns.lapses(position)
                found += [turns.after(position, draw(st.sampled_from(lapses)))] if lapses else []
            elif phase == "run":
                runs = [*king_runs(position.turn, position, turns.rules.king.move_limit)]
                found += [draw(st.sampled_from(runs))] if runs else []
            elif phase == "compelled":
                found.append(replace(position, compelled=True))
            else:
                found.append(replace(position, spin=phase.removeprefix("spin=")))
        possible = [one for one in found if find_invalidity(turns, one) is None]
        return draw(st.sampled_from(possible)) if possible else None


@cache
def _areas(board: Board) -> tuple[int, ...]:
    """Return areas to put pieces on: the whole board, and windows of six rows and columns in which pieces meet."""
    windows = (
        sum(
            bit
            for bit, (column, row) in zip(board.bits, board.places, strict=True)
            if left <= column < left + 6 and bottom <= row < bottom + 6
        )
        for left in range(0, max(1, board.columns - 5), 2)
        for bottom in range(0, max(1, board.rows - 5), 2)
    )
    return (board.all, *windows)


@cache
def _odd_rows(board: Board) -> int:
    return sum(bit for bit, (_, row) in zip(board.bits, board.places, strict=True) if row % 2)
