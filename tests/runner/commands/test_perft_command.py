"""`damspec perft`: shares, processes and the table of what was counted give the same numbers; what it refuses."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess

import pytest

import damspec
from damspec.kernel import is_available
from damspec.perft_counts import COUNTS, perft_task_nodes, split_perft
from damspec_runner.commands import perft
from runner_fixtures import DAMSPEC
from runner_fixtures import damspec as command

FAST = pytest.mark.skipif(not is_available(), reason="the compiled kernel is not installed: damspec[fast]")


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(("ruleset", "depth"), [("frisian", 4), ("fr-trapdoor", 4), ("de", 5)])
def test_shares_add_up(ruleset: str, depth: int, count: damspec.perft_counts.Convention) -> None:
    by = damspec.load_ruleset(ruleset)
    whole = damspec.perft(by, "start", depth, count)
    for enough in (1, 10, 10_000):
        parts = [*split_perft(by, by.position(), depth, count, enough=enough)]
        assert len(parts) == 1 if enough == 1 else len(parts) >= 10
        assert sum(perft_task_nodes(part, among=len(parts)) for part in parts) == whole


def test_a_game_that_is_over_has_no_shares() -> None:
    by = damspec.load_ruleset("vl")
    assert [*split_perft(by, by.position("W:W:B1"), 3, enough=10)] == []


def test_processes_count_the_same() -> None:
    one, two = (json.loads(command("perft", "lb", "--depth", "5", "-j", jobs, "--json").out) for jobs in "12")
    assert one == two
    assert one["nodes"] == {"1": 7, "2": 49, "3": 302, "4": 1469, "5": 7361}


def test_divide_by_processes() -> None:
    ran = command("perft", "english", "--depth", "4", "--divide", "-j", "2")
    *moves, last = ran.out.splitlines()
    assert last == "4 1469"
    assert sum(int(line.rpartition(" ")[2]) for line in moves) == 1469
    assert re.fullmatch(r"9-13: \d+", moves[0])


@pytest.mark.thorough
@FAST
def test_a_table_of_what_was_counted_changes_nothing() -> None:
    by = damspec.load_ruleset("english")
    for memory in (0, 100, 1 << 12, 1 << 22):
        assert perft_task_nodes(next(split_perft(by, by.position(), 8)), among=1_000, memory=memory) == 845931
    ran = command("perft", "english", "--depth", "8", "--hash", "1M")
    assert ran.out.splitlines()[-1] == "8 845931"


def test_the_table_is_refused_without_what_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = command("perft", "lb", "--depth", "2", "--hash", "1M", "--count", "paths")
    assert (ran.status, ran.out) == (2, "")
    assert "--hash goes with --count unique, not with paths" in ran.err
    monkeypatch.setattr(perft, "is_available", lambda: False)
    ran = command("perft", "lb", "--depth", "2", "--hash", "1M")
    assert (ran.status, ran.out) == (2, "")
    assert "pip install 'damspec[fast]'" in ran.err


@pytest.mark.parametrize("size", ["0", "-1", "1T", "lots", "1.5G", ""])
def test_a_size_is_a_number_with_a_unit(size: str) -> None:
    ran = command("perft", "lb", "--depth", "2", "--hash", size)
    assert ran.status == 2
    assert "expected a size like 500M or 2G" in ran.err


def test_a_terminal_is_told_how_far_it_is() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*DAMSPEC, "perft", "vl", "--depth", "5"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
    ) as running:
        os.close(theirs)
        said = b""
        while True:
            try:
                more = os.read(ours, 4096)
            except OSError:
                break
            if not more:
                break
            said += more
        assert running.stdout
        out = running.stdout.read()
    os.close(ours)
    assert out.split()[-1] == str(damspec.perft("vl", "start", 5)).encode()
    assert b"depth 5" in said
