"""Moves of pieces in positions, without the rest of the turn around them.

`movegen` finds packed moves; here they become values, and positions follow from them. A search asks for the same moves
over and over, so each is made once for a set of rules: quiet moves are looked up by the squares around a piece,
captures by what was found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter

from .board import SIDES, Board, Side, each
from .data import build_unchecked
from .king_runs import is_at_limit, moves_within_limit, run_after
from .move import Action, Move, PackedMove
from .movegen import MoveGenerator
from .position import Pieces, Position, from_mover_view, open_doors, to_mover_view
from .rules import Rules
from .tables import Rays

#: The order of moves: by the squares of the path that is printed.
_BY_PATH = attrgetter("paths")
#: The number of squares whose men are looked up together: few enough for a table of them all.
_GROUP = 8
#: The number of captures kept for another time.
_MOST_KEPT = 1 << 14


class PieceMoves:
    """Moves of pieces in positions under one set of rules."""

    def __init__(self, rules: Rules, *, every_path: bool = True) -> None:
        self.rules = rules
        self.generator = MoveGenerator(rules, every_path=every_path)
        tables = self.generator.tables
        # Whether every quiet move is one slide that nothing but the pieces on its way can stop.
        self.slides_only = not (rules.trapdoors or tables.king_move_slides_twice or rules.man.move_over_own)
        self._slides = tuple(QuietMoves(self.generator, side) for side in range(len(SIDES)))
        self._captures: dict[Side, dict[PackedMove, Move]] = {side: {} for side in SIDES}

    def legal(self, position: Position) -> list[Move]:
        """Return the legal moves where a turn is one move of a piece."""
        pieces, side = to_mover_view(position)
        if not self.slides_only:
            steps = self.generator.steps(pieces, side, open_doors(self.rules, position))
            return self.moves(position, moves_within_limit(self.rules.king.move_limit, position, steps))
        captures = self.generator.captures(pieces, side)
        if not captures:
            return self._quiet_moves(position, pieces, side)
        moves = self.moves(position, captures)
        if not self.generator.binding(captures, pieces):
            moves += self._quiet_moves(position, pieces, side)
            moves.sort(key=_BY_PATH)
        return moves

    def _quiet_moves(self, position: Position, pieces: Pieces, side: int) -> list[Move]:
        """Return the moves that are one slide, in order."""
        limit = self.rules.king.move_limit
        if limit is not None and (resting := is_at_limit(limit, position)):
            men, kings, enemy_men, enemy_kings = pieces
            pieces = men, kings ^ resting, enemy_men, enemy_kings | resting  # an obstacle that does not move
        return self._slides[side].of(*pieces)

    def captures(self, position: Position) -> list[PackedMove]:
        """Return the legal captures, by every path."""
        return self.generator.captures(*to_mover_view(position), open_doors(self.rules, position))

    def quiet(self, position: Position) -> list[PackedMove]:
        """Return the moves that do not begin with a capture, whether or not there is a duty to capture."""
        steps = self.generator.quiet(*to_mover_view(position), open_doors(self.rules, position))
        return moves_within_limit(self.rules.king.move_limit, position, steps)

    def moves(self, position: Position, steps: Sequence[PackedMove]) -> list[Move]:
        """Combine packed moves into moves, each with all its paths, the shortest and lowest first."""
        if len(steps) == 1 and self.slides_only:
            return [self._move(steps[0], position.turn)]
        doors = open_doors(self.rules, position)
        alone = {step[:4]: step for step in steps}
        if len(alone) == len(steps) and not doors:
            moves = [self._move(step, position.turn) for step in steps]
        else:
            ways: dict[tuple[int, int, int, bool], list[PackedMove]] = defaultdict(list)
            for step in steps:
                ways[step[:4]].append(step)
            moves = [move_of(each, self.rules.board, position.turn, doors) for each in ways.values()]
        if len(moves) > 1:
            moves.sort(key=_BY_PATH)
        return moves

    def _move(self, step: PackedMove, side: Side) -> Move:
        """Return a move of one path with all doors shut, the same object each time if possible."""
        captures = self._captures[side]
        move = captures.get(step)
        if move is None:
            if len(captures) == _MOST_KEPT:
                captures.clear()
            move = captures[step] = move_of((step,), self.rules.board, side)
        return move

    def after(self, position: Position, move: Move) -> Position:
        """Return the position after a move, with the other side to move and nothing pending."""
        board, doors = position.board, open_doors(self.rules, position)
        step = PackedMove(board.bit(move.start), board.bit(move.end), board.mask(move.captured), move.promotes, ())
        pieces, side = to_mover_view(position)
        after = from_mover_view(position, self.generator.after(pieces, step, doors), 1 - side)
        return run_after(self.rules.king.move_limit, position, move, after)

    def after_listed(self, position: Position, move: Action) -> Position:
        """Return the position after a move that `legal` has listed in it, where there are no doors.

        It is `after` without translating the squares of the move again.
        """
        assert isinstance(move, Move)
        assert move.packed
        pieces, side = to_mover_view(position)
        after = from_mover_view(position, self.generator.after(pieces, move.packed), 1 - side)
        limit = self.rules.king.move_limit
        return after if limit is None else run_after(limit, position, move, after)


class QuietMoves:
    """The slides of one side's pieces where all doors are shut, each made once, when it is first possible."""

    def __init__(self, generator: MoveGenerator, side: int) -> None:
        tables, board = generator.tables, generator.board
        rays, reach, promotion_row = tables.man_move_rays[side], tables.man_move_reach, tables.promotion_rows[side]
        man_move, king_move = (partial(_slide, board, SIDES[side], row) for row in (promotion_row, 0))
        self._steps = _Steps(rays, man_move) if reach == 1 else None
        self._groups = _groups(board)
        self._man_slides = _Slides(rays, reach, man_move)
        self._king_slides = _Slides(tables.king_move_rays[side], tables.king_move_reach, king_move)
        self._bits_ascend = list(board.bits) == sorted(board.bits)

    def of(self, men: int, kings: int, enemy_men: int, enemy_kings: int) -> list[Move]:
        """Return the slides in the order of their squares."""
        taken = men | kings | enemy_men | enemy_kings
        moves: list[Move] = []
        steps = self._steps
        if steps is None:
            _add_slides(moves, men, self._man_slides, taken)
        else:
            for group in self._groups:
                movers = men & group
                if movers:
                    around, by_taken = steps[movers]
                    moves += by_taken[around & taken]
            if not kings and self._bits_ascend:
                return moves
        _add_slides(moves, kings, self._king_slides, taken)
        moves.sort(key=_BY_PATH)
        return moves


def _groups(board: Board) -> list[int]:
    """Divide the board into bitboards of a few squares in the order of their bits, rows together if they fit."""
    bits, row = sorted(board.bits), len(board) // board.rows
    size = _GROUP // row * row or _GROUP
    return [sum(bits[first : first + size]) for first in range(0, len(bits), size)]


def _add_slides(moves: list[Move], pieces: int, rays: _Slides, taken: int) -> None:
    while pieces:
        start = pieces & -pieces
        pieces ^= start
        for ray, ascends, by_obstacle in rays[start]:
            obstacle = ray & taken
            if obstacle:
                obstacle = obstacle & -obstacle if ascends else 1 << obstacle.bit_length() - 1
            moves += by_obstacle[obstacle]


class _Steps(dict[int, tuple[int, "_StepsOf"]]):
    """For each set of men the squares one step away from them, and their moves."""

    def __init__(self, rays: Rays, slide: Callable[[int, int], Move]) -> None:
        self._rays, self._slide = rays, slide
        self._moves: dict[tuple[int, int], Move] = {}

    def __missing__(self, men: int) -> tuple[int, _StepsOf]:
        steps = [(start, ray[0]) for start in each(men) for ray in self._rays[start]]
        for start, end in steps:
            if (start, end) not in self._moves:
                self._moves[start, end] = self._slide(start, end)
        around = 0
        for _, end in steps:
            around |= end
        self[men] = found = around, _StepsOf([(end, self._moves[start, end]) for start, end in steps])
        return found


class _StepsOf(dict[int, tuple[Move, ...]]):
    """The moves of some men by which of the squares around them are taken."""

    def __init__(self, moves: list[tuple[int, Move]]) -> None:
        self._moves = sorted(moves, key=lambda each: each[1].paths)

    def __missing__(self, taken: int) -> tuple[Move, ...]:
        self[taken] = moves = tuple([move for end, move in self._moves if not end & taken])
        return moves


class _Slides(dict[int, list[tuple[int, bool, dict[int, tuple[Move, ...]]]]]):
    """For each square its rays: squares, whether their bits ascend, and the moves by the nearest obstacle or 0."""

    def __init__(self, rays: Rays, reach: int, slide: Callable[[int, int], Move]) -> None:
        self._rays, self._reach, self._slide = rays, reach, slide

    def __missing__(self, start: int) -> list[tuple[int, bool, dict[int, tuple[Move, ...]]]]:
        found = []
        for line in self._rays[start]:
            ray = line[: self._reach]
            moves = tuple(self._slide(start, end) for end in ray)
            by_obstacle = {end: moves[:place] for place, end in enumerate(ray)} | {0: moves}
            found.append((sum(ray), ray[0] > start, by_obstacle))
        self[start] = found  # only when it has all of them: another thread may look here meanwhile
        return found


def _slide(board: Board, side: Side, promotion_row: int, start: int, end: int) -> Move:
    return move_of((PackedMove(start, end, 0, end & promotion_row != 0, (start, end)),), board, side)


def move_of(ways: Sequence[PackedMove], board: Board, side: Side, doors: int = 0) -> Move:
    """Return the move of which some packed moves are the paths."""
    start, end, captured, crowned, _ = step = ways[0]
    number = board.number
    paths = {tuple([number(bit) for bit in way.path]) for way in ways}
    return build_unchecked(
        Move,
        side=side,
        start=number(start),
        end=number(end),
        captured=tuple(board.numbers(captured)),
        promotes=crowned,
        falls=end & doors != 0,
        paths=tuple(sorted(paths, key=lambda path: (len(path), path))),
        packed=step,
    )
