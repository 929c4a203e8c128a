"""`damspec generate`: what it finds, and one line for what cannot be found or asked for."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

import damspec
from annotated_positions import played
from damspec_runner.generate.annotate import Values
from damspec_runner.generate.goal import FoundPosition
from damspec_runner.generate.search import PositionSearch
from differences import truly_differ
from runner_fixtures import DAMSPEC, refused, wait_until
from runner_fixtures import damspec as run
from runs import for_each


def fens(*words: str) -> list[str]:
    """The positions that a command writes as FEN."""
    ran = run("generate", *words, "--format", "fen")
    assert ran.status == 0, ran.err
    return ran.out.splitlines()


def test_the_same_seed_the_same_positions() -> None:
    words = ("nl-trapdoor", "--exercise", "trapdoors.passing", "-n", "12")
    assert fens(*words, "--seed", "3") == fens(*words, "--seed", "3") != fens(*words, "--seed", "4")
    assert len(set(fens(*words))) == 12


@pytest.mark.parametrize("seed", range(3))
def test_options_hold(seed: int) -> None:
    ruleset = damspec.load_ruleset("de")
    words = ("--pieces", "4..6", "--phase", "huffable", "--moves", "3..9", "-n", "8", "--seed", str(seed))
    for fen in fens("de", *words, "--exercise", "huff.retracted=free"):
        position = ruleset.position(fen)
        assert 4 <= len(position) <= 6
        assert position.huffable
        assert 3 <= len(damspec.legal_moves(ruleset, position)) <= 9
        assert truly_differ(ruleset, damspec.load_ruleset("de?retracted=free"), position)
    assert [len(ruleset.position(fen)) for fen in fens("de", "--pieces", "3", "-n", "5")] == [3] * 5


def test_reached_with_the_fewest_pieces() -> None:
    ran = run(
        "generate", "vl", "--exercise", "man.capture.first", "--reachable", "--minimal", "--json", "--tries", "900"
    )
    document = json.loads(ran.out)
    assert not document["minimal"]["proved"]
    assert "nothing exhausted" in document["minimal"]["says"]
    found = document["positions"][0]
    assert played("vl", *found["game"]).position.fen() == found["position"]


BAD = {
    "vl --exercise capture.chioce": ("no rule 'capture.chioce'", "did you mean 'capture.choice'?"),
    "vl --exercise capture.duty=often": ("capture.duty", 'found "often"', '"compulsory"'),
    "vl --exercise capture.duty=compulsory": ("is compulsory in vl already", ""),
    "vl --exercise capture.duty=": ("capture.duty", "found null"),
    "vl --exercise capture.binds=": ("capture.binds", "found nothing after ="),
    "vl --exercise capture.choice=[": ("'[' is no value", ""),
    "vl --exercise huff.turn": ("vl has no huff.turn", ""),
    "vl --exercise capture.binds=path": ("is path in vl already", ""),
    "nl-trapdoor --exercise capture.duty=optional": ("cannot be optional with the other rules", "with a spinner"),
    "nl-trapdoor --exercise trapdoors.layout=none": ("unknown layout 'none'", ""),
    "vl --exercise start.first": ("no position depends on start.first", ""),
    "vl --exercise board.size=10x10": ("no position depends on board.size", ""),
    "vl --distinguish international": ("different boards of vl and international", "board.size is 8x8 and 10x10: no"),
    "vl --distinguish spanish": (
        "different boards of vl and spanish",
        "board.dark-corner is left and right; board.numbering",
    ),
    "vl --distinguish russain": ("unknown ruleset 'russain'", "did you mean 'russian'?"),
    "vl --pieces 5..3": ("--pieces: found '5..3'", "smaller number first"),
    "vl --pieces few": ("--pieces: found 'few'", "expected MIN..MAX"),
    "vl --pieces 0..3": ("--pieces: found '0..3'", "from 1 to 24"),
    "vl --pieces 3..99": ("--pieces: found '3..99'", "from 1 to 24"),
    "vl --plies 3..9": ("--plies goes with --reachable", ""),
    "vl --per-game 2": ("--per-game goes with --reachable", ""),
    "vl --reachable --plies 30..20": ("--plies: found '30..20'", "smaller number first"),
    "vl --captures 6.. --quiet": ("--captures does not go with --quiet", ""),
    "vl --captures 6.. --pieces 3": ("--pieces: found '3'", "takes 7 or more"),
    "vl --best capure": ("--best", "'capture'"),
    "vl --criterion most-kings": ("found 'most-kings'", "expected one of most-pieces"),
    "russian --criterion most-pieces": ("capture.choice of russian has none", ""),
    "vl --captures 13": ("--captures: found '13'", "from 1 to 12"),
    "vl --suite 9 --quiet": ("--quiet does not go with --suite", ""),
    "vl --all": ("--all: of how many pieces?", "--pieces N"),
    "vl --all --pieces 2 -n 3": ("-n does not go with --all", ""),
    "vl --all --pieces 2 --minimal": ("--minimal does not go with --all", ""),
    "vl --time 0": ("--time", "0"),
    "vl --moves ..": ("--moves: found '..'", "expected MIN..MAX"),
    "vl --phase huffable": ("vl has no phase 'huffable'", "plain"),
    "nl-trapdoor --phase spin=gren": ("no phase 'spin=gren'", "did you mean 'spin=green'?"),
    "vl -n 0": ("-n", "0 is not in the range"),
}


@for_each("line", BAD)
def test_bad_options_are_told_in_one_line(line: str) -> None:
    said = refused("generate", *line.split())
    assert all(piece in said for piece in BAD[line]), said


def test_nothing_found_says_what_was_tried() -> None:
    words = ("--exercise", "capture.removal", "--exercise", "king.move.reach", "--moves", "1")
    said = refused("generate", "vl", *words, "--tries", "300", status=1)
    assert re.search("nothing found: 7,[0-9]{3} positions with 1 to 12 pieces tried, .* up to 2$", said)
    ran = run("generate", "vl", "--exercise", "ending.order", "-n", "9", "--tries", "300", "--format", "fen")
    assert (ran.status, len(ran.out.splitlines())) == (0, 4)
    assert ran.err.startswith("4 of 9 found, 1 apart: ")


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is interrupted when it has found three positions."""
    found = PositionSearch.search

    def stopped(self: PositionSearch) -> list[FoundPosition]:
        self.number = 3
        found(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(PositionSearch, "search", stopped)


@pytest.mark.usefixtures("interrupted")
def test_interrupted_it_keeps_what_was_found() -> None:
    ran = run("generate", "vl", "-n", "9", "--format", "fen")
    assert (ran.status, len(ran.out.splitlines())) == (130, 3)
    assert re.search(r": interrupted: 3 of 9 found, [\d,]+ positions with 1 to 12 pieces tried$", ran.complaint)


@pytest.mark.usefixtures("interrupted")
def test_interrupted_it_does_not_begin_what_may_take_longer_than_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Values, "others", lambda values, position: pytest.fail("worked out"))
    ran = run("generate", "vl", "-n", "9", "--json")
    assert (ran.status, len(json.loads(ran.out)["positions"])) == (130, 3)
    assert ran.complaint.endswith(" tried; which rule values change the answers was not worked out")


@pytest.mark.thorough
def test_interrupted_as_a_process_it_keeps_what_was_found(tmp_path: Path) -> None:
    words = ["generate", "vl", "--exercise", "ending.order", "-n", "9", "--tries", "100000000", "--format", "fen"]
    journal = tmp_path / "journal"
    running = subprocess.Popen(
        [*DAMSPEC, *words, "--journal", str(journal)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    wait_until(journal.exists)
    os.kill(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "Traceback" not in err
    assert re.fullmatch(r"damspec: interrupted: (\d) of 9 found, [\d,]+ positions with 1 to 12 pieces tried\n", err)
    assert len(out.splitlines()) == int(err.split()[2])
