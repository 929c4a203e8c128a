"""Preflight: the conventions of an engine, found before the cases from the start and a few telling positions.

An engine that is right by its own conventions is wrong everywhere, and no rule explains that. A notation of moves that
makes the list of the start position exactly right, and in which all else can be read, is adopted. Other numbers and
boards are only said in a line: nearly no answer is as the rules have it, and nearly every one is as they have it by
another convention.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, get_args

from damspec import Action, Board, DamspecError, Move, Position, Ruleset
from damspec.board import Side, opponent
from damspec.move import is_other_text
from damspec.position import with_sliders
from damspec.validity import find_invalidity, may_be_reached

from ..answers.player import RulePlayer, key
from ..cases.answer import read_moves, read_position
from ..cases.notation import read_path
from ..engines.process import Engine
from ..engines.protocol import EngineError, Hello, UnsupportedError, answer_or_refusal, move_notation
from ..mutants.mutants import make_mutant
from .ask import smoke
from .capabilities import CapabilityAdapter
from .conventions import OURS, Conventions, Corner, Translation
from .exchange import ask_params
from .notations import NOTATIONS, MoveNotation, MoveReader, engine_notation

#: Positions asked about besides the start; how many have to match a convention; how many may be right.
_ASKED, _MATCHING, _RIGHT = 5, 4, 1
#: How many positions with captures are asked about for a notation.
_WITH_CAPTURES = 2
#: The most positions drawn, how many suitable ones are chosen from, and the fewest and most pieces of each side.
_DRAWN, _CHOICE, _PIECES = 2000, 40, (5, 8)
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
    is_played = hello.manner == "played"
    if not (hello.setup and isinstance(engine, CapabilityAdapter) and (is_played or "moves" in hello.questions)):
        return None
    asked, right, conventions = _plan(ruleset)
    try:
        if engine.conventions.notation is None and (said := _find_notation(engine, ruleset, hello)):
            return said
        if is_played:
            return None
        answers = [_unless_refused(_ask_ends, engine, ruleset, hello, fen) for fen in asked]
    except EngineError:
        return None  # it breaks, as the results of the cases will tell
    if _count_equal(answers, right) > _RIGHT or not asked:
        return None
    for convention in sorted(conventions, key=lambda convention: -_count_equal(answers, convention.lists)):
        if _count_equal(answers, convention.lists) >= _MATCHING and _crowns(engine, ruleset, hello, convention):
            return convention.says if not engine.conventions else "does not have the conventions that it is asked by"
    wrong = next(place for place in range(len(asked)) if answers[place] != right[place])
    return _FULL_STOP if _wants_full_stop(engine, ruleset, hello, asked[wrong], right[wrong]) else None


def _unless_refused(ask: Callable[..., Any], *arguments: Any) -> Any:
    """Return an answer, or None if the engine declines to give one. Raises EngineError if it breaks."""
    answer = answer_or_refusal(ask, *arguments)
    return None if isinstance(answer, Exception) else answer


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
    stopping = CapabilityAdapter(engine.engine, engine.ruleset, replace(engine.conventions, full_stop=True))
    try:
        return _ask_ends(stopping, ruleset, hello, fen) == right
    except (UnsupportedError, EngineError):
        return False


def _count_equal(answers: Sequence[_Ends | None], expected: Sequence[_Ends | None]) -> int:
    """Return how many answers are as expected, of those with a known expectation."""
    return sum(one is not None and one == other for one, other in zip(answers, expected, strict=True))


def _ask_ends(engine: Engine, ruleset: Ruleset, hello: Hello, fen: str) -> _Ends:
    """Return what an engine lists in a position. Raises UnsupportedError or EngineError."""
    engine.restarts_left = 1
    answer = engine.ask("moves", ask_params(ruleset, hello, fen))
    return frozenset(filter(None, map(_ends, answer["moves"])))


def _ends(given: Any) -> tuple[str, str] | None:
    read = _MOVE.fullmatch(move_notation(given))
    return (read[1], read[2]) if read else None


def _legal_ends(ruleset: Ruleset, position: Position, *, hops: bool = False) -> _Ends:
    """Return the ends of the legal moves, or of their first hops."""
    turns = ruleset.turns if hops else RulePlayer(ruleset).turns
    moves = [action for action in turns.actions(position) if isinstance(action, Move)]
    if hops:
        return frozenset((str(path[0]), str(path[1])) for move in moves for path in move.paths)
    return frozenset((str(move.start), str(move.end)) for move in moves)


# --- notations of moves -----------------------------------------------------------------------


def _find_notation(engine: CapabilityAdapter, ruleset: Ruleset, hello: Hello) -> str | None:
    """Adopt the notation in which an engine writes its moves, and return what is to be said about it.

    None if it is damspec's, or unknown. Raises EngineError if the engine breaks.
    """
    if hello.manner == "probed":
        return None
    answers: list[_Answer] = []
    for fen in _positions(ruleset):
        engine.restarts_left = 1
        listed = _unless_refused(engine.as_written, fen)
        if listed is not None:
            position = ruleset.position(fen)
            answers.append(_Answer(position, listed, _legal_ends(ruleset, position, hops=hello.steps)))
    translation = engine.conventions.on(ruleset.rules.board)
    if hello.manner == "played":
        fits = _fits_of_played(answers, ruleset, translation)
    elif answers and answers[0].position.fen() == _positions(ruleset)[0] and not _is_ours(answers, translation):
        fits = _fits(answers, ruleset, translation, hops=hello.steps)
        if not fits:
            return _suggest_notation(answers, ruleset, translation, hops=hello.steps)
    else:
        return None
    if len(fits) > 1:
        names = " or ".join(f"--notation {notation.name}" for notation in fits[:3])
        return f"writes moves in a way that can be read as several notations: give {names}"
    if not fits:
        return None
    engine.adopt(replace(engine.conventions, notation=fits[0].name))
    return f"{fits[0].describe(ruleset.rules.board)}; read so"


def _fits(
    answers: Sequence[_Answer], ruleset: Ruleset, translation: Translation, *, hops: bool
) -> Sequence[MoveNotation]:
    """Return the notations in which the lists are right most often."""
    fits: dict[tuple[int, int], list[MoveNotation]] = {}
    for notation in NOTATIONS.values():
        reader = MoveReader(notation, ruleset, translation, hops=hops)
        if not (hops and notation.kind == "boards") and (fit := _fit(reader, answers)):
            fits.setdefault(fit, []).append(notation)
    return fits[max(fits)] if fits else ()


def _fits_of_played(answers: Sequence[_Answer], ruleset: Ruleset, translation: Translation) -> Sequence[MoveNotation]:
    """Return the notations in which every move that an engine plays is legal; none if it is so in damspec's."""

    def is_legal(position: Position, moves: Sequence[Any]) -> bool:
        legal = {key(action): str(action) for action in ruleset.turns.actions(position)}
        return len(moves) == 1 and read_moves(position, legal, moves)[0].key in legal

    def can_read(notation: MoveNotation) -> bool:
        reader = MoveReader(notation, ruleset, translation)
        try:
            return all(is_legal(one.position, reader.read(one.listed, one.position)) for one in answers)
        except UnsupportedError:
            return False

    ours = (is_legal(one.position, [*map(translation.move_in, one.listed)]) for one in answers)
    if len(answers) < _MATCHING or all(ours):
        return ()
    return [*filter(can_read, NOTATIONS.values())]


def _suggest_notation(
    answers: Sequence[_Answer], ruleset: Ruleset, translation: Translation, *, hops: bool
) -> str | None:
    """Return what is said of an engine whose first list is wrong, if its lists can be read in one notation only."""
    board = ruleset.rules.board
    if all(_is_readable(move, board) for answer in answers for move in map(translation.move_in, answer.listed)):
        return None
    number = sum(len(answer.listed) for answer in answers)
    readers = [MoveReader(notation, ruleset, translation, hops=hops) for notation in NOTATIONS.values()]
    fits = [
        reader.notation
        for reader in readers
        if reader.notation.kind != "boards" and (_fit(reader, answers, wrong_start=True) or (0, 0))[1] == number
    ]
    if len(fits) != 1:
        return None
    return f"seems to be one that {fits[0].describe(board)}, but its first moves are wrong: --notation {fits[0].name}"


def _is_readable(given: Any, board: Board) -> bool:
    """Return whether a move is written as damspec writes one."""
    text = move_notation(given)
    return is_other_text(text) or bool(read_path(text, board)[0])


@dataclass(frozen=True)
class _Answer:
    """What an engine lists in a position, as it writes it, and the ends of the moves, or hops, that are right."""

    position: Position
    listed: Sequence[Any]
    right: _Ends


def _fit(reader: MoveReader, answers: Sequence[_Answer], *, wrong_start: bool = False) -> tuple[int, int] | None:
    """Return in how many positions a list is right as it is read, and how many moves of pieces of the side to move.

    None if something cannot be read, or the first list is not exactly the right one, unless `wrong_start` allows it.
    """
    exact = own = 0
    for answer in answers:
        try:
            read = reader.read(answer.listed, answer.position)
        except UnsupportedError:
            continue
        moves = [move for move in read if not (isinstance(move, str) and is_other_text(move))]
        ends = [_ends(move) for move in moves if engine_notation(move) is not None]
        if len(ends) < len(moves):
            return None
        is_right = frozenset(ends) == answer.right
        if answer is answers[0] and not (is_right or wrong_start):
            return None
        exact += is_right
        position, board = answer.position, answer.position.board
        movers = position.occupied(position.turn)
        own += sum(bool(board.bit(int(one[0])) & movers) for one in ends if one)
    return (exact, own) if own else None


def _is_ours(answers: Sequence[_Answer], translation: Translation) -> bool:
    """Return whether lists are written as damspec writes them: the start is right, and signs say what the board does.

    Signs are wrong if no capture of a single piece has an x, or no move over none has a hyphen.
    """
    signs: dict[bool, set[bool]] = {True: set(), False: set()}
    for answer in answers:
        position, board = answer.position, answer.position.board
        for given in map(translation.move_in, answer.listed):
            text = move_notation(given)
            if is_other_text(text):
                continue
            squares, captures = read_path(text, board)
            if not squares:
                return False
            between = board.between(squares[0], squares[-1]) if len(squares) == 2 else None
            if between is not None:
                over = sum(bool(bit & position.occupied(opponent(position.turn))) for bit in between)
                if over < 2:
                    signs[over == 1].add(captures == 1)
    number, ends = answers[0].position.board.square, map(_ends, map(translation.move_in, answers[0].listed))
    is_right = frozenset((str(number(one[0])), str(number(one[1]))) for one in ends if one) == answers[0].right
    return is_right and signs[True] != {False} and signs[False] != {True}


@lru_cache(maxsize=64)
def _positions(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the positions whose lists show a notation.

    First the start, or what a spin makes of it; then those that tell other conventions apart, some with captures of one
    piece, for the signs of captures, and one with a square of one digit, for the width of numbers.
    """
    turns = ruleset.turns

    def is_single_capture(action: Action) -> bool:
        return isinstance(action, Move) and len(action.captured) == 1 == len(action.path) - 1

    start = ruleset.position()
    spun = (turns.after(start, action) for action in turns.actions(start))
    starts = (one for one in (start, *spun) if any(isinstance(action, Move) for action in turns.actions(one)))
    capturing = (one.fen() for one in _drawn_positions(ruleset) if any(map(is_single_capture, turns.actions(one))))
    low = (
        one.fen()
        for one in _drawn_positions(ruleset)
        if any(min(map(int, ends)) < 10 for ends in _legal_ends(ruleset, one))
    )
    return next(starts, start).fen(), *_plan(ruleset)[0], *islice(capturing, _WITH_CAPTURES), *islice(low, 1)


# --- the questions, and the answer by each convention -----------------------------------------


@lru_cache(maxsize=64)
def _plan(ruleset: Ruleset) -> tuple[tuple[str, ...], tuple[_Ends, ...], tuple[_Convention, ...]]:
    """Return the positions to ask about, the right lists, and the lists by other conventions.

    The positions are those that tell most conventions apart. Their squares are on small boards too.
    """
    readings = [*_readings(ruleset)]
    drawn = [*islice(_sample_positions(ruleset), _CHOICE)]

    def differing(position: Position, right: _Ends) -> int:
        return len({_list_by(rules, writing, position) for _, rules, writing in readings} - {right, None})

    chosen = sorted(drawn, key=lambda one: (-differing(*one), one[0].fen()))[:_ASKED]
    right_lists = tuple(right for _, right in chosen)
    conventions = [
        _Convention(
            says,
            tuple(_list_by(rules, writing, position) for position, _ in chosen),
            _crowning(ruleset, writing, drawn) if writing.conventions else None,
        )
        for says, rules, writing in readings
    ]
    before = (_legal_ends(ruleset, ruleset.position()), *right_lists)[: len(chosen)]
    conventions.append(_Convention("answers about the position that was asked before", before))
    return tuple(position.fen() for position, _ in chosen), right_lists, tuple(conventions)


def _sample_positions(ruleset: Ruleset) -> Iterator[tuple[Position, _Ends]]:
    """Yield positions in which a man and a king have moves, with the legal moves.

    Since kings move all ways, such positions tell a rotated board from men that move the wrong way.
    """
    for position in _drawn_positions(ruleset):
        right = _legal_ends(ruleset, position)
        starts = [position.board.bit(int(start)) for start, _ in right]
        kings = position.kings(position.turn)
        if any(bit & kings for bit in starts) and not all(bit & kings for bit in starts):
            yield position, right


def _drawn_positions(ruleset: Ruleset) -> Iterator[Position]:
    """Yield random positions that are valid, the same ones each time."""
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
        if not (white_men | black_men) & edges and (
            may_be_reached(ruleset.turns, position) and not find_invalidity(ruleset.turns, position)
        ):
            yield position


def _last_square(board: Board) -> int:
    """Return the last square that an 8x8 board with the same numbering has too."""
    small = replace(board, columns=8, rows=8)
    return min(len(small), len(board))


def _readings(ruleset: Ruleset) -> Iterator[tuple[str, Ruleset, Translation]]:
    """Yield what an engine may do otherwise, in words: the rules that it plays, and how it writes positions and moves.

    Other names for the colours are the same as a board turned half round, but for who begins.
    """
    board = ruleset.rules.board
    turned = Conventions(rotate=True).on(board)
    for corner in get_args(Corner):
        one = Conventions(numbering=corner).on(board)
        if one.numbers == turned.numbers:
            yield _TURNED, ruleset, one
        elif corner != board.numbering:
            yield f"numbers its squares from the {corner}: --numbering {corner}", ruleset, one
    for size in _SIZES:
        if size != ruleset.values["board.size"]:
            other = make_mutant(ruleset.base, ruleset.values, (("board.size", size),))
            with suppress(DamspecError):  # trapdoors are laid out on boards of one size
                if other is not None:
                    writing = OURS.on(other.ruleset.rules.board)
                    yield f"plays on a board of {size}, not {ruleset.values['board.size']}", other.ruleset, writing


def _list_by(rules: Ruleset, writing: Translation, position: Position) -> _Ends | None:
    """Return what an engine that plays and writes so would list in a position; None if it cannot read it."""
    try:
        legal = _legal_ends(rules, Position.from_fen(writing.position_in(position.fen()), rules.rules.board))
    except DamspecError:
        return None
    return frozenset(filter(None, (_ends(writing.move_out("-".join(ends))) for ends in legal)))


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
