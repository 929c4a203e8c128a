"""The pages of the project hold: their commands print what they show, their programs run, what they name is there."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import resource
import runpy
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args
from unittest import mock

import mypy.api
import pytest
import yaml

import damspec
import damspec.pdn
from damspec_runner.commands.generate_output import Format
from damspec_runner.engines import registry
from damspec_runner.engines.simple import Limit, SimpleEngine
from fenced import Program, blocks, examples, pattern, programs, read_page
from runner_fixtures import DAMSPEC, PROJECT, Ran
from runner_fixtures import damspec as run
from runs import for_each

README, LIBRARY, ARCHITECTURE = map(read_page, ("README.md", "docs/library.md", "docs/architecture.md"))


def test_the_games_of_other_collections_are_here_where_it_says_so() -> None:
    """Each row names a ruleset, or says why there is none; with values, the ruleset can have them."""
    rows = re.findall(r"^\| .+ \| (.*`.*) \|$", read_page("docs/elsewhere.md"), re.MULTILINE)
    assert len(rows) > 200
    for row in rows:
        name, *values = re.findall("`([^`]+)`", row)
        for other in [each for each in values if ": " not in each]:
            damspec.load_ruleset(other)
        made = damspec.load_ruleset(name)
        for rule, value in (each.split(": ") for each in values if ": " in each):
            made = made.with_value(rule, yaml.safe_load(value))


# --- commands

#: The pages whose commands are for the root of the project, and take little time.
AT_ROOT = ("README.md", "spec/README.md")
#: The pages whose commands are for a folder with the files that they show.
IN_A_FOLDER = ("docs/book.md", "docs/games.md", "docs/generate.md", "docs/own.md", "docs/pdn.md", "docs/scale.md")
#: The pages that may leave out what a command says beside its output.
WITHOUT_NOTES = ("README.md", "docs/generate.md")


def shown_files(name: str) -> dict[str, str]:
    """Return the files that a page shows and its commands read."""
    page = read_page(name)
    match name:
        case "docs/own.md":
            files = blocks("yaml", page)
            return {f"{re.findall(r'^id: (.*)', file, re.MULTILINE)[0]}.yaml": file for file in files}
        case "docs/book.md" | "docs/pdn.md":
            return dict(zip(["games.pdn"], blocks("pdn", page), strict=True))
        case "docs/games.md":
            (program,) = blocks("python", page)
            assert '["damspec", "serve"]' in program
            return {"ten.py": program.replace('["damspec", "serve"]', repr([*DAMSPEC, "serve"]))}
    return {}


def ready(command: str) -> None:
    """Install the named engine a command needs, or skip where that is impossible and this is not CI."""
    for name in re.findall(r"--engine (\S+)", command):
        if name == registry.REFERENCE or registry.adapter(name).installed:
            continue
        try:
            registry.install(registry.adapter(name), print)
        except registry.InstallError as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"NOT CHECKED: {error}")


def run_in(folder: Path, command: str) -> Ran:
    """Run a command of a page in a folder."""
    first, *words = shlex.split(command)
    assert first == "damspec"
    if words[-2:] == ["damspec", "serve"]:
        words[-2:] = [*DAMSPEC, "serve"]
    with contextlib.chdir(folder), mock.patch.dict(os.environ, COLUMNS="200"):
        return run(*(sys.executable if word == "python" else word for word in words))


def commands() -> Iterator[Any]:
    """Each command as parameters, with its page and what is shown."""
    for name in (*AT_ROOT, *IN_A_FOLDER):
        found = examples(read_page(name))
        assert found, name
        for command, shown in found:
            marks = [] if name in (*AT_ROOT, "docs/book.md", "docs/pdn.md") else [pytest.mark.thorough]
            if name not in AT_ROOT:  # a command may read what one before it has written
                marks.append(pytest.mark.xdist_group(name))
            yield pytest.param(name, command, shown, marks=marks, id=f"{name}-{command[:40]}")


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder for the commands of a page, with the files that it shows or makes with `damspec new`."""

    @cache
    def folder(page: str) -> Path:
        if page in AT_ROOT:
            return PROJECT
        found = tmp_path_factory.mktemp("page")
        for file, content in shown_files(page).items():
            (found / file).write_text(content, encoding="utf-8")
        for command, _ in examples(read_page(page)):
            if command.startswith("damspec new "):
                run_in(found, command)
        return found

    return folder


@pytest.mark.parametrize(("page", "command", "shown"), [*commands()])
def test_a_command_prints_what_is_shown(
    page: str,
    command: str,
    shown: str,
    folder_of: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if "--study" in command:
        pytest.importorskip("numba")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    ready(command)
    ran = run_in(tmp_path if command.startswith("damspec new ") else folder_of(page), command)
    assert ran.status == bool(re.search("FAILED|illegal|damspec: nothing", shown)), ran.err
    said = (ran.out + ran.err, ran.err + ran.out, *([ran.out] if page in WITHOUT_NOTES else []))
    assert any(re.fullmatch(pattern(shown), each) for each in said), said[0]


def test_the_two_commands_of_the_readme_are_single_lines() -> None:
    first, second = (block.strip() for block in blocks("sh", README))
    assert "\n" not in first + second
    assert "damspec check lb" in first
    assert second.endswith("pytest -q -n auto")
    assert next(line for line in README.splitlines() if "pytest" in line) == second, ".ci/run takes this line"


@pytest.mark.thorough
def test_the_first_command_ends_in_a_verdict_and_soon() -> None:
    command = blocks("sh", README)[0].split("&&")[-1].strip().removeprefix(".venv/bin/")
    ready(command)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.process_time()
    lines = run_in(PROJECT, command).out.splitlines()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    engines = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert time.process_time() - began + engines < 15  # seconds of processors: others may be at work on them
    assert "FAILED" not in "".join(lines)
    assert [line.partition(" cases in ")[0] for line in lines if line.startswith("lb by ")] == [
        f"lb by damspec {damspec.__version__}: 180 passed, 0 failed of 180",
        "lb by py-draughts 1.10.1: 106 passed, 71 failed, 3 unsupported of 180",
    ]
    assert lines[-1].endswith(": as expected")
    assert lines[-2] == (
        "As expected: the 71 failures that the baseline has, and no other. Without --baseline they are shown."
    )
    assert "it fails 71 cases" in README


# --- programs and sessions


@pytest.mark.parametrize(("name", "least"), [("README.md", 3), ("docs/library.md", 41)])
def test_sessions(name: str, least: int) -> None:
    session = "\n".join(blocks("python", read_page(name)))
    results = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(session, {}, name, name, 0))
    assert results.attempted >= least
    assert results.failed == 0


def test_session_with_numpy() -> None:
    """The blocks of the page of the library that not everybody can run."""
    pytest.importorskip("numpy")
    session = "\n".join(blocks("pycon", LIBRARY))
    results = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(session, {"damspec": damspec}, "", "", 0))
    assert (results.attempted, results.failed) == (2, 0)


PROGRAMS = programs(read_page("docs/programs.md"))


def test_there_are_twelve_programs_of_at_most_30_lines() -> None:
    assert len(PROGRAMS) == read_page("docs/programs.md").count("```python") == 12
    assert {program.title: lines for program in PROGRAMS if (lines := program.source.count("\n")) > 30} == {}


@pytest.mark.parametrize("program", [pytest.param(program, id=program.title) for program in PROGRAMS])
def test_program(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "import numpy" in program.source:
        pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [program.file])
    Path(program.file).write_text(program.source, encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as output:
        runpy.run_path(program.file, run_name="__main__")
    assert output.getvalue() == program.output


@pytest.mark.thorough
def test_programs_are_typed(tmp_path: Path) -> None:
    for program in PROGRAMS:
        (tmp_path / program.file).write_text(program.source, encoding="utf-8")
    files = [str(path) for path in tmp_path.glob("*.py")]
    with contextlib.chdir(PROJECT):
        report, errors, status = mypy.api.run(["--strict", *files])
    assert (status, errors) == (0, ""), report


def test_every_line_of_the_table_for_users_of_other_libraries() -> None:
    """What the last column says runs, each line in the start position after one move."""
    lines = LIBRARY.partition("| | python-chess |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [line.strip("| ").split("|")[-1].strip().strip("`") for line in lines]
    assert len(cells) > 25
    serve = [*DAMSPEC, "serve", "--hub"]
    engine = SimpleEngine.hub(serve)
    for cell in cells:
        game = damspec.Game("international")
        game.push("32-28")
        move = game.legal_moves[0]
        eval(
            cell,
            {"damspec": damspec, "game": game, "other": game.copy(), "move": move, "text": str(move), "square": 30,
             "position": game.position, "fen": game.fen(), "piece": damspec.Piece("white", "king"),
             "command": serve, "engine": engine, "Limit": Limit, "SimpleEngine": SimpleEngine,
             "handle": io.StringIO(game.pdn())},
        )  # fmt: skip
    engine.close()


# --- what pages name

#: What the page of the library may leave to the docstrings: parts of larger values, and constants.
UNNAMED = {"Action", "Alternative", "Clause", "DIRECTIONS", "Kind", "Layout", "Reading", "Rules", "Side", "__version__"}
#: What a path on the page of the architecture may leave out: the package, where the table says which it is.
PLACES = (".", "runner", "runner/damspec_runner", "reference/damspec", "runner/damspec_site/assets")


def test_every_public_name_is_on_the_page_of_the_library() -> None:
    assert set(damspec.__all__) - {*re.findall(r"\w+", LIBRARY)} - UNNAMED == set()


def test_every_path_of_the_architecture_leads_somewhere() -> None:
    paths = re.findall(r"`([\w./-]+(?:/|\.(?:py|js|md|yaml|json)))`", ARCHITECTURE)
    assert len(paths) > 60
    assert [path for path in paths if not any((PROJECT / place / path).exists() for place in PLACES)] == []
    assert len(ARCHITECTURE.splitlines()) <= 150


def test_every_format_of_generated_positions_has_a_line() -> None:
    table = read_page("docs/generate.md").partition("| format |")[2].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == get_args(Format)


def test_options_are_those_of_the_command() -> None:
    named = re.findall(r"^\| `(--[a-z-]+)", read_page("docs/games.md"), re.MULTILINE)
    assert len(named) == 5
    assert {*named} <= {*options("check")}
    table = read_page("docs/scale.md").partition("| command |")[2].partition("\n\n")[0]
    spread = {words.split()[1] for words in re.findall(r"`(damspec [a-z]+)", table)}
    assert {"perft", "adequacy", "generate", "compare"} == spread
    for command in spread:
        assert {"--jobs", "--dask", "--journal"} <= {*options(command)}


def options(command: str) -> list[str]:
    return re.findall(r"--[a-z-]+", run(command, "--help-all").out)


# --- all pages

PAGES = sorted(
    path
    for pattern in ("*.md", "[a-z]*/*.md", "runner/examples/*.md", "reference/javascript/*.md")
    for path in PROJECT.glob(pattern)
)
#: The most columns a line of prose has. Tables and code may be wider.
WIDTH = 100


def prose(page: Path) -> Iterator[tuple[int, str]]:
    """The lines of a page that are neither code nor a heading nor part of a table, with their numbers."""
    code = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            code = not code
        elif not code and not line.startswith(("|", "    ", "#")):
            yield number, line


@for_each("page", PAGES)
def test_lines_of_prose_have_one_width(page: Path) -> None:
    assert [f"{page.name}:{number}" for number, line in prose(page) if len(line) > WIDTH] == []


@for_each("page", PAGES)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_there_are_pages() -> None:
    assert len(PAGES) >= 10
