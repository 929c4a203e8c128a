"""`damspec replay`: what it prints, its exit status, and what it makes of files that it cannot read."""

from __future__ import annotations

import io
import signal
import subprocess
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from damspec.pdn.parser import lines_of
from replays import check_games
from runner_fixtures import DAMSPEC, damspec, printed, printed_json, refused

LEGAL = '[GameType "20"]\n1. 32-28 19-23 2. 28x19 14x23 *\n'
#: After 19-23 White has to take with the man on 28.
ILLEGAL = '[White "Ann"]\n[Black "Bob"]\n[GameType "20"]\n1. 32-28 19-23 2. 34-30 *\n'
UNKNOWN = '[Ruleset "shashkino"]\n1. 32-28 *\n'
#: The columns of the table.
HEAD = ["file", "ruleset", "games", "moves", "legal", "illegal", "bad", "text", "undecided"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.pdn"


def test_games_that_are_legal(file: Path) -> None:
    file.write_text(LEGAL * 2)
    out = printed("replay", str(file))
    head, row = (line.split() for line in out.splitlines())
    assert head == HEAD
    assert row == [str(file), "international", "2", "8", "2", "·", "·", "·"]


def test_a_move_that_breaks_the_rules(file: Path) -> None:
    file.write_text(LEGAL + ILLEGAL)
    out = printed("replay", str(file), status=1)
    assert out.splitlines()[0] == (
        f"{file}:6: game 2 (Ann - Bob), move 2. 34-30: illegal:"
        " If any capture is possible, only captures are legal (capture.duty); legal: 28x19; legal by maleys"
    )
    assert out.splitlines()[-1].split()[1:] == ["international", "2", "6", "1", "1", "·", "·"]


def test_text_that_cannot_be_read_tells_once_what_many_games_have(file: Path) -> None:
    file.write_text(UNKNOWN + ILLEGAL + UNKNOWN + LEGAL)
    lines = printed("replay", str(file), status=2).splitlines()
    assert lines[0].startswith(f"{file}:6: game 2 (Ann - Bob), move 2. 34-30: ")
    assert lines[1].startswith(f"{file}:1: game 1 and 1 more: unknown ruleset 'shashkino'")
    assert [line.split()[-8:] for line in lines[3:]] == [
        [str(file), "unknown", "2", "·", "·", "·", "2", "·"],
        [str(file), "international", "2", "6", "1", "1", "·", "·"],
        ["all", "4", "6", "1", "1", "2", "·"],
    ]


def test_json_has_the_form_of_its_schema(file: Path) -> None:
    file.write_text(ILLEGAL + UNKNOWN + LEGAL)
    told = printed_json("replay", "replay", "--json", str(file), status=2)
    assert told["games"][0] == {
        "file": str(file), "ruleset": "international", "games": 2, "moves": 6,
        "legal": 1, "illegal": 1, "text": 0, "undecided": 0,
    }  # fmt: skip
    illegal, unknown = told["faults"]
    assert (illegal["game"], illegal["line"], illegal["at"], illegal["rule"]) == (1, 4, "move 2. 34-30", "capture.duty")
    assert (illegal["nearest"], illegal["kind"], illegal["players"]) == (["28x19"], "illegal", "Ann - Bob")
    assert (unknown["game"], unknown["at"], unknown["kind"], unknown["ruleset"]) == (2, "", "text", None)


def test_the_ruleset_and_the_encoding_can_be_said(file: Path) -> None:
    file.write_bytes('[White "José"]\n1. 9-13 22-18 *'.encode("latin-1"))
    remark = f"{file}:1: game 1: not UTF-8: read as cp1252, "
    for options, status, first in (
        ([], 0, remark),
        (["--ruleset", "lb"], 0, remark),
        (["--ruleset", "lb", "--encoding", "utf-8"], 2, f"{file}:1: game 1: found the byte 0xe9, expected utf-8"),
        (["--ruleset", "lb", "--encoding", "latin-1"], 0, "file "),
    ):
        ran = damspec("replay", str(file), *options)
        assert (ran.status, ran.err) == (status, "")
        assert ran.out.startswith(first)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "cp037"])
def test_an_encoding_that_does_not_extend_ascii(file: Path, encoding: str) -> None:
    file.write_bytes(LEGAL.encode(encoding))
    ran = damspec("replay", str(file), "--encoding", encoding)
    assert (ran.status, ran.err, ran.last.split()[1:4]) == (0, "", ["international", "1", "4"])


def test_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LEGAL.encode())))
    ran = damspec("replay", "-")
    assert (ran.status, ran.last.split()[:4]) == (0, ["-", "international", "1", "4"])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["nowhere.pdn"], "Path 'nowhere.pdn' does not exist"),
        (["-", "--encoding", "klingon"], "unknown encoding 'klingon', expected one such as latin-1"),
        (["-", "--ruleset", "vla"], "unknown ruleset 'vla'; did you mean 'vl'?"),
        ([], "Missing argument 'FILE...'"),
    ],
)
def test_what_cannot_be_done_is_one_line(words: list[str], expected: str) -> None:
    assert expected in refused("replay", *words)


def test_the_files_of_a_folder(file: Path) -> None:
    said = refused("replay", str(file.parent))
    assert said == f"damspec: {str(file.parent)!r}: found no file *.pdn, *.pdn.gz or *.zip in the folder"
    file.write_text(LEGAL)
    file.with_name("more.pdn").write_text(ILLEGAL)
    file.with_name("notes.txt").write_text(UNKNOWN)
    ran = damspec("replay", str(file.parent))
    assert (ran.status, ran.last.split()) == (1, ["all", "2", "6", "1", "1", "·", "·"])


@pytest.mark.thorough
def test_a_reader_may_go_early(file: Path) -> None:
    """Where nobody reads any more, the lines that follow end the command without a word."""
    file.write_text(ILLEGAL * 3)
    command = [*DAMSPEC, "replay", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""


def test_a_remark_about_the_form_is_no_fault(file: Path) -> None:
    # White's capture of two pieces is written jump by jump, and only the moves say so.
    split = '[GameType "26"]\n[FEN "W:W27,32:B1,15,23"]\n1. f2xd4 d4xf6 b8-a7 *\n'
    file.write_text(split * 2)
    out = printed("replay", str(file))
    assert out.splitlines()[0] == (
        f"{file}:3: game 1 and 1 more: the same piece goes on in the next move, as if each jump of a capture were a"
        " move of its own; it is played so"
    )
    assert out.splitlines()[-1].split()[1:] == ["brazilian", "2", "4", "2", "·", "·", "·"]
    told = printed_json("replay", "replay", "--json", str(file))
    assert [(fault["kind"], fault["line"], fault["at"]) for fault in told["faults"]] == [
        ("form", 3, ""),
        ("form", 6, ""),
    ]
    assert (told["games"][0]["legal"], told["games"][0]["illegal"]) == (2, 0)


def test_games_that_do_not_start_legally_are_undecided(file: Path) -> None:
    file.write_text('[GameType "20"]\n1. 1-6 *\n')
    out = printed("replay", str(file), status=2)
    assert out.startswith(f"{file}:1: game 1: no game here starts legally by international: squares may be ")
    assert out.splitlines()[-1].split()[1:] == ["international", "1", "·", "·", "·", "·", "1"]


@pytest.mark.parametrize("unit", ["1. 32-28 19-23 ", "x", "-32", '[White "'], ids=["moves", "word", "move", "tags"])
def test_a_line_without_end_is_read_in_pieces(file: Path, unit: str) -> None:
    """It is refused with its place and size, in memory that does not grow with it, and the next game is read."""
    size = 20_000_000 // len(unit) * len(unit)
    file.write_text(f"{unit * (size // len(unit))}\n{LEGAL}")
    says = f"found a game of {size + 1:,} characters, expected at most 1,000,000"
    lines = printed("replay", str(file), status=2).splitlines()
    assert lines[0] == f"{file}:1: game 1: {says}"
    assert lines[3].split()[1:] == ["international", "1", "4", "1", "·", "·", "·"]
    with file.open(encoding="latin-1") as lines_in:
        tracemalloc.start()
        try:
            refused, legal = check_games(lines_of(lines_in), None, None)
            assert tracemalloc.get_traced_memory()[1] < 5_000_000
        finally:
            tracemalloc.stop()
    assert ([fault.says for fault in refused.faults], legal.verdict) == ([says], "legal")


def test_what_is_quoted_is_cut(file: Path) -> None:
    long = "-".join(["32"] * 10_000)
    name = "A" * 10_000
    for status, text in (
        (2, f'[GameType "20"]\n1. 32-28 19-23 2. {long} *\n'),
        (2, f'[GameType "20"]\n1. 32-28 19-23 2. {"-" * 10_000} *\n'),
        (1, f'[White "{name}"]\n[GameType "20"]\n1. 32-28 19-23 2. 34-30 *\n'),
        (0, f'[GameType "{name}"]\n1. 32-28 *\n'),  # a remark: the game fits international draughts
        (2, f'[Ruleset "{name}"]\n1. 32-28 *\n'),
        (2, f'[GameType "20"]\n[FEN "{name}"]\n1. 32-28 *\n'),
        (2, f'[GameType "20"]\n1. 32-28 [{name} "x"] *\n'),
        (2, f'[GameType "20"]\n1. {long}x *\n'),
        (2, f'[GameType "20"]\n1. 32-28 /FEN "{name}"/ *\n'),
        (2, f'[GameType "20"]\n1. 32-28 19-23 9999999.{name} *\n'),
    ):
        file.write_text(text)
        ran = damspec("replay", str(file))
        assert ran.status == status
        assert len(ran.out) < 2_000
        assert len(damspec("replay", "--json", str(file)).out) < 3_000


def test_two_processes_say_what_one_says(tmp_path: Path) -> None:
    """Of games that are legal, illegal, unreadable and without a ruleset, in two files."""
    games = LEGAL + ILLEGAL + UNKNOWN + "1. 32-28 19-23 2. 28x19 14x23 *\n\n" + '[Black "Bob"]\n1. 31-27 nonsense *\n'
    (tmp_path / "a.pdn").write_text(games + LEGAL)
    (tmp_path / "b.pdn").write_text(LEGAL + games)
    one, two = (damspec("replay", "-j", jobs, str(tmp_path)) for jobs in ("1", "2"))
    assert one.out.count("illegal: If any capture is possible") == one.out.count("nonsense") == 2
    assert (one.status, one.out) == (two.status, two.out)


def test_an_empty_file_has_no_games(file: Path) -> None:
    file.write_text("")
    assert damspec("replay", str(file)).status == 0


def test_an_interruption_shows_what_was_counted() -> None:
    command = [*DAMSPEC, "replay", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdin
        assert running.stdout
        running.stdin.write((ILLEGAL + LEGAL * 500).encode())  # the first 500 games decide what is illegal
        running.stdin.flush()
        assert b"game 1 (Ann - Bob)" in running.stdout.readline()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
    assert (running.returncode, err.lstrip(b"\n")) == (130, b"damspec: interrupted\n")
    assert out.splitlines()[-1].split()[:2] == [b"-", b"international"]


def test_an_interruption_judges_the_games_that_were_read() -> None:
    def lines() -> Iterator[str]:
        yield from (ILLEGAL + LEGAL + LEGAL).splitlines(keepends=True)
        raise KeyboardInterrupt

    checked = check_games(lines(), None, None)
    # Nothing shows yet that the third game ends there.
    assert [next(checked).verdict for _ in range(2)] == ["illegal", "legal"]
    with pytest.raises(KeyboardInterrupt):
        next(checked)
