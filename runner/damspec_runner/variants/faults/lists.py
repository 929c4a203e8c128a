"""Faults in the list of moves: some are lost, some are taken for others, some are there that should not be.

What loses moves loses them and lists nothing instead; an engine that does list something is found by the same cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from damspec import Action, Move, Position
from damspec.board import opponent
from damspec.turn import Turns

from .legs import Leg, legs
from .turns import Faulty, Listed, Listing

#: What a path captures and where that leg ends, leg by leg; nothing is 0.
Course = tuple[tuple[int, int], ...]


class Filtered(Listing):
    """Lists the actions that pass a test."""

    def __init__(self, right: Turns, passes: Callable[[Position, Action], bool]) -> None:
        super().__init__(right)
        self._passes = passes

    def listed(self, position: Position, right: Sequence[Listed]) -> list[Listed]:
        """What passes."""
        return [action for action in right if self._passes(position, action)]


def filtered_moves(right: Turns, passes: Callable[[Position, Move], bool]) -> Turns:
    """Only moves that pass a test are listed, and all actions that are no moves."""
    return Filtered(right, lambda position, action: not isinstance(action, Move) or passes(position, action))


def without_legs(right: Turns, lost: Callable[[Leg], bool]) -> Turns:
    """Moves are lost that have a leg that is lost, on every path."""

    def passes(position: Position, move: Move) -> bool:
        return not all(any(map(lost, path)) for path in legs(position, move))

    return filtered_moves(right, passes)


def captures_up_to(right: Turns, most: int) -> Turns:
    """Captures of more pieces are lost."""
    return filtered_moves(right, lambda _, move: len(move.captured) <= most)


def without_piece(right: Turns, place: int) -> Turns:
    """The own piece at a place in the order of the squares is given no move."""
    return filtered_moves(right, lambda position, move: move.start != _own(position)[place])


def first_pieces_only(right: Turns, most: int) -> Turns:
    """Own pieces after the first ones, in the order of the squares, are given no move."""
    return filtered_moves(right, lambda position, move: move.start in _own(position)[:most])


def not_when_crowded(right: Turns, way: str, most: int) -> Turns:
    """Captures, or moves without capture, are lost where more pieces are on the board."""
    return filtered_moves(
        right, lambda position, move: len(position) <= most or bool(move.captured) != (way == "capture")
    )


def _own(position: Position) -> list[int]:
    return [*position.board.numbers(position.occupied(position.turn))]


class Capped(Listing):
    """Lists the first so many actions."""

    def __init__(self, right: Turns, most: int) -> None:
        super().__init__(right)
        self._most = most

    def listed(self, position: Position, right: Sequence[Listed]) -> list[Listed]:
        """The first ones."""
        return list(right[: self._most])


class Merged(Listing):
    """Of moves to the same square, or of those from the same square to the same, only the first is listed."""

    def __init__(self, right: Turns, *, starts_count: bool) -> None:
        super().__init__(right)
        self._starts_count = starts_count

    def listed(self, position: Position, right: Sequence[Listed]) -> list[Listed]:
        """One of those that are taken for one."""
        first: dict[object, Listed] = {}
        for action in right:
            first.setdefault(self._taken_for(action), action)
        return list(first.values())

    def _taken_for(self, action: Action) -> object:
        if isinstance(action, Move):
            return action.start if self._starts_count else 0, action.end
        return str(action)


class Unrestored(Listing):
    """What one way to capture has taken counts as gone when the next is looked for, of the same piece or of any."""

    def __init__(self, right: Turns, *, any_piece: bool) -> None:
        super().__init__(right)
        self._any_piece = any_piece

    def listed(self, position: Position, right: Sequence[Listed]) -> list[Listed]:
        """What is found nevertheless."""
        courses: dict[int, list[Course]] = {}
        for action in right:
            if isinstance(action, Move) and action.captured:
                courses.setdefault(action.start, []).extend(_courses(position, action))
        gone: set[int] = set()
        found: set[tuple[int, Course]] = set()
        for start in sorted(courses):
            gone = gone if self._any_piece else set()
            found |= {(start, course) for course in _found(sorted(courses[start]), 0, gone)}
        return [
            action
            for action in right
            if not isinstance(action, Move)
            or not action.captured
            or any((action.start, course) in found for course in _courses(position, action))
        ]


def _courses(position: Position, move: Move) -> list[Course]:
    return [tuple((leg.over, leg.end) for leg in path) for path in legs(position, move)]


def _found(courses: list[Course], depth: int, gone: set[int]) -> Iterator[Course]:
    """Those of the courses, alike in the legs before, that are found if nothing in `gone` is there; it grows."""
    yield from (course for course in courses if len(course) == depth)
    longer = [course for course in courses if len(course) > depth]
    for over in dict.fromkeys(course[depth][0] for course in longer):
        if over in gone:
            continue
        if over:
            gone.add(over)
        for leg in dict.fromkeys(course[depth] for course in longer if course[depth][0] == over):
            yield from _found([course for course in longer if course[depth] == leg], depth + 1, gone)


class Wrapped(Faulty):
    """Where moves are listed, steps or jumps over an edge at the side come out at the other one."""

    invents = True

    def __init__(self, right: Turns, way: str, edge: str) -> None:
        super().__init__(right)
        self._jumps, self._left = way == "capture", edge == "left"
        self._squares = {place: number for number, place in enumerate(right.rules.board.places, 1)}

    def actions(self, position: Position) -> list[Action]:
        """What is listed as legal, and the moves over the edge."""
        right = self.right.actions(position)
        among = any(isinstance(action, Move) and (self._jumps or not action.captured) for action in right)
        return [*right, *self._over(position)] if among else right

    def _over(self, position: Position) -> Iterable[Move]:
        board, side, man, king = position.board, position.turn, self.rules.man, self.rules.king
        crownhead = board.nearest_rows(self.rules.promotion.rows, opponent(side))
        for start, piece in position.pieces():
            if piece.side != side:
                continue
            if piece.kind == "man":
                directions = man.capture_first if self._jumps else man.move_directions
            else:
                directions = king.capture_directions if self._jumps else king.move_directions
            for direction in directions:
                squares = self._line(start, board.offset(direction, side))
                if squares and squares[-1] not in position and self._are_enemies(position, squares[:-1]):
                    crowned = piece.kind == "man" and bool(board.bit(squares[-1]) & crownhead)
                    yield Move(start, squares[-1], squares[:-1], crowned, paths=((start, squares[-1]),))

    def _line(self, start: int, offset: tuple[int, int]) -> tuple[int, ...]:
        """The squares of a step or a jump that goes over the edge; none if it does not, or leads nowhere."""
        board, (column, row) = self.rules.board, self.rules.board.places[start - 1]
        squares, wraps = [], False
        for _ in range(2 if self._jumps else 1):
            column, row = column + offset[0], row + offset[1]
            if column < 0 if self._left else column >= board.columns:
                column, wraps = column % board.columns, True
            squares.append(self._squares.get((column, row), 0))
        return tuple(squares) if wraps and all(squares) else ()

    def _are_enemies(self, position: Position, squares: tuple[int, ...]) -> bool:
        return all(position.board.bit(square) & position.occupied(opponent(position.turn)) for square in squares)
