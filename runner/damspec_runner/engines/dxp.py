"""DXP, the Dam Exchange Protocol: its messages, a connection that carries them, and its players (docs/hub.md).

Messages are texts of up to 127 ASCII characters, each ended by a zero byte. Nothing is waited for without a deadline.
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
from .hub import SQUARES
from .position_parts import DXP, check_carries
from .process import Engine
from .protocol import EngineError, Hello, UnsupportedError, shown

#: The port that the protocol names, and the version of it.
PORT, VERSION = 27531, 1
#: The letters of a position: White's men and kings, Black's (`zwart`), empty squares.
LETTERS = "wWzZe"
#: Characters of a message.
LONGEST = 127
#: Characters of a name.
_NAME = 32
_SIDES: dict[str, Side] = {"W": "white", "Z": "black"}
_FORMS = {
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
_EXPECTED = "a message of DXP"


@dataclass(frozen=True)
class GameRequest:
    """Asks for a game; `position` has the side to move and a letter for each square, or is None for the start."""

    name: str
    follower: Side
    minutes: int
    moves: int
    position: str | None = None
    version: int = VERSION

    def __str__(self) -> str:
        where = "A" if self.position is None else f"B{self.position}"
        return f"R{self.version:02}{_padded(self.name)}{_letter(self.follower)}{self.minutes:03}{self.moves:03}{where}"


@dataclass(frozen=True)
class GameAnswer:
    """Accepts a game, `code` 0, or declines it: 1 for its version, 2 this game, 3 any."""

    name: str
    code: int = 0

    def __str__(self) -> str:
        return f"A{_padded(self.name)}{self.code}"


@dataclass(frozen=True)
class MoveMade:
    """A move, and the seconds it took."""

    start: int
    end: int
    captured: frozenset[int] = frozenset()
    seconds: int = 0

    def __str__(self) -> str:
        taken = "".join(f"{square:02}" for square in sorted(self.captured))
        return f"M{min(self.seconds, 9999):04}{self.start:02}{self.end:02}{len(self.captured):02}{taken}"


@dataclass(frozen=True)
class GameEnd:
    """Ends a game: `reason` 0 for none, 1 given up, 2 drawn, 3 won; `stops` is whether no other is wanted."""

    reason: int = 0
    stops: bool = False

    def __str__(self) -> str:
        return f"E{self.reason}{int(self.stops)}"


@dataclass(frozen=True)
class Chat:
    """Any text."""

    text: str

    def __str__(self) -> str:
        plain = "".join(letter if " " <= letter <= "~" else "?" for letter in self.text)
        return f"C{plain[: LONGEST - 1]}"


@dataclass(frozen=True)
class BackRequest:
    """Asks to go back to a move of a side."""

    move: int
    side: Side

    def __str__(self) -> str:
        return f"B{self.move:03}{_letter(self.side)}"


@dataclass(frozen=True)
class BackAnswer:
    """Goes back, `code` 0, or not: 1 never, 2 not now."""

    code: int = 1

    def __str__(self) -> str:
        return f"K{self.code}"


DxpMessage = GameRequest | GameAnswer | MoveMade | GameEnd | Chat | BackRequest | BackAnswer
#: What the protocol calls its messages.
NAMES: dict[type[DxpMessage], str] = {
    GameRequest: "GAMEREQ",
    GameAnswer: "GAMEACC",
    MoveMade: "MOVE",
    GameEnd: "GAMEEND",
    Chat: "CHAT",
    BackRequest: "BACKREQ",
    BackAnswer: "BACKACC",
}


def read(text: str) -> DxpMessage:
    """The message of a text. Raises ValueError."""
    form = _FORMS.get(text[:1])
    found = form.fullmatch(text) if form and len(text) <= LONGEST else None
    if found is None:
        raise ValueError(f"found {quote_value(text[:60])}, expected {_EXPECTED}")
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


def _padded(name: str) -> str:
    plain = "".join(letter if " " <= letter <= "~" else "?" for letter in name).strip() or "unnamed"
    return f"{plain[:_NAME]:<{_NAME}}"


def _letter(side: Side) -> str:
    return "W" if side == "white" else "Z"


class DxpClosedError(Exception):
    """The other side has closed the connection."""


class DxpTimeoutError(Exception):
    """The deadline has passed."""


class Connection:
    """A connection with another player."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._buffer = b""
        with suppress(OSError):
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, message: DxpMessage, deadline: float) -> None:
        """Send a message. Raises DxpClosedError or DxpTimeoutError."""
        try:
            self._link.settimeout(_left(deadline))
            self._link.sendall(str(message).encode("ascii", "replace") + b"\0")
        except TimeoutError:
            raise DxpTimeoutError from None
        except OSError:
            raise DxpClosedError from None

    def receive(self, deadline: float) -> DxpMessage:
        """The next message. Raises DxpClosedError, DxpTimeoutError, and ValueError for what is none."""
        while (end := self._buffer.find(b"\0")) < 0:
            if len(self._buffer) > LONGEST:
                begun = self._buffer[:60].decode("ascii", "replace")
                raise ValueError(f"found {quote_value(begun)}... without an end, expected at most {LONGEST} characters")
            try:
                self._link.settimeout(_left(deadline))
                chunk = self._link.recv(4096)
            except TimeoutError:
                raise DxpTimeoutError from None
            except OSError:
                raise DxpClosedError from None
            if not chunk:
                raise DxpClosedError
            self._buffer += chunk
        text, self._buffer = self._buffer[:end].decode("ascii", "replace"), self._buffer[end + 1 :]
        return read(text)

    def close(self) -> None:
        """End it."""
        self._link.close()


def connect(host: str, port: int, deadline: float) -> Connection:
    """A connection with a player that waits for one. Raises OSError or DxpTimeoutError."""
    return Connection(socket.create_connection((host, port), timeout=_left(deadline)))


def listen(host: str, port: int) -> socket.socket:
    """A place where a connection can be waited for. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1)


def accept(place: socket.socket, deadline: float) -> Connection:
    """The next connection that somebody makes. Raises DxpTimeoutError or OSError."""
    place.settimeout(_left(deadline))
    try:
        link, _ = place.accept()
    except TimeoutError:
        raise DxpTimeoutError from None
    return Connection(link)


def address(text: str) -> tuple[str, int]:
    """A host and a port, as `HOST:PORT` or `PORT` on this machine. Raises ValueError."""
    host, _, port = text.rpartition(":")
    if not re.fullmatch("[0-9]{1,5}", port) or int(port) > 65535:
        raise ValueError(f"found {text!r}, expected HOST:PORT or PORT")
    return host.strip("[]") or "127.0.0.1", int(port)


def _left(deadline: float) -> float:
    """The seconds until a deadline. Raises DxpTimeoutError if it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise DxpTimeoutError
    return left


NAME = f"damspec {__version__}"
#: Messages that are no answer to what was asked, before no answer is waited for any more.
_CHATTER = 1000
#: What a game's clock is set to: minutes, and the most moves they can be for.
_MINUTES, _MOST_MOVES = 1, 999
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
        self.command, self.timeout = [str(opponent)], timeout
        self._opponent, self._board, self._tell = opponent, board, tell
        self._seconds = seconds
        self._moves = max(1, min(_MOST_MOVES, round(60 * _MINUTES / seconds))) if seconds else _MOST_MOVES
        self._place: socket.socket | None = None
        self._connection: Connection | None = None
        self._named: str | None = None
        self._last_words = ""

    def hello(self) -> Hello:
        """What it calls itself, which it says when it takes a game: one is begun and ended. Raises EngineError."""
        if self._named is None:
            try:
                self._safely(lambda: self._play(None))
            except UnsupportedError as reason:
                raise EngineError("refused", str(reason)) from None
        return Hello(shown(self._named or "unnamed"), "", None, frozenset({"plays"}), False, manner="played")

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """The move it plays in a position. Raises UnsupportedError, or EngineError when there is no usable answer."""
        if method != "plays":
            raise UnsupportedError(f"DXP does not ask for {method}")
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
        except DxpClosedError:
            error = EngineError("died", f"closed the connection{self._having_said()}")
        except DxpTimeoutError:
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

    def _connected(self) -> Connection:
        """A connection, made or waited for. Raises EngineError."""
        there = self._opponent
        try:
            if not there.listens:
                return connect(there.host, there.port, time.monotonic() + self.timeout)
            if self._place is None:
                self._place = listen(there.host, there.port)
            host, port = self._place.getsockname()[:2]
            self._tell(f"waiting for a player of DXP at {host}:{port}")
            return accept(self._place, time.monotonic() + there.patience)
        except DxpTimeoutError:
            raise EngineError(
                "start", f"nobody came to {there.host}:{there.port} in {there.patience:g} seconds"
            ) from None
        except OSError as error:
            way = "wait at" if there.listens else "connect to"
            reason = error.strerror or str(error)
            raise EngineError("start", f"cannot {way} {there.host}:{there.port}: {reason}") from None

    def _play(self, position: Position | None) -> MoveMade:
        """Its move in a position, or at the start, where it has White: a game is begun and, after it, ended."""
        text = None if position is None else hub.position_text(position, LETTERS)
        side = "white" if position is None else position.turn
        answer: GameAnswer = self._next(GameRequest(NAME, side, _MINUTES, self._moves, text), GameAnswer)
        if answer.code:
            kind = {1: "its version", 2: "it", 3: "any game"}[answer.code]
            raise UnsupportedError(f"was asked for a game and declined {kind}{self._having_said()}")
        self._named = answer.name
        made: MoveMade | GameEnd = self._next(None, MoveMade, GameEnd)
        if isinstance(made, GameEnd):
            self._send(GameEnd())
            raise UnsupportedError(f"ended the game {_REASONS[made.reason]} where it had to move{self._having_said()}")
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
                    expected = " or ".join(NAMES[kind] for kind in wanted)
                    raise EngineError("form", f"sent {NAMES[type(got)]} {shown(repr(str(got)))}, expected {expected}")
        raise EngineError("size", f"sent {_CHATTER} messages that are no answer")

    def _send(self, message: DxpMessage) -> None:
        assert self._connection is not None
        self._connection.send(message, time.monotonic() + self._patience)

    def _having_said(self) -> str:
        return f", having said {shown(self._last_words)!r}" if self._last_words else ""
