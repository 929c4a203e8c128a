"""What engines are asked about: situations, with how the engine gets there, and their moves in our notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from damspec import Position, Ruleset

from ..cases.answer import LISTS
from ..engines.protocol import Hello, UnsupportedError
from .conventions import Conventions
from .exchange import Ask, ask_params
from .notations import NOTATIONS, MoveReader, engine_notation


@dataclass(frozen=True)
class Situation:
    """What a question is about: a position, and how the engine gets there.

    `position` is that before the turn, as damspec writes it. The engine is sent `origin`, a position or "start", and
    `moves`, what is played from there in its own words, the last `hops` of which belong to the turn.
    """

    position: str
    origin: str
    moves: tuple[Any, ...] = ()
    hops: int = 0

    def after_hops(self, *moves: Any) -> Situation:
        """Return the situation after more hops of the same turn."""
        return replace(self, moves=(*self.moves, *moves), hops=self.hops + len(moves))

    def after_turn(self, *moves: Any, to: str) -> Situation:
        """Return the situation after the notations of a turn, which leads to a position."""
        return Situation(to, self.origin, (*self.moves, *moves))

    @property
    def turn(self) -> tuple[Any, ...]:
        """The hops of the turn so far."""
        return self.moves[len(self.moves) - self.hops :]


def words_of(given: Any) -> tuple[Any, ...]:
    """Return an engine's move as a hashable value."""
    return (given["move"], *given["captured"]) if isinstance(given, Mapping) else (given,)


class MoveLister(Protocol):
    """Lists the moves of a situation, and plays them."""

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """Return the answer to `moves`."""

    def play(self, about: Situation, given: Any) -> str:
        """Return the position after a move that was listed, as the engine writes it."""

    def words(self, about: Situation, given: Any) -> tuple[Any, ...]:
        """Return the engine's notations of a listed move, one for each hop."""


class DirectLister:
    """The engine itself, asked in its own conventions."""

    def __init__(self, ask: Ask, ruleset: Ruleset, hello: Hello, conventions: Conventions) -> None:
        self.ruleset, self.hello, self.translation = ruleset, hello, conventions.on(ruleset.rules.board)
        self._ask, self._base = ask, ask_params(ruleset, hello)
        self._reader: MoveReader | None = None
        if conventions.notation is not None:
            self._reader = MoveReader(NOTATIONS[conventions.notation], ruleset, self.translation, hops=hello.steps)

    def ask(self, method: str, about: Situation, **more: Any) -> Any:
        """Return the engine's answer about a situation, in its own words."""
        return self._ask(method, {**self.params(about), **more})

    def params(self, about: Situation) -> dict[str, Any]:
        """Return the parameters of a question about a situation."""
        played = {"moves": [self._engine_text(about, move) for move in about.moves]} if about.moves else {}
        return {**self._base, "position": self.translation.position_out(about.origin), **played}

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """Return the lists of moves and lapses."""
        return self._own_moves(about)

    def play(self, about: Situation, given: Any) -> str:
        """Return the position after a move, as the engine writes it."""
        move = self._engine_text(about, given)
        if self._reader is not None and self._reader.notation.kind == "boards":
            return str(move)
        return str(self.ask("play", about, move=move)["position"])

    def words(self, about: Situation, given: Any) -> tuple[Any, ...]:
        """Return the notation of a move: itself."""
        return (given,)

    def plays(self, about: Situation, level: Mapping[str, float]) -> Mapping[str, Any]:
        """Return the answer to `plays`, with the move in damspec's notation."""
        answer: Mapping[str, Any] = self.ask("plays", about, level=level)
        return answer if answer["move"] is None else {**answer, "move": self._read_moves(about, [answer["move"]])[0]}

    def outcome(self, about: Situation) -> Mapping[str, Any]:
        """Return the engine's outcome."""
        answer = self.ask("outcome", about)
        return {**answer, "outcome": self.translation.outcome_in(answer["outcome"])}

    def _own_moves(self, about: Situation) -> Mapping[str, Any]:
        answer = self.ask("moves", about)
        return {**answer, **{name: self._read_moves(about, answer[name]) for name in LISTS if name in answer}}

    def _read_moves(self, about: Situation, listed: Sequence[Any]) -> list[Any]:
        if self._reader is None:
            return [*map(self.translation.move_in, listed)]
        position = Position.from_fen(about.position, self.ruleset.rules.board)
        return self._reader.read(listed, position, about.turn)

    def _engine_text(self, about: Situation, given: Any) -> Any:
        """Return a move as the engine listed it. Raises UnsupportedError if it did not list it."""
        if self._reader is None:
            return self.translation.move_out(given)
        if (own := engine_notation(given)) is None:
            answer = self._own_moves(about)
            same = (each for each in [*answer["moves"], *answer.get("lapses", ())] if words_of(each) == words_of(given))
            own = engine_notation(next(same, None))
        if own is None:
            raise UnsupportedError(f"did not list {words_of(given)[0]}, and how it would write that is unknown")
        return own


class PlayLister(DirectLister):
    """An engine that only plays: what it could play are the legal moves."""

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """Return the legal moves and the lapses."""
        turns, position = self.ruleset.turns, self.ruleset.position(about.position)
        return {"moves": [*map(str, turns.actions(position))], "lapses": [*map(str, turns.lapses(position))]}

    def play(self, about: Situation, given: Any) -> str:
        """Raise UnsupportedError: an engine that only plays returns no positions."""
        raise UnsupportedError("only plays")
