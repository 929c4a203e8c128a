"""Action generators with a fault in the list of moves, the position read, or the position after."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple, TypeVar

from damspec import Action, Board, Huff, Move, Pass, Position, Retract, Ruleset, SliderPush, Spin
from damspec.board import DIRECTIONS, Side, opponent
from damspec.king_runs import without_runs
from damspec.position import KingRun, with_side, without
from damspec.rules import Reach
from damspec.tables import landing_squares
from damspec.turn import ActionGenerator

Mover = Literal["men", "kings"]
Way = Literal["move", "capture"]

_BOTH: tuple[Mover, Mover] = ("men", "kings")
_NAMES = {offset: name for name, offset in DIRECTIONS.items()}


class Leg(NamedTuple):
    """A piece's way from one square to another within a move, by square numbers; `over` is what it captures, or 0.

    `piece` is what the piece was when the move began. `length` counts the squares from start to end, `reach` those up
    to what is captured; `direction` is as the side sees it.
    """

    side: Side
    piece: Mover
    way: Way
    direction: str
    start: int
    over: int
    end: int
    length: int
    reach: int


def move_legs(position: Position, move: Move) -> list[tuple[Leg, ...]]:
    """Return the legs of each path of a move."""
    piece: Mover = "kings" if position.board.bit(move.start) & position.kings(position.turn) else "men"
    return [_legs(position.board, position.turn, piece, path, move.captured) for path in move.paths]


@cache
def _legs(board: Board, side: Side, piece: Mover, path: tuple[int, ...], captured: tuple[int, ...]) -> tuple[Leg, ...]:
    slides, left, found = len(path) - 1 - len(captured), list(captured), []
    for place, (start, end) in enumerate(pairwise(path)):
        over = 0
        if place >= slides:
            line = [board.number(bit) for bit in board.between(start, end) or ()]
            over = next(square for square in line if square in left)
            left.remove(over)
        found.append(_leg(board, side, piece, start, over, end))
    return tuple(found)


def _leg(board: Board, side: Side, piece: Mover, start: int, over: int, end: int) -> Leg:
    columns, rows = (there - here for here, there in zip(board.places[start - 1], board.places[end - 1], strict=True))
    length = len(board.between(start, end) or ()) + 1
    sign = 1 if side == "white" else -1
    direction = _NAMES[sign * _sign(columns), sign * _sign(rows)]
    reach = len(board.between(start, over) or ()) + 1 if over else 0
    return Leg(side, piece, "capture" if over else "move", direction, start, over, end, length, reach)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def possible_legs(ruleset: Ruleset) -> Iterator[Leg]:
    """Yield every leg that a piece could have by the rules of directions and reach, with no other piece in the way.

    No legal move has another one.
    """
    board, man, king = ruleset.rules.board, ruleset.rules.man, ruleset.rules.king
    landing = landing_squares(ruleset.rules)
    jumps = tuple(dict.fromkeys((*man.capture_first, *man.capture_later)))
    goes_on_as_king = ruleset.rules.promotion.mid_capture in ("as-king", "as-man-else-king")
    sides: tuple[Side, Side] = ("white", "black")
    for side in sides:
        for start in range(1, len(board) + 1):
            yield from _slides(board, side, "men", start, man.move_directions, man.move_reach)
            for direction in man.move_over_own or ():
                for end in _ray(board, start, direction, side)[1:2]:
                    yield _leg(board, side, "men", start, 0, end)
            yield from _slides(board, side, "kings", start, king.move_directions, king.move_reach)
            yield from _jumps(board, side, "men", start, jumps, 1, 1)
            for piece in _BOTH if goes_on_as_king else _BOTH[1:]:
                yield from _jumps(board, side, piece, start, king.capture_directions, king.capture_reach, landing)


def _slides(
    board: Board, side: Side, piece: Mover, start: int, directions: tuple[str, ...], reach: Reach
) -> Iterator[Leg]:
    for direction in directions:
        for end in _ray(board, start, direction, side)[: None if reach == "any" else reach]:
            yield _leg(board, side, piece, start, 0, end)


def _jumps(
    board: Board, side: Side, piece: Mover, start: int, directions: tuple[str, ...], reach: Reach, landing: int
) -> Iterator[Leg]:
    for direction in directions:
        ray = _ray(board, start, direction, side)
        for place, over in enumerate(ray[: None if reach == "any" else reach], 1):
            for end in ray[place : place + landing]:
                yield _leg(board, side, piece, start, over, end)


def _ray(board: Board, start: int, direction: str, side: Side) -> list[int]:
    return [board.number(bit) for bit in board.ray(board.bit(start), direction, side)]


ActionT = TypeVar("ActionT", bound=Action)


class CachedGenerator(ActionGenerator):
    """The right turns with a cache, since many faults ask them the same."""

    def __init__(self, right: ActionGenerator) -> None:
        super().__init__(right.rules)
        self._actions: dict[Position, list[Action]] = {}
        self._lapses: dict[Position, list[Move]] = {}
        self._after: dict[tuple[Position, Action], Position] = {}

    def actions(self, position: Position) -> list[Action]:
        """Return every legal action."""
        if position not in self._actions:
            self._actions[position] = super().actions(position)
        return self._actions[position]

    def lapses(self, position: Position) -> list[Move]:
        """Return the moves that break the duty to capture but may be played."""
        if position not in self._lapses:
            self._lapses[position] = super().lapses(position)
        return self._lapses[position]

    def after(self, position: Position, action: Action) -> Position:
        """Return the position after an action."""
        if (position, action) not in self._after:
            self._after[position, action] = super().after(position, action)
        return self._after[position, action]


class FaultyGenerator(ActionGenerator):
    """The right turns, except where a kind of fault overrides them."""

    follows_rules = False
    #: Whether what it answers depends on what it was asked before.
    remembers = False
    #: Whether it lists what is not legal.
    invents = False
    #: Whether what it lists may mean nothing in the position that it was asked about, so that it is compared as text.
    in_text = False

    def __init__(self, right: ActionGenerator) -> None:
        # What the right turns have made is shared, since there are hundreds of faults.
        self.rules, self.movement, self.spinner, self.huffing = (
            right.rules,
            right.movement,
            right.spinner,
            right.huffing,
        )
        self.right = right

    def read_position(self, position: Position) -> Position:
        """Return the position whose outcome is given."""
        return self.right.read_position(position) if isinstance(self.right, FaultyGenerator) else position

    def actions(self, position: Position) -> list[Action]:
        """Return the actions listed as legal."""
        return self.right.actions(position)

    def lapses(self, position: Position) -> list[Move]:
        """Return the moves listed as lapses."""
        return self.right.lapses(position)

    def after(self, position: Position, action: Action) -> Position:
        """Return the position after a listed action."""
        return self.right.after(position, action)


class MoveListFault(FaultyGenerator, ABC):
    """A fault in the list of actions."""

    @abstractmethod
    def alter_list(self, position: Position, right: Sequence[ActionT]) -> list[ActionT]:
        """Return the list given instead of the right one."""

    def actions(self, position: Position) -> list[Action]:
        """Return the actions listed as legal."""
        return self.alter_list(position, self.right.actions(position))

    def lapses(self, position: Position) -> list[Move]:
        """Return the moves listed as lapses."""
        return self.alter_list(position, self.right.lapses(position))


class PositionFault(FaultyGenerator, ABC):
    """A fault in the position that is asked about."""

    invents = True

    @abstractmethod
    def misread(self, position: Position) -> Position:
        """Return the position answered about instead."""

    def actions(self, position: Position) -> list[Action]:
        """Return the actions listed as legal."""
        return self.right.actions(self.misread(position))

    def lapses(self, position: Position) -> list[Move]:
        """Return the moves listed as lapses."""
        return self.right.lapses(self.misread(position))

    def after(self, position: Position, action: Action) -> Position:
        """Return the position after a listed action."""
        return self.right.after(self.misread(position), action)


class SuccessorFault(FaultyGenerator):
    """A fault in the position after an action: `wrong` makes it of the one before, the action and the right one."""

    def __init__(self, right: ActionGenerator, wrong: Callable[[Position, Action, Position], Position]) -> None:
        super().__init__(right)
        self._wrong = wrong

    def after(self, position: Position, action: Action) -> Position:
        """Return the position after a listed action."""
        return self._wrong(position, action, self.right.after(position, action))


def after_moves(right: ActionGenerator, wrong: Callable[[Position, Move, Position], Position]) -> ActionGenerator:
    """The right turns with a fault in the position after a move of a piece; other actions lead where they should."""
    return SuccessorFault(
        right, lambda position, action, after: wrong(position, action, after) if isinstance(action, Move) else after
    )


_WORDS: dict[type, str] = {
    Spin: "a spin",
    SliderPush: "a push of a slider",
    Pass: "a pass",
    Huff: "a huff",
    Retract: "a move taken back",
}


def fault_kinds(turns: ActionGenerator, position: Position, action: Action) -> set[str]:
    """Return what the catalogue calls an action: a promotion is also a move or a capture, a lapse only that."""
    if not isinstance(action, Move):
        return {_WORDS[type(action)]}
    if action in turns.lapses(position):
        return {"a lapse"}
    return {"a capture" if action.captured else "a move", *(["a promotion"] if action.promotes else [])}


#: What a path captures and where that leg ends, leg by leg; nothing is 0.
Course = tuple[tuple[int, int], ...]


class FilteredList(MoveListFault):
    """Only actions that pass a test are listed."""

    def __init__(self, right: ActionGenerator, passes: Callable[[Position, Action], bool]) -> None:
        super().__init__(right)
        self._passes = passes

    def alter_list(self, position: Position, right: Sequence[ActionT]) -> list[ActionT]:
        """Return the actions that pass."""
        return [action for action in right if self._passes(position, action)]


def filtered_moves(right: ActionGenerator, passes: Callable[[Position, Move], bool]) -> ActionGenerator:
    """Return turns that list only the moves that pass a test, and all other actions."""
    return FilteredList(right, lambda position, action: not isinstance(action, Move) or passes(position, action))


def without_legs(right: ActionGenerator, lost: Callable[[Leg], bool]) -> ActionGenerator:
    """Return turns without the moves that have a `lost` leg on every path."""

    def passes(position: Position, move: Move) -> bool:
        return not all(any(map(lost, path)) for path in move_legs(position, move))

    return filtered_moves(right, passes)


def captures_up_to(right: ActionGenerator, most: int) -> ActionGenerator:
    """Return turns without captures of more than `most` pieces."""
    return filtered_moves(right, lambda _, move: len(move.captured) <= most)


def without_piece(right: ActionGenerator, place: int) -> ActionGenerator:
    """Return turns without the moves of one piece, by its place in the order of the squares."""
    return filtered_moves(right, lambda position, move: move.start != _own(position)[place])


def first_pieces_only(right: ActionGenerator, most: int) -> ActionGenerator:
    """Return turns with moves of the first `most` pieces only, in the order of the squares."""
    return filtered_moves(right, lambda position, move: move.start in _own(position)[:most])


def not_when_crowded(right: ActionGenerator, way: str, most: int) -> ActionGenerator:
    """Return turns without captures, or without quiet moves, where more than `most` pieces are on the board."""
    return filtered_moves(
        right, lambda position, move: len(position) <= most or bool(move.captured) != (way == "capture")
    )


def _own(position: Position) -> list[int]:
    return [*position.board.numbers(position.occupied(position.turn))]


class TruncatedList(MoveListFault):
    """Only the first `most` actions are listed."""

    def __init__(self, right: ActionGenerator, most: int) -> None:
        super().__init__(right)
        self._most = most

    def alter_list(self, position: Position, right: Sequence[ActionT]) -> list[ActionT]:
        """Return the first actions."""
        return list(right[: self._most])


class MergedMoves(MoveListFault):
    """Of moves to the same square, or of those from the same square to the same, only the first is listed."""

    def __init__(self, right: ActionGenerator, *, starts_count: bool) -> None:
        super().__init__(right)
        self._starts_count = starts_count

    def alter_list(self, position: Position, right: Sequence[ActionT]) -> list[ActionT]:
        """Return the first of the actions taken for the same."""
        first: dict[object, ActionT] = {}
        for action in right:
            first.setdefault(self._taken_for(action), action)
        return list(first.values())

    def _taken_for(self, action: Action) -> object:
        if isinstance(action, Move):
            return action.start if self._starts_count else 0, action.end
        return str(action)


class UnrestoredCaptures(MoveListFault):
    """Pieces taken by one capture are still missing when the next is searched, of the same piece or of any."""

    def __init__(self, right: ActionGenerator, *, any_piece: bool) -> None:
        super().__init__(right)
        self._any_piece = any_piece

    def alter_list(self, position: Position, right: Sequence[ActionT]) -> list[ActionT]:
        """Return the captures that are still found."""
        courses: dict[int, list[Course]] = {}
        for action in right:
            if isinstance(action, Move) and action.captured:
                courses.setdefault(action.start, []).extend(_courses(position, action))
        gone: set[int] = set()
        found: set[tuple[int, Course]] = set()
        for start in sorted(courses):
            gone = gone if self._any_piece else set()
            found |= {(start, course) for course in _find_courses(sorted(courses[start]), 0, gone)}
        return [
            action
            for action in right
            if not isinstance(action, Move)
            or not action.captured
            or any((action.start, course) in found for course in _courses(position, action))
        ]


def _courses(position: Position, move: Move) -> list[Course]:
    return [tuple((leg.over, leg.end) for leg in path) for path in move_legs(position, move)]


def _find_courses(courses: list[Course], depth: int, gone: set[int]) -> Iterator[Course]:
    """Yield the courses with the same first `depth` legs that are found without the squares in `gone`, which grows."""
    yield from (course for course in courses if len(course) == depth)
    longer = [course for course in courses if len(course) > depth]
    for over in dict.fromkeys(course[depth][0] for course in longer):
        if over in gone:
            continue
        if over:
            gone.add(over)
        for leg in dict.fromkeys(course[depth] for course in longer if course[depth][0] == over):
            yield from _find_courses([course for course in longer if course[depth] == leg], depth + 1, gone)


class EdgeWrap(FaultyGenerator):
    """Steps or jumps over the left or right edge are listed as coming out at the other."""

    invents = True

    def __init__(self, right: ActionGenerator, way: str, edge: str) -> None:
        super().__init__(right)
        self._jumps, self._left = way == "capture", edge == "left"
        self._squares = {place: number for number, place in enumerate(right.rules.board.places, 1)}

    def actions(self, position: Position) -> list[Action]:
        """Return the legal actions and the moves over the edge."""
        right = self.right.actions(position)
        among = any(isinstance(action, Move) and (self._jumps or not action.captured) for action in right)
        return [*right, *self._over(position)] if among else right

    def _over(self, position: Position) -> Iterable[Move]:
        board, side, man, king = position.board, position.turn, self.rules.man, self.rules.king
        promotion_row = board.nearest_rows(self.rules.promotion.rows, opponent(side))
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
                    crowned = piece.kind == "man" and bool(board.bit(squares[-1]) & promotion_row)
                    yield Move(start, squares[-1], squares[:-1], crowned, paths=((start, squares[-1]),))

    def _line(self, start: int, offset: tuple[int, int]) -> tuple[int, ...]:
        """Return the squares of a step or jump over the edge; none if it does not cross it, or leads nowhere."""
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


class PreviousPosition(PositionFault):
    """Answers are about the position asked before; the first is about its own."""

    remembers = True

    def __init__(self, right: ActionGenerator) -> None:
        super().__init__(right)
        self._before: Position | None = None
        self._now: Position | None = None

    def misread(self, position: Position) -> Position:
        """Return the position asked about before."""
        if position != self._now:
            self._before, self._now = self._now, position
        return self._before or position


class LeftoverPiece(PreviousPosition):
    """A piece of the position asked before stays on the board if its square is empty now: the first or last of all."""

    def __init__(self, right: ActionGenerator, place: int) -> None:
        super().__init__(right)
        self._place = place

    def misread(self, position: Position) -> Position:
        """Return the position with the leftover piece."""
        before = super().misread(position)
        square = [*before][self._place] if before else None
        piece = before[square] if square else None
        if square is None or piece is None or square in position:
            return position
        bit, side = position.board.bit(square), piece.side
        men, kings = position.men(side), position.kings(side)
        return with_side(position, side, *((men | bit, kings) if piece.kind == "man" else (men, kings | bit)))


class SkippedAnswer(FaultyGenerator):
    """Every n-th list is empty."""

    remembers = True

    def __init__(self, right: ActionGenerator, every: int) -> None:
        super().__init__(right)
        self._every, self._asked = every, 0

    def actions(self, position: Position) -> list[Action]:
        """Return the actions listed as legal."""
        self._asked += 1
        return [] if self._asked % self._every == 0 else self.right.actions(position)


class WrongCacheKey(PositionFault):
    """Answers are cached under a key that leaves something out."""

    remembers = True

    def __init__(self, right: ActionGenerator, blind_to: str) -> None:
        super().__init__(right)
        self._blind_to = blind_to
        self._known: dict[object, Position] = {}

    def misread(self, position: Position) -> Position:
        """Return the first position asked about with the same key."""
        return self._known.setdefault(without_part(position, self._blind_to), position)


def without_part(position: Position, part: str) -> Position:
    """Return a position without what an engine leaves out when it compares positions."""
    match part:
        case "the side to move":
            return replace(position, turn="white")
        case "the kind of a piece":
            for side in (position.turn, opponent(position.turn)):
                position = with_side(position, side, position.occupied(side), 0)
            return position
        case _:  # spin, sliders, a lapse to answer, a run
            return without_runs(replace(position, spin=None, sliders=None, huffable=None, compelled=False))


class PieceLimit(PositionFault):
    """Only the first `most` pieces of each side are read, in the order of the squares."""

    def __init__(self, right: ActionGenerator, most: int) -> None:
        super().__init__(right)
        self._most = most

    def misread(self, position: Position) -> Position:
        """Return the position without the pieces that do not fit."""
        for side in (position.turn, opponent(position.turn)):
            squares = position.board.numbers(position.occupied(side))
            if len(squares) > self._most:
                known = position.board.mask(squares[: self._most])
                position = with_side(position, side, position.men(side) & known, position.kings(side) & known)
        return position


class TotalPieceLimit(PositionFault):
    """Only the first `most` pieces are read, in the order of the squares or White's before Black's."""

    def __init__(self, right: ActionGenerator, most: int, *, white_first: bool) -> None:
        super().__init__(right)
        self._most, self._white_first = most, white_first

    def misread(self, position: Position) -> Position:
        """Return the position without the pieces that do not fit."""
        squares = [*position]
        if self._white_first:
            squares.sort(key=lambda square: bool(position.board.bit(square) & position.occupied("black")))
        return without(position, position.board.mask(squares[self._most :]))


class SwappedSquares(FaultyGenerator):
    """Two squares have each other's numbers, in what is read and in what is written."""

    invents = True

    def __init__(self, right: ActionGenerator, one: int, other: int) -> None:
        super().__init__(right)
        self._named = {one: other, other: one}
        self._both = right.rules.board.mask((one, other))

    def actions(self, position: Position) -> list[Action]:
        """Return the actions listed as legal."""
        return self._rename_all(self.right.actions(self._rename_squares(position)))

    def lapses(self, position: Position) -> list[Move]:
        """Return the moves listed as lapses."""
        return self._rename_all(self.right.lapses(self._rename_squares(position)))

    def after(self, position: Position, action: Action) -> Position:
        """Return the position after a listed action."""
        return self._rename_squares(self.right.after(self._rename_squares(position), self._rename(action)))

    def _rename_squares(self, position: Position) -> Position:
        return replace(
            position,
            white_men=self._mask(position.white_men),
            white_kings=self._mask(position.white_kings),
            black_men=self._mask(position.black_men),
            black_kings=self._mask(position.black_kings),
            white_run=self._run(position.white_run),
            black_run=self._run(position.black_run),
            huffable=position.huffable and re.sub(r"\d+", lambda n: str(self._name(int(n[0]))), position.huffable),
        )

    def _run(self, run: KingRun | None) -> KingRun | None:
        return run and KingRun(self._name(run.square), run.moves)

    def _mask(self, mask: int) -> int:
        return mask ^ self._both if mask & self._both not in (0, self._both) else mask

    def _name(self, square: int) -> int:
        return self._named.get(square, square)

    def _rename_all(self, actions: list[ActionT]) -> list[ActionT]:
        return [self._rename(action) for action in actions]

    def _rename(self, action: ActionT) -> ActionT:
        return renumber_action(action, self._name)


def renumber_action(action: ActionT, name: Callable[[int], int]) -> ActionT:
    """Return an action with its squares renumbered."""
    if isinstance(action, Move):
        return replace(
            action,
            start=name(action.start),
            end=name(action.end),
            captured=tuple(map(name, action.captured)),
            paths=tuple(tuple(map(name, path)) for path in action.paths),
        )
    return replace(action, square=name(action.square)) if isinstance(action, Huff) else action


def left_standing(right: ActionGenerator, stays: Callable[[list[int]], list[int]]) -> ActionGenerator:
    """Return turns that leave some captured pieces on the board, chosen in the order of the jumps."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        jumped = [leg.over for leg in move_legs(position, move)[0] if leg.over]
        # Where pieces are removed at once, the capture may have ended on the square of one of them.
        left, side = position.board.mask(stays(jumped)) & ~after.occupied(position.turn), opponent(position.turn)
        men, kings = after.men(side) | position.men(side) & left, after.kings(side) | position.kings(side) & left
        return with_side(after, side, men, kings)

    return after_moves(right, wrong)


def kind_left_standing(right: ActionGenerator, piece: str, which: str) -> ActionGenerator:
    """Men or kings that are captured stay on the board: all, those captured alone, or the first or last of several."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        jumped = [leg.over for leg in move_legs(position, move)[0] if leg.over]
        several, side = len(jumped) > 1, opponent(position.turn)
        match which:
            case "at all":
                stays = jumped
            case "alone":
                stays = [] if several else jumped
            case "as the first of several":
                stays = jumped[:1] if several else []
            case _:
                stays = jumped[-1:] if several else []
        left = position.board.mask(stays) & ~after.occupied(position.turn)
        if piece == "men":
            return with_side(after, side, after.men(side) | position.men(side) & left, after.kings(side))
        return with_side(after, side, after.men(side), after.kings(side) | position.kings(side) & left)

    return after_moves(right, wrong)


def taken_only(right: ActionGenerator, taken: Callable[[Leg], bool]) -> ActionGenerator:
    """A captured piece stays on the board unless it stands where an engine looks for it on the way of the jump."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        stays = position.board.mask(leg.over for leg in move_legs(position, move)[0] if leg.over and not taken(leg))
        side = opponent(position.turn)
        return with_side(
            after, side, after.men(side) | position.men(side) & stays, after.kings(side) | position.kings(side) & stays
        )

    return after_moves(right, wrong)


def lost_at_home(right: ActionGenerator) -> ActionGenerator:
    """Return turns that remove a piece whose capture ends where it began."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        gone = position.board.bit(move.end) if move.captured and move.start == move.end else 0
        side = position.turn
        return with_side(after, side, after.men(side) & ~gone, after.kings(side) & ~gone)

    return after_moves(right, wrong)


def without_crowning(right: ActionGenerator, side: str, way: str, square: int) -> ActionGenerator:
    """Men of a side that move to a square, or end a capture there, are not crowned."""

    def wrong(position: Position, move: Move, after: Position) -> Position:
        if not move.promotes or position.turn != side or move.end != square:
            return after
        if bool(move.captured) != (way == "capture"):
            return after
        bit = position.board.bit(square)
        return with_side(after, position.turn, after.men(position.turn) | bit, after.kings(position.turn) & ~bit)

    return after_moves(right, wrong)


class WrongSideToMove(FaultyGenerator):
    """The wrong side is to move after a kind of action."""

    def __init__(self, right: ActionGenerator, action: str) -> None:
        super().__init__(right)
        self._action = action

    def after(self, position: Position, action: Action) -> Position:
        """Return the position after a listed action."""
        after = self.right.after(position, action)
        return (
            replace(after, turn=opponent(after.turn))
            if self._action in fault_kinds(self.right, position, action)
            else after
        )
