"""The moves of pieces in a position: what the generator finds in bits, as moves, and the position after each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from .frozen import unchecked
from .move import Move
from .moves import Generator
from .pieces import seen_by_mover, with_pieces
from .position import Position
from .rules import Rules
from .runs import allowed, followed
from .tables import Step
from .trapdoors import open_doors


class Movement:
    """Moves of pieces by one set of rules, whatever the turn around them."""

    def __init__(self, rules: Rules, *, every_path: bool = True) -> None:
        self.rules = rules
        self.generator = Generator(rules, every_path=every_path)

    def legal(self, position: Position) -> list[Move]:
        """The moves of a turn that is one move of a piece."""
        steps = self.generator.steps(*seen_by_mover(position), open_doors(self.rules, position))
        return self.moves(position, allowed(self.rules.king.move_limit, position, steps))

    def captures(self, position: Position) -> list[Step]:
        """The captures that are legal where a capture is played, by every path."""
        return self.generator.captures(*seen_by_mover(position), open_doors(self.rules, position))

    def quiet(self, position: Position) -> list[Step]:
        """The moves that do not begin with a capture, whether or not there is a duty to capture."""
        steps = self.generator.quiet(*seen_by_mover(position), open_doors(self.rules, position))
        return allowed(self.rules.king.move_limit, position, steps)

    def moves(self, position: Position, steps: Iterable[Step]) -> list[Move]:
        """The moves of steps, each with all its paths there, the shortest and lowest first."""
        board, doors = position.board, open_doors(self.rules, position)
        number, by_two_slides = board.number, self.generator.tables.king_move_slides_twice
        moves: list[Move] = []
        paths: dict[tuple[int, int, int, bool], set[tuple[int, ...]]] = defaultdict(set)
        for step in steps:
            start, end, captured, crowned, path = step
            if captured or by_two_slides:
                paths[step[:4]].add(tuple([number(bit) for bit in path]))
            else:
                moves.append(_quiet(number(start), number(end), crowned, end & doors != 0))
        moves += [
            unchecked(
                Move,
                start=number(start),
                end=number(end),
                captured=tuple(board.numbers(captured)),
                promotes=crowned,
                falls=bool(end & doors),
                paths=tuple(ways) if len(ways) == 1 else tuple(sorted(ways, key=lambda way: (len(way), way))),
            )
            for (start, end, captured, crowned), ways in paths.items()
        ]
        return sorted(moves, key=lambda move: move.paths[0])

    def after(self, position: Position, move: Move) -> Position:
        """The position after a move, the other side to move, nothing pending."""
        board = position.board
        pieces, side = seen_by_mover(position)
        step = Step(board.bit(move.start), board.bit(move.end), board.mask(move.captured), move.promotes, ())
        after = with_pieces(position, self.generator.after(pieces, step, open_doors(self.rules, position)), 1 - side)
        return followed(self.rules.king.move_limit, position, move, after)


@cache
def _quiet(start: int, end: int, promotes: bool, falls: bool) -> Move:
    """A move from one square to another that captures nothing: there are few of them, found again and again."""
    return Move(start, end, (), promotes, falls, ((start, end),))
