"""Replaying PDN records by a ruleset, variations too, and writing games as records.

Where a turn is one move of a piece, moves are looked up as bitboards, and only those that remain unclear are examined
further. Actions for which PDN has no notation are written as comments, and read back from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal, NamedTuple, NoReturn

from ..board import SIDES
from ..errors import DamspecError, InvalidMoveError, PdnError, list_some, quote_value, shorten
from ..inheritance import RulesetName
from ..move import Action, Move, is_other_text
from ..outcomes import outcome_of_game
from ..position import Pieces, Position, from_mover_view, to_mover_view
from ..ruleset import Ruleset, load_ruleset
from .notation import GameType, gametype_of, notation_of, ruleset_of, variants
from .record import Comment, Element, GameRecord, Nag, Setup, SkippedMove, UnreadableWord, Variation, WrittenMove

#: A position in bits, as the side to move sees it, where pieces and side are all there is to it.
_Bits = tuple[Pieces, int]
_State = Position | _Bits
#: The maximum number of legal moves in a message.
_MOST_LISTED = 8
#: The remark about a variation that begins after the move before it.
_GOES_ON = "a variation goes on after the move before it, instead of standing in its place"
#: The most ambiguous moves in a row that are tried in each way.
_MOST_FORKS = 3
#: The remark about captures written as several moves.
_SPLIT = "the same piece goes on in the next move, as if each jump of a capture were a move of its own"


@dataclass(frozen=True)
class Problem:
    """What is wrong with a game: the line of the file, the move, and an explanation.

    The kind is `illegal` where a move breaks the rules, `text` where the text cannot be read as it stands, `undecided`
    where it cannot be known what is meant, and `form` for unusual notation that can be played nevertheless. `position`
    is where the move `text` was to be played, `main` whether that was in the game itself and not in a variation.
    """

    line: int
    at: str
    says: str
    kind: Literal["illegal", "text", "undecided", "form"] = "text"
    position: Position | None = None
    text: str = ""
    main: bool = True

    def __str__(self) -> str:
        return ": ".join(part for part in (self.at, self.says) if part)


@dataclass(frozen=True)
class ReplayedGame:
    """The result of replaying a game: the number of moves played, variations included, and the problems met.

    `plies` is the number of moves of the game itself that could be played, `is_whole` whether that is all of them.
    `actions` are these moves, if they were asked for; `start` is the first position, `end` that after the last move.
    """

    moves: int
    problems: tuple[Problem, ...]
    plies: int = 0
    is_whole: bool = False
    start: Position | None = None
    end: Position | None = None
    actions: tuple[Action, ...] = ()


class _LineEndsError(Exception):
    """A problem that ends the line being played."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@lru_cache(1 << 10)
def _value_of(number: str) -> int:
    """Return the value of a move number such as `12.` or `12...`."""
    return int(number.rstrip("."))


class MoveNumbers:
    """The expected move numbers: one more whenever the side with number `n.` is to move again.

    `first` is that side, if known from the start; else the first number decides. Numbers are no longer checked
    (`is_checked`) once something other than moves has been counted.
    """

    def __init__(self, first: int = -1, number: int = 1) -> None:
        self.number, self.first, self.last = number, first, -1
        self.is_checked = True

    def check(self, side: int, number: str) -> str | None:
        """Count a move of `side`, written with `number`; return what is wrong with it, or None."""
        if self.last < 0 and (number or self.first < 0):  # the first number is taken as right
            self.first = 1 - side if number.endswith("...") else side
            self.number = _value_of(number) if number else 1
            self.last = side
            return None
        if side == self.first and self.last == 1 - side:
            self.number += 1
        self.last = side
        if not number:
            return None
        expected, self.number = self.number, _value_of(number)
        if self.number == expected or not self.is_checked:
            return None
        return f"found the move number {number}, expected {expected}."

    @property
    def before(self) -> str:
        """The number as written before the last move counted."""
        return f"{self.number}{'.' if self.last == self.first else '...'}"


def replay(record: GameRecord, ruleset: Ruleset, *, keep: bool = False, is_terse: bool = False) -> ReplayedGame:
    """Replay a game by a ruleset; with `keep`, also return its actions, which takes longer.

    If `is_terse`, what is said of an illegal move does not list the legal ones.
    """
    return _Replay(ruleset, keep=keep, is_terse=is_terse).replay(record)


def ruleset_for(record: GameRecord) -> Ruleset:
    """Return the ruleset of a game: by its tag Ruleset, which damspec writes, else by Variant, else by GameType.

    Raises PdnError if none leads to a ruleset, RulesetError for an unknown Ruleset.
    """
    named = record.tags.get("Ruleset", "")
    if named and not RulesetName.parse(named).is_file:  # a file is for the caller to name
        return load_ruleset(named)
    if variant := variants().get(record.tags.get("Variant", "").casefold()):
        return load_ruleset(variant)
    if "GameType" not in record.tags:
        raise PdnError("no tag GameType, so the ruleset has to be given")
    return ruleset_of(record.tags["GameType"])


class _MoveEnds(NamedTuple):
    """The bits of a move's start and end, and whether it is written as a capture.

    `man_paths` and `king_paths` have for each side the squares that have to be empty if it is the slide of such a
    piece; 0 if no such slide leads there.
    """

    start: int
    end: int
    captures: bool
    man_paths: tuple[int, int] = (0, 0)
    king_paths: tuple[int, int] = (0, 0)


_NO_ENDS = _MoveEnds(0, 0, False)


@cache
def _move_ends_cache(ruleset: Ruleset) -> dict[str, _MoveEnds]:
    """Return the cache of move texts already parsed to bits, since the same ones recur constantly."""
    return {}


class _Replay:
    def __init__(self, ruleset: Ruleset, *, keep: bool, is_terse: bool) -> None:
        self.ruleset = ruleset
        self.turns = ruleset.turns
        self.notation = notation_of(ruleset)
        self.bits = self.turns.plain and not keep
        self.bare = self.turns.bare
        self.generator = self.turns.movement.generator
        tables = self.generator.tables
        self.promotion_rows = tables.promotion_rows
        # Whether a move is either one slide over empty squares, or a capture that no slide may be played instead of.
        self.slides_or_captures = self.turns.movement.slides_only and not (
            tables.capture_duty_optional or tables.capture_duty_for_men
        )
        self.start = ruleset.position()
        self.keep, self.is_terse = keep, is_terse
        self.moves = self.plies = 0
        self._move_ends = _move_ends_cache(ruleset)
        self.problems: list[Problem] = []
        self._problems_before = 0  # how many problems there were before the move
        self._rest: tuple[Sequence[Element], int] = ((), 0)  # a line, and where it goes on after the move
        self.actions: list[Action] = []
        self.end: _State | None = None

    def replay(self, record: GameRecord) -> ReplayedGame:
        """Replay the whole game."""
        fen = record.tags.get("FEN") or "start"
        try:
            start = self.start if fen == "start" else self.ruleset.read_position(fen)
        except DamspecError as error:
            return ReplayedGame(0, (Problem(record.line, "tag FEN", str(error)),))
        is_whole = self._play_line(record.body, self._state(start), MoveNumbers(), main=True)
        end = self._position(self.end) if self.end and is_whole else None
        return ReplayedGame(self.moves, tuple(self.problems), self.plies, is_whole, start, end, tuple(self.actions))

    def _play_line(self, body: Sequence[Element], state: _State, numbers: MoveNumbers, *, main: bool) -> bool:
        """Play the game or a variation from a position; return False if a problem ends it early."""
        before = state
        last: WrittenMove | None = None  # the move that led from `before` to `state`
        after: _State | None
        done = 0
        for place, item in enumerate(body):
            if place < done:
                continue
            try:
                if type(item) is WrittenMove:
                    if isinstance(state, tuple) and (after := self._play_in_bits(state, item, numbers, main=main)):
                        before, state, last = state, after, item
                        continue
                    self._problems_before = len(self.problems)
                    self._rest = body, place + 1
                    try:
                        after = self._play_move(state, item, numbers, main=main)
                    except _LineEndsError as stopped:
                        joined = self._join_jumps(
                            body[place:], state, (before, last) if last else None, stopped.problem, main=main
                        )
                        if joined is None:
                            raise
                        before, after, taken = joined
                        state, numbers.is_checked, done = before, False, place + taken
                    else:
                        self.moves += 1
                        self.plies += main
                    before, state, last = state, after, item
                elif type(item) is Variation:
                    self._play_variation(item.body, before, state, numbers)
                elif type(item) is SkippedMove:
                    self._skip(state, item, numbers, main=main)
                elif type(item) is UnreadableWord:
                    self._stop(Problem(item.line, "", item.says, main=main))
                elif type(item) is Setup:
                    before = state = self._set_up(item, main=main)
                    numbers, last = MoveNumbers(), None
                elif type(item) is Comment and not self.turns.plain and is_other_text(item.text):
                    before, state = state, self._play_action(state, item.text, item.line, item.text, main=main)
                    last = None
            except _LineEndsError as stopped:
                self.problems.append(stopped.problem)
                return False
        if main:
            self.end = state
        return True

    def _play_variation(self, body: Sequence[Element], before: _State, state: _State, numbers: MoveNumbers) -> None:
        """Play a variation instead of the move before it, or, if its first move is legal only then, after that move."""
        moves, problems = self.moves, len(self.problems)
        self._play_line(body, before, MoveNumbers(numbers.first, numbers.number), main=False)
        if self.moves > moves or len(self.problems) == problems or self.problems[-1].kind != "illegal":
            return
        refused = self.problems[problems:]
        del self.problems[problems:]
        self._play_line(body, state, MoveNumbers(), main=False)
        if self.moves > moves:
            self.problems.append(replace(refused[-1], kind="form", says=_GOES_ON))
        else:
            self.problems[problems:] = refused

    def _join_jumps(
        self,
        rest: Sequence[Element],
        state: _State,
        last: tuple[_State, WrittenMove] | None,
        problem: Problem,
        *,
        main: bool,
    ) -> tuple[_State, _State, int] | None:
        """Play a capture whose jumps are written as separate moves; `rest` begins with the illegal one.

        Returns the states before and after it and the number of elements of `rest` it takes; None where no piece
        continues a capture. Raises _LineEndsError where one does, but no capture or several match.
        """
        if problem.position is None:
            return None
        # The first jump is that move, or, where it is a legal move by itself, the one before.
        for before, first in ((state, []), *([(last[0], [last[1]])] if last else [])):
            position = self._position(before)
            jumps, taken = self._jumps(position, first, rest)
            captures = [move for move in self.notation.moves(position) if jumps and move.captured]
            if len(jumps) < 2 or not any(move.start == jumps[0][0] for move in captures):
                continue
            squares = [jumps[0][0], *(square for jump in jumps for square in jump[1:])]
            text = "x".join(map(self.notation.square, squares))
            meant = self.notation.matching_moves(text, captures)
            if len(meant) != 1:
                what = "can be several captures" if meant else "is no legal capture"
                self._stop(replace(problem, kind="undecided", says=f"{_SPLIT}, and {shorten(text)} {what}"))
            self.problems = [*self.problems[: self._problems_before], replace(problem, kind="form", says=_SPLIT)]
            if first and main and self.keep:
                self.actions.pop()
            if main and self.keep:
                self.actions.append(meant[0])
            self.moves += not first
            self.plies += main and not first
            return before, self._state(self.turns.after(position, meant[0])), taken
        return None

    def _jumps(
        self, position: Position, first: Sequence[WrittenMove], rest: Sequence[Element]
    ) -> tuple[list[tuple[int, ...]], int]:
        """Return the squares of consecutive moves of one piece, each starting where the last one ended.

        Also returns how many elements of `rest` they take.
        """
        jumps: list[tuple[int, ...]] = []
        taken = 0
        for place, item in enumerate([*first, *rest], 1 - len(first)):
            if type(item) in (Comment, Nag):
                continue
            try:
                squares, _ = self.notation.squares(item.text if type(item) is WrittenMove else "")
            except InvalidMoveError:
                break
            if jumps:
                goes_on = squares[0] == jumps[-1][-1]
            else:
                piece = position[squares[0]]
                to_empty = squares[0] == squares[-1] or position[squares[-1]] is None
                goes_on = piece is not None and piece.side == position.turn and to_empty
            if not goes_on:
                break
            jumps.append(squares)
            taken = place
        return jumps, taken

    def _play_move(self, state: _State, move: WrittenMove, numbers: MoveNumbers, *, main: bool) -> _State:
        """Return the state after a move of a piece."""
        text = move.text
        side = state[1] if isinstance(state, tuple) else SIDES.index(state.turn)
        wrong = numbers.check(side, move.number)
        if wrong:
            self.problems.append(Problem(move.line, f"move {move.number} {shorten(text)}", wrong, main=main))
        return self._play_action(state, text, move.line, f"move {numbers.before} {shorten(text)}", main=main)

    def _play_in_bits(self, state: _Bits, move: WrittenMove, numbers: MoveNumbers, *, main: bool) -> _State | None:
        """Return the state after the only legal move that a text clearly denotes; None if it has to be examined."""
        ends = self._move_ends.get(move.text) or self._find_ends(move.text)
        start, end, _, man_paths, king_paths = ends
        pieces, side = state
        men, kings, enemy_men, enemy_kings = pieces
        path = man_paths[side] if men & start else king_paths[side] if kings & start else 0
        after: Pieces | None
        if not path or path & (men | kings | enemy_men | enemy_kings) or self.generator.can_capture(pieces, side):
            after = self._pieces_after(pieces, side, ends)
            if after is None:
                return None
        elif kings & start:
            after = enemy_men, enemy_kings, men, kings ^ start ^ end
        elif end & self.promotion_rows[side]:
            after = enemy_men, enemy_kings, men ^ start, kings ^ end
        else:
            after = enemy_men, enemy_kings, men ^ start ^ end, kings
        wrong = numbers.check(side, move.number)
        if wrong:
            self.problems.append(Problem(move.line, f"move {move.number} {shorten(move.text)}", wrong, main=main))
        self.moves += 1
        self.plies += main
        if self.bare or self._fit_in_bits(after):
            return after, 1 - side
        return from_mover_view(self.start, after, 1 - side)

    def _find_ends(self, text: str) -> _MoveEnds:
        """Return the ends of a move; zeros for a text to examine further."""
        try:
            squares, captures = self.notation.squares(text)
        except InvalidMoveError:
            return _NO_ENDS
        if len(squares) != 2:
            return _NO_ENDS
        start, end = map(self.notation.board.bit, squares)
        paths: list[tuple[int, int]] = [(0, 0), (0, 0)]
        if self.slides_or_captures:
            path = self.generator.slide_path
            paths = [(path(start, end, 0, is_king=king), path(start, end, 1, is_king=king)) for king in (False, True)]
        self._move_ends[text] = found = _MoveEnds(start, end, captures > 0, *paths)
        return found

    def _pieces_after(self, pieces: Pieces, side: int, ends: _MoveEnds) -> Pieces | None:
        """Return the pieces after the only legal move between two squares; None if there is not exactly one.

        The sign between the squares decides only where there is both a capture and another move between them.
        """
        start, end, captures, _, _ = ends
        if not start & (pieces[0] | pieces[1]):
            return None
        steps = self.generator.captures(pieces, side)
        if not self.slides_or_captures and not (steps and (captures or self.generator.binding(steps, pieces))):
            quiet = self.generator.quiet_of(start, pieces, side)
            if any(step[1] == end for step in quiet) or not steps:
                steps = quiet
        found = None
        for step in steps:
            if step[0] == start and step[1] == end:
                if found is not None and found[:4] != step[:4]:
                    return None
                found = step
        return found and self.generator.after(pieces, found)

    def _play_action(self, state: _State, text: str, line: int, at: str, *, main: bool) -> _State:
        """Return the state after any action, examined in full. Raises _LineEndsError with the problem."""
        position = self._position(state)
        try:
            found = _matching_actions(self.ruleset, position, text)
        except InvalidMoveError as error:
            self._stop(Problem(line, at, str(error), main=main))
        if len(found) > 1:
            body, place = self._rest
            found = _likeliest(self.ruleset, position, found, [i.text for i in body[place:] if type(i) is WrittenMove])
        if len(found) != 1:
            problem = self._describe_problem(position, text, found, line, at, main=main)
            if not found or self.keep:
                self._stop(problem)
            self.problems.append(replace(problem, kind="form"))
        action = found[0]
        if main and self.keep:
            self.actions.append(action)
        return self._state(self.turns.after(position, action))

    def _describe_problem(
        self, position: Position, text: str, found: Sequence[Action], line: int, at: str, *, main: bool
    ) -> Problem:
        """Return the problem with a text that matches no action, or several."""
        if found:
            means = " or ".join(text_of(self.ruleset, position, action) for action in found)
            return Problem(line, at, f"ambiguous: it can be {means}", position=position, text=text, main=main)
        if self.is_terse:
            return Problem(line, at, "illegal", "illegal", position=position, text=text, main=main)
        legal = [text_of(self.ruleset, position, action) for action in self.turns.actions(position)]
        says = f"illegal; legal: {list_some(legal, _MOST_LISTED) or 'none'}"
        return Problem(line, at, says, "illegal", position=position, text=text, main=main)

    def _skip(self, state: _State, item: SkippedMove, numbers: MoveNumbers, *, main: bool) -> None:
        """Skip dots, which stand for the first side's move; a dash is an unknown move and ends the line."""
        if item.text != "...":
            at = f"move {item.number or shorten(item.text)}"
            self._stop(Problem(item.line, at, "nobody knows this move", main=main))
        if item.number:
            side = SIDES.index(self._position(state).turn)
            numbers.check(1 - side, item.number)

    def _set_up(self, item: Setup, *, main: bool) -> _State:
        try:
            if main and self.keep:
                raise PdnError("a game cannot go on from a position that is set up among its moves")
            return self._state(self.ruleset.read_position(item.fen))
        except DamspecError as error:
            self._stop(Problem(item.line, "FEN among the moves", str(error), main=main))

    def _stop(self, problem: Problem) -> NoReturn:
        raise _LineEndsError(problem)

    def _state(self, position: Position) -> _State:
        seen = to_mover_view(position)
        return seen if self.bits and self._fit_in_bits(seen[0]) else position

    def _fit_in_bits(self, pieces: Pieces) -> bool:
        """Return whether the pieces and the side to move are the whole position: no king can have a run."""
        return self.bare or not pieces[1] | pieces[3]

    def _position(self, state: _State) -> Position:
        return from_mover_view(self.start, *state) if isinstance(state, tuple) else state


def matching_action(ruleset: Ruleset, position: Position, text: str, following: Sequence[str]) -> Action:
    """Return the action that a text denotes in a position; of several the one with which `following` can be played.

    Raises PdnError.
    """
    try:
        found = _matching_actions(ruleset, position, text)
    except InvalidMoveError as error:
        raise PdnError(str(error)) from None
    if len(found) > 1:
        found = _likeliest(ruleset, position, found, following)
    if len(found) == 1:
        return found[0]
    listed = " or ".join(text_of(ruleset, position, action) for action in found)
    says = f"is ambiguous: it can be {listed}" if found else f"is illegal in {position.fen()} ({ruleset.id})"
    raise PdnError(f"{quote_value(text)} {says}")


def text_of(ruleset: Ruleset, position: Position, action: Action) -> str:
    """Return an action as a game writes it."""
    return notation_of(ruleset).text_of(position, action) if isinstance(action, Move) else str(action)


def _matching_actions(ruleset: Ruleset, position: Position, text: str) -> list[Action]:
    if is_other_text(text):
        return [action for action in ruleset.turns.actions(position) if str(action) == text]
    notation = notation_of(ruleset)
    return [*notation.matching_moves(text, notation.moves(position))]


def _likeliest(ruleset: Ruleset, position: Position, found: Sequence[Action], following: Sequence[str]) -> list[Action]:
    """Return those of several actions after which most of the following moves can be played."""
    after = ruleset.turns.after
    reach = [_count_playable(ruleset, after(position, action), following, _MOST_FORKS) for action in found]
    return [action for action, plies in zip(found, reach, strict=True) if plies == max(reach)]


def _count_playable(ruleset: Ruleset, position: Position, texts: Sequence[str], forks: int) -> int:
    """Return how many moves can be played one after another; `forks` limits how many of them can be ambiguous."""
    for place, text in enumerate(texts):
        try:
            found = _matching_actions(ruleset, position, text)
        except InvalidMoveError:
            return place
        if not found:
            return place
        if len(found) > 1 and forks:
            ways = (ruleset.turns.after(position, action) for action in found)
            return place + 1 + max(_count_playable(ruleset, way, texts[place + 1 :], forks - 1) for way in ways)
        position = ruleset.turns.after(position, found[0])
    return len(texts)


def record_of(
    ruleset: Ruleset, start: Position, actions: Iterable[Action], tags: Mapping[str, str] | None = None
) -> GameRecord:
    """Return a game as a record: the given tags, then those that its result, ruleset and first position need.

    A game that starts in the usual position of its type has no tag FEN: some readers misinterpret games with one.
    """
    if tags is not None:
        tags = GameRecord(tags, ()).tags
    actions = list(actions)
    body = list(_body(ruleset, start, actions))
    notation, gametype = notation_of(ruleset), gametype_of(ruleset)
    meant = _ruleset_by_tag(gametype)
    positions = [start, *(after for _, after in body)]
    needed = {
        "Result": notation.known.result(outcome_of_game(ruleset.turns, positions, actions).result),
        "GameType": str(gametype) if gametype else "",
        "Ruleset": "" if meant == ruleset else ruleset.id,
        "FEN": "" if meant and Position.start(meant.rules).fen() == start.fen() else notation.fen(start),
    }
    known = {name: value for name, value in needed.items() if value}
    return GameRecord({**(tags or {}), **known, **(tags or {})}, tuple(element for element, _ in body))


def _ruleset_by_tag(gametype: GameType | None) -> Ruleset | None:
    """Return the ruleset that the tag GameType alone leads to, if any."""
    try:
        return ruleset_of(str(gametype)) if gametype else None
    except PdnError:
        return None


def _body(ruleset: Ruleset, position: Position, actions: Iterable[Action]) -> Iterator[tuple[Element, Position]]:
    """Yield the elements of a game's movetext, each with the position after it."""
    notation, numbers, after_move = notation_of(ruleset), MoveNumbers(SIDES.index(ruleset.rules.start.first)), False
    for action in actions:
        before, position = position, ruleset.turns.after(position, action)
        if isinstance(action, Move):
            side = SIDES.index(before.turn)
            numbers.check(side, "")
            number = numbers.before if side == numbers.first or not after_move else ""
            yield WrittenMove(notation.text_of(before, action), number), position
        else:
            yield Comment(str(action)), position
        after_move = isinstance(action, Move)
