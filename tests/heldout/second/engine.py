"""A draughts engine on sets of squares, with faults to choose from: `python engine.py RULESET [FAULT]`.

It plays frisian, italian, turkish, vl and international, written from docs/protocol.md, spec/README.md, spec/rules.yaml
and the documents' clauses, and from no other program. Without FAULT it is meant to be right. Each fault is one mistake
at the place where it is easily made; faults.yaml says what each is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar

FAULTS = """
    kings_all_lines kings_weigh_two king_not_preferred fourth_king_move unlimited_kings limit_without_men
    run_of_any_king run_after_capture run_of_captured run_without_men run_of_one_digit run_unread ending_at_once
    men_not_back men_diagonal kings_weigh_one runs_swapped
    king_order_ignored mirrored_board king_before_number crowned_jumper_goes_on first_not_counted man_moves_counted
    men_take_kings kings_counted_first kings_last
    men_straight never_opposite_first turns_back taken_at_end two_rows
    man_alone_no_draw capture_saves no_men_error majority_by_kind two_at_once default_list draws_first
    eight_rows last_jump_behind
"""
FAULT = sys.argv[2] if len(sys.argv) > 2 else ""

Vector = tuple[int, int]
#: Directions as White sees them: columns to the right, rows down.
FORWARD_DIAGONALS: tuple[Vector, ...] = ((-1, -1), (1, -1))
DIAGONALS: tuple[Vector, ...] = (*FORWARD_DIAGONALS, (-1, 1), (1, 1))
FORWARD, BACKWARD, LEFT, RIGHT = (0, -1), (0, 1), (-1, 0), (1, 0)


@dataclass(frozen=True)
class Capture:
    """A capture, or a quiet move if nothing is taken."""

    path: tuple[int, ...]
    by_king: bool
    taken: tuple[int, ...] = ()
    kings_taken: tuple[bool, ...] = ()
    crowns: bool = False

    @property
    def text(self) -> str:
        return ("x" if self.taken else "-").join(map(str, self.path))

    @property
    def same(self) -> tuple[int, int, frozenset[int]]:
        return self.path[0], self.path[-1], frozenset(self.taken)


def pieces_taken(capture: Capture) -> int:
    weight = 200 if FAULT == "kings_weigh_two" else game.king_weight
    return sum(weight if king else 100 for king in capture.kings_taken)


CRITERIA: dict[str, Callable[[Capture], Any]] = {
    "most-pieces": pieces_taken,
    "with-king": lambda capture: capture.by_king,
    "most-kings": lambda capture: sum(capture.kings_taken),
    "king-first": lambda capture: tuple(king != (FAULT == "kings_last") for king in capture.kings_taken),
}


@dataclass(frozen=True)
class Game:
    """What one game does otherwise than another."""

    size: int = 8
    every_square: bool = False
    dark: int = 1
    rows: tuple[int, int] = (0, 3)
    man_moves: tuple[Vector, ...] = FORWARD_DIAGONALS
    man_first: tuple[Vector, ...] = DIAGONALS
    man_later: tuple[Vector, ...] = DIAGONALS
    king_moves: tuple[Vector, ...] = DIAGONALS
    king_captures: tuple[Vector, ...] = DIAGONALS
    flying: bool = True
    men_take_kings: bool = True
    choice: tuple[str, ...] = ("most-pieces",)
    king_weight: int = 100
    at_once: bool = False
    crowning_ends: bool = False
    limit: int = 0
    one_each: bool = False
    capture_saves: bool = False
    repetition: int = 0
    drawn_king_moves: int = 0
    endings: dict[str, int] = field(default_factory=dict)


ORTHOGONALS = (FORWARD, BACKWARD, LEFT, RIGHT)
#: The same where only dark squares are played: a step covers two squares of the board.
LONG_ORTHOGONALS: tuple[Vector, ...] = ((0, -2), (0, 2), (-2, 0), (2, 0))
GAMES = {
    "frisian": Game(
        size=10, rows=(0, 4), man_first=(*DIAGONALS, *LONG_ORTHOGONALS), man_later=(*DIAGONALS, *LONG_ORTHOGONALS),
        king_captures=(*DIAGONALS, *LONG_ORTHOGONALS), choice=("most-pieces", "with-king"), king_weight=199, limit=3,
        endings={"KKvK": 7, "KvK": 2},
    ),
    "italian": Game(
        dark=0, man_first=FORWARD_DIAGONALS, man_later=FORWARD_DIAGONALS, flying=False, men_take_kings=False,
        choice=("most-pieces", "with-king", "most-kings", "king-first"), crowning_ends=True, repetition=3,
        drawn_king_moves=40,
    ),
    "turkish": Game(
        every_square=True, rows=(1, 3), man_moves=(FORWARD, LEFT, RIGHT), man_first=(FORWARD, LEFT, RIGHT),
        man_later=(FORWARD, LEFT, RIGHT), king_moves=ORTHOGONALS, king_captures=ORTHOGONALS, at_once=True,
        one_each=True, capture_saves=True, repetition=3,
    ),
    "vl": Game(man_first=FORWARD_DIAGONALS, one_each=True),
    "international": Game(size=10, rows=(0, 4)),
}  # fmt: skip
CHANGES: dict[str, dict[str, Any]] = {
    "kings_all_lines": {"king_moves": (*DIAGONALS, *LONG_ORTHOGONALS)},
    "king_not_preferred": {"choice": ("most-pieces",)},
    "fourth_king_move": {"limit": 4},
    "unlimited_kings": {"limit": 0},
    "men_not_back": dict.fromkeys(("man_first", "man_later"), (*FORWARD_DIAGONALS, (0, -2), (-2, 0), (2, 0))),
    "king_order_ignored": {"choice": ("most-pieces", "with-king", "most-kings")},
    "king_before_number": {"choice": ("with-king", "most-pieces", "most-kings", "king-first")},
    "mirrored_board": {"dark": 1},
    "crowned_jumper_goes_on": {"crowning_ends": False},
    "men_diagonal": {"man_first": DIAGONALS, "man_later": DIAGONALS},
    "kings_weigh_one": {"king_weight": 100},
    "men_take_kings": {"men_take_kings": True},
    "kings_counted_first": {"choice": ("most-kings", "most-pieces", "with-king", "king-first")},
    "taken_at_end": {"at_once": False},
    "two_rows": {"rows": (0, 2)},
    "men_straight": {"man_first": (FORWARD,), "man_later": (FORWARD,)},
}  # fmt: skip


def chosen(words: list[str]) -> Game:
    if len(words) not in (1, 2) or words[0] not in GAMES or not {*words[1:]} <= {*FAULTS.split()}:
        sys.exit("usage: engine.py RULESET [FAULT]")
    return replace(GAMES[words[0]], **CHANGES.get(FAULT, {}))


game = chosen(sys.argv[1:])

# --- the board

PLACES: list[Vector] = [
    (column, row)
    for row in range(game.size)
    for column in range(game.size)
    if game.every_square or (column + row) % 2 == game.dark
]
NUMBERS = {place: number for number, place in enumerate(PLACES, 1)}


@cache
def line(square: int, vector: Vector) -> tuple[int, ...]:
    """The squares from one on in a direction, up to the edge."""
    column, row = PLACES[square - 1]
    found = []
    while (column := column + vector[0], row := row + vector[1]) in NUMBERS:
        found.append(NUMBERS[column, row])
    return tuple(found)


def seen_by(side: str, vectors: tuple[Vector, ...]) -> tuple[Vector, ...]:
    return vectors if side == "W" else tuple((-column, -row) for column, row in vectors)


def is_last_row(side: str, square: int) -> bool:
    row = PLACES[square - 1][1]
    if FAULT == "eight_rows":
        return row == (0 if side == "W" else 7)
    return row == (0 if side == "W" else game.size - 1)


# --- positions


@dataclass(frozen=True)
class State:
    """Who is to move, and where each side's men and kings are; how often a king has moved in a row, and where it is."""

    side: str
    men: dict[str, frozenset[int]]
    kings: dict[str, frozenset[int]]
    runs: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def enemy(self) -> str:
        return "B" if self.side == "W" else "W"

    def pieces(self, side: str) -> frozenset[int]:
        return self.men[side] | self.kings[side]

    @property
    def occupied(self) -> frozenset[int]:
        return self.pieces("W") | self.pieces("B")

    def fen(self) -> str:
        parts = [self.side]
        for side in "WB":
            squares = sorted(self.pieces(side))
            parts.append(side + ",".join(f"{'K' * (square in self.kings[side])}{square}" for square in squares))
        if any(count for count, _ in self.runs.values()):
            parts.append("".join("+" + written_run(*self.runs.get(side, (0, 0))) for side in ORDER_OF_RUNS))
        return ":".join(parts)


#: In which order the runs stand in a position.
ORDER_OF_RUNS = "WB" if FAULT == "runs_swapped" else "BW"


def written_run(count: int, square: int) -> str:
    if FAULT == "run_of_one_digit":
        return f"{count}{square}" if count else "0"
    return f"{count}{square:02}" if count else "0"


def read(fen: str) -> State:
    side, *fields = fen.split(":")
    men: dict[str, frozenset[int]] = {"W": frozenset(), "B": frozenset()}
    kings = dict(men)
    runs: dict[str, tuple[int, int]] = {}
    for text in fields:
        if text.startswith("+"):
            for own, run in zip(ORDER_OF_RUNS, text[1:].split("+"), strict=True):
                if run != "0" and FAULT != "run_unread":
                    runs[own] = (int(run[0]), int(run[1:]))
            continue
        for word in filter(None, text[1:].split(",")):
            first, _, last = word.removeprefix("K").partition("-")
            squares = frozenset(range(int(first), int(last or first) + 1))
            if max(squares) > len(PLACES):
                raise ValueError(f"no such square: {word}")
            kind = kings if word.startswith("K") else men
            kind[text[0]] |= squares
    return State(side, men, kings, runs)


# --- moves


class Captures:
    """The captures of one piece."""

    #: With a fault, what all captures so far have taken.
    found: ClassVar[list[int]] = []

    def __init__(self, state: State, start: int) -> None:
        self.state = state
        self.start = start
        self.is_king = start in state.kings[state.side]
        self.enemies = state.pieces(state.enemy)
        self.targets = state.men[state.enemy] if not self.is_king and not game.men_take_kings else self.enemies
        self.others = state.occupied - {start}

    def jumps(
        self, square: int, is_king: bool, taken: tuple[int, ...], vectors: tuple[Vector, ...]
    ) -> Iterator[tuple[Vector, tuple[int, ...], int]]:
        """Each jump from a square: its direction, what it takes, and where it lands."""
        blocked = self.others.difference(taken) if game.at_once else self.others
        for vector in vectors:
            way = line(square, vector)
            far = is_king and game.flying
            at = next((i for i in range(len(way) if far else min(1, len(way))) if way[i] in blocked), None)
            if at is None or way[at] not in (self.enemies if is_king else self.targets) or way[at] in taken:
                continue
            over: tuple[int, ...] = (way[at],)
            if FAULT == "two_at_once" and is_king and at + 1 < len(way) and way[at + 1] in self.enemies - {*taken}:
                at += 1
                over = (*over, way[at])
            for landing in way[at + 1 : None if far else at + 2]:
                if landing in blocked:
                    break
                yield vector, over, landing

    def all(self) -> Iterator[Capture]:
        yield from self.further((self.start,), (), self.is_king, None, None, True)

    def further(
        self,
        path: tuple[int, ...],
        taken: tuple[int, ...],
        is_king: bool,
        first: Vector | None,
        last: Vector | None,
        is_behind: bool,
    ) -> Iterator[Capture]:
        """The captures that go on from the last square of a path."""
        side, square = self.state.side, path[-1]
        if taken and not is_king and is_last_row(side, square):
            if game.crowning_ends:
                yield self.ended(path, taken, crowns=True)
                return
            is_king = is_king or FAULT == "crowned_jumper_goes_on"
        vectors = game.king_captures if is_king else game.man_later if taken else game.man_first
        reference = first if FAULT == "never_opposite_first" else last
        ends = True
        for vector, over, landing in self.jumps(square, is_king, taken, seen_by(side, vectors)):
            back = is_king and reference and vector == (-reference[0], -reference[1])
            if back and game.at_once and FAULT != "turns_back":
                continue
            ends = False
            way = line(square, vector)
            behind = landing == way[way.index(over[-1]) + 1]
            yield from self.further(
                (*path, landing), (*taken, *over), is_king, first or vector, vector, behind or not is_king
            )
        if ends and taken and (is_behind or FAULT != "last_jump_behind"):
            crowns = not self.is_king and (is_king or is_last_row(side, square))
            yield self.ended(path, taken, crowns)

    def ended(self, path: tuple[int, ...], taken: tuple[int, ...], crowns: bool) -> Capture:
        kings = self.state.kings[self.state.enemy]
        if FAULT == "default_list":
            self.found.extend(square for square in taken if square not in self.found)
            taken = tuple(self.found)
        return Capture(path, self.is_king, taken, tuple(square in kings for square in taken), crowns)


def best(captures: list[Capture]) -> list[Capture]:
    for criterion in game.choice:
        value = CRITERIA[criterion]
        most = max(map(value, captures), default=None)
        captures = [capture for capture in captures if value(capture) == most]
    return captures


def all_captures(state: State) -> list[Capture]:
    """The captures to choose from, by every path."""
    Captures.found.clear()
    captures = [capture for start in sorted(state.pieces(state.side)) for capture in Captures(state, start).all()]
    if FAULT == "majority_by_kind":
        return [one for by_king in (False, True) for one in best([c for c in captures if c.by_king == by_king])]
    return best(captures)


def quiet_moves(state: State) -> list[Capture]:
    moves = []
    occupied = state.occupied
    count, runner = state.runs.get(state.side, (0, 0))
    bound = game.limit and count >= game.limit and (state.men[state.side] or FAULT == "limit_without_men")
    for start in sorted(state.pieces(state.side)):
        is_king = start in state.kings[state.side]
        if bound and start == runner:
            continue
        for vector in seen_by(state.side, game.king_moves if is_king else game.man_moves):
            for square in line(start, vector)[: None if is_king and game.flying else 1]:
                if square in occupied:
                    break
                crowns = not is_king and is_last_row(state.side, square)
                moves.append(Capture((start, square), is_king, crowns=crowns))
    return moves


def every_path(state: State) -> list[Capture]:
    return all_captures(state) or quiet_moves(state)


def legal(state: State) -> list[Capture]:
    if FAULT == "no_men_error" and not state.men[state.side]:
        raise ValueError("max() arg is an empty sequence")
    return list({move.same: move for move in every_path(state)}.values())


def next_runs(state: State, move: Capture, after: State) -> dict[str, tuple[int, int]]:
    """How often a king of each side has moved in a row."""
    runs = {state.enemy: state.runs.get(state.enemy, (0, 0))}
    count, square = state.runs.get(state.side, (0, 0))
    if move.by_king and not move.taken:
        goes_on = count and (square == move.path[0] or FAULT == "run_of_any_king")
        runs[state.side] = (count + 1 if goes_on else 1, move.path[-1])
    elif FAULT == "run_after_capture" and move.by_king and count and square == move.path[0]:
        runs[state.side] = (count, move.path[-1])
    if runs[state.enemy][1] in move.taken and FAULT != "run_of_captured":
        del runs[state.enemy]
    if FAULT in ("run_without_men", "limit_without_men"):
        return runs
    return {side: run for side, run in runs.items() if after.men[side]}


def play(state: State, move: Capture) -> State:
    side, enemy = state.side, state.enemy
    men, kings = dict(state.men), dict(state.kings)
    men[enemy] -= {*move.taken}
    kings[enemy] -= {*move.taken}
    men[side] -= {move.path[0]}
    kings[side] -= {move.path[0]}
    kind = kings if move.by_king or move.crowns else men
    kind[side] |= {move.path[-1]}
    after = State(enemy, men, kings)
    return replace(after, runs=next_runs(state, move, after)) if GAMES[sys.argv[1]].limit else after


def found(state: State, text: str) -> Capture:
    for move in every_path(state):
        if move.text == text:
            return move
    raise ValueError(f"no such move: {text}")


# --- the end of the game


def winner(side: str) -> str:
    return "white" if side == "W" else "black"


def outcome(state: State) -> str:
    if not state.pieces(state.side):
        return winner(state.enemy)
    if not state.pieces(state.enemy):
        return winner(state.side)
    moves = every_path(state)
    if not moves and not (FAULT == "draws_first" and len(state.pieces(state.side) | state.pieces(state.enemy)) == 2):
        return winner(state.enemy)
    if game.one_each and len(state.pieces("W")) == len(state.pieces("B")) == 1:
        if FAULT == "man_alone_no_draw" and (state.men["W"] or state.men["B"]):
            return "ongoing"
        if (game.capture_saves or FAULT == "capture_saves") and moves[0].taken:
            return "ongoing"
        return "draw"
    return "ongoing"


def ending_of(state: State) -> str | None:
    """The ending that a position belongs to, such as KKvK, the stronger side first."""
    sides = sorted(("K" * len(state.kings[side]) + "M" * len(state.men[side]) for side in "WB"), key=len)
    name = "v".join(reversed(sides))
    return name if name in game.endings else None


def outcome_after(state: State, texts: list[str]) -> str:
    """The outcome after the moves of a game: also by repetition, moves of kings alone, and endings."""
    stood = [] if FAULT == "first_not_counted" else [state.fen()]
    king_moves, ending, lasted = 0, ending_of(state), 0
    for text in texts:
        move = found(state, text)
        counts = not move.taken and (move.by_king or FAULT == "man_moves_counted")
        king_moves = king_moves + 1 if counts else 0
        state = play(state, move)
        stood.append(state.fen())
        lasted = lasted + 1 if ending_of(state) == ending else 0
        ending = ending_of(state)
    plain = outcome(state)
    if plain != "ongoing":
        return plain
    if game.repetition and stood.count(state.fen()) >= game.repetition:
        return "draw"
    if game.drawn_king_moves and king_moves >= 2 * game.drawn_king_moves:
        return "draw"
    if ending and (FAULT == "ending_at_once" or lasted >= 2 * game.endings[ending]):
        return "draw"
    return plain


# --- the protocol


def start() -> State:
    first, end = game.rows
    rows = {number: row for (_, row), number in NUMBERS.items()}
    black = frozenset(number for number, row in rows.items() if first <= row < end)
    white = frozenset(number for number, row in rows.items() if first <= game.size - 1 - row < end)
    return State("W", {"W": white, "B": black}, {"W": frozenset(), "B": frozenset()})


def answer(method: str, params: dict[str, Any]) -> Any:
    if method == "hello":
        return {
            "protocol": 1,
            "name": "second-python",
            "version": "1",
            "rulesets": [sys.argv[1]],
            "questions": ["start", "moves", "play", "outcome"],
            "history": bool(game.repetition or game.endings),
        }
    if method == "start":
        return {"position": start().fen()}
    state = read(params["position"])
    if method == "moves":
        return {"moves": [move.text for move in legal(state)]}
    if method == "play":
        return {"position": play(state, found(state, params["move"])).fen()}
    return {"outcome": outcome_after(state, params.get("moves", []))}


def main() -> None:
    for request in map(json.loads, sys.stdin):
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
        if request["method"] == "quit":
            print(json.dumps({**reply, "result": None}), flush=True)
            break
        try:
            reply["result"] = answer(request["method"], request["params"])
        except (ValueError, KeyError) as error:
            reply["error"] = {"code": -32000, "message": str(error)}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
