"""DXP, the Dam Exchange Protocol: its messages, connections, and players as engines (docs/hub.md).

Messages are texts of up to 127 ASCII characters, each terminated by a zero byte. Every wait has a deadline.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from damspec import Position
from damspec.board import Board, Side
from damspec.errors import quote_value
from damspec.version import __version__

from . import hub
from .position_parts import DXP, check_carries
from .process import Engine
from .protocol import EngineError, Hello, UnsupportedError, clean_text, move_entry

#: The protocol's version, and the number of squares of its board.
VERSION, SQUARES = 1, 50
#: The letters of a position: White's men and kings, Black's (`zwart`), empty squares.
LETTERS = "wWzZe"
#: The maximum length of a message in characters.
LONGEST = 127
#: The length of a name in characters.
_NAME_LENGTH = 32
_SIDES: dict[str, Side] = {"W": "white", "Z": "black"}
_PATTERNS = {
    "R": re.compile(
        rf"R([0-9]{{2}})(.{{32}})([WZ])([0-9]{{3}})([0-9]{{3}})(?:A|B([WZ][{LETTERS}]{{{SQUARES}}}))", re.DOTALL
    ),
    "A": re.compile(r"A(.{32})([0-3])", re.DOTALL),
    "M": re.compile(r"M([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})((?:[0-9]{2})*)"),
    "E": re.compile(r"E([0-3])([01])"),
    "C": re.compile(r"C(.*)", re.DOTALL),
    "B": re.compile(r"B([0-9]{3})([WZ])"),
    "K": re.compile(r"K([0-2])"),
}


@dataclass(frozen=True)
class GameRequest:
    """A request for a game from `position`: the side to move and a letter for each square; None is the start."""

    name: str
    follower: Side
    minutes: int
    moves: int
    position: str | None = None
    version: int = VERSION

    def __str__(self) -> str:
        where = "A" if self.position is None else f"B{self.position}"
        return f"R{self.version:02}{_pad(self.name)}{_letter(self.follower)}{self.minutes:03}{self.moves:03}{where}"


@dataclass(frozen=True)
class GameAnswer:
    """The answer to a request: `code` 0 accepts, 1 declines the version, 2 this game, 3 any game."""

    name: str
    code: int = 0

    def __str__(self) -> str:
        return f"A{_pad(self.name)}{self.code}"


@dataclass(frozen=True)
class MoveMade:
    """A move, with the seconds it took."""

    start: int
    end: int
    captured: frozenset[int] = frozenset()
    seconds: int = 0

    def __str__(self) -> str:
        taken = "".join(f"{square:02}" for square in sorted(self.captured))
        return f"M{min(self.seconds, 9999):04}{self.start:02}{self.end:02}{len(self.captured):02}{taken}"


@dataclass(frozen=True)
class GameEnd:
    """The end of a game: `reason` 0 is unknown, 1 resigned, 2 drawn, 3 won; with `stops` no other game is wanted."""

    reason: int = 0
    stops: bool = False

    def __str__(self) -> str:
        return f"E{self.reason}{int(self.stops)}"


@dataclass(frozen=True)
class Chat:
    """A text for the other player."""

    text: str

    def __str__(self) -> str:
        plain = "".join(letter if " " <= letter <= "~" else "?" for letter in self.text)
        return f"C{plain[: LONGEST - 1]}"


@dataclass(frozen=True)
class BackRequest:
    """A request to go back to a move of a side."""

    move: int
    side: Side

    def __str__(self) -> str:
        return f"B{self.move:03}{_letter(self.side)}"


@dataclass(frozen=True)
class BackAnswer:
    """The answer to a request to go back: `code` 0 accepts, 1 declines for ever, 2 for now."""

    code: int = 1

    def __str__(self) -> str:
        return f"K{self.code}"


DxpMessage = GameRequest | GameAnswer | MoveMade | GameEnd | Chat | BackRequest | BackAnswer
#: The protocol's names of the messages.
MESSAGE_NAMES: dict[type[DxpMessage], str] = {
    GameRequest: "GAMEREQ",
    GameAnswer: "GAMEACC",
    MoveMade: "MOVE",
    GameEnd: "GAMEEND",
    Chat: "CHAT",
    BackRequest: "BACKREQ",
    BackAnswer: "BACKACC",
}


def read_message(text: str) -> DxpMessage:
    """Parse a message. Raises ValueError."""
    pattern = _PATTERNS.get(text[:1])
    found = pattern.fullmatch(text) if pattern and len(text) <= LONGEST else None
    if found is None:
        raise ValueError(f"found {quote_value(text[:60])}, expected a message of DXP")
    parts = found.groups()
    match text[0]:
        case "R":
            return GameRequest(
                parts[1].strip(), _SIDES[parts[2]], int(parts[3]), int(parts[4]), parts[5], int(parts[0])
            )
        case "A":
            return GameAnswer(parts[0].strip(), int(parts[1]))
        case "M":
            taken = re.findall("..", parts[4])
            if len(taken) != int(parts[3]):
                raise ValueError(f"found {quote_value(text[:60])}, expected {int(parts[3])} squares of captured pieces")
            return MoveMade(int(parts[1]), int(parts[2]), frozenset(map(int, taken)), int(parts[0]))
        case "E":
            return GameEnd(int(parts[0]), parts[1] == "1")
        case "C":
            return Chat(parts[0])
        case "B":
            return BackRequest(int(parts[0]), _SIDES[parts[1]])
        case _:
            return BackAnswer(int(parts[0]))


def _pad(name: str) -> str:
    plain = "".join(letter if " " <= letter <= "~" else "?" for letter in name).strip() or "unnamed"
    return f"{plain[:_NAME_LENGTH]:<{_NAME_LENGTH}}"


def _letter(side: Side) -> str:
    return "W" if side == "white" else "Z"


class DxpClosedError(Exception):
    """The other player has closed the connection."""


class DxpTimeoutError(Exception):
    """The deadline has passed."""


class Connection:
    """A connection to another player."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._buffer = b""
        with suppress(OSError):
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, message: DxpMessage, deadline: float) -> None:
        """Send a message. Raises DxpClosedError or DxpTimeoutError."""
        try:
            self._link.settimeout(_seconds_until(deadline))
            self._link.sendall(str(message).encode("ascii", "replace") + b"\0")
        except TimeoutError:
            raise DxpTimeoutError from None
        except OSError:
            raise DxpClosedError from None

    def receive(self, deadline: float) -> DxpMessage:
        """Return the next message. Raises DxpClosedError, DxpTimeoutError, and ValueError for malformed text."""
        while (end := self._buffer.find(b"\0")) < 0:
            if len(self._buffer) > LONGEST:
                begun = self._buffer[:60].decode("ascii", "replace")
                raise ValueError(f"found {quote_value(begun)}... without an end, expected at most {LONGEST} characters")
            try:
                self._link.settimeout(_seconds_until(deadline))
                chunk = self._link.recv(4096)
            except TimeoutError:
                raise DxpTimeoutError from None
            except OSError:
                raise DxpClosedError from None
            if not chunk:
                raise DxpClosedError
            self._buffer += chunk
        text, self._buffer = self._buffer[:end].decode("ascii", "replace"), self._buffer[end + 1 :]
        return read_message(text)

    def close(self) -> None:
        """Close the connection."""
        self._link.close()


def connect(host: str, port: int, deadline: float) -> Connection:
    """Connect to a player that listens. Raises OSError or DxpTimeoutError."""
    return Connection(socket.create_connection((host, port), timeout=_seconds_until(deadline)))


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens for players. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1)


def accept(listener: socket.socket, deadline: float) -> Connection:
    """Wait for the next player. Raises DxpTimeoutError or OSError."""
    listener.settimeout(_seconds_until(deadline))
    try:
        link, _ = listener.accept()
    except TimeoutError:
        raise DxpTimeoutError from None
    return Connection(link)


def address(text: str) -> tuple[str, int]:
    """Parse `HOST:PORT`, or `PORT` on this machine. Raises ValueError."""
    host, _, port = text.rpartition(":")
    if not re.fullmatch("[0-9]{1,5}", port) or int(port) > 65535:
        raise ValueError(f"found {text!r}, expected HOST:PORT or PORT")
    return host.strip("[]") or "127.0.0.1", int(port)


def _seconds_until(deadline: float) -> float:
    """Return the seconds until a deadline. Raises DxpTimeoutError if it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise DxpTimeoutError
    return left


NAME = f"damspec {__version__}"
#: The maximum number of messages in a row that answer nothing.
_MAX_OTHER_MESSAGES = 1000
#: The clock of a game: minutes, and the maximum number of moves for them.
_MINUTES, _MAX_MOVES = 1, 999
_REASONS = {0: "for no reason given", 1: "by giving up", 2: "as a draw", 3: "as won"}


@dataclass(frozen=True)
class Opponent:
    """The address where the other player listens, or where the runner `listens` for it."""

    host: str
    port: int
    listens: bool = False
    #: Seconds to wait for it to connect.
    patience: float = 60.0

    def __str__(self) -> str:
        return f"{'DXP from' if self.listens else 'DXP at'} {self.host}:{self.port}"


class DxpEngine(Engine):
    """A player that speaks DXP. It answers `plays`.

    `seconds` is its time for a move. The connection is kept until `hang_up`, since many players accept only one; `tell`
    is called with a line that says where the runner listens.
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
        self.command, self.timeout = [str(opponent)], timeout
        self._opponent, self._board, self._tell = opponent, board, tell
        self.set_seconds(seconds)
        self._listener: socket.socket | None = None
        self._connection: Connection | None = None
        self._name: str | None = None
        self._last_chat = ""

    def set_seconds(self, seconds: float) -> None:
        """Set its time for each move from now on."""
        self._seconds = seconds
        self._moves = max(1, min(_MAX_MOVES, round(60 * _MINUTES / seconds))) if seconds else _MAX_MOVES

    def hello(self) -> Hello:
        """Begin and end a game, since a player says its name when it accepts one. Raises EngineError."""
        if self._name is None:
            try:
                self._connect_and_play(None)
            except UnsupportedError as reason:
                raise EngineError("refused", str(reason)) from None
        return Hello(clean_text(self._name or "unnamed"), "", None, frozenset({"plays"}), False, manner="played")

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the move it plays. Raises UnsupportedError, or EngineError if there is no usable answer."""
        if method != "plays":
            raise UnsupportedError(f"DXP does not ask for {method}")
        position = Position.from_fen(params["position"], self._board)
        check_carries(DXP, position)
        made = self._connect_and_play(position)
        entry = move_entry(made.start, made.end, made.captured)
        return {"move": entry if made.captured else entry["move"]}

    def close(self) -> None:
        """Keep the connection: `hang_up` ends it."""

    def hang_up(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def _connect_and_play(self, position: Position | None) -> MoveMade:
        """Play a game for one move, and close the connection after an error that leaves it in an unknown state."""
        if self._connection is None:
            self._connection = self._connect()
        self._last_chat = ""
        try:
            return self._play(position)
        except DxpClosedError:
            error = EngineError("died", f"closed the connection{self._last_words()}")
        except DxpTimeoutError:
            error = EngineError("timeout", f"did not answer within {self._timeout:g} seconds{self._last_words()}")
        except ValueError as wrong:
            error = EngineError("form", f"sent no message of DXP: {clean_text(str(wrong))}")
        except EngineError as wrong:
            if wrong.kind == "refused":
                raise
            error = wrong
        self._connection.close()
        self._connection = None
        raise error

    @property
    def _timeout(self) -> float:
        return self.timeout + self._seconds

    def _connect(self) -> Connection:
        """Connect to the player, or wait for it to connect. Raises EngineError."""
        there = self._opponent
        try:
            if not there.listens:
                return connect(there.host, there.port, time.monotonic() + self.timeout)
            if self._listener is None:
                self._listener = listen(there.host, there.port)
            host, port = self._listener.getsockname()[:2]
            self._tell(f"waiting for a player of DXP at {host}:{port}")
            return accept(self._listener, time.monotonic() + there.patience)
        except DxpTimeoutError:
            raise EngineError(
                "start", f"nobody came to {there.host}:{there.port} in {there.patience:g} seconds"
            ) from None
        except OSError as error:
            way = "wait at" if there.listens else "connect to"
            reason = error.strerror or str(error)
            raise EngineError("start", f"cannot {way} {there.host}:{there.port}: {reason}") from None

    def _play(self, position: Position | None) -> MoveMade:
        """Begin a game, return the player's first move and end the game; None is the start, where it has White."""
        text = None if position is None else hub.position_text(position, LETTERS)
        side = "white" if position is None else position.turn
        answer: GameAnswer = self._next(GameRequest(NAME, side, _MINUTES, self._moves, text), GameAnswer)
        if answer.code:
            kind = {1: "its version", 2: "it", 3: "any game"}[answer.code]
            raise UnsupportedError(f"was asked for a game and declined {kind}{self._last_words()}")
        self._name = answer.name
        made: MoveMade | GameEnd = self._next(None, MoveMade, GameEnd)
        if isinstance(made, GameEnd):
            self._send(GameEnd())
            raise UnsupportedError(f"ended the game {_REASONS[made.reason]} where it had to move{self._last_words()}")
        self._next(GameEnd(), GameEnd)
        return made

    def _next(self, message: DxpMessage | None, *wanted: type[Any]) -> Any:
        """Send a message, if any, and return the next one of a wanted type, giving others their formal answer."""
        if message is not None:
            self._send(message)
        deadline = time.monotonic() + self._timeout
        assert self._connection is not None
        for _ in range(_MAX_OTHER_MESSAGES):
            got = self._connection.receive(deadline)
            match got:
                case _ if isinstance(got, wanted):
                    return got
                case Chat():
                    self._last_chat = got.text
                case GameRequest():  # only the runner asks for games
                    self._send(GameAnswer(NAME, 2))
                case BackRequest():
                    self._send(BackAnswer())
                case GameEnd():  # both sides may end a game at once
                    pass
                case GameAnswer() | BackAnswer() | MoveMade():
                    expected = " or ".join(MESSAGE_NAMES[kind] for kind in wanted)
                    found = f"{MESSAGE_NAMES[type(got)]} {clean_text(repr(str(got)))}"
                    raise EngineError("form", f"sent {found}, expected {expected}")
        raise EngineError("size", f"sent {_MAX_OTHER_MESSAGES} messages that are no answer")

    def _send(self, message: DxpMessage) -> None:
        assert self._connection is not None
        self._connection.send(message, time.monotonic() + self._timeout)

    def _last_words(self) -> str:
        return f", having said {clean_text(self._last_chat)!r}" if self._last_chat else ""
