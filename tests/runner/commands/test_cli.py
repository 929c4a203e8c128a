"""The command line: help, bad input in one line each, pipes, terminals, interruption."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

import click
import pytest

from damspec import __version__
from damspec_runner.cli import GROUPS
from damspec_runner.cli import damspec as commands
from damspec_runner.verify.report.serialize import as_json
from reports import EVERYTHING
from runner_fixtures import DAMSPEC, Ran, all_gone, damspec, fake, printed, refused, wait_until
from runs import for_each

COMMANDS = (
    "rulesets", "moves", "play", "outcome", "perft", "solve", "check", "report", "serve",
    "bridge", "ask", "generate", "identify", "adequacy", "diff", "explain", "site", "site build", "site serve",
    "replay", "book", "explore", "new", "new ruleset",
    "cases", "cases list", "cases lint", "cases publish", "cases bundle",
    "engines", "engines install", "engines remove", "compare",
)  # fmt: skip


def process(*words: str, **more: str) -> Ran:
    """Run `damspec WORDS` as a process of its own, in a pipe."""
    done = subprocess.run(
        [*DAMSPEC, *words], capture_output=True, encoding="utf-8", timeout=60, check=False, env={**os.environ, **more}
    )
    assert "Traceback" not in done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


@for_each("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    for option in ("--help", "-h"):
        assert printed(*command.split(), option).startswith(f"Usage: damspec {command} ")


@for_each("command", COMMANDS)
def test_help_fits_a_screen_and_all_of_it_names_every_option(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = damspec(*command.split(), "--help").out
    assert len(shown.splitlines()) <= 50
    whole = damspec(*command.split(), "--help-all").out if "--help-all" in shown else shown
    made: click.Command | None = commands
    context = click.Context(commands)
    for word in command.split():
        assert isinstance(made, click.Group)
        made = made.get_command(context, word)
    assert made is not None
    for option in (parameter for parameter in made.params if isinstance(parameter, click.Option)):
        assert re.search(rf"^  (\S+[, /]+)*{option.opts[-1]}\b", whole, re.MULTILINE), option.opts


def test_help_has_what_people_use_first_under_headings() -> None:
    shown, whole = (damspec("check", option).out for option in ("--help", "--help-all"))
    titles = re.findall(r"^(\S.*):$", whole, re.MULTILINE)
    assert titles == ["Which cases", "Games", "The engine", "Its habits", "Limits", "Report", "Options"]
    assert re.findall(r"^(\S.*):$", shown, re.MULTILINE) == [title for title in titles if title != "Its habits"]
    assert ("--numbering" in shown, "--numbering" in whole) == (False, True)


def test_help_names_every_command_under_what_it_is_for() -> None:
    out = printed("--help")
    told = out.partition("\n\nVerify:\n")[2]
    titles = re.findall(r"^(\S.*):$", out, re.MULTILINE)
    assert titles == [
        "Options",
        "Verify",
        "Document",
        "Generate",
        "Games and rules of your own",
        "The cases",
        "The reference",
    ]
    named = re.findall(r"^  (\w+) ", told, re.MULTILINE)
    assert len(named) == len(set(named))
    assert set(named) == {command.split()[0] for command in COMMANDS}
    assert re.findall(r"^  (\w+) ", told.partition("\n\n")[0], re.MULTILINE) == list(GROUPS["Verify"])
    # Click before 8.2 shows help without calling it an error.
    assert damspec().status == (2 if hasattr(click.exceptions, "NoArgsIsHelpError") else 0)


@pytest.mark.parametrize("group", ["", "site", "cases", "engines"])
def test_each_summary_is_whole_and_on_one_line_of_80_columns(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = damspec(*group.split(), "--help").out
    listed = shown.partition("\nVerify:\n" if not group else "\nCommands:\n")[2].splitlines()
    summaries = [line for line in listed if line.startswith("  ")]
    assert len(summaries) == len([command for command in COMMANDS if command.rpartition(" ")[0] == group])
    for line in summaries:
        assert re.fullmatch(r"  [a-z]+ +[A-Z].*[^.]\.", line), line
        assert len(line) <= 80


@for_each(
    ("typed", "said"),
    [
        ("diagnose report.json", "`damspec diagnose` is now `damspec report FILE --diagnose`"),
        ("identify --save mine.yaml", "`damspec identify --save` is gone: `damspec identify` opens a page, "),
        ("site build public --pdf", "`damspec site build --pdf` is gone: a browser prints the sheets of the site"),
        ("site build public --collected x", "`damspec site build --collected` is gone with the answers that "),
    ],
)
def test_what_was_typed_before_says_what_to_type_now(typed: str, said: str) -> None:
    assert refused(*typed.split()).startswith(f"damspec: {said}")


def test_the_version_loads_nothing_that_it_does_not_need() -> None:
    asked = "import sys; from damspec_runner.cli import damspec; damspec(['--version'], standalone_mode=False)"
    listed = subprocess.run(
        [sys.executable, "-c", f"{asked}; print(*sys.modules)"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert listed[0] == f"damspec, version {__version__}"
    modules = listed[1].split()
    ours = {name.removeprefix("damspec_runner.") for name in modules if name.startswith("damspec_runner.")}
    assert ours == {"cli", "commands", "commands.interruption"}
    needless = {"damspec.library", "yaml", "json", "jsonschema", "rich", "jinja2", "markdown_it"}
    needless |= {"platformdirs", "hypothesis"}
    assert needless & set(modules) == set()


BAD: dict[str, tuple[str, str]] = {
    # what is typed, and pieces of what is said
    "moves vx start": ("unknown ruleset 'vx'", "did you mean 'vl'?"),
    "moves vl?priority=most start": ("no alternative 'most'", "did you mean 'majority'?"),
    "moves vl?prioritty=majority start": ("no reading 'prioritty'", "did you mean 'priority'?"),
    "moves vl?priority start": ("found 'priority'", "key=alternative"),
    "moves vl?second-jump=of-the-game&completion=x start": ("no alternative 'x'", "may-stop"),
    "moves vl?own-pieces=allowed start": ("vl?own-pieces=allowed cannot be played", "whether one's own pieces oblige"),
    "move lb start": ("no command 'move'", "did you mean 'moves'?"),
    "moves lb": ("POSITION", ""),
    "moves lb start --jsn": ("--jsn", "--json"),
    "perft lb --depth 0": ("0 is not in the range x>=1", "--depth"),
    "perft lb --depth x": ("'x' is not a valid integer", "--depth"),
    "perft lb": ("--depth", ""),
    "moves lb nonsense": ("position 'nonsense'", "expected a FEN"),
    "moves lb W:W33:B1": ("no square 33", "1 to 32"),
    "moves lb W:W0:B1": ("no square 0", "1 to 32"),
    "moves lb W:W21:B21": ("square 21 is used twice", "'W:W21:B21'"),
    "moves lb W:W21,K21:B1": ("square 21 is used twice", "'W:W21,K21:B1'"),
    "moves lb W:Wx:B1": ("'x' is no square", "'W:Wx:B1'"),
    "moves lb W:W21": ("position 'W:W21'", "expected a FEN"),
    "moves lb W:W21:W22": ("'W21:W22'", "once each"),
    "moves lb W:W9-5:B1": ("range '9-5'", "smaller square first"),
    "moves lb W:W4:B1": ("promotion row: 4", "expected a king"),
    "moves lb W:W:B": ("no pieces", "'W:W:B'"),
    "moves lb W:W21:B1:spin=red": ("'spin=red'", "disc"),
    "moves lb W:W21:B1:spin=disc": ("spin=disc", "no trapdoors"),
    "moves lb W:W21:B1:huffable=22-18": ("huffable=22-18", "no huffing"),
    "moves nl-trapdoor W:W21:B5:sliders=MMM": ("sliders=MMM", "each of O1, G1, G2, O2"),
    "moves nl-trapdoor W:W21:B5,14:sliders=MLMM": ("piece on an open door: 14", "'W:W21:B5,14:sliders=MLMM'"),
    "moves nl-trapdoor W:W21:B17:spin=disc": ("spin=disc", "a capture is possible"),
    "moves de W:W21:B5:spin=disc": ("spin=disc", "no trapdoors"),
    "outcome de B:W21,26:B17:huffable=29-26": ("huffable=29-26", "that move could not be played"),
    "outcome de B:W21,26:B18:huffable=30-26": ("huffable=30-26", "no capture was possible"),
    "outcome de W:W21:B5:compelled": ("compelled", "no capture is possible"),
    "play de W:W21,30:B17 retract": ("illegal move 'retract'", "legal: 21x14"),
    "play de start huff": ("'huff' is no action", "'huff 18'"),
    "play nl-trapdoor start 22-18": ("illegal move '22-18'", "spin=disc"),
    "moves nl-trapdoor?blockd=spins start": ("no reading 'blockd'", "did you mean 'blocked'?"),
    "moves nl-trapdoor?blocked=spin start": ("no alternative 'spin'", "did you mean 'spins'?"),
    "moves nl-trapdoor?last-piece=at-its-turn start": ("cannot be played", "nothing says who has won"),
    "moves lb start --layout goliath-assumed": ("lb has no trapdoors", "'goliath-assumed'"),
    "moves nl-trapdoor start --layout goliath": ("unknown layout 'goliath'", "did you mean 'goliath-assumed'?"),
    "moves nl-trapdoor start --layout /nonexistent/my.yaml": ("/nonexistent/my.yaml", "No such file"),
    "explain vx": ("nothing is called 'vx'", ""),
    "play lb start sideways": ("'sideways' is no action", "21-17"),
    "play lb start 11-99": ("'11-99' is no move", "no square 99"),
    "play lb start 11-17": ("illegal move '11-17'", "legal: 9-13"),
    "play lb W:W27:B15,16,23,24 27x11": ("ambiguous move '27x11'", "27x18x11, 27x20x11"),
    "check lb": ("no engine", "--engine NAME"),
    "check lb --engine nope": ("no engine named 'nope'", "pydraughts"),
    "check lb --engine pydraugts": ("no engine named 'pydraugts'", "did you mean 'pydraughts'?"),
    "check lb --engine pydraughts": ("not installed", "damspec engines install pydraughts"),
    "check lb --engine damspec -k lb.nothing.*": ("no case of lb", "lb.nothing.*"),
    "check lb --engine damspec --topic huf": ("'huf' is not one of", "'huff'"),
    "check lb --engine damspec --timeout 0": ("--timeout", "0"),
    "check lb --engine damspec -j 0": ("0 is not in the range", "-j"),
    "check lb --engine damspec --junit /nonexistent/x.xml": ("no folder '/nonexistent'", "--junit"),
    "check lb --baseline -- x": ("--baseline", "named engines"),
    "check lb --update-baseline --engine damspec --topic start": ("--update-baseline", "all cases"),
    "check vl?completion=may-stop&binds=piece --engine damspec": ("one other reading at a time", "binds=piece"),
    "cases bundle -o /nonexistent/x.json": ("no folder '/nonexistent'", "-o"),
    "cases list lx": ("unknown ruleset 'lx'", ""),
    "engines install nope": ("no engine named 'nope'", "rapid-draughts"),
    "engines install damspec": ("the reference itself", "'damspec'"),
    "engines remove nope": ("no engine named 'nope'", ""),
    "moves /nonexistent/my.yaml start": ("/nonexistent/my.yaml: cannot be read", "No such file"),
}


@for_each("line", BAD)
def test_bad_input_is_told_in_one_line(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMSPEC_ENGINES", str(tmp_path))
    said = refused(*line.split())
    for piece in BAD[line]:
        assert piece in said


@pytest.mark.parametrize(
    ("content", "pieces"),
    [
        ("a: [1\nb: 2", ("my.yaml:2:", "not valid YAML")),
        ("a: 1\na: 2", ("my.yaml:2:1", "key 'a' given twice")),
        ("", ("my.yaml", "expected object")),
        ("damspec: 1\nid: my\nnaem: x", ("my.yaml", "")),
        ("{damspec: 1, id: my, name: x, about: x, documents: [lb], extends: lx, rules: {}}", ("extends", "'lx'")),
        (
            "{damspec: 1, id: my, name: x, about: x, documents: [lb], extends: lb,"
            " rules: {man.move.reach: {value: 7, from: [lb-020]}}}",
            ("rules.man.move.reach.value: found 7", "expected"),
        ),
        (
            "{damspec: 1, id: my, name: x, about: x, documents: [lb], extends: lb,"
            " rules: {capture.duty: {value: huffing, from: [lb-020]}}}",
            ("rules.huff.offence: missing", "add lines such as 'huff.offence: {value: ", "my.yaml"),
        ),
    ],
)
def test_a_bad_ruleset_file_is_told_in_one_line(content: str, pieces: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(content, encoding="utf-8")
    said = refused("moves", str(file), "start")
    for piece in pieces:
        assert piece in said


@pytest.mark.parametrize(
    ("command", "piece"),
    [
        (
            ["/nonexistent/engine", "-x"],
            "engine '/nonexistent/engine -x': cannot start '/nonexistent/engine': No such file",
        ),
        (["/"], "cannot start '/': Permission denied"),
        (fake("dying-at-start"), "exit status 1, having said 'cannot find my book'"),
        (fake("malformed"), "malformed JSON"),
        (fake("other-ruleset"), "does not play lb; it plays chess"),
    ],
)
def test_an_engine_that_cannot_be_run_is_told_in_one_line(command: list[str], piece: str) -> None:
    for more in ((), ("--json",)):
        assert piece in refused("check", "lb", *more, "--", *command, status=3)


def test_one_engine_that_cannot_be_run_does_not_stop_the_others() -> None:
    ran = damspec("check", "lb", "-k", "lb.start.*", "--engine", "damspec", "--", "/nonexistent/engine")
    assert ran.status == 3
    assert "cannot start" in ran.complaint
    assert "0 failed" in ran.last


def test_exit_statuses_of_a_check() -> None:
    few = ("check", "lb", "-k", "lb.man-move.*", "--max-fail", "1", "--no-diagnose")
    assert damspec(*few, "--", *fake("right")).status == 0
    assert damspec(*few, "--", *fake("wrong-moves")).status == 1
    assert damspec(*few, "--", *fake("dying-later")).status == 1
    assert damspec(*few, "--", *fake("dying")).status == 3


def test_a_run_in_which_nothing_could_be_asked_is_no_success() -> None:
    ran = damspec("check", "lb", "--topic", "king-move", "--", *fake("unsupported-kings"))
    assert ran.status == 3
    assert "none of the 15 cases could be put to it" in ran.complaint


def test_the_reference_passes_as_an_engine() -> None:
    out = printed("check", "vl?priority=multiple-first", "-k", "vl.choice.", "--", *DAMSPEC, "serve")
    assert ", 0 failed of " in out.splitlines()[-1]


class TestPipes:
    """In a pipe there is nothing but text, and a reader that goes away is no trouble."""

    @pytest.fixture
    def report(self, tmp_path: Path) -> str:
        """A report with failures."""
        path = tmp_path / "report.json"
        path.write_text(json.dumps(as_json([EVERYTHING])), encoding="utf-8")
        return str(path)

    def test_no_colour_and_no_trouble_with_an_encoding_that_lacks_characters(self, report: str) -> None:
        ran = process("report", report, PYTHONIOENCODING="ascii")
        assert (ran.status, ran.err) == (0, "")
        assert "\x1b" not in ran.out

    def test_a_terminal_gets_the_board_and_colour(self, report: str) -> None:
        moves = on_a_terminal("moves", "lb", "start")
        assert "Black to move" in moves
        assert moves.splitlines()[-1] == "12-16"
        assert "\x1b[" in on_a_terminal("report", report)


def on_a_terminal(*words: str) -> str:
    """What `damspec WORDS` shows on a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*DAMSPEC, *words], stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm"}
    ) as running:
        os.close(theirs)
        shown = b""
        try:
            while some := os.read(ours, 4096):
                shown += some
        except OSError:  # how Linux says that the other side has closed
            pass
        running.wait(30)
    os.close(ours)
    return shown.decode()


class TestInterruption:
    """Ctrl-C ends a command with one line, and its engines with it."""

    def interrupted(self, words: list[str], ready: Callable[[IO[str]], object]) -> None:
        with subprocess.Popen(
            [*DAMSPEC, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as running:
            assert running.stdout
            ready(running.stdout)
            os.killpg(running.pid, signal.SIGINT)
            _, err = running.communicate(timeout=20)
        assert running.returncode == 130
        assert err.lstrip("\n") == "damspec: interrupted\n"

    def test_perft(self) -> None:
        self.interrupted(["perft", "international", "--depth", "14"], lambda out: out.readline())

    @pytest.mark.parametrize("mode", ["silent", pytest.param("launching", marks=pytest.mark.slow)])
    def test_check(self, mode: str, tmp_path: Path) -> None:
        with all_gone(tmp_path) as pids:

            def all_started(_: object) -> None:
                wait_until(lambda: pids.exists() and len(pids.read_text().split()) >= 3)

            self.interrupted(["check", "lb", "-j", "3", "--timeout", "1", "--", *fake(mode, "2")], all_started)


def test_python_m_is_the_same_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "damspec_runner", "outcome", "vl", "W:W22:B18"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "draw (one-piece-each)\n"
