"""DXP, the Dam Exchange Protocol: its messages, and a connection that carries them (docs/hub.md).

Messages are texts of up to 127 ASCII characters, each ended by a zero byte. Nothing is waited for without a deadline.
"""

from __future__ import annotations

import re
import socket
import time
from contextlib import suppress
from dataclasses import dataclass

from damspec.board import Side
from damspec.errors import quote_value

from .hub import SQUARES

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


class Closed(Exception):
    """The other side has closed the connection."""


class TooLate(Exception):
    """The deadline has passed."""


class Connection:
    """A connection with another player."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._buffer = b""
        with suppress(OSError):
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, message: DxpMessage, deadline: float) -> None:
        """Send a message. Raises Closed or TooLate."""
        try:
            self._link.settimeout(_left(deadline))
            self._link.sendall(str(message).encode("ascii", "replace") + b"\0")
        except TimeoutError:
            raise TooLate from None
        except OSError:
            raise Closed from None

    def receive(self, deadline: float) -> DxpMessage:
        """The next message. Raises Closed, TooLate, and ValueError for what is none."""
        while (end := self._buffer.find(b"\0")) < 0:
            if len(self._buffer) > LONGEST:
                begun = self._buffer[:60].decode("ascii", "replace")
                raise ValueError(f"found {quote_value(begun)}... without an end, expected at most {LONGEST} characters")
            try:
                self._link.settimeout(_left(deadline))
                chunk = self._link.recv(4096)
            except TimeoutError:
                raise TooLate from None
            except OSError:
                raise Closed from None
            if not chunk:
                raise Closed
            self._buffer += chunk
        text, self._buffer = self._buffer[:end].decode("ascii", "replace"), self._buffer[end + 1 :]
        return read(text)

    def close(self) -> None:
        """End it."""
        self._link.close()


def connected(host: str, port: int, deadline: float) -> Connection:
    """A connection with a player that waits for one. Raises OSError or TooLate."""
    return Connection(socket.create_connection((host, port), timeout=_left(deadline)))


def listening(host: str, port: int) -> socket.socket:
    """A place where a connection can be waited for. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1)


def accepted(place: socket.socket, deadline: float) -> Connection:
    """The next connection that somebody makes. Raises TooLate or OSError."""
    place.settimeout(_left(deadline))
    try:
        link, _ = place.accept()
    except TimeoutError:
        raise TooLate from None
    return Connection(link)


def address(text: str) -> tuple[str, int]:
    """A host and a port, as `HOST:PORT` or `PORT` on this machine. Raises ValueError."""
    host, _, port = text.rpartition(":")
    if not re.fullmatch("[0-9]{1,5}", port) or int(port) > 65535:
        raise ValueError(f"found {text!r}, expected HOST:PORT or PORT")
    return host.strip("[]") or "127.0.0.1", int(port)


def _left(deadline: float) -> float:
    """The seconds until a deadline. Raises TooLate if it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TooLate
    return left
