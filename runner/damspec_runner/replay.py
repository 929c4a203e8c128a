"""Replay of PDN games by a ruleset: which moves are illegal, and by which rule."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import add
from typing import ClassVar, Literal

from damspec import Move, Position, Ruleset, load_ruleset, ruleset_ids
from damspec.board import Board
from damspec.errors import DamspecError, InvalidMoveError, shorten
from damspec.king_runs import without_runs
from damspec.pdn.games import Problem, ReplayedGame, replay, ruleset_for
from damspec.pdn.notation import notation_of
from damspec.pdn.orientation import MAY_BE_MISREAD, SURE, Orientation, orientation_of
from damspec.pdn.parser import LONGEST_CHUNK, Chunk, chunks, records_in
from damspec.pdn.record import GameRecord
from damspec.vocabulary import word_value

from .answers.player import RulePlayer
from .mutants.mutants import relaxed_mutants

#: The number of nearest legal moves listed.
_NEAREST = 5


@dataclass(frozen=True)
class Refusal:
    """Why a move is illegal: the reason, the rule if any, the nearest legal moves, the rulesets that allow it."""

    says: str
    rule: str | None
    nearest: tuple[str, ...]
    legal_by: tuple[str, ...]


def reason(ruleset: Ruleset, position: Position, text: str) -> Refusal:
    """Explain why the move in `text` is illegal in a position."""
    says, rule = _find_obstacle(ruleset, position, text), None
    if says is None:
        rule = next((rule for rule, relaxed in _relaxed(ruleset) if _allows(relaxed, position, text)), None)
        says = word_value(rule, ruleset.values.get(rule)).rstrip(".") if rule else "no such move"
    return Refusal(
        says, rule, _nearest_moves(ruleset, position, text), tuple(_allowing_rulesets(ruleset, position, text))
    )


def _find_obstacle(ruleset: Ruleset, position: Position, text: str) -> str | None:
    """Describe what stands on the move's first or last square, if that prevents it; else None."""
    notation = notation_of(ruleset)
    try:
        squares, _ = notation.squares(text)
    except InvalidMoveError:
        return None
    start, end = squares[0], squares[-1]
    piece, mover = position[start], position.turn.capitalize()
    if piece is None:
        return f"no piece stands on {notation.square(start)}"
    if piece.side != position.turn:
        return f"{mover} is to move, and the piece on {notation.square(start)} is {piece.side.capitalize()}'s"
    if end != start and position[end] is not None:
        return f"a piece stands on {notation.square(end)}"
    return None


@cache
def _relaxed(ruleset: Ruleset) -> list[tuple[str, RulePlayer]]:
    return [(rule, RulePlayer(mutant.ruleset)) for rule, mutant in relaxed_mutants(ruleset)]


def _allows(player: RulePlayer, position: Position, text: str) -> bool:
    legal = [action for action in player.turns.actions(player.fitted(position)) if isinstance(action, Move)]
    try:
        return bool(notation_of(player.ruleset).matching_moves(text, legal))
    except InvalidMoveError:
        return False


def _nearest_moves(ruleset: Ruleset, position: Position, text: str) -> tuple[str, ...]:
    """Return the legal moves most like a text: of the same piece, to the same square, then the others."""
    notation, legal = notation_of(ruleset), ruleset.turns.actions(position)
    try:
        squares, _ = notation.squares(text)
    except InvalidMoveError:
        squares = (0,)
    near = sorted(
        legal,
        key=lambda action: (
            not isinstance(action, Move) or (action.start != squares[0], action.end != squares[-1]) == (True, True),
            isinstance(action, Move) and action.start != squares[0],
        ),
    )
    return tuple(
        notation.text_of(position, action) if isinstance(action, Move) else str(action) for action in near[:_NEAREST]
    )


def _allowing_rulesets(ruleset: Ruleset, position: Position, text: str) -> Iterator[str]:
    """Yield the shipped rulesets by which a move over the same squares is legal."""
    try:
        squares, captures = notation_of(ruleset).squares(text)
    except InvalidMoveError:
        return
    bits = [position.board.bit(square) for square in squares]
    for id in ruleset_ids():
        other = load_ruleset(id)
        board = other.rules.board
        if id == ruleset.base or not _same_squares(board, position.board):
            continue
        there = position if board == position.board else _renumber(position, board)
        if _allows(RulePlayer(other), there, ("x" if captures else "-").join(str(board.number(bit)) for bit in bits)):
            yield id


def _same_squares(one: Board, other: Board) -> bool:
    return set(one.places) == set(other.places) and one.squares == other.squares


def _renumber(position: Position, board: Board) -> Position:
    """Return a position on a board with the same squares under other numbers."""
    return replace(without_runs(position), board=board, sliders=None, spin=None, huffable=None)


#: The most rulesets listed in a line; the JSON has all.
_SHOWN = 8
#: The most games that wait for the orientation to be decided.
_MOST_WAITING = 100
#: The plies from which a complete legal game shows that its orientation is right.
_SURE_IF_WHOLE = 4


@dataclass(frozen=True)
class Complaint:
    """A fault of a game: the line of the file, the move, what is wrong, and for an illegal move why.

    The kind is `illegal` for a move that breaks the rules, `text` for what cannot be read as it stands, and `form` for
    a remark about notation that could be played nevertheless.
    """

    kind: Literal["illegal", "text", "form"]
    line: int
    at: str
    says: str
    position: str | None = None
    reason: Refusal | None = None

    def __str__(self) -> str:
        if self.reason is None:
            return ": ".join(part for part in (self.at, self.says) if part)
        rule = f" ({self.reason.rule})" if self.reason.rule else ""
        nearest = f"; legal: {', '.join(self.reason.nearest)}" if self.reason.nearest else "; no move is legal"
        others = f"; legal by {_list_ids(self.reason.legal_by)}" if self.reason.legal_by else ""
        return f"{self.at}: illegal: {self.reason.says}{rule}{nearest}{others}"


def _list_ids(ids: Sequence[str]) -> str:
    more = len(ids) - _SHOWN
    return ", ".join(ids[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


@dataclass(frozen=True)
class Checked:
    """A checked game: its number in the file, players, ruleset, number of legal moves, and faults."""

    number: int
    players: str
    ruleset: str | None
    moves: int
    faults: tuple[Complaint, ...]

    @property
    def verdict(self) -> Literal["legal", "illegal", "text"]:
        """The verdict on the whole game."""
        kinds = {fault.kind for fault in self.faults} - {"form"}
        return "illegal" if "illegal" in kinds else "text" if kinds else "legal"


@dataclass
class Tally:
    """Counts of the games of a file by one ruleset, and of their verdicts."""

    games: int = 0
    moves: int = 0
    legal: int = 0
    illegal: int = 0
    text: int = 0

    #: The counts in words, in their order.
    COUNTS: ClassVar = ("games", "moves", "legal", "illegal", "bad text")

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts in the order of `COUNTS`."""
        return (self.games, self.moves, self.legal, self.illegal, self.text)

    def __add__(self, other: Tally) -> Tally:
        return Tally(*map(add, self.counts, other.counts))

    def count(self, checked: Checked) -> None:
        """Add a game."""
        self.games += 1
        self.moves += checked.moves
        setattr(self, checked.verdict, getattr(self, checked.verdict) + 1)

    def as_json(self) -> dict[str, int]:
        """Return the counts as plain data."""
        return dict(vars(self))


def games(lines: Iterable[str], ruleset: Ruleset | None, encoding: str | None) -> Iterator[Checked]:
    """Yield the checked games of a file, given as lines decoded as Latin-1.

    `ruleset` overrides the games' tags; `encoding` is the file's encoding, if not UTF-8.
    """
    groups: dict[Ruleset, _Group] = {}
    waiting: deque[_Game] = deque()
    size = 0
    for game in _read(lines, ruleset, encoding):
        waiting.append(game)
        size += game.size
        if game.by is not None and game.record is not None:
            groups.setdefault(game.by, _Group(game.by)).add(game, game.record)
        if len(waiting) >= _MOST_WAITING or size > LONGEST_CHUNK:
            for group in groups.values():
                group.decide()
        while waiting and (checked := waiting[0].checked) is not None:
            size -= waiting.popleft().size
            yield checked
    for group in groups.values():
        group.decide()
    yield from (game.checked for game in waiting if game.checked is not None)


@dataclass
class _Game:
    """A game of a file, before and after it is played."""

    number: int
    size: int
    wrong: tuple[Complaint, ...]
    record: GameRecord | None = None
    by: Ruleset | None = None
    checked: Checked | None = None

    def done(self, moves: int, faults: Iterable[Complaint]) -> None:
        """Store the result."""
        players = shorten(self.record.players) if self.record else ""
        by = self.by.id if self.by else None
        self.checked = Checked(self.number, players, by, moves, (*self.wrong, *faults))


def _read(lines: Iterable[str], ruleset: Ruleset | None, encoding: str | None) -> Iterator[_Game]:
    number = 0
    for chunk in chunks(lines):
        text, wrong = _decode(chunk, encoding)
        for record in records_in(replace(chunk, text=text)):
            number += 1
            game = _Game(number, len(text), wrong, record)
            try:
                game.by = ruleset or ruleset_for(record)
            except DamspecError as error:
                game.done(0, [Complaint("text", record.line, "", str(error))])
            yield game


def _decode(chunk: Chunk, encoding: str | None) -> tuple[str, tuple[Complaint, ...]]:
    """Decode a chunk, reporting wrong bytes; a chunk that cannot be decoded is read as Latin-1."""
    content = chunk.text.encode("latin-1")
    try:
        return content.decode(encoding or "utf-8"), ()
    except UnicodeDecodeError as error:
        line = chunk.line + content[: error.start].count(b"\n")
        expected = f"{encoding}" if encoding else "UTF-8 (read as Latin-1; --encoding says what it is)"
        says = f"found the byte 0x{content[error.start]:02x}, expected {expected}"
        return chunk.text, (Complaint("text", line, "", says),)


class _Group:
    """The games of a file by one ruleset, which all number squares in the same way.

    Until a game shows that it is the ruleset's way, games that stop early are not judged: `decide` tries whether
    another orientation makes most of them legal.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.waiting: list[tuple[_Game, GameRecord, ReplayedGame]] = []
        self.is_decided = self.starts = False
        self.orientation: Orientation | None = None
        #: The remark on every game whose first move is illegal as written.
        self.remark = ""

    def add(self, game: _Game, record: GameRecord) -> None:
        """Play a game, and judge it if that is possible yet."""
        found = replay(record, self.ruleset)
        if found.plies and not self.starts:
            self.starts, self.remark = True, self.remark if self.orientation else ""
        if found.is_whole and found.plies >= _SURE_IF_WHOLE:
            self.decide(as_written=True)
        if found.is_whole:
            game.done(found.moves, _faults(self.ruleset, found))
        elif self.is_decided:
            self._judge(game, record, found)
        else:
            self.waiting.append((game, record, found))

    def decide(self, *, as_written: bool = False) -> None:
        """Judge the waiting games: `as_written`, if some game shows that this is right."""
        if as_written:
            self.orientation, self.remark = None, ""
        elif self.waiting and not self.is_decided:
            self._look_for_an_orientation()
        self.is_decided = self.is_decided or as_written or bool(self.waiting)
        for waiting in self.waiting:
            self._judge(*waiting)
        self.waiting = []

    def _look_for_an_orientation(self) -> None:
        found = orientation_of([record for _, record, _ in self.waiting], self.ruleset, starts=self.starts)
        if found:
            self.orientation, self.remark = found.orientation, str(found)
        elif not self.starts:
            self.remark = f"no game here starts legally by {self.ruleset.id}: {MAY_BE_MISREAD}"

    def _judge(self, game: _Game, record: GameRecord, found: ReplayedGame) -> None:
        """Judge a game that stops early as it is written."""
        read = self.orientation.read(record) if self.orientation else None
        remarked = Complaint("form" if read else "text", record.line, "", self.remark)
        turned = replay(read, self.ruleset) if read else None
        # A game written the other way round can be legal by chance for many moves, but not to its end.
        if turned and (turned.is_whole or found.plies < SURE):
            faults = [
                fault if fault.kind == "form" else Complaint("text", fault.line, fault.at, f"read so, {fault.says}")
                for fault in _faults(self.ruleset, turned)
            ]
            game.done(turned.moves, [remarked, *faults])
        elif self.remark and not found.plies and self._may_be_misread(record, found.problems[-1]):
            game.done(found.moves, [remarked])
        else:
            game.done(found.moves, _faults(self.ruleset, found))

    def _may_be_misread(self, record: GameRecord, problem: Problem) -> bool:
        """Return whether an illegal first move may be due to another orientation.

        With a set-up position that is so unless the move breaks a rule with a piece that is there.
        """
        if problem.kind != "illegal" or problem.position is None:
            return False
        return "FEN" not in record.tags or reason(self.ruleset, problem.position, problem.text).rule is None


def _faults(ruleset: Ruleset, found: ReplayedGame) -> list[Complaint]:
    remarks = {
        problem.says: Complaint("form", problem.line, "", f"{problem.says}; it is played as one")
        for problem in reversed(found.problems)
        if problem.kind == "form"
    }
    return [*remarks.values(), *(_fault(ruleset, problem) for problem in found.problems if problem.kind != "form")]


def _fault(ruleset: Ruleset, problem: Problem) -> Complaint:
    at = problem.at if problem.main else f"{problem.at} in a variation"
    if problem.kind != "illegal" or problem.position is None:
        return Complaint("text", problem.line, at, problem.says)
    why = reason(ruleset, problem.position, problem.text)
    return Complaint("illegal", problem.line, at, why.says, problem.position.fen(), why)
