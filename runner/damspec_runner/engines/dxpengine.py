"""An engine that speaks DXP, asked for its move in position after position: each is a game that ends after a move."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from damspec import Position
from damspec.board import Board
from damspec.version import __version__

from . import dxp, hub
from .dxp import BackAnswer, BackRequest, Chat, Closed, DxpMessage, GameAnswer, GameEnd, GameRequest, MoveMade, TooLate
from .position_parts import DXP, check_carries
from .process import Engine
from .protocol import EngineError, Hello, Unsupported, shown

NAME = f"damspec {__version__}"
#: Messages that are no answer to what was asked, before no answer is waited for any more.
_CHATTER = 1000
#: What a game's clock is set to: minutes, and the most moves they can be for.
_MINUTES, _MOST = 1, 999
_REASONS = {0: "for no reason given", 1: "by giving up", 2: "as a draw", 3: "as won"}


@dataclass(frozen=True)
class Opponent:
    """Where the other player is: it waits at a place, or, if `listens`, comes to it."""

    host: str
    port: int
    listens: bool = False
    #: Seconds that it has to come.
    patience: float = 60.0

    def __str__(self) -> str:
        return f"{'DXP from' if self.listens else 'DXP at'} {self.host}:{self.port}"


class DxpEngine(Engine):
    """A player that speaks DXP. It answers `plays`.

    `start` is the text of the position in which games begin, `seconds` what it has for a move. The connection is kept
    until `hang_up`, since many players take one only; `tell` hears where one is waited for.
    """

    def __init__(
        self,
        opponent: Opponent,
        board: Board,
        *,
        timeout: float = 10.0,
        seconds: float = 0.1,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        super().__init__([str(opponent)], timeout=timeout)
        self._opponent, self._board, self._tell = opponent, board, tell
        self._seconds = seconds
        self._moves = max(1, min(_MOST, round(60 * _MINUTES / seconds))) if seconds else _MOST
        self._place: socket.socket | None = None
        self._connection: dxp.Connection | None = None
        self._named: str | None = None
        self._last_words = ""

    def hello(self) -> Hello:
        """What it calls itself, which it says when it takes a game: one is begun and ended. Raises EngineError."""
        if self._named is None:
            try:
                self._safely(lambda: self._play(None))
            except Unsupported as reason:
                raise EngineError("refused", str(reason)) from None
        return Hello(shown(self._named or "unnamed"), "", None, frozenset({"plays"}), False, manner="played")

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """The move it plays in a position. Raises Unsupported, or EngineError when there is no usable answer."""
        if method != "plays":
            raise Unsupported(f"DXP does not ask for {method}")
        position = Position.from_fen(params["position"], self._board)
        check_carries(DXP, position)
        made = self._safely(lambda: self._play(position))
        captured = sorted(made.captured)
        if not captured:
            return {"move": f"{made.start}-{made.end}"}
        return {"move": {"move": f"{made.start}x{made.end}", "captured": captured}}

    def close(self) -> None:
        """The connection is kept: see `hang_up`."""

    def hang_up(self) -> None:
        """End the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._place is not None:
            self._place.close()
            self._place = None

    def _safely(self, play: Callable[[], MoveMade]) -> MoveMade:
        """What a game gives; the connection is ended where it cannot go on."""
        if self._connection is None:
            self._connection = self._connected()
        self._last_words = ""
        try:
            return play()
        except Closed:
            error = EngineError("died", f"closed the connection{self._having_said()}")
        except TooLate:
            error = EngineError("timeout", f"did not answer within {self._patience:g} seconds{self._having_said()}")
        except ValueError as wrong:
            error = EngineError("form", f"sent no message of DXP: {shown(str(wrong))}")
        except EngineError as wrong:
            if wrong.kind == "refused":
                raise
            error = wrong
        self._connection.close()
        self._connection = None
        raise error

    @property
    def _patience(self) -> float:
        return self.timeout + self._seconds

    def _connected(self) -> dxp.Connection:
        """A connection, made or waited for. Raises EngineError."""
        there = self._opponent
        try:
            if not there.listens:
                return dxp.connected(there.host, there.port, time.monotonic() + self.timeout)
            if self._place is None:
                self._place = dxp.listening(there.host, there.port)
            host, port = self._place.getsockname()[:2]
            self._tell(f"waiting for a player of DXP at {host}:{port}")
            return dxp.accepted(self._place, time.monotonic() + there.patience)
        except TooLate:
            raise EngineError(
                "start", f"nobody came to {there.host}:{there.port} in {there.patience:g} seconds"
            ) from None
        except OSError as error:
            way = "wait at" if there.listens else "connect to"
            reason = error.strerror or str(error)
            raise EngineError("start", f"cannot {way} {there.host}:{there.port}: {reason}") from None

    def _play(self, position: Position | None) -> MoveMade:
        """Its move in a position, or at the start, where it has White: a game is begun and, after it, ended."""
        text = None if position is None else hub.position_text(position, dxp.LETTERS)
        side = "white" if position is None else position.turn
        answer: GameAnswer = self._next(GameRequest(NAME, side, _MINUTES, self._moves, text), GameAnswer)
        if answer.code:
            kind = {1: "its version", 2: "it", 3: "any game"}[answer.code]
            raise Unsupported(f"was asked for a game and declined {kind}{self._having_said()}")
        self._named = answer.name
        made: MoveMade | GameEnd = self._next(None, MoveMade, GameEnd)
        if isinstance(made, GameEnd):
            self._send(GameEnd())
            raise Unsupported(f"ended the game {_REASONS[made.reason]} where it had to move{self._having_said()}")
        self._next(GameEnd(), GameEnd)
        return made

    def _next(self, message: DxpMessage | None, *wanted: type[Any]) -> Any:
        """Send a message, if there is one, and wait for one of a wanted kind; others are answered as they must be."""
        if message is not None:
            self._send(message)
        deadline = time.monotonic() + self._patience
        assert self._connection is not None
        for _ in range(_CHATTER):
            got = self._connection.receive(deadline)
            match got:
                case _ if isinstance(got, wanted):
                    return got
                case Chat():
                    self._last_words = got.text
                case GameRequest():  # who asks here is the runner
                    self._send(GameAnswer(NAME, 2))
                case BackRequest():
                    self._send(BackAnswer())
                case GameEnd():  # both sides may end a game at once
                    pass
                case GameAnswer() | BackAnswer() | MoveMade():
                    expected = " or ".join(dxp.NAMES[kind] for kind in wanted)
                    raise EngineError(
                        "form", f"sent {dxp.NAMES[type(got)]} {shown(repr(str(got)))}, expected {expected}"
                    )
        raise EngineError("size", f"sent {_CHATTER} messages that are no answer")

    def _send(self, message: DxpMessage) -> None:
        assert self._connection is not None
        self._connection.send(message, time.monotonic() + self._patience)

    def _having_said(self) -> str:
        return f", having said {shown(self._last_words)!r}" if self._last_words else ""
