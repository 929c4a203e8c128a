"""Named engines: the list, and installing that leaves nothing behind when it fails. Nothing is fetched here."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import damspec as library
from damspec_runner.engines import installed
from damspec_runner.engines.installed import InstallError
from runner_fixtures import damspec

NAMES = ["pydraughts", "py-draughts", "rapid-draughts", "draughts"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for engines."""
    monkeypatch.setenv("DAMSPEC_ENGINES", str(tmp_path / "engines"))
    return tmp_path / "engines"


def left(home: Path) -> list[str]:
    """What is in the folder for engines."""
    return sorted(path.name for path in home.iterdir()) if home.exists() else []


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands of an installation, noted down instead of run."""
    commands: list[list[str]] = []

    def note(command: list[str], folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        commands.append(command)

    monkeypatch.setattr(installed, "_run", note)
    return commands


def test_the_list_names_every_engine_and_where_they_are(home: Path) -> None:
    lines = damspec("engines").out.splitlines()
    assert [line.split()[0] for line in lines] == ["damspec", *NAMES, "in"]
    assert lines[-1] == f"in {home}"
    assert all("not installed" in line for line in lines[1:-1])


@pytest.mark.parametrize("name", NAMES)
def test_an_adapter_is_complete(name: str, home: Path) -> None:
    found = installed.adapter(name)
    assert set(found.plays) <= set(library.ruleset_ids())
    assert Path(found.command[1]).is_file()
    assert found.environment == {"DAMSPEC_ENGINE_DIR": str(home / f"{name}-{found.version}")}
    assert found.command[0].endswith("node" if found.registry == "npm" else "python")
    assert str(home) in found.command[0] or found.registry == "npm"


def test_a_python_package_gets_an_environment_of_its_own(home: Path, done: list[list[str]]) -> None:
    ran = damspec("engines", "install", "pydraughts")
    found = installed.adapter("pydraughts")
    assert (ran.status, ran.err) == (0, "")
    said, ready = ran.out.splitlines()
    assert said == f"installing pydraughts {found.version} from pypi into {found.folder}"
    assert ready.startswith(f"pydraughts {found.version} is ready: damspec check ")
    venv, pip = done
    assert venv == [sys.executable, "-m", "venv", str(found.folder)]
    assert pip[0] == found.command[0]
    assert pip[-1] == f"pydraughts=={found.version}"
    assert found.installed


def test_what_is_installed_is_said_to_be_and_left_alone(home: Path, done: list[list[str]]) -> None:
    damspec("engines", "install", "pydraughts")
    assert "is installed already" in damspec("engines", "install", "pydraughts").out
    assert len(done) == 2
    listed = {entry["name"]: entry["installed"] for entry in json.loads(damspec("engines", "--json").out)["engines"]}
    assert [name for name, there in listed.items() if there] == ["pydraughts"]


def test_an_npm_package_gets_a_folder_of_its_own(done: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    found = installed.adapter("draughts")
    assert damspec("engines", "install", "draughts").status == 0
    ((npm, *_, package),) = done
    assert (npm, package) == ("/usr/bin/npm", f"draughts@{found.version}")
    assert json.loads((found.folder / "package.json").read_text(encoding="utf-8")) == {"private": True}
    assert found.installed


def test_removing_leaves_nothing(home: Path, done: list[list[str]]) -> None:
    damspec("engines", "install", "pydraughts")
    assert "pydraughts: removed " in damspec("engines", "remove", "pydraughts").out
    assert left(home) == []
    ran = damspec("engines", "remove", "pydraughts")
    assert (ran.status, ran.out) == (0, "pydraughts: was not installed\n")


@pytest.mark.parametrize("name", ["pydraughts", "draughts"])
@pytest.mark.parametrize("error", [InstallError("pip failed with status 1: no such package"), OSError(28, "disk full")])
def test_an_installation_that_fails_leaves_nothing(
    name: str, error: Exception, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(command: list[str], folder: Path) -> None:
        installed.adapter(name).folder.mkdir(parents=True, exist_ok=True)
        raise error

    monkeypatch.setattr(installed, "_run", fail)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    ran = damspec("engines", "install", name)
    assert ran.status == 3
    assert ("no such package" if isinstance(error, InstallError) else "disk full") in ran.complaint
    assert left(home) == []


def test_an_interrupted_installation_leaves_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(command: list[str], folder: Path) -> None:
        installed.adapter("pydraughts").folder.mkdir()
        raise KeyboardInterrupt

    monkeypatch.setattr(installed, "_run", interrupt)
    ran = damspec("engines", "install", "pydraughts")
    assert ran.status == 130
    assert ran.err.strip() == "damspec: interrupted"
    assert left(home) == []


def test_without_node_nothing_is_tried(home: Path, done: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    ran = damspec("engines", "install", "rapid-draughts")
    assert ran.status == 3
    assert ran.complaint == "damspec: rapid-draughts needs Node.js with npm, which are not on the PATH"
    assert (left(home), done) == ([], [])


def test_a_check_can_install_what_it_needs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(command: list[str], folder: Path) -> None:
        raise InstallError("no network")

    monkeypatch.setattr(installed, "_run", fail)
    ran = damspec("check", "lb", "--engine", "pydraughts", "--install")
    assert ran.status == 3
    said, complaint = ran.err.splitlines()
    assert said.startswith("installing pydraughts ")
    assert complaint == "damspec: no network"
    assert left(home) == []


def test_the_line_that_names_the_error_is_the_one_that_is_told(tmp_path: Path) -> None:
    words = (
        "import sys; print('collecting'); sys.exit('warning: old\\nERROR: No matching distribution found\\nnotice: x')"
    )
    with pytest.raises(InstallError, match=r"failed with status 1: ERROR: No matching distribution found$"):
        installed._run([sys.executable, "-c", words], tmp_path)
    with pytest.raises(InstallError, match=r"failed with status 4: no message$"):
        installed._run([sys.executable, "-c", "raise SystemExit(4)"], tmp_path)
