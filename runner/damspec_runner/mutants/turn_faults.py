"""Faults in moves: in the list, in the steps and jumps, in the position after a move, read, or remembered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from damspec import Action, Board, Huff, Move, Pass, Position, Retract, SliderPush, Spin
from damspec.board import SIDES, opponent
from damspec.king_runs import without_runs
from damspec.perft_counts import orders
from damspec.position import KingRun, with_side, without

from .faults import FaultyGenerator, Values, after, hook, keeps
from .legs import Leg, move_legs

#: The piece, or the place in a list, of the words of the catalogue.
PLACES = {"first": 0, "last": -1}
_WORDS: dict[type, str] = {
    Spin: "a spin",
    SliderPush: "a push of a slider",
    Pass: "a pass",
    Huff: "a huff",
    Retract: "a move taken back",
}


def action_words(turns: FaultyGenerator, position: Position, action: Action) -> set[str]:
    """Return what the catalogue calls an action: a promotion is also a move or a capture, a lapse only that."""
    if not isinstance(action, Move):
        return {_WORDS[type(action)]}
    if action in turns.right.lapses(position):
        return {"a lapse"}
    return {"a capture" if action.captured else "a move", *(["a promotion"] if action.promotes else [])}


def put_back(before: Position, after: Position, squares: int) -> Position:
    """Return a position with the pieces that an earlier one has on some squares."""
    return replace(
        after,
        white_men=after.white_men | before.white_men & squares,
        white_kings=after.white_kings | before.white_kings & squares,
        black_men=after.black_men | before.black_men & squares,
        black_kings=after.black_kings | before.black_kings & squares,
    )


def own_squares(position: Position) -> list[int]:
    """Return the squares of the side to move, in their order."""
    return [*position.board.numbers(position.occupied(position.turn))]


# --- steps and jumps that are not found


def _is_of(leg: Leg, v: Values) -> bool:
    """Return whether a step or jump is of the side, the pieces, the way and the direction that are named."""
    return all(getattr(leg, name) == v[name] for name in ("side", "piece", "way", "direction") if name in v)


hook("legs", "direction-missing")(lambda v, turns, leg: _is_of(leg, v))


def _is_on_edge(board: Board, square: int, edge: str) -> bool:
    column, row = board.places[square - 1]
    return {
        "left": column == 0,
        "right": column == board.columns - 1,
        "top": row == board.rows - 1,
        "bottom": row == 0,
    }[edge]


def _ends_a_line(board: Board, leg: Leg) -> bool:
    return not board.step(board.bit(leg.end), leg.direction, leg.side)


hook("legs", "edge-missing")(
    lambda v, turns, leg: _is_of(leg, v) and _is_on_edge(turns.rules.board, leg.end, v["edge"])
)
hook("legs", "line-short")(
    lambda v, turns, leg: leg.piece == "kings" and _is_of(leg, v) and _ends_a_line(turns.rules.board, leg)
)
hook("legs", "reach-short")(lambda v, turns, leg: leg.piece == "kings" and not leg.over and leg.length > v["n"])
hook("legs", "sight-short")(lambda v, turns, leg: leg.piece == "kings" and leg.reach > v["n"])
hook("legs", "landing-short")(lambda v, turns, leg: leg.piece == "kings" and leg.landing > v["n"])
hook("legs", "never-leaves")(lambda v, turns, leg: leg.start == v["square"])
hook("legs", "never-enters")(lambda v, turns, leg: leg.end == v["square"])
hook("legs", "never-takes")(lambda v, turns, leg: v["square"] in leg.over)


# --- lists


hook("lists", "list-full")(lambda v, turns, position, listed: listed[: v["n"]])
keeps("capture-too-long")(lambda v, turns, position, move: len(move.captured) <= v["n"])
keeps("pieces-unmoved")(lambda v, turns, position, move: move.start in own_squares(position)[: v["n"]])
keeps("piece-forgotten")(lambda v, turns, position, move: move.start != own_squares(position)[PLACES[v["which"]]])
keeps("crowded")(
    lambda v, turns, position, move: len(position) <= v["n"] or bool(move.captured) != (v["way"] == "capture")
)


@hook("lists", "moves-merged")
def moves_merged(v: Values, turns: FaultyGenerator, position: Position, listed: list[Action]) -> list[Action]:
    first: dict[object, Action] = {}
    for action in listed:
        start = v["ends"] == "start and end"
        first.setdefault((start and action.start, action.end) if isinstance(action, Move) else str(action), action)
    return [*first.values()]


#: What a path captures and where that leg ends, leg by leg.
Course = tuple[tuple[tuple[int, ...], int], ...]


@hook("lists", "capture-not-undone")
def capture_not_undone(v: Values, turns: FaultyGenerator, position: Position, listed: list[Action]) -> list[Action]:
    courses = {
        action: [tuple((leg.over, leg.end) for leg in path) for path in move_legs(position, action)]
        for action in listed
        if isinstance(action, Move) and action.captured
    }
    gone: set[int] = set()
    found: set[tuple[int, Course]] = set()
    for start in sorted({action.start for action in courses}):
        gone = gone if v["scope"] == "any piece" else set()
        of_piece = sorted(course for action, each in courses.items() if action.start == start for course in each)
        found |= {(start, course) for course in _find_courses(of_piece, 0, gone)}
    return [
        action
        for action in listed
        if action not in courses
        or any((action.start, course) in found for course in courses[action] if isinstance(action, Move))
    ]


def _find_courses(courses: list[Course], depth: int, gone: set[int]) -> Iterator[Course]:
    """Yield the courses with the same first `depth` legs that are found without the squares in `gone`, which grows."""
    yield from (course for course in courses if len(course) == depth)
    longer = [course for course in courses if len(course) > depth]
    for over in dict.fromkeys(course[depth][0] for course in longer):
        if gone.intersection(over):
            continue
        gone.update(over)
        for leg in dict.fromkeys(course[depth] for course in longer if course[depth][0] == over):
            yield from _find_courses([course for course in longer if course[depth] == leg], depth + 1, gone)


@hook("actions", "edge-open")
def edge_open(v: Values, turns: FaultyGenerator, position: Position, listed: list[Action]) -> list[Action]:
    jumps = v["way"] == "capture"
    among = any(isinstance(action, Move) and (jumps or not action.captured) for action in listed)
    return [*listed, *_over_edge(turns, position, v["edge"], jumps=jumps)] if among else listed


def _over_edge(turns: FaultyGenerator, position: Position, edge: str, *, jumps: bool) -> Iterator[Move]:
    """Yield the steps or jumps over the left or right edge that come out at the other one."""
    board, side, man, king = position.board, position.turn, turns.rules.man, turns.rules.king
    promotion_row = board.nearest_rows(turns.rules.promotion.rows, opponent(side))
    directions = {
        "man": man.capture_first if jumps else man.move_directions,
        "king": king.capture_directions if jumps else king.move_directions,
    }
    others = board.numbers(position.occupied(opponent(side)))
    for start in own_squares(position):
        man_moves = bool(board.bit(start) & position.men(side))
        for direction in directions["man" if man_moves else "king"]:
            over, end = _line_over_edge(board, start, board.offset(direction, side), edge, 2 if jumps else 1)
            if end and end not in position and all(square in others for square in over):
                crowned = man_moves and bool(board.bit(end) & promotion_row)
                yield Move(start, end, over, crowned, paths=((start, end),))


def _line_over_edge(
    board: Board, start: int, offset: tuple[int, int], edge: str, steps: int
) -> tuple[tuple[int, ...], int]:
    """Return the squares that a line over the edge passes and its last; 0 if it does not cross it or leads nowhere."""
    (column, row), squares = board.places[start - 1], {place: number for number, place in enumerate(board.places, 1)}
    columns = [column + offset[0] * step for step in range(1, steps + 1)]
    line = [squares.get((each % board.columns, row + offset[1] * step), 0) for step, each in enumerate(columns, 1)]
    crosses = any(each < 0 if edge == "left" else each >= board.columns for each in columns)
    return (*line[:-1],), line[-1] if crosses and all(line) else 0


# --- the position after a move


def _leave(position: Position, right: Position, squares: Sequence[int], kind: str = "") -> Position:
    """Return the position after a capture with captured men, kings or pieces left standing on some squares."""
    side = opponent(position.turn)
    kinds = {"men": position.men(side), "kings": position.kings(side)}
    # Where pieces are removed at once, the capture may have ended on the square of one of them.
    stays = position.board.mask(squares) & ~right.occupied(position.turn)
    return put_back(position, right, stays & kinds.get(kind, position.occupied(side)))


after("captured-full")(
    lambda v, turns, position, move, right: _leave(position, right, orders(move, position.board)[0][v["n"] :])
)
after("left-standing")(
    lambda v, turns, position, move, right: _leave(
        position, right, orders(move, position.board)[0][v["n"] - 1 : v["n"]]
    )
)


@after("kind-left-standing")
def kind_left_standing(v: Values, turns: FaultyGenerator, position: Position, move: Move, right: Position) -> Position:
    jumped = orders(move, position.board)[0]
    alone = len(jumped) == 1
    stays = {
        "at all": jumped,
        "alone": jumped if alone else [],
        "as the first of several": [] if alone else jumped[:1],
        "as the last of several": [] if alone else jumped[-1:],
    }
    return _leave(position, right, stays[v["which"]], v["piece"])


after("lost-at-home")(
    lambda v, turns, position, move, right: (
        without(right, position.board.bit(move.end)) if move.captured and move.start == move.end else right
    )
)


@after("not-crowned")
def not_crowned(v: Values, turns: FaultyGenerator, position: Position, move: Move, right: Position) -> Position:
    side, bit = position.turn, position.board.bit(move.end)
    way = "capture" if move.captured else "move"
    if not move.promotes or (side, way, move.end) != (v["side"], v["way"], v["square"]):
        return right
    return with_side(right, side, right.men(side) | bit, right.kings(side) & ~bit)


@after("turn-wrong", of=object)
def turn_wrong(v: Values, turns: FaultyGenerator, position: Position, action: Action, right: Position) -> Position:
    wrong = v["action"] in action_words(turns, position, action)
    return replace(right, turn=opponent(right.turn)) if wrong else right


# --- the position that is read


@hook("reads", "pieces-full")
def pieces_full(v: Values, turns: FaultyGenerator, position: Position) -> Position:
    board = position.board
    lost = [square for side in SIDES for square in [*board.numbers(position.occupied(side))][v["n"] :]]
    return without(position, board.mask(lost)) if lost else position


@hook("reads", "board-full")
def board_full(v: Values, turns: FaultyGenerator, position: Position) -> Position:
    squares = [*position]
    if v["order"] == "White's before Black's":
        squares.sort(key=lambda square: bool(position.board.bit(square) & position.occupied("black")))
    return without(position, position.board.mask(squares[v["n"] :]))


def renumber_action(action: Action, name: Callable[[int], int]) -> Action:
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


def _exchange(v: Values) -> Callable[[int], int]:
    one, other = v["square"], v["square"] + 1
    return lambda square: {one: other, other: one}.get(square, square)


hook("names", "squares-swapped")(lambda v, turns, position, action: renumber_action(action, _exchange(v)))


@hook("reads", "squares-swapped")
@hook("writes", "squares-swapped")
def swapped_position(v: Values, turns: FaultyGenerator, position: Position) -> Position:
    name, both = _exchange(v), position.board.mask((v["square"], v["square"] + 1))

    def mask(squares: int) -> int:
        return squares ^ both if squares & both not in (0, both) else squares

    def run(one: KingRun | None) -> KingRun | None:
        return one and KingRun(name(one.square), one.moves)

    return replace(
        position,
        white_men=mask(position.white_men),
        white_kings=mask(position.white_kings),
        black_men=mask(position.black_men),
        black_kings=mask(position.black_kings),
        white_run=run(position.white_run),
        black_run=run(position.black_run),
        huffable=position.huffable and re.sub(r"\d+", lambda number: str(name(int(number[0]))), position.huffable),
    )


# --- what is remembered


def _asked_before(turns: FaultyGenerator, position: Position) -> Position | None:
    """Return the position that was asked about before this one, if it is another."""
    if position != turns.memory.get("now"):
        turns.memory["before"], turns.memory["now"] = turns.memory.get("now"), position
    before: Position | None = turns.memory["before"]
    return before


hook("reads", "one-late", remembers=True)(lambda v, turns, position: _asked_before(turns, position) or position)


@hook("reads", "not-tidied", remembers=True)
def not_tidied(v: Values, turns: FaultyGenerator, position: Position) -> Position:
    before = _asked_before(turns, position) or position
    left = position.board.mask([*before][PLACES[v["which"]] :][:1])
    return (
        position
        if left & (position.occupied("white") | position.occupied("black"))
        else put_back(before, position, left)
    )


@hook("actions", "goes-silent", remembers=True)
def goes_silent(v: Values, turns: FaultyGenerator, position: Position, listed: list[Action]) -> list[Action]:
    turns.memory["asked"] = turns.memory.get("asked", 0) + 1
    return [] if turns.memory["asked"] % v["n"] == 0 else listed


@hook("reads", "recalls", remembers=True)
def recalls(v: Values, turns: FaultyGenerator, position: Position) -> Position:
    known: Position = turns.memory.setdefault(without_part(position, v["what"]), position)
    return known


def without_part(position: Position, part: str) -> Position:
    """Return a position without what an engine leaves out when it compares positions."""
    match part:
        case "the side to move":
            return replace(position, turn="white")
        case "the kind of a piece":
            for side in SIDES:
                position = with_side(position, side, position.occupied(side), 0)
            return position
        case _:  # spin, sliders, a lapse to answer, a run
            return without_runs(replace(position, spin=None, sliders=None, huffable=None, compelled=False))
