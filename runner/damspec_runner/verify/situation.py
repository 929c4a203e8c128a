"""What engines are asked about: situations, with how the engine gets there, and their moves in our notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from damspec import Position, Ruleset

from ..engines.protocol import UnsupportedError
from .conventions import Conventions
from .notations import NOTATIONS, MoveReader, engine_notation

#: Asks an engine: the name of a question and its parameters.
Ask = Callable[[str, Mapping[str, Any]], Any]


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
        ...

    def play(self, about: Situation, given: Any) -> str:
        """Return the position after a move that was listed, as the engine writes it."""
        ...

    def words(self, about: Situation, given: Any) -> tuple[Any, ...]:
        """Return the engine's notations of a listed move, one for each hop."""
        ...


class LegalMoves:
    """A lister of legal moves for an engine that only plays and reads damspec's notation."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """Return the legal moves and the lapses."""
        turns, position = self._ruleset.turns, self._ruleset.position(about.position)
        return {"moves": [*map(str, turns.actions(position))], "lapses": [*map(str, turns.lapses(position))]}

    def play(self, about: Situation, given: Any) -> str:
        """Raise UnsupportedError: an engine that only plays returns no positions."""
        raise UnsupportedError("only plays")

    def words(self, about: Situation, given: Any) -> tuple[Any, ...]:
        """Return the notation of a move: itself."""
        return (given,)


class DirectLister:
    """The engine itself, asked in its own conventions."""

    def __init__(
        self, ask: Ask, ruleset: Ruleset, base: Mapping[str, Any], conventions: Conventions, *, hops: bool = False
    ) -> None:
        self.translation = conventions.on(ruleset.rules.board)
        self._board = ruleset.rules.board
        self._reader: MoveReader | None = None
        if conventions.notation is not None:
            self._reader = MoveReader(NOTATIONS[conventions.notation], ruleset, self.translation, hops=hops)
        self._ask, self._base = ask, base

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """Return the engine's lists of moves and lapses."""
        answer = self.moves_as_written(about)
        return {
            **answer,
            **{name: self._read_moves(about, answer[name]) for name in ("moves", "lapses") if name in answer},
        }

    def moves_as_written(self, about: Situation) -> Mapping[str, Any]:
        """Return the answer to `moves` in the engine's own notation."""
        answer: Mapping[str, Any] = self._ask("moves", self.params(about))
        return answer

    def _read_moves(self, about: Situation, listed: Sequence[Any]) -> list[Any]:
        if self._reader is None:
            return [*map(self.translation.move_in, listed)]
        position = Position.from_fen(about.position, self._board)
        return self._reader.read(listed, position, about.turn)

    def play(self, about: Situation, given: Any) -> str:
        """Return the position after a move, as the engine writes it."""
        move = self._engine_text(about, given)
        if self._reader is not None and self._reader.notation.kind == "boards":
            return str(move)
        return str(self._ask("play", {**self.params(about), "move": move})["position"])

    def _engine_text(self, about: Situation, given: Any) -> Any:
        """Return a move as the engine listed it. Raises UnsupportedError if it did not list it."""
        if self._reader is None:
            return self.translation.move_out(given)
        if (own := engine_notation(given)) is None:
            answer = self.moves(about)
            same = (each for each in [*answer["moves"], *answer.get("lapses", ())] if words_of(each) == words_of(given))
            own = engine_notation(next(same, None))
        if own is None:
            raise UnsupportedError(f"did not list {words_of(given)[0]}, and how it would write that is unknown")
        return own

    def words(self, about: Situation, given: Any) -> tuple[Any, ...]:
        """Return the notation of a move: itself."""
        return (given,)

    def plays(self, about: Situation, level: Mapping[str, float]) -> Mapping[str, Any]:
        """Return the answer to `plays`, with the move in damspec's notation."""
        answer = self._ask_plays(about, level)
        return answer if answer["move"] is None else {**answer, "move": self._read_moves(about, [answer["move"]])[0]}

    def played_as_written(self, about: Situation, level: Mapping[str, float]) -> Any:
        """Return the move that the engine plays in its own notation; None if it has none."""
        return self._ask_plays(about, level)["move"]

    def _ask_plays(self, about: Situation, level: Mapping[str, float]) -> Mapping[str, Any]:
        answer: Mapping[str, Any] = self._ask("plays", {**self.params(about), "level": level})
        return answer

    def legal(self, about: Situation, move: str) -> bool | str:
        """Return whether the engine takes a move for legal, or "lapse"."""
        answer = self._ask("legal", {**self.params(about), "move": self.translation.move_out(move)})["legal"]
        return answer if answer == "lapse" else bool(answer)

    def outcome(self, about: Situation) -> Mapping[str, Any]:
        """Return the engine's outcome."""
        answer = self._ask("outcome", self.params(about))
        return {**answer, "outcome": self.translation.outcome_in(answer["outcome"])}

    def params(self, about: Situation) -> dict[str, Any]:
        """Return the parameters of a question about a situation."""
        played = {"moves": [self._engine_text(about, move) for move in about.moves]} if about.moves else {}
        return {**self._base, "position": self.translation.position_out(about.origin), **played}
