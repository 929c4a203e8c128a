"""`damspec bridge`: a console engine and a web service, each checked by the files of docs/bridge.md."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec as reference
from damspec import data
from damspec_runner.engines.bridge import BridgeFile, bridge_engine
from damspec_runner.engines.protocol import EngineError, UnsupportedError
from refusals import refusal
from runner_fixtures import DAMSPEC, PROJECT, TESTS, damspec, printed, refused

PAGE = (PROJECT / "docs" / "bridge.md").read_text(encoding="utf-8")
CONSOLE, PLAYER, SERVICE = (yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
POSITION = {"ruleset": "english", "position": "W:W22:B18"}


def written(folder: Path, content: Any, **changes: Any) -> Path:
    """A file with a description of an engine, and changes; what is None is left out."""
    path = folder / "engine.yaml"
    content = {key: value for key, value in {**content, **changes}.items() if value is not None}
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


def console(ruleset: str) -> list[str]:
    """The command of an engine with a text protocol of its own."""
    return [sys.executable, str(TESTS / "fakes" / "console.py"), ruleset]


def asked(folder: Path, method: str, content: Any, **changes: Any) -> Any:
    """The answer to a question about a position in which White has to capture a man."""
    with bridge_engine(BridgeFile.load(written(folder, content, **changes))) as engine:
        return engine.ask(method, {**POSITION, "move": "22x15"})


def checked(path: Path) -> str:
    """What is said in the end of an engine that a file describes, and that passes some cases."""
    words = ("check", "english", "-k", "english.man-capture.*", "--", *DAMSPEC, "bridge", str(path))
    return printed(*words).splitlines()[-1]


# --- programs


def test_the_console_engine_of_the_page_passes(tmp_path: Path) -> None:
    path = written(tmp_path, CONSOLE, command=console("english"))
    assert checked(path).startswith("english by my-engine 2.0: 14 passed, 0 failed of 14 cases")


def test_questions_are_filled_in_and_answers_found(tmp_path: Path) -> None:
    console_engine = {**CONSOLE, "command": console("english")}
    trial = {"send": "POSITION {fen}\nTRY {move}", "match": "^OK"}
    with bridge_engine(BridgeFile.load(written(tmp_path, console_engine, legal=trial))) as engine:
        assert engine.ask("moves", POSITION) == {"moves": ["22x15"]}
        assert engine.ask("play", {**POSITION, "move": "22x15"}) == {"position": "B:W15:B"}
        assert engine.ask("legal", {**POSITION, "move": "22x15"}) == {"legal": True}
        assert engine.ask("legal", {**POSITION, "move": "22-17"}) == {"legal": False}
    board = BridgeFile({"letters": "oOxX."})
    filled = board.fill("{turn} {side} {squares} {moves} {ruleset}", {**POSITION, "moves": ["1-5", {"move": "22x15"}]})
    assert filled == f"W white {'.' * 17}x...o{'.' * 10} 1-5 22x15 english"


def test_what_an_engine_refuses_is_not_supported_and_what_does_not_come_is_said(tmp_path: Path) -> None:
    refused = {"send": "POSITION ?{fen}\nLIST", "until": "^END", "match": "x"}
    assert "ERR no position" in refusal(
        UnsupportedError, asked, tmp_path, "moves", CONSOLE, command=console("english"), refuses="^ERR", moves=refused
    )
    endless = {"send": "LIST", "until": "^DONE$", "match": "x"}
    assert "no line matches '^DONE$', the last one is 'END'" in refusal(
        EngineError, asked, tmp_path, "moves", CONSOLE, command=console("english"), seconds=1.5, moves=endless
    )
    nothing = {"send": "FEN", "match": "POSITION IS (.*)"}
    assert "nothing that matches 'POSITION IS (.*)': the last one is 'FEN B:" in refusal(
        EngineError, asked, tmp_path, "play", CONSOLE, command=console("english"), play=nothing
    )


def test_an_engine_that_takes_no_position_is_led_by_moves() -> None:
    def hello(send: str) -> dict[str, Any]:
        return BridgeFile({"name": "a", "moves": {"send": send, "match": "x"}, "steps": True}).hello()

    assert hello("NEW\nDO {moves}\nLIST")["setup"] is False
    assert "setup" not in hello("POSITION {fen} {moves}\nLIST")
    assert hello("{fen}")["steps"] is True


def test_an_engine_that_only_plays_is_asked_for_its_move(tmp_path: Path) -> None:
    path = written(tmp_path, PLAYER, command=console("english"), rulesets=["english"])
    words = ("--topic", "choice", "--drawn", "3", "--plays", "--level", "depth=3", "--", *DAMSPEC, "bridge", str(path))
    assert "english by best-move 1.0 (played, not listed)" in printed("check", "english", *words)


def test_how_long_an_engine_thinks_is_filled_in() -> None:
    board = BridgeFile({})
    by_depth = {"ruleset": "english", "level": {"depth": 3}}
    assert board.fill("{level} {depth}", by_depth) == "depth=3 3"
    assert board.fill_json({"plies": "{depth}"}, by_depth) == {"plies": 3}
    assert board.fill("{seconds}", {"ruleset": "english", "level": {"move-time": 0.5}}) == "0.5"
    assert "its file sends {seconds}: expected --level move-time=N" in refusal(
        UnsupportedError, board.fill, "{seconds}", by_depth
    )


# --- web services


class Service(BaseHTTPRequestHandler):
    """American checkers as JSON."""

    def do_POST(self) -> None:
        said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        legal = reference.legal_moves("english", said["position"])
        match self.path:
            case "/moves":
                self._answer(200, {"legal": [{"notation": str(move)} for move in legal], "list": [*said]})
            case "/play":
                self._answer(200, {"position": legal.after(said["move"]).fen()})
            case _:
                self._answer(404, {"error": "no such page"})

    def _answer(self, status: int, content: Any) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with HTTPServer(("127.0.0.1", 0), Service) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_the_service_of_the_page_passes(url: str, tmp_path: Path) -> None:
    path = written(tmp_path, SERVICE, url=url)
    assert checked(path).startswith("english by service 1.0: 14 passed, 0 failed of 14 cases")


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        ({"path": "/moves", "at": "legal.*.move"}, "found no 'move', expected legal.*.move"),
        ({"path": "/moves", "at": "moves"}, "found no 'moves', expected moves"),
        ({"path": "/moves", "at": "*"}, "found no list at the * of *"),
        ({"path": "/play", "at": "position"}, 'with "B:W15:B", expected a list at position'),
        ({"path": "/none", "at": "moves"}, "answered moves with HTTP status 404"),
    ],
)
def test_what_a_service_answers_wrongly_is_said(url: str, tmp_path: Path, moves: Any, says: str) -> None:
    post = {"position": "{fen}", "move": "22x15"}
    assert says in refusal(EngineError, asked, tmp_path, "moves", SERVICE, url=url, moves={**moves, "post": post})


def test_a_service_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"cannot ask http://127\.0\.0\.1:9/moves: .*refused"):
        asked(tmp_path, "moves", SERVICE, url="http://127.0.0.1:9")
    with pytest.raises(EngineError, match=r"cannot ask http://127\.0\.0\.1:9/\u00e9/moves: ordinal not in range"):
        asked(tmp_path, "moves", SERVICE, url="http://127.0.0.1:9/\u00e9")


def test_the_moves_so_far_are_a_list_for_a_service() -> None:
    file = BridgeFile(SERVICE)
    moved = {"from": 22, "to": 15}
    params = {**POSITION, "moves": ["1-5"], "move": moved}
    filled = file.fill_json({"moves": "{moves}", "move": "{move}", "deep": [["{turn} {move}", 3]]}, params)
    assert filled == {"moves": ["1-5"], "move": moved, "deep": [['W {"from": 22, "to": 15}', 3]]}


# --- libraries for CheckerBoard


def library(folder: Path, *options: str) -> list[str]:
    """The command of the adapter for a small library, both compiled. Skips the test without a compiler."""
    if shutil.which("cc") is None:
        pytest.skip("cc is not on the PATH: the adapter for CheckerBoard is NOT tested")
    assert damspec("new", "adapter", "checkerboard", str(folder / "adapter")).status == 0
    warnings = ["-Wall", "-Wextra", "-Werror"]
    program, shared = folder / "adapter" / "adapter", folder / "engine.so"
    subprocess.run(["cc", *warnings, "-o", program, program.with_suffix(".c"), "-ldl"], check=True, timeout=60)
    source = TESTS / "data" / "checkerboard_engine.c"
    subprocess.run(["cc", *warnings, *options, "-shared", "-fPIC", "-o", shared, source], check=True, timeout=60)
    return [str(program), str(shared)]


@pytest.mark.parametrize(
    "cases",
    [
        "english.man-*",
        pytest.param("english.king-*", marks=pytest.mark.thorough),
        pytest.param("english.*", marks=pytest.mark.slow),
    ],
)
def test_a_library_for_checkerboard_passes(cases: str, tmp_path: Path) -> None:
    out = printed("check", "english", "-k", cases, "--lines", "--", *library(tmp_path))
    assert re.search(r"^english by Small-Engine-1 \(probed, not listed\): \d+ passed, 0 failed", out, re.MULTILINE)


@pytest.mark.slow
def test_a_dll_passes_under_wine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = "x86_64-w64-mingw32-gcc"
    wine = shutil.which("wine64") or shutil.which("wine64", path="/usr/lib/wine")
    if shutil.which(compiler) is None or wine is None:
        pytest.skip(f"{compiler} or wine64 is missing: the adapter for CheckerBoard is NOT tested with a DLL")
    monkeypatch.setenv("WINEPREFIX", str(tmp_path / "wine"))
    assert damspec("new", "adapter", "checkerboard", str(tmp_path / "adapter")).status == 0
    program, dll = tmp_path / "adapter" / "adapter.exe", tmp_path / "engine.dll"
    source = TESTS / "data" / "checkerboard_engine.c"
    subprocess.run([compiler, "-o", program, program.with_suffix(".c")], check=True, timeout=60)
    subprocess.run([compiler, "-shared", "-o", dll, source], check=True, timeout=60)
    command = [wine, str(program), str(dll)]
    out = printed("check", "english", "-k", "english.man-*", "--timeout", "60", "--lines", "--", *command)
    assert "english by Small-Engine-1 (probed, not listed): 23 passed, 0 failed" in out


def test_a_library_is_asked_for_positions_and_tells_only_one_of_two_captures(tmp_path: Path) -> None:
    # Black's man on 2 takes 7 or 6, then 14 or 15, and ends on 18 both ways; the library knows one of them.
    lines = [
        "hello 1",
        "start english",
        "legal english W:W22:B18 22x15",
        "legal english W:W22:B18 22-17",
        "play english W:W5:B12 5-1",
        "play english W:W22:B10,18 22x15x6",
        "play english B:W6,7,14,15:B2 2x9x18",
        "play english B:W6,7,14,15:B2 2x11x18",
        "play english W:W22:B18 22-17",
        "moves english W:W22:B18",
        "legal english nowhere 1-5",
        "legal english W:W12K:B1 1-5",
        "quit",
    ]
    done = subprocess.run(
        library(tmp_path), input="\n".join(lines), capture_output=True, text=True, timeout=30, check=True
    )
    *answers, one, other, illegal, unknown, nowhere, nothing = done.stdout.splitlines()
    assert answers == [
        "hello Small-Engine-1 rulesets=english questions=start,legal,play,ends",
        "B:W21-32:B1-12",
        "yes",
        "no",
        "B:WK1:B12",
        "B:W6:B",
    ]
    assert {one, other} <= {
        "W:W7,15:B18",
        "W:W6,14:B18",
        "unsupported islegal() tells another capture between these squares",
    }
    assert one != other
    assert (illegal, unknown) == ("error no legal move: 22-17", "unsupported moves")
    assert (nowhere, nothing) == ("error no position: nowhere", "error no piece: 12K")


def test_a_library_that_need_not_capture_fails(tmp_path: Path) -> None:
    command = library(tmp_path, "-DFREE")
    ran = damspec("check", "english", "-k", "*.duty.*", "--max-fail", "3", "--no-diagnose", "--lines", "--", *command)
    assert ran.status == 1
    missing = refused("check", "english", "--lines", "--", command[0], "nowhere.so", status=3)
    assert "nowhere.so: no library that can be loaded" in missing


# --- files


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"name": "a", "url": "ftp://x"}, 'url: found "ftp://x", expected an address like http://localhost:8080/moves'),
        (
            {"name": "a", "url": "http://x", "moves": {"send": "a"}},
            'moves: unknown key "send"; there is at, path, post',
        ),
        (
            {"name": "a", "command": "b", "moves": {"post": {}}},
            'moves: unknown key "post"; there is match, send, until',
        ),
        ({"name": "a", "command": "b", "url": "http://x"}, "expected exactly one of 'command', 'url'"),
        ({"name": "a"}, "expected exactly one of 'command', 'url'"),
        ({"name": "a", "url": "http://x", "quit": "q"}, "quit: found with a url, expected with a command only"),
        ({"name": "a", "command": "b"}, "found no question about moves, expected one of moves, legal, plays"),
        ({"name": "a b c", "command": "b"}, 'name: found "a b c", expected a name without spaces'),
        (
            {"name": "a", "command": "b 'c", "moves": {"send": "m", "match": "x"}},
            'command: found "b \'c", expected words as in a shell',
        ),
        (
            {
                "name": "a",
                "command": "b",
                "begin": {"send": "{fen}", "until": "x"},
                "moves": {"send": "m", "match": "x"},
            },
            "begin.send: found 'fen' in braces, expected none, since nothing is asked yet",
        ),
        (
            {"name": "a", "command": "b", "moves": {"send": "{fon}", "match": "x"}},
            "moves.send: found 'fon' in braces, expected one of fen, squares",
        ),
        (
            {"name": "a", "command": "b", "moves": {"send": "{fen}", "match": "("}},
            "moves.match: found '(', expected a regular expression: missing )",
        ),
    ],
)
def test_a_malformed_file_is_said_in_one_line(tmp_path: Path, content: Any, says: str) -> None:
    path = written(tmp_path, content)
    assert says in refusal(data.FileError, BridgeFile.load, path)
    assert "engine.yaml: " in refused("bridge", str(path))
