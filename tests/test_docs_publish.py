"""docs/publish.md: its workflows are what their hosts read, and their commands build a site."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from damspec_site import build as building
from damspec_site.build import MakePart
from damspec_site.pages import Page
from fenced import blocks, read_page
from runner_fixtures import damspec as run

PAGE = read_page("docs/publish.md")
ADDRESS = "https://example.org/a/"


GITHUB, GITLAB = (yaml.safe_load(block) for block in blocks("yaml", PAGE))
(NETLIFY,) = map(tomllib.loads, blocks("toml", PAGE))
STEPS = [step for job in GITHUB["jobs"].values() for step in job["steps"]]


def commands() -> Iterator[str]:
    """Every line of shell on the page."""
    yield from (line for step in STEPS for line in step.get("run", "").splitlines())
    yield from GITLAB["pages"]["script"]
    yield NETLIFY["build"]["command"]
    yield from (line for block in blocks("sh", PAGE) for line in block.splitlines())


BUILDS = sorted({part.strip() for line in commands() for part in line.split("&&") if "damspec site build" in part})


def test_every_host_is_given_the_folder_that_is_built() -> None:
    on: Any = GITHUB.get("on", GITHUB.get(True))  # YAML 1.1 reads the word `on` as a truth value
    assert {"push", "workflow_dispatch"} == set(on)
    uploaded = next(step for step in STEPS if "upload-pages-artifact" in step.get("uses", ""))
    assert uploaded["with"]["path"] == "public"
    assert GITHUB["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}
    assert GITHUB["jobs"]["publish"]["needs"] == "build"
    assert set(GITLAB) == {"pages"}
    assert GITLAB["pages"]["artifacts"]["paths"] == ["public"]
    assert NETLIFY["build"]["publish"] == "public"
    assert len(BUILDS) >= 4
    assert all(shlex.split(command)[3] == "public" for command in BUILDS)


def test_actions_are_given_by_their_major_version() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert len(used) == 5
    assert all(re.fullmatch(r"actions/[a-z-]+@v[0-9]+", action) for action in used)


def test_variables_of_a_step_are_set_for_it() -> None:
    names = {step.get("id") for step in STEPS}
    for step in STEPS:
        assert set(re.findall(r"\$([A-Z]+)", step.get("run", ""))) == set(step.get("env", {}))
        assert set(re.findall(r"steps\.(\w+)\.", str(step.get("env", "")))) <= names


@pytest.mark.parametrize("command", BUILDS)
def test_a_command_builds_a_site_that_knows_its_address(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parts(*given: object) -> Mapping[str, MakePart]:
        return {"one": lambda: [Page("wrong", "one.html")]}

    monkeypatch.setattr(building, "parts", parts)
    monkeypatch.chdir(tmp_path)
    words = shlex.split(re.sub(r"\$[A-Z_]+", ADDRESS, command))
    ran = run(*words[1:])
    assert (ran.status, ran.err) == (0, "")
    url = words[words.index("--url") + 1]
    assert f'<link rel="canonical" href="{url}one.html">' in (tmp_path / "public" / "one.html").read_text()
