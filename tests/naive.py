"""A second move generator, written from spec/README.md alone and sharing no code with the reference.

It is slow and plain on purpose: a board is a dict from (column, row) to (colour, kind), everything is a loop.
Cell (0, 0) is the bottom left corner seen by White. The tests hold the reference against it.
Games with trapdoors are refused; lapses under huffing are not listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

Rules = Mapping[str, Any]
Cell = tuple[int, int]
Piece = tuple[str, str]
Board = dict[Cell, Piece]

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
    pieces: dict[int, Piece]
    turn: str


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
    """One way to capture: the cells touched, and what was jumped in the order of the jumps."""

    kind: str
    path: tuple[Cell, ...]
    victims: tuple[Cell, ...]
    kinds: tuple[str, ...]
    promotes: bool


# --- positions in text


def read(fen: str) -> NaivePosition:
    turn, *sides = fen.split(":")
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
    return NaivePosition(pieces, colour_of(turn))


def write(position: NaivePosition) -> str:
    def side(colour: str) -> str:
        words = []
        for number in sorted(position.pieces):
            owner, kind = position.pieces[number]
            if owner == colour:
                words.append(("K" if kind == "king" else "") + str(number))
        return ",".join(words)

    return f"{position.turn[0].upper()}:W{side('white')}:B{side('black')}"


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
    vertical, horizontal = rules["board.numbering"].split("-")
    down = range(rows - 1, -1, -1) if vertical == "top" else range(rows)
    across = range(columns) if horizontal == "left" else range(columns - 1, -1, -1)
    found = []
    for row in down:
        for column in across:
            if playable(rules, (column, row)):
                found.append((column, row))
    return found


def board_of(rules: Rules, position: NaivePosition) -> Board:
    order = cells(rules)
    return {order[number - 1]: piece for number, piece in position.pieces.items()}


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


def on_crownhead(rules: Rules, colour: str, cell: Cell) -> bool:
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
                pieces[number] = (colour, "man")
    return NaivePosition(pieces, rules["start.first"])


# --- quiet moves


def quiet_ends(rules: Rules, board: Board, origin: Cell) -> Iterator[Cell]:
    colour, kind = board[origin]
    reach = rules[f"{kind}.move.reach"]
    for direction in rules[f"{kind}.move.directions"]:
        steps = 0
        cell = step(rules, colour, origin, direction)
        while cell is not None and cell not in board:
            steps += 1
            if reach != "any" and steps > int(reach):
                break
            yield cell
            cell = step(rules, colour, cell, direction)


# --- captures


def jumps(
    rules: Rules, board: Board, colour: str, kind: str, at: Cell, victims: tuple[Cell, ...]
) -> list[tuple[Cell, list[Cell]]]:
    """What the piece can jump next, each with the cells it can land on. `victims` were jumped before."""
    if kind == "king":
        directions = rules["king.capture.directions"]
        far = rules["king.capture.reach"] == "any"
        long_landing = rules["king.capture.landing"] != "behind"
    else:
        directions = rules["man.capture.later"] if victims else rules["man.capture.first"]
        far = long_landing = False

    found = []
    for direction in directions:
        target = step(rules, colour, at, direction)
        while far and target is not None and target not in board:
            target = step(rules, colour, target, direction)
        if target is None or target not in board or target in victims:
            continue
        owner, target_kind = board[target]
        if owner == colour:
            continue
        if kind == "man" and target_kind == "king" and rules["man.capture.takes"] == "men":
            continue
        landings = []
        landing = step(rules, colour, target, direction)
        while landing is not None and landing not in board:
            landings.append(landing)
            if not long_landing:
                break
            landing = step(rules, colour, landing, direction)
        if landings:
            found.append((target, landings))
    return found


def without(rules: Rules, board: Board, victim: Cell) -> Board:
    """The board after a jump, while the capture goes on."""
    if rules["capture.removal"] == "at-end":
        return board
    return {cell: piece for cell, piece in board.items() if cell != victim}


def captures_from(rules: Rules, position_board: Board, origin: Cell) -> Iterator[Capture]:
    """Every complete capture of the piece on `origin`, each path by itself."""
    colour, first_kind = position_board[origin]
    whole = rules["capture.completion"] == "whole"
    mid_capture = rules["promotion.mid-capture"]

    def go(
        board: Board, kind: str, passed: bool, path: tuple[Cell, ...], victims: tuple[Cell, ...]
    ) -> Iterator[Capture]:
        """All captures that begin so. `passed`: as a man it had reached the crownhead and left it."""
        at = path[-1]
        arrived = kind == "man" and bool(victims) and on_crownhead(rules, colour, at)
        crownable = arrived and not (passed and rules["promotion.return"] == "not-crowned")
        if arrived and mid_capture == "as-king":
            kind = "king"
        nexts = jumps(rules, board, colour, kind, at, victims)
        if arrived and mid_capture == "as-man-else-king" and crownable and not nexts:
            kind = "king"
            nexts = jumps(rules, board, colour, kind, at, victims)
        if arrived and mid_capture == "stops":
            nexts = []

        if victims and not (nexts and whole):
            kinds = tuple(position_board[victim][1] for victim in victims)
            promotes = first_kind == "man" and (kind == "king" or crownable)
            yield Capture(first_kind, path, victims, kinds, promotes)

        for victim, landings in nexts:
            rest = without(rules, board, victim)
            jumped = (*victims, victim)
            if kind == "king" and whole and rules["king.capture.landing"] == "continuing":
                going_on = [cell for cell in landings if jumps(rules, rest, colour, kind, cell, jumped)]
                landings = going_on or landings
            for landing in landings:
                left = kind == "man" and arrived and not on_crownhead(rules, colour, landing)
                yield from go(rest, kind, passed or left, (*path, landing), jumped)

    board = dict(position_board)
    if rules["capture.origin"] == "empty":
        del board[origin]
    yield from go(board, first_kind, False, (origin,), ())


def best_by(rules: Rules, criterion: str, left: list[Capture], possible: list[Capture]) -> list[Capture]:
    """Those of the captures `left` that are best by a criterion; `possible` are all there were."""

    def worth(capture: Capture) -> Any:
        if criterion == "most-pieces":
            return len(capture.victims)
        if criterion == "weighted-count":
            king = Fraction(str(rules["capture.king-weight"]))
            return sum(king if kind == "king" else 1 for kind in capture.kinds)
        if criterion == "multiple-before-single":
            return len(capture.victims) > 1
        if criterion == "multiple-when-mixed":
            mixed = {other.kind for other in possible} == {"man", "king"}
            return mixed and len(capture.victims) > 1
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


def legal_captures(rules: Rules, board: Board, colour: str) -> list[Capture]:
    possible: list[Capture] = []
    for origin, (owner, _) in board.items():
        if owner == colour:
            possible.extend(captures_from(rules, board, origin))
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


# --- the three questions


def moves(rules: Rules, position: NaivePosition) -> set[NaiveMove]:
    refuse(rules)
    board = board_of(rules, position)
    number = {cell: index for index, cell in enumerate(cells(rules), 1)}
    ways: dict[tuple[int, int, frozenset[int], bool], set[tuple[int, ...]]] = {}

    captures = legal_captures(rules, board, position.turn)
    for capture in captures:
        path = tuple(number[cell] for cell in capture.path)
        captured = frozenset(number[cell] for cell in capture.victims)
        ways.setdefault((path[0], path[-1], captured, capture.promotes), set()).add(path)

    if not captures or rules["capture.duty"] == "optional":
        for origin, (owner, kind) in board.items():
            if owner == position.turn:
                for end in quiet_ends(rules, board, origin):
                    path = (number[origin], number[end])
                    crowned = kind == "man" and on_crownhead(rules, owner, end)
                    ways.setdefault((path[0], path[1], frozenset(), crowned), set()).add(path)

    found = set()
    for (origin_number, end_number, captured, promotes), paths in ways.items():
        result = played(position, origin_number, end_number, captured, promotes)
        found.add(NaiveMove(origin_number, end_number, captured, promotes, frozenset(paths), result))
    return found


def refuse(rules: Rules) -> None:
    """Raise ValueError for games this generator does not play."""
    for name in rules:
        if name.startswith(("trapdoors.", "spin.")):
            raise ValueError(f"not covered: {name}")
    if rules["king.move.slides"] != "once":
        raise ValueError(f"not covered: king.move.slides {rules['king.move.slides']!r}")


def covers(rules: Rules) -> bool:
    """Whether this generator plays a game."""
    try:
        refuse(rules)
    except ValueError:
        return False
    return True


def played(position: NaivePosition, origin: int, end: int, captured: frozenset[int], promotes: bool) -> NaivePosition:
    pieces = dict(position.pieces)
    colour, kind = pieces.pop(origin)
    for number in captured:
        del pieces[number]
    pieces[end] = (colour, "king" if promotes else kind)
    return NaivePosition(pieces, enemy_of(colour))


def after(rules: Rules, position: NaivePosition, move: NaiveMove) -> NaivePosition:
    if move not in moves(rules, position):
        raise ValueError(f"not a legal move in {write(position)}: {move}")
    return played(position, move.start, move.end, move.captured, move.promotes)


def outcome(rules: Rules, position: NaivePosition) -> tuple[str, str | None]:
    """Who has won, or that it is a draw, and by what."""
    losses = lost(rules, position)
    draws = drawn(rules, position)
    if rules.get("ending.order") == "draws-first":
        return draws or losses or ("ongoing", None)
    return losses or draws or ("ongoing", None)


def lost(rules: Rules, position: NaivePosition) -> tuple[str, str] | None:
    mover, other = position.turn, enemy_of(position.turn)
    owners = [colour for colour, _ in position.pieces.values()]
    for colour in (mover, other):
        if colour not in owners:
            return decided(rules["ending.no-pieces"], colour), "no-pieces"
    if not moves(rules, position):
        return decided(rules["ending.no-moves"], mover), "no-moves"
    return None


def decided(verdict: str, colour: str) -> str:
    return {"loses": enemy_of(colour), "wins": colour, "draws": "draw"}[verdict]


def drawn(rules: Rules, position: NaivePosition) -> tuple[str, str] | None:
    owners = sorted(colour for colour, _ in position.pieces.values())
    kinds = {kind for _, kind in position.pieces.values()}
    for name in rules["ending.draws"]:
        if owners != ["black", "white"]:
            continue
        if name == "one-piece-each-same-kind" and len(kinds) != 1:
            continue
        if name == "one-piece-each-no-capture" and any(move.captured for move in moves(rules, position)):
            continue
        return "draw", name
    return None


def perft(rules: Rules, position: NaivePosition, depth: int) -> int:
    """How many lines of `depth` moves there are, by the rules of movement alone."""
    if depth == 0:
        return 1
    return sum(perft(rules, move.position, depth - 1) for move in moves(rules, position))
