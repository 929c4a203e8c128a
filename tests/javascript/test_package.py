"""The package for npm: what is in it, that its types name what it exports, and that its README is true."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import damspec
from damspec_site.programmer_pages import as_json
from javascript import FOLDER
from runner_fixtures import node

PACKAGE = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))


def installed(folder: Path) -> Path:
    """The package as npm installs it below a folder: the files that it lists."""
    target = folder / "node_modules" / str(PACKAGE["name"])
    target.mkdir(parents=True)
    for name in ("package.json", *PACKAGE["files"]):
        shutil.copy(FOLDER / name, target / name)
    return target


def run(folder: Path, module: str) -> str:
    """What a module prints."""
    (folder / "main.mjs").write_text(module, encoding="utf-8")
    ended = subprocess.run(
        [node(), "main.mjs"], cwd=folder, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_it_has_the_version_of_damspec_and_no_dependencies() -> None:
    assert PACKAGE["version"] == damspec.__version__
    assert f'VERSION = "{damspec.__version__}"' in (FOLDER / "engine.js").read_text(encoding="utf-8")
    assert "dependencies" not in PACKAGE
    for module in FOLDER.glob("*.js"):
        imported = re.findall(r'^import .* from "(.*)";$', module.read_text(encoding="utf-8"), re.M)
        assert all(name.startswith("node:") or name == "./damspec.js" for name in imported)
        assert module.name in PACKAGE["files"]


def test_the_types_name_what_is_exported(tmp_path: Path) -> None:
    installed(tmp_path)
    for module, types in (
        ("damspec", "damspec.d.ts"),
        ("damspec/opponent.js", "opponent.d.ts"),
        ("damspec/endgames.js", "endgames.d.ts"),
    ):
        exported = run(tmp_path, f'import * as all from "{module}"; console.log(Object.keys(all).sort().join(" "));')
        declared = re.findall(r"^export (?:class|function) (\w+)", (FOLDER / types).read_text(encoding="utf-8"), re.M)
        assert exported.split() == sorted(declared)


def test_the_example_of_the_readme_prints_what_it_says(tmp_path: Path) -> None:
    installed(tmp_path)
    (tmp_path / "lb.json").write_text(as_json(damspec.load_ruleset("lb")), encoding="utf-8")
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```js\n(.*?)```", text, re.S)
    (printed,) = re.findall(r"```\n(.*?)```", text.replace(f"```js\n{example}```", ""), re.S)
    assert run(tmp_path, example) == printed
    assert f"ongoing {damspec.perft('lb', 'start', 5)}" in printed
