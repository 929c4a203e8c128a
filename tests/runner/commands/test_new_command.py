"""`damspec new ruleset`: a file that loads as it is and says all there is to say."""

from __future__ import annotations

from pathlib import Path

import pytest

import damspec
from damspec.rules import rule_names
from damspec.vocabulary import vocabulary
from runner_fixtures import damspec as run
from runner_fixtures import printed, refused
from runs import SPREAD, usually


def written(folder: Path, like: str) -> Path:
    path = folder / "mine.yaml"
    assert str(path) in printed("new", "ruleset", "mine", "--like", like, "-o", str(path))
    return path


@pytest.mark.parametrize("id", usually({"lb", "nl-trapdoor", "de"}, SPREAD, ("frisian",)))
def test_the_file_plays_as_the_other_ruleset(id: str, tmp_path: Path) -> None:
    mine, like = damspec.load_ruleset_file(str(written(tmp_path, id))), damspec.load_ruleset(id)
    assert (mine.values, mine.base, mine.family[-1]) == (like.values, "mine", id)
    assert set(mine.documents) == set(like.documents)
    assert not mine.shipped


def test_readings_and_files_can_be_begun_with(tmp_path: Path) -> None:
    like = "vl?one-each=unless-capture"
    path = written(tmp_path, like)
    assert damspec.load_ruleset_file(str(path)).values == damspec.load_ruleset(like).values
    (tmp_path / "next").mkdir()
    again = written(tmp_path / "next", str(path))
    assert damspec.load_ruleset_file(str(again)).values == damspec.load_ruleset(like).values
    assert "extends" not in again.read_text()


def test_it_says_every_rule_with_what_it_can_be(tmp_path: Path) -> None:
    text = " ".join(written(tmp_path, "english").read_text().replace("#", " ").split())
    for name in rule_names():
        rule = vocabulary()[name]
        assert f"{name}: {{value: " in text
        assert rule.asks in text
        for word, says in rule.values.items():
            assert f"{word}: {says}" in text
    assert "Here: A man moves diagonally forward." in text
    assert "capture.duty: {value: compulsory}" in text


def test_one_line_is_enough_to_change_a_rule(tmp_path: Path) -> None:
    path = written(tmp_path, "vl")
    changed = path.read_text().replace("capture.choice: {value: [most-pieces]}", "capture.choice: {value: []}")
    assert changed != path.read_text()
    path.write_text(changed)
    free = damspec.load_ruleset_file(str(path.rename(tmp_path / "free.yaml")))
    assert free.values["capture.choice"] == ()
    assert "capture.binds" not in free.values


def test_words_that_yaml_takes_for_something_else(tmp_path: Path) -> None:
    path = tmp_path / "on.yaml"
    assert run("new", "ruleset", "on", "--like", "lb", "-o", str(path)).status == 0
    assert damspec.load_ruleset_file(str(path)).id == "on"


def test_it_is_written_beside_or_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "ruleset", "my-own", "--like", "lb").status == 0
    assert run("new", "ruleset", "my-own", "--like", "lb", "-o", "-").out == Path("my-own.yaml").read_text()


def test_a_file_that_extends_states_only_what_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a reading changes it states, and the rest are comments: it follows what it extends."""
    monkeypatch.chdir(tmp_path)
    query = "?one-each=unless-capture"
    assert run("new", "ruleset", "base", "--extends", "vl").status == 0
    assert run("new", "ruleset", "mine", "--extends", f"base.yaml+losing{query}").status == 0
    text = Path("mine.yaml").read_text()
    assert "\nextends: [base.yaml, losing]\n" in text
    assert f"damspec diff 'base.yaml+losing{query}' mine.yaml" in " ".join(text.replace("#", " ").split())
    mine = damspec.load_ruleset_file("mine.yaml")
    assert mine.values == damspec.load_ruleset(f"vl+losing{query}").values
    assert [line.split(":")[0].strip() for line in text.splitlines() if line.startswith("  ") and "#" not in line] == [
        "ending.draws"
    ]
    Path("mine.yaml").write_text(text.replace("  # promotion.rows: {value: 1}", "  promotion.rows: {value: 2}"))
    assert damspec.load_ruleset_file("mine.yaml").values == {**mine.values, "promotion.rows": 2}


def test_a_rule_that_a_reading_removes_stays_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a king counts as one man there is no weight to state."""
    monkeypatch.chdir(tmp_path)
    for option in ("--like", "--extends"):
        name = f"mine{option}".replace("--", "-")
        assert run("new", "ruleset", name, option, "frisian?king-value=one-man").status == 0
        like = damspec.load_ruleset("frisian?king-value=one-man")
        assert "capture.king-weight" not in like.values
        assert damspec.load_ruleset_file(f"{name}.yaml").values == like.values


def test_a_file_elsewhere_can_be_copied_but_not_extended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "ruleset", "base", "--like", "vl").status == 0
    Path("below").mkdir()
    ran = run("new", "ruleset", "mine", "--extends", "base.yaml", "-o", "below/mine.yaml")
    assert ran.complaint.startswith(
        "damspec: --extends base.yaml: expected a file in the folder of the new one or below"
    )
    assert run("new", "ruleset", "base", "--extends", "base.yaml", "-o", "other.yaml").status == 2


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["My", "--like", "lb"], "found the name 'My', expected small letters, digits and hyphens: my-checkers"),
        (["english", "--like", "lb"], "there is a ruleset 'english' already, expected another name"),
        (["mine", "--like", "vla"], "unknown ruleset 'vla'"),
        (["mine"], "expected one of --like RULESET and --extends RULESET"),
        (["mine", "--like", "lb", "--extends", "vl"], "expected one of --like RULESET and --extends RULESET"),
        (["mine", "--like", "lb", "-o", "no/folder.yaml"], "-o: no folder 'no'"),
        (["mine", "--like", "lb", "-o", "there.yaml"], "'there.yaml' is there already"),
    ],
)
def test_what_cannot_be_written_is_one_line(
    words: list[str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.yaml").write_text("mine")
    assert expected in refused("new", "ruleset", *words)
    assert Path("there.yaml").read_text() == "mine"
