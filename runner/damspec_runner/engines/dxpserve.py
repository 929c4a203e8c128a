"""Rules as a player that speaks DXP: it takes the games it is asked for, and plays any legal move."""

from __future__ import annotations

import random
import time

from damspec import Move, Position, Ruleset
from damspec.version import __version__

from . import hub
from .dxp import (
    LETTERS,
    VERSION,
    BackAnswer,
    BackRequest,
    Chat,
    Closed,
    Connection,
    DxpMessage,
    GameAnswer,
    GameEnd,
    GameRequest,
    MoveMade,
    TooLate,
)

NAME = f"damspec {__version__}"
#: Seconds that it waits for the other side.
PATIENCE = 3600.0


class DxpPlayer:
    """Plays by the rules of a ruleset over a connection, as the one who is asked for games."""

    def __init__(self, ruleset: Ruleset, connection: Connection, patience: float = PATIENCE) -> None:
        self._ruleset, self._connection, self._patience = ruleset, connection, patience
        #: The position of the game that is going on, and the moves of the side to move.
        self._position: Position | None = None
        self._side = "white"

    def play(self) -> None:
        """Play until the other side wants no other game, says nothing for too long or what is no DXP, or is gone."""
        try:
            while True:
                message = self._connection.receive(time.monotonic() + self._patience)
                if isinstance(message, GameEnd) and message.stops:
                    self._answer(message)
                    return
                self._answer(message)
        except (Closed, TooLate, ValueError):
            return
        finally:
            self._connection.close()

    def _answer(self, message: DxpMessage) -> None:
        match message:
            case GameRequest():
                self._begin(message)
            case MoveMade():
                self._follow(message)
            case GameEnd() if self._position is not None:
                self._position = None
                self._say(GameEnd())
            case BackRequest():
                self._say(BackAnswer())

    def _begin(self, asked: GameRequest) -> None:
        position = Position.start(self._ruleset.rules)
        self._position = None
        if asked.version != VERSION:
            self._say(GameAnswer(NAME, 1))
            return
        if asked.position is not None:
            try:
                position = hub.read_position(asked.position, self._ruleset.rules.board, LETTERS)
            except ValueError as error:
                self._say(Chat(str(error)))
                self._say(GameAnswer(NAME, 2))
                return
        self._say(GameAnswer(NAME))
        self._position, self._side = position, asked.follower
        self._move()

    def _follow(self, made: MoveMade) -> None:
        """Take the other side's move."""
        position = self._position
        if position is None:
            self._say(Chat("there is no game"))
            return
        found = next((move for move in self._legal(position) if _is(move, made)), None)
        if found is None:
            self._say(Chat(f"illegal move {hub.move_text(made.start, made.end, made.captured)}"))
            self._end(0)
            return
        self._position = self._ruleset.turns.after(position, found)
        self._move()

    def _move(self) -> None:
        """Move, if it is this side's turn; give up where it cannot."""
        position = self._position
        if position is None or position.turn != self._side:
            return
        legal = self._legal(position)
        if not legal:
            self._end(1)
            return
        chosen = random.Random(position.fen()).choice(sorted(legal, key=str))
        self._position = self._ruleset.turns.after(position, chosen)
        self._say(MoveMade(chosen.start, chosen.end, frozenset(chosen.captured)))

    def _end(self, reason: int) -> None:
        """End the game; that the other side ends it too is its answer."""
        self._position = None
        self._say(GameEnd(reason))

    def _legal(self, position: Position) -> list[Move]:
        return [action for action in self._ruleset.turns.actions(position) if isinstance(action, Move)]

    def _say(self, message: DxpMessage) -> None:
        self._connection.send(message, time.monotonic() + self._patience)


def _is(move: Move, made: MoveMade) -> bool:
    return (move.start, move.end, frozenset(move.captured)) == (made.start, made.end, made.captured)
