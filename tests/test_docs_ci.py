"""docs/ci.md: the workflows are YAML, their commands are this version's, and what they do can be done."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from damspec_runner.cli import damspec as commands
from damspec_runner.verify.report import FORMATS
from damspec_runner.verify.result import STATUSES
from fenced import blocks, read_page
from runner_fixtures import PROJECT, damspec, fake

PAGE = read_page("docs/ci.md")


GITHUB, PAGES, GITLAB = (yaml.safe_load(block) for block in blocks("yaml", PAGE))
ACTION: dict[str, Any] = yaml.safe_load(read_page("action.yml"))
RELEASE: dict[str, Any] = yaml.safe_load(
    (PROJECT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
)
EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")


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
    release = (step.get("run", "") for job in RELEASE["jobs"].values() for step in job["steps"])
    lines = [*gitlab_lines(), *(line for block in (*blocks("sh", PAGE), *release) for line in block.splitlines())]
    yield from (line for line in lines if line.startswith("damspec ") and "--version" not in line)


def test_the_workflows_have_the_parts_their_systems_ask_for() -> None:
    on: Any = GITHUB.get("on", GITHUB.get(True))  # YAML 1.1 reads the word `on` as a truth value
    assert on == ["push", "pull_request"]
    for job in (*GITHUB["jobs"].values(), *PAGES.values(), *RELEASE["jobs"].values()):
        assert {"runs-on", "steps"} <= set(job)
        assert all(("run" in step) != ("uses" in step) for step in job["steps"])
    assert {"script", "artifacts"} <= set(GITLAB["damspec"])
    assert GITLAB["damspec"]["artifacts"]["reports"]["junit"] == "damspec.xml"


def test_the_workflow_of_the_page_uses_the_action_by_its_inputs() -> None:
    given = GITHUB["jobs"]["check"]["steps"][-1]["with"]
    inputs = ACTION["inputs"]
    assert {name for name, about in inputs.items() if about.get("required")} <= given.keys() <= inputs.keys()
    assert all("default" in about for about in inputs.values() if not about.get("required"))
    assert [name for name in inputs if f"`{name}`" not in PAGE] == []
    assert PAGES["publish"]["steps"][0]["with"]["name"] == inputs["artifact"]["default"]


def test_the_action_names_only_what_there_is() -> None:
    """Every expression is of an input, or of a step before."""
    steps = ACTION["runs"]["steps"]
    assert all("shell" in step for step in steps if "run" in step)
    ids = {step["id"] for step in steps if "id" in step}
    for expression in EXPRESSION.findall((PROJECT / "action.yml").read_text(encoding="utf-8")):
        for kind, name in re.findall(r"\b(inputs|steps)\.([a-z-]+)", expression):
            assert name in (ACTION["inputs"] if kind == "inputs" else ids)
    assert not any(EXPRESSION.search(step.get("run", "")) for step in steps)  # values go by the environment


@pytest.mark.parametrize("file", ["action.yml", ".github/workflows/ci.yml", ".github/workflows/release.yml"])
def test_actions_are_named_by_commit(file: str) -> None:
    """A tag can be moved to other code; the version behind the commit says what it is."""
    used = re.findall(r"uses: (.*)", (PROJECT / file).read_text(encoding="utf-8"))
    assert used
    assert [line for line in used if not re.fullmatch(r"[\w/.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []


def test_what_is_installed_comes_from_a_lock() -> None:
    files = ("action.yml", ".github/workflows/release.yml", "Dockerfile")
    text = "\n".join((PROJECT / file).read_text(encoding="utf-8") for file in files)
    installs = re.findall(r"pip (?:install|wheel) .*", text)
    assert [line for line in installs if "--no-deps" not in line] == []
    locks = re.findall(r"--require-hashes -r \S*(\.ci/locks/\w+\.txt)", text)
    assert {Path(lock).stem for lock in locks} == {"action", "release"}
    assert (locks.count(".ci/locks/action.txt"), locks.count(".ci/locks/release.txt")) == (2, 1)


@pytest.mark.parametrize(("name", "extra", "more"), [("action", (), ()), ("release", ("pictures",), ("build",))])
def test_a_lock_has_every_package_with_its_checksums(name: str, extra: tuple[str, ...], more: tuple[str, ...]) -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"], *more]
    for each in extra:
        wanted += project["project"]["optional-dependencies"][each]
    entries = re.split(r"\n(?=\w)", (PROJECT / ".ci" / "locks" / f"{name}.txt").read_text(encoding="utf-8"))[1:]
    locked = {re.split("[=<>]", entry)[0] for entry in entries}
    assert {re.split("[=<>;]", each)[0] for each in wanted} <= locked
    assert [
        entry for entry in entries if not re.match(r"[\w.-]+==\S+.*( \\\n +--hash=sha256:[0-9a-f]{64})+\n?$", entry)
    ] == []


def test_nothing_says_that_the_package_index_has_it() -> None:
    """Until it does: what is installed is a folder, or an address."""
    pages = [PROJECT / "README.md", PROJECT / "action.yml", PROJECT / "Dockerfile", *(PROJECT / "docs").glob("*.md")]
    for page in pages:
        for line in page.read_text(encoding="utf-8").splitlines():
            assert not re.search(r"pip install (-\S+ )*[\"']?damspec([\"']|==| |$)", line), line


def test_the_container_is_built_from_what_is_here() -> None:
    lines = (PROJECT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert 'ENTRYPOINT ["damspec"]' in lines
    ignored = (PROJECT / ".dockerignore").read_text(encoding="utf-8").split()
    needed = ("README.md", "LICENSE", "pyproject.toml", "reference", "runner", *_forced())
    assert [name for name in needed if name.split("/")[0] in ignored or not (PROJECT / name).exists()] == []


def _forced() -> list[str]:
    """The folders that go into the wheel beside the packages."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    return [*project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]]


@pytest.mark.parametrize("line", list(documented()))
def test_every_command_and_option_is_there(line: str) -> None:
    _, *words = words_of(line)
    command: click.Command | None = commands
    while isinstance(command, click.Group):
        name, *words = words
        command = command.get_command(click.Context(command), name)
    assert command is not None
    assert command.make_context(name, words, parent=click.Context(commands, help_option_names=["-h", "--help"])).params


def test_the_page_names_every_form_and_verdict() -> None:
    forms = PAGE.partition("## The forms of a report")[2]
    rows = re.findall(r"^\| `([a-z][a-z-]*)` \|", forms, re.MULTILINE)
    assert rows[: len(FORMATS)] == list(FORMATS)
    assert sorted(rows[len(FORMATS) :]) == sorted(STATUSES)


def _run(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a step as the host does it: in bash, from the folder of the project that is checked."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def _program(path: Path, words: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
    path.chmod(0o755)


def _expression(text: str) -> str:
    """The expression that a text consists of."""
    found = EXPRESSION.fullmatch(text)
    assert found is not None
    return found[1]


def _act(folder: Path, **inputs: str) -> dict[str, subprocess.CompletedProcess[str]]:
    """Run the steps of the action, by their names; only installing is left out."""
    given = {name: str(about.get("default", "")) for name, about in ACTION["inputs"].items()} | inputs
    temporary, output = folder / "temporary", folder / "output"
    _program(temporary / "damspec" / "bin" / "damspec", [sys.executable, "-m", "damspec_runner"])
    done = {}
    for step in ACTION["runs"]["steps"]:
        if "run" not in step or step["name"] == "Install damspec":
            continue
        outputs = dict(line.split("=") for line in output.read_text().splitlines()) if output.exists() else {}
        values = {f"inputs.{name}": value for name, value in given.items()}
        values |= {f"steps.check.outputs.{name}": value for name, value in outputs.items()}
        variables = {key: values[_expression(text)] for key, text in step["env"].items()}
        variables |= {"RUNNER_TEMP": str(temporary), "GITHUB_OUTPUT": str(output)}
        variables |= {"GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
        done[step["name"]] = _run(step["run"], folder, **variables)
    return done


@pytest.mark.skipif(os.name == "nt", reason="the action's steps are for a Unix shell")
class TestAction:
    """The steps of action.yml."""

    @pytest.mark.thorough
    def test_a_failing_engine(self, tmp_path: Path) -> None:
        _program(tmp_path / "my engine", fake("wrong-start"))
        done = _act(tmp_path, rulesets="lb", engine="'./my engine'", options="--topic start --no-diagnose")
        assert {name: step.returncode for name, step in done.items()} == {
            "Check the engine": 0,
            "Show how it did": 0,
            "Pass or fail": 1,
        }
        report = json.loads((tmp_path / "damspec" / "damspec.json").read_text(encoding="utf-8"))["reports"][0]
        wrong = [result["id"] for result in report["results"] if result["status"] == "failed"]
        shown = done["Show how it did"].stdout.splitlines()
        assert wrong
        assert all(line.startswith("::error title=") for line in shown)
        assert [line for line in shown if f"title={wrong[0]}::" in line] != []
        assert "**" in (tmp_path / "summary.md").read_text(encoding="utf-8")
        files = {path.name for path in (tmp_path / "damspec").iterdir()}
        assert files == {"damspec.json", "damspec.xml", "index.html", "damspec.svg", "badge.json"}

    @pytest.mark.slow
    def test_a_baseline(self, tmp_path: Path) -> None:
        """Written once by the command of the page; then the job, here of a topic, passes, and says nothing."""
        _program(tmp_path / "my-engine", fake("wrong-start"))
        written = damspec("check", "lb", "--update-baseline", str(tmp_path / "known.yaml"), "--", *fake("wrong-start"))
        assert written.status == 1
        program = shlex.join(fake("wrong-start"))
        done = _act(tmp_path, rulesets="lb", engine=program, options="--topic start", baseline="known.yaml")
        assert done["Pass or fail"].returncode == 0, done["Check the engine"].stderr
        assert done["Show how it did"].stdout == ""

    @pytest.mark.thorough
    def test_an_engine_that_cannot_be_run(self, tmp_path: Path) -> None:
        done = _act(tmp_path, rulesets="lb", engine="./nothing-here")
        assert [step.returncode for step in done.values()] == [0, 0, 3]
        assert "nothing-here" in done["Check the engine"].stderr
        assert re.fullmatch(r"::error title=damspec::damspec: .*nothing-here.*\n", done["Show how it did"].stdout)

    @pytest.mark.parametrize(
        ("inputs", "status", "complaint"),
        [
            ({"rulesets": "russain"}, 2, "damspec: unknown ruleset 'russain'; did you mean 'russian'?"),
            ({"rulesets": "lb", "options": "--lines --game 3"}, 2, "damspec: No such option '--game'"),
            ({"rulesets": "lb", "options": "'--lines"}, 2, "unexpected "),
        ],
    )
    def test_wrong_inputs(self, inputs: dict[str, str], status: int, complaint: str, tmp_path: Path) -> None:
        done = _act(tmp_path, engine="./my-engine", **inputs)
        assert [step.returncode for step in done.values()] == [0, 0, status]
        annotation = done["Show how it did"].stdout
        assert annotation.startswith("::error title=damspec::")
        assert annotation.count("\n") == 1
        summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
        assert summary.startswith("## ❌ damspec could not check the engine\n\n    ")
        for text in (annotation, summary, done["Check the engine"].stderr):
            assert complaint in text


@pytest.mark.skipif(os.name == "nt", reason="the job's steps are for a Unix shell")
@pytest.mark.thorough
def test_the_gitlab_job_leaves_what_is_published(tmp_path: Path) -> None:
    """The lines are run as written; only installing is left out, and fewer cases are asked."""
    _program(tmp_path / "my-engine", fake("right"))
    _program(tmp_path / "bin" / "damspec", [sys.executable, "-m", "damspec_runner"])
    lines = [line.replace("check russian", "check lb --topic start") for line in gitlab_lines()]
    script = "\n".join(line for line in lines if not line.startswith("python -m pip"))
    done = _run(script, tmp_path, PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert (done.returncode, done.stderr) == (0, "")
    assert all((tmp_path / name).exists() for name in GITLAB["damspec"]["artifacts"]["paths"])


@pytest.mark.thorough
def test_a_release_has_the_cases_with_checksums(tmp_path: Path) -> None:
    """The steps that build, with the packages, the site and the cases left to files of a word."""
    build = RELEASE["jobs"]["build"]
    names = {step["name"]: step["run"] for step in build["steps"] if "run" in step}
    version = damspec("--version").out.split()[-1]
    (tmp_path / "dist").mkdir()
    for name in (f"damspec-{version}-py3-none-any.whl", f"damspec-{version}.tar.gz", f"damspec-{version}.tgz"):
        (tmp_path / "dist" / name).write_text("a package", encoding="utf-8")
    for folder in ("site", "cases-json"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "all.json").write_text("cases", encoding="utf-8")
    _program(tmp_path / "bin" / "damspec", [sys.executable, "-m", "damspec_runner"])
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    script = re.sub("^damspec .*\n", "", names["Build the cases and the site"], flags=re.MULTILINE)
    for tag, status in ((f"v{version}", 0), ("v99.0.0", 1)):
        done = _run(names["Hold the versions to the tag"], tmp_path, PATH=path, GITHUB_REF_NAME=tag)
        assert (done.returncode == 0) == (status == 0)
    done = _run(script, tmp_path, PATH=path, GITHUB_REF_NAME=f"v{version}")
    assert done.returncode == 0, done.stderr
    sums = (tmp_path / "dist" / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert sorted(line.split()[1] for line in sums) == sorted(
        [
            *(f"damspec-{version}-{what}" for what in ("cases.json", "cases.tar.gz", "site.tar.gz")),
            *(f"damspec-{version}{ending}" for ending in ("-py3-none-any.whl", ".tar.gz", ".tgz")),
        ]
    )
    assert _run("sha256sum --check SHA256SUMS", tmp_path / "dist").returncode == 0
    taken = RELEASE["jobs"]["pypi"]["steps"][1]["run"]
    assert _run(taken, tmp_path, GITHUB_REF_NAME=f"v{version}").returncode == 0
    assert len([*(tmp_path / "python").iterdir()]) == 2


def test_a_release_publishes_an_image(tmp_path: Path) -> None:
    (step,) = [each for each in RELEASE["jobs"]["image"]["steps"] if "run" in each]
    calls = tmp_path / "calls"
    docker = tmp_path / "bin" / "docker"
    docker.parent.mkdir()
    docker.write_text(f'#!/bin/sh\necho "$@" >> {calls}\n[ "$1" != run ] || echo damspec 1.2.3\n', encoding="utf-8")
    docker.chmod(0o755)
    about = {"GITHUB_REPOSITORY": "Owner/Damspec", "GITHUB_ACTOR": "owner", "TOKEN": "secret"}
    path = f"{docker.parent}:{os.environ['PATH']}"
    assert _run(step["run"], tmp_path, PATH=path, GITHUB_REF_NAME="v1.2.3", **about).returncode == 0
    assert calls.read_text(encoding="utf-8").splitlines() == [
        "build -t ghcr.io/owner/damspec:1.2.3 -t ghcr.io/owner/damspec:latest .",
        "run --rm ghcr.io/owner/damspec:1.2.3 --version",
        "login ghcr.io -u owner --password-stdin",
        "push --all-tags ghcr.io/owner/damspec",
    ]
    assert _run(step["run"], tmp_path, PATH=path, GITHUB_REF_NAME="v9.9.9", **about).returncode == 1


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
