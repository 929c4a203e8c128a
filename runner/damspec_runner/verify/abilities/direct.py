"""An engine's questions and answers one by one, in its own conventions: what all other abilities build on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from damspec import Ruleset

from .conventions import Conventions

#: Asks an engine: the name of a question and its parameters.
Ask = Callable[[str, Mapping[str, Any]], Any]


@dataclass(frozen=True)
class Situation:
    """What a question is about: a position, and how the engine is brought there.

    `position` is that before the turn, as damspec writes it. The engine is told `origin`, a position or "start", and
    `moves`, what is played from there in its own words, the last `hops` of which belong to the turn.
    """

    position: str
    origin: str
    moves: tuple[Any, ...] = ()
    hops: int = 0

    def gone_on(self, *moves: Any) -> Situation:
        """After more hops of the same turn."""
        return replace(self, moves=(*self.moves, *moves), hops=self.hops + len(moves))

    def played(self, *moves: Any, to: str) -> Situation:
        """After the words of a turn, in the position that it leads to."""
        return Situation(to, self.origin, (*self.moves, *moves))

    @property
    def turn(self) -> tuple[Any, ...]:
        """The hops of the turn so far."""
        return self.moves[len(self.moves) - self.hops :]


def words_of(given: Any) -> tuple[Any, ...]:
    """What is to be compared of a move as an engine gives it: objects become something that can be looked up."""
    return (given["move"], *given["captured"]) if isinstance(given, Mapping) else (given,)


class Askable(Protocol):
    """What lists the moves of a situation, and plays them."""

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """The answer to `moves`."""
        ...

    def play(self, about: Situation, given: Any) -> str:
        """The position after a move that was listed, as the engine writes it."""
        ...

    def words(self, about: Situation, given: Any) -> tuple[Any, ...]:
        """What the engine is to be told of a move that was listed."""
        ...


class Direct:
    """The engine itself."""

    def __init__(self, ask: Ask, ruleset: Ruleset, base: Mapping[str, Any], conventions: Conventions) -> None:
        self.translation = conventions.on(ruleset.rules.board)
        self._ask, self._base = ask, base

    def moves(self, about: Situation) -> Mapping[str, Any]:
        """What it lists."""
        answer = self._ask("moves", self.params(about))
        return {
            **answer,
            **{name: [*map(self.translation.move_in, answer[name])] for name in ("moves", "lapses") if name in answer},
        }

    def play(self, about: Situation, given: Any) -> str:
        """Where it says that a move leads."""
        move = self.translation.move_out(given)
        return str(self._ask("play", {**self.params(about), "move": move})["position"])

    def words(self, about: Situation, given: Any) -> tuple[Any, ...]:
        """A move is a word."""
        return (given,)

    def legal(self, about: Situation, move: str) -> bool | str:
        """What it says of a move: legal, or a lapse, or not."""
        answer = self._ask("legal", {**self.params(about), "move": self.translation.move_out(move)})["legal"]
        return answer if answer == "lapse" else bool(answer)

    def outcome(self, about: Situation) -> Mapping[str, Any]:
        """How it says that the game stands."""
        answer = self._ask("outcome", self.params(about))
        return {**answer, "outcome": self.translation.outcome_in(answer["outcome"])}

    def params(self, about: Situation) -> dict[str, Any]:
        """The parameters of a question about a situation."""
        played = {"moves": [*map(self.translation.move_out, about.moves)]} if about.moves else {}
        return {**self._base, "position": self.translation.position_out(about.origin), **played}
