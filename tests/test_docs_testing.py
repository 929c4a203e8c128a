"""docs/testing.md: its files are a test suite that finds the fault it says, in Python and in JavaScript."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from fenced import blocks, read_page
from runner_fixtures import PROJECT, damspec, node

PAGE = read_page("docs/testing.md")
FILES = {
    block.partition("\n")[0].lstrip("#/ "): block
    for language in ("python", "javascript")
    for block in blocks(language, PAGE)
}
#: What the page imports of fast-check, going through all values in the place of drawing some.
FAST_CHECK = """
const every = ([first, ...others]) => !first ? [[]] : first.flatMap((v) => every(others).map((rest) => [v, ...rest]));
export default {
  constantFrom: (...values) => values,
  boolean: () => [false, true],
  property: (...args) => () => every(args.slice(0, -1)).forEach((values) => args.at(-1)(...values)),
  assert: (property, options) => property(),
};
"""


def suite(folder: Path, *options: str) -> str:
    """What pytest prints of the files of the page."""
    for name, text in FILES.items():
        if name.endswith(".py"):
            (folder / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            f"--rootdir={folder}",
            *options,
        ],
        cwd=folder,
        env={**os.environ, "COLUMNS": "200", "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "examples")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1, done.stdout
    return done.stdout


@pytest.mark.thorough
def test_positions_find_the_fault_in_lines_like_those_of_the_page(tmp_path: Path) -> None:
    """Which of the smallest positions is found differs: a piece takes two others, of the three that are the fewest."""
    printed = suite(tmp_path, "test_my_engine.py", "--hypothesis-seed=0")
    shown = dict(re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))[""]
    fen = r"[WB]:W\d+(,\d+)?:B\d+(,\d+)?"
    for line in (
        rf"damspec\.errors\.IllegalMoveError: illegal move '\d+(x\d+)+' in {fen} \(russian\); legal: \d+(x\d+)+.*",
        rf"position=Position\.from_fen\('{fen}', Board\(8, 8\)\),",
    ):
        assert re.search(line, shown)
        assert re.search(line, printed)


@pytest.mark.slow
def test_the_rules_say_which_one_is_broken(tmp_path: Path) -> None:
    printed = suite(tmp_path, "test_rules.py", "-rA")
    assert re.search(r"^FAILED .*\[promotion\.mid-capture\]", printed, re.MULTILINE)
    assert re.search(r"^PASSED .*\[man\.move\.reach\]", printed, re.MULTILINE)
    assert "no position depends on board.size" in printed


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All cases in one file."""
    path = tmp_path_factory.mktemp("bundle") / "cases.json"
    assert damspec("cases", "bundle", "-o", str(path)).status == 0
    return path


@pytest.mark.thorough
@pytest.mark.parametrize(("fault", "status"), [("", 0), (".slice(1)", 1)])
def test_the_properties_of_the_bundle(tmp_path: Path, bundle: Path, fault: str, status: int) -> None:
    """The example engine of this project passes, and one that leaves a move out does not."""
    engine = read_page("runner/examples/engine.mjs").partition("\nconst answers")[0]
    export = f"export const positionsAfter = (fen) => [...legal(read(fen)).values()]{fault};\n"
    (tmp_path / "my-engine.mjs").write_text(f"{engine}\n{export}", encoding="utf-8")
    (tmp_path / "node_modules" / "fast-check").mkdir(parents=True)
    (tmp_path / "node_modules" / "fast-check" / "index.mjs").write_text(FAST_CHECK, encoding="utf-8")
    (tmp_path / "node_modules" / "fast-check" / "package.json").write_text(
        '{"exports": "./index.mjs"}', encoding="utf-8"
    )
    (tmp_path / "moves.test.mjs").write_text(FILES["moves.test.mjs"], encoding="utf-8")
    (tmp_path / "cases.json").symlink_to(bundle)
    done = subprocess.run(
        [node(), "--test", "moves.test.mjs"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == status, done.stdout


@pytest.mark.parametrize("command", [line[2:] for block in blocks("console", PAGE) for line in block.splitlines()])
def test_the_commands_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """Those that write something are run; of those that ask an engine the options are known."""
    program, *words = shlex.split(command)
    if program == "pytest":
        known = (PROJECT / "runner" / "damspec_runner" / "verify" / "pytest_plugin.py").read_text(encoding="utf-8")
        assert all(f'"{word}"' in known for word in words if word.startswith("--"))
        return
    monkeypatch.chdir(tmp_path)
    if "--" in words:
        asked = damspec("check", "--help-all").out
        assert words[0] == "check"
        assert all(word in asked for word in words[: words.index("--")] if word.startswith("--"))
        return
    assert damspec(*words).status == 0
    assert (tmp_path / words[words.index("-o") + 1]).stat().st_size > 1000
