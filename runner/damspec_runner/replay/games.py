"""Replay of the games of a file: by which ruleset, how their squares are written, and which moves are illegal."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from damspec import Ruleset
from damspec.errors import DamspecError, PdnError, list_some, shorten
from damspec.outcomes import outcome_of_game
from damspec.pdn.games import (
    MAY_BE_MISREAD,
    SURE,
    Problem,
    ReplayedGame,
    find_orientation,
    replay,
    ruleset_for,
)
from damspec.pdn.notation import Orientation
from damspec.pdn.parser import Chunk, chunks, records_in
from damspec.pdn.record import WrittenGame, parse_result

from ..tasks.executor import run_as_read
from .files import EncodingDetector
from .fit import find_ruleset
from .illegal_moves import IllegalMoveReason, find_reason

#: The most rulesets listed in a line; the JSON has all.
_SHOWN = 8
#: The most games, and characters of games, that wait for their ruleset and orientation to be decided.
_MOST_WAITING = 500
_MOST_CHARACTERS = 3_000_000
#: The characters of games that another process is given at once: about 200 games.
BATCH = 100_000
#: The most of them that are tried with squares from another side.
_MOST_TURNED = 100
#: The games that have to break the rules before their GameType is doubted.
_SYSTEMATIC = 3
#: The plies from which a complete legal game shows that its orientation is right.
_SURE_IF_WHOLE = 4


F = TypeVar("F")


@dataclass(frozen=True)
class GameFault:
    """A fault of a game: the line of the file, the move, what is wrong, and the reason if a move is illegal.

    The kind is `illegal` for a move that breaks the rules, `text` for what cannot be read as it stands, `undecided` for
    what may be either since something had to be guessed, and `form` for a remark about what could be played
    nevertheless.
    """

    kind: Literal["illegal", "text", "undecided", "form"]
    line: int
    at: str
    says: str
    position: str | None = None
    reason: IllegalMoveReason | None = None

    def __str__(self) -> str:
        if self.reason is None:
            return ": ".join(part for part in (self.at, self.says) if part)
        rule = f" ({self.reason.rule})" if self.reason.rule else ""
        nearest = f"; legal: {', '.join(self.reason.nearest)}" if self.reason.nearest else "; no move is legal"
        others = f"; legal by {list_some(self.reason.legal_by, _SHOWN)}" if self.reason.legal_by else ""
        return f"{self.at}: illegal: {self.reason.says}{rule}{nearest}{others}"


Verdict = Literal["legal", "illegal", "text", "undecided"]
#: The verdicts of games with a fault of that kind; one is enough.
_WORST_FIRST: tuple[Verdict, ...] = ("illegal", "text", "undecided")


@dataclass(frozen=True)
class CheckedGame:
    """A checked game: its number in the file, players, ruleset, number of legal moves, and faults."""

    number: int
    players: str
    ruleset: str | None
    moves: int
    faults: tuple[GameFault, ...]

    @property
    def verdict(self) -> Verdict:
        """The verdict on the whole game."""
        kinds = {fault.kind for fault in self.faults}
        return next((verdict for verdict in _WORST_FIRST if verdict in kinds), "legal")


@dataclass
class GameCounts:
    """Counts of the games of a file by one ruleset, and of their verdicts."""

    games: int = 0
    moves: int = 0
    legal: int = 0
    illegal: int = 0
    text: int = 0
    undecided: int = 0

    #: The headings of the table's columns.
    COLUMNS: ClassVar = ("games", "moves", "legal", "illegal", "bad text", "undecided")

    @property
    def row(self) -> tuple[int, ...]:
        """The counts in the order of `COLUMNS`."""
        return (self.games, self.moves, self.legal, self.illegal, self.text, self.undecided)

    def __add__(self, other: GameCounts) -> GameCounts:
        return GameCounts(*map(operator.add, self.row, other.row))

    def add(self, checked: CheckedGame) -> None:
        """Add a game."""
        self.games += 1
        self.moves += checked.moves
        setattr(self, checked.verdict, getattr(self, checked.verdict) + 1)


def check_files(
    files: Iterable[tuple[F, Iterable[str]]],
    ruleset: Ruleset | None,
    encoding: str | None,
    executor: Executor | None = None,
    jobs: int = 1,
) -> Iterator[tuple[F, CheckedGame]]:
    """Yield each checked game with the file it is in; a file comes with its lines, decoded as Latin-1.

    `ruleset` overrides the games' tags; `encoding` is that of the files, if not what their bytes look like. The
    `jobs` processes of `executor` play the games as they are written; those that stop early are judged here.
    KeyboardInterrupt is raised only after the games read before it, except those with the executor.
    """
    read: list[F] = []
    guess: Ruleset | None = None

    def batches() -> Iterator[_Batch]:
        for file, lines in files:
            read.append(file)
            for batch in batches_of_chunks(lines, encoding, BATCH if executor else 0):
                yield _Batch(len(read) - 1, batch, ruleset, guess)

    judging = _FileJudge(is_given=ruleset is not None)
    place = 0
    interruption: KeyboardInterrupt | None = None
    try:
        for next_place, games in run_as_read(executor, _play_batch, batches(), ahead=2 * jobs):
            if next_place != place:
                yield from ((read[place], checked) for checked in judging.finish())
                judging, place = _FileJudge(is_given=ruleset is not None), next_place
            for game in games:
                yield from ((read[place], checked) for checked in judging.add(game))
            guess = judging.guess or guess
    except KeyboardInterrupt as error:
        interruption = error
    yield from ((read[place], checked) for checked in judging.finish())
    if interruption:
        raise interruption


@dataclass
class _Game:
    """A game of a file, before and after it is checked: the game at a place in a chunk.

    `ruleset` is the one that its tags or the user name, if any, `fault` that of such a tag, and `why_none` why the tags
    name none. `replay` is how the game as written goes by a ruleset `by`, and `faults` are what is said of that if all
    its moves are legal.
    """

    chunk: Chunk
    place: int
    decoding_faults: tuple[GameFault, ...]
    players: str
    line: int
    number: int = 0
    ruleset: Ruleset | None = None
    fault: GameFault | None = None
    why_none: str = ""
    by: Ruleset | None = None
    replay: ReplayedGame | None = None
    faults: tuple[GameFault, ...] = ()
    result: CheckedGame | None = None
    _record: WrittenGame | None = None

    @property
    def record(self) -> WrittenGame:
        """The game as written; read again if another process has read it."""
        if self._record is None:
            self._record = records_in(self.chunk)[self.place]
        return self._record

    @property
    def size(self) -> int:
        """The number of characters kept for the game."""
        return len(self.chunk.text)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the record, and how the game goes if that has to be examined."""
        is_whole = self.replay is not None and self.replay.is_whole
        found = replace(self.replay, start=None, end=None, actions=()) if self.replay and is_whole else None
        return {**self.__dict__, "_record": None, "replay": found}

    def play(self, given: Ruleset | None, guess: Ruleset | None) -> None:
        """Play the game by the ruleset given or named by its tags, or else by a guess."""
        try:
            self.ruleset = given or ruleset_for(self.record)
        except DamspecError as error:
            if isinstance(error, PdnError) and "Ruleset" not in self.record.tags:
                has_type = "GameType" in self.record.tags
                self.why_none = str(error).partition(";")[0] if has_type else "no GameType or Variant"
            else:
                self.fault = GameFault("text", self.line, "", str(error))
        by = self.ruleset or guess
        if self.fault is None and by is not None:
            self.play_by(by, is_guessed=self.ruleset is None)

    def play_by(self, ruleset: Ruleset, *, is_guessed: bool) -> ReplayedGame:
        """Return how the game goes by a ruleset."""
        if self.replay is None or self.by != ruleset:
            self.by, self.replay, self.faults = ruleset, replay(self.record, ruleset, is_terse=True), ()
            if self.replay.is_whole:
                self.faults = tuple(_faults(self.record, ruleset, self.replay, _guessed(ruleset) if is_guessed else ""))
        return self.replay

    def finish(self, moves: int, faults: Iterable[GameFault]) -> None:
        """Set the result."""
        id = self.ruleset.id if self.ruleset else None
        self.result = CheckedGame(self.number, self.players, id, moves, (*self.decoding_faults, *faults))


Chunks = list[tuple[Chunk, tuple[GameFault, ...]]]


class _Batch(NamedTuple):
    """Decoded chunks of the file at a place, each with the faults of its bytes, and the rulesets to play them by."""

    place: int
    chunks: Chunks
    ruleset: Ruleset | None
    guess: Ruleset | None


def batches_of_chunks(lines: Iterable[str], encoding: str | None, size: int) -> Iterator[Chunks]:
    """Yield the chunks of a file in batches of at least so many characters, except the last."""
    detector = EncodingDetector(encoding)
    batch: Chunks = []
    characters = 0
    for chunk in chunks(lines):
        text, says, line = detector.decode(chunk)
        faults = (GameFault("text" if encoding else "form", line, "", says),) if says else ()
        batch.append((replace(chunk, text=text), faults))
        characters += len(text)
        if characters >= size:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _play_batch(batch: _Batch) -> tuple[int, list[_Game]]:
    """Read and play the games of a batch; return them with the place of their file."""
    given, guess = (ruleset and _first_equal(ruleset) for ruleset in (batch.ruleset, batch.guess))
    games = [
        _Game(chunk, place, faults, shorten(record.players), record.line, _record=record)
        for chunk, faults in batch.chunks
        for place, record in enumerate(records_in(chunk))
    ]
    for game in games:
        game.play(given, guess)
    return batch.place, games


@cache
def _first_equal(ruleset: Ruleset) -> Ruleset:
    """Return the first of equal rulesets, which has its tables: one from a file arrives anew with each batch."""
    return ruleset


class _FileJudge:
    """The games of a file that wait for their verdicts."""

    def __init__(self, *, is_given: bool) -> None:
        self.is_given = is_given
        self.groups: dict[Ruleset | None, _Group] = {}
        self.waiting: deque[_Game] = deque()
        self.number = self.size = 0

    @property
    def guess(self) -> Ruleset | None:
        """The ruleset found for games whose tags name none, if it was looked for."""
        return self.groups[None].ruleset if None in self.groups else None

    def add(self, game: _Game) -> Iterator[CheckedGame]:
        """Add the next game, and yield those that are checked by now."""
        self.number += 1
        game.number = self.number
        self.waiting.append(game)
        self.size += game.size
        if game.fault is not None:
            game.finish(0, [game.fault])
        else:
            if game.ruleset not in self.groups:
                self.groups[game.ruleset] = _Group(game.ruleset, is_given=self.is_given)
            self.groups[game.ruleset].add(game)
        if len(self.waiting) >= _MOST_WAITING or self.size > _MOST_CHARACTERS:
            for group in self.groups.values():
                group.decide()
        while self.waiting and (checked := self.waiting[0].result) is not None:
            self.size -= self.waiting.popleft().size
            yield checked

    def finish(self) -> Iterator[CheckedGame]:
        """Yield the remaining games."""
        for group in self.groups.values():
            group.decide()
        while self.waiting and (checked := self.waiting.popleft().result) is not None:
            yield checked


_Waiting = tuple[_Game, ReplayedGame]


class _Group:
    """The games of a file that name the same ruleset, or none; all are taken to write squares in the same way.

    Games that stop early, or have an illegal variation, wait: before they are judged, `decide` looks for another
    orientation of the board, or another ruleset, by which they are legal.
    """

    def __init__(self, ruleset: Ruleset | None, *, is_given: bool) -> None:
        self.ruleset, self.is_given = ruleset, is_given
        self.unplayed: list[_Game] = []
        self.waiting: list[_Waiting] = []
        self.is_decided = self.starts = self.is_sure = False
        #: The remark on how the ruleset was found, if no tag says it.
        self.guess = ""
        self.orientation: Orientation | None = None
        #: Another ruleset for games that break the rules of the one they name, with the remark.
        self.other: tuple[Ruleset, str] | None = None
        #: The remark on every game whose first move is illegal as written.
        self.remark = ""

    def add(self, game: _Game) -> None:
        """Play a game, and judge it if that is possible yet."""
        if self.ruleset is None:
            self.unplayed.append(game)
        else:
            self._play(game, self.ruleset)

    def _play(self, game: _Game, ruleset: Ruleset) -> None:
        game.ruleset = ruleset
        if self.orientation and (read := self.orientation.reorient(game.record)):
            turned = replay(read, ruleset, is_terse=True)
            if turned.is_whole:
                self._accept_turned(game, read, turned, ruleset)
                return
        found = game.play_by(ruleset, is_guessed=bool(self.guess))
        if found.plies and not self.starts:
            self.starts, self.remark = True, self.remark if self.orientation else ""
        self.is_sure = self.is_sure or (found.is_whole and found.plies >= _SURE_IF_WHOLE)
        if found.is_whole and not any(fault.kind == "illegal" for fault in game.faults):
            game.finish(found.moves, [*self._guess_remark(game), *game.faults])
        else:
            self.waiting.append((game, found))

    def _guess_remark(self, game: _Game) -> list[GameFault]:
        return [_remark(game.line, self.guess)] if self.guess else []

    def decide(self) -> None:
        """Judge the waiting games."""
        if self.ruleset is None:
            self._choose()
        if self.ruleset is None:
            return
        if self.waiting and not self.is_decided:
            if not self.is_sure:
                self._look_for_an_orientation(self.ruleset)
            if not self.orientation and not self.is_given and not self.guess:
                self._look_for_another_ruleset(self.ruleset)
            self.is_decided = True
        for waiting in self.waiting:
            self._judge(*waiting, self.ruleset)
        self.waiting = []

    def _choose(self) -> None:
        """Choose the ruleset that games without one fit; those of a file that fit none are not judged."""
        unplayed, self.unplayed = self.unplayed, []
        if not unplayed:
            return
        fit = find_ruleset([game.record for game in unplayed])
        if fit is None:
            for game in unplayed:
                if unread := next(game.record.unread(), None):
                    fault = GameFault("text", unread.line, "", unread.says)
                else:
                    fitting = "no ruleset fits" + (" most games of the file" if len(unplayed) > 1 else "")
                    says = f"{game.why_none}, and {fitting}: {_NAME_ONE}"
                    fault = GameFault("undecided", game.record.line, "", says)
                game.finish(0, [fault])
            return
        reasons = {game.why_none for game in unplayed}
        self.ruleset, self.guess = fit.ruleset, f"{reasons.pop() if len(reasons) == 1 else 'no usable GameType'}: {fit}"
        for game in unplayed:
            self._play(game, fit.ruleset)

    def _look_for_an_orientation(self, ruleset: Ruleset) -> None:
        records = [game.record for game, found in self.waiting[:_MOST_TURNED] if not found.is_whole]
        found = find_orientation(records, ruleset, starts=self.starts)
        if found:
            self.orientation, self.remark = found.orientation, str(found)
        elif not self.starts:
            self.remark = f"no game here starts legally by {ruleset.id}: {MAY_BE_MISREAD}"

    def _look_for_another_ruleset(self, ruleset: Ruleset) -> None:
        wrong = [game.record for game, found in self.waiting if not found.is_whole and _is_illegal(found)]
        fit = find_ruleset(wrong, but=ruleset) if len(wrong) >= _SYSTEMATIC else None
        if fit:
            says = f"{len(wrong)} games break the rules of {ruleset.id}, which their GameType names; {fit}"
            self.other = fit.ruleset, says

    def _judge(self, game: _Game, found: ReplayedGame, ruleset: Ruleset) -> None:
        """Judge a game that stops early as it is written, or has an illegal variation."""
        record = game.record
        read = self.orientation.reorient(record) if self.orientation else None
        remarks = self._guess_remark(game)
        turned = replay(read, ruleset, is_terse=True) if read else None
        # A game written the other way round can be legal by chance for many moves, but not to its end.
        if read and turned and (turned.is_whole or (found.plies < SURE and not found.is_whole)):
            self._accept_turned(game, read, turned, ruleset)
            return
        if self.other and _is_illegal(found):
            other, says = self.other
            again, doubt = replay(record, other, is_terse=True), _remark(record.line, says)
            if again.is_whole:
                game.ruleset = other
                game.finish(again.moves, [doubt, *_faults(record, other, again, _guessed(other))])
            else:
                game.finish(found.moves, [doubt, *_faults(record, ruleset, found, f"by {ruleset.id}")])
            return
        if not found.plies and "FEN" in record.tags and (flipped := _other_side_begins(record, ruleset)):
            says = "the first move is of the other side than the one to move in FEN; played so"
            faults = _faults(record, ruleset, flipped, "with the other side to move")
            game.finish(flipped.moves, [*remarks, _remark(record.line, says), *faults])
        elif self.remark and not found.plies and self._may_be_misread(record, ruleset, found.problems[-1]):
            game.finish(found.moves, [*remarks, GameFault("undecided", record.line, "", self.remark)])
        else:
            faults = _faults(record, ruleset, found, _guessed(ruleset) if self.guess else "")
            game.finish(found.moves, [*remarks, *(game.faults if found.is_whole else faults)])

    def _accept_turned(self, game: _Game, read: WrittenGame, turned: ReplayedGame, ruleset: Ruleset) -> None:
        """Judge a game by how it goes with its squares read from another side."""
        faults = _faults(read, ruleset, turned, "read so")
        game.finish(turned.moves, [*self._guess_remark(game), _remark(read.line, self.remark), *faults])

    def _may_be_misread(self, record: WrittenGame, ruleset: Ruleset, problem: Problem) -> bool:
        """Return whether an illegal first move may be due to another orientation.

        With a set-up position that is so unless the move breaks a rule with a piece that is there.
        """
        if problem.kind != "illegal" or problem.position is None:
            return False
        return "FEN" not in record.tags or find_reason(ruleset, problem.position, problem.text).rule is None


def _faults(record: WrittenGame, ruleset: Ruleset, found: ReplayedGame, doubt: str = "") -> list[GameFault]:
    """Return what is said of a game by how it goes: remarks first, and a contradiction of results last.

    `doubt` says what of this was guessed, if anything. Then no move is called illegal; a word that cannot be read is
    none by any rules.
    """
    remarks = {
        problem.says: GameFault("form", problem.line, "", f"{problem.says}; it is played so")
        for problem in reversed(found.problems)
        if problem.kind == "form"
    }
    problems = [problem for problem in found.problems if problem.kind != "form"]
    wrong = [_fault(ruleset, problem) for problem in problems]
    if doubt and any(problem.at for problem in problems):
        hint = _describe_fit(record) if doubt == _guessed(ruleset) else ""
        wrong = [
            GameFault("undecided", fault.line, fault.at, f"could not be decided: {doubt}, {fault.says}{hint}")
            if problem.at
            else fault
            for problem, fault in zip(problems, wrong, strict=True)
        ]
    says = contradiction(record, ruleset, found, doubt or f"by {ruleset.id}")
    return [*remarks.values(), *wrong, *([_remark(record.line, says)] if says else [])]


#: How a ruleset can be named.
_NAME_ONE = "--ruleset names one"


def _guessed(ruleset: Ruleset) -> str:
    return f"by {ruleset.id}, which was guessed"


def _describe_fit(record: WrittenGame) -> str:
    """Return which rulesets fit a game with all its variations."""
    fit = find_ruleset([record])
    fits = (
        f"the game fits {list_some([fit.ruleset.id, *fit.others], _SHOWN)}"
        if fit and fit.complete
        else "no ruleset fits all of it"
    )
    return f"; {fits}: {_NAME_ONE}"


def _remark(line: int, says: str) -> GameFault:
    return GameFault("form", line, "", says)


def _is_illegal(found: ReplayedGame) -> bool:
    return any(problem.kind == "illegal" for problem in found.problems)


def _other_side_begins(record: WrittenGame, ruleset: Ruleset) -> ReplayedGame | None:
    """Return the game with the other side to move in its FEN, if it is legal so to its end."""
    fen = record.tags["FEN"].strip()
    other = {"W": "B", "B": "W"}.get(fen[:1].upper())
    if other is None:
        return None
    found = replay(replace(record, tags={**record.tags, "FEN": other + fen[1:]}), ruleset, is_terse=True)
    return found if found.is_whole and found.plies else None


def _fault(ruleset: Ruleset, problem: Problem) -> GameFault:
    at = problem.at if problem.main else f"{problem.at} in a variation".strip()
    if problem.kind != "illegal" or problem.position is None:
        kind: Literal["text", "undecided"] = "undecided" if problem.kind == "undecided" else "text"
        return GameFault(kind, problem.line, at, problem.says)
    why = find_reason(ruleset, problem.position, problem.text)
    return GameFault("illegal", problem.line, at, why.says, problem.position.fen(), why)


def contradiction(record: WrittenGame, ruleset: Ruleset, found: ReplayedGame, by: str) -> str:
    """Return how the results of a game contradict each other, or the last position; empty if they do not.

    `by` says by which rules the last position is judged.
    """
    tag, end = (parse_result(text) for text in (record.tags.get("Result", ""), record.termination_marker))
    if tag and end and tag != end:
        return (
            f"the tag Result says {shorten(record.tags['Result'])}, and the moves end with {record.termination_marker}"
        )
    said = tag or end
    if not said or found.end is None or not found.plies or "P1" in record.tags or ruleset.turns.actions(found.end):
        return ""  # P1 and P2 are the sides in the order in which they begin, whatever their colours
    by_rule = outcome_of_game(ruleset.turns, [found.end], []).result
    if by_rule in ("ongoing", said):
        return ""
    text = record.tags["Result"] if tag else record.termination_marker
    return f"the result is {shorten(text)}, and the last position is {_WORDS[by_rule]} {by}"


_WORDS = {"white": "won by White", "black": "won by Black", "draw": "a draw"}
