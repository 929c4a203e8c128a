"""Files that commands write: refused early, replaced whole or not at all; links are followed, devices left alone."""

from __future__ import annotations

import os
import stat
import subprocess
import threading
from pathlib import Path

import click
import pytest

from damspec_runner.commands import output
from damspec_runner.commands.output import OutputError, OutputTarget
from refusals import refusal
from runner_fixtures import DAMSPEC, damspec, fake, refused


def test_a_new_file_and_an_old_one(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    OutputTarget("-o", path).write("one\n")
    path.chmod(0o640)
    OutputTarget("-o", path).write("two é\n")
    assert path.read_bytes() == "two é\n".encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["report.txt"]


def test_nothing_changes_before_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_text("old")
    OutputTarget("-o", path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["report.txt"]


@pytest.mark.parametrize("there", [True, False], ids=["a file", "nothing yet"])
def test_a_link_is_followed(there: bool, tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    if there:
        file.write_text("old")
    link.symlink_to(file)
    OutputTarget("-o", link).write("new")
    assert link.is_symlink()
    assert file.read_text() == "new"


def test_a_pipe_with_a_name_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    OutputTarget("-o", pipe).write("through")
    reader.join(10)
    assert heard == ["through"]
    assert pipe.is_fifo()


def test_a_device_stays_one() -> None:
    OutputTarget("-o", Path("/dev/null")).write("x")
    assert Path("/dev/null").is_char_device()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_told() -> None:
    assert "-o: cannot write '/dev/full': No space left on device" in refusal(
        OutputError, OutputTarget("-o", Path("/dev/full")).write, "x" * 100_000
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [("no/such/folder/x", "no folder"), (".", "Is a directory"), ("file/x", "no folder|Not a directory")],
)
def test_what_cannot_be_written_is_refused_before(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(click.UsageError, match=message):
        OutputTarget("-o", tmp_path / name)


def test_a_bundle_goes_where_a_link_leads(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "bundle.json")
    assert damspec("cases", "bundle", "--ruleset", "lb", "-o", str(link)).status == 0
    assert link.is_symlink()
    assert (tmp_path / "bundle.json").read_text(encoding="utf-8").startswith("{")


def test_an_output_that_cannot_be_is_told_before_the_first_question(tmp_path: Path) -> None:
    assert "--junit: cannot write" in refused("check", "lb", "--junit", str(tmp_path), "--", *fake("dying-at-start"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_standard_output_is_one_line_and_the_rest_is_written(tmp_path: Path) -> None:
    junit = tmp_path / "junit.xml"
    words = [*DAMSPEC, "check", "lb", "-k", "lb.start.*", "--junit", str(junit), "--", *fake("right")]
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert (ran.returncode, ran.stderr) == (4, "damspec: cannot write: No space left on device\n")
    assert "testsuite" in junit.read_text(encoding="utf-8")


def test_nobody_reading_is_said_by_the_status_alone(tmp_path: Path) -> None:
    words = [*DAMSPEC, "check", "lb", "-k", "lb.start.*", "--junit", str(tmp_path / "x.xml"), "--", *fake("right")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (141, b"")
    assert (tmp_path / "x.xml").exists()


def test_a_folder_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """New or empty it may be; whoever interrupts the writing leaves it as it was."""
    output.write_folder("-o", tmp_path / "new", {"a.txt": "one", "b.bin": b"\xff"})
    assert {file.name: file.read_bytes() for file in (tmp_path / "new").iterdir()} == {
        "a.txt": b"one",
        "b.bin": b"\xff",
    }
    (tmp_path / "empty").mkdir(mode=0o700)
    output.write_folder("-o", tmp_path / "empty", {"a.txt": "one"})
    assert [file.name for file in (tmp_path / "empty").iterdir()] == ["a.txt"]
    assert stat.S_IMODE((tmp_path / "empty").stat().st_mode) == 0o700
    write = Path.write_bytes

    def interrupted(path: Path, content: bytes) -> int:
        if path.name == "b.txt":
            raise KeyboardInterrupt
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    (tmp_path / "third").mkdir()
    with pytest.raises(KeyboardInterrupt):
        output.write_folder("-o", tmp_path / "third", {"a.txt": "one", "b.txt": "two"})
    assert list((tmp_path / "third").iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "new", "third"]


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    for path, message in ((tmp_path / "full", "is there already"), (tmp_path / "none" / "new", "no folder")):
        with pytest.raises(click.UsageError, match=message):
            output.check_new_folder("-o", path, "cases")
