"""Baselines: expected failures are compared strictly with a run, and written with their causes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

import damspec as library
from damspec import data
from damspec_runner.cases.cases import cases_for, select
from damspec_runner.engines import known, registry
from damspec_runner.engines.protocol import Hello
from damspec_runner.verify import baseline
from damspec_runner.verify.result import Deviation, Report, Result
from refusals import refusal
from reports import result
from runner_fixtures import Ran, damspec, fake, refused

CASES = select(cases_for(library.load_ruleset("lb")), (), ("man-capture",))[:4]
ID = [case.id for case in CASES]
HELLO = Hello("fake", "1.0", None, frozenset(["moves"]), False)


def report(*results: Result, version: str = "1.0") -> Report:
    hello = replace(HELLO, version=version)
    return Report(library.load_ruleset("lb"), "fake", hello, results, (), 0.1)


MISSING = result(CASES[0], "failed", missing=["21x14", "22x15"])


def after(got: str) -> Result:
    return result(CASES[1], "failed", after={"21x14": {"expected": "B:W14:B", "got": got}})


AFTER = after("B:WK14:B")
ERROR = result(CASES[2], "error", message="died")
PASSED = result(CASES[3])
EXTRA = result(CASES[3], "failed", extra=["1-5"])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """known/ of this test's own."""
    monkeypatch.setattr(known, "path", lambda engine, ruleset: tmp_path / engine / f"{ruleset}.yaml")
    return tmp_path


def written(edit: Callable[[Any], None] = lambda content: None) -> known.ExpectedFailures:
    """The known failures of a run with every kind of failure, after a look by hand."""
    content = yaml.safe_load(baseline.baseline_text("fake", report(MISSING, AFTER, ERROR, PASSED), None))
    edit(content)
    file = known.path("fake", "lb")
    file.parent.mkdir(exist_ok=True)
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    return known.read(file)


def test_what_is_written_is_what_is_found_again() -> None:
    as_known = written()
    assert (as_known.engine, as_known.version, as_known.ruleset) == ("fake", "1.0", "lb")
    assert set(as_known.failures) == set(ID[:3])
    assert as_known.failures[ID[0]]["faults"] == {"missing": ["21x14", "22x15"]}
    assert baseline.unexpected_results(as_known, report(MISSING, AFTER, ERROR, PASSED)) == ()


def test_readings_unsupported_and_duplicates_are_no_failures() -> None:
    others = [
        replace(PASSED, status="unsupported"),
        replace(PASSED, status="reading"),
        result(CASES[3], duplicates=["1-5"]),
    ]
    for other in others:
        assert baseline.unexpected_results(written(), report(MISSING, AFTER, ERROR, other)) == ()


OTHERWISE = "fails for another reason than listed"


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ((MISSING, AFTER, ERROR, EXTRA), [f"{ID[3]}: fails, not listed"]),
        ((result(CASES[0]), AFTER, ERROR), [f"{ID[0]}: listed, but passes"]),
        ((result(CASES[0], "failed", missing=["21x14"]), AFTER, ERROR), [f"{ID[0]}: {OTHERWISE}"]),
        (
            (result(CASES[0], "failed", missing=["21x14", "22x15"], extra=["1-5"]), AFTER, ERROR),
            [f"{ID[0]}: {OTHERWISE}"],
        ),
        ((MISSING, after("x"), ERROR), [f"{ID[1]}: {OTHERWISE}"]),
        ((MISSING, AFTER, replace(ERROR, message="hung")), [f"{ID[2]}: {OTHERWISE}"]),
        ((AFTER,), []),  # not asked is not passed
    ],
)
def test_a_run_that_is_not_as_known_says_where(results: tuple[Result, ...], expected: list[str]) -> None:
    assert [*map(str, baseline.unexpected_results(written(), report(*results)))] == expected


def test_another_version_is_not_as_known() -> None:
    found = baseline.unexpected_results(written(), report(MISSING, AFTER, ERROR, version="1.1"))
    assert found == (Deviation("", "version 1.1, known is 1.0"),)


def test_writing_again_keeps_the_causes() -> None:
    def explain(content: Any) -> None:
        content["causes"] = {"short-sighted": "It sees one capture only."}
        for failure in content["failures"].values():
            failure["cause"] = "short-sighted"

    file = known.path("fake", "lb")
    now = report(MISSING, AFTER, EXTRA, version="1.1")
    text = baseline.baseline_text("fake", now, written(explain))
    file.write_text(text, encoding="utf-8")
    again = known.read(file)
    assert {id: failure["cause"] for id, failure in again.failures.items()} == {
        ID[0]: "short-sighted",
        ID[1]: "short-sighted",
        ID[3]: baseline.UNEXPLAINED,
    }
    assert set(again.causes) == {"short-sighted", baseline.UNEXPLAINED}
    assert again.version == "1.1"


def test_failures_nobody_has_looked_into_have_the_explanation() -> None:
    now = replace(report(MISSING, AFTER), diagnosis={"lines": ["plays lb except a = b", "unexplained: c"]})

    def about(old: known.ExpectedFailures | None, run: Report = now) -> str:
        return str(yaml.safe_load(baseline.baseline_text("fake", run, old))["causes"][baseline.UNEXPLAINED])

    told = "Not looked into yet. Explanation by damspec: plays lb except a = b; unexplained: c."
    assert about(None) == told
    assert about(written()) == told
    assert about(written(), report(MISSING)) == baseline.ABOUT_UNEXPLAINED
    assert about(written(lambda content: content["causes"].update(unexplained="Asked its author."))) == (
        "Asked its author."
    )


def of_first(**values: Any) -> Callable[[Any], None]:
    """Change the entry of the first failure."""
    return lambda content: content["failures"][ID[0]].update(values)


@pytest.mark.parametrize(
    ("edit", "piece"),
    [
        (lambda content: content.pop("version"), "missing 'version'"),
        (lambda content: content.update(verzion="1"), "unknown key"),
        (of_first(cause="bad luck"), f"failures.{ID[0]}.cause: found 'bad luck', expected one of unexplained"),
        (of_first(faults={}), f"failures.{ID[0]}.faults"),
        (of_first(faults={"lost": True}), 'unknown key "lost"'),
    ],
)
def test_a_malformed_file_is_told_in_one_line(edit: Callable[[Any], None], piece: str) -> None:
    said = refusal(data.FileError, written, edit)
    assert piece in said
    assert "lb.yaml" in said


class TestCommand:
    """`damspec check --baseline` and `--update-baseline` with a named engine."""

    @pytest.fixture(autouse=True)
    def _named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(registry, "named_command", lambda name: (fake(name), {}))

    def check(self, name: str, *more: str) -> Ran:
        return damspec("check", "lb", "--engine", name, "--show", "1", "--no-diagnose", *more)

    @pytest.mark.thorough
    def test_what_is_not_as_known_fails_and_is_listed(self, folder: Path) -> None:
        self.check("wrong-outcomes", "--update-baseline")
        file = folder / "wrong-outcomes" / "lb.yaml"
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
        id, _ = content["failures"].popitem()
        content["failures"]["lb.start.seven-first-moves"] = {"cause": "unexplained", "faults": {"missing": ["9-13"]}}
        content["version"] = "0"
        file.write_text(yaml.safe_dump(content), encoding="utf-8")
        ran = self.check("wrong-outcomes", "--baseline", "--json")
        assert ran.status == 1
        assert '"known": [' in ran.out
        (folder / "report.json").write_text(ran.out, encoding="utf-8")
        ran = damspec("report", str(folder / "report.json"), "--show", "1")
        assert "Not as expected, 3 times, beside " in ran.out
        for line in (f"  {id}: fails, not listed", "  lb.start.seven-first-moves: listed, but passes", "known is 0"):
            assert line in ran.out

    def test_a_run_of_some_cases_can_be_held_to_it_too(self) -> None:
        written = self.check("wrong-outcomes", "--update-baseline", "--json")
        assert written.out.startswith("{")
        assert self.check("wrong-outcomes", "--baseline", "--topic", "start").status == 0

    def test_an_engine_cannot_change_what_is_expected_of_it(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.yaml"
        few = ("check", "lb", "--topic", "ending", "--no-diagnose")
        damspec("check", "lb", "--no-diagnose", "--update-baseline", str(file), "--", *fake("wrong-outcomes"))
        known = file.read_text(encoding="utf-8")
        assert damspec(*few, "--baseline", str(file), "--", *fake("right")).status == 1
        told = damspec(
            "check", "lb", "--topic", "ending", "--json", "--baseline", str(file), "--", *fake("wrong-outcomes")
        )
        assert "diagnosis" not in json.loads(told.out)["reports"][0]  # what is expected is not explained either
        removing = ["sh", "-c", f'rm -f {file}; exec "$@"', "sh"]
        assert damspec(*few, "--baseline", str(file), "--", *removing, *fake("wrong-outcomes")).status == 0
        file.write_text(known.replace("unexplained", "looked-into"), encoding="utf-8")
        update = ("check", "lb", "--no-diagnose", "--update-baseline", str(file))
        assert damspec(*update, "--", *removing, *fake("wrong-outcomes")).status == 1
        assert "looked-into" in file.read_text(encoding="utf-8")

    def test_a_file_of_another_ruleset_is_refused(self, tmp_path: Path) -> None:
        """Read or overwritten: its cases are others, so that nothing in it would be of any use."""
        file = tmp_path / "mine.yaml"
        text = baseline.baseline_text("x", replace(report(MISSING), ruleset=library.load_ruleset("vl")), None)
        file.write_text(text, encoding="utf-8")
        for option in ("--baseline", "--update-baseline"):
            said = refused("check", "lb", option, str(file), "--", *fake("right"))
            assert said == f"damspec: {option}: {str(file)!r} has the failures of vl, expected lb"
        assert file.read_text(encoding="utf-8") == text

    def test_nothing_written_down_is_bad_usage(self) -> None:
        ran = self.check("right", "--baseline", "-k", "lb.start.*")
        assert ran.status == 2
        assert "right/lb.yaml: cannot be read: No such file" in ran.complaint

    def test_a_ruleset_of_ones_own_has_no_place_among_the_known_ones(self, tmp_path: Path) -> None:
        own = tmp_path / "lb-of-mine.yaml"
        own.write_text(
            "damspec: 1\nid: lb-of-mine\nname: Mine\nabout: As lb.\nextends: lb\nrules: {}\n", encoding="utf-8"
        )
        said = refused("check", str(own), "--engine", "right", "--update-baseline")
        assert "--update-baseline without a FILE is about shipped rulesets, not lb-of-mine" in said
        assert not list(tmp_path.glob("right/*"))


@pytest.mark.parametrize(
    ("pinned", "now"),
    [
        (
            "/home/anna/build/moves.c:12: assertion `n < 64' failed",
            "/builds/ci/7/moves.c:12: assertion `n < 64' failed",
        ),
        (r"C:\work\engine\moves.rs:7: panicked", r"D:\a\moves.rs:7: panicked"),
        ("File '/opt/one/play.py', line 3", "File '/srv/two/three/play.py', line 3"),
        ("freed twice at 0x55d0a1b2c3d0", "freed twice at 0x7ffe12340010"),
    ],
)
def test_where_an_engine_was_built_is_no_other_reason(pinned: str, now: str) -> None:
    def with_text(content: Any) -> None:
        content["failures"][ID[2]]["faults"]["message"] = pinned

    refused = after(f"answered play with error -32000: {now}")
    assert baseline.unexpected_results(written(with_text), report(MISSING, AFTER, replace(ERROR, message=now))) == ()
    as_written = baseline.baseline_text("fake", report(refused, replace(ERROR, message=now)), None)
    for folder in ("anna", "builds", "D:", "srv", "7ffe"):
        assert folder not in as_written
    other = replace(ERROR, message=now.replace("moves", "other").replace("play", "other").replace("twice", "once"))
    assert baseline.unexpected_results(written(with_text), report(MISSING, AFTER, other)) == (
        Deviation(ID[2], OTHERWISE),
    )


@pytest.mark.parametrize("kept", ["W:W21/B9", "and/or", "https://example.org/a", "0x1", "21x14/7"])
def test_what_is_no_path_is_kept(kept: str) -> None:
    assert baseline.portable({"message": kept}) == {"message": kept}
