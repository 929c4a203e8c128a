"""A look at an engine's conventions before the cases: the smoke question, and five positions that reveal them.

An engine that is right by its own conventions is wrong everywhere, and no rule explains that. It is said here in a
line, if all that is looked for elsewhere can be left out: nearly no answer is as the rules have it, and nearly every
one is as they have it by another convention.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any

from damspec import Board, DamspecError, Move, Position, Ruleset
from damspec.board import Side
from damspec.position import with_sliders
from damspec.validity import find_invalidity

from ..answers.player import RulePlayer
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, UnsupportedError
from ..mutants.mutants import make_mutant
from .ask import ask_params, smoke
from .capabilities import CapabilityAdapter
from .conventions import Conventions, Corner, Translation
from .judge import read_position

#: Positions asked about besides the start; how many have to match a convention; how many may be right.
_ASKED, _MATCHING, _RIGHT = 5, 4, 1
#: The most positions drawn, how many suitable ones are chosen from, and the fewest and most pieces of each side.
_DRAWN, _CHOICE, _PIECES = 2000, 40, (5, 8)
_CORNERS: tuple[Corner, ...] = ("top-left", "top-right", "bottom-left", "bottom-right")
_SIZES = ("8x8", "10x10", "12x12")
#: A move's notation, in lower or upper case.
_MOVE = re.compile(r"([a-z]?[0-9]+)(?:[-x:][a-z]?[0-9]+)*?[-x:]([a-z]?[0-9]+)")
_TURNED = "has its board turned half round, or calls white what is black: --rotate, or --swap-colours"
_FULL_STOP = "reads a position rightly if a full stop ends it: --full-stop"

#: The first and last square of each listed move, which are the same however a capture is written.
_Ends = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class _Convention:
    """A convention, and what an engine that has it would list in each position asked; None if that is unknown."""

    says: str
    lists: tuple[_Ends | None, ...]
    #: A position, a move that crowns a man by the convention, and the position after it, as the engine writes them.
    crowning: tuple[str, tuple[str, str], str] | None = None


def preflight(engine: Engine, ruleset: Ruleset, hello: Hello) -> str | None:
    """Return what the first questions show of an engine's conventions, in a line; None if there is nothing to say.

    The engine has just been asked the smoke question. It may have broken in the end.
    """
    if "moves" not in hello.questions or not hello.setup or not isinstance(engine, CapabilityAdapter):
        return None
    asked, right, conventions = _plan(ruleset)
    answers: list[_Ends | None] = []
    for fen in asked:
        try:
            answers.append(_asked(engine, ruleset, hello, fen))
        except EngineError as error:
            if error.kind != "refused":
                return None  # it breaks, as the results of the cases will tell
            answers.append(None)
    if _count_equal(answers, right) > _RIGHT or not asked:
        return None
    for convention in sorted(conventions, key=lambda convention: -_count_equal(answers, convention.lists)):
        if _count_equal(answers, convention.lists) >= _MATCHING and _crowns(engine, ruleset, hello, convention):
            return convention.says if not engine.conventions else "does not have the conventions that it is asked by"
    wrong = next(place for place in range(len(asked)) if answers[place] != right[place])
    return _FULL_STOP if _wants_full_stop(engine, ruleset, hello, asked[wrong], right[wrong]) else None


def _crowns(engine: Engine, ruleset: Ruleset, hello: Hello, convention: _Convention) -> bool:
    """Return whether an engine crowns a man where a convention has it, not just moves men the wrong way."""
    if convention.crowning is None or "play" not in hello.questions:
        return True
    fen, ends, expected = convention.crowning
    params = ask_params(ruleset, hello, fen)
    try:
        listed = engine.ask("moves", params)["moves"]
        given = next(given for given in listed if _ends(given) == ends)
        after = engine.ask("play", {**params, "move": given})["position"]
        return read_position(ruleset, after) == read_position(ruleset, expected)
    except (UnsupportedError, EngineError, DamspecError, StopIteration):
        return False


def smoke_test(engine: Engine, ruleset: Ruleset) -> Hello:
    """What can be asked of an engine that answers the smoke question. Raises EngineError, with what may be missing."""
    try:
        return smoke(engine, ruleset)
    except EngineError as error:
        if error.kind == "refused" and (odd := preflight(engine, ruleset, engine.hello())):
            raise EngineError(error.kind, f"{error}; it {odd}") from None
        raise


def _wants_full_stop(engine: CapabilityAdapter, ruleset: Ruleset, hello: Hello, fen: str, right: _Ends) -> bool:
    """Return whether a position that was answered wrong is answered right with a full stop."""
    if engine.conventions.full_stop:
        return False
    try:
        return _asked(_stopping(engine), ruleset, hello, fen) == right
    except EngineError:
        return False


def _stopping(engine: CapabilityAdapter) -> CapabilityAdapter:
    """Return an adapter of the same process that ends positions with a full stop."""
    other = CapabilityAdapter(engine.engine, engine.ruleset, replace(engine.conventions, full_stop=True))
    other.hello()
    return other


def _count_equal(answers: Sequence[_Ends | None], expected: Sequence[_Ends | None]) -> int:
    """Return how many answers are as expected, of those with a known expectation."""
    return sum(one is not None and one == other for one, other in zip(answers, expected, strict=True))


def _asked(engine: Engine, ruleset: Ruleset, hello: Hello, fen: str) -> _Ends | None:
    """Return what an engine lists in a position; None if it declines. Raises EngineError if it breaks."""
    engine.restarts_left = 1
    try:
        answer = engine.ask("moves", ask_params(ruleset, hello, fen))
    except UnsupportedError:
        return None
    return frozenset(ends for given in answer["moves"] if (ends := _ends(given)))


def _ends(given: Any) -> tuple[str, str] | None:
    read = _MOVE.fullmatch(str(given["move"] if isinstance(given, Mapping) else given))
    return (read[1], read[2]) if read else None


def _listed(ruleset: Ruleset, position: Position) -> _Ends:
    moves = (action for action in RulePlayer(ruleset).actions(position) if isinstance(action, Move))
    return frozenset((str(move.start), str(move.end)) for move in moves)


# --- the questions, and the answer by each convention -----------------------------------------


@lru_cache(maxsize=64)
def _plan(ruleset: Ruleset) -> tuple[tuple[str, ...], tuple[_Ends, ...], tuple[_Convention, ...]]:
    """Return the positions to ask about, the right lists, and the lists by other conventions.

    The positions are those that tell most conventions apart. Their squares are on small boards too.
    """
    readings = [*_writing(ruleset), *_sizes(ruleset)]
    chosen = []
    drawn = [*islice(_drawn(ruleset), _CHOICE)]
    for position, right in drawn:
        lists = tuple(read(position) for _, read, _ in readings)
        chosen.append((-len({*lists} - {right, None}), position.fen(), right, lists))
    chosen = sorted(chosen, key=lambda one: one[:2])[:_ASKED]
    asked, right_lists = tuple(one[1] for one in chosen), tuple(one[2] for one in chosen)
    conventions = []
    for place, (says, _, writing) in enumerate(readings):
        crowning = _crowning(ruleset, writing, drawn) if writing else None
        conventions.append(_Convention(says, tuple(one[3][place] for one in chosen), crowning))
    before = (_listed(ruleset, ruleset.position()), *right_lists)[: len(asked)]
    conventions.append(_Convention("answers about the position that was asked before", before))
    return asked, right_lists, tuple(conventions)


def _drawn(ruleset: Ruleset) -> Iterator[tuple[Position, _Ends]]:
    """Yield positions in which a man and a king have moves, with the legal moves.

    Since kings move all ways, such positions tell a rotated board from men that move the wrong way.
    """
    board, rng = ruleset.rules.board, random.Random(0)
    last = _last_square(board)
    bits, row = board.bits[:last], last // 8
    # Squares of promotion rows, on this board and on smaller and larger ones, where men may look wrong.
    edges = board.nearest_rows(1, "white") | board.nearest_rows(1, "black")
    edges |= board.mask((*range(1, row * 3 // 2 + 1), *range(last - row + 1, last + 1)))
    sides: tuple[Side, Side] = ("white", "black")
    for _ in range(_DRAWN):
        masks = [0, 0, 0, 0]
        for place, bit in enumerate(rng.sample(bits, rng.randint(*_PIECES))):
            masks[place % 4] |= bit
        white_men, white_kings, black_men, black_kings = masks
        pieces = Position(board, white_men, white_kings, black_men, black_kings, rng.choice(sides))
        position = with_sliders(ruleset.rules, pieces)
        if not (white_men | black_men) & edges and find_invalidity(ruleset.turns, position) is None:
            right = _listed(ruleset, position)
            starts = [board.bit(int(start)) for start, _ in right]
            kings = position.kings(position.turn)
            if any(bit & kings for bit in starts) and not all(bit & kings for bit in starts):
                yield position, right


def _last_square(board: Board) -> int:
    """Return the last square that an 8x8 board with the same numbering has too."""
    small = replace(board, columns=8, rows=8)
    return min(len(small), len(board))


#: Returns what an engine with another convention would list in a position; None if it cannot read it.
_Reading = Callable[[Position], _Ends | None]


def _writing(ruleset: Ruleset) -> Iterator[tuple[str, _Reading, Translation]]:
    """Yield every other numbering of the squares, in words.

    Other names for the colours are the same as a board turned half round, but for who begins.
    """
    board = ruleset.rules.board
    turned = Conventions(rotate=True).on(board)
    for corner in _CORNERS:
        one = Conventions(numbering=corner).on(board)
        if one.numbers == turned.numbers:
            yield _TURNED, _read_by(ruleset, one), one
        elif corner != board.numbering:
            says = f"numbers its squares from the {corner}: --numbering {corner}"
            yield says, _read_by(ruleset, one), one


def _crowning(
    ruleset: Ruleset, writing: Translation, drawn: Sequence[tuple[Position, _Ends]]
) -> tuple[str, tuple[str, str], str] | None:
    """A position in which a man is crowned by a convention, the move, and where it leads, as an engine writes both."""
    player = RulePlayer(ruleset)
    for position, _ in drawn:
        seen = Position.from_fen(writing.position_in(position.fen()), ruleset.rules.board)
        for action in player.actions(seen):
            if isinstance(action, Move) and action.promotes:
                ends = _ends(writing.move_out(f"{action.start}-{action.end}"))
                if ends is not None:
                    return position.fen(), ends, writing.position_out(player.turns.after(seen, action).fen())
    return None


def _read_by(ruleset: Ruleset, writing: Translation) -> _Reading:
    def read(position: Position) -> _Ends | None:
        seen = Position.from_fen(writing.position_in(position.fen()), ruleset.rules.board)
        ends = (_ends(writing.move_out("-".join(move))) for move in _listed(ruleset, seen))
        return frozenset(one for one in ends if one)

    return read


def _sizes(ruleset: Ruleset) -> Iterator[tuple[str, _Reading, None]]:
    for size in _SIZES:
        if size != ruleset.values["board.size"]:
            other = make_mutant(ruleset.base, ruleset.values, (("board.size", size),))
            if other is not None:
                yield f"plays on a board of {size}, not {ruleset.values['board.size']}", _read_on(other.ruleset), None


def _read_on(ruleset: Ruleset) -> _Reading:
    def read(position: Position) -> _Ends | None:
        try:
            return _listed(ruleset, Position.from_fen(position.fen(), ruleset.rules.board))
        except DamspecError:
            return None

    return read
