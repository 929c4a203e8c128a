"""Positions: pieces, the side to move, the state of trapdoors, spinner, huffing and king runs; and FEN."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from .board import SIDES, Board, Kind, Side, each, opponent
from .errors import PositionError, as_index, expect, expect_word, quote_any, quote_value
from .layout import Layout
from .other_names import OtherNames
from .rules import Rules

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

#: Bitboards as the side to move sees them: own men, own kings, enemy men, enemy kings.
Pieces = tuple[int, int, int, int]

_FIELDS = ("sliders", "spin", "huffable", "compelled")
#: Start, end, K if it crowned a man, then x and the captured squares, those of kings with K.
_OFFENCE = re.compile(r"[0-9]{1,4}-[0-9]{1,4}K?(x(K?[0-9]{1,4},){0,400}K?[0-9]{1,4})?")
#: Black's run, then White's: the number of moves and, unless that is 0, the king's square in at least two digits.
_RUNS = re.compile(r"\+(?:0|([1-9])([0-9]{2,4}))\+(?:0|([1-9])([0-9]{2,4}))")
#: Fields that playing sites add and no rule uses: the half-move clock and the move number.
_COUNTERS = re.compile(r"[HF][0-9]{1,4}")
#: The maximum length of a FEN; kings on every square of the largest board need less.
LONGEST = 4000
_SLIDERS = re.compile("[LMR]{1,400}")
#: The board of a FEN, unless another is given.
_BOARD_OF_TEN = Board(10, 10)
_SPINS = ("disc", "green", "orange", "both", "due")


class _SideAndKind(NamedTuple):
    side: Side
    kind: Kind


class Piece(_SideAndKind, metaclass=OtherNames):
    """A piece: its side, and man or king."""

    __slots__ = ()

    def __new__(cls, side: Side, kind: Kind) -> Piece:
        """Return a piece. Raises ArgumentError for an unknown side or kind."""
        expect_word(side, "side", SIDES)
        expect_word(kind, "kind", _KINDS)
        return super().__new__(cls, side, kind)


_KINDS: tuple[Kind, Kind] = ("man", "king")
_PIECES = {(side, kind): Piece(side, kind) for side in SIDES for kind in _KINDS}


class KingRun(NamedTuple):
    """The consecutive quiet moves of a side's king, and the square where it stands now."""

    square: int
    moves: int


@dataclass(frozen=True)
class Position(metaclass=OtherNames):
    """A position on a board; equal positions give equal answers to every question.

    The pieces are bitboards of `board`. `sliders` has a letter L, M or R for each slider, `spin` is the pending result
    of the spinner or `due`, `huffable` the opponent's last move if it left a capture undone; `compelled` says that the
    side to move had its move retracted and must capture. `white_run` and `black_run` are king runs, where a rule limits
    them. `layout` says where the sliders are; only pictures use it.

    As a container, a position holds the squares that have a piece: `len(position)` counts them, `30 in position` tests
    one, and iteration yields their numbers, ascending. `position[30]` is the piece on a square, or None.

    >>> position = Position.from_fen("W:W21,K30:B1-3", Board(8, 8))
    >>> position[30], position.turn, position.fen()
    (Piece(side='white', kind='king'), 'white', 'W:W21,K30:B1,2,3')
    """

    board: Board
    white_men: int
    white_kings: int
    black_men: int
    black_kings: int
    turn: Side
    sliders: str | None = None
    spin: str | None = None
    huffable: str | None = None
    compelled: bool = False
    white_run: KingRun | None = None
    black_run: KingRun | None = None
    layout: Layout | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        white_men, white_kings, black_men, black_kings = pieces = self._masks()
        try:
            every = white_men | white_kings | black_men | black_kings
            is_sound = white_men + white_kings + black_men + black_kings == every and not every & ~self.board.all
        except (TypeError, AttributeError):
            is_sound = False
        if not is_sound:
            self._refuse_pieces(pieces)
        if self.turn not in SIDES:
            expect_word(self.turn, "turn", SIDES)
        if (
            self.sliders is not None
            or self.spin is not None
            or self.huffable is not None
            or self.compelled is not False
            or self.white_run is not None
            or self.black_run is not None
            or self.layout is not None
        ):
            self._check_state()

    def _masks(self) -> tuple[int, int, int, int]:
        return self.white_men, self.white_kings, self.black_men, self.black_kings

    def _refuse_pieces(self, pieces: tuple[int, ...]) -> NoReturn:
        """Raise an error that says what is wrong with the bitboards."""
        expect(self.board, "board", Board, "a Board")
        taken = 0
        for name, mask in zip(("white_men", "white_kings", "black_men", "black_kings"), pieces, strict=True):
            expect(mask, name, int, "a bitboard")
            for square in self.board.numbers(mask & taken):
                raise PositionError(f"{name}: square {square} is used twice")
            if mask & ~self.board.all:
                raise PositionError(f"{name}: found {quote_any(mask)}, expected a bitboard of {self.board!r}")
            taken |= mask
        raise PositionError(f"found {quote_any(pieces)}, expected bitboards of {self.board!r}")

    def _check_state(self) -> None:
        """Raise an error if a field beyond the pieces cannot be written in a FEN."""
        expect(self.compelled, "compelled", bool, "True or False")
        expect(self.layout, "layout", Layout | None, "a Layout or None")
        for name in _FIELDS[:3]:
            expect(value := getattr(self, name), name, str | None, "a text or None")
            if value is not None:
                _check_field(name, value, f"{name}={value}")
        for name in ("white_run", "black_run"):
            expect(run := getattr(self, name), name, KingRun | None, "a KingRun or None")
            if run is not None and not (isinstance(run.square, int) and isinstance(run.moves, int)):
                raise PositionError(f"{name}: found {quote_any(run)}, expected the numbers of a square and of moves")

    @classmethod
    def from_fen(cls, text: str, board: Board = _BOARD_OF_TEN) -> Position:
        """Parse a FEN such as `W:W21,22,K30:B1,2,K5`, with its extension fields.

        Squares are numbers, ranges of numbers or algebraic names. A FEN does not say which board it is of: it is the
        one of ten by ten unless given, and `Ruleset.position` has the ruleset's. Raises PositionError, which quotes the
        text.

        >>> Position.from_fen("W:W31:B20").board
        Board(10, 10)
        """
        expect(text, "position", str, "a FEN")
        expect(board, "board", Board, "a Board")
        try:
            return parse_fen(text, board)
        except PositionError as error:
            raise PositionError(f"position {quote_value(text)}: {error}") from None

    @classmethod
    def start(cls, rules: Rules) -> Position:
        """Return the initial position of a game: `start.men` and `start.first`, all sliders in the middle."""
        expect(rules, "rules", Rules, "the `rules` of a Ruleset")
        board, men = rules.board, rules.start.men
        if isinstance(men, int):
            white, black, kings = board.nearest_rows(men, "white"), board.nearest_rows(men, "black"), 0
        else:
            white, black, kings = (board.mask(men.get(name, ())) for name in ("white", "black", "kings"))
        layout = rules.trapdoors.layout if rules.trapdoors else None
        sides = white & ~kings, white & kings, black & ~kings, black & kings
        return cls(board, *sides, rules.start.first, layout.middle_letters if layout else None, layout=layout)

    def fen(self, *, algebraic: bool = False) -> str:
        """Return the position as FEN, squares ascending; `from_fen` reads it back."""
        sides = []
        for letter, men, kings in (
            ("W", self.white_men, self.white_kings),
            ("B", self.black_men, self.black_kings),
        ):
            crowned = set(self.board.numbers(kings))
            squares = [
                ("K" if number in crowned else "") + (self.board.name(number) if algebraic else str(number))
                for number in self.board.numbers(men | kings)
            ]
            sides.append(letter + ",".join(squares))
        fields = [f"{name}={value}" for name in _FIELDS[:3] if (value := getattr(self, name))]
        if self.compelled:
            fields.append("compelled")
        if self.white_run or self.black_run:
            fields.append(
                "".join(f"+{run.moves}{run.square:02}" if run else "+0" for run in (self.black_run, self.white_run))
            )
        return ":".join([self.turn[0].upper(), *sides, *fields])

    def __len__(self) -> int:
        return (self.occupied("white") | self.occupied("black")).bit_count()

    def __bool__(self) -> bool:
        return True  # a position without pieces is still a position

    def __iter__(self) -> Iterator[int]:
        return iter(self.board.numbers(self.occupied("white") | self.occupied("black")))

    def __contains__(self, number: object) -> bool:
        square = as_index(number)
        return square is not None and 1 <= square <= len(self.board) and self[square] is not None

    def __getitem__(self, number: int) -> Piece | None:
        """Return the piece on a square, or None. Raises PositionError if there is no such square."""
        bit = self.board.bit(number)
        for side in SIDES:
            if bit & self.men(side):
                return _PIECES[side, "man"]
            if bit & self.kings(side):
                return _PIECES[side, "king"]
        return None

    def piece_at(self, square: int) -> Piece | None:
        """Return the piece on a square, or None, as `position[square]` does."""
        return self[square]

    def men(self, side: Side) -> int:
        """Return a side's men as a bitboard. Raises ArgumentError for a word other than `white` and `black`."""
        if side == "white":
            return self.white_men
        if side != "black":
            expect_word(side, "side", SIDES)
        return self.black_men

    def kings(self, side: Side) -> int:
        """Return a side's kings as a bitboard. Raises ArgumentError as `men` does."""
        if side == "white":
            return self.white_kings
        if side != "black":
            expect_word(side, "side", SIDES)
        return self.black_kings

    def occupied(self, side: Side) -> int:
        """Return the squares of a side's men and kings as a bitboard."""
        return self.men(side) | self.kings(side)

    def run(self, side: Side) -> KingRun | None:
        """Return a side's king run, or None. Raises ArgumentError as `men` does."""
        if side == "white":
            return self.white_run
        if side != "black":
            expect_word(side, "side", SIDES)
        return self.black_run

    def with_run(self, side: Side, run: KingRun | None) -> Position:
        """Return the position with another king run of a side. Raises ArgumentError as `men` does."""
        if run == self.run(side):
            return self
        return replace(self, white_run=run) if side == "white" else replace(self, black_run=run)

    def pieces(self) -> Iterator[tuple[int, Piece]]:
        """Yield every piece with the number of its square, ascending."""
        for number in self:
            piece = self[number]
            if piece is not None:
                yield number, piece

    def with_piece_at(self, square: int, piece: Piece) -> Position:
        """Return the position with a piece set on a square, whatever stands there now.

        >>> Position.from_fen("W:W21:B1", Board(8, 8)).with_piece_at(21, Piece("black", "king")).fen()
        'W:W:B1,K21'
        """
        expect(piece, "piece", Piece, "a Piece")
        bit = self.board.bit(square)
        field = f"{piece.side}_{'men' if piece.kind == 'man' else 'kings'}"
        cleared = self.without_piece_at(square)
        return replace(cleared, **{field: getattr(cleared, field) | bit})

    def without_piece_at(self, square: int) -> Position:
        """Return the position with a square emptied, and without the king run of the piece that stood there."""
        left = without(self, self.board.bit(square))
        for side in SIDES:
            run = left.run(side)
            if run is not None and run.square == square:
                left = left.with_run(side, None)
        return left

    def key(self) -> int:
        """Return a number of 64 bits for tables: equal for equal positions, in every process.

        Positions that differ have different keys but for chance, on one board. The key is the XOR (Zobrist) of a number
        for each piece, one for Black to move, and one for the fields of the FEN after the pieces, if there are any.
        docs/library.md says how they are made.

        >>> hex(Position.from_fen("W:W21:B1", Board(8, 8)).key())
        '0x16d5cd1ee2d94c4b'
        """
        board = self.board
        key = _keys_of(board, 0, self.white_men) ^ _keys_of(board, 1, self.white_kings)
        key ^= _keys_of(board, 2, self.black_men) ^ _keys_of(board, 3, self.black_kings)
        if self.turn == "black":
            key ^= _BLACK_TO_MOVE
        if (
            self.sliders is not None
            or self.spin is not None
            or self.huffable is not None
            or self.compelled
            or self.white_run is not None
            or self.black_run is not None
        ):
            fields = ":".join(self.fen().split(":")[3:])
            key ^= int.from_bytes(blake2b(fields.encode(), digest_size=8).digest(), "little")
        return key

    def to_array(self) -> NDArray[uint8]:
        """Return the position as an array of zeros and ones for a program that learns; needs numpy.

        The shape is (6, rows, columns), the type uint8. The planes are own men, own kings, enemy men, enemy kings, the
        playable squares and the open doors, as the side to move sees them: row 0 is the farthest from it, and for Black
        the board is turned by half. Spin, huffing and king runs are left out. Raises MissingPackageError, and
        PositionError for sliders that no ruleset has read.
        """
        from .arrays import to_array  # loaded on use, as numpy is

        return to_array(self)

    def mirrored(self) -> Position:
        """Return the position with colours exchanged and the board turned by half.

        Sliders, spin and what is pending under huffing stay as they are.
        """
        squares = len(self.board)

        def rotate(mask: int) -> int:
            return self.board.mask(squares + 1 - self.board.number(bit) for bit in each(mask))

        def turned_run(run: KingRun | None) -> KingRun | None:
            return run and KingRun(squares + 1 - run.square, run.moves)

        return replace(
            self,
            white_men=rotate(self.black_men),
            white_kings=rotate(self.black_kings),
            black_men=rotate(self.white_men),
            black_kings=rotate(self.white_kings),
            turn=opponent(self.turn),
            white_run=turned_run(self.black_run),
            black_run=turned_run(self.white_run),
        )

    def __repr__(self) -> str:
        return f"Position.from_fen({self.fen()!r}, {self.board!r})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the repr in IPython, and in Hypothesis's failing examples, instead of every field on its own line."""
        printer.text(repr(self))

    def __str__(self) -> str:
        return board_text(self)

    def _repr_svg_(self) -> str:
        from .drawing import svg

        return svg(self)


def splitmix64(state: int) -> int:
    """Return the number of 64 bits that splitmix64 makes of a state; the next state is `SPLITMIX_STEP` more."""
    mixed = state & _WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
    return mixed ^ mixed >> 31


_WORD = 0xFFFF_FFFF_FFFF_FFFF
SPLITMIX_STEP = 0x9E3779B97F4A7C15
_BLACK_TO_MOVE = splitmix64(SPLITMIX_STEP)


@lru_cache(1 << 16)
def _keys_of(board: Board, kind: int, mask: int) -> int:
    """Return the XOR of the numbers of some pieces of one side and kind."""
    key, keys = 0, _square_keys(board, kind)
    for bit in each(mask):
        key ^= keys[bit]
    return key


@cache
def _square_keys(board: Board, kind: int) -> dict[int, int]:
    """Return the numbers of a piece on each square, by its bit: those of splitmix64 from 4 x square on."""
    return {bit: splitmix64((4 * number + kind) * SPLITMIX_STEP) for number, bit in enumerate(board.bits, 1)}


def parse_fen(text: str, board: Board) -> Position:
    """Parse a FEN as `Position.from_fen` does. Raises PositionError, which does not quote the whole text."""
    if len(text) > LONGEST:
        raise PositionError(f"{len(text)} characters, expected at most {LONGEST}")
    parts = text.strip().rstrip(".").split(":")
    if len(parts) < 3 or parts[0] not in ("W", "B"):
        raise PositionError("expected a FEN like 'W:W21,K30:B1,2': side to move, then each side's squares")
    sides, fields = parts[1:3], parts[3:]
    if {sides[0][:1], sides[1][:1]} != {"W", "B"}:
        raise PositionError(f"found {quote_value(':'.join(sides))}, expected the squares of W and of B once each")
    pieces: dict[str, tuple[int, int]] = {}
    taken, known = 0, board.bits_by_text
    for side in sides:
        men = kings = 0
        for token in side[1:].split(",") if side[1:] else ():
            is_king = token[:1] == "K"
            square = token[1:] if is_king else token
            for bit in (known[square],) if square in known else _parse_squares(square, token, board):
                if bit & taken:
                    raise PositionError(f"square {board.number(bit)} is used twice")
                taken |= bit
                if is_king:
                    kings |= bit
                else:
                    men |= bit
        pieces[side[0]] = men, kings
    turn: Side = "white" if parts[0] == "W" else "black"
    return Position(board, *pieces["W"], *pieces["B"], turn, **(_parse_fields(fields) if fields else {}))


def _parse_squares(text: str, token: str, board: Board) -> tuple[int, ...]:
    """Return the bits of a square or of a range of squares."""
    first, dash, last = text.partition("-")
    try:
        start = board.square(first)
        end = board.square(last) if dash else start
    except PositionError as error:
        raise PositionError(str(error) if first == token else f"in {quote_value(token)}: {error}") from None
    if end < start:
        raise PositionError(f"found the range {quote_value(token)}, expected the smaller square first")
    return board.bits[start - 1 : end]


def _parse_fields(fields: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    seen: set[str] = set()
    for part in fields:
        if part[:1] in "+HF" and part:
            if part[0] in seen:
                raise PositionError(f"field {part[0]!r} given twice")
            seen.add(part[0])
            found |= _parse_runs(part) if part[0] == "+" else {}
            if part[0] != "+" and not _COUNTERS.fullmatch(part):
                raise PositionError(f"found {quote_value(part)}, expected a number after {part[0]}")
            continue
        name, sign, value = part.partition("=")
        if name not in _FIELDS or bool(sign) != (name != "compelled"):
            raise PositionError(
                f"found the field {quote_value(part)}, expected sliders=, spin=, huffable=, compelled or runs"
            )
        if name in found:
            raise PositionError(f"field {name!r} given twice")
        _check_field(name, value, part)
        found[name] = value or True
    return found


def _check_field(name: str, value: str, written: str) -> None:
    """Raise PositionError if an extension field cannot have this value; the message quotes `written`."""
    if name == "sliders" and not _SLIDERS.fullmatch(value):
        raise PositionError(f"found {quote_value(written)}, expected a letter L, M or R for each slider")
    if name == "spin" and value not in _SPINS:
        raise PositionError(f"found {quote_value(written)}, expected one of {', '.join(_SPINS)}")
    if name == "huffable" and not _OFFENCE.fullmatch(value):
        raise PositionError(
            f"found {quote_value(written)}, expected a move like 11-15, 26-31K if it promoted, 22-15x18 if it captured"
        )


def _parse_runs(text: str) -> dict[str, Any]:
    """Parse the king runs of both sides; a run of 0 moves is None, whatever square some sites add to it."""
    written = _RUNS.fullmatch(text)
    if written is None:
        raise PositionError(
            f"found {quote_value(text)}, expected Black's run and White's, each 0 or moves and square: +0+246, +105+0"
        )
    black_moves, black_square, white_moves, white_square = written.groups()
    return {
        "white_run": KingRun(int(white_square), int(white_moves)) if white_moves else None,
        "black_run": KingRun(int(black_square), int(black_moves)) if black_moves else None,
    }


def to_mover_view(position: Position) -> tuple[Pieces, int]:
    """Return the bitboards as the side to move sees them, and the index of that side."""
    if position.turn == "white":
        return (position.white_men, position.white_kings, position.black_men, position.black_kings), 0
    return (position.black_men, position.black_kings, position.white_men, position.white_kings), 1


def from_mover_view(position: Position, pieces: Pieces, side: int) -> Position:
    """Return the position for bitboards as seen by `side`, which is to move; nothing is pending.

    Searches make one for each move: nothing is checked, and fields that have their defaults are left to the class,
    which takes half the time.
    """
    if side == 0:
        white_men, white_kings, black_men, black_kings = pieces
    else:
        black_men, black_kings, white_men, white_kings = pieces
    after = object.__new__(Position)
    fields = after.__dict__
    fields["board"], fields["turn"] = position.board, SIDES[side]
    fields["white_men"], fields["white_kings"] = white_men, white_kings
    fields["black_men"], fields["black_kings"] = black_men, black_kings
    if position.sliders is not None:
        fields["sliders"], fields["layout"] = position.sliders, position.layout
    return after


def with_side(position: Position, side: Side, men: int, kings: int) -> Position:
    """Return the position with other pieces for one side."""
    if side == "white":
        return replace(position, white_men=men, white_kings=kings)
    return replace(position, black_men=men, black_kings=kings)


def without(position: Position, gone: int) -> Position:
    """Return the position without the pieces on the squares of a bitboard."""
    return replace(
        position,
        white_men=position.white_men & ~gone,
        white_kings=position.white_kings & ~gone,
        black_men=position.black_men & ~gone,
        black_kings=position.black_kings & ~gone,
    )


def with_piece_moved(position: Position, start: int, end: int) -> Position:
    """Return the position with the piece of one square on another, both as bits; the other is empty."""
    men, kings, their_men, their_kings = (mask ^ start ^ end if mask & start else mask for mask in position._masks())
    return replace(position, white_men=men, white_kings=kings, black_men=their_men, black_kings=their_kings)


def pass_turn(position: Position) -> Position:
    """Return the position with the turn passed to the other side and nothing pending."""
    return replace(position, turn=opponent(position.turn), spin=None, huffable=None, compelled=False)


def slider_letters(layout: Layout, position: Position) -> str:
    """Return the letter of each slider; a position that omits them has all in the middle."""
    return position.sliders or layout.middle_letters


def with_sliders(rules: Rules, position: Position) -> Position:
    """Return the position with its sliders' letters and layout filled in, if the rules have sliders."""
    if rules.trapdoors is None:
        return position
    layout = rules.trapdoors.layout
    if position.sliders and position.layout is layout:
        return position
    return replace(position, sliders=slider_letters(layout, position), layout=layout)


def open_doors(rules: Rules, position: Position) -> int:
    """Return the open doors of a position as a bitboard (`trapdoors.layout`)."""
    if rules.trapdoors is None:
        return 0
    layout = rules.trapdoors.layout
    return layout.open_doors(position.board, slider_letters(layout, position))


_LETTERS = {("white", "man"): "w", ("white", "king"): "W", ("black", "man"): "b", ("black", "king"): "B"}


def board_text(position: Position) -> str:
    """Draw the board as lines of text: `w` and `b` men, `W` and `B` kings, dots for empty playable squares.

    Each row shows the numbers of its first and last square; below is the side to move, and what the board cannot show.
    """
    expect(position, "position", Position, "a Position")
    board = position.board
    by_place = {place: number for number, place in enumerate(board.places, 1)}
    lines = []
    for row in range(board.rows - 1, -1, -1):
        squares = [by_place.get((column, row)) for column in range(board.columns)]
        cells = [" " if n is None else _LETTERS[piece] if (piece := position[n]) else "." for n in squares]
        there = [n for n in squares if n is not None]
        lines.append(f"{there[0]:>4} {' '.join(cells)}  {there[-1]}" if there else " ".join(cells).rstrip())
    extras = "".join(f", {part}" for part in position.fen().split(":")[3:])
    lines.append(f"     {position.turn.capitalize()} to move{extras}")
    return "\n".join(lines)
