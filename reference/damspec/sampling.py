"""Random sampling of valid positions, in every phase of a turn, with captures and long captures frequent."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from .board import SIDES, Board, each
from .king_runs import king_runs
from .position import Position
from .ruleset import Ruleset
from .tables import Tables
from .turn import ActionGenerator
from .validity import PLAIN, fewest_pieces, find_invalidity, material, may_be_reached, phases, within

#: The proportions of kings to choose from.
_KINGS = (0.0, 0.0, 0.2, 0.5, 1.0)
#: The longest capture that is constructed, in jumps.
_LONGEST = 5
#: How many more jumps are tried for a capture through the promotion row.
_MORE_JUMPS = 6
#: The probabilities that `near` first rotates the position, shifts it, and pushes its sliders elsewhere.
_ROTATE, _SHIFT, _PUSH = 0.1, 0.1, 0.2
#: The probabilities that an edit adds or removes a piece, and that it changes one; otherwise it moves one.
_ADD_OR_REMOVE, _CHANGE = 0.45, 0.15
#: The probability that a capture is constructed if one of a certain length is wanted.
_CAPTURE_PROBABILITY = 0.95
#: The probability that one side is deliberately alone.
_ALONE_PROBABILITY = 0.03
#: The probability that a side that can have a run has one, in the phase of runs.
_RUN_PROBABILITY = 0.8
#: The number of attempts to draw pieces that can be in a phase.
_ATTEMPTS = 8


def sample_positions(
    ruleset: Ruleset, rng: random.Random, pieces: tuple[int, int] = (2, 12), phase: str | None = None
) -> Iterator[Position]:
    """Yield random positions of the ruleset for ever, with MIN to MAX `pieces`, in one phase or any; some repeat.

    Those that no game comes to, as far as the rules make that certain, are left out.
    """
    sampler = PositionSampler(ruleset, rng, pieces, phase)
    while True:
        position = sampler.draw()
        if position is not None and may_be_reached(sampler.turns, position):
            yield position


class PositionSampler:
    """A sampler of positions of one ruleset, with MIN to MAX `pieces`, in one phase or in all.

    With `captures` given, nearly all positions are built around a capture of MIN to MAX pieces. `crowning` is the
    probability that such a capture is that of a man which may reach the promotion row.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        rng: random.Random,
        pieces: tuple[int, int],
        phase: str | None = None,
        captures: tuple[int, int] | None = None,
        crowning: float = 0.0,
    ) -> None:
        self._captures, self._crowning = captures, crowning
        self.turns = ActionGenerator(ruleset.rules)
        self.rng, self.phase = rng, phase
        self._board = board = ruleset.rules.board
        fewest = fewest_pieces(ruleset.rules)
        self._material = material(ruleset.rules)
        most = sum(self._material)
        self._pieces = max(fewest, pieces[0]), min(most, pieces[1])
        if not self._pieces[0] <= self._pieces[1]:
            raise ValueError(f"found {pieces[0]} to {pieces[1]} pieces, expected {fewest} to {most}")
        self._phases = phases(ruleset.rules)
        if phase is not None and phase not in self._phases:
            raise ValueError(f"found phase {phase!r}, expected one of {', '.join(self._phases)}")
        self._areas, self._shifts = _areas(board), _shifts(board)
        self._tables = tables = self.turns.movement.generator.tables
        self._ways = [_ways(tables, side) for side in (0, 1)]
        self._before_promotion = [_before_promotion(tables, side) for side in (0, 1)]
        self._trapdoors = ruleset.rules.trapdoors

    def draw(self, phase: str | None = None) -> Position | None:
        """Return a random position, in `phase` if given; None if no attempt gave one valid in that phase."""
        phase = phase or self.phase or self._any_phase()
        for _ in range(_ATTEMPTS):
            found = self._in_phase(self._plain(), phase)
            if found is not None:
                return found
        return None

    def near(self, position: Position) -> Position | None:
        """Return a position similar to another, in the same phase; None if this try led to an invalid one."""
        rng = self.rng
        turn = rng.random()
        if turn < _ROTATE:
            position = position.mirrored()
        masks = [position.white_men, position.white_kings, position.black_men, position.black_kings]
        if turn > 1 - _SHIFT:
            masks = self._shift(masks)
        else:
            for _ in range(rng.choice((1, 1, 2))):
                self._edit(masks)
        found = replace(position, white_men=masks[0], white_kings=masks[1], black_men=masks[2], black_kings=masks[3])
        if position.sliders and rng.random() < _PUSH:
            found = replace(found, sliders=self._sliders()[0])
        fits = self._pieces[0] <= len(found) <= self._pieces[1] and within(self._material, found)
        return found if fits and not find_invalidity(self.turns, found) else None

    def _edit(self, masks: list[int]) -> None:
        """Move a piece, change one into another, or add or take off one: add rather where there are few."""
        rng, bits = self.rng, self._board.bits
        taken = masks[0] | masks[1] | masks[2] | masks[3]
        pieces, (fewest, most) = taken.bit_count(), self._pieces
        what = rng.random()
        if what < _ADD_OR_REMOVE or not pieces:
            if not pieces or (pieces < most and rng.random() * (most - fewest) >= pieces - fewest):
                masks[rng.getrandbits(2)] |= rng.choice([bit for bit in bits if not bit & taken])
            else:
                gone = rng.choice([bit for bit in bits if bit & taken])
                masks[:] = [mask & ~gone for mask in masks]
            return
        bit = rng.choice([bit for bit in bits if bit & taken])
        kind = next(kind for kind in range(4) if masks[kind] & bit)
        masks[kind] ^= bit
        if what < _ADD_OR_REMOVE + _CHANGE:
            masks[(kind + rng.randint(1, 3)) % 4] |= bit
        else:
            masks[kind] |= rng.choice([other for other in bits if other == bit or not other & taken])

    def _shift(self, masks: list[int]) -> list[int]:
        """Shift all pieces alike, dropping those that leave the board."""
        goes = self.rng.choice(self._shifts)
        return [sum([goes.get(bit, 0) for bit in each(mask)]) for mask in masks]

    # --- phases -------------------------------------------------------------------------------

    def _any_phase(self) -> str:
        phases = self._phases
        return PLAIN if len(phases) == 1 or self.rng.random() < 0.4 else self.rng.choice(phases[1:])

    def _in_phase(self, position: Position, phase: str) -> Position | None:
        """Return a plain position put into a phase; None if it cannot be in that phase."""
        if phase == PLAIN:
            return position
        if phase == "huffable":
            lapses = self.turns.lapses(position)
            if not lapses:
                return None
            found = self.turns.after(position, self.rng.choice(lapses))
        elif phase == "run":
            return self._with_runs(position)
        elif phase == "compelled":
            found = replace(position, compelled=True)
        else:
            found = replace(position, spin=phase.removeprefix("spin="))
        return None if find_invalidity(self.turns, found) else found

    def _with_runs(self, position: Position) -> Position | None:
        """Return a position with a run of one side or of both, often as long as it can be; None if there is none."""
        limit = self.turns.rules.king.move_limit
        found = position
        for side in SIDES:
            runs = [*king_runs(side, position, limit)]
            run = self.rng.choice([*runs, *runs[limit - 1 :: limit]]).run(side) if runs and limit else None
            found = found.with_run(side, run if self.rng.random() < _RUN_PROBABILITY else None)
        return None if found == position else found

    def _sliders(self) -> tuple[str | None, int]:
        """Return a random state of the sliders and the open doors."""
        trapdoors = self._trapdoors
        if trapdoors is None:
            return None, 0
        layout = trapdoors.layout
        if trapdoors.closing == "at-once" or self.rng.random() < 0.3:
            return layout.middle_letters, 0
        letters = "".join(self.rng.choice("MLR") for _ in layout.sliders)
        return letters, layout.open_doors(self._board, letters)

    # --- pieces -------------------------------------------------------------------------------

    def _plain(self) -> Position:
        """Return a random position with nothing pending."""
        rng = self.rng
        fewest, most = self._pieces
        sliders, doors = self._sliders()
        falls = self._trapdoors.falls if self._trapdoors else None
        floor = self._board.all & ~doors if falls == "any" else self._board.all  # where kings can stand
        crowned = doors if falls == "men" else 0  # where of a ruleset's kinds only kings can
        most = min(most, floor.bit_count())
        count = rng.randint(fewest, min(most, fewest + 2) if rng.random() < 0.15 else most)
        side = rng.getrandbits(1)
        own = [0, 0]  # each side's pieces: the other's, those of the side to move
        kings = path = 0
        layout, share = rng.random(), rng.choice((0.3, 0.5, 0.7))
        others = self._material[1 - side]
        if count >= 2 and layout < (0.6 if self._captures is None else _CAPTURE_PROBABILITY):
            most_taken = min((most if self._crowning else count) - 1, others)
            own[1], own[0], kings, path = self._capture_setup(side, most_taken, floor)
            count = max(count, (own[0] | own[1]).bit_count())
        elif count >= 2 and layout < 0.65:
            own[1], own[0], share = *self._blocked_man(side, min(most - 1, others), floor), 0.0
            count = max(count, (own[0] | own[1]).bit_count())
        elif layout > 1 - _ALONE_PROBABILITY:
            share = rng.choice((0.0, 1.0))
        left = count - (own[0] | own[1]).bit_count()
        ratio = rng.choice(_KINGS)
        by_rows = not path and rng.random() < 0.25
        free = floor & ~(own[0] | own[1] | path)
        area = rng.choice(self._areas)
        if (free & area[0]).bit_count() < left:
            free, area = floor & ~(own[0] | own[1]), self._areas[0]
        squares = [place for place in area[1] if place[0] & free]
        room = [self._material[one ^ side ^ 1] - own[one].bit_count() for one in (0, 1)]
        for bit, odd in rng.sample(squares, left):
            mine = int(odd if by_rows else rng.random() < share)
            mine = mine if room[mine] > 0 else 1 - mine
            room[mine] -= 1
            own[mine] |= bit
            if rng.random() < ratio:
                kings |= bit
        for one in (0, 1):  # the two sides by turns, where one would be alone
            if not own[one] and count >= 2 and layout <= 1 - _ALONE_PROBABILITY and rng.random() < 0.9:
                own[one] = own[1 - one] & -own[1 - one]
                own[1 - one] ^= own[one]
        white, black = own if side else own[::-1]
        ahead = white & self._tables.promotion_rows[0] | black & self._tables.promotion_rows[1]
        kings |= crowned & (white | black)
        kings |= ahead if self._tables.promotion_return_crowned or rng.getrandbits(1) else 0
        return Position(self._board, white & ~kings, white & kings, black & ~kings, black & kings, SIDES[side], sliders)

    def _capture_setup(self, side: int, most: int, floor: int) -> tuple[int, int, int, int]:
        """Construct a capture: the capturing piece, the captured pieces, which are kings, what should stay empty."""
        rng, tables = self.rng, self._tables
        crowns = self._crowning > 0 and rng.random() < self._crowning
        start = square = rng.choice(self._before_promotion[side] if crowns else self._board.bits)
        begins_king = is_king = rng.random() < 0.45 and not crowns
        if not start & floor:
            return 0, 0, 0, 0
        taken, path = 0, start
        for _ in range(self._jumps_to_build(most) + (_MORE_JUMPS if crowns else 0)):
            if is_king:
                rays = tables.king_capture_later_rays if taken else tables.king_capture_first_rays
                line = rng.choice(rays[side][square] or [()])
                if len(line) < 2:
                    continue
                place = rng.randrange(len(line) - 1)
                over, land = line[place], line[min(len(line) - 1, place + rng.choice((1, 1, 2, 3)))]
                passed = sum(line[:place])
            else:
                jumps = tables.man_capture_later[side][square]
                if not jumps:
                    continue
                if crowns:
                    jumps = [jump for jump in jumps if jump[1] & tables.promotion_rows[side]] or jumps
                over, land = rng.choice(jumps)
                passed = 0
            if taken.bit_count() == most:
                break
            if over & (taken | path) or not over & floor or ((passed | land) & taken and rng.random() < 0.7):
                continue
            taken |= over
            path |= land | passed
            square = land
            is_king = is_king or (crowns and bool(square & tables.promotion_rows[side]))
        kings = start if begins_king else 0
        if rng.random() < 0.4:
            kings |= sum(bit for bit in self._board.bits if bit & taken and rng.getrandbits(1))
        return start, taken, kings, path & ~taken

    def _jumps_to_build(self, most: int) -> int:
        """Return how many jumps to try to put together; some of them fail."""
        if self._captures is None:
            return self.rng.randint(1, min(most, _LONGEST))
        fewest = min(most, self._captures[0])
        length = self.rng.randint(fewest, max(fewest, min(most, self._captures[1], fewest + _LONGEST)))
        return length + self.rng.randint(0, length)

    def _blocked_man(self, side: int, most: int, floor: int) -> tuple[int, int]:
        """Construct a man that cannot move, and the pieces blocking it."""
        man, way = self.rng.choice(self._ways[side])
        return (man, way) if not (man | way) & ~floor and way.bit_count() <= most else (0, 0)


def _before_promotion(tables: Tables, side: int) -> list[int]:
    """Return the squares from which a man's first or second jump can crown it."""
    jumps, row = tables.man_capture_later[side], tables.promotion_rows[side]
    last = {start for start, ways in jumps.items() if any(land & row for _, land in ways)}
    return [start for start, ways in jumps.items() if start in last or any(land in last for _, land in ways)]


def _ways(tables: Tables, side: int) -> list[tuple[int, int]]:
    """Return each square of a man with the squares to occupy to block it; the third with the fewest come twice."""
    found = []
    for man in tables.board.bits:
        if not man & tables.promotion_rows[side]:
            ahead = {ray[0] for ray in tables.man_move_rays[side][man]}
            jumps = [*tables.man_capture_later[side][man], *tables.man_move_over_own[side][man]]
            found.append((man, sum(ahead | {square for jump in jumps for square in jump})))
    found.sort(key=lambda one: one[1].bit_count())
    return found + found[: len(found) // 3]


def _shifts(board: Board) -> list[dict[int, int]]:
    """Return the maps of the squares for shifts of all pieces by one or two squares in each direction."""
    squares = dict(zip(board.places, board.bits, strict=True))
    ways = [(columns, rows) for columns in range(-2, 3) for rows in range(-2, 3) if columns or rows]
    found = [
        {
            bit: squares[to]
            for (column, row), bit in squares.items()
            if (to := (column + columns, row + rows)) in squares
        }
        for columns, rows in ways
    ]
    return [goes for goes in found if goes]


def _areas(board: Board) -> list[tuple[int, list[tuple[int, bool]]]]:
    """Return the areas for pieces: the whole board (twice), and windows of six rows and columns in which they meet.

    Each is a bitboard, and its squares with whether the row is odd.
    """
    whole = [(bit, bool(row % 2), column, row) for bit, (column, row) in zip(board.bits, board.places, strict=True)]
    windows = [
        [place for place in whole if left <= place[2] < left + 6 and bottom <= place[3] < bottom + 6]
        for left in range(0, max(1, board.columns - 5), 2)
        for bottom in range(0, max(1, board.rows - 5), 2)
    ]
    return [(sum(p[0] for p in area), [p[:2] for p in area]) for area in (whole, whole, *windows)]
