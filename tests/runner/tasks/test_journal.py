"""A journal of shares: gone on with, refused for other work, a line that was cut off forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from damspec import DamspecError, data, load_ruleset
from damspec_runner.tasks.executor import processes, run_tasks
from damspec_runner.tasks.journal import JobHeader, LockedError, TaskError, TaskJournal, digest
from refusals import refusal
from runner_fixtures import damspec as command
from runner_fixtures import printed, refused

WORK = JobHeader("count", {"depth": 3, "names": ["a"]})


def written(path: Path, **results: object) -> Path:
    """A journal with some results."""
    with TaskJournal(path, WORK) as journal:
        for key, result in results.items():
            journal.add(key, result)
    return path


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    path = written(tmp_path / "j", one=1, three=[3, {"x": None}])
    asked = []

    def word(share: str) -> str:
        asked.append(share)
        return share.upper()

    with TaskJournal(path, WORK) as journal:
        shares = {"one": "x", "two": "y", "three": "z"}
        assert [*run_tasks(None, word, shares, journal)] == [1, "Y", [3, {"x": None}]]
    assert asked == ["y"]
    with TaskJournal(path, WORK) as journal:
        assert journal.known == {"one": 1, "three": [3, {"x": None}], "two": "Y"}


@pytest.mark.parametrize("cut", range(1, 30, 4))
def test_a_line_that_was_cut_off_is_forgotten(tmp_path: Path, cut: int) -> None:
    path = written(tmp_path / "j", one=1, two="two lines long enough")
    path.write_bytes(path.read_bytes()[:-cut])
    with TaskJournal(path, WORK) as journal:
        assert journal.known == {"one": 1}
        journal.add("two", 2)
    assert [json.loads(line).get("share") for line in path.read_text().splitlines()] == [None, "one", "two"]


def test_a_header_that_was_cut_off_is_written_again(tmp_path: Path) -> None:
    path = written(tmp_path / "j")
    whole = path.read_bytes()
    path.write_bytes(whole[:40])
    assert written(path).read_bytes() == whole


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (JobHeader("count", {"depth": 4, "names": ["a"]}), "found depth 3, expected 4"),
        (JobHeader("weigh", {"depth": 3, "names": ["a"]}), 'found work "count", expected "weigh"'),
        (JobHeader("count", {"depth": 3, "names": ["b"]}), 'found names ["a"], expected ["b"]'),
        (JobHeader("count", {"depth": 3, "names": ["a"], "more": 1}), "found more null, expected 1"),
    ],
)
def test_a_journal_of_other_work_is_refused(tmp_path: Path, other: JobHeader, said: str) -> None:
    path = written(tmp_path / "j", one=1)
    before = path.read_bytes()
    line = refusal(TaskError, TaskJournal, path, other)
    assert line == f"{path}: a journal of other work: {said}; name another file, or remove it"
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("my letter\n", "j:1: not JSON"),
        ("my letter", "j: found something else, expected a journal of work"),
        ('{"share": "x", "result": 1}\n', "j:1: "),
        ("[1]\n", "j:1: "),
        ("\xff\n", "j:1: not JSON"),
    ],
)
def test_what_is_no_journal_is_left_alone(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "j"
    path.write_text(content, encoding="latin-1")
    assert refusal(DamspecError, TaskJournal, path, WORK).startswith(f"{tmp_path}/{said}")
    assert path.read_text(encoding="latin-1") == content


def test_a_line_of_something_else_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "j", one=1)
    with path.open("a") as file:
        file.write("1\n")
    assert "j:3: " in refusal(data.FileError, TaskJournal, path, WORK)


def test_one_that_another_run_is_writing_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "j", one=1)
    with TaskJournal(path, WORK) as journal:
        assert "j: another run is writing to it: wait until it ends, or name another" in refusal(
            LockedError, TaskJournal, path, WORK
        )
        assert "another run is writing to it" in refused("perft", "english", "--depth", "4", "--journal", str(path))
        journal.add("two", 2)
    with TaskJournal(path, WORK) as journal:
        assert journal.known == {"one": 1, "two": 2}


def test_processes_that_work_do_not_hold_it_when_the_first_is_gone(tmp_path: Path) -> None:
    journal = TaskJournal(tmp_path / "j", WORK)
    with processes(2) as executor:
        assert executor
        assert [*executor.map(abs, [-1, -2])] == [1, 2]
        journal.close()
        with TaskJournal(tmp_path / "j", WORK) as another:
            assert another.known == {}


def test_an_empty_file_becomes_one(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.touch()
    whole = written(tmp_path / "other", one=1).read_bytes()
    assert written(path, one=1).read_bytes() == whole


def test_a_device_is_nobodys_alone() -> None:
    with TaskJournal(Path("/dev/null"), WORK) as journal, TaskJournal(Path("/dev/null"), WORK) as another:
        journal.add("one", 1)
        another.add("one", 1)
    assert Path("/dev/null").is_char_device()


def test_its_lines_have_the_form_that_is_promised(tmp_path: Path) -> None:
    path = written(tmp_path / "j", one=1, two=None)
    lines = path.read_text().splitlines()
    assert [data.schema_problem(json.loads(line), "work") for line in lines] == [None] * 3


@pytest.mark.parametrize("result", [(1, 2), {1: 2}, [{"x": (1,)}]])
def test_a_result_that_would_be_read_as_another_is_refused(tmp_path: Path, result: object) -> None:
    with TaskJournal(tmp_path / "j", WORK) as journal, pytest.raises(TypeError, match="its result is no JSON value"):
        journal.add("one", result)


def test_a_digest_is_of_the_rules() -> None:
    lb, vl = load_ruleset("lb"), load_ruleset("vl")
    assert digest(lb) == digest(lb.with_value("capture.duty", lb.values["capture.duty"])) != digest(vl)


def test_a_command_says_what_it_has_done_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "j"
    words = ("perft", "english", "--depth", "8", "--journal", str(path))
    out = printed(*words)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:20], lines[20][:9]]))
    again = command(*words)
    assert (again.status, again.out) == (0, out)
    assert again.err == f"damspec: 19 tasks are done already, by {str(path)!r}\n"
    assert sorted(path.read_text().splitlines()) == sorted(lines)
    for depth, place, said in (
        ("9", path, "a journal of other work: found depth 8, expected 9"),
        ("1", tmp_path / "no" / "j", "--journal: cannot write"),
    ):
        assert said in refused("perft", "english", "--depth", depth, "--journal", str(place))
