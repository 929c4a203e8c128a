"""DXP: messages by the protocol's own examples, players on the loopback address, and others that do not speak it."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from damspec import Board, Position, Ruleset, __version__, load_ruleset
from damspec.written_position import read_hub
from damspec_runner.engines import dxp, hub
from damspec_runner.engines.dxp import (
    LETTERS,
    BackAnswer,
    BackRequest,
    Chat,
    Connection,
    DxpEngine,
    DxpMessage,
    GameAnswer,
    GameEnd,
    GameRequest,
    MoveMade,
    Opponent,
)
from damspec_runner.engines.protocol import EngineError, UnsupportedError
from damspec_runner.engines.serve import DxpPlayer
from refusals import refusal
from runner_fixtures import damspec as run
from runner_fixtures import printed, refused
from runs import for_each

BOARD = Board(10, 10)
INTERNATIONAL = load_ruleset("international")
HOST = "127.0.0.1"
NAME = "Tornado voor Windows 4.0"

# --- messages, as the pages of the protocol have them, or as their tables give them


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("M0012061100", MoveMade(6, 11, frozenset(), 12)),
        ("M001205250422122320", MoveMade(5, 25, frozenset({22, 12, 23, 20}), 12)),
        ("E00", GameEnd()),
        ("E31", GameEnd(3, stops=True)),
        (f"A{NAME}        0", GameAnswer(NAME)),
        ("CWhat do you think about move 35?", Chat("What do you think about move 35?")),
        ("B005Z", BackRequest(5, "black")),
        ("K1", BackAnswer(1)),
        (f"R01{NAME}        Z060075A", GameRequest(NAME, "black", 60, 75)),
        (f"R01{NAME}        W001000BZ" + 49 * "e" + "z", GameRequest(NAME, "white", 1, 0, "Z" + 49 * "e" + "z")),
    ],
)
def test_a_message_is_a_text(text: str, message: DxpMessage) -> None:
    assert dxp.read_message(text) == message
    if "22122320" not in text:  # the order of captured pieces is free
        assert str(message) == text


@for_each(
    "text",
    [
        "",
        "X",
        "E",
        "E9",
        "M00120611",
        "M001206110122232425",
        "M00120611x0",
        "R02",
        f"R01{NAME}        X060075A",
        f"R01{NAME}        W060075BZ" + 48 * "e",
        f"R01{NAME}        W060075BZ" + 50 * "b",
        "C" + 127 * "x",
    ],
)
def test_what_is_no_message_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected a message of DXP|squares of captured pieces"):
        dxp.read_message(text)


def test_a_position_has_the_dutch_letters() -> None:
    position = Position.from_fen("B:WK4,25:BK38,50", BOARD)
    assert hub.position_text(position, LETTERS) == "Z" + "eeeW" + 20 * "e" + "w" + 12 * "e" + "Z" + 11 * "e" + "z"
    assert read_hub(hub.position_text(position, LETTERS), BOARD, LETTERS) == position


def test_names_and_chat_are_made_to_fit() -> None:
    assert len(str(GameAnswer("a" * 40))) == 34
    assert str(GameAnswer("ä\0")) == f"A{'??':<32}0"
    assert len(str(Chat("x" * 500))) == dxp.LONGEST


def test_addresses() -> None:
    assert dxp.address("27531") == (HOST, 27531)
    assert dxp.address("[::1]:1") == ("::1", 1)
    for text in ("", "host", "host:", "host:99999", "host:1x"):
        assert "expected HOST:PORT or PORT" in refusal(ValueError, dxp.address, text)


# --- players


@contextlib.contextmanager
def waiting(play: Callable[[Connection], None]) -> Iterator[int]:
    """The port where a player waits for one other."""
    with dxp.listen(HOST, 0) as place:

        def one() -> None:
            with contextlib.suppress(dxp.DxpTimeoutError, dxp.DxpClosedError, ValueError, OSError):
                play(dxp.accept(place, time.monotonic() + 20.0))

        thread = threading.Thread(target=one)
        thread.start()
        yield place.getsockname()[1]
        thread.join(20.0)
        assert not thread.is_alive()


@contextlib.contextmanager
def meeting(play: Callable[[Connection], None], *, timeout: float = 10.0) -> Iterator[DxpEngine]:
    """An engine asked by DXP that is a player which waits."""
    with waiting(play) as port:
        engine = DxpEngine(Opponent(HOST, port), BOARD, timeout=timeout)
        try:
            yield engine
        finally:
            engine.hang_up()


def playing(ruleset: Ruleset) -> Callable[[Connection], None]:
    """The reference."""
    return lambda connection: DxpPlayer(ruleset, connection, patience=20.0).play()


def played(engine: DxpEngine, position: str) -> object:
    return engine.ask("plays", {"ruleset": "international", "position": position})["move"]


def test_a_player_is_asked_in_one_position_after_another() -> None:
    with meeting(playing(INTERNATIONAL)) as engine:
        hello = engine.hello()
        assert hello.name.startswith("damspec ")
        assert (hello.manner, hello.questions) == ("played", frozenset({"plays"}))
        assert played(engine, "W:W32:B28") == {"move": "32x23", "captured": [28]}
        assert played(engine, "B:W32:B16") == "16-21"  # the edge leaves one step
        assert "ended the game by giving up where it had to move" in refusal(UnsupportedError, played, engine, "W:W:B1")
        assert played(engine, "W:W6:B45") == "6-1"


def test_a_player_that_comes() -> None:
    port: list[int] = []

    def tell(line: str) -> None:
        port.append(int(line.rpartition(":")[2]))
        connection = dxp.connect(HOST, port[0], time.monotonic() + 5.0)
        threading.Thread(target=playing(INTERNATIONAL), args=(connection,)).start()

    engine = DxpEngine(Opponent(HOST, 0, listens=True), BOARD, tell=tell)
    try:
        assert played(engine, "W:W6:B45") == "6-1"
        assert played(engine, "W:W32:B28") == {"move": "32x23", "captured": [28]}
    finally:
        engine.hang_up()
    assert len(port) == 1


def test_nobody_comes_and_nobody_waits() -> None:
    with socket.create_server((HOST, 0)) as place:
        port = place.getsockname()[1]
    for opponent in (Opponent(HOST, port), Opponent(HOST, 0, listens=True, patience=0.2)):
        engine = DxpEngine(opponent, BOARD, timeout=2.0)
        with pytest.raises(EngineError, match=r"^cannot connect to|^nobody came to") as error:
            engine.hello()
        engine.hang_up()
        assert error.value.kind == "start"


def test_the_reference_follows_a_game() -> None:
    """It has Black: after 32-28 it moves; after what is no move it ends the game."""
    here, there = socket.socketpair()
    thread = threading.Thread(target=playing(INTERNATIONAL), args=(Connection(there),))
    thread.start()
    link, deadline = Connection(here), time.monotonic() + 20.0

    def exchange(*messages: DxpMessage) -> DxpMessage:
        for message in messages:
            link.send(message, deadline)
        return link.receive(deadline)

    assert exchange(GameRequest("x", "black", 1, 0, version=2)) == GameAnswer(f"damspec {__version__}", 1)
    assert exchange(MoveMade(32, 28)) == Chat("there is no game")
    assert exchange(BackRequest(1, "white")) == BackAnswer(1)
    assert exchange(GameRequest("x", "black", 1, 0)) == GameAnswer(f"damspec {__version__}")
    assert isinstance(exchange(Chat("good luck"), MoveMade(32, 28)), MoveMade)
    assert exchange(MoveMade(32, 28)) == Chat("illegal move 32-28")
    assert link.receive(deadline) == GameEnd()
    link.send(GameEnd(stops=True), deadline)
    thread.join(20.0)
    assert not thread.is_alive()
    link.close()


# --- programs that are no good players


def told(*messages: str, after: str = "") -> Callable[[Connection], None]:
    """A player that says just this, whatever it is told, and then stays, or sends `after` for ever."""

    def play(connection: Connection) -> None:
        link = connection._link
        link.sendall("".join(f"{message}\0" for message in messages).encode())
        with contextlib.suppress(OSError):
            while after:
                link.sendall(after.encode() * 100)
            link.settimeout(20.0)
            while link.recv(4096):
                pass
        link.close()

    return play


ACCEPTS = f"A{NAME:<32}0"


@pytest.mark.parametrize(
    ("play", "kind", "says"),
    [
        (told(), "timeout", r"^did not answer within 0\.7 seconds$"),
        (told("hello there"), "form", "^sent no message of DXP: found 'hello there', expected a message of DXP$"),
        (told("x" * 5000), "form", "without an end, expected at most 127 characters|expected a message of DXP"),
        (told(after="y"), "form", "without an end, expected at most 127 characters"),
        (told(after="Cagain\0"), "size", "^sent 1000 messages that are no answer$"),
        (told(f"A{NAME:<32}3"), "refused", "^was asked for a game and declined any game$"),
        (told("Ctoo strong", f"A{NAME:<32}2"), "refused", "declined it, having said 'too strong'$"),
        (told("M0001322800"), "form", "^sent MOVE 'M0001322800', expected GAMEACC$"),
        (told(ACCEPTS, ACCEPTS), "form", f"^sent GAMEACC '{ACCEPTS}', expected MOVE or GAMEEND$"),
        (told(ACCEPTS, "K1"), "form", "^sent BACKACC 'K1', expected MOVE or GAMEEND$"),
        (told(ACCEPTS), "timeout", "^did not answer within"),
        (told(ACCEPTS, "E10"), "refused", "^ended the game by giving up where it had to move$"),
        (told(ACCEPTS, "M0001322800"), "timeout", "^did not answer within"),
        (lambda connection: connection.close(), "died", "^closed the connection$"),
    ],
)
def test_it_is_told_in_one_line(play: Callable[[Connection], None], kind: str, says: str) -> None:
    with meeting(play, timeout=0.6 if kind == "timeout" else 10.0) as engine, pytest.raises(EngineError) as error:
        engine.hello()
    assert error.value.kind == kind
    assert error.match(says)
    assert str(error.value).isprintable()


# --- the command


def test_a_wrong_rule_is_found_and_named_by_what_is_played() -> None:
    with waiting(playing(INTERNATIONAL.with_value("capture.duty", "optional"))) as port:
        ran = run(
            "check", "international", "--dxp", f"{HOST}:{port}", "--drawn", "0", "--topic", "duty", "--topic", "choice"
        )
    assert ran.status == 1, ran.err
    assert "(played, not legal)" in ran.out
    assert "international by damspec " in ran.out
    assert "(capture.duty = optional" in ran.out


def test_the_reference_passes_with_positions_drawn() -> None:
    with waiting(playing(INTERNATIONAL)) as port:
        out = printed("check", "international", "--dxp", f"{HOST}:{port}", "--drawn", "12", "--topic", "promotion")
    assert "12 positions drawn with seed 0, 12 questions: no disagreement" in out


def test_what_does_not_go_together_is_said() -> None:
    for words, says in (
        (("check", "international", "--dxp", "nowhere"), "expected HOST:PORT or PORT"),
        (("check", "international", "killer", "--dxp", "1"), "one player, one ruleset"),
        (("check", "international", "--dxp", "1", "--hub"), "an engine speaks one of them"),
        (("check", "international", "--dxp", "1", "--level", "depth=3"), "expected move-time=SECONDS"),
        (("serve", "--dxp", "1"), "--ruleset: expected it with --dxp"),
        (("serve", "--hub", "--lines"), "expected one of them"),
    ):
        assert says in refused(*words), words
