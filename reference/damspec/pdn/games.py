"""Replaying PDN records by a ruleset, variations too, and writing games as records.

Actions for which PDN has no notation are written as comments, and read back from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from ..board import SIDES
from ..errors import DamspecError, InvalidMoveError, PdnError, list_some, shorten
from ..inheritance import RulesetName
from ..move import Action, Move, is_other_text
from ..outcomes import outcome_of_game
from ..position import Position
from ..ruleset import Ruleset, load_ruleset
from .notation import GameType, Notation, Orientation, gametype_of, notation_of, orientations, ruleset_of, variants
from .record import Comment, Element, Nag, Setup, SkippedMove, UnreadableWord, Variation, WrittenGame, WrittenMove

#: The hint where the first move is illegal and no orientation makes the game legal.
MAY_BE_MISREAD = "squares may be numbered or named in another way, or it is another game"
#: The number of moves that are not all legal by chance if squares are misread.
SURE = 12
#: The maximum number of legal moves in a message.
_MOST_LISTED = 8
#: The remark about a variation that begins after the move before it.
_GOES_ON = "a variation goes on after the move before it, instead of standing in its place"
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
    `actions` are these moves and the other actions of their turns, `start` is the first position, `end` that after the
    last move.
    """

    moves: int
    problems: tuple[Problem, ...]
    plies: int = 0
    is_whole: bool = False
    start: Position | None = None
    end: Position | None = None
    actions: tuple[Action, ...] = ()


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
        begins = self.last < 0 and (number != "" or self.first < 0)
        if begins:
            self.first, self.number = 1 - side if number.endswith("...") else side, 1
        elif side == self.first and self.last == 1 - side:
            self.number += 1
        expected, self.last = self.number, side
        if number:
            self.number = int(number.rstrip("."))
        if begins or self.number == expected or not self.is_checked:  # the first number is taken as right
            return None
        return f"found the move number {number}, expected {expected}."

    @property
    def before(self) -> str:
        """The number as written before the last move counted."""
        return f"{self.number}{'.' if self.last == self.first else '...'}"


def replay(record: WrittenGame, ruleset: Ruleset, *, is_strict: bool = False, is_terse: bool = False) -> ReplayedGame:
    """Replay a game by a ruleset.

    If `is_strict`, a move that can be several and a position set up among the moves end the game. If `is_terse`, what
    is said of an illegal move does not list the legal ones.
    """
    fen = record.tags.get("FEN") or "start"
    try:
        start = ruleset.read_position(fen)
    except DamspecError as error:
        return ReplayedGame(0, (Problem(record.line, "tag FEN", str(error)),))
    line = _Line(_Settings(notation_of(ruleset), is_strict, is_terse), record.body, start, MoveNumbers())
    is_whole = line.play()
    end = line.position if is_whole else None
    return ReplayedGame(line.moves, tuple(line.problems), line.plies, is_whole, start, end, tuple(line.actions))


def ruleset_for(record: WrittenGame) -> Ruleset:
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


@dataclass(eq=False)
class _LineEndsError(Exception):
    """A problem that ends the line being played."""

    problem: Problem


class _Settings(NamedTuple):
    """How a game is replayed: the notation of its ruleset, and the arguments of `replay`."""

    notation: Notation
    is_strict: bool
    is_terse: bool


class _Line:
    """A game or a variation as it is replayed: `body` from a position, up to `place`.

    `last` is the move that led from the position `before` to the present one. `plies` counts the moves of the line,
    `moves` also those of its variations.
    """

    def __init__(self, settings: _Settings, body: Sequence[Element], position: Position, numbers: MoveNumbers) -> None:
        self.settings, self.notation = settings, settings.notation
        self.turns = self.notation.ruleset.turns
        self.body, self.place = body, 0
        self.before = self.position = position
        self.last: WrittenMove | None = None
        self.numbers = numbers
        self.moves = self.plies = 0
        self.problems: list[Problem] = []
        self.actions: list[Action] = []

    def play(self) -> bool:
        """Play the line; return False if a problem ends it early."""
        try:
            while self.place < len(self.body):
                item = self.body[self.place]
                self.place += 1
                self._play_element(item)
        except _LineEndsError as stopped:
            self.problems.append(stopped.problem)
            return False
        return True

    def _play_element(self, item: Element) -> None:
        match item:
            case WrittenMove():
                self._play_move(item)
            case Variation(body):
                self._play_variation(body)
            case SkippedMove():
                self._skip(item)
            case UnreadableWord():
                raise _LineEndsError(Problem(item.line, "", item.says))
            case Setup():
                self._set_up(item)
            case Comment(text) if not self.turns.plain and is_other_text(text):
                self._push(self._find_action(item))
                self.last = None

    def _push(self, action: Action) -> None:
        self.before, self.position = self.position, self.turns.after_listed(self.position, action)
        self.actions.append(action)

    def _play_move(self, move: WrittenMove) -> None:
        """Play a move of a piece."""
        known = len(self.problems)
        if wrong := self.numbers.check(SIDES.index(self.position.turn), move.number):
            self.problems.append(Problem(move.line, f"move {move.number} {shorten(move.text)}", wrong))
        try:
            action = self._find_action(move)
        except _LineEndsError as stopped:
            if stopped.problem.position is None or not self._join_jumps(stopped.problem, known):
                raise
        else:
            self._push(action)
            self.moves += 1
            self.plies += 1
        self.last = move

    def _play_variation(self, body: Sequence[Element]) -> None:
        """Play a variation instead of the move before it, or, if its first move is legal only then, after that move."""
        line = _Line(self.settings, body, self.before, MoveNumbers(self.numbers.first, self.numbers.number))
        line.play()
        if not line.moves and line.problems and line.problems[-1].kind == "illegal":
            after = _Line(self.settings, body, self.position, MoveNumbers())
            after.play()
            if after.moves:
                after.problems.append(replace(line.problems[-1], kind="form", says=_GOES_ON))
                line = after
        self.moves += line.moves
        self.problems += [replace(problem, main=False) for problem in line.problems]

    def _join_jumps(self, problem: Problem, known: int) -> bool:
        """Play a capture whose jumps are written as separate moves, of which the last one read is illegal.

        Its remark replaces the problems after the first `known`. Returns False where no piece continues a capture.
        Raises _LineEndsError where one does, but no capture or several match.
        """
        rest = self.body[self.place - 1 :]
        # The first jump is that move, or, where it is a legal move by itself, the one before.
        for position, first in ((self.position, []), (self.before, [self.last] if self.last else [])):
            jumps, taken = self._jumps(position, [*first, *rest])
            captures = [move for move in self.notation.moves(position) if jumps and move.captured]
            if len(jumps) < 2 or not any(move.start == jumps[0][0] for move in captures):
                continue
            text = "x".join(map(self.notation.square, [jumps[0][0], *(end for jump in jumps for end in jump[1:])]))
            meant = self.notation.matching_moves(text, captures)
            if len(meant) != 1:
                what = "can be several captures" if meant else "is no legal capture"
                says = f"{_SPLIT}, and {shorten(text)} {what}"
                raise _LineEndsError(replace(problem, kind="undecided", says=says))
            self.problems[known:] = [replace(problem, kind="form", says=_SPLIT)]
            if first:
                self.actions.pop()
            else:
                self.moves += 1
                self.plies += 1
            self.position, self.numbers.is_checked = position, False
            self.place += taken - len(first) - 1
            self._push(meant[0])
            return True
        return False

    def _jumps(self, position: Position, items: Sequence[Element]) -> tuple[list[tuple[int, ...]], int]:
        """Return the squares of consecutive moves of one piece, each starting where the last one ended.

        Also returns how many of the elements they take.
        """
        jumps: list[tuple[int, ...]] = []
        taken = 0
        for place, item in enumerate(items, 1):
            if isinstance(item, (Comment, Nag)):
                continue
            try:
                squares, _ = self.notation.squares(item.text if isinstance(item, WrittenMove) else "")
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

    def _find_action(self, item: WrittenMove | Comment) -> Action:
        """Return the action that a move or comment denotes. Raises _LineEndsError with the problem."""
        following = (later.text for later in self.body[self.place :] if isinstance(later, WrittenMove))
        try:
            found = self.notation.meanings(item.text, self.position, following)
        except InvalidMoveError as error:
            raise _LineEndsError(Problem(item.line, self._name(item), str(error))) from None
        if len(found) == 1:
            return found[0]
        problem = Problem(item.line, self._name(item), "illegal", "illegal", self.position, item.text)
        if found:
            problem = replace(problem, says=f"ambiguous: it can be {' or '.join(self._texts(found))}", kind="text")
            if self.settings.is_strict:
                raise _LineEndsError(problem)
            self.problems.append(replace(problem, kind="form"))
            return found[0]
        if not self.settings.is_terse:
            legal = list_some(self._texts(self.turns.actions(self.position)), _MOST_LISTED)
            problem = replace(problem, says=f"illegal; legal: {legal or 'none'}")
        raise _LineEndsError(problem)

    def _name(self, item: WrittenMove | Comment) -> str:
        return item.text if isinstance(item, Comment) else f"move {self.numbers.before} {shorten(item.text)}"

    def _texts(self, actions: Sequence[Action]) -> list[str]:
        return [self.notation.text_of(self.position, action) for action in actions]

    def _skip(self, item: SkippedMove) -> None:
        """Skip dots, which stand for the first side's move; a dash is an unknown move and ends the line."""
        if item.text != "...":
            at = f"move {item.number or shorten(item.text)}"
            raise _LineEndsError(Problem(item.line, at, "nobody knows this move"))
        if item.number:
            self.numbers.check(1 - SIDES.index(self.position.turn), item.number)

    def _set_up(self, item: Setup) -> None:
        try:
            if self.settings.is_strict:
                raise PdnError("a game cannot go on from a position that is set up among its moves")
            self.before = self.position = self.notation.ruleset.read_position(item.fen)
        except DamspecError as error:
            raise _LineEndsError(Problem(item.line, "FEN among the moves", str(error))) from None
        self.numbers, self.last = MoveNumbers(), None


@dataclass(frozen=True)
class OrientationFit:
    """An orientation in which most of some games are legal, with the number of those and of all."""

    orientation: Orientation
    legal: int
    games: int

    def __str__(self) -> str:
        many = f"{self.legal} of {self.games} such games are" if self.games > 1 else "the game is"
        return f"the squares are written in another way: with {self.orientation.words} {many} legal"


def find_orientation(records: Sequence[WrittenGame], ruleset: Ruleset, *, starts: bool) -> OrientationFit | None:
    """Return the orientation that makes most of some games legal to the end, none being legal as written.

    None if that is not more than half of them, or if they have too few moves to be sure: where the first move is legal
    as written (`starts`), or a position is set up, a few moves can be legal by chance.
    """
    first = next((item.text for record in records for item in record.body if isinstance(item, WrittenMove)), "")
    best: OrientationFit | None = None
    for orientation in orientations(ruleset.rules.board, letters=first[:1].isalpha()):
        turned = (read for record in records if (read := orientation.reorient(record)))
        played = [replay(record, ruleset, is_terse=True) for record in turned]
        plies = [found.plies for found in played if found.is_whole and found.plies]
        is_sure = sum(plies) >= SURE or not (starts or any("FEN" in record.tags for record in records))
        if is_sure and 2 * len(plies) > len(records) and (best is None or len(plies) > best.legal):
            best = OrientationFit(orientation, len(plies), len(records))
    return best


def record_of(
    ruleset: Ruleset, start: Position, actions: Iterable[Action], tags: Mapping[str, str] | None = None
) -> WrittenGame:
    """Return a game as a record: the given tags, then those that its result, ruleset and first position need.

    A game that starts in the usual position of its type has no tag FEN: some readers misinterpret games with one.
    """
    given = WrittenGame({} if tags is None else tags, ()).tags
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
    return WrittenGame({**given, **known, **given}, tuple(element for element, _ in body))


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
