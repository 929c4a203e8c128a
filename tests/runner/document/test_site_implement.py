"""The pages for programmers: what is downloaded is what damspec plays by, commands run as printed, pitfalls hold."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape

import damspec
from damspec import data
from damspec_runner.cases.cases import cases_for
from damspec_runner.document.compare import leaflet_game
from damspec_site import pages, rendering
from damspec_site.library import SiteData
from damspec_site.programmer_pages import Pitfalls
from runner_fixtures import PROJECT
from runner_fixtures import damspec as run
from runs import SPREAD
from words import without_keys, words_of

pytestmark = [pytest.mark.xdist_group(__name__), pytest.mark.thorough]

RULESETS = damspec.ruleset_ids()


@cache
def pitfalls() -> Pitfalls:
    """The known failures of all engines, which the processes that run other tests need not read."""
    return Pitfalls(SiteData())


def text(site: Path, address: str) -> str:
    return without_keys((site / address.partition("#")[0]).read_text(encoding="utf-8"))


def commands(page: str) -> list[str]:
    """The commands that a page prints."""
    return [unescape(found) for found in re.findall(r'<code class="command">(.*?)</code>', page)]


# --- files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", SPREAD)
def test_the_values_downloaded_make_the_same_game(site: Path, id: str) -> None:
    """Read from the file alone, as YAML and as JSON, with nothing else of the site."""
    shipped = damspec.load_ruleset(id)
    own = damspec.load_ruleset_file(str(site / pages.download(id, "yaml")))
    assert own.inline_values == shipped.inline_values
    assert (own.name, own.about, own.documents) == (shipped.name, shipped.about, shipped.documents)
    assert own.gametype == shipped.gametype
    assert own.family == ()
    as_json = json.loads(text(site, pages.download(id, "json")))
    assert data.schema_problem(as_json, "ruleset") is None
    values = {rule: entry["value"] for rule, entry in as_json["rules"].items()}
    assert damspec.from_values(values, id).inline_values == shipped.inline_values
    assert as_json == data.load_yaml(site / pages.download(id, "yaml")) | {"rules": as_json["rules"]}


def test_each_value_has_behind_it_what_it_rests_on(site: Path) -> None:
    lines = text(site, pages.download("vl", "yaml")).splitlines()
    (line,) = [line for line in lines if "man.capture.first" in line]
    assert re.sub(" +", " ", line) == (
        " man.capture.first: {value: [forward-diagonals]} # vl-008, vl-014, VL-01, VL-02"
    )


@pytest.mark.parametrize("id", SPREAD)
def test_the_positions_downloaded_are_those_of_the_game(site: Path, id: str) -> None:
    bundle: Any = json.loads(text(site, pages.download(id, "cases.json")))
    assert data.schema_problem(bundle, "bundle") is None
    cases = [one["id"] for one in bundle["cases"] if "reading" not in one]
    assert cases == [case.id for case in cases_for(damspec.load_ruleset(id))]
    assert [*bundle["rulesets"]] == [id]
    assert f"{len(cases)} positions as JSON" in text(site, pages.at("implement", id))


def test_the_counted_positions_are_lines_that_chess_programs_read(site: Path) -> None:
    """A line is a FEN and the numbers by depth; the start of lb has seven first moves."""
    for id in RULESETS:
        assert f'<a href="../{pages.suite(id)}" download>' in text(site, pages.at("implement", id))
        lines = text(site, pages.suite(id)).splitlines()
        assert len(set(lines)) == len(lines)
        assert all(re.fullmatch(r"[WB]:\S+( ;D[1-9] [0-9]+)+", line) for line in lines)
    first = text(site, pages.suite("lb")).splitlines()[0]
    assert first.startswith(f"{damspec.load_ruleset('lb').position().fen()} ;D1 7 ;D2 49 ")


# --- commands ---------------------------------------------------------------------------------


@pytest.fixture
def folder(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to type commands in, where `damspec` and `python` are found."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, words in (("damspec", "-m damspec_runner"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n')
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


@pytest.mark.parametrize("id", ["de"])
def test_the_commands_of_a_game_run_as_printed(site: Path, folder: Path, id: str) -> None:
    printed = commands(text(site, pages.at("implement", id)))
    assert len(printed) == 6
    for suffix in ("yaml", "cases.json"):
        shutil.copy(site / pages.download(id, suffix), folder)
    for command in printed:
        program, *words = shlex.split(command)
        assert program == "damspec"
        ran = run(*words)
        assert ran.status == 0, f"{command}: {ran.err}"
        if words[0] == "check":
            assert re.search(" 0 failed|all right|no disagreement", ran.out), command


def test_the_first_hour_runs_as_printed(site: Path, folder: Path) -> None:
    """The adapter as it is written knows no moves yet, so that its check fails and says so."""
    page = text(site, "implement/index.html")
    install, *printed = commands(page)
    assert install in (PROJECT / "README.md").read_text(encoding="utf-8")
    ran = {command: run(*shlex.split(command)[1:]) for command in printed}
    assert {command: done.status for command, done in ran.items() if done.status} == {
        "damspec check english --lines -- python my-engine/adapter.py": 3
    }
    assert "not filled in yet" in ran["damspec check english --lines -- python my-engine/adapter.py"].complaint
    shown = unescape(re.findall("<samp>(.*?)</samp>", page)[0])
    assert [done.out for done in ran.values() if done.out.strip() == shown]
    assert (folder / "my-engine" / "adapter.py").is_file()
    assert (folder / "damspec.xml").read_text(encoding="utf-8").startswith("<?xml")


def test_the_first_page_leads_to_every_guide_and_every_game(site: Path) -> None:
    page = text(site, "implement/index.html")
    for name, (title, about) in rendering.PROSE.items():
        assert f'<a href="../{name}.html">{title}</a></strong></p><p class="says">{escape(about)}</p>' in page
    for id in RULESETS:
        assert all(
            f'href="../{address}"' in page
            for address in (
                pages.at("implement", id),
                *(pages.download(id, end) for end in ("yaml", "json", "cases.json")),
            )
        )


# --- what stands on a page --------------------------------------------------------------------


def test_counts_are_told_apart_by_convention(site: Path) -> None:
    """From depth 12 on English draughts has captures of the same pieces in another order: 5,674 more sequences."""
    counts = words_of(text(site, pages.at("implement", "english")).partition('id="counts"')[2].partition("</table>")[0])
    assert "unique: counted here to depth 13, published by Rein Halbersma, dctl" in counts
    assert "4 1,469 1,469 5 7,361 7,361" in counts
    assert "12 388,617,999 388,623,673" in counts
    assert counts.endswith("29 76,309,690,522,352,444,005")


def test_the_messages_are_those_of_the_protocol(site: Path) -> None:
    """Two men stand so that one of Black's jumps both, or the like: one move of three squares that is then played."""
    for id in ("vl", "nl-trapdoor", "international"):
        page = text(site, pages.at("implement", id)).partition('id="messages"')[2].partition("<pre")[0]
        said = [json.loads(unescape(each)) for each in re.findall("<dd><code>(.*?)</code></dd>", page)]
        assert [one["method"] for one in said[::2]] == ["start", "moves", "play"]
        for asked, answered in zip(said[::2], said[1::2], strict=True):
            assert data.schema_problem(asked, "protocol", f"{asked['method']}.request") is None
            assert data.schema_problem(answered, "protocol", "answer") is None
            assert answered["id"] == asked["id"]
        position, move = (said[4]["params"][key] for key in ("position", "move"))
        assert move in said[3]["result"]["moves"]
        assert move.count("x") >= 2
        assert damspec.play(id, position, move).fen() == said[5]["result"]["position"]


def test_what_pdn_says_of_a_game(site: Path) -> None:
    page = words_of(text(site, pages.at("implement", "russian")))
    assert 'The tag is [GameType "25,W,8,8,A0,0"]: number 25 is Russian draughts in the standard.' in page
    assert "White begins, and squares are written as letters and numbers, like c3, the first at the bottom left" in page
    assert "A capture is written with :" in page
    assert "The standard has no number for this game." in words_of(text(site, pages.at("implement", "vl")))


@pytest.mark.parametrize(
    ("id", "there", "not_there"),
    [
        ("lb", [":sliders", ":spin", ":huffable", ":+0"], None),
        ("frisian", [":sliders", ":spin", ":huffable"], ":+0+246"),
        ("nl-trapdoor", [":huffable", ":+0"], ":sliders=MMLM"),
        ("de", [":sliders", ":spin", ":+0"], ":huffable=11-15"),
    ],
)
def test_a_position_is_told_with_the_fields_it_can_have(
    site: Path, id: str, there: list[str], not_there: str | None
) -> None:
    notation = text(site, pages.at("implement", id)).partition('id="writing"')[2].partition("<h3")[0]
    assert not [field for field in there if field in notation]
    assert not_there is None or not_there in notation


def told(id: str) -> dict[tuple[str, str], str]:
    """The engines and causes that a game is warned of, with the game that the engine was asked."""
    return {(one.engine, one.cause): one.played for one in pitfalls().of(damspec.load_ruleset(id))}


def test_a_game_is_warned_of_what_engines_did_in_it(site: Path) -> None:
    assert told("lb")["rapid-draughts", "start-square-occupied"] == "lb"
    page = text(site, pages.at("implement", "lb"))
    assert f'href="../{pages.engine("rapid-draughts", "lb")}"' in page
    assert "Start square occupied rapid-draughts 1.0.6, 4 cases" in words_of(page)


def test_a_game_is_warned_of_what_engines_did_in_others_if_its_answer_is_the_same() -> None:
    """The Flemish leaflet has captures finished as English draughts has; that the longest is taken is its own rule."""
    warned = told("vl")
    assert warned["magmacrunch-checkers", "may-stop"] == "english"
    assert ("jocly", "longest-only") not in warned
    assert told("lb")["jocly", "longest-only"] == "english"


def test_a_game_is_not_warned_of_a_rule_it_has_not() -> None:
    """Only the Frisian games count the moves of a king; engines that do not are right in all others."""
    warned = {id for id in RULESETS if any(cause == "no-count-of-king-moves" for _, cause in told(id))}
    assert warned == {"frisian", "frysk"}


def test_every_pitfall_leads_to_a_case_and_says_what_was_wrong(site: Path) -> None:
    for id in (id for id in RULESETS if leaflet_game(id) == id):
        page = text(site, pages.at("implement", id))
        for pitfall in pitfalls().of(damspec.load_ruleset(id)):
            assert pitfall.shown
            assert f'href="../{pages.case(pitfall.case.id)}"' in page
            assert pitfall.about.replace("`", "")[:60] in words_of(page)


def test_readings_that_make_another_game_are_named_as_one_asks_for_them(site: Path) -> None:
    page = text(site, pages.at("implement", "vl")).partition('id="readings"')[2].partition('id="commands"')[0]
    named = re.findall(r"<code>vl\?(\S+?)</code>", page)
    assert sorted(named) == sorted(damspec.load_ruleset("vl").alternatives)


def test_a_count_that_is_disputed_is_told_with_why(site: Path) -> None:
    page = words_of(text(site, pages.at("implement", "pool")))
    assert "5 published counts that the rules do not give" in page
    assert "czsoftcode" in page
