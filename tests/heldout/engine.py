"""A draughts engine with faults to choose from: `engine.py RULESET [FAULT]`.

It plays russian, brazilian, international and lb, written from docs/protocol.md, spec/README.md, spec/rules.yaml and
the documents' clauses, and from no other program. Without FAULT it is meant to be right. Each fault is one mistake at
the place where it is easily made; faults.yaml says what each is.

Squares are complex numbers, column + row * 1j, row 0 nearest to White. A piece is its colour and `K` for a king.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Pieces = dict[complex, str]

FAULTS = """
    stops_anywhere crowned_at_end longest_only stalemate_drawn lifted_at_once kings_short men_spare_kings
    kings_count_two king_captures_first near_captures two_before_one men_step_back three_deep cache_side
    same_taken black_uncrowned turn_kept cache_kings wraps three_kings no_straight side_lag collisions
    captured_kings_stay blocked_refused seven_moves two_digit_kings last_black blocked_goes_on
"""


@dataclass(frozen=True)
class Game:
    """What the games differ in; `crowning` is what becomes of a man that jumps to its last row."""

    size: int
    rows: int
    first: str
    men_jump_back: bool
    long_kings: bool
    crowning: str
    lands_to_go_on: bool = False
    most_pieces: bool = False


GAMES = {
    "international": Game(10, 4, "W", True, True, "at-the-end", most_pieces=True),
    "brazilian": Game(8, 3, "W", True, True, "at-the-end", most_pieces=True),
    "russian": Game(8, 3, "W", True, True, "goes-on-as-king", lands_to_go_on=True),
    "lb": Game(8, 3, "B", False, False, "stops"),
}


@dataclass(frozen=True)
class Move:
    """The squares a piece touches, those it takes in their order, and whether it is crowned."""

    path: tuple[complex, ...]
    taken: tuple[complex, ...]
    crowned: bool


class Engine:
    """One game, with at most one fault."""

    def __init__(self, name: str, fault: str) -> None:
        self.name, self.game, self.fault = name, GAMES[name], fault
        size = self.game.size
        dark = [x + y * 1j for y in reversed(range(size)) for x in range(size) if (x + y) % 2 == 0]
        self.square = dict(enumerate(dark, 1))
        self.number = {square: number for number, square in self.square.items()}
        self.known: dict[Any, list[Move]] = {}
        self.last_side = ""

    # --- positions

    def read(self, fen: str) -> tuple[str, Pieces]:
        side, *fields = fen.split(":")
        pieces: Pieces = {}
        for field in fields:
            words = field[1:].split(",") if field[1:] else []
            if self.fault == "last_black" and field[0] == "B":
                words = words[:-1]
            for word in words:
                king = word[0] == "K" and not (self.fault == "two_digit_kings" and len(word) > 2)
                pieces[self.square[int(word.lstrip("K"))]] = field[0] + "K" * king
        return side, pieces

    def write(self, side: str, pieces: Pieces) -> str:
        told = {"W": list[str](), "B": list[str]()}
        for square in sorted(pieces, key=lambda square: self.number[square]):
            told[pieces[square][0]].append(f"{pieces[square][1:]}{self.number[square]}")
        return ":".join([side, *(colour + ",".join(words) for colour, words in told.items())])

    def start(self) -> str:
        size, rows = self.game.size, self.game.rows
        own = {square: "W" for square in self.number if square.imag < rows}
        return self.write(self.game.first, own | {s: "B" for s in self.number if s.imag >= size - rows})

    def last_row(self, square: complex, side: str) -> bool:
        return square.imag == (self.game.size - 1 if side == "W" else 0)

    def line(self, square: complex, way: complex) -> Iterator[complex]:
        """The squares of the board from one on, in a direction."""
        while (square := square + way) in self.number:
            yield square

    # --- moves

    def ways(self, side: str) -> list[complex]:
        """The four diagonals, those forward first."""
        ahead = 1j if side == "W" else -1j
        return [ahead * turn for turn in (1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j)]

    def quiet(self, side: str, pieces: Pieces, square: complex) -> Iterator[Move]:
        king = pieces[square][1:] == "K"
        far = king and self.game.long_kings and self.fault != "kings_short"
        ways = self.ways(side)
        for way in ways if king or self.fault == "men_step_back" else ways[:2]:
            reached = list(self.line(square, way))
            if self.fault == "wraps" and not reached:
                other = complex((square + way).real % self.game.size, (square + way).imag)
                reached = [other] if other in self.number else []
            for to in reached:
                if to in pieces:
                    break
                yield Move((square, to), (), not king and self.last_row(to, side))
                if not far:
                    break

    def chains(
        self, side: str, pieces: Pieces, king: bool, path: tuple[complex, ...], taken: tuple[complex, ...]
    ) -> list[Move]:
        """All complete captures that go on from the end of a path; `pieces` is without the one that moves."""
        game, ways = self.game, self.ways(side)
        if self.fault == "three_deep" and len(taken) == 3:
            return []
        far = king and game.long_kings and self.fault != "kings_short"
        chains = []
        for way in ways if king or game.men_jump_back else ways[:2]:
            if self.fault == "no_straight" and taken and path[-1] in self.line(taken[-1], way):
                continue
            line = list(self.line(path[-1], way))
            near = 1 if not far or self.fault == "near_captures" else len(line)
            over = next((s for s in line[:near] if s in pieces), None)
            if over is None or pieces[over][0] == side or over in taken:
                continue
            if self.fault == "men_spare_kings" and not king and pieces[over][1:] == "K":
                continue
            longer, ending = list[Move](), list[Move]()
            for to in self.line(over, way):
                if to in pieces:
                    break
                last = self.last_row(to, side) and not king
                crowned = king or (last and game.crowning == "goes-on-as-king" and self.fault != "crowned_at_end")
                there = pieces
                if self.fault == "lifted_at_once":
                    there = {square: piece for square, piece in pieces.items() if square != over}
                walked, eaten = (*path, to), (*taken, over)
                stops = last and game.crowning == "stops"
                on = [] if stops else self.chains(side, there, crowned, walked, eaten)
                longer += on
                if not on:
                    ending.append(Move(walked, eaten, crowned or last))
                if not far:
                    break
            if king and game.lands_to_go_on and longer and self.fault != "stops_anywhere":
                ending = []
            chains += longer + ending
        return chains

    def worth(self, move: Move, pieces: Pieces) -> tuple[int, ...]:
        """What a capture is ranked by where the choice is not free."""
        if self.fault == "two_before_one":
            return (min(len(move.taken), 2),)
        if self.fault == "kings_count_two":
            return (sum(len(pieces[square]) for square in move.taken),)
        return (len(move.taken), self.fault == "king_captures_first" and pieces[move.path[0]][1:] == "K")

    def captures(self, side: str, pieces: Pieces) -> list[Move]:
        found: dict[Any, Move] = {}
        for square in self.movers(side, pieces):
            others = {s: piece for s, piece in pieces.items() if s != square}
            king = pieces[square][1:] == "K"
            for move in self.chains(side, others, king, (square,), ()):
                end = None if self.fault == "same_taken" else move.path[-1]
                found.setdefault((square, end, frozenset(move.taken)), move)
        moves = list(found.values())
        if moves and (self.game.most_pieces or self.fault == "longest_only"):
            best = max(self.worth(move, pieces) for move in moves)
            moves = [move for move in moves if self.worth(move, pieces) == best]
        return moves

    def movers(self, side: str, pieces: Pieces) -> list[complex]:
        """The squares of a side's pieces."""
        men = [square for square, piece in pieces.items() if piece == side]
        kings = [square for square, piece in pieces.items() if piece == side + "K"]
        return men + (kings[:3] if self.fault == "three_kings" else kings)

    def key(self, side: str, pieces: Pieces) -> Any:
        """What a position is remembered by."""
        if self.fault == "cache_side":
            return frozenset(pieces.items())
        if self.fault == "cache_kings":
            return side, frozenset((square, piece) for square, piece in pieces.items() if piece[1:] != "K")
        if self.fault == "collisions":
            weight = {"W": 1, "B": 3, "WK": 5, "BK": 7}
            return side, sum(weight[piece] * self.number[square] for square, piece in pieces.items()) % 128
        return side, frozenset(pieces.items())

    def moves(self, side: str, pieces: Pieces) -> list[Move]:
        key = self.key(side, pieces)
        if key not in self.known:
            captures = self.captures(side, pieces)
            quiet = [move for square in self.movers(side, pieces) for move in self.quiet(side, pieces, square)]
            if self.fault == "side_lag" and self.last_side not in ("", side):
                captures, quiet = [], captures + quiet
            self.last_side = side
            moves = captures or quiet
            self.known[key] = moves[:7] if self.fault == "seven_moves" else moves
        return self.known[key]

    def text(self, move: Move) -> str:
        return ("x" if move.taken else "-").join(str(self.number[square]) for square in move.path)

    def after(self, side: str, pieces: Pieces, move: Move) -> str:
        left = {square: piece for square, piece in pieces.items() if square != move.path[0]}
        for square in move.taken:
            if not (self.fault == "captured_kings_stay" and pieces[square][1:] == "K"):
                del left[square]
        crowned = move.crowned or pieces[move.path[0]][1:] == "K"
        if self.fault == "black_uncrowned" and side == "B" and move.taken:
            crowned = pieces[move.path[0]][1:] == "K"
        left[move.path[-1]] = side + "K" * crowned
        stays = self.fault == "turn_kept" and len(move.taken) > 1
        return self.write(side if stays else "B" if side == "W" else "W", left)

    def outcome(self, side: str, pieces: Pieces) -> str:
        own = {piece[0] for piece in pieces.values()}
        winner = {"W": "white", "B": "black"}
        if len(own) == 1:
            return winner[own.pop()]
        if self.moves(side, pieces) or self.fault == "blocked_goes_on":
            return "ongoing"
        return "draw" if self.fault == "stalemate_drawn" else winner["B" if side == "W" else "W"]

    # --- the protocol

    def answer(self, method: str, given: dict[str, Any]) -> Any:
        """The result of a question. Raises ValueError for one that has none."""
        if method == "hello":
            questions = ["start", "moves", "play", "outcome"]
            own = {"name": "heldout-python", "version": "1", "rulesets": [self.name], "questions": questions}
            return {"protocol": 1, **own}
        if method == "quit":
            return None
        if method == "start":
            return {"position": self.start()}
        side, pieces = self.read(given["position"])
        if method == "outcome":
            return {"outcome": self.outcome(side, pieces)}
        moves = {self.text(move): move for move in self.moves(side, pieces)}
        if method == "moves":
            if self.fault == "blocked_refused" and not moves:
                raise ValueError("max() iterable argument is empty")
            return {"moves": list(moves)}
        return {"position": self.after(side, pieces, moves[given["move"]])}


def main(name: str, fault: str = "") -> None:
    """Answer until told to quit."""
    if name not in GAMES or fault not in ["", *FAULTS.split()]:
        sys.exit(f"engine.py: no game {name!r} or no fault {fault!r}")
    engine = Engine(name, fault)
    for line in sys.stdin:
        asked = json.loads(line)
        reply: dict[str, Any]
        try:
            reply = {"result": engine.answer(asked["method"], asked.get("params", {}))}
        except ValueError as error:
            reply = {"error": {"code": -32000, "message": str(error)}}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **reply}), flush=True)
        if asked["method"] == "quit":
            break


if __name__ == "__main__":
    main(*sys.argv[1:])
