"""damspec compare: engines x rulesets at once, gone on with, written down. Fakes take the place of engines."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest

from damspec import data
from damspec_runner.engines import known, registry
from damspec_runner.engines.registry import Adapter
from damspec_runner.tasks.journal import JobHeader, TaskJournal
from damspec_runner.verify import baseline, compare_engines
from damspec_runner.verify.baseline import UNEXPLAINED
from damspec_runner.verify.compare_engines import PairRequest
from damspec_runner.verify.report.serialize import read_reports
from ruleset_files import data_root
from runner_fixtures import damspec, fake, refused

FAKES = {"right-one": "right", "wrong-one": "wrong-moves"}


@cache
def said(name: str, *options: str) -> str:
    """What `damspec check` prints of a fake."""
    words = ("check", "lb", "--json", "--no-diagnose", "-k", "man-move", *options)
    return damspec(*words, "--", *fake(FAKES[name])).out


class Runs:
    """What takes the place of the processes: fakes have been checked before, and what is known is held to that."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.interrupted = ""
        self.ended = False

    def run(self, words: Sequence[str]) -> tuple[int, str, str]:
        name = words[words.index("--engine") + 1]
        self.asked.append(" ".join(words))
        if name == self.interrupted:
            raise KeyboardInterrupt
        if "--no-cases" in words:
            return 0, said(name, "--no-cases", "--games", "1", "--seed", "1"), ""
        content = json.loads(said(name))
        (report,) = read_reports(content, "said")
        report = replace(report, hello=replace(report.hello, version="1"))
        file = known.path(name, words[1])
        if "--update-baseline" in words:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(baseline.baseline_text(name, report, None), encoding="utf-8")
        else:
            content["reports"][0]["known"] = [*map(str, baseline.unexpected_results(known.read(file), report))]
        return 0, json.dumps(content), ""

    def end(self) -> None:
        self.ended = True


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    """Two engines that are installed, a folder for what is known of them, and what is asked."""
    found = {
        name: Adapter(name, "pypi", name, "1", "x.py", ("lb",), f"an engine that is {kind}")
        for name, kind in FAKES.items()
    }
    monkeypatch.setattr(registry, "adapters", lambda: found)
    monkeypatch.setattr(Adapter, "installed", True)
    monkeypatch.setattr(known, "path", lambda engine, ruleset: tmp_path / "known" / engine / f"{ruleset}.yaml")
    for name in FAKES:
        said(name)
    said("right-one", "--no-cases", "--games", "1", "--seed", "1")
    made = Runs()
    monkeypatch.setattr(compare_engines, "DamspecProcesses", lambda: made)
    monkeypatch.chdir(tmp_path)
    return made


def list_failures(name: str, failures: dict[str, object]) -> None:
    """Write down what is known of an engine on lb."""
    file = known.path(name, "lb")
    file.parent.mkdir(parents=True, exist_ok=True)
    causes = {"odd": "It lists moves sideways."} if failures else {}
    content = {"engine": name, "version": "1", "ruleset": "lb", "causes": causes, "failures": failures}
    file.write_text(json.dumps(content), encoding="utf-8")


def test_what_is_as_known_is_printed_as_a_table(runs: Runs) -> None:
    list_failures("right-one", {})
    ran = damspec("compare", "right-one", "--games", "1")
    assert ran.status == 0, ran.err
    assert "| right-one 1 | lb | · |" in ran.out
    cases, games = runs.asked
    assert "--baseline" in cases
    assert "--no-cases --games 1 --seed 1" in games
    assert not Path("compare.part").exists()


def test_an_engine_that_fails_plays_no_games_and_is_told_of(runs: Runs) -> None:
    list_failures("wrong-one", {})
    ran = damspec("compare", "wrong-one", "--json")
    assert ran.status == 1
    assert "damspec: wrong-one on lb: lb.man-move." in ran.err
    (cell,) = json.loads(ran.out)["cells"]
    data.check({"cells": [cell]}, "matrix", "compare")
    assert cell["failed"] > 0
    assert cell["wrong"] == [{"cause": UNEXPLAINED, "about": baseline.ABOUT_UNEXPLAINED, "cases": cell["failed"]}]
    assert "games" not in cell
    assert len(runs.asked) == 1


def test_an_interrupted_run_is_gone_on_with(runs: Runs) -> None:
    for name in FAKES:
        list_failures(name, {})
    runs.interrupted = "wrong-one"
    ran = damspec("compare", "-j", "1", "--games", "0", "--journal", "mine.part")
    assert ran.status == 130
    assert [*filter(None, ran.err.splitlines())][-2:] == [
        "damspec: what is done is in 'mine.part': the same command goes on",
        "damspec: interrupted",
    ]
    assert runs.ended
    with Path("mine.part").open("a", encoding="utf-8") as file:
        file.write('{"share": "wrong-one 1 on')  # as a machine that stops leaves it
    runs.interrupted = ""
    runs.asked.clear()
    ran = damspec("compare", "-j", "1", "--games", "0", "--journal", "mine.part")
    assert "1 task is done already, by 'mine.part'" in ran.err
    assert ["wrong-one" in words for words in runs.asked] == [True]
    assert [line.split()[1] for line in ran.out.splitlines()[2:]] == list(FAKES)
    assert not Path("mine.part").exists()


def test_what_was_done_with_other_games_is_left_alone(runs: Runs) -> None:
    TaskJournal(Path("compare.part"), JobHeader("compare", {"games": 7, "update": False}))
    list_failures("right-one", {})
    said = refused("compare", "right-one", "--games", "0")
    assert "compare.part: a journal of other work: found games 7, expected 0" in said
    Path("compare.part").write_text("my letter\n", encoding="utf-8")
    ran = damspec("compare", "right-one")
    assert (ran.status, Path("compare.part").read_text(encoding="utf-8")) == (2, "my letter\n")


def test_everything_in_known_is_written(runs: Runs, tmp_path: Path) -> None:
    root = data.root()
    for name in ("spec", "cases", "schemas"):
        (tmp_path / name).symlink_to(root / name)
    (tmp_path / "known").mkdir()
    table = f"text\n{known.TABLE_BEGIN}\nold\n{known.TABLE_END}\nmore\n"
    page = tmp_path / "known" / "README.md"
    page.write_text(table, encoding="utf-8")
    with data_root(tmp_path):
        ran = damspec("compare", "--update-baseline", "--games", "0", "-j", "1")
        assert ran.status == 0, ran.err
        cells = {cell.engine: cell for cell in known.read_matrix(tmp_path / "known" / "matrix.json").cells}
        assert cells["right-one"].right
        assert cells["wrong-one"].failed == len(known.load("wrong-one", "lb").failures)
        report = (tmp_path / "known" / "wrong-one" / "REPORT.md").read_text(encoding="utf-8")
        assert "What damspec" in report
        assert "damspec check lb -k lb.man-move." in report
        assert not (tmp_path / "known" / "right-one" / "REPORT.md").exists()
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"text\n{known.TABLE_BEGIN}\n| engine |")
        assert "| right-one 1 | lb |" in text
        assert text.endswith(f"{known.TABLE_END}\nmore\n")


def test_what_cannot_be_asked_is_said_in_a_line(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no engine that is chosen plays vl" in damspec("compare", "--rulesets", "lb,vl").complaint
    assert "no engine named 'righ-one'" in damspec("compare", "righ-one").complaint
    monkeypatch.setattr(Adapter, "installed", False)
    ran = damspec("compare", "right-one")
    assert (ran.status, ran.err) == (3, "damspec: engine 'right-one' is not installed: add --install\n")

    def fail(found: Adapter, say: object) -> None:
        raise registry.InstallError("no network")

    monkeypatch.setattr(registry, "install", fail)
    ran = damspec("compare", "right-one", "--install")
    assert (ran.status, ran.err) == (3, "damspec: no network\n")


def test_an_engine_that_cannot_be_run_is_named(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Runs, "run", lambda self, words: (3, "", "damspec: engine 'right-one': it died\n"))
    ran = damspec("compare", "right-one")
    assert ran.status == 3
    assert "lb by right-one: status 3: damspec: engine 'right-one': it died" in ran.err


def test_a_pair_can_be_played_on_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent there is about the processes there."""
    share = partial(
        compare_engines._play_pair,
        PairRequest(registry.adapter("clatsop"), "lb"),
        0,
        False,
        compare_engines.DamspecProcesses(),
    )
    there = pickle.loads(pickle.dumps(share))
    monkeypatch.setattr(
        compare_engines.DamspecProcesses, "run", lambda self, words: (3, "", f"damspec: no {words[3]} here\n")
    )
    assert there()["summary"] == "lb by clatsop: status 3: damspec: no clatsop here"


def test_failures_are_not_written_down_on_other_machines() -> None:
    said = refused("compare", "--update-baseline", "--dask", "127.0.0.1:1")
    assert "--update-baseline does not go with --dask" in said


def test_after_an_interruption_nothing_more_is_started() -> None:
    running = compare_engines.DamspecProcesses()
    status, out, _ = running.run(["rulesets", "--help"])
    assert (status, out.split()[0]) == (0, "Usage:")
    running.end()
    assert running.run(["rulesets"]) == (130, "", "")
