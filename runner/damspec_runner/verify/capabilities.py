"""Adapting to engines that cannot answer every question: they list hops, only judge moves, or tell no outcomes."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import Any

from damspec import Action, Board, Game, Move, MoveError, Position, PositionError, Ruleset
from damspec.move import is_move_text, read_squares
from damspec.outcomes import outcome_of_position

from ..answers.player import keys
from ..cases.answer import LISTS, move_text, read_key
from ..cases.notation import Key
from ..engines.process import Engine
from ..engines.protocol import (
    LEVEL,
    EngineError,
    Hello,
    Question,
    UnsupportedError,
    clean_text,
    move_notation,
    read_level,
)
from ..positions.random_games import Ply
from .candidates import candidates
from .conventions import OTHER_LETTER, OURS, Conventions, read_lenient_fen
from .exchange import PLAIN_FEN
from .reach import LineFollower, words_for
from .situation import DirectLister, MoveLister, PlayLister, Situation, words_of

NO_OUTCOME = "does not tell outcomes, and none follows from its moves"


def infer_outcome(ruleset: Ruleset, fen: str, answer: Mapping[str, Any]) -> str:
    """The outcome that follows from the moves that are listed in a position. Raises UnsupportedError if none does."""
    if not (answer["moves"] or answer.get("lapses")):
        position = Position.from_fen(fen, ruleset.rules.board)
        end = outcome_of_position(ruleset.turns, position, [])
        if end.reason == "no-moves" or (end.reason == "no-pieces" and not position.occupied(position.turn)):
            return end.result
    raise UnsupportedError(NO_OUTCOME)


#: What stands between two squares of a move.
_SIGN = re.compile("([-x])")
#: What identifies a move in a question: its squares, or its text if it has none.
_Squares = tuple[int, ...] | str


class LegalProbe(DirectLister):
    """Lists the moves that an engine accepts; an engine that knows moves by their ends is asked once for each pair."""

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """Return the candidates that are accepted."""
        position = Position.from_fen(about.position, self.ruleset.rules.board)
        verdicts: dict[_Squares, bool | str] = {}
        lists: dict[str, list[str]] = {"moves": [], "lapses": []}
        for texts, is_right in self._offers(position, about.turn):
            for squares, text in texts:
                if is_new := squares not in verdicts:
                    verdicts[squares] = self.ask("legal", about, move=self.translation.move_out(text))["legal"]
                # Of other moves by the same squares nothing is known, unless they are legal too.
                if verdicts[squares] and (is_new or (self.hello.ends and is_right)):
                    lists["lapses" if verdicts[squares] == "lapse" else "moves"].append(text)
                    break
        return lists if self.ruleset.rules.huff else {"moves": lists["moves"] + lists["lapses"]}

    def _offers(self, position: Position, turn: Sequence[str]) -> Iterator[tuple[Iterator[tuple[_Squares, str]], bool]]:
        """Yield each candidate's possible texts, or those of its next hop, and whether it is legal."""
        right = self.ruleset.turns
        number = len(keys([*right.actions(position), *right.lapses(position)]))
        hops = [read_squares(text, position.board)[0] for text in turn]
        so_far = (*hops[0][:1], *(squares[-1] for squares in hops)) if hops else ()
        for place, action in enumerate(candidates(self.ruleset, position)):
            yield self._texts(action, so_far), place < number

    def _texts(self, action: Action, so_far: tuple[int, ...]) -> Iterator[tuple[_Squares, str]]:
        """Yield the notation of an action by each path, or of its next hop on those that begin with the squares so far.

        Before it stands what identifies it: its squares, or its ends.
        """
        if not isinstance(action, Move):
            if not so_far:
                yield str(action), str(action)
            return
        at = max(len(so_far) - 1, 0)
        for path in action.paths:
            text = str(replace(action, paths=(path,)))
            if self.hello.steps:
                if path[: len(so_far)] != so_far or len(path) <= at + 1:
                    continue
                path, text = path[at : at + 2], "".join(_SIGN.split(text)[2 * at : 2 * at + 3])
            yield (path[0], path[-1]) if self.hello.ends else path, text


#: The most hops of a turn, and the most turns of a position.
_HOPS, _TURNS = 64, 1000
#: The most situations whose turns are cached.
_KEPT = 64


@dataclass(frozen=True)
class _Turn:
    """A complete turn: its hops, and the engine's position after it."""

    hops: tuple[Any, ...]
    after: str
    #: Whether the engine says that the same side goes on.
    keeps_turn: bool = False


class HopJoiner:
    """Joins the hops that an engine lists into turns.

    `notes` get one on an engine that keeps the turn where the other side cannot move, which ends it all the same.
    """

    def __init__(self, engine: DirectLister, notes: dict[str, None]) -> None:
        self._engine, self._ruleset, self._board = engine, engine.ruleset, engine.ruleset.rules.board
        self._notes = notes
        self._turns: dict[object, dict[tuple[Any, ...], _Turn]] = {}

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """Return all turns. Raises EngineError for hops that cannot be completed, or are not the same piece's."""
        position = Position.from_fen(about.position, self._board)
        found: dict[tuple[Any, ...], _Turn] = {}
        answer = self._engine.moves(about)
        lists: dict[str, list[Any]] = {}
        for name in LISTS:
            if name in answer:
                known: set[Key] = set()
                lists[name] = []
                for turn in self._complete(about, answer[name]):
                    text = _join_hops(turn.hops, self._board)
                    if (key := read_key(position, text)) in known and len(turn.hops) > 1:
                        continue  # the same capture by another path
                    known.add(key)
                    found.setdefault(words_of(text), turn)
                    lists[name].append(text)
                    if len(lists[name]) > _TURNS:
                        raise EngineError("steps", f"lists hops that make more than {_TURNS} turns")
        if len(self._turns) >= _KEPT:
            self._turns.clear()
        self._turns[_about(about)] = found
        return lists

    def play(self, about: Situation, given: Any) -> str:
        """Return the position after the last hop of a turn."""
        if turn := self._turn(about, given):
            if turn.keeps_turn:
                self._notes["keeps-turn"] = None
                if ":" not in turn.after:
                    raise UnsupportedError("keeps the turn where the other side cannot move, and tells no position")
                return _pass_turn(turn.after)
            return turn.after
        return self._engine.play(about, given)

    def words(self, about: Situation, given: Any) -> tuple[Any, ...]:
        """Return the hops of a turn."""
        turn = self._turn(about, given)
        return turn.hops if turn else (given,)

    def _turn(self, about: Situation, given: Any) -> _Turn | None:
        if _about(about) not in self._turns:
            self.moves(about)
        return self._turns[_about(about)].get(words_of(given))

    def _complete(self, about: Situation, listed: list[Any]) -> Iterator[_Turn]:
        """Yield the turns that begin with the hops so far and one of those listed."""
        for hop in listed:
            so_far = about.after_hops(hop)
            _join_hops(so_far.turn, self._board)
            after = self._engine.play(about, hop)
            mover = self._engine.translation.side_in(after.strip()[:1])
            if mover != about.position[0] or _is_no_hop(hop):
                yield _Turn(so_far.turn, after)
                continue
            if self._leaves_no_move(about, so_far.turn):
                yield _Turn(so_far.turn, after, keeps_turn=True)
                continue
            hops = ", ".join(map(move_text, so_far.turn))
            if len(so_far.turn) == _HOPS:
                raise EngineError("steps", f"goes on after {_HOPS} hops: {clean_text(hops)}")
            further = self._engine.moves(so_far)["moves"]
            if not further:
                side = "White" if about.position[0] == "W" else "Black"
                raise EngineError(
                    "steps",
                    f"cannot complete a sequence of hops: after {clean_text(hops)} it is still {side}'s turn and"
                    " nothing is listed",
                )
            yield from self._complete(so_far, further)

    def _leaves_no_move(self, about: Situation, hops: tuple[Any, ...]) -> bool:
        """Return whether hops are a whole legal turn after which the other side has pieces and cannot move."""
        position = Position.from_fen(about.position, self._board)
        turns, made = self._ruleset.turns, read_key(position, _join_hops(hops, self._board))
        for action in turns.actions(position):
            if made in keys([action]):
                after = turns.after(position, action)
                return after.turn != position.turn and not turns.actions(after)
        return False


def _pass_turn(fen: str) -> str:
    """Return an engine's position with the other side to move."""
    place = len(fen) - len(fen.lstrip())
    return fen[:place] + OTHER_LETTER[fen[place].upper()] + fen[place + 1 :]


def _is_no_hop(hop: Any) -> bool:
    """Return whether an action moves no piece, and so is no hop."""
    return isinstance(hop, str) and not is_move_text(hop)


def _about(about: Situation) -> object:
    return about.origin, tuple(map(words_of, about.moves))


def _join_hops(hops: tuple[Any, ...], board: Board) -> Any:
    """Return the notation of a turn. Raises EngineError for hops that do not follow one another."""
    captured = [square for hop in hops if isinstance(hop, Mapping) for square in hop["captured"]]
    text = move_notation(hops[0])
    for hop in hops[1:]:
        onward = move_notation(hop)
        if _is_no_hop(onward):
            continue
        start = onward.replace("x", "-").replace(":", "-").partition("-")[0]
        end = text.replace("x", "-").replace(":", "-").rpartition("-")[2]
        if _square(start, board) != _square(end, board):
            raise EngineError("steps", f"goes on with {move_text(hop)} after {clean_text(text)}: not the same piece")
        text += onward[len(start) :]
    return {"move": text, "captured": captured} if any(isinstance(hop, Mapping) for hop in hops) else text


def _square(name: str, board: Board) -> int | str:
    try:
        return board.square(name)
    except PositionError:
        return name


@dataclass(frozen=True)
class _Adaptation:
    """What can be asked of an engine, and what asks it: the engine as it is, its whole turns, and what leads it.

    Nothing leads an engine that can be given positions. Where nothing `is_adapted`, its answers are those asked for.
    """

    hello: Hello
    direct: DirectLister
    turns: MoveLister
    follower: LineFollower | None
    is_adapted: bool

    def passes_on(self, method: str) -> bool:
        """Return whether a question is the engine's own."""
        return not (self.is_adapted or (method == "outcome" and self.hello.is_concluded))


class CapabilityAdapter(Engine):
    """An engine asked about one ruleset, adapted to its capabilities. It is started by the first question.

    One that only plays, or any if it is wanted to `play`, is asked for its move and thinks as long as `level` says.
    """

    def __init__(
        self,
        engine: Engine,
        ruleset: Ruleset,
        conventions: Conventions = OURS,
        *,
        play: bool = False,
        level: str = LEVEL,
    ) -> None:
        self.engine, self.ruleset = engine, ruleset
        self._play, self._level = play, read_level(level)
        self.command, self.timeout = engine.command, engine.timeout
        self._notes: dict[str, None] = {}
        self.adopt(conventions)

    @property
    def restarts_left(self) -> int:
        """How often it may be started again."""
        return self.engine.restarts_left

    @restarts_left.setter
    def restarts_left(self, number: int) -> None:
        self.engine.restarts_left = number

    @property
    def other_hello(self) -> Hello | None:
        """What the engine says of itself since it was started again, if that is something else."""
        return self.engine.other_hello

    @property
    def stray_processes(self) -> tuple[int, ...]:
        """The ids of processes that could not be ended."""
        return self.engine.stray_processes

    @property
    def noise(self) -> tuple[str, ...]:
        """The last lines of its standard error."""
        return self.engine.noise

    def hello(self) -> Hello:
        """Return what can be asked of the engine. Raises EngineError."""
        self.engine.hello()
        return self._adapted().hello

    def adopt(self, conventions: Conventions) -> None:
        """Ask by other conventions from now on."""
        self.conventions, self._translation = conventions, conventions.on(self.ruleset.rules.board)
        self._adaptation: _Adaptation | None = None

    def as_written(self, fen: str) -> list[Any] | None:
        """Return what the engine lists in a position, in its own notation: single hops, or the one move it plays.

        None if it plays none.
        """
        hello, adapted, about = self.hello(), self._adapted(), Situation(fen, fen)
        if hello.manner != "played":
            return [*adapted.direct.ask("moves", about)["moves"]]
        move = adapted.direct.ask("plays", about, level=self._level)["move"]
        return None if move is None else [move]

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question. Raises UnsupportedError, or EngineError when there is no usable answer."""
        adapted = self._adapted()
        if not adapted.passes_on(method):
            return self._translate(adapted, method, params)
        return self._read_answer(self.engine.ask(method, params))

    def ask_all(self, questions: Sequence[Question]) -> Generator[Any]:
        """Yield the answers to questions in order. Raises EngineError."""
        self.hello()
        if not all(self._adapted().passes_on(method) for method, _ in questions):
            yield from super().ask_all(questions)
            return
        with closing(self.engine.ask_all(questions)) as answers:
            yield from map(self._read_answer, answers)

    def take_notes(self) -> tuple[str, ...]:
        """Return and forget notes on how the answers since the last call came about."""
        notes = tuple(self._notes)
        self._notes.clear()
        return notes

    def note_plies(self, plies: Iterable[Ply]) -> None:
        """Note plies of a game, whose positions an engine that is led by moves can then be led to."""
        self.hello()
        if follower := self._adapted().follower:
            for ply in plies:
                if ply.chosen is not None:
                    follower.add_move(ply.position.fen(), str(ply.chosen))

    def close(self) -> None:
        """End it."""
        self.engine.close()

    def _adapted(self) -> _Adaptation:
        if self._adaptation is None:
            self._adaptation = self._adapt(self.engine.hello())
        return self._adaptation

    def _adapt(self, hello: Hello) -> _Adaptation:
        """Prepare for an engine with this hello. Raises EngineError if it lacks what nothing can make up for."""
        plays = self._play or ("plays" in hello.questions and not hello.questions & {"moves", "legal"})
        probed = "legal" in hello.questions and "moves" not in hello.questions and not plays
        if plays and "plays" not in hello.questions:
            raise EngineError(
                "questions", f"{hello.name} does not answer plays: it cannot be asked which move it plays"
            )
        if hello.steps and not plays and "play" not in hello.questions:
            raise EngineError("questions", f"{hello.name} lists steps, and does not answer play, which joins them")
        steps = hello.steps and not plays
        is_adapted = bool(plays or probed or steps or not hello.setup or self.conventions)
        lister: type[DirectLister] = PlayLister if plays else LegalProbe if probed else DirectLister
        direct = lister(self.engine.ask, self.ruleset, replace(hello, steps=steps), self.conventions)
        turns: MoveLister = HopJoiner(direct, self._notes) if steps else direct
        questions = hello.questions & {"plays", "outcome", "perft"} if plays else hello.questions - {"legal", "plays"}
        if probed or "moves" in questions:
            questions |= {"moves", "outcome"}
        if self.conventions.notation == "boards" and not plays:
            questions |= {"play"}
        adapted = replace(
            direct.hello,
            questions=questions,
            itself=hello.questions,
            max_in_flight=1 if is_adapted else hello.max_in_flight,
            manner="played" if plays else "probed" if probed else "listed",
            notation=self.conventions.notation,
        )
        follower = None if hello.setup else LineFollower(turns, self.ruleset)
        return _Adaptation(adapted, direct, turns, follower, is_adapted)

    def _translate(self, adapted: _Adaptation, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question that has to be translated."""
        if method == "start":
            return self._read_answer(self.engine.ask(method, params))
        if method == "perft":
            if not adapted.hello.setup:
                raise UnsupportedError("cannot be given a position to count from")
            position = self._translation.position_out(params["position"])
            return self.engine.ask(method, {**params, "position": position})
        about = self._situation(adapted, params)
        match method:
            case "moves":
                return self._moves(adapted, about)
            case "play":
                after = adapted.turns.play(about, params["move"])
                if adapted.follower is not None:
                    adapted.follower.add_move(params["position"], params["move"])
                return self._read_answer({"position": after})
            case "plays":
                return adapted.direct.plays(about, self._level)
            case _ if adapted.hello.is_concluded:
                if params.get("moves"):  # a draw by what went before follows from no list of moves
                    raise UnsupportedError(NO_OUTCOME)
                result = infer_outcome(self.ruleset, about.position, self._moves(adapted, about))
                self._notes["concluded"] = None
                return {"outcome": result, "reason": None}
            case _:
                return adapted.direct.outcome(about)

    def _situation(self, adapted: _Adaptation, params: Mapping[str, Any]) -> Situation:
        fen, history = params["position"], params.get("moves", ())
        about = Situation(fen, fen)
        if adapted.follower is not None:
            about = adapted.follower.to(fen)
            self._notes["led"] = None
        follows = adapted.hello.steps or adapted.follower is not None
        if not history or not (follows or self.conventions.notation):
            return replace(about, moves=(*about.moves, *history))
        game = Game(self.ruleset, fen)
        for action in history:
            here = about if follows else Situation(about.position, about.position)
            words = words_for(adapted.turns, self.ruleset, here, action)
            about = about.after_turn(*words, to=game.push(action).fen())
        return about

    def _moves(self, adapted: _Adaptation, about: Situation) -> Mapping[str, Any]:
        if adapted.hello.manner == "probed":
            self._notes["probed"] = None
        return adapted.turns.moves(about)

    def _read_answer(self, answer: Any) -> Any:
        """Return an answer with the engine's position as damspec writes it, unchanged if it has none or no such."""
        text = answer.get("position") if isinstance(answer, dict) else None
        if not isinstance(text, str) or (PLAIN_FEN.fullmatch(text) and not self.conventions):
            return answer
        board = self.ruleset.rules.board
        try:
            Position.from_fen(text, board)
        except PositionError:
            read = read_lenient_fen(text, board)
            if read is None:
                return answer
            self._notes["lenient"] = None
            text = read
        if self.conventions:
            with suppress(PositionError, MoveError):
                text = self._translation.position_in(text)
        return {**answer, "position": text}
