"""Rules in the place of an engine, asked in this process instead of one of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from damspec import Action, DamspecError, LegalMoves, Outcome, Position, Ruleset
from damspec.draws import standing
from damspec.ending import ended
from damspec.game import unchecked_moves

from ..answers.player import Player
from ..engines import protocol
from ..engines.process import Engine
from ..engines.protocol import QUESTIONS, EngineError, Hello

HELLO = Hello("imitation", "1", None, frozenset(QUESTIONS), False, history=True)


class Imitation(Engine):
    """An engine that plays these rules whatever ruleset it is asked about, and reads positions by its own board.

    Like most engines it takes the positions it is given; if `strict`, it refuses those that no game of its own can
    have, as the reference does. `player` is those rules ready to answer, if they are.
    """

    def __init__(self, ruleset: Ruleset, *, strict: bool = False, player: Player | None = None) -> None:
        super().__init__([])
        self.ruleset, self.strict = ruleset, strict
        self._player = player or Player(ruleset)
        self._last: tuple[str, LegalMoves] | None = None

    def hello(self) -> Hello:
        """It answers every question about every ruleset."""
        return HELLO

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """The answer to a question. Raises EngineError for a position that it cannot have."""
        try:
            return self._answer(method, params)
        except DamspecError as error:
            raise EngineError("refused", f"answered {method} with error -32602: {error}") from None

    def close(self) -> None:
        """There is no process to end."""

    def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
        if method == "start":
            return {"position": self._player.read("start").fen()}
        if method == "perft":
            return {"nodes": self._player.turns.perft(self._read(params["position"]), params["depth"])}
        legal = self._legal(params["position"])
        match method:
            case "moves":
                return {"moves": [str(action) for action in legal], "lapses": [str(move) for move in legal.lapses]}
            case "play":
                return {"position": self._player.turns.after(legal.position, legal.find(params["move"])).fen()}
            case _ if "moves" in params:
                return protocol.outcome(self._outcome_after(legal, params["moves"]))
            case _:
                return protocol.outcome(ended(self._player.turns, legal.position, legal))

    def _legal(self, text: str) -> LegalMoves:
        """The legal moves of a position; the last are kept, since each of them may be played next."""
        if self._last is None or self._last[0] != text:
            self._last = text, unchecked_moves(self.ruleset, self._read(text))
        return self._last[1]

    def _outcome_after(self, legal: LegalMoves, moves: Iterable[str]) -> Outcome:
        """How the game stands after moves from a position."""
        positions, history = [legal.position], list[Action]()
        for text in moves:
            history.append(legal.find(text))
            positions.append(legal.after(history[-1]))
            legal = unchecked_moves(self.ruleset, positions[-1])
        return standing(self._player.turns, positions, history)

    def _read(self, text: str) -> Position:
        return self.ruleset.position(text) if self.strict else self._player.read(text)
