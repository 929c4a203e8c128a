"""A second move generator, written from spec/README.md alone and sharing no code with the reference.

It is slow and plain on purpose: a board is a dict from (column, row) to (colour, kind), everything is a loop.
Cell (0, 0) is the bottom left corner seen by White. The tests hold the reference against it.
Here are the board and the moves of pieces; whole turns are in tests/oracle/naive_turns.py. It is long because nothing
in it is clever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

Rules = Mapping[str, Any]
Piece = tuple[str, str]
Cell = tuple[int, int]
Board = dict[Cell, Piece]
Doors = frozenset[Cell]

DIRECTIONS: dict[str, Cell] = {
    "forward-left": (-1, 1),
    "forward": (0, 1),
    "forward-right": (1, 1),
    "left": (-1, 0),
    "right": (1, 0),
    "backward-left": (-1, -1),
    "backward": (0, -1),
    "backward-right": (1, -1),
}


@dataclass
class NaivePosition:
    """Pieces, side to move and what else the turn knows; fields a game does not have are None or False."""

    pieces: dict[int, Piece]
    turn: str
    sliders: str | None = None
    spin: str | None = None
    huffable: str | None = None
    compelled: bool = False
    #: For a colour the square of the king that moved last and how often it has, where that is counted.
    tired: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class NaiveMove:
    """One move; `paths` are its legal ways, each with every square the piece touches, from start to end."""

    start: int
    end: int
    captured: frozenset[int]
    promotes: bool
    paths: frozenset[tuple[int, ...]] = field(compare=False)
    position: NaivePosition = field(compare=False, repr=False)


@dataclass(frozen=True)
class Capture:
    """One way to capture: the cells touched, what each jump took, and the kinds of all that was taken, in order."""

    kind: str
    path: tuple[Cell, ...]
    jumps: tuple[tuple[Cell, ...], ...]
    kinds: tuple[str, ...]
    promotes: bool

    @property
    def victims(self) -> tuple[Cell, ...]:
        return tuple(victim for jump in self.jumps for victim in jump)


# --- positions in text


def read(fen: str) -> NaivePosition:
    turn, *sides = fen.split(":")
    sides, words = sides[:2], sides[2:]
    if len(sides) != 2 or {side[:1] for side in sides} != {"W", "B"} or turn not in ("W", "B"):
        raise ValueError(f"not a position this generator knows: {fen!r}")
    pieces: dict[int, Piece] = {}
    for side in sides:
        for word in side[1:].split(","):
            if not word:
                continue
            kind = "king" if word.startswith("K") else "man"
            first, _, last = word.removeprefix("K").partition("-")
            for number in range(int(first), int(last or first) + 1):
                if number in pieces:
                    raise ValueError(f"two pieces on {number}: {fen!r}")
                pieces[number] = (colour_of(side[0]), kind)
    fields: dict[str, str] = {}
    tired = {}
    for word in words:
        if word.startswith("+"):
            for colour, counted in zip(("black", "white"), word[1:].split("+"), strict=True):
                if counted != "0":
                    tired[colour] = (int(counted[1:]), int(counted[0]))
            continue
        name, _, value = word.partition("=")
        known = word == "compelled" or (name in ("sliders", "spin", "huffable") and value)
        if not known or name in fields:
            raise ValueError(f"not a position this generator knows: {fen!r}")
        fields[name] = value
    return NaivePosition(
        pieces,
        colour_of(turn),
        fields.get("sliders"),
        fields.get("spin"),
        fields.get("huffable"),
        "compelled" in fields,
        tired,
    )


def write(position: NaivePosition) -> str:
    def side(colour: str) -> str:
        words = []
        for number in sorted(position.pieces):
            owner, kind = position.pieces[number]
            if owner == colour:
                words.append(("K" if kind == "king" else "") + str(number))
        return ",".join(words)

    text = f"{position.turn[0].upper()}:W{side('white')}:B{side('black')}"
    for name in ("sliders", "spin", "huffable"):
        if getattr(position, name) is not None:
            text += f":{name}={getattr(position, name)}"
    text += ":compelled" if position.compelled else ""
    if not position.tired:
        return text
    return (
        text
        + ":"
        + "".join(
            f"+{moves}{square:02}" if square else "+0"
            for square, moves in (position.tired.get(colour, (0, 0)) for colour in ("black", "white"))
        )
    )


def colour_of(letter: str) -> str:
    return {"W": "white", "B": "black"}[letter]


def enemy_of(colour: str) -> str:
    return "black" if colour == "white" else "white"


# --- the board


def size(rules: Rules) -> tuple[int, int]:
    return parsed_size(rules["board.size"])


@cache
def parsed_size(text: str) -> tuple[int, int]:
    columns, _, rows = text.partition("x")
    return int(columns), int(rows)


def on_board(rules: Rules, cell: Cell) -> bool:
    columns, rows = size(rules)
    return 0 <= cell[0] < columns and 0 <= cell[1] < rows


def playable(rules: Rules, cell: Cell) -> bool:
    if not on_board(rules, cell):
        return False
    if rules["board.squares"] == "all":
        return True
    columns, _ = size(rules)
    corner = {"left": 0, "right": columns - 1}[rules["board.dark-corner"]]
    return (cell[0] - corner + cell[1]) % 2 == 0


def cells(rules: Rules) -> list[Cell]:
    """Every playable cell, in the order of the numbers."""
    columns, rows = size(rules)
    words = rules["board.numbering"].split("-")
    found = [(column, row) for column in range(columns) for row in range(rows) if playable(rules, (column, row))]

    def from_first(cell: Cell) -> tuple[int, int]:
        """How far a cell lies from the corner of the first square: rows first, or columns if numbers run along them."""
        across = cell[0] if words[1] == "left" else -cell[0]
        away = cell[1] if words[0] == "bottom" else -cell[1]
        return (across, away) if words[-1] in ("up", "down") else (away, across)

    return sorted(found, key=from_first)


def board_of(rules: Rules, position: NaivePosition) -> Board:
    order = cells(rules)
    return {order[number - 1]: piece for number, piece in position.pieces.items()}


def layout(rules: Rules) -> list[Mapping[str, Any]]:
    """The sliders of the game in their order; none if it has no trapdoors."""
    if "trapdoors.layout" not in rules:
        return []
    return list(rules["trapdoors.layout"]["sliders"])


def letters(rules: Rules, position: NaivePosition) -> str | None:
    """Where the sliders stand, all in the middle if the position does not say; None if there are none."""
    return position.sliders or "M" * len(layout(rules)) or None


def open_doors(rules: Rules, position: NaivePosition) -> set[int]:
    found = set()
    for slider, letter in zip(layout(rules), letters(rules, position) or "", strict=True):
        if letter == "L":
            found.add(int(slider["left"]))
        if letter == "R":
            found.add(int(slider["right"]))
    return found


def doors_of(rules: Rules, position: NaivePosition) -> Doors:
    """The cells whose doors are open."""
    order = cells(rules)
    return frozenset(order[number - 1] for number in open_doors(rules, position))


def step(rules: Rules, colour: str, cell: Cell, direction: str) -> Cell | None:
    """The next playable cell in a direction as `colour` sees it."""
    right, up = DIRECTIONS[direction]
    if colour == "black":
        right, up = -right, -up
    while True:
        cell = (cell[0] + right, cell[1] + up)
        if not on_board(rules, cell):
            return None
        if playable(rules, cell):
            return cell


def rows_from_own_side(rules: Rules, colour: str, cell: Cell) -> int:
    _, rows = size(rules)
    return cell[1] if colour == "white" else rows - 1 - cell[1]


def on_promotion_row(rules: Rules, colour: str, cell: Cell) -> bool:
    _, rows = size(rules)
    return rows_from_own_side(rules, colour, cell) >= rows - int(rules["promotion.rows"])


def start(rules: Rules) -> NaivePosition:
    men = rules["start.men"]
    pieces: dict[int, Piece] = {}
    for colour in ("white", "black"):
        for number, cell in enumerate(cells(rules), 1):
            if isinstance(men, Mapping):
                there = number in men[colour]
            else:
                there = rows_from_own_side(rules, colour, cell) < int(men)
            if there:
                crowned = isinstance(men, Mapping) and number in men.get("kings", ())
                pieces[number] = (colour, "king" if crowned else "man")
    return NaivePosition(pieces, rules["start.first"], "M" * len(layout(rules)) or None)


# --- lines and quiet moves


def ahead(
    rules: Rules, board: Board, doors: Doors, colour: str, kind: str, at: Cell, direction: str
) -> tuple[list[Cell], Cell | None]:
    """The empty cells a piece meets in a direction, and the occupied one behind them if the line gets there.
    Only for kings an open door can end the line."""
    passing = rules["trapdoors.passing"] if kind == "king" and doors else "over"
    found: list[Cell] = []
    cell = step(rules, colour, at, direction)
    while cell is not None and cell not in board:
        if cell in doors and passing == "blocked":
            return found, None
        found.append(cell)
        if cell in doors and passing == "falls":
            return found, None
        cell = step(rules, colour, cell, direction)
    return found, cell


def quiet_ends(rules: Rules, board: Board, doors: Doors, origin: Cell) -> Iterator[Cell]:
    colour, kind = board[origin]
    reach = rules[f"{kind}.move.reach"]
    for direction in rules[f"{kind}.move.directions"]:
        empty, _ = ahead(rules, board, doors, colour, kind, origin, direction)
        for cell in empty if reach == "any" else empty[: int(reach)]:
            if cell not in doors or rules["trapdoors.quiet-landing"] == "falls":
                yield cell
    for direction in rules.get("man.move.over-own", ()) if kind == "man" else ():
        over = step(rules, colour, origin, direction)
        if over is None or over not in board or board[over][0] != colour:
            continue
        end = step(rules, colour, over, direction)
        if end is None or end in board:
            continue
        if end not in doors or rules["trapdoors.quiet-landing"] == "falls":
            yield end


# --- captures


def jumps(
    rules: Rules, board: Board, doors: Doors, colour: str, kind: str, path: tuple[Cell, ...], victims: tuple[Cell, ...]
) -> list[tuple[tuple[Cell, ...], list[Cell]]]:
    """What the piece can jump next, each with the cells it can land on. `victims` were jumped before, on `path`."""
    at = path[-1]
    if kind == "king":
        directions = rules["king.capture.directions"]
        if victims:
            directions = rules.get("king.capture.later", directions)
        far = rules["king.capture.reach"] == "any"
        furthest = {"behind": 1, "within-two": 2, "any": None}[rules["king.capture.landing"]]
    else:
        directions = rules["man.capture.later"] if victims else rules["man.capture.first"]
        far, furthest = False, 1

    found = []
    for direction in directions:
        between, target = ahead(rules, board, doors, colour, kind, at, direction)
        if target is None:
            continue
        if not far and len(between) != (rules.get("man.capture.gap", 0) if kind == "man" else 0):
            continue
        if kind == "king" and victims and "king.capture.turning" in rules:
            turn = turn_of(path, target)
            if turn == "back" or (turn == "aside" and rules["king.capture.turning"] == "straight"):
                continue
        row = in_a_row(rules, board, colour, target, direction)
        if kind == "man" or "king.capture.pieces" not in rules:
            row = row[:1]
        if any(cell in victims or board[cell][0] == colour for cell in row):
            continue
        kinds = {board[cell][1] for cell in row}
        if kind == "man" and "king" in kinds and rules["man.capture.takes"] == "men":
            continue
        if kind == "king" and "man" in kinds and direction in rules.get("king.capture.kings-only", ()):
            continue
        landings, _ = ahead(rules, board, doors, colour, kind, row[-1], direction)
        if landings:
            found.append((row, landings[:furthest]))
    return found


def in_a_row(rules: Rules, board: Board, colour: str, first: Cell, direction: str) -> tuple[Cell, ...]:
    """The occupied cells from the first on that have nothing between them."""
    behind = step(rules, colour, first, direction)
    return (first, *(in_a_row(rules, board, colour, behind, direction) if behind in board else ()))


def turn_of(path: tuple[Cell, ...], target: Cell) -> str:
    """Whether `target` lies *on*, in the direction of the last leg of the path, *back*, the opposite, or *aside*."""
    (c0, r0), (c1, r1) = path[-2:]
    came, goes = (c1 - c0, r1 - r0), (target[0] - c1, target[1] - r1)
    if came[0] * goes[1] != came[1] * goes[0]:
        return "aside"
    return "back" if came[0] * goes[0] + came[1] * goes[1] < 0 else "on"


def without(rules: Rules, board: Board, victims: tuple[Cell, ...]) -> Board:
    """The board after a jump, while the capture goes on."""
    if rules["capture.removal"] == "at-end":
        return board
    return {cell: piece for cell, piece in board.items() if cell not in victims}


def captures_from(rules: Rules, position_board: Board, doors: Doors, origin: Cell) -> Iterator[Capture]:
    """Every complete capture of the piece on `origin`, each path by itself."""
    colour, first_kind = position_board[origin]
    whole = rules["capture.completion"] == "whole"
    mid_capture = rules["promotion.mid-capture"]
    ends_on = doors if rules.get("trapdoors.capture-landing") == "ends" else frozenset()

    def capture(path: tuple[Cell, ...], before: tuple[tuple[Cell, ...], ...], promotes: bool) -> Capture:
        kinds = tuple(position_board[victim][1] for jump in before for victim in jump)
        return Capture(first_kind, path, before, kinds, promotes)

    def go(
        board: Board,
        kind: str,
        passed: bool,
        path: tuple[Cell, ...],
        before: tuple[tuple[Cell, ...], ...],
        halt: Cell | None,
    ) -> Iterator[Capture]:
        """All captures that begin so. `passed`: as a man it had reached the promotion row and left it. `halt`: if not
        None, the only cell on which the capture may end before another jump."""
        at = path[-1]
        victims = tuple(victim for jump in before for victim in jump)
        can_end = halt is None or halt == at
        if victims and at in ends_on:
            if not can_end:
                return
            yield capture(path, before, False)
            return
        arrived = kind == "man" and bool(victims) and on_promotion_row(rules, colour, at)
        crownable = arrived and not (passed and rules["promotion.return"] == "not-crowned")
        if arrived and mid_capture == "as-king":
            kind = "king"
        nexts = jumps(rules, board, doors, colour, kind, path, victims)
        if arrived and mid_capture == "as-man-else-king" and crownable and not nexts:
            kind = "king"
            nexts = jumps(rules, board, doors, colour, kind, path, victims)
        if (arrived and mid_capture == "stops") or (victims and rules["capture.completion"] == "one"):
            nexts = []

        if victims and can_end and not (nexts and whole):
            promotes = first_kind == "man" and (kind == "king" or crownable) and at not in doors
            yield capture(path, before, promotes)

        for row, landings in nexts:
            rest = without(rules, board, row)
            jumped = (*victims, *row)
            if kind == "king" and whole and rules.get("king.capture.finish") == "continuing":
                onward = [cell for cell in landings if cell not in ends_on]
                onward = [cell for cell in onward if jumps(rules, rest, doors, colour, kind, (*path, cell), jumped)]
                landings = onward or landings
            finish = rules.get("king.capture.finish")
            over_king = finish == "behind-last-king" and position_board[row[-1]][1] == "king"
            halts = kind == "king" and (over_king or finish == "behind-last")
            for landing in landings:
                left = kind == "man" and arrived and not on_promotion_row(rules, colour, landing)
                after = landings[0] if halts else None
                yield from go(rest, kind, passed or left, (*path, landing), (*before, row), after)

    board = dict(position_board)
    if rules["capture.origin"] == "empty":
        del board[origin]
    yield from go(board, first_kind, False, (origin,), (), None)


def best_by(rules: Rules, criterion: str, left: list[Capture], possible: list[Capture]) -> list[Capture]:
    """Those of the captures `left` that are best by a criterion; `possible` are all there were."""
    king = Fraction(str(rules.get("capture.king-weight", 1)))

    def counted(capture: Capture) -> Fraction:
        return sum((king if kind == "king" else Fraction(1) for kind in capture.kinds), Fraction(0))

    def worth(capture: Capture) -> Any:
        if criterion == "most-pieces":
            return counted(capture)
        if criterion == "multiple-before-single":
            return counted(capture) >= 2
        if criterion == "multiple-when-mixed":
            mixed = {other.kind for other in possible} == {"man", "king"}
            return mixed and counted(capture) >= 2
        if criterion == "with-king":
            return capture.kind == "king"
        if criterion == "most-kings":
            return capture.kinds.count("king")
        if criterion == "king-first":
            longest = max(len(other.kinds) for other in left)
            order = [kind == "king" for kind in capture.kinds]
            return order + [False] * (longest - len(order))
        raise ValueError(f"unknown criterion {criterion!r}")

    best = max(worth(capture) for capture in left)
    return [capture for capture in left if worth(capture) == best]


def legal_captures(rules: Rules, board: Board, doors: Doors, colour: str) -> list[Capture]:
    possible: list[Capture] = []
    for origin, (owner, _) in board.items():
        if owner == colour:
            possible.extend(captures_from(rules, board, doors, origin))
    return best_of(rules, possible)


def best_of(rules: Rules, possible: list[Capture]) -> list[Capture]:
    """The captures that the choice leaves."""
    criteria = rules["capture.choice"]
    if not possible or not criteria:
        return possible
    best = possible
    for criterion in criteria:
        best = best_by(rules, criterion, best, possible)
    if rules["capture.binds"] == "path":
        return best
    movers = {capture.path[0] for capture in best}
    return [capture for capture in possible if capture.path[0] in movers]


# --- moves of pieces


def capturing(rules: Rules, position: NaivePosition) -> set[NaiveMove]:
    """The legal captures."""
    board, doors = board_of(rules, position), doors_of(rules, position)
    number = {cell: index for index, cell in enumerate(cells(rules), 1)}
    ways: dict[tuple[int, int, frozenset[int], bool], set[tuple[int, ...]]] = {}
    for capture in legal_captures(rules, board, doors, position.turn):
        path = tuple(number[cell] for cell in capture.path)
        captured = frozenset(number[cell] for cell in capture.victims)
        ways.setdefault((path[0], path[-1], captured, capture.promotes), set()).add(path)
    return {NaiveMove(*key, frozenset(paths), played(rules, position, *key)) for key, paths in ways.items()}


def capture_orders(rules: Rules, position: NaivePosition) -> dict[Any, set[tuple[int, ...]]]:
    """For each legal capture, by (start, end, captured, promotes), the orders in which its ways jump the pieces."""
    board, doors = board_of(rules, position), doors_of(rules, position)
    number = {cell: index for index, cell in enumerate(cells(rules), 1)}
    orders: dict[Any, set[tuple[int, ...]]] = {}
    for capture in legal_captures(rules, board, doors, position.turn):
        jumped = tuple(number[cell] for cell in capture.victims)
        key = (number[capture.path[0]], number[capture.path[-1]], frozenset(jumped), capture.promotes)
        orders.setdefault(key, set()).add(jumped)
    return orders


def quiet(rules: Rules, position: NaivePosition) -> set[NaiveMove]:
    """The quiet moves, whether or not a capture forbids them."""
    board, doors = board_of(rules, position), doors_of(rules, position)
    number = {cell: index for index, cell in enumerate(cells(rules), 1)}
    found = set()
    for origin, (owner, kind) in board.items():
        if owner == position.turn:
            for end in quiet_ends(rules, board, doors, origin):
                crowned = kind == "man" and on_promotion_row(rules, owner, end) and end not in doors
                key = (number[origin], number[end], frozenset[int](), crowned)
                found.add(NaiveMove(*key, frozenset({key[:2]}), played(rules, position, *key)))
    if rules["king.move.slides"] == "once" or legal_captures(rules, board, doors, position.turn):
        return found
    return with_second_slides(rules, position, found)


def with_second_slides(rules: Rules, position: NaivePosition, first: set[NaiveMove]) -> set[NaiveMove]:
    """Quiet moves, and the turns of kings that slide a second time and capture if they then can."""
    cell = dict(enumerate(cells(rules), 1))
    number = {place: index for index, place in cell.items()}
    ways = {(move.start, move.end, move.captured, move.promotes): set(move.paths) for move in first}
    for move in first:
        origin, middle = cell[move.start], cell[move.end]
        board = board_of(rules, position)
        if board[origin][1] == "man":
            continue
        king = board.pop(origin)
        for end in quiet_ends(rules, {**board, middle: king}, frozenset(), middle):
            if end == origin:
                continue
            slid = (move.start, move.end, number[end])
            captures = best_of(rules, list(captures_from(rules, {**board, end: king}, frozenset(), end)))
            for capture in captures:
                path = (*slid, *(number[place] for place in capture.path[1:]))
                captured = frozenset(number[place] for place in capture.victims)
                ways.setdefault((move.start, path[-1], captured, False), set()).add(path)
            if not captures:
                ways.setdefault((move.start, number[end], frozenset(), False), set()).add(slid)
    return {NaiveMove(*key, frozenset(paths), played(rules, position, *key)) for key, paths in ways.items()}


def played(
    rules: Rules, position: NaivePosition, origin: int, end: int, captured: frozenset[int], promotes: bool
) -> NaivePosition:
    """The position after a move of a piece, the other side to move; on an open door the piece is gone."""
    pieces = dict(position.pieces)
    colour, kind = pieces.pop(origin)
    for number in captured:
        del pieces[number]
    if end not in open_doors(rules, position):
        pieces[end] = (colour, "king" if promotes else kind)
    after = NaivePosition(pieces, enemy_of(colour), letters(rules, position))
    if "king.move.limit" in rules:
        after.tired = tiredness(position, after, origin, end, bool(captured))
    return after


def tiredness(
    position: NaivePosition, after: NaivePosition, origin: int, end: int, captures: bool
) -> dict[str, tuple[int, int]]:
    """How often the king that moved last has moved in a row, for each side that has a man and such a king."""
    tired = dict(position.tired)
    mover = position.turn
    square, moves = tired.pop(mover, (0, 0))
    if position.pieces[origin][1] == "king" and not captures:
        tired[mover] = (end, moves + 1 if square == origin else 1)
    return {
        colour: (square, moves)
        for colour, (square, moves) in tired.items()
        if after.pieces.get(square) == (colour, "king") and (colour, "man") in after.pieces.values()
    }


def rested(rules: Rules, position: NaivePosition, found: set[NaiveMove]) -> set[NaiveMove]:
    """Moves without those that capture nothing of a king that has moved too often in a row already."""
    square, moves = position.tired.get(position.turn, (0, 0))
    if moves < rules.get("king.move.limit", 10) or (position.turn, "man") not in position.pieces.values():
        return found
    return {move for move in found if move.start != square or move.captured}


def moves(rules: Rules, position: NaivePosition) -> set[NaiveMove]:
    """The legal moves of pieces in a game where a turn is nothing else."""
    refuse(rules)
    for name in rules:
        if name.startswith(("trapdoors.", "spin.")):
            raise ValueError(f"not covered by moves: {name}")
    return ordinary(rules, position)


def after(rules: Rules, position: NaivePosition, move: NaiveMove) -> NaivePosition:
    for legal in moves(rules, position):
        if legal == move:
            return legal.position
    raise ValueError(f"not a legal move in {write(position)}: {move}")


def ordinary(rules: Rules, position: NaivePosition) -> set[NaiveMove]:
    return rested(rules, position, unlimited(rules, position))


def unlimited(rules: Rules, position: NaivePosition) -> set[NaiveMove]:
    captures = capturing(rules, position)
    if rules["capture.duty"] == "optional":
        return captures | quiet(rules, position)
    if rules["capture.duty"] == "compulsory-for-men":
        taken = {position.pieces[square][1] for move in captures for square in move.captured}
        return captures if "man" in taken else captures | quiet(rules, position)
    return captures or quiet(rules, position)


def unfinished(rules: Rules, position: NaivePosition) -> set[NaiveMove]:
    """Legal captures broken off after a jump from which they go on, each path cut after every jump but the last."""
    board, doors = board_of(rules, position), doors_of(rules, position)
    number = {cell: index for index, cell in enumerate(cells(rules), 1)}
    ways: dict[tuple[int, int, frozenset[int], bool], set[tuple[int, ...]]] = {}
    for capture in legal_captures(rules, board, doors, position.turn):
        for jumped in range(1, len(capture.jumps)):
            path = capture.path[: jumped + 1]
            captured = frozenset(number[cell] for jump in capture.jumps[:jumped] for cell in jump)
            key = (number[path[0]], number[path[-1]], captured, crowned_by(rules, position.turn, capture.kind, path))
            ways.setdefault(key, set()).add(tuple(number[cell] for cell in path))
    return {NaiveMove(*key, frozenset(paths), played(rules, position, *key)) for key, paths in ways.items()}


def less(rules: Rules, position: NaivePosition) -> set[NaiveMove]:
    """Captures that the choice does not allow, or that are broken off, each path cut after every jump."""
    allowed = {(move.start, move.end, move.captured, move.promotes) for move in capturing(rules, position)}
    unranked = {**rules, "capture.choice": []}
    found = capturing(unranked, position) | unfinished(unranked, position)
    ways: dict[tuple[int, int, frozenset[int], bool], set[tuple[int, ...]]] = {}
    for move in found:
        ways.setdefault((move.start, move.end, move.captured, move.promotes), set()).update(move.paths)
    return {
        NaiveMove(*key, frozenset(paths), played(rules, position, *key))
        for key, paths in ways.items()
        if key not in allowed
    }


def crowned_by(rules: Rules, colour: str, kind: str, path: tuple[Cell, ...]) -> bool:
    """Whether a man is crowned that jumps along a path and stops at its end."""
    reached = [on_promotion_row(rules, colour, cell) for cell in path[1:]]
    if kind == "king" or True not in reached:
        return False
    if rules["promotion.mid-capture"] == "as-king":
        return True
    passed = any(here and not there for here, there in pairwise(reached))
    if rules["promotion.mid-capture"] == "as-man-else-king" and not reached[-1]:
        raise ValueError("not covered: an unfinished capture of a piece that may be man or king")
    return reached[-1] and not (passed and rules["promotion.return"] == "not-crowned")


def refuse(rules: Rules) -> None:
    """Raise ValueError for games this generator does not play."""
    if rules["capture.duty"] == "huffing" and "spin.when" in rules:
        raise ValueError("not covered: capture.duty 'huffing' with a spinner")
