"""The turn as a small state machine: what the side to move can do, and the position after it.

Without trapdoors and huffing a turn is one move of a piece. With a spinner a turn is a capture, or a spin and then
what its outcome allows. With huffing, a turn that breaks the duty to capture can be played, and the opponent can
answer it with a huff or have it taken back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from .action import Action, Huff, Pass, Retract, Slide, Spin
from .board import Side, opponent
from .move import Move
from .moves import Generator
from .position import Position, objection
from .rules import Rules
from .tables import SIDES, Pieces, Step

_COLOURS = {
    "green-slider": frozenset({"green"}),
    "orange-slider": frozenset({"orange"}),
    "any-slider": frozenset({"green", "orange"}),
}


class Turns:
    """Turns by one set of rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.generator = Generator(rules)

    # --- what the side to move can do ---------------------------------------------------------

    def actions(self, position: Position) -> list[Action]:
        """Every legal action: moves by their squares, then the others."""
        if self.rules.spin is not None:
            return self._spinning(position)
        if position.compelled:
            return [*self._moves(position, self._captures(position))]
        return [*self._ordinary(position), *self._remedies(position)]

    def lapses(self, position: Position) -> list[Move]:
        """The moves that break the duty to capture and can be played all the same."""
        huff = self.rules.huff
        if huff is None or position.compelled or not self._captures(position):
            return []
        steps = self._quiet(position)
        if huff.offence == "man-forward":
            men = position.men(position.turn)
            steps = [step for step in steps if step.start & men]
        return self._moves(position, steps)

    def after(self, position: Position, action: Action) -> Position:
        """The position after an action or a lapse that is open to the side to move."""
        match action:
            case Move():
                return self._moved(position, action)
            case Spin(outcome):
                return replace(position, spin=outcome)
            case Slide():
                return self._slid(position, action)
            case Huff(square):
                return self._huffed(position, square)
            case Retract():
                return self._retracted(position)
            case Pass():
                return _passed(position)

    def perft(self, position: Position, depth: int) -> int:
        """The number of sequences of legal actions of a length; outcomes of chance are actions, lapses are left out."""
        if self.rules.spin is None and position.huffable is None and not position.compelled:
            return self.generator.perft(*_pieces(position), depth)
        if depth == 0:
            return 1
        actions = self.actions(position)
        if depth == 1:
            return len(actions)
        return sum(self.perft(self.after(position, action), depth - 1) for action in actions)

    def can_capture(self, position: Position) -> bool:
        """Whether the side to move has a capture."""
        return bool(self._captures(position))

    def quiet_moves(self, position: Position) -> list[Move]:
        """Every move of a piece that captures nothing, whether or not it is legal now."""
        return self._moves(position, self._quiet(position))

    # --- moves of pieces ----------------------------------------------------------------------

    def _doors(self, position: Position) -> int:
        trapdoors = self.rules.trapdoors
        if trapdoors is None or position.sliders is None:
            return 0
        return trapdoors.layout.open_doors(position.board, position.sliders)

    def _captures(self, position: Position) -> list[Step]:
        return self.generator.captures(*_pieces(position), self._doors(position))

    def _quiet(self, position: Position) -> list[Step]:
        return self.generator.quiet(*_pieces(position), self._doors(position))

    def _ordinary(self, position: Position) -> list[Move]:
        return self._moves(position, self.generator.steps(*_pieces(position), self._doors(position)))

    def _moves(self, position: Position, steps: Iterable[Step]) -> list[Move]:
        """The moves of steps, each with all its paths, the shortest and lowest first."""
        board, doors = position.board, self._doors(position)
        paths: dict[tuple[int, int, int, bool], set[tuple[int, ...]]] = defaultdict(set)
        for step in steps:
            paths[step[:4]].add(tuple(board.number(bit) for bit in step.path))
        moves = [
            Move(
                board.number(start),
                board.number(end),
                tuple(board.numbers(captured)),
                crowned,
                bool(end & doors),
                tuple(sorted(ways, key=lambda way: (len(way), way))),
            )
            for (start, end, captured, crowned), ways in paths.items()
        ]
        return sorted(moves, key=lambda move: move.path)

    def _moved(self, position: Position, move: Move) -> Position:
        board = position.board
        pieces, side = _pieces(position)
        step = Step(board.bit(move.start), board.bit(move.end), board.mask(move.captured), move.promotes, ())
        lapse = self.rules.huff is not None and not move.captured and self.can_capture(position)
        after = _with_pieces(position, self.generator.after(pieces, step, self._doors(position)), 1 - side)
        if lapse:
            return replace(after, huffable=f"{move.start}-{move.end}{'K' if move.promotes else ''}")
        spin = self.rules.spin
        if spin is not None and spin.when == "after-capture" and move.captured and position.spin is None:
            return replace(after, turn=position.turn, spin="due")
        return after

    # --- spinning and sliding -----------------------------------------------------------------

    def _spinning(self, position: Position) -> list[Action]:
        spin = self.rules.spin
        assert spin is not None
        outcomes = [Spin(outcome) for outcome in spin.outcomes]
        if position.spin == "due":
            return [*outcomes]
        if position.spin is None:
            captures = self._captures(position)
            if captures:
                return [*self._moves(position, captures)]
            blocked = not self._quiet(position)
            return [] if blocked and (spin.blocked == "loses" or not position.occupied(position.turn)) else [*outcomes]
        allows = spin.outcomes.get(position.spin)
        if allows is None:  # a result that this spinner does not have
            return []
        if allows == "piece":
            return [*self._ordinary(position)]
        declining: list[Action] = [Pass()] if spin.slide == "may-decline" else []
        return self._slides(position, _COLOURS[allows]) + declining

    def _slides(self, position: Position, colours: frozenset[str]) -> list[Action]:
        trapdoors = self.rules.trapdoors
        assert trapdoors is not None
        assert position.sliders is not None
        layout = trapdoors.layout
        slides: list[Action] = []
        for place, letter in layout.steps(position.sliders, colours, through=trapdoors.step == "through"):
            slides.append(Slide(layout.sliders[place].id, letter))
            if trapdoors.closing == "optional" and position.sliders[place] == "M":
                slides.append(Slide(layout.sliders[place].id, letter, closes=True))
        return slides

    def _slid(self, position: Position, slide: Slide) -> Position:
        """A slider moved: its door opens, what stands there falls, and it may close again."""
        trapdoors = self.rules.trapdoors
        assert trapdoors is not None
        assert position.sliders is not None
        place, slider = next((n, s) for n, s in enumerate(trapdoors.layout.sliders) if s.id == slide.slider)
        door = slider.door(slide.to)
        hole = position.board.bit(door) if door is not None else 0
        side, other = position.turn, opponent(position.turn)
        falls = {
            "any": position.occupied(side) | position.occupied(other),
            "men": position.men(side) | position.men(other),
            "opponents": position.occupied(other),
        }[trapdoors.falls]
        letter = "M" if slide.closes or trapdoors.closing == "at-once" else slide.to
        sliders = position.sliders[:place] + letter + position.sliders[place + 1 :]
        return _passed(replace(_without(position, hole & falls), sliders=sliders))

    # --- huffing ------------------------------------------------------------------------------

    def _remedies(self, position: Position) -> list[Action]:
        huff = self.rules.huff
        if huff is None or position.huffable is None:
            return []
        start, end, _ = _lapse(position)
        remedies: list[Action] = []
        if "huff" in huff.remedies:
            if huff.piece == "moved":
                squares = {end}
            else:
                before = self._before_lapse(position)
                starts = {position.board.number(step.start) for step in self._captures(before)}
                squares = {end if square == start else square for square in starts}
            remedies += [Huff(square) for square in sorted(squares)]
        if "retract" in huff.remedies:
            remedies.append(Retract())
        return remedies

    def _before_lapse(self, position: Position) -> Position:
        """The position in which the opponent's last move was made, the opponent to move."""
        start, end, crowned = _lapse(position)
        board, side = position.board, opponent(position.turn)
        left, right = board.bit(start), board.bit(end)
        men, kings = position.men(side), position.kings(side)
        if crowned:
            men, kings = men | left, kings & ~right
        elif men & right:
            men = men & ~right | left
        else:
            kings = kings & ~right | left
        return replace(_with_side(position, side, men, kings), turn=side, huffable=None)

    def _huffed(self, position: Position, square: int) -> Position:
        huff = self.rules.huff
        assert huff is not None
        without = replace(_without(position, position.board.bit(square)), huffable=None)
        return without if huff.turn == "kept" else _passed(without)

    def _retracted(self, position: Position) -> Position:
        huff = self.rules.huff
        assert huff is not None
        before = self._before_lapse(position)
        match huff.retracted:
            case "must-capture":
                return replace(before, compelled=True)
            case "turn-lost":
                return replace(before, turn=position.turn)
            case _:
                return before

    # --- positions that cannot be -------------------------------------------------------------

    def objection(self, position: Position) -> str | None:
        """Why a game by these rules cannot have the position, in one line; None if it can."""
        return (
            objection(self.rules, position) or self._objection_to_spin(position) or self._objection_to_huffing(position)
        )

    def _objection_to_spin(self, position: Position) -> str | None:
        spin, trapdoors = self.rules.spin, self.rules.trapdoors
        if spin is None or trapdoors is None:
            return None
        doors = self._doors(position)
        standing = {
            "any": position.occupied("white") | position.occupied("black"),
            "men": position.men("white") | position.men("black"),
            "opponents": 0,
        }[trapdoors.falls]
        if trapdoors.closing == "at-once" and doors:
            return (
                f"found sliders={position.sliders}, but doors close again at once: expected all sliders in the middle"
            )
        if standing & doors:
            squares = ", ".join(map(str, position.board.numbers(standing & doors)))
            return f"piece on an open door: {squares}, expected it to have fallen"
        if position.spin == "due":
            return (
                None if spin.when == "after-capture" else "found spin=due, but no spin follows a capture in these rules"
            )
        if position.spin is not None:
            if position.spin not in spin.outcomes:
                return f"found spin={position.spin}, expected one of {', '.join(spin.outcomes)}"
            if spin.when == "no-capture" and self.can_capture(position):
                return f"found spin={position.spin}, but a capture is possible, which comes before a spin"
        return None

    def _objection_to_huffing(self, position: Position) -> str | None:
        if position.huffable is None:
            if position.compelled and not self.can_capture(position):
                return "found compelled, but no capture is possible"
            return None
        if position.compelled:
            return f"found huffable={position.huffable} with compelled, expected one of them"
        what = f"found huffable={position.huffable}"
        start, end, crowned = _lapse(position)
        board, side = position.board, opponent(position.turn)
        if not (1 <= start <= len(board) and 1 <= end <= len(board)):
            return f"{what}, but the board has squares 1 to {len(board)}"
        if position[start] is not None:
            return f"{what}, but square {start} is not empty"
        piece = position[end]
        if piece is None or piece.side != side:
            return f"{what}, but no {side} piece stands on {end}"
        if crowned and piece.kind == "man":
            return f"{what}, but the piece on {end} is a man, expected a king"
        before = self._before_lapse(position)
        lapses = [(move.start, move.end, move.promotes) for move in self.lapses(before)]
        if (start, end, crowned) not in lapses:
            if not self.can_capture(before):
                return f"{what}, but no capture was possible before that move"
            return f"{what}, but that move could not be played"
        return None


def _pieces(position: Position) -> tuple[Pieces, int]:
    """The bitboards as the side to move sees them, and that side's index."""
    white, black = (position.white_men, position.white_kings), (position.black_men, position.black_kings)
    return ((*white, *black), 0) if position.turn == "white" else ((*black, *white), 1)


def _with_pieces(position: Position, pieces: Pieces, side: int) -> Position:
    """The position of bitboards as `side`, now to move, sees them; nothing is pending."""
    own, enemy = pieces[:2], pieces[2:]
    white, black = (own, enemy) if side == 0 else (enemy, own)
    return Position(position.board, *white, *black, SIDES[side], position.sliders, layout=position.layout)


def _with_side(position: Position, side: Side, men: int, kings: int) -> Position:
    if side == "white":
        return replace(position, white_men=men, white_kings=kings)
    return replace(position, black_men=men, black_kings=kings)


def _without(position: Position, gone: int) -> Position:
    """The position without the pieces on some squares."""
    return replace(
        position,
        white_men=position.white_men & ~gone,
        white_kings=position.white_kings & ~gone,
        black_men=position.black_men & ~gone,
        black_kings=position.black_kings & ~gone,
    )


def _passed(position: Position) -> Position:
    """The turn passes to the other side, nothing pending."""
    return replace(position, turn=opponent(position.turn), spin=None, huffable=None, compelled=False)


def _lapse(position: Position) -> tuple[int, int, bool]:
    """The opponent's last move: from, to, whether it crowned a man."""
    assert position.huffable is not None
    start, _, end = position.huffable.removesuffix("K").partition("-")
    return int(start), int(end), position.huffable.endswith("K")
