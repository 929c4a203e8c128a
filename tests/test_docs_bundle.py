"""docs/bundle.md: its example is a case of the bundle, and its readers find what they say, each in its language."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from damspec import data, load_ruleset
from damspec_runner.cases.bundle import bundle_ruleset
from fenced import blocks, read_page
from runner_fixtures import damspec, node, refused

PAGE = read_page("docs/bundle.md")
#: Where Debian's packages have the libraries that the readers in Rust, Java and C# use.
CRATES = Path("/usr/share/cargo/registry")
GSON = Path("/usr/share/java/gson.jar")
JSON_NET = Path("/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll")
#: What the readers' engine knows: the position, and the case of the page that asks for it.
KNOWN = ("W:W22:B1", "english.man-move.white-man-steps-up")


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of `english`, written by the command of the page, which prints what the page shows."""
    file = tmp_path_factory.mktemp("bundle") / "english.json"
    (command,) = (block for block in blocks("console", PAGE) if "--ruleset english" in block)
    ran = damspec("cases", "bundle", "--ruleset", "english", "-o", str(file))
    assert command.splitlines() == ["$ damspec cases bundle --ruleset english -o english.json", _shown(ran.out, file)]
    return file


def _shown(printed: str, file: Path) -> str:
    return printed.strip().replace(str(file), file.name)


def test_the_case_of_the_page_is_in_the_bundle(english: Path) -> None:
    (shown,) = blocks("json", PAGE)
    content = json.loads(english.read_text(encoding="utf-8"))
    assert data.schema_problem(content, "bundle") is None
    assert json.loads(shown) in content["cases"]


def test_the_page_names_every_key() -> None:
    table = PAGE.partition("| key |")[2].partition("\n\n")[0]
    case = data.schema("bundle")["$defs"]["case"]["properties"]
    assert [key for key in case.keys() - {"outcome"} if f"`{key}`" not in table] == []
    assert [word for word in case["compare"]["enum"] if f"`{word}`:" not in table] == []


def test_an_answer_under_a_reading_is_an_entry_and_the_case_of_a_bundle_under_it() -> None:
    """A king that circles: its own square counts as empty, or else it has to stop before it."""
    id = "english.multi-jump.king-circles-back-to-its-square"
    entries = {entry["id"]: entry for entry in bundle_ruleset(load_ruleset("english"))["cases"]}
    other = entries[f"{id}?origin=occupied"]
    assert (other["reading"], other["rulesets"]) == ("origin=occupied", ["english?origin=occupied"])
    assert sorted(other["moves"]) == ["22x15x24x31", "22x31x24x15"]
    assert entries[id]["rulesets"] == ["english"]
    under = bundle_ruleset(load_ruleset("english?origin=occupied"))
    (held,) = (entry for entry in under["cases"] if entry["id"] == id)
    assert (held["moves"], held["rulesets"]) == (other["moves"], other["rulesets"])
    assert all("reading" not in entry for entry in under["cases"])


def test_two_moves_to_one_position_are_compared_as_moves() -> None:
    """A king that falls through a door, wherever it does, leaves the same board."""
    entries = {entry["id"]: entry for entry in bundle_ruleset(load_ruleset("fr-trapdoor"))["cases"]}
    assert entries["fr-trapdoor.door.king-passes-over-two"]["compare"] == "moves"


def test_a_bundle_under_a_reading_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "under.json"
    assert damspec("cases", "bundle", "--ruleset", "english?origin=occupied", "-o", str(file)).status == 0
    asked = ("check", "english?origin=occupied", "--cases", str(file), "--topic", "multi-jump", "--engine", "damspec")
    ran = damspec(*asked)
    assert ran.status == 0, ran.out


@pytest.mark.thorough
def test_a_folder_has_a_bundle_for_each_ruleset_and_one_for_all(tmp_path: Path) -> None:
    assert damspec("cases", "bundle", "--each", str(tmp_path / "all")).status == 0
    contents = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (tmp_path / "all").iterdir()}
    every = contents.pop("all")
    assert every["rulesets"].keys() == contents.keys()
    for id, content in contents.items():
        assert [*content["rulesets"]] == [id]
        ids = {entry["id"] for entry in content["cases"]}
        assert {entry["id"] for entry in every["cases"] if id in entry["rulesets"]} <= ids


def test_a_folder_or_a_file_and_not_both(tmp_path: Path) -> None:
    for words, complaint in {
        (): "expected either -o FILE or --each FOLDER",
        ("--each", "x", "-o", "y"): "expected either -o FILE or --each FOLDER",
        ("--each", "x", "--ruleset", "lb"): "takes neither FILEs nor --ruleset",
        ("-o", str(tmp_path / "x"), "--ruleset", "lb", "--ruleset", "vl"): "expected one without FILEs, found 2",
    }.items():
        assert complaint in refused("cases", "bundle", *words)


def _program(name: str) -> str:
    """The path of a compiler; skips where there is none."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"NOT CHECKED: no {name}")
    return path


def _library(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"NOT CHECKED: no {path.name}")
    return path


def _run(folder: Path, *words: str | Path) -> str:
    done = subprocess.run([*map(str, words)], cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
    return done.stdout


def _c(folder: Path, source: str, *words: str) -> str:
    _library(Path("/usr/include/cjson/cJSON.h"))
    (folder / "bundle.c").write_text(source, encoding="utf-8")
    _run(folder, _program("cc"), "-Wall", "-Wextra", "bundle.c", "-lcjson", "-o", "bundle")
    return _run(folder, "./bundle", *words)


def _go(folder: Path, source: str, *words: str) -> str:
    (folder / "bundle.go").write_text(source, encoding="utf-8")
    return _run(folder, _program("go"), "run", "bundle.go", *words)


def _rust(folder: Path, source: str, *words: str) -> str:
    _library(CRATES / "serde_json-1.0.87")
    (folder / "src").mkdir()
    (folder / ".cargo").mkdir()
    (folder / "src" / "main.rs").write_text(source, encoding="utf-8")
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "bundle"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nserde_json = "1"\n',
        encoding="utf-8",
    )
    (folder / ".cargo" / "config.toml").write_text(
        f'[source.crates-io]\nreplace-with = "packages"\n[source.packages]\ndirectory = "{CRATES}"\n', encoding="utf-8"
    )
    return _run(folder, _program("cargo"), "run", "--quiet", "--offline", "--", *words)


def _java(folder: Path, source: str, *words: str) -> str:
    (folder / "Bundle.java").write_text(source, encoding="utf-8")
    return _run(folder, _program("java"), "-cp", _library(GSON), "Bundle.java", *words)


def _csharp(folder: Path, source: str, *words: str) -> str:
    (folder / "Bundle.cs").write_text(source, encoding="utf-8")
    shutil.copy(_library(JSON_NET), folder)
    _run(folder, _program("mcs"), "-r:Newtonsoft.Json.dll", "Bundle.cs")
    return _run(folder, _program("mono"), "Bundle.exe", *words)


def _python(folder: Path, source: str, *words: str) -> str:
    (folder / "bundle.py").write_text(source, encoding="utf-8")
    return _run(folder, sys.executable, "bundle.py", *words)


def _javascript(folder: Path, source: str, *words: str) -> str:
    (folder / "bundle.mjs").write_text(source, encoding="utf-8")
    return _run(folder, node(), "bundle.mjs", *words)


READERS: dict[str, Callable[..., str]] = {
    "python": _python,
    "javascript": _javascript,
    "c": _c,
    "go": _go,
    "rust": _rust,
    "java": _java,
    "csharp": _csharp,
}


@pytest.mark.parametrize(
    "language", [pytest.param(each, marks=[] if each == "python" else pytest.mark.thorough) for each in READERS]
)
def test_a_reader_finds_what_is_right(language: str, english: Path, tmp_path: Path) -> None:
    """Right are the position it knows, and those without a legal move."""
    (source,) = blocks(language, PAGE)
    printed = READERS[language](tmp_path, source, str(english), "english").splitlines()
    content: dict[str, Any] = json.loads(english.read_text(encoding="utf-8"))
    asked = [case for case in content["cases"] if case["compare"] == "positions" and "english" in case["rulesets"]]
    wrong = [case for case in asked if case["moves"] and case["id"] != KNOWN[1]]
    assert next(case["fen"] for case in asked if case["id"] == KNOWN[1]) == KNOWN[0]
    last = f"{len(asked) - len(wrong)} of {len(asked)} right"
    assert printed == [*(f"wrong: {case['id']}: {case['fen']}" for case in wrong), last]
    assert f"`{last}`" in PAGE
