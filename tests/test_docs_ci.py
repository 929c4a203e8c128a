"""docs/ci.md: the workflows are YAML, their commands are this version's, and what they do can be done."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from damspec_runner.cli import damspec as commands
from damspec_runner.verify.report import FORMATS
from damspec_runner.verify.result import STATUSES
from runner_fixtures import fake

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


GITHUB, GITLAB = (yaml.safe_load(block) for block in blocks("yaml"))


def github_lines() -> list[str]:
    """What the steps of the GitHub workflow run, line by line."""
    steps = [step for job in GITHUB["jobs"].values() for step in job["steps"]]
    return [line for step in steps for line in step.get("run", "").splitlines()]


def gitlab_lines() -> list[str]:
    """What the GitLab job runs, line by line."""
    job = GITLAB["damspec"]
    return [*job["before_script"], *job["script"], *job["after_script"]]


def words_of(line: str) -> list[str]:
    """The words of a damspec command in a line of shell, without where its output goes."""
    words = shlex.split(line)
    ends = [place for place, word in enumerate(words) if word in (">", ">>", "|")]
    return words[: ends[0]] if ends else words


def documented() -> Iterator[str]:
    yield from (line for line in (*github_lines(), *gitlab_lines()) if line.startswith("damspec "))
    yield from (line for block in blocks("sh") for line in block.splitlines())


def test_the_workflows_have_the_parts_their_systems_ask_for() -> None:
    on: Any = GITHUB.get("on", GITHUB.get(True))  # YAML 1.1 reads the word `on` as a truth value
    assert on == ["push", "pull_request"]
    for job in GITHUB["jobs"].values():
        assert {"runs-on", "steps"} <= set(job)
        assert all(("run" in step) != ("uses" in step) for step in job["steps"])
    assert {"script", "artifacts"} <= set(GITLAB["damspec"])
    assert GITLAB["damspec"]["artifacts"]["reports"]["junit"] == "damspec.xml"


def test_a_report_is_published_when_cases_fail_too() -> None:
    steps = GITHUB["jobs"]["check"]["steps"]
    check = next(place for place, step in enumerate(steps) if "damspec check" in step.get("run", ""))
    assert all("!cancelled()" in step["if"] for step in steps[check + 1 :])
    assert GITLAB["damspec"]["artifacts"]["when"] == "always"


@pytest.mark.parametrize("line", list(documented()))
def test_every_command_and_option_is_there(line: str) -> None:
    _, name, *words = words_of(line)
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    assert command.make_context(name, words, parent=click.Context(commands, help_option_names=["-h", "--help"])).params


def test_the_page_names_every_form_and_verdict() -> None:
    rows = re.findall(r"^\| `([a-z][a-z-]*)` \|", PAGE, re.MULTILINE)
    assert rows[: len(FORMATS)] == list(FORMATS)
    assert sorted(rows[len(FORMATS) :]) == sorted(STATUSES)


@pytest.mark.skipif(os.name == "nt", reason="the workflow's steps are for a Unix shell")
@pytest.mark.parametrize(
    ("lines", "mode"), [(github_lines(), "wrong-start"), (gitlab_lines(), "right")], ids=["github", "gitlab"]
)
@pytest.mark.thorough
def test_the_steps_leave_what_is_published(lines: list[str], mode: str, tmp_path: Path) -> None:
    """The steps are run as written, with a fake engine; only installing is left out, and fewer cases are asked."""
    engine = tmp_path / "my-engine"
    engine.write_text(f"#!/bin/sh\nexec {shlex.join(fake(mode))}\n", encoding="utf-8")
    engine.chmod(0o755)
    steps = "\n".join(
        line.replace("check lb", "check lb --topic start") for line in lines if not line.startswith("python -m pip")
    )
    script = f'damspec() {{ {shlex.quote(sys.executable)} -m damspec_runner "$@"; }}\n{steps}\n'
    summary = tmp_path / "summary.md"
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "GITHUB_STEP_SUMMARY": str(summary)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")  # the last step's
    report = json.loads((tmp_path / "damspec.json").read_text(encoding="utf-8"))
    counts = report["reports"][0]["counts"]
    assert (counts["failed"] > 0) == (mode == "wrong-start")
    (markdown,) = [path for path in (summary, tmp_path / "damspec.md") if path.exists()]
    assert f"**{counts['passed']} passed, {counts['failed']} failed**" in markdown.read_text(encoding="utf-8")
    (page,) = tmp_path.rglob("*.html")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    (badge,) = tmp_path.rglob("*.svg")
    assert f"{counts['passed']} of 3 cases" in badge.read_text(encoding="utf-8")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_have_its_completion(shell: str) -> None:
    assert f"_DAMSPEC_COMPLETE={shell}_source damspec" in PAGE
    done = _completing(f"{shell}_source")
    assert f"_DAMSPEC_COMPLETE={shell}_complete" in done


def test_commands_and_rulesets_are_completed() -> None:
    assert _completing("bash_complete", COMP_WORDS="damspec repo", COMP_CWORD="1") == "plain,report\n"
    rulesets = _completing("bash_complete", COMP_WORDS="damspec check fr-trapdoor-c", COMP_CWORD="2").split()
    assert "plain,fr-trapdoor-close-dual" in rulesets
    assert all(line.startswith("plain,fr-trapdoor-c") for line in rulesets)


def _completing(instruction: str, **variables: str) -> str:
    """What the program says to a shell that asks it."""
    done = subprocess.run(
        [sys.executable, "-c", "from damspec_runner.cli import main; main()"],
        env={**os.environ, "_DAMSPEC_COMPLETE": instruction, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.stdout
