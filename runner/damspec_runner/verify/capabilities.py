"""Adapting to engines that cannot answer every question: they list hops, only judge moves, or tell no outcomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from damspec import Action, Board, Game, Move, MoveError, Position, PositionError, Ruleset
from damspec.endings import outcome_of_position
from damspec.move import is_move_text, read_squares

from ..answers.answer import move_key, move_text
from ..answers.candidates import candidates
from ..answers.player import keys
from ..cases.notation import Key
from ..engines.process import Engine
from ..engines.protocol import LEVEL, EngineError, Hello, Question, UnsupportedError, clean_text, read_level
from ..positions.random_games import Ply
from .conventions import OURS, Conventions, read_lenient_fen
from .exchange import ask_params
from .reach import LineFollower, words_for
from .situation import DirectLister, LegalMoves, MoveLister, Situation, words_of

NO_OUTCOME = "does not tell outcomes, and none follows from its moves"


def infer_outcome(ruleset: Ruleset, fen: str, answer: Mapping[str, Any]) -> str:
    """The outcome that follows from the moves that are listed in a position. Raises UnsupportedError if none does."""
    if not (answer["moves"] or answer.get("lapses")):
        position = Position.from_fen(fen, ruleset.rules.board)
        end = outcome_of_position(ruleset.turns, position, [])
        if end.reason == "no-moves" or (end.reason == "no-pieces" and not position.occupied(position.turn)):
            return end.result
    raise UnsupportedError(NO_OUTCOME)


#: What identifies a move in a question: its squares, or its text if it has none.
_Squares = tuple[int, ...] | str


class LegalProbe:
    """Lists the moves that an engine accepts; an engine that knows moves by their ends is asked once for each pair."""

    def __init__(self, engine: DirectLister, ruleset: Ruleset, *, ends: bool, steps: bool) -> None:
        self._engine, self._ruleset = engine, ruleset
        self._ends, self._steps = ends, steps

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """Return the candidates that are accepted."""
        position = Position.from_fen(about.position, self._ruleset.rules.board)
        verdicts: dict[_Squares, bool | str] = {}
        lists: dict[str, list[str]] = {"moves": [], "lapses": []}
        for texts, is_right in self._offers(position, about.turn):
            for squares, text in texts:
                new = squares not in verdicts
                if new:
                    verdicts[squares] = self._engine.legal(about, text)
                # Of other moves by the same squares nothing is known, unless they are legal too.
                if verdicts[squares] and (new or (self._ends and is_right)):
                    lists["lapses" if verdicts[squares] == "lapse" else "moves"].append(text)
                    break
        if not self._ruleset.rules.huff:
            return {"moves": lists["moves"] + lists["lapses"]}
        return lists

    def play(self, about: Situation, given: Any) -> str:
        """Return the position after a move, as the engine writes it."""
        return self._engine.play(about, given)

    def words(self, about: Situation, given: Any) -> tuple[Any, ...]:
        """Return the notation of a move: itself."""
        return (given,)

    def _offers(self, position: Position, turn: Sequence[str]) -> Iterator[tuple[list[tuple[_Squares, str]], bool]]:
        """Yield each candidate's possible texts, or those of its next hop, and whether it is legal."""
        right = self._ruleset.turns
        number = len(keys([*right.actions(position), *right.lapses(position)]))
        so_far = _squares_so_far(turn, position)
        for place, action in enumerate(candidates(self._ruleset, position)):
            if self._steps:
                yield [(hop, text) for hop, text in _hops(action, so_far)], place < number
            else:
                yield [self._shorten(squares, text) for squares, text in _texts(action)], place < number

    def _shorten(self, squares: _Squares, text: str) -> tuple[_Squares, str]:
        if self._ends and not isinstance(squares, str):
            return (squares[0], squares[-1]), text
        return squares, text


def _texts(action: Action) -> list[tuple[_Squares, str]]:
    """Return each path of an action, with its notation."""
    if not isinstance(action, Move):
        return [(str(action), str(action))]
    return [(path, "".join(_path_text(action, path))) for path in action.paths]


def _path_text(move: Move, path: Sequence[int]) -> Iterator[str]:
    """Yield the parts of a path's notation: squares with `-` or `x` between them."""
    slides = len(path) - 1 - len(move.captured) if move.captured else len(path)
    for place, square in enumerate(path):
        yield f"{'' if place == 0 else '-' if place <= slides else 'x'}{square}"


def _squares_so_far(turn: Sequence[str], position: Position) -> tuple[int, ...]:
    found = [read_squares(text, position.board)[0] for text in turn]
    return (found[0][0], *(squares[-1] for squares in found)) if found else ()


def _hops(action: Action, so_far: tuple[int, ...]) -> Iterator[tuple[_Squares, str]]:
    """Yield the next hop of an action on each of its paths that begins with the squares so far."""
    if not isinstance(action, Move):
        if not so_far:
            yield str(action), str(action)
        return
    after = max(len(so_far) - 1, 0)
    for path in action.paths:
        if path[: len(so_far)] == so_far and len(path) > after + 1:
            slides = len(path) - 1 - len(action.captured) if action.captured else len(path)
            (start, end) = list(pairwise(path))[after]
            yield (start, end), f"{start}{'-' if after < slides else 'x'}{end}"


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
    """Joins the hops that an engine lists into turns; `mover` tells whose turn it is in an engine's position.

    `note` hears of an engine that keeps the turn where the other side cannot move, which ends the turn all the same.
    """

    def __init__(
        self, engine: MoveLister, ruleset: Ruleset, mover: Callable[[str], str], note: Callable[[str], object]
    ) -> None:
        self._engine, self._ruleset, self._board, self._mover = engine, ruleset, ruleset.rules.board, mover
        self._note = note
        self._turns: dict[object, dict[tuple[Any, ...], _Turn]] = {}

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """Return all turns. Raises EngineError for hops that cannot be completed, or are not the same piece's."""
        position = Position.from_fen(about.position, self._board)
        found: dict[tuple[Any, ...], _Turn] = {}
        answer = self._engine.moves(about)
        lists: dict[str, list[Any]] = {}
        for name in ("moves", "lapses"):
            if name in answer:
                known: dict[Key | str | None, None] = {}
                lists[name] = []
                for turn in self._complete(about, answer[name]):
                    text = _join_hops(turn.hops, self._board)
                    if (key := _key(position, text)) in known and len(turn.hops) > 1:
                        continue  # the same capture by another path
                    known[key] = None
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
                self._note("keeps-turn")
                if ":" not in turn.after:
                    raise UnsupportedError("keeps the turn where the other side cannot move, and tells no position")
                return self._pass_turn(turn.after)
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
            if self._mover(after) != about.position[0] or _is_no_hop(hop):
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
        turns, made = self._ruleset.turns, _key(position, _join_hops(hops, self._board))
        for action in turns.actions(position):
            if made in keys([action]):
                after = turns.after(position, action)
                return after.turn != position.turn and not turns.actions(after)
        return False

    def _pass_turn(self, fen: str) -> str:
        """Return an engine's position with the other side to move."""
        blank, turn = fen[: len(fen) - len(fen.lstrip())], fen.lstrip()[:1]
        return f"{blank}{_OTHER[turn.upper()]}{fen.lstrip()[1:]}"


#: The other side to move.
_OTHER = {"W": "B", "B": "W"}


def _is_no_hop(hop: Any) -> bool:
    """Return whether an action moves no piece, and so is no hop."""
    return isinstance(hop, str) and not is_move_text(hop)


def _about(about: Situation) -> object:
    return about.origin, tuple(map(words_of, about.moves))


def _join_hops(hops: tuple[Any, ...], board: Board) -> Any:
    """Return the notation of a turn. Raises EngineError for hops that do not follow one another."""
    first, *rest = hops
    text = str(first["move"] if isinstance(first, Mapping) else first)
    captured = list(first["captured"]) if isinstance(first, Mapping) else []
    for hop in rest:
        onward = str(hop["move"] if isinstance(hop, Mapping) else hop)
        captured += hop["captured"] if isinstance(hop, Mapping) else []
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


def _key(position: Position, text: Any) -> Key | str | None:
    """Return a key that is equal for equal turns."""
    try:
        return move_key(position, text)
    except (MoveError, PositionError):
        return str(text)


#: A well-formed FEN without fields beyond the pieces.
_PLAIN = re.compile(r"[WB]:W(?:(?:K?[1-9][0-9]*,)*K?[1-9][0-9]*)?:B(?:(?:K?[1-9][0-9]*,)*K?[1-9][0-9]*)?")


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
        self.engine, self.ruleset, self.conventions = engine, ruleset, conventions
        self._play, self._level = play, read_level(level)
        self.command, self.timeout = engine.command, engine.timeout
        self._translation = conventions.on(ruleset.rules.board)
        self._hello: Hello | None = None
        self._notes: dict[str, None] = {}
        self._direct: DirectLister | None = None
        self._top: MoveLister | None = None
        self._leading: LineFollower | None = None
        #: Whether questions have to be translated.
        self._is_adapted = False

    @property
    def restarts_left(self) -> int:
        """How often it may be started again."""
        return self.engine.restarts_left

    @restarts_left.setter
    def restarts_left(self, number: int) -> None:
        self.engine.restarts_left = number

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
        hello = self.engine.hello()
        if self._hello is None or self._direct is None:
            self._hello = self._adapt(hello)
        return self._hello

    def adopt(self, conventions: Conventions) -> None:
        """Ask by other conventions from now on."""
        self.conventions, self._translation = conventions, conventions.on(self.ruleset.rules.board)
        self._hello = None

    def moves_as_written(self, fen: str) -> list[Any]:
        """Return what the engine lists in a position, in its own notation: single hops if it lists those."""
        self.hello()
        assert self._direct is not None
        return [*self._direct.moves_as_written(Situation(fen, fen))["moves"]]

    def played_as_written(self, fen: str) -> Any:
        """Return the move that the engine plays in a position, in its own notation; None if it has none."""
        self.hello()
        assert self._direct is not None
        return self._direct.played_as_written(Situation(fen, fen), self._level)

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question. Raises UnsupportedError, or EngineError when there is no usable answer."""
        if self._direct is None:
            self.hello()
        assert self._hello is not None
        if self._is_adapted or (method == "outcome" and self._hello.is_concluded):
            return self._translate(method, params)
        answer = self.engine.ask(method, params)
        return self._read_answer(answer) if method in ("start", "play") else answer

    def ask_all(self, questions: Sequence[Question]) -> Generator[Any]:
        """Yield the answers to questions in order. Raises EngineError."""
        hello = self.hello()
        if self._is_adapted or (hello.is_concluded and any(method == "outcome" for method, _ in questions)):
            yield from super().ask_all(questions)
            return
        with closing(self.engine.ask_all(questions)) as answers:
            for (method, _), answer in zip(questions, answers, strict=True):
                yield self._read_answer(answer) if method in ("start", "play") and isinstance(answer, dict) else answer

    def take_notes(self) -> tuple[str, ...]:
        """Return and forget notes on how the answers since the last call came about."""
        notes = tuple(self._notes)
        self._notes.clear()
        return notes

    def note_plies(self, plies: Iterable[Ply]) -> None:
        """Note plies of a game, whose positions an engine that is led by moves can then be led to."""
        self.hello()
        if self._leading is None:
            return
        for ply in plies:
            if ply.chosen is not None:
                self._leading.add_move(ply.position.fen(), str(ply.chosen))

    def close(self) -> None:
        """End it."""
        self.engine.close()

    def _mover_in(self, fen: str) -> str:
        """Return whose turn it is in a position as the engine writes it."""
        return self._translation.side_in(fen.strip()[:1])

    def _adapt(self, hello: Hello) -> Hello:
        """Prepare for an engine with this hello, and return what can be asked of it now."""
        only_plays = "plays" in hello.questions and not hello.questions & {"moves", "legal"}
        if self._play or only_plays:
            return self._adapt_player(hello)
        questions = hello.questions - {"legal", "plays"}
        probed = "legal" in hello.questions and "moves" not in hello.questions
        questions |= {"moves"} if probed else set()
        if hello.steps and "play" not in questions:
            raise EngineError("questions", f"{hello.name} lists steps, and does not answer play, which joins them")
        self._is_adapted = bool(probed or hello.steps or not hello.setup or self.conventions)
        base = ask_params(self.ruleset, hello)
        direct = self._direct = DirectLister(self.engine.ask, self.ruleset, base, self.conventions, hops=hello.steps)
        top: MoveLister = direct
        if probed:
            top = LegalProbe(direct, self.ruleset, ends=hello.ends, steps=hello.steps)
        if hello.steps:
            top = HopJoiner(top, self.ruleset, self._mover_in, lambda note: self._notes.update({note: None}))
        self._top = top
        self._leading = None if hello.setup else LineFollower(top, self.ruleset)
        if "moves" in questions:
            questions |= {"outcome"}
        if self.conventions.notation == "boards":
            questions |= {"play"}
        return replace(
            hello,
            questions=frozenset(questions),
            itself=hello.questions,
            max_in_flight=1 if self._is_adapted else hello.max_in_flight,
            manner="probed" if probed else "listed",
            notation=self.conventions.notation,
        )

    def _adapt_player(self, hello: Hello) -> Hello:
        """Prepare for an engine that is asked for the move it plays."""
        if "plays" not in hello.questions:
            raise EngineError(
                "questions", f"{hello.name} does not answer plays: it cannot be asked which move it plays"
            )
        self._is_adapted = True
        self._direct = DirectLister(self.engine.ask, self.ruleset, ask_params(self.ruleset, hello), self.conventions)
        self._top = legal = LegalMoves(self.ruleset)
        self._leading = None if hello.setup else LineFollower(legal, self.ruleset)
        return replace(
            hello,
            questions=hello.questions & {"plays", "outcome", "perft"},
            itself=hello.questions,
            max_in_flight=1,
            steps=False,
            manner="played",
            notation=self.conventions.notation,
        )

    def _translate(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer to a question that has to be translated."""
        assert self._direct is not None
        assert self._hello is not None
        if method == "start":
            return self._read_answer(self.engine.ask(method, params))
        if method == "perft":
            if not self._hello.setup:
                raise UnsupportedError("cannot be given a position to count from")
            position = self._translation.position_out(params["position"])
            return self.engine.ask(method, {**params, "position": position})
        about = self._situation(params)
        match method:
            case "moves":
                return self._moves(about)
            case "play":
                return self._play_moves(about, params)
            case "plays":
                return self._direct.plays(about, self._level)
            case _ if self._hello.is_concluded:
                if params.get("moves"):  # a draw by what went before follows from no list of moves
                    raise UnsupportedError(NO_OUTCOME)
                result = infer_outcome(self.ruleset, about.position, self._moves(about))
                self._notes["concluded"] = None
                return {"outcome": result, "reason": None}
            case _:
                return self._direct.outcome(about)

    def _situation(self, params: Mapping[str, Any]) -> Situation:
        assert self._top is not None
        assert self._hello is not None
        fen, history = params["position"], params.get("moves", ())
        if self._leading is None:
            about = Situation(fen, fen)
        else:
            about = self._leading.to(fen)
            self._notes["led"] = None
        follows = self._hello.steps or self._leading is not None
        if not history or not (follows or self.conventions.notation):
            return replace(about, moves=(*about.moves, *history))
        game = Game(self.ruleset, fen)
        for action in history:
            here = about if follows else Situation(about.position, about.position)
            words = words_for(self._top, self.ruleset, here, action)
            about = about.after_turn(*words, to=game.push(action).fen())
        return about

    def _moves(self, about: Situation) -> Mapping[str, Any]:
        assert self._top is not None
        assert self._hello is not None
        if self._hello.manner == "probed":
            self._notes["probed"] = None
        return self._top.moves(about)

    def _play_moves(self, about: Situation, params: Mapping[str, Any]) -> Any:
        assert self._top is not None
        after = self._top.play(about, params["move"])
        if self._leading is not None:
            self._leading.add_move(params["position"], params["move"])
        return self._read_answer({"position": after})

    def _read_answer(self, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return an answer with the engine's position as damspec writes it, unchanged if it cannot be read."""
        text = answer["position"]
        if _PLAIN.fullmatch(text) and not self.conventions:
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
