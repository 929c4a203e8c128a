"""Named engines: the list, and installing that leaves nothing behind when it fails. Nothing is fetched here."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
import shutil
import sys
import tarfile
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

import damspec as library
from damspec_runner.engines import registry
from damspec_runner.engines.registry import InstallError
from refusals import refusal
from runner_fixtures import PROJECT, damspec, printed
from runs import for_each

NAMES = list(registry.adapters())
LOCKS = PROJECT / "runner" / "damspec_runner" / "engines" / "adapters" / "locks"


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

    def note(command: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
        assert folder.is_dir()
        for place in (word for word in command if word.endswith(".builder")):
            Path(place).mkdir(exist_ok=True)
        commands.append(command)

    monkeypatch.setattr(registry, "_run", note)
    return commands


def test_the_list_names_every_engine_and_where_they_are(home: Path) -> None:
    lines = damspec("engines").out.splitlines()
    assert [line.split()[0] for line in lines] == ["damspec", *NAMES, "in"]
    assert lines[-1] == f"in {home}"
    assert all("not installed" in line for line in lines[1:-1])


@pytest.mark.parametrize("name", NAMES)
def test_an_adapter_is_complete(name: str, home: Path) -> None:
    found = registry.adapter(name)
    assert [library.load_ruleset(id).id for id in found.plays] == list(found.plays)
    assert set(found.thorough) <= set(found.plays)
    assert found.program_file.is_file()
    assert found.environment["DAMSPEC_ENGINE_DIR"] == str(home / f"{name}-{found.version}")
    assert found.lines == (found.registry == "debian")


@for_each("name", NAMES)
def test_every_file_that_is_fetched_is_locked(name: str) -> None:
    """Each package has its version and a checksum, and no address of where it comes from."""
    found = registry.adapter(name)
    if found.registry == "debian":
        assert re.fullmatch("[0-9a-f]{64}", found.source["sha256"])
        return
    text = found.lock.read_text(encoding="utf-8")
    assert not re.search(r"https?:|resolved|index-url|find-links", text)
    if found.registry == "npm":
        packages = json.loads(text)["packages"]
        assert packages.pop("")["dependencies"] == {found.package: found.version}
        assert packages[f"node_modules/{found.package}"]["version"] == found.version
        assert all(package["integrity"].startswith("sha512-") for package in packages.values())
        return
    wanted = text.replace("\\\n", "").splitlines()
    assert [line.split()[0] for line in wanted if line.startswith(f"{found.package}==")] == [
        f"{found.package}=={found.version}"
    ]
    assert all(re.fullmatch(r"\S+==\S+(?:\s+--hash=sha256:[0-9a-f]{64})+\s*", line) for line in wanted)


def test_no_lock_is_of_nothing() -> None:
    used = {found.lock.name for found in registry.adapters().values() if found.registry != "debian"}
    assert {path.name for path in LOCKS.iterdir()} == used | {"builder.txt"}


def test_a_python_package_gets_a_folder_of_its_own(home: Path, done: list[list[str]]) -> None:
    said, ready = printed("engines", "install", "pydraughts").splitlines()
    found = registry.adapter("pydraughts")
    assert said == f"installing pydraughts {found.version} from pypi into {found.folder}"
    assert ready.startswith(f"pydraughts {found.version} is ready: damspec check ")
    (pip,) = done
    assert pip[:4] == [sys.executable, "-m", "pip", "install"]
    assert {"--require-hashes", "--no-deps", "--only-binary"} <= set(pip)
    assert pip[pip.index("-r") + 1] == str(found.lock)
    assert found.installed
    assert left(home) == [found.folder.name]


def test_a_package_that_is_built_is_built_by_what_is_locked_too(done: list[list[str]]) -> None:
    assert damspec("engines", "install", "imparaai-checkers").status == 0
    builder, package = done
    assert builder[-1].endswith("builder.txt")
    assert "--no-build-isolation" in package
    assert all({"--require-hashes", "--no-deps"} <= set(command) for command in done)
    assert not (registry.adapter("imparaai-checkers").folder / ".builder").exists()


def test_without_pip_one_is_made_for_the_installation(done: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "find_spec", lambda name: None)
    assert damspec("engines", "install", "pydraughts").status == 0
    venv, pip = done
    assert venv[:3] == [sys.executable, "-m", "venv"]
    assert pip[0].startswith(venv[3])


def test_what_is_installed_is_said_to_be_and_left_alone(home: Path, done: list[list[str]]) -> None:
    damspec("engines", "install", "pydraughts")
    assert "is installed already" in damspec("engines", "install", "pydraughts").out
    assert len(done) == 1
    listed = {entry["name"]: entry["installed"] for entry in json.loads(damspec("engines", "--json").out)["engines"]}
    assert [name for name, there in listed.items() if there] == ["pydraughts"]


def test_an_installation_for_another_python_is_none(done: list[list[str]]) -> None:
    damspec("engines", "install", "pydraughts")
    found = registry.adapter("pydraughts")
    for text in (json.dumps({**found.made_for, "python": "3.4"}), "half of i"):
        (found.folder / "installed.json").write_text(text, encoding="utf-8")
        assert not found.installed
    damspec("engines", "install", "pydraughts")
    assert found.installed


def test_an_npm_package_gets_a_folder_of_its_own(done: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    found = registry.adapter("draughts")
    assert damspec("engines", "install", "draughts").status == 0
    ((npm, how, *options),) = done
    assert (npm, how) == ("/usr/bin/npm", "ci")
    assert "--ignore-scripts" in options
    package = json.loads((found.folder / "package.json").read_text(encoding="utf-8"))
    assert package == {"private": True, "dependencies": {"draughts": found.version}}
    assert (found.folder / "package-lock.json").read_bytes() == found.lock.read_bytes()
    assert found.installed


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """apt-get that has a source package made here, and a compiler that is not there."""
    if not any(Path("/etc/apt").glob("sources.list*")):
        pytest.skip("no sources of packages here")
    commands: list[list[str]] = []
    found = registry.adapter("kcheckers")
    (tmp_path / "checkers.cc").write_text("int main() {}\n", encoding="utf-8")
    archive = tmp_path / found.source["file"]
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(tmp_path / "checkers.cc", "kcheckers-0.8.1/checkers.cc")

    def note(command: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
        commands.append(command)
        if "source" in command:
            shutil.copyfile(archive, folder / archive.name)

    monkeypatch.setattr(registry, "_run", note)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    return commands


def test_a_source_package_with_another_checksum_is_not_built(home: Path, debian: list[list[str]]) -> None:
    ran = damspec("engines", "install", "kcheckers")
    assert ran.status == 3
    assert "has the checksum" in ran.err
    assert [command[0] for command in debian] == ["/usr/bin/apt-get"] * 2
    for command in debian:  # nothing of the machine's own is touched
        assert any(word.startswith("Dir::State::lists=") and str(home) in word for word in command)
        assert any(word.startswith("Dir::Cache=") and str(home) in word for word in command)
    assert left(home) == []


def test_a_source_package_is_compiled_with_its_adapter(
    debian: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = registry.adapter("kcheckers")

    class Same:
        """A checksum that is the one that is locked."""

        def __init__(self, content: bytes) -> None:
            assert content

        def hexdigest(self) -> str:
            return found.source["sha256"]

    monkeypatch.setattr(hashlib, "sha256", Same)
    assert damspec("engines", "install", "kcheckers").status == 0
    compiled = debian[-1]
    assert compiled[0] == "/usr/bin/c++"
    assert str(found.program_file) in compiled
    assert any(word.endswith("kcheckers-0.8.1/checkers.cc") for word in compiled)
    assert (found.folder / "kcheckers-0.8.1" / "checkers.cc").is_file()
    assert not (found.folder / ".apt").exists()


def test_sources_of_packages_are_asked_for_source() -> None:
    text = "# old\ndeb [signed-by=/k] somewhere bookworm main\ndeb-src somewhere bookworm main\n"
    assert registry._as_source(text, ".list").splitlines()[1:] == [
        "deb-src [signed-by=/k] somewhere bookworm main",
        "deb-src somewhere bookworm main",
    ]
    assert registry._as_source("Types: deb\nSuites: bookworm\n", ".sources") == "Types: deb-src\nSuites: bookworm\n"


def test_the_adapter_of_an_engine_in_c_is_short() -> None:
    """What was written for KCheckers beside the template, and beside what stands in for Qt's headers."""
    template = registry.template_files("c")["adapter.c"].splitlines()
    own = registry.adapter("kcheckers").program_file.read_text(encoding="utf-8").splitlines()
    added = [line[2:] for line in difflib.ndiff(template, own) if line.startswith("+ ")]
    assert 10 < len(added) <= 25
    page = (PROJECT / "docs" / "engines.md").read_text(encoding="utf-8")
    shown = page.partition("```c\n")[2].partition("```")[0].splitlines()
    assert [line for line in added if line not in shown] == [
        line for line in own if line.startswith('#define RULESET "english,russian" /*')
    ]
    assert [line for line in shown if line not in own] == ['#define RULESET "english,russian"']


def test_removing_leaves_nothing(home: Path, done: list[list[str]]) -> None:
    damspec("engines", "install", "pydraughts")
    assert "pydraughts: removed " in damspec("engines", "remove", "pydraughts").out
    assert left(home) == []
    assert printed("engines", "remove", "pydraughts") == "pydraughts: was not installed\n"


def let_fail(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Let every command of an installation leave a file and fail."""

    def fail(command: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
        (folder / "half").touch()
        raise error

    monkeypatch.setattr(registry, "_run", fail)


@pytest.mark.parametrize("name", ["pydraughts", "draughts"])
@pytest.mark.parametrize("error", [InstallError("pip failed with status 1: no such package"), OSError(28, "disk full")])
def test_an_installation_that_fails_leaves_nothing(
    name: str, error: Exception, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_fail(monkeypatch, error)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    ran = damspec("engines", "install", name)
    assert ran.status == 3
    assert ("no such package" if isinstance(error, InstallError) else "disk full") in ran.complaint
    assert left(home) == []


def test_an_interrupted_installation_leaves_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    let_fail(monkeypatch, KeyboardInterrupt())
    ran = damspec("engines", "install", "pydraughts")
    assert ran.status == 130
    assert ran.err.strip() == "damspec: interrupted"
    assert left(home) == []


def test_what_a_killed_installation_has_left_is_taken_away_later(home: Path, done: list[list[str]]) -> None:
    found = registry.adapter("pydraughts")
    recent, old = (home / f".{found.folder.name}.{name}" for name in ("now", "old"))
    for folder in (recent, old):
        folder.mkdir(parents=True)
    os.utime(old, (time.time() - 7200,) * 2)
    damspec("engines", "install", "pydraughts")
    assert left(home) == sorted([recent.name, found.folder.name])


def test_of_two_installations_at_once_the_first_stays(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = registry.adapter("pydraughts")

    def other(command: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
        if not found.folder.exists():
            found.folder.mkdir()
            (found.folder / "first").touch()
            found.complete(found.folder)

    monkeypatch.setattr(registry, "_run", other)
    assert damspec("engines", "install", "pydraughts").status == 0
    assert left(home) == [found.folder.name]
    assert (found.folder / "first").exists()


def test_without_node_nothing_is_tried(home: Path, done: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    ran = damspec("engines", "install", "rapid-draughts")
    assert ran.status == 3
    assert ran.complaint == "damspec: rapid-draughts needs Node.js with npm, which are not on the PATH"
    assert (left(home), done) == ([], [])


def test_a_check_can_install_what_it_needs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    let_fail(monkeypatch, InstallError("no network"))
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
    assert refusal(InstallError, registry._run, [sys.executable, "-c", words], tmp_path).endswith(
        "failed with status 1: ERROR: No matching distribution found"
    )
    assert refusal(InstallError, registry._run, [sys.executable, "-c", "raise SystemExit(4)"], tmp_path).endswith(
        "failed with status 4: no message"
    )
