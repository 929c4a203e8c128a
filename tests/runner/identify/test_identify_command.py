"""`damspec identify`: answers from a pipe or a file, what it prints and writes, and its errors."""

from __future__ import annotations

import contextlib
import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest
import yaml

from damspec import data, load_ruleset
from damspec_runner.cases.questionnaire import load_answers_file, load_questionnaire
from damspec_runner.identify.session import Session
from damspec_runner.identify.statements import Statement
from players import Player
from runner_fixtures import Ran, damspec


def run(*words: str, said: str = "", cwd: Path | None = None) -> Ran:
    """Run `damspec identify` with answers on standard input."""
    with mock.patch.object(sys, "stdin", io.StringIO(said)), contextlib.chdir(cwd or Path.cwd()):
        return damspec("identify", *words)


def lines(id: str) -> str:
    """The answers of a game, in the order in which it is asked."""
    said = Player(load_ruleset(id).values).session().said
    return "".join(f"{'?' if word == 'unknown' else word}\n" for word in said.values())


@pytest.mark.thorough
def test_a_session_in_a_pipe(tmp_path: Path) -> None:
    """The whole way: questions, the game, the answers kept, a ruleset that other commands load."""
    done = run("--save", "kept.yaml", "-o", "rules.yaml", said=lines("english"), cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    assert "\nYour game is English draughts\n  english\n" in done.out
    kept = load_answers_file(tmp_path / "kept.yaml", load_questionnaire())
    assert len(kept.answers) == done.out.count("   so far: ")
    assert load_ruleset(str(tmp_path / "rules.yaml")).values == load_ruleset("english").values
    again = run("--answers", "kept.yaml", "--judge", "--json", cwd=tmp_path)
    found = json.loads(again.out)
    assert data.schema_problem(found, "identified") is None
    assert (found["game"], found["changes"], found["clashes"]) == ("english", [], [])
    assert {each["question"]: each["answered"] for each in found["answers"]} == kept.answers
    moves = [sys.executable, "-m", "damspec_runner", "moves", "rules.yaml", "W:W22:B18"]
    assert subprocess.run(moves, cwd=tmp_path, capture_output=True, text=True, check=True).stdout == "22x15\n"


@pytest.mark.thorough
def test_going_on_keeps_place_and_notes(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "damspec: 1\nplace: {name: Aalst}\nanswers: {trapdoors: no}\nnotes: {trapdoors: What?}\n", encoding="utf-8"
    )
    done = run("--answers", "a.yaml", "--save", "a.yaml", said="y\nq\n", cwd=tmp_path)
    assert done.status == 0, done.err
    kept = yaml.safe_load((tmp_path / "a.yaml").read_text(encoding="utf-8"))
    assert (kept["place"], kept["notes"], len(kept["answers"])) == ({"name": "Aalst"}, {"trapdoors": "What?"}, 2)


def test_sentences_are_marked_by_their_numbers() -> None:
    """A captured king counts two men: it is the only sentence about captures that is not so."""
    player = Player(load_ruleset("vl").with_value("capture.king-weight", 2).values)
    session, typed = Session(load_questionnaire()), []
    while question := session.next():
        shown = session.sentences(question, session.facts) if isinstance(question, Statement) else []
        ids = [each.id for each in shown]
        given = player.answer(session, question)
        marks = [str(ids.index(id) + 1) for id in given if id in ids]
        typed.append(" ".join(marks) or session.said[given[0]].replace("unknown", "?"))
    done = run(said="\n".join(typed))
    assert (done.status, done.err) == (0, "")
    assert "and your house rule: A captured king counts two men." in " ".join(done.out.split())
    assert sum(line.isdecimal() for line in typed) == 1
    wrong = run(said="\n".join(["99" if line.isdecimal() else line for line in typed]))
    assert "found '99', expected y, n, ?, numbers from 1 to " in wrong.err


def test_back() -> None:
    done = run(said="y\nu\nn\nq\n")
    asked = [line for line in done.out.splitlines() if line.endswith("?") and line.startswith(("1. ", "2. "))]
    assert [line[:1] for line in asked[:3]] == ["1", "2", "1"]
    assert asked[0] == asked[2]


@pytest.mark.parametrize(
    ("words", "said", "error"),
    [
        ((), "y\nmaybe\n", "standard input, line 2: found 'maybe', expected y, n, ?, u or q"),
        (("--judge",), "", "--judge: of which answers? expected --answers FILE too"),
        (("--answers", "none.yaml"), "", "none.yaml: cannot be read: No such file or directory"),
        (("--save", "no/where.yaml"), "", "--save: no folder 'no'"),
    ],
)
def test_errors_are_one_line(tmp_path: Path, words: tuple[str, ...], said: str, error: str) -> None:
    done = run(*words, said=said, cwd=tmp_path)
    assert (done.status, done.err) == (2, f"damspec: {error}\n")


@pytest.mark.thorough
def test_an_interruption_keeps_what_was_answered(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "damspec_runner", "identify", "--save", "kept.yaml"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        cwd=tmp_path,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write("n\n")
    while "so far" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "It rests on" in told
    assert len(load_answers_file(tmp_path / "kept.yaml", load_questionnaire()).answers) == 1
