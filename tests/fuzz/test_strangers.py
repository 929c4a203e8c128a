"""What strangers have sent, or may: each ends in one line that names the file and the place, and at once."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec as library
from damspec import data, safe_yaml
from damspec.errors import LONGEST
from damspec.safe_yaml import BY_ALIASES, DEPTH, VALUES, UnsafeTextError, read_json, read_yaml
from damspec_runner.cases.cases import read_cases
from damspec_runner.engines import serve
from refusals import refusal
from runner_fixtures import DAMSPEC, damspec, fake, refused

BOMB = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    + [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 9)]
)

#: Texts of a ruleset's file, each with where something is wrong and what.
YAML = {
    # 9 + 9 * 10 + ... : after the first 9 * 91 * 9 + 9 * 10 values, the next alias of a3 goes beyond 10,000
    "alias bomb": (BOMB, ":5:", "aliases stand for more than 10,000 values"),
    "deep lists": ("[" * 100_000, f":1:{DEPTH + 1}:", f"nested deeper than {DEPTH} levels"),
    "deep mappings": ("{a: " * 100_000, f":1:{4 * DEPTH + 1}:", f"nested deeper than {DEPTH} levels"),
    "deep blocks": ("- " * 100_000, f":1:{2 * DEPTH + 1}:", f"nested deeper than {DEPTH} levels"),
    "an alias in itself": ("id: &a [*a]", ":1:9:", "alias 'a' stands for something that it is in itself"),
    "a key twice": ("id: lb\nname: x\nid: vl", ":3:1:", "key 'id' given twice"),
    "a number as a key": ("id: x\n5: y", ":2:1:", "found '5' as a key, expected text"),
    "a tag": ("id: !!python/object:os.system x", ":1:5:", "found the tag 'tag:yaml.org,2002:python/object:os.system'"),
    "no number": ("id: .nan", ":1:5:", "found '.nan', expected a number that is finite"),
    "beyond all numbers": ("id: -1.0e+400", ":1:5:", "found '-1.0e+400', expected a number that is finite"),
    "many digits": ("id: " + "9" * 5000, ":1:5:", "found a number of 5000 characters, expected at most 20"),
    "a date": ("id: 2020-01-01", ":1:5:", "found a date '2020-01-01', expected text in quotes"),
    "a control character": ("id: x\nname: a\x07b", ":2:8:", "control characters are not allowed"),
    "a written control character": ('id: "\\e[2J"', ":1:5:", "found the character '\\x1b'"),
    "two documents": ("id: x\n---\nid: y", ":2:1:", "found a second document, expected one"),
    "too long": ("#" * (data.LIMIT + 1), "", "longer than the 4 MB that a YAML file may have"),
    "too many values": ("[" + "a," * (VALUES + 1) + "]", ":1:", "more than 100,000 values"),
    "a long key": ("x" * 900 + ": 1", "top level: unknown key", '"xxx'),
    "a long list with one entry twice": (
        "damspec: 1\nid: x\nname: x\nabout: x\ndocuments: [lb]\nrules: {}\n"
        f"extends: [{', '.join(map('r{}'.format, range(9999)))}, r7]",
        ": extends: ",
        'found "r7" twice, expected each once',
    ),
    "a line in a value": (
        'damspec: 1\nid: "x\\n"\nname: x\nabout: x\ndocuments: [lb]\nextends: lb\nrules: {}',
        ": id: ",
        'found "x\\n", expected lower-case letters, digits and hyphens, such as my-checkers',
    ),
}


@pytest.mark.parametrize("name", YAML)
def test_a_ruleset_that_is_none(name: str, tmp_path: Path) -> None:
    content, place, problem = YAML[name]
    file = tmp_path / "their.yaml"
    file.write_text(content, encoding="utf-8")
    began = time.process_time()
    said = refused("moves", str(file), "start")
    assert time.process_time() - began < 2
    assert said.startswith(f"damspec: {file}")
    assert place in said
    assert problem in said
    assert len(said) < 500


@pytest.mark.parametrize("loader", [yaml.SafeLoader, yaml.CSafeLoader], ids=lambda loader: loader.__name__)
def test_depth_is_bounded_before_the_parser_bounds_it(loader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each text is of no parser's liking further on: what is too deep comes first, and is said of its own place.
    monkeypatch.setattr(safe_yaml, "_Loader", loader)
    for text, column in (("[" * 3000, 65), ("é: [" + "[" * 3000, 67), ("- " * 3000 + "]", 129), ("[" * 65 + "}", 65)):
        with pytest.raises(UnsafeTextError, match=rf"^nested deeper than {DEPTH} levels$") as told:
            read_yaml(text)
        assert (told.value.line, told.value.column) == (1, column)
    assert refusal(UnsafeTextError, read_yaml, "[" * DEPTH + "}").startswith("not valid YAML")


@pytest.mark.parametrize("digits", ["0", "640"])
def test_bounds_of_json_are_the_same_whatever_python_has(digits: str) -> None:
    texts = {
        "[" * 100_000: "nested deeper than 64 levels",
        "[" * 900 + "]" * 900: "nested deeper than 64 levels",
        '[{"a":' * 33 + "x": "nested deeper than 64 levels",
        "[" * 64 + "x": "Expecting value: line 1 column 65 (char 64)",
        '["' + "[" * 70 + "\n": "Invalid control character at: line 1 column 73 (char 72)",
        '["' + '\\"[' * 70 + "\n": "Invalid control character at: line 1 column 213 (char 212)",
        "9" * 101: "found a number of 101 characters, expected at most 100",
    }
    asked = "\n".join(
        (
            "import sys",
            "from damspec.safe_yaml import read_json",
            "for text in eval(sys.stdin.read()):",
            "    try: read_json(text)",
            "    except ValueError as error: print(error)",
        )
    )
    environment = {**os.environ, "PYTHONINTMAXSTRDIGITS": digits}
    done = subprocess.run(
        [sys.executable, "-c", asked], input=repr([*texts]), capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.splitlines() == [*texts.values()]
    assert read_json("9" * 100) == 10**100 - 1


def test_what_commands_are_given_as_json_is_bounded(tmp_path: Path) -> None:
    deep = '{"a":' * 70
    (tmp_path / "cases.json").write_text(deep)
    for words in (
        ("ask", "lb", "start", "--move", deep, "--", *fake("right")),
        ("ask", "--request", deep, "--", *fake("right")),
        ("check", "lb", "--cases", str(tmp_path / "cases.json"), "--engine", "damspec"),
    ):
        assert refused(*words).endswith(f"not JSON: nested deeper than {DEPTH} levels")


def test_a_clock_of_many_hours_is_none() -> None:
    for hours, seconds in (("9999", 9999 * 3600), ("9" * 400, None), ("9" * 5000, None)):
        node = library.pdn.GameRecord.from_pdn(f'[GameType "21"] 1. 9-13 {{[%clk {hours}:00:00]}} *').next
        assert node
        assert node.clock == seconds


def test_what_aliases_may_stand_for() -> None:
    # An anchor on a list of 99 texts stands for 100 values; the whole may have 100 such aliases, and no more.
    text = f"[&a [{', '.join('x' * 99)}]{', *a' * 100}"
    assert BY_ALIASES == 100 * 100
    assert len(read_yaml(text + "]")) == 101
    assert "aliases stand for more" in refusal(UnsafeTextError, read_yaml, text + ", *a]")


def test_depth_counts_through_aliases() -> None:
    # Each anchor adds a level to the one before: the mapping and 63 lists are 64 levels.
    chain = ["a1: &a1 []", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(2, DEPTH + 1))]
    assert len(read_yaml("\n".join(chain[:-1]))) == DEPTH - 1
    assert f"nested deeper than {DEPTH} levels by alias 'a{DEPTH - 1}'" in refusal(
        UnsafeTextError, read_yaml, "\n".join(chain)
    )


def test_a_number_without_a_fraction_is_an_integer() -> None:
    assert [type(number) for number in read_yaml("[1.0, 2.5]")] == [int, float]
    rules = {**library.load_ruleset("lb").inline_values, "man.move.reach": 1.0}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "start", "params": {"ruleset": "own", "rules": rules}}
    assert "result" in serve.respond(json.dumps(asked))[0]


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    assert damspec("moves", str(pipe), "start").complaint == (
        f"damspec: {pipe}: cannot be read: neither a file nor a link to one"
    )
    endless = tmp_path / "zero.yaml"
    endless.symlink_to("/dev/zero")
    assert "neither a file" in damspec("moves", str(endless), "start").complaint
    long = damspec("moves", "x" * 300 + ".yaml", "start").complaint
    assert long.endswith(".yaml: cannot be read: File name too long")


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"damspec":'])
@pytest.mark.parametrize("end", ["", "\n{}\n"])
def test_a_report_that_is_deep(opening: str, end: str, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text(opening * 100_000 + end)
    assert refused("report", str(file)).startswith(f"damspec: {file}: not JSON: nested deeper than {DEPTH} levels")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"position": "W:W99:B1"}, "position 'W:W99:B1': no square 99: the board has squares 1 to 32"),
        ({"position": "W:W٢١:B1"}, "position 'W:W٢١:B1': '٢١' is no square"),
        ({"position": "W:W:B"}, "position 'W:W:B' in vl: no pieces on the board"),
        ({"position": "W:W" + "1" * 10**6}, "position 'W:W111"),
        ({"moves": {"26x19to28": "B:W28:B"}}, "moves: 26x19to28: '26x19to28' is no move"),
        ({"moves": {"26x19x28": "B:W99:B"}}, "moves: 26x19x28: position 'B:W99:B': no square 99"),
        ({"moves": {}, "lapses": {"1-99": "B:W28:B"}}, "lapses: 1-99: '1-99' is no move: no square 99"),
        (
            {"otherwise": {"priority=mixed-only": {"moves": {"26-22": "B:W:X"}}}},
            "otherwise priority=mixed-only: moves: 26-22: position 'B:W:X': found 'W:X', expected",
        ),
    ],
)  # fmt: skip
def test_a_case_that_cannot_be_read_is_named(change: dict[str, object], problem: str, tmp_path: Path) -> None:
    case = {
        "id": "vl.man-capture.their-own",
        "why": "The first jump goes forward.",
        "clauses": ["vl-013"],
        "position": "W:W26:B23,24",
        "moves": {"26x19x28": "B:W28:B"},
    }
    file = tmp_path / "man-capture.yaml"
    file.write_text(json.dumps({"ruleset": "vl", "topic": "man-capture", "cases": [case | change]}))
    said = refusal(data.FileError, read_cases, file)
    assert said.startswith(f"{file}: vl.man-capture.their-own: {problem}")
    assert len(said) < 400


@pytest.mark.parametrize(
    "words", [("engines",), ("check", "lb", "--engine", "pydraughts"), ("engines", "remove", "draughts")]
)
def test_a_folder_of_engines_that_cannot_be_read(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMSPEC_ENGINES", "/" + "x" * 300)  # no system has such a name, and root may not read it either
    ran = damspec(*words)
    assert (ran.status, ran.out.count("\n") < 2) == (2, True)
    assert "cannot be looked for in /xxx" in ran.complaint
    assert ran.complaint.endswith(": File name too long")


@pytest.mark.parametrize("text", ["W:W" + "1" * 10**6, "W:W" + "1," * 10**6, "1" * 10**6, "1x" * 10**6, "\u0661-17"])
def test_long_texts_cost_nothing_and_are_quoted_short(text: str) -> None:
    lb = library.load_ruleset("lb")
    legal = library.legal_moves(lb, lb.position())
    began = time.process_time()
    for ask in (lb.position, legal.find):
        assert len(refusal(library.DamspecError, ask, text)) < 300
    assert time.process_time() - began < 0.5


def test_a_message_is_one_line_whatever_it_is_made_of() -> None:
    error = library.DamspecError("a\nb\x1b" + "c" * 10_000)
    assert str(error).startswith("a\\nb\\x1bccc")
    assert len(str(error)) < LONGEST + 10


def test_serve_has_an_answer_to_every_line() -> None:
    lines = [
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"jsonrpc":"2.0","id":1,"id":2,"method":"quit"}',
        b'{"jsonrpc":"2.0","id":1,"method":"moves","params":{"ruleset":"lb","position":"' + b"1" * 10**6 + b'"}}',
        b"x" * (3 * serve.LIMIT),
        b'{"jsonrpc":"2.0",\r"id":7,"method":"start","params":{"ruleset":"lb"}}',
        b'{"jsonrpc":"2.0","id":8,"method":"start","params":{"ruleset":"\\u0000.yaml"}}',
        b'{"jsonrpc":"2.0","id":9,"method":"start","params":{"ruleset":"x\\ny","rules":{}}}',
        b'{"jsonrpc":"2.0","id":10,"method":"quit"}',
    ]
    done = subprocess.run(
        [*DAMSPEC, "serve"], input=b"\n".join(lines) + b"\n", capture_output=True, timeout=60, check=False
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr, len(answers)) == (0, b"", len(lines))
    codes = [answer["error"]["code"] if "error" in answer else answer["id"] for answer in answers]
    assert codes == [-32700, -32700, -32700, -32602, -32600, 7, -32602, -32602, 10]
    assert all(len(line) < 2500 for line in done.stdout.splitlines())


def test_the_last_line_may_lack_its_end() -> None:
    answers = io.StringIO()
    serve.serve(io.StringIO("x" * (serve.LIMIT + 1)), answers)
    assert json.loads(answers.getvalue())["error"]["code"] == -32600
